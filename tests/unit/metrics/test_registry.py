from __future__ import annotations

import pytest

from tests.unit.metrics.small_scores import compare, score_of
from tests.unit.treebank.small_trees import treebank
from treegauge.errors import TreegaugeError
from treegauge.metrics import FAMILIES, METRICS, MetricError, MetricSpec, find_metric, parse_specs

GOLD = """
    1 old   old  ADJ  JJ  Degree=Pos  2 amod  _ _
    2 birds bird NOUN NNS Number=Plur 3 nsubj _ _
    3 sing  sing VERB VBP Mood=Ind    0 root  _ _
    4 there _    ADV  RB  _           3 advmod _ _
    5 !     !    PUNCT .  _           3 punct _ _
"""
# birds and sing have changed places in the tree; there is a PRON, and hangs on birds.
SYSTEM = """
    1 old   old  ADJ  JJ  Degree=Pos  2 amod  _ _
    2 birds bird NOUN NN  Number=Sing 0 root  _ _
    3 sing  sang VERB VBP Mood=Ind    2 acl   _ _
    4 there thar PRON RB  _           2 advmod _ _
    5 !     !    PUNCT .  _           3 punct _ _
"""

# Every metric of this one pair, in fractions that can be counted.
EXPECTED = {
    "uas": 2 / 5,  # old, !
    "undirected": 3 / 5,  # sing too
    "ned": 4 / 5,  # birds too; there hangs on its sister
    "las": 2 / 5,
    "label": 3 / 5,
    "root": 0,
    "exact_match": 0,
    "exact_match_labelled": 0,
    "debatable_uas": 2 / 5,
    "tedeval": 10 / 12,  # old birds, and sing ! for it; ten single words
    "tedeval_labelled": 8 / 10,  # the same two; single words have relations
    "clas": 1 / 4,
    "mlas": 1 / 4,
    "blex": 1 / 4,
    "upos": 4 / 5,
    "xpos": 4 / 5,
    "feats": 4 / 5,
    "alltags": 3 / 5,
    "lemma": 4 / 5,  # gold does not know the lemma of there
    "words": 1,
    "upos_macro_f1": 4 / 6,
    "xpos_macro_f1": 4 / 6,
    "many_to_one": 1,
    "one_to_one": 1,
    "one_to_one_optimal": 1,
    "v_measure": 1,
    "homogeneity": 1,
    "completeness": 1,
    "vi": 0,
    "nvi": 0,
    "verb_arguments": 0,  # birds, which the system makes the root
    "verb_argument_pairs": 0,
}


@pytest.mark.parametrize("name", METRICS)
def test_worked_tree(name):
    comparison = compare(treebank(GOLD), treebank(SYSTEM))
    assert score_of(name, comparison) == pytest.approx(EXPECTED[name], abs=1e-15)


def test_there_are_worked_examples_of_metrics_that_exist():
    assert set(EXPECTED) == set(METRICS)


def test_metrics_say_what_they_are():
    for name, metric in METRICS.items():
        assert metric.name == name
        assert metric.title
        assert metric.summary
        assert "\n" not in metric.summary
        assert metric.family in FAMILIES
        assert metric.is_share or not metric.higher_is_better


def test_names_with_cut_offs():
    assert MetricSpec.parse("las") == MetricSpec("las", "")
    assert MetricSpec.parse(" las@10 ") == MetricSpec("las", "@10")
    assert str(MetricSpec.parse("las@10w")) == "las@10w"
    assert MetricSpec.parse("ned@5").metric is METRICS["ned"]


@pytest.mark.parametrize("text", ["las@", "las@ten", "las@10x", "las@10@5", "@10", ""])
def test_what_is_no_cut_off_is_refused(text):
    with pytest.raises(MetricError, match="write las, las@10 or las@10w"):
        MetricSpec.parse(text)


def test_unknown_names_are_answered_with_near_ones():
    expected = (
        rf"unknown metric 'ual'; did you mean uas\?\n  "
        rf"`treegauge list metrics` shows all {len(METRICS)}"
    )
    with pytest.raises(MetricError, match=expected):
        find_metric("ual")
    with pytest.raises(TreegaugeError, match=r"^unknown metric 'xyz'\n  `treegauge list"):
        MetricSpec.parse("xyz@10")
    with pytest.raises(MetricError, match=r"^unknown metric 'foo'\n  `treegauge list"):
        find_metric("foo")  # which is not much like `root`


def test_families_stand_for_their_metrics_once():
    specs = [str(spec) for spec in parse_specs(["las", "tags@10", "las", "upos@10", "las@10"])]
    assert specs == [
        *("las", "upos@10", "xpos@10", "upos_macro_f1@10", "xpos_macro_f1@10", "las@10")
    ]
    whole = [str(spec) for family in FAMILIES for spec in parse_specs([family])]
    assert sorted(whole) == sorted(METRICS)


@pytest.mark.parametrize("text", ["tags@ten", "tags@", "induced-tags@10x"])
def test_a_family_with_what_is_no_cut_off_is_refused(text):
    with pytest.raises(MetricError, match="write las, las@10 or las@10w"):
        parse_specs([text])
