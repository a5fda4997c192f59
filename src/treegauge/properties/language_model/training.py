"""Estimation of language models: interpolated modified Kneser-Ney, one set of discounts an order.

Conventions
-----------
A sentence is `<s>`, its words, and `</s>`; `<s>` is never predicted. Counts below the highest order
are the numbers of different words before an n-gram; n-grams that begin with `<s>` keep their own.
With counts c, their counts t_1 to t_4, and Y = t_1 / (t_1 + 2 t_2), the discounts of an order are

    D_1 = 1 - 2 Y t_2 / t_1    D_2 = 2 - 3 Y t_3 / t_2    D_3+ = 3 - 4 Y t_4 / t_3

and p(w | h) = (c(hw) - D) / sum of c(h·) + gamma(h) p(w | h without its first word). As in KenLM,
the fixed discounts 0.5, 1 and 1.5 take their place where t_1, t_2 or t_3 is zero or a discount is
negative; that is usual for texts of few types, such as tags.

References
----------
Chen and Goodman (1998), An empirical study of smoothing techniques for language modeling.
Technical report TR-10-98, Harvard University.
Heafield, Pouzyrevsky, Clark and Koehn (2013), Scalable modified Kneser-Ney language model
estimation. ACL 2013.
Stolcke (2002), SRILM: an extensible language modeling toolkit. ICSLP 2002.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.properties.errors import PropertyError, SmallCorpusWarning
from treegauge.properties.language_model import _kneser_ney_numba as kernels
from treegauge.properties.language_model.model import Estimation, LanguageModel
from treegauge.properties.language_model.ngram_trie import (
    BEGIN,
    END,
    SPECIAL_WORDS,
    UNKNOWN,
    NgramTrie,
)
from treegauge.properties.language_model.spelling import model_spelling, sentence_offsets
from treegauge.treebank import Column, Interner, Vocabulary
from treegauge.wording import unknown_name

MAXIMUM_ORDER = 5


class Discounts(NamedTuple):
    """What is taken from counts of one, of two, and of three or more."""

    one: float
    two: float
    three: float


FALLBACK_DISCOUNTS = Discounts(0.5, 1.0, 1.5)
"""Where they cannot be estimated; those of KenLM's `--discount_fallback`."""


@dataclass(frozen=True)
class Preset:
    """A toolkit's ways, where toolkits differ."""

    mass: Literal["all", "known", "unknown"] = "all"
    """Who shares what is discounted from single words: all of them and `<unk>`, only those of the
    training text, or `<unk>` alone."""
    minimum_count: int = 1
    """N-grams of three words and more that are rarer are left out after discounting."""


PRESETS = MappingProxyType(
    {
        "kenlm": Preset(),
        "kenlm-no-unigram-interpolation": Preset(mass="unknown"),
        "srilm": Preset(mass="known", minimum_count=2),
        "srilm-nocut": Preset(mass="known"),
    }
)
"""KenLM's lmplz, the same with `--interpolate_unigrams 0`, SRILM's `ngram-count -kndiscount
-interpolate`, and the same with `-gt3min 1`."""

_MASS = {
    "all": kernels.MASS_OF_ALL,
    "known": kernels.MASS_OF_KNOWN,
    "unknown": kernels.MASS_OF_UNKNOWN,
}


def train_language_model(
    column: Column,
    offsets: ArrayLike,
    *,
    order: int = 3,
    preset: str = "kenlm",
    minimum_word_count: int = 1,
) -> LanguageModel:
    """Estimate a language model.

    Parameters
    ----------
    column : Column
        The words of the text, or another column such as their tags.
    offsets : array of int
        Where sentences begin, and where the last one ends.
    order : int
        The number of words in the longest n-grams, from 1 to 5.
    preset : str
        One of `PRESETS`: the toolkit whose smoothing is used.
    minimum_word_count : int
        Rarer words become `<unk>`, which is then a word like others (a closed vocabulary). With
        1, the vocabulary is open: `<unk>` gets only what smoothing leaves to unseen words.

    Returns
    -------
    LanguageModel
        The model.

    Warns
    -----
    SmallCorpusWarning
        If fixed discounts replace estimated ones for some order.

    Raises
    ------
    PropertyError
        If there are no sentences, a setting is out of range, or a word is `<s>` or `</s>`.

    Examples
    --------
    >>> text = Column.from_strings("a b a b a c a a c d a b".split())
    >>> with warnings.catch_warnings(action="ignore"):
    ...     model = train_language_model(text, [0, 5, 9, 12], order=2)
    >>> model
    <LanguageModel of order 2: 7 words, 12 n-grams of order 2>
    >>> round(model.score(Column.from_strings(["a", "d"]), [0, 2]).perplexity(), 3)
    9.552
    """
    settings = TrainingSettings(order, preset, minimum_word_count)
    sentences = sentence_offsets(column, offsets)
    if len(sentences) < 2:
        raise PropertyError("a language model needs at least one sentence to learn from")
    used = column.canonical()
    counts = np.bincount(used.codes, minlength=len(used.vocabulary))
    new_code, vocabulary = number_words(used.vocabulary, counts, minimum_word_count)
    trie, count = NgramTrie.of_text(
        new_code[used.codes], sentences, order=order, n_types=len(vocabulary)
    )
    return estimate_model(vocabulary, trie, count, settings)


