"""Lists what has to be measured again, since code, settings or treebanks have changed.

    python -m studies.stale

A cell's key depends on its settings, its treebank and the code of its system: a cell of a study
or of the challenge that is not in the plan of today was measured with something else. The runs
inside other reproductions are planned as they go, and scripts have no plan; there, the source files
count that can change a number (`studies._sources`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from studies import challenge, reproduced
from studies._missing import missing_cells
from studies._sources import SOURCE, SOURCES, UnknownCommitError, changed_files
from studies.measured import FOLDER, STUDIES, results_of
from treegauge.catalogue import Catalogue, CatalogueError
from treegauge.papers import PAPERS
from treegauge.papers.pascal.measure import challenge as challenge_experiment
from treegauge.runs import Experiment
from treegauge.runs.planning import make_plan
from treegauge.wording import counted

SHOWN_ONLY = ("cli", "reports", "tables", "challenges", "challenge_server", "papers")
"""Rooms that show numbers; of `papers`, the measurements of the paper itself count."""
_SHOWN_OF_A_PAPER = (
    "paper.py",
    "remarks.py",
    "*tables.py",
    "figures.py",
    "README.md",
    "published*",
)
_MADE = Path("runs")
"""Where `make results` puts the treebanks that it makes."""


def main() -> None:
    """Print a line for everything that is stale."""
    catalogue = Catalogue.from_environment()
    for line in (
        *stale_studies(catalogue),
        *stale_challenge(catalogue),
        *stale_reproductions(),
        *stale_scripts(),
    ):
        sys.stdout.write(f"{line}\n")


def stale_studies(catalogue: Catalogue) -> Iterator[str]:
    """Give the studies that have cells to be measured, and how many."""
    for file in sorted(STUDIES.glob("*.toml")):
        experiment = Experiment.from_toml(file)
        not_made = [
            one
            for one in experiment.treebanks
            if Path(one).is_relative_to(_MADE) and not Path(one).exists()
        ]
        if not_made:
            yield f"{file.stem}: cannot be told before `make results` has made {not_made[0]}"
            continue
        results = results_of(file.stem)
        kept = set() if results is None else set(results["cell"])
        yield from _stale_cells(file.stem, experiment, catalogue, kept)


def stale_challenge(catalogue: Catalogue) -> Iterator[str]:
    """Give the challenge if cells of it are to be measured, and how many."""
    kept = reproduced.kept(challenge.NAME)
    if kept is None:
        yield f"{challenge.NAME}: not measured"
        return
    settings = replace(kept.settings, **reproduced.REPRODUCTIONS[challenge.NAME].settings)
    done = kept.frames[challenge.CELLS].filter(pl.col("status") != "")
    experiment = challenge_experiment(settings)
    yield from _stale_cells(challenge.NAME, experiment, catalogue, set(done["key"]))


def _stale_cells(
    name: str, experiment: Experiment, catalogue: Catalogue, kept: set[str]
) -> Iterator[str]:
    try:
        plan = make_plan(experiment, catalogue)
    except CatalogueError as error:
        yield f"{name}: {error}"
        return
    missing, planned = missing_cells(plan, kept)
    if missing:
        yield f"{name}: {len(missing)} of {planned} cells"


def stale_reproductions() -> Iterator[str]:
    """Give the reproductions that were never kept, or whose code has changed since."""
    for name, chosen in reproduced.REPRODUCTIONS.items():
        commit = reproduced.commit_of(name)
        if name == challenge.NAME:
            continue
        if commit is None:
            yield f"{name}: not measured"
        else:
            yield from _changes(name, [commit], sources_of(chosen.paper))


def stale_scripts() -> Iterator[str]:
    """Give the tables of scripts that were never kept, or whose code has changed since."""
    for table, sources in SOURCES.items():
        path = FOLDER / f"{table}.tsv"
        if path.exists():
            yield from _changes(table, commits_of(path), sources.places)
        else:
            yield f"{table}: not measured"


def commits_of(path: Path) -> list[str]:
    """Return the commits at which the rows of a table were measured."""
    rows = pl.read_csv(path, separator="\t", infer_schema=False)
    return rows["commit"].str.strip_chars_end("+").unique().sort().to_list()


def _changes(name: str, commits: Sequence[str], places: Sequence[str]) -> Iterator[str]:
    changed: dict[str, list[str]] = {}
    for commit in commits:
        try:
            changed[commit] = changed_files(commit, places)
        except UnknownCommitError as error:
            yield f"{name}: cannot be told, {error}"
    since = [commit for commit, files in changed.items() if files]
    if since:
        files = counted(len({file for own in changed.values() for file in own}), "source file")
        yield f"{name}: {files} changed since {', '.join(since)}"


def sources_of(paper: str) -> tuple[str, ...]:
    """Return what can change a paper's numbers, for git: rooms, and its own measurements."""
    folder = f"{SOURCE}/papers/{PAPERS[paper].split('.')[0]}"
    others = [one for one in PAPERS.values() if one != PAPERS[paper]]
    return (
        SOURCE,
        *(f":(exclude){SOURCE}/{room}" for room in SHOWN_ONLY if room != "papers"),
        *(f":(exclude){SOURCE}/papers/{one.split('.')[0]}" for one in others),
        *(f":(exclude){folder}/{one}" for one in _SHOWN_OF_A_PAPER),
    )


if __name__ == "__main__":
    main()
