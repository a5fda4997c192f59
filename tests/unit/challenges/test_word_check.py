"""How two texts are put beside each other: laws, and that no text takes long."""

from __future__ import annotations

import time

from hypothesis import given, strategies as st

from tests.examples import examples
from treegauge.challenges.word_check import different_stretches

sentences = st.lists(st.tuples(st.sampled_from("abcdefgh")), max_size=12)


@examples(300)
@given(sentences, sentences)
def test_what_lies_between_stretches_is_the_same(expected, found) -> None:
    at, other = 0, 0
    for a, b, c, d in different_stretches(expected, found):
        assert at <= a <= b
        assert other <= c <= d
        assert (b > a) or (d > c)
        assert expected[at:a] == found[other:c]
        at, other = b, d
    assert expected[at:] == found[other:]


@examples(100)
@given(sentences)
def test_a_text_does_not_differ_from_itself(text) -> None:
    assert list(different_stretches(text, text)) == []


@examples(200)
@given(st.lists(st.integers(0, 1000), min_size=1, max_size=30, unique=True), st.data())
def test_one_missing_sentence_is_one_stretch(numbers, data) -> None:
    text = [(str(number),) for number in numbers]
    at = data.draw(st.integers(0, len(text) - 1))
    assert list(different_stretches(text, text[:at] + text[at + 1 :])) == [(at, at + 1, at, at)]
    assert list(different_stretches(text[:at] + text[at + 1 :], text)) == [(at, at, at, at + 1)]


def test_texts_made_to_take_long_do_not() -> None:
    n = 50_000
    same = [("a",)] * n
    reverse = [(str(i),) for i in range(n)]
    begin = time.process_time()
    assert list(different_stretches(same, same[1:])) == [(n - 1, n, n - 1, n - 1)]
    assert list(different_stretches(reverse, reverse[::-1]))
    assert list(different_stretches(reverse, same)) == [(0, n, 0, n)]
    assert time.process_time() - begin < 5
