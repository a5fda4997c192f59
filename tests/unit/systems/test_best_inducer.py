"""Which inducer a text is given to, and how it reads the text."""

from __future__ import annotations

import pytest

import treegauge as tg
from treegauge.systems import SystemsError, make_system
from treegauge.systems.best_inducer import (
    SYSTEMS,
    choose_inducer,
    loaded_inducer,
    words_ending_in_punctuation,
)
from treegauge.systems.registry import systems


def slashed(text):
    return tg.parse(text, format="slashed")


def conllu(*rows):
    """Return sentences of words with UPOS and XPOS."""
    lines = [
        f"{i}\t{form}\t_\t{upos}\t{xpos}\t_\t_\t_\t_\t_"
        for i, (form, upos, xpos) in enumerate(rows, start=1)
    ]
    return tg.parse("\n".join(lines) + "\n\n")


TAGGED = slashed("Ann/PROPN sings/VERB ./PUNCT\n")
SYMBOLS = slashed("Ann/N1 sings/V1 ,/Z\n")
WORDS = tg.parse("Ann sings .\n", format="tokens")


def test_there_is_an_inducer_for_every_kind_of_tags():
    assert set(SYSTEMS.values()) <= set(systems())


@pytest.mark.parametrize(
    ("text", "system", "column"),
    [
        (TAGGED, "universal-dmv", "upos"),
        (slashed("Ann/NOUN sings/VERB ./.\n"), "universal-dmv", "upos"),
        (SYMBOLS, "openclass-dmv", "xpos"),
        (conllu(("Ann", "N", "NNP"), ("sings", "V", "VBZ")), "openclass-dmv", "cpos"),
        (conllu(("Ann", "_", "NNP"), ("sings", "_", "VBZ")), "openclass-dmv", "xpos"),
        (conllu(("Ann", "_", "PROPN"), ("sings", "_", "VERB")), "universal-dmv", "xpos"),
        (conllu(("Ann", "n", "NOUN"), ("sings", "v", "VERB")), "universal-dmv", "xpos"),
        (WORDS, "frequent-leaves", ""),
        (slashed("Ann/X sings/X\n"), "frequent-leaves", ""),
    ],
)
def test_what_a_text_has_decides(text, system, column):
    chosen = choose_inducer(text)
    assert (chosen.system, chosen.column) == (system, column)
    assert chosen.make().name == system


def test_a_column_with_tags_for_some_words_only_is_not_read():
    rows = [("a", "NOUN", "_"), ("b", "VERB", "_"), *[("c", "_", "_")] * 8]
    chosen = choose_inducer(conllu(*rows))
    assert chosen.system == "frequent-leaves"
    assert "2 of 10 words" in chosen.reason


def test_only_what_both_texts_have_counts():
    assert choose_inducer(TAGGED, WORDS).system == "frequent-leaves"
    assert choose_inducer(TAGGED, SYMBOLS).system == "frequent-leaves"
    other = TAGGED.replace(columns={"upos": SYMBOLS.xpos})
    assert choose_inducer(TAGGED, other).system == "openclass-dmv"
    assert choose_inducer(TAGGED, TAGGED).system == "universal-dmv"


def test_unicode_says_what_punctuation_is_where_no_universal_tag_does():
    assert choose_inducer(WORDS).prepared(WORDS).punctuation.tolist() == [False, False, True]
    assert choose_inducer(SYMBOLS).prepared(SYMBOLS).punctuation.tolist() == [False, False, True]
    odd = slashed("Ann/PROPN %/PUNCT sings/VERB ,/SYM\n")
    assert choose_inducer(odd).prepared(odd).punctuation.tolist() == [False, True, False, False]


def test_tags_of_few_words_do_not_decide_what_punctuation_is():
    rows = [("a", "NOUN", "_"), ("b", "PUNCT", "_"), *[("c", "_", "_")] * 17, (".", "_", "_")]
    text = conllu(*rows)
    assert choose_inducer(text).prepared(text).punctuation.tolist() == [False] * 19 + [True]


def test_settings_go_to_the_system_and_tags_are_chosen():
    assert choose_inducer(TAGGED).make({"iterations": 3}, seed=4).settings.iterations == 3
    assert choose_inducer(TAGGED).make(seed=4).seed == 4
    with pytest.raises(SystemsError, match="best chooses the tags itself"):
        choose_inducer(TAGGED).make({"tags": "p"})
    with pytest.raises(SystemsError, match="marked_tagz"):
        choose_inducer(TAGGED).make({"marked_tagz": "true"})


@pytest.mark.parametrize("text", [". . .\n", "... !\n"])
def test_a_text_of_punctuation_alone_is_refused(text):
    with pytest.raises(SystemsError, match="nothing to learn from but punctuation"):
        choose_inducer(tg.parse(text, format="tokens"))


def test_a_text_without_words_is_refused():
    with pytest.raises(SystemsError, match="no words"):
        choose_inducer(TAGGED[:0])


def test_a_model_says_how_a_text_is_read():
    chosen = loaded_inducer(make_system("openclass-dmv", {"tags": "p"}), "my.model")
    assert (chosen.kind, chosen.column) == ("other", "xpos")
    assert loaded_inducer(make_system("frequent-leaves"), "my.model").kind == "none"
    with pytest.raises(SystemsError, match=r"my.model: this is a model of dmv; best takes univ"):
        loaded_inducer(make_system("dmv"), "my.model")


def test_punctuation_that_was_not_divided_from_words_is_counted():
    assert words_ending_in_punctuation(tg.parse("Ann sings.\nBo sings!\n", format="tokens")) == 2
    assert words_ending_in_punctuation(WORDS) == 0
