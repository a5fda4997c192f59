"""Checking a submission to a challenge: the whole command, start-up included."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.corpora import FOLDER

TITLE = "Checking a submission"
TREEBANKS = 10
WORDS = 33_000
"""Of each treebank."""
TARGET = 5.0
"""Seconds of the processor that a check may take, with compiled kernels."""

_CHALLENGE = """\
name = "ten"

[[tracks]]
name = "dependencies"
hide = ["heads"]
annotate = ["heads", "relations"]
metrics = ["uas", "las"]
primary = "uas"

[[phases]]
name = "test"
part = "test"
tracks = ["dependencies"]
opens = "2027-01-01 UTC"
closes = "2027-01-31 UTC"
"""
_TREEBANK = """
[[treebanks]]
name = "toy{number}"
test = "toy{number}.conllu"
licence = "none needed: generated"
"""
_SYSTEM = """\
system = "gold"
team = "ours"
track = "dependencies"
supervision = "supervised"
"""


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    pack, submission, words = _prepared()
    rows = [
        ("a folder, words and all columns", submission),
        ("the zip that `--zip` wrote, without words", submission.with_suffix(".zip")),
    ]
    lines = [
        f"{words:,} words in {TREEBANKS} treebanks; `treegauge challenge check`, start-up "
        "included, compiled kernels.",
        "",
        "| submission | s of CPU | target |",
        "| :-- | --: | --: |",
    ]
    for name, path in rows:
        seconds = min(_seconds(pack, path) for _ in range(3))
        lines.append(f"| {name} | {seconds:.2f} | ≤ {TARGET:.0f} |")
    return "\n".join(lines) + "\n"


def _prepared() -> tuple[Path, Path, int]:
    """Write a challenge and a submission; return pack, submission and the number of words."""
    from treegauge import toy_treebank, write
    from treegauge.toys.names import TOY_LANGUAGES

    place = FOLDER / "challenge"
    shutil.rmtree(place, ignore_errors=True)
    folder, submission = place / "ten", place / "ours"
    folder.mkdir(parents=True)
    submission.mkdir()
    words = 0
    text = _CHALLENGE
    names = list(TOY_LANGUAGES)
    for number in range(TREEBANKS):
        name = names[number % len(names)]
        treebank = toy_treebank(name, tokens=WORDS, part="test", seed=number)
        words += treebank.n_words
        for target in (folder, submission):
            write(treebank, target / f"toy{number}.conllu")
        text += _TREEBANK.format(number=number)
    (folder / "challenge.toml").write_text(text, encoding="utf-8")
    (folder / "rules.md").write_text("# Rules\n", encoding="utf-8")
    (folder / "salt.txt").write_text("00" * 32, encoding="utf-8")
    (submission / "system.toml").write_text(_SYSTEM, encoding="utf-8")
    _treegauge("challenge", "pack", str(folder), "-o", str(place / "packs"))
    pack = place / "packs" / "ten-dependencies-test.zip"
    _treegauge("challenge", "check", str(pack), str(submission), "--zip", f"{submission}.zip")
    return pack, submission, words


def _seconds(pack: Path, submission: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _treegauge("challenge", "check", str(pack), str(submission))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _treegauge(*arguments: str) -> None:
    command = [sys.executable, "-m", "treegauge", *arguments]
    subprocess.run(command, check=True, capture_output=True)
