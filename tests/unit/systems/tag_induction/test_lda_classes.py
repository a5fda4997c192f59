from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.systems.tag_induction.enumerated_posterior import largest_deviation, posterior
from tests.unit.systems.tag_induction.planted_classes import planted, v_measure
from tests.unit.systems.tag_induction.test_word_class_inducer import TEXT, text_of
from treegauge.systems import load_system, make_system
from treegauge.systems.tag_induction.divergence_tree import DivergenceTree, nearest_leaves
from treegauge.systems.tag_induction.encoded_text import encode
from treegauge.systems.tag_induction.lda import Lda, neighbour_tokens

pytestmark = pytest.mark.long

TYPES = np.array([0, 0, 1, 1, 1], np.int32)
FEATURES = np.array([0, 1, 1, 2, 1], np.int32)


def lda_of(classes, n_classes: int, alpha: float = 0.7, beta: float = 0.4) -> Lda:
    return Lda(
        TYPES,
        FEATURES,
        np.array(classes, np.int32),
        n_types=2,
        n_features=3,
        n_classes=n_classes,
        alpha=alpha,
        beta=beta,
    )


def slow_log_joint(classes, n_classes: int, alpha: float, beta: float) -> float:
    """By the chain rule, token after token."""
    total = 0.0
    seen: list[tuple[int, int, int]] = []
    for w, f, z in zip(TYPES.tolist(), FEATURES.tolist(), classes, strict=True):
        same_type = [y for v, _, y in seen if v == w]
        same_class = [g for _, g, y in seen if y == z]
        total += np.log((same_type.count(z) + alpha) / (len(same_type) + n_classes * alpha))
        total += np.log((same_class.count(f) + beta) / (len(same_class) + 3 * beta))
        seen.append((w, f, z))
    return float(total)


@examples(60)
@given(st.data(), st.integers(1, 4), st.floats(0.01, 4), st.floats(0.01, 4))
def test_the_joint_is_that_of_the_definition(data, n_classes, alpha, beta):
    classes = data.draw(st.lists(st.integers(0, n_classes - 1), min_size=5, max_size=5))
    expected = slow_log_joint(classes, n_classes, alpha, beta)
    assert lda_of(classes, n_classes, alpha, beta).log_joint() == pytest.approx(expected, abs=1e-9)


def test_draws_are_from_the_posterior() -> None:
    expected = posterior(lambda z: slow_log_joint(z, 2, 0.7, 0.4), 5, 2)
    assert 0.05 < max(expected.values()) < 0.4
    model, generator = lda_of([0, 0, 0, 0, 0], 2), np.random.default_rng(0)
    drawn = []
    for _ in range(30_000):
        model.sweep(generator)
        drawn.append(tuple(model.classes.tolist()))
    assert largest_deviation(expected, drawn) < 0.01


def test_counts_after_sweeps_are_those_of_a_new_start() -> None:
    model, generator = lda_of([0, 1, 2, 0, 1], 3), np.random.default_rng(0)
    assert sum(model.sweep(generator) for _ in range(20)) > 0
    fresh = lda_of(model.classes, 3)
    for name in ("by_type", "by_feature", "totals"):
        assert getattr(model, name).tolist() == getattr(fresh, name).tolist()
    shares = model.type_distributions()
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert shares[0, 0] == pytest.approx((model.by_type[0, 0] + 0.7) / (2 + 3 * 0.7))


def test_neighbours_at_boundaries() -> None:
    text = encode(text_of(["a", "a"], [], ["b"]))
    types, features, n_features = neighbour_tokens(text)
    begin, end = 2, 5  # after a and b; those after a word are numbered from 3
    assert types.tolist() == [0, 0, 0, 0, 1, 1]
    assert features.tolist() == [begin, 3, 0, end, begin, end]
    assert n_features == 6


# ------------------------------------------------------------------ the tree


def entropy(p: np.ndarray) -> float:
    p = p[p > 0]
    return float(-(p * np.log(p)).sum())


def distance(p: np.ndarray, q: np.ndarray, a: float, b: float) -> float:
    """The weighted divergence, as it is defined."""
    share = a / (a + b)
    mixed = share * p + (1 - share) * q
    return (a + b) * (entropy(mixed) - share * entropy(p) - (1 - share) * entropy(q))


def slow_tree(
    distributions: np.ndarray, masses: np.ndarray
) -> tuple[list[str], list[set[tuple[int, ...]]]]:
    """All pairs at every step; also return the clusters before every merge, and the last one."""
    stages = []
    paths = [""] * len(masses)
    clusters = [([i], distributions[i], masses[i]) for i in range(len(masses))]
    while len(clusters) > 1:
        stages.append({tuple(sorted(members)) for members, _, _ in clusters})
        pairs = {
            (x, y): distance(clusters[x][1], clusters[y][1], clusters[x][2], clusters[y][2])
            for x, y in combinations(range(len(clusters)), 2)
        }
        x, y = min(pairs, key=pairs.__getitem__)
        (one, p, a), (other, q, b) = clusters[x], clusters[y]
        for side, members in (("0", one), ("1", other)):
            for leaf in members:
                paths[leaf] = side + paths[leaf]
        clusters[x] = (one + other, (a * p + b * q) / (a + b), a + b)
        del clusters[y]
    return paths, [*stages, {tuple(range(len(masses)))}]


