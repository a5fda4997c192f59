"""The section of the benchmarks on missed targets says what the tables say."""

from __future__ import annotations

import re

import pytest

from benchmarks import growth, many_treebanks, streams
from benchmarks.__main__ import main
from benchmarks.record import RECORD
from benchmarks.targets import TITLE, report
from tests.docs.test_documents import ROOT

PAGE = ROOT / RECORD


def table(header: str, *rows: str) -> dict[str, str]:
    columns = header.count("|") - 1
    return {"Speed": "\n".join([header, "|" + " --: |" * columns, *rows, ""])}


@pytest.mark.parametrize(
    ("header", "row", "missed"),
    [
        ("| what | seconds | target |", "| a | 2.0 | < 2 |", "2.0 (seconds), the target is < 2"),
        ("| what | seconds | target |", "| a | 2.0 | ≤ 2 |", ""),
        ("| what | seconds | target |", "| a | 3.0 |  |", ""),
        (
            "| reader | seconds | peak bytes per word | times slower | target |",
            "| a | 9 | 401 | 1.0 | ≤ 400 bytes |",
            "401 (peak bytes per word), the target is ≤ 400 bytes",
        ),
        (
            "| reader | seconds | peak bytes per word | times slower | target |",
            "| a | 9 | 401 | 11.9 | ≥ 12 |",
            "11.9 (times slower), the target is ≥ 12",
        ),
        (
            "| up to | seconds | sentences/s | target |",
            "| 10 | 0.1 | 499,999 | ≥ 500,000 sentences/s |",
            "499,999 (sentences/s), the target is ≥ 500,000 sentences/s",
        ),
        (
            "| system | learning, s | annotating, s | target, s |",
            "| a | 0.06 | 0.05 | ≤ 0.1 |",
            "0.06 + 0.05 (learning, s + annotating, s), the target is ≤ 0.1",
        ),
        ("| what | exponent | wanted | GB | wanted |", "| a | 1.0 | ≤ 1.05 | 3 | < 2 |", "3 (GB)"),
        ("| what | words parsed per second | target |", "| a | 4,999 | ≥ 5,000 |", "4,999"),
    ],
)
def test_a_missed_target_is_named(header, row, missed):
    text = report(table(header, row))
    assert (missed in text) if missed else ("- " not in text)


@pytest.mark.parametrize("title", ["target", "wanted"])
@pytest.mark.parametrize("unit", ["", " s", " times"])
@pytest.mark.parametrize(
    ("sign", "missed", "met"),
    [
        ("≤", "1,060.5", "1,060"),
        ("<=", "1,060.5", "1,060"),
        ("<", "1,060", "1,059.9"),
        ("≥", "1,059.9", "1,060"),
        (">=", "-2,000", "1,060"),
        (">", "1,060", "1,060.5"),
    ],
)
def test_every_form_of_a_target_counts(sign, missed, met, unit, title):
    target = f"{sign} 1,060{unit}"
    header = f"| what | seconds, before | measured | {title} |"
    text = report(
        table(header, f"| a | 0 | {missed} | {target} |", f"| b | 0 | {met} | {target} |")
    )
    assert text.startswith("One of 2 targets in the tables below was missed")
    assert f"- Speed, a: {missed} (measured), the target is {target}." in text


@pytest.mark.parametrize("column", ["ratio", "times faster", "times slower"])
def test_at_least_is_for_ratios_and_at_most_for_seconds(column):
    header = f"| system | words | seconds | {column} | target |"
    assert "7.9" in report(table(header, "| a | 20,000 | 9 | 7.9 | ≥ 8 |"))
    assert "missed:" not in report(table(header, "| a | 20,000 | 7 | 9 | < 8 |"))
    text = report(
        table(
            "| system | words | before, s | now, s | ratio | target |",
            "| `pyp-hmm` | 20,000 | 1.648 | 0.291 | 5.7 | ≥ 8 |",
        )
    )
    assert "`pyp-hmm`: 5.7 (ratio), the target is ≥ 8." in text


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("| what | seconds | target |", "| a | 1 | at least 5 |"),
        ("| what | seconds | target |", "| a | 1 | 5 |"),
        ("| what | seconds | wanted |", "| a | 1 | soon |"),
        ("| what | seconds | wanted |", "| a | – | < 1 |"),
        ("| what | seconds | wanted |", "| a | 1 to 2 | < 1 |"),
        ("| what | hours | target |", "| a | 1 | < 1 |"),
        ("| what | seconds | target |", "| a | 1 | < 1 bytes |"),
    ],
)
def test_what_cannot_be_told_is_an_error(header, row):
    with pytest.raises(ValueError, match="target"):
        report(table(header, row))


def test_the_page_writes_targets_in_one_way():
    text = PAGE.read_text("utf-8")
    assert not re.findall(r"\| *(?:<=|>=|at least|at most|under) *[\d.]", text)


def test_the_page_names_what_it_missed(tmp_path, monkeypatch):
    copy = tmp_path / RECORD
    copy.parent.mkdir()
    copy.write_text(PAGE.read_text("utf-8"), "utf-8")
    monkeypatch.chdir(tmp_path)
    main(["targets"])
    assert copy.read_text("utf-8") == PAGE.read_text("utf-8"), "python -m benchmarks targets"
    assert f"\n## {TITLE}\n" in PAGE.read_text("utf-8")


@pytest.mark.parametrize(
    "section", [growth.section, many_treebanks.section_of_record, streams.section]
)
def test_sections_are_what_was_measured(section, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert section().rstrip() in PAGE.read_text("utf-8")


def test_every_target_in_a_table_is_counted():
    text = PAGE.read_text("utf-8")
    (number,) = re.findall(r"(?:of|None of) (\d+) targets", text)
    assert int(number) > 80
