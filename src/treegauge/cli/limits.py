"""How much verbs read: options that set it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Annotated

import typer

from treegauge.cli.help_pages import LIMITS


def sets_limit(variable: str) -> Callable[[str], str]:
    """Return what sets how much is read, for this process and those that it starts."""

    def set_limit(size: str) -> str:
        if size:
            from treegauge.formats import FormatError
            from treegauge.formats.limits import parse_size

            try:
                parse_size(size)
            except FormatError as error:
                raise typer.BadParameter(str(error).partition(": ")[2]) from None
            os.environ[variable] = size
        return size

    return set_limit


MaxBytesOption = Annotated[
    str,
    typer.Option(
        "--max-bytes",
        metavar="SIZE",
        callback=sets_limit("TREEGAUGE_MAX_BYTES"),
        rich_help_panel=LIMITS,
        help="The largest file to read, after decompression. Default: 4GiB.",
    ),
]
