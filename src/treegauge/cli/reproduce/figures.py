"""Figures of papers, written beside the runs that they show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from treegauge.cli import console


def write_figures(figures: Mapping[Path, Callable[[], Any]]) -> None:
    """Draw and write figures as SVG; where drawing is not installed, say so and go on."""
    from treegauge.reports.errors import FigureError
    from treegauge.reports.figures import draw

    for target, make in figures.items():
        try:
            drawn = draw(make(), "svg")
        except FigureError as error:
            console.say(f"no figures: {error}", style="yellow")
            return
        target.write_bytes(drawn)
        console.say(f"wrote {target}")
