"""What can be asked of taggers of one text: results that are tables and JSON."""

from __future__ import annotations

import json

import pytest

from tests.unit.dictionaries.worked_example import GOLD, SYSTEM, dictionary, treebank
from treegauge.dictionaries import (
    Assessment,
    DictionaryError,
    Record,
    TagDictionary,
    compare_dictionaries,
    from_treebank,
    rank_languages,
    read_records,
)


@pytest.fixture
def gold():
    return treebank(GOLD, "gold")


@pytest.fixture
def assessment(gold):
    return Assessment(dictionary(), [treebank(GOLD, "best"), treebank(SYSTEM, "ours")], gold=gold)


def test_scores_as_a_table_and_as_records(assessment):
    scores = assessment.scores(worst=1, resamples=20)
    table, *costly = scores.tables()
    assert [column.key for column in table.columns][:4] == ["tagger", "a_soft", "covered", "n"]
    for row in table.rows:
        value = row.cells[1]
        assert value.value == 5 / 6
        assert value.low <= 5 / 6 <= value.high
        # Both look the same: both are the best.
        assert value.best
    truth = [column.key for column in table.columns].index("a_true")
    assert [row.cells[truth].best for row in table.rows] == [True, False]
    assert [one.title for one in costly] == ["costly entries: best", "costly entries: ours"]
    made = json.loads(json.dumps(scores.to_dict()))
    assert Record.from_dict(made["records"][1]).gold.accuracy == 4 / 7


def test_a_ranking_says_whether_it_is_right(assessment):
    ranking = assessment.ranking(trials=50, resamples=20)
    table, against_gold = ranking.tables()
    assert table.title.startswith("best is best with probability 0.50")
    assert [row.cells[0].value for row in table.rows] == ["best", "ours"]
    assert against_gold.rows[0].cells[0].value == 0.5
    document = ranking.to_dict()
    assert document["against_gold"]["regret"] == pytest.approx(3 / 14)
    assert document["estimates"] is None


def test_curves(assessment, gold):
    sizes = assessment.size_curve(gold, sizes=[2, 6], draws=5)
    assert sizes.accuracies == {"best": 1.0, "ours": 4 / 7}
    assert len(sizes.size_points) == len(sizes.tables()[0].rows) == 3 * 2 * 2
    assert sizes.to_dict()["draws"] == 5
    corruption = assessment.corruption_curve()
    assert corruption.to_dict()["ceiling"] == 5 / 6
    first = corruption.tables()[0].rows[0].cells[1]
    assert first.deviation == corruption.points[0].soft_deviation
    held_out = assessment.held_out_curve()
    assert held_out.to_dict()["required_sentences"] is None
    bare = Assessment(dictionary(), [treebank(SYSTEM, "ours")])
    with pytest.raises(DictionaryError, match="gold tags are needed"):
        bare.corruption_curve()


def test_texts_that_the_dictionary_does_not_know():
    german = TagDictionary.from_mapping({"hund": ["NOUN"]}, name="de")
    with pytest.raises(DictionaryError, match=r"^de\.tsv and the text have no word in common"):
        Assessment(german, [treebank(SYSTEM, "ours")], called="de.tsv")
    few = TagDictionary.from_mapping({"hund": ["NOUN"], ".": ["."]}, name="de")
    assert Assessment(few, [treebank(SYSTEM, "ours")]).coverage == 0


def test_languages_are_ranked_together(tmp_path, assessment):
    document = assessment.scores(resamples=0).to_dict()
    paths = []
    for language in ("one", "two"):
        records = [{**one, "treebank": language} for one in document["records"]]
        records[1]["soft"] = {**records[1]["soft"], "value": 0.5}
        paths.append(str(tmp_path / f"{language}.json"))
        (tmp_path / f"{language}.json").write_text(json.dumps({"records": records}))
    assert [one.tagger for one in read_records(paths[0])] == ["best", "ours"]
    ranking = rank_languages(paths, trials=50)
    assert ranking.to_dict()["pooled"]["mean_tau"] == 1
    (table,) = ranking.tables()
    assert [row.cells[0].value for row in table.rows] == ["one", "two"]
    assert table.notes[0].startswith("best tagger found for 2 of 2; mean tau 1.000")
    with pytest.raises(DictionaryError, match="one was there before"):
        rank_languages([paths[0], paths[0]])


def test_a_dictionary_held_against_another(gold):
    comparison = compare_dictionaries(dictionary(), from_treebank(gold))
    assert comparison.to_dict()["precision"] == 5 / 8
    (table,) = comparison.tables()
    assert table.rows[0].cells[1].value == 5 / 8
    assert table.notes == ("example: 6 forms; gold: 7; 6 in both, 85.71% of the latter",)
    other = TagDictionary.from_mapping({"zzz": ["NOUN"]}, name="odd")
    with pytest.raises(DictionaryError, match="example and odd have no word in common"):
        compare_dictionaries(dictionary(), other)
