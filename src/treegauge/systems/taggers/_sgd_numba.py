"""Kernels that train a pruned sequence model: gradients on lattices, and steps along them.

A step changes only the weights of a sentence. The L2 penalty is one factor for all weights,
kept beside them (weights = scale * stored), and averages need no pass over all weights either:
the sum of the weights after all steps is S v - u, with S the sum of scales, v what is stored,
and u the sum of changes times the S that they happened at (Xu 2011, with the penalty's factor).
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.taggers._lattice_numba import (
    backward,
    forward,
    path_of,
    pruned_lattice,
    softmax,
    state_chances,
    table_row,
    tag_scores,
)


@kernel
def add_inside(context, is_first, amount, order, n_tags, table_starts, table, late, table_late):
    """Add to the weights of the n-grams inside a state."""
    base = n_tags + 1
    power = base
    for shorter in range(1, order):
        power *= base
        row = table_row(context % power, shorter, table_starts)
        table[row] += amount
        table_late[row] += amount * late
    if is_first:
        row = table_row(n_tags * base**order + context, order, table_starts)
        table[row] += amount
        table_late[row] += amount * late


@kernel
def add_gradient(
    reached, lattice, node, edge, scores, gold, table_starts, by_tag, step, table, late, table_late
):
    """Add the gradient of the log-likelihood of gold tags on a lattice that has them.

    Parameters
    ----------
    by_tag
        Gets the gradient itself: what is observed less what is expected of every tag.
    step, table
        Weights of n-grams get the gradient times the step.
    late, table_late
        Those here get that times `late`, for averages.

    Returns
    -------
    The log-likelihood.
    """
    n_words, n_tags = by_tag.shape
    if reached == 0:
        chances = softmax(scores)
        likelihood = 0.0
        for word in range(n_words):
            by_tag[word] = -chances[word]
            by_tag[word, gold[word]] += 1.0
            likelihood += np.log(chances[word, gold[word]])
        return likelihood
    starts, tag, context, first, last, edges = lattice
    base = n_tags + 1
    alpha, log_total = forward(lattice, node, edge)
    beta = backward(lattice, node, edge)
    chances = state_chances(alpha, beta, log_total)
    for word in range(n_words):
        for state in range(starts[word], starts[word + 1]):
            by_tag[word, tag[state]] -= chances[state]
            if chances[state] == 0.0:
                continue
            add_inside(
                context[state], word == 0, -step * chances[state], reached, n_tags, table_starts,
                table, late, table_late,
            )  # fmt: skip
            for successor in range(first[state], last[state]):
                place = edges[state] + successor - first[state]
                chance = np.exp(
                    alpha[state] + edge[place] + node[successor] + beta[successor] - log_total
                )
                row = table_row(context[state] * base + tag[successor], reached, table_starts)
                table[row] -= step * chance
                table_late[row] -= step * chance * late
    path = path_of(lattice, gold)
    likelihood = -log_total
    for word in range(n_words):
        state = path[word]
        likelihood += node[state]
        by_tag[word, gold[word]] += 1.0
        add_inside(
            context[state], word == 0, step, reached, n_tags, table_starts, table, late, table_late
        )
        if word + 1 < n_words:
            likelihood += edge[edges[state] + path[word + 1] - first[state]]
            row = table_row(context[state] * base + gold[word + 1], reached, table_starts)
            table[row] += step
            table_late[row] += step * late
    return likelihood


@kernel
def adapt(thresholds, sizes, n_words, targets, slack):
    """Move thresholds towards the wanted number of states per word (Mueller et al. 2013)."""
    for order in range(len(thresholds) - 1):
        average = sizes[order] / n_words
        if average > targets[order] + slack:
            thresholds[order] *= 1.1
        elif average < targets[order] - slack:
            thresholds[order] *= 0.9
    sizes[:] = 0


@kernel
def train_epoch(
    sentences, offsets, feature_starts, features, gold, order, table_starts,
    weights, weights_late, table, table_late,
    thresholds, targets, slack, adapt_every, first_rate, penalty, clock,
):  # fmt: skip
    """Go through sentences in the given order, making a step after each.

    `clock` holds the number of steps so far, the scale, and the sum of scales; `weights` and
    `table` are what is stored, to be multiplied by the scale. Returns the sum of the
    log-likelihoods and the number of early updates.
    """
    n_tags = weights.shape[1]
    n_sentences = len(offsets) - 1
    sizes = np.zeros(order + 1, np.int64)
    words_since, sentences_since = 0, 0
    likelihood, n_early = 0.0, 0
    for sentence in sentences:
        begin, end = offsets[sentence], offsets[sentence + 1]
        steps, scale, late = clock[0], clock[1], clock[2]
        rate = first_rate / (1.0 + steps / n_sentences)
        if penalty > 0:
            scale *= 1.0 - 2.0 * rate * penalty / n_sentences
            if scale < 1e-6:
                # Before numbers run out of precision, the factor is put into the weights;
                # S v - u stays what it is.
                weights *= scale
                table *= scale
                late /= scale
                scale = 1.0
        scores = tag_scores(feature_starts, features, weights, begin, end)
        scores *= scale
        reached, lattice, node, edge = pruned_lattice(
            scores, order, table, scale, table_starts, thresholds, gold[begin:end], sizes
        )
        n_early += reached < order
        step = rate / scale
        by_tag = np.zeros((end - begin, n_tags))
        likelihood += add_gradient(
            reached, lattice, node, edge, scores, gold[begin:end], table_starts, by_tag,
            step, table, late, table_late,
        )  # fmt: skip
        for word in range(begin, end):
            # Most tags were pruned, and their gradient is zero.
            changed = np.flatnonzero(by_tag[word - begin])
            change = by_tag[word - begin, changed] * step
            for place in range(feature_starts[word], feature_starts[word + 1]):
                row, row_late = weights[features[place]], weights_late[features[place]]
                for which in range(len(changed)):
                    row[changed[which]] += change[which]
                    row_late[changed[which]] += change[which] * late
        clock[0], clock[1], clock[2] = steps + 1, scale, late + scale
        words_since += end - begin
        sentences_since += 1
        if sentences_since == adapt_every:
            adapt(thresholds, sizes, words_since, targets, slack)
            words_since, sentences_since = 0, 0
    return likelihood, n_early
