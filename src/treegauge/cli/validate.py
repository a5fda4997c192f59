"""`treegauge validate`: everything that is wrong with files."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from treegauge.cli import console
from treegauge.cli.completion import offer_treebanks
from treegauge.cli.console import Results, prints_results
from treegauge.cli.finding_lines import finding_lines
from treegauge.cli.help_pages import LIMITS, OUTPUT
from treegauge.cli.limits import sets_limit
from treegauge.cli.result_files import OutputFormat
from treegauge.cli.streams import StreamOption, is_streamed
from treegauge.cli.treebanks import DataOption, FromOption, is_file

if TYPE_CHECKING:
    from treegauge.catalogue import Catalogue
    from treegauge.formats import Role, Source, Validation
    from treegauge.tables import Table


class JudgedAs(StrEnum):
    """What a file is checked for."""

    GOLD = "gold"
    SYSTEM = "system"


FixOption = Annotated[
    str,
    typer.Option(
        "--fix",
        metavar="OUT",
        rich_help_panel=OUTPUT,
        help="Write a repaired, valid file. Every repair is listed as a finding.",
    ),
]
LevelOption = Annotated[
    int | None,
    typer.Option(
        "--level",
        metavar="1|2",
        min=1,
        max=2,
        help="Check CoNLL-U at this level of Universal Dependencies, with the rule names of the "
        "official validator.",
    ),
]


@prints_results
def validate_cli(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            autocompletion=offer_treebanks,
            help="Files to check; - is standard input.",
        ),
    ],
    judged_as: Annotated[
        JudgedAs,
        typer.Option(
            "--as", help="What the file is: gold, which must have trees, or a system's output."
        ),
    ] = JudgedAs.GOLD,
    strict: Annotated[
        bool, typer.Option("--strict", help="Treat warnings about gold as errors.")
    ] = False,
    level: LevelOption = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all",
            rich_help_panel=OUTPUT,
            help="Show every finding, even if many lines have the same flaw.",
        ),
    ] = False,
    _max_files: Annotated[
        str,
        typer.Option(
            "--max-files",
            metavar="N",
            callback=sets_limit("TREEGAUGE_MAX_FILES"),
            rich_help_panel=LIMITS,
            help="The largest number of files to check in a folder. Default: 100,000.",
        ),
    ] = "",
    fix: FixOption = "",
    stream: StreamOption = None,
    from_format: FromOption = "",
    data: DataOption = [],  # noqa: B006
) -> Results:
    """Check files, and show every flaw with its line and what to do.

    If many lines have the same flaw, it is shown once with their number. JSON, TSV and CSV list
    all of them.

    Exit code 1 if any file has an error. `treegauge list findings` explains the ids, and
    `treegauge list ud-rules` explains those of --level.

    Example: `treegauge validate --strict en_ewt-ud-dev.conllu`

    Example: `treegauge validate --level 2 en_ewt-ud-dev.conllu`

    Example: `treegauge validate answers.txt --fix answers.conllu`
    """
    if fix and len(files) > 1:
        raise typer.BadParameter("--fix writes one file: check one at a time")
    if fix and level:
        raise typer.BadParameter("--fix does not repair by level: check the file it wrote")
    if strict and judged_as is JudgedAs.SYSTEM:
        raise typer.BadParameter("--strict is for gold, not for --as system")
    if level and judged_as is JudgedAs.SYSTEM:
        raise typer.BadParameter("--level is for gold, not for --as system")
    streams = [is_streamed(stream, [file], {"--fix": fix}) for file in files]
    role: Role = "prediction" if judged_as is JudgedAs.SYSTEM else "check"
    form = console.manners.format
    every_one = every or form.is_data or form is OutputFormat.JSON
    if fix:
        validations = [fix_file(files[0], fix, every=every_one, format=from_format or None)]
    else:
        validations = validate(
            files,
            role=role,
            strict=strict,
            level=level,
            every=every_one,
            format=from_format or None,
            data=data,
            streams=streams,
        )
    return Results(
        [findings_table(validations)],
        {"schema": 1, "files": [validation.to_dict() for validation in validations]},
        lines=finding_lines(validations, every=every),
        failed=not all(validation.is_valid for validation in validations),
    )


def validate(
    files: list[str],
    *,
    role: Role = "check",
    strict: bool = False,
    level: int | None = None,
    every: bool = False,
    format: str | None = None,
    data: list[str],
    streams: Sequence[bool] = (),
) -> list[Validation]:
    """Check every file, some as streams; one that is not there does not hide the others."""
    from treegauge.catalogue import Catalogue, CatalogueError
    from treegauge.formats import Findings, Validation, validate
    from treegauge.formats.limits import TooManyFilesError

    validations: list[Validation] = []
    catalogue = Catalogue.from_environment(data)
    for file, stream in zip(files, streams or [False] * len(files), strict=True):
        try:
            sources = _sources(file, catalogue, format)
        except (CatalogueError, TooManyFilesError) as error:
            expected, _, advice = str(error).partition("\n")
            findings = Findings(file, role=role, strict=strict)
            findings.add(
                "unreadable",
                line=0,
                expected="a file or the name of a treebank",
                found=_reason(expected.removeprefix(f"{file}: ")),
                advice=advice.strip() or "`treegauge data list` lists the available treebanks",
            )
            validations.append(Validation(file, findings, None))
            continue
        with console.progress(f"checking {file}") as advance:
            for place, source in enumerate(sources):

                def on_progress(share: float, place: int = place, n: int = len(sources)) -> None:
                    advance((place + share) / n)

                checked = validate(
                    source,
                    role=role,
                    strict=strict,
                    level=level,
                    every=every,
                    format=format,
                    on_progress=on_progress,
                    stream=stream,
                )
                validations.append(checked.without_treebank())
    return validations


def fix_file(path: str, target: str, *, every: bool, format: str | None) -> Validation:
    """Write a valid file of one that need not be; return what was repaired."""
    from treegauge.cli.treebanks import write_and_say
    from treegauge.formats import Findings, Validation
    from treegauge.formats.repair import read_fixed

    findings = Findings(role="prediction", every=every)
    with console.progress(f"reading {path}"):
        treebank = read_fixed(path, findings=findings, format=format)
    write_and_say(treebank, target, format=None)
    return Validation(findings.file, findings, treebank)


def _reason(message: str) -> str:
    """Return what a catalogue found wrong, without the kind of its message and "cannot be read"."""
    return re.sub(r"^(\[[a-z-]+\] )?(cannot be read: )?", "", message)


def _sources(text: str, catalogue: Catalogue, format: str | None) -> list[Source]:
    """Return the files that a text names; a generated treebank becomes one in memory."""
    if is_file(text) or format:
        return [text]
    from treegauge.formats import to_text

    sources: list[Source] = []
    for selection in catalogue.parts(text):
        files = selection.entry.files(selection.part)
        name = f"{selection.name}:{selection.part}"
        sources += files or [NamedText(name, to_text(selection.read()))]
    return sources


class NamedText(io.StringIO):
    """A text that messages call by a name."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(text)
        self.name = name


def findings_table(validations: list[Validation]) -> Table:
    """Return one row a finding."""
    from treegauge.tables import Table

    columns: tuple[str, ...] = ("severity", "id", "file", "line")
    if any(validation.level for validation in validations):
        columns += ("level", "official")
    columns += ("sentence", "expected", "found", "advice")
    findings = [one.to_dict() for validation in validations for one in validation.findings]
    return Table(columns, [[finding.get(column) for column in columns] for finding in findings])
