"""Puts an output as it comes on the words of gold, so that it can be scored.

The treebank that comes of it has gold's words and sentences. A word that could not be read as it
stands has no annotation and is marked (`Repairs`): metrics count it as wrong. A word keeps what its
line says where neither its line nor its position nor its head had to be repaired, also if its head
is a word whose own line is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treegauge.formats.file_formats import bare_name
from treegauge.formats.findings import REPAIRS, Findings
from treegauge.formats.repair.loose_table import (
    LooseRow,
    LooseSentence,
    LooseTable,
    read_loose_table,
)
from treegauge.formats.repair.sentence_pairing import NamedWords, pair_sentences
from treegauge.formats.repair.word_matching import NO_WORD, Match, common_words, match_words
from treegauge.formats.sources import Source
from treegauge.treebank import NOT_ANNOTATED, Column, Repairs, Treebank, words_on_cycles


def read_repaired(
    source: Source,
    gold: Treebank,
    *,
    format: str | None = None,
    name: str | None = None,
    findings: Findings | None = None,
    max_bytes: int | None = None,
) -> Treebank:
    """Read a system's output as far as it can be read, for scoring against gold.

    Parameters
    ----------
    source : path, '-' or open file
        A table of words in any state: without columns, with spaces for tabs, in Markdown, with
        words lost, doubled or out of place, with heads that are none.
    gold : Treebank
        What the output is for; only its words and the names of its sentences are looked at.
    format, name, max_bytes
        As in `treegauge.read`; the format is CoNLL-U unless the extension says something else.
    findings : Findings, optional
        Collects every repair.

    Returns
    -------
    Treebank
        Of gold's words; `repairs` says which of them no metric may count as right.

    Raises
    ------
    FormatError
        If the file cannot be opened or is no text.

    Examples
    --------
    >>> import io
    >>> import treegauge as tg
    >>> gold = tg.parse("1\\tbirds\\t_\\tNOUN\\t_\\t_\\t2\\tnsubj\\t_\\t_\\n"
    ...                 "2\\tsing\\t_\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n\\n")
    >>> answer = "Here it is:\\n```\\n1\\tbirds\\t_\\tNOUN\\t_\\t_\\t2\\tnsubj\\t_\\t_\\n```\\n"
    >>> system = read_repaired(io.StringIO(answer), gold)
    >>> system.head.tolist(), system.repairs.word.tolist()
    ([2, -1], [False, True])
    """
    collected = findings if findings is not None else Findings()
    collected.role = "prediction"
    table = read_loose_table(source, collected, format=format, max_bytes=max_bytes)
    return fit_to_gold(
        table, gold, collected, name=bare_name(collected.file) if name is None else name
    )


def fit_to_gold(
    table: LooseTable, gold: Treebank, findings: Findings, *, name: str = ""
) -> Treebank:
    """Put the rows of a table on the words of gold."""
    forms = list(gold.form)
    bounds = gold.offsets.tolist()
    texts = [
        NamedWords(name_of_sentence, tuple(forms[a:b]))
        for name_of_sentence, (a, b) in zip(gold.sentence_ids, pairwise(bounds), strict=True)
    ]
    loose = table.sentences
    pairing = pair_sentences(texts, [NamedWords(one.id, one.forms) for one in loose])
    fit = _Fit(texts, bounds, findings)
    last_partner = -1
    regrouped = {place for run, _ in pairing.regrouped for place in run}
    for place, partner in enumerate(pairing.partner):
        if partner < 0:
            if place not in regrouped:
                fit.leave_out(loose[place], max(last_partner, 0))
            continue
        if partner < last_partner:
            fit.note(
                "order",
                loose[place].rows[0],
                "the sentences of gold in their order",
                "this one after a later one",
            )
        last_partner = max(last_partner, partner)
        fit.add(loose[place], partner, match_words(loose[place].rows, texts[partner].forms))
    for run, group in pairing.regrouped:
        fit.add_regrouped([loose[place] for place in run], group)
    return fit.treebank(table, gold, name)


@dataclass
class _Fit:
    """Rows on gold's words, as they are put there."""

    gold: Sequence[NamedWords]
    bounds: list[int]
    findings: Findings
    row_of: dict[int, LooseRow] = field(default_factory=dict)
    head_of: dict[int, int] = field(default_factory=dict)
    spoilt_words: set[int] = field(default_factory=set)
    spoilt_heads: set[int] = field(default_factory=set)
    n_rows: dict[int, int] = field(default_factory=dict)
    explained: set[int] = field(default_factory=set)
    """Words whose lines are there but cannot be used, as another finding says."""

    def note(self, kind: str, row: LooseRow, expected: str, found: str) -> None:
        """Add a finding."""
        self.findings.add(
            f"repaired-{kind}", line=row.line, expected=expected, found=found, advice=_ADVICE[kind]
        )

    def leave_out(self, sentence: LooseSentence, near: int) -> None:
        """Count a sentence that gold lacks: every word of it is surplus."""
        for row in sentence.rows:
            self._surplus(row)
        self.n_rows[near] = self.n_rows.get(near, len(self.gold[near].forms)) + len(sentence.rows)

    def add(self, sentence: LooseSentence, partner: int, match: Match) -> None:
        """Put a sentence on one of gold."""
        first = self.bounds[partner]
        n_rows = len(sentence.rows) + sentence.surplus_before
        self.n_rows[partner] = self.n_rows.get(partner, 0) + n_rows
        used = {word for word in match.words if word != NO_WORD}
        roots = []
        for place, (row, position) in enumerate(zip(sentence.rows, match.words, strict=True)):
            if position == NO_WORD:
                self._unmatched(row, partner, used)
                continue
            word = first + position - 1
            self._place(row, word, match.heads[place])
            if place in match.misplaced:
                found = f'"{row.form}" out of its place'
                self.note("number", row, f"word {row.number} in its place", found)
                self.spoilt_words.add(word)
            elif match.heads[place] == 0 and not self._is_spoilt(word):
                roots.append(word)
        self._judge_roots(roots)

    def add_regrouped(self, sentences: list[LooseSentence], group: list[int]) -> None:
        """Put sentences on gold's words of the same text, which has other sentences."""
        rows = [row for sentence in sentences for row in sentence.rows]
        words_before = [self.bounds[one] for one in group]
        words = [
            self.bounds[one] + step for one in group for step in range(len(self.gold[one].forms))
        ]
        places = common_words(
            [row.form for row in rows], [form for one in group for form in self.gold[one].forms]
        )
        begin = 0
        for sentence in sentences:
            own = places[begin : begin + len(sentence.rows)]
            begin += len(sentence.rows)
            self.note("boundary", sentence.rows[0], "the sentences of gold", "others")
            numbers = [row.number for row in sentence.rows]
            is_sound = numbers == list(range(1, len(numbers) + 1))
            roots = []
            for row, place in zip(sentence.rows, own, strict=True):
                if place == NO_WORD:
                    self._surplus(row)
                    continue
                word = words[place - 1]
                home = int(np.searchsorted(words_before, word, side="right")) - 1
                self._place(row, word, self._head_across(row, own, words, group[home]))
                if not is_sound:
                    self.note("number", row, "words numbered from 1", f"{row.number}")
                    self.spoilt_words.add(word)
                elif self.head_of[word] == 0:
                    roots.append(word)
            self._judge_roots(roots)
        for one in group:
            self.n_rows[one] = len(self.gold[one].forms)

    def _head_across(
        self, row: LooseRow, own: Sequence[int], words: Sequence[int], home: int
    ) -> int:
        """Return the head of a row in the numbers of the gold sentence that its word is in."""
        if not row.head.isdecimal() or int(row.head) > len(own):
            return NO_WORD
        if int(row.head) == 0:
            return 0
        place = own[int(row.head) - 1]
        if place == NO_WORD:
            return NO_WORD
        position = words[place - 1] - self.bounds[home] + 1
        return position if 1 <= position <= len(self.gold[home].forms) else NO_WORD

    def _is_spoilt(self, word: int) -> bool:
        return word in self.spoilt_words or word in self.spoilt_heads

    def _place(self, row: LooseRow, word: int, head: int) -> None:
        self.row_of[word] = row
        self.head_of[word] = head
        if row.is_broken:
            self.note("line", row, "the columns of the table", "others")
            self.spoilt_words.add(word)
        elif mark := row.repaired_before:
            self.note("before", row, "no mark of a repair", row.values["misc"])
            (self.spoilt_heads if mark == "head" else self.spoilt_words).add(word)
        elif head == NO_WORD and row.head != "_":
            self.note("head", row, "0 or the number of a word", f'"{row.head[:40]}"')
            self.spoilt_heads.add(word)

    def _unmatched(self, row: LooseRow, partner: int, used: set[int]) -> None:
        forms = self.gold[partner].forms
        if 1 <= row.number <= len(forms) and row.number not in used:
            self.explained.add(self.bounds[partner] + row.number - 1)
            if row.form == forms[row.number - 1]:
                self.note("number", row, f"one word {row.number}", "another as well")
            else:
                self.note("word", row, f'"{forms[row.number - 1]}"', f'"{row.form[:40]}"')
        else:
            self._surplus(row)

    def _surplus(self, row: LooseRow) -> None:
        self.note("surplus", row, "a word of gold", f'"{row.form[:40]}"')

    def _judge_roots(self, roots: Sequence[int]) -> None:
        """Which one of several roots was meant, nobody knows."""
        if len(roots) > 1:
            for word in roots:
                self.note("roots", self.row_of[word], "one word with head 0", f"{len(roots)}")
                self.spoilt_heads.add(word)

    def treebank(self, table: LooseTable, gold: Treebank, name: str) -> Treebank:
        """Return what was read, on gold's words."""
        n_words = gold.n_words
        missing = [word for word in range(n_words) if word not in self.row_of]
        self._note_missing([word for word in missing if word not in self.explained], gold)
        spoilt_word = _mask([*missing, *self.spoilt_words], n_words)
        columns = {"form": gold.form}
        read = {w: row for w, row in self.row_of.items() if not spoilt_word[w]}
        for column in table.text_columns:
            values = ["_"] * n_words
            for word, row in read.items():
                values[word] = row.values.get(column, "_")
            columns[column] = Column.from_strings(values)
        head = np.full(n_words, NOT_ANNOTATED, np.int32)
        for word in read:
            if word not in self.spoilt_heads:
                head[word] = self.head_of[word]
        unmarked = Treebank(columns, head, offsets=gold.offsets, name=name)
        spoilt_head = _mask([*self.spoilt_heads], n_words)
        if unmarked.has_heads:
            on_cycle = words_on_cycles(unmarked)
            for word in np.flatnonzero(on_cycle).tolist():
                self.note("cycle", self.row_of[word], "a tree", "a cycle")
            # One head of some is none as well, unless the table is about tags alone.
            spoilt_head |= on_cycle | (head == NOT_ANNOTATED)
            head[on_cycle] = NOT_ANNOTATED
        surplus = [
            max(0, self.n_rows.get(sentence, 0) - len(text.forms))
            for sentence, text in enumerate(self.gold)
        ]
        repairs = Repairs(
            spoilt_word,
            spoilt_head,
            np.array(surplus, np.int32),
            tuple((k, n) for k, n in self.findings.counts.items() if k in REPAIRS),
        )
        return Treebank(
            columns,
            head,
            offsets=gold.offsets,
            side_lines=gold.side_lines,
            repairs=repairs,
            name=name,
        )

    def _note_missing(self, missing: Sequence[int], gold: Treebank) -> None:
        room = self.findings.room("repaired-missing")
        for word in missing[:room]:
            sentence = int(np.searchsorted(gold.offsets, word, side="right")) - 1
            self.findings.add(
                "repaired-missing",
                line=0,
                expected=f'a line for "{gold.form[word]}"',
                found="none that can be used",
                advice=_ADVICE["missing"],
                sentence=gold.sentence_ids[sentence] or str(sentence + 1),
            )
        self.findings.count_unlisted("repaired-missing", max(0, len(missing) - room))


def _mask(words: Sequence[int], size: int) -> NDArray[np.bool_]:
    mask = np.zeros(size, np.bool_)
    mask[np.array(words, np.intp)] = True
    return mask


_WRONG = "the word is wrong in every metric"
_WRONG_HEAD = "the word is wrong in every metric that uses heads"
_ADVICE = {
    "order": "put into gold's order",
    "boundary": "words are found by their characters",
    "line": _WRONG,
    "number": _WRONG,
    "word": _WRONG,
    "before": _WRONG,
    "missing": _WRONG,
    "surplus": "it counts as a wrong word",
    "head": _WRONG_HEAD,
    "cycle": _WRONG_HEAD,
    "roots": "it is unclear which word is meant; all are wrong in every metric that uses heads",
}
