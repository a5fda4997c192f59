from __future__ import annotations

import json
import math

import numpy as np
import pytest

import treegauge as tg
from tests.unit.runs.birds import clusters, gold, perfect, relabelled, right_branching
from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.evaluation import Evaluation, compare, evaluate
from treegauge.metrics import METRICS, PRESETS, Conventions, MetricError, preset
from treegauge.significance import holm
from treegauge.treebank import AlignmentError, Column, Treebank, TreebankError


def quick(*treebanks: Treebank, **how: object) -> Evaluation:
    """Evaluate without intervals and tests."""
    return evaluate(*treebanks, **{"resamples": 0, "trials": 0, **how})  # type: ignore[arg-type]


def names(evaluation: Evaluation) -> list[str]:
    return list(evaluation.systems[0].scores)


# ---------------------------------------------------------------------- what is scored


def test_everything_the_columns_allow_is_scored():
    found = quick(gold(), perfect())
    assert " ".join(names(found)) == (
        "uas las clas mlas blex upos xpos feats lemma undirected ned exact_match root"
    )
    assert found.notes == ()
    assert all(score.value == 1 for score in found.systems[0].scores.values())


def test_presets_have_their_own_metrics():
    assert names(quick(gold(), perfect(), conventions=preset("pascal"))) == [
        *("uas", "undirected", "ned", "uas@10", "undirected@10", "ned@10")
    ]
    assert names(quick(gold(), perfect(), conventions=preset("conll2006"))) == [
        *("uas", "las", "label", "upos", "xpos", "exact_match", "root")
    ]


def test_what_lacks_columns_is_left_out_with_a_note():
    bare = sentences("a/X/0 b/Y/1")
    found = quick(bare, bare)
    assert names(found) == ["uas", "upos", "undirected", "ned", "exact_match", "root"]
    assert found.notes == (
        "left out because columns are missing: las, clas, mlas, blex, xpos, feats, lemma",
    )
    assert found.to_dict()["warnings"] == list(found.notes)


def test_an_unlabelled_system_does_not_take_the_label_metrics_of_another():
    unlabelled = perfect("bare").replace(columns={"deprel": Column.constant("_", 15)})
    for systems in ((perfect(), unlabelled), (unlabelled, perfect())):
        found = quick(gold(), *systems, by=["direction"], references=[gold()], agreement=True)
        values = {one.name: one.scores["las"].value for one in found.systems}
        assert values == {"perfect": 1, "bare": None}
        assert found.notes == ("bare has no DEPREL, and no score for las, clas, mlas, blex",)
        rows = {row["system"]: row for row in found.to_polars().to_dicts()}
        assert (rows["perfect"]["las_n"], rows["bare"]["las_n"]) == (15, None)
        assert found.notes[0] in str(found)
        assert found.strata[0].metric == "uas"
    with pytest.raises(MetricError, match="las needs DEPREL, and bare has none"):
        quick(gold(), perfect(), unlabelled, metrics=["las"])


def test_a_system_without_relations_is_no_part_of_tests_of_relations():
    unlabelled = perfect("bare").replace(columns={"deprel": Column.constant("_", 15)})
    found = evaluate(gold(), perfect(), unlabelled, resamples=0, trials=10)
    assert {"uas", "upos"} <= {pair.metric for pair in found.pairs}
    assert "las" not in {pair.metric for pair in found.pairs}


def test_the_signature_line_names_all_metrics():
    (line,) = quick(gold(), perfect(), metrics=["uas", "las", "uas@10"]).signature_lines()
    assert line.startswith("preset conll2018; uas,las,uas@10|punct:yes|")
    assert "|len:all,10|" in line
    (line,) = quick(gold(), perfect(), metrics=["uas@10"]).signature_lines()
    assert line.startswith("preset conll2018; uas|punct:yes|")
    several = quick(gold(), clusters(), metrics=["uas", "vi"], conventions=preset("pascal"))
    first, second = several.signature_lines()
    assert first.startswith("preset pascal; uas|punct:removed|")
    assert second.startswith("vi|punct:yes|")


