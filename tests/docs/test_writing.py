"""What people read is free of the phrases that `docs/writing.md` advises against.

The phrases are those in bold in the page's table. `HABITS` finds the same faults in other words.
Console and Python blocks are left out of pages, since the strings of the program are searched where
they are written. Golden files are searched whole.
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
OUTPUTS = ROOT / "tests" / "golden" / "outputs"
BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted(path for path in (ROOT / ".github").rglob("*") if path.suffix in {".md", ".yml"}),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "studies").glob("*.md")),
    *sorted((ROOT / "examples").glob("*.ipynb")),
    *sorted(path for path in (ROOT / "website").rglob("*") if path.suffix in {".toml", ".js"}),
    *sorted(
        path
        for path in SOURCE.rglob("*")
        if path.suffix in {".md", ".tsv", ".toml", ".html", ".js", ".css"}
    ),
]
MODULES = {
    folder: sorted((ROOT / folder).rglob("*.py"))
    for folder in ("src/treegauge", "website", "benchmarks", "studies", "releasing")
}
"""What prints, and what writes pages."""
_MANY = (
    "(?<!each )(?<!the )one(?: (?:folder|file|line|row|column|table|value))?|"
    "trees?|tags|bytes|tokens|taggers|parsers|roots|times"
)
_THINGS = (
    "word|token|sentence|type|tag|treebank|line|row|column|file|page|table|system|metric|second|"
    "minute|verb|command|language|process|pair|seed|record|scorer|submission|relation|step|track"
)
HABITS = (
    # "a" for "per". A number in an f-string is not part of the text after it.
    r"(?:^|\d ?)(?:s|ms|min|[kMG]i?B) an? \w+",
    rf"\b(?:{_MANY}) an? (?:{_THINGS})\b",
    r"[|&] a treebank [|&]",
    r"\bgrave(?:r|st|ly)?\b",
)
"""The faults of the page's table in other words, as patterns."""


def discouraged(page: str) -> list[str]:
    """Return the phrases in bold in the first column of the page's table."""
    cells = re.findall(r"^\| (.*?) \| .* \|$", page, re.MULTILINE)
    return [phrase for cell in cells for phrase in re.findall(r"\*\*(.+?)\*\*", cell)]


PHRASES = discouraged(PAGE.read_text(encoding="utf-8"))


PATTERNS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (*(rf"\b{re.escape(phrase)}\b" for phrase in PHRASES), *HABITS)
]


def violations(text: str) -> list[str]:
    """Return the phrases and habits that a text has, however its lines are broken."""
    one_line = " ".join(text.split())
    return [found[0].strip() for pattern in PATTERNS if (found := pattern.search(one_line))]


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


def test_outputs_are_in_plain_english():
    assert [
        f"{path.relative_to(OUTPUTS)}: {phrase}"
        for path in sorted(OUTPUTS.rglob("*"))
        if path.is_file()
        for phrase in violations(path.read_text(encoding="utf-8"))
    ] == []


@pytest.mark.parametrize(
    "text",
    [
        "dmv: 0.7 s a treebank (median, one thread)",
        " s a treebank",
        "this needs one complete tree a sentence",
        "EM 3: 2.41 tags a type",
        "one folder a\n    submission",
        "| score | a treebank | A_true |",
        "as grave as the levels have it",
    ],
)
def test_the_faults_of_the_page_are_found_in_other_words(text):
    assert len(violations(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "0.7 s per treebank",
        "the text of a treebank",
        "each one a table",
        "the one a file is named after",
    ],
)
def test_other_uses_of_a_are_no_faults(text):
    assert violations(text) == []


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
    assert violations(f"Shows {broken.capitalize()}.") == [phrase.capitalize()]
    module = f'def f():\n    """Show {phrase}."""\n    return f"{{x}} {phrase} {{y}}"\n'
    assert [line for line, text in literals(module) if violations(text)] == [2, 3]
    assert violations("The confusion matrix of relations.") == []
