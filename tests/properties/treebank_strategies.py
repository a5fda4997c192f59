"""Random treebanks for the columnar core."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from treegauge.treebank import COMMENT, Column, SideLines, Treebank, Vocabulary, keep_words

LONGEST = 7
"""Words in the longest sentence."""

Heads = list[int]


@st.composite
def forests(draw: st.DrawFn, *, min_words: int = 0) -> Heads:
    """Heads without a cycle; any number of roots, now and then a head that is missing."""
    n = draw(st.integers(min_words, LONGEST))
    order = draw(st.permutations(range(1, n + 1)))
    heads = [0] * n
    for place, word in enumerate(order):
        # Each word hangs on one that came before it, or on none.
        heads[word - 1] = draw(st.sampled_from([0, *order[:place], *order[:place]]))
    if n and draw(st.integers(0, 9)) == 0:
        heads[draw(st.integers(0, n - 1))] = -1
    return heads


@st.composite
def trees(draw: st.DrawFn) -> Heads:
    """Heads with one root, and without a cycle."""
    n = draw(st.integers(1, LONGEST))
    order = draw(st.permutations(range(1, n + 1)))
    heads = [0] * n
    for place, word in enumerate(order[1:], start=1):
        heads[word - 1] = draw(st.sampled_from(order[:place]))
    return heads


@st.composite
def masks(draw: st.DrawFn, length: int) -> list[bool]:
    """One truth value per word."""
    return draw(st.lists(st.booleans(), min_size=length, max_size=length))


def with_heads(sentences: list[Heads]) -> Treebank:
    """A treebank with these heads; every form says where its word stands."""
    lengths = [len(heads) for heads in sentences]
    forms = [f"{s}.{i}" for s, n in enumerate(lengths) for i in range(1, n + 1)]
    return Treebank(
        {"form": Column.from_strings(forms)},
        [head for heads in sentences for head in heads],
        offsets=np.concatenate([[0], np.cumsum(lengths)]),
    )


@st.composite
def columns(draw: st.DrawFn, length: int | None = None) -> Column:
    """A column whose vocabulary is in any order, with strings in it that are not used."""
    strings = draw(st.lists(st.text(max_size=3), unique=True, min_size=1, max_size=6))
    size = draw(st.integers(0, 12)) if length is None else length
    codes = draw(st.lists(st.integers(0, len(strings) - 1), min_size=size, max_size=size))
    return Column(np.array(codes, np.int32), Vocabulary.from_strings(strings))


@st.composite
def treebanks(draw: st.DrawFn, *, max_sentences: int = 6) -> Treebank:
    """Treebanks with tags, comments and now and then a memory of removed words."""
    bare = with_heads(draw(st.lists(forests(), max_size=max_sentences)))
    commented = [
        (sentence, draw(st.sampled_from(["# newpar", f"# sent_id = {sentence}", "# text = ä"])))
        for sentence in range(len(bare))
        for _ in range(draw(st.integers(0, 2)))
    ]
    side_lines = SideLines(
        np.array([sentence for sentence, _ in commented], np.int32),
        np.zeros(len(commented), np.int32),
        np.full(len(commented), COMMENT, np.uint8),
        Column.from_strings([text for _, text in commented]),
    )
    whole = Treebank(
        {**bare.columns, "upos": draw(columns(bare.n_words))},
        bare.head,
        offsets=bare.offsets,
        side_lines=side_lines,
    )
    if draw(st.booleans()):
        return whole
    return keep_words(whole, np.array(draw(masks(whole.n_words)), np.bool_))
