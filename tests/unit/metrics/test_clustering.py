from __future__ import annotations

import math

import pytest

from tests.unit.metrics.small_scores import compare, score, sums
from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.metrics import METRICS, Comparison, Conventions, induced_column
from treegauge.treebank import Column, Treebank, TreebankError

CLUSTERING = [name for name, metric in METRICS.items() if metric.family == "induced-tags"]


def words(tags: str) -> Treebank:
    """Return one sentence of words that are called w, with these tags."""
    return sentences(" ".join(f"w/{tag}" for tag in tags.split()))


def scores(tags: str, clusters: str) -> dict[str, float]:
    return {name: score(name, words(tags), words(clusters)) for name in CLUSTERING}


def test_the_example_of_the_specification():
    # Cluster A: N 5, V 4; B: N 4; C: D 2, V 1.
    found = scores(
        "N N N N N V V V V N N N N D D V",
        "A A A A A A A A A B B B B C C C",
    )
    assert found["many_to_one"] == 0.6875
    assert found["one_to_one"] == 0.4375  # A-N, C-D, nothing left for B
    assert found["one_to_one_optimal"] == 0.6250  # A-V, B-N, C-D
    assert round(100 * found["homogeneity"], 3) == 46.596
    assert round(100 * found["completeness"], 3) == 44.843
    assert round(100 * found["v_measure"], 3) == 45.703
    assert round(found["vi"], 6) == 1.512744
    assert round(found["nvi"], 6) == 1.107171


def test_the_same_partition_with_other_names_is_perfect():
    found = scores("N V N D", "7 N 7 3")
    assert {name: value for name, value in found.items() if name not in ("vi", "nvi")} == (
        dict.fromkeys(set(CLUSTERING) - {"vi", "nvi"}, 1.0)
    )
    assert found["vi"] == found["nvi"] == 0


def test_one_cluster():
    found = scores("N N V V", "1 1 1 1")
    assert found["many_to_one"] == found["one_to_one"] == found["one_to_one_optimal"] == 0.5
    assert (found["homogeneity"], found["completeness"], found["v_measure"]) == (0, 1, 0)
    assert (found["vi"], found["nvi"]) == (1, 1)


def test_a_cluster_for_every_word():
    found = scores("N N V V", "1 2 3 4")
    assert found["many_to_one"] == 1
    assert found["one_to_one"] == found["one_to_one_optimal"] == 0.5
    assert (found["homogeneity"], found["completeness"]) == (1, 0.5)
    assert found["v_measure"] == pytest.approx(2 / 3)
    assert (found["vi"], found["nvi"]) == (1, 1)


def test_one_gold_tag():
    found = scores("N N N N", "1 1 2 2")
    assert (found["homogeneity"], found["completeness"], found["v_measure"]) == (1, 0, 0)
    assert (found["vi"], found["nvi"]) == (1, 1)  # H(T) = 0, so H(K) is the norm


def test_one_tag_and_one_cluster():
    found = scores("N N", "1 1")
    assert found == {**dict.fromkeys(CLUSTERING, 1.0), "vi": 0.0, "nvi": 0.0}


def test_independent_clusters_know_nothing():
    found = scores("N N V V", "1 2 1 2")
    assert (found["homogeneity"], found["completeness"], found["v_measure"]) == (0, 0, 0)
    assert (found["vi"], found["nvi"]) == (2, 2)


def test_nothing_is_not_a_number():
    nothing = words("N")[:0]
    for name in CLUSTERING:
        assert math.isnan(score(name, nothing, nothing))


def test_a_tie_does_not_depend_on_what_clusters_are_called():
    # 1 has N N V V, 2 has N N: if the tie for N goes to 1, nothing is left for 2.
    gold = words("N N V V N N")
    found = {
        score("one_to_one", gold, words(clusters))
        for clusters in ("1 1 1 1 2 2", "2 2 2 2 1 1", "b b b b a a", "a a a a b b")
    }
    assert len(found) == 1


def test_ties_go_to_the_more_frequent_tag():
    # Cluster 1 has N 2 and V 2; cluster 2 has one of them, which makes it more frequent.
    assert score("one_to_one", words("N N V V V"), words("1 1 1 1 2")) == 2 / 5
    assert score("one_to_one", words("N N V V N"), words("1 1 1 1 2")) == 2 / 5


# ---------------------------------------------------------------------- where tags stand


def test_clusters_are_in_the_first_column_with_anything_in_it():
    empty, fine, universal = (treebank(f"1 a _ {u} {x} _ _ _ _ _") for u, x in ["__", "_1", "23"])
    assert induced_column(empty) == "upos"
    assert induced_column(fine) == "xpos"
    assert induced_column(universal) == "upos"
    only_coarse = empty.replace(columns={"cpos": Column.from_strings(["5"])})
    assert induced_column(only_coarse) == "cpos"


TAGGED = """
    1 a _ NOUN  NN  _ 0 root  _ _
    2 b _ PROPN NN  _ 1 nsubj _ _
    3 c _ AUX   VBZ _ 1 aux   _ _
    4 d _ VERB  VBD _ 1 conj  _ _
"""


@pytest.mark.parametrize(
    ("tags", "right"), [("u", 2), ("u12", 4), ("p", 3), ("p:2", 4), ("c", 2), ("u:1", 2)]
)
def test_gold_tags_are_chosen_by_name(tags, right):
    gold = treebank(TAGGED)
    system = gold.replace(columns={"upos": Column.from_strings(["1", "1", "2", "2"])})
    comparison = Comparison(gold, system, Conventions(tags=tags))
    assert sum(sums("many_to_one", comparison)) == 4
    statistics = METRICS["many_to_one"].statistics(comparison)
    assert 4 * statistics.score(statistics.per_sentence.sum(axis=0)) == right


def test_gold_without_tags_is_an_error():
    gold = treebank("1 a _ _ _ _ 0 root _ _", name="bare")
    with pytest.raises(TreebankError, match="bare has no tags for 'u': UPOS is empty"):
        score("many_to_one", gold, words("1").replace(columns={"form": gold.form}))


def test_punctuation_counts_unless_the_preset_says_otherwise():
    gold, system = words("N V PUNCT PUNCT"), words("1 1 2 2")
    assert sum(sums("vi", compare(gold, system))) == 4
    # Forms decide under conll2006: none of these is punctuation.
    assert sum(sums("vi", compare(gold, system, "conll2006"))) == 4
    dotted = [
        one.replace(columns={"form": Column.from_strings([*"ab.."])}) for one in (gold, system)
    ]
    assert sum(sums("vi", compare(*dotted, "conll2006"))) == 2
    assert sum(sums("vi", compare(gold, system, "pascal"))) == 2
    assert score("many_to_one", gold, system, "pascal") == 0.5
