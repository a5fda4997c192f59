"""The tags that a grammar is about, and sentences as sequences of their codes."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction.chart import Grammar, TagCorpus
from treegauge.systems.errors import SystemsWarning
from treegauge.systems.saved_state import SavedState, damaged
from treegauge.treebank import EMPTY, Treebank, tag_column

_MANY_WITHOUT_TAG = 0.2
"""The share of words without a tag beyond which somebody has probably named the wrong column."""


@dataclass(frozen=True)
class TagInventory:
    """Tags in the order of their codes, how frequent they are, and what is universal of them."""

    column: str
    """The tag column: u, u12, c, p, p:2."""
    tags: tuple[str, ...]
    shares: tuple[float, ...]
    """Relative frequencies in the text that was learnt from."""
    universal: tuple[str, ...]
    """The universal tag that most words of each tag have; empty where there is none."""

    @classmethod
    def of(cls, words: Treebank, column: str) -> TagInventory:
        """Return the tags of a treebank, most frequent first."""
        tags = tag_column(words, column).column
        counts = tags.counts()
        names = sorted(counts, key=lambda tag: (-counts[tag], tag))
        total = sum(counts.values())
        return cls(
            column,
            tuple(names),
            tuple(counts[name] / total for name in names),
            tuple(_majority_of_universal(words, tags.codes, tags.vocabulary, names)),
        )

    @property
    def share_without_tag(self) -> float:
        """The share of words that have no tag."""
        return self.shares[self.tags.index(EMPTY)] if EMPTY in self.tags else 0.0

    def encode(self, words: Treebank) -> TagCorpus:
        """Return sentences as codes; tags that were never seen share one further code."""
        tags = tag_column(words, self.column).column
        known = {tag: code for code, tag in enumerate(self.tags)}
        unknown = len(self.tags)
        by_value = np.array([known.get(tag, unknown) for tag in tags.vocabulary], np.int32)
        codes = by_value[tags.codes] if len(tags.codes) else np.zeros(0, np.int32)
        has_unknown = bool((codes == unknown).any())
        return TagCorpus(codes, words.offsets, len(self.tags) + has_unknown)

    def with_unknown(self, grammar: Grammar) -> Grammar:
        """Return a grammar with one more tag, which behaves as the average tag does."""
        return with_unknown(grammar, np.array(self.shares))

    def to_dict(self) -> dict[str, Any]:
        """Return the inventory as JSON has it."""
        return {
            "column": self.column,
            "tags": list(self.tags),
            "shares": list(self.shares),
            "universal": list(self.universal),
        }

    @classmethod
    def restored(cls, saved: SavedState) -> TagInventory:
        """Return the inventory that `to_dict` gave."""
        tags = saved.names("tags")
        shares = saved.series("shares", size=len(tags))
        if not all(0 <= share <= 1 for share in shares):
            raise damaged("its shares should be numbers from 0 to 1")
        universal = saved.strings("universal", size=len(tags))
        return cls(saved.text("column"), tags, tuple(shares), universal)


def with_unknown(grammar: Grammar, shares: NDArray[np.float64]) -> Grammar:
    """Return a grammar with one more symbol, which behaves as symbols do on average."""

    def decisions(table: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.concatenate([table, np.tensordot(shares, table, 1)[None]])

    as_head = np.concatenate(
        [grammar.attach, np.tensordot(shares, grammar.attach, 1)[None]], axis=0
    )
    return Grammar(
        np.append(grammar.root, shares @ grammar.root),
        decisions(grammar.stop),
        decisions(grammar.go),
        np.concatenate([as_head, (as_head @ shares)[..., None]], axis=3),
        grammar.child_valence_order,
    )


def warn_of_missing_tags(system: str, inventory: TagInventory) -> None:
    """Say that many words have no tag; to be called by the `_fit` of a system."""
    share = inventory.share_without_tag
    if share > _MANY_WITHOUT_TAG:
        warnings.warn(
            f"{system}: {share:.0%} of words have no tag in column {inventory.column}, "
            f"and {EMPTY} counts as one; the setting tags can name another column",
            SystemsWarning,
            stacklevel=4,  # whoever called `fit`
        )


def _majority_of_universal(
    words: Treebank, codes: NDArray[np.int32], vocabulary: Any, names: list[str]
) -> list[str]:
    if not words.upos.is_annotated:
        return [""] * len(names)
    values = list(vocabulary)
    universal = list(words.upos.vocabulary)
    pairs, times = np.unique(np.stack([codes, words.upos.codes]), axis=1, return_counts=True)
    by_tag: dict[str, Counter[str]] = {name: Counter() for name in names}
    for (tag, upos), n in zip(pairs.T.tolist(), times.tolist(), strict=True):
        by_tag[values[tag]][universal[upos]] += n
    return [min(by_tag[name], key=lambda u: (-by_tag[name][u], u)) for name in names]
