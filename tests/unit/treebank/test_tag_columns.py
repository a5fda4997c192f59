from __future__ import annotations

import pytest

from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.formats import parse
from treegauge.treebank import (
    PETROV_TAGS,
    UD_TAGS,
    UD_TO_PETROV,
    Column,
    Treebank,
    TreebankError,
    tag_column,
    to_petrov,
)


@pytest.fixture
def tagged() -> Treebank:
    """The challenge's nine columns: coarse, fine and universal tags."""
    return treebank(
        """
        1 birds _ N N-pl-nom NOUN _ 2 subj
        2 sing  _ V V-pl-3   VERB _ 0 root
        """,
        format="pascal",
    )


def without(treebank: Treebank, *columns: str) -> Treebank:
    blank = Column.constant("_", treebank.n_words)
    return treebank.replace(columns=dict.fromkeys(columns, blank))


def answer(treebank: Treebank, which: str) -> tuple[str, list[str]]:
    found = tag_column(treebank, which)
    assert found.name == which
    assert list(treebank.tags(which)) == list(found.column)
    return found.source, list(found.column)


def test_every_column_by_its_name(tagged: Treebank) -> None:
    assert answer(tagged, "u") == ("upos", ["NOUN", "VERB"])
    assert answer(tagged, "u12") == ("upos", ["NOUN", "VERB"])
    assert answer(tagged, "c") == ("cpos", ["N", "V"])
    assert answer(tagged, "p") == ("xpos", ["N-pl-nom", "V-pl-3"])


def test_cut_to_the_first_characters(tagged: Treebank) -> None:
    assert answer(tagged, "p:1") == ("xpos", ["N", "V"])
    assert answer(tagged, "p:4") == ("xpos", ["N-pl", "V-pl"])
    assert answer(tagged, "p:99") == ("xpos", ["N-pl-nom", "V-pl-3"])
    assert answer(tagged, "u:2") == ("upos", ["NO", "VE"])
    assert answer(tagged, "c:1") == ("cpos", ["N", "V"])
    assert answer(tagged, "u12:1") == ("upos", ["N", "V"])


def test_tags_that_are_equal_when_cut_have_one_code(tagged: Treebank) -> None:
    cut = tag_column(sentences("a/Xa b/Xb"), "u:1").column
    assert cut.codes.tolist() == [0, 0]


def test_characters_are_not_bytes() -> None:
    assert list(tag_column(sentences("a/éàb"), "u:2").column) == ["éà"]


def test_fine_tags_fall_back_to_coarse_to_universal(tagged: Treebank) -> None:
    assert answer(without(tagged, "xpos"), "p") == ("cpos", ["N", "V"])
    assert answer(without(tagged, "xpos"), "p:1") == ("cpos", ["N", "V"])
    assert answer(without(tagged, "xpos", "cpos"), "p") == ("upos", ["NOUN", "VERB"])
    assert answer(without(tagged, "cpos"), "c") == ("upos", ["NOUN", "VERB"])


def test_a_column_with_one_tag_does_not_fall_back(tagged: Treebank) -> None:
    half = tagged.replace(columns={"xpos": Column.from_strings(["_", "V-pl-3"])})
    assert answer(half, "p") == ("xpos", ["_", "V-pl-3"])


@pytest.mark.parametrize("which", ["u", "u12"])
def test_universal_tags_do_not_fall_back(tagged: Treebank, which: str) -> None:
    bare = without(tagged, "upos")
    with pytest.raises(TreebankError, match=f"the treebank has no tags for '{which}': UPOS"):
        tag_column(bare, which)


def test_coarse_tags_do_not_fall_back_to_fine_ones(tagged: Treebank) -> None:
    with pytest.raises(TreebankError, match="no tags for 'c': CPOS, UPOS are empty"):
        tag_column(without(tagged, "upos", "cpos"), "c")


def test_no_tags_at_all_names_the_treebank(tagged: Treebank) -> None:
    bare = without(tagged, "upos", "cpos", "xpos").replace(name="birds")
    with pytest.raises(TreebankError, match="birds has no tags for 'p': XPOS, CPOS, UPOS"):
        tag_column(bare, "p")


@pytest.mark.parametrize("wrong", ["", "U", "u17", "upos", "p:", "p:0", "p:-1", "p:x", "p:2:2"])
def test_unknown_names(tagged: Treebank, wrong: str) -> None:
    with pytest.raises(TreebankError, match=f"unknown tag column '{wrong}'.*\n  there are u, u12"):
        tag_column(tagged, wrong)


# ---------------------------------------------------------------------- the 12 universal tags

UD_17 = [
    "ADJ",
    "ADP",
    "ADV",
    "AUX",
    "CCONJ",
    "DET",
    "INTJ",
    "NOUN",
    "NUM",
    "PART",
    "PRON",
    "PROPN",
    "PUNCT",
    "SCONJ",
    "SYM",
    "VERB",
    "X",
]


def test_the_map_is_complete() -> None:
    assert len(UD_17) == 17
    # CONJ is of UD version 1.
    assert set(UD_TO_PETROV) == UD_TAGS == {*UD_17, "CONJ"}
    assert set(UD_TO_PETROV.values()) == PETROV_TAGS
    assert len(PETROV_TAGS) == 12


def test_the_map_is_the_one_of_the_design() -> None:
    changed = {
        "PROPN": "NOUN",
        "AUX": "VERB",
        "CCONJ": "CONJ",
        "SCONJ": "CONJ",
        "PART": "PRT",
        "INTJ": "X",
        "SYM": "X",
        "PUNCT": ".",
    }
    assert {tag: changed.get(tag, tag) for tag in [*UD_17, "CONJ"]} == UD_TO_PETROV


def test_universal_tags_among_the_12() -> None:
    parsed = parse("Ann/PROPN has/AUX n't/PART sung/VERB ./PUNCT\n")
    assert answer(parsed, "u12") == ("upos", ["NOUN", "VERB", "PRT", "VERB", "."])
    assert answer(parsed, "u")[1] == ["PROPN", "AUX", "PART", "VERB", "PUNCT"]


def test_files_with_the_12_stay_as_they_are() -> None:
    twelve = sentences(*(f"word/{tag}" for tag in sorted(PETROV_TAGS)))
    assert answer(twelve, "u12") == ("upos", sorted(PETROV_TAGS))
    assert to_petrov(to_petrov(twelve.upos)) == twelve.upos


def test_words_without_a_tag_stay_without() -> None:
    assert list(to_petrov(Column.from_strings(["PROPN", "_", ""]))) == ["NOUN", "_", ""]


def test_unknown_tags_are_named() -> None:
    odd = sentences("a/NOUN b/ZORP c/ZORP d/BLIP")
    with pytest.raises(TreebankError, match="no universal tag among the 12 for ZORP, BLIP\n"):
        tag_column(odd, "u12")


def test_tags_that_no_word_has_are_not_complained_of() -> None:
    odd = sentences("a/ZORP", "b/NOUN")
    assert list(tag_column(odd[1:], "u12").column) == ["NOUN"]


def test_at_most_ten_unknown_tags_are_named() -> None:
    odd = Column.from_strings([f"T{i}" for i in range(12)])
    with pytest.raises(TreebankError) as caught:
        to_petrov(odd)
    assert "T9" in str(caught.value)
    assert "T10" not in str(caught.value)
