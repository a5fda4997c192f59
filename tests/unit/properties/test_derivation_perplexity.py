"""Perplexities of treebanks: by hand, by a slow twin, and what are not available."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from tests.properties.treebank_strategies import trees
from tests.unit.properties.language_model.dictionary_model import DictionaryModel
from tests.unit.properties.test_attachment_order import post_order
from treegauge.properties import (
    DerivationModel,
    PerplexitySettings,
    PropertyError,
    cross_validated_perplexity,
    mean_increase,
    treebank_perplexity,
)
from treegauge.properties.attachment_order import (
    attachment_order,
    in_order,
    with_recorded_order,
)
from treegauge.properties.errors import SmallCorpusWarning
from treegauge.properties.language_model import PRESETS, train_language_model
from treegauge.transitions import TransitionError

pytestmark = pytest.mark.filterwarnings("ignore::treegauge.properties.errors.SmallCorpusWarning")


def bank(sentences: list[tuple[str, list[int]]]) -> tg.Treebank:
    words = [word for text, _ in sentences for word in text.split()]
    return tg.Treebank(
        {"form": tg.Column.from_strings(words), "upos": tg.Column.constant("X", len(words))},
        [head for _, heads in sentences for head in heads],
        offsets=np.cumsum([0, *(len(heads) for _, heads in sentences)]),
    )


# The b's head is behind it, the c's before it: derivations are b a, and c a.
TRAIN = bank([("b a", [2, 0]), ("b a", [2, 0]), ("a c", [0, 1])])
TEST = bank([("a c", [0, 1]), ("b d", [2, 0])])


def test_by_hand():
    # Unigrams, discounts 0.5 and 1 (no word is there three times): a 2, b 1, c 1, </s> 2 of 6;
    # what is discounted, (1 + 0.5 + 0.5 + 1) / 6 = 1/2, goes to the four of them and <unk>, a
    # tenth each.
    train = TRAIN[1:]
    found = treebank_perplexity(train, TEST, PerplexitySettings(order=1))
    a, b, c, end, unknown = 1 / 6 + 0.1, 0.5 / 6 + 0.1, 0.5 / 6 + 0.1, 1 / 6 + 0.1, 0.1
    whole = a * c * end * b * unknown * end
    # Order means nothing to unigrams.
    assert found.perplexity() == pytest.approx(whole ** (-1 / 6))
    assert found.derivation_perplexity() == pytest.approx(whole ** (-1 / 6))
    assert found.perplexity("kenlm-known") == pytest.approx((whole / unknown) ** (-1 / 5))
    assert found.perplexity("srilm-ppl1") == pytest.approx((whole / unknown) ** (-1 / 3))
    assert found.increase() == pytest.approx(0)
    assert found.unknown_rate == 0.25
    assert found.fallback_orders == (1,)


def slow_perplexity(train: list[list[str]], test: list[list[str]], settings) -> float:
    model = DictionaryModel(
        train,
        settings.order,
        mass=PRESETS[settings.preset].mass,
        minimum_count=PRESETS[settings.preset].minimum_count,
        minimum_word_count=settings.minimum_count,
    )
    bits, events = 0.0, 0
    for sentence in test:
        words = ["<s>", *map(model.known, sentence), "</s>"]
        for i in range(1, len(words)):
            bits -= math.log2(model.probability(words[i], words[:i]))
            events += 1
    return 2 ** (bits / events)


def in_post_order(sentences: list[tuple[str, list[int]]]) -> list[list[str]]:
    return [[text.split()[i - 1] for i in post_order(heads)] for text, heads in sentences]


PROJECTIVE = [
    ("a b c d", [2, 0, 2, 3]),
    ("b a d", [2, 3, 0]),
    ("c a b", [0, 1, 2]),
    ("a a b c", [3, 3, 0, 3]),
    ("d b", [0, 1]),
    ("a b c", [2, 3, 0]),
]


@pytest.mark.parametrize("text", ["kenlm", "kenlm,order=2", "kenlm,order=5,closed"])
def test_a_slow_twin_agrees(text):
    settings = PerplexitySettings.parse(text)
    train, test = PROJECTIVE[:4], PROJECTIVE[4:]
    found = treebank_perplexity(bank(train), bank(test), settings)
    strings = [[text.split() for text, _ in part] for part in (train, test)]
    assert found.perplexity() == pytest.approx(slow_perplexity(*strings, settings))
    orders = [in_post_order(part) for part in (train, test)]
    assert found.derivation_perplexity() == pytest.approx(slow_perplexity(*orders, settings))


@given(st.lists(trees(), min_size=2, max_size=6), st.sampled_from(["swap-lazy", "covington"]))
@examples(40)
def test_derivation_perplexity_is_string_perplexity_of_the_derived_text(sentences, system):
    texts = [
        " ".join("abcd"[(7 * s + i * i) % 4] for i in range(len(heads)))
        for s, heads in enumerate(sentences)
    ]
    treebank = bank(list(zip(texts, sentences, strict=True)))
    train, test = treebank[: len(sentences) - 1], treebank[len(sentences) - 1 :]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallCorpusWarning)
        found = treebank_perplexity(train, test, PerplexitySettings(system=system))
        derived = [
            part.replace(
                columns={"form": in_order(part.form, part, attachment_order(part, system))}
            )
            for part in (train, test)
        ]
        again = treebank_perplexity(*derived, PerplexitySettings(system=system))
    assert found.derivation_perplexity() == again.perplexity()
    assert found.derivation.unknown_rate == found.string.unknown_rate


def test_cross_validation_scores_every_sentence_by_the_others():
    treebank = bank(PROJECTIVE)
    found = cross_validated_perplexity(treebank, folds=3)
    assert found.folds == 3
    log10 = 0.0
    for first in (0, 2, 4):
        rest = [s for i, s in enumerate(PROJECTIVE) if not first <= i < first + 2]
        one = treebank_perplexity(bank(rest), bank(PROJECTIVE[first : first + 2]))
        log10 += one.string.log10_perplexity() * (len(one.string.log10) + len(one.string.end_log10))
    events = treebank.n_words + treebank.n_sentences
    assert found.perplexity() == pytest.approx(10 ** (log10 / events))
    # One a sentence at the most.
    assert cross_validated_perplexity(treebank).folds == 6


def test_own_orders_are_those_in_the_file():
    recorded = with_recorded_order(TEST, np.array([1, 2, 2, 1], np.int32))
    own = PerplexitySettings(mode="own")
    model = DerivationModel(TRAIN, own)
    plain = train_language_model(
        in_order(TRAIN.form, TRAIN, attachment_order(TRAIN)), TRAIN.offsets
    )
    expected = plain.score(tg.Column.from_strings(["a", "c", "d", "b"]), [0, 2, 4])
    assert model.score(recorded).log10.tolist() == expected.log10.tolist()
    assert model.score(recorded, mode="canonical").perplexity() == pytest.approx(
        treebank_perplexity(TRAIN, TEST).derivation_perplexity()
    )
    with pytest.raises(PropertyError, match="AttachedAs in MISC; 2 of 2 sentences lack it"):
        model.score(TEST)


def test_presets_have_the_conventions_of_their_toolkits():
    found = treebank_perplexity(TRAIN, TEST, PerplexitySettings.parse("srilm"))
    assert found.settings.convention == "srilm"
    assert found.perplexity() == found.string.perplexity("srilm")
    assert math.isinf(found.perplexity("kenlm"))
    document = found.to_dict()
    assert document["string"]["kenlm"] is None  # JSON has no infinity
    assert document["string"]["srilm"] == found.perplexity()
    assert set(document["string"]) == {"kenlm", "kenlm-known", "srilm", "srilm-ppl1"}


def test_the_published_increase_of_one_group():
    # Søgaard and Haulrich (2010): 292.5 and 532.8 on average, an increase of 82.2 %.
    assert round(100 * mean_increase([292.5], [532.8]).ratio_of_means, 1) == 82.2
    with pytest.raises(PropertyError, match="found 0 and 0"):
        mean_increase([], [])
    with pytest.raises(PropertyError, match="found 1 and 2"):
        mean_increase([1], [1, 2])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kenml", "unknown preset 'kenml'; did you mean kenlm"),
        ("kenlm,order=6", "perplexity: setting order: expected at most 5, found 6"),
        ("kenlm,order=x", "order: expected a whole number, found 'x'"),
        ("kenlm,minimum_count=0", "minimum_count: expected at least 1, found 0"),
        ("kenlm,field=word", "field: expected one of form, .*, found 'word'"),
        ("kenlm,mode=mine", "mode: expected one of canonical, own, found 'mine'"),
        ("kenlm,open", "unknown setting 'open'\\n  perplexity has closed, order"),
        ("kenlm,preset=srilm", "unknown setting 'preset'"),
    ],
)
def test_settings_that_do_not_exist(text, message):
    with pytest.raises(PropertyError, match=message):
        PerplexitySettings.parse(text)


def test_names_of_settings():
    assert PerplexitySettings().name == "default"
    settings = PerplexitySettings.parse("srilm,order=2,closed,system=covington")
    assert settings.name == "order=2,preset=srilm,minimum_count=2,system=covington"
    assert PerplexitySettings.parse(f"srilm,{'order=2,closed,system=covington'}") == settings
    with pytest.raises(TransitionError, match="unknown transition system 'swap'"):
        PerplexitySettings(system="swap")


def test_what_has_no_perplexity():
    without = TRAIN.replace(head=[-1] * TRAIN.n_words)
    only_strings = treebank_perplexity(without, without)
    assert only_strings.derivation is None
    assert (only_strings.derivation_perplexity(), only_strings.increase()) == (None, None)
    assert only_strings.to_dict()["derivation"] is None
    with pytest.raises(tg.TreebankError, match="3 of 3 are not"):
        treebank_perplexity(TRAIN, without)
    with pytest.raises(PropertyError, match="treebank without sentences"):
        treebank_perplexity(TRAIN, TEST[:0])
    with pytest.raises(PropertyError, match="at least one sentence to learn from"):
        treebank_perplexity(TRAIN[:0], TEST)
    with pytest.raises(PropertyError, match="found 1 and 10"):
        cross_validated_perplexity(TRAIN[:1])
