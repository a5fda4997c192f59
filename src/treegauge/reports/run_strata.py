"""Scores of a run by stratum: averaged over treebanks, and treebank by treebank."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from treegauge.metrics import MetricSpec
from treegauge.reports.run_rows import AVERAGES, SUPERVISION, place_of
from treegauge.reports.run_tables import common_signature, partition, title_of, treebank_scores
from treegauge.results import Average, TreebankScore, average, common_treebanks
from treegauge.results.long_table import ResultsError
from treegauge.tables import NUMBER, PERCENT, Cell, Table, Value, best_places, data_table


@dataclass(frozen=True)
class StratumTable:
    """Scores of a run by stratum: of one treebank, or averaged over all.

    Attributes
    ----------
    track, preset : str
        The track, and the preset of the conventions.
    tags : str
        The gold tags that induced tags are compared with; empty for other metrics.
    spec : MetricSpec
        The metric.
    by : str
        The property of words or sentences.
    treebank : str
        The treebank; empty for the average over the treebanks for which all systems have a score.
    signature : str
        What the signatures of all numbers have in common.
    systems : mapping
        The supervision of every system.
    cells : mapping
        By stratum and system, the mean: over seeds, or over treebanks.
    sizes : mapping
        By stratum, the number of words, or of treebanks in an average.

    Examples
    --------
    >>> means = {name: Average(0.3, None, ("toy:svo",)) for name in ("dmv", "evg")}
    >>> table = StratumTable(
    ...     *("dependencies", "pascal", "", MetricSpec("uas"), "direction", "toy:svo", "uas|..."),
    ...     *(dict.fromkeys(means, "unsupervised"), {"left": means}, {"left": 7000}),
    ... )
    >>> len(table.to_table().rows), table.to_dict()["by"], len(list(table.records()))
    (1, 'direction', 2)
    """

    track: str
    preset: str
    tags: str
    spec: MetricSpec
    by: str
    treebank: str
    signature: str
    systems: Mapping[str, str]
    cells: Mapping[str, Mapping[str, Average]]
    sizes: Mapping[str, int]

    def to_table(self) -> Table:
        """Return the scores as a table.

        Returns
        -------
        Table
            A row per stratum. Systems with the same supervision are next to each other.
        """
        format = PERCENT if self.spec.metric.is_share else NUMBER
        better = self.spec.metric.higher_is_better
        groups = self._groups()
        names = [name for members in groups.values() for name in members]
        rows = []
        for stratum, means in self.cells.items():
            row = [Cell(stratum)]
            for members in groups.values():
                own = [means.get(name, _NOTHING) for name in members]
                values = [mean.value for mean in own]
                tops = best_places(values, format, higher_is_better=better)
                row += [
                    Cell(mean.value, deviation=mean.deviation, best=i in tops, format=format)
                    for i, mean in enumerate(own)
                ]
            rows.append([*row, Cell(self.sizes[stratum])])
        about = title_of(self.track, self.preset, self.tags, self.spec)
        where = self.treebank or "average over treebanks"
        kinds = [f"{kind}: {', '.join(members)}" for kind, members in groups.items()]
        return Table(
            [self.by, *names, "n" if self.treebank else "treebanks"],
            rows,
            title=f"{about} by {self.by}, {where}",
            notes=[*kinds, f"signature: {self.signature}"],
            data=data_table(self.records()),
        )

    def _groups(self) -> dict[str, list[str]]:
        kinds = sorted(set(self.systems.values()), key=place_of(SUPERVISION))
        return {kind: [name for name, own in self.systems.items() if own == kind] for kind in kinds}

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as in JSON output.

        Returns
        -------
        dict
            What the table is about, and the scores in `strata`.
        """
        return {
            "track": self.track,
            "preset": self.preset,
            "tags": self.tags or None,
            "metric": str(self.spec),
            "by": self.by,
            "treebank": self.treebank or None,
            "signature": self.signature,
            "supervision": dict(self.systems),
            "strata": [
                {
                    "stratum": stratum,
                    "treebanks" if not self.treebank else "n": self.sizes[stratum],
                    "systems": {
                        name: {"value": cell.value, "deviation": cell.deviation}
                        for name, cell in cells.items()
                    },
                }
                for stratum, cells in self.cells.items()
            ],
        }

    def records(self) -> Iterator[tuple[Mapping[str, Value], str, Cell]]:
        """Give what a number is about, its metric and its cell, for `data_table`.

        Yields
        ------
        (mapping, str, Cell)
            The columns of data that say what it is about, the metric, and the cell.
        """
        metric = str(self.spec) + (f":{self.tags}" if self.tags else "")
        for stratum, means in self.cells.items():
            for name, mean in means.items():
                about: dict[str, Value] = {
                    "track": self.track,
                    "preset": self.preset,
                    "supervision": self.systems[name],
                    "system": name,
                    "published": None,
                    "treebank": self.treebank or AVERAGES[1],
                    "by": self.by,
                    "stratum": stratum,
                }
                n = self.sizes[stratum]
                yield about, metric, Cell(mean.value, deviation=mean.deviation, n=n)


