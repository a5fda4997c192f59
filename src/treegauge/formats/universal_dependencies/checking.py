"""Checks a CoNLL-U file at a level of Universal Dependencies."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace

from treegauge.formats.blocks import RepairedText, look_ahead, sentence_blocks
from treegauge.formats.detection import detect_format
from treegauge.formats.file_formats import file_format
from treegauge.formats.findings import Findings, FormatError, Severity
from treegauge.formats.layouts import CONLLU, plus_columns
from treegauge.formats.limits import max_stream_bytes
from treegauge.formats.reading import add_empty_file
from treegauge.formats.sources import Source, byte_chunks, source_name
from treegauge.formats.streaming import MOST_FINDINGS
from treegauge.formats.universal_dependencies.level_check import LevelCheck
from treegauge.formats.universal_dependencies.rules import LEVEL_KINDS, LEVELS
from treegauge.wording import alternatives

# Repaired before a line is looked at; the official validator sees them as it reads.
_OFFICIAL = {"line-ends": "non-unix-newline", "byte-order-mark": "invalid-line"}


def check_levels(
    source: Source,
    findings: Findings,
    *,
    level: int,
    format: str | None = None,
    max_bytes: int | None = None,
    on_progress: Callable[[float], None] | None = None,
    stream: bool = False,
) -> tuple[int, int]:
    """Check a file at a level and all below it; return how many sentences and words it has.

    Raises
    ------
    FormatError
        If the file is no CoNLL-U, cannot be opened, or is no text; the finding is added.
    """
    if level not in LEVELS:
        raise FormatError(f"no level {level} here: say {alternatives(map(str, LEVELS))}")
    if format is not None:
        file_format(format)
    findings.file, findings.role, findings.kinds = source_name(source), "check", LEVEL_KINDS
    check = LevelCheck(level, findings)
    most_lines = None
    if stream:
        findings.most = min(findings.most, MOST_FINDINGS)
        max_bytes = max_stream_bytes() if max_bytes is None else max_bytes
        most_lines = sys.maxsize
    with byte_chunks(source, findings, on_progress, limit=max_bytes) as chunks:
        text = RepairedText(chunks, findings)
        lines = _conllu(iter(text), format, findings)
        for block in sentence_blocks(lines, findings, most_lines=most_lines):
            check.add(block)
    check.finish()
    text.note_line_ends()
    _name_repairs(findings)
    if not check.n_words and not findings.total(Severity.ERROR):
        add_empty_file(findings)
    return check.n_sentences, check.n_words


def _conllu(text: Iterator[bytes], format: str | None, findings: Findings) -> Iterator[bytes]:
    """Give back a text of ten columns, or refuse it."""
    beginning, text = look_ahead(text)
    name = format or detect_format(findings.file, beginning, findings)
    first_line = beginning.lstrip().partition(b"\n")[0].decode(errors="replace")
    columns = plus_columns(first_line)
    if name == CONLLU.format and columns in (None, CONLLU.columns):
        return text
    found = "CoNLL-U Plus" if name == CONLLU.format else name
    advice = "write it with `treegauge convert IN OUT.conllu`, or leave --level out"
    findings.add("format", line=0, expected="CoNLL-U of ten columns", found=found, advice=advice)
    raise FormatError(str(findings.only(Severity.ERROR)), findings)


def _name_repairs(findings: Findings) -> None:
    """Give findings about the text as a whole the ids of the official validator."""
    for i, finding in enumerate(findings.listed):
        official = _OFFICIAL.get(finding.kind)
        if official and not finding.level:
            findings.listed[i] = replace(finding, official=official, level=1)
            findings.official[1, official] += 1