def parts(classes: np.ndarray) -> set[tuple[int, ...]]:
    return {tuple(np.flatnonzero(classes == c).tolist()) for c in np.unique(classes)}


@examples(60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(1, 5))
def test_the_tree_is_that_of_a_search_of_all_pairs(seed, n, k):
    random = np.random.default_rng(seed)
    distributions = random.dirichlet(np.full(k, 0.5), n)
    masses = random.random(n) + 0.01
    tree = DivergenceTree.of(distributions, masses)
    if k == 1:
        assert len(set(tree.paths)) == n
        return  # all distances are 0, and ties are broken by rounding
    paths, stages = slow_tree(distributions, masses)
    assert list(tree.paths) == paths
    for stage in stages:
        assert parts(tree.cut_into(len(stage))) == stage


@examples(40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.integers(0, 9), st.integers(1, 9))
def test_cuts_are_coarser_the_shorter(seed, n, depth, most):
    random = np.random.default_rng(seed)
    tree = DivergenceTree.of(random.dirichlet(np.ones(3), n), np.ones(n))
    # No path begins with another: every leaf is one.
    assert not any(b.startswith(a) for a in tree.paths for b in tree.paths if a != b)
    coarse, fine = tree.cut(depth), tree.cut(depth + 1)
    assert len(set(zip(coarse.tolist(), fine.tolist(), strict=True))) == len(set(fine.tolist()))
    assert len(set(tree.cut(0).tolist())) == 1
    assert len(set(tree.cut(n).tolist())) == n
    assert len(set(tree.cut_into(most).tolist())) == min(most, n)


@examples(60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(0, 5), st.integers(1, 6))
def test_the_nearest_leaf_has_the_least_divergence(seed, n_leaves, n_others, k):
    random = np.random.default_rng(seed)
    leaves = random.dirichlet(np.full(k, 0.3), n_leaves)
    others = random.dirichlet(np.full(k, 0.3), n_others)
    for other, found in zip(others, nearest_leaves(leaves, others), strict=True):
        distances = [distance(leaf, other, 0.5, 0.5) for leaf in leaves]
        assert distances[found] == pytest.approx(min(distances), abs=1e-12)


# ------------------------------------------------------------------ the system


def test_planted_classes_are_found() -> None:
    words, classes = planted(8, 160, 6000)
    settings = {"classes": 8, "sweeps": 60, "leaves": 60, "alpha": 1.0}
    system = make_system("lda-classes", settings).fit(words)
    found = np.array([int(tag) for tag in system.annotate(words).upos])
    assert system.tags_types
    assert v_measure(classes, found) > 88


def test_depth_says_how_many_tags_there_are_and_else_classes_do() -> None:
    words, _ = planted(5, 40, 800)
    settings = {"classes": 5, "sweeps": 20}
    numbers = [
        make_system("lda-classes", {**settings, "depth": depth}).fit(words).n_classes
        for depth in (0, 1, 2, 4, 99)
    ]
    assert numbers[:2] == [1, 2]
    assert numbers == sorted(numbers)
    assert numbers[-1] == 40  # more than classes: one for each leaf
    chosen = make_system("lda-classes", settings).fit(words)
    assert chosen.n_classes == 5


def test_types_that_are_no_leaves_go_with_one() -> None:
    words, _ = planted(5, 40, 800)
    settings = {"classes": 5, "sweeps": 20, "leaves": 10, "depth": 99}
    system = make_system("lda-classes", settings).fit(words)
    assert system.n_classes == 10
    assert len(system.forms) == 40


def test_the_same_seed_gives_the_same_and_models_come_back(tmp_path) -> None:
    settings = {"classes": 3, "sweeps": 15}
    first, second, other = (
        make_system("lda-classes", settings, seed=seed).fit(TEXT) for seed in (5, 5, 6)
    )
    assert first.class_of_type.tolist() == second.class_of_type.tolist()
    assert first.history == second.history != other.history
    first.save(tmp_path / "model")
    back = load_system(tmp_path / "model")
    assert back.annotate(TEXT).upos == first.annotate(TEXT).upos
    assert back.history == first.history


@pytest.mark.parametrize(
    ("settings", "n_classes"),
    [({"depth": 0}, 1), ({"leaves": 1}, 1), ({"depth": 100, "leaves": 2}, 2)],
    ids=["no depth", "one leaf", "deeper than the tree"],
)
def test_odd_trees(settings, n_classes) -> None:
    system = make_system("lda-classes", {"classes": 3, "sweeps": 10} | settings).fit(TEXT)
    assert system.n_classes == n_classes


def test_progress_goes_to_the_end() -> None:
    told: list[float] = []
    make_system("lda-classes", {"classes": 3, "sweeps": 12}).fit(
        TEXT, on_progress=lambda share, _line: told.append(share)
    )
    assert told == pytest.approx([0.8 * 10 / 12, 0.8, 1])
