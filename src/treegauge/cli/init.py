"""`treegauge init`: a first experiment file, from three questions."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.completion import offer_systems_between_commas
from treegauge.cli.console import prints_summary
from treegauge.cli.treebanks import DataOption
from treegauge.wording import counted, listed


class Track(StrEnum):
    """What systems annotate."""

    DEPENDENCIES = "dependencies"
    TAGS = "tags"
    JOINT = "joint"


@prints_summary
def init_cli(
    target: Annotated[
        str, typer.Argument(metavar="FILE", help="The experiment file to write.")
    ] = "experiment.toml",
    track: Annotated[
        Track | None,
        typer.Option("--track", help="What systems annotate: dependencies, tags, or both at once."),
    ] = None,
    treebanks: Annotated[
        str,
        typer.Option("--treebanks", metavar="LIST", help="Treebanks, such as toy:svo,en_ewt."),
    ] = "",
    systems: Annotated[
        str,
        typer.Option(
            "--systems",
            metavar="LIST",
            autocompletion=offer_systems_between_commas,
            help="Systems, such as dmv,random. See treegauge list systems.",
        ),
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    data: DataOption = [],  # noqa: B006
) -> dict[str, Any]:
    """Write a commented experiment file, ready to run and to edit.

    On a terminal, it asks for the track, the treebanks and the systems that no option names.
    Otherwise it uses toy languages and fast systems, so that the file runs as it is.

    Example: `treegauge init first-look.toml --treebanks toy:svo --systems dmv,random`
    """
    from treegauge.formats import write_text
    from treegauge.runs import Experiment
    from treegauge.runs.first_experiment import FIRST_SYSTEMS, FIRST_TREEBANKS, first_experiment

    if Path(target).exists() and not force:
        raise FileExistsError(0, "it exists already; --force replaces it", target)
    chosen_track = track.value if track else ""
    if _can_ask():
        if not systems and not chosen_track:
            chosen_track = _ask("Which track: dependencies, tags or joint?", "dependencies")
        treebanks = treebanks or _ask("On which treebanks?", ",".join(FIRST_TREEBANKS))
        usual = FIRST_SYSTEMS.get(chosen_track, ())
        systems = systems or _ask("By which systems?", ",".join(usual))
    names = listed(treebanks) or list(FIRST_TREEBANKS)
    text = first_experiment(target, treebanks=names, systems=listed(systems), track=chosen_track)
    _warn_of_unknown(names, data)
    write_text(target, text)
    experiment = Experiment.from_toml(target)
    console.say(
        f"wrote {target}: {counted(len(experiment.systems), 'system')} on "
        f"{counted(len(names), 'treebank')}; `treegauge run {shlex.quote(target)}` runs it"
    )
    return {
        "experiment": target,
        "treebanks": names,
        "systems": [choice.label for choice in experiment.systems],
        "tracks": list(experiment.tracks),
    }


def _can_ask() -> bool:
    """Return whether somebody is there to answer."""
    return sys.stdin.isatty() and sys.stderr.isatty() and not console.manners.quiet


def _ask(question: str, default: str) -> str:
    """Ask on standard error, since standard output is for results; no answer is the default."""
    sys.stderr.write(f"{question} [{default}] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip() or default


def _warn_of_unknown(treebanks: Sequence[str], data: list[str]) -> None:
    """Say which treebanks are not at hand yet; the file may be written before they come."""
    from treegauge.catalogue import Catalogue
    from treegauge.errors import TreegaugeError

    catalogue = Catalogue.from_environment(data)
    for name in treebanks:
        try:
            catalogue.parts(name)
        except (TreegaugeError, OSError) as error:
            console.say(str(error).partition("\n")[0], style="yellow")
