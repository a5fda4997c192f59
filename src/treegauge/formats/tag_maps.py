"""Tag maps: files that say which universal tag a treebank's own tag is.

Two columns divided by a tab, the treebank's tag and the universal one, as in the maps of
Petrov, Das and McDonald (2012). Blank lines and lines that begin with `# ` are passed over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from treegauge.formats.findings import FormatError
from treegauge.formats.texts import read_text
from treegauge.treebank import (
    EMPTY,
    PETROV_TAGS,
    UD_TAGS,
    Column,
    Treebank,
    unicode_punctuation_mask,
)
from treegauge.wording import unknown_name

_NAMED = 10
"""How many unmapped tags a message names."""

OTHER = "X"
"""The universal tag of words that a map says nothing about."""
_UNIVERSAL_TAGS = sorted(UD_TAGS | PETROV_TAGS)


def read_tag_map(path: str | Path) -> dict[str, str]:
    """Read a tag map.

    Raises
    ------
    FormatError
        If the file cannot be read, a line has not two columns, or the second is neither one
        of the 17 universal tags of UD nor one of the 12 of Petrov et al.
    """
    mapping: dict[str, str] = {}
    for number, line in enumerate(read_text(path, what="a tag map").splitlines(), start=1):
        if not line.strip() or line.startswith("# "):
            continue
        fields = line.split("\t")
        if len(fields) != 2 or not all(field.strip() for field in fields):
            raise FormatError(
                f"{path}:{number}: [columns] expected a tag and a universal tag, found {line!r}\n"
                "  a tag map has two columns; the maps of Petrov et al. (2012) show the form"
            )
        tag, universal = fields[0], fields[1].strip()
        if universal not in _UNIVERSAL_TAGS:
            message = unknown_name("universal tag", universal, _UNIVERSAL_TAGS)
            raise FormatError(f"{path}:{number}: [tag-map] {message}")
        if mapping.get(tag, universal) != universal:
            raise FormatError(
                f"{path}:{number}: [tag-map] {tag} is {mapping[tag]} above and {universal} here\n"
                "  a tag has one universal tag; remove one of the lines"
            )
        mapping[tag] = universal
    return mapping


def fill_universal_tags(treebank: Treebank, mapping: Mapping[str, str]) -> Treebank:
    """Return the treebank with universal tags from its own by a map.

    A word gets what the map has for its fine tag (POSTAG), or else for its coarse tag (CPOSTAG).
    A tag that the map does not have is punctuation if the form is, and X otherwise: `unmapped_tags`
    counts these words. A word without any tag stays without one.

    Raises
    ------
    FormatError
        If the treebank has no tags, or the map has fewer than half of them; the message names
        those that are missing.
    """
    if not (treebank.xpos.is_annotated or treebank.cpos.is_annotated):
        raise FormatError("a tag map needs fine or coarse tags, and the treebank has neither")
    universal = _mapped(treebank, mapping)
    has_tag = _has_tag(treebank)
    missing = (universal == "") & has_tag
    if 2 * np.count_nonzero(missing) > np.count_nonzero(has_tag):
        raise FormatError(
            f"[tag-map] no universal tag for {named_tags(unmapped_tags(treebank, mapping))}\n"
            "  add these tags to the map, or use the map of this treebank"
        )
    punctuation = "." if "." in mapping.values() else "PUNCT"
    marks = unicode_punctuation_mask(treebank)
    universal[missing & marks] = punctuation
    universal[missing & ~marks] = OTHER
    universal[~has_tag] = EMPTY
    return treebank.replace(columns={"upos": Column.from_strings(universal.tolist())})


def unmapped_tags(treebank: Treebank, mapping: Mapping[str, str]) -> dict[str, int]:
    """Return the tags of words that a map has no tag for, with their numbers, punctuation aside.

    A tag is that of the finest column with one.
    """
    missing = (_mapped(treebank, mapping) == "") & _has_tag(treebank)
    missing &= ~unicode_punctuation_mask(treebank)
    fine, coarse = (np.array(list(column), object) for column in (treebank.xpos, treebank.cpos))
    tags = np.where(fine == EMPTY, coarse, fine)[missing]
    return dict(Counter(tags.tolist()).most_common())


def named_tags(counts: Mapping[str, int]) -> str:
    """Return tags with their numbers in words, the first of them by name.

    >>> named_tags({"VB": 2, "JJ": 1})
    'VB (2), JJ (1)'
    """
    named = ", ".join(f"{tag} ({count:,})" for tag, count in list(counts.items())[:_NAMED])
    return f"{named} and {len(counts) - _NAMED} more" if len(counts) > _NAMED else named


def _mapped(treebank: Treebank, mapping: Mapping[str, str]) -> NDArray[np.object_]:
    """Return what the map has for every word, "" where it has nothing."""
    fine, coarse = (
        np.array([mapping.get(tag, "") for tag in column.vocabulary] or [""], object)[column.codes]
        for column in (treebank.xpos, treebank.cpos)
    )
    return np.asarray(np.where(fine == "", coarse, fine), object)


def _has_tag(treebank: Treebank) -> NDArray[np.bool_]:
    fine, coarse = (
        np.array([tag != EMPTY for tag in column.vocabulary] or [False], np.bool_)[column.codes]
        for column in (treebank.xpos, treebank.cpos)
    )
    return np.asarray(fine | coarse)
