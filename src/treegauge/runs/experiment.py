"""Experiments: which systems, on which treebanks, scored how; checked before anything runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from treegauge.metrics import (
    Conventions,
    Metric,
    MetricError,
    MetricSpec,
    parse_specs,
    preset,
)
from treegauge.runs.errors import ExperimentError
from treegauge.strata import StrataError, find_stratum
from treegauge.systems import System, SystemsError, find_system
from treegauge.treebank.parts import PARTS
from treegauge.wording import unknown_name

FitOn = Literal["train", "union"]
TRACKS = ("tags", "dependencies", "joint")

_DEPENDENCIES = ("uas", "undirected", "ned", "uas@10", "undirected@10", "ned@10")
_INDUCED = ("many_to_one", "one_to_one", "v_measure", "vi")
DEFAULT_METRICS = {
    ("dependencies", False): _DEPENDENCIES,
    ("dependencies", True): ("uas", "las"),
    ("tags", False): _INDUCED,
    ("tags", True): ("upos",),
    ("joint", False): (*_DEPENDENCIES, *_INDUCED),
    ("joint", True): ("uas", "las", "upos"),
}
"""By track, and whether the system was told what gold's tags are called."""


@dataclass(frozen=True)
class Tuning:
    """A declared grid of settings, chosen from by a metric on dev gold.

    The choice is the runner's: no system ever sees dev gold.
    """

    grid: tuple[tuple[tuple[str, Any], ...], ...]
    """Every point of the grid, as settings."""
    metric: str


_TAG_COUNT = re.compile(r"\{(c|p|u|u12)\}")
_SOME_TAGS = 45


def _counted(value: Any, tag_count: Callable[[str], int]) -> Any:
    """Return a setting with the number of tags that it names."""
    if not isinstance(value, str):
        return value
    return _TAG_COUNT.sub(lambda match: str(tag_count(match[1])), value)


@dataclass(frozen=True)
class SystemChoice:
    """A system of an experiment.

    Attributes
    ----------
    system : str
        The name of the system.
    label : str
        What tables call it.
    settings : tuple of (str, value)
        Its settings.
    seeds : tuple of int
        It is run once per seed.
    fit_on : "train" or "union"
        What it learns from: the train part, or all parts.
    tuning : Tuning or None
        A grid of settings, from which the best on dev is chosen.
    keep_model : bool
        Whether the folder of the run keeps the trained model.

    Examples
    --------
    >>> choice = SystemChoice("dmv", "DMV", (("iterations", 5),))
    >>> choice.make(seed=1).settings.iterations
    5
    >>> SystemChoice("brown", "brown", (("classes", "{p}"),)).classes_of
    'p'
    """

    system: str
    label: str
    settings: tuple[tuple[str, Any], ...] = ()
    seeds: tuple[int, ...] = (0,)
    fit_on: FitOn = "union"
    tuning: Tuning | None = None
    keep_model: bool = False

    def make(
        self,
        seed: int = 0,
        point: tuple[tuple[str, Any], ...] = (),
        tag_count: Callable[[str], int] = lambda _tags: _SOME_TAGS,
    ) -> System:
        """Return the system, with the settings of a point of the grid.

        Parameters
        ----------
        seed : int
            The random seed.
        point : tuple of (str, value)
            Settings of a point of the grid.
        tag_count : callable
            From `c`, `p`, `u` or `u12` to the number of these tags in the train part. A setting
            `classes = "{p}"`, or `tags_from = "brown:{p}"`, asks for so many classes. Default: some
            number, with which the other settings can be checked.

        Returns
        -------
        System
            The system, not yet fitted.
        """
        cls = find_system(self.system).load()
        settings = {**dict(self.settings), **dict(point)}
        return cls(
            {name: _counted(value, tag_count) for name, value in settings.items()}, seed=seed
        )

    @property
    def classes_of(self) -> str:
        """The tags whose number is the number of classes; empty if a number was given."""
        texts = [value for _, value in self.settings if isinstance(value, str)]
        names = [name for text in texts for name in _TAG_COUNT.findall(text)]
        return names[0] if names else ""


