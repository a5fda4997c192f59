"""Language models of texts in shards: the same model, from data that need not fit in memory.

The model itself is in memory: about twenty bytes for every different n-gram.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import Executor

import numpy as np
from numpy.typing import NDArray

from treegauge.properties.language_model import _ngram_trie_numba as kernels
from treegauge.properties.language_model.model import LanguageModel
from treegauge.properties.language_model.ngram_trie import END, NgramTrie
from treegauge.properties.language_model.training import (
    TrainingSettings,
    estimate_model,
    number_words,
)
from treegauge.shards import counted_windows, numbered_text
from treegauge.shards.windows import CHUNK, WindowPlan


def train_on_shards(
    names: Iterable[str | os.PathLike[str]],
    *,
    order: int = 3,
    preset: str = "kenlm",
    minimum_word_count: int = 1,
    format: str | None = None,
    executor: Executor | None = None,
    work_in: str | os.PathLike[str] | None = None,
    chunk: int = CHUNK,
    on_progress: Callable[[float], None] = lambda _share: None,
) -> LanguageModel:
    """Estimate a language model from the words of many files.

    The model is that of `train_language_model` for all files one behind the other, to the last
    bit, whatever the executor and the chunks.

    Parameters
    ----------
    names
        Files, folders or patterns, in order; plain or compressed, of any format.
    order, preset, minimum_word_count
        As for `train_language_model`.
    format
        Of all files; found out for each when missing.
    executor
        Where files are read and counted: `treegauge.runs.cluster_executor(ADDRESS)`, whose workers
        see the same paths. On threads when missing.
    work_in
        A folder for some 40 bytes per word on disk, seen by all workers.
    chunk
        Words that are counted at once by a thread, some 40 bytes of memory each.

    Raises
    ------
    ShardError, FormatError
        If a file cannot be read to its end; the message names it.
    PropertyError
        As for `train_language_model`.
    """
    settings = TrainingSettings(order, preset, minimum_word_count)
    with numbered_text(
        names,
        format=format,
        executor=executor,
        work_in=work_in,
        on_progress=lambda share: on_progress(0.4 * share),
    ) as text:
        codes, vocabulary = number_words(text.vocabulary, text.counts, minimum_word_count)
        plan = WindowPlan(order, len(vocabulary), _lay_out, END)
        with counted_windows(
            text,
            codes,
            plan,
            chunk=chunk,
            on_progress=lambda share: on_progress(0.4 + 0.4 * share),
        ) as windows:
            trie, count = NgramTrie.of_windows(windows, order=order, n_types=len(vocabulary))
    model = estimate_model(vocabulary, trie, count, settings)
    on_progress(1.0)
    return model


def _lay_out(
    words: NDArray[np.int32], offsets: NDArray[np.int64], _before: int
) -> NDArray[np.int32]:
    text: NDArray[np.int32] = kernels.lay_out(words, offsets, 0)
    return text
