"""Kernels of sequence lattices of any order: building, scoring, summing, best paths, pruning.

A state of a lattice of order o is the tuple of the last max(1, o) tags of a word; an edge adds
the next tag, so that it is an (o + 1)-gram. States of one word lie side by side, and so do the
successors of a state, in every order: the states of the next order are the edges of this one,
numbered by their source. A lattice is a tuple of arrays:

starts       word -> its first state; the number of states at the end
tag          state -> its last tag
context      state -> its tags as the digits of a number, base n_tags + 1
first, last  state -> its successors, states of the next word
edges        state -> its first edge; the number of edges at the end

The digit n_tags stands for what is before the sentence. Scores are in log space: a pruned
lattice has dead ends, and what is left beside them may be very unlikely.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel

NEVER = -np.inf


@kernel
def tag_scores(feature_starts, features, weights, begin, end):
    """Return the score of every tag of words begin..end: the sum of their features' rows."""
    n_tags = weights.shape[1]
    scores = np.zeros((end - begin, n_tags))
    for word in range(begin, end):
        row = scores[word - begin]
        for place in range(feature_starts[word], feature_starts[word + 1]):
            weight = weights[features[place]]
            for tag in range(n_tags):
                row[tag] += weight[tag]
    return scores


@kernel
def softmax(scores):
    """Return probabilities of tags that do not see each other: the lattice of order 0."""
    chances = np.empty_like(scores)
    for word in range(scores.shape[0]):
        top = scores[word].max()
        total = 0.0
        for tag in range(scores.shape[1]):
            chances[word, tag] = np.exp(scores[word, tag] - top)
            total += chances[word, tag]
        chances[word] /= total
    return chances


@kernel
def likely_tags(chances, threshold):
    """Return which tags reach a probability; the likeliest of each word always does."""
    keep = chances >= threshold
    for word in range(chances.shape[0]):
        keep[word, chances[word].argmax()] = True
    return keep


@kernel
def first_lattice(keep):
    """Return the lattice of order 1 with the tags that are kept."""
    n_words, n_tags = keep.shape
    starts = np.zeros(n_words + 1, np.int64)
    for word in range(n_words):
        starts[word + 1] = starts[word] + keep[word].sum()
    n_states = starts[n_words]
    tag = np.empty(n_states, np.int32)
    first = np.zeros(n_states, np.int64)
    last = np.zeros(n_states, np.int64)
    edges = np.zeros(n_states + 1, np.int64)
    state = 0
    for word in range(n_words):
        for candidate in range(n_tags):
            if keep[word, candidate]:
                tag[state] = candidate
                if word + 1 < n_words:
                    first[state] = starts[word + 1]
                    last[state] = starts[word + 2]
                edges[state + 1] = edges[state] + last[state] - first[state]
                state += 1
    return starts, tag, tag.astype(np.int64), first, last, edges


@kernel
def next_lattice(lattice, keep, order, n_tags):
    """Return the lattice of order + 1 over the states that are kept; order is at least 1."""
    starts, tag, context, first, last, _ = lattice
    n_words = len(starts) - 1
    base = n_tags + 1
    n_old = len(tag)
    # New states: those of the first word as they are, then all edges between kept states.
    child_first = np.zeros(n_old, np.int64)
    child_last = np.zeros(n_old, np.int64)
    new_starts = np.zeros(n_words + 1, np.int64)
    count = 0
    for state in range(starts[0], starts[1]):
        count += keep[state]
    for word in range(n_words):
        new_starts[word + 1] = count
        for state in range(starts[word], starts[word + 1]):
            child_first[state] = count
            if keep[state]:
                for successor in range(first[state], last[state]):
                    count += keep[successor]
            child_last[state] = count
    new_tag = np.empty(count, np.int32)
    new_context = np.empty(count, np.int64)
    new_first = np.zeros(count, np.int64)
    new_last = np.zeros(count, np.int64)
    before = n_tags * base**order
    place = 0
    for state in range(starts[0], starts[1]):
        if keep[state]:
            new_tag[place] = tag[state]
            new_context[place] = before + context[state]
            new_first[place] = child_first[state]
            new_last[place] = child_last[state]
            place += 1
    for state in range(n_old):
        if keep[state]:
            for successor in range(first[state], last[state]):
                if keep[successor]:
                    new_tag[place] = tag[successor]
                    new_context[place] = context[state] * base + tag[successor]
                    new_first[place] = child_first[successor]
                    new_last[place] = child_last[successor]
                    place += 1
    new_edges = np.zeros(count + 1, np.int64)
    for state in range(count):
        new_edges[state + 1] = new_edges[state] + new_last[state] - new_first[state]
    return new_starts, new_tag, new_context, new_first, new_last, new_edges


