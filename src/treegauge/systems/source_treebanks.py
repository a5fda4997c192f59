"""Treebanks of other languages that a system learns from, and which must not be the target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from treegauge.catalogue import Catalogue, CatalogueError
from treegauge.catalogue.catalogue import Selection
from treegauge.systems.errors import SystemsError
from treegauge.treebank import Treebank

_SAME_TEXT = 0.5
_SHORT = 4
"""Sentences of fewer words may well stand in two texts."""


def open_source(name: str) -> Treebank:
    """Read a treebank by name or path; of one in parts, without a part named, train.

    >>> open_source("toy:svo").sentence_ids[0]
    'toy-svo-train-1'
    """
    return _selected(name, Catalogue.from_environment()).read()


def _selected(name: str, catalogue: Catalogue) -> Selection:
    parts = catalogue.parts(name)
    if len({selection.name for selection in parts}) > 1:
        raise SystemsError(f"{name} names several treebanks; name each of them")
    train = [selection for selection in parts if selection.part == "train"]
    return (train or parts)[0]


def located_sources(settings: Mapping[str, Any], catalogue: Catalogue) -> dict[str, Any]:
    """Return settings whose `sources` and `raw` are files, for a process without a catalogue.

    Toy languages, and what the catalogue does not know, stay as they are.
    """
    located = dict(settings)
    for key in ("sources", "raw"):
        if key in located:
            located[key] = [_located(name, catalogue) for name in located[key]]
    return located


def _located(name: str, catalogue: Catalogue) -> str:
    try:
        chosen = _selected(name, catalogue)
    except (CatalogueError, SystemsError):  # the cell says so
        return name
    files = chosen.entry.parts[chosen.part]
    return str(files[0].resolve()) if len(files) == 1 else name


def refuse_target(
    system: str, names: Sequence[str], sources: Sequence[Treebank], text: Treebank
) -> None:
    """Refuse to learn from the annotation of the text that is to be annotated.

    Raises
    ------
    SystemsError
        If most of the text's sentences stand in a source.
    """
    wanted = _sentences(text)
    for name, source in zip(names, sources, strict=True):
        if wanted and len(wanted & _sentences(source)) > _SAME_TEXT * len(wanted):
            raise SystemsError(
                f"{system}: {name} has the sentences of the text itself: that would be "
                "supervised learning\n  name treebanks of other languages as sources"
            )


def _sentences(treebank: Treebank) -> set[tuple[str, ...]]:
    words = list(treebank.form)
    bounds = treebank.offsets.tolist()
    return {tuple(words[a:b]) for a, b in pairwise(bounds) if b - a >= _SHORT}
