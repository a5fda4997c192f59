"""The PASCAL challenge on grammar induction, done again: the run, and what is read from it.

Three tracks in one experiment: tags (the paper's Tables 2 and 7), dependencies over given tags
(3 and 8), and both from bare text (4 and 9). The variants of the paper are settings: trees over
coarse (c), fine (p) or universal (u) tags; as many classes as a treebank has coarse or fine
tags, or twelve. What the paper tuned on labelled dev data is tuned on dev here, and says so.

Table 5 (several references) and what Table 6 and Figure 1 show are read from the annotations
and the strata that the run keeps.

References
----------
Gelling, Cohn, Blunsom and Graça (2012), The PASCAL Challenge on Grammar Induction. WILS.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal

import polars as pl

from treegauge.catalogue import Catalogue, CatalogueEntry, CatalogueError
from treegauge.metrics.conventions import preset
from treegauge.papers.paper import RunExperiment as RunIt
from treegauge.papers.pascal.references import References, references_of, scored
from treegauge.properties import Statistics, statistics
from treegauge.results.long_table import read_long_table
from treegauge.runs.errors import ExperimentError
from treegauge.runs.experiment import (
    DEFAULT_METRICS,
    Experiment,
    FitOn,
    Scoring,
    SystemChoice,
    Tuning,
)
from treegauge.runs.experiment_text import with_source
from treegauge.runs.run_folder import RunFolder
from treegauge.systems import systems
from treegauge.treebank import Treebank

SystemSet = Literal["small", "fast", "all"]

INDUCED = DEFAULT_METRICS["tags", False]
"""The paper's four metrics of tags."""
TREES = DEFAULT_METRICS["dependencies", False]
"""Its three metrics of trees, for all lengths and up to ten words."""
STRATA = ("table6", "edge_length")
"""What Table 6 and Figure 1 break attachment down by."""

CLASS_COUNTS: Mapping[str, str] = {"c": "{c}", "p": "{p}", "u": "12", "45": "45"}
"""The paper's numbers of classes: of coarse and fine tags of a treebank, and of universal ones; and
the 45 of the Penn Treebank, which are as many for every treebank."""
_GIVEN_TAGS: Mapping[str, str] = {"c": "c", "p": "p", "u": "u12"}

_FAST_INDUCERS = ("brown", "mkcls", "predictive-exchange")
_SLOW_INDUCERS = ("bmmm", "pyp-hmm", "hmm", "hmm-pr")
_FAST_PARSERS = ("soegaard-pagerank", "soegaard-rules", "udp", "viterbi-dmv")
_SLOW_PARSERS = (
    *("less-is-more", "baby-steps", "leapfrog", "evg", "posterior-sparse", "feature-dmv"),
    *("lndmv", "slndmv"),
)
_WSJ = "en_wsj_sample"

_Point = tuple[tuple[str, Any], ...]
TU_SETTINGS: Mapping[str, Any] = {"alpha": 0.25, "valences": "2/1", "penalty": "symmetric"}
"""What all points of the grid of Tu's entry share. Under the penalty, valences 2/1 did better than
2/2 on the dev parts of three small treebanks; without it they did not, and larger ones were not
compared there."""
TU_GRID: tuple[_Point, ...] = tuple(
    (("strength", strength), ("sigma", sigma), ("backoff", backoff))
    for strength in (0.0, 40.0, 140.0)
    for sigma in ((1.0, -0.01, 0.0), (0.0, 0.0, 0.0))
    for backoff in (0.0, 1 / 3)
)
"""What Tu's entry chose between on dev (section 5.2: "to both select between models employing
different regularisation, and to tune model parameters"): Dirichlet priors alone, or posterior
regularisation, weak or strong, which comes on top of the prior here; with or without annealed
unambiguity; with or without back-off."""
DEPTH_GRID: tuple[_Point, ...] = tuple((("depth", depth),) for depth in (4, 5, 6, 8, 10))
"""What Chrupała's entry chose on dev: how long the paths are that are tags."""


@dataclass(frozen=True)
class PascalSettings:
    """What can be chosen about the challenge."""

    systems: SystemSet = "fast"
    """`small` for toy languages, `fast` without samplers, or all that there are."""
    fit_on: FitOn = "union"
    seeds: tuple[int, ...] = (0,)
    """Of what is not deterministic."""
    resamples: int = 1000
    shown: str = ""
    """The treebank of Tables 5 and 6 and of Figure 1; English if missing, or the first."""
    skipped: tuple[str, ...] = ()
    """Patterns of labels that are left out, `*` for anything."""


@dataclass(frozen=True)
class Described:
    """A treebank of Table 1."""

    name: str
    annotation: str
    parts: Mapping[str, Statistics]
    has_fine_tags: bool
    """Whether there are more fine tags than coarse ones, or as many."""


