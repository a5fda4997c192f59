"""The metrics of the CoNLL 2018 shared task, on aligned words.

Conventions
-----------
Precision is a share of the system's words and recall of gold's; the score is F1. Content
words are those whose relation is one of `CONTENT_RELATIONS`; gold decides which aligned words
are scored. Features are the universal ones (`UNIVERSAL_FEATURES`) in alphabetical order. A
lemma that is `_` in gold is never wrong.

Metrics
-------
clas     content words: head and relation
mlas     content words: head, relation, universal tag, features, and the same function words
         below them with their relation, tag and features
blex     content words: head, relation and lemma
upos, xpos, feats, alltags, lemma   all words: the column (or the three of them)

References
----------
Zeman et al. (2018), CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal
Dependencies, section 5.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from treegauge.metrics._heads_numba import count_children
from treegauge.metrics.attachment import same_head, same_relation, words_with_gold_head
from treegauge.metrics.comparison import Comparison
from treegauge.metrics.metric import Outcome, word_metric

CONTENT_RELATIONS = frozenset(
    {"acl", "advcl", "advmod", "amod", "appos", "ccomp", "compound", "conj", "csubj", "dep"}
    | {"discourse", "dislocated", "expl", "fixed", "flat", "goeswith", "iobj", "list", "nmod"}
    | {"nsubj", "nummod", "obj", "obl", "orphan", "parataxis", "reparandum", "root", "vocative"}
    | {"xcomp"}
)
"""Relations of content words."""

FUNCTION_RELATIONS = frozenset({"aux", "cop", "mark", "det", "clf", "case", "cc"})
"""Relations of function words that belong to the word they hang on."""

UNIVERSAL_FEATURES = frozenset(
    {"Abbr", "Animacy", "Aspect", "Case", "Definite", "Degree", "Evident", "Foreign", "Gender"}
    | {"Mood", "Number", "NumType", "Person", "Polarity", "Polite", "Poss", "PronType", "Reflex"}
    | {"Tense", "VerbForm", "Voice"}
)
"""Features that are compared."""


@cache
def universal_features(feats: str) -> str:
    """Return the universal features of a bundle, sorted.

    >>> universal_features("Number=Sing|Clitic=Yes|Case=Nom")
    'Case=Nom|Number=Sing'
    """
    features = feats.split("|")
    return "|".join(sorted(f for f in features if f.partition("=")[0] in UNIVERSAL_FEATURES))


def _same_values(
    comparison: Comparison, column: str, change: Callable[[str], str] | None = None
) -> NDArray[np.bool_]:
    def compared() -> NDArray[np.bool_]:
        gold, system, _ = comparison.values(column, change)
        return np.asarray(comparison.at_gold(gold) == comparison.at_system(system))

    return comparison.once(("same", column), compared)


def _same_features(comparison: Comparison) -> NDArray[np.bool_]:
    return _same_values(comparison, "feats", universal_features)


def _same_lemma(comparison: Comparison) -> NDArray[np.bool_]:
    def compared() -> NDArray[np.bool_]:
        gold, _, names = comparison.values("lemma")
        unknown = comparison.at_gold(gold) == names.code("_")
        return np.asarray(_same_values(comparison, "lemma") | unknown)

    return comparison.once("same lemma", compared)


def _all_words(correct: NDArray[np.bool_], comparison: Comparison) -> Outcome:
    counted = comparison.is_counted
    return Outcome(correct & comparison.at_gold(counted), counted, comparison.is_counted_in_system)


def _with_relation(
    comparison: Comparison, relations: frozenset[str]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which words of gold and of the system have one of some relations."""
    gold, system, names = comparison.relations
    wanted = np.array([name.partition(":")[0] in relations for name in names], np.bool_)
    return wanted[gold], wanted[system]


def _content_words(correct: NDArray[np.bool_], comparison: Comparison) -> Outcome:
    def chosen() -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        in_gold, in_system = _with_relation(comparison, CONTENT_RELATIONS)
        gold_counts, system_counts = words_with_gold_head(comparison)
        if comparison.system.repairs is not None:
            # What a repaired word was, nobody knows: it may have been a content word.
            in_system = in_system | comparison.doubtful(uses_heads=True)
        return in_gold & gold_counts, in_system & system_counts

    in_gold, in_system = comparison.once("content words", chosen)
    return Outcome(correct & comparison.at_gold(in_gold), in_gold, in_system)


