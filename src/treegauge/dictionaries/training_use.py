"""A dictionary that was used in training must not score: whoever learnt it by heart, wins.

A system that learns from a dictionary keeps its fingerprint among the facts of its model, under
`dictionary_fingerprint`; a tagged file may say it in a comment, `# dictionary_fingerprint = ...`.
To train and to score with one dictionary, cut it with `TagDictionary.halves`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from treegauge.dictionaries.errors import DictionaryError
from treegauge.dictionaries.tag_dictionary import TagDictionary
from treegauge.treebank import COMMENT, Treebank, parse_comment

FACT = "dictionary_fingerprint"
"""The fact of a model, and the key of a comment, that names a dictionary of the training."""


def training_fingerprints(
    *, facts: Mapping[str, Any] | None = None, treebank: Treebank | None = None
) -> set[str]:
    """Return the fingerprints of the dictionaries that a tagger was trained with.

    Parameters
    ----------
    facts : mapping, optional
        Of a model; the value is a fingerprint or a list of them.
    treebank : Treebank, optional
        A tagger's output; every comment counts.
    """
    fingerprints: set[str] = set()
    fact = (facts or {}).get(FACT)
    if isinstance(fact, str):
        fingerprints.add(fact)
    elif isinstance(fact, Iterable):
        fingerprints.update(map(str, fact))
    if treebank is not None:
        table = treebank.side_lines
        # Texts are interned, so each distinct comment is looked at once.
        texts = np.unique(table.text.codes[table.kind == COMMENT])
        for code in texts.tolist():
            key, value = parse_comment(table.text.vocabulary[code])
            if key == FACT:
                fingerprints.update(value.replace(",", " ").split())
    return fingerprints


def refuse_training_dictionary(
    dictionary: TagDictionary,
    *,
    facts: Mapping[str, Any] | None = None,
    treebank: Treebank | None = None,
    tagger: str = "",
) -> None:
    """Refuse to score a tagger by a dictionary that it was trained with.

    Raises
    ------
    DictionaryError
        If the fingerprint of the dictionary is among those of the training.

    Examples
    --------
    >>> dictionary = TagDictionary.from_mapping({"dog": ["NOUN"]})
    >>> refuse_training_dictionary(dictionary, facts={"dictionary_fingerprint": "another"})
    """
    if dictionary.fingerprint in training_fingerprints(facts=facts, treebank=treebank):
        name = tagger or (treebank.name if treebank is not None else "") or "the tagger"
        raise DictionaryError(
            f"{name} was trained with {dictionary.name or 'this dictionary'} "
            f"({dictionary.fingerprint}), which therefore cannot score it\n"
            "  score with another dictionary, or train on one half of its entries and score with "
            "the other"
        )
