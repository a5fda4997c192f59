"""Fine tags in groups, by where they stand and by which words they share; names are never read.

A tag is described by counts: of the frequent words on its left, of those on its right, and of the
tags that have words of the same stem, as the forms of one noun have the tags of many cases. Two
groups are merged where that loses the least: the sum of

    H(x + y) - H(x) - H(y)    with    H(c) = - sum over i of c_i ln(c_i / sum of c)

over the three, the information that the groups gave about them (Slonim and Tishby 1999,
agglomerative information bottleneck). Tags come in by frequency, and only some groups are open to
merging at a time, as in the program of Brown et al. (1992).

Tags as neighbours would not do: adjectives and nouns of one case stand beside each other, and would
be grouped by case.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from treegauge.systems.dependency_induction.frequent_words import BareText, types_by_frequency
from treegauge.treebank import Treebank

Codes = NDArray[np.int32]
Floats = NDArray[np.float64]

_NEIGHBOURS = 30
"""Frequent words that are told apart as neighbours."""
_WINDOW = 40
"""Groups that may be merged, while tags come in."""
_STEM, _ENDING = 4, 3
"""A stem is what precedes the last letters, and has a few at least."""
_STEM_WEIGHT = 3.0


def group_tags(words: Treebank, tags: Codes, n_tags: int, n_groups: int) -> Codes:
    """Return the group of every tag; tags are numbered by frequency.

    Groups are numbered in the order of their first tags.
    """
    if n_tags <= n_groups:
        return np.arange(n_tags, dtype=np.int32)
    groups = _Groups([*_neighbours(words, tags, n_tags), _kinship(words, tags, n_tags)])
    window = max(_WINDOW, n_groups)
    for tag in range(n_tags):
        groups.add(tag)
        if len(groups.members) > window:
            groups.merge_nearest()
    while len(groups.members) > n_groups:
        groups.merge_nearest()
    group_of = np.zeros(n_tags, np.int32)
    for number, members in enumerate(sorted(map(sorted, groups.members))):
        group_of[members] = number
    return group_of


class _Groups:
    """Groups of tags, their counts, and what it costs to merge any two."""

    def __init__(self, tables: list[Floats]) -> None:
        self.members: list[list[int]] = []
        self._tables = tables
        self._counts = [np.zeros((0, table.shape[1])) for table in tables]
        self._entropies = [np.zeros(0) for _ in tables]
        self._costs = np.zeros((0, 0))

    def add(self, tag: int) -> None:
        """Make a group of a tag."""
        self.members.append([tag])
        for kind, table in enumerate(self._tables):
            self._counts[kind] = np.vstack([self._counts[kind], table[tag]])
            self._entropies[kind] = np.append(self._entropies[kind], _entropy(table[tag]))
        self._costs = np.pad(self._costs, (0, 1), constant_values=np.inf)
        self._update(len(self.members) - 1)

    def merge_nearest(self) -> None:
        """Merge the two groups that cost the least; of several, those that came first."""
        at = int(self._costs.argmin())
        one, other = sorted(divmod(at, len(self.members)))
        self.members[one] += self.members.pop(other)
        for kind, counts in enumerate(self._counts):
            counts[one] += counts[other]
            self._counts[kind] = np.delete(counts, other, axis=0)
            self._entropies[kind] = np.delete(self._entropies[kind], other)
            self._entropies[kind][one] = _entropy(counts[one])
        self._costs = np.delete(np.delete(self._costs, other, axis=0), other, axis=1)
        self._update(one)

    def _update(self, group: int) -> None:
        costs = np.zeros(len(self.members))
        for counts, entropies in zip(self._counts, self._entropies, strict=True):
            costs += _entropy(counts + counts[group]) - entropies - entropies[group]
        costs[group] = np.inf
        self._costs[group] = self._costs[:, group] = costs


def _entropy(counts: Floats) -> Floats:
    """Return H of counts, along the last axis."""
    total = counts.sum(axis=-1)
    entropy: Floats = _times_log(total) - _times_log(counts).sum(axis=-1)
    return entropy


def _times_log(values: Floats) -> Floats:
    product: Floats = values * np.log(values, out=np.zeros_like(values), where=values > 0)
    return product


def _neighbours(words: Treebank, tags: Codes, n_tags: int) -> tuple[Floats, Floats]:
    """Return how often tags have which frequent word, another word or none beside them."""
    text = BareText.of(words)
    number = np.full(len(text.form.vocabulary), _NEIGHBOURS)
    most = types_by_frequency(text.form)[1][:_NEIGHBOURS]
    number[most] = np.arange(most.size)
    word = number[text.form.codes]
    none = _NEIGHBOURS + 1
    left = np.where(text.begins, none, np.append(none, word[:-1]))
    right = np.where(text.ends, none, np.append(word[1:], none))
    size = n_tags * (none + 1)
    tables = (np.bincount(tags * (none + 1) + side, minlength=size) for side in (left, right))
    before, after = (table.reshape(n_tags, none + 1).astype(np.float64) for table in tables)
    return before, after


def _kinship(words: Treebank, tags: Codes, n_tags: int) -> Floats:
    """Return which tags have words of the same stem: two steps of a walk over shared stems.

    Each step goes from a tag to the stem of one of its types that other tags share, and on to
    another tag. Rows sum to the number of such types, weighted.
    """
    stems: dict[str, int] = {}
    stem_of = np.array(
        [stems.setdefault(_stem(form), len(stems)) for form in words.form.vocabulary]
    )
    n_forms = len(words.form.vocabulary)
    pairs = np.unique(tags.astype(np.int64) * n_forms + words.form.codes)
    tag, stem = pairs // n_forms, stem_of[pairs % n_forms]
    table = sparse.csr_array((np.ones(tag.size), (tag, stem)), shape=(n_tags, len(stems)))
    shared = np.asarray((table > 0).sum(axis=0)).ravel() > 1
    table = table[:, np.flatnonzero(shared)]
    types = np.asarray(table.sum(axis=1)).ravel()
    to_stem = sparse.diags_array(1 / np.maximum(types, 1)) @ table
    to_tag = (table @ sparse.diags_array(1 / np.maximum(table.sum(axis=0), 1))).T
    step = np.asarray((to_stem @ to_tag).todense())
    np.fill_diagonal(step, 0)
    step /= np.maximum(step.sum(axis=1, keepdims=True), 1e-9)
    kinship: Floats = _STEM_WEIGHT * types[:, None] * (step @ step)
    return kinship


def _stem(form: str) -> str:
    lowered = form.lower()
    return lowered[: max(_STEM, len(lowered) - _ENDING)]
