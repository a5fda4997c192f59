"""Treebanks of several texts, which the paper measures apart.

The Ancient Greek PROIEL treebank has Herodotus and the New Testament. No comment of a sentence
says which; its number does. Sentences of the New Testament were numbered first. Some sentences of
both were numbered again later: they belong to the text of the sentence before them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from treegauge.treebank import Treebank

HERODOTUS, NEW_TESTAMENT = "herodotus", "new-testament"
_TEXTS = {
    "grc_proiel": {NEW_TESTAMENT: range(64_000), HERODOTUS: range(64_000, 74_800)},
}
"""The numbers of sentences that belong to one text for sure, by treebank."""


def texts_of(name: str, parts: Mapping[str, Treebank]) -> dict[str, dict[str, Treebank]]:
    """Return the parts of every text of a treebank by name; the treebank, if it is one text.

    A text that is not in every part has no treebank of its own.
    """
    if name not in _TEXTS:
        return {name: dict(parts)}
    texts = {
        f"{name}-{text}": {
            part: one[mask]
            for part, one in parts.items()
            for mask in [masks_of_texts(one, _TEXTS[name])[text]]
        }
        for text in _TEXTS[name]
    }
    whole = {
        text: own
        for text, own in texts.items()
        if all(treebank.n_sentences for treebank in own.values())
    }
    return whole if len(whole) > 1 else {name: dict(parts)}


def masks_of_texts(
    treebank: Treebank, numbers: Mapping[str, range]
) -> dict[str, NDArray[np.bool_]]:
    """Return which sentences belong to which text; one without a text before it, to the next."""
    names = list(numbers)
    known = [
        next((place for place, name in enumerate(names) if _number(text) in numbers[name]), -1)
        for text in treebank.sentence_ids
    ]
    text = np.array(known, np.int64)
    places = np.flatnonzero(text >= 0)
    if len(places):
        before = np.searchsorted(places, np.arange(len(text)), side="right") - 1
        text = text[places[np.maximum(before, 0)]]
    return {name: text == place for place, name in enumerate(names)}


def _number(sentence_id: str) -> int:
    return int(sentence_id) if sentence_id.isdecimal() else -1