@dataclass(frozen=True)
class Scoring:
    """How annotations are scored. An experiment may have several.

    Attributes
    ----------
    conventions : Conventions
        How trees and tags are compared.
    metrics : tuple of str
        The metrics. Empty: those of the track.
    by : tuple of str
        Strata.

    Examples
    --------
    >>> Scoring(preset("pascal"), ("uas", "uas@10")).metrics_for("dependencies", False)
    ('uas', 'uas@10')
    """

    conventions: Conventions
    metrics: tuple[str, ...] = ()
    by: tuple[str, ...] = ()

    def metrics_for(self, track: str, knows_tag_set: bool) -> tuple[str, ...]:
        """Return the metrics for a track.

        Parameters
        ----------
        track : str
            `tags`, `dependencies` or `joint`.
        knows_tag_set : bool
            Whether the system knows the names of the gold tags.

        Returns
        -------
        tuple of str
            Names of metrics.
        """
        return self.metrics or DEFAULT_METRICS[track, knows_tag_set]


@dataclass(frozen=True)
class Experiment:
    """An experiment: systems, treebanks and scores, for `run`.

    Attributes
    ----------
    name : str
        The name of the experiment.
    treebanks : tuple of str
        Names, sets, folders or toy languages, as `Catalogue.resolve` reads them.
    systems : tuple of SystemChoice
        The systems with their settings and seeds.
    scorings : tuple of Scoring
        The conventions, metrics and strata of scoring.
    tracks : tuple of str
        Only these of `tags`, `dependencies` and `joint`. Empty: all tracks of the systems.
    split : str
        The part that is annotated and scored: `train`, `dev` or `test`.
    resamples : int
        Bootstrap resamples of the confidence intervals.
    cell_timeout : float, optional
        The time limit per cell, in seconds.
    cell_memory : int, optional
        The memory limit per cell in MiB, in addition to the program itself.
    source : str
        The text of the file it was read from, or an empty string.

    Raises
    ------
    ExperimentError
        If something in it does not exist or does not fit.

    Examples
    --------
    >>> experiment = Experiment.from_dict(
    ...     {"name": "small", "treebanks": ["toy:svo"], "systems": [{"system": "dmv"}]}
    ... )
    >>> [choice.label for choice in experiment.systems], experiment.split
    (['dmv'], 'test')
    """

    name: str
    treebanks: tuple[str, ...]
    systems: tuple[SystemChoice, ...]
    scorings: tuple[Scoring, ...] = (Scoring(preset("pascal")),)
    tracks: tuple[str, ...] = ()
    split: str = "test"
    resamples: int = 1000
    cell_timeout: float | None = None
    cell_memory: int | None = None
    source: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        _check(self)

    @classmethod
    def from_toml(cls, path: str | Path) -> Experiment:
        """Read an experiment from a TOML file.

        Parameters
        ----------
        path : path
            The file. `treegauge init` writes an example.

        Returns
        -------
        Experiment
            The experiment.

        Raises
        ------
        ExperimentError
            If the file cannot be read, or something in it does not exist or does not fit.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "small.toml")
        ...     _ = file.write_text('treebanks = ["toy:svo"]\\nsystems = [{ system = "dmv" }]\\n')
        ...     Experiment.from_toml(file).name
        'small'
        """
        from treegauge.runs.experiment_file import read_experiment

        return read_experiment(path)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Experiment:
        """Make an experiment from a mapping, as TOML or JSON gives it.

        Parameters
        ----------
        document : mapping
            The keys of an experiment file.

        Returns
        -------
        Experiment
            The experiment.

        Raises
        ------
        ExperimentError
            If something in it does not exist or does not fit.
        """
        from treegauge.runs.experiment_file import make_experiment

        return make_experiment(document)


