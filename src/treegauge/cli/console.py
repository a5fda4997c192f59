"""How the program talks: results to standard output, everything else to standard error."""

from __future__ import annotations

import contextlib
import inspect
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Annotated, Any, Protocol, cast, get_type_hints

import typer

from treegauge.cli.help_pages import OUTPUT
from treegauge.cli.limits import MaxBytesOption
from treegauge.cli.result_files import OutputFormat, check_spreadsheet, form_of_file
from treegauge.wording import visible

if TYPE_CHECKING:
    from treegauge.reports.pages import Page
    from treegauge.tables import Table


@dataclass
class _Manners:
    """What was said on the command line about talking; one per process."""

    quiet: bool = False
    debug: bool = False
    json: bool = False
    format_was_given: bool = False
    format: OutputFormat = OutputFormat.TABLE
    """The form of the results of the verb that runs."""
    interject: Callable[[str], None] | None = None
    """Shows a line in place of what the bar on the terminal says, where there is a bar."""


manners = _Manners()


def note_format(context: typer.Context, parameter: typer.CallbackParam, value: Any) -> Any:
    """Remember whether a form of results was asked for, or is only the usual one."""
    source = context.get_parameter_source(parameter.name or "")
    manners.format_was_given = source is not None and source.name == "COMMANDLINE"
    return value


def _note_json(wanted: bool) -> bool:
    manners.json = wanted
    return wanted


def _note_quiet(wanted: bool) -> bool:
    manners.quiet = wanted
    return wanted


FormatOption = Annotated[
    OutputFormat,
    typer.Option(
        "--format",
        "-f",
        callback=note_format,
        rich_help_panel=OUTPUT,
        help="The format of the results. Default: the extension of -o FILE, or table.",
    ),
]
SummaryOption = Annotated[
    OutputFormat | None,
    typer.Option(
        "--format",
        "-f",
        callback=note_format,
        rich_help_panel=OUTPUT,
        help="Print a summary in this format.",
    ),
]
JsonOption = Annotated[
    bool,
    typer.Option(
        "--json", callback=_note_json, rich_help_panel=OUTPUT, help="Short for --format json."
    ),
]
OutputOption = Annotated[
    str,
    typer.Option(
        "--output", "-o", metavar="FILE", rich_help_panel=OUTPUT, help="Write results to a file."
    ),
]
QuietOption = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        callback=_note_quiet,
        rich_help_panel=OUTPUT,
        help="Print only errors.",
    ),
]

_UNFOLDED = 400
"""The width of tables that go to a file or a pipe: nobody wants folded cells there."""

_PATIENCE = 1.0
"""Seconds before a progress bar appears."""


def say(message: str, *, style: str = "") -> None:
    """Tell the user something on standard error, unless asked to be quiet."""
    if not manners.quiet:
        standard_error().print(visible(message), style=style or None, markup=False, soft_wrap=True)


def complain(message: str) -> None:
    """Print an error, also when asked to be quiet."""
    standard_error().print(visible(message), style="bold red", markup=False, soft_wrap=True)


@contextlib.contextmanager
def say_warnings(*categories: type[Warning]) -> Iterator[None]:
    """Say on standard error, each once, what is warned of inside."""
    with warnings.catch_warnings(record=True) as caught:
        for category in categories:
            warnings.simplefilter("always", category)
        yield
    for warning in caught:
        if not issubclass(warning.category, categories):
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
    ours = (str(one.message) for one in caught if issubclass(one.category, categories))
    for message in dict.fromkeys(ours):
        say(message, style="yellow")


def emit(
    format: OutputFormat,
    output: str,
    *,
    table: Callable[[], Table | Sequence[Table]],
    document: Callable[[], dict[str, Any]],
    text: Callable[[], str] | None = None,
    by_name: bool = True,
) -> None:
    """Give the results in the form asked for, on standard output or in a file.

    `text` replaces the plain table where a verb has something better to show people. The name of
    the file chooses the form where none was asked for, unless a verb has done so itself.
    """
    from treegauge.reports.rendering import json_text, render

    format = format_for(format, output) if by_name else format
    if format is OutputFormat.JSON:
        rendered = json_text(document())
    elif format is OutputFormat.TABLE and text is not None:
        rendered = text()
    else:
        content = table()
        tables = content if isinstance(content, Sequence) else [content]
        if format is OutputFormat.XLSX:
            _write_spreadsheet(output, tables)
            return
        rendered = render(tables, format.value, width=width(), colour=has_colour(output))
    if output in ("", "-"):
        sys.stdout.write(rendered)
    else:
        from treegauge.formats import write_text

        write_text(output, rendered)
        say(f"wrote {output}")


