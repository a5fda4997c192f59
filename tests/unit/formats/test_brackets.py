"""Phrase structure in brackets: what is read, what is left out, what is refused."""

from __future__ import annotations

import gzip
import io
import lzma

import pytest
from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from treegauge.formats import FormatError, PhraseTree, parse_brackets, read_brackets
from treegauge.formats.brackets import BracketedWord, Node, Phrase, parse_label, parse_sections

BIRDS = "( (S (NP-SBJ (NNS Birds)) (VP (VBP sing)) (. .)))\n"


def one(text: str) -> PhraseTree:
    (tree,) = parse_brackets(text)
    return tree


def written(node: Node) -> str:
    """Write labels and words without functions."""
    if isinstance(node, BracketedWord):
        return f"({node.label} {node.form})"
    return f"({node.label} {' '.join(written(child) for child in node.children)})"


def test_a_tree_is_phrases_and_words():
    tree = one(BIRDS)
    assert written(tree.root) == "(S (NP (NNS Birds)) (VP (VBP sing)) (. .))"
    assert [(word.form, word.label, word.place) for word in tree.words] == [
        ("Birds", "NNS", 0),
        ("sing", "VBP", 1),
        (".", ".", 2),
    ]
    assert len(tree) == 3


@pytest.mark.parametrize(
    "text",
    [
        "(S (NP (NNS Birds)) (VP (VBP sing)))",
        "( (S (NP (NNS Birds)) (VP (VBP sing))))",
        "(TOP (S (NP (NNS Birds)) (VP (VBP sing))))",
        "(ROOT\n  (S\n    (NP (NNS Birds))\n    (VP ( VBP  sing ) )))",
        "(S1(S(NP(NNS Birds))(VP(VBP sing))))",
    ],
)
def test_the_outermost_bracket_may_have_a_label_or_not(text):
    assert written(one(text).root) == "(S (NP (NNS Birds)) (VP (VBP sing)))"


def test_an_outermost_bracket_that_holds_several_phrases_stays():
    assert written(one("( (NP (NN Tea)) (. ?))").root) == "(TOP (NP (NN Tea)) (. ?))"
    assert written(one("(UH Yes)").root) == "(TOP (UH Yes))"
    assert written(one("( (UH Yes))").root) == "(TOP (UH Yes))"
    assert written(one("(NP (NN Tea))").root) == "(NP (NN Tea))"


def test_functions_and_indices_leave_the_label():
    subject, *_ = one("(S (NP-TTL-SBJ-12 (NN Tea)) (VP (VBZ helps)))").root.children
    assert subject == Phrase("NP", ("TTL", "SBJ"), 12, 0, (BracketedWord("NN", "Tea", 0),))
    assert parse_label("PP-LOC=3") == ("PP", ("LOC",), 0, 3)
    assert parse_label("S-1=2") == ("S", (), 1, 2)
    assert parse_label("-LRB-") == ("-LRB-", (), 0, 0)


def test_tags_and_forms_stay_as_they_are():
    tree = one(r"(NP (-LRB- -LRB-) (CD 1\/2) (PRP$ its) (JJ|NN gold))")
    assert [word.label for word in tree.words] == ["-LRB-", "CD", "PRP$", "JJ|NN"]
    assert [word.form for word in tree.words] == ["-LRB-", r"1\/2", "its", "gold"]


def test_traces_go_and_take_emptied_phrases_with_them():
    tree = one(
        "(S (NP-SBJ (-NONE- *)) (VP (VB Say) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))) (ADVP (RB now)))"
    )
    assert written(tree.root) == "(S (VP (VB Say)) (ADVP (RB now)))"
    assert [word.place for word in tree.words] == [0, 1]


def test_where_a_phrase_was_moved_from_is_remembered():
    tree = one(
        "(SBAR (WHNP-1 (WP who)) (S (NP-SBJ (-NONE- *T*-1)) (VP (VBD sat) "
        "(SBAR (-NONE- 0) (S (-NONE- *T*-2))))))"
    )
    assert (tree.traces[1].label, tree.traces[1].functions, tree.traces[1].parent) == (
        *("NP", ("SBJ",)),
        "S",
    )
    assert (tree.traces[2].label, tree.traces[2].functions, tree.traces[2].parent) == (
        "S",
        (),
        "VP",
    )


def test_a_tree_of_nothing_is_no_sentence_but_counts():
    trees = parse_brackets("( (NP (-NONE- *)))\n" + BIRDS, file="wsj_0003.mrg")
    assert [(tree.id, tree.line) for tree in trees] == [("wsj_0003-2", 2)]


def test_trees_know_their_file_and_line():
    trees = parse_brackets("\n( (S\n  (VP (VB Go))))\n\n" + BIRDS, file="a/wsj_0002.mrg.gz")
    assert [(tree.id, tree.line) for tree in trees] == [("wsj_0002-1", 2), ("wsj_0002-2", 5)]


