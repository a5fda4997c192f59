"""`treegauge data`: which treebanks are at hand, and how to get more."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import Results, prints_results, prints_summary
from treegauge.cli.help_pages import VerbGroup
from treegauge.cli.treebanks import DataOption
from treegauge.cli.verb import Verb

if TYPE_CHECKING:
    from treegauge.catalogue import Catalogue
    from treegauge.tables import Table

app = typer.Typer(
    cls=VerbGroup,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="Find and download treebanks.",
    epilog="Example: `treegauge data get --release 2.16 en_ewt`",
)


@app.command("list", cls=Verb)
@prints_results
def list_cli(
    data: DataOption = [],  # noqa: B006
    fingerprints: Annotated[
        bool,
        typer.Option("--fingerprints", help="Read every part and show its size and fingerprint."),
    ] = False,
) -> Results:
    """List the available treebanks with language, licence, release and size.

    Example: `treegauge data list --data ud-treebanks-v2.16`
    """
    from treegauge.catalogue import Catalogue

    catalogue = Catalogue.from_environment(data)
    if fingerprints:
        return _fingerprints(catalogue)
    for remark in catalogue.remarks:
        console.say(remark, style="yellow")
    if not catalogue.data:
        console.say("no data folder: name one with --data or in TREEGAUGE_DATA", style="yellow")
    entries = [entry.to_dict() for entry in catalogue.entries]
    return Results([_treebank_table(catalogue)], {"schema": 1, "treebanks": entries})


def _fingerprints(catalogue: Catalogue) -> Results:
    from treegauge.formats import FormatError
    from treegauge.tables import Table

    columns = ("treebank", "part", "sentences", "tokens", "fingerprint")
    parts = [(entry, part) for entry in catalogue.entries for part in entry.parts]
    rows = []
    broken = False
    with console.progress("reading") as advance:
        for index, (entry, part) in enumerate(parts):
            try:
                treebank = entry.read(part, findings=[])
            except FormatError as error:
                console.complain(str(error).splitlines()[0])
                broken = True
                continue
            rows.append(
                (entry.name, part, treebank.n_sentences, treebank.n_words, treebank.fingerprint)
            )
            advance((index + 1) / len(parts))
    objects = [dict(zip(columns, row, strict=True)) for row in rows]
    return Results([Table(columns, rows)], {"schema": 1, "parts": objects}, failed=broken)


def _treebank_table(catalogue: Catalogue) -> Table:
    """Return a row for every treebank at hand."""
    from treegauge.tables import Table

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


@app.command("get", cls=Verb)
@prints_summary
def get_cli(
    treebanks: Annotated[
        list[str], typer.Argument(metavar="TREEBANK...", help="Names, such as en_ewt.")
    ],
    release: Annotated[
        str,
        typer.Option("--release", "-r", metavar="VERSION", help="The UD release, such as 2.16."),
    ],
    into: Annotated[
        str,
        typer.Option(
            "--into", metavar="DIR", help="The data folder. Default: the user's data folder."
        ),
    ] = "",
    address: Annotated[
        str, typer.Option("--address", metavar="URL", help="A mirror of the release's archive.")
    ] = "",
    checksum: Annotated[
        str,
        typer.Option("--checksum", metavar="SHA256", help="The expected checksum of the archive."),
    ] = "",
) -> dict[str, Any]:
    """Download treebanks of a Universal Dependencies release.

    The archive of the release is downloaded once and kept. An interrupted download continues where
    it stopped. Only the named treebanks are unpacked.

    Example: `treegauge data get --release 2.16 en_ewt cs_pdt`
    """
    from treegauge.catalogue import (
        DATA_VARIABLE,
        CatalogueWarning,
        default_data_folder,
        get_treebanks,
    )

    folder = Path(into) if into else default_data_folder()
    with (
        console.say_warnings(CatalogueWarning),
        console.progress(f"getting release {release}") as advance,
    ):

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
    return {"release": release, "data": str(folder), "folders": [str(f) for f in folders]}