@kernel
def table_row(gram, order, table_starts):
    """Return where the weight of an (order + 1)-gram is; n-grams share rows of small tables."""
    size = table_starts[order] - table_starts[order - 1]
    return table_starts[order - 1] + (gram if gram < size else gram % size)


@kernel
def node_score(lattice, state, is_first, scores, order, n_tags, table, scale, table_starts):
    """Return what a state has of its own: its tag's score, and the n-grams inside of it."""
    _, tag, context, _, _, _ = lattice
    base = n_tags + 1
    grams = 0.0
    power = base
    for shorter in range(1, order):
        power *= base
        grams += table[table_row(context[state] % power, shorter, table_starts)]
    if is_first:
        gram = n_tags * base**order + context[state]
        grams += table[table_row(gram, order, table_starts)]
    return scores[tag[state]] + scale * grams


@kernel
def lattice_scores(lattice, scores, order, n_tags, table, scale, table_starts):
    """Return the scores of all states and of all edges."""
    starts, tag, context, first, last, edges = lattice
    base = n_tags + 1
    node = np.empty(len(tag))
    edge = np.empty(edges[-1])
    for word in range(len(starts) - 1):
        for state in range(starts[word], starts[word + 1]):
            node[state] = node_score(
                lattice, state, word == 0, scores[word], order, n_tags, table, scale, table_starts
            )
            for successor in range(first[state], last[state]):
                gram = context[state] * base + tag[successor]
                edge[edges[state] + successor - first[state]] = (
                    scale * table[table_row(gram, order, table_starts)]
                )
    return node, edge


@kernel
def forward(lattice, node, edge):
    """Return the log sum over all paths up to each state, and over all whole paths."""
    starts, _, _, first, last, edges = lattice
    n_words = len(starts) - 1
    alpha = np.full(len(node), NEVER)
    for state in range(starts[0], starts[1]):
        alpha[state] = node[state]
    for word in range(n_words - 1):
        begin, end = starts[word + 1], starts[word + 2]
        top = np.full(end - begin, NEVER)
        for state in range(starts[word], begin):
            if alpha[state] > NEVER:
                for successor in range(first[state], last[state]):
                    value = alpha[state] + edge[edges[state] + successor - first[state]]
                    if value > top[successor - begin]:
                        top[successor - begin] = value
        total = np.zeros(end - begin)
        for state in range(starts[word], begin):
            if alpha[state] > NEVER:
                for successor in range(first[state], last[state]):
                    value = alpha[state] + edge[edges[state] + successor - first[state]]
                    total[successor - begin] += np.exp(value - top[successor - begin])
        for successor in range(begin, end):
            if top[successor - begin] > NEVER:
                alpha[successor] = (
                    top[successor - begin] + np.log(total[successor - begin]) + node[successor]
                )
    top = alpha[starts[n_words - 1] :].max()
    log_total = top + np.log(np.exp(alpha[starts[n_words - 1] :] - top).sum())
    return alpha, log_total


@kernel
def backward(lattice, node, edge):
    """Return the log sum over all paths from each state on, its own score left out."""
    starts, _, _, first, last, edges = lattice
    n_words = len(starts) - 1
    beta = np.full(len(node), NEVER)
    for state in range(starts[n_words - 1], starts[n_words]):
        beta[state] = 0.0
    for state in range(starts[n_words - 1] - 1, -1, -1):
        top = NEVER
        for successor in range(first[state], last[state]):
            value = edge[edges[state] + successor - first[state]] + node[successor]
            top = max(top, value + beta[successor])
        if top > NEVER:
            total = 0.0
            for successor in range(first[state], last[state]):
                value = edge[edges[state] + successor - first[state]] + node[successor]
                total += np.exp(value + beta[successor] - top)
            beta[state] = top + np.log(total)
    return beta


@kernel
def state_chances(alpha, beta, log_total):
    """Return the probability of every state."""
    return np.exp(alpha + beta - log_total)


