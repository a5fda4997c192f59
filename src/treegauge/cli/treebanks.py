"""How verbs find the treebanks that users name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treegauge.cli import console
from treegauge.cli.completion import offer_formats, offer_treebanks
from treegauge.cli.help_pages import INPUT, OUTPUT

if TYPE_CHECKING:
    from treegauge.catalogue import Catalogue, CatalogueEntry
    from treegauge.evaluation import TreebankPart
    from treegauge.formats import Findings, FormatError
    from treegauge.treebank import Treebank

SourceArgument = Annotated[
    str,
    typer.Argument(
        metavar="IN",
        autocompletion=offer_treebanks,
        help="A file, - for standard input, or a name.",
    ),
]
TargetArgument = Annotated[str, typer.Argument(metavar="OUT", help="A file; - is standard output.")]
DataOption = Annotated[
    list[str],
    typer.Option(
        "--data",
        metavar="DIR",
        rich_help_panel=INPUT,
        help="A folder of treebanks. May be repeated. TREEGAUGE_DATA names more.",
    ),
]


def _known_format(name: str) -> str:
    if name:
        from treegauge.formats import FormatError, file_format

        try:
            file_format(name)
        except FormatError as error:
            raise typer.BadParameter(str(error)) from None
    return name


FromOption = Annotated[
    str,
    typer.Option(
        "--from",
        metavar="FORMAT",
        callback=_known_format,
        autocompletion=offer_formats,
        rich_help_panel=INPUT,
        help="The format of the input. Default: detected.",
    ),
]
ToOption = Annotated[
    str,
    typer.Option(
        "--to",
        metavar="FORMAT",
        callback=_known_format,
        autocompletion=offer_formats,
        rich_help_panel=OUTPUT,
        help="conllu, conllx, pascal, tagged, slashed or tokens. Default: the extension of OUT.",
    ),
]


def require_format(target: str, format: str) -> None:
    """Refuse a file whose format is unknown, before a long one is read."""
    from treegauge.formats import FormatError, format_of_name

    if not format and target != "-" and not format_of_name(target):
        raise FormatError(f"{target}: which format? name it with --to, or by the extension")


def is_file(text: str) -> bool:
    """Return whether a text is a file to be read as it is, and not a name to be looked up."""
    try:
        # Not is_file: a pipe such as bash's <(xzcat ...) is read like a file.
        return text == "-" or (Path(text).exists() and not Path(text).is_dir())
    except OSError:  # too long for a path, for example
        return False


def open_treebank(
    text: str,
    *,
    data: list[str],
    format: str | None,
    strict: bool = False,
    plain_text: bool = False,
) -> Treebank:
    """Read the treebank that a user names, and say what was found on the way.

    With `plain_text`, a .txt file that is of no other format is read as words between spaces.
    """
    from treegauge.catalogue import Catalogue
    from treegauge.formats import Findings, read

    if plain_text and not format and is_plain_text(text):
        format = "tokens"
        console.say(
            f"{text}: read as --from tokens: one sentence per line, words separated by spaces"
        )
    findings: list[Findings] = []
    with console.progress(f"reading {text}") as advance:
        if is_file(text) or format:
            findings.append(Findings())
            treebank = read(
                text, format=format, strict=strict, findings=findings[0], on_progress=advance
            )
        else:
            catalogue = Catalogue.from_environment(data)
            treebank = catalogue.open(text, strict=strict, findings=findings, on_progress=advance)
            _say_which_part(catalogue, text)
    report(*findings)
    return treebank


def is_plain_text(text: str) -> bool:
    """Return whether a .txt file has neither columns nor brackets nor slashes."""
    from treegauge.formats import Findings, FormatError, detect_format
    from treegauge.formats.sources import byte_chunks

    if not re.search(r"\.txt(\.gz|\.xz)?$", text, re.IGNORECASE) or not Path(text).is_file():
        return False
    try:
        with byte_chunks(text, Findings(text)) as chunks:
            beginning = next(chunks, b"")
    except FormatError:  # said by who reads the file
        return False
    try:
        detect_format(text, beginning)
    except FormatError:
        return b"\t" not in beginning and not beginning.lstrip().startswith(b"(")
    return False


def _say_which_part(catalogue: Catalogue, text: str) -> None:
    """Nobody should take the test part for the whole treebank."""
    parts = [selection.part for selection in catalogue.parts(text)]
    if len(parts) > 1:
        others = " or ".join(f"{text}:{part}" for part in parts if part != "test")
        console.say(f"{text}: its test part; {others} for another", style="yellow")


def report(*findings: Findings) -> None:
    """Say, in one line per file, what was found in files that could be used nevertheless."""
    for of_file in findings:
        if len(of_file):
            console.say(of_file.summary(), style="yellow")


def write_and_say(
    treebank: Treebank,
    target: str,
    *,
    format: str | None,
    tags: str | None = None,
    losses: list[str] | None = None,
) -> list[str]:
    """Write a treebank, and say what was lost, before and now; return that."""
    from treegauge.formats import write

    lost = [*(losses or []), *write(treebank, target, format=format, tags=tags)]
    say_written(target, treebank.summary, lost)
    return lost


def say_written(target: str, summary: str, losses: list[str]) -> None:
    """Say what was written, and what was lost on the way."""
    for loss in losses:
        console.say(loss, style="yellow")
    if target != "-":
        console.say(f"wrote {target}: {summary}")


def parts_of(
    texts: list[str],
    data: Sequence[str] = (),
    where: Sequence[str] = (),
    advance: Callable[[float], None] = lambda _share: None,
    broken: list[FormatError] | None = None,
) -> Iterator[TreebankPart]:
    """Read every part of every treebank named, one after the other, with what it learns from.

    `broken` gets the errors of treebanks that cannot be read: what is left of them is left out.
    """
    from treegauge.catalogue import Catalogue
    from treegauge.evaluation import TreebankPart
    from treegauge.formats import FormatError

    catalogue = Catalogue.from_environment(data)
    chosen = [one for text in texts for one in catalogue.parts(text)]
    left_out: set[CatalogueEntry] = set()
    training: dict[CatalogueEntry, Treebank] = {}
    for place, selection in enumerate(chosen):

        def on_progress(share: float, place: int = place) -> None:
            advance((place + share) / len(chosen))

        entry, part = selection.entry, selection.part
        if entry in left_out:
            continue
        try:
            if part != "train" and "train" in entry.parts and entry not in training:
                training = {entry: _read_part(entry, "train", where)}
            treebank = _read_part(entry, part, where, on_progress)
        except FormatError as error:
            if broken is None:
                raise
            broken.append(error)
            left_out.add(entry)
            continue
        if part == "train":
            training = {entry: treebank}
        yield TreebankPart(
            treebank,
            part,
            entry.annotation,
            training.get(entry) if part != "train" else None,
            # The train part is learnt from, unless there is nothing else.
            is_learnt_from=part == "train" and len(entry.parts) > 1,
        )


def _read_part(
    entry: CatalogueEntry,
    part: str,
    where: Sequence[str],
    on_progress: Callable[[float], None] | None = None,
) -> Treebank:
    from treegauge.treebank import comment_mask

    findings: list[Findings] = []
    treebank = entry.read(part, findings=findings, on_progress=on_progress)
    report(*findings)
    for condition in where:
        mask = comment_mask(treebank, condition)
        if not mask.any():
            console.say(f"{treebank.name} {part}: no sentence with {condition}", style="yellow")
        treebank = treebank[mask]
    return treebank
