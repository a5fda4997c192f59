"""Phrase structure in brackets, as in the Penn Treebank: `( (S (NP-SBJ (NNS Birds)) (VP ...)))`.

A tree of phrases is no `Treebank` yet: somebody has to say which word heads a phrase
(`treegauge.rewrite.head_rules`). What reading takes away and what it keeps:

- Function tags and indices go from the label into fields of their own: `NP-SBJ-1` is the label
  `NP`, the function `SBJ` and the index 1.
- Empty elements (`-NONE-`) are no words. They are left out, and so are phrases that have nothing
  else in them; where a moved phrase was moved from is remembered (`PhraseTree.traces`).
- The outermost bracket may have no label, or one that means nothing (`TOP`, `ROOT`, `S1`); it is
  left out where there is one phrase inside.
- Forms stay as they are written (`-LRB-`, `1\\/2`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType

from treegauge.formats.blocks import RepairedText, sentence_blocks
from treegauge.formats.file_formats import bare_name
from treegauge.formats.findings import Findings, FormatError, Severity
from treegauge.formats.limits import FileCount
from treegauge.formats.line_flaws import quoted
from treegauge.formats.sources import Source, byte_chunks, source_name

BRACKET_EXTENSIONS = (".mrg", ".prd", ".ptb")
"""How files with bracketed trees are called."""

EMPTY_TAG = "-NONE-"
"""The tag of what is no word: traces, zero complementisers and the like."""

TOP = "TOP"
"""The label of an outermost bracket that has to stay although it says nothing."""

_MEANINGLESS = frozenset({"", TOP, "ROOT", "S1"})
_TOKEN = re.compile(r"\(\s*([^\s()]+)\s+([^\s()]+)\s*\)|[()]|[^\s()]+")
"""A tag and a word in brackets; otherwise a bracket, or text."""

_MOVED = re.compile(r"\*T\*-(\d+)")
_FILE_OF_SECTION = re.compile(r"wsj_(\d\d)\d\d")


@dataclass(frozen=True, slots=True)
class BracketedWord:
    """A word with its tag, at a place in the sentence counted from 0."""

    label: str
    form: str
    place: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase: its category, what it does in the sentence, and what it is made of.

    Attributes
    ----------
    label : str
        The category; of several (`ADVP|PRT`), the first.
    functions : tuple of str
        Function tags, in the order of the file.
    index : int
        What traces of this phrase carry (`NP-SBJ-1`), 0 if it has none.
    gap : int
        The phrase that this one stands parallel to in gapping (`NP=2`), 0 if there is none.
    children : tuple
        Phrases and words, at least one.
    """

    label: str
    functions: tuple[str, ...]
    index: int
    gap: int
    children: tuple[Node, ...]


Node = Phrase | BracketedWord
"""What phrases are made of."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Where a moved phrase was moved from."""

    label: str
    functions: tuple[str, ...]
    parent: str


@dataclass(frozen=True)
class PhraseTree:
    """One sentence as a tree of phrases.

    Attributes
    ----------
    root : Phrase
        The whole sentence.
    words : tuple of BracketedWord
        Its words, from left to right.
    traces : mapping from index to Trace
        Where phrases with that index came from.
    id : str
        The file's name and the number of the tree in it.
    line : int
        The line at which it begins.
    """

    root: Phrase
    words: tuple[BracketedWord, ...]
    traces: Mapping[int, Trace] = field(default_factory=lambda: MappingProxyType({}))
    id: str = ""
    line: int = 0

    def __len__(self) -> int:
        return len(self.words)


def read_brackets(source: Source, *, sections: str = "") -> list[PhraseTree]:
    """Read trees from a file, or from all files of a folder.

    Parameters
    ----------
    source : path, '-' or open file
        A file, plain, `.gz` or `.xz`; or a folder, whose files ending in `.mrg` (`.prd`, `.ptb`)
        are read in the order of their names, those of folders inside it as well.
    sections : str
        Which sections of the Wall Street Journal to read, such as `2-21` or `0,2-4`; all when
        empty. A file's section is its folder's number (`wsj/02/wsj_0201.mrg`), or the first two
        digits of its own.

    Raises
    ------
    FormatError
        If brackets do not match, or hold what they cannot; the message names file and line.
    """
    trees: list[PhraseTree] = []
    for file in _files(source, sections):
        trees += _read_file(file)
    if not trees:
        raise FormatError(
            f"{source_name(source)}: no tree in it\n"
            "  check that this is the right file, and that it is complete"
        )
    return trees


