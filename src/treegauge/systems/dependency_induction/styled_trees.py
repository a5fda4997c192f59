"""Trees with content words as heads, turned into another style of annotation by tags alone.

A change of style asks for relations, which nobody induced. Universal tags say enough of those that
matter: adpositions are case markers, auxiliaries auxiliaries of verbs and copulas of other words,
and so on. See docs/styles.md for what each style does with them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.rewrite import Style, to_style
from treegauge.systems.dependency_induction.universal_patterns import runs
from treegauge.systems.dependency_induction.universal_weights import CODE
from treegauge.treebank import Column, Treebank, Vocabulary

RELATIONS = (
    "dep", "root", "case", "mark", "det", "cc", "aux", "cop", "flat", "conj", "nsubj",
)  # fmt: skip
_BY_TAG = {"ADP": "case", "SCONJ": "mark", "DET": "det", "CCONJ": "cc", "AUX": "aux"}
_NOMINAL = ("NOUN", "PROPN", "PRON")


def heads_in_style(
    words: Treebank, heads: NDArray[np.int32], tags: NDArray[np.int32], style: Style
) -> NDArray[np.int32]:
    """Return the heads of trees in a style, from those with content words as heads.

    Parameters
    ----------
    words : Treebank
        Sentences without punctuation.
    heads : int32 array
        Trees as Universal Dependencies has them.
    tags : int32 array
        Universal tags by their codes.
    style : str
        As `treegauge convert --style` takes it.
    """
    vocabulary = Vocabulary.from_strings(RELATIONS)
    relations = relations_by_tags(heads, tags, words.offsets)
    trees = Treebank(
        {**words.columns, "deprel": Column(relations, vocabulary)}, offsets=words.offsets
    )
    return to_style(trees.replace(head=heads), style).head


def relations_by_tags(
    heads: NDArray[np.int32], tags: NDArray[np.int32], offsets: NDArray[np.int64]
) -> NDArray[np.int32]:
    """Return what relations probably are, as places in `RELATIONS`.

    >>> tags = np.array([CODE[tag] for tag in "PRON AUX VERB ADP PROPN".split()], np.int32)
    >>> found = relations_by_tags(np.array([3, 3, 0, 5, 3], np.int32), tags, np.array([0, 5]))
    >>> [RELATIONS[code] for code in found]
    ['nsubj', 'aux', 'root', 'case', 'dep']
    """
    code = {relation: number for number, relation in enumerate(RELATIONS)}
    place = np.arange(tags.size)
    head = np.repeat(offsets[:-1], np.diff(offsets)) + heads - 1  # before the sentence: the root
    is_root = heads == 0
    head[is_root] = place[is_root]
    relations = np.zeros(tags.size, np.int32)
    for tag, relation in _BY_TAG.items():
        relations[tags == CODE[tag]] = code[relation]
    relations[(tags == CODE["AUX"]) & (tags[head] != CODE["VERB"])] = code["cop"]
    has_conjunction = np.zeros(tags.size, np.bool_)
    has_conjunction[head[(tags == CODE["CCONJ"]) & (place < head)]] = True
    has_case = np.zeros(tags.size, np.bool_)
    has_case[head[tags == CODE["ADP"]]] = True
    run = runs(tags == CODE["PROPN"], offsets)
    is_open = relations == code["dep"]
    relations[is_open & (run > 0) & (run == run[head]) & (head < place)] = code["flat"]
    relations[is_open & has_conjunction & (head < place)] = code["conj"]
    subjects = np.isin(tags, [CODE[tag] for tag in _NOMINAL]) & is_open & ~has_case
    subjects = np.flatnonzero(subjects & (place < head) & (tags[head] != CODE["PROPN"]))
    _, first = np.unique(head[subjects], return_index=True)
    relations[subjects[first]] = code["nsubj"]
    relations[is_root] = code["root"]
    return relations
