"""The challenge on grammar induction, done again: the run, and what is read from it.

Three tracks in one experiment (`plan.toml`): tags (the paper's Tables 2 and 7), dependencies over
given tags (3 and 8), and both from bare text (4 and 9). What the paper tuned on labelled dev data
is tuned on dev here, and says so. Table 5 (several references) and what Table 6 and Figure 1 show
are read from the annotations and the strata that the run keeps.

Frames: `results`, the long table of the run; `treebanks`, a row for every part; `references`,
directed accuracy against several references; `scores`, all of it in the paper's words.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import Any

import polars as pl

from treegauge.catalogue import Catalogue, CatalogueEntry, CatalogueError
from treegauge.papers.paper import Measurements, Workbench
from treegauge.papers.pascal.references import references_of, score_references
from treegauge.papers.pascal.scores import INDUCED, columns_of, run_scores, test_set_of
from treegauge.papers.pascal.settings import PascalSettings
from treegauge.properties import statistics
from treegauge.results.long_table import read_long_table
from treegauge.runs.errors import ExperimentError
from treegauge.runs.experiment import Experiment
from treegauge.runs.experiment_text import with_source
from treegauge.runs.run_folder import RunFolder
from treegauge.systems import systems
from treegauge.treebank import Treebank

_PENN, _PENN_FOLDER = "en_wsj_sample", "penn"


# ---------------------------------------------------------------------- the plan


def plan(
    settings: PascalSettings,
    file: str = "plan.toml",
    system_settings: Mapping[str, Mapping[str, Any]] | None = None,
) -> Experiment:
    """Return the experiment of a file with the systems of a set, as far as they are there."""
    document = tomllib.loads((files(__package__) / file).read_text("utf-8"))
    chosen = [
        {key: value for key, value in entry.items() if key != "sets"}
        for entry in document["systems"]
        if entry["system"] in systems()
        and settings.systems in entry.get("sets", [settings.systems])
    ]
    for entry in chosen:
        changed = (system_settings or {}).get(entry["system"], {})
        entry["settings"] = {**entry.get("settings", {}), **changed}
        entry.setdefault("label", entry["system"])
    return Experiment.from_dict(
        {
            **document,
            "systems": chosen,
            "seeds": [settings.seed + i for i in range(settings.seeds)],
            "fit_on": settings.fit_on,
            "resamples": settings.resamples,
        }
    )


def challenge(
    settings: PascalSettings, system_settings: Mapping[str, Mapping[str, Any]] | None = None
) -> Experiment:
    """Return the challenge as an experiment, without the systems that are left out."""
    whole = replace(plan(settings, system_settings=system_settings), treebanks=settings.treebanks)
    for pattern in settings.skip:
        if not any(fnmatchcase(one.label, pattern) for one in whole.systems):
            raise ExperimentError(
                f"no system of this set is called {pattern!r}; there are: "
                f"{', '.join(one.label for one in whole.systems)}"
            )
    kept = (c for c in whole.systems if not any(fnmatchcase(c.label, p) for p in settings.skip))
    return replace(whole, systems=tuple(kept))


# ---------------------------------------------------------------------- the run


def measure(settings: PascalSettings, workbench: Workbench) -> Measurements[PascalSettings]:
    """Run all systems in all tracks, and read what the paper's tables show."""
    experiment = challenge(settings, workbench.system_settings)
    runs = [workbench.run(with_source(experiment))]
    notes = []
    if settings.systems != "small":
        if _penn_sample(workbench.catalogue) is not None:
            penn = plan(settings, "penn.toml", workbench.system_settings)
            runs.append(workbench.run(with_source(penn), _PENN_FOLDER))
        else:
            notes.append(f"Table 5 by head rules needs {_PENN} and its brackets, not found here")
    measured = read_challenge(settings, workbench.folder, workbench.catalogue)
    failures = tuple(f"{one.cell}: {one.reason}" for run in runs for one in run.failures)
    return replace(measured, notes=tuple(notes), failures=failures)


def read_challenge(
    settings: PascalSettings, folder: Path, catalogue: Catalogue
) -> Measurements[PascalSettings]:
    """Read what a finished run has, and describe its treebanks.

    Raises
    ------
    ExperimentError
        If there are no results.
    """
    place = RunFolder(folder)
    if not place.results.exists():
        raise ExperimentError(f"{folder}: no results; run the challenge to its end")
    entries = entries_of(settings.treebanks, catalogue)
    shown = shown_treebank(settings.show, entries)
    references = [_references(entries[shown], folder)]
    penn = _penn_sample(catalogue)
    if penn is not None and (folder / _PENN_FOLDER).is_dir():
        references.append(_references(penn, folder / _PENN_FOLDER))
    treebanks = pl.concat([describe(entry) for entry in entries.values()])
    results = without_missing_tags(read_long_table(place.results), treebanks)
    frames = {
        "results": results,
        "treebanks": treebanks,
        "references": pl.concat(references),
        "scores": run_scores(results, pl.concat(references), shown),
    }
    return Measurements(replace(settings, show=shown), frames)