def parse_brackets(text: str, *, file: str = "<text>") -> list[PhraseTree]:
    """Read trees from a string.

    >>> tree, = parse_brackets("( (S (NP-SBJ-1 (NNS Birds)) (VP (VBP sing) (NP (-NONE- *-1)))))")
    >>> [word.form for word in tree.words], tree.root.label
    (['Birds', 'sing'], 'S')
    >>> subject = tree.root.children[0]
    >>> subject.label, subject.functions, subject.index
    ('NP', ('SBJ',), 1)
    """
    return list(_Reader(text, file).trees())


def parse_sections(text: str) -> frozenset[int]:
    """Read numbers of sections: single ones and ranges, between commas.

    >>> sorted(parse_sections("0,2-4"))
    [0, 2, 3, 4]
    """
    numbers: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,2})\s*(?:-\s*(\d{1,2})\s*)?", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if first > last:
            raise FormatError(
                f"no sections {text!r}: write numbers and ranges between commas, such as 0,2-21"
            )
        numbers.update(range(first, last + 1))
    return frozenset(numbers)


def is_bracket_name(name: str) -> bool:
    """Return whether a name promises bracketed trees.

    >>> is_bracket_name("wsj_0001.mrg.gz"), is_bracket_name("wsj.conllu")
    (True, False)
    """
    return re.sub(r"\.(gz|xz)$", "", name.lower()).endswith(BRACKET_EXTENSIONS)


# ------------------------------------------------------------------ files


def _files(source: Source, sections: str) -> Iterable[Source]:
    wanted = parse_sections(sections) if sections else None
    if not isinstance(source, (str, Path)) or str(source) == "-":
        if wanted is not None:
            raise FormatError(f"{source_name(source)}: sections are taken from file names")
        return [source]
    path = Path(source)
    files = [path]
    if path.is_dir():
        inside = FileCount(path).counted(path.rglob("*"))
        files = sorted(file for file in inside if is_bracket_name(file.name))
        if not files:
            raise FormatError(
                f"{path}: no bracketed trees in this folder\n"
                f"  files that end in {', '.join(BRACKET_EXTENSIONS)} are read"
            )
    if wanted is None:
        return files
    by_section = {file: _section(file) for file in files}
    there = sorted({section for section in by_section.values() if section is not None})
    if missing := wanted - set(there):
        listed = ", ".join(map(str, there)) if there else "no numbered ones"
        raise FormatError(
            f"{path}: no section {', '.join(map(str, sorted(missing)))}; there are {listed}\n"
            "  a section is the number of a folder, or of a file called wsj_SSNN"
        )
    return [file for file, section in by_section.items() if section in wanted]


def _section(file: Path) -> int | None:
    if re.fullmatch(r"\d{1,2}", file.parent.name):
        return int(file.parent.name)
    match = _FILE_OF_SECTION.match(file.name)
    return int(match[1]) if match else None


def _read_file(source: Source) -> Iterator[PhraseTree]:
    findings = Findings(source_name(source))
    with byte_chunks(source, findings) as chunks:
        text = iter(RepairedText(chunks, findings))
        blocks = sentence_blocks(text, findings, line_is_sentence=True)
        content = b"".join(blocks)
    if findings.total(Severity.ERROR):
        raise FormatError(str(findings.only(Severity.ERROR)), findings)
    return _Reader(content.decode(), findings.file).trees()


# ------------------------------------------------------------------ brackets


@dataclass(slots=True)
class _Open:
    """A bracket whose end has not been seen."""

    start: int
    label: str = ""
    form: str = ""
    children: list[Node] = field(default_factory=list)
    has_brackets: bool = False
    emptied: list[tuple[int, Trace]] = field(default_factory=list)
    """Traces that still look for the parent that stays."""


