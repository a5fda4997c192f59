"""Experiments: which systems, on which treebanks, scored how; read from TOML and checked.

    name = "first-look"
    treebanks = ["pascal10", "toy:svo"]
    fit_on = "union"
    preset = "pascal"
    metrics = ["uas", "ned", "uas@10"]

    [[systems]]
    system = "right-branching"

    [[systems]]
    system = "random"
    label = "random trees"
    seeds = [1, 2, 3]

What is written at the top holds for every system, and for every one of several `scores`, that
does not say otherwise.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Any, Literal

from treegauge.errors import reason_of
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
from treegauge.treebank import TreebankError, parse_tag_column
from treegauge.treebank.parts import PARTS
from treegauge.wording import did_you_mean, nearest

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
    return _TAG_COUNT.sub(lambda found: str(tag_count(found[1])), value)


@dataclass(frozen=True)
class SystemChoice:
    """A system of an experiment."""

    system: str
    label: str
    settings: tuple[tuple[str, Any], ...] = ()
    seeds: tuple[int, ...] = (0,)
    fit_on: FitOn = "union"
    tuning: Tuning | None = None
    keep_model: bool = False
    """Whether the folder of the run keeps what was learnt."""

    def make(
        self,
        seed: int = 0,
        point: tuple[tuple[str, Any], ...] = (),
        tag_count: Callable[[str], int] = lambda _tags: _SOME_TAGS,
    ) -> System:
        """Return the system, with the settings of a point of the grid.

        Parameters
        ----------
        tag_count : callable
            From `c`, `p`, `u` or `u12` to the number of these tags in a treebank's train part:
            a setting `classes = "{p}"`, or `tags_from = "brown:{p}"`, stands for as many
            classes. Without one, any number will do to check the other settings by.
        """
        cls = find_system(self.system).load()
        settings = {**dict(self.settings), **dict(point)}
        return cls(
            {name: _counted(value, tag_count) for name, value in settings.items()}, seed=seed
        )

    @property
    def classes_of(self) -> str:
        """The tags whose number is the number of classes; empty where a number was given.

        >>> SystemChoice("brown", "brown", (("classes", "{p}"),)).classes_of
        'p'
        """
        texts = [value for _, value in self.settings if isinstance(value, str)]
        found = [name for text in texts for name in _TAG_COUNT.findall(text)]
        return found[0] if found else ""


@dataclass(frozen=True)
class Scoring:
    """How annotations are scored; an experiment may have several."""

    conventions: Conventions
    metrics: tuple[str, ...] = ()
    """What suits the track where it is empty."""
    by: tuple[str, ...] = ()

    def metrics_for(self, track: str, knows_tag_set: bool) -> tuple[str, ...]:
        """Return the metrics of a track."""
        return self.metrics or DEFAULT_METRICS[track, knows_tag_set]


@dataclass(frozen=True)
class Experiment:
    """What is to be run.

    Attributes
    ----------
    treebanks : tuple of str
        Names, sets, folders, toy languages, as the catalogue reads them.
    tracks : tuple of str
        The tracks that are wanted; all that the systems take part in where it is empty.
    resamples : int
        For the intervals.
    cell_timeout : float, optional
        Seconds that a cell may take.
    cell_memory : int, optional
        MiB that a cell may use beside the program itself.
    source : str
        The text of the file it was read from; empty where there is none.
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
        """Read an experiment from a file."""
        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8-sig")
            document = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ExperimentError(f"{path}: this is not TOML: {error}") from None
        except UnicodeDecodeError:
            raise ExperimentError(f"{path}: this is not TOML: its text is not UTF-8") from None
        except OSError as error:
            raise ExperimentError(f"{path}: cannot be read: {reason_of(error)}") from None
        document.setdefault("name", path.name.removesuffix(".toml"))
        try:
            return replace(cls.from_dict(document), source=text)
        except ExperimentError as error:
            raise ExperimentError(f"{path}: {error}") from None

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Experiment:
        """Read an experiment from what TOML or JSON gives."""
        take = _Keys(document, "the experiment")
        name = take.text("name", "experiment")
        treebanks = take.texts("treebanks")
        seeds = take.numbers("seeds", (0,))
        fit_on = take.one_of("fit_on", ("train", "union"), "union")
        systems = tuple(
            choice
            for number, entry in enumerate(take.list("systems"), start=1)
            for choice in _systems_of(entry, seeds, fit_on, number)
        )
        scoring = _scoring_of(take, Scoring(preset("pascal")))
        scorings = []
        for number, entry in enumerate(take.list("scores", []), start=1):
            inner = _Keys(entry, f"scores number {number}")
            scorings.append(_scoring_of(inner, scoring))
            inner.nothing_left()
        experiment = cls(
            name=name,
            treebanks=treebanks,
            systems=systems,
            scorings=tuple(scorings) or (scoring,),
            tracks=take.texts("tracks", ()),
            split=take.text("split", "test"),
            resamples=take.number("resamples", 1000),
            cell_timeout=read_seconds(take.take("cell_timeout", None)),
            cell_memory=take.number("cell_memory", None),
        )
        take.nothing_left()
        return experiment


