"""The section of the benchmarks on missed targets says what the tables say."""

from __future__ import annotations

import re

import pytest

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
        ("| what | seconds | target, under |", "| a | 61.0 | 60 s |", "the target is 60 s"),
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
            "| 10 | 0.1 | 499,999 | 500,000 sentences/s |",
            "499,999 (sentences/s), the target is 500,000 sentences/s",
        ),
        (
            "| system | learning, s | annotating, s | target, s |",
            "| a | 0.06 | 0.05 | 0.1 |",
            "0.06 + 0.05 (learning, s + annotating, s), the target is 0.1",
        ),
        ("| what | exponent | wanted | GB | wanted |", "| a | 1.0 | <= 1.05 | 3 | < 2 |", "3 (GB)"),
        ("| what | words parsed per second | target |", "| a | 4,999 | at least 5,000 |", "4,999"),
    ],
)
def test_a_missed_target_is_named(header, row, missed):
    text = report(table(header, row))
    assert (missed in text) if missed else ("- " not in text)


def test_the_page_names_what_it_missed(tmp_path, monkeypatch):
    copy = tmp_path / RECORD
    copy.parent.mkdir()
    copy.write_text(PAGE.read_text("utf-8"), "utf-8")
    monkeypatch.chdir(tmp_path)
    main(["targets"])
    assert copy.read_text("utf-8") == PAGE.read_text("utf-8"), "python -m benchmarks targets"
    assert f"\n## {TITLE}\n" in PAGE.read_text("utf-8")


def test_every_target_in_a_table_is_counted():
    text = PAGE.read_text("utf-8")
    (number,) = re.findall(r"(?:of|None of) (\d+) targets", text)
    assert int(number) > 80
