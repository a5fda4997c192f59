"""CHAT transcripts: words, tags and trees come out, the rest is a finding."""

from __future__ import annotations

import contextlib
import io

import pytest
from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from treegauge.formats.chat import _spoken, _words

TRANSCRIPT = """\
@UTF8
@Begin
@Participants:\tCHI Target_Child, MOT Mother
*MOT:\tit's <the dog> [//] (be)cause dogs gonna [: going to] bark , no: ? \x15100_900\x15
%mor:\tpro:per|it~cop|be&3S conj|because n|dog-PL part|go-PRESP inf|to v|bark
\tcm|cm co|no ?
%gra:\t1|2|SUBJ 2|0|ROOT 3|7|LINK 4|7|SUBJ 5|7|AUX 6|7|INF 7|2|CJCT 8|7|LP
\t9|7|COM 10|2|PUNCT
*CHI:\txxx .
*CHI:\tblack+bird@c !
%mor:\tn|+adj|black+n|bird !
%gra:\t1|0|INCROOT 2|1|PUNCT
%pho:\tblak
@End
"""


def read(text: str, findings: tg.Findings | None = None) -> tg.Treebank:
    return tg.read(io.StringIO(text), findings=tg.Findings() if findings is None else findings)


def kinds(text: str) -> dict[str, int]:
    findings = tg.Findings()
    read(text, findings)
    return dict(findings.counts)


def one(main: str, mor: str = "", gra: str = "") -> str:
    tiers = "".join(f"%{name}:\t{tier}\n" for name, tier in (("mor", mor), ("gra", gra)) if tier)
    return f"@UTF8\n@Begin\n*CHI:\t{main}\n{tiers}@End\n"


def test_words_tags_and_trees() -> None:
    treebank = read(TRANSCRIPT)
    first, second = treebank
    assert [word.form for word in first] == [
        *("it", "be", "because", "dogs", "going", "to", "bark", ",", "no", "?"),
    ]  # fmt: skip
    assert [word.lemma for word in first][:5] == ["it", "be", "because", "dog", "go"]
    assert [word.xpos for word in first][:5] == ["pro:per", "cop", "conj", "n", "part"]
    assert list(treebank.columns["feats"])[:5] == ["_", "3S", "_", "PL", "PRESP"]
    assert first.heads == [2, 0, 7, 7, 7, 7, 2, 7, 7, 2]
    assert [word.deprel for word in first][:2] == ["SUBJ", "ROOT"]
    assert [word.form for word in second] == ["black+bird", "!"]
    assert not treebank.upos.is_annotated


def test_clitics_are_words_of_a_multiword_token() -> None:
    text = tg.to_text(read(TRANSCRIPT))
    assert "\n1-2\tit's\t_" in text
    assert text.startswith("# sent_id = 4\n# speaker = MOT\n# text = it's because dogs going")


def test_what_has_no_place_is_a_note_with_its_line() -> None:
    findings = tg.Findings()
    read(TRANSCRIPT, findings)
    assert [(finding.line, finding.found) for finding in findings] == [
        (3, "the header @Participants"),
        (4, "the dog [//]"),
        (9, "xxx"),
        (9, "an utterance without words"),
        (13, "the tier %pho"),
    ]
    assert {str(finding.severity) for finding in findings} == {"note"}


