"""Kneser-Ney estimation: by hand, against a slow twin, and as a distribution."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.properties.language_model.dictionary_model import DictionaryModel
from tests.unit.properties.language_model.texts import column_of, texts, trained, zipf_text
from treegauge.properties import PropertyError
from treegauge.properties.errors import SmallCorpusWarning
from treegauge.properties.language_model import (
    FALLBACK_DISCOUNTS,
    PRESETS,
    train_language_model,
)
from treegauge.treebank import Column, Vocabulary

settings = st.fixed_dictionaries(
    {
        "order": st.integers(1, 5),
        "preset": st.sampled_from(sorted(PRESETS)),
        "minimum_word_count": st.integers(1, 3),
    }
)


def twin(sentences, order, preset="kenlm", minimum_word_count=1):
    ways = PRESETS[preset]
    return DictionaryModel(
        sentences,
        order,
        mass=ways.mass,
        minimum_count=ways.minimum_count,
        minimum_word_count=minimum_word_count,
    )


def slow_scores(slow, sentences):
    """Return the probability of every word and every end."""
    of_words, of_ends = [], []
    for sentence in sentences:
        words = ["<s>", *map(slow.known, sentence), "</s>"]
        found = [slow.probability(words[i], words[:i]) for i in range(1, len(words))]
        of_words += found[:-1]
        of_ends.append(found[-1])
    return of_words, of_ends


def test_bigrams_by_hand():
    # Bigrams: <s> a twice; a b, b </s>, a a, a </s> once. Words before a: <s> a; before b: a;
    # before </s>: a b. With discounts 0.5 and 1, of 5 counts 1 + 0.5 + 1 go to 4 words, </s> and
    # <unk> among them.
    model = trained([["a", "b"], ["a", "a"]], order=2)
    assert list(model.vocabulary) == ["<unk>", "<s>", "</s>", "a", "b"]
    assert model.distribution() == pytest.approx([0.125, 0, 0.325, 0.325, 0.225], abs=1e-15)
    # Behind <s>: (2 - 1) / 2 for a, and 1 / 2 of the above.
    assert model.distribution(["<s>"])[3:] == pytest.approx([0.6625, 0.1125], abs=1e-15)
    # Behind a: (1 - 0.5) / 3 for each of three, and 1 / 2 of the above.
    shares = [0.0625, 0, 1 / 6 + 0.1625, 1 / 6 + 0.1625, 1 / 6 + 0.1125]
    assert model.distribution(["a"]) == pytest.approx(shares, abs=1e-15)
    # c is unknown, and the end behind it is as likely as anywhere.
    scored = model.score(*column_of([["a", "b", "c"]]))
    assert 10**scored.log10 == pytest.approx([0.6625, shares[4], 0.0625], abs=1e-15)
    assert 10**scored.end_log10 == pytest.approx([0.325], abs=1e-15)
    assert scored.is_unknown.tolist() == [False, False, True]


def test_a_closed_vocabulary_by_hand():
    # b and c occur once and become <unk>: unigrams a 2, <unk> 2, </s> 2 of 6.
    model = trained([["a", "b"], ["a", "c"]], order=1, minimum_word_count=2)
    assert list(model.vocabulary) == ["<unk>", "<s>", "</s>", "a"]
    assert model.distribution() == pytest.approx([1 / 3, 0, 1 / 3, 1 / 3], abs=1e-15)
    scored = model.score(*column_of([["b", "never-seen"]]))
    assert 10**scored.log10 == pytest.approx([1 / 3, 1 / 3], abs=1e-15)
    assert scored.is_unknown.all()


@examples(120)
@given(train=texts(), test=texts(minimum=0), chosen=settings)
def test_the_slow_twin_agrees(train, test, chosen):
    slow = twin(train, **chosen)
    model = trained(train, **chosen)
    assert np.ravel(model.estimation.discounts) == pytest.approx(
        np.ravel(list(slow.discounts.values())), abs=1e-12
    )
    assert model.estimation.fallback_orders == tuple(slow.fallback_orders)
    scored = model.score(*column_of(test))
    of_words, of_ends = slow_scores(slow, test)
    assert 10**scored.log10 == pytest.approx(of_words, rel=1e-9, abs=1e-12)
    assert 10**scored.end_log10 == pytest.approx(of_ends, rel=1e-9, abs=1e-12)
    assert scored.is_unknown.tolist() == [w not in slow.words for s in test for w in s]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("order", [2, 3, 5])
def test_the_slow_twin_agrees_where_discounts_are_estimated(order, preset):
    train, test = zipf_text(400, 60, seed=1), zipf_text(30, 90, seed=2)
    model = train_language_model(*column_of(train), order=order, preset=preset)
    assert model.estimation.fallback_orders == ()
    assert not any(row == FALLBACK_DISCOUNTS for row in model.estimation.discounts)
    scored = model.score(*column_of(test))
    of_words, of_ends = slow_scores(twin(train, order, preset), test)
    assert 10**scored.log10 == pytest.approx(of_words, rel=1e-9)
    assert 10**scored.end_log10 == pytest.approx(of_ends, rel=1e-9)
    assert scored.is_unknown.any()


@examples(80)
@given(
    train=texts(),
    chosen=settings,
    history=st.lists(st.sampled_from("abcdefghijk"), max_size=5),
    begins=st.booleans(),
)
def test_probabilities_sum_to_one(train, chosen, history, begins):
    model = trained(train, **chosen)
    distribution = model.distribution(["<s>", *history] if begins else history)
    assert distribution.sum() == pytest.approx(1, abs=1e-9)
    assert distribution.min() >= 0


def test_probabilities_sum_to_one_behind_all_that_was_seen():
    train = zipf_text(300, 40, seed=3)
    for preset in PRESETS:
        model = trained(train, preset=preset)
        for sentence in train[:60]:
            for i in range(len(sentence)):
                history = ["<s>", *sentence][max(i - 1, 0) : i + 1]
                assert model.distribution(history).sum() == pytest.approx(1, abs=1e-9)


@examples(40)
@given(train=texts(), test=texts(), order=st.integers(1, 5), random=st.randoms())
def test_numbers_of_words_do_not_matter(train, test, order, random):
    column, offsets = column_of(train)
    names = list(column.vocabulary)
    random.shuffle(names)
    other = Vocabulary.from_strings(["not-used", *names])
    codes = np.array([other.code(word) for word in column], np.int32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallCorpusWarning)  # most of these texts are
        one = train_language_model(column, offsets, order=order)
        two = train_language_model(Column(codes, other), offsets, order=order)
    assert one.trie.sizes == two.trie.sizes
    text = column_of(test)
    assert one.score(*text).log10 == pytest.approx(two.score(*text).log10, abs=1e-12)


@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("sentences", [[[]], [["a"]], [["a"], []], [["a"] * 9]])
def test_tiny_texts_fall_back_with_a_warning(sentences, order):
    with pytest.warns(SmallCorpusWarning, match=r"order 1 \(no n-gram has a count of .*0\.5, 1, 1"):
        model = train_language_model(*column_of(sentences), order=order)
    assert model.estimation.discounts[0] == FALLBACK_DISCOUNTS
    assert 1 in model.estimation.fallback_orders
    for history in ([], ["<s>"], ["<s>", "a"], ["a", "a"], ["never-seen"]):
        assert model.distribution(history).sum() == pytest.approx(1, abs=1e-12)
    # Orders that no sentence is long enough for are not complained about.
    longest = max(map(len, sentences)) + 2
    assert all(k <= longest for k in model.estimation.fallback_orders)


def test_a_die_has_as_many_sides_as_it_has():
    generator = np.random.default_rng(4)
    rolls = [[f"{roll}" for roll in row] for row in generator.integers(0, 6, (600, 50))]
    model = trained(rolls[:500])
    # 50 rolls, then a seventh event whose place the model does not know: 6 sides and a bit.
    assert 6 < model.score(*column_of(rolls[500:])).perplexity("srilm") < 6.9


def test_a_constant_text_surprises_nobody():
    model = trained([["a", "b", "c"]] * 1000)
    assert model.score(*column_of([["a", "b", "c"]])).perplexity() < 1.01


def test_rare_trigrams_are_left_out_with_everything_else_in_place():
    train = zipf_text(300, 40, seed=5)
    whole = trained(train, preset="srilm-nocut")
    cut = trained(train, preset="srilm")
    assert whole.trie.sizes[:2] == cut.trie.sizes[:2]
    assert 0 < cut.trie.sizes[2] < whole.trie.sizes[2]


def test_words_are_spelled_alike_in_training_and_scoring():
    model = trained([["10 000", "", "x"], ["10\u00a0000", "_", "x"]], order=2)
    assert list(model.vocabulary)[3:] == ["10\u00a0000", "_", "x"]
    assert not model.score(*column_of([["10 000", "10\u00a0000", "", "_"]])).is_unknown.any()


def test_unknown_words_that_a_text_marks_are_unknown_words():
    model = trained([["a", "<unk>", "a", "<unk>"]], order=2)
    assert list(model.vocabulary) == ["<unk>", "<s>", "</s>", "a"]
    scored = model.score(*column_of([["a", "<unk>", "b"]]))
    assert scored.is_unknown.tolist() == [False, True, True]


def test_ends_of_sentences_are_no_words():
    model = trained([["a"]], order=2)
    assert model.score(*column_of([["<s>", "</s>"]])).is_unknown.all()
    with pytest.raises(PropertyError, match="the word </s>"):
        train_language_model(*column_of([["a", "</s>"]]))
    with pytest.raises(PropertyError, match="inside one sentence"):
        model.distribution(["a", "<s>"])


@pytest.mark.parametrize(
    ("offsets", "chosen", "message"),
    [
        ([0], {}, "at least one sentence"),
        ([], {}, "begin with 0"),
        ([0, 3], {}, "begin with 0 and end with that number"),
        ([0, 2], {"order": 0}, "1 to 5, not 0"),
        ([0, 2], {"order": 6}, "1 to 5, not 6"),
        ([0, 2], {"minimum_word_count": 0}, "minimum count 0"),
        ([0, 2], {"preset": "srlim"}, "did you mean srilm"),
        ([0, 2, 1, 2], {}, "never decrease"),
    ],
)
def test_what_cannot_be_learned_from(offsets, chosen, message):
    words = Column.from_strings(["a", "b"] if offsets != [0] else [])
    with pytest.raises(PropertyError, match=message):
        train_language_model(words, offsets, **chosen)
