from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from xml.etree import ElementTree as ET

import pytest

from tests.cli.conftest import BIRDS

SECOND = BIRDS.replace("birds-1", "birds-2").replace("Birds", "Cats").replace("sing", "sleep")


@pytest.fixture
def files(birds: Path, tmp_path: Path) -> Path:
    """Gold of two sentences, and a system that has the first word as the root."""
    birds.write_text(BIRDS + SECOND, encoding="utf-8")
    wrong = SECOND.replace("\t2\tnsubj", "\t0\troot").replace("\t0\troot\t_\tSp", "\t1\tobj\t_\tSp")
    (tmp_path / "ours.conllu").write_text(BIRDS + wrong, encoding="utf-8")
    return birds


FIRST_TREE = """\
  ┌──  Birds  NOUN   nsubj
──┼──  sing   VERB   root
  └──  .      PUNCT  punct
"""


def test_the_first_sentence_in_the_terminal(run, files):
    result = run("draw", "birds.conllu")
    assert (result.returncode, result.stdout, result.stderr) == (0, FIRST_TREE, "")


@pytest.mark.parametrize("which", ["2", "birds-2"])
def test_a_sentence_by_number_or_id(run, files, which):
    assert "Cats" in run("draw", "birds.conllu", "--sentence", which).stdout


def test_gold_and_a_system(run, files):
    shown = run("draw", "birds.conllu", "-s", "2", "--system", "ours.conllu").stdout
    assert shown == dedent("""\
        gold                         ours
          ┌──  Cats   NOUN   nsubj   ──┬────  ~ root
        ──┼──  sleep  VERB   root      └─┬──  ~ obj
          └──  .      PUNCT  punct       └──  = punct
        = right head   ≠ other relation   ~ flipped, accepted by NED   × wrong head
        """)


@pytest.mark.parametrize(
    ("output", "begin"),
    [
        ("tree.svg", "<svg xmlns="),
        ("tree.html", "<!doctype html>"),
        ("tree.tex", r"% \usepackage{tikz}"),
        ("tree.txt", "  ┌──  Birds"),
    ],
)
def test_the_extension_says_what_is_drawn(run, files, tmp_path, output, begin):
    result = run("draw", "birds.conllu", "-o", output)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", f"wrote {output}\n")
    assert (tmp_path / output).read_text(encoding="utf-8").startswith(begin)


def test_svg_on_standard_output(run, files):
    result = run("draw", "birds.conllu", "--to", "svg", "--system", "ours.conllu")
    svg = ET.fromstring(result.stdout)
    assert svg.get("role") == "img"


def test_standard_input(run):
    assert run("draw", "-", stdin=BIRDS).stdout == FIRST_TREE


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-s", "3"], "birds: there is no sentence '3'; numbers go to 2"),
        (["-s", "0"], "birds: there is no sentence '0'; numbers go to 2"),
        (["-s", "birds-3"], "there is no sentence 'birds-3'; did you mean birds-"),
        (["--system", "short.conllu", "-s", "2"], "short: there is no sentence 2; numbers go to 1"),
        (["--system", "other.conllu"], "Birds"),
        (["--to", "svg", *["--system", "ours.conllu"] * 2], "2 systems do not fit"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_one_message(run, files, tmp_path, arguments, message):
    bare = BIRDS.replace("# sent_id = birds-1\n", "")
    (tmp_path / "short.conllu").write_text(bare, encoding="utf-8")
    (tmp_path / "other.conllu").write_text(BIRDS.replace("Birds", "Dogs"), encoding="utf-8")
    result = run("draw", "birds.conllu", *arguments)
    assert (result.returncode, result.stdout) == (1, "")
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_misuse(run, files):
    assert run("draw", "birds.conllu", "--to", "png").returncode == 2
    picture = run("draw", "birds.conllu", "-o", "tree.PDF")
    assert picture.returncode == 2
    assert "a tree is drawn as .txt, .svg, .tex or .html, not .pdf" in picture.stderr
    assert run("draw").returncode == 2


@pytest.mark.parametrize("form", ["svg", "html", "tikz", "text"])
def test_a_sentence_of_100_000_words_is_drawn_for_ever(run, tmp_path, form):
    words = (f"{i}\tw\t_\tX\t_\t_\t{i - 1}\tdep\t_\t_\n" for i in range(1, 100_001))
    (tmp_path / "long.conllu").write_text("".join(words) + "\n")
    result = run("draw", "long.conllu", "--to", form, "-o", "drawing")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == (
        "sentence 1: 100,000 words are too many to draw; at most 1,000 are\n"
        "  --max-words N draws more\n"
    )
    assert not (tmp_path / "drawing").exists()


def test_the_limit_on_words_can_be_moved(run, files):
    assert run("draw", "birds.conllu", "--max-words", "2").returncode == 1
    assert run("draw", "birds.conllu", "--max-words", "3").stdout == FIRST_TREE


@pytest.fixture
def model(run, files):
    result = run("induce", "ccg", "birds.conllu", "-o", "induced.conllu", "--save", "ccg.model")
    assert result.returncode == 0
    return "ccg.model"


def test_a_derivation_by_a_saved_model(run, model):
    result = run("draw", "birds.conllu", "-s", "birds-2", "--derivation", model)
    assert (result.returncode, result.stderr) == (0, "")
    rows = result.stdout.splitlines()
    assert rows[0].split() == ["Cats", "sleep"]
    assert rows[-2].startswith("---")


@pytest.mark.parametrize("name", ["d.svg", "d.html"])
def test_a_derivation_as_a_file(run, model, tmp_path, name):
    result = run("draw", "birds.conllu", "--derivation", model, "-o", name)
    assert (result.returncode, result.stderr) == (0, f"wrote {name}\n")
    assert "tg-derivation" in (tmp_path / name).read_text("utf-8")


def test_a_derivation_is_drawn_alone(run, model):
    both = run("draw", "birds.conllu", "--derivation", model, "--system", "ours.conllu")
    assert (both.returncode, "without --system" in both.stderr) == (2, True)
    tikz = run("draw", "birds.conllu", "--derivation", model, "--to", "tikz")
    assert (tikz.returncode, "not as TikZ" in tikz.stderr) == (2, True)


def test_a_model_without_derivations_is_refused(run, files):
    run("induce", "right-branching", "birds.conllu", "-o", "x.conllu", "--save", "rb.model")
    result = run("draw", "birds.conllu", "--derivation", "rb.model")
    assert result.returncode == 1
    assert "right-branching has no derivations to draw; ccg has" in result.stderr
