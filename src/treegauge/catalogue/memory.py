"""Treebanks in memory as entries of a catalogue: cut, rewritten or put together by a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from treegauge.catalogue.entry import CatalogueEntry
from treegauge.formats import Findings
from treegauge.treebank import Treebank


@dataclass(frozen=True)
class MemoryEntry(CatalogueEntry):
    """A treebank whose parts are at hand; it has no files."""

    treebanks: Mapping[str, Treebank] = field(default_factory=dict, hash=False, repr=False)

    def read(
        self,
        part: str | None = None,
        *,
        strict: bool = False,
        findings: list[Findings] | None = None,
        on_progress: Callable[[float], None] | None = None,
    ) -> Treebank:
        """Return a part, under the entry's name."""
        del strict, findings, on_progress  # whoever made the treebank has looked at it
        part = self.default_part if part is None else part
        self.files(part)
        return self.treebanks[part].replace(name=self.name)


def memory_entry(
    name: str, parts: Mapping[str, Treebank], *, like: CatalogueEntry | None = None
) -> CatalogueEntry:
    """Return the entry of a treebank in memory; what is known of another one holds for it too."""
    entry = MemoryEntry(name, Path(), dict.fromkeys(parts, ()), treebanks=parts)
    if like is None:
        return entry
    known = ("folder", "language", "iso", "licence", "release", "source", "notes", "annotation")
    return replace(entry, **{key: getattr(like, key) for key in known})
