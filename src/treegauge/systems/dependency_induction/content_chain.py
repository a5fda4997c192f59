"""A chain of content words, with function words at their sides: no classes, and no learning.

Function words are the frequent ones (`frequent_words.py`). If they lean to the right, every open
word hangs on the open word before it, and a function word on the next open word; otherwise all is
mirrored. Whatever learns from bare text must do better than this.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.frequent_words import (
    LEFT,
    RIGHT,
    BareText,
    Flags,
    frequent_words,
    leaning_side,
)
from treegauge.systems.dependency_induction.leaning import Leaning
from treegauge.systems.dependency_induction.open_word_classes import Codes
from treegauge.systems.errors import SystemsError
from treegauge.systems.saved_state import SavedState, damaged
from treegauge.systems.system import Arrays, DependencyInducer, OnProgress
from treegauge.treebank import Column, Treebank, Vocabulary, punctuation_mask, without_punctuation
from treegauge.wording import counted

MARK = "PUNCT"
"""The tag of punctuation, so that it is known when what was found is read again."""
_SHOWN = 40

Leanings = Literal["signs", "edges"]
LEANING_HELP = "how to find the side of the heads of function words: three signs, or edges alone"


@dataclass(frozen=True)
class ContentChainSettings(Settings):
    """What a function word is, and where its head stands."""

    function_share: float = setting(
        0.001,
        "a word type with a larger share of all words is a function word",
        minimum=0,
        maximum=1,
    )
    leaning: Leanings = setting("signs", LEANING_HELP)


class ContentChain(DependencyInducer):
    """Open words in a chain, function words at their sides.

    >>> import treegauge as tg
    >>> text = "the/D cat/N saw/V a/D dog/N\\n" * 5 + "the/D mouse/N slept/V\\n"
    >>> chain = ContentChain({"function_share": 0.2}).fit(tg.parse(text, format="slashed"))
    >>> chain.function_words, chain.side
    (('the',), 1)
    """

    name = "content-chain"
    task = "joint"
    settings_type = ContentChainSettings
    seconds_per_word = 1e-6
    tags_types = False  # the same form may be punctuation here, and a word there

    function_words: tuple[str, ...]
    side: int
    """Where function words have their heads."""

    def _fit(self, treebank: Treebank, _on_progress: OnProgress) -> None:
        words = without_punctuation(treebank)
        if not words.n_words:
            raise SystemsError(f"{self.name}: there is nothing to learn from but punctuation")
        text = BareText.of(words)
        self.function_words = frequent_words(text, self.settings.function_share)
        self.side = find_side(text, self._function(text), self.settings.leaning)

    def _function(self, text: BareText) -> Codes:
        numbers = {word: number for number, word in enumerate(self.function_words)}
        return text.lookup(numbers, -1)

    def _heads(self, words: Treebank, _on_progress: OnProgress) -> NDArray[np.int32]:
        text = BareText.of(words)
        return chain_heads(text, self._function(text) >= 0, self.side)

    def _annotate(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        function = self._function(BareText.of(without_punctuation(treebank)))
        tagged = with_symbols(treebank, (function >= 0).astype(np.int32), 2)
        return super()._annotate(tagged, on_progress)

    # ------------------------------------------------------------------ for people, for files

    def describe_grammar(self, top: int = 20) -> str:
        """Return the function words and their side."""
        return f"{function_words_in_words(self.function_words, self.side, top)}\n"

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        return {}, {"function_words": list(self.function_words), "side": self.side}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        self.function_words, self.side = restored_function_words(saved)


def find_side(text: BareText, function: Codes, leaning: Leanings) -> int:
    """Return where function words have their heads; they are numbered, with -1 for open words."""
    if leaning == "edges":
        return leaning_side(text, function >= 0)
    return Leaning.of(text, function).side


def chain_heads(text: BareText, is_function: Flags, side: int) -> NDArray[np.int32]:
    """Return the heads of all words.

    In a sentence without an open word, all count as open. A function word hangs on the next open
    word in its direction unless there is none, or punctuation stands between and not on the other
    side.
    """
    n = text.n_words
    lengths = np.diff(text.offsets)
    first = np.repeat(text.offsets[:-1], lengths)
    end = np.repeat(text.offsets[1:], lengths)
    open_words = np.append(0, np.cumsum(~is_function))
    has_open = open_words[text.offsets[1:]] > open_words[text.offsets[:-1]]
    is_open = ~is_function | ~np.repeat(has_open, lengths)
    place = np.arange(n)
    # The nearest open word before and behind each word, itself left out.
    before = np.append(-1, np.maximum.accumulate(np.where(is_open, place, -1)))[:n]
    behind = np.minimum.accumulate(np.where(is_open, place, n)[::-1])[::-1]
    behind = np.append(behind, n)[1:]
    has_before, has_behind = before >= first, behind < end
    # How many boundaries stand at or before a word; a boundary is the gap before a word.
    passed = np.cumsum(text.begins)
    reaches_before = has_before & (passed[before] == passed)
    reaches_behind = has_behind & (passed[np.minimum(behind, n - 1)] == passed)
    chained, of_chain = (before, has_before) if side == RIGHT else (behind, has_behind)
    if side == RIGHT:
        to_behind = has_behind & (reaches_behind | ~reaches_before)
    else:
        to_behind = ~(has_before & (reaches_before | ~reaches_behind))
    leaf = np.where(to_behind, behind, before)
    head = np.where(is_open, np.where(of_chain, chained - first + 1, 0), leaf - first + 1)
    return head.astype(np.int32)


def with_symbols(treebank: Treebank, symbols: NDArray[np.int32], n_symbols: int) -> Treebank:
    """Return a treebank with symbols as the tags of its words, punctuation aside."""
    names = Vocabulary.from_strings([*map(str, range(n_symbols)), MARK])
    codes = np.full(treebank.n_words, n_symbols, np.int32)
    codes[~punctuation_mask(treebank)] = symbols
    return treebank.replace(columns={"upos": Column(codes, names).compact()})


def function_words_in_words(words: tuple[str, ...], side: int, top: int) -> str:
    """Return function words and their side in a line."""
    shown = " ".join(word[:_SHOWN] for word in words[:top])
    where = "right" if side == RIGHT else "left"
    return f"{counted(len(words), 'function word')}, head to the {where}: {shown}".rstrip(": ")


def restored_function_words(saved: SavedState) -> tuple[tuple[str, ...], int]:
    """Return function words and their side from a model."""
    words = saved.strings("function_words")
    if len(set(words)) < len(words):
        raise damaged("it has a function word twice")
    side = saved.whole_number("side", least=LEFT, below=RIGHT + 1)
    if side == 0:
        raise damaged("its side is neither left nor right")
    return words, side
