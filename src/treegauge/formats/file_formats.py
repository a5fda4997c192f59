"""The one table of formats: what users type, and what files are called."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from treegauge.formats.findings import FormatError
from treegauge.formats.layouts import CONLLU, CONLLX, PASCAL, TAGGED, ColumnLayout
from treegauge.wording import text_of_name, unknown_name


@dataclass(frozen=True)
class FileFormat:
    """A format that treebanks are read from and written to."""

    name: str
    summary: str
    extensions: tuple[str, ...]
    layout: ColumnLayout | None
    """The columns of a line; none where lines have no columns."""
    is_written: bool = True
    """Whether treebanks can be written in it."""


FORMATS = {
    file_format.name: file_format
    for file_format in (
        FileFormat(
            "conllu",
            "CoNLL-U and CoNLL-U Plus, the format of Universal Dependencies",
            (".conllu", ".conllup"),
            CONLLU,
        ),
        FileFormat(
            "conllx",
            "CoNLL-X, the shared tasks of 2006 and 2007 (10 columns, or 8 without PHEAD)",
            (".conllx",),
            CONLLX,
        ),
        FileFormat(
            "pascal",
            "the PASCAL challenge's nine columns, with coarse, fine and universal tags",
            (".pascal",),
            PASCAL,
        ),
        FileFormat(
            "tagged",
            "tagged text, a word, a tab and its tag on every line",
            (".tagged", ".tag"),
            TAGGED,
        ),
        FileFormat(
            "slashed",
            "tagged text, word/TAG word/TAG, one sentence per line",
            (".slashed",),
            None,
        ),
        FileFormat(
            "tokens",
            "plain tokenised text, words with spaces between them, one sentence per line",
            (".tokens", ".tok"),
            None,
        ),
        FileFormat(
            "chat",
            "CHAT transcripts of CHILDES, with %mor and %gra; they are read, not written",
            (".cha",),
            None,
            is_written=False,
        ),
    )
}
"""Every format by the name users type."""

# The last three promise no format in particular.
_EXTENSIONS = [
    *(extension for file_format in FORMATS.values() for extension in file_format.extensions),
    *(".conll", ".txt", ".tsv"),
]
_ENDING = re.compile(rf"({'|'.join(map(re.escape, _EXTENSIONS))})?(\.gz|\.xz)?$", re.IGNORECASE)


def bare_name(file_name: str) -> str:
    """Return the name of a file without folders and without its extension.

    >>> bare_name("ud/en_ewt-ud-dev.conllu.xz"), bare_name("mirl.v2")
    ('en_ewt-ud-dev', 'mirl.v2')
    """
    return _ENDING.sub("", text_of_name(Path(file_name).name))


def file_format(name: str) -> FileFormat:
    """Return a format by name, or say which names are near."""
    if name in FORMATS:
        return FORMATS[name]
    raise FormatError(unknown_name("format", name, FORMATS))
