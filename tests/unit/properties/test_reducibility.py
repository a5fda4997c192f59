"""Reducibility: worked by hand, against a set of strings, and what it says of a language."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import treegauge as tg
from tests.unit.systems.dependency_induction.slow_reducibility import slow_reducible
from treegauge.properties import PropertyError, ReducibilityCounter, measure_reducibility
from treegauge.properties.reducibility import share_of_foreign_tags, weights_in_text
from treegauge.treebank import Treebank


def text_of(*sentences: str) -> Treebank:
    """Return a text in which every word is its own fine tag."""
    words = (" ".join(f"{word}/{word}" for word in sentence.split()) for sentence in sentences)
    return tg.parse("".join(f"{line}\n" for line in words), format="slashed")


def counts_of(found, size):
    own = found.ngrams[size - 1]
    return {
        " ".join(found.tags_of(size, int(key))): (int(c), int(r))
        for key, c, r in zip(own.keys, own.occurrences, own.reducible, strict=True)
    }


def test_worked_example() -> None:
    """Of `a b c`, `a c`, `b c` and `c`, a and b can be left out twice, and so can `a b` once."""
    found = measure_reducibility(text_of("a b c", "a c", "b c", "c"), "p", "words")
    assert counts_of(found, 1) == {"a": (2, 2), "b": (2, 2), "c": (3, 0)}
    assert counts_of(found, 2) == {"a b": (1, 1), "b c": (1, 0)}
    assert counts_of(found, 3) == {}
    assert (found.sentences, found.words, found.reducible) == (3, 7, 5)
    # s = 4/7; R(a) = (2 + 4/7) / 3 * 7/4, R(c) = (4/7) / 4 * 7/4.
    weights = found.as_weights()
    assert weights["a",] == pytest.approx(1.5)
    assert weights["c",] == pytest.approx(0.25)
    assert weights["a", "b"] == pytest.approx((1 + 0.5) / 2 / 0.5)


def test_what_stands_beside_something_reducible() -> None:
    """In `a b c`, both a and b go: b has something on its left, c has, a has b on its right."""
    found = measure_reducibility(text_of("a b c", "a c", "b c", "c"), "p", "words")
    assert dict(zip(found.tags, found.with_reducible_neighbours.tolist(), strict=True)) == {
        "a": [0, 1],
        "b": [1, 0],
        "c": [3, 0],
    }
    assert found.occurrences.tolist() == [2, 2, 3]


SENTENCES = st.lists(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=6), min_size=1, max_size=40
)


@settings(deadline=None)  # kernels may have to be compiled
@given(SENTENCES)
def test_hashes_find_what_strings_do(sentences: list[list[str]]) -> None:
    found = measure_reducibility(text_of(*map(" ".join, sentences)), "p", "words")
    for size in (1, 2, 3):
        slow = slow_reducible(sentences, size)
        fast = {tuple(key.split()): r for key, (_, r) in counts_of(found, size).items() if r}
        assert fast == dict(slow)


def test_hashes_find_what_strings_do_in_two_hundred_sentences() -> None:
    random = np.random.default_rng(0)
    sentences = [
        [f"w{k}" for k in random.integers(0, 6, random.integers(1, 11))] for _ in range(200)
    ]
    found = measure_reducibility(text_of(*map(" ".join, sentences)), "p", "words")
    assert found.reducible > 50
    for size in (1, 2, 3):
        fast = {tuple(key.split()): r for key, (_, r) in counts_of(found, size).items() if r}
        assert fast == dict(slow_reducible(sentences, size))


def test_tags_match_more_than_words() -> None:
    text = tg.parse("old/ADJ men/NOUN sleep/VERB\nmice/NOUN run/VERB\n", format="slashed")
    assert measure_reducibility(text, match="words").reducible == 0
    by_tags = measure_reducibility(text, match="tags")
    assert (by_tags.match, by_tags.reducible) == ("tags", 1)
    assert by_tags.as_weights()["ADJ",] > 1 > by_tags.as_weights()["VERB",]


def slow_reducible_in_context(sentences: list[list[str]], size: int, width: int) -> Counter[str]:
    """Return how often n-grams can be left out by the tags on either side, as strings."""
    padded = [["<"] * width + sentence + [">"] * width for sentence in sentences]
    known = {" ".join(s[i : i + 2 * width]) for s in padded for i in range(len(s) - 2 * width + 1)}
    found: Counter[str] = Counter()
    for sentence in padded:
        if len(sentence) - 2 * width <= size:
            continue
        for i in range(width, len(sentence) - width - size + 1):
            if " ".join(sentence[i - width : i] + sentence[i + size :][:width]) in known:
                found[" ".join(sentence[i : i + size])] += 1
    return found


@settings(deadline=None)  # kernels may have to be compiled
@given(SENTENCES)
def test_contexts_are_found_as_strings_are(sentences: list[list[str]]) -> None:
    found = measure_reducibility(text_of(*map(" ".join, sentences)), "p", "context")
    for size in (1, 2, 3):
        fast = {key: r for key, (_, r) in counts_of(found, size).items() if r}
        assert fast == dict(slow_reducible_in_context(sentences, size, found.width))


def test_contexts_are_narrow_where_tags_are_many() -> None:
    random = np.random.default_rng(0)
    few, many = (
        [" ".join(f"t{k}" for k in random.integers(0, n, 8)) for _ in range(200)] for n in (3, 60)
    )
    assert measure_reducibility(text_of(*few), "p", "context").width == 3
    assert measure_reducibility(text_of(*many), "p", "context").width == 1


def test_auto_takes_what_finds_enough() -> None:
    small = tg.toy_treebank("toy:svo", tokens=300)
    assert measure_reducibility(small).match == "context"
    often = text_of(*["a b", "b", "a c", "c"] * 600)
    assert measure_reducibility(often, "p").match == "words"


def test_long_sentences_and_punctuation_do_not_count() -> None:
    lines = ["a/ADV b/X", "b/X", " ".join(["c/NUM"] * 11), "a/ADV b/X !/PUNCT"]
    text = tg.parse("".join(f"{line}\n" for line in lines), format="slashed")
    found = measure_reducibility(text, match="words")
    assert (found.sentences, found.reducible) == (2, 2)
    assert "NUM" in found.tags
    with pytest.raises(PropertyError, match="no sentence of at most 10 words"):
        measure_reducibility(text[2:3], match="tags")
    assert measure_reducibility(text[2:3]).sentences == 1


def test_pieces_give_what_the_whole_gives() -> None:
    text = tg.toy_treebank("toy:svo", tokens=3000)
    whole = measure_reducibility(text)
    counter = ReducibilityCounter()
    for begin in range(0, text.n_sentences, 17):
        counter.add(text[begin : begin + 17])
    again = counter.count()
    assert again.as_weights() == pytest.approx(whole.as_weights())
    assert again.match == whole.match


def test_adverbs_can_be_left_out_and_verbs_cannot() -> None:
    text = tg.toy_treebank("toy:svo", tokens=30_000)
    for match in ("tags", "context"):
        weights = measure_reducibility(text, match=match).as_weights()
        assert min(weights["ADV",], weights["ADJ",]) > 1 > weights["VERB",]
        assert weights["ADJ",] > weights["ADP",]


def test_many_tags_are_sorted_rather_than_tabulated() -> None:
    random = np.random.default_rng(0)
    sentences = [" ".join(f"t{k}" for k in random.integers(0, 200, 4)) for _ in range(300)]
    found = measure_reducibility(text_of(*sentences, *[s.split(" ", 1)[1] for s in sentences]), "p")
    assert counts_of(found, 3) != {}
    assert sum(c for c, _ in counts_of(found, 3).values()) == 600
    assert sum(r for _, r in counts_of(found, 1).values()) >= 300


def test_weights_of_a_text() -> None:
    """Keys have digits to the base of 3: tags 0 and 1 are 1 and 2."""
    tables = [
        (np.array([1, 2]), np.array([2.0, 3.0])),
        (np.array([1 * 3 + 2]), np.array([5.0])),
        (np.zeros(0, np.int64), np.zeros(0)),
    ]
    tags, offsets = np.array([0, 1, 2, 1]), np.array([0, 3, 4])
    weights = weights_in_text(tables, tags, offsets, n_tags=2)
    assert weights.tolist() == [[2, 5, 1], [3, 1, 1], [1, 1, 1], [3, 1, 1]]


def test_share_of_foreign_tags() -> None:
    counter = ReducibilityCounter("p")
    counter.add(text_of("a b c d"))
    assert share_of_foreign_tags(counter, {"a"}) == 0.75
