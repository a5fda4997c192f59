"""`treegauge validate`: everything that is wrong with files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import (
    FormatOption,
    JsonOption,
    OutputFormat,
    OutputOption,
    QuietOption,
)

if TYPE_CHECKING:
    from treegauge.formats import Validation
    from treegauge.reports import Table


def validate_cli(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Files to check; - is standard input.")
    ],
    strict: Annotated[
        bool, typer.Option("--strict", help="Sentences that are no trees are errors.")
    ] = False,
    from_format: Annotated[
        str, typer.Option("--from", metavar="FORMAT", help="The format, if it is not detected.")
    ] = "",
    format: FormatOption = OutputFormat.TABLE,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Check files and show every finding, with its line and what to do.

    Exit code 1 if any file has an error. `treegauge list findings` explains the ids.

    Example: `treegauge validate --strict en_ewt-ud-dev.conllu`
    """
    console.manners.quiet = quiet
    validations = validate(files, strict=strict, format=from_format or None)
    console.emit(
        OutputFormat.JSON if json else format,
        output,
        table=lambda: findings_table(validations),
        document=lambda: {
            "schema": 1,
            "files": [validation.to_dict() for validation in validations],
        },
        text=lambda: "".join(map(findings_text, validations)),
    )
    if not all(validation.is_valid for validation in validations):
        raise typer.Exit(1)


def validate(files: list[str], *, strict: bool, format: str | None) -> list[Validation]:
    """Check every file."""
    from treegauge.formats import validate

    validations = []
    for file in files:
        with console.progress(f"checking {file}") as advance:
            validations.append(validate(file, strict=strict, format=format, on_progress=advance))
    return validations


def findings_table(validations: list[Validation]) -> Table:
    """Return one row a finding."""
    from treegauge.reports import Table

    columns = ("severity", "id", "file", "line", "sentence", "expected", "found", "advice")
    rows = []
    for validation in validations:
        for finding in validation.findings:
            row: dict[str, Any] = finding.to_dict()
            rows.append([row[column] for column in columns])
    return Table(columns, rows)


def findings_text(validation: Validation) -> str:
    """Return the findings as a compiler would print them, and a line that sums them up."""
    from treegauge.formats import Severity

    findings = validation.findings
    counts = [
        f"{total:,} {severity}{'s' * (total != 1)}"
        for severity in Severity
        if (total := findings.total(severity))
    ]
    verdict = "valid" if validation.is_valid else "not valid"
    treebank = validation.treebank
    size = "" if treebank is None else f", {treebank.summary}"
    listed = f"{findings}\n" if len(findings) else ""
    return f"{listed}{validation.file}: {verdict}{size}; {', '.join(counts) or 'no findings'}\n"
