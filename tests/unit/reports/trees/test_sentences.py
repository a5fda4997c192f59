from __future__ import annotations

import pytest

import treegauge as tg
from tests.unit.reports.trees.test_drawing import GOLD
from tests.unit.treebank.small_trees import treebank
from treegauge.reports import FigureError
from treegauge.reports.trees import Form, form_of
from treegauge.treebank import AlignmentError, TreebankError


@pytest.fixture
def gold():
    return treebank(GOLD)


def test_a_sentence_or_a_treebank_is_drawn(gold):
    assert tg.draw(gold) == tg.draw(gold[0]) == tg.draw(gold, sentence="1")


def test_it_prints_itself_and_shows_itself_in_a_notebook(gold):
    drawing = tg.draw(gold, gold, names=["ours"])
    assert str(drawing) == drawing.to_text()
    assert "ours" in str(drawing)
    assert drawing._repr_html_().count("<svg") == 1
    # Around one row of words there is room for gold and one system.
    assert tg.draw(gold, gold, gold)._repr_html_().count("<svg") == 2
    with pytest.raises(FigureError, match="2 systems do not fit"):
        tg.draw(gold, gold, gold).to_svg()


@pytest.mark.parametrize(
    ("name", "begin"),
    [("a.svg", "<svg"), ("a.tex", "% \\usepackage{tikz}"), ("a.html", "<!doctype html>")],
)
def test_it_is_saved_as_what_the_file_is_called(gold, tmp_path, name, begin):
    drawing = tg.draw(gold)
    drawing.save(tmp_path / name)
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begin)
    drawing.save(tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == str(drawing)


def test_pictures_of_pixels_are_refused(gold, tmp_path):
    with pytest.raises(FigureError, match=r"drawn as \.txt, \.svg, \.tex or \.html, not \.png"):
        tg.draw(gold).save(tmp_path / "a.png")
    assert form_of("a.TIKZ") is Form.TIKZ


def test_a_sentence_that_is_not_there(gold):
    with pytest.raises(TreebankError, match=r"no sentence '99'; numbers go to 1$"):
        tg.draw(gold, sentence=99)


def test_a_system_with_other_words(gold):
    with pytest.raises(AlignmentError):
        tg.draw(gold, treebank(GOLD.replace("1 the", "1 tha")))
