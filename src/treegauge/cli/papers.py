"""`treegauge reproduce PAPER`: a verb for every paper, made from the paper's settings."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType, NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import typer

from treegauge.cli import console
from treegauge.cli.completion import offer_settings_of_systems, offer_treebanks
from treegauge.cli.console import FormatOption, JsonOption, OutputOption, QuietOption
from treegauge.cli.help_pages import LIMITS, OUTPUT
from treegauge.cli.in_force import program
from treegauge.cli.result_files import OutputFormat
from treegauge.cli.running import RunOptions, run_experiment
from treegauge.cli.treebanks import DataOption

if TYPE_CHECKING:
    from treegauge.catalogue import Catalogue
    from treegauge.papers.paper import Measurements, Paper, PaperSettings, Workbench
    from treegauge.reports.pages import Page

SystemSettingsOption = Annotated[
    list[str],
    typer.Option(
        "--set",
        metavar="SYSTEM.KEY=VALUE",
        autocompletion=offer_settings_of_systems,
        help="A setting of a system. May be repeated.",
    ),
]
FolderOption = Annotated[
    str,
    typer.Option(
        "--folder",
        metavar="DIR",
        rich_help_panel=OUTPUT,
        help="The folder for the runs. Default: runs/PAPER.",
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers",
        min=1,
        rich_help_panel=LIMITS,
        help="How many cells run at the same time. Default: one per core.",
    ),
]
SmallOption = Annotated[
    bool, typer.Option("--small", help="Use toy languages. This takes a minute and needs no data.")
]
PublishedOption = Annotated[
    bool,
    typer.Option(
        "--published", help="Run nothing. Check the paper's claims on its published figures."
    ),
]

_SHARED = {
    "assignments": (SystemSettingsOption, []),
    "folder": (FolderOption, ""),
    "workers": (WorkersOption, None),
    "small": (SmallOption, False),
    "published": (PublishedOption, False),
    "data": (DataOption, []),
    "format": (FormatOption, OutputFormat.TABLE),
    "json": (JsonOption, False),
    "output": (OutputOption, ""),
    "quiet": (QuietOption, False),
}
"""The options of every paper."""


def paper_verb(paper: Paper[Any]) -> Callable[..., None]:
    """Return the verb of a paper: a function whose arguments are the paper's settings."""

    def verb(**chosen: Any) -> None:
        shared = {name: chosen.pop(name) for name in _SHARED}
        _reproduce(paper, _settings(paper, chosen), **shared)

    hints = get_type_hints(paper.settings_type)
    options = {
        field.name: _option(hints[field.name], field.default, field.metadata)
        for field in fields(paper.settings_type)
    }
    options |= {
        name: inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind
        )
        for name, (kind, default) in _SHARED.items()
    }
    parameters = [parameter.replace(name=name) for name, parameter in options.items()]
    verb.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    verb.__doc__ = f"{paper.summary}\n\nExample: `{paper.example}`"
    return verb


def _option(kind: Any, default: Any, metadata: Any) -> inspect.Parameter:
    """Return the option of a setting, as Typer reads it."""
    flags = [flag for flag in metadata.get("flags", "").split(",") if flag]
    about: dict[str, Any] = {"help": metadata.get("help", "")}
    if metadata.get("metavar") == "TREEBANK":
        about["autocompletion"] = offer_treebanks
    for ours, theirs in (("metavar", "metavar"), ("minimum", "min"), ("maximum", "max")):
        if ours in metadata:
            about[theirs] = metadata[ours]
    if get_origin(kind) in (Union, UnionType):
        kind = next(one for one in get_args(kind) if one is not NoneType) | None
    elif get_origin(kind) is tuple:
        kind, default = list[str], list(default)
    elif get_origin(kind) is Literal:
        choices: Any = StrEnum("Choice", [(str(v), str(v)) for v in get_args(kind)])  # type: ignore[misc]
        kind, default = choices, choices(str(default))
    return inspect.Parameter(
        "option",
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind, typer.Option(*flags, **about)],
    )


