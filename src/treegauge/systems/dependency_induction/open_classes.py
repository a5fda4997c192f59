"""What a text tells about its classes of words: which are closed, and which heads sentences.

Classes are numbers; nothing here knows what they are called.

Closed classes    Few words, used again and again, make up a closed class: tokens whose form occurs
                  once with that class are rarer in it than in the whole text.
The predicate     A sentence needs one. Were words dealt out to sentences by chance, a class with
                  the share q of all tokens would be met in 1 - (1 - q)^n of sentences of n words;
                  the class that heads sentences is met in more.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.treebank import Treebank

Codes = NDArray[np.int32]
Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]


def shares_of_new_words(words: Treebank, classes: Codes, n_classes: int) -> tuple[Floats, float]:
    """Return the share of tokens whose form, lower-cased, occurs once with their class.

    By class (0 for classes that do not occur), and over all tokens.
    """
    lowered: dict[str, int] = {}
    codes = [lowered.setdefault(form.lower(), len(lowered)) for form in words.form.vocabulary]
    forms = np.array(codes, np.int64)[words.form.codes]
    _, word, times = np.unique(forms * n_classes + classes, return_inverse=True, return_counts=True)
    is_new = times[word] == 1
    tokens = np.bincount(classes, minlength=n_classes)
    shares: Floats = np.bincount(classes, is_new, minlength=n_classes) / np.maximum(tokens, 1)
    return shares, float(is_new.mean())


def closed_classes(words: Treebank, classes: Codes, n_classes: int, below: float) -> Flags:
    """Return which classes have fewer new words than `below` times the share of all tokens."""
    shares, overall = shares_of_new_words(words, classes, n_classes)
    closed: Flags = shares < below * overall
    return closed


def surplus_of_sentences(words: Treebank, classes: Codes, n_classes: int) -> Floats:
    """Return by how many standard deviations more sentences have a class than by chance.

    Sentences are independent trials that succeed with probability 1 - (1 - q)^n. Classes that
    never occur, or in all tokens, have no surplus.
    """
    lengths = words.lengths[words.lengths > 0].astype(np.float64)
    sentence = words.sentence_of_word.astype(np.int64)
    have = np.bincount(np.unique(sentence * n_classes + classes) % n_classes, minlength=n_classes)
    shares = np.bincount(classes, minlength=n_classes) / max(1, classes.size)
    met = 1 - (1 - shares[:, None]) ** np.unique(lengths)
    times = np.unique(lengths, return_counts=True)[1]
    deviation = np.sqrt((met * (1 - met)) @ times)
    surplus: Floats = np.divide(
        have - met @ times, deviation, out=np.zeros(n_classes), where=deviation > 0
    )
    return surplus
