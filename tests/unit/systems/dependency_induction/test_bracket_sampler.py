"""The sampler of `reducibility` against enumeration: neighbourhoods, scores, distributions."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import chisquare

from tests.unit.systems.dependency_induction.slow_reducibility import (
    SlowModel,
    Tree,
    slow_neighbours,
)
from tests.unit.systems.projective_trees import all_projective_trees, is_projective_tree
from treegauge.properties.reducibility import weights_in_text
from treegauge.systems.dependency_induction import _bracket_sampler_numba as kernels
from treegauge.systems.dependency_induction.bracket_sampler import (
    MOST_DEPENDENTS,
    EventCounts,
    SampledText,
    TreeChain,
    fertility_prior,
)

ALPHA, BETA, GAMMA = 0.7, 1.3, 1.5
N_TAGS = 3


def random_counts(seed: int, *, directed: bool = False) -> EventCounts:
    random = np.random.default_rng(seed)
    counts = EventCounts.zeros(N_TAGS, directed=directed)
    counts.edges[:] = random.integers(0, 9, counts.edges.shape)
    counts.edges[N_TAGS, N_TAGS:] = 0
    counts.fertilities[:, :4, :4] = random.integers(0, 9, (N_TAGS, 4, 4))
    return counts


def random_weights(seed: int) -> dict[tuple[int, ...], float]:
    random = np.random.default_rng(seed)
    tags = range(N_TAGS)
    ngrams = [(a,) for a in tags] + [(a, b) for a in tags for b in tags]
    ngrams += [(a, b, c) for a in tags for b in tags for c in tags]
    return {ngram: float(random.uniform(0.2, 4)) for ngram in ngrams}


def sampled_text(tags: list[int], offsets: list[int], weights: dict) -> SampledText:
    codes, limits = np.array(tags, np.int64), np.array(offsets, np.int64)
    tables = []
    for size in (1, 2, 3):
        own = sorted(
            (sum((tag + 1) * (N_TAGS + 1) ** (size - 1 - k) for k, tag in enumerate(ngram)), value)
            for ngram, value in weights.items()
            if len(ngram) == size
        )
        keys = np.array([key for key, _ in own], np.int64)
        tables.append((keys, np.array([value for _, value in own])))
    logs = np.log(weights_in_text(tables, codes, limits, N_TAGS))
    n = len(tags)
    return SampledText(codes, limits, logs, np.full(n, BETA), np.zeros(n))


def chain_of(text: SampledText, counts: EventCounts, seed: int = 0, **options) -> TreeChain:
    random = np.random.default_rng(seed)
    return TreeChain(text, counts, alpha=ALPHA, gamma=GAMMA, random=random, **options)


def slow_model(counts: EventCounts, weights: dict) -> SlowModel:
    return SlowModel(
        counts.edges.copy(),
        counts.fertilities.copy(),
        weights,
        alpha=ALPHA,
        beta=BETA,
        gamma=GAMMA,
        most=MOST_DEPENDENTS,
    )


def as_tree(chain: TreeChain) -> Tree:
    return tuple((chain.heads + 1).tolist())


def set_tree(chain: TreeChain, tree: Tree) -> None:
    chain.heads[:] = np.array(tree) - 1
    kernels.find_bounds(chain.text.offsets, chain.heads, chain.left, chain.right)


def candidates(chain: TreeChain, word: int) -> dict[Tree, float]:
    """Return the trees of a move of a word, counted from 0, and their scores by the kernel."""
    text = chain.text
    sentence = (
        text.tags,
        chain.heads,
        chain.left,
        chain.right,
        text.reducible_logs,
        text.concentration,
        text.root_logs,
    )
    tree = as_tree(chain)
    head = int(chain.heads[word])
    x, y, above = min(word, head), max(word, head), int(chain.heads[head])
    row, logs = np.empty(len(tree) + 1, np.int64), np.empty((2, len(tree) + 1))
    sizes = kernels.gather_row(sentence, x, y, row)
    scores = np.empty(4 * len(tree) ** 2 + 4)
    n = kernels.score_candidates(chain.model, sentence, x, y, above, row, sizes, logs, scores)
    found = {}
    for k in range(n):
        kernels.apply_candidate(sentence, x, y, above, row, sizes, k)
        left, right = chain.left.copy(), chain.right.copy()
        kernels.find_bounds(text.offsets, chain.heads, chain.left, chain.right)
        assert (left == chain.left).all()
        assert (right == chain.right).all()
        found[as_tree(chain)] = float(scores[k])
    assert len(found) == n  # no tree twice
    set_tree(chain, tree)
    return found


# ---------------------------------------------------------------------- the neighbourhood


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_a_move_reaches_all_that_it_should(n: int) -> None:
    chain = chain_of(sampled_text([0] * n, [0, n], {}), EventCounts.zeros(N_TAGS))
    for tree in all_projective_trees(n):
        for word in range(1, n + 1):
            if tree[word - 1]:
                set_tree(chain, tree)
                assert set(candidates(chain, word - 1)) == slow_neighbours(tree, word)


def test_moves_are_reversible() -> None:
    """The pair of words on which a move turns has the same candidates at both ends."""
    chain = chain_of(sampled_text([0] * 5, [0, 5], {}), EventCounts.zeros(N_TAGS))
    for tree in all_projective_trees(5):
        for word in range(1, 6):
            if not (head := tree[word - 1]):
                continue
            set_tree(chain, tree)
            here = set(candidates(chain, word - 1))
            for other in here:
                set_tree(chain, other)
                inner = word if other[word - 1] == head else head
                assert set(candidates(chain, inner - 1)) == here


def test_all_trees_of_four_words_are_reachable() -> None:
    trees = all_projective_trees(4)
    assert len(trees) == 30
    reached = {trees[0]}
    frontier = [trees[0]]
    while frontier:
        tree = frontier.pop()
        for word in range(1, 5):
            new = slow_neighbours(tree, word) - reached
            reached |= new
            frontier += new
    assert reached == set(trees)


# ---------------------------------------------------------------------- scores


@pytest.mark.parametrize("directed", [False, True])
def test_scores_differ_as_those_of_whole_trees(directed: bool) -> None:
    tags = [0, 1, 2, 1, 0]
    counts, weights = random_counts(1, directed=directed), random_weights(2)
    chain = chain_of(sampled_text(tags, [0, 5], weights), counts, learns=False)
    slow = slow_model(counts, weights)
    for tree in all_projective_trees(5)[::7]:
        for word in range(5):
            set_tree(chain, tree)
            if tree[word]:
                found = candidates(chain, word)
                differences = [score - slow.log_score(tags, one) for one, score in found.items()]
                np.testing.assert_allclose(differences, differences[0], atol=1e-9)


def test_scores_follow_random_moves_in_long_sentences() -> None:
    """What a move says it gains is what the whole tree gains, over thousands of moves."""
    random = np.random.default_rng(5)
    lengths = random.integers(2, 13, 120)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    weights = random_weights(6)
    counts = random_counts(7)
    slow = slow_model(counts, weights)
    moves = 0
    for s in range(len(lengths)):
        n = int(lengths[s])
        tags = random.integers(0, N_TAGS, n).tolist()
        chain = chain_of(sampled_text(tags, [0, n], weights), counts, seed=s, learns=False)
        for _ in range(3):
            chain.run_pass(1.0)
            tree = as_tree(chain)
            assert is_projective_tree(tree)
            word = int(random.integers(n))
            if tree[word] == 0:
                continue
            found = candidates(chain, word)
            base = slow.log_score(tags, tree)
            for other in random.permutation(len(found))[:5].tolist():
                heads, score = list(found.items())[other]
                gained = slow.log_score(tags, heads) - base
                assert score - found[tree] == pytest.approx(gained, abs=1e-8)
                moves += 1
    assert moves > 800
    assert offsets[-1] > 600


def test_counts_and_bounds_stay_those_of_the_trees() -> None:
    """Ten thousand moves on sentences of up to twelve words."""
    random = np.random.default_rng(3)
    lengths = random.integers(1, 13, 200)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    tags = random.integers(0, N_TAGS, offsets[-1]).tolist()
    text = sampled_text(tags, offsets.tolist(), random_weights(4))
    chain = chain_of(text, EventCounts.zeros(N_TAGS))
    for _ in range(-(-10_000 // text.n_words)):
        chain.run_pass(1.0)
        again = EventCounts.zeros(N_TAGS)
        kernels.count_events(offsets, text.tags, chain.heads, again.edges, again.fertilities, 1.0)
        np.testing.assert_array_equal(again.edges, chain.counts.edges)
        np.testing.assert_array_equal(again.fertilities, chain.counts.fertilities)
        left, right = np.zeros_like(chain.left), np.zeros_like(chain.right)
        kernels.find_bounds(offsets, chain.heads, left, right)
        np.testing.assert_array_equal(left, chain.left)
        np.testing.assert_array_equal(right, chain.right)
        heads = (chain.heads + 1).tolist()
        for begin, end in pairwise(offsets.tolist()):
            assert is_projective_tree(tuple(heads[begin:end]))


# ---------------------------------------------------------------------- distributions


def assert_distribution(seen: Counter, probabilities: dict[Tree, float], thinned: int) -> None:
    """Compare by chi-square what was sampled and what was enumerated, rare trees put together.

    Samples of a chain depend on each other; only every so-manieth was counted.
    """
    assert thinned > 1
    total = sum(seen.values())
    common = [tree for tree, p in probabilities.items() if p * total >= 10]
    expected = [probabilities[tree] * total for tree in common]
    observed = [seen[tree] for tree in common]
    if total - sum(expected) > 1:
        expected.append(total - sum(expected))
        observed.append(total - sum(observed))
    expected = list(np.array(expected) * (sum(observed) / sum(expected)))
    assert chisquare(observed, expected).pvalue > 1e-3


@pytest.mark.parametrize("temperature", [1.0, 0.6])
def test_sampled_trees_have_their_probabilities(temperature: float) -> None:
    """Fifty thousand moves with counts that stay, on a sentence of four words."""
    tags = [0, 1, 2, 1]
    counts, weights = random_counts(11), random_weights(12)
    slow = slow_model(counts, weights)
    trees = all_projective_trees(4)
    logs = np.array([slow.log_score(tags, tree) for tree in trees]) / temperature
    shares = np.exp(logs - logs.max())
    probabilities = dict(zip(trees, (shares / shares.sum()).tolist(), strict=True))
    # Many copies of a sentence that do not see each other are as many chains.
    copies, passes = 250, 50
    text = sampled_text(tags * copies, list(range(0, 4 * copies + 1, 4)), weights)
    chain = chain_of(text, counts, learns=False)
    seen: Counter[Tree] = Counter()
    for i in range(passes):
        chain.run_pass(temperature)
        if i >= 10 and i % 4 == 0:
            heads = (chain.heads + 1).reshape(copies, 4).tolist()
            seen.update(map(tuple, heads))
    assert_distribution(seen, probabilities, 4)


@pytest.mark.slow
def test_exact_ratios_sample_the_collapsed_model() -> None:
    """Two sentences that share counts: all pairs of trees have their joint probability."""
    tags = [0, 1, 2, 1, 0, 1]
    weights = random_weights(21)
    trees = all_projective_trees(3)
    joint = {}
    for first in trees:
        for second in trees:
            joint[first + second] = _collapsed_log(tags, (first, second), weights)
    best = max(joint.values())
    total = sum(np.exp(value - best) for value in joint.values())
    probabilities = {pair: float(np.exp(v - best) / total) for pair, v in joint.items()}
    text = sampled_text(tags, [0, 3, 6], weights)
    seen: Counter[Tree] = Counter()
    chain = chain_of(text, EventCounts.zeros(N_TAGS), is_exact=True)
    for i in range(40_000):
        chain.run_pass(1.0)
        if i % 4 == 0:
            seen[as_tree(chain)] += 1
    assert_distribution(seen, probabilities, 4)


def _collapsed_log(tags: list[int], trees: tuple[Tree, Tree], weights: dict) -> float:
    """Return the logarithm of the probability of two trees, factor after factor."""
    counts = EventCounts.zeros(N_TAGS)
    slow = slow_model(counts, weights)
    total = 0.0
    for begin, tree in zip((0, 3), trees, strict=True):
        own = tags[begin : begin + 3]
        empty = slow_model(EventCounts.zeros(N_TAGS), weights)
        # Distances and reducibility have no counts: what is left of a score without the rest.
        rest = empty.log_score(own, tree)
        for word, head in enumerate(tree, start=1):
            above = N_TAGS if head == 0 else own[head - 1]
            left = sum(h == word and d < word for d, h in enumerate(tree, start=1))
            right = sum(h == word and d > word for d, h in enumerate(tree, start=1))
            rest -= np.log(empty.edge(above, own[word - 1]))
            rest -= np.log(empty.fertility(own[word - 1], left, right))
            total += np.log(slow.edge(above, own[word - 1]))
            slow.edges[above][own[word - 1]] += 1
            total += np.log(slow.fertility(own[word - 1], left, right))
            slow.fertilities[own[word - 1]][left][right] += 1
        total += rest
    return float(total)


def test_much_distance_makes_edges_short() -> None:
    """Cooled slowly, since long edges can only be turned through others that are long too."""
    random = np.random.default_rng(0)
    n, copies = 12, 50
    position = np.tile(np.arange(n), copies)
    lengths = []
    for gamma in (0.0, 8.0):
        text = sampled_text([0] * n * copies, list(range(0, n * copies + 1, n)), {})
        chain = TreeChain(
            text, EventCounts.zeros(N_TAGS), alpha=ALPHA, gamma=gamma, random=random, learns=False
        )
        for temperature in np.geomspace(8, 0.5, 60):
            chain.run_pass(float(temperature))
        lengths.append(float(np.abs(position - chain.heads)[chain.heads >= 0].mean()))
    assert lengths[1] < 1.05 < 1.5 < lengths[0]


def test_the_prior_of_fertilities_sums_to_one() -> None:
    prior = fertility_prior()
    assert len(prior) == MOST_DEPENDENTS + 1
    assert prior.sum() == pytest.approx(1)
    assert np.outer(prior, prior).sum() == pytest.approx(1)
    assert prior[:3].tolist() == [0.5, 0.25, 0.125]


@pytest.mark.parametrize("directed", [False, True])
def test_rows_of_edges_sum_to_one(directed: bool) -> None:
    counts = random_counts(31, directed=directed)
    slow = slow_model(counts, {})
    for head in range(N_TAGS):
        sides = (False, True) if directed else (False,)
        total = sum(slow.edge(head, tag, is_right=side) for tag in range(3) for side in sides)
        assert total == pytest.approx(1)
    assert sum(slow.edge(N_TAGS, tag) for tag in range(N_TAGS)) == pytest.approx(1)


def test_a_tag_that_was_never_seen_has_no_counts() -> None:
    for directed in (False, True):
        counts = random_counts(41, directed=directed)
        wider = counts.with_unknown_tag()
        assert wider.edges.sum() == counts.edges.sum()
        assert wider.edges[N_TAGS].sum() == wider.fertilities[N_TAGS].sum() == 0
        np.testing.assert_array_equal(wider.edges[-1, :N_TAGS], counts.edges[-1, :N_TAGS])
        if directed:
            right = wider.edges[:N_TAGS, N_TAGS + 1 : -1]
            np.testing.assert_array_equal(right, counts.edges[:N_TAGS, N_TAGS:])
