"""`treegauge reproduce pascal`: the challenge on grammar induction, from end to end."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import FormatOfTablesOption, JsonOption, OutputFormat, QuietOption
from treegauge.cli.reproduce.arguments import (
    FolderOption,
    SmallOption,
    TreebanksOption,
    WorkersOption,
)
from treegauge.cli.reproduce.figures import write_figures
from treegauge.cli.running import RunOptions, run_experiment
from treegauge.cli.treebanks import DataOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treegauge.catalogue import Catalogue
    from treegauge.papers.paper import RunExperiment as RunIt
    from treegauge.papers.pascal.challenge import Challenge, PascalSettings
    from treegauge.papers.pascal.extrinsic import ExtrinsicSettings
    from treegauge.reports import Table as OldTable
    from treegauge.runs import Experiment, Run
    from treegauge.tables import Table as NewTable

_DEFAULT = ("pascal10",)
_SMALL = ("toy:svo", "toy:sov")
_SMALL_TOKENS = 6000
_SMALL_RESAMPLES = 200
_MOST_FOR_SAMPLERS = 100_000
"""Tokens that the slowest of them learns from in a few minutes."""


class Systems(StrEnum):
    """The sets of systems."""

    FAST = "fast"
    ALL = "all"


class FitOn(StrEnum):
    """What systems learn from."""

    UNION = "union"
    TRAIN = "train"


def pascal_cli(
    treebanks: TreebanksOption = [],  # noqa: B006
    chosen: Annotated[
        Systems, typer.Option("--set", help="fast: no samplers; all: every inducer there is.")
    ] = Systems.FAST,
    fit_on: Annotated[
        FitOn, typer.Option("--fit-on", help="The raw text of all parts, or of train alone.")
    ] = FitOn.UNION,
    seeds: Annotated[
        int, typer.Option("--seeds", min=1, help="Seeds of what is not deterministic.")
    ] = 1,
    skipped: Annotated[
        list[str],
        typer.Option(
            "--skip",
            metavar="SYSTEM",
            help="Leave out a system, by its name in tables; * is anything; may be repeated.",
        ),
    ] = [],  # noqa: B006
    shown: Annotated[
        str,
        typer.Option(
            "--show", metavar="TREEBANK", help="Of Tables 5 and 6 and Figure 1; English if missing."
        ),
    ] = "",
    remarks: Annotated[
        bool,
        typer.Option("--remarks", help="Run nothing; check the paper's remarks on its tables."),
    ] = False,
    extrinsic: Annotated[
        bool,
        typer.Option("--extrinsic", help="Instead: what are induced classes good for?"),
    ] = False,
    scaling: Annotated[
        bool,
        typer.Option("--scaling", help="Instead: accuracy, time and memory with more raw text."),
    ] = False,
    most_tokens: Annotated[
        int, typer.Option("--tokens", min=10_000, help="With --scaling: of the largest text.")
    ] = 1_000_000,
    full: Annotated[
        bool, typer.Option("--full", help="Show every table, not only averages over treebanks.")
    ] = False,
    intervals: Annotated[
        bool, typer.Option("--intervals", help="Show intervals for several treebanks too.")
    ] = False,
    html: Annotated[
        bool, typer.Option("--html/--no-html", help="Write the report of the run as a page too.")
    ] = True,
    folder: FolderOption = "",
    workers: WorkersOption = None,
    small: SmallOption = False,
    data: DataOption = [],  # noqa: B006
    format: FormatOfTablesOption = OutputFormat.TABLE,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Run the PASCAL challenge (Gelling et al. 2012): its three tracks, tables and figure.

    Tags and trees out of raw text, trees over given tags; published figures stand beside ours,
    kinds of supervision and numbers of classes apart. Averages are shown; every table is in
    tables.md of the folder, and with significance, figures and trees in report.html. The estimate
    comes first; stopped and started again, it goes on where it was.

    Example: `treegauge reproduce pascal --set fast --data treebanks`
    """
    console.manners.quiet = quiet
    if small and treebanks:
        raise typer.BadParameter("--small brings its own treebanks")
    if remarks + extrinsic + scaling > 1:
        raise typer.BadParameter("choose one of --remarks, --extrinsic and --scaling")
    form = OutputFormat.JSON if json else format
    if remarks:
        _check_remarks(form)
        return
    from treegauge.catalogue import Catalogue

    run_it = _runner(RunOptions(workers=workers))
    catalogue = Catalogue.from_environment(data)
    side = "-extrinsic" if extrinsic else "-scaling" if scaling else ""
    place = Path(folder or f"runs/pascal{side}{'-small' if small else ''}")
    if scaling:
        from treegauge.papers.pascal.scaling import ScalingSettings, measure_scaling
        from treegauge.papers.pascal.scaling_tables import scaling_tables

        of_samplers = _MOST_FOR_SAMPLERS if chosen is Systems.ALL else 0
        sizes = ScalingSettings.up_to(most_tokens, of_samplers)
        if small:
            sizes = ScalingSettings.small()
        grown = measure_scaling(place, run_it, sizes, treebanks=treebanks, catalogue=catalogue)
        _keep(place, scaling_tables(grown))
        _emit(form, scaling_tables(grown), grown.to_dict(), grown.failures)
        return
    if extrinsic:
        from treegauge.papers.pascal.extrinsic import ExtrinsicSettings

        uses = ExtrinsicSettings.small() if small else ExtrinsicSettings.of(chosen.value)
        names = _small_treebanks(place)[:1] if small else tuple(treebanks) or _EXTRINSIC
        _uses(names, place, run_it, catalogue, uses, form)
        return
    from treegauge.papers.pascal.challenge import PascalSettings, document
    from treegauge.papers.pascal.summaries import summary_tables
    from treegauge.papers.pascal.tables import pascal_tables, treebank_table

    settings = PascalSettings(
        systems="small" if small else chosen.value,
        fit_on=fit_on.value,
        seeds=tuple(range(seeds)),
        resamples=_SMALL_RESAMPLES if small else 1000,
        shown=shown,
        skipped=tuple(skipped),
    )
    names = _small_treebanks(place) if small else tuple(treebanks) or _DEFAULT
    found = _challenge(names, place, run_it, catalogue, settings, data, html=html)
    every = pascal_tables(found, intervals=intervals)
    short = [treebank_table(found), *summary_tables(found)]
    _keep(place, [*short, *every[1:]])
    _emit(form, [*short, *every[1:]] if full else short, document(found), found.failures)


