"""Experiments made in Python as the file that `treegauge run` reads.

A run keeps its experiment: reports find gold by it, and anybody can run it again or change it.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from treegauge.metrics.conventions import preset
from treegauge.runs.errors import ExperimentError
from treegauge.runs.experiment import Experiment, SystemChoice, Tuning


def with_source(experiment: Experiment) -> Experiment:
    """Return an experiment that carries the text of its file.

    Raises
    ------
    ExperimentError
        If a file cannot say what it is: other conventions than a preset's, or a grid that is
        not all combinations of some values.
    """
    return replace(experiment, source=to_toml(experiment))


def to_toml(experiment: Experiment) -> str:
    """Return the text of a file that reads as the experiment."""
    lines = [
        f"name = {toml_value(experiment.name)}",
        f"treebanks = {toml_value(experiment.treebanks)}",
        f"resamples = {experiment.resamples}",
        f"split = {toml_value(experiment.split)}",
    ]
    if experiment.tracks:
        lines.append(f"tracks = {toml_value(experiment.tracks)}")
    if experiment.cell_timeout is not None:
        lines.append(f"cell_timeout = {toml_value(experiment.cell_timeout)}")
    if experiment.cell_memory is not None:
        lines.append(f"cell_memory = {experiment.cell_memory}")
    for scoring in experiment.scorings:
        conventions = scoring.conventions
        if conventions != preset(conventions.preset, tags=conventions.tags):
            raise ExperimentError(
                f"a file cannot describe how {experiment.name} is scored: its conventions "
                "are not a preset"
            )
        lines += ["", "[[scores]]", f"preset = {toml_value(conventions.preset)}"]
        lines += [f"tags = {toml_value(conventions.tags)}"]
        lines += [f"metrics = {toml_value(scoring.metrics)}", f"by = {toml_value(scoring.by)}"]
    for choice in experiment.systems:
        lines += ["", *_system(choice)]
    return "\n".join([*lines, ""])


def _system(choice: SystemChoice) -> list[str]:
    lines = [
        "[[systems]]",
        f"system = {toml_value(choice.system)}",
        f"label = {toml_value(choice.label)}",
        f"seeds = {toml_value(choice.seeds)}",
        f"fit_on = {toml_value(choice.fit_on)}",
    ]
    if choice.settings:
        lines.append(f"settings = {toml_value(dict(choice.settings))}")
    if choice.keep_model:
        lines.append("keep_model = true")
    if choice.tuning:
        tuning = {"metric": choice.tuning.metric, "grid": _axes(choice.tuning, choice.label)}
        lines.append(f"tune_on_dev = {toml_value(tuning)}")
    return lines


def _axes(tuning: Tuning, label: str) -> dict[str, list[Any]]:
    """Return the values of every setting of a grid."""
    axes: dict[str, list[Any]] = {}
    for point in tuning.grid:
        for name, value in point:
            values = axes.setdefault(name, [])
            if value not in values:
                values.append(value)
    points = itertools.product(*axes.values())
    if tuning.grid != tuple(tuple(zip(axes, point, strict=True)) for point in points):
        raise ExperimentError(f"{label}: a file cannot say a grid that is not all combinations")
    return axes


def toml_value(value: Any) -> str:
    """Return a value as TOML writes it.

    >>> toml_value({"classes": "{p}", "sigma": (1.0, 0.0), "deep": True})
    '{ classes = "{p}", sigma = [1.0, 0.0], deep = true }'
    """
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{name} = {toml_value(one)}" for name, one in value.items())
        return f"{{ {pairs} }}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(toml_value, value))}]"
    # Texts, numbers and truth are written alike in JSON.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
