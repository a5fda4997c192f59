"""Laws of outputs as they come: what damage may do to scores.

Gold and a system's trees are drawn over the same words. The system's file is then damaged in one
of the ways of `DAMAGES`, each of which says which words it touched. Untouched words keep their
verdict, touched ones are wrong, and so no score exceeds that of the undamaged file. Two damages of
the kind that only takes away (`TAKING_AWAY`) do not raise a score either.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from tests.strategies import any_tree_heads
from treegauge.formats.repair import fix, loose_table, read_repaired
from treegauge.metrics import METRICS, Comparison, preset, total

FORMS = ("sul", "sul", "dorvi", "kepta", "mir", ".")
TAGS = ("NOUN", "VERB", "DET", "PUNCT")
RELATIONS = ("nsubj", "obj", "det", "aux", "punct")

JUDGED = ("uas", "undirected", "ned", "las", "label", "clas", "blex", "upos", "feats", "lemma")
"""Metrics whose verdict on a word depends on its own line alone."""

SCORED = (*JUDGED, "mlas", "root", "exact_match", "exact_match_labelled", "verb_arguments", "words")
"""Metrics that no damage may raise."""

USES_HEADS = frozenset(name for name in JUDGED if "head" in METRICS[name].needs)

Word = tuple[int, int]
"""A sentence and a position, from 0."""


@dataclass
class Answer:
    """A system's file while it is damaged: lines with the words they are of."""

    sentences: list[tuple[str, list[tuple[Word, list[str]]]]]
    words: set[Word] = field(default_factory=set)
    heads: set[Word] = field(default_factory=set)
    surplus: int = 0
    before: str = ""
    after: str = ""
    cut: int | None = None
    divider: str = "\t"

    def text(self) -> str:
        lines = []
        for comment, rows in self.sentences:
            lines += [comment, *(self.divider.join(fields) for _, fields in rows), ""]
        whole = "\n".join([*lines, ""])
        return self.before + (whole if self.cut is None else whole[: self.cut]) + self.after

    def rows(self) -> list[tuple[Word, list[str]]]:
        return [row for _, rows in self.sentences for row in rows]


def answer_of(treebank: tg.Treebank) -> Answer:
    blocks = tg.to_text(treebank).strip("\n").split("\n\n")
    sentences = []
    for s, block in enumerate(blocks):
        comment, *lines = block.split("\n")
        rows = [((s, i), line.split("\t")) for i, line in enumerate(lines)]
        sentences.append((comment, rows))
    return Answer(sentences)


# ---------------------------------------------------------------- kinds of damage


def remove_lines(answer: Answer, draw: Any) -> None:
    for _, rows in answer.sentences:
        lost = draw(st.sets(st.integers(0, len(rows)), max_size=2))
        answer.words |= {word for i, (word, _) in enumerate(rows) if i in lost}
        rows[:] = [row for i, row in enumerate(rows) if i not in lost]


def remove_sentence(answer: Answer, draw: Any) -> None:
    _, rows = answer.sentences.pop(draw(st.integers(0, len(answer.sentences) - 1)))
    answer.words |= {word for word, _ in rows}


def truncate(answer: Answer, draw: Any) -> None:
    whole = answer.text()
    answer.cut = draw(st.integers(0, len(whole) - 1))
    at = 0
    for comment, rows in answer.sentences:
        at += len(comment) + 1
        for word, fields in rows:
            at += len("\t".join(fields))
            if at > answer.cut:
                answer.words.add(word)
            at += 1
        at += 1


def reorder_lines(answer: Answer, draw: Any) -> None:
    _, rows = draw(st.sampled_from(answer.sentences))
    shuffled = draw(st.permutations(rows))
    answer.words |= {a[0] for a, b in zip(rows, shuffled, strict=True) if a[0] != b[0]}
    rows[:] = shuffled


def reorder_sentences(answer: Answer, draw: Any) -> None:
    answer.sentences = draw(st.permutations(answer.sentences))


def fence(answer: Answer, draw: Any) -> None:
    mark = draw(st.sampled_from(["```", "```conllu", "~~~"]))
    answer.before, answer.after = f"{mark}\n", f"{mark[:3]}\n"


def surround_with_prose(answer: Answer, draw: Any) -> None:
    answer.before = draw(st.sampled_from(["Sure! Here it is:\n\n", "1. The tree:\n"]))
    answer.after = "\nLet me know if 3 words are wrong.\n"


def put_spaces_for_tabs(answer: Answer, draw: Any) -> None:
    answer.divider = draw(st.sampled_from([" ", "    "]))


