"""A first experiment file, with comments: what `treegauge init` writes."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from treegauge.runs.errors import ExperimentError
from treegauge.runs.experiment import DEFAULT_METRICS, TRACKS
from treegauge.runs.experiment_file import make_experiment
from treegauge.runs.experiment_text import toml_value
from treegauge.settings import describe_settings
from treegauge.systems import SystemsError, find_system
from treegauge.wording import unknown_name, visible

FIRST_TREEBANKS = ("toy:svo", "toy:sov")
FIRST_SYSTEMS: Mapping[str, tuple[str, ...]] = {
    "dependencies": ("right-branching", "random", "dmv"),
    "tags": ("brown", "mkcls"),
    "joint": ("content-chain", "tags-then-trees"),
}
"""By track, systems that end in seconds on a toy language."""

_MOST_SETTINGS = 5

_HEAD = """\
# An experiment: every system on every treebank. To use a commented line, remove its #.
#
# Check everything, and show the plan:
#     treegauge run {file} --dry-run
# Run it. The same command resumes an interrupted run:
#     treegauge run {file}
# Show all results; with -o report.html, a page of them:
#     treegauge report {folder}

# Names, sets, folders, files or toy languages; `treegauge data list` shows what is available.
treebanks = {treebanks}

# What systems annotate: "dependencies", "tags", or both of them at once, "joint".
tracks = {tracks}

# Conventions of scoring: "pascal" removes punctuation, "conll2006" does not count it,
# "conll2018" counts it.
preset = "pascal"

# Without metrics, those of the track; `treegauge list metrics` shows all.
# metrics = {metrics}

# The part of a treebank that is annotated and scored: "train", "dev" or "test".
# split = "test"

# Unsupervised systems learn from blind copies of all parts, "union", or of one, "train".
# fit_on = "union"

# A system that draws random numbers runs once for every seed, and tables show the mean.
# seeds = [0]

# Bootstrap resamples for the intervals; 0 for none.
# resamples = 1000

# Limits of a cell, one system on one treebank: time, and MiB of memory.
# cell_timeout = "2h"
# cell_memory = 8000

# `treegauge list systems` shows all systems, `treegauge list systems NAME` the settings of one.
"""


def first_experiment(
    file: str,
    *,
    treebanks: Sequence[str] = (),
    systems: Sequence[str] = (),
    track: str = "",
) -> str:
    """Return the text of an experiment file.

    Parameters
    ----------
    file : str
        Where the file is going to be, for its comments.
    treebanks, systems : sequence of str
        Names; two toy languages, and a few quick systems of the track, where there are none.
    track : str
        `dependencies`, `tags` or `joint`; when empty, that of the systems.

    Raises
    ------
    ExperimentError
        If there is no such track or system, a system is named twice, or takes no part in the
        track.
    """
    if track and track not in TRACKS:
        raise ExperimentError(unknown_name("track", track, TRACKS))
    systems = systems or FIRST_SYSTEMS[track or "dependencies"]
    tracks = {_track(system): system for system in systems}
    for other, system in tracks.items():
        if track and other != track:
            raise ExperimentError(
                f"{system} takes part in {other}, not in {track}\n"
                "  `treegauge list systems` shows which systems do"
            )
    name = Path(file).name.removesuffix(".toml")
    head = _HEAD.format(
        file=_in_comment(file),
        folder=_in_comment(f"runs/{name}"),
        treebanks=toml_value(tuple(treebanks or FIRST_TREEBANKS)),
        tracks=toml_value(tuple(tracks)),
        metrics=toml_value(DEFAULT_METRICS[next(iter(tracks)), False]),
    )
    text = "\n".join([head, *(line for system in systems for line in _lines(system))])
    make_experiment({"name": name, **tomllib.loads(text)})  # complains before anything is written
    return text


def _in_comment(path: str) -> str:
    """Return a path as a shell reads it, on one line."""
    return shlex.quote(visible(path).replace("\n", "\\n"))


def _track(system: str) -> str:
    try:
        return find_system(system).task
    except SystemsError as error:
        raise ExperimentError(str(error)) from None


def _lines(system: str) -> Iterator[str]:
    """Give the table of a system, with its first settings commented out."""
    cls = find_system(system).load()
    yield "[[systems]]"
    yield f"system = {toml_value(system)}"
    defaults = cls.settings_type().to_dict()
    # TOML has no way to write that there is none.
    known = [s for s in describe_settings(cls.settings_type) if defaults[s.name] is not None]
    if known:
        yield "# [systems.settings]"
    for one in known[:_MOST_SETTINGS]:
        yield f"# {one.name} = {toml_value(defaults[one.name])}  # {one.help}"
    yield ""
