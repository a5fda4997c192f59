"""What the papers' verbs read from the command line in the same way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer

TreebanksOption = Annotated[
    list[str],
    typer.Option(
        "--treebank",
        "-t",
        metavar="TREEBANK",
        help="A name or a set of names, each with train and test parts; may be repeated.",
    ),
]
FolderOption = Annotated[
    str,
    typer.Option("--output", "-o", metavar="FOLDER", help="Where everything is kept; runs/PAPER."),
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", min=1, help="Cells at the same time; one a core if missing."),
]
SystemSettingsOption = Annotated[
    list[str],
    typer.Option(
        "--set", metavar="SYSTEM.KEY=VALUE", help="A setting of a system; may be repeated."
    ),
]
SmallOption = Annotated[
    bool, typer.Option("--small", help="On toy languages, in a minute; needs no data.")
]


def names_in(text: str) -> tuple[str, ...]:
    """Return names between commas.

    >>> names_in("transition, graph")
    ('transition', 'graph')
    """
    return tuple(name.strip() for name in text.split(",") if name.strip())


def require_systems(names: Iterable[str], task: str) -> None:
    """Refuse systems that there are not, and those that annotate something else."""
    from treegauge.systems import find_system

    for name in names:
        found = find_system(name).task
        if found not in (task, "?"):
            raise typer.BadParameter(f"{name} annotates {found}, not {task}; see list systems")


def require_whole(treebanks: Iterable[str]) -> None:
    """Refuse parts of treebanks: the papers' experiments learn from one part and test on another.

    >>> require_whole(["toy:svo", "da_ddt"])
    """
    for name in treebanks:
        whole, _, part = name.rpartition(":")
        if part in ("train", "dev", "test"):
            raise typer.BadParameter(f"{name} is a part; name the whole treebank, {whole}")


def settings_by_system(assignments: list[str]) -> dict[str, dict[str, Any]]:
    """Read `SYSTEM.KEY=VALUE` texts."""
    from treegauge.systems import parse_assignments

    found: dict[str, dict[str, Any]] = {}
    for place, value in parse_assignments(assignments).items():
        system, dot, key = place.partition(".")
        if not dot or not key:
            raise typer.BadParameter(f"expected SYSTEM.KEY=VALUE, found {place}={value}")
        found.setdefault(system, {})[key] = value
    return found
