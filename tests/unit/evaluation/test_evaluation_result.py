from __future__ import annotations

import pytest

import treegauge as tg


@pytest.fixture(scope="module")
def gold() -> tg.Treebank:
    return tg.toy_treebank("toy:svo", tokens=1000)


@pytest.fixture(scope="module")
def systems(gold: tg.Treebank) -> list[tg.Treebank]:
    names = ("left-branching", "right-branching")
    return [tg.make_system(name).annotate(gold).replace(name=name) for name in names]


def test_tables_can_be_turned(gold: tg.Treebank, systems: list[tg.Treebank]) -> None:
    scores = tg.evaluate(gold, *systems, metrics=["uas", "ned"], resamples=20, trials=100)
    by_metric, by_system = scores.table(), scores.score_tables("systems")[0]
    assert [row.cells[0].value for row in by_metric.rows] == ["UAS", "NED"]
    assert [column.title for column in by_system.columns] == ["", "UAS", "NED"]
    assert by_metric.rows[1].cells[1].value == by_system.rows[0].cells[2].value
    assert len(scores.score_tables("treebanks")) == 2
    assert by_metric.to_tsv() == by_system.to_tsv()


def test_numbers_stay_numbers(gold: tg.Treebank, systems: list[tg.Treebank]) -> None:
    scores = tg.evaluate(gold, *systems, metrics=["uas"], resamples=20, trials=0)
    frame = scores.to_polars()
    assert frame.columns == ["system", "treebank", "uas", "uas_low", "uas_high", "uas_n"]
    assert frame["uas"].to_list() == [one.scores["uas"].value for one in scores.systems]
    best = [cell.best for cell in scores.table().rows[0].cells[1:3]]
    assert best == [i in scores.best("uas") for i in range(2)]
    assert str(scores).count("UAS") == 1
    assert "<table>" in scores._repr_html_()


def test_everything_that_the_verb_can_do(gold: tg.Treebank, systems: list[tg.Treebank]) -> None:
    scores = tg.evaluate(
        gold,
        *systems,
        metrics=["uas"],
        by=["tag"],
        confusion="tags",
        per_tag=True,
        errors="edge_length=1",
        references=[gold.replace(name="other")],
        styles=["prague"],
        agreement=True,
        perplexity="kenlm,order=2",
        perplexity_training=tg.toy_treebank("toy:svo", part="train", tokens=20_000),
        resamples=10,
        trials=20,
    )
    document = scores.to_dict()
    assert set(document) >= {"strata", "confusions", "tags", "errors", "references", "agreement"}
    assert list(document["references"]) == ["toy:svo", "other", "prague"]
    assert set(document["systems"][0]["scores"]) == {"uas", "derivation_perplexity"}
    titles = [table.title for table in scores.tables()]
    assert titles[3] == "uas against several gold standards"
    assert "uas by tag" in titles
    assert titles[-1] == "Rank correlation of the metrics"


def test_what_can_be_confused(gold: tg.Treebank, systems: list[tg.Treebank]) -> None:
    with pytest.raises(tg.MetricError, match="relations or tags"):
        tg.evaluate(gold, systems[0], confusion="heads")


def test_only_two_are_compared(gold: tg.Treebank, systems: list[tg.Treebank]) -> None:
    with pytest.raises(tg.MetricError, match="not 1; evaluate tests all pairs of several"):
        tg.compare(gold, systems[0])
    both = tg.compare(gold, *systems, metrics=["uas"], resamples=0, trials=50)
    difference = both.table().rows[0].cells[3].value
    first, second = (one.scores["uas"].value for one in both.evaluation.systems)
    assert difference == second - first
    assert both.to_polars()["uas"].to_list() == [first, second]
    assert "words right" in str(both)


def test_names_may_stand_between_commas():
    gold = tg.toy_treebank("toy:svo", tokens=500)
    chain = tg.make_system("right-branching").annotate(gold)
    scores = tg.evaluate(gold, chain, metrics="uas, ned@10", by="direction", resamples=0)
    assert [str(spec) for spec in scores.specs] == ["uas", "ned@10"]
    assert len(scores.strata) == 1


@pytest.mark.parametrize(
    ("thing", "advice"),
    [("gold.conllu", "treegauge.read"), ("toy:svo", "toy_treebank"), ([], "one by one")],
)
def test_what_is_no_treebank_is_told(thing, advice):
    gold = tg.toy_treebank("toy:svo", tokens=500)
    calls = [
        lambda: tg.evaluate(gold, thing),
        lambda: tg.compare(gold, thing),
        lambda: tg.describe(thing),
        lambda: tg.induce("right-branching", thing),
    ]
    for call in calls:
        with pytest.raises(tg.TreebankError, match=rf"expected a treebank(?s:.)*{advice}"):
            call()
