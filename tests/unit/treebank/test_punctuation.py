from __future__ import annotations

import pytest

from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.formats import parse
from treegauge.treebank import is_punctuation_form, punctuation_mask


def test_by_universal_tag() -> None:
    # The tag decides, not the form: a currency sign marked as punctuation is, a full stop
    # marked as a symbol is not.
    ud = sentences("oh/INTJ $/PUNCT ./SYM")
    assert punctuation_mask(ud).tolist() == [False, True, False]
    twelve = sentences("oh/X $/. ,/X")
    assert punctuation_mask(twelve).tolist() == [False, True, False]


def test_by_form_without_universal_tags() -> None:
    fine = treebank("1 oh _ UH UH _ 0 x _ _\n2 ... _ : : _ 1 x _ _", format="conllx")
    assert punctuation_mask(fine).tolist() == [False, True]


def test_the_mask_of_a_blind_copy_wins() -> None:
    blind = sentences("oh/INTJ $/PUNCT ./SYM").blind(tags=True)
    assert punctuation_mask(blind).tolist() == [False, True, False]


def test_a_new_tag_does_not_change_the_mask_of_a_blind_copy() -> None:
    blind = parse("oh/INTJ !/PUNCT\n").blind(tags=True)
    clustered = blind.replace(columns={"upos": blind.form.map(lambda _: "PUNCT")})
    assert punctuation_mask(clustered).tolist() == [False, True]


@pytest.mark.parametrize("form", [".", "...", "«", "、", "?!", "``", "''", "-LRB-", "_", "#"])
def test_forms_that_are_punctuation(form: str) -> None:
    assert is_punctuation_form(form)


@pytest.mark.parametrize("form", ["", "a", "a.", "$", "+", "-LRB", "3", " ", "🙂", "^"])
def test_forms_that_are_none(form: str) -> None:
    assert not is_punctuation_form(form)
