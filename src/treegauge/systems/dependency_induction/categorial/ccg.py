"""Trees from a combinatory categorial grammar that knows nouns, verbs and conjunctions (BH).

Rounds give tags ever larger categories (`lexicon.py`), a normal-form chart finds all derivations
(`grammar.py`, `forests.py`), EM weighs their steps (`model.py`), and the best derivation becomes a
tree: what a functor takes hangs on it, and a modifier hangs on what it modifies.

References
----------
Bisk and Hockenmaier (2012), Simple robust grammar induction with combinatory categorial
grammars. AAAI.
Bisk and Hockenmaier (2012), Induction of linguistic structure with combinatory categorial
grammars. NAACL-HLT Workshop on Induction of Linguistic Structure.
Hockenmaier and Bisk (2010), Normal-form parsing for combinatory categorial grammars with
generalized composition and type-raising. COLING.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.branching import LeftBranching, RightBranching
from treegauge.systems.dependency_induction.categorial.categories import CONJ, Category, N, S
from treegauge.systems.dependency_induction.categorial.derivations import Parser
from treegauge.systems.dependency_induction.categorial.forests import Forests
from treegauge.systems.dependency_induction.categorial.grammar import (
    CategorialGrammar,
    Kind,
    grammar_of,
)
from treegauge.systems.dependency_induction.categorial.learning import (
    ExpectationMaximisation,
    Step,
    induced_lexicon,
    with_unknown,
)
from treegauge.systems.dependency_induction.categorial.lexicon import Lexicon, Restrictions
from treegauge.systems.dependency_induction.categorial.model import Factors, Floats
from treegauge.systems.dependency_induction.categorial.saved_lexicon import (
    lexicon_facts,
    restored_lexicon,
)
from treegauge.systems.dependency_induction.chart import TagCorpus
from treegauge.systems.dependency_induction.tag_inventory import (
    TagInventory,
    warn_of_missing_tags,
)
from treegauge.systems.dependency_induction.universal_rules import spellings
from treegauge.systems.derivation import Derivation
from treegauge.systems.errors import SystemsError
from treegauge.systems.long_sentences import whole_up_to
from treegauge.systems.saved_state import SavedState, damaged, is_number
from treegauge.systems.system import Arrays, DependencyInducer, OnProgress, Supervision
from treegauge.treebank import Treebank, parse_tag_column, without_punctuation
from treegauge.wording import counted

_FLOOR = 1e-12
"""The rarest choice where a sentence has no derivation with what was learnt."""
_WHOLE = 200
"""Words of the longest sentence that is parsed whole, as in the released program."""
_MOST_COUNT = 1e15
_SHARE_OF_ROUNDS = 0.2
"""How much of learning the rounds are, for progress."""
_BYTES_BY_ITEM = 20
"""Of a cell of a chart: a score and three numbers."""


@dataclass(frozen=True)
class CcgSettings(Settings):
    """Settings of CCG induction; restrictions are those of the released program."""

    tags: str = setting("u", "the tag column to learn from: u, u12, c, p, p:2")
    seed_nouns: tuple[str, ...] = setting(
        ("NOUN", "PROPN", "PRON"), "universal tags of words that start as N"
    )
    seed_verbs: tuple[str, ...] = setting(
        ("VERB", "AUX"), "universal tags of words that start as S"
    )
    seed_conjunctions: tuple[str, ...] = setting(
        ("CCONJ",), "universal tags of words that join equal categories"
    )
    only_modify: tuple[str, ...] = setting(
        (), "universal tags of words without arguments, such as DET"
    )
    rounds: int = setting(
        2, "number of rounds in which categories take or modify neighbours", minimum=0, maximum=3
    )
    max_arity: int = setting(3, "largest number of arguments of a category", minimum=1, maximum=4)
    max_modifier_arity: int = setting(
        2,
        "largest number of arguments of a modifier, or of a category that becomes one",
        minimum=1,
        maximum=4,
    )
    complex_arguments: bool = setting(False, "allow S|N as an argument")
    induce_valid_only: bool = setting(True, "drop categories that no complete derivation uses")
    composition: bool = setting(True, "allow composition of modifiers and of type-raised nouns")
    type_raising: bool = setting(True, "allow type-raising: nouns become functors over verbs")
    partial_roots: bool = setting(
        False, "also allow S/N and S\\N, clauses without a noun, as sentences"
    )
    max_length: int = setting(10, "the longest sentence to learn from, in words", minimum=1)
    init: Literal["uniform", "derivations"] = setting(
        "uniform", "where EM starts: uniform rows, or all derivations equally probable"
    )
    viterbi: bool = setting(False, "learn from the best derivations only")
    smoothing: float = setting(1.0, "added to every count; the paper adds nothing", minimum=0)
    iterations: int = setting(2000, "largest number of iterations", minimum=0)
    tolerance: float = setting(
        1e-3, "stop when the relative change of the objective is at most this", minimum=0
    )
    coordination: Literal["universal", "first", "chain", "last", "conjunction"] = setting(
        "universal",
        "the tree of X1 CC X2: X1 > X2 > CC, X1 > CC and X2, X1 > CC > X2, X2 > X1 and CC, CC > "
        "both",
    )
    function_functors_as_leaves: bool = setting(
        False, "attach function words to their argument, as in Universal Dependencies"
    )
    function_tags: tuple[str, ...] = setting(
        ("ADP", "AUX", "SCONJ"), "universal tags of those words"
    )
    fallback: Literal["left-branching", "right-branching"] = setting(
        "left-branching", "the tree of a sentence without a derivation"
    )
    longest_whole: int = whole_up_to(_WHOLE)


class Ccg(DependencyInducer):
    """Induces a combinatory categorial grammar, and trees from its best derivations."""

    name = "ccg"
    settings_type: ClassVar[type[Settings]] = CcgSettings
    seconds_per_word = 5e-5
    has_derivations = True

    inventory: TagInventory
    lexicon: Lexicon
    counts: Floats
    """How often every step of a derivation is expected; the model is estimated from it."""
    history: list[Step]
    n_learnt_from: int
    """Sentences with a derivation, of those that are short enough."""
    n_without_derivation: int
    """Sentences that are short enough and have none."""

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        parse_tag_column(self.settings.tags)
        self.history = []

    @property
    def supervision(self) -> Supervision:
        """What nouns, verbs and conjunctions are is knowledge about all languages."""
        return "universal rules"

    # ------------------------------------------------------------------ learning

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        words = without_punctuation(treebank)
        if not words.n_words:
            raise SystemsError(f"{self.name}: there is nothing to learn from but punctuation")
        self.inventory = TagInventory.of(words, self.settings.tags)
        warn_of_missing_tags(self.name, self.inventory)
        seeds = self._seeds()
        corpus = self._short_enough(words)
        settings = self.settings

        def on_round(number: int) -> None:
            share = _SHARE_OF_ROUNDS * (number + 1) / settings.rounds
            on_progress(share, f"round {number + 1} of {settings.rounds}: categories")

        self.lexicon = induced_lexicon(
            corpus,
            seeds,
            self._tags_of(settings.seed_conjunctions),
            Restrictions(
                settings.max_arity, settings.max_modifier_arity, settings.complex_arguments
            ),
            only_modify=self._tags_of(settings.only_modify),
            rounds=settings.rounds,
            valid_only=settings.induce_valid_only,
            grammar=self._grammar_of,
            on_round=on_round,
        )
        self._forget_grammar()
        forests = Forests(self.grammar, corpus)
        self._note_missing(corpus, forests)
        self._learn(forests, on_progress)

    def _learn(self, forests: Forests, on_progress: OnProgress) -> None:
        settings = self.settings
        learner = ExpectationMaximisation(
            forests, self._factors, smoothing=settings.smoothing, hard=settings.viterbi
        )
        learner.begin(uniform=settings.init == "uniform")

        def on_step(share: float, step: Step) -> None:
            done = _SHARE_OF_ROUNDS + (1 - _SHARE_OF_ROUNDS) * share
            on_progress(done, f"log-likelihood {step.log_likelihood:.1f}")

        learner.climb(settings.iterations, settings.tolerance, on_step)
        self.counts, self.history = learner.counts, learner.history

    def _short_enough(self, words: Treebank) -> TagCorpus:
        # Which of the two is the lower decides what there is to learn from.
        length = min("max_length", "longest_whole", key=vars(self.settings).__getitem__)
        limit = getattr(self.settings, length)
        corpus = self.inventory.encode(words).up_to(limit)
        if not corpus.n_sentences:
            shortest = words.lengths[words.lengths > 0].min()
            raise SystemsError(
                f"{self.name}: no sentence of at most {limit} words to learn from; raise {length} "
                f"(the shortest has {shortest})"
            )
        return corpus

    def _tags_of(self, universal: tuple[str, ...]) -> frozenset[int]:
        """Return the codes of the tags that are some universal tags, or mostly stand for them."""
        wanted = spellings(universal)
        named = zip(self.inventory.tags, self.inventory.universal, strict=True)
        return frozenset(code for code, names in enumerate(named) if wanted & set(names))

    def _seeds(self) -> dict[int, Category]:
        settings = self.settings
        seeds = dict.fromkeys(self._tags_of(settings.seed_conjunctions), CONJ)
        seeds |= dict.fromkeys(self._tags_of(settings.seed_nouns), N)
        seeds |= dict.fromkeys(self._tags_of(settings.seed_verbs), S)
        if not {N, S} & set(seeds.values()):
            tags = ", ".join((*settings.seed_nouns, *settings.seed_verbs))
            raise SystemsError(
                f"{self.name}: no word has one of the tags that it begins with ({tags}); name "
                f"others with seed_nouns and seed_verbs, or another column than "
                f"{settings.tags} with tags"
            )
        return seeds

    def _note_missing(self, corpus: TagCorpus, forests: Forests) -> None:
        self.n_learnt_from = int(forests.has_derivation.sum())
        self.n_without_derivation = corpus.n_sentences - self.n_learnt_from
        if not self.n_learnt_from:
            raise SystemsError(
                f"{self.name}: none of {counted(corpus.n_sentences, 'sentence')} has a derivation, "
                "so there is nothing to learn from; raise rounds or max_length, or name more "
                "seed_nouns and seed_verbs"
            )
        if self.n_without_derivation:
            of_all = f"{self.n_without_derivation:,} of {counted(corpus.n_sentences, 'sentence')}"
            self.notes = (f"{self.name}: {of_all} have no derivation and are not learnt from",)

    # ------------------------------------------------------------------ grammar and model

    def _grammar_of(self, lexicon: Lexicon) -> CategorialGrammar:
        verbs = self._tags_of(self.settings.seed_verbs)
        n_tags = len(self.inventory.tags)
        return grammar_of(
            with_unknown(lexicon, n_tags),
            [tag in verbs for tag in range(n_tags + 1)],
            composition=self.settings.composition,
            type_raising=self.settings.type_raising,
            partial_roots=self.settings.partial_roots,
        )

    @cached_property
    def grammar(self) -> CategorialGrammar:
        """Everything that words can become."""
        return self._grammar_of(self.lexicon)

    @cached_property
    def _factors(self) -> Factors:
        return Factors.of_events(self.grammar.events)

    def _forget_grammar(self) -> None:
        """Let grammar and factors be made anew, of another lexicon."""
        self.__dict__.pop("grammar", None)
        self.__dict__.pop("_factors", None)

    def _parser(self) -> Parser:
        factors = self._factors
        tables = factors.tables(self.counts, self.settings.smoothing)
        return Parser(
            self.grammar, factors.log_weights(tables), factors.log_weights(tables, _FLOOR)
        )

    # ------------------------------------------------------------------ parsing

    def memory_for(self, words: int) -> int:
        """Return the bytes of the chart of a sentence."""
        return _BYTES_BY_ITEM * len(self.grammar.items) * (words + 1) ** 2

    def _heads(self, words: Treebank, on_progress: OnProgress) -> NDArray[np.int32]:
        if not words.n_words:
            return np.zeros(0, np.int32)
        settings = self.settings
        corpus = self.inventory.encode(words)
        leaves = np.zeros(len(self.inventory.tags) + 1, np.bool_)
        if settings.function_functors_as_leaves:
            leaves[list(self._tags_of(settings.function_tags))] = True
        heads = self._parser().heads(corpus, convention=settings.coordination, leaves=leaves)
        missing = heads < 0
        if missing.any():
            self._note_fallback(words, missing)
            heads[missing] = self._fallback(words, on_progress)[missing]
        on_progress(1.0, "parsed")
        return heads

    def _fallback(self, words: Treebank, on_progress: OnProgress) -> NDArray[np.int32]:
        is_left = self.settings.fallback == "left-branching"
        system = LeftBranching() if is_left else RightBranching()
        return system._heads(words, on_progress)

    def _note_fallback(self, words: Treebank, missing: NDArray[np.bool_]) -> None:
        # A sentence has a derivation or none, whichever of its words is asked.
        first = words.offsets[:-1][words.lengths > 0]
        of_all = f"{int(missing[first].sum()):,} of {counted(len(first), 'sentence')}"
        fallback = self.settings.fallback
        self.notes = (f"{self.name}: {of_all} have no derivation and get the {fallback} tree",)

    def derivation(self, treebank: Treebank, sentence: int) -> Derivation | None:
        """Return the best derivation of a sentence without its punctuation, if it has any."""
        words = without_punctuation(self.sees(treebank[[sentence]]))
        if not words.n_words:
            return None
        if words.n_words > self.settings.longest_whole:
            raise SystemsError(
                f"{self.name}: a sentence of {words.n_words:,} words is parsed in blocks, which "
                "have no derivation together"
            )
        return self._parser().derivation(self.inventory.encode(words))

    # ------------------------------------------------------------------ for people, for files

    @property
    def has_converged(self) -> bool:  # type: ignore[override]
        """Whether learning ended because the objective came to rest."""
        if len(self.history) < 2:
            return False
        before, last = self.history[-2:]
        change = abs(last.objective - before.objective)
        return bool(change <= self.settings.tolerance * abs(last.objective))

    def entries(self, tag: int) -> list[tuple[Category, float]]:
        """Return the categories of a tag and how likely they are, likeliest first."""
        rules = self.grammar.rules
        words = slice(rules.word_starts[tag], rules.word_starts[tag + 1])
        counts = self.counts[rules.word_event[words]]
        shares = counts / max(float(counts.sum()), np.finfo(float).tiny)
        named = zip(self.grammar.lexicon.get(tag, ()), shares.tolist(), strict=True)
        return sorted(named, key=lambda entry: -entry[1])

    def describe_grammar(self, top: int = 20) -> str:
        """Return the likeliest categories of sentences and of the most frequent tags."""
        events, categories = self.grammar.events, self.grammar.categories
        roots = np.flatnonzero((events[:, 0] == 0) & (events[:, 1] == Kind.UNARY))
        roots = roots[np.argsort(-self.counts[roots], kind="stable")]
        shares = self.counts[roots] / self.counts[roots].sum()
        learnt, others = self.n_learnt_from, self.n_without_derivation
        lines = [f"{learnt:,} sentences were learnt from, {others:,} have no derivation"]
        lines += ["", "sentences"]
        lines += [
            f"  {categories[head]!s:<16} {share:.3f}"
            for head, share in zip(events[roots, 2].tolist(), shares.tolist(), strict=True)
        ]
        for code, tag in enumerate(self.inventory.tags):
            entries = self.entries(code)
            lines += ["", tag, *(f"  {category!s:<16} {p:.3f}" for category, p in entries[:top])]
            lines += [f"  and {len(entries) - top} more"] * (len(entries) > top)
            lines += ["  no categories"] * (not entries)
        return "\n".join(lines) + "\n"

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        facts = {
            "inventory": self.inventory.to_dict(),
            "lexicon": lexicon_facts(self.lexicon, len(self.inventory.tags)),
            "history": [[step.objective, step.log_likelihood] for step in self.history],
            "sentences": [self.n_learnt_from, self.n_without_derivation],
        }
        return {"counts": self.counts}, facts

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        self.inventory = TagInventory.restored(saved.table("inventory"))
        self.lexicon = restored_lexicon(saved, "lexicon", len(self.inventory.tags))
        self._forget_grammar()
        self.counts = saved.numbers("counts", (self.grammar.n_events,), least=0, most=_MOST_COUNT)
        self.history = [_restored_step(step) for step in saved.sequence("history")]
        self.n_learnt_from, self.n_without_derivation = saved.counts("sentences", size=2)


def _restored_step(step: Any) -> Step:
    match step:
        case [objective, log_likelihood] if is_number(objective) and is_number(log_likelihood):
            return Step(objective, log_likelihood)
    raise damaged("its history should be a list of steps")