def _settings(paper: Paper[Any], chosen: dict[str, Any]) -> PaperSettings:
    """Return the settings that were chosen; most lists may hold commas."""
    from treegauge.settings import read_settings

    with_commas = {
        field.name for field in fields(paper.settings_type) if field.metadata.get("commas", True)
    }
    values = {}
    for name, value in chosen.items():
        if isinstance(value, list) and name in with_commas:
            value = [part.strip() for text in value for part in text.split(",") if part.strip()]
        values[name] = value.value if isinstance(value, StrEnum) else value
    return read_settings(paper.settings_type, values, place=paper.name)


def _reproduce(
    paper: Paper[Any],
    settings: PaperSettings,
    *,
    assignments: Sequence[str],
    folder: str,
    workers: int | None,
    small: bool,
    published: bool,
    data: list[str],
    format: OutputFormat,
    json: bool,
    output: str,
    quiet: bool,
) -> None:
    """Measure a paper and show what came of it."""
    console.manners.quiet = quiet
    form = console.format_for(OutputFormat.JSON if json else format, output)
    if published:
        _emit_published(paper, form, output)
        return
    command = _command(paper, settings, assignments, folder, data, small=small)
    require_whole(settings.treebanks)
    if small and settings.treebanks:
        many = "treebanks" if len(paper.small_treebanks) > 1 else "treebank"
        raise typer.BadParameter(f"--small has its own {many}")
    if small and settings.tag_map:
        raise typer.BadParameter("--small needs no --tag-map: toy languages have universal tags")
    place = Path(folder or f"runs/{paper.name}{'-small' if small else ''}")
    chosen = settings_by_system(assignments)
    settings, workbench = prepare(
        paper, settings, place, small=small, data=data, workers=workers, system_settings=chosen
    )
    measured = paper.measure(settings, workbench)
    is_page = form is OutputFormat.HTML
    page = None
    if is_page or paper.has_page(settings):
        page = paper.page(measured, workbench, command=command)
    keep(paper, measured, page, place)
    if is_page and page is not None:
        console.emit_page(page, output)
    else:
        console.emit(
            form,
            output,
            table=lambda: paper.all_tables(measured, shown=True),
            document=lambda: paper.to_dict(measured),
        )
    if measured.failures:
        raise typer.Exit(1)


