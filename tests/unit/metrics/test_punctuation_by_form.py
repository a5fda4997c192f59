"""Punctuation by form is what the scorer of CoNLL-X took for it, character by character."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.metrics.punctuation_by_perl import (
    is_punctuation_in_perl,
    needs_perl,
    unicode_version_of_perl,
)
from treegauge.treebank.punctuation import is_unicode_punctuation

pytestmark = needs_perl

forms = st.lists(
    st.text(
        st.one_of(st.sampled_from(".,-–«»$`+_%'¿a1"), st.characters(codec="utf-8")), max_size=4
    ).map(lambda form: form.replace("\n", "")),
    max_size=20,
)


def test_every_character() -> None:
    if unicode_version_of_perl() != unicodedata.unidata_version:
        pytest.skip("Perl and Python know different versions of Unicode")
    characters = [
        char
        for char in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(char) not in ("Cs", "Cn", "Co") and char != "\n"
    ]
    ours = [is_unicode_punctuation(char) for char in characters]
    assert sum(ours) > 700
    assert ours == is_punctuation_in_perl(characters)


@examples(10)
@given(forms)
def test_words_of_several_characters(words: list[str]) -> None:
    assigned = [word for word in words if all(unicodedata.category(c) != "Cn" for c in word)]
    assert [is_unicode_punctuation(word) for word in assigned] == is_punctuation_in_perl(assigned)
