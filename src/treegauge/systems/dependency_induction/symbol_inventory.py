"""Tags, and frequent words with their tags: the symbols of a lexicalised grammar.

References
----------
Headden, Johnson and McClosky (2009), Improving unsupervised dependency parsing with richer contexts
and smoothing. NAACL (words that are frequent enough are told apart from others of their tag).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction.chart import TagCorpus
from treegauge.systems.dependency_induction.tag_inventory import TagInventory
from treegauge.systems.saved_state import SavedState, damaged, is_text
from treegauge.treebank import Treebank, tag_column


@dataclass(frozen=True)
class SymbolInventory(TagInventory):
    """Symbols in the order of their codes: first all tags, then tags with a word."""

    words: tuple[tuple[int, str], ...] = ()
    """The code of the tag and the word, in lower case, of each symbol that has one."""

    @classmethod
    def lexicalised(cls, words: Treebank, column: str, least: int | None) -> SymbolInventory:
        """Return tags, and words that occur at least so often with a tag; none for tags alone.

        >>> import treegauge as tg
        >>> text = tg.parse("the/D cat/N saw/V The/D dog/N\\n", format="slashed")
        >>> SymbolInventory.lexicalised(text, "p", 2).tags
        ('D', 'N', 'V', 'D the')
        """
        of_tags = TagInventory.of(words, column)
        if least is None:
            return cls(**vars(of_tags))
        codes = of_tags.encode(words).tags.tolist()
        counts = Counter(zip(codes, words.form.map(str.lower), strict=True))
        frequent = sorted(pair for pair, n in counts.items() if n >= least)
        shares = np.array([counts[pair] / len(codes) for pair in frequent])
        rest = np.array(of_tags.shares)
        np.subtract.at(rest, [tag for tag, _ in frequent], shares)
        return cls(
            column,
            (*of_tags.tags, *(f"{of_tags.tags[tag]} {word}" for tag, word in frequent)),
            (*np.maximum(rest, 0.0).tolist(), *shares.tolist()),
            (*of_tags.universal, *(of_tags.universal[tag] for tag, _ in frequent)),
            tuple(frequent),
        )

    @property
    def n_tags(self) -> int:
        """How many symbols are tags alone."""
        return len(self.tags) - len(self.words)

    @property
    def tag_of(self) -> NDArray[np.int64]:
        """The tag of every symbol."""
        of_words = [tag for tag, _ in self.words]
        return np.concatenate([np.arange(self.n_tags), np.array(of_words, np.int64)])

    def encode(self, words: Treebank) -> TagCorpus:
        """Return sentences as codes; tags that were never seen share one further code."""
        tags = tag_column(words, self.column).column
        known = {tag: code for code, tag in enumerate(self.tags[: self.n_tags])}
        unknown = len(self.tags)
        by_value = np.array([known.get(tag, unknown) for tag in tags.vocabulary], np.int32)
        codes = by_value[tags.codes] if len(tags.codes) else np.zeros(0, np.int32)
        if self.words:
            codes = self._with_words(codes, words)
        has_unknown = bool((codes == unknown).any())
        return TagCorpus(codes, words.offsets, len(self.tags) + has_unknown)

    def _with_words(self, codes: NDArray[np.int32], words: Treebank) -> NDArray[np.int32]:
        numbers = {pair: self.n_tags + number for number, pair in enumerate(self.words)}
        pairs = zip(codes.tolist(), words.form.map(str.lower), strict=True)
        return np.array([numbers.get(pair, pair[0]) for pair in pairs], np.int32)

    def to_dict(self) -> dict[str, Any]:
        """Return the inventory as JSON has it."""
        return {**super().to_dict(), "words": [list(pair) for pair in self.words]}

    @classmethod
    def restored(cls, saved: SavedState) -> SymbolInventory:
        """Return the inventory that `to_dict` gave."""
        symbols = TagInventory.restored(saved)
        words = []
        n_tags = len(symbols.tags) - len(saved.sequence("words"))
        for pair in saved.sequence("words"):
            match pair:
                case [int(tag), word] if type(tag) is int and 0 <= tag < n_tags and is_text(word):
                    words.append((tag, word))
                case _:
                    raise damaged("its words should be pairs of a tag and a word")
        if n_tags < 1:
            raise damaged("it has more words than symbols")
        return cls(**vars(symbols), words=tuple(words))
