"""Function words of a text without tags: the words that everything stands together with.

Søgaard (2012) ranks the words of a corpus by PageRank over the graph of words that occur in
the same sentence, and takes those on top for function words.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from treegauge.treebank import Treebank


def function_words(
    treebank: Treebank, count: int = 100, *, damping: float = 0.85, iterations: int = 20
) -> tuple[str, ...]:
    """Return the top-ranked words, most central first; ties in order of first use.

    Two words are linked as often as they stand together in a sentence. Only words with a
    letter in them are returned.

    Examples
    --------
    >>> import treegauge as tg
    >>> text = "the/DET cat/NOUN sleeps/VERB\\nthe/DET dog/NOUN barks/VERB\\n"
    >>> function_words(tg.parse(text, format="slashed"), 1)
    ('the',)
    """
    if not treebank.n_words:
        return ()
    form = treebank.form.compact()
    ranks = _co_occurrence_ranks(treebank, form.codes, len(form.vocabulary), damping, iterations)
    strings = form.vocabulary.strings
    # Sums that differ in their last bits are ties.
    order = np.argsort(-ranks.round(12), kind="stable")
    lettered = (strings[code] for code in order if any(map(str.isalpha, strings[code])))
    return tuple(word for _, word in zip(range(count), lettered, strict=False))


def _co_occurrence_ranks(
    treebank: Treebank,
    codes: NDArray[np.int32],
    n_types: int,
    damping: float,
    iterations: int,
) -> NDArray[np.float64]:
    """Return the rank of every type.

    With `B[s, w]` how often word w is in sentence s, the links are `B.T @ B` without its
    diagonal. That product is never made: two steps through B cost as much as the text is long.
    """
    ones = np.ones(treebank.n_words)
    counts = sparse.csr_array(
        (ones, (treebank.sentence_of_word, codes)), (treebank.n_sentences, n_types)
    )
    counts.sum_duplicates()
    with_itself: NDArray[np.float64] = counts.power(2).sum(axis=0)
    links = counts.T @ treebank.lengths.astype(np.float64) - with_itself
    dangles = links == 0
    ranks = np.full(n_types, 1 / n_types)
    for _ in range(iterations):
        given = np.where(dangles, 0.0, ranks / np.where(dangles, 1.0, links))
        received = counts.T @ (counts @ given) - with_itself * given
        held = ranks[dangles].sum() / n_types
        ranks = damping * (received + held) + (1 - damping) / n_types
    return ranks
