"""Laws of metrics: kernels equal their slow twins, and every metric of the registry behaves."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from tests.examples import examples
from tests.properties.treebank_strategies import Heads, trees, with_heads
from tests.strategies import read_text
from tests.unit.metrics import slow_twins as twins
from tests.unit.metrics.other_tokens import copies, random_sentences, retokenise, to_conllu
from tests.unit.metrics.small_scores import compare, score, score_of, sums
from treegauge.metrics import METRICS, PRESETS, Comparison, Conventions, total
from treegauge.treebank import Column, Treebank, concatenate

patient = examples()
# For laws that run once for every metric.
each = examples(15)

SHARES = [name for name, metric in METRICS.items() if metric.is_share]
CLUSTERING = [name for name, metric in METRICS.items() if metric.family == "induced-tags"]
OF_WORDS = [name for name, metric in METRICS.items() if metric.outcome]

VALUES = {
    "upos": ["NOUN", "VERB", "PUNCT", "_"],
    "xpos": ["n", "v", "_"],
    "feats": ["_", "Case=Nom", "Style=Arch", "Case=Nom|Number=Sing", "Number=Sing|Case=Nom"],
    "lemma": ["_", "sul", "kepta"],
    "deprel": ["nsubj", "nsubj:pass", "obj", "case", "det", "aux:pass", "punct", "root"],
    "misc": ["_", "_", "Debatable=1", "SpaceAfter=No|Debatable=2"],
}
# The first sentence, which is there so that no column is empty and no metric has nothing to score.
FIRST_HEADS = [2, 0]
FIRST = {
    "upos": ["NOUN", "VERB"],
    "xpos": ["n", "v"],
    "feats": ["Case=Nom", "_"],
    "lemma": ["sul", "kepta"],
    "deprel": ["nsubj", "root"],
    "misc": ["_", "_"],
}


def tree(random: Random, n: int) -> Heads:
    """Heads without a cycle, and one root."""
    order = random.sample(range(1, n + 1), n)
    heads = [0] * n
    for place, word in enumerate(order[1:], start=1):
        heads[word - 1] = random.choice(order[:place])
    return heads


def gold_heads(random: Random, n: int) -> Heads:
    """A tree, or one with several roots and now and then a missing head."""
    heads = tree(random, n)
    if random.random() < 0.5:
        for word in range(n):
            heads[word] = random.choice([0, -1] + [heads[word]] * 6)
    return heads


def any_heads(random: Random, n: int) -> Heads:
    """Heads of any kind: cycles, missing ones and heads outside the sentence."""
    return [random.randint(-1, n + 1) for _ in range(n)]


def annotated(random: Random, sentences: list[Heads]) -> Treebank:
    """A treebank with these heads behind the first sentence, and values in all columns."""
    bare = with_heads([FIRST_HEADS, *sentences])
    columns = {
        name: Column.from_strings(
            [*FIRST[name], *(random.choice(values) for _ in range(bare.n_words - 2))]
        )
        for name, values in VALUES.items()
    }
    return bare.replace(columns=columns)


@st.composite
def pairs(draw: st.DrawFn, *, max_sentences: int = 3) -> tuple[Treebank, Treebank]:
    """Gold (trees or forests) and a system (anything) with the same words.

    Lengths are drawn by hypothesis, which makes them small where a law breaks; what words look
    like comes from one seed, which is ten times faster than drawing every value.
    """
    lengths = draw(st.lists(st.integers(0, 6), max_size=max_sentences))
    random = draw(st.randoms(use_true_random=True))
    gold = [gold_heads(random, n) for n in lengths]
    system = [random.choice([heads, any_heads(random, len(heads))]) for heads in gold]
    return annotated(random, gold), annotated(random, system)


conventions = st.sampled_from(
    [
        replace(convention, average=average)
        for convention in (*PRESETS.values(), Conventions(punctuation="ignored"))
        for average in ("micro", "sentence")
    ]
)


def same(a: float, b: float) -> bool:
    return a == pytest.approx(b, abs=1e-12, nan_ok=True)


# ---------------------------------------------------------------------- the slow twins


def words(treebank: Treebank) -> list[list[twins.Word]]:
    return [
        [twins.Word(w.head, w.deprel, w.upos, w["feats"], w.lemma) for w in sentence]
        for sentence in treebank
    ]


@pytest.mark.parametrize("name", twins.COUNTS)
@given(pair=pairs())
@patient
def test_counts_agree_with_the_definition(name: str, pair: tuple[Treebank, Treebank]) -> None:
    gold, system = pair
    assert sums(name, compare(gold, system)) == [*twins.COUNTS[name](words(gold), words(system))]


tag_pairs = st.lists(
    st.tuples(st.sampled_from("abcde"), st.sampled_from(["NOUN", "VERB", "ADJ", "X"])),
    min_size=1,
    max_size=12,
)


def tagged(tags: list[str] | str) -> Treebank:
    """One sentence for every two words."""
    cuts = [*range(0, len(tags), 2), len(tags)]
    form = Column.constant("w", len(tags))
    return Treebank({"form": form, "upos": Column.from_strings(tags)}, offsets=cuts)


def clustering(name: str, clusters: list[str], tags: list[str]) -> float:
    return score(name, tagged(tags), tagged(clusters))


@pytest.mark.parametrize("name", twins.CLUSTERING)
@given(drawn=tag_pairs)
@patient
def test_clustering_agrees_with_the_definition(name: str, drawn: list[tuple[str, str]]) -> None:
    clusters, tags = map(list, zip(*drawn, strict=True))
    assert same(clustering(name, clusters, tags), twins.CLUSTERING[name](clusters, tags))


@given(tag_pairs)
@patient
def test_the_greedy_mapping_is_one_of_those_that_are_greedy(drawn: list[tuple[str, str]]) -> None:
    clusters, tags = map(list, zip(*drawn, strict=True))
    possible = twins.one_to_one_choices(clusters, tags)
    assert clustering("one_to_one", clusters, tags) in possible


def test_every_clustering_metric_has_a_twin() -> None:
    assert {*twins.CLUSTERING, "one_to_one"} == set(CLUSTERING)


# ---------------------------------------------------------------------- laws of conventions


@pytest.mark.parametrize("name", METRICS)
@given(pair=pairs(), how=conventions)
@each
def test_skipping_sentences_of_one_word_is_scoring_without_them(
    name: str, pair: tuple[Treebank, Treebank], how: Conventions
) -> None:
    # A sentence that stays, so that no column is empty without the others.
    two = with_heads([FIRST_HEADS])
    two = two.replace(columns={name: Column.from_strings(FIRST[name]) for name in FIRST})
    gold, system = (concatenate([treebank, two]) for treebank in pair)
    words = np.ones(gold.n_words, np.bool_)
    if how.punctuation != "counted":
        words = ~how.punctuation_in(gold)
    scored = np.bincount(gold.sentence_of_word, weights=words, minlength=gold.n_sentences)
    rest = [treebank[scored != 1] for treebank in (gold, system)]
    skipping = Comparison(gold, system, replace(how, skip_length_one=True))
    assert same(score_of(name, skipping), score_of(name, Comparison(*rest, how)))


@given(pairs(), st.sampled_from([*PRESETS.values()]))
@patient
def test_root_edges_are_what_is_left_out(pair: tuple[Treebank, Treebank], how: Conventions) -> None:
    with_root, without = (Comparison(*pair, replace(how, count_root=c)) for c in (True, False))
    parts = zip(sums("uas", without), sums("root", with_root), strict=True)
    assert sums("uas", with_root) == [words + roots for words, roots in parts]
    assert sums("root", without) == sums("root", with_root)
    for name in ("undirected", "ned", "las", "debatable_uas"):
        assert sums(name, without)[1:] == sums("uas", without)[1:]


# ---------------------------------------------------------------------- laws of the registry


@pytest.mark.parametrize("name", METRICS)
@given(pair=pairs(), how=conventions)
@each
def test_gold_against_itself_is_perfect(
    name: str, pair: tuple[Treebank, Treebank], how: Conventions
) -> None:
    gold, _ = pair
    perfect = 1 if METRICS[name].higher_is_better else 0
    assert score_of(name, Comparison(gold, gold, how)) == pytest.approx(perfect, abs=1e-12)


@pytest.mark.parametrize("name", METRICS)
@given(pair=pairs(), how=conventions)
@each
def test_values_are_within_bounds(
    name: str, pair: tuple[Treebank, Treebank], how: Conventions
) -> None:
    value = score_of(name, Comparison(*pair, how))
    assert value >= 0
    assert value <= 1 or not METRICS[name].is_share


@pytest.mark.parametrize("name", METRICS)
@given(pair=pairs(), how=conventions, seed=st.integers(0, 99))
@each
def test_the_order_of_sentences_makes_no_difference(
    name: str, pair: tuple[Treebank, Treebank], how: Conventions, seed: int
) -> None:
    shuffled = [treebank.shuffled(seed=seed) for treebank in pair]
    a, b = score_of(name, Comparison(*pair, how)), score_of(name, Comparison(*shuffled, how))
    assert same(a, b)


@pytest.mark.parametrize("name", METRICS)
@given(pair=pairs(), how=conventions)
@each
def test_every_sentence_twice_makes_no_difference(
    name: str, pair: tuple[Treebank, Treebank], how: Conventions
) -> None:
    doubled = [concatenate([treebank, treebank]) for treebank in pair]
    a, b = score_of(name, Comparison(*pair, how)), score_of(name, Comparison(*doubled, how))
    assert same(a, b)


@pytest.mark.parametrize("name", METRICS)
@given(first=pairs(max_sentences=2), second=pairs(max_sentences=2), how=conventions)
@each
def test_summed_statistics_of_a_part_are_its_score(
    name: str,
    first: tuple[Treebank, Treebank],
    second: tuple[Treebank, Treebank],
    how: Conventions,
) -> None:
    both = [concatenate(list(parts)) for parts in zip(first, second, strict=True)]
    statistics = METRICS[name].statistics(Comparison(*both, how))
    whole = total(statistics.per_sentence)
    cut = len(first[0])
    parts = [total(statistics.per_sentence[rows]) for rows in (slice(cut), slice(cut, None))]
    assert np.allclose(parts[0] + parts[1], whole, rtol=0, atol=1e-12)
    # Ties of the greedy mapping are broken by what clusters hold in the whole.
    if name != "one_to_one":
        for part, sums_of_part in zip((first, second), parts, strict=True):
            own = score_of(name, Comparison(*part, how))
            assert same(float(statistics.score(sums_of_part)), own)
    # Many sums at once, as resampling has them.
    together = statistics.score(np.stack([whole, *parts]))
    assert together.shape == (3,)
    alone = [float(statistics.score(row)) for row in (whole, *parts)]
    assert together.tolist() == pytest.approx(alone, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("preset", PRESETS)
def test_nothing_has_no_score(name: str, preset: str) -> None:
    nothing = with_heads([])
    assert math.isnan(score(name, nothing, nothing, preset))
    without_words = with_heads([[], []])
    assert math.isnan(score(name, without_words, without_words, preset))


@given(pairs(), st.permutations(list(METRICS)))
@each
def test_metrics_of_one_comparison_do_not_disturb_each_other(
    pair: tuple[Treebank, Treebank], order: list[str]
) -> None:
    # They share what they have worked out together.
    comparison = Comparison(*pair)
    for name in [*order, *METRICS]:
        assert same(score_of(name, comparison), score(name, *pair))


@pytest.mark.parametrize("name", OF_WORDS)
@given(pair=pairs(), how=conventions)
@each
def test_what_is_right_is_scored(
    name: str, pair: tuple[Treebank, Treebank], how: Conventions
) -> None:
    comparison = Comparison(*pair, how)
    outcome = METRICS[name].outcome
    assert outcome is not None
    found = outcome(comparison)
    assert found.correct.shape == comparison.gold_word.shape
    assert found.in_gold.shape == (comparison.gold.n_words,)
    assert found.in_system.shape == (comparison.system.n_words,)
    assert found.in_gold[comparison.gold_word[found.correct]].all()
    assert not (found.in_gold & ~comparison.is_counted).any()


@given(st.randoms(use_true_random=True))
@examples(60)
def test_other_tokens_than_gold_s_keep_scores_within_bounds(random: Random) -> None:
    drawn = random_sentences(random)
    texts = [to_conllu(drawn), to_conllu(retokenise(copies(drawn), random, 0.5))]
    gold, system = map(read_text, texts)
    for average in ("micro", "sentence"):
        how = Conventions(average=average)
        comparison = Comparison(gold, system, how, by_characters=True)
        itself = Comparison(gold, gold, how, by_characters=True)
        for name, metric in METRICS.items():
            value = score_of(name, comparison)
            assert math.isnan(value) or 0 <= value <= (1 if metric.is_share else math.inf)
            perfect = 1 if metric.higher_is_better else 0
            assert same(score_of(name, itself), perfect) or math.isnan(score_of(name, itself))
            statistics = metric.statistics(comparison)
            assert statistics.per_sentence.shape[0] == len(gold)
            if metric.outcome and average == "micro":
                correct, in_gold, in_system = total(statistics.per_sentence)
                assert correct <= min(in_gold, in_system)


# ---------------------------------------------------------------------- attachment


@given(pairs(), conventions)
@patient
def test_directed_is_never_above_undirected_nor_that_above_ned(
    pair: tuple[Treebank, Treebank], how: Conventions
) -> None:
    comparison = Comparison(*pair, how)
    directed, undirected, ned = (score_of(n, comparison) for n in ("uas", "undirected", "ned"))
    assert directed <= undirected <= ned <= 1
    assert score_of("las", comparison) <= directed <= score_of("debatable_uas", comparison)
    assert score_of("exact_match_labelled", comparison) <= score_of("exact_match", comparison)
    if how.average == "micro":
        assert sums("mlas", comparison)[0] <= sums("clas", comparison)[0]
        assert sums("blex", comparison)[0] <= sums("clas", comparison)[0]


@given(trees(), st.data())
@patient
def test_ned_forgives_any_flip_of_one_edge(heads: Heads, data: st.DataObject) -> None:
    assume(len(heads) > 1)
    below = data.draw(st.sampled_from([i for i, head in enumerate(heads, 1) if head]))
    above = heads[below - 1]
    flipped = list(heads)
    flipped[below - 1] = heads[above - 1]
    flipped[above - 1] = below
    gold = with_heads([heads])
    comparison = compare(gold, with_heads([flipped]))
    assert score_of("ned", comparison) == 1
    # The two words of the edge, and in the undirected score the one that moved up.
    assert sums("uas", comparison)[0] == len(heads) - 2
    assert sums("undirected", comparison)[0] == len(heads) - 1


@given(st.integers(1, 7), st.randoms(use_true_random=True))
@patient
def test_gold_and_system_may_change_places_undirected(n: int, random: Random) -> None:
    gold, system = (with_heads([tree(random, n)]) for _ in range(2))
    for name in ("uas", "undirected"):
        assert score(name, gold, system) == score(name, system, gold)


@given(pairs())
@patient
def test_without_punctuation_a_treebank_scores_as_under_pascal(
    pair: tuple[Treebank, Treebank],
) -> None:
    gold, system = pair
    assume(-1 not in gold.head)
    mask = np.array([tag == "PUNCT" for tag in gold.upos], np.bool_)
    removed = Comparison(gold, system, PRESETS["pascal"])
    assert removed.gold == gold.without_punctuation()
    assert removed.gold.n_words == gold.n_words - mask.sum()
    # Whatever the system thinks of punctuation.
    silenced = system.replace(columns={"upos": Column.constant("PUNCT", system.n_words)})
    for name in ("uas", "undirected", "ned", "las"):
        other = Comparison(gold, silenced, PRESETS["pascal"])
        assert score_of(name, removed) == score_of(name, other)


# ---------------------------------------------------------------------- clusters


@pytest.mark.parametrize("name", CLUSTERING)
@given(drawn=tag_pairs, order=st.permutations("abcde"))
@examples(40)
def test_names_of_clusters_make_no_difference(
    name: str, drawn: list[tuple[str, str]], order: list[str]
) -> None:
    clusters, tags = map(list, zip(*drawn, strict=True))
    rename = dict(zip("abcde", order, strict=True))
    renamed = [rename[cluster] for cluster in clusters]
    assert same(clustering(name, clusters, tags), clustering(name, renamed, tags))


@given(tag_pairs)
@patient
def test_clustering_agrees_with_scikit_learn(drawn: list[tuple[str, str]]) -> None:
    from sklearn.metrics import homogeneity_completeness_v_measure, mutual_info_score

    clusters, tags = map(list, zip(*drawn, strict=True))
    h, c, v = homogeneity_completeness_v_measure(tags, clusters)
    assert clustering("homogeneity", clusters, tags) == pytest.approx(h, abs=1e-9)
    assert clustering("completeness", clusters, tags) == pytest.approx(c, abs=1e-9)
    assert clustering("v_measure", clusters, tags) == pytest.approx(v, abs=1e-9)
    nats = [mutual_info_score(a, b) for a, b in [(tags, tags), (clusters,) * 2, (tags, clusters)]]
    vi = (nats[0] + nats[1] - 2 * nats[2]) / math.log(2)
    assert clustering("vi", clusters, tags) == pytest.approx(vi, abs=1e-9)


@given(tag_pairs)
@patient
def test_mappings_are_ordered(drawn: list[tuple[str, str]]) -> None:
    clusters, tags = map(list, zip(*drawn, strict=True))
    greedy, optimal, many = (
        clustering(name, clusters, tags)
        for name in ("one_to_one", "one_to_one_optimal", "many_to_one")
    )
    assert greedy <= optimal <= many
    # The greedy mapping takes at least half of the best.
    assert greedy >= optimal / 2


triples = st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=1, max_size=10)


@given(triples)
@patient
def test_vi_is_a_metric(drawn: list[tuple[str, str, str]]) -> None:
    a, b, c = map(list, zip(*drawn, strict=True))
    assert same(clustering("vi", a, b), clustering("vi", b, a))
    assert clustering("vi", a, a) == pytest.approx(0, abs=1e-12)
    through_b = clustering("vi", a, b) + clustering("vi", b, c)
    assert clustering("vi", a, c) <= through_b + 1e-12


@given(triples)
@patient
def test_v_measure_does_not_care_which_one_is_gold(drawn: list[tuple[str, str, str]]) -> None:
    a, b, _ = map(list, zip(*drawn, strict=True))
    assert same(clustering("v_measure", a, b), clustering("v_measure", b, a))
    assert same(clustering("homogeneity", a, b), clustering("completeness", b, a))


@given(pairs(), st.sampled_from(["upos", "xpos"]))
@patient
def test_macro_f1_agrees_with_scikit_learn(pair: tuple[Treebank, Treebank], column: str) -> None:
    from sklearn.metrics import f1_score

    gold, system = (list(treebank.columns[column]) for treebank in pair)
    expected = f1_score(gold, system, average="macro", zero_division=0)
    assert score(f"{column}_macro_f1", *pair) == pytest.approx(expected, abs=1e-12)
