"""Kernels against their slow twin, on many random trees: rare meetings of relations happen."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.rewrite.styles.slow_styles import converted
from treegauge.rewrite import Style, to_style
from treegauge.settings import choices
from treegauge.treebank import Column, Treebank

SENTENCES = 150
RELATIONS = {
    "function words": ["case", "aux", "cop", "det", "mark", "nsubj", "advmod", "conj", "fixed"],
    "clauses": ["aux", "nsubj", "advmod", "conj", "mark"],
    "coordination": ["conj", "cc", "punct", "nsubj", "case"],
    "groups": ["flat", "fixed", "compound", "conj", "case", "punct"],
}


def random_gold(rng: np.random.Generator, relations: list[str]) -> Treebank:
    """Words hang on one of the words before them in a random order, mostly on near ones."""
    heads, labels, offsets = [], [], [0]
    for n in rng.integers(3, 11, SENTENCES):
        head = np.zeros(n, int)
        order = rng.permutation(n)
        for i in range(1, n):
            head[order[i]] = min(rng.choice(order[:i], 2), key=lambda h: abs(h - order[i])) + 1
        heads += head.tolist()
        labels += ["root" if h == 0 else str(rng.choice(relations)) for h in head]
        offsets.append(len(heads))
    columns = {
        "form": Column.from_strings(["w"] * len(heads)),
        "deprel": Column.from_strings(labels),
    }
    return Treebank(columns, heads, offsets=offsets)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("family", RELATIONS)
def test_many_random_trees(family: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    gold = random_gold(rng, RELATIONS[family])
    style = Style(**{switch: str(rng.choice(values)) for switch, values in choices(Style).items()})
    turned = to_style(gold, style)
    for one, other in zip(gold, turned, strict=True):
        tree = {word.position: (word.head, word.deprel) for word in one}
        assert converted(tree, style) == {w.position: (w.head, w.deprel) for w in other}
    assert to_style(turned, "ud") == gold