def test_cycles_stand_in_the_footer():
    turning = gold().replace(head=np.r_[2, 1, gold().head[2:]], name="turning")
    found = quick(gold(), turning, metrics=["uas", "ned"])
    line = "turning: cycles of 2 words in 1 sentence: counted as wrong"
    assert line in found.table().notes
    assert line in found.to_dict()["warnings"]
    both = compare(gold(), turning, perfect(), metrics=["uas"], resamples=0, trials=0)
    assert line in both.table().notes
    assert line in both.tables("systems")[0].notes


def test_nothing_in_common_is_an_error():
    with pytest.raises(MetricError, match="no annotated column in common: nothing to score"):
        quick(sentences("a/_/0"), sentences("a/X"))


@pytest.mark.parametrize("name", [name for name, metric in METRICS.items() if metric.needs])
def test_an_empty_column_is_an_error_for_a_metric_that_needs_it(name):
    full = gold()
    empty = Column.constant("_", full.n_words)
    for need in METRICS[name].needs:
        columns = {"tags": ["upos", "xpos", "cpos"], "head": []}.get(need, [need])
        head = None if need != "head" else np.full(full.n_words, -1)
        bare = full.replace(columns=dict.fromkeys(columns, empty), head=head, name="bare")
        expected = f"{name} needs {need.upper()}, and bare has none"
        for pair in ((full, bare), (bare, full), (bare, bare)):
            with pytest.raises(MetricError, match=f"^{expected}$"):
                quick(*pair, metrics=[name])


def test_a_column_that_is_named_nowhere_is_not_needed():
    only_forms = treebank("1 a _ _ _ _ _ _ _ _")
    assert quick(only_forms, only_forms, metrics=["words"])["words"].value == 1


def test_unknown_metrics_are_answered_with_near_ones():
    with pytest.raises(MetricError, match=r"unknown metric 'uass'; did you mean uas"):
        quick(gold(), perfect(), metrics=["uass"])


def test_no_system_is_an_error():
    with pytest.raises(MetricError, match="no system to evaluate"):
        evaluate(gold())


def test_other_words_are_an_error():
    with pytest.raises(AlignmentError, match=r"differ in sentence 1 \(birds\)"):
        quick(gold(), sentences("young/ADJ birds/NOUN"))


# ---------------------------------------------------------------------- induced tags


def test_tags_that_gold_does_not_know_are_scored_as_induced():
    found = quick(gold(), clusters())
    induced = [name for name, metric in METRICS.items() if metric.family == "induced-tags"]
    assert names(found)[-len(induced) :] == induced
    assert not {"upos", "xpos", "mlas"} & set(names(found))
    assert found.notes == ("clusters: not gold's tag set, so scored as induced tags",)
    assert found["v_measure"].value == pytest.approx(1)
    assert found["vi"].value == pytest.approx(0, abs=1e-12)


def test_wrong_universal_tags_are_wrong_and_not_induced():
    # Nothing in common with gold's tags, but tags everybody knows.
    gold_tags, system = sentences("a/NOUN/0"), sentences("a/VERB/0")
    found = quick(gold_tags, system)
    assert found["upos"].value == 0
    assert found.notes[1:] == ()


def test_a_system_without_tags_beside_one_with_induced_tags():
    untagged = perfect("untagged")
    empty = Column.constant("_", untagged.n_words)
    untagged = untagged.replace(columns={"upos": empty, "xpos": empty})
    found = quick(gold(), clusters(), untagged)
    assert [one.scores["vi"].value is None for one in found.systems] == [False, True]
    assert found.notes[0].startswith("untagged has no TAGS, and no score for many_to_one, ")


def test_induced_tags_in_the_fine_column():
    fine = gold().replace(
        columns={
            "upos": Column.constant("_", 15),
            "xpos": gold().upos.map(str.lower),
        },
        name="fine",
    )
    found = quick(gold(), fine, metrics=["v_measure"])
    assert found["v_measure"].value == pytest.approx(1)
    assert "|induced:xpos|" in str(found["v_measure"].signature)


# ---------------------------------------------------------------------- numbers


