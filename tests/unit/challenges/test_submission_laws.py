"""Laws of submissions: what is sent is what is read, and other words never pass."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, strategies as st

from tests.examples import examples
from tests.unit.challenges.marked_challenge import SENTENCES, SYSTEM, pack_small, write_submission
from treegauge.challenges import Submission, Task, read_pack, read_submission, task_of_pack
from treegauge.challenges.packs import write_zip

TEST = SENTENCES["test"]
WORDS = sum(map(len, TEST))

relations = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=5)
heads = st.lists(st.integers(0, 5), min_size=WORDS, max_size=WORDS)


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("laws")
    pack_small(place)
    return place


@pytest.fixture(scope="module")
def task(place: Path) -> Task:
    return task_of_pack(read_pack(place / "packs/small-dependencies-test.zip"))


def annotated(sentences, heads: list[int], labels: list[str]) -> str:
    rows = iter(zip(heads, labels, strict=True))
    lines = []
    for words in sentences:
        for number, word in enumerate(words, start=1):
            head, label = next(rows, (0, "root"))
            lines.append(f"{number}\t{word}\t_\t_\t_\t_\t{head}\t{label}\t_\t_\n")
        lines.append("\n")
    return "".join(lines)


def submitted(place: Path, text: str, task: Task) -> Submission:
    return read_submission(write_submission(place / "ours", text, SYSTEM), task)


@examples(60)
@given(heads, st.lists(relations, min_size=WORDS, max_size=WORDS))
def test_what_is_sent_is_what_is_read(place: Path, task: Task, heads, labels) -> None:
    assume("_" not in labels)
    read = submitted(place, annotated(TEST, heads, labels), task)
    assert read.findings.is_acceptable
    assert read.treebanks["en"].head.tolist() == heads
    assert list(read.treebanks["en"].deprel) == labels
    write_zip(place / "ours.zip", read.canonical_files())
    again = read_submission(place / "ours.zip", task)
    assert again.treebanks["en"] == read.treebanks["en"]
    assert again.content == read.content


@examples(100)
@given(st.lists(st.lists(st.sampled_from(["birds", "sing", "a", "!"]), min_size=1, max_size=4)))
def test_other_words_never_pass(place: Path, task: Task, sentences) -> None:
    assume([tuple(words) for words in sentences] != list(TEST))
    read = submitted(place, annotated(sentences, [], []) or "\n", task)
    assert not read.findings.is_acceptable
    assert read.treebanks == {}
    assert all(finding.file for finding in read.findings)
