"""The document of experiments names every column, every key and every file there is."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields
from pathlib import Path

from treegauge.results.long_table import COLUMNS, MEASURED, SCHEMA_VERSION
from treegauge.runs import run_folder
from treegauge.runs.experiment_file import (
    ExperimentTable,
    ScoresTable,
    SystemTable,
    TuningTable,
)

DOCUMENT = Path(__file__).parents[3] / "docs" / "experiments.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")


def columns_table() -> str:
    """The table as it has to stand in the document."""
    rows = [f"| `{name}` | {kind} | {meaning} |" for name, (kind, meaning) in COLUMNS.items()]
    return "\n".join(["| column | type | meaning |", "| :-- | :-- | :-- |", *rows])


def test_every_column_is_explained():
    found = re.search(r"<!-- the columns of .*? -->\n(.*?)\n<!-- end -->", TEXT, re.DOTALL)
    assert found is not None
    assert found[1] == columns_table()
    assert f"in the file's metadata, now {SCHEMA_VERSION})" in TEXT
    assert "All columns but " + " and ".join(f"`{name}`" for name in MEASURED) in TEXT


def test_every_key_is_explained():
    tables = (ExperimentTable, ScoresTable, SystemTable, TuningTable)
    keys = [field.name for table in tables for field in fields(table)]
    assert len(keys) > 15
    for key in keys:
        assert f"`{key}`" in TEXT or f"{key} = " in TEXT, key


def test_every_file_is_explained():
    for line in inspect.getdoc(run_folder).splitlines():
        if line.startswith("    "):
            name = line.split()[0]
            assert re.search(rf"^      {re.escape(name)} ", TEXT, re.MULTILINE), name
