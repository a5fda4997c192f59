from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.properties.treebank_strategies import Heads, forests, trees, with_heads
from tests.strategies import treebanks
from treegauge.properties import nonprojective_arcs
from treegauge.strata import STRATA, Strata, StrataError, cross, stratify
from treegauge.treebank import Column, Treebank, concatenate

patient = examples()

RELATIONS = ["root", "nsubj", "nsubj:pass", "amod", "conj", "_"]


@st.composite
def broken_heads(draw: st.DrawFn) -> Heads:
    """Heads of any kind: cycles, missing ones and heads outside the sentence."""
    n = draw(st.integers(0, 7))
    return draw(st.lists(st.integers(-1, n + 2), min_size=n, max_size=n))


all_heads = trees() | forests() | broken_heads()


@st.composite
def golds(draw: st.DrawFn) -> Treebank:
    """Gold with relations, tags and heads, good and bad."""
    bare = with_heads([[0], *draw(st.lists(all_heads, max_size=4))])
    n = bare.n_words
    relations = draw(st.lists(st.sampled_from(RELATIONS), min_size=n, max_size=n))
    tags = draw(st.lists(st.sampled_from(["NOUN", "VERB", "_"]), min_size=n, max_size=n))
    columns = {
        "form": Column.from_strings(draw(st.lists(st.sampled_from("abc"), min_size=n, max_size=n))),
        "deprel": Column.from_strings(["root", *relations[1:]]),
        "upos": Column.from_strings(["VERB", *tags[1:]]),
    }
    return bare.replace(columns=columns)


names = st.sampled_from(list(STRATA))


# ---------------------------------------------------------------------- the slow twins


def way_up(heads: Heads, word: int) -> list[int]:
    """The word and its ancestors up to a root; nothing where there is none."""
    path: Heads = []
    while 1 <= word <= len(heads) and word not in path:
        path.append(word)
        word = heads[word - 1]
    return path if word == 0 else []


def depth(heads: Heads, word: int) -> str | None:
    arcs = len(way_up(heads, word))
    return None if not arcs else "10+" if arcs >= 10 else str(arcs)


def root_distance(heads: Heads, word: int) -> str | None:
    path = way_up(heads, word)
    return str(abs(path[-1] - word)) if path else None


def branching(heads: Heads, word: int) -> str | None:
    if -1 in heads:
        return None
    dependents = heads.count(word)
    return "4+" if dependents >= 4 else str(dependents)


def projectivity(heads: Heads, word: int) -> str | None:
    head = heads[word - 1]
    if head == 0:
        return "root"
    if not all(way_up(heads, other) for other in range(1, len(heads) + 1)):
        return None
    between = range(min(head, word) + 1, max(head, word))
    dominated = all(head in way_up(heads, other) for other in between)
    return "projective" if dominated else "not projective"


TWINS = {
    "depth": depth,
    "root_distance": root_distance,
    "branching": branching,
    "projectivity": projectivity,
}


def agree(name: str, sentences: list[Heads]) -> None:
    strata = stratify(name, with_heads([[0], *sentences]))
    found = [None if code < 0 else strata.names[code] for code in strata.codes.tolist()]
    expected = [
        TWINS[name](heads, word) for heads in [[0], *sentences] for word in range(1, len(heads) + 1)
    ]
    assert found == expected


@pytest.mark.parametrize("name", TWINS)
@given(sentences=st.lists(all_heads, max_size=4))
@patient
def test_tree_shapes_agree_with_the_definition(name: str, sentences: list[Heads]) -> None:
    agree(name, sentences)


@pytest.mark.parametrize("name", TWINS)
def test_every_head_vector_up_to_four_words(name: str) -> None:
    agree(name, [list(v) for n in range(5) for v in product(range(-1, n + 2), repeat=n)])


@given(st.lists(all_heads, max_size=4))
@patient
def test_arcs_that_are_not_projective_add_up(sentences: list[Heads]) -> None:
    gold = with_heads([[0], *sentences])
    strata = stratify("projectivity", gold)
    crossing = strata.codes == strata.names.index("not projective")
    expected = nonprojective_arcs(gold)
    found = np.bincount(gold.sentence_of_word, weights=crossing, minlength=len(gold))
    assert found.tolist() == np.maximum(expected, 0).tolist()


# ---------------------------------------------------------------------- the contract


def check(strata: Strata, gold: Treebank) -> None:
    assert strata.codes.dtype == np.int32
    assert strata.codes.shape == (gold.n_words,)
    assert strata.codes.min(initial=0) >= -1
    assert strata.codes.max(initial=-1) < len(strata.names)
    assert len(set(strata.names)) == len(strata.names)
    assert all(strata.names)
    assert strata.counts.sum() == (strata.codes >= 0).sum()


@pytest.mark.parametrize("name", STRATA)
@given(gold=golds(), training=golds())
@patient
def test_every_stratum_keeps_the_contract(name: str, gold: Treebank, training: Treebank) -> None:
    strata = stratify(name, gold, training=training)
    check(strata, gold)
    again = stratify(name, gold, training=training)
    assert again.names == strata.names
    assert np.array_equal(again.codes, strata.codes)


@given(names, treebanks(max_sentences=2))
@patient
def test_whatever_a_file_holds_is_divided_or_refused(name: str, gold: Treebank) -> None:
    try:
        strata = stratify(name, gold, training=gold)
    except StrataError:  # a column is empty, or Table 6 has no relations to stand on
        return
    check(strata, gold)


def named(strata: Strata, codes: np.ndarray) -> list[str | None]:
    return [None if code < 0 else strata.names[code] for code in codes.tolist()]


@given(names, golds(), golds())
@patient
def test_words_have_the_same_stratum_in_any_company(
    name: str, gold: Treebank, other: Treebank
) -> None:
    both = concatenate([other, gold])
    alone = stratify(name, gold, training=other)
    together = stratify(name, both, training=other)
    codes = together.codes[other.n_words :]
    assert named(together, codes) == named(alone, alone.codes)


# ---------------------------------------------------------------------- crossing


@given(golds(), names, names)
@patient
def test_crossing_is_consistent(gold: Treebank, first: str, second: str) -> None:
    a, b = (stratify(name, gold, training=gold) for name in (first, second))
    both = cross(a, b)
    check(both, gold)
    assert (both.counts > 0).all()
    expected = [
        None if x is None or y is None else f"{x} × {y}"
        for x, y in zip(named(a, a.codes), named(b, b.codes), strict=True)
    ]
    assert named(both, both.codes) == expected
    # Sorted as the first one is, and within it as the second is.
    place = {(both.codes[w]): (a.codes[w], b.codes[w]) for w in np.flatnonzero(both.codes >= 0)}
    assert [place[code] for code in range(len(both))] == sorted(place.values())
