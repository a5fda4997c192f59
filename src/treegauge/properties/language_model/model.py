"""Language models: the probability of every word, given the words before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.formats.sources import Source
from treegauge.properties.errors import PropertyError
from treegauge.properties.language_model import _scoring_numba as kernels
from treegauge.properties.language_model.arpa_writing import write_arpa
from treegauge.properties.language_model.ngram_trie import (
    BEGIN,
    SPECIAL_WORDS,
    UNKNOWN,
    NgramTrie,
)
from treegauge.properties.language_model.scored_text import ScoredText
from treegauge.properties.language_model.spelling import model_spelling, sentence_offsets
from treegauge.treebank import Column, Interner, Vocabulary


@dataclass(frozen=True)
class Estimation:
    """How a language model was estimated.

    Attributes
    ----------
    preset : str
        The preset of the estimation.
    minimum_word_count : int
        Words that are rarer became `<unk>`; 1 is an open vocabulary.
    discounts : tuple of (float, float, float)
        By order: what is subtracted from counts of one, of two, and of three or more.
    fallback_orders : tuple of int
        The orders whose discounts could not be estimated.

    Examples
    --------
    >>> import warnings, treegauge as tg
    >>> text = tg.Column.from_strings("a b a b a c a a c d a b".split())
    >>> with warnings.catch_warnings(action="ignore"):
    ...     model = tg.train_language_model(text, [0, 5, 9, 12], order=2)
    >>> model.estimation.preset, model.estimation.minimum_word_count
    ('kenlm', 1)
    """

    preset: str
    minimum_word_count: int
    discounts: tuple[tuple[float, float, float], ...]
    fallback_orders: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class LanguageModel:
    """An n-gram model, as in an ARPA file; made by `train_language_model` or `read_arpa`.

    Attributes
    ----------
    vocabulary : Vocabulary
        Words by code. The first three are `<unk>`, `<s>` and `</s>`.
    trie : NgramTrie
        The n-grams.
    log10 : array of float
        The log10 probability of the last word of every n-gram, given the others.
    backoff : array of float
        The log10 backoff weight of every context.
    estimation : Estimation or None
        How it was estimated; None for a model from a file.

    Examples
    --------
    >>> import io, warnings, treegauge as tg
    >>> text = tg.Column.from_strings("a b a b a c a a c d a b".split())
    >>> with warnings.catch_warnings(action="ignore"):
    ...     model = tg.train_language_model(text, [0, 5, 9, 12], order=2)
    >>> round(model.score(tg.Column.from_strings(["a", "b"]), [0, 2]).perplexity(), 3)
    3.605
    >>> round(float(model.distribution(["<s>"]).sum()), 6)
    1.0
    >>> file = io.BytesIO()
    >>> model.write_arpa(file)
    >>> file.getvalue()[:6]
    b'\\\\data\\\\'
    """

    vocabulary: Vocabulary
    trie: NgramTrie
    log10: NDArray[np.float64]
    backoff: NDArray[np.float64]
    estimation: Estimation | None = None

    def __repr__(self) -> str:
        sizes = [f"{n:,} n-grams of order {k}" for k, n in enumerate(self.trie.sizes, start=1)]
        sizes[0] = f"{len(self.vocabulary):,} words"
        return f"<LanguageModel of order {self.order}: {', '.join(sizes)}>"

    @property
    def order(self) -> int:
        """The number of words in the longest n-grams."""
        return self.trie.order

    def score(self, column: Column, offsets: ArrayLike) -> ScoredText:
        """Return the probabilities of all words of a text, and of the ends of its sentences.

        Parameters
        ----------
        column : Column
            The words, as strings of the same kind as in training.
        offsets : array of int
            Where sentences begin, and where the last one ends.

        Returns
        -------
        ScoredText
            With `perplexity()`.

        Raises
        ------
        PropertyError
            If the offsets do not fit the column.
        """
        sentences = sentence_offsets(column, offsets)
        words = self._codes(column.vocabulary)[column.codes]
        of_words, of_ends = kernels.score_text(*self._arrays(), words, sentences)
        return ScoredText(of_words, of_ends, words == UNKNOWN, sentences)

    def distribution(self, history: Sequence[str] = ()) -> NDArray[np.float64]:
        """Return the probability of every word of the vocabulary after a history.

        Parameters
        ----------
        history : sequence of str
            The words before, the nearest one last. `<s>` as the first word is the beginning of a
            sentence.

        Returns
        -------
        array of float
            Probabilities by the code of the word.

        Raises
        ------
        PropertyError
            If the beginning or the end of a sentence is inside the history.
        """
        if "</s>" in history or "<s>" in history[1:]:
            raise PropertyError("a history is inside one sentence; only its first word can be <s>")
        codes = self._codes(Vocabulary.from_strings(history))
        if history and history[0] == SPECIAL_WORDS[BEGIN]:
            codes[0] = BEGIN
        log10 = kernels.distribution(*self._arrays(), codes, len(self.vocabulary))
        probabilities: NDArray[np.float64] = 10**log10
        return probabilities

    def write_arpa(self, target: Source) -> None:
        """Write an ARPA file. All digits are written: `read_arpa` restores the same model.

        Parameters
        ----------
        target : path, '-' or open file
            `.gz` and `.xz` files are compressed.

        Raises
        ------
        FormatError
            If the file cannot be written.
        """
        write_arpa(target, self.vocabulary, self.trie, self.log10, self.backoff)

    def _arrays(self) -> tuple[NDArray[np.int32 | np.float64], ...]:
        trie = self.trie
        return trie.word, trie.link, trie.first_child, self.log10, self.backoff

    def _codes(self, vocabulary: Vocabulary) -> NDArray[np.int32]:
        """Return the code of every word of another vocabulary."""
        interner = Interner()
        interner.add_vocabulary(self.vocabulary)
        codes = interner.add_vocabulary(model_spelling(vocabulary))
        # No word of a text is the beginning or the end of a sentence, however it is spelled.
        codes[(codes >= len(self.vocabulary)) | (codes < len(SPECIAL_WORDS))] = UNKNOWN
        return codes
