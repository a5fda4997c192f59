"""Scores of a run by edge length and sentence length, kept ones or those of annotations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

import polars as pl

from treegauge.errors import TreegaugeError
from treegauge.evaluation import StratumScore
from treegauge.reports.pages.annotations import Annotations
from treegauge.reports.run_strata import stratum_tables
from treegauge.reports.run_tables import RunTable

ByTreebank = dict[str, dict[str, list[StratumScore]]]
"""Scores by stratum, of every treebank and system."""


def own_strata(
    annotations: Annotations, table: RunTable, by: str
) -> dict[str, list[StratumScore]] | None:
    """Return the scores of a treebank's systems by stratum, if its annotations give them."""
    if by == "edge_length" and not annotations.gold.has_heads:
        return None
    try:
        return annotations.strata(by, table.spec, resamples=0)
    except TreegaugeError:
        return None


def kept_strata(results: pl.DataFrame, table: RunTable, by: str) -> ByTreebank:
    """Return the scores by stratum that the run has; none if it was not scored by it."""
    if results.filter(pl.col("by") == by).is_empty():
        return {}
    tables = stratum_tables(results, by, metrics=[str(table.spec)], tracks=[table.track])
    return {
        one.treebank: {
            system: [
                StratumScore(stratum, cells[system].value, None, None, one.sizes[stratum])
                for stratum, cells in one.cells.items()
                if system in cells
            ]
            for system in one.systems
        }
        for one in tables
        if one.treebank and one.preset == table.preset and one.tags == table.tags
    }


def mean_strata(
    of_treebanks: Mapping[str, Mapping[str, Sequence[StratumScore]]],
) -> dict[str, list[StratumScore]]:
    """Return the mean over treebanks, stratum by stratum; n is the sum.

    >>> one = {"a": {"ours": [StratumScore("1", 0.5, None, None, 10)]}}
    >>> two = {"b": {"ours": [StratumScore("1", 1.0, None, None, 30)]}}
    >>> mean_strata({**one, **two})["ours"][0]
    StratumScore(stratum='1', value=0.75, low=None, high=None, n=40)
    """
    collected: dict[str, dict[str, list[StratumScore]]] = {}
    order: dict[str, None] = {}
    longest = max(
        (cells for own in of_treebanks.values() for cells in own.values()), key=len, default=[]
    )
    for cell in longest:
        order[cell.stratum] = None
    for own in of_treebanks.values():
        for system, cells in own.items():
            for cell in cells:
                order.setdefault(cell.stratum, None)
                collected.setdefault(system, {}).setdefault(cell.stratum, []).append(cell)
    means: dict[str, list[StratumScore]] = {}
    for system, strata in collected.items():
        means[system] = []
        for stratum in order:
            values = [cell.value for cell in strata.get(stratum, []) if cell.value is not None]
            if values:
                n = sum(cell.n for cell in strata[stratum])
                means[system].append(StratumScore(stratum, fmean(values), None, None, n))
    return means
