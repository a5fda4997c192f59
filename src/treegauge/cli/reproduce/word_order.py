"""`treegauge reproduce word-order`: parsers on permuted treebanks."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treegauge.cli import console
from treegauge.cli.console import FormatOfTablesOption, JsonOption, OutputFormat, QuietOption
from treegauge.cli.reproduce.arguments import (
    FolderOption,
    SmallOption,
    SystemSettingsOption,
    TreebanksOption,
    WorkersOption,
    names_in,
    require_systems,
    require_whole,
    settings_by_system,
)
from treegauge.cli.reproduce.figures import write_figures
from treegauge.cli.running import RunOptions, run_experiment
from treegauge.cli.treebanks import DataOption

if TYPE_CHECKING:
    from treegauge.catalogue import Catalogue
    from treegauge.papers.word_order.permuted_parsing import (
        ParserChoice,
        PermutedParsing,
        PermutedParsingSettings,
    )
    from treegauge.runs import Experiment, Run

_DEFAULT = ("la_cicero", "nl_lassysmall", "fa_seraji", "fr_sequoia")
"""Under 60,000 tokens to learn from, and as different as the paper's: two with free order, one
with long dependencies, one with neither."""
_SMALL = ("toy:svo", "toy:free")
_FIGURES = (("optdl", 1), ("right", 2))


def word_order_cli(
    treebanks: TreebanksOption = [],  # noqa: B006
    parsers: Annotated[
        str, typer.Option("--parsers", metavar="NAMES", help="transition,graph if missing.")
    ] = "",
    orders: Annotated[
        str,
        typer.Option(
            "--orders",
            metavar="NAMES",
            help="original,optdl,left,right if missing; any order of `treegauge permute`.",
        ),
    ] = "",
    keep_all: Annotated[
        bool,
        typer.Option("--keep-all", help="Take every sentence, also those with punctuation inside."),
    ] = False,
    with_transfer: Annotated[
        bool,
        typer.Option("--transfer", help="Also learn without words from one treebank for another."),
    ] = False,
    assignments: SystemSettingsOption = [],  # noqa: B006
    folder: FolderOption = "",
    workers: WorkersOption = None,
    small: SmallOption = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Everything random.")] = 0,
    data: DataOption = [],  # noqa: B006
    format: FormatOfTablesOption = OutputFormat.TABLE,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Word order (Gulordava and Merlo 2016): why a language is hard to parse.

    Trains and tests parsers on treebanks as they are, with the shortest dependencies, left- and
    right-branching; shows Tables 1 to 3 with the published figures, Figures 1 and 2, and what
    goes with the differences. Started again, it goes on where it was left.

    Example: `treegauge reproduce word-order -t la_cicero -t fa_seraji --data treebanks`
    """
    console.manners.quiet = quiet
    if small and treebanks:
        raise typer.BadParameter("--small brings its own treebanks")
    require_whole(treebanks)
    from treegauge.catalogue import Catalogue
    from treegauge.evaluation.accuracy_prediction import write_rows
    from treegauge.papers.word_order.effects import accuracy_rows, document
    from treegauge.papers.word_order.permuted_parsing import (
        PermutedParsingSettings,
        parse_permuted,
    )
    from treegauge.papers.word_order.tables import transfer_tables, word_order_tables
    from treegauge.papers.word_order.transfer import transfer

    settings = PermutedParsingSettings(seed=seed, keep_all=keep_all)
    settings = _chosen(settings, parsers, orders, assignments, small)
    place = Path(folder or f"runs/word-order{'-small' if small else ''}")

    def run_it(experiment: Experiment, inner: Path, catalogue: Catalogue) -> Run:
        return run_experiment(experiment, str(inner), catalogue, RunOptions(workers=workers))

    parsing = parse_permuted(
        treebanks or (_SMALL if small else _DEFAULT),
        place,
        run_it,
        catalogue=Catalogue.from_environment(data),
        settings=settings,
    )
    transferred = []
    if with_transfer:
        few = {"epochs": 2} if small else {}
        transferred = transfer(parsing, place / "transfer", run_it, settings=few)
    _draw(parsing, place)
    rows = place / "accuracies.tsv"
    write_rows(accuracy_rows(parsing), rows)
    console.say(f"wrote {rows}: what `treegauge predict-accuracy --learn-from` learns from")
    console.emit(
        OutputFormat.JSON if json else format,
        "",
        table=lambda: [
            *word_order_tables(parsing),
            *(transfer_tables(transferred) if with_transfer else ()),
        ],
        document=lambda: {
            **document(parsing),
            "transfer": [one.to_dict() for one in transferred],
        },
    )
    if parsing.failures:
        raise typer.Exit(1)


def _chosen(
    settings: PermutedParsingSettings,
    parsers: str,
    orders: str,
    assignments: list[str],
    small: bool,
) -> PermutedParsingSettings:
    """Return the settings with what the command line says."""
    from treegauge.papers.word_order.permuted_parsing import ORIGINAL, ParserChoice
    from treegauge.rewrite.word_orders import parse_order

    known = {choice.system: choice for choice in settings.parsers}
    if parsers:
        names = names_in(parsers)
        require_systems(names, "dependencies")
        settings = replace(
            settings, parsers=tuple(known.get(name, ParserChoice(name)) for name in names)
        )
    if orders:
        named = tuple(dict.fromkeys((ORIGINAL, *names_in(orders))))
        for order in named[1:]:
            parse_order(order)
        settings = replace(settings, orders=named)
    if small:
        settings = replace(settings, parsers=tuple(map(_quick, settings.parsers)), resamples=200)
    for name, values in settings_by_system(assignments).items():
        if name not in {choice.system for choice in settings.parsers}:
            raise typer.BadParameter(f"{name} is no parser of this experiment")
        settings = replace(
            settings,
            parsers=tuple(
                replace(
                    choice,
                    natural={**choice.natural, **values},
                    branching={**choice.branching, **values},
                )
                if choice.system == name
                else choice
                for choice in settings.parsers
            ),
        )
    return settings


def _quick(choice: ParserChoice) -> ParserChoice:
    """Return a parser that learns in seconds."""
    from treegauge.systems import make_system

    few = {"epochs": 2} if hasattr(make_system(choice.system).settings, "epochs") else {}
    slow = {"optimise"}
    natural = {key: value for key, value in choice.natural.items() if key not in slow}
    return replace(choice, natural={**natural, **few}, branching={**choice.branching, **few})


def _draw(parsing: PermutedParsing, place: Path) -> None:
    from treegauge.papers.word_order.tables import delta_figure

    write_figures(
        {
            place / f"figure-{number}-{parser}.svg": partial(delta_figure, parsing, order, parser)
            for order, number in _FIGURES
            for parser in parsing.parsers
            if order in parsing.settings.orders
        }
    )