def _write_spreadsheet(output: str, tables: Sequence[Table]) -> None:
    from treegauge.formats import write_chunks
    from treegauge.reports.spreadsheet import to_xlsx

    write_chunks(output, [to_xlsx(tables)])
    say(f"wrote {output}")


def emit_page(page: Page, output: str, figures: str = "") -> None:
    """Write a page to a file, trees beside it, or to standard output without those.

    With a folder for figures, all of them go there as files of their own.
    """
    from treegauge.reports.pages import write_figures, write_page

    if output in ("", "-"):
        sys.stdout.write(page.to_html())
    else:
        first, *others = write_page(page, output)
        size = first.stat().st_size / 1e6
        say(f"wrote {first} ({size:.1f} MB)")
        if others:
            say(f"wrote {len(others)} files of trees to {others[0].parent}")
    drawn = page.figures()
    if figures and not drawn:
        say("no figures: this page has none")
    elif figures:
        written, missing = write_figures(drawn, figures)
        say(f"wrote {len(written)} files of figures to {figures}")
        if missing:
            say(missing)


def format_for(format: OutputFormat, output: str) -> OutputFormat:
    """Return the form of results: the one that was asked for, or the one a file is named after."""
    if manners.json:
        return OutputFormat.JSON
    if not manners.format_was_given and output not in ("", "-"):
        format = form_of_file(output) or format
    if format is OutputFormat.XLSX:
        check_spreadsheet(output)
    return format


def emit_summary(format: OutputFormat | None, output: str, *, document: dict[str, Any]) -> None:
    """Give a summary of a verb that writes files, if one was asked for."""
    from treegauge.tables import Table

    if format is None and not output and not manners.json:
        return
    cells = [(key, _as_cell(value)) for key, value in document.items()]
    emit(
        format or OutputFormat.TABLE,
        output,
        table=lambda: Table(("what", "value"), cells),
        document=lambda: {"schema": 1, **document},
    )


def _as_cell(value: Any) -> Any:
    """Return a value as a cell of a table, which holds a text or a number."""
    if isinstance(value, dict):
        return ", ".join(f"{key}={_as_cell(one)}" for key, one in value.items()) or None
    return "; ".join(map(str, value)) if isinstance(value, list) else value


@dataclass(frozen=True)
class Results:
    """What a verb gives: tables for people, a document for JSON."""

    tables: Sequence[Table]
    document: dict[str, Any]
    text: str = ""
    """Replaces the plain tables where there is something better to show people."""
    lines: Sequence[tuple[str, str]] = ()
    """The same, line by line, each with its style on a terminal."""
    failed: bool = False
    """Whether the program ends with exit code 1."""
    page: Callable[[str], Page] | None = None
    """Makes the page for --format html, given the name of its file, where a verb has one."""
    bare: str = ""
    """What is printed instead of everything, for scripts."""
    afterwards: Callable[[], None] | None = None
    """Says, or writes, what is to follow the results."""


def _shown_text(results: Results, output: str) -> str:
    """Return what people are shown instead of tables, in colours on a terminal."""
    if not results.lines:
        return visible(results.text)
    from rich.style import Style

    colour = has_colour(output)
    return "".join(
        f"{Style.parse(style).render(visible(line)) if colour and style else visible(line)}\n"
        for line, style in results.lines
    )


def prints_results(verb: Callable[..., Results]) -> Callable[..., None]:
    """Give a verb the options --format, --json, -o and --quiet, and print what it returns."""

    def printing(*, format: OutputFormat, output: str, **chosen: Any) -> None:
        format = manners.format = format_for(format, output)
        figures = chosen.get("figures", "")
        if figures and format is not OutputFormat.HTML:
            raise typer.BadParameter("--figures goes with a report: add -o report.html")
        results = verb(**_own(verb, chosen))
        if results.bare:
            sys.stdout.write(f"{results.bare}\n")
        elif format is OutputFormat.HTML and results.page is not None:
            emit_page(results.page(output), output, figures)
        else:
            text = (lambda: _shown_text(results, output)) if results.text or results.lines else None
            emit(
                format,
                output,
                table=lambda: results.tables,
                document=lambda: results.document,
                text=text,
                by_name=False,
            )
        if results.afterwards is not None:
            sys.stdout.flush()
            results.afterwards()
        if results.failed:
            raise typer.Exit(1)

    return _with_options(verb, printing, FormatOption, OutputFormat.TABLE)


