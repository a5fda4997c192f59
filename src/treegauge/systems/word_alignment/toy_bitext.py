"""A parallel text of two toy languages, made word by word.

Target sentences are those of the toy language, inflected; the source side has the citation forms
of their translations. What the word list does not know is left untranslated if it is a mark or a
number, and dropped otherwise, so that some words have no counterpart. Some neighbours change
places, so that translations do not simply run along.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from treegauge.toys import toy_treebank, toy_word_list

TOKENS = 20_000
_SEED = 1
"""Not that of treebanks: the sentences are others than those of any part."""
_SWAPPED = 0.2


def toy_bitext(
    source: str, target: str, *, tokens: int = TOKENS, seed: int = _SEED
) -> Iterator[tuple[list[str], list[str]]]:
    """Give pairs of sentences.

    >>> words, translated = next(toy_bitext("toy:svo", "toy:sov", tokens=10))
    >>> len(words) <= len(translated)
    True
    """
    for words, translated, _ in toy_bitext_with_links(source, target, tokens=tokens, seed=seed):
        yield words, translated


def toy_bitext_with_links(
    source: str, target: str, *, tokens: int = TOKENS, seed: int = _SEED
) -> Iterator[tuple[list[str], list[str], list[tuple[int, int]]]]:
    """Give pairs of sentences, and which words of them were made from each other."""
    translation = dict(reversed(toy_word_list(target, source)))
    treebank = toy_treebank(target, tokens=tokens, seed=seed)
    forms, lemmas = list(treebank.form), list(treebank.lemma)
    random = np.random.default_rng(seed)
    for begin, end in zip(
        treebank.offsets[:-1].tolist(), treebank.offsets[1:].tolist(), strict=True
    ):
        words = []
        for i in range(begin, end):
            word = translation.get(lemmas[i])
            if word is None and not any(map(str.isalpha, forms[i])):
                word = forms[i]
            if word is not None:
                words.append((word, i - begin))
        is_swapped = random.random(len(words)) < _SWAPPED
        for i in range(1, len(words)):
            if is_swapped[i]:
                words[i - 1], words[i] = words[i], words[i - 1]
        links = [(i, j) for i, (_, j) in enumerate(words)]
        yield [word for word, _ in words], forms[begin:end], links
