"""`treegauge list settings`: which options are not as usual, and who says so."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer

from treegauge.cli.configuration import Given, options_of, verbs_of
from treegauge.cli.console import Results
from treegauge.cli.in_force import in_force
from treegauge.settings import SETTINGS_FILE
from treegauge.wording import unknown_name

TITLES = ("command", "option", "value", "default", "why")
KEYS = ("verb", *TITLES[1:])

_VARIABLES = {
    "data": "TREEGAUGE_DATA",
    "max-bytes": "TREEGAUGE_MAX_BYTES",
    "max-files": "TREEGAUGE_MAX_FILES",
}
"""Options that a variable of the environment speaks for where nothing else does."""


def settings_in_force(verb: str = "") -> Results:
    """Return all options of a verb, or those of all verbs that are not left to their defaults.

    The whole file is checked on the way, also tables of verbs that nobody runs now.
    """
    from treegauge.cli.main import app
    from treegauge.tables import Table

    verb = verb.replace(".", " ")
    program = typer.main.get_command(app)
    verbs = {" ".join(path): command for path, command in verbs_of(program)}
    if verb and verb not in verbs:
        raise typer.BadParameter(unknown_name("command", verb, verbs))
    configuration = in_force.configuration
    rows: list[tuple[Any, ...]] = []
    for name, command in verbs.items():
        given: Sequence[Given] = ()
        if configuration is not None:
            given = configuration.given(name.split(), program)
            for other in configuration.sets:
                replace(configuration, chosen=other).given(name.split(), program)
        if verb in ("", name):
            rows += [row for row in _rows(name, command, given) if verb or row[-1] != "default"]
    file = configuration.name if configuration else None
    notes = [] if verb else ["every other option has its default: treegauge list settings COMMAND"]
    notes.insert(0, f"read from {file}" if file else f"no {SETTINGS_FILE} is in use")
    objects = [dict(zip(KEYS, row, strict=True)) for row in rows]
    about = {"schema": 1, "file": file, "named": configuration.chosen if configuration else ""}
    shown = [tuple(map(_shown, row)) for row in rows]
    return Results([Table(TITLES, shown, notes=notes)], {**about, "settings": objects})


def _rows(verb: str, command: Any, given: Sequence[Given]) -> Iterator[tuple[Any, ...]]:
    """Give a row for every option of a verb: what is in force, and why."""
    by_option = {one.option.name: one for one in given}
    for name, option in options_of(command).items():
        default = _plain(option.default)
        variable = _VARIABLES.get(name, "")
        if option.name in by_option:
            one = by_option[option.name]
            yield verb, name, one.value, default, one.place
        elif os.environ.get(variable):
            yield verb, name, os.environ[variable], default, variable
        else:
            yield verb, name, default, default, "default"


def _plain(value: Any) -> Any:
    """Return a default as the file would have it."""
    if isinstance(value, Path):
        return str(value)
    return list(value) if isinstance(value, tuple) else getattr(value, "value", value)


def _shown(value: Any) -> str:
    """Return a value as it would be typed or written in the file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return ",".join(map(_shown, value))
    return "" if value is None else str(value)
