"""Kernels that sum what is right over sentences."""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import kernel


@kernel
def count_same_words(offsets, correct, in_gold, in_system, out):
    """Fill `out[sentence]` with correct words, gold words and words of the system.

    For treebanks of the same words: pairs, gold words and the system's are numbered alike.
    """
    for s in range(len(offsets) - 1):
        right = 0
        gold = 0
        system = 0
        for i in range(offsets[s], offsets[s + 1]):
            right += correct[i]
            gold += in_gold[i]
            system += in_system[i]
        out[s, 0] = right
        out[s, 1] = gold
        out[s, 2] = system


@kernel
def count_aligned_words(
    gold_word, correct, in_gold, gold_sentence, in_system, system_sentence, out
):  # fmt: skip
    """Fill `out[sentence]` as above, for words that are numbered differently."""
    for i in range(len(correct)):
        if correct[i]:
            out[gold_sentence[gold_word[i]], 0] += 1
    for i in range(len(in_gold)):
        if in_gold[i]:
            out[gold_sentence[i], 1] += 1
    for i in range(len(in_system)):
        if in_system[i]:
            out[system_sentence[i], 2] += 1