@pytest.mark.parametrize(
    ("main", "words"),
    [
        ("I want (.) cookie .", ["I", "want", "cookie", "."]),
        ("no [x 3] !", ["no", "!"]),
        ("my [/] my ball .", ["my", "ball", "."]),
        ("<I want> [/] I want it .", ["I", "want", "it", "."]),
        ("<wa [: want]> [/] want it .", ["want", "it", "."]),
        ("&-um &=laughs 0is www here +...", ["here", "+..."]),
        ("+< yes +/.", ["yes", "+/."]),
        ("mama@f goed [: went] [* +ed] .", ["mama", "went", "."]),
        ("<she goes [= mother]> [>] .", ["she", "goes", "."]),
    ],
)
def test_words_of_the_main_line(main: str, words: list[str]) -> None:
    assert _spoken(main)[0] == words


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("n|cookie-PL", [("cookie", "n", "PL")]),
        ("v|go&PAST", [("go", "v", "PAST")]),
        ("un#v|do&PAST-3S", [("do", "v", "PAST|3S")]),
        ("n|+n|black+n|bird-PL", [("black+bird", "n", "PL")]),
        ("det:art|le=the", [("le", "det:art", "_")]),
        ("n|run^v|run", [("run", "n", "_")]),
        ("prep|à$det|le", [("à", "prep", "_"), ("le", "det", "_")]),
        (".", [(".", ".", "_")]),
    ],
)
def test_items_of_the_morphology(item: str, expected: list[tuple[str, str, str]]) -> None:
    assert [(word.lemma, word.tag, word.feats) for word in _words(item)] == expected


def test_older_transcripts_have_no_commas_in_the_morphology() -> None:
    text = one("no , mama .", "co|no n|mama .", "1|0|INCROOT 2|1|VOC 3|1|PUNCT")
    assert kinds(text) == {}
    assert [word.form for word in read(text)[0]] == ["no", "mama", "."]


def test_tags_of_universal_dependencies_are_universal_tags() -> None:
    text = one("I want it .", "pron|I-Prs-Nom-S1 verb|want-Fin-Ind pron|it .", "1|2|NSUBJ 2|0|ROOT "
               "3|2|OBJ 4|2|PUNCT")  # fmt: skip
    assert [word.upos for word in read(text)[0]] == ["PRON", "VERB", "PRON", "PUNCT"]


def test_a_tree_that_does_not_fit_is_left_out() -> None:
    text = one("no mama .", "co|no n|mama .", "1|0|INCROOT 2|1|VOC")
    assert kinds(text) == {"chat-mismatch": 1}
    assert read(text)[0].heads == [-1, -1, -1]


def test_stems_stand_for_forms_that_do_not_fit() -> None:
    text = one("no dear mama .", "co|no n|mama-PL .")
    assert kinds(text) == {"chat-mismatch": 1}
    assert [word.form for word in read(text)[0]] == ["no", "mama", "."]


def test_strict_refuses_what_does_not_fit() -> None:
    text = one("no mama .", "co|no n|mama .", "1|0|INCROOT 2|1|VOC")
    with pytest.raises(tg.FormatError, match="chat-mismatch"):
        tg.parse(text, strict=True)


def test_transcripts_are_not_written() -> None:
    with pytest.raises(tg.FormatError, match="chat can be read but not written"):
        tg.to_text(read(TRANSCRIPT), format="chat")


STEMS = st.sampled_from(["sul", "dorvi", "mirl", "ka"])
TAGS = st.sampled_from(["n", "v", "pro:sub", "co"])


@examples(100)
@given(words=st.lists(st.tuples(STEMS, TAGS), min_size=1, max_size=6), data=st.data())
def test_a_plain_transcript_comes_back_word_by_word(
    words: list[tuple[str, str]], data: st.DataObject
) -> None:
    n = len(words) + 1
    heads = data.draw(st.lists(st.integers(0, n), min_size=n, max_size=n))
    text = one(
        " ".join([*(stem for stem, _ in words), "."]),
        " ".join([*(f"{tag}|{stem}" for stem, tag in words), "."]),
        " ".join(f"{i}|{head}|R" for i, head in enumerate(heads, start=1)),
    )
    (sentence,) = read(text)
    assert [(word.form, word.xpos) for word in sentence] == [*words, (".", ".")]
    assert sentence.heads == heads


@examples(100)
@given(
    main=st.text("ab<>[]/:&+.,x0() \t@|~", max_size=30),
    mor=st.text("ab|~$+-&#^= .", max_size=30),
    gra=st.text("012|AB ", max_size=20),
)
def test_any_tiers_are_read_or_refused(main: str, mor: str, gra: str) -> None:
    with contextlib.suppress(tg.FormatError):  # an utterance may have no word at all
        treebank = read(one(main, mor, gra))
        assert tg.parse(tg.to_text(treebank)).n_words == treebank.n_words
