"""A cache of treebanks: those of one plan, read when needed, a few of them kept in memory.

What a plan has to know of every part (its size, its fingerprints) is kept for good. A file
that changes while a run goes on is noticed when it is read again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from treegauge.catalogue import CatalogueEntry
from treegauge.formats import Findings
from treegauge.runs.errors import ExperimentError
from treegauge.treebank import Treebank, blind

_PARTS_IN_MEMORY = 12
_WORDS_IN_MEMORY = 3_000_000
"""A quarter of a gigabyte, about; a single part may be larger."""


@dataclass(frozen=True)
class Size:
    """How large a part is."""

    sentences: int
    words: int
    longest: int
    """Words of the longest sentence."""


class TreebankCache:
    """Parts of treebanks, whole and blind."""

    def __init__(self) -> None:
        self._here: OrderedDict[tuple[int, str, str], Treebank] = OrderedDict()
        self._fingerprints: dict[tuple[int, str, str], str] = {}
        self._sizes: dict[tuple[int, str], Size] = {}
        self._numbers: dict[CatalogueEntry, int] = {}
        self.findings: list[Findings] = []
        """What was found in files that could be used nevertheless."""

    def gold(self, entry: CatalogueEntry, part: str) -> Treebank:
        """Return a part with everything in it."""
        return self._kept(entry, part, "gold", lambda: self._read(entry, part))

    def seen(self, entry: CatalogueEntry, part: str, *, hides_tags: bool) -> Treebank:
        """Return a part without heads, or without heads and tags."""
        return self._kept(
            entry,
            part,
            _view(hides_tags),
            lambda: blind(self.gold(entry, part), heads=True, tags=hides_tags),
        )

    def gold_fingerprint(self, entry: CatalogueEntry, part: str) -> str:
        """Return the fingerprint of a part; read once."""
        key = (self._number(entry), part, "gold")
        if key not in self._fingerprints:
            self.gold(entry, part)
        return self._fingerprints[key]

    def seen_fingerprint(self, entry: CatalogueEntry, part: str, *, hides_tags: bool) -> str:
        """Return the fingerprint of a blind copy; made once."""
        key = (self._number(entry), part, _view(hides_tags))
        if key not in self._fingerprints:
            self.seen(entry, part, hides_tags=hides_tags)
        return self._fingerprints[key]

    def size(self, entry: CatalogueEntry, part: str) -> Size:
        """Return the size of a part; read once."""
        key = (self._number(entry), part)
        if key not in self._sizes:
            self.gold(entry, part)
        return self._sizes[key]

    def _kept(
        self, entry: CatalogueEntry, part: str, view: str, make: Callable[[], Treebank]
    ) -> Treebank:
        key = (self._number(entry), part, view)
        if key not in self._here:
            treebank = make()
            if self._fingerprints.setdefault(key, treebank.fingerprint) != treebank.fingerprint:
                raise ExperimentError(
                    f"{entry.name}: its {part} part has changed while the experiment was running\n"
                    "  run it again: what does not depend on that part is kept"
                )
            self._here[key] = treebank
            self._forget_oldest()
        self._here.move_to_end(key)
        return self._here[key]

    def _forget_oldest(self) -> None:
        words = sum(treebank.n_words for treebank in self._here.values())
        while len(self._here) > 1 and (
            len(self._here) > _PARTS_IN_MEMORY or words > _WORDS_IN_MEMORY
        ):
            _, oldest = self._here.popitem(last=False)
            words -= oldest.n_words

    def _read(self, entry: CatalogueEntry, part: str) -> Treebank:
        findings: list[Findings] = []
        treebank = entry.read(part, findings=findings)
        key = (self._number(entry), part)
        if key not in self._sizes:
            longest = int(treebank.lengths.max(initial=0))
            self._sizes[key] = Size(treebank.n_sentences, treebank.n_words, longest)
            self.findings += findings
        return treebank

    def _number(self, entry: CatalogueEntry) -> int:
        # Entries of different files may have equal hashes; then they are compared.
        return self._numbers.setdefault(entry, len(self._numbers))


def _view(hides_tags: bool) -> str:
    return "without tags" if hides_tags else "without heads"
