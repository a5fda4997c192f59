from __future__ import annotations

import json

import pytest

from tests.unit.tables.test_table import SCORES
from treegauge.reports.rendering import RENDERERS, render
from treegauge.tables import Table


@pytest.mark.parametrize("format", [*RENDERERS, "json", "table"])
def test_every_format_shows_the_same_numbers(format: str) -> None:
    rendered = render([SCORES], format)
    is_data = format in ("json", "tsv", "csv")
    assert ("0.70001" if is_data else "70.00") in rendered


def test_several_tables_stand_below_each_other() -> None:
    assert render([SCORES, SCORES], "tsv") == f"{SCORES.to_tsv()}\n{SCORES.to_tsv()}"


def test_json_of_tables_is_json() -> None:
    assert json.loads(render([SCORES], "json"))["tables"][0]["title"] == "T"


def test_tables_of_the_same_data_are_one_in_tsv() -> None:
    turned = Table(["name", "ours"], [["uas", 0.5]], data=SCORES)
    again = Table(["name", "uas"], [["ours", 0.5]], data=SCORES)
    assert render([turned, again], "tsv") == SCORES.to_tsv()
    assert render([turned, again], "markdown").count("| :-- |") == 2
