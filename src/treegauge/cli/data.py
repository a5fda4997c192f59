"""`treegauge data`: which treebanks are at hand, and how to get more."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treegauge.cli import console
from treegauge.cli.console import (
    FormatOption,
    JsonOption,
    OutputFormat,
    OutputOption,
    QuietOption,
    SummaryOption,
)
from treegauge.cli.treebanks import DataOption

if TYPE_CHECKING:
    from treegauge.catalogue import Catalogue
    from treegauge.reports import Table

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="Find and download treebanks.",
    epilog="Example: `treegauge data get --release 2.16 en_ewt`",
)


@app.command("list")
def list_cli(
    data: DataOption = [],  # noqa: B006
    fingerprints: Annotated[
        bool,
        typer.Option("--fingerprints", help="Read every part for its size and fingerprint."),
    ] = False,
    format: FormatOption = OutputFormat.TABLE,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Show the treebanks that are found, with language, licence, release and size.

    Example: `treegauge data list --data ud-treebanks-v2.16`
    """
    from treegauge.catalogue import Catalogue

    console.manners.quiet = quiet
    catalogue = Catalogue.from_environment(data)
    if fingerprints:
        _emit_fingerprints(catalogue, OutputFormat.JSON if json else format, output)
        return
    console.emit(
        OutputFormat.JSON if json else format,
        output,
        table=lambda: found_table(catalogue),
        document=lambda: {
            "schema": 1,
            "treebanks": [entry.to_dict() for entry in catalogue.entries],
        },
    )
    for remark in catalogue.remarks:
        console.say(remark, style="yellow")
    if not catalogue.data:
        console.say("no data folder: name one with --data or in TREEGAUGE_DATA", style="yellow")


def _emit_fingerprints(catalogue: Catalogue, format: OutputFormat, output: str) -> None:
    from treegauge.formats import FormatError
    from treegauge.reports import Table

    columns = ("treebank", "part", "sentences", "tokens", "fingerprint")
    parts = [(entry, part) for entry in catalogue.entries for part in entry.parts]
    rows = []
    with console.progress("reading") as advance:
        for index, (entry, part) in enumerate(parts):
            try:
                treebank = entry.read(part, findings=[])
            except FormatError as error:
                console.say(str(error).splitlines()[0], style="yellow")
                continue
            rows.append(
                (entry.name, part, treebank.n_sentences, treebank.n_words, treebank.fingerprint)
            )
            advance((index + 1) / len(parts))
    console.emit(
        format,
        output,
        table=lambda: Table(columns, rows),
        document=lambda: {
            "schema": 1,
            "parts": [dict(zip(columns, row, strict=True)) for row in rows],
        },
    )


def found_table(catalogue: Catalogue) -> Table:
    """Return a row for every treebank found."""
    from treegauge.reports import Table

    rows = []
    for entry in catalogue.entries:
        sizes = [entry.sizes[part].tokens if part in entry.sizes else None for part in entry.parts]
        known = [size for size in sizes if size is not None]
        rows.append(
            (
                entry.name,
                entry.language,
                entry.release,
                entry.annotation or None,
                " ".join(entry.parts),
                sum(known) if len(known) == len(sizes) else None,
                entry.licence,
            )
        )
    columns = ("treebank", "language", "release", "annotation", "parts", "tokens", "licence")
    return Table(columns, rows)


@app.command("get")
def get_cli(
    treebanks: Annotated[
        list[str], typer.Argument(metavar="TREEBANK", help="Names, such as en_ewt.")
    ],
    release: Annotated[
        str,
        typer.Option("--release", "-r", metavar="VERSION", help="The UD release, such as 2.16."),
    ],
    into: Annotated[
        str,
        typer.Option("--into", metavar="DIR", help="The data folder; your own one if missing."),
    ] = "",
    address: Annotated[
        str, typer.Option("--address", metavar="URL", help="A mirror of the release's archive.")
    ] = "",
    checksum: Annotated[
        str, typer.Option("--checksum", metavar="SHA256", help="What the archive must add up to.")
    ] = "",
    format: SummaryOption = None,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Download treebanks of a Universal Dependencies release.

    The archive of the whole release is downloaded once and kept; an interrupted download goes
    on where it stopped. Only the treebanks named are unpacked.

    Example: `treegauge data get --release 2.16 en_ewt cs_pdt`
    """
    from treegauge.catalogue import DATA_VARIABLE, default_data_folder, get_treebanks

    console.manners.quiet = quiet
    folder = Path(into) if into else default_data_folder()
    with console.progress(f"getting release {release}") as advance:

        def on_progress(_stage: str, done: int, total: int | None) -> None:
            advance(done / total if total else 0.0)

        folders = get_treebanks(
            release,
            treebanks,
            folder,
            address=address or None,
            checksum=checksum or None,
            on_progress=on_progress,
        )
    for path in folders:
        console.say(f"{path}")
    # Your own data folder is looked through only if no other is named.
    by_name = not into and not os.environ.get(DATA_VARIABLE)
    console.say(f"found from now on {'by name' if by_name else f'with --data {folder}'}")
    document = {"release": release, "data": str(folder), "folders": [str(f) for f in folders]}
    console.emit_summary(OutputFormat.JSON if json else format, output, document=document)
