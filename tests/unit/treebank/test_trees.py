from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.treebank import (
    Column,
    Treebank,
    TreebankError,
    TreeFlaw,
    require_trees,
    tree_flaws,
)


def flaws_of(heads: tuple[int, ...]) -> TreeFlaw:
    """The slow twin: every flaw from its own definition."""
    n = len(heads)
    flaws = TreeFlaw(0)
    if all(head == -1 for head in heads):
        return flaws
    if any(head == -1 for head in heads):
        flaws |= TreeFlaw.PARTLY_ANNOTATED
    if any(head > n for head in heads):
        flaws |= TreeFlaw.OUTSIDE
    if heads.count(0) == 0:
        flaws |= TreeFlaw.NO_ROOT
    if heads.count(0) > 1:
        flaws |= TreeFlaw.SEVERAL_ROOTS
    for word in range(1, n + 1):
        ancestor = word
        for _ in range(n):
            ancestor = heads[ancestor - 1] if 1 <= ancestor <= n else 0
            if ancestor == word:
                flaws |= TreeFlaw.CYCLE
    return flaws


def with_heads(all_heads: list[tuple[int, ...]]) -> Treebank:
    lengths = [len(heads) for heads in all_heads]
    return Treebank(
        {"form": Column.constant("a", sum(lengths))},
        [head for heads in all_heads for head in heads],
        offsets=np.concatenate([[0], np.cumsum(lengths)]),
    )


def test_every_sequence_of_heads_up_to_four_words() -> None:
    all_heads = [heads for n in range(5) for heads in product(range(-1, n + 2), repeat=n)]
    assert len(all_heads) == 1 + 4 + 5**2 + 6**3 + 7**4
    found = tree_flaws(with_heads(all_heads))
    assert found.dtype == np.uint8
    wrong = {
        heads: (TreeFlaw(int(flaws)), flaws_of(heads))
        for heads, flaws in zip(all_heads, found, strict=True)
        if flaws != flaws_of(heads)
    }
    assert wrong == {}
    # As many single-rooted trees as Cayley's formula says: n ** (n - 1).
    trees = [len(h) for h, f in zip(all_heads, found, strict=True) if not f and 0 in h]
    assert [trees.count(n) for n in range(1, 5)] == [1, 2, 9, 64]


@pytest.mark.parametrize(
    ("written", "flaws"),
    [
        ("a/X/2 b/X/0", TreeFlaw(0)),
        ("a/X b/X", TreeFlaw(0)),
        ("a/X/0 b/X/0", TreeFlaw.SEVERAL_ROOTS),
        ("a/X/2 b/X/1", TreeFlaw.NO_ROOT | TreeFlaw.CYCLE),
        ("a/X/1", TreeFlaw.NO_ROOT | TreeFlaw.CYCLE),
        ("a/X/0 b/X/3 c/X/2", TreeFlaw.CYCLE),
        ("a/X/0 b/X/7", TreeFlaw.OUTSIDE),
        ("a/X/0 b/X", TreeFlaw.PARTLY_ANNOTATED),
    ],
)
def test_flaws_by_example(written: str, flaws: TreeFlaw) -> None:
    assert tree_flaws(sentences("oh/X/0", written, "ah/X/0")).tolist() == [0, int(flaws), 0]


@pytest.mark.parametrize("threads", ["2", "3"])
def test_flaws_do_not_depend_on_threads(monkeypatch, threads: str) -> None:
    """A sentence with a flaw stands where the parts of two and of three threads meet, and not."""
    heads = [(2, 0, 2)] * 100_001
    for place in (0, 33_333, 33_334, 50_000, 50_001, 66_667, 70_007, 100_000):
        heads[place] = (2, 1, 0)
    large = with_heads(heads)
    monkeypatch.setenv("TREEGAUGE_THREADS", "1")
    alone = tree_flaws(large)
    assert np.flatnonzero(alone).size == 8
    monkeypatch.setenv("TREEGAUGE_THREADS", threads)
    assert tree_flaws(large).tolist() == alone.tolist()


def test_require_trees_is_content_with_trees() -> None:
    require_trees(sentences("a/X/2 b/X/0", "c/X/0"), purpose="this")
    require_trees(sentences(), purpose="this")


@pytest.mark.parametrize(
    "written", ["a/X/2 b/X/1", "a/X/0 b/X/0", "a/X/0 b/X/7", "a/X/0 b/X", "a/X b/X", "a/X/1"]
)
def test_require_trees_names_what_is_none(written: str) -> None:
    with pytest.raises(
        TreebankError, match="this needs one complete tree per sentence; 1 of 2 are not: number 2\n"
    ):
        require_trees(sentences("oh/X/0", written), purpose="this")


def test_require_trees_names_sentences_by_their_id() -> None:
    odd = treebank("""
        # sent_id = odd
        1 a _ X _ _ 1 dep _ _
    """)
    with pytest.raises(TreebankError, match="1 of 1 are not: odd\n"):
        require_trees(odd, purpose="this")


def test_require_trees_names_the_first_five() -> None:
    with pytest.raises(TreebankError) as caught:
        require_trees(sentences(*["a/X/1"] * 7), purpose="this")
    named = ", ".join(f"number {i}" for i in range(1, 6))
    assert f"7 of 7 are not: {named} and 2 more\n" in str(caught.value)


def test_require_trees_may_accept_several_roots() -> None:
    several = sentences("a/X/0 b/X/0")
    require_trees(several, purpose="this", single_root=False)
    for worse in ("a/X/0 b/X/0 c/X/3", "a/X/2 b/X/1", "a/X/0 b/X/0 c/X"):
        with pytest.raises(TreebankError, match="1 of 1 are not"):
            require_trees(sentences(worse), purpose="this", single_root=False)