def prepare(
    paper: Paper[Any],
    settings: PaperSettings,
    place: Path,
    *,
    small: bool = False,
    data: Sequence[str] = (),
    workers: int | None = None,
    system_settings: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> tuple[PaperSettings, Workbench]:
    """Return the settings of a paper and the workbench that it is measured on, both checked."""
    from treegauge.catalogue import Catalogue
    from treegauge.papers.paper import Workbench

    catalogue = Catalogue.from_environment(data)
    treebanks = settings.treebanks or paper.default_treebanks
    if small:
        treebanks, catalogue = _toys(paper, place, catalogue)
        system_settings = {**paper.small_system_settings, **system_settings}
    if settings.tag_map and not small:
        from treegauge.papers.mapped_tags import with_mapped_tags

        catalogue, treebanks = with_mapped_tags(catalogue, treebanks, settings.tag_map, console.say)
    settings = replace(settings, treebanks=treebanks)
    workbench = Workbench(
        catalogue,
        place,
        lambda experiment, inner, catalogue: run_experiment(
            experiment, str(inner), catalogue, RunOptions(workers=workers)
        ),
        system_settings,
        console.progress,
        console.say,
    )
    with _misuse_reported():
        settings = paper.small(settings) if small else settings
        paper.check(settings, workbench)
    return settings, workbench


def require_whole(treebanks: Iterable[str]) -> None:
    """Refuse parts of treebanks: the papers' experiments learn from one part and test on another.

    >>> require_whole(["toy:svo", "da_ddt"])
    """
    for name in treebanks:
        whole, _, part = name.rpartition(":")
        if part in ("train", "dev", "test"):
            raise typer.BadParameter(f"{name} is a part; name the whole treebank, {whole}")


def settings_by_system(assignments: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Read `SYSTEM.KEY=VALUE` texts."""
    from treegauge.systems import parse_assignments

    by_system: dict[str, dict[str, Any]] = {}
    for place, value in parse_assignments(list(assignments)).items():
        system, dot, key = place.partition(".")
        if not dot or not key:
            raise typer.BadParameter(f"expected SYSTEM.KEY=VALUE, found {place}={value}")
        by_system.setdefault(system, {})[key] = value
    return by_system


@contextmanager
def _misuse_reported() -> Iterator[None]:
    """Report settings that make no sense as Typer reports options."""
    from treegauge.papers.paper import MisuseError

    try:
        yield
    except MisuseError as error:
        raise typer.BadParameter(str(error)) from None


def _toys(
    paper: Paper[Any], place: Path, catalogue: Catalogue
) -> tuple[tuple[str, ...], Catalogue]:
    """Return the paper's toy languages, as small as it wants them, and where they are found."""
    from treegauge.catalogue import Catalogue
    from treegauge.papers.derived_treebanks import write_treebanks
    from treegauge.toys import toy_parts

    names = paper.small_treebanks
    if not paper.small_tokens:
        return names, catalogue
    parts = {name: toy_parts(name, tokens=paper.small_tokens) for name in names}
    if not paper.small_on_disk:
        return names, Catalogue(treebanks=parts)
    home = place / "treebanks"
    write_treebanks(home, {name.replace(":", "_"): own for name, own in parts.items()})
    return tuple(str(home / name.replace(":", "_")) for name in names), catalogue


def _command(
    paper: Paper[Any],
    settings: PaperSettings,
    assignments: Sequence[str],
    folder: str,
    data: Sequence[str] = (),
    *,
    small: bool,
) -> str:
    """Return what has to be typed for the same: all that is not as usual."""
    words = [*program(), "reproduce", paper.name]
    for field in fields(settings):
        value = getattr(settings, field.name)
        if value == field.default:
            continue
        flag = field.metadata.get("flags", "").partition(",")[0]
        flag = flag or f"--{field.name.replace('_', '-')}"
        if isinstance(value, bool):
            on, _, off = flag.partition("/")
            words.append(on if value else off)
        else:
            values = value if isinstance(value, tuple) else (value,)
            words += [word for one in values for word in (flag, str(one))]
    words += [word for one in assignments for word in ("--set", one)]
    words += ["--folder", folder] if folder else []
    words += [word for one in data for word in ("--data", one)]
    return shlex.join([*words, *(["--small"] if small else [])])


def keep(paper: Paper[Any], measured: Measurements[Any], page: Page | None, place: Path) -> None:
    """Write tables, figures and the page into the folder of the runs."""
    from treegauge.formats import write_text
    from treegauge.reports.pages import write_page
    from treegauge.reports.rendering import render

    place.mkdir(parents=True, exist_ok=True)
    target = place / "tables.md"
    write_text(target, render(paper.all_tables(measured), "markdown"))
    console.say(f"wrote {target} (every table)")
    for figure in paper.figures(measured):
        target = place / f"{figure.name}.svg"
        write_text(target, figure.to_svg())
        console.say(f"wrote {target}")
    if page is not None:
        first, *_ = write_page(page, place / "report.html")
        console.say(f"wrote {first}")


def _emit_published(paper: Paper[Any], form: OutputFormat, output: str) -> None:
    remarks = paper.remark_table()
    if remarks is None:
        raise typer.BadParameter(f"{paper.name} has no claims that could be checked")
    tables = paper.published_tables()
    if form is OutputFormat.HTML:
        from treegauge.reports.pages import PaperResults, make_paper_page

        results = PaperResults(paper.name, paper.citation, "", tables, remarks=remarks)
        console.emit_page(make_paper_page(results), output)
        return
    document = {
        "schema": 2,
        "paper": paper.name,
        "tables": [table.to_dict() for table in tables],
        "remarks": paper.remarks_dict(),
    }
    console.emit(form, output, table=lambda: [*tables, remarks], document=lambda: document)