@dataclass(frozen=True)
class TrainingSettings:
    """What can be chosen about a language model, checked."""

    order: int = 3
    preset: str = "kenlm"
    minimum_word_count: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.order <= MAXIMUM_ORDER:
            raise PropertyError(
                f"the order of a language model is 1 to {MAXIMUM_ORDER}, not {self.order}"
            )
        if self.minimum_word_count < 1:
            raise PropertyError(
                f"words occur at least once; minimum count {self.minimum_word_count}"
            )
        if self.preset not in PRESETS:
            raise PropertyError(unknown_name("preset", self.preset, PRESETS))


def estimate_model(
    vocabulary: Vocabulary,
    trie: NgramTrie,
    count: NDArray[np.int32],
    settings: TrainingSettings,
) -> LanguageModel:
    """Estimate a language model from counts of n-grams, which are overwritten."""
    ways, order = PRESETS[settings.preset], settings.order
    kernels.adjust_counts(count, trie.link, trie.first_child, trie.level_starts)
    discounts, fallback_orders = _estimate_discounts(trie, count)
    minimum_counts = np.array([1, 1, 1] + [ways.minimum_count] * (order - 2))
    probability, weight = kernels.estimate(
        count,
        trie.link,
        trie.first_child,
        trie.level_starts,
        np.array([(0.0, 0.0, 0.0, 0.0)] + [(0.0, *row) for row in discounts]),
        minimum_counts,
        _MASS[ways.mass],
    )
    if ways.minimum_count > 1:
        kept = _kept(trie, count, minimum_counts)
        probability, weight = probability[kept], weight[kept[: len(weight)]]
        trie = trie.keep(kept)
    with np.errstate(divide="ignore"):
        # Rounding must not make a word more than certain: readers of ARPA files refuse that.
        np.minimum(probability, 1, out=probability)
        np.log10(probability, out=probability)
        np.log10(weight, out=weight)
    estimation = Estimation(
        settings.preset, settings.minimum_word_count, discounts, fallback_orders
    )
    return LanguageModel(vocabulary, trie, probability, weight, estimation)


def number_words(
    words: Vocabulary, counts: NDArray[np.int64], minimum: int
) -> tuple[NDArray[np.int32], Vocabulary]:
    """Return the model's code of every word of a text, and the words that these codes are.

    `counts` says how often every word occurs.
    """
    interner = Interner()
    interner.add_strings(list(SPECIAL_WORDS))
    codes = interner.add_vocabulary(model_spelling(words))
    reserved = codes[(codes == BEGIN) | (codes == END)]
    if len(reserved):
        raise PropertyError(
            f"the text has the word {SPECIAL_WORDS[reserved[0]]}, which language models keep for "
            "the ends of sentences; give the word another name"
        )
    vocabulary = interner.vocabulary()
    if minimum > 1:
        kept = np.bincount(codes, weights=counts, minlength=len(vocabulary)) >= minimum
        kept[: len(SPECIAL_WORDS)] = True
        chosen = np.flatnonzero(kept).astype(np.int32)
        new_code = np.full(len(vocabulary), UNKNOWN, np.int32)
        new_code[chosen] = np.arange(len(chosen))
        codes, vocabulary = new_code[codes], vocabulary.take(chosen)
    return codes, vocabulary


def _estimate_discounts(
    trie: NgramTrie, count: NDArray[np.int32]
) -> tuple[tuple[Discounts, ...], tuple[int, ...]]:
    """Return the discounts of every order, and the orders that have fixed ones."""
    numbers = kernels.counts_of_counts(count, trie.level_starts)
    estimated = [_discounts(row[1:]) for row in numbers[1:]]
    # No discount is missed where there is nothing to discount.
    fallback_orders = tuple(
        k for k in range(1, trie.order + 1) if estimated[k - 1] is None and trie.sizes[k - 1]
    )
    if fallback_orders:
        warnings.warn(_fallback_message(fallback_orders, numbers), SmallCorpusWarning, stacklevel=4)
    return tuple(FALLBACK_DISCOUNTS if row is None else row for row in estimated), fallback_orders


def _discounts(numbers: NDArray[np.int64]) -> Discounts | None:
    """Return the discounts by the counts of counts 1 to 4; none if they do not give any."""
    one, two, three, four = numbers.tolist()
    if not (one and two and three):
        return None
    y = one / (one + 2 * two)
    # Chen and Goodman (1998), equation 26.
    discounts = Discounts(1 - 2 * y * two / one, 2 - 3 * y * three / two, 3 - 4 * y * four / three)
    return discounts if min(discounts) >= 0 else None


def _fallback_message(orders: tuple[int, ...], numbers: NDArray[np.int64]) -> str:
    reasons = []
    for order in orders:
        missing = [str(c) for c in (1, 2, 3) if not numbers[order, c]]
        why = f"no n-gram has a count of {' or '.join(missing)}" if missing else "one is negative"
        reasons.append(f"order {order} ({why})")
    return (
        f"no discounts can be estimated for {', '.join(reasons)}; "
        f"{', '.join(f'{d:g}' for d in FALLBACK_DISCOUNTS)} are taken instead"
    )


def _kept(
    trie: NgramTrie, count: NDArray[np.int32], minimum_counts: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return which n-grams are frequent enough, or part of one that is."""
    kept = np.ones(len(count), np.bool_)
    for k in range(trie.order, 2, -1):
        level = trie.level(k)
        kept[level] = count[level] >= minimum_counts[k]
        if k < trie.order:
            longer = np.arange(len(count))[trie.level(k + 1)]
            longer = longer[kept[longer]]
            kept[trie.link[longer]] = True
            kept[trie.parents(longer)] = True
    return kept
