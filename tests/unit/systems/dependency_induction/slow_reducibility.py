"""The model and the moves of `reducibility` in plain Python, by their definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log

from tests.unit.systems.projective_trees import is_projective_tree

Tree = tuple[int, ...]
"""Heads, counted from 1; 0 is the root."""


def slow_reducible(sentences: Sequence[Sequence[str]], size: int) -> Counter[tuple[str, ...]]:
    """Return how often each n-gram can be left out, looked up in a set of strings."""
    known = {" ".join(sentence) for sentence in sentences}
    found: Counter[tuple[str, ...]] = Counter()
    for sentence in sentences:
        for i in range(len(sentence) - size + 1):
            rest = [*sentence[:i], *sentence[i + size :]]
            if rest and " ".join(rest) in known:
                found[tuple(sentence[i : i + size])] += 1
    return found


def dependents(tree: Tree, word: int) -> tuple[int, int]:
    """Return how many words hang on a word from the left and from the right."""
    own = [d for d, head in enumerate(tree, start=1) if head == word]
    return sum(d < word for d in own), sum(d > word for d in own)


def subtree(tree: Tree, word: int) -> list[int]:
    """Return the words below a word and itself."""
    below = [word]
    for d, head in enumerate(tree, start=1):
        if head == word:
            below += subtree(tree, d)
    return sorted(below)


class SlowModel:
    """The four factors, with counts that stay as they are."""

    def __init__(self, edges, fertilities, reducible, *, alpha, beta, gamma, most) -> None:
        self.edges, self.fertilities = edges, fertilities
        self.reducible = reducible
        self.alpha, self.beta, self.gamma, self.most = alpha, beta, gamma, most

    def edge(self, head_tag: int, tag: int, *, is_right: bool = False) -> float:
        """Return the probability of an edge; the root's tag is the number of tags."""
        n = len(self.fertilities)
        directed = len(self.edges[0]) > n
        column = tag + n if directed and is_right and head_tag < n else tag
        columns = n if head_tag == n else len(self.edges[0])
        row = self.edges[head_tag]
        return float((row[column] + self.alpha) / (sum(row) + self.alpha * columns))

    def fertility(self, tag: int, left: int, right: int) -> float:
        """Return the probability of so many dependents."""
        left, right = min(left, self.most), min(right, self.most)
        table = self.fertilities[tag]
        prior = self._side(left) * self._side(right)
        return float((table[left][right] + self.beta * prior) / (table.sum() + self.beta))

    def _side(self, number: int) -> float:
        return 0.5**number if number == self.most else 0.5 ** (number + 1)

    def log_score(self, tags: Sequence[int], tree: Tree) -> float:
        """Return the logarithm of the product of all factors of a tree."""
        total = 0.0
        for word, head in enumerate(tree, start=1):
            tag = tags[word - 1]
            head_tag = len(self.fertilities) if head == 0 else tags[head - 1]
            total += log(self.edge(head_tag, tag, is_right=word > head > 0))
            total += log(self.fertility(tag, *dependents(tree, word)))
            if head:
                total -= self.gamma * log(abs(word - head))
            below = subtree(tree, word)
            if len(below) <= 3:
                ngram = tuple(tags[k - 1] for k in below)
                total += log(self.reducible.get(ngram, 1.0))
        return total


def slow_neighbours(tree: Tree, word: int) -> set[Tree]:
    """Return all trees that a move of a word can make, the tree itself among them.

    The word and its head may be either way round, and share their dependents in any way that
    is projective; nothing else changes.
    """
    head = tree[word - 1]
    if head == 0:
        return {tree}
    grandparent = tree[head - 1]
    row = [d for d, above in enumerate(tree, start=1) if above in (word, head) and d != word]
    found = set()
    for inner, outer in ((word, head), (head, word)):
        for choice in range(2 ** len(row)):
            heads = list(tree)
            for k, dependent in enumerate(row):
                heads[dependent - 1] = inner if choice >> k & 1 else outer
            heads[inner - 1], heads[outer - 1] = outer, grandparent
            if is_projective_tree(tuple(heads)):
                found.add(tuple(heads))
    return found
