"""Universal tags for the treebanks of a paper that have none: by a map, or their own tags."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from treegauge.catalogue import Catalogue
from treegauge.formats import fill_universal_tags, named_tags, read_tag_map, unmapped_tags
from treegauge.treebank import Treebank, tag_column


def with_mapped_tags(
    catalogue: Catalogue, treebanks: Sequence[str], tag_map: str, say: Callable[[str], None]
) -> tuple[Catalogue, tuple[str, ...]]:
    """Return a catalogue in which treebanks have universal tags, and the names of all treebanks.

    Treebanks that have universal tags stay as they are.

    Parameters
    ----------
    say : function
        Is told how many words have a tag that the map lacks.

    Raises
    ------
    FormatError
        If the map cannot be read, or is not the map of a treebank.
    """
    mapping = read_tag_map(tag_map)
    entries = {entry.name: entry for text in treebanks for entry in catalogue.resolve(text)}
    filled: dict[str, dict[str, Treebank]] = {}
    for name, entry in entries.items():
        parts = {part: entry.read(part, findings=[]) for part in entry.parts}
        if all(part.upos.is_annotated for part in parts.values()):
            continue
        for part, treebank in parts.items():
            if missing := unmapped_tags(treebank, mapping):
                say(
                    f"{name}:{part}: X for {sum(missing.values()):,} words that the map lacks: "
                    f"{named_tags(missing)}"
                )
        filled[name] = {
            part: fill_universal_tags(treebank, mapping) for part, treebank in parts.items()
        }
    return catalogue.with_treebanks(filled, like=entries), tuple(entries)


def with_coarse_tags(parts: Mapping[str, Treebank]) -> tuple[dict[str, Treebank], bool]:
    """Return parts with coarse tags for universal tags that are missing, and whether they are.

    CoNLL-X files, the papers' own kind of data, have no universal tags; parsers need tags, but
    not these.
    """
    if all(part.upos.is_annotated for part in parts.values()):
        return dict(parts), False
    coarse = {
        name: part.replace(columns={"upos": tag_column(part, "c").column})
        for name, part in parts.items()
    }
    return coarse, True
