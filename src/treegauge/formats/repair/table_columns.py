"""Which columns a table has: by its header, by its width, or by what stands in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from treegauge.formats.layouts import CONLLU, ColumnLayout
from treegauge.treebank import UD_TAGS

_NAMES = {
    "#": "ID",
    "NO": "ID",
    "INDEX": "ID",
    "TOKEN": "FORM",
    "WORD": "FORM",
    "POS": "UPOS",
    "FEATURES": "FEATS",
    "RELATION": "DEPREL",
    "REL": "DEPREL",
}
"""What tables call their columns besides the names of the formats."""

_KNOWN = {"ID", "FORM", "LEMMA", "HEAD", "DEPREL", "DEPS", "MISC", "FEATS"} | {
    *("UPOS", "UPOSTAG", "XPOS", "POSTAG", "CPOSTAG", "PHEAD", "PDEPREL"),
}


def columns_of_header(fields: Sequence[str]) -> tuple[str, ...] | None:
    """Return the columns that a line names, if it is a header.

    >>> columns_of_header(["ID", "Word", "UPOS", "HEAD", "remarks"])
    ('ID', 'FORM', 'UPOS', 'HEAD', 'OTHER5')
    >>> columns_of_header(["1", "word", "_"])
    """
    names = [field.strip().strip("*").upper() for field in fields]
    names = [_NAMES.get(name, name) for name in names]
    is_word = bool(names) and names[0].isdigit()
    if is_word or "FORM" not in names or len(_KNOWN & set(names)) < 2:
        return None
    columns: list[str] = []
    for place, name in enumerate(names, start=1):
        columns.append(name if name in _KNOWN and name not in columns else f"OTHER{place}")
    return tuple(columns)


def columns_of_rows(rows: Sequence[Sequence[str]], layout: ColumnLayout | None) -> tuple[str, ...]:
    """Return the columns of a table without a header.

    A table as wide as its format has the format's columns; a narrower one that reaches to DEPREL
    has the first of them. Of any other, only columns are known that can be told by what stands in
    them: numbers of words, words behind them, heads, relations behind heads, universal tags.
    """
    layout = layout or CONLLU
    names = layout.columns
    if len(rows) < 2:  # what is cut off is narrow as well
        return names
    width = Counter(map(len, rows)).most_common(1)[0][0]
    if layout.head_column + 1 < width <= len(names):
        of_width = [row for row in rows if len(row) == width]
        heads = [row[layout.head_column] for row in of_width]
        if width == len(names) or all(map(_is_head, heads)):
            return names[:width]
    if width > len(names):
        return (*names, *(f"OTHER{place}" for place in range(len(names) + 1, width + 1)))
    return _guessed([row for row in rows if len(row) == width], width)


def _guessed(rows: Sequence[Sequence[str]], width: int) -> tuple[str, ...]:
    columns = [f"OTHER{place}" for place in range(1, width + 1)]
    columns[:2] = ["ID", "FORM"][:width]
    for place in range(2, width):
        values = [row[place] for row in rows]
        if "HEAD" not in columns and all(map(_is_head, values)) and any(v != "_" for v in values):
            columns[place] = "HEAD"
            if place + 1 < width:
                columns[place + 1] = "DEPREL"
        elif "UPOS" not in columns and columns[place] != "DEPREL" and set(values) <= UD_TAGS:
            columns[place] = "UPOS"
    return tuple(columns)


def _is_head(text: str) -> bool:
    return text == "_" or re.fullmatch(r"[0-9]+", text) is not None
