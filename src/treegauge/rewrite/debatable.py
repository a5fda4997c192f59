"""Marks for structures about whose head people disagree.

Schwartz et al. (2011, section 4) name five: coordinations, prepositional phrases, verb groups,
infinitives and sequences of proper nouns; section 5 proposes to annotate them as such. A mark is
`Debatable=ID` in MISC, the same for all words of a structure, and the metric `debatable_uas`
accepts any head inside.

An arc belongs to a structure by its relation in Universal Dependencies, and by the tags of its two
words elsewhere, where it must be short (section 3: such structures have three words at most).
A word has one mark: structures that share a word become one.

References
----------
Schwartz, Abend, Reichart and Rappoport (2011), Neutralizing linguistically problematic
annotations in unsupervised dependency parsing evaluation. ACL.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
from numpy.typing import NDArray

from treegauge.rewrite.errors import RewriteError
from treegauge.rewrite.styles.relations import base, is_ud
from treegauge.treebank import Column, Treebank, Vocabulary, tag_column
from treegauge.treebank.column import EMPTY
from treegauge.wording import unknown_name

COORDINATION = "coordination"
PREPOSITIONAL_PHRASE = "prepositional phrase"
MODAL_AND_VERB = "modal and verb"
INFINITIVE = "infinitive"
PROPER_NOUNS = "proper-noun sequence"
STRUCTURES = (COORDINATION, PREPOSITIONAL_PHRASE, MODAL_AND_VERB, INFINITIVE, PROPER_NOUNS)

LOCAL = 2
"""How far apart words of a local structure can be: it has three words at most (section 3)."""
KEY = "Debatable"
"""The key of a mark in MISC."""

_CONJUNCTIONS = frozenset({"CC", "CCONJ", "CONJ"})
_UD_ADPOSITION = "ADP"
_ADPOSITIONS = frozenset({"IN", _UD_ADPOSITION})
_DETERMINERS = frozenset({"DT", "PRP$", "WDT", "WP$", "DET"})
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS", "NOUN", "PROPN"})
_PROPER_NOUNS = frozenset({"NNP", "NNPS", "PROPN"})
_MODALS = frozenset({"MD", "AUX"})
_INFINITIVE_MARKERS = frozenset({"TO", "PART", "PRT"})
_PLAIN_VERBS = frozenset({"VB", "VERB"})

_BY_RELATION = {
    "cc": COORDINATION,
    "conj": COORDINATION,
    "case": PREPOSITIONAL_PHRASE,
    "aux": MODAL_AND_VERB,
    "auxpass": MODAL_AND_VERB,
    "flat": PROPER_NOUNS,
    "name": PROPER_NOUNS,
}
"""Relations of UD that say enough; `det` and `mark` need a look at other words."""


def structure_of_tags(left: str, right: str) -> str:
    """Return the structure that an arc belongs to by the tags of its words, "" if to none.

    A determiner and a noun count as part of a prepositional phrase, as in the paper, whose
    phrases have three words. A noun with a Penn preposition after it does not: this arc is
    where a phrase hangs, not what it consists of.

    Examples
    --------
    >>> structure_of_tags("TO", "VB"), structure_of_tags("JJ", "NN")
    ('infinitive', '')
    """
    tags = {left, right}
    if tags & _CONJUNCTIONS:
        return COORDINATION
    if tags <= _PROPER_NOUNS:
        return PROPER_NOUNS
    is_postposition = right == _UD_ADPOSITION and left in _NOUNS
    is_preposition = left in _ADPOSITIONS and right in _DETERMINERS | _NOUNS
    if is_preposition or is_postposition or _has_both(tags, _DETERMINERS, _NOUNS):
        return PREPOSITIONAL_PHRASE
    if _has_both(tags, _MODALS, _PLAIN_VERBS):
        return MODAL_AND_VERB
    if _has_both(tags, _INFINITIVE_MARKERS, _PLAIN_VERBS):
        return INFINITIVE
    return ""


def mark_debatable(treebank: Treebank, structures: Collection[str] = STRUCTURES) -> Treebank:
    """Return the treebank with `Debatable=ID` in MISC of the words of debatable structures.

    Marks that were there are replaced. Heads and relations stay as they are.

    Parameters
    ----------
    treebank : Treebank
        Trees. With relations of Universal Dependencies, these decide; otherwise tags do.
    structures : collection of str
        Some of `STRUCTURES`; all by default.

    Returns
    -------
    Treebank
        Ids count from 1 in every sentence.

    Raises
    ------
    RewriteError
        A structure has an unknown name, or the treebank has no heads.

    Examples
    --------
    >>> import treegauge as tg
    >>> text = "1 in _ ADP _ _ 2 case _ _|2 Rome _ PROPN _ _ 0 root _ _||"
    >>> text = text.replace(" ", chr(9)).replace("|", chr(10))
    >>> marked = mark_debatable(tg.parse(text))
    >>> list(marked.columns["misc"])
    ['Debatable=1', 'Debatable=1']
    """
    for name in structures:
        if name not in STRUCTURES:
            raise RewriteError(unknown_name("structure", name, STRUCTURES))
    if not treebank.has_heads:
        raise RewriteError("debatable structures are parts of trees; this treebank has no heads")
    dependent, head = _arcs(treebank)
    kind = _by_relation if is_ud(treebank.deprel.counts()) else _by_tags
    wanted = np.isin(
        kind(treebank, dependent, head), [STRUCTURES.index(name) for name in structures]
    )
    ids = _numbered(treebank, dependent[wanted], head[wanted])
    return treebank.replace(columns={"misc": _with_marks(treebank.columns["misc"], ids)})


def debatable_words(treebank: Treebank) -> NDArray[np.bool_]:
    """Return which words have a mark."""
    marked = treebank.columns["misc"].map(lambda misc: "" if _unmarked(misc) == misc else KEY)
    return np.asarray(marked.codes != marked.vocabulary.code(""))


def _arcs(treebank: Treebank) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return dependents and heads of all arcs between words, as indices of words."""
    dependent = np.flatnonzero(treebank.head > 0)
    first = treebank.offsets[:-1][treebank.sentence_of_word[dependent]]
    return dependent, np.asarray(first + treebank.head[dependent] - 1, np.intp)


