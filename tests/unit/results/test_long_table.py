from __future__ import annotations

import os

import polars as pl
import pytest

from treegauge.results.long_table import (
    COLUMNS,
    ResultsError,
    long_table,
    read_long_table,
    write_long_table,
)

VALUES = {pl.String: "x", pl.Int64: 1, pl.Float64: 0.5}
ROW = {name: VALUES[kind] for name, (kind, _) in COLUMNS.items()}


def test_rows_have_an_order_of_their_own():
    rows = [{**ROW, "metric": metric, "seed": seed} for metric in "ba" for seed in (2, 1)]
    table = long_table(rows)
    assert table.select("metric", "seed").rows() == [("a", 1), ("a", 2), ("b", 1), ("b", 2)]
    assert table.equals(long_table(reversed(rows)))
    assert table.columns == list(COLUMNS)


def test_no_rows_are_a_table_too():
    assert long_table([]).schema == {name: kind for name, (kind, _) in COLUMNS.items()}


def test_a_table_comes_back_as_it_was_written(tmp_path):
    rows = [{**ROW, "value": float("nan"), "low": None, "reason": "not run", "system": "α|β\n"}]
    table = long_table(rows)
    write_long_table(table, tmp_path / "results.parquet")
    assert read_long_table(tmp_path / "results.parquet").equals(table)
    assert [path.name for path in tmp_path.iterdir()] == ["results.parquet"]


def test_folder_that_is_not_utf8_breaks_a_run(tmp_path):
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("this file system wants UTF-8")
    table = long_table([])
    write_long_table(table, folder / "results.parquet")
    assert read_long_table(folder / "results.parquet").equals(table)


def test_what_is_no_table_of_ours_is_refused(tmp_path):
    path = tmp_path / "results.parquet"
    with pytest.raises(ResultsError, match="there are no results yet"):
        read_long_table(path)
    path.write_bytes(b"nonsense")
    with pytest.raises(ResultsError, match="this is not a table of results"):
        read_long_table(path)
    long_table([ROW]).write_parquet(path)
    with pytest.raises(ResultsError, match="a table of schema unknown; this version of"):
        read_long_table(path)
    long_table([ROW]).write_parquet(path, metadata={"treegauge.schema": "99"})
    with pytest.raises(ResultsError, match="a table of schema 99; this version of treegauge reads"):
        read_long_table(path)


def test_a_table_that_cannot_be_written_leaves_nothing_behind(tmp_path, monkeypatch):
    path = tmp_path / "results.parquet"
    path.write_bytes(b"old")

    def full(_table, place, **_more):
        place.write(b"half")
        raise OSError("no space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(OSError, match="no space left"):
        write_long_table(long_table([ROW]), path)
    assert [(item.name, item.read_bytes()) for item in tmp_path.iterdir()] == [(path.name, b"old")]
