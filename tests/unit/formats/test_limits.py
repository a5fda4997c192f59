from __future__ import annotations

import io
import itertools

import pytest

import treegauge as tg
from treegauge.formats import blocks
from treegauge.formats.limits import MAX_BYTES, max_bytes, max_files, parse_size

TAGGED = b"sul\tPRON\ndorvi\tVERB\n\n"


class Endless(io.RawIOBase):
    """Gives the same bytes again and again."""

    name = "endless.tagged"

    def __init__(self, content: bytes) -> None:
        self._content = content * (1 + (1 << 16) // len(content))

    def read(self, size: int = -1) -> bytes:
        return self._content[:size] if size >= 0 else self._content


@pytest.mark.parametrize("content", [b"\n", b"\r", b" ", b" \n", b"\xef\xbb\xbf", b"a", TAGGED])
def test_a_stream_without_an_end_filled_the_memory(content: bytes) -> None:
    with pytest.raises(tg.FormatError, match=r"endless\.tagged: \[size\] expected at most 8 MB"):
        tg.read(Endless(content), format="tagged", max_bytes=parse_size("8MB"))


@pytest.mark.parametrize("content", [b"\n", b"a"])
def test_a_beginning_without_an_end_was_kept(content: bytes) -> None:
    chunk = content * (1 << 20)
    taken = itertools.count()
    chunks = (chunk for _ in taken)
    first, text = blocks.look_ahead(chunks)
    assert next(taken) <= 20
    assert len(first) <= 20 << 20
    assert next(text) == chunk


def test_a_sentence_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_LONGEST_SENTENCE", 1 << 20)
    text = b"a\tb\n" * (1 << 20)
    with pytest.raises(tg.FormatError, match=r"\[size\] expected sentences of at most 1 MiB"):
        tg.read(io.BytesIO(text), format="tagged")


def test_lines_without_an_end_overflowed_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_MOST_LINES", 10)
    with pytest.raises(tg.FormatError, match=r"\[size\] expected at most 10 lines, found more"):
        tg.read(io.BytesIO(TAGGED * 4))
    assert len(tg.read(io.BytesIO(TAGGED * 3))) == 3


def test_the_limit_itself_is_allowed() -> None:
    assert len(tg.read(io.BytesIO(TAGGED), max_bytes=len(TAGGED))) == 1
    with pytest.raises(tg.FormatError, match=rf"at most {len(TAGGED) - 1} bytes"):
        tg.read(io.BytesIO(TAGGED), max_bytes=len(TAGGED) - 1)


def test_limits_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(MAX_BYTES, raising=False)
    assert (max_bytes(), max_files()) == (4 << 30, 100_000)
    monkeypatch.setenv(MAX_BYTES, "10 GB")
    assert max_bytes() == 10**10


@pytest.mark.parametrize(
    "text", ["", "much", "-1", "0", "4GBB", "1.2.3GB", "GB", "4iB", "1e3", "nan"]
)
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(tg.FormatError, match="expected a size above 0, such as 4GB"):
        parse_size(text)


def test_sizes_grow_with_their_units() -> None:
    sizes = [parse_size(text) for text in ("1", "1k", "1KiB", "1MB", "1MiB", "1g", "1GiB", "1TB")]
    assert all(a < b for a, b in itertools.pairwise(sizes))
