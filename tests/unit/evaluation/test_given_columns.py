"""Columns that were copied from gold are nobody's merit."""

from __future__ import annotations

import pytest

import treegauge as tg
from treegauge.evaluation.given_columns import given_columns
from treegauge.treebank import Column, Treebank, with_columns_given

GOLD = tg.toy_treebank("toy:svo", tokens=300)
SMALL = tg.toy_treebank("toy:svo", tokens=100)
TAGS = {"upos", "xpos", "feats", "lemma"}


def chained(gold: Treebank, name: str = "chained") -> Treebank:
    return gold.replace(head=gold.original_positions - 1, name=name)


def with_one_wrong_tag(gold: Treebank, name: str = "tagger") -> Treebank:
    tags = ["X", *list(gold.upos)[1:]]
    return chained(gold, name).replace(columns={"upos": Column.from_strings(tags)})


def given_scores(evaluation: tg.Evaluation, system: int = 0) -> set[str]:
    return {name for name, score in evaluation.systems[system].scores.items() if score.given}


def test_tags_lemmas_and_features_of_gold_are_given() -> None:
    evaluation = tg.evaluate(GOLD, chained(GOLD), resamples=0)
    assert given_scores(evaluation) == TAGS
    assert evaluation["upos"].value == 1.0
    scores = evaluation.to_dict()["systems"][0]["scores"]
    assert scores["upos"]["given"] is True
    assert "given" not in scores["uas"]
    assert "100.00 (given)" in str(evaluation)
    assert any(
        "copied from gold, not predicted" in warning for warning in evaluation.to_dict()["warnings"]
    )


def test_below_200_words_nothing_is_taken_to_be_copied() -> None:
    assert SMALL.n_words < 200
    assert given_scores(tg.evaluate(SMALL, chained(SMALL), resamples=0)) == set()


def test_one_wrong_tag_is_enough_to_have_earned_the_others() -> None:
    evaluation = tg.evaluate(GOLD, with_one_wrong_tag(GOLD), resamples=0)
    assert given_scores(evaluation) == TAGS - {"upos"}


def test_heads_are_never_given_by_identity_alone() -> None:
    evaluation = tg.evaluate(GOLD, GOLD.replace(name="perfect"), resamples=0)
    assert given_scores(evaluation) == TAGS
    assert evaluation["uas"].value == 1.0


@pytest.mark.parametrize("gold", [GOLD, SMALL])
def test_heads_that_a_file_says_were_there_before_are_given(gold: Treebank) -> None:
    copied = with_columns_given(gold.replace(name="tagged"), ("head", "deprel"))
    assert {"uas", "las"} <= given_scores(tg.evaluate(gold, copied, resamples=0))
    written = tg.parse(tg.to_text(copied))
    assert {"head", "deprel"} <= given_columns(gold, written)


def test_heads_that_were_there_before_and_are_not_golds_are_scored() -> None:
    other = with_columns_given(chained(GOLD), ("head", "deprel"))
    assert given_columns(GOLD, other) == TAGS | {"cpos", "deprel"}
    assert given_scores(tg.evaluate(GOLD, other, resamples=0)) == TAGS


def test_what_is_given_is_never_the_best_nor_ranked() -> None:
    evaluation = tg.evaluate(GOLD, chained(GOLD), with_one_wrong_tag(GOLD), resamples=0, trials=50)
    assert evaluation.best("upos") == []
    assert not any(pair.metric == "upos" for pair in evaluation.pairs)
    assert not any(letters.beats for letters in evaluation.letters("upos"))
    cells = evaluation.scores().cells
    assert not any(cell.best for place, cell in cells.items() if place[2] in TAGS)


def test_two_that_earned_their_tags_are_compared_beside_one_that_was_given_them() -> None:
    worse = GOLD.replace(name="worse", columns={"upos": Column.constant("X", GOLD.n_words)})
    systems = (chained(GOLD), with_one_wrong_tag(GOLD), worse)
    evaluation = tg.evaluate(GOLD, *systems, resamples=0, trials=50)
    assert evaluation.best("upos") == [1]
    pairs = [pair.names for pair in evaluation.pairs if pair.metric == "upos"]
    assert pairs == [("tagger", "worse")]


def test_compare_shows_no_difference_of_what_is_given() -> None:
    report = tg.compare(GOLD, chained(GOLD), with_one_wrong_tag(GOLD), trials=50, resamples=0)
    rows = {str(row.cells[0].value): row.cells for row in report.table().rows}
    assert rows["UPOS"][3].value is None
    assert rows["UAS"][3].value == 0
    assert report.to_dict()["systems"][0]["scores"]["upos"]["given"] is True


def test_classes_that_are_gold_tags_are_given() -> None:
    evaluation = tg.evaluate(GOLD, chained(GOLD), metrics=["many_to_one"], resamples=0)
    assert evaluation["many_to_one"].given


def test_other_words_are_not_compared() -> None:
    assert given_columns(GOLD, SMALL) == frozenset()
