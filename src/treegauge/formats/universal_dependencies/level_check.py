"""Checks blocks of CoNLL-U at the levels 1 and 2 of Universal Dependencies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.formats import _columns_numba as columns
from treegauge.formats.findings import Findings
from treegauge.formats.layouts import CONLLU
from treegauge.formats.scanned_block import ScannedBlock
from treegauge.formats.universal_dependencies import _suspicion_numba as kernels
from treegauge.formats.universal_dependencies.annotation import (
    NAMED_ATTRIBUTES,
    check_graph,
    check_heads,
    check_values,
    deprel_flaws,
    feats_flaws,
    has_graph,
    relation_flaws,
    upos_flaws,
)
from treegauge.formats.universal_dependencies.backbone import (
    DEPREL,
    FEATS,
    UPOS,
    CheckedSentence,
    check_backbone,
    check_characters,
    sentences,
)
from treegauge.formats.universal_dependencies.metadata import (
    Metadata,
    check_metadata,
)
from treegauge.formats.universal_dependencies.rules import LEVEL_RULES, Breach
from treegauge.formats.universal_dependencies.sentence_ids import (
    NamedLine,
    SentenceIds,
    flawed_parallel_ids,
    parallel_sentence,
    repeated_ids,
)
from treegauge.spilling import Spill
from treegauge.treebank import Interner, parse_comment

_MOST_VALUES = 500_000
"""Distinct values of a column that are remembered."""
_KEYS = ("sent_id", "text", "newdoc", "newpar", "parallel_id")


@dataclass
class Outcome:
    """What was found in one sentence."""

    checked: CheckedSentence
    is_usable: bool = False
    """Whether nothing was so wrong that its metadata could not be looked at."""
    has_graph: bool = False
    metadata: Metadata = field(default_factory=Metadata)


def check_sentence(lines: list[str], level: int) -> Outcome:
    """Check one sentence by itself, with the blank line behind it, as the official validator does.

    A rule of a higher level is looked at only where those below it hold.
    """
    outcome = Outcome(CheckedSentence(lines))
    if not check_backbone(outcome.checked) or level < 2:
        return outcome
    if not check_heads(outcome.checked) or not check_values(outcome.checked):
        return outcome
    outcome.is_usable = True
    outcome.has_graph = has_graph(outcome.checked.rows)
    outcome.metadata = check_metadata(outcome.checked)
    check_graph(outcome.checked)
    return outcome


def check_comments(lines: list[str], level: int, *, graph: bool) -> Outcome:
    """Check the comments and the text of a sentence whose rows are known to be right."""
    outcome = Outcome(CheckedSentence(lines))
    if level > 1:
        outcome.is_usable = True
        outcome.has_graph = graph
        outcome.metadata = check_metadata(outcome.checked)
    return outcome


class LevelCheck:
    """Checks the blocks of one file, one after the other."""

    def __init__(self, level: int, findings: Findings) -> None:
        self.level = level
        self.findings = findings
        self.next_line = 1
        self.n_sentences = 0
        self.n_words = 0
        spill = Spill()
        self._ids = SentenceIds(spill)
        self._parallel_ids = SentenceIds(spill, parallel_sentence)
        self._line_with_graph = 0
        self._line_without_graph = 0
        self._ends_without_space = False
        self._values = {
            UPOS: DistinctValues(upos_flaws),
            FEATS: DistinctValues(feats_flaws),
            DEPREL: DistinctValues(deprel_flaws),
        }
        self._relations = DistinctValues(relation_flaws)
        self._pieces = DistinctValues(_character_flaws)
        self._keys = _joined(_KEYS)
        self._names = _joined(NAMED_ATTRIBUTES)

    def add(self, text: bytes) -> None:
        """Check a block of whole sentences."""
        block = ScannedBlock(text, CONLLU, self.next_line)
        facts = _Facts(block, *self._keys, *self._names)
        self._suspect_values(block, facts)
        starts = np.searchsorted(block.sentence, np.arange(block.n_sentences + 2))
        for s in range(block.n_sentences + 1):
            first, last = int(starts[s]), int(starts[s + 1])
            if first < last:
                self._add_sentence(block, facts, s, first, last)
        self.n_sentences += block.n_sentences
        self.n_words += len(block.head)
        self.next_line += block.n_lines

    def finish(self) -> None:
        """Check what needs the ids of all sentences."""
        for ids, check in (
            (self._ids, repeated_ids),
            (self._parallel_ids, flawed_parallel_ids),
        ):
            totals: Counter[str] = Counter()
            # The first ones by line; groups are in any order.
            firsts: dict[str, list[tuple[Breach, str]]] = {}
            for group in ids.groups():
                for breach, identifier in check(group):
                    totals[breach.rule] += 1
                    firsts.setdefault(breach.rule, []).append((breach, identifier))
                for own in firsts.values():
                    own.sort(key=lambda one: one[0].line)
                    del own[self.findings.most :]
            for rule, own in firsts.items():
                for breach, identifier in own:
                    self._report(breach, 0, identifier)
                self._count_unlisted(rule, totals[rule] - len(own))

    def _count_unlisted(self, key: str, number: int) -> None:
        rule = LEVEL_RULES[key]
        self.findings.count_unlisted(rule.id, number)
        if number:
            self.findings.official[rule.level, rule.official or rule.id] += number

    def _suspect_values(self, block: ScannedBlock, facts: _Facts) -> None:
        """Suspect sentences in which a value, a relation or a character may break a rule."""
        for column, values in self._values.items():
            first, last = block.bounds[column], block.bounds[column + 1] - 1
            flawed = values.flawed(block, first, last)
            if flawed.any():
                facts.suspect[block.sentence_of_word[flawed]] |= kernels.ROWS
        flawed = self._relations.flawed(block, facts.rel_first, facts.rel_last)
        facts.suspect[facts.rel_sentence[flawed]] |= kernels.ROWS
        first = np.empty(len(block.bytes) // 2 + 1, np.int32)
        last = np.empty(len(block.bytes) // 2 + 1, np.int32)
        n = kernels.odd_pieces(block.bytes, first, last)
        flawed = self._pieces.flawed(block, first[:n], last[:n])
        if flawed.any():
            lines = np.searchsorted(block.line_start, first[:n][flawed], side="right") - 1
            facts.suspect[block.sentence[lines]] |= kernels.ROWS

    def _add_sentence(
        self, block: ScannedBlock, facts: _Facts, s: int, first: int, last: int
    ) -> None:
        suspect = int(facts.suspect[s])
        if not suspect & (kernels.ROWS | kernels.METADATA):
            if self.level > 1:
                self._add_known(block, facts, s, first, last)
            return
        text = block.text[block.line_start[first] : block.line_start[last]]
        lines = text.decode(errors="replace").removesuffix("\n").split("\n")
        if not suspect & kernels.ROWS:
            graph = bool(facts.has_graph[s])
            outcome = check_comments(lines, self.level, graph=graph)
            self._add_outcome(block, first, outcome)
            return
        for own in sentences(lines):
            outcome = check_sentence(own, self.level)
            self._add_outcome(block, first, outcome)
            first += len(own)

    def _add_known(self, block: ScannedBlock, facts: _Facts, s: int, first: int, last: int) -> None:
        """Add a sentence of which all is known without reading it again."""
        metadata = Metadata("", bool(facts.starts_part[s]), bool(facts.ends_without_space[s]))
        name = block.text[facts.id_first[s] : facts.id_last[s]]
        missing = int(facts.suspect[s])
        if missing:
            row = int(np.argmin(block.kind[first:last] == columns.COMMENT))
            line = block.first_line + first + row
            identifier = name.decode(errors="replace")
            if missing & kernels.NO_ID:
                self._report(Breach(0, "missing-sent-id", "none"), line, identifier)
            if missing & kernels.NO_TEXT:
                self._report(Breach(0, "missing-text", "none"), line, identifier)
                metadata.ends_without_space = None
        self._relate(block, first, name, metadata, bool(facts.has_graph[s]))

    def _add_outcome(self, block: ScannedBlock, first: int, outcome: Outcome) -> None:
        identifier = _sentence_id(outcome.checked.comments)
        for breach in outcome.checked.breaches:
            self._report(breach, block.first_line + first, identifier)
        if outcome.is_usable:
            metadata = outcome.metadata
            name = metadata.sent_id.encode(errors="replace")
            if metadata.parallel_id:
                line = block.first_line + first + outcome.checked.first_row
                parallel_id = metadata.parallel_id.encode()
                self._parallel_ids.add(
                    NamedLine(parallel_id, line, identifier.encode(errors="replace"))
                )
            self._relate(block, first, name, metadata, outcome.has_graph)

    def _relate(
        self,
        block: ScannedBlock,
        first: int,
        name: bytes,
        metadata: Metadata,
        graph: bool,
    ) -> None:
        """Check what a sentence must not share with others, or must."""
        line = block.first_line + first
        identifier = name.decode(errors="replace")
        if name:
            self._ids.add(NamedLine(name, line))
        if metadata.starts_part and self._ends_without_space:
            self._report(Breach(0, "spaceafter-newdocpar", "it"), line, identifier)
        if metadata.ends_without_space is not None:
            self._ends_without_space = metadata.ends_without_space
        self._relate_graphs(line, identifier, graph)

    def _relate_graphs(self, line: int, identifier: str, graph: bool) -> None:
        """Check that graphs are in all sentences or in none; said once, where it first differs."""
        known = self._line_with_graph if graph else self._line_without_graph
        if known:
            return
        if graph:
            self._line_with_graph = line
            other, shown = self._line_without_graph, "a graph, and none"
        else:
            self._line_without_graph = line
            other, shown = self._line_with_graph, "no graph, and one"
        if other:
            found = f"{shown} in line {other}"
            self._report(Breach(0, "edeps-only-sometimes", found), line, identifier)

    def _report(self, breach: Breach, first_line: int, sentence: str) -> None:
        rule = LEVEL_RULES[breach.rule]
        self.findings.add(
            rule.id,
            line=first_line + breach.line,
            expected=rule.expected,
            found=breach.found,
            advice=rule.advice,
            sentence=sentence,
            official=rule.official,
            level=rule.level,
        )


class _Facts:
    """What the kernel says about the sentences of a block."""

    def __init__(
        self,
        block: ScannedBlock,
        keys: NDArray[np.uint8],
        key_starts: NDArray[np.int64],
        names: NDArray[np.uint8],
        name_starts: NDArray[np.int64],
    ) -> None:
        n = block.n_sentences + 1
        self.suspect = np.zeros(n, np.uint8)
        self.id_first = np.zeros(n, np.int64)
        self.id_last = np.zeros(n, np.int64)
        self.has_graph = np.zeros(n, np.bool_)
        self.starts_part = np.zeros(n, np.bool_)
        self.ends_without_space = np.zeros(n, np.bool_)
        seen = np.empty(len(block.head) + 1, np.int64)
        room = len(block.head) + block.text.count(b"|") + 1
        edge_head = np.empty(room, np.int64)
        edge_dependent = np.empty(room, np.int64)
        rel_first = np.empty(room, np.int64)
        rel_last = np.empty(room, np.int64)
        rel_sentence = np.empty(room, np.int64)
        edges = kernels.find_suspects(
            block.bytes,
            block.line_start,
            block.kind,
            block.flaws,
            block.sentence,
            block.bounds,
            block.head,
            keys,
            key_starts,
            names,
            name_starts,
            self.suspect,
            self.id_first,
            self.id_last,
            self.has_graph,
            self.starts_part,
            self.ends_without_space,
            seen,
            edge_head,
            edge_dependent,
            rel_first,
            rel_last,
            rel_sentence,
        )
        self.rel_first = rel_first[:edges]
        self.rel_last = rel_last[:edges]
        self.rel_sentence = rel_sentence[:edges]


class DistinctValues:
    """Looks at a distinct value once, however many words have it; of very many, some again."""

    def __init__(self, flaws: Callable[[str], Iterable[Any]]) -> None:
        self._flaws = flaws
        self._interner = Interner()
        self._is_flawed = np.zeros(0, np.bool_)

    def flawed(
        self,
        block: ScannedBlock,
        first: NDArray[np.integer[Any]],
        last: NDArray[np.integer[Any]],
    ) -> NDArray[np.bool_]:
        """Return which slices of a block have a flaw."""
        if len(self._interner) > _MOST_VALUES:
            self._interner, self._is_flawed = Interner(), self._is_flawed[:0]
        before = len(self._interner)
        codes = self._interner.add(block.bytes, first, last)
        if len(self._interner) > before:
            new, place = np.unique(codes, return_index=True)
            place = place[new >= before]
            values = [block.text[first[i] : last[i]].decode(errors="replace") for i in place]
            flawed = np.array([any(True for _ in self._flaws(value)) for value in values])
            self._is_flawed = np.concatenate([self._is_flawed, flawed])
        is_flawed: NDArray[np.bool_] = self._is_flawed[codes]
        return is_flawed


def _character_flaws(piece: str) -> list[Breach]:
    """Return whether a piece of a line has odd characters, among them spaces of other kinds."""
    checked = CheckedSentence([piece])
    check_characters(checked, 0, piece)
    if any(character.isspace() for character in piece):
        checked.break_rule(0, "invalid-whitespace", piece)
    return checked.breaches


def _sentence_id(comments: list[str]) -> str:
    named = dict(map(parse_comment, comments))
    return named.get("sent_id", "")


def _joined(texts: Iterable[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return texts as one array of bytes, and where each begins."""
    encoded = [text.encode() for text in texts]
    starts = np.concatenate([[0], np.cumsum([len(text) for text in encoded])]).astype(np.int64)
    return np.frombuffer(b"".join(encoded), np.uint8), starts
