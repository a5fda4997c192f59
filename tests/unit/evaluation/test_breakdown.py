from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.unit.metrics.small_scores import compare, score_of, with_heads
from tests.unit.runs.birds import clusters, gold, perfect, relabelled, right_branching
from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.evaluation import StratumScore, break_down, confusion, evaluate, mistakes
from treegauge.metrics import METRICS, PRESETS, Comparison, MetricError
from treegauge.strata import STRATA, StrataError
from treegauge.treebank import Column, Treebank, concatenate

UAS, LAS, UPOS = (METRICS[name] for name in ("uas", "las", "upos"))
OF_WORDS = [name for name, metric in METRICS.items() if metric.outcome]


def cells(
    by: str, system: Treebank, metric: str = "uas", **how: object
) -> dict[str, tuple[float | None, int]]:
    comparison = Comparison(gold(), system)
    found = break_down(comparison, METRICS[metric], by, resamples=0, **how)  # type: ignore[arg-type]
    return {cell.stratum: (cell.value, cell.n) for cell in found}


# ---------------------------------------------------------------------- strata


def test_shares_by_hand():
    # Right: both cats under see, both exclamation marks under sing, and yes.
    assert cells("relation", right_branching()) == {
        "root": (1 / 5, 5),
        "nsubj": (0, 4),
        "amod": (0, 2),
        "obj": (1, 2),
        "punct": (1, 2),
    }
    assert cells("direction", right_branching()) == {
        "left": (1, 4),
        "right": (0, 6),
        "root": (1 / 5, 5),
    }


def test_cells_of_a_metric_hold_what_it_scores():
    # Function words and punctuation are in no cell of CLAS.
    assert sum(n for _, n in cells("tag", relabelled(), "clas").values()) == 13
    assert "PUNCT" not in cells("tag", relabelled(), "clas")
    assert cells("tag", clusters(), "upos")["NOUN"] == (0, 4)
    assert cells("relation", right_branching(), "root") == {"root": (1 / 5, 5)}


def test_two_strata_are_crossed():
    assert cells("relation*direction", right_branching()) == {
        "root × root": (1 / 5, 5),
        "nsubj × right": (0, 4),
        "amod × right": (0, 2),
        "obj × left": (1, 2),
        "punct × left": (1, 2),
    }


@pytest.mark.parametrize("by", [*STRATA, "tag*direction"])
def test_cells_add_up_to_the_whole(by):
    both = concatenate([gold(), gold()])
    comparison = Comparison(both, concatenate([right_branching(), relabelled()]))
    # The challenge's seven relations leave punctuation out; all else has every stratum.
    placed = both.upos.codes != both.upos.vocabulary.code("PUNCT") if by == "table6" else True
    for name in OF_WORDS:
        found = break_down(comparison, METRICS[name], by, training=gold(), resamples=0)
        outcome = METRICS[name].outcome(comparison)
        n = sum(cell.n for cell in found)
        right = sum(cell.n * cell.value for cell in found)
        assert n == (outcome.in_gold & placed).sum()
        assert right == pytest.approx((outcome.correct & placed).sum())
        # The others are F1, of other words than gold's.
        if placed is True and name not in ("clas", "mlas", "blex", "verb_arguments"):
            assert right / n == pytest.approx(score_of(name, comparison))


def test_words_that_belong_to_no_stratum_are_in_no_cell():
    one = treebank("1 a _ X _ _ 0 root _ _\n2 b _ X _ _ 1 _ _ _")
    found = break_down(compare(one, one), UAS, "relation", resamples=0)
    assert found == [StratumScore("root", 1.0, None, None, 1)]


def test_strata_are_those_of_gold():
    assert set(cells("relation", relabelled())) == {"root", "nsubj", "amod", "obj", "punct"}


def test_edges_are_measured_without_the_punctuation_that_was_removed():
    comma = sentences("a/X/3 ,/PUNCT/3 b/X/0")
    whole, pascal = (compare(comma, comma, name) for name in ("conll2018", "pascal"))
    assert [c.stratum for c in break_down(whole, UAS, "edge_length")] == ["1", "2", "root"]
    assert [c.stratum for c in break_down(pascal, UAS, "edge_length")] == ["1", "root"]


def test_known_and_unknown_words():
    training = sentences("old/X birds/X sing/X")
    found = cells("known", right_branching(), training=training)
    assert found == {"known": (0, 6), "unknown": (5 / 9, 9)}


def test_intervals_hold_the_share_and_repeat_with_the_seed():
    comparison = Comparison(gold(), right_branching())
    found = break_down(comparison, UAS, "relation", resamples=200, seed=5)
    for cell in found:
        assert cell.low <= cell.value <= cell.high
    assert break_down(comparison, UAS, "relation", resamples=200, seed=5) == found
    wide = break_down(comparison, UAS, "relation", resamples=200, seed=5, confidence=0.99)
    assert all(w.low <= c.low and c.high <= w.high for w, c in zip(wide, found, strict=True))


