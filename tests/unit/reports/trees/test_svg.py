"""SVG and pages: well-formed, self-contained, and all there."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from tests.unit.metrics.small_scores import with_column, with_heads
from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.reports import FigureError, drawing_of, tree_page, tree_svg
from treegauge.treebank import Column

SVG = "{http://www.w3.org/2000/svg}"

GOLD = """
    1 the  the DET   _ _ 2 det   _ _
    2 bird b   NOUN  _ _ 3 nsubj _ _
    3 sees see VERB  _ _ 0 root  _ _
    4 cats cat NOUN  _ _ 3 obj   _ _
    5 !    !   PUNCT _ _ 3 punct _ _
"""


def drawn(*trees, **how) -> ET.Element:
    return ET.fromstring(tree_svg(drawing_of(*(tree[0] for tree in trees)), **how))


def texts(svg: ET.Element, kind: str) -> list[str]:
    return [e.text or "" for e in svg.iter(f"{SVG}text") if e.get("class") == kind]


def system():
    gold = treebank(GOLD)
    # the is flipped, bird another relation, cats right, the exclamation mark wrong.
    moved = with_heads(gold, 3, 3, 0, 3, 4)
    return with_column(moved, "deprel", "det obl root obj punct").replace(name="a < b")


def test_words_tags_and_labels_are_there():
    svg = drawn(treebank(GOLD))
    assert texts(svg, "form") == ["the", "bird", "sees", "cats", "!"]
    assert texts(svg, "tag") == ["DET", "NOUN", "VERB", "NOUN", "PUNCT"]
    assert sorted(texts(svg, "label")) == ["det", "nsubj", "obj", "punct", "root"]
    assert len([e for e in svg.iter(f"{SVG}path") if e.get("class") == "line"]) == 5


def test_those_who_cannot_see_it_hear_it():
    svg = drawn(treebank(GOLD), system())
    assert svg.get("role") == "img"
    title, desc = svg.find(f"{SVG}title"), svg.find(f"{SVG}desc")
    assert title is not None
    assert desc is not None
    assert (title.get("id"), desc.get("id")) == (
        svg.get("aria-labelledby"),
        svg.get("aria-describedby"),
    )
    assert title.text == "the bird sees cats !"
    assert desc.text == (
        "gold: the on bird (det); bird on sees (nsubj); sees on root (root); "
        "cats on sees (obj); ! on sees (punct).\n"
        "a < b: the on sees (det) flipped; bird on sees (obl) right, other relation; "
        "sees on root (root) right; cats on sees (obj) right; ! on cats (punct) wrong."
    )


def test_verdicts_are_told_apart_by_class_and_the_classes_by_colour_and_line():
    svg = drawn(treebank(GOLD), system())
    groups = [e.get("class") for e in svg.iter(f"{SVG}g") if e.find(f"{SVG}path") is not None]
    # Arcs of gold and of the system, and the samples of the legend.
    assert groups.count("plain") == 5
    assert groups.count("right") == 2 + 1
    assert groups.count("right other-relation") == 1
    assert groups.count("flipped") == 1 + 1
    assert groups.count("wrong") == 1 + 1
    style = svg.findtext(f"{SVG}style") or ""
    rules = dict(re.findall(r"\.tg-tree \.(\w+) path\.line \{([^}]*)\}", style))
    colours = {re.search(r"#\w{6}", rules[v])[0] for v in ("right", "flipped", "wrong")}
    dashes = {rules[v].partition("dasharray:")[2][:6] for v in ("right", "flipped", "wrong")}
    assert len(colours) == len(dashes) == 3
    assert "above: gold; below: a < b" in texts(svg, "key")


def test_gold_is_above_and_the_system_below():
    svg = drawn(treebank(GOLD), system())
    (baseline,) = {float(e.get("y")) for e in svg.iter(f"{SVG}text") if e.get("class") == "form"}
    heights = [
        (group.get("class"), float(text.get("y")))
        for group in svg.iter(f"{SVG}g")
        for text in group.findall(f"{SVG}text")
        if text.get("class") == "label" and text.text != "label"
    ]
    assert all((y < baseline) == (kind == "plain") for kind, y in heights)


def test_nothing_comes_from_outside_and_nothing_runs():
    for text in (
        tree_svg(drawing_of(treebank(GOLD)[0], system()[0])),
        tree_page(drawing_of(treebank(GOLD)[0], system()[0])),
    ):
        assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
        assert not re.search(r"<script|href=|url\(|@import|\bon\w+=", text)


def test_words_are_text_whatever_they_are():
    forms = ["<b>", "&amp;", '"', "]]>", "a\x00b", "\u2028"]
    bank = sentences("x/X/0 " * 6)
    svg = drawn(bank.replace(columns={"form": Column.from_strings(forms)}))
    assert texts(svg, "form") == ["<b>", "&amp;", '"', "]]>", "a\ufffdb", "\ufffd"]


def test_scripts_from_right_to_left_run_from_right_to_left():
    svg = drawn(sentences("نام/VERB/0 القط/NOUN/1 (/PUNCT/1"))
    words = [e for e in svg.iter(f"{SVG}text") if e.get("class") == "form"]
    places = [float(word.get("x")) for word in words]
    assert places == sorted(places, reverse=True)
    assert {word.get("direction") for word in words} == {"rtl"}


def test_drawings_on_one_page_have_names_of_their_own():
    one, other = (drawn(sentences(text), inline=True) for text in ("a/X/0", "b/X/0"))
    assert one.get("aria-labelledby") != other.get("aria-labelledby")
    assert one.get("aria-labelledby") == drawn(sentences("a/X/0")).get("aria-labelledby")


def test_long_drawings_keep_their_size_and_are_scrolled():
    long = sentences(" ".join(f"word/NOUN/{head}" for head in range(70)))
    assert float(drawn(long).get("width")) > 70 * 40
    assert "overflow-x: auto" in tree_page(drawing_of(long[0]))


def test_two_systems_do_not_fit():
    gold = treebank(GOLD)
    with pytest.raises(FigureError, match="2 systems do not fit"):
        drawn(gold, gold, gold)


def test_a_sentence_without_words_is_drawn():
    assert texts(drawn(sentences("")), "form") == []


# ---------------------------------------------------------------------- notebooks


def test_a_sentence_in_a_notebook():
    shown = treebank(GOLD)[0]._repr_html_()
    assert shown.startswith('<div class="tg-scroll"')
    ET.fromstring(shown)
    assert "CanvasText" not in shown  # the notebook has its own colours


def test_a_treebank_in_a_notebook():
    bank = sentences("a/X/0", "b/X/0", "c/X/0", "d/X/0", "e/X/0").replace(name="x & y")
    shown = bank._repr_html_()
    ET.fromstring(f"<div>{shown}</div>")
    assert "<b>x &amp; y</b>: 5 sentences, 5 words" in shown
    assert shown.count("<svg") == 3
    assert "and 2 more" in shown
    blind = bank.blind()
    assert "<svg" not in blind._repr_html_()
