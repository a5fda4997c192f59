"""The commands on a page: which there are, and what number each is to give."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from statistics import fmean

from tests.in_process import cells_in_process, run_in_process

_CELL = re.compile(r'<td class="num[^"]*"([^>]*)>(.*?)</td>', re.DOTALL)
_BLOCK = re.compile(r'<pre class="command"[^>]*>(.*?)</pre>', re.DOTALL)
_FACTS = re.compile(r'<script[^>]*id="facts"[^>]*>(.*?)</script>', re.DOTALL)


@dataclass(frozen=True)
class Numbered:
    """A number of a page, and the command behind it."""

    value: float
    interval: str
    command: str


def numbers_of(page: Path) -> list[Numbered]:
    """Return all numbers of a page that have a command."""
    text = page.read_text("utf-8")
    facts = _FACTS.search(text)
    assert facts is not None
    parts = json.loads(facts[1])["commands"]
    numbers = []
    for attributes, content in _CELL.findall(text):
        marks = dict(re.findall(r'data-(\w)="([^"]*)"', attributes))
        if "c" in marks:
            command = " ".join(parts[int(number)] for number in marks["c"].split())
            small = re.search(r"<small>(.*?)</small>", content)
            numbers.append(Numbered(float(marks["v"]), small[1] if small else "", command))
    return numbers


def blocks_of(page: Path) -> list[str]:
    """Return the commands that stand on a page by themselves."""
    return [unescape(command) for command in _BLOCK.findall(page.read_text("utf-8"))]


def type_command(command: str, folder: Path, *more: str) -> str:
    """Return what a command prints, typed in a folder; it has to end well."""
    words = shlex.split(command)
    if words[0] == "cd":
        assert words[2] == "&&", command
        folder, words = folder / words[1], words[3:]
    assert words[0] == "treegauge", command
    with cells_in_process():
        result = run_in_process([*words[1:], *more], folder=folder, environment={"COLUMNS": "100"})
    assert result.returncode == 0, f"{command}\n{result.stderr}"
    return result.stdout


def assert_numbers_come_again(page: Path, folder: Path) -> list[Numbered]:
    """Type every command behind a number; several files are several seeds, and have a mean."""
    numbers = numbers_of(page)
    answers: dict[str, list[dict[str, float]]] = {}
    for number in numbers:
        if number.command not in answers:
            systems = json.loads(type_command(number.command, folder, "--json"))["systems"]
            answers[number.command] = [s for one in systems for s in one["scores"].values()]
        scores = answers[number.command]
        assert abs(fmean(score["value"] for score in scores) - number.value) < 1e-9, number
        if len(scores) == 1 and "," in number.interval:
            shown = [float(part) for part in number.interval.split(", ")]
            unit = 1 if "-m vi" in number.command else 100  # variation of information is no share
            for end, value in zip(("low", "high"), shown, strict=True):
                assert abs(unit * scores[0][end] - value) < 0.0051, number
    return numbers
