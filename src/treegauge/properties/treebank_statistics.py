"""What a treebank is like, in numbers: the challenge's Table 1 for any treebank.

Conventions
-----------
A word type is a form as it is written. Tag counts use the fallbacks of the tag columns, as
the challenge did: fine tags are the coarse ones where there are none. Feature values are
different `Feature=Value` pairs. Shares are in 0..1; None says that there is nothing to
count.

References
----------
Gelling, Cohn, Blunsom and Graça (2012), The PASCAL Challenge on Grammar Induction, Table 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treegauge.properties.projectivity import nonprojective_arcs
from treegauge.treebank import EMPTY, Column, Treebank, TreebankError, tag_column


@dataclass(frozen=True)
class TreebankStatistics:
    """Counts and ratios of one treebank, or of one part of it; made by `statistics`.

    Ratios are None if there is nothing to count. Shares are between 0 and 1.

    Attributes
    ----------
    name : str
        The name of the treebank.
    sentences, tokens : int
        The size. Tokens are words, punctuation included.
    tokens_a_sentence : float or None
        The mean length of a sentence.
    longest_sentence : int
        The length of the longest sentence.
    coarse_tags, fine_tags, universal_tags : int
        The number of different tags. Where there are no fine tags, coarse ones are counted.
    feature_values : int
        The number of different pairs `Feature=Value`.
    relations : int
        The number of different relations.
    word_types : int
        The number of different word forms.
    type_token_ratio : float or None
        Word types per token.
    new_types : float or None
        The share of the word types that do not occur in the training part.
    features_a_lemma : float or None
        The mean number of different feature bundles per lemma.
    projective_trees : float or None
        The share of trees that are projective.
    projective_arcs : float or None
        The share of arcs between words that are projective.
    roots_a_sentence : float or None
        The mean number of roots, over sentences that are trees or forests.

    Examples
    --------
    >>> import treegauge as tg
    >>> numbers = tg.statistics(tg.toy_treebank(tokens=1000))
    >>> numbers.longest_sentence >= numbers.tokens_a_sentence
    True
    """

    name: str
    sentences: int
    tokens: int
    tokens_a_sentence: float | None
    longest_sentence: int
    coarse_tags: int
    fine_tags: int
    universal_tags: int
    feature_values: int
    relations: int
    word_types: int
    type_token_ratio: float | None
    new_types: float | None
    features_a_lemma: float | None
    projective_trees: float | None
    projective_arcs: float | None
    roots_a_sentence: float | None


def statistics(treebank: Treebank, *, training: Treebank | None = None) -> TreebankStatistics:
    """Count sentences, words, tags, relations, word types and projective trees.

    Parameters
    ----------
    treebank : Treebank
        The treebank to count.
    training : Treebank, optional
        The training part. Only with it are new word types counted.

    Returns
    -------
    TreebankStatistics
        The counts and ratios.

    Examples
    --------
    >>> import treegauge as tg
    >>> numbers = statistics(tg.parse("a/DET bird/NOUN sings/VERB\\n\\na/DET song/NOUN\\n"))
    >>> numbers.tokens, numbers.sentences, numbers.universal_tags, numbers.word_types
    (5, 2, 3, 4)
    """
    n_words, n_sentences = treebank.n_words, treebank.n_sentences
    types = _used(treebank.form)
    counts = nonprojective_arcs(treebank)
    trees = (counts >= 0) & (treebank.lengths > 0)
    in_tree = np.repeat(trees, treebank.lengths)
    roots = int((treebank.head[in_tree] == 0).sum())
    arcs = int(in_tree.sum()) - roots
    return TreebankStatistics(
        name=treebank.name,
        sentences=n_sentences,
        tokens=n_words,
        tokens_a_sentence=_ratio(n_words, n_sentences),
        longest_sentence=int(treebank.lengths.max(initial=0)),
        coarse_tags=_tags(treebank, "c"),
        fine_tags=_tags(treebank, "p"),
        universal_tags=_tags(treebank, "u"),
        feature_values=len(
            {pair for bundle in _values(treebank.feats) for pair in bundle.split("|")}
        ),
        relations=len(_values(treebank.deprel)),
        word_types=len(types),
        type_token_ratio=_ratio(len(types), n_words),
        new_types=_ratio(len(types - _used(training.form)), len(types))
        if training is not None
        else None,
        features_a_lemma=_features_a_lemma(treebank),
        projective_trees=_ratio(int((counts[trees] == 0).sum()), int(trees.sum())),
        projective_arcs=_ratio(arcs - int(counts[trees].sum()), arcs),
        roots_a_sentence=_ratio(roots, int(trees.sum())),
    )


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _used(column: Column) -> set[str]:
    return set(column.compact().vocabulary)


def _values(column: Column) -> set[str]:
    return _used(column) - {"", EMPTY}


def _tags(treebank: Treebank, which: str) -> int:
    try:
        return len(_values(tag_column(treebank, which).column))
    except TreebankError:  # no tags at all
        return 0


def _codes(column: Column, values: tuple[str, ...]) -> list[int]:
    return [column.vocabulary.code(value) for value in values]


def _features_a_lemma(treebank: Treebank) -> float | None:
    if not (treebank.lemma.is_annotated and treebank.feats.is_annotated):
        return None
    has_lemma = np.isin(treebank.lemma.codes, _codes(treebank.lemma, ("", EMPTY)), invert=True)
    lemma = treebank.lemma.take(has_lemma).compact()
    feats = treebank.feats.take(has_lemma).compact()
    pairs = lemma.codes.astype(np.int64) * len(feats.vocabulary) + feats.codes
    # Sorted here: NumPy's unique looks every pair up in a table, which no cache holds.
    pairs.sort()
    distinct = int(np.count_nonzero(np.diff(pairs, prepend=-1)))
    return _ratio(distinct, len(lemma.vocabulary))
