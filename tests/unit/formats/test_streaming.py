"""Texts read in pieces: the same words as read at once, whatever the format."""

from __future__ import annotations

import gzip
import io

import pytest

import treegauge as tg
from treegauge.formats import FormatError, read_pieces


@pytest.fixture(scope="module")
def text():
    return tg.toy_treebank("toy:svo", tokens=30_000)


@pytest.mark.parametrize("format", ["conllu", "conllx", "tagged", "slashed", "pascal"])
def test_pieces_are_the_whole(text, format, tmp_path) -> None:
    path = tmp_path / f"text.{format}"
    with_tags = text.replace(columns={"xpos": text.upos, "cpos": text.upos})
    tg.write(with_tags, path, format=format)
    whole = tg.read(path, format=format)
    # Small chunks, so that there are many pieces.
    chunks = io.BytesIO(path.read_bytes())
    small = type("Small", (io.BytesIO,), {"read": lambda _self, _n=-1: chunks.read(50_000)})()
    pieces = list(read_pieces(small, format=format))
    assert len(pieces) > 3
    assert sum(piece.n_sentences for piece in pieces) == whole.n_sentences
    assert [form for piece in pieces for form in piece.form] == list(whole.form)
    assert [tag for piece in pieces for tag in piece.upos] == list(whole.upos)


def test_columns_named_in_the_first_line_hold_for_all_pieces(tmp_path) -> None:
    sentence = "1\tbirds\tNOUN\n2\tsing\tVERB\n\n"
    content = "# global.columns = ID FORM UPOS\n" + sentence * 60_000
    (tmp_path / "a.conllup.gz").write_bytes(gzip.compress(content.encode()))
    pieces = list(read_pieces(tmp_path / "a.conllup.gz"))
    assert len(pieces) > 1
    assert sum(piece.n_words for piece in pieces) == 120_000
    assert set(pieces[-1].upos) == {"NOUN", "VERB"}


def test_a_flaw_is_named_with_its_line_in_the_file(tmp_path) -> None:
    path = tmp_path / "a.tagged"
    path.write_text("birds\tNOUN\nsing\tVERB\n\n" * 60_000 + "a\tb\tc\td\n\n")
    with pytest.raises(FormatError, match=r"a\.tagged:180001: "):
        list(read_pieces(path))


def test_the_first_piece_says_what_the_tags_of_tagged_text_are() -> None:
    text = "birds/NOUN sing/VERB\n" * 60_000 + "birds/strange sing/odd\n" * 60_000
    pieces = list(read_pieces(io.StringIO(text)))
    assert len(pieces) > 1
    assert all(piece.upos.is_annotated for piece in pieces)


def test_nothing_is_no_piece() -> None:
    assert list(read_pieces(io.StringIO("\n\n"), format="tagged")) == []
