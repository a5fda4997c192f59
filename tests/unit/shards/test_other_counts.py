"""Dictionaries and reducibility of texts in shards equal those of one process."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from treegauge.dictionaries import from_shards, from_treebank
from treegauge.formats import parse, write
from treegauge.properties import PropertyError, ReducibilityCounter
from treegauge.toys import toy_treebank
from treegauge.treebank import Treebank

TAGGED = st.tuples(st.sampled_from("abcde"), st.sampled_from(["NOUN", "VERB", "ADJ", "PUNCT"]))
PIECES = st.lists(st.lists(st.lists(TAGGED, min_size=1, max_size=5), min_size=1), min_size=1)


def tagged(sentences: Sequence[Sequence[tuple[str, str]]]) -> Treebank:
    lines = (" ".join(f"{form}/{tag}" for form, tag in words) + "\n" for words in sentences)
    return parse("".join(lines), format="slashed")


@settings(deadline=None)  # compiles
@given(PIECES, st.integers(0, 10), st.sampled_from([0, 20, 10**6]))
def test_counters_that_are_merged_are_one(pieces, first, most_contexts) -> None:
    """Cut anywhere, also where contexts are not kept any more."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("treegauge.properties.reducibility._MOST_CONTEXTS", most_contexts)
        one, left, right = (ReducibilityCounter(longest=4) for _ in range(3))
        for number, piece in enumerate(map(tagged, pieces)):
            one.add(piece)
            (left if number < first else right).add(piece)
        left.merge(right)
    assert left.tags == one.tags
    assert left.tag_counts.tolist() == one.tag_counts.tolist()
    for match in ("words", "tags", "context"):
        try:
            expected = one.count(match)
        except PropertyError:
            with pytest.raises(PropertyError):
                left.count(match)
            continue
        counted = left.count(match)
        assert counted.as_weights() == expected.as_weights()
        assert counted.occurrences.tolist() == expected.occurrences.tolist()


@pytest.mark.parametrize("n_shards", [1, 2, 5])
def test_dictionaries_are_equal(tmp_path: Path, n_shards: int) -> None:
    text = toy_treebank("toy:svo", tokens=3000, seed=4)
    bounds = np.linspace(0, len(text), n_shards + 1).astype(int)
    for number, (first, last) in enumerate(pairwise(bounds.tolist())):
        write(text[first:last], tmp_path / f"{number}.conllu")
    sharded, whole = from_shards([tmp_path]), from_treebank(text)
    assert sharded == whole
    assert list(sharded.items()) == list(whole.items())