def test_brackets_may_be_nested_to_any_depth():
    depth = 20_000
    tree = one("(X " * depth + "(NN tea)" + ")" * depth)
    assert len(tree) == 1


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("(S (NP (NN Tea))\n", 1, "found the end of the file with 1 open, the innermost of them"),
        (BIRDS + "\n(S (NP (NN Tea)\n", 3, "found the end of the file with 2 open"),
        ("(NP\n(NN Tea\n", 2, "found the end of the file with 2 open"),
        (BIRDS + ")\n", 2, "expected a tree, found a closing bracket without an opening one"),
        ("(NP (DT the)\n (NN))", 2, 'found only "NN" in a bracket'),
        ("(NP\n\n ())", 3, "expected a tag and a word, found an empty bracket"),
        ("()", 1, "found an empty bracket"),
        ("(NP (DT the) tea)", 1, 'found "tea" after a phrase'),
        ("(NP\n(DT the tea))", 2, 'found "tea" after "the"'),
        ("(NP (NN tea\n (PP (IN of))))", 2, 'found a bracket after "tea"'),
        (BIRDS + "Birds sing", 2, 'found "Birds" outside all brackets'),
        ("(S\n ((NN tea)))", 2, "expected a label, found a bracket without one inside a tree"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(text, line, message):
    with pytest.raises(FormatError) as error:
        parse_brackets(text, file="bad.mrg")
    assert str(error.value).startswith(f"bad.mrg:{line}: [brackets] expected ")
    assert message in str(error.value)


def test_files_are_read_whatever_their_compression(tmp_path):
    plain, gz, xz = (tmp_path / f"birds.mrg{ending}" for ending in ("", ".gz", ".xz"))
    plain.write_text(BIRDS)
    gz.write_bytes(gzip.compress(BIRDS.encode()))
    xz.write_bytes(lzma.compress(BIRDS.encode()))
    roots = [tree.root for path in (plain, gz, str(xz)) for tree in read_brackets(path)]
    assert roots == [one(BIRDS).root] * 3
    assert read_brackets(io.StringIO(BIRDS))[0].root == roots[0]


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm(tmp_path):
    path = tmp_path / "birds.mrg"
    path.write_bytes(b"\xef\xbb\xbf" + BIRDS.replace("\n", "\r\n").encode())
    assert read_brackets(path)[0].root == one(BIRDS).root


def test_broken_files_are_refused(tmp_path):
    (tmp_path / "latin.mrg").write_bytes(b"(NP (NN caf\xe9))")
    (tmp_path / "cut.mrg.gz").write_bytes(gzip.compress(BIRDS.encode())[:-9])
    (tmp_path / "empty.mrg").write_text("\n")
    with pytest.raises(FormatError, match=r"latin\.mrg:1: \[encoding\]"):
        read_brackets(tmp_path / "latin.mrg")
    with pytest.raises(FormatError, match=r"cut\.mrg\.gz: \[truncated-file\]"):
        read_brackets(tmp_path / "cut.mrg.gz")
    with pytest.raises(FormatError, match=r"empty\.mrg: no tree in it"):
        read_brackets(tmp_path / "empty.mrg")
    with pytest.raises(FormatError, match="cannot be read"):
        read_brackets(tmp_path / "missing.mrg")


@pytest.fixture
def wsj(tmp_path):
    """Sections 0, 2 and 23, with two files in the second."""
    for name in ("00/wsj_0001", "02/wsj_0202", "02/wsj_0201", "23/wsj_2300"):
        path = tmp_path / "wsj" / f"{name}.mrg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(BIRDS)
    (tmp_path / "wsj" / "readme.txt").write_text("no trees here")
    return tmp_path / "wsj"


def test_a_folder_is_read_in_the_order_of_names(wsj):
    assert [tree.id for tree in read_brackets(wsj)] == [
        *("wsj_0001-1", "wsj_0201-1", "wsj_0202-1"),
        "wsj_2300-1",
    ]


def test_sections_are_chosen_by_folder_or_file_name(wsj, tmp_path):
    assert [tree.id for tree in read_brackets(wsj, sections="0,23")] == ["wsj_0001-1", "wsj_2300-1"]
    assert len(read_brackets(wsj / "02", sections="2")) == 2
    flat = tmp_path / "flat"
    flat.mkdir()
    for file in wsj.rglob("*.mrg"):
        (flat / file.name).write_text(BIRDS)
    assert [tree.id for tree in read_brackets(flat, sections="2")] == ["wsj_0201-1", "wsj_0202-1"]


def test_a_missing_section_is_named(wsj):
    with pytest.raises(FormatError, match="no section 1, 3; there are 0, 2, 23"):
        read_brackets(wsj, sections="0-3")
    with pytest.raises(FormatError, match="sections are taken from file names"):
        read_brackets(io.StringIO(BIRDS), sections="2")
    (wsj / "none").mkdir()
    with pytest.raises(FormatError, match="no bracketed trees in this folder"):
        read_brackets(wsj / "none")


@pytest.mark.parametrize("text", ["", "a", "5-2", "2-", "2;3", "-1"])
def test_sections_that_are_none(text):
    with pytest.raises(FormatError, match="write numbers and ranges"):
        parse_sections(text)


def test_reading_brackets_as_a_treebank_says_what_is_missing(tmp_path):
    (tmp_path / "birds.mrg").write_text(BIRDS)
    with pytest.raises(FormatError, match=r"has no heads yet; choose some with .* --heads"):
        tg.read(tmp_path / "birds.mrg")
    with pytest.raises(FormatError, match="has no heads yet"):
        tg.parse(BIRDS)


LABELS = st.sampled_from(["S", "NP", "VP", "PP", "X"])
WORDS = st.tuples(st.sampled_from(["NN", "VB", ",", "-LRB-"]), st.sampled_from(["a", "b-1", "="]))
TREES = st.recursive(
    WORDS, lambda inner: st.tuples(LABELS, st.lists(inner, min_size=1, max_size=3)), max_leaves=12
)


def as_text(tree: tuple) -> str:
    label, inside = tree
    content = inside if isinstance(inside, str) else " ".join(map(as_text, inside))
    return f"({label} {content})"


@examples()
@given(TREES.filter(lambda tree: not isinstance(tree[1], str)))
def test_what_was_written_is_read(tree):
    assert written(one(f"( {as_text(tree)})").root) == as_text(tree)