def _runner(options: RunOptions) -> RunIt:
    def run_it(experiment: Experiment, folder: Path, catalogue: Catalogue) -> Run:
        return run_experiment(experiment, str(folder), catalogue, options)

    return run_it


def _small_treebanks(place: Path) -> tuple[str, ...]:
    """Write toy languages, smaller than they usually are, and return their folders."""
    from treegauge.papers.derived_treebanks import write_treebanks
    from treegauge.toys import toy_parts

    home = place / "treebanks"
    made = {name.replace(":", "_"): toy_parts(name, tokens=_SMALL_TOKENS) for name in _SMALL}
    write_treebanks(home, made)
    return tuple(str(home / name) for name in made)


_EXTRINSIC = ("cs_fictree", "tr_imst", "sl_ssj", "el_gdt", "fr_sequoia")
"""Small treebanks of five languages, each with a thousand sentences to learn from."""


def _uses(
    names: tuple[str, ...],
    place: Path,
    run_it: RunIt,
    catalogue: Catalogue,
    settings: ExtrinsicSettings,
    form: OutputFormat,
) -> None:
    from treegauge.papers.pascal.extrinsic import Estimate, measure_uses
    from treegauge.papers.pascal.extrinsic_tables import extrinsic_tables
    from treegauge.wording import counted

    def say(estimate: Estimate) -> None:
        console.say(
            f"{counted(estimate.treebanks, 'treebank')}, {counted(estimate.cells, 'cell')}, "
            f"about {max(round(estimate.seconds / 60), 1)} min on one core; what is finished "
            "is not done again"
        )

    found = measure_uses(
        names, place, run_it, catalogue=catalogue, settings=settings, on_estimate=say
    )
    _keep(place, extrinsic_tables(found))
    _emit(form, extrinsic_tables(found), found.to_dict(), found.failures)


def small_challenge(place: Path) -> Challenge:
    """Run the challenge on toy languages, write its report, and return what came of it."""
    from treegauge.catalogue import Catalogue
    from treegauge.papers.pascal.challenge import PascalSettings

    run_it = _runner(RunOptions())
    settings = PascalSettings(systems="small", resamples=_SMALL_RESAMPLES)
    names = _small_treebanks(place)
    catalogue = Catalogue.from_environment(())
    return _challenge(names, place, run_it, catalogue, settings, [], html=True)


def _challenge(
    names: tuple[str, ...],
    place: Path,
    run_it: RunIt,
    catalogue: Catalogue,
    settings: PascalSettings,
    data: list[str],
    *,
    html: bool,
) -> Challenge:
    from treegauge.papers.pascal.challenge import run_challenge
    from treegauge.papers.pascal.tables import length_figures

    found = run_challenge(names, place, run_it, catalogue=catalogue, settings=settings)
    write_figures({place / name: make for name, make in length_figures(found).items()})
    if html:
        _write_page(place, data)
    return found


def _write_page(place: Path, data: list[str]) -> None:
    """Write the report of the run, as `treegauge report RUN -o report.html` does."""
    import shlex

    from treegauge.cli.running import run_page
    from treegauge.reports import report

    target = str(place / "report.html")
    words = ["treegauge", "report", str(place), "-o", target, "--format", "html"]
    words += ["--trials", str(_TRIALS)]
    page = run_page(report(place), data, command=shlex.join(words), trials=_TRIALS)
    console.emit_page(page, target)


def _keep(place: Path, tables: Sequence[OldTable | NewTable]) -> None:
    """Write all tables as Markdown into the folder of a run."""
    from treegauge.formats import write_chunks
    from treegauge.reports.markdown import to_markdown
    from treegauge.tables import Table

    path = place / "tables.md"
    texts = (to_markdown(one) if isinstance(one, Table) else one.to_markdown() for one in tables)
    write_chunks(path, ["\n".join(texts).encode()])
    console.say(f"wrote {path} (every table)")


_TRIALS = 1000
"""Of the tests between systems on the page; `treegauge report --trials` does more."""


def _check_remarks(form: OutputFormat) -> None:
    from treegauge.papers.pascal.remarks import remarks, winners
    from treegauge.papers.pascal.tables import remark_tables

    checked, won = remarks(), winners()
    document = {
        "schema": 1,
        "winners": [one.to_dict() for one in won],
        "remarks": [one.to_dict() for one in checked],
    }
    _emit(form, remark_tables(checked, won), document, ())


def _emit(
    form: OutputFormat,
    tables: Sequence[OldTable | NewTable],
    document: dict[str, Any],
    failures: tuple[str, ...],
) -> None:
    console.emit(form, "", table=lambda: tables, document=lambda: document)
    if failures:
        raise typer.Exit(1)
