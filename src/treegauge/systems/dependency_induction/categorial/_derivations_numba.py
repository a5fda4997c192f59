"""The best derivation of sentences, and the dependencies that it stands for.

A derivation is written down from its root, parents before daughters and left before right: an
item, where it begins and ends, and the step that made it. A step is a rule, or -1 for a word, or
-2 - u for the type-raising u.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel

WORD = -1
ONE_BEFORE_UNARY = -2


@kernel
def fill_best(tags, rules, weight, best, step, split, members, n_members):
    """Find the best way to make every item of every cell, and which step that ends with."""
    n = len(tags)
    for width in range(1, n + 1):
        for begin in range(n - width + 1):
            end = begin + width
            cell = begin * (n + 1) + end
            for item in range(best.shape[1]):
                best[cell, item] = -np.inf
            size = 0
            if width == 1:
                tag = tags[begin]
                for word in range(rules.word_starts[tag], rules.word_starts[tag + 1]):
                    item = rules.word_item[word]
                    value = weight[rules.word_event[word]]
                    if value > best[cell, item]:
                        if best[cell, item] == -np.inf:
                            members[cell, size] = item
                            size += 1
                        best[cell, item] = value
                        step[cell, item] = WORD
            for middle in range(begin + 1, end):
                left_cell = begin * (n + 1) + middle
                right_cell = middle * (n + 1) + end
                for m in range(n_members[left_cell] if n_members[right_cell] else 0):
                    left = members[left_cell, m]
                    for rule in range(rules.rule_starts[left], rules.rule_starts[left + 1]):
                        value = best[right_cell, rules.rule_right[rule]] + best[left_cell, left]
                        value += weight[rules.rule_event[rule]]
                        item = rules.rule_result[rule]
                        if value > best[cell, item]:
                            if best[cell, item] == -np.inf:
                                members[cell, size] = item
                                size += 1
                            best[cell, item] = value
                            step[cell, item] = rule
                            split[cell, item] = middle
            m = 0
            while m < size:
                below = members[cell, m]
                for unary in range(rules.unary_starts[below], rules.unary_starts[below + 1]):
                    item = rules.unary_result[unary]
                    value = best[cell, below] + weight[rules.unary_event[unary]]
                    if value > best[cell, item]:
                        if best[cell, item] == -np.inf:
                            members[cell, size] = item
                            size += 1
                        best[cell, item] = value
                        step[cell, item] = ONE_BEFORE_UNARY - unary
                m += 1
            n_members[cell] = size


@kernel
def best_root(tags, rules, weight, best):
    """Return the item that a sentence is, or -1, and its score; with a verb it is a clause."""
    n = len(tags)
    has_verb = False
    for i in range(n):
        has_verb = has_verb or rules.is_verb[tags[i]]
    root, score = -1, -np.inf
    for item in range(best.shape[1]):
        if rules.root_event[item] >= 0 and (rules.is_clause[item] or not has_verb):
            value = best[n, item] + weight[rules.root_event[item]]
            if value > score:
                root, score = item, value
    return root, score


@kernel
def best_derivations(tags, offsets, rules, weight, floored):
    """Return where the derivation of every sentence begins, its nodes, and its score.

    Where all derivations are impossible by `weight`, that of the best `floored` weight is taken.

    Nodes are rows of item, begin, end and step. A sentence without a derivation has no nodes, and
    its score is -inf. A derivation of n words has fewer than 3 n nodes.
    """
    n_items = len(rules.root_event)
    longest = 0
    for s in range(len(offsets) - 1):
        longest = max(longest, offsets[s + 1] - offsets[s])
    n_cells = (longest + 1) * (longest + 1)
    best = np.empty((n_cells, n_items))
    step = np.zeros((n_cells, n_items), np.int32)
    split = np.zeros((n_cells, n_items), np.int32)
    members = np.zeros((n_cells, n_items), np.int32)
    n_members = np.zeros(n_cells, np.int64)
    starts = np.zeros(len(offsets), np.int64)
    nodes = np.zeros((3 * len(tags) + 1, 4), np.int64)
    scores = np.full(len(offsets) - 1, -np.inf)
    waiting = np.zeros((3 * longest + 3, 3), np.int64)
    size = 0
    for s in range(len(offsets) - 1):
        words = tags[offsets[s] : offsets[s + 1]]
        n = len(words)
        depth = 0
        if n > 0:
            fill_best(words, rules, weight, best, step, split, members, n_members)
            root, scores[s] = best_root(words, rules, weight, best)
            if root < 0:
                fill_best(words, rules, floored, best, step, split, members, n_members)
                root, scores[s] = best_root(words, rules, floored, best)
            if root >= 0:
                waiting[0, 0], waiting[0, 1], waiting[0, 2] = root, 0, n
                depth = 1
        while depth:
            depth -= 1
            item, begin, end = waiting[depth, 0], waiting[depth, 1], waiting[depth, 2]
            cell = begin * (n + 1) + end
            made = step[cell, item]
            nodes[size, 0], nodes[size, 1] = item, begin
            nodes[size, 2], nodes[size, 3] = end, made
            size += 1
            if made <= ONE_BEFORE_UNARY:
                waiting[depth, 0] = rules.unary_below[ONE_BEFORE_UNARY - made]
                depth += 1
            elif made >= 0:
                middle = split[cell, item]
                waiting[depth, 0] = rules.rule_right[made]
                waiting[depth, 1], waiting[depth, 2] = middle, end
                waiting[depth + 1, 0] = rules.rule_left[made]
                waiting[depth + 1, 1], waiting[depth + 1, 2] = begin, middle
                depth += 2
        starts[s + 1] = size
    return starts, nodes[:size], scores


@kernel
def hang(heads, dependent, head, offset):
    """Hang a word on another one, both counted in the corpus, in a sentence that begins there."""
    heads[dependent] = head - offset + 1


@kernel
def dependencies(
    offsets,
    starts,
    nodes,
    rule_head_is_left,
    rule_takes_argument,
    rule_is_conjunction,
    rule_is_coordination,
    is_leaf,
    convention,
):
    """Return a head for every word of the sentences that have a derivation, and -1 for others.

    Parameters
    ----------
    is_leaf : bool array, [words]
        Words that hang on their argument where they would be its head.
    convention : int
        How coordinations hang: 0 X1 on the conjunction and X2 too; 1 both others on X1; 2 a chain
        X1, conjunction, X2; 3 X2 on X1, the conjunction on X2; 4 both others on X2.
    """
    heads = np.full(offsets[len(offsets) - 1], -1, np.int32)
    longest = 0
    for s in range(len(starts) - 1):
        longest = max(longest, starts[s + 1] - starts[s])
    # Behind the stack's top are the head words of daughters that have no parent yet; of the second
    # half of a coordination, its conjunction too.
    word = np.zeros(longest + 1, np.int64)
    conjunction = np.zeros(longest + 1, np.int64)
    for s in range(len(starts) - 1):
        depth = 0
        offset = offsets[s]
        for node in range(starts[s + 1] - 1, starts[s] - 1, -1):
            made = nodes[node, 3]
            if made == WORD:
                word[depth] = offset + nodes[node, 1]
                depth += 1
            elif made >= 0:
                # Read from the end, the left daughter is the last that was pushed.
                left, right, middle = word[depth - 1], word[depth - 2], conjunction[depth - 2]
                depth -= 1
                if rule_is_conjunction[made]:
                    word[depth - 1], conjunction[depth - 1] = right, left
                elif rule_is_coordination[made]:
                    if convention == 0:
                        hang(heads, left, middle, offset)
                        hang(heads, right, middle, offset)
                        word[depth - 1] = middle
                    elif convention == 4:
                        hang(heads, left, right, offset)
                        hang(heads, middle, right, offset)
                        word[depth - 1] = right
                    else:
                        hang(heads, right, middle if convention == 2 else left, offset)
                        hang(heads, middle, right if convention == 3 else left, offset)
                        word[depth - 1] = left
                else:
                    head = left if rule_head_is_left[made] else right
                    dependent = right if rule_head_is_left[made] else left
                    if rule_takes_argument[made] and is_leaf[head]:
                        head, dependent = dependent, head
                    hang(heads, dependent, head, offset)
                    word[depth - 1] = head
        if depth:
            heads[word[0]] = 0
    return heads
