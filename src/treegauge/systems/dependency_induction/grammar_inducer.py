"""What all inducers of dependency grammars with valence share.

A subclass learns a `Grammar` from tag sequences; reading, blinding, short sentences for
learning, restarts, constraints, decoding of all lengths, unknown tags, saving, and the
grammar in words are here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.chart import (
    Counts,
    Expectations,
    Grammar,
    TagCorpus,
    chart_bytes,
    estimate,
    expectations,
    log_prior,
    minimum_risk,
    viterbi,
)
from treegauge.systems.dependency_induction.chart.automaton import ORDERS
from treegauge.systems.dependency_induction.constraints import Constraints
from treegauge.systems.dependency_induction.grammar_in_words import grammar_in_words
from treegauge.systems.dependency_induction.initialisers import initial_grammar
from treegauge.systems.dependency_induction.tag_inventory import (
    TagInventory,
    warn_of_missing_tags,
)
from treegauge.systems.errors import SystemsError
from treegauge.systems.long_sentences import CUBIC, warn_of_long, whole_up_to
from treegauge.systems.saved_state import SavedState, damaged, is_number
from treegauge.systems.system import Arrays, DependencyInducer, OnProgress, Supervision
from treegauge.treebank import Treebank, parse_tag_column, without_punctuation

_FLOOR = 1e-12
"""Weight of what is impossible, when sentences are parsed that were not learnt from."""
_MOST_WEIGHT = 1e30
_MOST_VALENCES = 16
"""Of a grammar in a model: products of weights must stay finite, and automata small."""


@dataclass(frozen=True)
class GrammarSettings(Settings):
    """What all of them can be told."""

    tags: str = setting("u", "the tag column to learn from: u, u12, c, p, p:2")
    max_length: int = setting(10, "the longest sentence to learn from, in words", minimum=1)
    init: Literal["smith", "plain", "em", "uniform", "random", "left", "right"] = setting(
        "smith", "the initialiser"
    )
    smoothing: float = setting(0.1, "added to every count", minimum=0)
    iterations: int = setting(100, "largest number of iterations", minimum=0)
    tolerance: float = setting(
        1e-5, "stop when the relative change of the objective is at most this", minimum=0
    )
    restarts: int = setting(1, "number of random starts; the best is kept", minimum=1)
    decode: Literal["viterbi", "minimum-risk"] = setting(
        "viterbi", "the most probable tree, or the tree with the most probable arcs"
    )
    no_function_heads: bool = setting(False, "forbid function words as heads")
    rules: Literal["none", "naseem", "noji", "noji+adp", "udp"] = setting(
        "none", "universal rules that most arcs should match"
    )
    rule_share: float = setting(
        0.8, "the share of arcs that should match rules", minimum=0, maximum=1
    )
    longest_whole: int = whole_up_to(CUBIC)


@dataclass(frozen=True)
class Step:
    """An iteration of learning."""

    objective: float
    log_likelihood: float
    protocol: str = ""
    """The stage, where there are several."""


class GrammarInducer(DependencyInducer):
    """A dependency inducer whose knowledge is a grammar over tags."""

    settings_type: ClassVar[type[Settings]] = GrammarSettings
    seconds_per_word = 5e-6

    inventory: TagInventory
    grammar: Grammar
    constraints: Constraints
    history: list[Step]

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        parse_tag_column(self.settings.tags)
        self.history = []
        self.is_deterministic = self.settings.init != "random"

    @property
    def supervision(self) -> Supervision:
        """Constraints are knowledge about all languages, and the row says so."""
        has_rules = self.settings.no_function_heads or self.settings.rules != "none"
        return "universal rules" if has_rules else "unsupervised"

    # ------------------------------------------------------------------ learning

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        self.grammar = self._best_of_starts(self._encoded(treebank), on_progress)

    def _encoded(self, treebank: Treebank) -> TagCorpus:
        """Return the tags that are learnt from, with the inventory and constraints at hand."""
        words = without_punctuation(treebank)
        if not words.n_words:
            raise SystemsError(f"{self.name}: there is nothing to learn from but punctuation")
        self.inventory = TagInventory.of(words, self.settings.tags)
        warn_of_missing_tags(self.name, self.inventory)
        self.constraints = self._constraints()
        return self._short_enough(words)

    def _short_enough(self, words: Treebank) -> TagCorpus:
        """Return the sentences that charts are made for, or say that there is nothing to learn."""
        # Which of the two is the lower decides what there is to learn from.
        length = min("max_length", "longest_whole", key=vars(self.settings).__getitem__)
        limit = getattr(self.settings, length)
        corpus = self.inventory.encode(words)
        if not corpus.up_to(limit).n_sentences:
            raise SystemsError(
                f"{self.name}: no sentence of at most {limit} words to learn "
                f"from; raise {length} (the shortest has {words.lengths.min()})"
            )
        long = self.long_sentences(words)
        if length == "longest_whole":
            warn_of_long(self.name, long, limit, "not learnt from")
        return corpus.up_to(self.settings.longest_whole) if len(long) else corpus

    def _constraints(self) -> Constraints:
        return Constraints.of(
            self.inventory,
            no_function_heads=self.settings.no_function_heads,
            rules=self.settings.rules,
            share=self.settings.rule_share,
        )

    def _best_of_starts(self, corpus: TagCorpus, on_progress: OnProgress) -> Grammar:
        """Learn from several starts where starts are random, and keep the best by objective."""
        best: tuple[float, Grammar, list[Step]] | None = None
        starts = 1 if self.is_deterministic else self.settings.restarts
        for start in range(starts):
            random = self._random(start)
            self.history = []
            self.constraints = self._constraints()

            def on_step(share: float, line: str, start: int = start) -> None:
                on_progress((start + share) / starts, line)

            grammar = self._learn(corpus, random, on_step)
            value = self.history[-1].objective if self.history else 0.0
            if best is None or value > best[0]:
                best = value, grammar, self.history
        assert best is not None
        self.history = best[2]
        return best[1]

    def _random(self, start: int) -> np.random.Generator:
        """Return the random numbers of a start."""
        return np.random.default_rng(self.seed * 1000003 + start)

    @abstractmethod
    def _learn(
        self, corpus: TagCorpus, random: np.random.Generator, on_progress: OnProgress
    ) -> Grammar:
        """Learn a grammar; `corpus` has sentences of all lengths."""

    def initial(self, corpus: TagCorpus, random: np.random.Generator) -> Grammar:
        """Return the grammar that learning starts from."""
        return initial_grammar(self.settings.init, corpus, random)

    def _estimate(self, counts: Counts, previous: Grammar) -> Grammar:
        return estimate(counts, smoothing=self.settings.smoothing, previous=previous)

    def _log_prior(self, grammar: Grammar) -> float:
        return log_prior(grammar, self.settings.smoothing)

    def _expectations(self, grammar: Grammar, corpus: TagCorpus) -> tuple[Expectations, float]:
        return self.constraints.expectations(grammar, corpus)

    def expectation_maximisation(
        self,
        grammar: Grammar,
        corpus: TagCorpus,
        on_progress: OnProgress,
        *,
        protocol: str = "",
    ) -> Grammar:
        """Soft EM until the objective rests.

        The objective is the log-likelihood, with the prior that smoothing stands for and
        what constraints subtract; it never falls.
        """

        def step(grammar: Grammar) -> tuple[Counts, float, float]:
            e_step, penalty = self._expectations(grammar, corpus)
            return e_step.counts, e_step.log_likelihood, e_step.log_likelihood + penalty

        return self._climb(grammar, step, on_progress, protocol)

    def hard_expectation_maximisation(
        self,
        grammar: Grammar,
        corpus: TagCorpus,
        on_progress: OnProgress,
        *,
        protocol: str = "",
    ) -> Grammar:
        """Viterbi EM: the counts of the best trees alone (Spitkovsky et al. 2010)."""

        def step(grammar: Grammar) -> tuple[Counts, float, float]:
            trees = viterbi(self.constraints.barred(grammar), corpus)
            assert trees.counts is not None
            score = float(trees.scores.sum())
            return trees.counts, score, score

        return self._climb(grammar, step, on_progress, protocol)

    def _climb(
        self,
        grammar: Grammar,
        step: Callable[[Grammar], tuple[Counts, float, float]],
        on_progress: OnProgress,
        protocol: str,
    ) -> Grammar:
        last = -np.inf
        for i in range(self.settings.iterations):
            counts, log_likelihood, objective = step(grammar)
            objective += self._log_prior(grammar)
            self.history.append(Step(objective, log_likelihood, protocol))
            line = f"{protocol}{': ' if protocol else ''}log-likelihood {log_likelihood:.1f}"
            on_progress((i + 1) / self.settings.iterations, line)
            if abs(objective - last) <= self.settings.tolerance * abs(objective):
                break
            last = objective
            grammar = self._estimate(counts, grammar)
        return grammar

    # ------------------------------------------------------------------ parsing

    def memory_for(self, words: int) -> int:
        """Return the bytes of the chart of a sentence."""
        return chart_bytes(self.grammar, words, marginals=self.settings.decode == "minimum-risk")

    def _heads(self, words: Treebank, on_progress: OnProgress) -> NDArray[np.int32]:
        if not words.n_words:  # nor any tags, then
            return np.zeros(0, np.int32)
        corpus = self.inventory.encode(words)
        decode = viterbi if self.settings.decode == "viterbi" else minimum_risk
        heads = decode(self._parsing_grammar(corpus), corpus).heads
        on_progress(1.0, "parsed")
        return heads

    def _parsing_grammar(self, corpus: TagCorpus) -> Grammar:
        """Return the grammar in which nothing is impossible but what is barred."""
        grammar = self.grammar
        if corpus.n_tags > grammar.n_tags:
            grammar = self._with_unknown(grammar)
        return self.constraints.barred(_floored(grammar))

    def _with_unknown(self, grammar: Grammar) -> Grammar:
        return self.inventory.with_unknown(grammar)

    def arc_posteriors(self, words: Treebank) -> NDArray[np.float64]:
        """Return how probable arcs are, packed as `TagCorpus` packs them.

        `words` is a treebank without punctuation, and with at least one word.
        """
        corpus = self.inventory.encode(words)
        e_step = expectations(self._parsing_grammar(corpus), corpus, marginals=True)
        assert e_step.marginals is not None
        return e_step.marginals

    # ------------------------------------------------------------------ for people, for files

    @property
    def has_converged(self) -> bool:  # type: ignore[override]
        """Whether learning ended because the objective came to rest."""
        if len(self.history) < 2:
            return False
        before, last = self.history[-2:]
        # Objectives of different stages cannot be compared.
        return before.protocol == last.protocol and (
            abs(last.objective - before.objective) <= self.settings.tolerance * abs(last.objective)
        )

    def describe_grammar(self, top: int = 20) -> str:
        """Return the strongest attachments and stop decisions in words."""
        return grammar_in_words(self.grammar, self.inventory.tags, self.inventory.shares, top)

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = grammar_state(self.grammar, self.history)
        return arrays, {"inventory": self.inventory.to_dict(), **facts}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        self.inventory = TagInventory.restored(saved.table("inventory"))
        self.grammar, self.history = restored_grammar(saved, len(self.inventory.tags))
        self.constraints = self._constraints()


def grammar_state(grammar: Grammar, history: Sequence[Step]) -> tuple[Arrays, dict[str, Any]]:
    """Return a grammar and how it was learnt, as arrays and facts for a model."""
    facts = {
        "child_valence_order": grammar.child_valence_order,
        "history": [[step.objective, step.log_likelihood, step.protocol] for step in history],
    }
    return dict(grammar.arrays()), facts


def restored_grammar(
    saved: SavedState, n_tags: int, *, valences: tuple[int, int] | None = None
) -> tuple[Grammar, list[Step]]:
    """Return what `grammar_state` gave, checked; with any few valences, or so many."""
    decisions, children = (None, None) if valences is None else valences
    shapes: dict[str, tuple[int | None, ...]] = {
        "root": (n_tags,),
        "stop": (n_tags, 2, decisions),
        "go": (n_tags, 2, decisions),
        "attach": (n_tags, 2, children, n_tags),
    }
    tables = {
        name: saved.numbers(name, shape, least=0, most=_MOST_WEIGHT)
        for name, shape in shapes.items()
    }
    most = max(tables["stop"].shape[2], tables["attach"].shape[2])
    if valences is None and most > _MOST_VALENCES:
        raise damaged("it has too many valences")
    order = next(order for order in ORDERS if order == saved.text("child_valence_order", ORDERS))
    steps = [_restored_step(step) for step in saved.sequence("history")]
    return Grammar.from_arrays(tables, order), steps


def _restored_step(step: Any) -> Step:
    match step:
        case [objective, log_likelihood, str(protocol)] if is_number(objective) and is_number(
            log_likelihood
        ):
            return Step(objective, log_likelihood, protocol)
    raise damaged("its history should be a list of steps")


def _floored(grammar: Grammar) -> Grammar:
    """Return a grammar in which nothing is impossible."""
    tables = {name: np.maximum(table, _FLOOR) for name, table in grammar.arrays().items()}
    return Grammar.from_arrays(tables, grammar.child_valence_order)