def _same_function_words(comparison: Comparison) -> NDArray[np.bool_]:
    """Return for every pair whether both words have the same function words below them.

    That is: every function word of the gold word is aligned with one that the system hangs on
    the same word, with the same relation, tag and features, and there are no others.
    """
    gold_function, system_function = _with_relation(comparison, FUNCTION_RELATIONS)
    alike = (
        same_head(comparison)
        & same_relation(comparison)
        & _same_values(comparison, "upos")
        & _same_features(comparison)
        & comparison.at_gold(gold_function)
        & comparison.at_system(system_function)
    )
    gold_head, n_words = comparison.gold_head, comparison.gold.n_words
    n_gold = comparison.at_gold(_children(gold_head, gold_function, n_words))
    n_alike = _children(comparison.at_gold(gold_head), alike, n_words)
    # In the system's own words: also those whose head or who themselves are not aligned count.
    n_system = _children(comparison.own_system_head, system_function, comparison.system.n_words)
    return np.asarray(
        (n_gold == comparison.at_gold(n_alike)) & (n_gold == comparison.at_system(n_system))
    )


def _beside_repaired_words(comparison: Comparison) -> NDArray[np.bool_]:
    """Return for every pair whether its sentence has repaired words.

    They may have been function words of any other word.
    """
    repairs = comparison.system.repairs
    if repairs is None:
        return np.zeros(len(comparison.gold_word), np.bool_)
    is_repaired = repairs.surplus > 0
    doubtful = comparison.doubtful(uses_heads=True)
    is_repaired[comparison.sentence_of_gold[doubtful]] = True
    return np.asarray(is_repaired[comparison.sentence_of_gold])


def _children(
    heads: NDArray[np.int64], chosen: NDArray[np.bool_], n_words: int
) -> NDArray[np.int32]:
    """Return how many of the chosen words every word is the head of."""
    children = np.zeros(n_words, np.int32)
    count_children(heads, chosen, children)
    return children


def _clas(comparison: Comparison) -> Outcome:
    return _content_words(same_head(comparison) & same_relation(comparison), comparison)


def _mlas(comparison: Comparison) -> Outcome:
    correct = (
        same_head(comparison)
        & same_relation(comparison)
        & _same_values(comparison, "upos")
        & _same_features(comparison)
        & _same_function_words(comparison)
        & ~_beside_repaired_words(comparison)
    )
    return _content_words(correct, comparison)


def _blex(comparison: Comparison) -> Outcome:
    correct = same_head(comparison) & same_relation(comparison) & _same_lemma(comparison)
    return _content_words(correct, comparison)


def _upos(comparison: Comparison) -> Outcome:
    return _all_words(_same_values(comparison, "upos"), comparison)


def _xpos(comparison: Comparison) -> Outcome:
    return _all_words(_same_values(comparison, "xpos"), comparison)


def _feats(comparison: Comparison) -> Outcome:
    return _all_words(_same_features(comparison), comparison)


def _alltags(comparison: Comparison) -> Outcome:
    correct = (
        _same_values(comparison, "upos")
        & _same_values(comparison, "xpos")
        & _same_features(comparison)
    )
    return _all_words(correct, comparison)


def _lemma(comparison: Comparison) -> Outcome:
    return _all_words(_same_lemma(comparison), comparison)


def _words(comparison: Comparison) -> Outcome:
    return _all_words(np.ones(len(comparison.gold_word), np.bool_), comparison)


_CITES = ("zeman-et-al-2018",)

METRICS = (
    word_metric(
        "clas", "CLAS", "LAS of content words",
        family="shared-task", needs=("head", "deprel"), outcome=_clas, cites=_CITES,
    ),
    word_metric(
        "mlas", "MLAS", "CLAS with tags, features and function words",
        family="shared-task", needs=("head", "deprel", "upos"), outcome=_mlas, cites=_CITES,
    ),
    word_metric(
        "blex", "BLEX", "CLAS with lemmas",
        family="shared-task", needs=("head", "deprel", "lemma"), outcome=_blex, cites=_CITES,
    ),
    word_metric(
        "upos", "UPOS", "words with the gold universal tag",
        family="tags", needs=("upos",), outcome=_upos, cites=_CITES,
    ),
    word_metric(
        "xpos", "XPOS", "words with the gold fine tag",
        family="tags", needs=("xpos",), outcome=_xpos, cites=_CITES,
    ),
    word_metric(
        "feats", "Feats", "words with the gold universal features",
        family="shared-task", needs=("feats",), outcome=_feats, cites=_CITES,
    ),
    word_metric(
        "alltags", "AllTags", "words with gold universal tag, fine tag and features",
        family="shared-task", needs=("upos", "xpos", "feats"), outcome=_alltags, cites=_CITES,
    ),
    word_metric(
        "lemma", "Lemma", "words with the gold lemma",
        family="shared-task", needs=("lemma",), outcome=_lemma, cites=_CITES,
    ),
    word_metric(
        "words", "Words", "words that both treebanks have",
        family="shared-task", needs=(), outcome=_words, cites=_CITES,
    ),
)  # fmt: skip
"""The metrics of this chapter."""
