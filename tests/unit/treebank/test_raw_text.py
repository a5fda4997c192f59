"""The running text of treebanks, and text put together from words."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from treegauge.toys import toy_treebank
from treegauge.treebank import (
    comments_of,
    generator_of,
    paragraphs_of,
    sentence_texts,
    with_comments,
    with_generator,
)

TEXT = """\
# newdoc id = d1
# sent_id = a
# text = Elle vient du parc.
1\tElle\t_\t_\t_\t_\t_\t_\t_\t_
2\tvient\t_\t_\t_\t_\t_\t_\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\t_\t_\t_\t_\t_\t_\t_\t_
4\tle\t_\t_\t_\t_\t_\t_\t_\t_
5\tparc\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
6\t.\t_\t_\t_\t_\t_\t_\t_\t_

# sent_id = b
# text = Oui,
1\tOui\t_\t_\t_\t_\t_\t_\t_\tLang=fr|SpaceAfter=No
2\t,\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No

# sent_id = c
# text = aux 10 000.
1-2\taux\t_\t_\t_\t_\t_\t_\t_\t_
1\tà\t_\t_\t_\t_\t_\t_\t_\t_
2\tles\t_\t_\t_\t_\t_\t_\t_\t_
3\t10 000\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
4\t.\t_\t_\t_\t_\t_\t_\t_\t_

# newpar
# sent_id = d
# text = Non
1\tNon\t_\t_\t_\t_\t_\t_\t_\t_

"""


def test_sentences_are_joined_as_they_stood() -> None:
    assert paragraphs_of(tg.parse(TEXT)) == ["Elle vient du parc. Oui,aux 10 000.", "Non"]


def test_texts_are_put_together_from_tokens() -> None:
    expected = ["Elle vient du parc.", "Oui,", "aux 10 000.", "Non"]
    assert sentence_texts(tg.parse(TEXT)) == expected


def test_a_sentence_without_text_is_refused_and_named() -> None:
    text = TEXT.replace("# text = Oui,\n", "").replace("# text = Non\n", "")
    with pytest.raises(tg.TreebankError, match=r"sentence 2 \(b\) has no # text \(2 sent") as no:
        paragraphs_of(tg.parse(text, name="gold"))
    assert "--pretokenised" in str(no.value)


def test_a_text_that_does_not_fit_its_words_is_refused_and_named() -> None:
    text = TEXT.replace("# text = Oui,", "# text = Oui.")
    with pytest.raises(tg.TreebankError, match=r"the # text of sentence 2 \(b\) has other char"):
        paragraphs_of(tg.parse(text))


@examples(5)
@given(st.integers(0, 40))
def test_the_text_of_toys_is_that_of_their_words(begin: int) -> None:
    treebank = toy_treebank("toy:svo", tokens=800)[begin : begin + 8]
    assert paragraphs_of(treebank) == [" ".join(sentence_texts(treebank))]


def test_comments_come_back_and_others_replace_them() -> None:
    treebank = tg.parse(TEXT)
    assert with_comments(treebank, comments_of(treebank)) == treebank
    other = with_comments(treebank, [["x = 1"], [], ["y", "z"], []])
    assert tg.to_text(other).count("#") == 3
    assert "3-4\tdu" in tg.to_text(other)


def test_the_generator_is_said_once_by_the_first_sentence() -> None:
    treebank = tg.parse(TEXT)
    assert generator_of(treebank) == ""
    signed = with_generator(with_generator(treebank, "one 1"), "two 2")
    assert generator_of(signed) == "two 2"
    assert tg.to_text(signed) == f"# generator = two 2\n{TEXT}"
    assert generator_of(signed[:0]) == ""
