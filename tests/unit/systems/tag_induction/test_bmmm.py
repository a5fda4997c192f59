from __future__ import annotations

from math import lgamma

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.systems.tag_induction.enumerated_posterior import largest_deviation, posterior
from tests.unit.systems.tag_induction.planted_classes import planted, v_measure
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.systems.tag_induction.encoded_text import EncodedText, encode
from treegauge.systems.tag_induction.type_features import (
    FeatureKind,
    count_head_classes,
    neighbour_features,
    shape_features,
    suffix_features,
)
from treegauge.systems.tag_induction.type_mixture import TypeMixture, _resampled
from treegauge.treebank import Column, Treebank

pytestmark = pytest.mark.long

TABLES = [
    np.array([[3, 0, 1], [0, 2, 0], [2, 0, 0], [1, 1, 1]]),
    np.array([[1, 0], [0, 1], [1, 0], [0, 0]]),
]


def treebank_of(sentences: list[list[str]]) -> Treebank:
    words = [word for sentence in sentences for word in sentence]
    offsets = np.cumsum([0, *map(len, sentences)])
    return Treebank({"form": Column.from_strings(words)}, None, offsets=offsets)


def text_of(sentences: list[list[str]]) -> EncodedText:
    return encode(treebank_of(sentences))


def mixture_of(tables, classes, n_classes, alpha=0.5, betas=(0.3, 0.7)) -> TypeMixture:
    kinds = [FeatureKind.of_table(str(i), table) for i, table in enumerate(tables)]
    mixture = TypeMixture(kinds, np.array(classes), n_classes)
    mixture.set_priors(alpha, np.array(betas[: len(kinds)]))
    return mixture


def rise(start: float, n: int) -> float:
    return lgamma(start + n) - lgamma(start)


def slow_log_joint(tables, classes, n_classes, alpha, betas) -> float:
    """By the chain rule: class after class, feature after feature, type by type."""
    total = 0.0
    seen: list[int] = []
    for w, c in enumerate(classes):
        total += np.log((seen.count(c) + alpha) / (len(seen) + n_classes * alpha))
        for table, beta in zip(tables, betas, strict=False):
            have = sum((table[v] for v, d in enumerate(seen) if d == c), np.zeros(table.shape[1]))
            have = have.astype(float)
            for feature, count in enumerate(table[w].tolist()):
                for _ in range(count):
                    total += np.log((have[feature] + beta) / (have.sum() + len(have) * beta))
                    have[feature] += 1
        seen.append(c)
    return float(total)


tables = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=5, max_size=5).map(
    np.array
)
parameters = st.floats(0.01, 5)


@examples(60)
@given(
    st.lists(tables, min_size=1, max_size=2),
    st.integers(1, 4),
    parameters,
    st.tuples(parameters, parameters),
    st.data(),
)
def test_joint_and_conditionals_are_those_of_the_definition(kinds, n_classes, alpha, betas, data):
    classes = data.draw(st.lists(st.integers(0, n_classes - 1), min_size=5, max_size=5))
    mixture = mixture_of(kinds, classes, n_classes, alpha, betas)
    joint = slow_log_joint(kinds, classes, n_classes, alpha, betas)
    assert mixture.log_joint() == pytest.approx(joint, abs=1e-8)
    kind = data.draw(st.integers(0, 4))
    before = [array.tolist() for array in mixture.counts]
    scores = mixture.scores(kind)
    assert [array.tolist() for array in mixture.counts] == before
    for c in range(n_classes):
        moved = [*classes[:kind], c, *classes[kind + 1 :]]
        ratio = slow_log_joint(kinds, moved, n_classes, alpha, betas) - joint
        assert scores[c] - scores[classes[kind]] == pytest.approx(ratio, abs=1e-8)


def test_a_conditional_by_hand() -> None:
    # Types x and y share a feature of two; z, alone, has the other. Where does y go?
    mixture = mixture_of([np.array([[1, 0], [1, 0], [0, 1]])], [0, 0, 1], 2, 1.0, (1.0,))
    together, apart = np.exp(mixture.scores(1))
    # (M + alpha) (N + beta) / (N. + 2 beta): (1 + 1) 2/3 with x, (1 + 1) 1/3 with z.
    assert together == pytest.approx(2 * 2 / 3)
    assert apart == pytest.approx(2 * 1 / 3)


