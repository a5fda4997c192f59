"""Sources for treebanks of other languages, chosen from numbers made by hand."""

from __future__ import annotations

import polars as pl
import pytest

from treegauge.papers.word_order.tables import transfer_tables
from treegauge.papers.word_order.transfer import choose_sources, nearness_and_accuracy

TRANSFERRED = pl.DataFrame(
    [
        ("da", "sv", "right", 0.1, 0.5),
        ("da", "fi", "original", 0.2, 0.4),
        ("da", "sv", "original", 0.3, 0.7),
        ("da", "fi", "left", 0.4, 0.8),
        ("da", "da", "original", None, 0.9),
        ("eu", "eu", "original", None, 0.6),
    ],
    schema=("target", "source", "order", "divergence", "uas"),
    orient="row",
)


def test_the_nearest_and_the_best_natural_or_not():
    chosen = {
        way: row and (row["source"], row["order"], row["uas"])
        for way, row in choose_sources(TRANSFERRED, "da").items()
    }
    assert chosen == {
        "nearest": ("sv", "right", 0.5),
        "nearest natural": ("fi", "original", 0.4),
        "best natural": ("sv", "original", 0.7),
        "best of all": ("fi", "left", 0.8),
        "own": ("da", "original", 0.9),
    }
    assert choose_sources(TRANSFERRED, "eu")["nearest"] is None


def test_nearness_and_accuracy():
    # Of six pairs of sources, the nearer one is better in one.
    assert nearness_and_accuracy(TRANSFERRED, "da") == pytest.approx((1 - 5) / 6)
    assert nearness_and_accuracy(TRANSFERRED, "eu") is None


def test_tables_name_sources_and_keep_numbers():
    by_target, means = transfer_tables(TRANSFERRED)
    shown = [by_target.cell_text(cell, j) for j, cell in enumerate(by_target.rows[0].cells)]
    assert shown[:3] == ["da", "50.0 (sv, right)", "40.0 (fi)"]
    assert shown[-2:] == ["90.0", "-0.67"]
    assert by_target.to_polars().height == TRANSFERRED.height
    assert [row.cells[1].value for row in means.rows] == [
        *(0.5, 0.4, 0.7, 0.8),
        pytest.approx(0.75),
    ]
