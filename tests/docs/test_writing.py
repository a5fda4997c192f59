"""What people read is free of the phrases that `docs/writing.md` advises against.

The phrases are those in bold in the page's table: nothing else lists them. Console and Python
blocks are left out of pages, since the strings of the program are searched where they are written.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "writing.md"
SOURCE = ROOT / "src" / "treegauge"
BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "studies").glob("*.md")),
    *sorted((ROOT / "examples").glob("*.ipynb")),
    *sorted(path for path in SOURCE.rglob("*") if path.suffix in {".md", ".tsv", ".toml"}),
]
MODULES = {
    folder: sorted((ROOT / folder).rglob("*.py"))
    for folder in ("src/treegauge", "website", "benchmarks", "studies")
}
"""What prints, and what writes pages."""


def discouraged(page: str) -> list[str]:
    """Return the phrases in bold in the first column of the page's table."""
    cells = re.findall(r"^\| (.*?) \| .* \|$", page, re.MULTILINE)
    return [phrase for cell in cells for phrase in re.findall(r"\*\*(.+?)\*\*", cell)]


PHRASES = discouraged(PAGE.read_text(encoding="utf-8"))


def violations(text: str) -> list[str]:
    """Return the phrases that a text has, however its lines are broken."""
    one_line = " ".join(text.split())
    return [
        phrase
        for phrase in PHRASES
        if re.search(rf"\b{re.escape(phrase)}\b", one_line, re.IGNORECASE)
    ]


def literals(source: str) -> Iterator[tuple[int, str]]:
    """Yield every string of a module, docstrings and parts of f-strings too, with its line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def test_the_page_has_ten_pairs_on_one_screen():
    text = PAGE.read_text(encoding="utf-8")
    pairs = [line for line in text.splitlines() if line.startswith("| ") and "**" in line]
    assert len(pairs) == 10
    assert len(PHRASES) >= 10
    assert len(text.splitlines()) <= 40


@pytest.mark.parametrize(
    "document",
    [path for path in DOCUMENTS if path != PAGE],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_documents_are_in_plain_english(document):
    assert violations(BLOCK.sub("", document.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("folder", MODULES)
def test_strings_and_docstrings_are_in_plain_english(folder):
    assert [
        f"{path.relative_to(ROOT)}:{line}: {phrase}"
        for path in MODULES[folder]
        for line, text in literals(path.read_text(encoding="utf-8"))
        for phrase in violations(text)
    ] == []


def test_a_discouraged_phrase_is_found_across_lines_and_in_literals():
    phrase = PHRASES[0]
    broken = phrase.replace(" ", "\n    ", 1)
    assert violations(f"Shows {broken.capitalize()}.") == [phrase]
    module = f'def f():\n    """Show {phrase}."""\n    return f"{{x}} {phrase} {{y}}"\n'
    assert [line for line, text in literals(module) if violations(text)] == [2, 3]
    assert violations("The confusion matrix of relations.") == []