def test_counts_beyond_the_table_of_log_gamma() -> None:
    table = np.array([[6000, 1], [7000, 0], [2, 9000]])
    mixture = mixture_of([table], [0, 0, 1], 2, 0.4, (0.2,))
    scores = mixture.scores(0)
    expected = []
    for have, size in (([7000, 0], 7000), ([2, 9000], 9002)):
        features = sum(rise(n + 0.2, x) for n, x in zip(have, table[0].tolist(), strict=True))
        expected.append(features - rise(size + 0.4, 6001))
    assert scores[0] - scores[1] == pytest.approx(expected[0] - expected[1], rel=1e-12)


def drawn_from(mixture: TypeMixture, n: int, temperature: float = 1.0) -> list[tuple[int, ...]]:
    generator = np.random.default_rng(1)
    drawn = []
    for _ in range(n):
        mixture.sweep(temperature, generator)
        drawn.append(tuple(mixture.classes.tolist()))
    return drawn


def test_draws_are_from_the_posterior() -> None:
    expected = posterior(lambda z: slow_log_joint(TABLES, z, 2, 0.5, (0.3, 0.7)), 4, 2)
    assert 0.05 < max(expected.values()) < 0.4
    drawn = drawn_from(mixture_of(TABLES, [0, 0, 0, 0], 2), 20_000)
    assert largest_deviation(expected, drawn) < 0.02


def test_with_flat_features_draws_are_from_the_prior() -> None:
    flat = np.array([1e8, 1e8])
    mixture = mixture_of(TABLES, [0, 1, 1, 0], 3, 0.5, flat)
    expected = posterior(lambda z: slow_log_joint([], z, 3, 0.5, ()), 4, 3)
    drawn = drawn_from(mixture, 20_000)
    assert largest_deviation(expected, drawn) < 0.02
    # Classes get empty, and fill again.
    used = [len(set(classes)) for classes in drawn]
    assert set(used) == {1, 2, 3}


def test_counts_after_sweeps_are_those_of_a_new_start() -> None:
    mixture = mixture_of(TABLES, [0, 1, 2, 0], 3)
    drawn_from(mixture, 50, temperature=3.0)
    fresh = mixture_of(TABLES, mixture.classes, 3)
    for one, two in zip(fresh.counts, mixture.counts, strict=True):
        assert one.tolist() == two.tolist()


def test_parameters_are_drawn_from_their_posterior() -> None:
    # Gamma(3, 1): x^2 e^-x, of which e^-x is the prior.
    generator = np.random.default_rng(0)
    x, drawn = 1.0, []
    for _ in range(20_000):
        x = _resampled(lambda x: 2 * np.log(x), x, generator)
        drawn.append(x)
    assert np.mean(drawn) == pytest.approx(3, abs=0.15)
    assert np.var(drawn) == pytest.approx(3, abs=0.5)


# ------------------------------------------------------------------ features


def rows(kind: FeatureKind) -> list[dict[int, int]]:
    return [
        dict(zip(kind.features[a:b].tolist(), kind.counts[a:b].tolist(), strict=True))
        for a, b in zip(kind.starts[:-1], kind.starts[1:], strict=True)
    ]


def test_neighbours_are_frequent_types_others_or_boundaries() -> None:
    text = text_of([["a", "a", "b"], ["c"], [], ["a", "b"]])
    assert list(text.forms) == ["a", "b", "c"]
    left, right = (neighbour_features(text, side, 1) for side in (-1, 1))
    a, other, boundary = 0, 1, 2
    assert left.n_features == right.n_features == 3
    assert rows(left) == [{a: 1, boundary: 2}, {a: 2}, {boundary: 1}]
    assert rows(right) == [{a: 1, other: 2}, {boundary: 2}, {boundary: 1}]


def test_words_without_a_type_have_no_features() -> None:
    text = text_of([["a", "x", "a", "b", "b"]]).frequent(2)
    assert list(text.forms) == ["a", "b"]
    assert rows(neighbour_features(text, -1, 2)) == [{2: 1, 3: 1}, {0: 1, 1: 1}]


def test_shapes() -> None:
    text = text_of([["Cat", "cat", "1-2", ",", ""]])
    assert [list(row) for row in rows(shape_features(text))] == [[1], [0], [6], [8], [8]]


def test_suffixes_leave_something_of_the_word() -> None:
    text = text_of([["Sing", "ring", "king", "ing", "x", ""]])
    kind = suffix_features(text, 5, 3)
    assert [list(row) for row in rows(kind)] == [[1], [1], [1], [2], [0], [0]]
    assert kind.n_features == 3  # none, -ing, and -ng, which all four have


