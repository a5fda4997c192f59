"""Classes of words, and controls."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from treegauge.papers.pascal_extrinsic.classes import (
    ambiguous,
    most_frequent,
    shuffled,
    suffix_classes,
)


@given(st.dictionaries(st.text(max_size=3), st.sampled_from("abc"), max_size=20), st.integers(0, 9))
@examples(40)
def test_shuffled_classes_have_the_same_sizes(classes, seed):
    found = shuffled(classes, seed)
    assert found.keys() == classes.keys()
    assert Counter(found.values()) == Counter(classes.values())


words = st.text(st.sampled_from("ab"), min_size=1, max_size=5)


def test_suffix_classes_worked_by_hand():
    # Two characters in common are too few; a short word ends in itself.
    found = suffix_classes(["king", "sing", "song", "ing", "ng"])
    assert found == {"king": "0", "sing": "0", "song": "1", "ing": "0", "ng": "2"}


@given(st.lists(words, max_size=20))
@examples(40)
def test_words_share_a_suffix_class_if_they_end_alike(forms):
    found = suffix_classes(forms)
    assert found.keys() == set(forms)
    for one in forms:
        for other in forms:
            assert (found[one] == found[other]) == (one[-3:] == other[-3:])


@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("XYZ")), max_size=30),
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from("XYZ")),
)
@examples(40)
def test_no_tags_of_words_are_better_than_the_most_frequent_ones(tokens, others):
    best = most_frequent((form for form, _ in tokens), (tag for _, tag in tokens))
    assert sum(best[form] == tag for form, tag in tokens) >= sum(
        others.get(form) == tag for form, tag in tokens
    )


def test_ambiguity_is_that_of_all_parts():
    train = tg.parse("the/DET walk/NOUN\n", format="slashed")
    test = tg.parse("they/PRON walk/VERB the/DET dog/NOUN\n", format="slashed")
    assert ambiguous(test, [train, test]).tolist() == [False, True, False, False]
    assert not ambiguous(test, [test]).any()


def test_lines_cannot_be_in_a_file_of_classes():
    assert most_frequent(["a\tb", "", "c"], ["X", "Y", "Z"]) == {"c": "Z"}
