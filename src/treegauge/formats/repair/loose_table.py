"""Reads tables of words as language models and scripts write them.

What is no table is left out: Markdown fences, prose, headers. Columns may be divided by tabs, by
pipes, or by spaces where that gives as many fields as the table has columns. Every line that looks
like a word is a row, also one whose fields are not those of the table: it is broken, and nothing
in it is used but its number and its word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from treegauge.formats.detection import format_of_name
from treegauge.formats.file_formats import file_format
from treegauge.formats.findings import Findings, FormatError, Severity
from treegauge.formats.layouts import COLUMN_OF, CONLLU, ColumnLayout
from treegauge.formats.repair.table_columns import columns_of_header, columns_of_rows
from treegauge.formats.sources import Source, byte_chunks, source_name
from treegauge.treebank import parse_comment

REPAIR_MARK = "Repaired="
"""How MISC begins an entry that says that a word was repaired."""

SURPLUS_COMMENT = "repaired_surplus"
"""The comment that says how many words too many a sentence had before."""

_FENCE = re.compile(r"\s*(```|~~~)")
_NUMBER = re.compile(r"[0-9]{1,9}")
_SIDE_NUMBER = re.compile(r"[0-9]+(-|\.)[0-9]+")
_RULE = re.compile(r":?-+:?|=+")


@dataclass(frozen=True)
class LooseRow:
    """A line that stands for a word.

    Attributes
    ----------
    line : int
        Where it is in the file.
    number : int
        The number of the word, -1 where there is none that can be read.
    form : str
        The word.
    values : dict
        What stands in the columns of a treebank; empty if the line is broken.
    head : str
        What stands in HEAD.
    is_broken : bool
        Whether the line has other columns than the table.
    """

    line: int
    number: int
    form: str
    values: dict[str, str]
    head: str
    is_broken: bool = False

    @property
    def repaired_before(self) -> str:
        """What of the word is marked as repaired: `word`, `head`, or nothing."""
        parts = self.values.get("misc", "").split("|")
        marks = [part.removeprefix(REPAIR_MARK) for part in parts if part.startswith(REPAIR_MARK)]
        return ("head" if marks == ["head"] else "word") if marks else ""


@dataclass
class LooseSentence:
    """Rows, comments before or among them, and lines that are no words, with their place."""

    line: int
    rows: list[LooseRow] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    side_lines: list[tuple[int, str]] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The `# sent_id`, empty if there is none."""
        return next((v for k, v in map(parse_comment, self.comments) if k == "sent_id"), "")

    @property
    def surplus_before(self) -> int:
        """How many words too many a comment says that there were."""
        values = [v for k, v in map(parse_comment, self.comments) if k == SURPLUS_COMMENT]
        return int(values[0]) if values and _NUMBER.fullmatch(values[0]) else 0

    @property
    def forms(self) -> tuple[str, ...]:
        """The words."""
        return tuple(row.form for row in self.rows)


@dataclass(frozen=True)
class LooseTable:
    """Sentences of rows, and the columns that the table has in the file's terms."""

    columns: tuple[str, ...]
    sentences: list[LooseSentence]

    @property
    def text_columns(self) -> list[str]:
        """The columns of a treebank that the table fills, without words and heads."""
        return [COLUMN_OF[c] for c in self.columns if c in COLUMN_OF and c != "FORM"]


def read_loose_table(
    source: Source, findings: Findings, *, format: str | None = None, max_bytes: int | None = None
) -> LooseTable:
    """Read a table from a file; what cannot be decoded is replaced.

    Raises
    ------
    FormatError
        If the file cannot be opened or is no text.
    """
    findings.file = source_name(source)
    with byte_chunks(source, findings, limit=max_bytes) as chunks:
        content = b"".join(chunks)
    if findings.total(Severity.ERROR):
        raise FormatError(str(findings.only(Severity.ERROR)), findings)
    text = content.decode("utf-8-sig", errors="replace").replace("\0", "\ufffd")
    for number, line in enumerate(text.split("\n"), start=1):
        if "\ufffd" in line:
            findings.add(
                "repaired-encoding",
                line=number,
                expected="UTF-8 text",
                found="a byte that is not",
                advice="the byte is replaced, and what it stands in differs from gold",
            )
    name = format or format_of_name(findings.file)
    return loose_table(text, findings, layout=file_format(name).layout if name else None)


def loose_table(text: str, findings: Findings, *, layout: ColumnLayout | None = None) -> LooseTable:
    """Read a table from a text."""
    lines = [line.rstrip("\r") for line in text.split("\n")]
    split = [_fields(line) for line in lines]
    if len(split[-1][0]) > 1 and not split[-1][0][-1]:
        split[-1][0].pop()  # the file breaks off before the last field
    header = next((columns for fields, _ in split if (columns := columns_of_header(fields))), None)
    candidates = [fields for fields, divider in split if _may_be_row(fields, divider)]
    columns = header or columns_of_rows(candidates, layout)
    if columns != (layout or CONLLU).columns:
        findings.add(
            "repaired-columns",
            line=0,
            expected="the columns of the format",
            found=" ".join(columns),
            advice="columns that are missing are empty, others are left out",
        )
    return LooseTable(columns, list(_Reader(columns, findings).sentences(lines, split)))


