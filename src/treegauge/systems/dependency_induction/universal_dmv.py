"""The dependency model with valence, told which universal tags govern which.

Every arc is multiplied by a weight: by tags, side, distance, what stands between, coordination and
names. Words with an adposition are told apart from words without (marked tags), so that the
grammar can learn that objects and obliques differ. The table of weights is
`universal_weights.txt`; it says how Universal Dependencies annotates, content words as heads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treegauge.rewrite import Style
from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.arc_scores import ArcScores, Floats, boundaries
from treegauge.systems.dependency_induction.chart import Grammar
from treegauge.systems.dependency_induction.grammar_in_words import grammar_in_words
from treegauge.systems.dependency_induction.grammar_inducer import grammar_state, restored_grammar
from treegauge.systems.dependency_induction.styled_trees import heads_in_style
from treegauge.systems.dependency_induction.udp import RIGHT, AdpositionCounts, count_adpositions
from treegauge.systems.dependency_induction.universal_patterns import (
    has_adposition,
    main_verbs,
    runs,
)
from treegauge.systems.dependency_induction.universal_weights import (
    CODE,
    OTHER_SPELLINGS,
    TAGS,
    UniversalWeights,
    find_weights,
)
from treegauge.systems.dependency_induction.weighted_inducer import (
    WeightedInducer,
    WeightedSettings,
    WeightedText,
    arc_posteriors,
    learn_with_weights,
    weight_setting,
)
from treegauge.systems.errors import SystemsError
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress, Supervision
from treegauge.treebank import EMPTY, Column, Treebank, tag_column

SYMBOLS = (*TAGS, *(f"{tag}+ADP" for tag in TAGS))
"""What the grammar is about: tags of words without and with an adposition."""

_MOST_UNKNOWN = 0.2
"""The share of tags that are not universal in a text that is parsed; none is learnt from."""


@dataclass(frozen=True)
class UniversalDmvSettings(WeightedSettings):
    """What arcs are worth; logarithms."""

    tags: str = setting("u", "the tag column: u, u12")
    max_length: int = setting(20, "the longest sentence to learn from, in words", minimum=1)
    iterations: int = setting(10, "number of iterations of EM", minimum=0)
    weights: str = setting("content-heads", "the weights of tag pairs: content-heads, or a file")
    distance: float = weight_setting(0.5, "cost of distance: a factor of its logarithm")
    verb_between: float = weight_setting(1.0, "cost of each verb between head and dependent")
    boundary: float = weight_setting(3.0, "cost of each punctuation mark between them")
    coordination: float = weight_setting(1.0, "weight of conjuncts after a conjunction")
    names: float = weight_setting(3.0, "weight of the first word of a name as its head")
    main_verb: float = weight_setting(
        2.0, "weight, as root, of the first verb that is not subordinate"
    )
    subordinate_root: float = weight_setting(4.0, "cost of a subordinate verb as the root")
    style: str = setting(
        "ud", "the style of the trees: ud, functional, prague, conll (see docs/styles.md)"
    )
    marked_tags: bool = setting(True, "distinguish words with an adposition from others")


class UniversalDmv(WeightedInducer):
    """Soft EM of the dependency model with valence, with arcs weighted by universal tags."""

    name = "universal-dmv"
    settings_type: ClassVar[type[Settings]] = UniversalDmvSettings

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        self.style = Style.parse(self.settings.style)

    grammar: Grammar
    shares: Floats
    """How frequent symbols were."""
    weights: UniversalWeights
    adpositions: AdpositionCounts
    """On which side of nominals adpositions stand."""

    @property
    def supervision(self) -> Supervision:
        """The weights are knowledge about all languages."""
        return "universal rules"

    # ------------------------------------------------------------------ learning and parsing

    def _learn(self, words: Treebank, short: Treebank, on_progress: OnProgress) -> None:
        self.weights = find_weights(self.settings.weights)
        tags = self._codes(words, most_unknown=0)
        self.adpositions = count_adpositions(words, self.settings.tags)
        symbols = self._symbols(tags, words)
        self.shares = np.bincount(symbols, minlength=len(SYMBOLS)) / symbols.size
        text = self._read(short)
        self.grammar = learn_with_weights(text, self.settings, self._note_steps(on_progress))

    def _codes(self, words: Treebank, most_unknown: float = _MOST_UNKNOWN) -> NDArray[np.int32]:
        """Return the codes of universal tags; words without a tag, or of another one, count as X.

        Where the share of other tags is too large, somebody meant another system.
        """
        has_others = words.xpos.is_annotated or words.cpos.is_annotated
        if has_others and not words.upos.is_annotated:
            raise self._not_universal(words.xpos if words.xpos.is_annotated else words.cpos)
        column = tag_column(words, self.settings.tags).column.compact()
        names = [OTHER_SPELLINGS.get(tag, tag) for tag in column.vocabulary]
        is_unknown = np.array([name not in CODE and name != EMPTY for name in names], np.bool_)
        if words.n_words and is_unknown[column.codes].mean() > most_unknown:
            raise self._not_universal(column)
        by_value = np.array([CODE.get(name, CODE["X"]) for name in names], np.int32)
        codes: NDArray[np.int32] = by_value[column.codes]
        return codes

    def _not_universal(self, column: Column) -> SystemsError:
        known = {*TAGS, *OTHER_SPELLINGS, EMPTY}
        unknown = [tag for tag in column.counts() if tag not in known]
        return SystemsError(
            f"{self.name}: not universal tags: {', '.join(unknown[:3])}\n"
            "  `openclass-dmv` learns from any tags; "
            "`treegauge convert --tag-map FILE` makes them universal"
        )

    def _symbols(self, tags: NDArray[np.int32], words: Treebank) -> NDArray[np.int32]:
        if not self.settings.marked_tags:
            return tags
        before = self.adpositions.side == RIGHT
        is_marked = has_adposition(tags, words.offsets, before=before)
        symbols: NDArray[np.int32] = (tags + len(TAGS) * is_marked).astype(np.int32)
        return symbols

    def _read(self, words: Treebank) -> WeightedText:
        """Return symbols and scores."""
        tags = self._codes(words)
        return WeightedText.of(self._symbols(tags, words), len(SYMBOLS), self.scores(tags, words))

    def scores(self, tags: NDArray[np.int32], words: Treebank) -> ArcScores:
        """Return what arcs are worth in sentences without punctuation."""
        settings = self.settings
        return ArcScores(
            words.offsets,
            self._root_scores(tags, words),
            tags,
            self.weights.pairs,
            self.weights.by_side(self.adpositions.side == RIGHT),
            distance=settings.distance,
            over=settings.verb_between * (tags == CODE["VERB"]),
            gap=settings.boundary * boundaries(words),
            is_conjunction=tags == CODE["CCONJ"],
            coordination=settings.coordination,
            run=runs(tags == CODE["PROPN"], words.offsets),
            name=settings.names,
        )

    def _root_scores(self, tags: NDArray[np.int32], words: Treebank) -> Floats:
        scores: Floats = self.weights.root[tags]
        main, subordinate = main_verbs(tags, words.offsets)
        scores[main] += self.settings.main_verb
        scores[subordinate] -= self.settings.subordinate_root
        return scores

    def arc_posteriors(self, words: Treebank) -> Floats:
        """Return how probable arcs are, packed; of a treebank without punctuation."""
        return arc_posteriors(self.grammar, self._read(words))

    def _heads(self, words: Treebank, on_progress: OnProgress) -> NDArray[np.int32]:
        heads = super()._heads(words, on_progress)
        if self.style == Style() or not words.n_words:
            return heads
        return heads_in_style(words, heads, self._codes(words), self.style)

    # ------------------------------------------------------------------ for people, for files

    def describe_grammar(self, top: int = 20) -> str:
        """Return where adpositions stand, the strongest attachments and stop decisions."""
        before, after = self.adpositions.before_nominal, self.adpositions.after_nominal
        side = "before" if self.adpositions.side == RIGHT else "after"
        return (
            f"adpositions stand {side} the word they mark "
            f"({before} before nominals, {after} after)\n"
            f"+ADP: words with an adposition\n\n"
        ) + grammar_in_words(self.grammar, SYMBOLS, self.shares.tolist(), top)

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = grammar_state(self.grammar, self.history)
        arrays |= {"shares": self.shares, **self.weights.arrays()}
        facts["adpositions"] = [self.adpositions.before_nominal, self.adpositions.after_nominal]
        return arrays, facts

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        self.grammar, self.history = restored_grammar(saved, len(SYMBOLS))
        self.shares = saved.numbers("shares", (len(SYMBOLS),), least=0, most=1)
        self.weights = UniversalWeights.restored(saved)
        self.adpositions = AdpositionCounts(*saved.counts("adpositions", size=2))
