from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.systems.taggers.slow_perceptron import SlowPerceptron
from tests.unit.treebank.small_trees import sentences
from treegauge.systems import make_system
from treegauge.systems.taggers.lexicon import Lexicon
from treegauge.systems.taggers.perceptron import unambiguous_words, word_shape
from treegauge.toys import toy_parts
from treegauge.treebank import Column, Treebank

words = st.tuples(
    st.sampled_from(["a", "Ab", "1b-c", "漢字", "öko", "B.2"]), st.sampled_from("XYZ")
)
texts = st.lists(st.lists(words, min_size=1, max_size=5), min_size=1, max_size=4)


def treebank_of(text: list[list[tuple[str, str]]]) -> Treebank:
    return sentences(*(" ".join(f"{form}/{tag}" for form, tag in s) for s in text))


@examples(40)
@given(texts, texts, st.integers(0, 3))
def test_agreement_with_a_slow_twin(train: list, test: list, seed: int) -> None:
    settings = {"epochs": 3, "bits": 16, "frequent": 1000}
    fast = make_system("perceptron", settings, seed=seed).fit(treebank_of(train))
    tags = sorted({tag for sentence in train for _, tag in sentence})
    slow = SlowPerceptron(len(tags), bits=16)
    random = np.random.default_rng(seed)
    for _ in range(3):
        for i in random.permutation(len(train)):
            slow.tag([form for form, _ in train[i]], [tags.index(tag) for _, tag in train[i]])
    slow.average()
    expected = [tags[t] for s in test for t in slow.tag([form for form, _ in s])]
    assert list(fast.annotate(treebank_of(test)).upos) == expected


def test_fifty_sentences_are_learnt_by_heart() -> None:
    train = toy_parts("toy:svo", tokens=3000)["train"][:50]
    # Nothing is looked up: weights alone must do it.
    tagger = make_system("perceptron", {"bits": 18, "frequent": 10**6}).fit(train)
    right = np.mean([a == b for a, b in zip(tagger.annotate(train).upos, train.upos, strict=True)])
    assert right > 0.99


def test_frequent_words_that_are_nearly_unambiguous_are_looked_up() -> None:
    forms = Column.from_strings(["a"] * 10 + ["b"] * 10 + ["c"] * 3).compact()
    tags = np.array([0] * 9 + [1] + [0] * 8 + [1] * 2 + [1] * 3, np.int32)
    lexicon = Lexicon.of(forms, tags, 2)
    found, tag_of = unambiguous_words(lexicon, 10, 0.9)
    assert (list(found), tag_of.tolist()) == (["a"], [0])
    found, tag_of = unambiguous_words(lexicon, 3, 0.5)
    assert (list(found), tag_of.tolist()) == (["a", "b", "c"], [0, 0, 1])


def test_a_word_that_is_looked_up_has_its_tag_in_any_context() -> None:
    train = sentences(*["x/X a/Y"] * 5, "a/Z x/X")
    looked_up = make_system("perceptron", {"frequent": 6, "unambiguous": 0.8, "bits": 12})
    assert list(looked_up.fit(train).annotate(sentences("a/_ x/_")).upos) == ["Y", "X"]
    learnt = make_system("perceptron", {"frequent": 7, "bits": 12})
    assert list(learnt.fit(train).annotate(sentences("a/_ x/_")).upos) == ["Z", "X"]


@pytest.mark.parametrize(
    ("alike", "other"),
    [
        (("Oslo", "Bergen"), "USA"),
        (("a-b", "cd-e"), "ab"),
        (("12", "345"), "a1"),
        ((".", ","), "a"),
    ],
)
def test_shapes(alike: tuple[str, str], other: str) -> None:
    if alike != (".", ","):
        assert word_shape(alike[0]) == word_shape(alike[1])
    assert word_shape(other) not in {word_shape(word) for word in alike}
