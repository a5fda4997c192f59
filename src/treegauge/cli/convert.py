"""`treegauge convert`: from one format to another."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import (
    JsonOption,
    OutputFormat,
    OutputOption,
    QuietOption,
    SummaryOption,
)
from treegauge.cli.treebanks import DataOption, FromOption, ToOption, open_treebank


def convert_cli(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="A file, - for standard input, or a name.")
    ],
    target: Annotated[str, typer.Argument(metavar="OUT", help="A file; - is standard output.")],
    to_format: ToOption = "",
    from_format: FromOption = "",
    tag_map: Annotated[
        str,
        typer.Option(
            "--tag-map",
            metavar="FILE",
            help="Fill universal tags by a map: a tag, a tab, a universal tag on every line.",
        ),
    ] = "",
    tags: Annotated[
        str,
        typer.Option(
            "--tags",
            metavar="u|u12|c|p|p:2",
            help="The tags that tagged text gets; u12 fills UPOSTAG with the 12 universal tags.",
        ),
    ] = "",
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse sentences that are no trees.")
    ] = False,
    data: DataOption = [],  # noqa: B006
    format: SummaryOption = None,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Convert a treebank to another format.

    What the new format has no place for is said on standard error; the file is complete or
    not there at all. Files may end in .gz or .xz.

    Example: `treegauge convert train.conllx train.pascal --tag-map sv-talbanken.map`
    """
    console.manners.quiet = quiet
    summary_format = OutputFormat.JSON if json else format
    if target == "-" and summary_format and not output:
        raise typer.BadParameter("OUT and the summary are both standard output; give -o FILE")
    summary = convert(
        source,
        target,
        to_format=to_format or None,
        from_format=from_format or None,
        tag_map=tag_map,
        tags=tags or None,
        strict=strict,
        data=data,
    )
    console.emit_summary(summary_format, output, document=summary)


def convert(
    source: str,
    target: str,
    *,
    to_format: str | None = None,
    from_format: str | None = None,
    tag_map: str = "",
    tags: str | None = None,
    strict: bool = False,
    data: list[str],
) -> dict[str, Any]:
    """Read, map tags if asked to, write, say what was lost, and sum it all up."""
    from treegauge.formats import (
        FormatError,
        fill_universal_tags,
        format_of_name,
        read_tag_map,
        write,
    )

    # Complain before a long file is read.
    if not to_format and target != "-" and not format_of_name(target):
        raise FormatError(f"{target}: which format? name it with --to, or by the extension")
    mapping = read_tag_map(tag_map) if tag_map else None
    treebank = open_treebank(source, data=data, format=from_format, strict=strict)
    if mapping is not None:
        treebank = fill_universal_tags(treebank, mapping)
    losses = write(treebank, target, format=to_format, tags=tags)
    for loss in losses:
        console.say(loss, style="yellow")
    if target != "-":
        console.say(f"wrote {target}: {treebank.summary}")
    return {
        "source": source,
        "target": target,
        "sentences": treebank.n_sentences,
        "words": treebank.n_words,
        "losses": losses,
    }
