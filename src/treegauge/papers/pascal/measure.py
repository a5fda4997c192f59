"""The challenge on grammar induction, reproduced: the run, and what is read from it.

Three tracks in one experiment (`plan.toml`): tags (the paper's Tables 2 and 7), dependencies over
given tags (3 and 8), and both from bare text (4 and 9). What the paper tuned on labelled dev data
is tuned on dev here, and says so. Table 5 (several references) and what Table 6 and Figure 1 show
are read from the annotations and the strata that the run keeps; and, as in the paper, from those of
a run on the Penn sample (`penn.toml`), where that is at hand.

Frames: `results`, the long table of the run; `treebanks`, a row for every part; `references`,
directed accuracy against several references; `generalised`, TedEval against the same, of which
the generalised gold standard is made; `scores`, all of it in the paper's words; `penn` and
`penn_treebank`, the long table and the parts of the Penn sample.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatchcase
from importlib.resources import files
from pathlib import Path
from typing import Any

import polars as pl

from treegauge.catalogue import Catalogue, CatalogueEntry
from treegauge.catalogue.memory import MemoryEntry
from treegauge.formats import read_tag_map
from treegauge.papers.derived_treebanks import write_treebanks
from treegauge.papers.paper import Measurements, MisuseError, Workbench
from treegauge.papers.pascal.penn import PENN, penn_parts, penn_sample
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

_JOINT_BASELINE = "content-chain"
_PENN_FOLDER, _PENN_TREEBANKS = "penn", "treebanks"
"""Of the run on the Penn sample, inside that of the challenge, and of the sample inside that."""

_REFERENCES = {"references": "uas", "generalised": "tedeval"}
"""The frames about several references, and what they score by."""
_PENN_NOUN = "NN"
"""A tag that every map of Penn tags has."""
_FOR_UNIVERSAL_TAGS = ("UPOS is empty", "not universal tags")
"""What cells say that fail for want of universal tags."""


# ---------------------------------------------------------------------- the plan


def listed_systems(file: str, which: str) -> list[dict[str, Any]]:
    """Return the systems of a file that are in a set and that there are, each with its label."""
    document = tomllib.loads((files(__package__) / file).read_text("utf-8"))
    return [
        {"label": entry["system"], **entry}
        for entry in document["systems"]
        if entry["system"] in systems() and which in entry.get("sets", [which])
    ]


def plan(
    settings: PascalSettings,
    file: str = "plan.toml",
    system_settings: Mapping[str, Mapping[str, Any]] | None = None,
) -> Experiment:
    """Return the experiment of a file with the systems of a set, as far as they can run.

    What is left out is not among them, nor what needs universal tags that nothing gives.
    """
    chosen = []
    for entry in listed_systems(file, settings.systems):
        entry.pop("sets", None)
        lacks_tags = entry.pop("universal", False) and not settings.tag_map
        if not lacks_tags and not any(fnmatchcase(entry["label"], one) for one in settings.skip):
            changed = (system_settings or {}).get(entry["system"], {})
            chosen.append({**entry, "settings": {**entry.get("settings", {}), **changed}})
    return Experiment.from_dict(
        {
            **tomllib.loads((files(__package__) / file).read_text("utf-8")),
            "systems": chosen,
            "seeds": [settings.seed + i for i in range(settings.seeds)],
            "fit_on": settings.fit_on,
            "resamples": settings.resamples,
        }
    )


def challenge(
    settings: PascalSettings,
    system_settings: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    has_dev: bool = True,
) -> Experiment:
    """Return the challenge as an experiment, without the systems that are left out.

    Nothing can be tuned where a treebank has no dev part.
    """
    made = plan(settings, system_settings=system_settings)
    systems = tuple(one for one in made.systems if has_dev or one.tuning is None)
    return replace(made, treebanks=settings.treebanks, systems=systems)


def check_choices(settings: PascalSettings, workbench: Workbench) -> None:
    """Refuse systems and treebanks that are not in the run, and a tag map that cannot be read."""
    plans = ["plan.toml"] + (["penn.toml"] if settings.systems != "small" else [])
    listed = [entry for file in plans for entry in listed_systems(file, settings.systems)]
    workbench.require_settings_of({entry["system"] for entry in listed}, "system")
    labels = dict.fromkeys(entry["label"] for entry in listed)
    for pattern in settings.skip:
        if not any(fnmatchcase(label, pattern) for label in labels):
            raise ExperimentError(
                f"no system of this set is called {pattern!r}; there are: {', '.join(labels)}"
            )
    _require_joint_baseline(settings)
    has_penn = _penn_entry(settings, workbench.catalogue) is not None
    entries = entries_of(settings.treebanks, workbench.catalogue)
    shown_treebank(settings.show, entries, has_penn=has_penn)
    is_mapped = any(isinstance(entry, MemoryEntry) for entry in entries.values())
    if settings.tag_map and not has_penn and not is_mapped:
        raise MisuseError(
            f"--tag-map is for {PENN} and its brackets, not found here, and for treebanks without "
            "universal tags"
        )
    if settings.tag_map:
        read_tag_map(settings.tag_map)


def _require_joint_baseline(settings: PascalSettings) -> None:
    """Refuse systems of bare text without the chain that they are to beat."""
    kept = [
        entry["label"]
        for entry in listed_systems("plan.toml", settings.systems)
        if systems()[entry["system"]].task == "joint"
        and not any(fnmatchcase(entry["label"], pattern) for pattern in settings.skip)
    ]
    if kept and _JOINT_BASELINE not in kept:
        raise ExperimentError(
            f"{_JOINT_BASELINE} stands beside all systems of bare text; leave out these as well: "
            f"{', '.join(kept)}"
        )


# ---------------------------------------------------------------------- the run


@dataclass(frozen=True)
class Part:
    """An experiment of the challenge: on its treebanks, or on the Penn sample."""

    experiment: Experiment
    catalogue: Catalogue
    inner: str = ""
    """The folder inside that of the challenge."""


def parts_of(settings: PascalSettings, workbench: Workbench) -> tuple[list[Part], list[str]]:
    """Return the experiments of the challenge, and what is left out of them."""
    notes = []
    entries = entries_of(settings.treebanks, workbench.catalogue)
    # First, so that a tag map that lacks a tag is no surprise at the end of a long run.
    of_penn = _for_penn(settings, entries)
    penn = _write_penn(of_penn, workbench)
    without_dev = [name for name, entry in entries.items() if "dev" not in entry.parts]
    if without_dev:
        notes.append(
            f"systems that are tuned on dev are left out: none in {', '.join(without_dev)}"
        )
    experiment = challenge(settings, workbench.system_settings, has_dev=not without_dev)
    parts = [Part(experiment, workbench.catalogue)]
    if penn is not None:
        experiment = plan(of_penn, "penn.toml", workbench.system_settings)
        parts.append(Part(experiment, penn, _PENN_FOLDER))
        if not of_penn.tag_map:
            notes.append(
                f"{PENN} has no universal tags, so the systems that need them are not run; "
                "--tag-map en-ptb.map gives it some"
            )
    elif settings.systems != "small":
        notes.append(f"Table 5 by head rules needs {PENN} and its brackets, not found here")
    return parts, notes


def measure(settings: PascalSettings, workbench: Workbench) -> Measurements[PascalSettings]:
    """Run all systems in all tracks, and read what the paper's tables show."""
    parts, notes = parts_of(settings, workbench)
    runs = [
        replace(workbench, catalogue=part.catalogue).run(with_source(part.experiment), part.inner)
        for part in parts
    ]
    measured = read_challenge(settings, workbench.folder, workbench.catalogue)
    entries = entries_of(settings.treebanks, workbench.catalogue)
    untagged = [name for name, entry in entries.items() if not _has_universal_tags(entry)]
    failures = []
    for failure in (one for run in runs for one in run.failures):
        is_for_tags = any(sign in failure.reason for sign in _FOR_UNIVERSAL_TAGS)
        if not (is_for_tags and failure.cell.startswith(tuple(f"{one}:" for one in untagged))):
            failures.append(str(failure))
    if untagged:
        notes.append(
            f"{', '.join(untagged)}: no universal tags, so systems that need them have no scores; "
            "--tag-map FILE gives it some"
        )
    return replace(measured, notes=tuple(notes), failures=tuple(failures))


