"""The report of a run: what it cost, and tables of every track and metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treegauge.reports.run_facts import RunFacts, run_facts
from treegauge.reports.run_notes import table_notes
from treegauge.reports.run_published import sources_table
from treegauge.reports.run_strata import StratumTable, stratum_tables
from treegauge.reports.run_tables import (
    RunTable,
    run_tables,
    tables_without_values,
)
from treegauge.results.long_table import ResultsError, read_long_table
from treegauge.runs import RunFolder
from treegauge.tables import Scores, Table, choose_columns, data_table

if TYPE_CHECKING:
    import polars as pl

    from treegauge.reports.pages import Page, RunAnnotations


@dataclass(frozen=True)
class RunReport:
    """The results of a run; made by `report`. It prints as tables.

    Attributes
    ----------
    folder : RunFolder
        The folder of the run.
    results : polars.DataFrame
        The long table of the run, complete.
    facts : RunFacts
        Systems, treebanks, costs and failures.
    scores : sequence of RunTable
        The tables of scores.
    strata : sequence of StratumTable
        The tables by stratum.
    without_values : sequence of str
        What was asked for and has no value at all.
    by : sequence of str
        The strata that were asked for.

    Examples
    --------
    >>> import tempfile, treegauge as tg
    >>> from treegauge.reports.pages.run_annotations import run_annotations
    >>> experiment = tg.Experiment.from_dict(
    ...     {"name": "small", "treebanks": ["toy:svo"], "systems": [{"system": "left-branching"}]}
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = tg.run(experiment, folder, workers=1)
    ...     report = tg.report(folder, metrics=["uas"])
    ...     annotations = run_annotations(report.results, report.folder, tg.Catalogue())
    >>> report.page(annotations, trials=100).to_html()[:15]
    '<!doctype html>'
    >>> report.to_polars()["treebank"].to_list()
    ['toy:svo']
    >>> len(report.tables()), len(report.table().rows), len(report.to_dict()["tables"])
    (2, 1, 1)
    """

    folder: RunFolder
    results: pl.DataFrame
    facts: RunFacts
    scores: Sequence[RunTable]
    strata: Sequence[StratumTable]
    without_values: Sequence[str]
    by: Sequence[str] = ()

    def tables(
        self,
        rows: str = "systems",
        columns: Sequence[str] = (),
        *,
        intervals: bool | None = None,
    ) -> list[Table]:
        """Return all tables: costs, scores, strata, sources of published numbers.

        Parameters
        ----------
        rows : "systems", "treebanks" or "metrics"
            What the rows of the tables of scores are.
        columns : sequence of str
            Only these columns of scores. Default: all.
        intervals : bool, optional
            Show confidence intervals. Default: only if there is one treebank.

        Returns
        -------
        list of Table
            The tables.
        """
        facts = self.facts.to_table()
        scores = self._score_tables(rows, intervals)
        scores += [one.to_table() for one in self.strata]
        sources = sources_table(self.scores)
        return [
            replace(facts, notes=(*facts.notes, *self.without_values)),
            *choose_columns(scores, columns),
            *([sources] if sources is not None else []),
        ]

    def table(self) -> Table:
        """Return the first table of scores.

        Returns
        -------
        Table
            The facts of the run if there are no scores.
        """
        return (self._score_tables("systems", None) or [self.facts.to_table()])[0]

    def _score_tables(self, rows: str, intervals: bool | None) -> list[Table]:
        if rows == "systems":
            return [one.to_table(intervals=intervals) for one in self.scores]
        turned: list[Table] = []
        for title, own in self._turned(rows).items():
            shows = len(own[0].treebanks) == 1 if intervals is None else intervals
            notes = dict.fromkeys(n for one in own for n in table_notes(one, intervals=shows))
            scores = Scores.joined([one.scores() for one in own])
            tables = scores.tables(rows, "systems", title=title, notes=list(notes), sizes=True)
            turned += [table if shows else table.without_intervals() for table in tables]
        return turned

    def _turned(self, rows: str) -> dict[str, list[RunTable]]:
        """Return the tables that become one, or one for each treebank, by their title."""
        if rows == "treebanks":
            return {one.title: [one] for one in self.scores}
        together: dict[str, list[RunTable]] = {}
        for one in self.scores:
            together.setdefault(f"{one.track} (preset {one.preset})", []).append(one)
        return together

    @cached_property
    def data(self) -> Table:
        """The numbers as in TSV, CSV and data frames: one row per system and treebank."""
        scores = (one.scores().records() for one in self.scores)
        strata = (one.records() for one in self.strata)
        return data_table(chain.from_iterable(chain(scores, strata)))

    def to_polars(self) -> pl.DataFrame:
        """Return the numbers as a data frame.

        Returns
        -------
        polars.DataFrame
            One row per system and treebank. Shares are between 0 and 1.
        """
        return self.data.to_polars()

    def to_dict(self) -> dict[str, Any]:
        """Return the report as in JSON output.

        Returns
        -------
        dict
            `run`, `tables`, `strata` and `without_values`.
        """
        return {
            "schema": 1,
            "run": self.facts.to_dict(),
            "tables": [one.to_dict() for one in self.scores],
            "strata": [one.to_dict() for one in self.strata],
            "without_values": list(self.without_values),
        }

    def page(
        self,
        annotations: RunAnnotations,
        *,
        command: str = "",
        run_command: str = "",
        trials: int = 10_000,
        on_progress: Callable[[float], None] | None = None,
    ) -> Page:
        """Return the report as a web page.

        Parameters
        ----------
        annotations : RunAnnotations
            The outputs of the systems beside gold, from `run_annotations`.
        command : str
            The command that reproduces the page.
        run_command : str
            The command that reproduces the run, if it was not `treegauge run`.
        trials : int
            Trials of the tests between systems.
        on_progress : callable, optional
            Called with the share of the work that is done.

        Returns
        -------
        Page
            Its `to_html()` is the content of one file that needs no other file.
        """
        from treegauge.reports.pages import make_run_page

        return make_run_page(
            self,
            annotations,
            command=command,
            run_command=run_command,
            trials=trials,
            on_progress=on_progress,
        )

    def __str__(self) -> str:
        return "\n".join(map(str, self.tables()))

    def _repr_html_(self) -> str:
        from treegauge.reports.rendering import render

        return render(self.tables(), "html")


def report(
    folder: str | Path,
    *,
    metrics: Sequence[str] = (),
    tracks: Sequence[str] = (),
    by: Sequence[str] = (),
    published: bool = True,
) -> RunReport:
    """Return the results of a run.

    Parameters
    ----------
    folder : str or path
        The folder of the run.
    metrics : sequence of str
        Only these metrics or families. Default: all.
    tracks : sequence of str
        Only these of `tags`, `dependencies` and `joint`. Default: all.
    by : sequence of str
        Strata that the run was scored by: adds tables by them.
    published : bool
        Show published numbers beside the numbers of the run.

    Returns
    -------
    RunReport
        Costs and tables of scores. It prints as tables.

    Raises
    ------
    ResultsError
        If there is no run in the folder, or the run lacks what was asked for.

    Examples
    --------
    >>> import tempfile, treegauge as tg
    >>> experiment = tg.Experiment.from_dict(
    ...     {"name": "small", "treebanks": ["toy:svo"], "systems": [{"system": "left-branching"}]}
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = tg.run(experiment, folder, workers=1)
    ...     tg.report(folder, metrics=["uas"]).to_polars()["system"].to_list()
    ['left-branching']
    """
    place = RunFolder(folder)
    results = _results(place)
    known = _known_metrics(metrics, results)
    _check_tracks(tracks, results)
    _check_strata(by)
    return RunReport(
        place,
        results,
        run_facts(results, place.record, place.planned, place.broken),
        run_tables(results, metrics=known, tracks=tracks, published=published),
        [
            table
            for name in by
            for table in stratum_tables(results, name, metrics=known, tracks=tracks)
        ],
        tables_without_values(results, metrics=known, tracks=tracks),
        by,
    )


def _results(place: RunFolder) -> pl.DataFrame:
    path = place.path
    if not path.exists():
        raise ResultsError(f"{path}: no such folder")
    if not path.is_dir():
        if path.suffix == ".toml":
            advice = f"a run of it is in a folder such as runs/{path.stem}"
        elif path.parent.joinpath("results.parquet").exists():
            advice = f"name the folder of the run: {path.parent}"
        else:
            advice = "name the folder of a run, which `treegauge run` prints at its end"
        raise ResultsError(f"{path}: this is a file, but a run is a folder\n  {advice}")
    if not place.results.exists():
        if place.is_there:
            raise ResultsError(
                f"{path}: this run has no results yet: it is not finished\n"
                "  `treegauge run` continues it"
            )
        raise ResultsError(
            f"{path}: this is not the folder of a run: it has no results.parquet\n"
            "  `treegauge run EXPERIMENT.toml` makes one"
        )
    results = read_long_table(place.results)
    if results.is_empty():
        raise ResultsError(f"{path}: the table of results is empty")
    return results


def _known_metrics(texts: Sequence[str], results: pl.DataFrame) -> list[str]:
    """Return metrics that the run has; families are those of their metrics that it has."""
    from treegauge.metrics import FAMILIES, parse_specs

    known = results["metric"].unique().sort().to_list()
    chosen = []
    for text in texts:
        specs = [str(spec) for spec in parse_specs([text])]
        there = [name for name in specs if name in known]
        if not there:
            what = "no metric of" if text.strip().partition("@")[0] in FAMILIES else "no"
            raise ResultsError(
                f"the run has {what} {text.strip()}; it has {', '.join(known)}\n"
                "  add metrics to the experiment and run it again: finished cells are only "
                "scored again"
            )
        chosen += there
    return chosen


def _check_tracks(tracks: Sequence[str], results: pl.DataFrame) -> None:
    from treegauge.wording import did_you_mean

    known = results["track"].unique().sort().to_list()
    for track in tracks:
        if track not in known:
            raise ResultsError(
                f"the run has no track {track!r}{did_you_mean(track, known)}\n"
                f"  it has {', '.join(known)}"
            )


def _check_strata(by: Sequence[str]) -> None:
    """Say that there is no such stratum at all, before saying that the run lacks it."""
    from treegauge.strata import find_stratum

    for name in (name for one in by for name in one.split("*")):
        find_stratum(name)