def _check(experiment: Experiment) -> None:
    """Raise, with one clear message, for the first thing that cannot be run."""
    if not experiment.treebanks:
        raise ExperimentError("the experiment names no treebanks")
    if not experiment.systems:
        raise ExperimentError("the experiment names no systems")
    for track in experiment.tracks:
        if track not in TRACKS:
            raise ExperimentError(
                f"unknown track {track!r}{did_you_mean(track, TRACKS)}\n"
                f"  there are {', '.join(TRACKS)}"
            )
    _check_name(experiment.name)
    if experiment.split not in PARTS:
        raise ExperimentError(
            f"unknown split {experiment.split!r}{did_you_mean(experiment.split, PARTS)}\n"
            f"  there are {', '.join(PARTS)}"
        )
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
        raise ExperimentError(f"{name!r} cannot be an experiment's name: it names a folder as well")


def _check_system(choice: SystemChoice) -> None:
    if not choice.seeds or min(choice.seeds) < 0:
        found = ", ".join(map(str, choice.seeds)) or "none"
        raise ExperimentError(f"{choice.label}: expected seeds from 0 on, found {found}")
    try:
        systems = [choice.make(point=point) for point in _points(choice)]
    except SystemsError as error:
        raise ExperimentError(str(error)) from None
    if choice.tuning:
        place = f"tune_on_dev of {choice.label}"
        (spec,) = _specs((choice.tuning.metric,), place, only_one=True)
        for system in systems:
            if not is_about(spec.metric, system.task):
                raise ExperimentError(
                    f"{place}: {spec} says nothing about what {choice.system} annotates: "
                    f"{' and '.join(_ANNOTATED[system.task])}"
                )


_ANNOTATED = {"tags": ("tags",), "dependencies": ("heads",), "joint": ("tags", "heads")}
_COLUMNS = {"tags": {"tags", "upos", "xpos"}, "heads": {"head", "deprel"}}


def is_about(metric: Metric, track: str) -> bool:
    """Return whether a metric says anything about what systems of a track annotate."""
    return any(_COLUMNS[made] & set(metric.needs) for made in _ANNOTATED[track])


def _points(choice: SystemChoice) -> tuple[tuple[tuple[str, Any], ...], ...]:
    return choice.tuning.grid if choice.tuning else ((),)


def _check_scorings(scorings: Sequence[Scoring]) -> None:
    if not scorings:
        raise ExperimentError("the experiment is not scored in any way")
    known = set()
    for scoring in scorings:
        _specs(scoring.metrics, "metrics")
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


# ---------------------------------------------------------------------- reading


