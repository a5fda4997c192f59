"""What models answered to prompts, as a treebank.

Answers are read as outputs as they come (`formats.repair`): as far as they can be, every repair a
finding. The treebank has the words that were asked about. What could not be read is marked in MISC
(`Repaired=word`, `Repaired=head`), and words that an answer has too many are counted in a comment,
so that `evaluate --repair` counts all of it as wrong.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treegauge.formats.file_formats import bare_name
from treegauge.formats.findings import Findings, FormatError
from treegauge.formats.layouts import ColumnLayout
from treegauge.formats.prompts.prompting import Prompt, prompt_of_line
from treegauge.formats.repair.fitting import fit_to_gold
from treegauge.formats.repair.loose_table import (
    REPAIR_MARK,
    SURPLUS_COMMENT,
    LooseSentence,
    LooseTable,
    loose_table,
)
from treegauge.formats.repair.word_matching import NO_WORD, match_words
from treegauge.formats.sources import Source, source_name
from treegauge.formats.texts import read_text
from treegauge.treebank import COMMENT, Column, SideLines, Treebank

_USUAL_FIELDS = ("answer", "response", "completion", "output", "content", "text")
"""Where answers are, when nobody says where."""


@dataclass(frozen=True)
class AnswerFields:
    """Where a line has its id and its answer; parts of a path are divided by dots.

    >>> AnswerFields(answer="choices.0.text").answer_in({"choices": [{"text": "1"}]})
    '1'
    """

    id: str = "id"
    answer: str = ""

    def answer_in(self, record: object) -> str | None:
        """Return the answer of a line, or nothing where it has none."""
        for path in [self.answer] if self.answer else _USUAL_FIELDS:
            value = _at(record, path)
            if isinstance(value, str):
                return value
        return None

    def id_in(self, record: object) -> str | None:
        """Return the id of a line, or nothing where it has none."""
        value = _at(record, self.id)
        return str(value) if isinstance(value, str | int) else None


@dataclass(frozen=True)
class ReadAnswers:
    """The treebank that answers became, and what became of them.

    Attributes
    ----------
    treebank : Treebank
        Of the words that were asked about.
    findings : Findings
        Every repair.
    prompts, answered, unread : int
        Sentences that were asked about, those with an answer, and answers without any word that
        could be used.
    """

    treebank: Treebank
    findings: Findings
    prompts: int
    answered: int
    unread: int

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON has it."""
        repairs = self.treebank.repairs
        assert repairs is not None
        return {
            "prompts": self.prompts,
            "answered": self.answered,
            "unread_answers": self.unread,
            "words": self.treebank.n_words,
            "wrong_words": int(repairs.word.sum()),
            "wrong_heads": int((repairs.head & ~repairs.word).sum()),
            "surplus_words": int(repairs.surplus.sum()),
            "repairs": dict(self.findings.counts),
        }


def import_answers(
    source: Source,
    *,
    prompts: Sequence[Prompt] = (),
    fields: AnswerFields | None = None,
    name: str | None = None,
    every: bool = False,
) -> ReadAnswers:
    """Read the answers of a model.

    Parameters
    ----------
    source : path, '-' or open file
        One JSON object a line: an id and an answer. A line that cannot be read is a finding.
    prompts : sequence of Prompt
        What was asked; without it, every line has to be a prompt with an answer added.
    fields : AnswerFields, optional
        Where a line has its id and its answer.
    name : str, optional
        What tables call the treebank; the file's name when missing.
    every : bool
        Keep every finding, and not only the first twenty of a kind.

    Raises
    ------
    FormatError
        If nobody says what was asked.
    """
    reader = _AnswerReader(
        {one.id: one for one in prompts}, fields or AnswerFields(), source_name(source), every
    )
    text = read_text(source, what="answers")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            reader.add(number, line)
    asked = list(reader.prompts.values())
    if not asked:
        raise FormatError(
            f"{reader.findings.file}: the prompts of these answers are unknown\n"
            "  give the file that `treegauge export-prompt` wrote with --prompts"
        )
    for one in asked:
        if one.id not in reader.sentences and one.id not in reader.answered:
            reader.note(0, "an answer", "none", one.id)
    columns = tuple(dict.fromkeys(c for one in asked for c in (*one.columns, *reader.columns)))
    table = LooseTable(columns, list(reader.sentences.values()))
    own_name = bare_name(reader.findings.file) if name is None else name
    fitted = fit_to_gold(table, _text_of(asked), reader.findings, name=own_name)
    return ReadAnswers(
        with_marks(fitted),
        reader.findings,
        prompts=len(asked),
        answered=len(reader.answered),
        unread=len(reader.answered) - len(reader.sentences),
    )


