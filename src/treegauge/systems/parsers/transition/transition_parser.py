"""The transition-based parser: greedy, with an averaged perceptron and rich features.

References
----------
Nivre (2008), Algorithms for deterministic incremental dependency parsing. Computational
    Linguistics 34(4).
Zhang and Nivre (2011), Transition-based dependency parsing with rich non-local features. ACL.
Goldberg and Nivre (2013), Training deterministic parsers with non-deterministic oracles. TACL 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.properties.attachment_order import recorded_order, with_recorded_order
from treegauge.properties.projectivity import nonprojective_arcs
from treegauge.rewrite.projectivise import projectivise
from treegauge.settings import setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.long_sentences import QUADRATIC, Blocks, whole_up_to
from treegauge.systems.parsers.parser import Parser, ParserSettings
from treegauge.systems.parsers.transition import _parsing_numba as parsing, weights
from treegauge.systems.parsers.transition.choice import (
    N_TRIALS,
    TRIAL_EPOCHS,
    choose,
    trial_parts,
)
from treegauge.systems.parsers.transition.learning import Lesson, learn
from treegauge.systems.parsers.transition.lexicon import (
    VOCABULARIES,
    Lexicon,
    forget_rare_words,
    seen_once,
)
from treegauge.systems.parsers.transition.templates import FEATURE_SETS, root_is_last, templates
from treegauge.systems.saved_state import SavedState, damaged, vocabulary_arrays
from treegauge.systems.system import Arrays, OnProgress, no_progress
from treegauge.systems.tag_source import part_of
from treegauge.transitions import Root, TransitionSystem
from treegauge.transitions.stepping import in_system
from treegauge.treebank import Column, Treebank, Vocabulary

_EXPLORATION = 0.9
"""How often wrong moves are followed, from the second epoch on (Goldberg and Nivre 2013)."""

_FORBIDDEN = np.float32(-1e30)


@dataclass(frozen=True)
class TransitionSettings(ParserSettings):
    """What can be chosen about the parser."""

    system: Literal[
        "arc-standard",
        "arc-eager",
        "arc-hybrid",
        "swap-eager",
        "swap-lazy",
        "covington-projective",
        "covington",
    ] = setting("arc-eager", "the transition system")
    features: Literal["full", "rich", "malt"] = setting(
        "full",
        "the feature set: of Zhang and Nivre, for moves and relations (full) or with fewer for "
        "relations (rich), or of MaltParser",
    )
    training: Literal["explore", "static"] = setting(
        "explore", "train on own mistakes if there is a dynamic oracle, or on gold paths only"
    )
    nonprojective: Literal["drop", "projectivise"] = setting(
        "projectivise", "how projective systems treat non-projective trees in training"
    )
    optimise: bool = setting(
        False, "choose transition system and features on a part of the training data"
    )
    epochs: int = setting(10, "passes over the training data", minimum=1)
    margin: float = setting(
        1.5,
        "learn from right decisions too if they win by less than this per feature; 0: from "
        "mistakes only",
        minimum=0.0,
    )
    record_order: bool = setting(False, "record in MISC when each word got its head (AttachedAs)")
    longest_whole: int = whole_up_to(QUADRATIC)


class TransitionParser(Parser):
    """Greedy transitions by an averaged perceptron with rich features.

    >>> import treegauge as tg
    >>> parser = TransitionParser({"epochs": 3}).fit(tg.load("toy:svo:train")[:50])
    >>> answer = parser.annotate(tg.load("toy:svo:test")[27:28])
    >>> answer.head.tolist(), list(answer.deprel)
    ([3, 3, 0, 3, 3], ['nsubj', 'cop', 'root', 'advmod', 'punct'])
    """

    name = "transition"
    settings_type = TransitionSettings
    is_deterministic = False
    seconds_per_word = 2e-4

    def _learn(self, treebank: Treebank, on_progress: OnProgress) -> None:
        self._system = TransitionSystem.named(self.settings.system)
        self._features = self.settings.features
        begun = 0.0
        if self.settings.optimise and (parts := trial_parts(treebank, seed=self.seed)):
            begun = 0.5
            self._choose(*parts, part_of(on_progress, 0, begun))
        self._train(treebank, part_of(on_progress, begun, 1))

    def _choose(self, train: Treebank, held_out: Treebank, on_progress: OnProgress) -> None:
        """Take the transition system and the features that do best on a part held out."""
        tried = 0

        def score(system: str, features: str) -> float:
            nonlocal tried
            trial = type(self)(
                replace(
                    self.settings,
                    system=system,
                    features=features,
                    optimise=False,
                    epochs=min(self.settings.epochs, TRIAL_EPOCHS),
                ),
                seed=self.seed,
            )
            try:
                trial._learn(train, no_progress)
            except SystemsError:  # nothing that this system can derive
                return -1.0
            heads, relations = trial._parse(held_out, no_progress)
            has_relation = np.array(
                [a == b for a, b in zip(relations, held_out.deprel, strict=True)]
            )
            las = float(((heads == held_out.head) & has_relation).mean())
            tried += 1
            on_progress(tried / N_TRIALS, f"{system}, {features} features: LAS {las:.2%}")
            return las

        system, self._features = choose(score)
        self._system = TransitionSystem.named(system)

    def _train(self, treebank: Treebank, on_progress: OnProgress) -> None:
        """Learn with the system and the features that have been chosen."""
        epochs = self.settings.epochs
        treebank = self._derivable(treebank)
        self._lexicon = Lexicon.of(treebank)
        relations = treebank.deprel.compact()
        self._labels = relations.vocabulary
        self._label_counts = np.stack(
            [
                np.bincount(relations.codes[chosen], minlength=len(self._labels))
                for chosen in (treebank.head != 0, treebank.head == 0)
            ]
        )
        words = self._words(treebank)
        plan = self._plan()
        generator = np.random.default_rng(self.seed)
        once = seen_once(words.atoms)
        tables, sums = weights.new_tables(len(self._labels))
        time = 0
        is_dynamic = self.settings.training == "explore" and self._system.has_dynamic_oracle
        for epoch in range(epochs):
            lesson = Lesson(
                treebank.head,
                relations.codes,
                generator.permutation(treebank.n_sentences),
                is_dynamic,
                _EXPLORATION if is_dynamic and epoch > 0 else 0.0,
                generator.integers(1 << 62, size=treebank.n_sentences),
                np.float32(self.settings.margin),
            )
            seen = words._replace(atoms=forget_rare_words(words.atoms, once, generator))
            tables, sums, time, right, decided = learn(plan, seen, lesson, tables, sums, time)
            on_progress((epoch + 1) / epochs, f"{right / decided:.2%} of moves right")
        self._tables = weights.averaged(tables, sums, time)

    def _derivable(self, treebank: Treebank) -> Treebank:
        """Return the sentences that can be learnt from, projective if they have to be."""
        chosen = treebank.lengths > 0
        if self.settings.single_root:
            roots = np.bincount(
                treebank.sentence_of_word[treebank.head == 0], minlength=treebank.n_sentences
            )
            chosen &= roots == 1
        if not self._system.covers_all_trees:
            if self.settings.nonprojective == "projectivise":
                treebank = projectivise(treebank)
            else:
                chosen &= nonprojective_arcs(treebank) == 0
        if not chosen.any():
            one_root = " with a single root" if self.settings.single_root else ""
            raise SystemsError(
                f"{self.name}: {self._system.spelling}{one_root} derives none of the trees\n"
                "  choose swap-lazy or covington, nonprojective=projectivise or single_root=false"
            )
        return treebank.take(np.flatnonzero(chosen))

    def _words(self, treebank: Treebank) -> Any:
        encoded = self._lexicon.encode(treebank)
        return parsing.Words(
            treebank.offsets,
            encoded.atoms,
            encoded.feature_set,
            encoded.begins,
            encoded.members,
        )

    def _plan(self) -> Any:
        chosen = templates(self._system, self._features, self._lexicon.kinds)
        counts = self._label_counts
        # Where no label was ever seen, any may be.
        unseen = (counts == 0) & counts.any(axis=1, keepdims=True)
        root, other = (int(counts[arc].argmax()) for arc in (1, 0))
        return parsing.Plan(
            int(self._system),
            int(Root.LAST if root_is_last(self._system) else Root.FIRST),
            self.settings.single_root,
            chosen.atoms,
            chosen.attributes,
            chosen.for_labels,
            np.where(unseen, _FORBIDDEN, np.float32(0)),
            root,
            other,
        )

    def _parse(
        self, treebank: Treebank, on_progress: OnProgress
    ) -> tuple[NDArray[np.int32], Column]:
        blocks = self._blocks(treebank)
        heads, labels, _ = self._parsed(blocks.treebank, on_progress)
        relations = Column(labels, self._labels).compact()
        return blocks.joined(heads), blocks.joined_relations(heads, relations)

    def _parsed(
        self, treebank: Treebank, on_progress: OnProgress
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        heads, labels, ranks = (np.zeros(treebank.n_words, np.int32) for _ in range(3))
        words, plan = self._words(treebank), self._plan()
        n = treebank.n_sentences
        parse = in_system(parsing.parse, self._system)
        view = parsing.new_view(plan, words)
        portions = np.linspace(0, n, num=min(n, 10) + 1, dtype=np.int64)
        for begin, end in pairwise(portions.tolist()):
            parse(plan, words, self._tables, view, begin, end, heads, labels, ranks)
            on_progress(end / n, f"{end} sentences parsed")
        return heads, labels, ranks

    def parse_orders(
        self, treebank: Treebank, *, on_progress: OnProgress = no_progress
    ) -> NDArray[np.int32]:
        """Return when each word gets its head while its sentence is parsed, from 1.

        Words that no move gives a head come last, from left to right.
        """
        if not self.is_fitted:
            raise SystemsError(f"{self.name} is not fitted yet: call fit first, or load a model")
        share = self._share_of_tagger
        tagged = self.tag_source.annotate(self.sees(treebank), part_of(on_progress, 0, share))
        blocks = Blocks.of(self._readable(tagged), self.longest_whole)
        ranks = self._parsed(blocks.treebank, part_of(on_progress, share, 1))[2]
        return (ranks + blocks.words_before).astype(np.int32)

    def _annotate(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        annotated = super()._annotate(treebank, on_progress)
        if not self.settings.record_order or not treebank.n_words:
            return annotated
        # Parsed a second time: whoever asks for the order is not in a hurry.
        rank = self.parse_orders(treebank)
        first = np.repeat(treebank.offsets[:-1], treebank.lengths)
        order = np.empty(treebank.n_words, np.int32)
        order[first + rank - 1] = np.arange(treebank.n_words) - first + 1
        return with_recorded_order(annotated, order)

    def _merged(self, treebank: Treebank, annotated: Treebank) -> Treebank:
        merged = super()._merged(treebank, annotated)
        if not self.settings.record_order or not treebank.n_words:
            return merged
        return with_recorded_order(merged, recorded_order(annotated))

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays = weights.to_arrays(self._tables)
        for name, vocabulary in self._vocabularies().items():
            arrays |= vocabulary_arrays(vocabulary, name)
        arrays["label_totals"] = self._label_counts
        return arrays, {"system": self._system.spelling, "features": self._features}

    def _vocabularies(self) -> dict[str, Vocabulary]:
        return {"labels": self._labels, **self._lexicon.vocabularies}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        by_name = {system.spelling: system for system in TransitionSystem}
        self._system = by_name[saved.text("system", by_name)]
        self._features = saved.text("features", FEATURE_SETS)
        self._labels = saved.vocabulary("labels")
        self._lexicon = Lexicon({name: saved.vocabulary(name) for name in VOCABULARIES})
        n_labels = len(self._labels)
        if not n_labels:
            raise damaged("it has no labels")
        self._label_counts = saved.integers("label_totals", shape=(2, n_labels))
        self._tables = weights.restored(saved, n_labels)
