"""Dependencies: whether every word is attached where gold attaches it.

Conventions
-----------
A word counts if gold gives it a head. The root is a head like any other, unless the conventions
say that its edges do not count: then the words that gold hangs on it count for `root` alone.
`g` and `p` are the gold and the predicted head of a word. A head outside the sentence and the
heads of words on a cycle are wrong, and the words are counted.

Metrics
-------
uas           p = g
undirected    p = g, or the predicted head is a gold child
ned           undirected, or p is the gold grandparent (which may be the root)
las           p = g, and the same relation
label         the same relation, wherever the word is attached
exact_match   sentences in which every word is attached right
root          gold root words that are predicted to be roots
debatable_uas uas, where any head inside a structure that gold marks as debatable will do

References
----------
Klein and Manning (2004) for undirected; Schwartz, Abend, Reichart and Rappoport (2011),
Neutralizing Linguistically Problematic Annotations in Unsupervised Dependency Parsing
Evaluation, for NED.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.metrics.comparison import MISSING, ROOT, Comparison
from treegauge.metrics.metric import (
    Counts,
    MeanOfSentences,
    Metric,
    Outcome,
    Statistics,
    counts_of,
    word_metric,
)


def words_with_gold_head(comparison: Comparison) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which words of gold and of the system count: all but those gold has no head for."""

    def chosen() -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        in_gold = _words_with_edge(comparison) & (comparison.gold_head != MISSING)
        return in_gold, _same_in_system(in_gold, comparison)

    return comparison.once("words with gold head", chosen)


def _words_with_edge(comparison: Comparison) -> NDArray[np.bool_]:
    """Return which gold words have an edge that counts: all, or all but gold's roots."""
    if comparison.conventions.count_root:
        return comparison.is_counted
    return np.asarray(comparison.is_counted & (comparison.gold_head != ROOT))


def _same_in_system(in_gold: NDArray[np.bool_], comparison: Comparison) -> NDArray[np.bool_]:
    """Return which words of the system count: those gold counts, and those gold lacks."""
    unaligned = comparison.is_counted_in_system
    return comparison.in_system(comparison.at_gold(in_gold), unaligned=unaligned)


def _attached(correct: NDArray[np.bool_], comparison: Comparison) -> Outcome:
    """Score the pairs in which gold has a head and the word is counted."""
    in_gold, in_system = words_with_gold_head(comparison)
    return Outcome(correct & comparison.at_gold(in_gold), in_gold, in_system)


def same_head(comparison: Comparison) -> NDArray[np.bool_]:
    """Return for every pair whether the predicted head is the gold one."""

    def compared() -> NDArray[np.bool_]:
        gold_head = comparison.at_gold(comparison.gold_head)
        return np.asarray((comparison.system_head == gold_head) & (gold_head != MISSING))

    return comparison.once("same head", compared)


def same_relation(comparison: Comparison) -> NDArray[np.bool_]:
    """Return for every pair whether the relation is the gold one."""

    def compared() -> NDArray[np.bool_]:
        gold, system, _ = comparison.relations
        return np.asarray(comparison.at_gold(gold) == comparison.at_system(system))

    return comparison.once("same relation", compared)


def same_edge_undirected(comparison: Comparison) -> NDArray[np.bool_]:
    """Return for every pair whether the predicted head is the gold head or a gold child."""

    def compared() -> NDArray[np.bool_]:
        is_child = _gold_heads_of(comparison.system_head, comparison) == comparison.gold_word
        return np.asarray(same_head(comparison) | is_child)

    return comparison.once("same edge undirected", compared)


def same_edge_neutral(comparison: Comparison) -> NDArray[np.bool_]:
    """Return for every pair whether the predicted head is gold head, child or grandparent."""
    grandparent = _gold_heads_of(comparison.at_gold(comparison.gold_head), comparison)
    is_grandparent = (comparison.system_head == grandparent) & (grandparent != MISSING)
    return np.asarray(same_edge_undirected(comparison) | is_grandparent)


def _gold_heads_of(words: NDArray[np.int64], comparison: Comparison) -> NDArray[np.int64]:
    """Return the gold heads of gold words, `MISSING` for what is no word."""
    if not comparison.gold_head.size:
        return np.full(len(words), MISSING)
    heads = comparison.gold_head.take(words, mode="clip")
    heads[words < 0] = MISSING
    return heads


def _uas(comparison: Comparison) -> Outcome:
    return _attached(same_head(comparison), comparison)


def _undirected(comparison: Comparison) -> Outcome:
    return _attached(same_edge_undirected(comparison), comparison)


def _ned(comparison: Comparison) -> Outcome:
    return _attached(same_edge_neutral(comparison), comparison)


def _las(comparison: Comparison) -> Outcome:
    return _attached(same_head(comparison) & same_relation(comparison), comparison)


def _label(comparison: Comparison) -> Outcome:
    in_gold = _words_with_edge(comparison)
    correct = same_relation(comparison) & comparison.at_gold(in_gold)
    return Outcome(correct, in_gold, _same_in_system(in_gold, comparison))


def _root(comparison: Comparison) -> Outcome:
    in_gold = comparison.is_counted & (comparison.gold_head == ROOT)
    roots = comparison.at_gold(in_gold)
    correct = (comparison.system_head == ROOT) & roots
    in_system = comparison.in_system(roots, unaligned=False)
    return Outcome(correct, in_gold, in_system, counts_surplus=False)


