"""Vectors of words that were learnt elsewhere, read from a file in the text format of word2vec."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from treegauge.formats import read_text
from treegauge.systems.errors import SystemsError
from treegauge.treebank import Vocabulary


def read_word_vectors(
    path: str | os.PathLike[str], *, most: int
) -> tuple[Vocabulary, NDArray[np.float32]]:
    """Return the words of a file and a row of numbers for each, of the first `most` words.

    A line is a word and its numbers between spaces. A first line of two whole numbers, how many
    words there are and how long vectors are, may be there or not. Of a word that is there
    twice, the first vector counts.

    Raises
    ------
    SystemsError
        If it cannot be read, a line is no word with numbers, or vectors differ in length.
    """
    text = read_text(path, what="word vectors", error=SystemsError)
    vectors: dict[str, NDArray[np.float32]] = {}
    length = 0
    for number, line in enumerate(text.split("\n"), 1):
        fields = line.rstrip("\r ").split(" ")
        if fields == [""] or (number == 1 and _is_header(fields)):
            continue
        try:
            with np.errstate(over="ignore"):
                vector = np.array(fields[1:], np.float64).astype(np.float32)
        except ValueError:
            vector = np.zeros(0, np.float32)
        if not fields[0] or not len(vector) or not np.isfinite(vector).all():
            raise SystemsError(
                f"{path}:{number}: expected a word and numbers between spaces, found {line[:60]!r}"
            )
        length = length or len(vector)
        if len(vector) != length:
            raise SystemsError(
                f"{path}:{number}: expected {length} numbers, as before, found {len(vector)}"
            )
        vectors.setdefault(fields[0], vector)
        if len(vectors) == most:
            break
    if not vectors:
        raise SystemsError(f"{path}: there are no word vectors in it")
    return Vocabulary.from_strings(vectors), np.stack(list(vectors.values()))


def _is_header(fields: list[str]) -> bool:
    return len(fields) == 2 and all(field.isdecimal() for field in fields)