def _systems_of(
    entry: Any, seeds: tuple[int, ...], fit_on: FitOn, number: int
) -> list[SystemChoice]:
    """Return the systems of an entry: one, or one for every point of `each`."""
    if not isinstance(entry, Mapping) or "each" not in entry:
        return [_system_of(entry, seeds, fit_on, number)]
    place = f"system number {number}"
    rest = {key: value for key, value in entry.items() if key != "each"}
    if "label" in rest:
        raise ExperimentError(f"{place}: systems of `each` are called by their settings; no label")
    settings = rest.get("settings", {})
    return [
        _system_of({**rest, "settings": {**settings, **dict(point)}}, seeds, fit_on, number)
        for point in _grid(entry["each"], settings, f"each of {place}")
    ]


def _grid(
    axes: Any, settings: Mapping[str, Any], place: str
) -> tuple[tuple[tuple[str, Any], ...], ...]:
    """Return every combination of the values of some settings."""
    if (
        not axes
        or not isinstance(axes, Mapping)
        or not all(isinstance(values, list) and values for values in axes.values())
    ):
        raise ExperimentError(
            f"{place}: expected a grid of settings with lists of values, as in "
            "{ smoothing = [0.1, 1.0] }"
        )
    for key in settings.keys() & axes.keys():
        raise ExperimentError(f"{place}: {key} is among the settings and in the grid")
    points = itertools.product(*(map(_hashable, values) for values in axes.values()))
    return tuple(tuple(zip(axes, point, strict=True)) for point in points)


def _system_of(entry: Any, seeds: tuple[int, ...], fit_on: FitOn, number: int) -> SystemChoice:
    """Return the system of an entry: a name, or a table."""
    if isinstance(entry, str):
        entry = {"system": entry}
    take = _Keys(entry, f"system number {number}")
    name = take.text("system")
    try:
        find_system(name)
    except SystemsError as error:
        raise ExperimentError(str(error)) from None
    settings = take.table("settings")
    label = take.text("label", _label(name, settings))
    choice = SystemChoice(
        name,
        label,
        tuple(sorted((key, _hashable(value)) for key, value in settings.items())),
        take.numbers("seeds", seeds),
        take.one_of("fit_on", ("train", "union"), fit_on),
        keep_model=take.truth("keep_model", False),
    )
    tuning = take.take("tune_on_dev", None)
    take.nothing_left()
    return choice if tuning is None else replace(choice, tuning=_tuning_of(tuning, choice))


def _label(name: str, settings: Mapping[str, Any]) -> str:
    if not settings:
        return name
    return f"{name}({', '.join(f'{key}={value}' for key, value in settings.items())})"


def _tuning_of(table: Any, choice: SystemChoice) -> Tuning:
    place = f"tune_on_dev of {choice.label}"
    take = _Keys(table, place)
    grid = _grid(take.take("grid", None), dict(choice.settings), place)
    metric = take.text("metric", "") or _default_metric(choice, grid[0])
    take.nothing_left()
    return Tuning(grid, metric)


def _default_metric(choice: SystemChoice, point: tuple[tuple[str, Any], ...]) -> str:
    """Return the first of the metrics that suit a system's track."""
    try:
        system = choice.make(point=point)
    except SystemsError as error:
        raise ExperimentError(str(error)) from None
    return DEFAULT_METRICS[system.task, system.knows_tag_set][0]


def _scoring_of(take: _Keys, default: Scoring) -> Scoring:
    """Return how to score, where a table says nothing like the default."""
    metrics = take.texts("metrics", default.metrics)
    _specs(metrics, take.place)
    tags = take.text("tags", default.conventions.tags)
    try:
        parse_tag_column(tags)
        conventions = preset(take.text("preset", default.conventions.preset), tags=tags)
    except (MetricError, TreebankError) as error:
        raise ExperimentError(str(error)) from None
    return Scoring(conventions, metrics, tuple(dict.fromkeys(take.texts("by", default.by))))


