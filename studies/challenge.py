"""The challenge on grammar induction: what was measured of it, kept in docs/data.

    python -m studies.challenge --measure [SYSTEM...]
    python -m studies.challenge [RUN]

The first runs `treegauge reproduce pascal --systems all` in `runs/pascal`, but for the systems and
treebanks that are kept and that the code of today would measure in the same way. Interrupt it at
any time: what is finished is kept, and the next call does the rest, on any machine. Names of
systems, as the tables have them (`hmm*`), restrict it to these.

The second keeps what `runs/pascal`, or the folder that is named, has, finished or not. All scores
are added to `docs/data/pascal.tsv.gz` and `pascal-penn.tsv.gz`, as `studies.measured` does it for
studies. What else the tables of the paper need is added to `docs/data/pascal`: treebanks, scores
against several references, and what every cell took. Pages show the systems that are finished on
all treebanks, and name the others.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

import polars as pl
from typer import Exit

from studies import measured, reproduced
from studies._missing import missing_cells
from treegauge.catalogue import Catalogue
from treegauge.cli.papers import prepare
from treegauge.cli.running import RunOptions, run_experiment
from treegauge.papers import find_paper
from treegauge.papers.paper import Frames, Measurements
from treegauge.papers.pascal.measure import Part, of_treebank, parts_of, read_challenge
from treegauge.papers.pascal.penn import PENN
from treegauge.papers.pascal.scores import run_scores
from treegauge.papers.pascal.settings import PascalSettings
from treegauge.reports.run_facts import RunFacts, run_facts
from treegauge.runs import Experiment, ExperimentError, RunFolder
from treegauge.runs.experiment_text import with_source
from treegauge.runs.planning import make_plan
from treegauge.runs.run_folder import CellRecord, PlannedCell
from treegauge.settings import read_settings

NAME = reproduced.CHALLENGE
LONG_TABLES = {"results": NAME, "penn": f"{NAME}-penn"}
"""Frames with a row for every score, and the tables in docs/data that these are added to."""
CELLS = "cells"
"""The frame with a row for every cell of the challenge, and of the Penn sample."""
_PLACE = ("track", "system", "treebank", "seed", "point")
_REFERENCES = ("treebank", "how", "reference", "system")
KEYS = {
    "treebanks": ("treebank", "part"),
    "penn_treebank": ("treebank", "part"),
    "references": _REFERENCES,
    "generalised": _REFERENCES,
    CELLS: _PLACE,
}
"""What tells rows of frames apart."""
_SCORES = "scores"
"""The frame that follows from others."""
_CELLS_SCHEMA = {
    **dict.fromkeys(("key", "track", "system", "supervision", "treebank"), pl.String),
    "seed": pl.Int64,
    **dict.fromkeys(("point", "status", "message", "flaws"), pl.String),
    **dict.fromkeys(("seconds", "elapsed", "peak_memory", "compiling"), pl.Float64),
}


def main() -> None:
    """Measure what is missing, or keep what a run has."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("run", nargs="?", type=Path, default=measured.RUNS / NAME)
    chosen.add_argument("--measure", nargs="*", metavar="SYSTEM")
    arguments = parser.parse_args()
    if arguments.measure is None:
        keep_run(arguments.run)
        return
    try:
        measure(arguments.measure or ["*"])
    except Exit as stopped:
        sys.exit(stopped.exit_code)


def measure(patterns: Sequence[str] = ("*",)) -> None:
    """Run what is not kept of the systems with these names, and keep it, even if interrupted."""
    paper = find_paper(NAME)
    asked = read_settings(paper.settings_type, reproduced.REPRODUCTIONS[NAME].settings, place=NAME)
    folder = measured.RUNS / NAME
    settings, workbench = prepare(paper, asked, folder)
    parts, _ = parts_of(settings, workbench)
    planned = {
        part.inner: [cell.planned for cell in make_plan(part.experiment, part.catalogue).cells]
        for part in parts
    }
    for part in parts:
        for experiment in missing_experiments(part, patterns, kept_cells()):
            run = partial(
                run_experiment, with_source(experiment), str(folder / part.inner), part.catalogue
            )
            try:
                run(RunOptions())
            except Exit:  # after Ctrl-C
                run(RunOptions(score_only=True))
                raise
            finally:
                cells = [cells_of(RunFolder(folder / inner), own) for inner, own in planned.items()]
                keep(read_challenge(settings, folder, workbench.catalogue), pl.concat(cells))


def missing_experiments(
    part: Part, patterns: Sequence[str], kept: Collection[str]
) -> Iterator[Experiment]:
    """Give experiments that together contain what is missing of a part of the challenge.

    Each has the systems that are missing on the same treebanks.
    """
    missing, _ = missing_cells(make_plan(part.experiment, part.catalogue), kept)
    treebanks: dict[str, tuple[str, ...]] = {}
    for cell in missing:
        label = cell.choice.label
        if any(fnmatchcase(label, pattern) for pattern in patterns):
            treebanks[label] = tuple(dict.fromkeys((*treebanks.get(label, ()), cell.bank.name)))
    for names in dict.fromkeys(treebanks.values()):
        systems = tuple(one for one in part.experiment.systems if treebanks.get(one.label) == names)
        yield replace(part.experiment, treebanks=names, systems=systems)


