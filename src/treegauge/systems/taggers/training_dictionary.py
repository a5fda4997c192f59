"""Dictionaries that taggers are told, and the mark that their tags carry.

Whoever learnt a dictionary must not be scored by it: the tagged text says which one it was, in a
comment that `treegauge.dictionaries.refuse_training_dictionary` looks for.
"""

from __future__ import annotations

import numpy as np

from treegauge.dictionaries import TagDictionary, read_dictionary
from treegauge.dictionaries.training_use import FACT
from treegauge.toys import toy_dictionary
from treegauge.treebank import COMMENT, Column, SideLines, Treebank, parse_comment


def open_dictionary(name: str) -> TagDictionary:
    """Read a dictionary: a path, or a toy language.

    >>> open_dictionary("toy:svo")["kele"]
    ('CONJ', 'DET', 'PRON')
    """
    if name.startswith("toy:"):
        return TagDictionary.from_mapping(toy_dictionary(name), name=name)
    return read_dictionary(name)


def marked(treebank: Treebank, fingerprint: str) -> Treebank:
    """Return a treebank whose first comment names the dictionary behind its tags.

    What another tagger said before is gone with its tags.
    """
    if not treebank.n_sentences:
        return treebank
    table = treebank.side_lines
    says_so = np.array([parse_comment(text)[0] == FACT for text in table.text.vocabulary], np.bool_)
    kept = table.take(~(says_so[table.text.codes] & (table.kind == COMMENT)))
    lines = SideLines(
        np.concatenate([np.zeros(1, np.int32), kept.sentence]),
        np.concatenate([np.zeros(1, np.int32), kept.after]),
        np.concatenate([np.full(1, COMMENT, np.uint8), kept.kind]),
        Column.concatenate([Column.from_strings([f"# {FACT} = {fingerprint}"]), kept.text]),
    )
    return Treebank(
        treebank.columns,
        treebank.head,
        offsets=treebank.offsets,
        side_lines=lines,
        first_lines=treebank.first_lines,
        origin=treebank.origin,
        punctuation=treebank.punctuation,
        file_columns=treebank.file_columns,
        file_header=treebank.file_header,
        name=treebank.name,
    )
