"""Kernel that sums what is right over sentences."""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import kernel


@kernel
def count_by_sentence(gold_word, correct, in_gold, gold_sentence, in_system, system_sentence, out):
    """Fill `out[sentence]` with correct pairs, gold words and words of the system."""
    for i in range(len(correct)):
        if correct[i]:
            out[gold_sentence[gold_word[i]], 0] += 1
    for i in range(len(in_gold)):
        if in_gold[i]:
            out[gold_sentence[i], 1] += 1
    for i in range(len(in_system)):
        if in_system[i]:
            out[system_sentence[i], 2] += 1
