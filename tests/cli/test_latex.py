"""Whatever systems are called, LaTeX takes the tables."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import BIRDS

DOCUMENT = r"""\documentclass{article}
\usepackage{booktabs}
\usepackage[landscape,margin=1cm]{geometry}
\begin{document}
\input{tables.tex}
\end{document}
"""

NAMES = ["a_b & c%", "↓", r"{x}^~\y", "#1 $5", "[first]", "*", "<p> | q", "plain"]

OTHER = BIRDS.replace("\t2\tnsubj", "\t0\tobj").replace("\t0\troot", "\t1\tadvcl:x")


@pytest.fixture
def systems(birds: Path, tmp_path: Path) -> list[str]:
    for number, name in enumerate(NAMES):
        text = BIRDS if number % 2 else OTHER
        (tmp_path / f"{name}.conllu").write_text(text, encoding="utf-8")
    return [f"{name}.conllu" for name in NAMES]


def compiled(folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "paper.tex").write_text(DOCUMENT, encoding="utf-8")
    return subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"],
        cwd=folder,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=120,
    )


needs_latex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex")


@needs_latex
@pytest.mark.parametrize(
    "options",
    [
        ["-m", "uas,las,vi"],
        ["-m", "las", "--by", "relation*direction", "--confusion", "relations", "--per-tag"],
        ["-m", "las", "--errors", "direction=root", "--reference", "[first].conllu"],
        ["-m", "uas,las", "--agreement"],
    ],
    ids=["scores", "strata", "errors", "agreement"],
)
def test_tables_compile(run, systems, tmp_path, options):
    result = run(
        "evaluate", "birds.conllu", *systems, *options, "-f", "latex", "-o", "tables.tex",
        "--trials", "100", "--resamples", "100",
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    made = compiled(tmp_path)
    assert made.returncode == 0, made.stdout[-2000:]
    assert "Missing character" not in made.stdout
    assert (tmp_path / "paper.pdf").exists()


@needs_latex
def test_a_table_that_does_not_compile_is_noticed(tmp_path):
    (tmp_path / "tables.tex").write_text(r"\begin{tabular}{l} a_b \\ \end{tabular}")
    assert compiled(tmp_path).returncode != 0
