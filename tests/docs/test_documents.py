"""Executes the documents: what a reader would type, and what the program then says.

In a `console` block, lines behind `$ ` are run in a shell and must print what follows them; a
line `…` stands for any lines. In a `python` block, lines behind `>>> ` are doctests. The blocks
of a document run in order, in one folder.

A plain `treegauge …` runs inside the test, which is the same but for its start-up
(`tests/cli/test_main.py`); what needs a shell runs in one. Slow tests run everything there.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.in_process import cells_in_process, run_in_process

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MARKS = {
    **dict.fromkeys(
        (
            "README.md",
            "challenge.md",
            "choose_a_tagger.md",
            "compare_two_systems.md",
            "dictionaries.md",
            "induce_trees.md",
            "organise_a_shared_task.md",
            "taggers.md",
        ),
        pytest.mark.long,
    ),
    **dict.fromkeys(
        ("derivation_perplexity.md", "parsers.md", "reproductions.md"), pytest.mark.slow
    ),
}
"""Pages that train systems or pack a challenge, and pages that repeat a paper."""
MADE_WITH_THE_SITE = ROOT / "docs" / "reference"
"""Pages that only the site has; `make docs` fails where a link to one leads nowhere."""
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(document: Path) -> list[tuple[str, str]]:
    return BLOCK.findall(document.read_text(encoding="utf-8"))


def commands(block: str) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def matches(expected: list[str], actual: list[str]) -> bool:
    pattern = "\n".join(".*" if line == "…" else re.escape(line.rstrip()) for line in expected)
    shown = "\n".join(line.rstrip() for line in actual)
    return re.fullmatch(pattern, shown.strip("\n"), re.DOTALL) is not None


def run_command(command: str, folder: Path, stdin: str = "") -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "100"},
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    ).stdout


def run_inside(command: str, folder: Path) -> str:
    """Run a command inside this process if it needs no shell; what is behind a pipe has one."""
    program, pipe, rest = command.partition(" | ")
    needs_shell = not program.startswith("treegauge ") or set(program) & set("|&;<>()$`*?~")
    # A reader that stops early ends the program before its last words.
    if needs_shell or rest.startswith("head"):
        return run_command(command, folder)
    _, *arguments = shlex.split(program)
    with cells_in_process():
        result = run_in_process(
            arguments, folder=folder, environment={"COLUMNS": "100"}, joined=not pipe
        )
    return result.stderr + run_command(rest, folder, result.stdout) if pipe else result.stdout


def run_console(block: str, folder: Path, how: Callable[[str, Path], str] = run_command) -> None:
    for command, expected in commands(block):
        shown = how(command, folder)
        assert matches(expected, shown.splitlines()), f"$ {command}\n{shown}"


def is_set_up(block: str) -> bool:
    """Whether a block sets the program up, and so cannot be run by it."""
    return "$ make " in block or "$ git " in block


def run_python(block: str, names: dict[str, object], document: Path) -> None:
    test = doctest.DocTestParser().get_doctest(block, names, document.name, str(document), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report: list[str] = []
    runner.run(test, out=report.append, clear_globs=False)
    names.update(test.globs)
    assert not runner.failures, "".join(report)


@pytest.mark.parametrize(
    "how", [run_inside, pytest.param(run_command, marks=pytest.mark.slow)], ids=["inside", "shell"]
)
@pytest.mark.parametrize(
    "document",
    [pytest.param(path, marks=MARKS.get(path.name, ())) for path in DOCUMENTS],
    ids=[path.relative_to(ROOT).as_posix() for path in DOCUMENTS],
)
def test_a_document_shows_what_really_happens(document, how, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for language, block in blocks(document):
        if language == "console" and not is_set_up(block):
            run_console(block, tmp_path, how)
        elif language == "python":
            run_python(block, names, document)
    assert_pictures_are_fresh(document, tmp_path)


def assert_pictures_are_fresh(document: Path, folder: Path) -> None:
    """Drawings on a page are those that its commands make; what is photographed is there."""
    from website.pictures import MOST_BYTES, PICTURES, made_by, pictures_on

    for name in pictures_on(document):
        source = made_by(document, name, folder)
        if source is not None and source.suffix == ".svg":
            assert (PICTURES / name).read_bytes() == source.read_bytes(), f"make pictures: {name}"
        elif source is not None:
            assert source.exists(), f"{document.name} makes no {source.name}"
        assert (PICTURES / name).stat().st_size <= MOST_BYTES, name


def test_every_picture_is_shown():
    from website.pictures import PICTURES, pictures_on

    shown = {name for document in DOCUMENTS for name in pictures_on(document)}
    assert {path.name for path in PICTURES.iterdir()} == shown


def test_the_tutorial_and_the_readme_have_blocks_to_run():
    assert blocks(ROOT / "README.md")
    assert len(blocks(ROOT / "docs" / "tutorial.md")) > 5


def test_a_document_that_lies_is_caught(tmp_path):
    with pytest.raises(AssertionError, match="echo"):
        run_console("$ echo one\ntwo\n", tmp_path)
    with pytest.raises(AssertionError, match="treegauge --version"):
        run_console("$ treegauge --version\ntreegauge 0\n", tmp_path, run_inside)
    with pytest.raises(AssertionError, match="Expected"):
        run_python(">>> 1 + 1\n3\n", {}, tmp_path)


def test_every_link_to_a_file_leads_somewhere():
    for document in [*DOCUMENTS, ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(
            r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8")
        ):
            path = (document.parent / target).resolve()
            if not path.is_relative_to(MADE_WITH_THE_SITE):
                assert path.exists(), f"{document.name} -> {target}"
