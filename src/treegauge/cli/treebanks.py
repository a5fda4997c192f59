"""How verbs find the treebanks that users name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treegauge.cli import console

if TYPE_CHECKING:
    from treegauge.formats import Findings
    from treegauge.treebank import Treebank

DataOption = Annotated[
    list[str],
    typer.Option(
        "--data",
        metavar="DIR",
        help="A folder of treebanks; may be repeated. TREEGAUGE_DATA names more.",
    ),
]


def is_file(text: str) -> bool:
    """Return whether a text is a file to be read as it is, and not a name to be looked up."""
    return text == "-" or Path(text).is_file()


def open_treebank(
    text: str, *, data: list[str], format: str | None, strict: bool = False
) -> Treebank:
    """Read the treebank that a user names, and say what was found on the way."""
    from treegauge.catalogue import Catalogue
    from treegauge.formats import Findings, read

    findings = Findings()
    with console.progress(f"reading {text}") as advance:
        if is_file(text) or format:
            treebank = read(
                text, format=format, strict=strict, findings=findings, on_progress=advance
            )
        else:
            catalogue = Catalogue.from_environment(data)
            treebank = catalogue.open(text, strict=strict, findings=findings)
    report(findings)
    return treebank


def report(findings: Findings) -> None:
    """Say what was found in a file that could be used nevertheless."""
    from treegauge.formats import Severity

    if len(findings):
        console.say(str(findings.only(Severity.NOTE, Severity.WARNING)), style="yellow")
