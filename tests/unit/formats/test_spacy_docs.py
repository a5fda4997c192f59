"""Treebanks from real spaCy documents; no model is needed to make them."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import spacy
from spacy.attrs import SENT_START
from spacy.tokens import Doc
from spacy.vocab import Vocab

import treegauge as tg


def document(words: list[str], **annotation) -> Doc:
    return Doc(Vocab(), words=words, **annotation)


@pytest.fixture
def birds() -> Doc:
    return document(
        ["Birds", "sing", ".", "They", "ca", "n't", "fly"],
        spaces=[True, False, True, True, False, True, False],
        lemmas=["bird", "sing", ".", "they", "can", "not", "fly"],
        pos=["NOUN", "VERB", "PUNCT", "PRON", "AUX", "PART", "VERB"],
        tags=["NNS", "VBP", ".", "PRP", "MD", "RB", "VB"],
        morphs=["Number=Plur", "", "", "Case=Nom|Number=Plur", "", "", ""],
        heads=[1, 1, 1, 6, 6, 6, 6],
        deps=["nsubj", "ROOT", "punct", "nsubj", "aux", "neg", "ROOT"],
    )


EXPECTED = """\
1\tBirds\tbird\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_
2\tsing\tsing\tVERB\tVBP\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

1\tThey\tthey\tPRON\tPRP\tCase=Nom|Number=Plur\t4\tnsubj\t_\t_
2\tca\tcan\tAUX\tMD\t_\t4\taux\t_\tSpaceAfter=No
3\tn't\tnot\tPART\tRB\t_\t4\tneg\t_\t_
4\tfly\tfly\tVERB\tVB\t_\t0\troot\t_\t_

"""


def test_everything_that_spacy_annotates_has_its_column(birds) -> None:
    assert tg.to_text(tg.from_spacy(birds)) == EXPECTED


def test_several_documents_one_behind_the_other(birds) -> None:
    other = document(["Yes"], heads=[0], deps=["ROOT"])
    treebank = tg.from_spacy((doc for doc in (birds, other)), name="both")
    assert treebank.name == "both"
    assert [str(sentence) for sentence in treebank][2] == "Yes"
    assert tg.from_spacy([birds, birds]) == tg.concatenate([tg.from_spacy(birds)] * 2)
    assert tg.from_spacy([]).n_sentences == 0


def test_a_pipeline_of_spacy_itself() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    treebank = tg.from_spacy(nlp.pipe(["Birds sing. Dogs don't.", "Oh!"]))
    assert [[word.form for word in sentence] for sentence in treebank] == [
        ["Birds", "sing", "."],
        ["Dogs", "do", "n't", "."],
        ["Oh", "!"],
    ]
    assert not treebank.has_heads
    assert list(treebank.columns["misc"]).count("SpaceAfter=No") == 4


def test_a_document_without_boundaries_is_one_sentence() -> None:
    treebank = tg.from_spacy(document(["birds", "sing"]))
    assert treebank.n_sentences == 1
    assert treebank.head.tolist() == [-1, -1]
    assert list(treebank.deprel) == ["_", "_"]


def test_white_space_is_left_out_and_what_hangs_on_it_goes_up() -> None:
    doc = document(
        ["\n", "birds", "  ", "softly", "sing", "\n\n"],
        spaces=[False, True, False, True, False, False],
        pos=["SPACE", "NOUN", "SPACE", "ADV", "VERB", "SPACE"],
        heads=[1, 4, 4, 2, 4, 4],  # softly hangs on white space, which hangs on sing
        deps=["dep", "nsubj", "dep", "advmod", "ROOT", "dep"],
    )
    treebank = tg.from_spacy(doc)
    assert list(treebank.form) == ["birds", "softly", "sing"]
    assert treebank.head.tolist() == [3, 3, 0]
    assert list(treebank.deprel) == ["nsubj", "advmod", "root"]
    assert list(treebank.columns["misc"]) == ["_", "_", "_"]  # white space followed them all
    assert treebank.original_lengths.tolist() == [3]


def test_words_below_white_space_that_is_the_root_become_roots() -> None:
    doc = document(["birds", "\n", "sing"], heads=[1, 1, 0], deps=["dep", "ROOT", "dep"])
    treebank = tg.from_spacy(doc)
    assert treebank.head.tolist() == [0, 1]
    assert list(treebank.deprel) == ["root", "dep"]


def test_a_sentence_of_white_space_is_none() -> None:
    doc = document(["a", "\n", "b"], sent_starts=[True, True, True])
    assert [str(sentence) for sentence in tg.from_spacy(doc)] == ["a", "b"]


def test_tabs_and_line_ends_inside_words_are_spaces() -> None:
    treebank = tg.from_spacy(document(["New\tYork\nCity", "New York"]))
    assert list(treebank.form) == ["New York City", "New York"]
    assert tg.parse(tg.to_text(treebank)).form == treebank.form


def test_a_head_in_another_sentence_is_refused() -> None:
    doc = document(["a", "b", "c", "d"], heads=[0, 0, 0, 2], deps=["ROOT", "x", "x", "x"])
    doc.from_array([SENT_START], np.array([[1], [0], [1], [0]], np.uint64))
    with pytest.raises(tg.FormatError, match=r"the head of 'c' \(token 2\) is 'a' \(token 0\)"):
        tg.from_spacy(doc)


@pytest.mark.parametrize(
    ("thing", "found"),
    [
        ("Birds sing.", "found str"),
        (b"Birds sing.", "found bytes"),
        (7, "found int"),
        (None, "found NoneType"),
        (["Birds sing."], "found str as number 1"),
    ],
)
def test_other_things_are_refused(thing, found) -> None:
    with pytest.raises(tg.FormatError, match=f"expected a spaCy Doc, or several of them, {found}"):
        tg.from_spacy(thing)


def test_spans_are_no_documents(birds) -> None:
    with pytest.raises(tg.FormatError, match="found Span as number 2"):
        tg.from_spacy([birds, birds[0:2]])
    with pytest.raises(tg.FormatError, match="found Token as number 1"):
        tg.from_spacy(birds[0:2])


def test_we_do_not_import_spacy() -> None:
    program = "import sys, treegauge; treegauge.from_spacy([]); print('spacy' in sys.modules)"
    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert finished.stdout == "False\n"