@kernel
def best_path(lattice, node, edge):
    """Return the states of the best path; of equal ones, the path whose states come first."""
    starts, _, _, first, last, edges = lattice
    n_words = len(starts) - 1
    best = np.full(len(node), NEVER)
    source = np.zeros(len(node), np.int64)
    for state in range(starts[0], starts[1]):
        best[state] = node[state]
    for state in range(starts[n_words - 1]):
        if best[state] > NEVER:
            for successor in range(first[state], last[state]):
                value = best[state] + edge[edges[state] + successor - first[state]]
                value += node[successor]
                if value > best[successor]:
                    best[successor] = value
                    source[successor] = state
    path = np.empty(n_words, np.int64)
    path[-1] = starts[n_words - 1] + best[starts[n_words - 1] :].argmax()
    for word in range(n_words - 1, 0, -1):
        path[word - 1] = source[path[word]]
    return path


@kernel
def likely_states(chances, path, threshold):
    """Return which states reach a probability; those of the best path always do.

    The best state of every word alone would not do: they need not be neighbours, and a lattice
    without any path could be left.
    """
    keep = chances >= threshold
    keep[path] = True
    return keep


@kernel
def path_of(lattice, tags):
    """Return the states of a sequence of tags; the first is -1 where it is not in the lattice."""
    starts, tag, _, first, last, _ = lattice
    path = np.empty(len(tags), np.int64)
    begin, end = starts[0], starts[1]
    for word in range(len(tags)):
        found = -1
        for state in range(begin, end):
            if tag[state] == tags[word]:
                found = state
                break
        if found < 0:
            path[0] = -1
            return path
        path[word] = found
        begin, end = first[found], last[found]
    return path


@kernel
def pruned_lattice(scores, order, table, scale, table_starts, thresholds, gold, sizes):
    """Build lattices from order 0 up, pruning each by its posteriors.

    Where the gold path would be lost, the lattice before is the last one (an early update);
    `gold` is empty when there is none. `sizes[o]` is increased by the states that survive
    order o.

    Returns
    -------
    The order that was reached, and the lattice of that order with its scores; at order 0 the
    lattice is empty.
    """
    n_tags = scores.shape[1]
    chances = softmax(scores)
    keep = likely_tags(chances, thresholds[0])
    sizes[0] += keep.sum()
    reached = 0
    lattice = first_lattice(keep)
    empty = np.empty(0)
    node, edge = empty, empty
    if order == 0 or (len(gold) and path_of(lattice, gold)[0] < 0):
        return reached, lattice, node, edge
    while True:
        reached += 1
        node, edge = lattice_scores(lattice, scores, reached, n_tags, table, scale, table_starts)
        if reached == order:
            return reached, lattice, node, edge
        path = best_path(lattice, node, edge)
        if thresholds[reached] > 0:
            alpha, log_total = forward(lattice, node, edge)
            beta = backward(lattice, node, edge)
            states = likely_states(state_chances(alpha, beta, log_total), path, thresholds[reached])
        else:
            states = np.ones(len(node), np.bool_)
        sizes[reached] += states.sum()
        higher = next_lattice(lattice, states, reached, n_tags)
        if len(gold) and path_of(higher, gold)[0] < 0:
            return reached, lattice, node, edge
        lattice = higher


@kernel
def best_tags(scores, order, table, table_starts, thresholds):
    """Return the best tags of a sentence under the pruned model."""
    sizes = np.zeros(order + 1, np.int64)
    gold = np.empty(0, np.int32)
    reached, lattice, node, edge = pruned_lattice(
        scores, order, table, 1.0, table_starts, thresholds, gold, sizes
    )
    tags = np.empty(scores.shape[0], np.int32)
    if reached == 0:
        for word in range(len(tags)):
            tags[word] = scores[word].argmax()
        return tags
    tag = lattice[1]
    path = best_path(lattice, node, edge)
    for word in range(len(tags)):
        tags[word] = tag[path[word]]
    return tags


@kernel
def tag_sentences(
    offsets, feature_starts, features, weights, order, table, table_starts, thresholds, tags
):
    """Write the best tags of all sentences to `tags`."""
    for sentence in range(len(offsets) - 1):
        begin, end = offsets[sentence], offsets[sentence + 1]
        if begin < end:
            scores = tag_scores(feature_starts, features, weights, begin, end)
            best = best_tags(scores, order, table, table_starts, thresholds)
            for i in range(end - begin):
                tags[begin + i] = best[i]