def test_values_sizes_and_names():
    found = quick(gold(), right_branching(), metrics=["uas", "uas@3", "exact_match", "root"])
    scores = found.systems[0].scores
    assert [score.value for score in scores.values()] == [5 / 15, 3 / 7, 1 / 5, 1 / 5]
    assert [score.n for score in scores.values()] == [15, 7, 5, 5]
    assert found.gold == "birds"
    assert found["uas@3"] is scores["uas@3"]


def test_n_is_the_number_of_gold_words_or_sentences_whatever_the_statistics_are():
    everything = quick(gold(), relabelled(), metrics=list(METRICS))
    sizes = {name: score.n for name, score in everything.systems[0].scores.items()}
    expected = dict.fromkeys(METRICS, 15) | {"root": 5, "clas": 13, "mlas": 13, "blex": 13}
    expected |= {name: 5 for name, metric in METRICS.items() if metric.unit == "sentences"}
    expected |= {name: 6 for name, metric in METRICS.items() if metric.family == "task"}
    assert sizes == expected
    averaged = quick(
        gold(), relabelled(), metrics=["uas", "upos_macro_f1"],
        conventions=Conventions(average="sentence"),
    )  # fmt: skip
    assert averaged["uas"].n == 5
    assert averaged["upos_macro_f1"].n == 15


def test_precision_and_recall_where_they_differ():
    found = quick(gold(), relabelled())
    assert found["clas"].details == {"precision": 0, "recall": 0}
    assert found["las"].details == {}
    one = sentences("ab/X/0 c/X/1")
    other = sentences("a/X/0 b/X/1 c/X/1")
    aligned = quick(one, other, metrics=["upos"], align=True)
    assert aligned["upos"].details == {"precision": 1 / 3, "recall": 1 / 2}
    assert aligned["upos"].value == 2 / 5
    assert aligned.systems[0].scores["upos"].to_dict()["precision"] == 1 / 3


def test_signatures_say_everything():
    data = f"birds#{gold().fingerprint[:8]}|v:{tg.__version__}"

    def signature(metric: str, **how: object) -> str:
        return str(quick(gold(), perfect(), metrics=[metric], **how)[metric].signature)

    assert signature("las") == f"las|punct:yes|subtypes:no|average:micro|len:all|data:{data}"
    assert signature("uas@10", conventions=preset("pascal")) == (
        f"uas|punct:removed|subtypes:yes|average:micro|len:10|data:{data}"
    )
    assert signature("uas@10w", conventions=preset("conll2006", average="sentence")) == (
        f"uas|punct:no|subtypes:yes|average:sentence|punct-by:form|len:10w|data:{data}"
    )
    assert signature("vi", conventions=preset("conll2018", tags="u12")) == (
        f"vi|punct:yes|subtypes:no|average:micro|len:all|tags:u12|induced:upos|data:{data}"
    )
    assert signature("words", align=True) == (
        f"words|punct:yes|subtypes:no|average:micro|len:all|align:characters|data:{data}"
    )


def test_a_signature_does_not_claim_an_average_that_was_not_taken():
    how = Conventions(average="sentence")
    for name, metric in METRICS.items():
        found = quick(gold(), perfect(), metrics=[name], conventions=how)
        average = "micro" if metric.outcome is None else "sentence"
        assert f"|average:{average}|" in str(found[name].signature)


def test_gold_without_a_name_is_called_gold():
    found = quick(sentences("a/X/0"), sentences("a/X/0"), metrics=["uas"])
    assert found.gold == "gold"
    assert "|data:gold#" in str(found["uas"].signature)
    assert found.systems[0].name == "system"


# ---------------------------------------------------------------------- intervals


def test_intervals_hold_the_value_and_repeat_with_the_seed():
    def ends(seed: int, **how: object) -> list[tuple[float | None, float | None]]:
        found = evaluate(gold(), right_branching(), resamples=200, seed=seed, **how)  # type: ignore[arg-type]
        return [(score.low, score.high) for score in found.systems[0].scores.values()]

    found = evaluate(gold(), right_branching(), resamples=200)
    for score in found.systems[0].scores.values():
        assert score.low is not None
        assert score.high is not None
        assert score.value is not None
        assert 0 <= score.low <= score.value <= score.high <= 1
    assert ends(0) == ends(0)
    assert ends(0) != ends(1)


