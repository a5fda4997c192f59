"""Makes a valid treebank of a table in any state, without gold.

Words are numbered anew, and heads follow the old numbers. A head that cannot be read becomes the
root of its sentence; of several roots the first stays; a cycle is opened at its first word. These
are places to look at, not annotations: every one is marked in MISC (`Repaired=word` or
`Repaired=head`), and `evaluate --repair` counts what is marked as wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treegauge.formats.file_formats import bare_name
from treegauge.formats.findings import Findings, FormatError, Severity
from treegauge.formats.repair.loose_table import (
    REPAIR_MARK,
    LooseRow,
    LooseSentence,
    LooseTable,
    read_loose_table,
)
from treegauge.formats.repair.word_matching import NO_WORD, head_number
from treegauge.formats.sources import Source
from treegauge.treebank import COMMENT, EMPTY_NODE, MULTIWORD, Column, SideLines, Treebank

_ADVICE = "marked with Repaired= in MISC: look at it"


@dataclass
class FixedWord:
    """A word with a number and a head that can be written."""

    row: LooseRow
    head: int
    mark: str = ""


def fix(table: LooseTable, findings: Findings, *, name: str = "") -> Treebank:
    """Return a table as a treebank of trees.

    >>> from treegauge.formats.repair.loose_table import loose_table
    >>> text = "2\\tsing\\t_\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n"
    >>> fixed = fix(loose_table(text, Findings()), Findings())
    >>> fixed.head.tolist(), list(fixed.columns["misc"])
    ([0], ['Repaired=word'])
    """
    has_heads = any(head_number(row) >= 0 for one in table.sentences for row in one.rows)
    sentences = [_fixed_words(one, findings, has_heads=has_heads) for one in table.sentences]
    words = [word for sentence in sentences for word in sentence]
    columns = {"form": Column.from_strings(word.row.form or "_" for word in words)}
    for column in {*table.text_columns, "misc"}:
        columns[column] = Column.from_strings(_value(word, column) for word in words)
    return Treebank(
        columns,
        np.array([word.head for word in words], np.int32),
        offsets=np.cumsum([0, *map(len, sentences)]),
        side_lines=_side_lines(table.sentences, sentences, findings),
        name=name,
    )


def read_fixed(
    source: Source,
    *,
    format: str | None = None,
    findings: Findings | None = None,
    max_bytes: int | None = None,
) -> Treebank:
    """Read a table in any state as a treebank of trees.

    Parameters
    ----------
    source : path, '-' or open file
        What language models and scripts write.
    findings : Findings, optional
        Collects every repair.
    format, max_bytes
        As in `treegauge.read`; the format is CoNLL-U unless the extension says something else.

    Raises
    ------
    FormatError
        If the file cannot be opened, is no text, or has no word.
    """
    collected = findings if findings is not None else Findings(role="prediction")
    table = read_loose_table(source, collected, format=format, max_bytes=max_bytes)
    if not table.sentences:
        collected.add(
            "empty-file",
            line=0,
            expected="lines that begin with the number of a word",
            found="none",
            advice="is this the right file?",
        )
        raise FormatError(str(collected.only(Severity.ERROR)), collected)
    return fix(table, collected, name=bare_name(collected.file))


def _fixed_words(
    sentence: LooseSentence, findings: Findings, *, has_heads: bool
) -> list[FixedWord]:
    rows = list(sentence.rows)
    numbers = [row.number for row in rows]
    if len(set(numbers)) == len(numbers) and min(numbers) > 0:
        rows.sort(key=lambda row: row.number)
    place_of = {row.number: place for place, row in reversed(list(enumerate(rows, start=1)))}
    words = []
    for place, row in enumerate(rows, start=1):
        head = head_number(row)
        word = FixedWord(row, place_of.get(head, NO_WORD) if head > 0 else head)
        if row.is_broken:
            _note(findings, "line", word, "the columns of the table", "others")
        is_in_place = row.number == place and sentence.rows[place - 1] is row
        if not is_in_place or numbers.count(row.number) > 1:
            _note(findings, "number", word, f"word {place}", _shown_number(row))
        words.append(word)
    if has_heads:
        _fix_tree(words, findings)
    return words


def _fix_tree(words: Sequence[FixedWord], findings: Findings) -> None:
    """Give every word a head such that all hang on one root."""
    roots = [place for place, word in enumerate(words, start=1) if word.head == 0]
    headless = [place for place, word in enumerate(words, start=1) if word.head == NO_WORD]
    cycle = _cycle([word.head for word in words])
    root = next(iter([*roots, *headless, *cycle]))
    for place in headless:
        word = words[place - 1]
        _note(findings, "head", word, "0 or the number of a word", f'"{word.row.head[:40]}"')
    for place in roots if len(roots) > 1 else []:
        _note(findings, "roots", words[place - 1], "one word with head 0", f"{len(roots)}")
    for place in {*headless, *roots[1:]} - {root}:
        words[place - 1].head = root
    words[root - 1].head = 0
    if root in cycle:
        _note_cycle(cycle, words, findings)
    while cycle := _cycle([word.head for word in words]):
        _note_cycle(cycle, words, findings)
        words[cycle[0] - 1].head = root


def _note_cycle(cycle: Sequence[int], words: Sequence[FixedWord], findings: Findings) -> None:
    for place in cycle:
        _note(findings, "cycle", words[place - 1], "a tree", "a cycle")


def _cycle(heads: Sequence[int]) -> list[int]:
    """Return the positions of the first cycle, lowest first; empty where there is none."""
    walk_of = [0] * (len(heads) + 1)
    for start in range(1, len(heads) + 1):
        at, path = start, []
        while at > 0 and not walk_of[at]:
            walk_of[at] = start
            path.append(at)
            at = heads[at - 1]
        if at > 0 and walk_of[at] == start:
            return sorted(path[path.index(at) :])
    return []


def _note(findings: Findings, kind: str, word: FixedWord, expected: str, found: str) -> None:
    is_head = kind in ("head", "roots", "cycle")
    word.mark = "head" if is_head and word.mark != "word" else "word"
    findings.add(
        f"repaired-{kind}", line=word.row.line, expected=expected, found=found, advice=_ADVICE
    )


def _shown_number(row: LooseRow) -> str:
    return str(row.number) if row.number >= 0 else "no number"


def _value(word: FixedWord, column: str) -> str:
    value = word.row.values.get(column, "_")
    if column == "deprel" and word.mark and word.head >= 0:
        if word.head == 0:
            return "root"
        return "dep" if value in ("root", "_") else value
    if column == "misc" and word.mark:
        others = [part for part in value.split("|") if part not in ("_", "")]
        return "|".join(sorted({*others, REPAIR_MARK + word.mark}, key=lambda part: part.lower()))
    return value


def _side_lines(
    sentences: Sequence[LooseSentence], fixed: Sequence[Sequence[FixedWord]], findings: Findings
) -> SideLines:
    """Return comments, and the multiword tokens and empty nodes of what was not renumbered."""
    lines: list[tuple[int, int, int, str]] = []
    for place, (sentence, words) in enumerate(zip(sentences, fixed, strict=True)):
        lines += [(place, 0, COMMENT, text) for text in sentence.comments]
        numbers = [row.number for row in sentence.rows]
        is_sound = numbers == list(range(1, len(words) + 1))
        kept = _sound_side_lines(sentence.side_lines, len(words)) if is_sound else []
        lines += [(place, *one) for one in kept]
        for after, text in sentence.side_lines:
            if not any(one[0] == after and one[2] == text for one in kept):
                findings.add(
                    "repaired-side-line",
                    line=sentence.line,
                    expected="a multiword token or an empty node that fits",
                    found=f'"{text.partition(chr(9))[0]}"',
                    advice="left out",
                )
    return SideLines(
        np.array([line[0] for line in lines], np.int32),
        np.array([line[1] for line in lines], np.int32),
        np.array([line[2] for line in lines], np.uint8),
        Column.from_strings(line[3] for line in lines),
    )


def _sound_side_lines(lines: Sequence[tuple[int, str]], n_words: int) -> list[tuple[int, int, str]]:
    """Return place, kind and text of the lines that stand where their numbers say."""
    kept = []
    covered, nodes = 0, Counter[int]()
    for after, text in lines:
        first, dash, last = re.split(r"([-.])", text.partition("\t")[0])
        if dash == "-" and covered <= after == int(first) - 1 < int(last) - 1 < n_words:
            covered = int(last)
            kept.append((after, MULTIWORD, text))
        elif dash == "." and after == int(first) and nodes[after] == int(last) - 1:
            nodes[after] += 1
            kept.append((after, EMPTY_NODE, text))
    return kept
