"""Classes of words: those of inducers as types have them, and controls.

Controls are classes that no inducer made:

- random classes, as many words in each as in those of the first inducer;
- suffix classes: the last three characters of a word, which is morphology and no induction;
- gold classes: the most frequent gold tag of a word in all parts, the best that a class for a
  word can be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from treegauge.metrics import induced_column
from treegauge.treebank import Column, Treebank

_SUFFIX = 3


def type_classes(text: Treebank) -> dict[str, str]:
    """Return the class of every word, of tokens that differ the most frequent; the first of equals.

    >>> import treegauge as tg
    >>> type_classes(tg.parse("a/3 b/1 a/2 a/2\\n", format="slashed"))
    {'a': '2', 'b': '1'}
    """
    return most_frequent(text.form, text.columns[induced_column(text)])


def most_frequent(forms: Iterable[str], tags: Iterable[str]) -> dict[str, str]:
    """Return the most frequent tag of every form, the first of equals.

    >>> most_frequent(["a", "b", "a", "a"], ["X", "Y", "Z", "Z"])
    {'a': 'Z', 'b': 'Y'}
    """
    counts: dict[str, Counter[str]] = {}
    for form, tag in zip(forms, tags, strict=True):
        counts.setdefault(form, Counter())[tag] += 1
    return {form: own.most_common(1)[0][0] for form, own in counts.items() if _can_be_read(form)}


def suffix_classes(forms: Iterable[str]) -> dict[str, str]:
    """Return a class for every three last characters, numbered as they come.

    >>> suffix_classes(["walking", "talking", "to", "walked"])
    {'walking': '0', 'talking': '0', 'to': '1', 'walked': '2'}
    """
    numbers: dict[str, int] = {}
    return {
        form: str(numbers.setdefault(form[-_SUFFIX:], len(numbers)))
        for form in forms
        if _can_be_read(form)
    }


def shuffled(classes: Mapping[str, str], seed: int) -> dict[str, str]:
    """Return the same classes with the same numbers of types, their words exchanged."""
    order = np.random.default_rng(seed).permutation(len(classes))
    numbers = list(classes.values())
    return {form: numbers[place] for form, place in zip(classes, order.tolist(), strict=True)}


def classes_of(forms: Column, classes: Mapping[str, str]) -> Column:
    """Return the class of every word, an empty one where it has none."""
    return forms.map(lambda form: f"C{classes.get(form, '')}")


def ambiguous(test: Treebank, parts: Iterable[Treebank]) -> NDArray[np.bool_]:
    """Return which words of a text have a form with several gold tags in all parts together.

    >>> import treegauge as tg
    >>> text = tg.parse("run/VERB a/DET run/NOUN\\n", format="slashed")
    >>> ambiguous(text, [text]).tolist()
    [True, False, True]
    """
    tags: dict[str, set[str]] = {}
    for part in parts:
        for form, tag in zip(part.form, part.upos, strict=True):
            tags.setdefault(form, set()).add(tag)
    return np.fromiter((len(tags.get(form, ())) > 1 for form in test.form), np.bool_, test.n_words)


def _can_be_read(form: str) -> bool:
    """Return whether a word can stand in a file of classes: lines and tabs end a field."""
    return bool(form) and not any(mark in form for mark in "\t\r\n")