def kept_cells() -> set[str]:
    """Return the keys of all cells that were run and kept."""
    tables = [measured.results_of(table) for table in LONG_TABLES.values()]
    return {key for table in tables if table is not None for key in table["cell"]}


def keep_run(folder: Path) -> None:
    """Keep what a run has."""
    if not (folder / "experiment.toml").exists():
        sys.exit(f"{folder}: no run of the challenge")
    experiment = Experiment.from_toml(folder / "experiment.toml")
    settings = PascalSettings(experiment.treebanks, fit_on=experiment.systems[0].fit_on)
    try:
        run = read_challenge(settings, folder, Catalogue.from_environment())
    except ExperimentError as error:
        sys.exit(str(error))
    place = RunFolder(folder)
    keep(run, cells_of(place, place.planned))


def keep(challenge: Measurements[PascalSettings], cells: pl.DataFrame) -> None:
    """Add what a run of the challenge measured to what is kept.

    Parameters
    ----------
    challenge : Measurements
        What was measured.
    cells : DataFrame
        The cells of the challenge, also those that are still to be run (`cells_of`).
    """
    for frame, table in LONG_TABLES.items():
        if frame in challenge.frames:
            measured.add(table, challenge.frames[frame])
    left = {
        name: frame
        for name, frame in challenge.frames.items()
        if name not in (*LONG_TABLES, _SCORES)
    }
    before = reproduced.kept(NAME)
    if before is not None:
        # What was run once is not undone by a run that has not come to it yet.
        run = before.frames[CELLS].filter(pl.col("status") != "")
        cells = pl.concat([cells.filter(status=""), run, cells.filter(pl.col("status") != "")])
        cells = cells.unique(_PLACE, keep="last", maintain_order=True)
    small = replace(challenge, frames={**left, CELLS: cells})
    reproduced.keep(NAME, small, cells["seconds"].sum(), KEYS)


def kept() -> Measurements[PascalSettings] | None:
    """Return what was measured of systems that are finished; None where there are none."""
    challenge = reproduced.kept(NAME)
    if challenge is None:
        return None
    tables = {frame: measured.results_of(table) for frame, table in LONG_TABLES.items()}
    long_tables = {frame: table for frame, table in tables.items() if table is not None}
    frames: Frames = {**challenge.frames, **long_tables}
    results = frames["results"].filter(~pl.col("system").is_in(unfinished(challenge)))
    if results.is_empty():
        return None
    frames["results"] = results
    relations = frames.get("penn", of_treebank(results, challenge.settings.show))
    scores = run_scores(results, frames["references"], relations)
    return replace(challenge, frames={**frames, _SCORES: scores})


def unfinished(challenge: Measurements[PascalSettings], *, on_penn: bool = False) -> list[str]:
    """Return the systems with cells that were not run yet, those of one part of the challenge."""
    waiting = challenge.frames[CELLS].filter(_is_on_penn(on_penn), status="")
    return waiting["system"].unique(maintain_order=True).to_list()


def _is_on_penn(on_penn: bool) -> pl.Expr:
    return (pl.col("treebank") == PENN) == on_penn


def is_whole(challenge: Measurements[PascalSettings]) -> bool:
    """Return whether all planned cells were run, and every system on the same treebanks."""
    results = challenge.frames["results"]
    treebanks = set(results["treebank"])
    of_systems = results.group_by("track", "system").agg(pl.col("treebank"))["treebank"]
    return "" not in challenge.frames[CELLS]["status"] and all(
        set(own) == treebanks for own in of_systems
    )


def facts(challenge: Measurements[PascalSettings]) -> RunFacts:
    """Return what all cells took, and which failed; without the Penn sample."""
    cells, records = [], {}
    of_challenge = challenge.frames[CELLS].filter(_is_on_penn(False))
    for row in of_challenge.iter_rows(named=True):
        cells.append(PlannedCell(row["key"], *(row[name] for name in _PLANNED)))
        if row["status"]:
            costs = (row["seconds"], row["elapsed"], row["peak_memory"])
            records[row["key"]] = CellRecord(
                row["status"], *costs, row["message"], {}, row["compiling"], row["flaws"]
            )
    return run_facts(challenge.frames["results"], records.get, cells)


_PLANNED = ("track", "system", "supervision", "treebank", "seed", "point")


def cells_of(run: RunFolder, planned: Iterable[PlannedCell]) -> pl.DataFrame:
    """Return what a run has of planned cells; the status of those to come is empty."""
    rows = []
    for cell in planned:
        record = run.record(cell.key)
        texts = {"status": "", "message": "", "flaws": ""}
        known = texts | ({} if record is None else asdict(record)) | asdict(cell)
        rows.append({name: known.get(name) for name in _CELLS_SCHEMA})
    return pl.DataFrame(rows, schema=_CELLS_SCHEMA, strict=False)


if __name__ == "__main__":
    main()
