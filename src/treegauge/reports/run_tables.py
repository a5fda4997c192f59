"""Tables of a run: a row for every system, a column for every treebank, supervision apart.

One table has one track, one preset, one set of gold tags and one metric, so that all its numbers
have the same signature but for the data and for what a system learnt from; this is checked.
Within a table systems stand in groups by kind of supervision, and the best is sought (and set in
bold) within its group only. Published numbers stand in rows of their own under the system they
belong to; they are no part of any ranking.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from treegauge.metrics import METRICS, MetricSpec
from treegauge.reports.run_notes import table_notes
from treegauge.reports.run_published import may_stand_beside, published_rows
from treegauge.reports.run_rows import (
    AVERAGES,
    SUPERVISION,
    PublishedRow,
    Row,
    SystemRow,
    average_cells,
    place_of,
    row_as_dict,
    row_cells,
)
from treegauge.results import (
    TreebankScore,
    average,
    common_treebanks,
    treebank_score,
)
from treegauge.results.long_table import ResultsError
from treegauge.results.published import (
    PUNCTUATION,
)
from treegauge.runs.experiment import is_about
from treegauge.tables import (
    NUMBER,
    PERCENT,
    Cell,
    MetricHead,
    NumberFormat,
    Scores,
    SystemHead,
    Table,
    Value,
)
from treegauge.tables.scores import Place

_TRACKS = ("tags", "dependencies", "joint")
_TAGS = ("", "u", "u12", "c", "p")
_OF_DATA_AND_SYSTEM = (
    *("data", "fit_on", "induced", "tags_from", "reads", "longest_whole"),
    *("interval", "system"),
)
"""What may differ between the signatures of a table: the treebank, what a system learnt from, in
which column its tags are, beyond which length it parses a sentence in blocks, the kind of the
intervals, and the versions of a tool and its model."""

_NOT_RUN = "not part of the run"


@dataclass(frozen=True)
class RunTable:
    """All scores of a run under one metric in one track.

    Attributes
    ----------
    track, preset : str
        The track, and the preset of the conventions.
    tags : str
        The gold tags that induced tags are compared with; empty for other metrics.
    spec : MetricSpec
        The metric.
    signature : str
        What the signatures of all numbers have in common.
    treebanks : tuple of str
        The treebanks.
    common : tuple of str
        The treebanks for which all systems have a score.
    systems : tuple of SystemRow
        The scores of every system.
    published : tuple of PublishedRow
        Scores from papers.

    Examples
    --------
    >>> import tempfile, treegauge as tg
    >>> experiment = tg.Experiment.from_dict(
    ...     {"name": "small", "treebanks": ["toy:svo"], "systems": [{"system": "left-branching"}]}
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = tg.run(experiment, folder, workers=1)
    ...     (table,) = tg.report(folder, metrics=["uas"]).scores
    >>> table.title, len(table.to_table().rows)
    ('dependencies: UAS (preset pascal)', 1)
    >>> table.to_dict()["treebanks"], len(table.scores().cells)
    (['toy:svo'], 1)
    """

    track: str
    preset: str
    tags: str
    spec: MetricSpec
    signature: str
    treebanks: tuple[str, ...]
    common: tuple[str, ...]
    systems: tuple[SystemRow, ...]
    published: tuple[PublishedRow, ...] = ()

    @property
    def title(self) -> str:
        """The title of the table."""
        return title_of(self.track, self.preset, self.tags, self.spec)

    @property
    def other_punctuation(self) -> str:
        """What the paper did with punctuation, if the table does something else."""
        theirs = PUNCTUATION["tags" if self.tags else self.track]
        fields = dict(part.partition(":")[::2] for part in self.signature.split("|"))
        return "" if fields.get("punct", theirs) == theirs else theirs

    @cached_property
    def groups(self) -> list[tuple[str, list[Row]]]:
        """Rows by supervision; published ones follow the system that they belong to."""
        kinds = {row.supervision for row in self.systems}
        kinds |= {row.supervision for row in self.published}
        groups = []
        for kind in sorted(kinds, key=place_of(SUPERVISION)):
            rows: list[Row] = []
            for row in self.systems:
                if row.supervision == kind:
                    rows += [row, *(one for one in self.published if one.beside == row.system)]
            others = (one for one in self.published if not one.beside)
            rows += [one for one in others if one.supervision == kind]
            groups.append((kind, rows))
        return groups

    @property
    def format(self) -> NumberFormat:
        """How the numbers are shown."""
        return PERCENT if self.spec.metric.is_share else NUMBER

    @property
    def metric(self) -> MetricHead:
        """The metric as a dimension of scores; with the tags that it compares with."""
        against = (f":{self.tags}", f" ({self.tags})") if self.tags else ("", "")
        return MetricHead(
            str(self.spec) + against[0],
            self.spec.metric.title + self.spec.cut_off + against[1],
            self.format,
            self.spec.metric.higher_is_better,
            help=self.title,
        )

    def scores(self) -> Scores:
        """Return the scores by system and treebank. Averages follow the treebanks.

        Returns
        -------
        Scores
            Scores of which the best are marked.
        """
        averages = AVERAGES if len(self.treebanks) > 1 else ()
        systems: list[SystemHead] = []
        cells: dict[Place, Cell] = {}
        of_groups: dict[str, set[tuple[str, ...]]] = {}
        for kind, members in self.groups:
            for row in members:
                head = self._head(row)
                systems.append(head)
                own = row_cells(row, self.format)
                if averages:
                    expected = (len(self.treebanks), len(self.common))
                    own |= average_cells(row, self.format, expected)
                cells |= {(head.name, name, self.metric.key): cell for name, cell in own.items()}
                if isinstance(row, SystemRow) and row.available.treebanks:
                    of_groups.setdefault(kind, set()).add(row.available.treebanks)

        def is_comparable(group: str, treebank: str, _metric: str) -> bool:
            # Averages over different treebanks cannot be compared.
            return treebank != AVERAGES[0] or len(of_groups.get(group, ())) == 1

        scores = Scores(systems, (*self.treebanks, *averages), [self.metric], cells, averages)
        return scores.with_best(is_comparable)

    def _head(self, row: Row) -> SystemHead:
        is_published = isinstance(row, PublishedRow)
        about: dict[str, Value] = {
            "track": self.track,
            "preset": self.preset,
            "supervision": row.supervision,
            "system": row.counterpart if isinstance(row, PublishedRow) else row.system,
            "published": row.published.column if isinstance(row, PublishedRow) else None,
        }
        return SystemHead(
            row.label, row.supervision, published=is_published, note=row.remark, about=about
        )

    def to_table(self, *, intervals: bool | None = None) -> Table:
        """Return the scores as a table.

        Parameters
        ----------
        intervals : bool, optional
            Show confidence intervals. Default: only if there is one treebank.

        Returns
        -------
        Table
            A row per system, a column per treebank.
        """
        shows = len(self.treebanks) == 1 if intervals is None else intervals
        notes = table_notes(self, intervals=shows)
        (table,) = self.scores().tables("systems", "treebanks", title=self.title, notes=notes)
        return table if shows else table.without_intervals()

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as in JSON output.

        Returns
        -------
        dict
            What the table is about, and the scores in `rows`.
        """
        return {
            "track": self.track,
            "preset": self.preset,
            "tags": self.tags or None,
            "metric": str(self.spec),
            "higher_is_better": self.spec.metric.higher_is_better,
            "signature": self.signature,
            "treebanks": list(self.treebanks),
            "common_treebanks": list(self.common),
            "rows": [row_as_dict(row) for _, rows in self.groups for row in rows],
        }


def run_tables(
    results: pl.DataFrame,
    *,
    metrics: Sequence[str] = (),
    tracks: Sequence[str] = (),
    published: bool = True,
) -> list[RunTable]:
    """Return the tables of a run, track by track and metric by metric.

    Parameters
    ----------
    results : DataFrame
        The long table.
    metrics, tracks : sequence of str
        Only these; all when empty.
    published : bool
        Put published numbers beside ours.

    Raises
    ------
    ResultsError
        If numbers of one table were not made in the same way.
    """
    whole = results.filter(pl.col("by") == "")
    tables = []
    for key, rows in partition(whole, metrics, tracks):
        table = _run_table(*key, rows, published=published)
        if any(score.by_seed for row in table.systems for score in row.scores.values()):
            tables.append(table)
    return tables


def tables_without_values(
    results: pl.DataFrame, *, metrics: Sequence[str] = (), tracks: Sequence[str] = ()
) -> list[str]:
    """Return a line for every track and reason for which metrics have no value at all."""
    lines: dict[tuple[str, str], list[str]] = {}
    several = results["track"].n_unique() > 1
    for (track, _, _, spec), rows in partition(results.filter(pl.col("by") == ""), metrics, tracks):
        # What one track of several is not about, another one was asked for.
        if several and not is_about(spec.metric, track):
            continue
        if all(_is_missing(row["value"]) for row in rows):
            for reason in dict.fromkeys(row["reason"] for row in rows):
                lines.setdefault((track, reason), []).append(str(spec))
    return [
        f"{track}: no value of {', '.join(dict.fromkeys(names))}: {reason}"
        for (track, reason), names in lines.items()
    ]


Key = tuple[str, str, str, MetricSpec]
"""Track, preset, tags and metric: what one table has."""


def partition(
    results: pl.DataFrame, metrics: Sequence[str], tracks: Sequence[str]
) -> list[tuple[Key, list[dict[str, Any]]]]:
    """Return the rows of every table, tables in the order in which people look for them."""
    by_table: dict[Key, dict[tuple[Any, ...], dict[str, Any]]] = {}
    for row in results.iter_rows(named=True):
        if (metrics and row["metric"] not in metrics) or (tracks and row["track"] not in tracks):
            continue
        spec = MetricSpec.parse(row["metric"])
        tags = row["tags"] if spec.metric.family == "induced-tags" else ""
        rows = by_table.setdefault((row["track"], row["preset"], tags, spec), {})
        # Trees that were scored along with tags of several kinds are there several times.
        place = (row["treebank"], row["system"], row["seed"], row["by"], row["stratum"])
        rows.setdefault(place, row)
    names = list(METRICS)
    track_place, tags_place = place_of(_TRACKS), place_of(_TAGS)

    def place_of_table(key: Key) -> tuple[Any, ...]:
        track, preset, tags, spec = key
        metric = len(spec.cut_off), spec.cut_off, names.index(spec.name)
        return track_place(track), preset, tags_place(tags), *metric

    return [(key, list(by_table[key].values())) for key in sorted(by_table, key=place_of_table)]


def _run_table(
    track: str,
    preset: str,
    tags: str,
    spec: MetricSpec,
    rows: list[dict[str, Any]],
    *,
    published: bool,
) -> RunTable:
    signature = common_signature(row["signature"] for row in rows if row["signature"])
    treebanks = tuple(dict.fromkeys(row["treebank"] for row in rows))
    of_system: dict[str, list[dict[str, Any]]] = {}
    # By name: the order of rows is that of the first treebank, which a system may lack.
    for row in sorted(rows, key=lambda row: str(row["system"])):
        of_system.setdefault(row["system"], []).append(row)
    scores = {name: treebank_scores(own, treebanks) for name, own in of_system.items()}
    common = common_treebanks(scores)
    systems = tuple(
        SystemRow(
            name,
            own[0]["method"],
            own[0]["supervision"],
            json.loads(own[0]["settings"] or "{}"),
            own[0]["fit_on"],
            scores[name],
            average(scores[name]),
            average(scores[name], over=common),
        )
        for name, own in of_system.items()
    )
    table = RunTable(track, preset, tags, spec, signature, treebanks, common, systems)
    if not published or not may_stand_beside(table):
        return table
    return RunTable(
        track,
        preset,
        tags,
        spec,
        signature,
        treebanks,
        common,
        systems,
        tuple(published_rows(table)),
    )


def treebank_scores(
    rows: list[dict[str, Any]], treebanks: tuple[str, ...]
) -> dict[str, TreebankScore]:
    """Return a system's scores on all treebanks, also on those that it was not run on."""
    by_treebank: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_treebank.setdefault(row["treebank"], []).append(row)
    return {
        name: treebank_score(by_treebank[name])
        if name in by_treebank
        else TreebankScore({}, {_NOT_RUN: 1})
        for name in treebanks
    }


def common_signature(signatures: Iterable[str]) -> str:
    """Return what signatures have in common: all but the data and what a system learnt from.

    >>> common_signature(["uas|len:10|data:a#1|fit_on:train", "uas|len:10|data:b#2|fit_on:union"])
    'uas|len:10'

    Raises
    ------
    ResultsError
        If they differ in anything else: such numbers are not for one column.
    """
    shared = dict.fromkeys(
        "|".join(
            part for part in text.split("|") if part.partition(":")[0] not in _OF_DATA_AND_SYSTEM
        )
        for text in signatures
    )
    if len(shared) > 1:
        first, second, *_ = shared
        raise ResultsError(
            f"scores with different signatures cannot be in one table:\n  {first}\n"
            f"  {second}\n  score the run again, all of it, with one version of treegauge"
        )
    return next(iter(shared), "")


def title_of(track: str, preset: str, tags: str, spec: MetricSpec) -> str:
    """Return what a table is about, with an arrow where lower is better."""
    arrow = "" if spec.metric.higher_is_better else " ↓"
    against = f" against {tags}" if tags else ""
    return f"{track}: {spec.metric.title}{spec.cut_off}{arrow}{against} (preset {preset})"


def _is_missing(value: float | None) -> bool:
    return value is None or math.isnan(value)