_NOTHING = Average(None, None, ())


def stratum_tables(
    results: pl.DataFrame, by: str, *, metrics: Sequence[str] = (), tracks: Sequence[str] = ()
) -> list[StratumTable]:
    """Return scores by stratum: averaged over treebanks, then treebank by treebank.

    Raises
    ------
    ResultsError
        If the run was not scored by this stratum.
    """
    chosen = results.filter(pl.col("by") == by)
    if chosen.is_empty():
        known = [name for name in results["by"].unique().sort() if name]
        there = f"it has {', '.join(known)}" if known else "it has no strata"
        raise ResultsError(
            f"the run was not scored by {by}; {there}\n"
            f'  write by = ["{by}"] into the experiment and run it again: no cell is redone'
        )
    tables: list[StratumTable] = []
    for (track, preset, tags, spec), rows in partition(chosen, metrics, tracks):
        signature = common_signature(row["signature"] for row in rows if row["signature"])
        systems = {row["system"]: row["supervision"] for row in rows}
        treebanks = tuple(dict.fromkeys(row["treebank"] for row in rows))
        strata = sorted({row["stratum"] for row in rows}, key=_natural)
        scores = _scores_by_stratum(rows, treebanks)
        about = (track, preset, tags, spec, by)
        if len(treebanks) > 1:
            cells, sizes = {}, {}
            for stratum in strata:
                common = common_treebanks(scores[stratum])
                cells[stratum] = {
                    name: average(own, over=common) for name, own in scores[stratum].items()
                }
                sizes[stratum] = len(common)
            tables.append(StratumTable(*about, "", signature, systems, cells, sizes))
        for treebank in treebanks:
            cells, sizes = {}, {}
            for stratum in strata:
                own = {name: of[treebank] for name, of in scores[stratum].items() if treebank in of}
                if any(score.by_seed for score in own.values()):
                    cells[stratum] = {
                        name: average({treebank: score}) for name, score in own.items()
                    }
                    sizes[stratum] = max(score.n for score in own.values())
            tables.append(StratumTable(*about, treebank, signature, systems, cells, sizes))
    return tables


def _scores_by_stratum(
    rows: list[dict[str, Any]], treebanks: tuple[str, ...]
) -> dict[str, dict[str, dict[str, TreebankScore]]]:
    """Return scores by stratum, system and treebank."""
    grouped: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for row in rows:
        grouped.setdefault(row["stratum"], {}).setdefault(row["system"], []).append(row)
    return {
        stratum: {name: treebank_scores(own, treebanks) for name, own in of_systems.items()}
        for stratum, of_systems in grouped.items()
    }


def _natural(name: str) -> list[tuple[bool, int, str]]:
    """Return a sorting key that puts 2 before 10 and numbers before words."""
    return [
        (not part.isdigit(), int(part) if part.isdigit() else 0, part)
        for part in re.findall(r"\d+|\D+", name)
    ]