def _check(experiment: Experiment) -> None:
    """Raise, with one clear message, for the first thing that cannot be run."""
    if not experiment.treebanks:
        raise ExperimentError("the experiment names no treebanks")
    if not experiment.systems:
        raise ExperimentError("the experiment names no systems")
    for track in experiment.tracks:
        if track not in TRACKS:
            raise ExperimentError(unknown_name("track", track, TRACKS))
    _check_name(experiment.name)
    if experiment.split not in PARTS:
        raise ExperimentError(unknown_name("split", experiment.split, PARTS))
    labels = [choice.label for choice in experiment.systems]
    for label in labels:
        if labels.count(label) > 1:
            raise ExperimentError(
                f"two systems are called {label!r}; give one of them another label"
            )
    for choice in experiment.systems:
        _check_system(choice)
    _check_scorings(experiment.scorings)
    for name, value, least in (
        ("resamples", experiment.resamples, 0),
        ("cell_memory", experiment.cell_memory, 1),
        ("cell_timeout", experiment.cell_timeout, 0),
    ):
        if value is not None and not value >= least:
            raise ExperimentError(f"{name}: expected at least {least}, found {value}")


def _check_name(name: str) -> None:
    """A run's folder is called like its experiment."""
    if not name.strip() or name in (".", "..") or any(c in "/\\" or c < " " for c in name):
        raise ExperimentError(
            f"{name!r} cannot be an experiment's name: it is also the name of a folder"
        )


def _check_system(choice: SystemChoice) -> None:
    if not choice.seeds or min(choice.seeds) < 0:
        seeds = ", ".join(map(str, choice.seeds)) or "none"
        raise ExperimentError(f"{choice.label}: expected seeds from 0 on, found {seeds}")
    try:
        systems = [choice.make(point=point) for point in _points(choice)]
    except SystemsError as error:
        raise ExperimentError(str(error)) from None
    if choice.tuning:
        place = f"tune_on_dev of {choice.label}"
        (spec,) = parse_metrics((choice.tuning.metric,), place, only_one=True)
        for system in systems:
            if not is_about(spec.metric, system.task):
                raise ExperimentError(
                    f"{place}: {spec} does not score what {choice.system} annotates: "
                    f"{' and '.join(_ANNOTATED[system.task])}"
                )


_ANNOTATED = {"tags": ("tags",), "dependencies": ("heads",), "joint": ("tags", "heads")}
_COLUMNS = {"tags": {"tags", "upos", "xpos"}, "heads": {"head", "deprel"}}


def is_about(metric: Metric, track: str) -> bool:
    """Return whether a metric says anything about what systems of a track annotate."""
    return any(_COLUMNS[layer] & set(metric.needs) for layer in _ANNOTATED[track])


def _points(choice: SystemChoice) -> tuple[tuple[tuple[str, Any], ...], ...]:
    return choice.tuning.grid if choice.tuning else ((),)


def _check_scorings(scorings: Sequence[Scoring]) -> None:
    if not scorings:
        raise ExperimentError("the experiment has no scores")
    known = set()
    for scoring in scorings:
        parse_metrics(scoring.metrics, "metrics")
        for by in scoring.by:
            names = by.split("*")
            if len(names) > 2:
                raise ExperimentError(f"by: at most two strata can be crossed, found {by!r}")
            try:
                for name in names:
                    find_stratum(name)
            except StrataError as error:
                raise ExperimentError(str(error)) from None
        key = (scoring.conventions.preset, scoring.conventions.tags)
        if key in known:
            raise ExperimentError(
                f"two scores have the preset {key[0]} and the tags {key[1]}: put their metrics "
                "into one"
            )
        known.add(key)


def parse_metrics(
    metrics: Sequence[str], place: str, *, only_one: bool = False
) -> list[MetricSpec]:
    """Return what metrics are asked for; a message about one of them begins with the place."""
    try:
        specs = parse_specs(list(metrics))
    except MetricError as error:
        raise ExperimentError(f"{place}: {error}") from None
    if only_one and len(specs) != 1:
        raise ExperimentError(f"{place}: expected one metric, found the family {metrics[0]}")
    return specs