def _has_universal_tags(entry: CatalogueEntry) -> bool:
    part = "test" if "test" in entry.parts else next(iter(entry.parts))
    return entry.read(part, findings=[]).upos.is_annotated


def _for_penn(settings: PascalSettings, entries: Mapping[str, CatalogueEntry]) -> PascalSettings:
    """Return the settings for the Penn sample: without a tag map that is of another treebank."""
    is_mapped = any(isinstance(entry, MemoryEntry) for entry in entries.values())
    if is_mapped and settings.tag_map and _PENN_NOUN not in read_tag_map(settings.tag_map):
        return replace(settings, tag_map="")
    return settings


def _penn_entry(settings: PascalSettings, catalogue: Catalogue) -> CatalogueEntry | None:
    """Return the Penn sample, if this run has it."""
    return penn_sample(catalogue) if settings.systems != "small" else None


def _write_penn(settings: PascalSettings, workbench: Workbench) -> Catalogue | None:
    """Make the Penn sample as the challenge had it, if this run has it."""
    penn = _penn_entry(settings, workbench.catalogue)
    if penn is None:
        return None
    universal = read_tag_map(settings.tag_map) if settings.tag_map else None
    with workbench.progress(f"{PENN}: heads and tags"):
        place = workbench.folder / _PENN_FOLDER / _PENN_TREEBANKS
        return write_treebanks(place, {PENN: penn_parts(penn, universal)}, format="pascal")


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
    made = folder / _PENN_FOLDER / _PENN_TREEBANKS / PENN
    is_run = made.is_dir() and RunFolder(folder / _PENN_FOLDER).results.exists()
    brackets = _penn_entry(settings, catalogue) if is_run else None
    shown = shown_treebank(settings.show, entries, has_penn=brackets is not None)
    references = [_references(entries[shown], folder)] if shown in entries else []
    treebanks = pl.concat([describe(entry) for entry in entries.values()])
    results = without_missing_tags(read_long_table(place.results), treebanks)
    frames = {"results": results, "treebanks": treebanks}
    if brackets is not None:
        (penn,) = Catalogue([made]).entries
        references.append(_references(penn, folder / _PENN_FOLDER, brackets.folder))
        frames["penn"] = read_long_table(RunFolder(folder / _PENN_FOLDER).results)
        frames["penn_treebank"] = describe(penn)
    for name in _REFERENCES:
        frames[name] = pl.concat([own[name] for own in references])
    relations = frames["penn"] if brackets is not None else of_treebank(results, shown)
    frames["scores"] = run_scores(results, frames["references"], relations)
    return Measurements(replace(settings, show=shown), frames)