class _Reader:
    """Reads the trees of one file, without recursion: brackets may be nested to any depth."""

    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._file = file
        self._stem = re.sub(r"\.(mrg|prd|ptb)$", "", bare_name(file), flags=re.IGNORECASE)
        self._words: list[BracketedWord] = []
        self._traces: dict[int, Trace] = {}

    def trees(self) -> Iterator[PhraseTree]:
        """Give every tree that has a word in it."""
        line, counted = 1, 0
        for number, (start, root) in enumerate(self._roots(), 1):
            if root is not None:
                line += self._text.count("\n", counted, start)
                counted = start
                yield PhraseTree(
                    root,
                    tuple(self._words),
                    MappingProxyType(self._traces),
                    f"{self._stem}-{number}",
                    line,
                )
            self._words, self._traces = [], {}

    def _roots(self) -> Iterator[tuple[int, Phrase | None]]:
        """Give every outermost bracket: its place, and the phrase it is, None without words."""
        stack: list[_Open] = []
        for match in _TOKEN.finditer(self._text):
            tag, form = match.groups()
            token = "(" if tag else match.group()
            place = match.start()
            if token == "(" and stack:
                self._check_may_open(stack[-1], place)
            if tag:
                around = stack[-1] if stack else _Open(place)
                self._put_word(tag, form, around)
                if not stack:
                    yield place, _top(around)
            elif token == "(":
                stack.append(_Open(place))
            elif token != ")":
                self._take_text(stack, token, place)
            elif not stack:
                raise self._error(place, "a tree", "a closing bracket without an opening one")
            else:
                closed = stack.pop()
                around = stack[-1] if stack else _Open(closed.start)
                if not stack and not closed.label and closed.has_brackets:
                    around = closed
                else:
                    self._put_phrase(closed, around)
                if not stack:
                    yield closed.start, _top(around)
        if stack:
            raise self._error(
                stack[-1].start,
                "a closing bracket for every opening one",
                f"the end of the file with {len(stack)} open, the innermost of them here",
            )

    def _check_may_open(self, parent: _Open, place: int) -> None:
        if parent.form:
            raise self._error(
                place, "only a word after its tag", f"a bracket after {quoted(parent.form)}"
            )
        parent.has_brackets = True

    def _take_text(self, stack: list[_Open], token: str, place: int) -> None:
        if not stack:
            raise self._error(place, "a bracket", f"{quoted(token)} outside all brackets")
        bracket = stack[-1]
        if bracket.has_brackets or bracket.form:
            behind = "a phrase" if bracket.has_brackets else quoted(bracket.form)
            raise self._error(
                place, "every word in a bracket with its tag", f"{quoted(token)} after {behind}"
            )
        if bracket.label:
            bracket.form = token
        else:
            bracket.label = token

    def _put_word(self, tag: str, form: str, around: _Open) -> None:
        if tag != EMPTY_TAG:
            word = BracketedWord(tag, form, len(self._words))
            self._words.append(word)
            around.children.append(word)
        elif moved := _MOVED.match(form):
            around.emptied.append((int(moved[1]), Trace("", (), "")))

    def _put_phrase(self, closed: _Open, around: _Open) -> None:
        """Put what a bracket holds into the bracket around it."""
        if not closed.has_brackets:
            inside = f"only {quoted(closed.label)} in a" if closed.label else "an empty"
            raise self._error(closed.start, "a tag and a word", f"{inside} bracket")
        if not closed.label:
            raise self._error(closed.start, "a label", "a bracket without one inside a tree")
        label, functions, index, gap = parse_label(closed.label)
        if closed.children:
            for moved_index, trace in closed.emptied:
                self._traces[moved_index] = Trace(trace.label, trace.functions, label)
            around.children.append(Phrase(label, functions, index, gap, tuple(closed.children)))
        else:
            # The innermost phrase around a trace says what it is, the nearest tag what it does.
            around.emptied += [
                (moved_index, Trace(trace.label or label, trace.functions or functions, ""))
                for moved_index, trace in closed.emptied
            ]

    def _error(self, place: int, expected: str, found: str) -> FormatError:
        line = self._text.count("\n", 0, place) + 1
        return FormatError(
            f"{self._file}:{line}: [brackets] expected {expected}, found {found}\n"
            "  trees are written (LABEL (TAG word) ...), brackets inside words -LRB- and -RRB-"
        )


def _top(around: _Open) -> Phrase | None:
    """Return the phrase that an outermost bracket is, or None if there is no word in it."""
    children = around.children
    if len(children) == 1 and isinstance(phrase := children[0], Phrase):
        inside = phrase.children[0]
        is_wrapping = phrase.label in _MEANINGLESS and len(phrase.children) == 1
        return inside if is_wrapping and isinstance(inside, Phrase) else phrase
    return Phrase(TOP, (), 0, 0, tuple(children)) if children else None


@cache
def parse_label(text: str) -> tuple[str, tuple[str, ...], int, int]:
    """Take a label apart: category, functions, index, index of gapping.

    >>> parse_label("NP-SBJ-1"), parse_label("PP-LOC=2"), parse_label("ADVP|PRT")
    (('NP', ('SBJ',), 1, 0), ('PP', ('LOC',), 0, 2), ('ADVP', (), 0, 0))
    """
    category, *marked = re.split(r"(?=[-=])", text)
    if not category:  # a tag such as -LRB-, where a label should be
        return text, (), 0, 0
    functions: list[str] = []
    index = gap = 0
    for part in marked:
        value = part[1:]
        if not value.isdecimal():
            functions.append(value)
        elif part[0] == "-":
            index = int(value)
        else:
            gap = int(value)
    return category.split("|")[0] or category, tuple(filter(None, functions)), index, gap
