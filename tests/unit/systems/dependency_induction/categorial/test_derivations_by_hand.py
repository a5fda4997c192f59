"""Charts against all derivations one by one: normal forms, sums, expected counts, best ones."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tests.unit.systems.dependency_induction.categorial.slow_derivations import (
    Tree,
    all_derivations,
)
from treegauge.systems.dependency_induction.categorial.categories import (
    CONJ,
    Category,
    N,
    S,
    parse_category,
)
from treegauge.systems.dependency_induction.categorial.derivations import Parser
from treegauge.systems.dependency_induction.categorial.forests import Forests
from treegauge.systems.dependency_induction.categorial.grammar import (
    PARTIAL_ROOTS,
    ROOTS,
    CategorialGrammar,
    Kind,
    grammar_of,
    raisings_of,
)
from treegauge.systems.dependency_induction.categorial.lexicon import (
    Neighbours,
    Restrictions,
    induced_once,
)
from treegauge.systems.dependency_induction.categorial.model import Factors
from treegauge.systems.dependency_induction.chart import TagCorpus

N_TAGS = 4


def _categories() -> list[Category]:
    """Return everything that two rounds can make."""
    pairs = [Neighbours(a, b, False) for a in range(N_TAGS) for b in range(N_TAGS)]
    lexicon: dict[int, tuple[Category, ...]] = {0: (N,), 1: (S,)}
    for _ in range(2):
        lexicon = induced_once(lexicon, pairs, frozenset(), Restrictions())
    return sorted({category for of in lexicon.values() for category in of}, key=str)


ALL = _categories()
LEXICONS = st.builds(
    lambda *of: {tag: tuple(dict.fromkeys(categories)) for tag, categories in enumerate(of)},
    st.just([N]),
    st.lists(st.sampled_from(ALL), min_size=1, max_size=3).map(lambda of: [S, *of]),
    st.lists(st.sampled_from(ALL), min_size=1, max_size=3),
    st.lists(st.sampled_from(ALL), min_size=1, max_size=2),
)
SENTENCES = st.lists(st.integers(0, N_TAGS - 1), min_size=1, max_size=5)


def lexicon(**names: str) -> dict[int, tuple[Category, ...]]:
    """Return a lexicon of tags N, V, D, P = 0, 1, 2, 3 from names of categories."""
    return {"NVDP".index(tag): tuple(map(parse_category, of.split())) for tag, of in names.items()}


def forests_of(words: list[int], grammar: CategorialGrammar) -> Forests:
    return Forests(grammar, TagCorpus(words, [0, len(words)], N_TAGS), threads=1)


def number_of_derivations(words: list[int], of: dict[int, tuple[Category, ...]]) -> int:
    grammar = grammar_of(of, [False] * N_TAGS, partial_roots=True)
    forests = forests_of(words, grammar)
    if not forests.has_derivation[0]:
        return 0
    return round(math.exp(forests.expectations(np.zeros(grammar.n_events)).log_likelihood))


def categories_of_words(tree: Tree) -> tuple[Category, ...]:
    if not tree.daughters:
        return (tree.category,)
    return tuple(category for below in tree.daughters for category in categories_of_words(below))


# ---------------------------------------------------------------------- normal form


def test_a_transitive_clause_has_one_derivation() -> None:
    assert number_of_derivations([0, 1, 0], lexicon(N="N", V="(S\\N)/N S\\N")) == 1


def test_scope_of_two_modifiers_is_two_readings() -> None:
    assert number_of_derivations([2, 1, 3], lexicon(V="S", D="S/S", P="S\\S")) == 2


def test_chains_of_modifiers_are_one_reading() -> None:
    assert number_of_derivations([2, 2, 2, 1], lexicon(V="S", D="S/S")) == 1


@settings(max_examples=150, deadline=None)
@given(LEXICONS, SENTENCES)
def test_every_reading_has_one_normal_form(of, words) -> None:
    roots = (*ROOTS, *PARTIAL_ROOTS)
    trees = [t for t in all_derivations(words, of, raisings_of(of)) if t.category in roots]
    readings = {(tree.category, tree.term, categories_of_words(tree)) for tree in trees}
    assert number_of_derivations(words, of) == len(readings)


def test_subject_and_verb_compose_and_are_coordinated() -> None:
    # She writes and he sings songs: N V C N V N, with S/N on both sides of the conjunction. Nouns
    # are raised since there are intransitive verbs, though none here.
    of = {**lexicon(N="N", V="(S\\N)/N", P="S\\N"), 2: (CONJ,)}
    grammar = grammar_of(of, [False, True, False, False])
    words = [0, 1, 2, 0, 1, 0]
    corpus = TagCorpus(words, [0, len(words)], N_TAGS)
    weights = np.zeros(grammar.n_events)
    derivation = Parser(grammar, weights, weights).derivation(corpus)
    assert derivation is not None
    names = {node.category for node in derivation.root}
    assert {"S/N", "(S/N)[conj]", "S/(S\\N)"} <= names


# ---------------------------------------------------------------------- sums


def random_weights(grammar: CategorialGrammar, seed: int = 7) -> np.ndarray:
    return np.random.default_rng(seed).normal(-1.0, 1.0, grammar.n_events)


def weight_of(tree: Tree, grammar: CategorialGrammar, weights: np.ndarray) -> float:
    """Return the weight of a derivation that a chart with applications alone can make."""
    number = {category: i for i, category in enumerate(grammar.categories)}
    events = {tuple(row): i for i, row in enumerate(grammar.events.tolist())}
    parent = number[tree.category]
    if not tree.daughters:
        return float(weights[events[parent, Kind.WORD, tree.tag, -1]])
    left, right = tree.daughters
    is_forward = left.category.argument == right.category and left.category.slash == "/"
    functor = left if is_forward else right
    functor_heads = functor.category.result != functor.category.argument
    head_is_left = (functor is left) == functor_heads
    head, sister = (left, right) if head_is_left else (right, left)
    kind = Kind.LEFT if head_is_left else Kind.RIGHT
    own = weights[events[parent, kind, number[head.category], number[sister.category]]]
    return float(own) + sum(weight_of(below, grammar, weights) for below in tree.daughters)


def by_hand(words: list[int], of, grammar: CategorialGrammar, weights: np.ndarray) -> list[float]:
    number = {category: i for i, category in enumerate(grammar.categories)}
    events = {tuple(row): i for i, row in enumerate(grammar.events.tolist())}
    return [
        weight_of(tree, grammar, weights)
        + weights[events[0, Kind.UNARY, number[tree.category], -1]]
        for tree in all_derivations(words, of)
        if tree.category in ROOTS and uses_applications_alone(tree)
    ]


def uses_applications_alone(tree: Tree) -> bool:
    return tree.rule in ("word", "applied") and all(map(uses_applications_alone, tree.daughters))


@settings(max_examples=60, deadline=None)
@given(LEXICONS, SENTENCES)
def test_sums_and_best_scores_are_those_of_all_derivations(of, words) -> None:
    grammar = grammar_of(of, [False] * N_TAGS, composition=False, type_raising=False)
    weights = random_weights(grammar)
    scores = by_hand(words, of, grammar, weights)
    forests = forests_of(words, grammar)
    assert bool(forests.has_derivation[0]) == bool(scores)
    if scores:
        total = forests.expectations(weights).log_likelihood
        assert total == pytest.approx(np.logaddexp.reduce(scores), abs=1e-9)
        best = forests.expectations(weights, hard=True).log_likelihood
        assert best == pytest.approx(max(scores), abs=1e-9)


RICH = lexicon(
    N="N S/S (N\\N)/N", V="S S\\N (S\\N)/N S/N (S\\N)/S", D="N/N S/S", P="(S\\S)/N N\\N S\\S"
)


@pytest.mark.parametrize("words", [[0, 1, 0], [2, 0, 1, 3, 0], [0, 1, 2, 0, 3], [0, 1, 1, 0]])
def test_expected_counts_are_slopes_of_the_log_likelihood(words) -> None:
    grammar = grammar_of(RICH, [False, True, False, False])
    forests = forests_of(words, grammar)
    weights = random_weights(grammar)
    counts = forests.expectations(weights).counts
    assert counts.max() > 0
    step = 1e-5
    for event in range(grammar.n_events):
        there, back = weights.copy(), weights.copy()
        there[event] += step
        back[event] -= step
        slope = (
            forests.expectations(there).log_likelihood - forests.expectations(back).log_likelihood
        ) / (2 * step)
        assert counts[event] == pytest.approx(slope, abs=1e-6)


def test_hard_counts_are_those_of_one_derivation() -> None:
    grammar = grammar_of(RICH, [False, True, False, False])
    weights = random_weights(grammar)
    expected = forests_of([2, 0, 1, 3, 0], grammar).expectations(weights, hard=True)
    assert set(np.unique(expected.counts)) <= set(range(10))
    assert expected.counts[grammar.events[:, 1] == Kind.WORD].sum() == 5
    assert expected.counts @ weights == pytest.approx(expected.log_likelihood)


def test_sums_do_not_depend_on_threads_or_on_what_is_kept() -> None:
    random = np.random.default_rng(3)
    lengths = random.integers(1, 9, 300)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    corpus = TagCorpus(random.integers(0, N_TAGS, offsets[-1]), offsets, N_TAGS)
    grammar = grammar_of(RICH, [False, True, False, False])
    weights = random_weights(grammar)
    found = [
        Forests(grammar, corpus, threads=threads, kept_edges=kept).expectations(weights)
        for threads, kept in product((1, 2), (0, 2**20))
    ]
    for other in found[1:]:
        assert other.counts.tobytes() == found[0].counts.tobytes()
        assert other.log_likelihood == found[0].log_likelihood


# ---------------------------------------------------------------------- model


def test_rows_of_a_model_sum_to_one() -> None:
    grammar = grammar_of(RICH, [False, True, False, False])
    factors = Factors.of_events(grammar.events)
    counts = np.random.default_rng(1).gamma(1.0, 1.0, grammar.n_events)
    for tables in (factors.tables(counts), factors.tables(counts, 0.5), factors.uniform()):
        for factor, table in zip(factors.of, tables, strict=True):
            sums = np.bincount(factor.row, table, factor.n_rows)
            assert sums == pytest.approx(np.ones(factor.n_rows))


def test_a_step_of_a_derivation_is_the_product_of_its_choices() -> None:
    grammar = grammar_of(RICH, [False, True, False, False])
    factors = Factors.of_events(grammar.events)
    counts = np.random.default_rng(1).gamma(1.0, 1.0, grammar.n_events)
    parents = np.bincount(grammar.events[:, 0], counts)[grammar.events[:, 0]]
    weights = factors.log_weights(factors.tables(counts))
    # Without smoothing the conditions cancel out.
    assert np.exp(weights) == pytest.approx(counts / parents)
