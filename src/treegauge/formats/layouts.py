"""The column formats: which columns a line has, in which order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

COLUMN_OF = {
    "FORM": "form",
    "LEMMA": "lemma",
    "UPOS": "upos",
    "UPOSTAG": "upos",
    "XPOS": "xpos",
    "POSTAG": "xpos",
    "CPOSTAG": "cpos",
    "FEATS": "feats",
    "DEPREL": "deprel",
    "DEPS": "deps",
    "MISC": "misc",
    "PHEAD": "phead",
    "PDEPREL": "pdeprel",
}
"""What a file calls a column, and what a treebank calls it."""


@dataclass(frozen=True)
class ColumnLayout:
    """The shape of a line in a column format.

    Attributes
    ----------
    format : str
        The name users type: `conllu`, `conllx`, `pascal`, `tagged`.
    columns : tuple of str
        Column names in the file's terms.
    has_side_lines : bool
        Whether comments, multiword tokens and empty nodes can occur.
    """

    format: str
    columns: tuple[str, ...]
    has_side_lines: bool = False

    @property
    def id_column(self) -> int:
        """Index of the column with word numbers, -1 if there is none."""
        return self._index("ID")

    @property
    def head_column(self) -> int:
        """Index of the column with heads, -1 if there is none."""
        return self._index("HEAD")

    @cached_property
    def text_columns(self) -> dict[int, str]:
        """The treebank's names of all other columns, by index."""
        return {
            index: COLUMN_OF.get(name, name.lower())
            for index, name in enumerate(self.columns)
            if name not in ("ID", "HEAD")
        }

    def _index(self, name: str) -> int:
        return self.columns.index(name) if name in self.columns else -1


CONLLU = ColumnLayout(
    "conllu",
    ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"),
    has_side_lines=True,
)
CONLLX = ColumnLayout(
    "conllx",
    ("ID", "FORM", "LEMMA", "CPOSTAG", "POSTAG", "FEATS", "HEAD", "DEPREL", "PHEAD", "PDEPREL"),
)
# Many parsers leave the last two columns of CoNLL-X out.
CONLLX_SHORT = ColumnLayout("conllx", CONLLX.columns[:8])
PASCAL = ColumnLayout(
    "pascal",
    ("ID", "FORM", "LEMMA", "CPOSTAG", "POSTAG", "UPOSTAG", "FEATS", "HEAD", "DEPREL"),
)
TAGGED = ColumnLayout("tagged", ("FORM", "TAG"))

STANDARD_LAYOUTS = (CONLLU, CONLLX, CONLLX_SHORT, PASCAL, TAGGED)


def plus_columns(first_line: str) -> tuple[str, ...] | None:
    """Return the columns that the first line of a CoNLL-U Plus file names.

    >>> plus_columns("# global.columns = ID FORM PARSEME:MWE")
    ('ID', 'FORM', 'PARSEME:MWE')
    """
    match = re.match(r"#\s*global\.columns\s*=(.*)", first_line)
    return tuple(match[1].split()) if match else None


def plus_layout(columns: tuple[str, ...]) -> ColumnLayout:
    """Return the layout of a CoNLL-U Plus file."""
    return (
        CONLLU
        if columns == CONLLU.columns
        else ColumnLayout("conllu", columns, has_side_lines=True)
    )


def layout_of_file(columns: tuple[str, ...], header: str, format: str) -> ColumnLayout | None:
    """Return the layout that a file with these columns had, if it was of this format."""
    if header:
        return plus_layout(columns) if format == "conllu" else None
    for layout in STANDARD_LAYOUTS:
        if layout.columns == columns:
            return layout if layout.format == format else None
    return plus_layout(columns) if columns and format == "conllu" else None