@dataclass(frozen=True)
class Challenge:
    """Everything that came of the challenge."""

    settings: PascalSettings
    results: pl.DataFrame
    """The long table."""
    treebanks: tuple[Described, ...]
    shown: str
    references: tuple[References, ...]
    """Of the treebank that is shown, and of the Penn sample where it is at hand."""
    failures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Chosen:
    """Collects the systems of an experiment, those that are in the registry."""

    seeds: tuple[int, ...]
    fit_on: FitOn
    choices: list[SystemChoice] = field(default_factory=list)

    def add(
        self,
        system: str,
        label: str = "",
        settings: Mapping[str, Any] | None = None,
        tuning: Tuning | None = None,
    ) -> None:
        if system in systems():
            chosen = tuple(sorted((settings or {}).items()))
            self.choices.append(
                SystemChoice(system, label or system, chosen, self.seeds, self.fit_on, tuning)
            )


def choices_of(settings: PascalSettings) -> tuple[SystemChoice, ...]:
    """Return the systems of a set, as far as they are in the registry."""
    chosen = _Chosen(settings.seeds, settings.fit_on)
    is_small, is_all = settings.systems == "small", settings.systems == "all"
    # Tags
    for system in (*_FAST_INDUCERS, *(_SLOW_INDUCERS if is_all else ())):
        for letter, classes in CLASS_COUNTS.items():
            if not is_small or letter == "u" or (system, letter) == ("brown", "c"):
                chosen.add(system, f"{system} ({letter})", {"classes": classes})
    if is_all:
        for letter in ("c", "p"):
            chosen.add(
                "lda-classes",
                f"lda-classes ({letter}), tuned",
                {"classes": CLASS_COUNTS[letter]},
                Tuning(DEPTH_GRID, "v_measure"),
            )
    # Dependencies over given tags
    for system in ("left-branching", "right-branching", "random"):
        chosen.add(system)
    chosen.add("harmonic", settings={"tags": "u12"})
    for letter, tags in _GIVEN_TAGS.items():
        if not is_small or letter == "u":
            chosen.add("dmv", f"dmv ({letter})", {"tags": tags})
    for system in _FAST_PARSERS[1:2] if is_small else _FAST_PARSERS:
        chosen.add(system)
    for system in _SLOW_PARSERS if is_all else ():
        chosen.add(system)
    grid = TU_GRID[:2] if is_small else TU_GRID
    chosen.add("unambiguity", "unambiguity, tuned", TU_SETTINGS, Tuning(grid, "uas"))
    # Both, from bare text
    for letter in ("u",) if is_small else ("c", "p", "u"):
        source = {"tags_from": f"brown:{CLASS_COUNTS[letter]}"}
        chosen.add("tags-then-trees", f"dmv over brown ({letter})", source)
    if is_all:
        # With as many as fine tags it takes hours; the entry's own number is not in the paper.
        chosen.add("joint", "joint (45)", {"classes": CLASS_COUNTS["45"]})
    return _without(chosen.choices, settings.skipped)


def _without(choices: Sequence[SystemChoice], patterns: Sequence[str]) -> tuple[SystemChoice, ...]:
    """Return the systems whose labels no pattern matches."""
    for pattern in patterns:
        if not any(fnmatchcase(one.label, pattern) for one in choices):
            raise ExperimentError(
                f"no system of this set is called {pattern!r}; there are: "
                f"{', '.join(one.label for one in choices)}"
            )
    kept = (c for c in choices if not any(fnmatchcase(c.label, p) for p in patterns))
    return tuple(kept)


def experiment_of(
    treebanks: Sequence[str], settings: PascalSettings, name: str = "pascal"
) -> Experiment:
    """Return the challenge as an experiment.

    Induced tags are compared with the twelve universal tags (Table 2) and with fine ones
    (Table 7); attachment is broken down for Table 6 and Figure 1.
    """
    return Experiment(
        name=name,
        treebanks=tuple(treebanks),
        systems=choices_of(settings),
        scorings=(
            Scoring(preset("pascal", tags="u12")),
            Scoring(preset("pascal", tags="p"), INDUCED),
            Scoring(preset("pascal"), ("uas",), STRATA),
        ),
        resamples=settings.resamples,
    )


def penn_experiment(settings: PascalSettings) -> Experiment:
    """Return what Table 5 needs on the Penn sample: systems that can do with its fine tags."""
    chosen = _Chosen(settings.seeds, settings.fit_on)
    for system in ("left-branching", "right-branching", "random"):
        chosen.add(system)
    slow = [one for one in _SLOW_PARSERS if "lndmv" not in one]
    for system in ("harmonic", "dmv", "viterbi-dmv", *(slow if settings.systems == "all" else ())):
        chosen.add(system, f"{system} (p)", {"tags": "p"})
    # There is no dev part that a penalty could be chosen on.
    unambiguous = {**TU_SETTINGS, "penalty": "none", "backoff": 0.0, "tags": "p"}
    chosen.add("unambiguity", "unambiguity (p)", unambiguous)
    return Experiment(
        name="pascal-penn",
        treebanks=(_WSJ,),
        systems=tuple(chosen.choices),
        scorings=(Scoring(preset("pascal"), TREES),),
        resamples=settings.resamples,
    )


