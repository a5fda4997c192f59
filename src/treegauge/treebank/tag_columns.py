"""Tag columns by the short names that tables and signatures use.

`u`    the file's universal tags: 17 in UD, 12 in the challenge's files
`u12`  the 12 universal tags of Petrov, Das and McDonald (2012)
`p`    fine tags (XPOS, POSTAG); falls back to `c`
`c`    coarse tags (CPOSTAG); falls back to `u`
`p:2`  any of these cut to the first two characters, for long positional tags
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from types import MappingProxyType

from treegauge.treebank.column import EMPTY, Column
from treegauge.treebank.errors import TreebankError
from treegauge.treebank.treebank import Treebank
from treegauge.wording import unknown_name

PETROV_TAGS = frozenset(
    ["NOUN", "VERB", "ADJ", "ADV", "PRON", "DET", "ADP", "NUM", "CONJ", "PRT", ".", "X"]
)
"""The 12 universal tags."""

UD_TO_PETROV = MappingProxyType(
    {
        "ADJ": "ADJ",
        "ADP": "ADP",
        "ADV": "ADV",
        "AUX": "VERB",
        "CCONJ": "CONJ",
        "CONJ": "CONJ",  # UD version 1
        "DET": "DET",
        "INTJ": "X",
        "NOUN": "NOUN",
        "NUM": "NUM",
        "PART": "PRT",
        "PRON": "PRON",
        "PROPN": "NOUN",
        "PUNCT": ".",
        "SCONJ": "CONJ",
        "SYM": "X",
        "VERB": "VERB",
        "X": "X",
    }
)
"""The UPOS tags of Universal Dependencies among the 12."""

UD_TAGS = frozenset(UD_TO_PETROV)
"""The UPOS tags of Universal Dependencies, CONJ of version 1 included."""

FALLBACKS = {"u": ("upos",), "c": ("cpos", "upos"), "p": ("xpos", "cpos", "upos")}
"""The columns that answer for a short name, the first one with anything in it."""


@dataclass(frozen=True)
class TagColumn:
    """A tag column and where it came from, for the signature."""

    name: str
    """What was asked for, such as `p:2`."""
    source: str
    """The column that answered, such as `cpos` when there are no fine tags."""
    column: Column


def parse_tag_column(which: str) -> tuple[str, int | None]:
    """Return the base of a tag column's short name, and where tags are cut.

    >>> parse_tag_column("p:2")
    ('p', 2)
    """
    match = re.fullmatch(r"(u12|u|c|p)(?::([1-9]\d*))?", which)
    if not match:
        names = ("u", "u12", "c", "p")
        advice = f"there are {', '.join(names)}, and cut to their beginning p:2 and so on"
        raise TreebankError(unknown_name("tag column", which, names, advice=advice))
    return match[1], int(match[2]) if match[2] else None


def tag_column(
    treebank: Treebank, which: str, *, annotated: Collection[str] | None = None
) -> TagColumn:
    """Return a tag column by its short name.

    Where the treebank is a part of a longer one, `annotated` says which columns the whole has.

    Raises
    ------
    TreebankError
        If there is no such name, nothing annotated to fall back to, or, for `u12`, a tag
        without a place among the 12.

    Examples
    --------
    >>> import treegauge as tg
    >>> treebank = tg.parse("Ann/PROPN sings/VERB\\n", format="slashed")
    >>> list(tag_column(treebank, "u12").column)
    ['NOUN', 'VERB']
    >>> tag_column(treebank, "p").source
    'upos'
    """
    base, cut = parse_tag_column(which)
    columns = FALLBACKS["u" if base == "u12" else base]
    if annotated is None:
        annotated = [name for name in columns if treebank.columns[name].is_annotated]
    source = next((name for name in columns if name in annotated), None)
    if source is None:
        empty = (
            f"{', '.join(name.upper() for name in columns)} {'are' if columns[1:] else 'is'} empty"
        )
        raise TreebankError(
            f"{treebank.name or 'the treebank'} has no tags for {which!r}: {empty}\n"
            "  tag it first (`treegauge annotate` with a tagger), or name other tags: u, u12, c, p"
        )
    column = treebank.columns[source]
    if base == "u12":
        column = to_petrov(column)
    if cut:
        column = column.map(lambda tag: tag[:cut])
    return TagColumn(which, source, column)


def to_petrov(tags: Column) -> Column:
    """Map universal tags to the 12; tags that are among the 12 already stay.

    `CONJ` means the same in both inventories, and `X` too, so that a column needs no
    label to say which one it uses.
    """
    values = [tag for tag in tags.counts() if tag not in ("", EMPTY)]
    unknown = [tag for tag in values if tag not in UD_TO_PETROV and tag not in PETROV_TAGS]
    if unknown:
        raise TreebankError(
            f"no universal tag among the 12 for {', '.join(unknown[:10])}\n"
            "  u12 needs universal tags; fill them with `treegauge convert --tag-map`"
        )
    return tags.map(lambda tag: UD_TO_PETROV.get(tag, tag))
