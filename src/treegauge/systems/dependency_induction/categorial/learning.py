"""From tag sequences to a lexicon, and from a lexicon to a model: rounds, pruning, EM."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from treegauge.systems.dependency_induction.categorial.categories import (
    BACKWARD,
    FORWARD,
    Category,
    N,
    S,
)
from treegauge.systems.dependency_induction.categorial.forests import Forests
from treegauge.systems.dependency_induction.categorial.grammar import CategorialGrammar, Kind
from treegauge.systems.dependency_induction.categorial.lexicon import (
    Lexicon,
    Neighbours,
    Restrictions,
    induced_once,
)
from treegauge.systems.dependency_induction.categorial.model import Factors, Floats
from treegauge.systems.dependency_induction.chart import TagCorpus

MODIFIERS_OF_ATOMS = tuple(atom.modifier(slash) for atom in (N, S) for slash in (FORWARD, BACKWARD))


@dataclass(frozen=True)
class Step:
    """An iteration of EM."""

    objective: float
    log_likelihood: float


def neighbours(corpus: TagCorpus) -> list[Neighbours]:
    """Return the pairs of tags that stand beside each other somewhere."""
    first = np.ones(corpus.n_words + 1, np.bool_)
    first[1:] = False
    first[corpus.offsets] = True
    at = np.flatnonzero(~first[1:-1]) if corpus.n_words else np.zeros(0, np.int64)
    rows = np.stack([corpus.tags[at], corpus.tags[at + 1], first[at]], axis=1)
    return [Neighbours(a, b, bool(initial)) for a, b, initial in np.unique(rows, axis=0).tolist()]


def induced_lexicon(
    corpus: TagCorpus,
    seeds: Mapping[int, Category],
    conjunctions: frozenset[int],
    restrictions: Restrictions,
    *,
    only_modify: frozenset[int] = frozenset(),
    rounds: int,
    valid_only: bool,
    grammar: Callable[[Lexicon], CategorialGrammar],
    on_round: Callable[[int], None] = lambda _round: None,
) -> Lexicon:
    """Return the categories of all tags after some rounds.

    With `valid_only`, a category that takes part in no complete derivation of any sentence is
    dropped in the end; seeds stay. The released program parses after its last round as well: after
    the first one, prepositions take no nouns yet, and would often be lost.
    """
    pairs = neighbours(corpus)
    lexicon: Lexicon = {tag: (category,) for tag, category in sorted(seeds.items())}
    for number in range(rounds):
        lexicon = induced_once(lexicon, pairs, conjunctions, restrictions, only_modify)
        on_round(number)
    return valid_entries(lexicon, grammar(lexicon), corpus, seeds) if valid_only else lexicon


def valid_entries(
    lexicon: Lexicon,
    grammar: CategorialGrammar,
    corpus: TagCorpus,
    seeds: Mapping[int, Category],
) -> dict[int, tuple[Category, ...]]:
    """Return the entries of a lexicon that take part in a complete derivation, and seeds."""
    events = grammar.events[Forests(grammar, corpus).has_event]
    words = events[events[:, 1] == Kind.WORD]
    used = {(tag, grammar.categories[parent]) for parent, tag in words[:, [0, 2]].tolist()}
    valid = {
        tag: tuple(
            category
            for category in categories
            if (tag, category) in used or seeds.get(tag) == category
        )
        for tag, categories in lexicon.items()
    }
    return {tag: categories for tag, categories in valid.items() if categories}


def with_unknown(lexicon: Lexicon, unknown: int) -> Lexicon:
    """Return a lexicon with one more tag, for tags that were never seen: it modifies something."""
    known = {category for categories in lexicon.values() for category in categories}
    modifiers = tuple(category for category in MODIFIERS_OF_ATOMS if category in known)
    return {**lexicon, unknown: modifiers} if modifiers else lexicon


class ExpectationMaximisation:
    """EM over packed derivations; the objective never falls.

    Attributes
    ----------
    counts : array
        The expected count of every event; what was learnt is estimated from it.
    history : list of Step
        Of the models that were estimated on the way.
    """

    def __init__(
        self, forests: Forests, factors: Factors, *, smoothing: float = 0.0, hard: bool = False
    ) -> None:
        self._forests = forests
        self._factors = factors
        self._smoothing = smoothing
        self._hard = hard
        self.counts: Floats = np.zeros(0)
        self.history: list[Step] = []

    def begin(self, *, uniform: bool) -> None:
        """Begin with uniform rows, or with all derivations of a sentence equally likely."""
        factors = self._factors
        equal = np.zeros(len(factors.of[0].outcome))
        weights = factors.log_weights(factors.uniform()) if uniform else equal
        self.counts = self._forests.expectations(weights).counts

    def climb(
        self, iterations: int, tolerance: float, on_step: Callable[[float, Step], None]
    ) -> None:
        """Iterate until the objective changes by no more than `tolerance`, relatively.

        `on_step` is told the share of the way that is probably done.
        """
        last, share = -np.inf, 0.0
        for i in range(iterations):
            tables = self._factors.tables(self.counts, self._smoothing)
            weights = self._factors.log_weights(tables)
            expected = self._forests.expectations(weights, hard=self._hard)
            prior = self._factors.log_prior(tables, self._smoothing)
            step = Step(expected.log_likelihood + prior, expected.log_likelihood)
            self.history.append(step)
            self.counts = expected.counts
            change = abs(step.objective - last)
            is_at_rest = change <= tolerance * abs(step.objective)
            near = tolerance * abs(step.objective) / change if change else 1.0
            share = 1.0 if is_at_rest else max(share, near, (i + 1) / iterations)
            on_step(share, step)
            if is_at_rest:
                break
            last = step.objective