def of_treebank(results: pl.DataFrame, treebank: str) -> pl.DataFrame:
    """Return what is about one treebank."""
    return results.filter(pl.col("treebank") == treebank)


def entries_of(treebanks: Sequence[str], catalogue: Catalogue) -> dict[str, CatalogueEntry]:
    """Return treebanks by name."""
    return {entry.name: entry for text in treebanks for entry in catalogue.resolve(text)}


def shown_treebank(
    wanted: str, entries: Mapping[str, CatalogueEntry], *, has_penn: bool = False
) -> str:
    """Return the treebank of Tables 5 and 6 and of Figure 1: English, or the first."""
    known = [*entries, *([PENN] if has_penn else [])]
    if wanted and wanted not in known:
        advice = "; its folder needs its brackets too (*.mrg)" if wanted == PENN else ""
        raise ExperimentError(f"{wanted} is not a treebank of this run: {', '.join(known)}{advice}")
    return wanted or next(
        (name for name in entries if name.startswith("en_") and name != "en_childes"),
        next(iter(entries)),
    )


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
        .then(pl.lit("too few fine tags"))
        .otherwise(pl.col("reason"))
        .alias("reason"),
    )


def trees_of(folder: Path, treebank: str) -> dict[str, list[Treebank]]:
    """Return what every system of the dependency track said of a treebank, by label.

    One annotation a seed; of what was tuned, that of the point that was chosen.
    """
    place = RunFolder(folder)
    rows = read_long_table(place.results).filter(
        (pl.col("treebank") == treebank)
        & (pl.col("track") == "dependencies")
        & (pl.col("metric") == "uas")
        & (pl.col("by") == "")
        & pl.col("value").is_not_nan()
    )
    trees: dict[str, list[Treebank]] = {}
    of_seeds = rows.sort("seed").unique(["system", "seed"], keep="first", maintain_order=True)
    for row in of_seeds.iter_rows(named=True):
        annotation = place.annotation(row["cell"], row["split"])
        trees.setdefault(row["system"], []).append(annotation.replace(name=row["system"]))
    return trees


def _references(
    entry: CatalogueEntry, folder: Path, brackets: Path | None = None
) -> dict[str, pl.DataFrame]:
    """Return what the trees of a run score against several references.

    Beside them, the columns of the paper that systems correspond to, and their supervision.
    """
    gold = entry.read("test", findings=[]) if "test" in entry.parts else None
    trees = trees_of(folder, entry.name)
    references = references_of(gold, brackets) if gold is not None and trees else {}
    name = entry.name if gold is None else gold.name or entry.name
    results = read_long_table(RunFolder(folder).results)
    kinds = dict(results.select("system", "supervision").unique().iter_rows())
    about = [
        pl.col("system").replace_strict(known, default="", return_dtype=pl.String).alias(column)
        for column, known in (("column", columns_of(results)), ("supervision", kinds))
    ]
    return {
        frame: score_references(name, references, trees, metric).with_columns(about)
        for frame, metric in _REFERENCES.items()
    }
