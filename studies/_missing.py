"""Which cells of an experiment have no scores in docs/data."""

from __future__ import annotations

from collections.abc import Collection

from treegauge.runs.cell import Cell
from treegauge.runs.planning import Plan


def missing_cells(plan: Plan, kept: Collection[str]) -> tuple[list[Cell], int]:
    """Return the cells of a plan that are not kept, and the number of cells of the plan.

    Where settings are tuned, only the scores of the chosen point are kept: all points are one cell,
    and the first point stands for it.

    Parameters
    ----------
    plan : Plan
        Of an experiment.
    kept : collection of str
        The keys of cells that have scores.
    """
    first: dict[tuple[object, ...], Cell] = {}
    kept_places = set()
    for cell in plan.cells:
        point = () if cell.choice.tuning else cell.point
        place = (cell.bank.name, cell.choice.label, cell.seed, point)
        first.setdefault(place, cell)
        if cell.key in kept:
            kept_places.add(place)
    missing = [cell for place, cell in first.items() if place not in kept_places]
    return missing, len(first)
