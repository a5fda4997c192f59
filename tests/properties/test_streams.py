"""Laws of streams: what is read part by part gives what the whole gives, however it is cut."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

import treegauge as tg
from tests import strategies
from treegauge.formats import (
    Findings,
    FormatError,
    TreebankStream,
    validate,
    write_parts,
)
from treegauge.formats.limits import max_stream_bytes
from treegauge.treebank.concatenation import concatenate

BROKEN = Path(__file__).parents[1] / "broken"
law = settings(deadline=None)  # the first example imports and loads kernels
cuts = st.integers(1, 200)
"""How many bytes make a part."""


def files(format: str) -> st.SearchStrategy[bytes]:
    return strategies.texts(format).map(str.encode)


def findings_of(text: bytes, **options) -> tuple[dict, str]:
    found = validate(io.BytesIO(text), **options)
    return found.to_dict(), str(found)


# ---------------------------------------------------------------------- validate


@law
@given(strategies.broken_texts(), cuts, st.sampled_from(["check", "gold", "prediction"]))
def test_a_stream_has_the_findings_of_the_whole(text, part_bytes, role) -> None:
    whole = findings_of(text, format="conllu", role=role)
    assert findings_of(text, format="conllu", role=role, stream=True, part_bytes=part_bytes) == (
        whole
    )


@law
@given(strategies.conllu_texts(max_sentences=4).map(str.encode), cuts, st.booleans())
def test_so_has_one_whose_trees_are_none(text, part_bytes, strict) -> None:
    options = {"format": "conllu", "strict": strict, "every": True}
    streamed = findings_of(text, stream=True, part_bytes=part_bytes, **options)
    assert streamed == findings_of(text, **options)


@pytest.mark.parametrize("path", sorted(BROKEN.glob("*.*")), ids=lambda path: path.name)
def test_broken_files_have_the_same_findings(path) -> None:
    if path.suffix in (".py", ".json"):
        return
    whole = validate(path)
    for part_bytes in (1, 40, 1 << 20):
        streamed = validate(path, stream=True, part_bytes=part_bytes)
        assert str(streamed) == str(whole)
        assert streamed.to_dict() == whole.to_dict()


# ---------------------------------------------------------------------- reading, writing


@law
@given(st.sampled_from(["conllu", "conllx", "pascal", "tagged", "slashed", "tokens"]), st.data())
def test_parts_are_the_whole(format, data) -> None:
    text = data.draw(files(format))
    part_bytes = data.draw(cuts)
    whole = tg.read(io.BytesIO(text), format=format, findings=Findings(), allow_empty=True)
    try:
        stream = TreebankStream(io.BytesIO(text), format=format, part_bytes=part_bytes)
        parts = list(stream)
    except FormatError as error:
        # There is nothing to read, or there are tags that only the whole can name.
        if whole.n_words and "--no-stream" not in str(error):
            raise
        return
    assert (stream.n_sentences, stream.n_words) == (whole.n_sentences, whole.n_words)
    assert concatenate(parts) == whole
    lines = [line for part in parts for line in part.first_lines.tolist()]
    assert lines == whole.first_lines.tolist()
    assert {part.name for part in parts} == {whole.name}


@law
@given(
    st.sampled_from(["conllu", "conllx", "pascal", "tagged", "slashed", "tokens"]),
    st.sampled_from(["conllu", "conllx", "pascal", "tagged", "slashed", "tokens"]),
    st.sampled_from([None, "u", "u12", "p:2"]),
    st.data(),
)
def test_a_converted_stream_has_the_bytes_of_the_whole(source, target, tags, data) -> None:
    text, part_bytes = data.draw(files(source)), data.draw(cuts)

    def written(write) -> tuple[bytes, list[str]] | str:
        out = io.BytesIO()
        try:
            return write(out), out.getvalue()
        except tg.TreegaugeError as error:
            return type(error).__name__ if "--no-stream" not in str(error) else "refused"

    def of_whole(out) -> list[str]:
        whole = tg.read(io.BytesIO(text), format=source, findings=Findings())
        return tg.write(whole, out, format=target, tags=tags)

    def of_stream(out) -> list[str]:
        parts = TreebankStream(io.BytesIO(text), format=source, part_bytes=part_bytes)
        return write_parts(parts, out, format=target, tags=tags)

    streamed = written(of_stream)
    assert streamed == written(of_whole) or streamed == "refused"


def test_what_the_whole_would_decide_otherwise_is_refused() -> None:
    sentence = "1\ta\t_\tNOUN\t{}\t_\t0\troot\t_\t_\n\n"
    text = sentence.format("_") * 3 + sentence.format("N") * 3
    parts = TreebankStream(io.StringIO(text), format="conllu", part_bytes=40)
    with pytest.raises(FormatError, match=r"conllx: .* XPOS begins later in the stream"):
        write_parts(parts, io.BytesIO(), format="conllx")


def test_a_file_that_cannot_be_used_is_not_converted(tmp_path) -> None:
    sentence = "1\ta\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "in.conllu").write_text(sentence * 50 + "1\ta\n\n" + sentence, encoding="utf-8")
    with pytest.raises(FormatError, match=r"in\.conllu:101: \[columns\]"):
        write_parts(TreebankStream(tmp_path / "in.conllu", part_bytes=100), tmp_path / "out.conllu")
    assert [path.name for path in tmp_path.iterdir()] == ["in.conllu"]


def test_a_stream_keeps_the_first_findings_and_counts_all(monkeypatch) -> None:
    monkeypatch.setattr("treegauge.formats.streaming.MOST_FINDINGS", 30)
    text = "1\ta\t_\tNOUN\t_\t_\t1\troot\t_\t_\n\n" * 100
    found = validate(io.StringIO(text), every=True, stream=True, part_bytes=100)
    assert found.findings.counts == {"cycle": 100, "no-root": 100}
    assert len(found.findings.listed) == 60
    assert "[cycle] 70 more of these, 100 in all" in str(found)
    assert json.dumps(found.to_dict())


def test_the_length_of_a_stream_is_bounded_only_if_somebody_says_so(monkeypatch) -> None:
    monkeypatch.delenv("TREEGAUGE_MAX_BYTES", raising=False)
    assert max_stream_bytes() == sys.maxsize
    text = "1\ta\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n" * 100
    assert validate(io.StringIO(text), stream=True).is_valid
    monkeypatch.setenv("TREEGAUGE_MAX_BYTES", "2kB")
    assert not validate(io.StringIO(text), stream=True).is_valid
