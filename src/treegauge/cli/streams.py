"""Commands that read files part by part: the option `--stream`, and when it is used."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treegauge.cli import console
from treegauge.cli.help_pages import LIMITS
from treegauge.cli.treebanks import is_file, report, say_written
from treegauge.wording import counted

if TYPE_CHECKING:
    from treegauge.treebank import Treebank

StreamOption = Annotated[
    bool | None,
    typer.Option(
        "--stream/--no-stream",
        rich_help_panel=LIMITS,
        help="Read part by part, in bounded memory. Default: for files over 1 GiB.",
    ),
]

STREAMED_OVER = 1 << 30
"""Files over this size are streamed automatically, unless an option needs all of them."""
_PACKED = 8
"""How much larger a treebank is than its compressed file."""


def is_streamed(
    asked: bool | None, paths: Sequence[str], needs_whole: Mapping[str, object]
) -> bool:
    """Return whether files are read part by part: as asked for, or by their size.

    Parameters
    ----------
    asked : bool, optional
        What `--stream` or `--no-stream` says, if one of them was given.
    paths : sequence of str
        What is read.
    needs_whole : mapping from option to value
        Options that need whole treebanks, and what they were given.
    """
    options = [option for option, value in needs_whole.items() if value not in (None, False, "")]
    names = [path for path in paths if not is_file(path)]
    if asked:
        if options:
            raise typer.BadParameter(
                f"{options[0]} needs the whole treebank in memory: leave out --stream"
            )
        if names:
            raise typer.BadParameter(f"--stream reads files and pipes; {names[0]} is not a file")
        if list(paths).count("-") > 1:
            raise typer.BadParameter("only one stream can come from standard input")
        return True
    if asked is not None or options or names:
        return False
    return any(_size(path) > STREAMED_OVER for path in paths)


def _size(path: str) -> int:
    """Return the size of a file, estimated if it is compressed; 0 if it is unknown."""
    file = Path(path)
    if path == "-" or not file.is_file():
        return 0
    packed = re.search(r"\.(gz|xz)$", path, re.IGNORECASE)
    return file.stat().st_size * (_PACKED if packed else 1)


def rewrite_stream(
    source: str,
    target: str,
    rewrite: Callable[[Iterator[Treebank]], Iterator[Treebank]],
    *,
    from_format: str,
    to_format: str,
    tags: str = "",
    strict: bool = False,
    say_first: Callable[[], None] = lambda: None,
    lost_before: Callable[[], list[str]] = list,
) -> tuple[dict[str, int], list[str]]:
    """Rewrite a file part by part; return its size and what was lost, here and before."""
    from treegauge.formats import Findings, TreebankStream, write_parts

    size = [0, 0]

    def counted_parts(parts: Iterable[Treebank]) -> Iterator[Treebank]:
        for part in parts:
            size[0] += part.n_sentences
            size[1] += part.n_words
            yield part

    findings = Findings(strict=strict)
    with console.progress(f"reading {source}") as advance:
        stream = TreebankStream(
            source, findings=findings, format=from_format or None, on_progress=advance
        )
        parts = counted_parts(rewrite(iter(stream)))
        losses = write_parts(parts, target, format=to_format or None, tags=tags or None)
    losses = [*lost_before(), *losses]
    report(findings)
    say_first()
    sentences, words = size
    say_written(target, f"{counted(sentences, 'sentence')}, {counted(words, 'word')}", losses)
    return {"sentences": sentences, "words": words}, losses


def each_part(
    change: Callable[[Treebank], Treebank], parts: Iterable[Treebank]
) -> Iterator[Treebank]:
    """Change every part; an error message says which sentences it is about."""
    from treegauge.errors import TreegaugeError

    first = 1
    for part in parts:
        try:
            changed = change(part)
        except TreegaugeError as error:
            if first == 1:
                raise
            last = first + part.n_sentences - 1
            raise type(error)(
                f"in sentences {first:,} to {last:,}, which it counts from 1: {error}"
            ) from None
        first += part.n_sentences
        yield changed