def entries_of(treebanks: Sequence[str], catalogue: Catalogue) -> dict[str, CatalogueEntry]:
    """Return treebanks by name."""
    return {entry.name: entry for text in treebanks for entry in catalogue.resolve(text)}


def shown_treebank(wanted: str, entries: Mapping[str, CatalogueEntry]) -> str:
    """Return the treebank of Tables 5 and 6 and of Figure 1: English, or the first."""
    if wanted and wanted not in entries:
        raise ExperimentError(
            f"{wanted} is none of the treebanks of this run: {', '.join(entries)}"
        )
    return wanted or next(
        (name for name in entries if name.startswith("en_") and name != "en_childes"),
        next(iter(entries)),
    )


def _penn_sample(catalogue: Catalogue) -> CatalogueEntry | None:
    try:
        entries = catalogue.resolve(_PENN)
    except CatalogueError:
        return None
    return next((e for e in entries if any(e.folder.glob("*.mrg*"))), None)


# ---------------------------------------------------------------------- frames


def describe(entry: CatalogueEntry) -> pl.DataFrame:
    """Return a treebank's column of Table 1, a row for every part."""
    train = entry.read("train", findings=[]) if "train" in entry.parts else None
    rows = []
    for part in entry.parts:
        treebank = train if part == "train" and train else entry.read(part, findings=[])
        counted = asdict(statistics(treebank, training=None if part == "train" else train))
        about = {"treebank": entry.name, "test_set": test_set_of(entry.name), "part": part}
        rows.append({**about, "annotation": entry.annotation, **counted})
    frame = pl.DataFrame(rows, infer_schema_length=None).drop("name")
    return frame.with_columns(pl.col(pl.Null).cast(pl.Float64))


def without_fine_tags(treebanks: pl.DataFrame) -> list[str]:
    """Return the treebanks that have fewer fine tags than coarse ones: next to none."""
    first = treebanks.group_by("treebank", maintain_order=True).first()
    return first.filter(pl.col("fine_tags") < pl.col("coarse_tags"))["treebank"].to_list()


def without_missing_tags(results: pl.DataFrame, treebanks: pl.DataFrame) -> pl.DataFrame:
    """Return results without scores that are about fine tags where there are next to none.

    Induced tags are not compared with them; trees over them have no score, and a reason.
    """
    is_poor = pl.col("treebank").is_in(without_fine_tags(treebanks)) & (pl.col("by") == "")
    over_nothing = is_poor & pl.col("settings").str.contains('"tags": "p"', literal=True)
    against_nothing = is_poor & (pl.col("tags") == "p") & pl.col("metric").is_in(list(INDUCED))
    return results.filter(~against_nothing).with_columns(
        pl.when(over_nothing).then(float("nan")).otherwise(pl.col("value")).alias("value"),
        pl.when(over_nothing)
        .then(pl.lit("next to no fine tags"))
        .otherwise(pl.col("reason"))
        .alias("reason"),
    )


def trees_of(folder: Path, treebank: str) -> dict[str, Treebank]:
    """Return what every system of the dependency track said of a treebank, by label.

    Of what was tuned, the point that was chosen; of several seeds the first.
    """
    place = RunFolder(folder)
    rows = read_long_table(place.results).filter(
        (pl.col("treebank") == treebank)
        & (pl.col("track") == "dependencies")
        & (pl.col("metric") == "uas")
        & (pl.col("by") == "")
        & pl.col("value").is_not_nan()
    )
    trees: dict[str, Treebank] = {}
    for row in rows.sort("seed").iter_rows(named=True):
        if row["system"] not in trees:
            annotation = place.annotation(row["cell"], row["split"])
            trees[row["system"]] = annotation.replace(name=row["system"])
    return trees


def _references(entry: CatalogueEntry, folder: Path) -> pl.DataFrame:
    """Return what the trees of a run score against several references, with their columns."""
    gold = entry.read("test", findings=[]) if "test" in entry.parts else None
    trees = trees_of(folder, entry.name)
    references = references_of(gold, entry.folder) if gold is not None and trees else {}
    name = entry.name if gold is None else gold.name or entry.name
    frame = score_references(name, references, trees)
    columns = columns_of(read_long_table(RunFolder(folder).results))
    named = pl.col("system").replace_strict(columns, default="", return_dtype=pl.String)
    return frame.with_columns(named.alias("column"))
