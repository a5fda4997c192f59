from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from itertools import permutations

import numpy as np
import pytest

from treegauge.toys import (
    TOY_LANGUAGES,
    toy_dictionary,
    toy_language,
    toy_treebank,
    toy_word_list,
)
from treegauge.toys.concepts import OPEN_CLASSES
from treegauge.toys.errors import ToyError
from treegauge.toys.lexicon import lexicon

LANGUAGES = list(TOY_LANGUAGES)
CONTENT = {"NOUN", "PROPN", "VERB", "ADJ", "ADV"}


@cache
def dictionary_of(name: str) -> dict[str, tuple[str, ...]]:
    return toy_dictionary(name)


@cache
def seen_tags(name: str) -> dict[str, Counter[str]]:
    """Return how often every form has every tag in 100,000 words."""
    treebank = toy_treebank(name, tokens=100_000)
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    for form, tag in zip(treebank.form, treebank.upos, strict=True):
        seen[form][tag] += 1
    return seen


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_dictionary_covers_every_token(name: str) -> None:
    dictionary = dictionary_of(name)
    for form, tags in seen_tags(name).items():
        assert set(tags) <= set(dictionary[form])


AMBIGUOUS = {
    "toy:svo": {
        "kele": "DET PRON SCONJ",  # that
        "da": "DET PRON",  # the, her
        "ta": "ADP PART",  # to
        "pas": "ADP SCONJ",  # after
        "tenes": "AUX VERB",  # has
        "van": "ADV SCONJ",  # when
    },
    "toy:sov": {
        "ko": "DET PRON",  # this
        "ötü": "ADP SCONJ",  # for, because
        "aru": "ADV DET",  # quite, some
    },
    "toy:vso": {
        "an": "DET PART",  # the, is it that
        "go": "PART SCONJ",  # who, that
        "taré": "ADP SCONJ",  # after
        "ó": "ADP INTJ",  # from, oh
    },
    "toy:free": {
        "tojna": "DET PRON",  # that
        "po": "ADP SCONJ",  # after
        "da": "INTJ SCONJ",  # yes, that
        "imi": "AUX VERB",  # has
    },
}


@pytest.mark.parametrize("name", LANGUAGES)
def test_function_words_are_ambiguous(name: str) -> None:
    for form, tags in AMBIGUOUS[name].items():
        assert dictionary_of(name)[form] == tuple(tags.split())
        assert set(seen_tags(name)[form]) == set(tags.split())


@pytest.mark.parametrize("name", LANGUAGES)
def test_both_readings_of_frequent_forms_occur(name: str) -> None:
    dictionary = dictionary_of(name)
    seen = seen_tags(name)
    frequent = [f for f, tags in seen.items() if len(dictionary[f]) > 1 and tags.total() >= 100]
    # A command of three letters is rarer than the noun it looks like.
    frequent = [form for form in frequent if dictionary[form] != ("NOUN", "VERB")]
    assert len(frequent) >= 5
    for form in frequent:
        assert set(seen[form]) == set(dictionary[form])


@pytest.mark.parametrize("name", LANGUAGES)
def test_content_words_are_ambiguous_as_well(name: str) -> None:
    pairs = Counter(dictionary_of(name).values())
    assert pairs["NOUN", "VERB"] > 150
    really = [tags for tags in seen_tags(name).values() if {"NOUN", "VERB"} <= set(tags)]
    assert len(really) > 40


@pytest.mark.parametrize("name", LANGUAGES)
def test_between_a_tenth_and_a_quarter_of_the_text_is_ambiguous(name: str) -> None:
    dictionary = dictionary_of(name)
    words = Counter({form: tags.total() for form, tags in seen_tags(name).items()})
    ambiguous = sum(n for form, n in words.items() if len(dictionary[form]) > 1)
    assert 0.09 < ambiguous / words.total() < 0.25


@pytest.mark.parametrize("name", LANGUAGES)
def test_tags_of_a_form_are_sorted_and_distinct(name: str) -> None:
    for tags in dictionary_of(name).values():
        assert tags
        assert list(tags) == sorted(set(tags))


@pytest.mark.parametrize(("source", "target"), list(permutations(LANGUAGES, 2)))
def test_content_words_translate_one_to_one(source: str, target: str) -> None:
    lemmas = {
        name: {word.lemma for word in lexicon(toy_language(name)).lexemes if word.upos in CONTENT}
        for name in (source, target)
    }
    pairs = toy_word_list(source, target)
    content = pairs[: sum(words.size for words in OPEN_CLASSES.values())]
    forwards = dict(content)
    backwards = {there: here for here, there in content}
    assert len(forwards) == len(backwards) == len(content)
    assert set(forwards) <= lemmas[source]
    assert set(backwards) <= lemmas[target]
    assert set(pairs) == {(here, there) for there, here in toy_word_list(target, source)}


def test_translations_mean_the_same() -> None:
    """The tenth noun of one language is the tenth noun of the other."""
    here, there = (lexicon(toy_language(name)) for name in ("toy:svo", "toy:free"))
    pairs = dict(toy_word_list("toy:svo", "toy:free"))
    for rank in (0, 9, 2399):
        word = here.lexemes[here.first["noun"] + rank]
        translation = there.lexemes[there.first["noun"] + rank]
        assert word.concept == translation.concept
        assert pairs[word.lemma] == translation.lemma


def test_function_words_are_translated_where_both_languages_have_them() -> None:
    pairs = toy_word_list("toy:svo", "toy:sov")
    assert ("i", "va") in pairs  # and
    assert ("pas", "sono") in pairs  # after
    assert "de" not in {here for here, _ in pairs}  # toy:sov has no article
    assert len(pairs) == len(set(pairs))


def test_a_language_translates_into_itself() -> None:
    assert all(here == there for here, there in toy_word_list("toy:vso", "toy:vso"))


@pytest.mark.parametrize("name", LANGUAGES)
def test_words_follow_zipfs_law(name: str) -> None:
    counts = np.sort([tags.total() for tags in seen_tags(name).values()])[::-1]
    rank = np.arange(10, 2000)
    slope, _ = np.polyfit(np.log(rank), np.log(counts[rank - 1]), 1)
    assert -1.25 < slope < -0.85
    # And there is a long tail: many words are seen once.
    assert np.mean(counts == 1) > 0.2


@pytest.mark.parametrize("name", LANGUAGES)
def test_frequent_words_are_short(name: str) -> None:
    nouns = lexicon(toy_language(name)).lexemes[: OPEN_CLASSES["noun"].size]
    lengths = np.array([len(word.stem) for word in nouns])
    assert lengths[:20].mean() + 1 < lengths[50:300].mean() < lengths[1000:].mean()


@pytest.mark.parametrize("function", [toy_dictionary, lambda name: toy_word_list("toy:svo", name)])
def test_unknown_languages_are_told_from_known_ones(function) -> None:
    with pytest.raises(ToyError, match="did you mean toy:svo"):
        function("toy:svu")
