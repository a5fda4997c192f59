"""Files read by several threads: the same treebank, to the last code."""

from __future__ import annotations

import gzip
import io
import lzma
import threading

import numpy as np
import pytest

import treegauge as tg
from treegauge.formats import parallel_scanning, sources
from treegauge.formats.reading_ahead import made_ahead


@pytest.fixture(scope="module")
def text() -> str:
    return tg.to_text(tg.toy_treebank("toy:svo", tokens=5000))


def read_on(threads: int, text: str, monkeypatch) -> tg.Treebank:
    monkeypatch.setenv("TREEGAUGE_THREADS", str(threads))
    monkeypatch.setattr(sources, "_CHUNK", 3000)  # dozens of blocks
    return tg.read(io.BytesIO(text.encode()), findings=tg.Findings())


@pytest.mark.parametrize("threads", [2, 3])
def test_codes_do_not_depend_on_threads(text, threads, monkeypatch) -> None:
    one, several = read_on(1, text, monkeypatch), read_on(threads, text, monkeypatch)
    assert one == several
    for name, column in one.columns.items():
        assert np.array_equal(column.codes, several.columns[name].codes)
        assert column.vocabulary == several.columns[name].vocabulary
    assert np.array_equal(one.side_lines.text.codes, several.side_lines.text.codes)
    assert one.side_lines.text.vocabulary == several.side_lines.text.vocabulary
    assert one.first_lines.tolist() == several.first_lines.tolist()


def test_flaws_have_the_same_lines_on_any_number_of_threads(text, monkeypatch) -> None:
    broken = text.replace("\tNOUN\t", "\tNOUN\textra\t", 3) + "1\ta\n\n" + text + "9\tb\n"
    messages = []
    for threads in (1, 2):
        with pytest.raises(tg.FormatError) as caught:
            read_on(threads, broken, monkeypatch)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    assert messages[0].count("[columns]") > 3


def test_a_block_that_cannot_be_scanned_stops_nobody_for_ever(text, monkeypatch) -> None:
    cut = parallel_scanning.ScannedBlock
    scanned = iter(range(1000))

    def failing(*arguments):
        if next(scanned) == 5:
            raise MemoryError
        return cut(*arguments)

    monkeypatch.setattr(parallel_scanning, "ScannedBlock", failing)
    before = threading.active_count()
    with pytest.raises(MemoryError):
        read_on(2, text, monkeypatch)
    assert threading.active_count() == before
    assert next(scanned) > 7  # those behind it were not left waiting


# ---------------------------------------------------------------------- decompression


@pytest.mark.parametrize(("pack", "ending"), [(gzip.compress, ".gz"), (lzma.compress, ".xz")])
def test_packed_files_are_the_same_with_a_second_thread(
    text, pack, ending, tmp_path, monkeypatch
) -> None:
    path = tmp_path / f"a.conllu{ending}"
    path.write_bytes(pack(text.encode()))
    monkeypatch.setattr(sources, "_CHUNK", 3000)
    read = []
    for threads in ("1", "2"):
        monkeypatch.setenv("TREEGAUGE_THREADS", threads)
        read.append(tg.read(path))
    assert read[0] == read[1]


def test_an_error_comes_where_it_happened() -> None:
    def chunks():
        yield b"a"
        yield b"b"
        raise EOFError

    ahead = made_ahead(chunks())
    assert [next(ahead), next(ahead)] == [b"a", b"b"]
    with pytest.raises(EOFError):
        next(ahead)


def test_a_thread_ends_when_nobody_wants_more() -> None:
    def endless():
        while True:
            yield b"a"

    before = threading.active_count()
    ahead = made_ahead(endless())
    next(ahead)
    assert threading.active_count() == before + 1
    ahead.close()
    assert threading.active_count() == before