def _by_relation(
    treebank: Treebank, dependent: NDArray[np.intp], head: NDArray[np.intp]
) -> NDArray[np.int64]:
    """Return the number of the structure of every arc, -1 for none."""
    relation = treebank.deprel.map(base)

    def has(name: str) -> NDArray[np.bool_]:
        return np.asarray(relation.codes[dependent] == relation.vocabulary.code(name))

    kinds = _looked_up(relation, lambda name: _number(_BY_RELATION.get(name, "")))[dependent]
    # A determiner is part of a prepositional phrase if its noun has an adposition.
    has_case = np.zeros(treebank.n_words, np.bool_)
    has_case[head[has("case")]] = True
    kinds[has("det") & has_case[head]] = STRUCTURES.index(PREPOSITIONAL_PHRASE)
    is_infinitive = _looked_up(treebank.feats, lambda feats: "VerbForm=Inf" in feats.split("|"))
    is_particle = _looked_up(treebank.upos, lambda tag: tag in _INFINITIVE_MARKERS)
    is_marker = (is_infinitive[head] | is_particle[dependent]).astype(np.bool_)
    kinds[has("mark") & is_marker] = STRUCTURES.index(INFINITIVE)
    return kinds


def _by_tags(
    treebank: Treebank, dependent: NDArray[np.intp], head: NDArray[np.intp]
) -> NDArray[np.int64]:
    tags = tag_column(treebank, "p").column
    size = len(tags.vocabulary)
    left, right = np.minimum(dependent, head), np.maximum(dependent, head)
    pairs, of_arc = np.unique(
        tags.codes[left].astype(np.int64) * size + tags.codes[right], return_inverse=True
    )
    names = [
        structure_of_tags(tags.vocabulary[int(pair) // size], tags.vocabulary[int(pair) % size])
        for pair in pairs
    ]
    kinds = np.array([_number(name) for name in names], np.int64)[of_arc]
    kinds[right - left > LOCAL] = -1
    return kinds


def _number(structure: str) -> int:
    return STRUCTURES.index(structure) if structure else -1


def _looked_up(column: Column, ask: Callable[[str], int | bool]) -> NDArray[np.int64]:
    """Return the answer for every word, asked once per distinct value."""
    return np.array([ask(value) for value in column.vocabulary], np.int64)[column.codes]


def _numbered(
    treebank: Treebank, dependent: NDArray[np.intp], head: NDArray[np.intp]
) -> NDArray[np.int64]:
    """Return the number of every word's structure in its sentence, 0 for none."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = treebank.n_words
    ids = np.zeros(n, np.int64)
    graph = coo_array((np.ones(len(head), np.int8), (dependent, head)), shape=(n, n))
    _, component = connected_components(graph, directed=False)
    marked = np.zeros(n, np.bool_)
    marked[dependent] = marked[head] = True
    words = np.flatnonzero(marked)
    if not len(words):
        return ids
    _, first, of_word = np.unique(component[words], return_index=True, return_inverse=True)
    # Structures in the order of their first words; each sentence counts from 1.
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(first), np.int64)
    rank[order] = np.arange(len(first))
    sentence = treebank.sentence_of_word[words[first[order]]]
    number = np.arange(len(order)) - np.searchsorted(sentence, sentence) + 1
    ids[words] = number[rank[of_word]]
    return ids


def _with_marks(misc: Column, ids: NDArray[np.int64]) -> Column:
    plain = misc.map(_unmarked)
    marked = np.flatnonzero(ids)
    size = int(ids.max(initial=0)) + 1
    pairs, of_word = np.unique(
        plain.codes[marked].astype(np.int64) * size + ids[marked], return_inverse=True
    )
    texts = [_marked(plain.vocabulary[int(pair) // size], int(pair) % size) for pair in pairs]
    codes = plain.codes.copy()
    codes[marked] = len(plain.vocabulary) + of_word
    return Column(codes, Vocabulary.from_strings([*plain.vocabulary, *texts])).compact()


def _unmarked(misc: str) -> str:
    entries = [entry for entry in misc.split("|") if entry.partition("=")[0] != KEY]
    return "|".join(entries) or EMPTY


def _marked(misc: str, number: int) -> str:
    mark = f"{KEY}={number}"
    return mark if misc == EMPTY else f"{misc}|{mark}"


def _has_both(tags: set[str], one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(tags & one) and bool(tags & other) and not tags <= one
