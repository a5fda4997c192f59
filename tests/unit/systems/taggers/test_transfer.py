from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.treebank.small_trees import sentences
from treegauge import write
from treegauge.systems import SystemsError, make_system
from treegauge.systems.taggers._perceptron_numba import N_OWN
from treegauge.systems.taggers.transfer import _own_and_seen, in_turn, rank_bins
from treegauge.treebank import Column

pytestmark = pytest.mark.long


@examples(60)
@given(st.lists(st.text("aAbcd1", min_size=1, max_size=2), min_size=1), st.integers(1, 4))
def test_bins_by_counting(words: list[str], ranks: int) -> None:
    plain = [word.lower().replace("1", "0") for word in words]
    found = dict(zip(*rank_bins(Column.from_strings(words), ranks), strict=True))
    assert set(found) == set(plain)
    for word, chosen in found.items():
        more_frequent = sum(plain.count(other) > plain.count(word) for other in set(plain))
        # Bin b has ranks 2^b - 1 to 2^(b+1) - 2, counted from 0.
        expected = next(b for b in range(99) if more_frequent < 2 ** (b + 1) - 1)
        assert chosen == min(expected, ranks)


@examples(60)
@given(st.lists(st.integers(1, 6), min_size=1, max_size=4), st.integers(1, 8), st.integers(0, 9))
def test_sources_take_turns(sizes: list[int], at_most: int, seed: int) -> None:
    starts = np.cumsum([0, *sizes])
    groups = [np.arange(a, b) for a, b in pairwise(starts)]
    order = in_turn(groups, at_most, np.random.default_rng(seed))
    for number, group in enumerate(groups):
        drawn = order[number :: len(groups)].tolist()
        assert len(drawn) == min(max(sizes), at_most)
        assert set(drawn) <= set(group.tolist())
        # No sentence comes again before all others have come.
        counts = [drawn.count(member) for member in group.tolist()]
        assert max(counts) - min(counts) <= 1


def test_what_is_seen_of_a_word() -> None:
    own, seen = _own_and_seen("Oslo", 3, characters=True)
    assert len(own) == N_OWN
    assert own[-6:] == ["o", "lo", "slo", "oslo", "o", "os"]
    plain, same = _own_and_seen("Oslo", 3, characters=False)
    assert plain[:-6] == own[:-6]
    assert set(plain[-6:]) == {""}
    assert seen == same
    # Without characters, words of one look, length and rank are one.
    assert _own_and_seen("Bonn", 3, characters=False) == (plain, same)
    assert _own_and_seen(".", 0, characters=False) != _own_and_seen("?", 0, characters=False)


def test_what_languages_share_is_learnt(tmp_path) -> None:
    """Marks and digits are known in any language, and so is the most frequent word."""
    source = sentences(*["the/DET dog/NOUN ,/PUNCT the/DET cat/NOUN 12/NUM ./PUNCT"] * 6)
    write(source, tmp_path / "source.conllu")
    target = sentences(*["le/_ chien/_ ,/_ le/_ chat/_ 7/_ ./_"] * 3)
    settings = {"sources": str(tmp_path / "source.conllu"), "characters": False, "bits": 14}
    answer = make_system("transfer", settings).fit(target).annotate(target)
    assert list(answer.upos)[:7] == ["DET", "NOUN", "PUNCT", "DET", "NOUN", "NUM", "PUNCT"]


def test_a_source_without_tags(tmp_path) -> None:
    write(sentences("a/X b/_"), tmp_path / "source.conllu")
    with pytest.raises(SystemsError, match=r"no sentence of .* has a tag on every word"):
        make_system("transfer", {"sources": str(tmp_path / "source.conllu")}).fit(
            sentences("c/_ d/_")
        )