def _specs(metrics: Sequence[str], place: str, *, only_one: bool = False) -> list[MetricSpec]:
    try:
        specs = parse_specs(list(metrics))
    except MetricError as error:
        raise ExperimentError(f"{place}: {error}") from None
    if only_one and len(specs) != 1:
        raise ExperimentError(f"{place}: expected one metric, found the family {metrics[0]}")
    return specs


def read_seconds(value: Any) -> float | None:
    """Return a time in seconds: a number, or a text such as `90s`, `10min` or `2h`.

    >>> read_seconds("2h"), read_seconds(90)
    (7200.0, 90.0)
    """
    if value is None:
        return None
    units = {"s": 1.0, "min": 60.0, "h": 3600.0}
    if isinstance(value, str):
        for unit, length in {**units, "": 1.0}.items():
            if value.endswith(unit) and _is_number(value.removesuffix(unit)):
                value = float(value.removesuffix(unit)) * length
                break
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < inf:
        return float(value)
    raise ExperimentError(
        f"cell_timeout: expected seconds, or a text such as '10min', found {value!r}"
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


class _Keys:
    """A table that knows which of its keys were asked for."""

    def __init__(self, table: Any, place: str) -> None:
        if not isinstance(table, Mapping):
            raise ExperimentError(f"{place}: expected a table, found {table!r}")
        self._left = dict(table)
        self._known: list[str] = []
        self.place = place

    def take(self, key: str, *default: Any) -> Any:
        self._known.append(key)
        if key in self._left:
            return self._left.pop(key)
        if default:
            return default[0]
        near = nearest(key, self._left, most=1)
        hint = f"; found {near[0]!r}: did you mean {key}?" if near else ""
        raise ExperimentError(f"{self.place} lacks {key}{hint}")

    def text(self, key: str, *default: str) -> str:
        return str(self._of_type(key, str, "text", *default))

    def texts(self, key: str, *default: Sequence[str]) -> tuple[str, ...]:
        value = self.take(key, *default)
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, (list, tuple)) or not all(isinstance(i, str) for i in items):
            raise ExperimentError(f"{self.place}: expected a list of texts as {key}")
        return tuple(items)

    def number(self, key: str, *default: int | None) -> Any:
        return self._of_type(key, int, "a whole number", *default)

    def numbers(self, key: str, *default: tuple[int, ...]) -> tuple[int, ...]:
        value = self.take(key, *default)
        items = [value] if isinstance(value, int) else value
        if not isinstance(items, (list, tuple)) or not all(type(item) is int for item in items):
            raise ExperimentError(f"{self.place}: expected a list of whole numbers as {key}")
        if not items:
            raise ExperimentError(f"{self.place}: {key} is empty")
        return tuple(dict.fromkeys(items))

    def truth(self, key: str, default: bool) -> bool:
        return bool(self._of_type(key, bool, "true or false", default))

    def list(self, key: str, *default: list[Any]) -> list[Any]:
        value: list[Any] = self._of_type(key, list, "a list", *default)
        return value

    def table(self, key: str) -> dict[str, Any]:
        value: dict[str, Any] = self._of_type(key, dict, "a table", {})
        return value

    def one_of(self, key: str, choices: Sequence[str], default: str) -> Any:
        value = self.text(key, default)
        if value not in choices:
            raise ExperimentError(
                f"{self.place}: {key} is one of {', '.join(choices)}, not {value!r}"
                f"{did_you_mean(value, choices)}"
            )
        return value

    def _of_type(self, key: str, kind: type, name: str, *default: Any) -> Any:
        value = self.take(key, *default)
        if default and value is default[0]:
            return value
        if type(value) is not kind:
            raise ExperimentError(f"{self.place}: expected {name} as {key}, found {value!r}")
        return value

    def nothing_left(self) -> None:
        for key in self._left:
            raise ExperimentError(
                f"{self.place}: unknown key {key!r}{did_you_mean(key, self._known)}"
            )
