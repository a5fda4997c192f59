"""What becomes of sentences that are too long for a chart or a matrix of their words.

A setting, `longest_whole`, says how many words a sentence may have to be parsed as it is. It never
depends on the machine, since scores must not. A longer one is cut into as few blocks of at most
`BLOCK` words as there can be (fewer words where a system says so), all about equally long; every
block is parsed like a sentence, and the roots of all further blocks hang on the root of the first.
What comes out is one tree, and a projective one if those of the blocks are.
"""

from __future__ import annotations

import os
import sys
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.systems.errors import SystemsError, SystemsWarning
from treegauge.treebank import Column, Origin, Treebank
from treegauge.wording import counted

BLOCK = 100
"""Words of a block: more than nearly all sentences have, and a chart that is filled at once."""
CUBIC, QUADRATIC = 1000, 5000
"""Words of the longest sentence that is parsed whole, by how time or memory grow with them."""
BETWEEN_BLOCKS = "dep"
"""The relation of further blocks to the first, for parsers that give them one as they go."""
_MOST_NAMED = 3


def whole_up_to(words: int, otherwise: str = f"parsed in blocks of at most {BLOCK}") -> Any:
    """Return the setting `longest_whole` with its default."""
    return setting(words, f"sentences of more words are {otherwise}", minimum=1)


@dataclass(frozen=True)
class Blocks:
    """A treebank, and the same words with long sentences cut into blocks."""

    treebank: Treebank
    """What is to be parsed."""
    whole: NDArray[np.int64]
    """Where sentences begin, and the end."""

    @classmethod
    def of(cls, treebank: Treebank, longest_whole: int | None, block: int = BLOCK) -> Blocks:
        """Cut the sentences of more words into blocks; none for no limit.

        >>> import treegauge as tg
        >>> text = tg.parse("a/X b/X c/X\\nd/X e/X f/X g/X h/X\\n", format="slashed")
        >>> Blocks.of(text, 3).treebank.offsets.tolist()
        [0, 3, 5, 8]
        """
        whole, lengths = treebank.offsets, treebank.lengths
        if longest_whole is None or not (lengths > longest_whole).any():
            return cls(treebank, whole)
        size = min(block, longest_whole)
        number = np.where(lengths > longest_whole, -(-lengths // size), 1)
        sentence = np.repeat(np.arange(len(lengths)), number)
        rank = np.arange(len(sentence)) - (np.cumsum(number) - number)[sentence]
        begins = whole[sentence] + rank * lengths[sentence] // number[sentence]
        offsets = np.concatenate([begins, whole[-1:]])
        # Where words were taken out inside a block is known of the block as well.
        position = treebank.original_positions
        before = np.where(rank > 0, position[begins - 1], 0)
        cut = Treebank(
            treebank.columns,
            offsets=offsets,
            punctuation=treebank.punctuation,
            origin=_origin_of_blocks(position - np.repeat(before, np.diff(offsets)), offsets),
        )
        return cls(cut, whole)

    @property
    def are_cut(self) -> bool:
        """Whether there is any sentence of several blocks."""
        return len(self.treebank.offsets) > len(self.whole)

    @property
    def words_before(self) -> NDArray[np.int64]:
        """How many words of its sentence stand before the block of a word."""
        cut = self.treebank.offsets
        begin = np.repeat(self.whole[:-1], np.diff(self.whole))
        before: NDArray[np.int64] = np.repeat(cut[:-1], np.diff(cut)) - begin
        return before

    def joined_relations(self, heads: NDArray[np.int32], relations: Column) -> Column:
        """Return relations in sentences from heads and relations in blocks."""
        between = np.flatnonzero((heads == 0) & (self.joined(heads) != 0))
        if not len(between):
            return relations
        names = list(relations)
        for word in between.tolist():
            names[word] = BETWEEN_BLOCKS
        return Column.from_strings(names)

    def joined(self, heads: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return heads in sentences from heads in blocks.

        >>> import treegauge as tg
        >>> blocks = Blocks.of(tg.parse("a/X b/X c/X d/X\\n", format="slashed"), 2)
        >>> blocks.joined(np.array([2, 0, 0, 1], np.int32)).tolist()
        [2, 0, 2, 3]
        """
        if not self.are_cut:
            return heads
        begin, shift = np.repeat(self.whole[:-1], np.diff(self.whole)), self.words_before
        is_root = heads == 0
        roots = np.flatnonzero(is_root)
        # The first root of a sentence is the first at or behind its first word.
        root = roots[np.searchsorted(roots, begin)]
        joined = np.where(is_root, root - begin + 1, heads + shift)
        joined[is_root & (shift == 0)] = 0
        return joined.astype(np.int32)


def _origin_of_blocks(position: NDArray[np.int64], offsets: NDArray[np.int64]) -> Origin:
    last = np.where(np.diff(offsets) > 0, position[offsets[1:] - 1], 0)
    return Origin(last.astype(np.int32), position.astype(np.int32))


def too_long(system: str, sentences: NDArray[np.intp], longest_whole: int, treatment: str) -> str:
    """Return how many sentences are too long, what is done with them, and the first of them.

    >>> too_long("dmv", np.arange(7), 50, "cut")
    'dmv: 7 sentences of more than 50 words are cut (longest_whole): sentences 1, 2, 3 and 4 more'
    """
    numbers = ", ".join(str(index + 1) for index in sentences[:_MOST_NAMED].tolist())
    more = f" and {len(sentences) - _MOST_NAMED} more" if len(sentences) > _MOST_NAMED else ""
    verb = "is" if len(sentences) == 1 else "are"
    return (
        f"{system}: {counted(len(sentences), 'sentence')} of more than {longest_whole:,} words "
        f"{verb} {treatment} (longest_whole): sentence{'s' * (len(sentences) > 1)} {numbers}{more}"
    )


def warn_of_long(
    system: str, sentences: NDArray[np.intp], longest_whole: int, treatment: str
) -> None:
    """Say it, where there are any."""
    if len(sentences):
        message = too_long(system, sentences, longest_whole, treatment)
        warnings.warn(message, SystemsWarning, stacklevel=4)


def require_memory(system: str, words: int, needed: int) -> None:
    """Refuse a sentence whose table of pairs of words cannot be held.

    Only a person who has raised `longest_whole` ever sees this.
    """
    available = _memory()
    if needed > available:
        raise SystemsError(
            f"{system}: a sentence of {words:,} words needs about {needed / 1e9:,.1f} GB of "
            f"memory, and there are {available / 1e9:,.1f}\n"
            "  lower longest_whole, so that it is parsed in blocks"
        )


def _memory() -> float:
    """Return how many bytes this process could ever have."""
    if sys.platform == "win32":
        return float("inf")
    import resource

    limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([machine, *(limit for limit in limits if limit != resource.RLIM_INFINITY)])
