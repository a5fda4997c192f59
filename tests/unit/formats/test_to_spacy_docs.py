"""spaCy's documents from treebanks, and the way back."""

from __future__ import annotations

import pytest
import spacy
from hypothesis import given, strategies as st
from spacy import displacy

import treegauge as tg
from tests.examples import examples
from tests.unit.treebank.small_trees import conllu
from treegauge.toys import toy_treebank

TEXT = """\
# text = Elle vient du parc.
1\tElle\til\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tvient\tvenir\tVERB\tVB\tTense=Pres\t0\troot\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\t_\t_\t5\tcase\t_\t_
4\tle\tle\tODD\t_\t_\t5\tdet\t_\t_
5\tparc\tparc\tNOUN\t_\t_\t2\tobl\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

"""


def test_every_sentence_is_a_document() -> None:
    (doc,) = tg.to_spacy(tg.parse(TEXT))
    assert doc.text == "Elle vient de le parc. "
    assert [token.dep_ for token in doc] == ["nsubj", "ROOT", "case", "det", "obl", "punct"]
    assert [token.head.i for token in doc] == [1, 1, 4, 4, 1, 1]
    assert [token.pos_ for token in doc] == ["PRON", "VERB", "ADP", "", "NOUN", "PUNCT"]
    assert [token.lemma_ for token in doc][:2] == ["il", "venir"]
    assert doc[1].tag_ == "VB"
    assert str(doc[1].morph) == "Tense=Pres"
    page = displacy.render(doc, style="dep", jupyter=False)
    assert page.count('class="displacy-arc"') == 5


@examples(5)
@given(st.integers(0, 30))
def test_what_comes_back_is_what_went_in(begin) -> None:
    treebank = toy_treebank("toy:svo", tokens=600)[begin : begin + 10]
    back = tg.from_spacy(tg.to_spacy(treebank, vocab=spacy.blank("xx").vocab))
    assert back.form == treebank.form
    assert back.head.tolist() == treebank.head.tolist()
    for column in ("lemma", "upos", "xpos", "feats", "deprel", "misc"):
        assert list(back.columns[column]) == list(treebank.columns[column])


def test_a_text_without_heads_has_none_in_spacy() -> None:
    treebank = toy_treebank("toy:svo", tokens=100).blind(heads=True, tags=True)
    docs = tg.to_spacy(treebank)
    assert not any(doc.has_annotation("DEP") for doc in docs)
    assert sum(map(len, docs)) == treebank.n_words


def test_a_cycle_is_refused() -> None:
    with pytest.warns(tg.FormatWarning):
        treebank = tg.parse(conllu("1 a _ _ _ _ 2 x _ _\n2 b _ _ _ _ 1 x _ _\n"))
    with pytest.raises(tg.FormatError, match="sentence 1 has a cycle or a head outside"):
        tg.to_spacy(treebank)
