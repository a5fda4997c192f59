from __future__ import annotations

import pytest

import treegauge as tg
from treegauge.evaluation import EvaluationWarning, TreebankPart, describe_parts
from treegauge.evaluation.description import MOST_COLUMNS


@pytest.fixture(scope="module")
def parts() -> dict[str, tg.Treebank]:
    return {part: tg.toy_treebank("toy:svo", part=part, tokens=2000) for part in ("train", "test")}


def test_one_treebank(parts: dict[str, tg.Treebank]) -> None:
    described = tg.describe(parts["test"])
    (one,) = described.to_dict()["treebanks"]
    assert (one["name"], one["tokens"]) == ("toy:svo", parts["test"].n_words)
    assert (one["perplexity"], one["derivation_perplexity"]) == (None, None)
    assert "DLM ratio" in str(described)
    assert "<table>" in described._repr_html_()
    frame = described.to_polars()
    assert frame["dlm_ratio"].to_list() == [one["dlm_ratio"]]
    assert 0 < frame["projective_trees"].item() <= 1


def test_new_words_and_perplexity_are_measured_beside_training(
    parts: dict[str, tg.Treebank],
) -> None:
    described = tg.describe(
        parts["test"], training=parts["train"], perplexity="kenlm,order=2", resamples=20
    )
    (one,) = described.to_dict()["treebanks"]
    assert 0 < one["new_types"] < 1
    assert one["perplexity"] < one["derivation_perplexity"]
    assert set(one["perplexity_details"]["intervals"]) >= {"perplexity", "increase"}
    shown = described.table()
    cells = {row.cells[0].value: row.cells[1] for row in shown.rows}
    assert cells["derivation perplexity"].value == one["derivation_perplexity"]
    assert "learnt from train" in shown.notes[-1]


def test_word_order_has_tables_of_its_own(parts: dict[str, tg.Treebank]) -> None:
    described = tg.describe(parts["test"], word_order=True, resamples=20)
    numbers, shares = described.tables()
    ratio = next(row.cells[1] for row in numbers.rows if row.cells[0].value == "DLM ratio")
    assert ratio.low is not None
    assert ratio.low <= ratio.value <= ratio.high
    assert numbers.data is shares.data
    assert all(0 <= row.cells[1].value <= 1 for row in shares.rows)


def test_many_parts_have_rows(parts: dict[str, tg.Treebank]) -> None:
    few = tg.describe(*[parts["test"][:5]] * MOST_COLUMNS)
    assert len(few.table().columns) == MOST_COLUMNS + 1
    many = tg.describe(*[parts["test"][:5]] * (MOST_COLUMNS + 1))
    assert len(many.table().rows) == MOST_COLUMNS + 1
    assert len(many.wide_table().columns) == MOST_COLUMNS + 2


def test_what_cannot_be_measured_is_a_warning(parts: dict[str, tg.Treebank]) -> None:
    with pytest.warns(EvaluationWarning, match="no (derivation )?perplexity"):
        described = describe_parts([TreebankPart(parts["test"][:1])], perplexity="kenlm")
    assert described.parts[0].perplexity is None
