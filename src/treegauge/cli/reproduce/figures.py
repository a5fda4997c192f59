"""Figures of papers, written beside the runs that they show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from treegauge.cli import console

if TYPE_CHECKING:
    from treegauge.reports.charts import Figure


def write_figures(figures: Mapping[Path, Callable[[], Figure]]) -> None:
    """Draw and write figures."""
    from treegauge.reports import save_figure

    for target, make in figures.items():
        save_figure(make(), target)
        console.say(f"wrote {target}")