def _roots_found(comparison: Comparison) -> Statistics:
    # A share of gold's roots, also of those that the system has no such word for.
    correct, in_gold, _ = counts_of(_root(comparison), comparison).per_sentence.T
    counts = Counts(np.column_stack([correct, in_gold, in_gold]))
    return MeanOfSentences.of(counts) if comparison.conventions.average == "sentence" else counts


def _sentences_all_correct(outcome: Outcome, comparison: Comparison) -> Counts:
    counts = counts_of(outcome, comparison).per_sentence
    scored = counts[:, 1] > 0
    perfect = scored & (counts[:, 0] == counts[:, 1]) & (counts[:, 1] == counts[:, 2])
    return Counts(np.column_stack([perfect, scored, scored]).astype(np.float64))


def _debatable_uas(comparison: Comparison) -> Outcome:
    """Accept any internal head of a structure that gold marks as debatable.

    A structure is the words of a sentence with the same `Debatable=ID` in MISC. It counts as
    one node: a word outside that hangs on one of its words may hang on any; a word inside may
    hang on any other word inside; and one word inside, whichever, must hang where gold hangs
    the structure. A word that hangs where gold hangs it is always right.
    """
    structure = _structures(comparison)
    words, heads = comparison.gold_word, comparison.system_head
    gold_head = comparison.gold_head
    correct = same_head(comparison)
    of_word = structure[words]
    of_head = np.where(heads >= 0, structure[np.maximum(heads, 0)], -1)
    gold_of_pair = gold_head[words]
    of_gold_head = np.where(gold_of_pair >= 0, structure[np.maximum(gold_of_pair, 0)], -1)

    inside = (of_word >= 0) & (of_head == of_word) & (heads != words)
    near = np.where(of_word < 0, (of_head >= 0) & (of_head == of_gold_head), inside)
    correct = correct | near
    for pairs in _groups(of_word):
        tops = pairs[(of_gold_head[pairs] != of_word[pairs]) & (gold_of_pair[pairs] != MISSING)]
        for top in tops[heads[tops] != gold_of_pair[tops]]:
            wanted = gold_of_pair[top]
            wanted_structure = of_gold_head[top]
            leaving = [
                pair
                for pair in pairs
                if not correct[pair]
                and (
                    heads[pair] == wanted
                    or (wanted_structure >= 0 and of_head[pair] == wanted_structure)
                )
            ]
            if leaving:
                correct[leaving[0]] = True
    return _attached(correct, comparison)


def _structures(comparison: Comparison) -> NDArray[np.int64]:
    """Return for every gold word the number of its debatable structure, -1 if it has none."""
    marks = comparison.gold.columns["misc"].map(_debatable_id)
    blank = marks.vocabulary.code("")
    marked = marks.codes != blank
    keys = comparison.sentence_of_gold * len(marks.vocabulary) + marks.codes
    structure = np.full(comparison.gold.n_words, -1, np.int64)
    if marked.any():
        structure[marked] = np.unique(keys[marked], return_inverse=True)[1]
    return structure


def _groups(of_word: NDArray[np.int64]) -> list[NDArray[np.intp]]:
    """Return the pairs of every structure."""
    order = np.argsort(of_word, kind="stable")
    marked = order[np.searchsorted(of_word[order], 0) :]
    return np.split(marked, np.flatnonzero(np.diff(of_word[marked])) + 1) if len(marked) else []


def _debatable_id(misc: str) -> str:
    for entry in misc.split("|"):
        key, _, value = entry.partition("=")
        if key == "Debatable":
            return value
    return ""


def _exact_match(comparison: Comparison) -> Counts:
    return _sentences_all_correct(_uas(comparison), comparison)


def _exact_match_labelled(comparison: Comparison) -> Counts:
    return _sentences_all_correct(_las(comparison), comparison)


_HEADS = ("head",)
_LABELLED = ("head", "deprel")

METRICS = (
    word_metric(
        "uas", "UAS", "words attached to their gold head",
        family="dependencies", needs=_HEADS, outcome=_uas,
    ),
    word_metric(
        "undirected", "Undirected", "words attached to their gold head or to a gold child",
        family="dependencies", needs=_HEADS, outcome=_undirected, cites=("klein-manning-2004",),
    ),
    word_metric(
        "ned", "NED", "words attached to their gold head, child or grandparent",
        family="dependencies", needs=_HEADS, outcome=_ned, cites=("schwartz-et-al-2011",),
    ),
    word_metric(
        "las", "LAS", "words attached to their gold head with the gold relation",
        family="dependencies", needs=_LABELLED, outcome=_las,
    ),
    word_metric(
        "label", "Label", "words with the gold relation, whatever their head",
        family="dependencies", needs=("deprel",), outcome=_label,
    ),
    Metric(
        "root", "Root", "gold root words that are predicted to be roots",
        "dependencies", _HEADS, _roots_found, _root,
    ),
    Metric(
        "exact_match", "Exact", "sentences with all heads right",
        "dependencies", _HEADS, _exact_match, unit="sentences",
    ),
    Metric(
        "exact_match_labelled", "Exact labelled",
        "sentences with all heads and relations right",
        "dependencies", _LABELLED, _exact_match_labelled, unit="sentences",
    ),
    word_metric(
        "debatable_uas", "Debatable UAS", "UAS that accepts any head inside a debatable structure",
        family="dependencies", needs=_HEADS, outcome=_debatable_uas,
        cites=("schwartz-et-al-2011",),
    ),
)  # fmt: skip
"""The metrics of this chapter."""
