"""Names of files and sentences that mean something to terminals, markup or spreadsheets."""

from __future__ import annotations

import json
import os

import pytest

from tests.in_process import cells_in_process

HOSTILE = "a\x1b[31m\u202eb:free:[red]"
SHOWN = r"a\x1b[31m\u202eb:free:[red]"
OBEYED = set("\x1b\u202e")


@pytest.fixture
def not_utf8(birds) -> str:
    """The name of a file that is no text; the stand-ins are what Python gives for its bytes."""
    name = os.fsdecode(b"caf\xe9.conllu")
    try:
        (birds.parent / name).write_bytes(birds.read_bytes())
    except OSError:
        pytest.skip("this file system wants UTF-8")
    return name


def test_escape_codes_in_the_name_of_a_missing_file_reach_the_terminal(run):
    result = run("describe", f"{HOSTILE}.conllu")
    assert result.returncode == 1
    assert SHOWN in result.stderr
    assert not OBEYED & set(result.stderr)


def test_escape_codes_of_a_treebank_reach_the_terminal(run, birds):
    text = birds.read_text().replace("birds-1", HOSTILE).replace("\tBirds\t", f"\t{HOSTILE}\t")
    birds.write_text(text.replace("\t0\troot", "\t7\troot"))
    for arguments in (("draw",), ("validate",), ("evaluate", "birds.conllu")):
        result = run(*arguments, "birds.conllu")
        assert not OBEYED & set(result.stdout + result.stderr), arguments
    assert r"\u202eb:free:[red]" in run("draw", "birds.conllu").stdout


def test_escape_codes_in_a_misused_argument_reach_the_terminal(run, birds):
    result = run("draw", "birds.conllu", HOSTILE)
    assert result.returncode == 2
    assert not OBEYED & set(result.stderr)


def test_escape_codes_are_removed_from_data(run, birds):
    birds.write_text(birds.read_text().replace("\tBirds\t", f"\t{HOSTILE}\t"))
    assert run("convert", "birds.conllu", "-").stdout == birds.read_text()


@pytest.mark.parametrize(
    "name", ["out.html", "out.json", "out.md", "out.tex", "out.tsv", "out.txt"]
)
def test_name_that_is_not_utf8_breaks_an_output(run, not_utf8, tmp_path, name):
    for verb in (("evaluate", not_utf8, not_utf8), ("describe", not_utf8)):
        result = run(*verb, "-o", name, "--quiet")
        assert (result.returncode, result.stderr) == (0, ""), verb
        text = (tmp_path / name).read_text(encoding="utf-8")
        if name == "out.json":
            text = str(json.loads(text).values())
        assert "caf" in text
        assert "xe9" in text


@pytest.mark.parametrize("name", ["out.svg", "out.html", "out.tex", "out.txt"])
def test_name_that_is_not_utf8_breaks_a_drawing(run, not_utf8, tmp_path, name):
    result = run("draw", not_utf8, "--system", not_utf8, "-o", name, "--quiet")
    assert (result.returncode, result.stderr) == (0, "")
    assert "xe9" in (tmp_path / name).read_text(encoding="utf-8")


def test_folder_that_is_not_utf8_breaks_a_run(run, not_utf8, tmp_path):
    folder = os.fsdecode(b"d\xe9")
    (tmp_path / folder).mkdir()
    (tmp_path / not_utf8).rename(tmp_path / folder / not_utf8)
    (tmp_path / "look.toml").write_text(
        'treebanks = ["caf\\\\xe9"]\nsystems = ["left-branching"]\n', encoding="utf-8"
    )
    with cells_in_process():
        result = run("run", "look.toml", "--data", folder, "--folder", f"{folder}/run")
    assert result.returncode == 0, result.stderr
    assert run("report", f"{folder}/run", "-o", "run.html").returncode == 0
    page = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert r"caf\xe9" in page
