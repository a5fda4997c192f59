"""Treebanks from documents shaped as Stanza's; Stanza itself is not needed, nor imported."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import treegauge as tg
from tests.stand_in_stanza import StandInDocument, StandInSentence, StandInToken, StandInWord


def word(id: int, text: str, *values) -> StandInWord:
    return StandInWord(id, text, *values)


@pytest.fixture
def birds() -> StandInDocument:
    du = [word(3, "de", "de", "ADP", "P", None, 4, "case")]
    du.append(word(4, "le", "le", "DET", None, "Definite=Def", 2, "det"))
    return StandInDocument(
        [
            StandInSentence(
                [
                    StandInToken("Elle", [word(1, "Elle", "il", "PRON", None, None, 2, "nsubj")]),
                    StandInToken(
                        "vient", [word(2, "vient", "venir", "VERB", None, None, 0, "root")]
                    ),
                    StandInToken("du", du, ""),
                    StandInToken(".", [word(5, ".", ".", "PUNCT", None, None, 2, "punct")], ""),
                ]
            )
        ]
    )


EXPECTED = """\
1\tElle\til\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tvient\tvenir\tVERB\t_\t_\t0\troot\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
3\tde\tde\tADP\tP\t_\t4\tcase\t_\t_
4\tle\tle\tDET\t_\tDefinite=Def\t2\tdet\t_\t_
5\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\tSpaceAfter=No

"""


def test_everything_that_stanza_annotates_has_its_column(birds) -> None:
    assert tg.to_text(tg.from_stanza(birds)) == EXPECTED


def test_several_documents_one_behind_the_other(birds) -> None:
    treebank = tg.from_stanza((doc for doc in (birds, birds)), name="both")
    assert treebank.name == "both"
    assert treebank == tg.concatenate([tg.from_stanza(birds)] * 2)
    assert tg.from_stanza([]).n_sentences == 0


def test_places_of_characters_tell_of_spaces_where_nothing_else_does() -> None:
    tokens = [
        StandInToken("a", [word(1, "a")], None, 0, 1),
        StandInToken("b", [word(2, "b")], None, 1, 2),
        StandInToken("c", [word(3, "c")], None, 3, 4),
    ]
    treebank = tg.from_stanza(StandInDocument([StandInSentence(tokens)]))
    assert list(treebank.columns["misc"]) == ["SpaceAfter=No", "_", "_"]
    assert treebank.head.tolist() == [-1, -1, -1]
    assert list(treebank.upos) == ["_", "_", "_"]


def test_tabs_inside_words_are_spaces() -> None:
    tokens = [StandInToken("a\tb", [word(1, "a\tb")])]
    treebank = tg.from_stanza(StandInDocument([StandInSentence(tokens), StandInSentence([])]))
    assert list(treebank.form) == ["a b"]


@pytest.mark.parametrize("thing", ["text", 3, [SimpleNamespace()], None])
def test_other_things_are_refused(thing) -> None:
    with pytest.raises(tg.FormatError, match="expected a Stanza Document, or several of them"):
        tg.from_stanza(thing)