def _fields(line: str) -> tuple[list[str], str]:
    """Return the fields of a line, and what divides them."""
    if "\t" in line:
        return [part.strip(" ") for part in line.split("\t")], "tab"
    if line.lstrip().startswith("|"):
        return [part.strip() for part in line.strip().strip("|").split("|")], "pipe"
    return line.split(), "space"


def _may_be_row(fields: list[str], divider: str) -> bool:
    """Return whether a line may be a word: it begins with a number, and more follows."""
    enough = 4 if divider == "space" else 2
    return len(fields) >= enough and _NUMBER.fullmatch(fields[0]) is not None


class _Reader:
    """Makes sentences of lines, once the columns are known."""

    def __init__(self, columns: tuple[str, ...], findings: Findings) -> None:
        self.columns = columns
        self.findings = findings
        self.form_place = columns.index("FORM") if "FORM" in columns else 1
        self.id_place = columns.index("ID") if "ID" in columns else -1
        self.head_place = columns.index("HEAD") if "HEAD" in columns else -1

    def sentences(
        self, lines: list[str], split: list[tuple[list[str], str]]
    ) -> Iterator[LooseSentence]:
        """Yield the sentences that have words."""
        current = LooseSentence(0)
        for number, (line, (fields, divider)) in enumerate(zip(lines, split, strict=True), start=1):
            if not line.strip() or _FENCE.match(line):
                if line.strip():
                    self._note("fence", number, "a table", "a Markdown fence")
                if current.rows:
                    yield current
                    current = LooseSentence(0)
                continue
            if line.startswith("#") and divider != "tab":
                if parse_comment(line)[0] == "sent_id" and (current.rows or current.id):
                    if current.rows:
                        self._note("boundary", number, "a blank line", "the next sentence")
                        yield current
                    current = LooseSentence(0)  # comments without words are of no sentence
                current.comments.append(line)
                continue
            if self._is_side_line(fields):
                current.side_lines.append((len(current.rows), "\t".join(fields)))
                continue
            row = self._row(number, fields, divider)
            if row is None:
                continue
            following = split[number][0] if number < len(split) else []
            if self._restarts(row, current) and following[:1] == ["2"]:
                self._note("boundary", number, "a blank line", "the next sentence")
                yield current
                current = LooseSentence(number)
            current.line = current.line or number
            if self.id_place < 0:  # a table without numbers counts its words
                row = replace(row, number=len(current.rows) + 1)
            current.rows.append(row)
        if current.rows:
            yield current

    def _is_side_line(self, fields: list[str]) -> bool:
        """Return whether a line is a multiword token or an empty node."""
        is_numbered = _SIDE_NUMBER.fullmatch(fields[0]) is not None
        return self.id_place == 0 and is_numbered and len(fields) == len(self.columns)

    def _row(self, line: int, fields: list[str], divider: str) -> LooseRow | None:
        """Return the word of a line, or nothing where it is none."""
        fits = len(fields) == len(self.columns)
        if columns_of_header(fields) or all(_RULE.fullmatch(part) for part in fields):
            return None
        is_numbered = self.id_place == 0 and _NUMBER.fullmatch(fields[0]) is not None
        if divider == "space" and not (fits and is_numbered and self._has_head(fields)):
            self._note("prose", line, "a word", f'"{" ".join(fields)[:40]}"')
            return None
        if not fits and not (is_numbered and len(fields) > 1):
            self._note("prose", line, "a word", f'"{" ".join(fields)[:40]}"')
            return None
        if divider != "tab" and len(fields) > 1:
            self._note("divider", line, "tabs between columns", f"{divider}s")
        if not fits:
            number = int(fields[0]) if is_numbered else -1
            return LooseRow(line, number, fields[1], {}, "", is_broken=True)
        values = {
            COLUMN_OF[name]: text or "_"
            for name, text in zip(self.columns, fields, strict=True)
            if name in COLUMN_OF and name != "FORM"
        }
        written = fields[self.id_place] if self.id_place >= 0 else ""
        number = int(written) if _NUMBER.fullmatch(written) else -1
        head = fields[self.head_place] if self.head_place >= 0 else "_"
        return LooseRow(line, number, fields[self.form_place], values, head)

    def _has_head(self, fields: list[str]) -> bool:
        """Return whether HEAD is what it should be, as it is hardly in prose."""
        head = fields[self.head_place] if self.head_place >= 0 else "_"
        return head == "_" or _NUMBER.fullmatch(head) is not None

    def _restarts(self, row: LooseRow, current: LooseSentence) -> bool:
        """Return whether a sentence begins without a blank line before it."""
        if row.number != 1 or not current.rows or current.rows[-1].number < 2:
            return False
        return any(one.number == 1 for one in current.rows)

    def _note(self, kind: str, line: int, expected: str, found: str) -> None:
        advice = {
            "fence": "fences are left out",
            "prose": "what is not a word is left out",
            "divider": "read as columns, since there are as many",
            "boundary": "a new sentence begins",
        }[kind]
        self.findings.add(
            f"repaired-{kind}", line=line, expected=expected, found=found, advice=advice
        )
