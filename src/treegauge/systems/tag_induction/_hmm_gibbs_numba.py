"""Kernels of the collapsed Gibbs sampler for hidden Markov models; see `hmm.py`."""

# mypy: ignore-errors
from __future__ import annotations

from treegauge.kernels import kernel


@kernel
def count(words, offsets, tags, emitted, passed, totals):
    """Add the counts of a tagged text."""
    k = len(totals)
    for s in range(len(offsets) - 1):
        before = k
        for i in range(offsets[s], offsets[s + 1]):
            emitted[words[i], tags[i]] += 1
            totals[tags[i]] += 1
            passed[before, tags[i]] += 1
            before = tags[i]
        if before < k:
            passed[before, k] += 1


@kernel
def write_scores(emitted, passed, rates, a, b, alpha, beta, score):
    """Write how likely each tag is between tags a and b for a word with these counts.

    The counts are without the word, and the transitions to it and from it. A tag that stands
    between two of its own kind is preceded by itself: the second transition sees the first.
    `rates[t]` is 1 / ((n_t + V beta) (n_t + (K + 1) alpha)): a tag leaves as many transitions
    behind as it has words.
    """
    k = len(score)
    for t in range(k):
        onwards = passed[t, b] + alpha
        if t == a and t == b:
            onwards += 1.0
        score[t] = (emitted[t] + beta) * (passed[a, t] + alpha) * onwards * rates[t]


@kernel
def _rate(total, n_types, k, alpha, beta):
    return 1.0 / ((total + n_types * beta) * (total + (k + 1) * alpha))


@kernel
def sweep(words, offsets, tags, emitted, passed, totals, alpha, beta, uniforms, rates, score):
    """Draw the tag of every word anew; return how many changed."""
    n_types, k = emitted.shape
    for t in range(k):
        rates[t] = _rate(totals[t], n_types, k, alpha, beta)
    moves = 0
    for s in range(len(offsets) - 1):
        begin, end = offsets[s], offsets[s + 1]
        for i in range(begin, end):
            w, old = words[i], tags[i]
            a = tags[i - 1] if i > begin else k
            b = tags[i + 1] if i + 1 < end else k
            emitted[w, old] -= 1
            totals[old] -= 1
            passed[a, old] -= 1
            passed[old, b] -= 1
            rates[old] = _rate(totals[old], n_types, k, alpha, beta)
            write_scores(emitted[w], passed, rates, a, b, alpha, beta, score)
            total = 0.0
            for t in range(k):
                total += score[t]
            rest = uniforms[i] * total
            new = 0
            while new < k - 1 and rest >= score[new]:
                rest -= score[new]
                new += 1
            emitted[w, new] += 1
            totals[new] += 1
            passed[a, new] += 1
            passed[new, b] += 1
            rates[new] = _rate(totals[new], n_types, k, alpha, beta)
            tags[i] = new
            moves += new != old
    return moves
