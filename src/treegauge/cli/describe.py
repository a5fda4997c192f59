"""`treegauge describe`: what treebanks are like."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from treegauge.cli import console
from treegauge.cli.completion import offer_treebanks
from treegauge.cli.console import Results, prints_results
from treegauge.cli.help_pages import INPUT
from treegauge.cli.perplexity_option import PerplexityOption, say_warnings, with_perplexity
from treegauge.cli.result_files import OutputFormat
from treegauge.cli.scoring_options import ResamplesOption, SeedOption
from treegauge.cli.streams import StreamOption, is_streamed
from treegauge.cli.treebanks import DataOption, open_treebank, parts_of, report

if TYPE_CHECKING:
    from treegauge.evaluation import Descriptions, TreebankPart
    from treegauge.evaluation.description import Description
    from treegauge.formats import FormatError


_TrainOption = Annotated[
    str,
    typer.Option(
        "--train",
        metavar="TREEBANK",
        autocompletion=offer_treebanks,
        help="Count new words and learn perplexity from this treebank instead of the train part; "
        "for example from text of another domain.",
    ),
]


def _known_settings(text: str) -> str:
    from treegauge.properties import PropertyError, WordOrderSettings

    try:
        WordOrderSettings.parse(text)
    except PropertyError as error:
        raise typer.BadParameter(str(error)) from None
    return text


@with_perplexity
@prints_results
def describe_cli(
    treebanks: Annotated[
        list[str],
        typer.Argument(
            metavar="TREEBANK...",
            autocompletion=offer_treebanks,
            help="Names, sets, files or toy languages. en_ewt:dev is one part.",
        ),
    ],
    data: DataOption = [],  # noqa: B006
    where: Annotated[
        list[str],
        typer.Option(
            "--where",
            metavar="KEY=VALUE",
            rich_help_panel=INPUT,
            help="Use only sentences with this comment, or without it (KEY!=VALUE). May be "
            "repeated.",
        ),
    ] = [],  # noqa: B006
    settings: Annotated[
        str,
        typer.Option(
            "--word-order-settings",
            metavar="NAME[,KEY=VALUE]",
            callback=_known_settings,
            help="How word order is measured: default, or gm16 (Gulordava and Merlo 2016). "
            "Changes of unit, base, optimum, relations and punctuation follow after commas.",
        ),
    ] = "default",
    word_order: Annotated[
        bool,
        typer.Option(
            "--word-order", help="Show all measures of word order instead, with intervals."
        ),
    ] = False,
    perplexity: PerplexityOption = "",
    train: _TrainOption = "",
    reducibility: Annotated[
        bool,
        typer.Option(
            "--reducibility", help="Show which tags can be left out of sentences instead."
        ),
    ] = False,
    resamples: ResamplesOption = 1000,
    seed: SeedOption = 0,
    stream: StreamOption = None,
) -> Results:
    """Describe treebanks: sizes, tags, relations, new words, projectivity, order, perplexity.

    All parts of a treebank are described. New words are words that are not in the train part.
    Perplexity is learnt from the train part, or by cross-validation if there is only one file.
    Treebanks that cannot be read are left out, and the exit code is 1.

    Example: `treegauge describe toy:svo toy:sov`

    Example: `treegauge describe --word-order --word-order-settings gm16 toy:svo:train`

    Example: `treegauge describe toy:svo:test --perplexity kenlm,order=4`

    Example: `treegauge describe toy:svo:test --perplexity kenlm --train toy:free:train`

    Example: `treegauge describe toy:svo:train --reducibility`
    """
    from treegauge.evaluation import Descriptions, describe_parts

    others = {
        "--word-order": word_order,
        "--perplexity": perplexity,
        "--reducibility": reducibility,
    }
    _check_tables(others)
    broken: list[FormatError] = []
    if is_streamed(stream, treebanks, {**others, "--where": bool(where), "--train": train}):
        described = Descriptions(list(_of_streams(treebanks, settings, broken)))
    else:
        with console.progress("describing") as advance, say_warnings():
            described = describe_parts(
                _learnt_from(train, data, parts_of(treebanks, data, where, advance, broken)),
                word_order=word_order,
                settings=settings,
                perplexity=perplexity or None,
                reducibility=reducibility,
                resamples=resamples,
                seed=seed,
            )
    if broken and not described.parts:
        raise broken[0]
    text = "" if word_order or reducibility else _wide_text(described)
    return Results(
        described.tables(),
        described.to_dict(),
        text,
        failed=bool(broken),
        afterwards=lambda: _say_what_is_left_out(broken),
    )


def _learnt_from(
    train: str, data: list[str], parts: Iterable[TreebankPart]
) -> Iterator[TreebankPart]:
    """Give parts that are compared with other training data, if some is named."""
    training = open_treebank(train, data=data, format=None) if train else None
    for part in parts:
        yield part if training is None else replace(part, training=training, is_learnt_from=False)


def _wide_text(described: Descriptions) -> str:
    """Return the table with one row per treebank, in pieces as wide as the screen."""
    pieces = described.wide_table().in_pieces(console.width())
    return "\n".join(piece.to_text(width=console.width()) for piece in pieces)


def _check_tables(options: dict[str, object]) -> None:
    """Refuse two options that each show another table, unless the output has room for both."""
    chosen = [name for name, is_given in options.items() if is_given]
    if len(chosen) > 1 and console.manners.format is not OutputFormat.JSON:
        raise typer.BadParameter(f"{chosen[0]} and {chosen[1]} are two tables; --json has both")


def _say_what_is_left_out(broken: list[FormatError]) -> None:
    for error in broken:
        console.complain(f"left out: {error}")


def _of_streams(
    paths: list[str], settings: str, broken: list[FormatError]
) -> Iterator[Description]:
    """Describe files part by part; `broken` gets the errors of those that cannot be read."""
    from treegauge.catalogue import Catalogue
    from treegauge.evaluation import describe_stream
    from treegauge.formats import Findings, FormatError, TreebankStream

    for path in paths:
        (selection,) = Catalogue.from_environment([]).parts(path)
        entry = selection.entry
        findings = Findings()
        try:
            with console.progress(f"describing {path}") as advance:
                parts = TreebankStream(path, findings=findings, on_progress=advance)
                described = describe_stream(
                    parts, entry.name, selection.part, entry.annotation, settings=settings
                )
        except FormatError as error:
            broken.append(error)
            continue
        report(findings)
        yield described