def test_other_tokens_than_gold_s_lower_the_share():
    one, other = sentences("ab/X/0 c/Y/1"), sentences("a/X/0 b/X/1 c/Y/1")
    comparison = compare(one, other, by_characters=True)
    found = break_down(comparison, UPOS, "tag", resamples=0)
    assert found == [StratumScore("X", 0.0, None, None, 1), StratumScore("Y", 1.0, None, None, 1)]


def test_nothing_has_no_cells():
    nothing = gold()[:0]
    assert break_down(compare(nothing, nothing), UAS, "relation") == []
    mark = sentences("!/PUNCT/0")
    assert break_down(compare(mark, mark, "pascal"), UAS, "direction") == []
    assert break_down(compare(mark, mark, "conll2006"), UAS, "direction") == []


def test_unknown_strata_are_answered_with_known_ones():
    with pytest.raises(StrataError, match="unknown stratum 'arc_length'; did you mean edge_len"):
        cells("arc_length", perfect())
    with pytest.raises(StrataError, match="unknown stratum 'x'"):
        cells("relation*x", perfect())
    with pytest.raises(MetricError, match="at most two strata can be crossed"):
        cells("relation*tag*direction", perfect())


@pytest.mark.parametrize("name", [name for name in METRICS if name not in OF_WORDS])
def test_metrics_that_are_not_about_words_cannot_be_broken_down(name):
    with pytest.raises(
        MetricError, match=f"{name} does not score single words, so it cannot be broken down"
    ):
        cells("relation", perfect(), name)


# ---------------------------------------------------------------------- confusions


@pytest.mark.parametrize("column", ["deprel", "upos", "xpos"])
def test_confusions_are_counts_of_pairs(column):
    rng = np.random.default_rng(1)
    treebank = gold()
    shuffled = treebank.columns[column].take(rng.permutation(15))
    system = treebank.replace(columns={column: shuffled})
    found = confusion(Comparison(treebank, system), column)
    expected = Counter(zip(treebank.columns[column], shuffled, strict=True))
    assert found.column == column
    assert found.counts == expected
    assert list(found.counts.values()) == sorted(expected.values(), reverse=True)
    assert found.mistakes() == [(a, b, n) for (a, b), n in found.counts.items() if a != b]


def test_confusions_of_relations_cut_subtypes_where_the_preset_does():
    one = treebank("1 a _ X _ _ 0 nsubj:pass _ _")
    other = treebank("1 a _ X _ _ 0 nsubj _ _")
    assert confusion(compare(one, other), "deprel").mistakes() == []
    assert confusion(compare(one, other, "pascal"), "deprel").mistakes() == [
        ("nsubj:pass", "nsubj", 1)
    ]


def test_confusions_leave_out_what_is_not_counted():
    one, other = sentences("a/X/0 !/PUNCT/1"), sentences("a/Y/0 !/X/1")
    assert confusion(compare(one, other), "upos").counts == {("X", "Y"): 1, ("PUNCT", "X"): 1}
    for name in ("conll2006", "pascal"):
        assert confusion(compare(one, other, name), "upos").counts == {("X", "Y"): 1}


def test_confusions_of_nothing_are_none():
    assert confusion(Comparison(gold()[:0], gold()[:0]), "upos").counts == {}


# ---------------------------------------------------------------------- the sentences


def listed(
    which: str, system: Treebank, metric: str = "las", conventions: str = "", **how: object
) -> list[str]:
    comparison = Comparison(gold(), system, PRESETS[conventions] if conventions else None)
    return [str(m) for m in mistakes(comparison, METRICS[metric], which, **how)]  # type: ignore[arg-type]


def test_the_wrong_word_is_marked_in_its_sentence():
    relations = "dep nsubj root punct nsubj root nsubj root obj root obj amod nsubj root punct"
    system = gold().replace(columns={"deprel": Column.from_strings(relations.split())})
    assert listed("obj:nsubj", system) == ["sentence 2: I see [cats]  (obj confused with nsubj)"]
    assert listed("amod:dep", system) == ["birds: [old] birds sing !  (amod confused with dep)"]


def test_tags_are_looked_for_where_relations_are_not_meant():
    system = gold().replace(columns={"upos": Column.constant("NOUN", 15)})
    assert listed("INTJ:NOUN", system) == ["sentence 3: [yes]  (INTJ confused with NOUN)"]
    fine = gold().replace(columns={"xpos": Column.constant("NNS", 15)})
    assert listed("UH:NNS", fine) == ["sentence 3: [yes]  (UH confused with NNS)"]