def test_an_interval_does_not_depend_on_what_else_is_scored():
    alone = evaluate(gold(), right_branching(), metrics=["ned"], resamples=100)
    among = evaluate(gold(), right_branching(), clusters(), resamples=100, trials=0)
    assert (alone["ned"].low, alone["ned"].high) == (among["ned"].low, among["ned"].high)


def test_wider_confidence_gives_wider_intervals():
    narrow, wide = (
        evaluate(gold(), right_branching(), metrics=["uas"], confidence=c)["uas"]
        for c in (0.5, 0.99)
    )
    assert wide.low < narrow.low <= narrow.high < wide.high  # type: ignore[operator]


def test_without_resamples_there_is_no_interval():
    score = evaluate(gold(), perfect(), metrics=["uas"], resamples=0)["uas"]
    assert (score.low, score.high) == (None, None)


# ---------------------------------------------------------------------- several systems


def test_systems_of_the_same_name_are_numbered():
    found = quick(gold(), perfect("ours"), right_branching("ours"), relabelled("theirs"))
    assert [system.name for system in found.systems] == ["ours (1)", "ours (2)", "theirs (3)"]
    assert [system.scores["uas"].value for system in found.systems] == [1, 1 / 3, 1]


def test_every_two_systems_are_tested_and_corrected_by_holm():
    found = evaluate(gold(), right_branching(), relabelled(), perfect(), metrics=["uas", "las"])
    assert [(p.metric, p.first, p.second) for p in found.pairs] == [
        (metric, *pair)
        for metric in ("uas", "las")
        for pair in [("chain", "labels"), ("chain", "perfect"), ("labels", "perfect")]
    ]
    las = [pair for pair in found.pairs if pair.metric == "las"]
    assert [pair.difference for pair in las] == pytest.approx([-1 / 3, 2 / 3, 1])
    # Five sentences, in four of which chain has mistakes: 2 of 16 and 2 of 32 exchanges.
    assert [pair.p for pair in las] == [2 / 32, 2 / 16, 2 / 32]
    assert [pair.adjusted_p for pair in las] == holm([2 / 32, 2 / 16, 2 / 32]).tolist()


def test_a_difference_is_the_second_minus_the_first():
    found = evaluate(gold(), perfect(), right_branching(), metrics=["uas"])
    (pair,) = found.pairs
    assert pair.difference == pytest.approx(-2 / 3)


def many(treebank: Treebank, times: int = 8) -> Treebank:
    return treebank.take(np.tile(np.arange(len(treebank)), times))


def test_letters_name_the_systems_that_are_beaten():
    systems = [many(s) for s in (right_branching(), perfect(), relabelled())]
    found = evaluate(many(gold()), *systems, metrics=["uas", "las"], trials=500, resamples=0)
    assert [(x.name, x.letter, x.beats) for x in found.letters("uas")] == [
        ("chain", "a", ()),
        ("perfect", "b", ("a",)),
        ("labels", "c", ("a",)),
    ]
    assert [x.beats for x in found.letters("las")] == [("c",), ("a", "c"), ()]


def test_letters_of_distances_go_to_the_smaller_one():
    one_cluster = clusters("one").replace(columns={"upos": Column.constant("c", 15)})
    systems = [many(s) for s in (one_cluster, clusters())]
    found = evaluate(many(gold()), *systems, metrics=["vi"], trials=500, resamples=0)
    assert found.pairs[0].difference < 0  # type: ignore[operator]
    assert [x.beats for x in found.letters("vi")] == [(), ("a",)]


@pytest.mark.parametrize("test", ["permutation", "bootstrap"])
@pytest.mark.parametrize("average", ["micro", "sentence"])
def test_a_system_does_not_differ_from_itself(test, average):
    found = evaluate(
        gold(), clusters("a"), clusters("b"), metrics=[m for m in METRICS if m != "mlas"],
        conventions=Conventions(average=average), test=test, trials=50, resamples=0,
    )  # fmt: skip
    assert {pair.difference for pair in found.pairs} == {0.0}
    assert {pair.p for pair in found.pairs} == {1.0}
    assert all(letter.beats == () for letter in found.letters("uas"))