def run_challenge(
    treebanks: Sequence[str],
    folder: str | os.PathLike[str],
    run_it: RunIt,
    *,
    catalogue: Catalogue,
    settings: PascalSettings | None = None,
) -> Challenge:
    """Run all systems in all tracks, and read what the paper's tables show.

    Parameters
    ----------
    treebanks : sequence of str
        As the catalogue reads them.
    folder : path
        Where the run is kept; one that was stopped goes on there. `treegauge report` reads it.
    run_it : callable
        Runs an experiment in a folder.

    Raises
    ------
    ExperimentError
        If the treebank that is to be shown is none of the run.
    """
    settings = settings or PascalSettings()
    folder = Path(folder)
    entries = _entries(treebanks, catalogue)
    _shown(settings.shown, entries)  # before anything runs
    experiment = with_source(experiment_of(treebanks, settings))
    runs = [run_it(experiment, folder, catalogue)]
    notes = []
    if settings.systems != "small":
        if _penn_sample(catalogue) is not None:
            penn = with_source(penn_experiment(settings))
            runs.append(run_it(penn, folder / _PENN_FOLDER, catalogue))
        else:
            notes.append(f"Table 5 by head rules needs {_WSJ} and its brackets, not found here")
    failures = tuple(f"{one.cell}: {one.reason}" for run in runs for one in run.failures)
    found = read_challenge(experiment, folder, catalogue, settings=settings)
    return replace(found, failures=failures, notes=tuple(notes))


_PENN_FOLDER = "penn"


def read_challenge(
    experiment: Experiment,
    folder: str | os.PathLike[str],
    catalogue: Catalogue,
    *,
    settings: PascalSettings | None = None,
) -> Challenge:
    """Read what a finished run has, and describe its treebanks.

    Raises
    ------
    ExperimentError
        If there are no results.
    """
    settings = settings or PascalSettings(fit_on=experiment.systems[0].fit_on)
    folder = Path(folder)
    place = RunFolder(folder)
    if not place.results.exists():
        raise ExperimentError(f"{folder}: no results; run the challenge to its end")
    entries = _entries(experiment.treebanks, catalogue)
    shown = _shown(settings.shown, entries)
    references = [_referenced(entries[shown], folder)]
    penn = _penn_sample(catalogue)
    if penn is not None and (folder / _PENN_FOLDER).is_dir():
        references.append(_referenced(penn, folder / _PENN_FOLDER))
    return Challenge(
        settings,
        read_long_table(place.results),
        tuple(describe(entry) for entry in entries.values()),
        shown,
        tuple(one for one in references if one is not None),
    )


def _entries(treebanks: Sequence[str], catalogue: Catalogue) -> dict[str, CatalogueEntry]:
    return {e.name: e for text in treebanks for e in catalogue.resolve(text)}


def _shown(wanted: str, entries: Mapping[str, CatalogueEntry]) -> str:
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
        entries = catalogue.resolve(_WSJ)
    except CatalogueError:
        return None
    return next((e for e in entries if any(e.folder.glob("*.mrg*"))), None)


def describe(entry: CatalogueEntry) -> Described:
    """Return a treebank's column of Table 1."""
    train = entry.read("train", findings=[]) if "train" in entry.parts else None
    parts: dict[str, Statistics] = {}
    for part in entry.parts:
        treebank = train if part == "train" and train else entry.read(part, findings=[])
        parts[part] = statistics(treebank, training=None if part == "train" else train)
    first = next(iter(parts.values()))
    return Described(entry.name, entry.annotation, parts, first.fine_tags >= first.coarse_tags)


def trees_of(folder: str | os.PathLike[str], treebank: str) -> dict[str, Treebank]:
    """Return what every system of the dependency track said of a treebank, by label.

    Of what was tuned, the point that was chosen; of several seeds the first.
    """
    place = RunFolder(folder)
    table = read_long_table(place.results).filter(
        (pl.col("treebank") == treebank)
        & (pl.col("track") == "dependencies")
        & (pl.col("metric") == "uas")
        & (pl.col("by") == "")
        & pl.col("value").is_not_nan()
    )
    found: dict[str, Treebank] = {}
    for row in table.sort("seed").iter_rows(named=True):
        if row["system"] not in found:
            annotation = place.annotation(row["cell"], row["split"])
            found[row["system"]] = annotation.replace(name=row["system"])
    return found


def _referenced(entry: CatalogueEntry, folder: Path) -> References | None:
    gold = entry.read("test", findings=[]) if "test" in entry.parts else None
    outputs = trees_of(folder, entry.name)
    if gold is None or not outputs:
        return None
    found = references_of(gold, entry.folder)
    return scored(gold.name or entry.name, found, outputs) if found else None


def document(found: Challenge) -> dict[str, Any]:
    """Return what is not in the tables of runs as JSON has it."""
    return {
        "schema": 1,
        "reproduces": "pascal",
        "set": found.settings.systems,
        "fit_on": found.settings.fit_on,
        "shown": found.shown,
        "references": [one.to_dict() for one in found.references],
        "failures": list(found.failures),
        "notes": list(found.notes),
    }
