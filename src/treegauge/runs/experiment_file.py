"""Experiments as TOML has them: the keys of a file, and the experiment that they make.

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
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any

from treegauge.formats import read_text
from treegauge.metrics import MetricError, preset
from treegauge.runs.errors import ExperimentError
from treegauge.runs.experiment import (
    DEFAULT_METRICS,
    Experiment,
    FitOn,
    Scoring,
    SystemChoice,
    Tuning,
    parse_metrics,
)
from treegauge.settings import Settings, read_settings, setting
from treegauge.systems import SystemsError, find_system, make_system
from treegauge.systems.system_names import is_plain_name, parse_system
from treegauge.treebank import TreebankError, parse_tag_column
from treegauge.wording import is_number


@dataclass(frozen=True)
class ScoresTable(Settings):
    """The keys of one of several `scores`; without them, those of the experiment."""

    preset: str = setting("", "conventions: pascal, conll2018 or conll2006")
    tags: str = setting("", "the gold tags that induced ones are compared with")
    metrics: tuple[str, ...] | None = setting(None, "metrics; default: those of the track")
    by: tuple[str, ...] | None = setting(None, "strata, or two crossed by a star")

    def scoring(self, default: Scoring, place: str) -> Scoring:
        """Return how to score, where the table says nothing like the default."""
        metrics = default.metrics if self.metrics is None else self.metrics
        parse_metrics(metrics, place)
        tags = self.tags or default.conventions.tags
        try:
            parse_tag_column(tags)
            conventions = preset(self.preset or default.conventions.preset, tags=tags)
        except (MetricError, TreebankError) as error:
            raise ExperimentError(str(error)) from None
        by = default.by if self.by is None else self.by
        return Scoring(conventions, metrics, tuple(dict.fromkeys(by)))


@dataclass(frozen=True, kw_only=True)
class ExperimentTable(ScoresTable):
    """The keys at the top of a file."""

    name: str = setting("experiment", "the name of the run's folder")
    treebanks: tuple[str, ...]
    systems: tuple[Any, ...]
    scores: tuple[Any, ...] = setting((), "several ways of scoring")
    seeds: int | tuple[int, ...] = setting((0,), "seeds of every system")
    fit_on: FitOn = setting("union", "what systems that need no gold learn from")
    tracks: tuple[str, ...] = setting((), "the tracks; default: all")
    split: str = setting("test", "the part that is annotated and scored")
    resamples: int = setting(1000, "for the intervals", minimum=0)
    cell_timeout: Any = setting(None, "time limit per cell in seconds, or a text such as 10min")
    cell_memory: int | None = setting(None, "memory limit per cell in MiB", minimum=1)


@dataclass(frozen=True)
class SystemTable(Settings):
    """The keys of a system."""

    system: str
    label: str = setting("", "its name in tables")
    settings: dict[str, Any] | None = setting(None, "settings of the system")
    seeds: int | tuple[int, ...] | None = setting(None, "seeds, if not the experiment's")
    fit_on: FitOn | None = setting(None, "what it learns from, if not as the experiment says")
    keep_model: bool = setting(False, "keep what it has learnt in the run's folder")
    each: Any = setting(None, "settings with lists of values: a system for every combination")
    tune_on_dev: Any = setting(None, "a grid of settings, and the metric to choose by")


@dataclass(frozen=True)
class TuningTable(Settings):
    """The keys of `tune_on_dev`."""

    grid: Any = setting(None, "settings with lists of values")
    metric: str = setting("", "a metric; default: the first that fits the system's track")


def read_experiment(path: str | Path) -> Experiment:
    """Read an experiment from a file."""
    path = Path(path)
    text = read_text(path, what="TOML", error=ExperimentError)
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # not TOML, or brackets without an end
        raise ExperimentError(f"{path}: this is not TOML: {error}") from None
    content.setdefault("name", path.name.removesuffix(".toml"))
    try:
        return replace(make_experiment(content), source=text)
    except ExperimentError as error:
        raise ExperimentError(f"{path}: {error}") from None


def make_experiment(content: Mapping[str, Any]) -> Experiment:
    """Make an experiment of what TOML or JSON gives."""
    place = "the experiment"
    table = read_settings(ExperimentTable, content, place=place, error=ExperimentError)
    scoring = table.scoring(Scoring(preset("pascal")), place)
    scorings = []
    for number, entry in enumerate(table.scores, start=1):
        place = f"scores number {number}"
        scores = read_settings(ScoresTable, entry, place=place, error=ExperimentError)
        scorings.append(scores.scoring(scoring, place))
    return Experiment(
        name=table.name,
        treebanks=table.treebanks,
        systems=tuple(
            choice
            for number, entry in enumerate(table.systems, start=1)
            for choice in _system_choices(entry, table, f"system number {number}")
        ),
        scorings=tuple(scorings) or (scoring,),
        tracks=table.tracks,
        split=table.split,
        resamples=table.resamples,
        cell_timeout=read_seconds(table.cell_timeout),
        cell_memory=table.cell_memory,
    )


def _system_choices(entry: Any, experiment: ExperimentTable, place: str) -> list[SystemChoice]:
    """Return the systems of an entry: one, or one for every point of `each`."""
    if isinstance(entry, str):
        entry = {"system": entry}
    table = _with_settings_of_name(
        read_settings(SystemTable, entry, place=place, error=ExperimentError)
    )
    if table.each is None:
        return [_system_choice(table, table.settings or {}, experiment)]
    if table.label:
        raise ExperimentError(f"{place}: systems of `each` are called by their settings; no label")
    settings = table.settings or {}
    return [
        _system_choice(table, {**settings, **dict(point)}, experiment)
        for point in _grid(table.each, settings, f"each of {place}")
    ]


def _with_settings_of_name(table: SystemTable) -> SystemTable:
    """Return the table of a system whose name has no settings behind it any more."""
    try:
        if is_plain_name(table.system):
            find_system(table.system)
            return table
        name, named = parse_system(table.system)
        settings = {**named, **(table.settings or {})}
        # Tables call a tool by its model: `udpipe` is trained, `udpipe:MODEL` is not.
        is_tool = find_system(name).load().is_tool
        usual = make_system(name, settings).label if is_tool else table.system
    except SystemsError as error:
        raise ExperimentError(str(error)) from None
    label = table.label or (usual if table.each is None else "")
    return replace(table, system=name, settings=settings, label=label)


def _system_choice(
    table: SystemTable, settings: dict[str, Any], experiment: ExperimentTable
) -> SystemChoice:
    seeds = experiment.seeds if table.seeds is None else table.seeds
    choice = SystemChoice(
        table.system,
        table.label or _label(table.system, settings),
        tuple(sorted((key, _hashable(value)) for key, value in settings.items())),
        (seeds,) if isinstance(seeds, int) else tuple(dict.fromkeys(seeds)),
        table.fit_on or experiment.fit_on,
        keep_model=table.keep_model,
    )
    if table.tune_on_dev is None:
        return choice
    return replace(choice, tuning=_tuning(table.tune_on_dev, choice))


def _label(name: str, settings: Mapping[str, Any]) -> str:
    if not settings:
        return name
    return f"{name}({', '.join(f'{key}={value}' for key, value in settings.items())})"


def _tuning(entry: Any, choice: SystemChoice) -> Tuning:
    place = f"tune_on_dev of {choice.label}"
    table = read_settings(TuningTable, entry, place=place, error=ExperimentError)
    grid = _grid(table.grid, dict(choice.settings), place)
    return Tuning(grid, table.metric or _default_metric(choice, grid[0]))


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


def _default_metric(choice: SystemChoice, point: tuple[tuple[str, Any], ...]) -> str:
    """Return the first of the metrics that suit a system's track."""
    try:
        system = choice.make(point=point)
    except SystemsError as error:
        raise ExperimentError(str(error)) from None
    return DEFAULT_METRICS[system.task, system.knows_tag_set][0]


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
            if value.endswith(unit) and is_number(value.removesuffix(unit)):
                value = float(value.removesuffix(unit)) * length
                break
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < inf:
        return float(value)
    raise ExperimentError(
        f"cell_timeout: expected seconds, or a text such as '10min', found {value!r}"
    )


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value
