"""Kernels that sum what is right over sentences."""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import kernel


@kernel
def count_words(offsets, chosen, out):
    """Fill `out[sentence]` with the number of chosen words."""
    for s in range(len(offsets) - 1):
        count = 0
        for i in range(offsets[s], offsets[s + 1]):
            count += chosen[i]
        out[s] = count


@kernel
def count_aligned_words(
    gold_word, correct, in_gold, gold_sentence, in_system, system_sentence, out
):  # fmt: skip
    """Fill `out[sentence]` with correct words, gold words and words of the system.

    For treebanks of different words, which are numbered differently.
    """
    for i in range(len(correct)):
        if correct[i]:
            out[gold_sentence[gold_word[i]], 0] += 1
    for i in range(len(in_gold)):
        if in_gold[i]:
            out[gold_sentence[i], 1] += 1
    for i in range(len(in_system)):
        if in_system[i]:
            out[system_sentence[i], 2] += 1
