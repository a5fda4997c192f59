"""TikZ pictures, which LaTeX takes whatever words there are."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.unit.metrics.small_scores import with_heads
from tests.unit.treebank.small_trees import sentences
from treegauge.reports import FigureError, drawing_of, tree_tikz
from treegauge.treebank import Column

DOCUMENT = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{tikz}
\begin{document}
%s
\end{document}
"""

FORMS = ["50%", "a_b", "&", "{x}", "\\y", "$", "#1", "~^", "<é>", "[ü]"]


def special():
    bank = sentences("x/X_1/2 " * 10)
    columns = {"form": Column.from_strings(FORMS), "deprel": Column.constant("nsubj:a_b", 10)}
    return bank.replace(columns=columns, head=[2, 0, 2, 3, 4, 2, 8, 6, 10, 8])


def has_tikz() -> bool:
    if shutil.which("pdflatex") is None or shutil.which("kpsewhich") is None:
        return False
    return bool(subprocess.run(["kpsewhich", "tikz.sty"], capture_output=True).stdout)


@pytest.mark.skipif(not has_tikz(), reason="there is no pdflatex with TikZ")
@pytest.mark.parametrize("judged", [False, True])
def test_pictures_compile(tmp_path, judged):
    gold = special()
    system = with_heads(gold, 1, 0, 2, 5, 3, -1, 8, 0, 4, 2).replace(name="a_b & c")
    drawing = drawing_of(gold[0], system[0]) if judged else drawing_of(gold[0])
    (tmp_path / "paper.tex").write_text(DOCUMENT % tree_tikz(drawing), encoding="utf-8")
    made = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=120,
    )
    assert made.returncode == 0, made.stdout[-2000:]
    assert "Missing character" not in made.stdout


def test_a_picture_by_hand():
    picture = tree_tikz(drawing_of(sentences("old/ADJ/2 birds/NOUN/0")[0]))
    assert picture.startswith("% \\usepackage{tikz}\n\\begingroup\n\\begin{tikzpicture}[")
    assert picture.endswith("\\end{tikzpicture}\n\\endgroup\n")
    nodes = [line for line in picture.splitlines() if line.startswith("\\node[form]")]
    assert [line.partition("{")[2] for line in nodes] == ["old};", "birds};"]
    arcs = [line for line in picture.splitlines() if line.startswith("\\draw[->")]
    # One with corners, one straight down.
    assert [line.count("--") for line in arcs] == [3, 1]
    assert "tgwrong" not in picture


def test_special_characters_are_escaped_and_braces_balanced():
    picture = tree_tikz(drawing_of(special()[0]))
    for shown in (r"50\%", r"a\_b", r"\&", r"\{x\}", r"\textbackslash{}y", r"\$", r"\#1"):
        assert shown in picture
    bare = picture.replace(r"\{", "").replace(r"\}", "")
    assert bare.count("{") == bare.count("}")


def test_verdicts_have_colours_and_lines():
    gold = sentences("a/X/2 b/X/3 c/X/0")
    picture = tree_tikz(drawing_of(gold[0], with_heads(gold, 3, 1, 0)[0]))
    assert r"\definecolor{tgwrong}{HTML}{" in picture
    assert [line.partition("->, ")[2].partition("]")[0] for line in picture.splitlines()
            if line.startswith("\\draw[->")] == [
        *["plain"] * 3, "flipped", "flipped", "right",
    ]  # fmt: skip


def test_two_systems_do_not_fit():
    gold = sentences("a/X/0")[0]
    with pytest.raises(FigureError, match="2 systems do not fit"):
        tree_tikz(drawing_of(gold, gold, gold))
