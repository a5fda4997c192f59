"""Ids of all sentences: in memory, in a file, and in a twin that keeps all of them."""

from __future__ import annotations

import io

from hypothesis import given, strategies as st

from treegauge import spilling
from treegauge.formats import validate
from treegauge.formats.universal_dependencies.rules import Breach
from treegauge.formats.universal_dependencies.sentence_ids import (
    NamedLine,
    SentenceIds,
    flawed_parallel_ids,
    parallel_sentence,
    repeated_ids,
)
from treegauge.spilling import Spill

names = st.sampled_from([b"a", b"b/1", b"b/1/2", b"", b"c" * 300])
parallel_names = st.builds(
    lambda sentence, suffix: f"p/{sentence}{suffix}".encode(),
    st.integers(1, 3),
    st.sampled_from(["", "/alt1", "/alt2", "/part1", "/part2", "/alt1part1", "/alt1part2"]),
)


def gathered(ids: SentenceIds, own: list[bytes]) -> SentenceIds:
    for line, name in enumerate(own, start=1):
        ids.add(NamedLine(name, line, b"s%d" % line))
    return ids


def in_order(ids: SentenceIds, check) -> list[tuple[Breach, str]]:
    found = [breach for group in ids.groups() for breach in check(group)]
    return sorted(found, key=lambda one: one[0].line)


def twin_of_repeated(own: list[bytes]) -> list[tuple[int, int]]:
    """Look back at all lines before each."""
    return [
        (line, own.index(name) + 1)
        for line, name in enumerate(own, start=1)
        if name in own[: line - 1]
    ]


@given(st.lists(names, max_size=30))
def test_repeated_ids_are_those_of_a_twin_that_looks_back(own) -> None:
    for memory in (0, 1 << 30):
        found = in_order(gathered(SentenceIds(Spill(memory=memory)), own), repeated_ids)
        lines = [(one.line, int(one.found.rpartition(" ")[2])) for one, _ in found]
        assert lines == twin_of_repeated(own)


@given(st.lists(parallel_names, max_size=20))
def test_parallel_ids_in_a_file_break_the_rules_of_those_in_memory(own) -> None:
    kept, spilled = (
        in_order(gathered(SentenceIds(Spill(memory=memory), parallel_sentence), own),
                 flawed_parallel_ids)
        for memory in (1 << 30, 0)
    )  # fmt: skip
    assert kept == spilled


def test_parallel_ids_by_hand() -> None:
    own = [b"p/1", b"p/2/alt1", b"p/1", b"p/2/alt2", b"p/2/alt4", b"p/3/alt1part2"]
    found = in_order(gathered(SentenceIds(Spill(), parallel_sentence), own), flawed_parallel_ids)
    assert [(one.line, one.rule, sentence) for one, sentence in found] == [
        (3, "non-unique-parallel-id", "s3"),
        (5, "parallel-id-alt", "s5"),
        (6, "parallel-id-part", "s6"),
    ]


def test_a_file_has_the_same_findings_without_memory_for_ids(monkeypatch) -> None:
    sentence = (
        "# sent_id = s{}\n# parallel_id = p/{}\n# text = a\n1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n"
    )
    text = "".join(sentence.format(i % 40, i % 45) for i in range(100))
    whole = validate(io.StringIO(text), level=2)
    assert whole.findings.official[2, "non-unique-sent-id"] == 60
    assert whole.findings.official[2, "non-unique-parallel-id"] == 55
    monkeypatch.setattr(spilling, "MEMORY", 0)
    assert str(validate(io.StringIO(text), level=2)) == str(whole)
    assert validate(io.StringIO(text), level=2, stream=True).to_dict() == whole.to_dict()
