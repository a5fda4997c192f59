"""The option for where the tags come from that trees are found over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from treegauge.cli import learning

if TYPE_CHECKING:
    from treegauge.systems import System

TagsFromOption = Annotated[
    str,
    typer.Option(
        "--tags-from",
        metavar="TAGGER",
        help="Find trees over the tags of a tagger, as in brown:45, and not over gold tags.",
    ),
]


def make(name: str, tags_from: str, assignments: list[str], seed: int | None) -> System:
    """Return a system with the settings of the command line, and its tags from where it says."""
    if not tags_from:
        return learning.make(name, assignments, seed)
    from treegauge.systems import parse_assignments
    from treegauge.systems.tags_then_trees import with_tags_from

    return with_tags_from(name, tags_from, parse_assignments(assignments), seed=seed or 0)