def test_means_of_sentences_are_tested_by_permutation_when_asked():
    # Exact, because four sentences differ: a bootstrap would not give 2 of 16.
    found = evaluate(
        gold(), right_branching(), perfect(), metrics=["uas"], resamples=0,
        conventions=Conventions(average="sentence"),
    )  # fmt: skip
    assert found.pairs[0].p == 2 / 16


def test_unknown_tests_are_answered_with_known_ones():
    with pytest.raises(MetricError, match="unknown test 'z'; there are permutation, bootstrap"):
        evaluate(gold(), perfect(), clusters(), metrics=["vi"], test="z")


def test_the_same_seed_gives_the_same_p():
    def p(seed: int) -> list[float | None]:
        systems = [many(s) for s in (right_branching(), clusters(), perfect())]
        found = evaluate(many(gold()), *systems, trials=99, resamples=0, seed=seed,
                         metrics=["uas", "vi"])  # fmt: skip
        return [pair.p for pair in found.pairs]

    assert p(3) == p(3)


def test_agreement_of_metrics():
    found = quick(gold(), right_branching(), relabelled(), perfect(), metrics=["uas", "las", "ned"])
    assert found.agreement() == [
        ("uas", "las", pytest.approx(0, abs=1e-12)),
        ("uas", "ned", pytest.approx(1)),
        ("las", "ned", pytest.approx(0, abs=1e-12)),
    ]


def test_agreement_turns_distances_around():
    one_cluster = clusters("one").replace(columns={"upos": Column.constant("c", 15)})
    found = quick(gold(), one_cluster, clusters(), metrics=["vi", "v_measure"])
    assert found.agreement() == [("vi", "v_measure", pytest.approx(1))]


# ---------------------------------------------------------------------- several references


def test_the_best_of_several_references_is_never_below_one():
    other = gold().replace(head=right_branching().head, name="chains")
    systems = [right_branching(), perfect(), relabelled()]
    references = [quick(reference, *systems, metrics=["uas"]) for reference in (gold(), other)]
    values = np.array([[s.scores["uas"].value for s in r.systems] for r in references])
    assert values.tolist() == [[1 / 3, 1, 1], [1, 1 / 3, 1 / 3]]
    assert (values.max(axis=0) >= values).all()
    # Different gold, different signatures: never in one column.
    assert references[0]["uas"].signature != references[1]["uas"].signature


# ---------------------------------------------------------------------- small and empty

EVERYTHING = list(METRICS)


def to_json(evaluation: Evaluation) -> dict:
    """Return the document; a number that is none is an error."""
    return json.loads(json.dumps(evaluation.to_dict(), allow_nan=False))


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("average", ["micro", "sentence"])
def test_a_treebank_without_sentences(name, average):
    nothing = gold()[:0]
    how = preset(name, average=average)
    for metrics in ([], EVERYTHING, ["uas@10", "vi@10"]):
        found = evaluate(
            nothing, nothing, nothing, metrics=metrics, conventions=how, resamples=20, trials=20
        )
        document = to_json(found)
        for score in document["systems"][0]["scores"].values():
            assert (score["value"], score["low"], score["high"], score["n"]) == (None,) * 3 + (0,)
        assert {pair["p"] for pair in document["tests"]} == {None}
        assert all(
            letter.beats == () for spec in found.specs for letter in found.letters(str(spec))
        )
        assert {tau for *_, tau in found.agreement()} <= {None}


@pytest.mark.parametrize("name", PRESETS)
def test_a_sentence_of_one_punctuation_mark(name):
    mark = treebank("1 ! ! PUNCT . Style=Expr 0 root _ _")
    document = to_json(
        evaluate(mark, mark, mark, metrics=EVERYTHING, conventions=preset(name), resamples=20)
    )
    scores = document["systems"][0]["scores"]
    if name == "conll2018":
        # A mark is a word like any other, but nobody's argument.
        sizes = {(METRICS[metric].family == "task", score["n"]) for metric, score in scores.items()}
        assert sizes == {(False, 1), (True, 0)}
        assert scores["uas"]["value"] == 1
    else:
        # The challenge removed punctuation from trees, not from induced tags.
        counted = {
            metric
            for metric in scores
            if name == "pascal" and METRICS[metric].family == "induced-tags"
        }
        for metric, score in scores.items():
            assert (score["value"] is not None, score["n"]) == (metric in counted,) * 2


