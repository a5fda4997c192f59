"""Derivations drawn: lines under what was combined, in a terminal, as SVG and on pages."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

import treegauge as tg
from treegauge.reports import FigureError
from treegauge.reports.trees import DerivationDrawing, Form, draw_derivation
from treegauge.systems import make_system
from treegauge.systems.derivation import Derivation, DerivationNode
from treegauge.treebank import TreebankError


def word(category: str, place: int) -> DerivationNode:
    return DerivationNode(category, place, place + 1)


def clause() -> DerivationNode:
    bird = DerivationNode("N", 0, 2, ">", (word("N/N", 0), word("N", 1)))
    return DerivationNode("S", 0, 3, "<", (bird, word("S\\N", 2)))


@pytest.fixture
def drawing() -> DerivationDrawing:
    return DerivationDrawing(
        "birds-1", ("the", "bird", "sings"), ("DET", "NOUN", "VERB"), Derivation(clause())
    )


IN_A_TERMINAL = """\
the   bird   sings
DET   NOUN   VERB
N/N    N      S\\N
---------->
    N
------------------<
        S
"""
UPRIGHT = """\
S  <
├─ N  >
│  ├─ N/N  the  DET
│  └─ N  bird  NOUN
└─ S\\N  sings  VERB
"""


def test_lines_stand_under_what_was_combined(drawing) -> None:
    assert str(drawing) == IN_A_TERMINAL
    assert drawing.to_text(width=18 + 1) == IN_A_TERMINAL


def test_what_is_too_wide_stands_upright(drawing) -> None:
    assert drawing.to_text(width=12) == UPRIGHT


def test_columns_grow_with_the_categories_below_them() -> None:
    # A noun becomes S/(S\N), which is wider than the word.
    raised = DerivationNode("S/(S\\N)", 0, 1, ">T", (word("N", 0),))
    verb = word("(S\\N)/N", 1)
    root = DerivationNode("S/N", 0, 2, ">B", (raised, verb))
    drawing = DerivationDrawing("1", ("I", "see"), (), Derivation(root))
    rows = str(drawing).splitlines()
    assert rows[2] == "-------->T".replace("--------", "-------")
    assert rows[3].startswith("S/(S\\N)")
    assert rows[4].endswith(">B")


def test_svg_has_a_line_for_every_step_and_says_the_derivation(drawing) -> None:
    svg = drawing.to_svg()
    root = ET.fromstring(svg)
    name = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{name}line")) == 2
    texts = [element.text for element in root.findall(f"{name}text")]
    assert {"the", "bird", "sings", "N/N", "S\\N", "S", ">", "<"} <= set(texts)
    assert root.find(f"{name}desc").text == "(S < (N > N/N N) S\\N)"
    width = float(root.get("width"))
    assert all(float(line.get("x2")) <= width for line in root.findall(f"{name}line"))


def test_a_page_holds_the_svg(drawing, tmp_path) -> None:
    page = drawing.to_html()
    assert page.startswith("<!doctype html>")
    assert "birds-1" in page
    assert drawing.to_svg(inline=True) in page
    for name in ("d.svg", "d.html", "d.txt"):
        drawing.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 50


def test_tikz_is_refused(drawing) -> None:
    with pytest.raises(FigureError, match="drawn as text, SVG or HTML"):
        drawing.in_form(Form.TIKZ)


def test_a_sentence_by_a_system() -> None:
    text = tg.parse("birds/NOUN sing/VERB ./PUNCT\nbirds/NOUN sing/VERB\n", format="slashed")
    system = make_system("ccg").fit(text)
    drawing = draw_derivation(text, system, sentence="1")
    assert (drawing.forms, drawing.tags) == (("birds", "sing"), ("NOUN", "VERB"))
    with pytest.raises(FigureError, match="dmv has no derivations to draw; ccg has"):
        draw_derivation(text, make_system("dmv"))
    with pytest.raises(TreebankError, match="there is no sentence '7'"):
        draw_derivation(text, system, sentence="7")
    with pytest.raises(FigureError, match="2 words are too many"):
        draw_derivation(text, system, max_words=1)
    other = tg.parse("hello/INTJ\n", format="slashed")
    with pytest.raises(FigureError, match="sentence 1: ccg has no derivation"):
        draw_derivation(other, system)
