"""Language models in ARPA files: text, one n-gram a line, log10 probabilities.

`<s>`, which is never predicted, and words of probability zero have -99, as in SRILM.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from treegauge.formats.sources import Source, write_chunks
from treegauge.properties.language_model.ngram_trie import BEGIN, UNKNOWN, NgramTrie
from treegauge.treebank import Vocabulary

LOG10_OF_ZERO = -99.0


def write_arpa(
    target: Source,
    vocabulary: Vocabulary,
    trie: NgramTrie,
    log10: NDArray[np.float64],
    backoff: NDArray[np.float64],
) -> None:
    """Write a model; `<unk>` is left out where it has no probability."""
    write_chunks(target, _chunks(vocabulary, trie, log10, backoff))


def _chunks(
    vocabulary: Vocabulary,
    trie: NgramTrie,
    log10: NDArray[np.float64],
    backoff: NDArray[np.float64],
) -> Iterator[bytes]:
    strings = vocabulary.strings
    # SRILM without -unk has no such word, and a reader must not take it for a possible one.
    unknown_is_left_out = bool(np.isneginf(log10[1 + UNKNOWN]))
    sizes = list(trie.sizes)
    sizes[0] -= unknown_is_left_out
    header = [f"ngram {k}={n}\n" for k, n in enumerate(sizes, start=1)]
    yield "".join(["\\data\\\n", *header]).encode()
    for k in range(1, trie.order + 1):
        yield f"\n\\{k}-grams:\n".encode()
        for nodes, words in trie.ngrams(k):
            columns = [_written(log10[nodes]), *([strings[w] for w in c] for c in words.T.tolist())]
            if k == 1 and nodes[0] == 1:
                columns[0][BEGIN] = _number(LOG10_OF_ZERO)
            if k < trie.order:
                columns.append(_written(backoff[nodes]))
            row = "%s\t" + " ".join(["%s"] * k) + "\t%s" * (k < trie.order) + "\n"
            lines = [row % fields for fields in zip(*columns, strict=True)]
            if k == 1 and nodes[0] == 1 and unknown_is_left_out:
                del lines[UNKNOWN]
            yield "".join(lines).encode()
    yield b"\n\\end\\\n"


def _written(values: NDArray[np.float64]) -> list[str]:
    return [_number(value) for value in np.maximum(values, LOG10_OF_ZERO).tolist()]


def _number(value: float) -> str:
    """Return the shortest text that is read as the same number.

    >>> _number(-0.25), _number(0.0), _number(-99.0)
    ('-0.25', '0', '-99')
    """
    return repr(value).removesuffix(".0") if value else "0"
