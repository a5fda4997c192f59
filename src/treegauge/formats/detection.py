"""Which format is it? The name first, then what the first lines look like."""

from __future__ import annotations

import re
import statistics

from treegauge.formats.brackets import is_bracket_name
from treegauge.formats.file_formats import FORMATS
from treegauge.formats.findings import Findings, FormatError
from treegauge.formats.layouts import STANDARD_LAYOUTS, plus_columns
from treegauge.treebank import EMPTY, PETROV_TAGS, UD_TAGS

_LINES_LOOKED_AT = 2000


def format_of_name(name: str) -> str | None:
    """Return the format that a file name promises.

    >>> format_of_name("en_ewt-ud-dev.conllu.xz"), format_of_name("dev.txt")
    ('conllu', None)
    """
    bare = re.sub(r"\.(gz|xz)$", "", name.lower())
    return next((f.name for f in FORMATS.values() if bare.endswith(f.extensions)), None)


def detect_format(name: str, beginning: bytes, findings: Findings | None = None) -> str:
    """Return the format of a file from its name and the bytes it begins with.

    The extension decides where it is one of ours; then comments, multiword tokens and
    empty nodes (only CoNLL-U has them), then the number of columns, and between CoNLL-U
    and CoNLL-X, which both have ten, the tags in the fourth column.

    Raises
    ------
    FormatError
        If it could be any format, or none; the finding is added to `findings`.
    """
    if findings is None:
        findings = Findings(name)
    by_name = format_of_name(name)
    if by_name:
        return by_name
    text = beginning.lstrip(b"\n").decode(errors="replace")
    first = text.split("\n", _LINES_LOOKED_AT)[:_LINES_LOOKED_AT]
    lines = [line for line in first if line.strip()]
    if not lines or plus_columns(lines[0]) is not None:
        return "conllu"
    if lines[0].startswith(("@UTF8", "@Begin")):
        return "chat"
    words = [line.split("\t") for line in lines if "\t" in line]
    if is_bracket_name(name):
        raise _phrase_structure(findings, lines[0])
    if not words and all("/" in word for word in lines[0].split()):
        return "slashed"
    if any(line.startswith("#") for line in lines) and (not words or len(words[0]) > 2):
        return "conllu"
    if not words and lines[0].startswith("("):
        raise _phrase_structure(findings, lines[0])
    if not words:
        raise _unknown_format(
            findings,
            f"first line is {lines[0][:60]!r}",
            "columns are separated by tabs; name the format with --from (tokens for plain text "
            "with spaces between words)",
        )
    # The usual number of columns, so that one broken line does not hide the format.
    width = statistics.mode(len(fields) for fields in words)
    if width == 10:
        if any(re.fullmatch(r"\d+[-.]\d+", fields[0]) for fields in words):
            return "conllu"
        tags = {fields[3] for fields in words if len(fields) == 10} - {EMPTY}
        return "conllu" if tags <= UD_TAGS else "conllx"
    for layout in STANDARD_LAYOUTS:
        if len(layout.columns) == width:
            return layout.format
    raise _unknown_format(
        findings,
        f"lines have {width} columns",
        "CoNLL-U and CoNLL-X have 10, the challenge's files 9, tagged text 2; "
        "name the format with --from",
    )


def _phrase_structure(findings: Findings, first_line: str) -> FormatError:
    return _unknown_format(
        findings,
        f"first line is {first_line[:60]!r}",
        "phrase structure in brackets has no heads yet; choose some with "
        "`treegauge convert IN OUT --heads collins`",
    )


def _unknown_format(findings: Findings, seen: str, advice: str) -> FormatError:
    findings.add(
        "format",
        line=0,
        expected="a file of a known format",
        found=f"one whose {seen}",
        advice=advice,
    )
    return FormatError(f"{findings.file}: unknown format: its {seen}\n  {advice}", findings)


def tag_column_name(tags: set[str]) -> str:
    """Return which column the tags of tagged text are: `upos` if all are universal."""
    return "upos" if tags <= UD_TAGS or tags <= PETROV_TAGS else "xpos"