def drop_fields(answer: Answer, draw: Any) -> None:
    word, fields = draw(st.sampled_from(answer.rows()))
    place = draw(st.integers(2, len(fields) - 1))
    # A line that is the only one says of itself how wide the table is.
    if len(answer.rows()) > 2:
        del fields[place]
        answer.words.add(word)


def misnumber(answer: Answer, draw: Any) -> None:
    _, rows = draw(st.sampled_from(answer.sentences))
    word, fields = draw(st.sampled_from(rows))
    number = draw(st.integers(1, len(rows) + 3).map(str).filter(lambda n: n != fields[0]))
    if len(rows) == 1:
        number = "7"
    answer.words |= {word, *(other for other, line in rows if line[0] == number)}
    fields[0] = number


def point_outside(answer: Answer, draw: Any) -> None:
    _, rows = draw(st.sampled_from(answer.sentences))
    word, fields = draw(st.sampled_from(rows))
    fields[6] = draw(st.sampled_from([str(len(rows) + 1), "99", "x", "", "-1", "1.5"]))
    answer.heads.add(word)


def close_cycle(answer: Answer, draw: Any) -> None:
    _, rows = draw(st.sampled_from(answer.sentences))
    start = draw(st.integers(1, len(rows)))
    path, at = [], start
    while at:
        path.append(at)
        at = int(rows[at - 1][1][6])
    top = draw(st.integers(0, len(path) - 1))
    rows[path[top] - 1][1][6] = str(start)
    answer.heads |= {rows[place - 1][0] for place in path[: top + 1]}


def add_root(answer: Answer, draw: Any) -> None:
    _, rows = draw(st.sampled_from(answer.sentences))
    word, fields = draw(st.sampled_from(rows))
    if fields[6] != "0":
        answer.heads |= {word, *(other for other, line in rows if line[6] == "0")}
        fields[6] = "0"


def double_line(answer: Answer, draw: Any) -> None:
    _, rows = draw(st.sampled_from(answer.sentences))
    place = draw(st.integers(0, len(rows) - 1))
    answer.words.add(rows[place][0])
    rows.insert(place, (rows[place][0], list(rows[place][1])))
    answer.surplus = 1


def alter_word(answer: Answer, draw: Any) -> None:
    word, fields = draw(st.sampled_from(answer.rows()))
    fields[1] += "x"
    answer.words.add(word)


Damage = Callable[[Answer, Any], None]

TAKING_AWAY: tuple[Damage, ...] = (
    remove_lines,
    remove_sentence,
    truncate,
    reorder_lines,
    reorder_sentences,
    fence,
    surround_with_prose,
)
IMPOSSIBLE: tuple[Damage, ...] = (drop_fields, misnumber, point_outside, close_cycle, add_root)
DAMAGES: tuple[Damage, ...] = (
    *TAKING_AWAY,
    *IMPOSSIBLE,
    put_spaces_for_tabs,
    double_line,
    alter_word,
)


# ---------------------------------------------------------------- treebanks


@st.composite
def gold_and_system(draw: st.DrawFn) -> tuple[tg.Treebank, tg.Treebank]:
    lengths = draw(st.lists(st.integers(1, 6), min_size=1, max_size=3))
    texts: list[list[str]] = [[], []]
    for s, n in enumerate(lengths):
        forms = [draw(st.sampled_from(FORMS)) for _ in range(n)]
        for lines in texts:
            heads = draw(any_tree_heads(min_size=n, max_size=n))
            lines.append(f"# sent_id = s{s}")
            for i, (form, head) in enumerate(zip(forms, heads, strict=True), start=1):
                tag = draw(st.sampled_from(TAGS))
                relation = draw(st.sampled_from(RELATIONS)) if head else "root"
                feats = draw(st.sampled_from(["_", "Number=Sing"]))
                fields = [str(i), form, form, tag, "_", feats, str(head), relation, "_", "_"]
                lines.append("\t".join(fields))
            lines.append("")
    gold, system = (tg.parse("\n".join([*lines, ""]), format="conllu") for lines in texts)
    return gold, system


PRESETS = st.sampled_from(["conll2018", "conll2006", "pascal"])


def repaired(text: str, gold: tg.Treebank) -> tg.Treebank:
    return read_repaired(io.StringIO(text), gold, name="system")


def score(name: str, gold: tg.Treebank, system: tg.Treebank, conventions: str) -> float:
    comparison = Comparison(gold, system, preset(conventions))
    statistics = METRICS[name].statistics(comparison)
    return float(statistics.score(total(statistics.per_sentence)))


def verdicts(name: str, gold: tg.Treebank, system: tg.Treebank) -> list[bool]:
    outcome = METRICS[name].outcome
    assert outcome is not None
    return [bool(one) for one in outcome(Comparison(gold, system)).correct]


