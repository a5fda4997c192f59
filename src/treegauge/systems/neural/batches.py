"""Sentences side by side: padding, and batches of sentences of similar length."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
import torch


def padded(rows, filling):
    """Return integer rows of different lengths as one tensor."""
    table = np.full((len(rows), max(map(len, rows))), filling, np.int64)
    for row, values in zip(table, rows, strict=True):
        row[: len(values)] = values
    return torch.from_numpy(table)


def shuffled_batches(lengths, size, generator):
    """Return batches of `size` sentences of similar length, in random order."""
    order = _jittered(lengths, generator)
    batches = [order[begin : begin + size] for begin in range(0, len(order), size)]
    return [batches[place] for place in generator.permutation(len(batches))]


def shuffled_batches_of_words(lengths, words, generator):
    """Return batches of similar length, each of about `words` words, in random order."""
    order = _jittered(lengths, generator)
    batches = batches_of_words(lengths, words, order)
    return [batches[place] for place in generator.permutation(len(batches))]


def batches_of_words(lengths, words, order=None):
    """Return batches of at most `words` words, padding counted; one sentence may be longer."""
    if order is None:
        order = np.argsort(lengths, kind="stable")
    batches, batch = [], []
    for sentence in order:
        width = max([lengths[sentence], *(lengths[other] for other in batch[-1:])])
        if batch and width * (len(batch) + 1) > words:
            batches.append(np.array(batch))
            batch = []
        batch.append(sentence)
    if batch:
        batches.append(np.array(batch))
    return batches


def _jittered(lengths, generator):
    # Jitter lets sentences meet others in every epoch.
    return np.argsort(lengths + generator.random(len(lengths)) * 2.0, kind="stable")