def test_relations_with_subtypes_have_colons_themselves():
    one = treebank("1 a _ X _ _ 0 nsubj:pass _ _")
    other = treebank("1 a _ X _ _ 0 obj _ _")
    there, back = compare(one, other, "pascal"), compare(other, one, "pascal")
    assert [str(m) for m in mistakes(there, LAS, "nsubj:pass:obj")] == [
        "sentence 1: [a]  (nsubj:pass confused with obj)"
    ]
    assert len(list(mistakes(back, LAS, "obj:nsubj:pass"))) == 1
    assert len(list(mistakes(compare(one, other), LAS, "nsubj:obj"))) == 1


def test_errors_of_a_cell_are_those_of_the_metric():
    assert listed("edge_length=2", right_branching()) == []
    assert listed("relation=nsubj", right_branching(), "uas") == [
        "birds: old [birds] sing !  (←sing confused with ←old)",
        "sentence 2: [I] see cats  (←see confused with ←0)",
        "sentence 4: [I] see cats  (←see confused with ←0)",
        "birds: old [birds] sing !  (←sing confused with ←old)",
    ]
    # birds has its gold child for a head, which undirected accepts.
    assert listed("relation=nsubj", right_branching(), "undirected") == [
        "sentence 2: [I] see cats  (←see confused with ←0)",
        "sentence 4: [I] see cats  (←see confused with ←0)",
    ]


def test_a_wrong_head_with_the_right_relation_shows_the_head():
    assert (
        listed("relation*tag=amod × ADJ", right_branching())
        == ["birds: [old] birds sing !  (amod←birds confused with amod←0)"] * 2
    )
    assert (
        listed("relation=amod", relabelled())
        == ["birds: [old] birds sing !  (amod←birds confused with dep←birds)"] * 2
    )


def test_a_head_that_is_none_is_shown_as_none():
    one = sentences("a/X/2 b/X/0")
    for head in (-1, 7):
        comparison = compare(one, with_heads(one, head, 0))
        (mistake,) = mistakes(comparison, UAS, "direction=right")
        assert str(mistake) == "sentence 1: [a] b  (←b confused with ←_)"


def test_errors_of_a_metric_of_tags_show_tags():
    assert listed("relation=obj", clusters(), "upos") == [
        "sentence 2: I see [cats]  (NOUN confused with cnoun)",
        "sentence 4: I see [cats]  (NOUN confused with cnoun)",
    ]
    lemma = gold().replace(columns={"lemma": Column.constant("x", 15)})
    assert listed("tag=INTJ", lemma, "lemma") == ["sentence 3: [yes]  (yes confused with x)"]
    feats = gold().replace(columns={"feats": Column.constant("Case=Acc", 15)})
    assert listed("tag=PRON", feats, "feats") == [
        "sentence 2: [I] see cats  (Case=Nom confused with Case=Acc)",
        "sentence 4: [I] see cats  (Case=Nom confused with Case=Acc)",
    ]


def test_errors_after_punctuation_was_removed_are_in_what_is_left():
    assert (
        listed("relation=amod", right_branching(), "uas", "pascal")
        == ["birds: [old] birds sing  (←birds confused with ←0)"] * 2
    )


def test_a_sentence_of_punctuation_alone_does_not_move_the_marks():
    one = sentences("!/PUNCT/0", "a/X/0 b/X/1")
    comparison = compare(one, with_heads(one, 0, 2, 0), "pascal")
    assert [str(m) for m in mistakes(comparison, UAS, "direction=left")] == [
        "sentence 2: a [b]  (←a confused with ←0)"
    ]


def test_as_many_errors_are_listed_as_the_cell_has():
    comparison = Comparison(gold(), right_branching())
    for cell in break_down(comparison, UAS, "relation*direction", resamples=0):
        found = list(mistakes(comparison, UAS, f"relation*direction={cell.stratum}"))
        assert len(found) == round(cell.n * (1 - cell.value))


@pytest.mark.parametrize(
    ("which", "complaint"),
    [
        ("nsubj", "which errors. write GOLD:SYSTEM or STRATUM=CELL, not 'nsubj'"),
        ("nsubj:iobj", "neither relations nor tags have both 'nsubj' and 'iobj'"),
        ("relation=iobj", "relation has no 'iobj'; there are root, nsubj, amod, obj, punct"),
    ],
)
def test_unknown_errors_are_answered(which, complaint):
    with pytest.raises(MetricError, match=complaint):
        listed(which, right_branching())


def test_metrics_that_are_not_about_words_have_no_errors_to_list():
    with pytest.raises(
        MetricError, match="vi does not score single words, so it has no errors to list"
    ):
        listed("relation=obj", perfect(), "vi")


def test_cells_agree_with_evaluate():
    whole = evaluate(gold(), right_branching(), metrics=["uas"], resamples=0)["uas"]
    parts = break_down(Comparison(gold(), right_branching()), UAS, "sentence_length", resamples=0)
    assert [(cell.value, cell.n) for cell in parts] == [(whole.value, whole.n)]
