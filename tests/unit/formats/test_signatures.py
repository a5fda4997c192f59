from __future__ import annotations

import bz2
import io
import os
import random
import sqlite3
import sys
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

import treegauge as tg
from treegauge.formats import validate
from treegauge.formats.signatures import recognise

CONLLU = "1\tПтица\tптица\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tпоёт\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


def zip_of(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return buffer.getvalue()


def model() -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, about=np.zeros(3))
    return buffer.getvalue()


def tar() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("train.conllu"))
    return buffer.getvalue()


def database(path: Path) -> bytes:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE words (form TEXT)")
    connection.close()
    return path.read_bytes()


BINARIES = {
    "a PDF file": b"%PDF-1.4\n1 0 obj\n",
    "a PNG image": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    "a JPEG image": b"\xff\xd8\xff\xe0\x00\x10JFIF",
    "a zip archive": zip_of("readme.txt"),
    "an empty zip archive": zip_of(),
    "an Office document": zip_of("[Content_Types].xml", "word/document.xml"),
    "a model, or another archive of arrays": model(),
    "a program (ELF)": b"\x7fELF\x02\x01\x01" + bytes(9),
    "a Parquet file": b"PAR1\x15\x04\x15",
    "a tar archive": tar(),
    "a bzip2 file": bz2.compress(CONLLU.encode(), 5),
    "a binary file": random.Random(0).randbytes(5000),
}


@pytest.mark.parametrize(("found", "content"), BINARIES.items(), ids=BINARIES)
def test_a_binary_file_was_called_text_of_another_encoding(found: str, content: bytes) -> None:
    with pytest.raises(tg.FormatError) as caught:
        tg.read(io.BytesIO(content))
    assert str(caught.value).startswith(f"<stream>: this is {found}, not a treebank\n  ")
    (finding,) = validate(io.BytesIO(content)).findings
    assert (finding.kind, finding.found) == ("unreadable", found)


def test_a_database_and_a_program_are_recognised(tmp_path: Path) -> None:
    assert recognise(database(tmp_path / "words.db")).found == "an SQLite database"
    if sys.platform == "linux":
        with Path(os.path.realpath(sys.executable)).open("rb") as program:
            assert recognise(program.read(1000)).found == "a program (ELF)"


@pytest.mark.parametrize("mark", [True, False])
@pytest.mark.parametrize("encoding", ["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"])
def test_the_advice_for_wide_characters_converts_the_file(encoding: str, mark: bool) -> None:
    content = ("\ufeff" * mark + CONLLU).encode(encoding)
    (finding,) = validate(io.BytesIO(content), format="conllu").findings
    named = encoding[:6] if mark else encoding
    assert (finding.kind, finding.found) == ("encoding", named)
    assert finding.advice.endswith(f"`iconv -f {named} -t UTF-8`")
    assert content.decode(named) == CONLLU


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"1\tbirds\n",
        CONLLU.encode(),
        "漢字 を 読む\n".encode() * 100,
        b"\x01\x02\x03\x04\x05 sul\n",
        b"PAR1 GIF8 BZh9 MZ %PDF\n",
        CONLLU.encode("koi8-r"),
        "Bäume rauschen\n".encode("latin-1") * 100,
    ],
)
def test_text_is_no_binary_file(text: bytes) -> None:
    """Not even one of another encoding: the line of its first strange byte is said."""
    assert recognise(text) is None
