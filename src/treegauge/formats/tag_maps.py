"""Tag maps: files that say which universal tag a treebank's own tag is.

Two columns divided by a tab, the treebank's tag and the universal one, as in the maps of
Petrov, Das and McDonald (2012). Blank lines and lines that begin with `# ` are passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from treegauge.formats.findings import FormatError
from treegauge.formats.texts import read_text
from treegauge.treebank import EMPTY, PETROV_TAGS, UD_TAGS, Column, Treebank
from treegauge.wording import unknown_name

_NAMED = 10
"""How many unmapped tags a message names."""

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

    The map is applied to the fine tags or to the coarse ones, whichever column it knows
    more words of: published maps use either.

    Raises
    ------
    FormatError
        If a tag is not in the map; the message names it.
    """
    candidates = [
        (column, name)
        for column, name in ((treebank.xpos, "POSTAG"), (treebank.cpos, "CPOSTAG"))
        if column.is_annotated
    ]
    if not candidates:
        raise FormatError("a tag map needs fine or coarse tags, and the treebank has neither")
    column, name = min(
        candidates, key=lambda candidate: sum(_unmapped(candidate[0], mapping).values())
    )
    unmapped = _unmapped(column, mapping)
    if unmapped:
        named = ", ".join(f"{tag} ({count:,})" for tag, count in list(unmapped.items())[:_NAMED])
        more = f" and {len(unmapped) - _NAMED} more" if len(unmapped) > _NAMED else ""
        raise FormatError(
            f"[tag-map] no universal tag for {name} {named}{more}\n"
            "  add these tags to the map, or use the map of this treebank"
        )
    return treebank.replace(columns={"upos": column.map(lambda tag: mapping.get(tag, EMPTY))})


def _unmapped(column: Column, mapping: Mapping[str, str]) -> dict[str, int]:
    counts = column.counts()
    return {tag: n for tag, n in counts.items() if tag not in mapping and tag != EMPTY}
