"""Outcomes come back as bytes from processes that nobody trusts."""

from __future__ import annotations

import json
import pickle
import random
from dataclasses import replace

import numpy as np
import pytest

import treegauge as tg
from treegauge.runs.outcome import Annotation, Outcome, most_bytes, read_outcome
from treegauge.treebank import Column

TEXT = tg.blind(tg.toy_treebank("toy:svo", tokens=30))
EMPTY = TEXT[:0]
WORDS = TEXT.n_words
ANNOTATED = TEXT.replace(
    head=np.zeros(WORDS, np.int32),
    columns={"deprel": Column.from_strings([f"r{i % 3}é" for i in range(WORDS)])},
)
TARGETS = {"dev": EMPTY, "test": TEXT}
DONE = Outcome(
    "done",
    {"dev": Annotation.of(EMPTY), "test": Annotation.of(ANNOTATED)},
    seconds=1.25,
    elapsed=2.5,
    peak_memory=100.0,
    output="hello\n",
)
CONTENT = DONE.to_bytes()


def read(content: bytes, *, keep_model: bool = False) -> Outcome:
    return read_outcome(content, TARGETS, keep_model=keep_model)


def test_what_is_written_is_read() -> None:
    again = read(CONTENT)
    assert again.annotations["test"].on(TEXT) == ANNOTATED
    assert again.annotations["dev"].on(EMPTY) == EMPTY
    assert again.to_bytes() == CONTENT
    assert (again.seconds, again.elapsed, again.peak_memory) == (1.25, 2.5, 100)
    assert (again.status, again.reason, again.error, again.output) == ("done", "", "", "hello\n")
    with_model = Outcome(DONE.status, DONE.annotations, b"learnt\n")
    assert read(with_model.to_bytes(), keep_model=True).model == b"learnt\n"


def test_costs_of_pieces_are_added_and_memory_is_the_largest() -> None:
    pieces = [
        Outcome("done", seconds=2.0, elapsed=3.0, compiling=0.5, peak_memory=150.0),
        Outcome("done", seconds=4.0, elapsed=5.0, compiling=0.0, peak_memory=50.0),
    ]
    own = replace(DONE, compiling=1.0)
    whole = own.with_costs_of(pieces)
    assert (whole.seconds, whole.elapsed, whole.compiling) == (7.25, 10.5, 1.5)
    assert whole.peak_memory == 150.0
    assert (whole.annotations, whole.output) == (DONE.annotations, "hello\n")
    assert own.with_costs_of([]) == own
    lost = replace(pieces[0], seconds=None, peak_memory=None)
    unknown = own.with_costs_of([lost])
    assert (unknown.seconds, unknown.peak_memory, unknown.elapsed) == (None, None, 5.5)


def test_what_pieces_print_is_there_once() -> None:
    said = [Outcome("done", output=text) for text in ("a warning\n", "", "a warning\n", "more\n")]
    assert Outcome("done", output="a warning\n").with_costs_of(said).output == "a warning\nmore\n"


@pytest.mark.parametrize("status", ["failed", "timeout", "memory"])
def test_failures_are_read_too(status) -> None:
    failure = Outcome(status, reason="no such bird", error="Traceback …", seconds=1.0)
    assert read(failure.to_bytes()) == failure


def changed(**facts) -> bytes:
    line, _, arrays = CONTENT.partition(b"\n")
    return json.dumps({**json.loads(line), **facts}).encode() + b"\n" + arrays


def with_deprels(*strings: object) -> bytes:
    parts = json.loads(CONTENT.partition(b"\n")[0])["parts"]
    return changed(parts={**parts, "test": {**parts["test"], "deprel": list(strings)}})


def with_heads(head: int) -> bytes:
    begin = CONTENT.index(b"\n") + 1
    return CONTENT[:begin] + np.array([head], "<i4").tobytes() + CONTENT[begin + 4 :]


@pytest.mark.parametrize(
    ("content", "message"),
    {
        "nothing": (b"", "it does not begin with a line of JSON"),
        "a pickle": (pickle.dumps(DONE), "it does not begin with a line of JSON"),
        "no text": (b"\xff\xfe\n", "it does not begin with a line of JSON"),
        "deep": (b"[" * 100_000 + b"\n", "it does not begin with a line of JSON"),
        "long": (b" " * 2_000_000, "it is too large"),
        "a list": (b"[]\n", "it: expected status, seconds"),
        "a fact more": (changed(more=1), "it: expected status, seconds"),
        "status": (changed(status="fine"), "status: expected one of done, failed"),
        "a list as status": (changed(status=["done"]), "status: expected one of done, failed"),
        "NaN": (changed(seconds=float("nan")), "seconds: expected a number from 0"),
        "infinity": (changed(elapsed=float("inf")), "elapsed: expected a number from 0"),
        "negative": (changed(seconds=-1), "seconds: expected a number from 0"),
        "huge": (changed(peak_memory=10**400), "peak_memory: expected a number from 0"),
        "yes": (changed(seconds=True), "seconds: expected a number from 0"),
        "text as number": (changed(seconds="1"), "seconds: expected a number from 0"),
        "number as text": (changed(reason=1), "reason: expected a text"),
        "a part less": (changed(parts={}), "parts: expected dev, test"),
        "failed, and yet": (changed(status="failed"), "parts: expected nothing"),
        "cut": (CONTENT[:-1], "its arrays are cut off"),
        "more behind": (CONTENT + b"x", "there are bytes after its end"),
        "a head too far": (with_heads(1000), "a head is outside its sentence"),
        "a head below": (with_heads(-2), "a head is outside its sentence"),
        "a text less": (with_deprels("a"), "deprel: a number that stands for no text"),
        "twice": (with_deprels("a", "a", "b"), "deprel: a text is there twice"),
        "numbers": (with_deprels(1, 2, 3), "deprel: expected a list of texts"),
        "a line": (with_deprels("a", "b\nc", "d"), "deprel: a control character"),
        "half": (with_deprels("a", "\ud800", "d"), "deprel: half of a character"),
    }.values(),
)
def test_a_forged_outcome_is_a_failed_cell(content, message) -> None:
    outcome = read(content)
    assert outcome.status == "failed"
    assert outcome.reason.startswith(f"the result of its process cannot be used: {message}")
    assert not outcome.annotations


def test_a_model_is_bounded_and_only_taken_where_it_was_asked_for() -> None:
    bare = most_bytes(TARGETS, keep_model=False)
    assert bare < 2_000_000 < most_bytes(TARGETS, keep_model=True)
    failed = Outcome("failed").to_bytes() + b"model"
    assert "bytes after its end" in read(failed, keep_model=True).reason


def test_long_and_broken_texts_are_cut_and_mended() -> None:
    facts = {"parts": {}, "status": "failed", "error": "x" * 100_000, "reason": "a\n\ud800" * 500}
    line = changed(**facts).partition(b"\n")[0] + b"\n"
    outcome = read(line)
    assert len(outcome.error) < 21_000
    assert len(outcome.reason) < 310
    assert "\n" not in outcome.reason
    outcome.reason.encode()


def test_no_damage_is_a_traceback() -> None:
    draw = random.Random(7)
    for _ in range(500):
        content = bytearray(CONTENT)
        for _ in range(draw.randint(1, 4)):
            place = draw.randrange(len(content))
            content[place : place + draw.randint(0, 3)] = draw.randbytes(draw.randint(0, 3))
        outcome = read(bytes(content))
        assert (outcome.status == "done") == bool(outcome.annotations)