def test_heads_are_counted_by_class() -> None:
    text = text_of([["a", "b", "a"], ["b", "c"]])  # a 0, b 1, c 2
    heads = np.array([2, 0, 2, 2, -1])
    table = count_head_classes(text, heads, np.array([0, 1, 1]), 2)
    assert table.tolist() == [[0, 2, 0], [0, 1, 1], [0, 0, 0]]


# ------------------------------------------------------------------ the system


def test_planted_classes_are_found() -> None:
    words, classes = planted(8, 160, 6000)
    settings = {"classes": 8, "sweeps": 60, "suffix_length": 0, "shapes": False}
    system = make_system("bmmm", settings).fit(words)
    found = np.array([int(tag) for tag in system.annotate(words).upos])
    assert v_measure(classes, found) > 90


def test_the_best_state_that_was_looked_at_is_returned() -> None:
    text = encode(planted(4, 40, 400)[0])
    system = make_system("bmmm", {"classes": 4, "sweeps": 40})
    classes = system.induce(text)
    mixture = TypeMixture(system._kinds(text, None), classes, 4)
    alpha, *betas = system.priors.values()
    mixture.set_priors(alpha, np.array(betas))
    assert mixture.log_joint() == pytest.approx(max(system.history), abs=1e-6)
    assert len(system.history) == 8


def test_heads_decide_where_nothing_else_does() -> None:
    text = text_of([[letter] for letter in "abcdefgh"])
    heads = np.array([[9, 0] if i < 4 else [0, 9] for i in range(8)])
    settings = {"classes": 2, "sweeps": 100, "shapes": False, "suffix_length": 0}
    classes = make_system("bmmm", settings).induce(text, head_classes=heads)
    assert classes.tolist() in ([0] * 4 + [1] * 4, [1] * 4 + [0] * 4)
    with pytest.raises(SystemsError, match="head classes of 7 types were given, the text has 8"):
        make_system("bmmm", settings).induce(text, head_classes=heads[:7])


def test_where_to_begin_is_checked() -> None:
    text = text_of([["a", "b", "c"]])
    system = make_system("bmmm", {"classes": 2, "sweeps": 2})
    assert len(system.induce(text, begin=np.array([0, 1, 1], np.int32))) == 3
    for begin in ([0, 1], [0, 1, 2], [-1, 0, 1]):
        with pytest.raises(SystemsError, match="a class from 0 to 1 for each of 3 types"):
            system.induce(text, begin=np.array(begin, np.int32))


WORDS = treebank_of([["the", "Cat", "sees", "."], ["a", "cat", "sleeps", "."], ["Sleep", "!"]])


def test_the_same_seed_gives_the_same_and_models_come_back(tmp_path) -> None:
    settings = {"classes": 3, "sweeps": 20}
    first, second, other = (
        make_system("bmmm", settings, seed=seed).fit(WORDS) for seed in (5, 5, 6)
    )
    assert first.class_of_type.tolist() == second.class_of_type.tolist()
    assert first.history == second.history != other.history
    first.save(tmp_path / "model")
    back = load_system(tmp_path / "model")
    assert back.annotate(WORDS).upos == first.annotate(WORDS).upos
    assert back.priors == first.priors
    assert back.history == first.history


def test_progress_goes_to_the_end() -> None:
    told: list[float] = []
    make_system("bmmm", {"classes": 3, "sweeps": 12}).fit(
        WORDS, on_progress=lambda share, _line: told.append(share)
    )
    assert told == pytest.approx([5 / 12, 10 / 12, 1])


@pytest.mark.parametrize(
    "settings",
    [{"context_words": 0, "suffix_length": 0, "shapes": False}, {"sweeps": 1}],
    ids=["no features", "one sweep"],
)
def test_odd_settings(settings) -> None:
    system = make_system("bmmm", {"classes": 2, "sweeps": 10} | settings).fit(WORDS)
    assert 1 <= system.n_classes <= 2
    assert np.isfinite(system.history).all()


def test_gold_tags_and_trees_make_no_difference() -> None:
    tagged = WORDS.replace(
        columns={"upos": Column.from_strings([str(i % 5) for i in range(WORDS.n_words)])}
    )
    one, two = (
        make_system("bmmm", {"classes": 4, "sweeps": 10}).fit(words) for words in (WORDS, tagged)
    )
    assert one.class_of_type.tolist() == two.class_of_type.tolist()