def prints_summary(verb: Callable[..., dict[str, Any]]) -> Callable[..., None]:
    """Give a verb that writes files the same options; it returns a summary of what it did."""

    def printing(*, format: OutputFormat | None = None, output: str = "", **chosen: Any) -> None:
        if chosen.get("target") == "-" and (format or manners.json) and not output:
            raise typer.BadParameter(
                "the treebank and the summary are both standard output; give -o FILE"
            )
        format_for(format or OutputFormat.TABLE, output)  # complains before anything is done
        emit_summary(format, output, document=verb(**_own(verb, chosen)))

    return _with_options(verb, printing, SummaryOption, None)


def _own(verb: Callable[..., Any], chosen: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a verb; options that belong together become one of them."""
    arguments = {}
    for name, parameter in inspect.signature(verb, eval_str=True).parameters.items():
        if is_dataclass(parameter.annotation):
            own = {field.name: chosen[field.name] for field in fields(parameter.annotation)}
            arguments[name] = cast("type[Any]", parameter.annotation)(**own)
        elif name in chosen:
            arguments[name] = chosen[name]
    return arguments


def _with_options(
    verb: Callable[..., Any], printing: Callable[..., None], format_option: Any, default: Any
) -> Callable[..., None]:
    """Return a function with the arguments of a verb, and those of all verbs behind them.

    An argument whose type is a dataclass stands for its fields: options that several verbs share.
    """
    options: dict[str, tuple[Any, Any]] = {}
    for name, own in inspect.signature(verb, eval_str=True).parameters.items():
        if is_dataclass(own.annotation):
            hints = get_type_hints(own.annotation, include_extras=True)
            options |= {f.name: (hints[f.name], _default(f)) for f in fields(own.annotation)}
        else:
            options[name] = own.annotation, own.default
    has_output = any("-o" in _flags(kind) for kind, _ in options.values())
    if not any("--format" in _flags(kind) for kind, _ in options.values()):
        options["format"] = format_option, default
    options["json"] = JsonOption, False
    options |= {} if has_output else {"output": (OutputOption, "")}
    options |= {"quiet": (QuietOption, False), "max_bytes": (MaxBytesOption, "")}
    printing.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value, annotation=kind)
            for name, (kind, value) in options.items()
        ]
    )
    printing.__annotations__ = {}  # Typer reads them beside the signature
    printing.__name__, printing.__doc__ = verb.__name__, verb.__doc__
    return printing


def _flags(kind: Any) -> tuple[str, ...]:
    """Return how an option is written; a verb that writes a treebank has an -o of its own."""
    about = getattr(kind, "__metadata__", ())
    # Typer takes the first name for a default, until it reads the annotation.
    names = [getattr(one, "default", None) for one in about]
    names += [flag for one in about for flag in getattr(one, "param_decls", None) or ()]
    return tuple(name for name in names if isinstance(name, str))


def _default(field: Field[Any]) -> Any:
    """Return the default of a field; a list is made anew for every verb."""
    return field.default if field.default_factory is MISSING else field.default_factory()


class Advance(Protocol):
    """Told the share that is done, and perhaps a line to show beside the bar."""

    def __call__(self, share: float, line: str = "") -> None:
        """Move the bar."""


@contextlib.contextmanager
def progress(task: str) -> Iterator[Advance]:
    """Show a bar on a terminal if the task takes long.

    Gives a function to be called with the share that is done.
    """
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = standard_error()
    if manners.quiet or not console.is_terminal:
        yield lambda share, line="": None  # noqa: ARG005
        return
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    task = visible(task)
    task_id = bar.add_task(task, total=1.0)
    begin = time.monotonic()

    def advance(share: float, line: str = "") -> None:
        if time.monotonic() - begin > _PATIENCE:
            bar.start()
        bar.update(
            task_id, completed=share, description=f"{task}: {visible(line)}" if line else None
        )

    def interject(line: str) -> None:
        bar.update(task_id, description=line or task)
        bar.start()

    outer, manners.interject = manners.interject, interject
    try:
        yield advance
    finally:
        manners.interject = outer
        bar.stop()


def standard_error() -> Any:
    """Return what prints on standard error, in colours on a terminal."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, emoji=False)


def width() -> int:
    """Return how wide a table on standard output may be."""
    from rich.console import Console

    return max(Console().width, 60) if sys.stdout.isatty() else _UNFOLDED


def has_colour(output: str) -> bool:
    """Return whether results are shown on a terminal, by somebody who likes colours."""
    import os

    return output in ("", "-") and sys.stdout.isatty() and "NO_COLOR" not in os.environ