class _AnswerReader:
    """Takes answers line by line."""

    def __init__(
        self, prompts: dict[str, Prompt], fields: AnswerFields, file: str, every: bool
    ) -> None:
        self.is_closed = bool(prompts)
        self.prompts = prompts
        self.fields = fields
        self.findings = Findings(file, role="prediction", every=every)
        self.sentences: dict[str, LooseSentence] = {}
        self.answered: set[str] = set()
        self.columns: dict[str, None] = {}

    def note(self, line: int, expected: str, found: str, sentence: str = "") -> None:
        """Add a finding about an answer as a whole."""
        self.findings.add(
            "repaired-answer",
            line=line,
            expected=expected,
            found=found,
            advice="words without an answer are wrong in every metric",
            sentence=sentence,
        )

    def add(self, number: int, line: str) -> None:
        """Read one line."""
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            return self.note(number, "a JSON object", f'"{line[:40]}"')
        name, answer = self.fields.id_in(record), self.fields.answer_in(record)
        if not self.is_closed and name is not None and (prompt := prompt_of_line(line)):
            self.prompts.setdefault(prompt.id, prompt)
        if name is None or answer is None:
            return self.note(number, "an id and an answer", "a line without")
        if name not in self.prompts:
            return self.note(number, "the id of a prompt", f'"{name[:40]}"')
        if name in self.answered:
            return self.note(number, "one answer", "a second one, which is left out", name)
        self.answered.add(name)
        return self._read(number, name, answer)

    def _read(self, number: int, name: str, answer: str) -> None:
        prompt = self.prompts[name]
        own = Findings(self.findings.file, role="prediction", every=True)
        table = loose_table(answer, own, layout=ColumnLayout("answer", prompt.columns))
        for finding in own:
            self.findings.add(
                finding.kind,
                line=number,
                expected=finding.expected,
                found=finding.found,
                advice=finding.advice,
                sentence=name,
            )
        if not table.sentences:
            return self.note(number, "a table", f'"{answer[:40]}"', name)
        # A model that thinks aloud writes several tables: the best one, and of equals the last.
        best = max(
            enumerate(table.sentences),
            key=lambda one: (_matched(one[1], prompt.words), one[0]),
        )[1]
        if not _matched(best, prompt.words):
            return self.note(number, "words that were asked about", "others", name)
        rows = [replace(row, line=number) for row in best.rows]
        self.sentences[name] = LooseSentence(number, rows, [f"# sent_id = {name}"])
        self.columns.update(dict.fromkeys(table.columns))
        return None


def with_marks(treebank: Treebank) -> Treebank:
    """Return a treebank whose file says what was repaired: in MISC, and in comments."""
    repairs = treebank.repairs
    if repairs is None:
        return treebank
    marks = np.where(repairs.word, "word", np.where(repairs.head, "head", ""))
    misc = [
        old if not mark else "|".join([*([] if old == "_" else [old]), REPAIR_MARK + mark])
        for old, mark in zip(treebank.columns["misc"], marks.tolist(), strict=True)
    ]
    lines = [
        (sentence, f"# {key} = {value}")
        for sentence, (name, surplus) in enumerate(
            zip(treebank.sentence_ids, repairs.surplus.tolist(), strict=True)
        )
        for key, value in (("sent_id", name), (SURPLUS_COMMENT, surplus))
        if value
    ]
    return Treebank(
        {**treebank.columns, "misc": Column.from_strings(misc)},
        treebank.head,
        offsets=treebank.offsets,
        side_lines=SideLines(
            np.array([sentence for sentence, _ in lines], np.int32),
            np.zeros(len(lines), np.int32),
            np.full(len(lines), COMMENT, np.uint8),
            Column.from_strings(text for _, text in lines),
        ),
        repairs=repairs,
        name=treebank.name,
    )


def _text_of(prompts: Sequence[Prompt]) -> Treebank:
    """Return the sentences that were asked about."""
    return Treebank(
        {"form": Column.from_strings(word for one in prompts for word in one.words)},
        offsets=np.cumsum([0, *(len(one.words) for one in prompts)]),
        side_lines=SideLines(
            np.arange(len(prompts), dtype=np.int32),
            np.zeros(len(prompts), np.int32),
            np.full(len(prompts), COMMENT, np.uint8),
            Column.from_strings(f"# sent_id = {one.id}" for one in prompts),
        ),
    )


def _matched(sentence: LooseSentence, words: Sequence[str]) -> int:
    return sum(word != NO_WORD for word in match_words(sentence.rows, words).words)


def _at(record: object, path: str) -> object:
    """Return what a path of keys and places leads to, None where it leads nowhere."""
    for part in path.split("."):
        if isinstance(record, list) and part.isdecimal() and int(part) < len(record):
            record = record[int(part)]
        elif isinstance(record, dict):
            record = record.get(part)
        else:
            return None
    return record