def words_of(gold: tg.Treebank) -> list[Word]:
    return [(s, i) for s, n in enumerate(gold.lengths.tolist()) for i in range(n)]


# ---------------------------------------------------------------- laws


def assert_no_score_rises(
    gold: tg.Treebank, system: tg.Treebank, damaged: tg.Treebank, conventions: str
) -> None:
    for name in SCORED:
        lower, whole = (score(name, gold, one, conventions) for one in (damaged, system))
        assert np.isnan(whole) or lower <= whole + 1e-12, name


@examples(60)
@given(gold_and_system(), PRESETS)
def test_a_file_without_flaws_scores_as_it_does_without_repair(
    treebanks: tuple[tg.Treebank, tg.Treebank], conventions: str
) -> None:
    gold, system = treebanks
    read = repaired(tg.to_text(system), gold)
    assert read.repairs is not None
    assert read.repairs.spares_all_words
    assert read.repairs.counts == ()
    for name in SCORED:
        same = score(name, gold, read, conventions), score(name, gold, system, conventions)
        assert np.isclose(*same, equal_nan=True)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@examples(40)
@given(gold_and_system(), PRESETS, st.data())
def test_damaged_words_are_wrong_all_others_keep_their_verdict_and_no_score_rises(
    damage: Damage,
    treebanks: tuple[tg.Treebank, tg.Treebank],
    conventions: str,
    data: st.DataObject,
) -> None:
    gold, system = treebanks
    answer = answer_of(system)
    damage(answer, data.draw)
    read = repaired(answer.text(), gold)
    for name in JUDGED:
        touched = answer.words | (answer.heads if name in USES_HEADS else set())
        whole = verdicts(name, gold, system)
        expected = [
            is_right and word not in touched
            for word, is_right in zip(words_of(gold), whole, strict=True)
        ]
        assert verdicts(name, gold, read) == expected, name
    # The slow twin of the score: words that are right, over words of gold and of the system.
    right = sum(verdicts("uas", gold, read))
    assert score("uas", gold, read, "conll2018") == pytest.approx(
        2 * right / (2 * gold.n_words + answer.surplus)
    )
    assert_no_score_rises(gold, system, read, conventions)


@examples(100)
@given(gold_and_system(), PRESETS, st.data())
def test_two_damages_that_take_away_do_not_raise_a_score(
    treebanks: tuple[tg.Treebank, tg.Treebank], conventions: str, data: st.DataObject
) -> None:
    gold, system = treebanks
    answer = answer_of(system)
    for _ in range(2):
        kinds = [one for one in TAKING_AWAY if one is not truncate or answer.cut is None]
        if not answer.rows() or answer.cut is not None:
            break
        data.draw(st.sampled_from(kinds))(answer, data.draw)
    read = repaired(answer.text(), gold)
    assert_no_score_rises(gold, system, read, conventions)


# A NUL is the sign of a binary file, which is refused as a whole.
CHARACTERS = st.characters(codec="utf-8", exclude_characters="\0")
LINES = st.lists(
    st.lists(st.sampled_from(["1", "2", "3", "sul", "_", "0", "NOUN", "", "#"]), max_size=11).map(
        "\t".join
    )
    | st.sampled_from(["```", "", "# sent_id = s0", "| 1 | sul | NOUN | 0 | root |", "1-2\tsul"])
    | st.text(CHARACTERS, max_size=12),
    max_size=12,
).map("\n".join)


@examples(100)
@given(gold_and_system(), LINES)
def test_any_text_is_read_and_scored(treebanks: tuple[tg.Treebank, tg.Treebank], text: str) -> None:
    gold, _ = treebanks
    assert 0 <= score("uas", gold, repaired(text, gold), "conll2018") <= 1


@examples(100)
@given(LINES)
def test_what_is_fixed_is_valid(text: str) -> None:
    table = loose_table(text, tg.Findings())
    if table.sentences:
        fixed = fix(table, tg.Findings())
        written = tg.to_text(fixed)
        assert tg.validate(io.StringIO(written), format="conllu").is_valid


@examples(100)
@given(gold_and_system(), st.sampled_from(DAMAGES), st.data())
def test_a_fixed_file_scores_no_better_than_the_damaged_one(
    treebanks: tuple[tg.Treebank, tg.Treebank], damage: Damage, data: st.DataObject
) -> None:
    gold, system = treebanks
    answer = answer_of(system)
    damage(answer, data.draw)
    text = answer.text()
    table = loose_table(text, tg.Findings())
    if table.sentences:
        again = repaired(tg.to_text(fix(table, tg.Findings())), gold)
        best = score("uas", gold, repaired(text, gold), "conll2018")
        assert score("uas", gold, again, "conll2018") <= best + 1e-12
