"""What `-o FILE` makes of a file's name."""

from __future__ import annotations

import gzip
import re
import sys
import zipfile

import pytest

from treegauge.cli.result_files import OutputFormat


def said(result) -> str:
    """Return a message without its frame."""
    return " ".join(result.stderr.replace("│", "").split())


EVALUATE = ("evaluate", "birds.conllu", "birds.conllu", "-m", "uas")


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("out.csv", "system,"),
        ("OUT.CSV", "system,"),
        ("out.tsv", "system\t"),
        ("out.json", "{"),
        ("out.md", "|"),
        ("out.tex", "\\"),
        ("out.html", "<!doctype html>"),
        ("out.txt", " "),
        ("out", " "),
    ],
)
def test_a_file_is_what_its_name_says(run, birds, tmp_path, name, begins):
    assert run(*EVALUATE, "-o", name).returncode == 0
    assert (tmp_path / name).read_text("utf-8").startswith(begins)


def test_a_compressed_file_is_what_the_name_before_says(run, birds, tmp_path):
    assert run(*EVALUATE, "-o", "out.csv.gz").returncode == 0
    assert gzip.decompress((tmp_path / "out.csv.gz").read_bytes()).startswith(b"system,")


@pytest.mark.parametrize("name", ["out.docx", "out.pdf", "out.conllu", "out.docx.gz", "a.v2"])
@pytest.mark.parametrize(
    "verb",
    [
        EVALUATE,
        ("validate", "missing.conllu"),
        ("reproduce", "ned", "--small"),
        ("reproduce", "ned", "--published"),
        ("convert", "birds.conllu", "other.conllu"),
        ("draw", "birds.conllu"),
    ],
    ids=lambda words: words[0],
)
def test_a_name_that_nobody_knows_is_refused_before_anything_is_done(
    run, birds, tmp_path, verb, name
):
    before = sorted(tmp_path.iterdir())
    result = run(*verb, "-o", name)
    assert result.returncode == 2
    assert re.search(r"\.html( or \.xlsx)?[;,]", said(result))  # the ones that are known
    assert sorted(tmp_path.iterdir()) == before


def test_the_message_lists_the_names_that_are_known(run, birds):
    assert (
        "out.docx: results are written to .txt, .json, .md, .tex, .tsv, .csv, .html or .xlsx; "
        "--format says what a file of another name is" in said(run(*EVALUATE, "-o", "out.docx"))
    )


def test_the_form_that_was_asked_for_goes_into_any_file(run, birds, tmp_path):
    assert run(*EVALUATE, "--format", "csv", "-o", "out.dat").returncode == 0
    assert (tmp_path / "out.dat").read_text().startswith("system,")


def test_a_summary_of_a_verb_that_writes_files_goes_by_the_name_too(run, birds, tmp_path):
    assert run("convert", "birds.conllu", "other.conllu", "-o", "summary.csv").returncode == 0
    assert (tmp_path / "summary.csv").read_text().startswith("what,value")


@pytest.fixture
def without_xlsxwriter(monkeypatch):
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)


@pytest.mark.usefixtures("without_xlsxwriter")
def test_a_spreadsheet_without_the_package_is_refused_in_a_sentence(run, birds, tmp_path):
    result = run(*EVALUATE, "-o", "out.xlsx")
    assert result.returncode == 1
    assert "pip install 'treegauge[excel]'" in result.stderr
    assert len(result.stderr.splitlines()) == 2
    assert not (tmp_path / "out.xlsx").exists()


def test_a_spreadsheet_does_not_go_to_standard_output(run, birds):
    result = run(*EVALUATE, "--format", OutputFormat.XLSX)
    assert result.returncode == 2
    assert "-o FILE.xlsx" in result.stderr


def test_a_spreadsheet_holds_the_numbers_of_the_tables(run, birds, tmp_path):
    pytest.importorskip("xlsxwriter", reason="needs the extra `excel`")
    assert run(*EVALUATE, "-o", "out.xlsx").returncode == 0
    with zipfile.ZipFile(tmp_path / "out.xlsx") as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
        texts = book.read("xl/sharedStrings.xml").decode()
    assert "<v>1</v>" in sheet
    assert "uas_low" in texts