def test_pascal_counts_punctuation_under_induced_tags_and_removes_it_from_trees():
    # Worked by hand: two words and a mark; the cluster of `a` is also that of the mark.
    text = sentences("a/X/2 b/Y/0 !/PUNCT/2")
    system = text.replace(columns={"upos": Column.from_strings(["0", "1", "0"])})
    found = quick(text, system, metrics=["uas", "many_to_one"], conventions=preset("pascal"))
    assert (found["uas"].n, found["many_to_one"].n) == (2, 3)
    assert found["many_to_one"].value == pytest.approx(2 / 3)
    assert "punct:yes" in str(found["many_to_one"].signature)
    assert "punct:removed" in str(found["uas"].signature)
    removed = preset("pascal", punctuation="removed")
    bare = quick(text, system, metrics=["many_to_one"], conventions=removed)["many_to_one"]
    assert (bare.value, bare.n) == (1.0, 2)


def test_one_word_sentences():
    word = treebank("1 go go VERB VB Mood=Imp 0 root _ _")
    document = to_json(evaluate(word, word, metrics=EVERYTHING, resamples=20))
    for name, score in document["systems"][0]["scores"].items():
        if METRICS[name].family == "task":  # a word alone has no arguments
            assert (score["value"], score["n"]) == (None, 0)
            continue
        assert score["value"] == (1 if METRICS[name].higher_is_better else 0)
        assert score["low"] == score["high"] == score["value"]


def test_a_cut_off_that_no_sentence_meets():
    found = evaluate(gold(), clusters(), metrics=["uas@0", "vi@0", "upos_macro_f1@0"], resamples=9)
    assert [score["value"] for score in to_json(found)["systems"][0]["scores"].values()] == [
        None
    ] * 3


def test_resamples_without_anything_to_score_do_not_spoil_the_rest():
    # One sentence in three has a content word; some resamples have none.
    one = treebank("1 a _ X _ _ 0 root _ _")
    none = treebank("1 a _ X _ _ 0 punct _ _")
    mixed = tg.concatenate([one, none, none])
    document = to_json(evaluate(mixed, mixed, mixed, metrics=["clas"], resamples=50, trials=50))
    assert document["systems"][0]["scores"]["clas"]["low"] == 1


def test_the_document_has_the_promised_form():
    document = to_json(evaluate(gold(), right_branching(), perfect(), resamples=20, trials=20))
    assert document["schema"] == 1
    assert document["gold"] == "birds"
    assert document["preset"] == "conll2018"
    assert document["deviations"] == []
    assert [system["name"] for system in document["systems"]] == ["chain", "perfect"]
    assert set(document["systems"][0]["scores"]["uas"]) == {
        "value",
        "low",
        "high",
        "n",
        "signature",
    }
    assert document["warnings"] == []
    assert document["tests"][0] == {
        "metric": "uas",
        "systems": ["chain", "perfect"],
        "difference": pytest.approx(2 / 3),
        "p": 2 / 16,
        "adjusted_p": 2 / 16,
    }
    assert "tests" not in to_json(quick(gold(), perfect()))


def test_gold_heads_in_a_circle_of_punctuation_are_named():
    broken = sentences("a/X/2 !/PUNCT/3 ?/PUNCT/2")
    with pytest.raises(TreebankError, match="cannot be removed from sentence number 1"):
        quick(broken, broken, conventions=preset("pascal"))


def test_scores_of_nothing_are_not_numbers_but_none():
    found = quick(gold()[:0], gold()[:0], metrics=["uas"])
    assert found["uas"].value is None
    assert not any(isinstance(v, float) and math.isnan(v) for v in found["uas"].to_dict().values())
