from __future__ import annotations

import gzip
import io
import lzma
import sys
import tracemalloc
from pathlib import Path
from types import SimpleNamespace

import pytest

import treegauge as tg
from treegauge.formats import Role, blocks, scanned_block, sources
from treegauge.formats.blocks import sentence_blocks

TESTS = Path(__file__).parents[2]

CONLLU = """\
# sent_id = mirl-1
1\tTi\tti\tDET\tD\tNumber=Sing\t2\tdet\t_\t_
2\tmírlo\tmírlo\tNOUN\tN\t_\t3\tnsubj\t_\t_
3\tkepta\tkepti\tVERB\tV\t_\t0\troot\t_\t_

1\tdorvi\tdorvi\tVERB\tV\t_\t0\troot\t_\t_

"""
CONLLX = """\
1\tsul\tsul\tP\tPp\t_\t2\tSB\t2\tSB
2\tdorvi\tdorvi\tV\tVm\tx=y\t0\tROOT\t0\tROOT

"""
CONLLX_SHORT = "1\tsul\tsul\tP\tPp\t_\t2\tSB\n2\tdorvi\tdorvi\tV\tVm\tx=y\t0\tROOT\n\n"
PASCAL = """\
1\tsul\tsul\tP\tPp\tPRON\t_\t2\tSB
2\tdorvi\tdorvi\tV\tVm\tVERB\tx=y\t0\tROOT

"""
TAGGED = "sul\tPRON\ndorvi\tVERB\n\nkepta\tVERB\n\n"
SLASHED = "sul/PRON dorvi/VERB\nkepta/VERB\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    target = tmp_path / "mirl.conllu"
    target.write_bytes(CONLLU.encode())
    return target


def standard_input(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))


# ---------------------------------------------------------------- what is read


def test_columns_of_conllu() -> None:
    treebank = tg.parse(CONLLU)
    assert list(treebank.form) == ["Ti", "mírlo", "kepta", "dorvi"]
    assert list(treebank.lemma) == ["ti", "mírlo", "kepti", "dorvi"]
    assert list(treebank.upos) == ["DET", "NOUN", "VERB", "VERB"]
    assert list(treebank.xpos) == ["D", "N", "V", "V"]
    assert list(treebank.feats) == ["Number=Sing", "_", "_", "_"]
    assert list(treebank.deprel) == ["det", "nsubj", "root", "root"]
    assert treebank.head.tolist() == [2, 3, 0, 0]
    assert treebank.offsets.tolist() == [0, 3, 4]
    assert treebank.sentence_ids == (
        "mirl-1",
        "",
    )
    assert treebank.first_lines.tolist() == [1, 6]


@pytest.mark.parametrize("text", [CONLLX, CONLLX_SHORT], ids=["ten columns", "eight columns"])
def test_columns_of_conllx(text: str) -> None:
    treebank = tg.parse(text, format="conllx")
    assert list(treebank.cpos) == ["P", "V"]
    assert list(treebank.xpos) == ["Pp", "Vm"]
    assert list(treebank.feats) == ["_", "x=y"]
    assert treebank.head.tolist() == [2, 0]
    assert list(treebank.deprel) == ["SB", "ROOT"]
    assert not treebank.upos.is_annotated
    phead = ["2", "0"] if text == CONLLX else ["_", "_"]
    assert list(treebank.columns["phead"]) == phead


def test_columns_of_pascal() -> None:
    treebank = tg.parse(PASCAL, format="pascal")
    assert list(treebank.cpos) == ["P", "V"]
    assert list(treebank.xpos) == ["Pp", "Vm"]
    assert list(treebank.upos) == ["PRON", "VERB"]
    assert list(treebank.feats) == ["_", "x=y"]
    assert treebank.head.tolist() == [2, 0]
    assert list(treebank.deprel) == ["SB", "ROOT"]


@pytest.mark.parametrize("text", [TAGGED, SLASHED], ids=["tagged", "slashed"])
def test_columns_of_tagged_text(text: str) -> None:
    treebank = tg.parse(text)
    assert list(treebank.form) == ["sul", "dorvi", "kepta"]
    assert list(treebank.upos) == ["PRON", "VERB", "VERB"]
    assert not treebank.xpos.is_annotated
    assert not treebank.has_heads
    assert treebank.offsets.tolist() == [0, 2, 3]


def test_plain_text_has_words_alone() -> None:
    treebank = tg.parse("sul dorvi\n\nkepta\n", format="tokens")
    assert list(treebank.form) == ["sul", "dorvi", "kepta"]
    assert not any(
        column.is_annotated for name, column in treebank.columns.items() if name != "form"
    )
    assert not treebank.has_heads
    assert treebank.offsets.tolist() == [0, 2, 3]
    assert treebank.first_lines.tolist() == [1, 3]


def test_slashes_and_unbreakable_spaces_of_plain_text_belong_to_words() -> None:
    treebank = tg.parse("1/2 10\u00a0000 #\n", format="tokens")
    assert list(treebank.form) == ["1/2", "10\u00a0000", "#"]


def test_surplus_spaces_of_plain_text_are_read_as_one_with_a_note() -> None:
    findings = tg.Findings()
    text = io.StringIO("  sul \t dorvi\nkepta\n \n")
    treebank = tg.read(text, format="tokens", findings=findings)
    assert tg.to_text(treebank, format="tokens") == "sul dorvi\nkepta\n"
    assert findings.counts == {"surplus-space": 1}


@pytest.mark.parametrize(
    ("tags", "column"),
    [
        (["NOUN", "PUNCT"], "upos"),
        (["NOUN", "."], "upos"),
        (["NOUN", "_"], "upos"),
        (["NOUN", "NN"], "xpos"),
        (["PUNCT", "."], "xpos"),
    ],
)
def test_tags_are_universal_if_one_inventory_has_them_all(tags: list[str], column: str) -> None:
    treebank = tg.parse("".join(f"sul\t{tag}\n" for tag in tags) + "\n", format="tagged")
    assert list(treebank.columns[column]) == tags


def test_slashes_inside_a_word_belong_to_the_word() -> None:
    treebank = tg.parse("1/2/NUM http://sul/X //PUNCT\n", format="slashed")
    assert list(treebank.form) == ["1/2", "http://sul", "/"]
    assert list(treebank.upos) == ["NUM", "X", "PUNCT"]


def test_lines_of_words_count_comments_multiword_tokens_and_empty_nodes() -> None:
    treebank = tg.parse(
        "# one\n"
        "1\tsul\t_\t_\t_\t_\t2\tdep\t_\t_\n"
        "1.1\tlosti\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "2-3\tdorviti\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "2\tdorvi\t_\t_\t_\t_\t0\troot\t_\t_\n"
        "3\tti\t_\t_\t_\t_\t2\tdep\t_\t_\n\n"
    )
    assert [treebank.line(0, position) for position in range(4)] == [1, 2, 5, 6]


@pytest.mark.parametrize("role", ["gold", "prediction", "check"])
@pytest.mark.parametrize("content", [b"", b"\n \n\t\n", b"\xef\xbb\xbf"])
def test_an_empty_file_passed_for_a_treebank_of_no_sentences(content: bytes, role: Role) -> None:
    with pytest.raises(tg.FormatError, match=r"<stream>: \[empty-file\] expected at least one"):
        tg.read(io.BytesIO(content), role=role)


@pytest.mark.parametrize("content", [b"# a\n\n", b"# a\r1\tb\t_\t_\t_\t_\t0\troot\t_\t_\r\r"])
def test_a_file_that_is_one_comment_passed_for_a_treebank(content: bytes) -> None:
    with pytest.raises(tg.FormatError, match=r"<stream>: \[empty-file\] expected at least one"):
        tg.read(io.BytesIO(content), format="conllu")


def test_an_empty_file_is_read_where_none_is_allowed() -> None:
    assert tg.read(io.BytesIO(b""), allow_empty=True).n_sentences == 0


# ---------------------------------------------------------------- where it is read from


def test_a_path_and_its_string_are_the_same(path: Path) -> None:
    assert tg.read(path) == tg.read(str(path)) == tg.parse(CONLLU)


def test_an_open_binary_file(path: Path) -> None:
    with path.open("rb") as stream:
        assert tg.read(stream) == tg.parse(CONLLU)
        assert not stream.closed


def test_an_open_text_file_is_read_as_bytes(path: Path) -> None:
    with path.open(encoding="latin-1") as stream:
        assert tg.read(stream) == tg.parse(CONLLU)


def test_a_text_buffer() -> None:
    assert tg.read(io.StringIO(CONLLU)) == tg.parse(CONLLU)


def test_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    standard_input(monkeypatch, CONLLU)
    treebank = tg.read("-")
    assert treebank == tg.parse(CONLLU)
    assert treebank.name == "<stdin>"


def test_standard_input_is_named_in_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    standard_input(monkeypatch, "1\tsul\n\n")
    with pytest.raises(tg.FormatError, match=r"^<stdin>:1: \[columns\]"):
        tg.read("-", format="conllu")


@pytest.mark.parametrize(
    ("ending", "compress"), [(".gz", gzip.compress), (".xz", lzma.compress)], ids=["gz", "xz"]
)
def test_a_compressed_file(tmp_path: Path, ending: str, compress) -> None:
    path = tmp_path / f"mirl.conllu{ending}"
    path.write_bytes(compress(CONLLU.encode()))
    treebank = tg.read(path)
    assert treebank == tg.parse(CONLLU)
    assert treebank.name == "mirl"


def test_compressed_files_of_several_members_are_read_to_the_end(tmp_path: Path) -> None:
    halves = CONLLU.encode()[:50], CONLLU.encode()[50:]
    path = tmp_path / "mirl.conllu.gz"
    path.write_bytes(b"".join(gzip.compress(half) for half in halves))
    assert tg.read(path) == tg.parse(CONLLU)


def test_an_archive_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.model"
    path.write_bytes(b"PK\x03\x04 and so on")
    with pytest.raises(tg.FormatError, match=r"this is a zip archive, not a treebank") as caught:
        tg.read(path)
    assert [finding.kind for finding in caught.value.findings] == ["unreadable"]


COMPRESSED = pytest.mark.parametrize("compress", [gzip.compress, lzma.compress], ids=["gz", "xz"])


@COMPRESSED
def test_an_open_compressed_file(tmp_path: Path, compress) -> None:
    path = tmp_path / "mirl.conllu"
    path.write_bytes(compress(CONLLU.encode()))
    with path.open("rb") as stream:
        assert tg.read(stream) == tg.parse(CONLLU)
    assert tg.read(io.BytesIO(path.read_bytes())) == tg.parse(CONLLU)
    assert tg.read(path) == tg.parse(CONLLU)  # a pipe, say, has no ending either


@COMPRESSED
def test_compressed_standard_input(monkeypatch: pytest.MonkeyPatch, compress) -> None:
    stdin = SimpleNamespace(buffer=io.BytesIO(compress(CONLLU.encode())))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert tg.read("-") == tg.parse(CONLLU)


def test_an_open_file_that_decompresses_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "mirl.conllu.gz"
    path.write_bytes(gzip.compress(CONLLU.encode()))
    with gzip.open(path) as stream:
        assert tg.read(stream) == tg.parse(CONLLU)


@COMPRESSED
@pytest.mark.parametrize("size", [1, 2, 7])
def test_the_first_bytes_are_recognised_however_few_are_read(
    monkeypatch: pytest.MonkeyPatch, compress, size: int
) -> None:
    monkeypatch.setattr(sources, "_CHUNK", size)
    assert tg.read(io.BytesIO(compress(CONLLU.encode()))) == tg.parse(CONLLU)


@pytest.mark.parametrize(
    "name",
    ["truncated-file.conllu.gz", "truncated-file.conllu.xz", "compression-checksum.conllu.gz"],
)
def test_damaged_streams_give_the_findings_of_damaged_files(name: str) -> None:
    path = TESTS / "broken" / name
    by_path, by_stream = tg.Findings(), tg.Findings()
    with pytest.raises(tg.FormatError):
        tg.read(path, findings=by_path)
    with pytest.raises(tg.FormatError), path.open("rb") as stream:
        tg.read(stream, findings=by_stream)
    assert str(by_stream) == str(by_path)


def test_damaged_data_without_a_name_says_how_it_was_compressed() -> None:
    for compress, kind in ((gzip.compress, "gzip"), (lzma.compress, "xz")):
        data = bytearray(compress(CONLLU.encode()))
        data[len(data) // 2] ^= 0xFF
        with pytest.raises(tg.FormatError, match=rf"expected compressed data \({kind}\)"):
            tg.read(io.BytesIO(data), format="conllu")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(tg.FormatError, match=r"nowhere\.conllu: cannot be read: no such file"):
        tg.read(tmp_path / "nowhere.conllu")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(tg.FormatError, match="cannot be read: is a folder, not a file"):
        tg.read(tmp_path)


def test_progress_ends_at_the_whole_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_CHUNK", 16)
    shares: list[float] = []
    tg.read(path, on_progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


# ---------------------------------------------------------------- names and formats


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("mirl.conllu", "mirl"),
        ("mirl.v2.conllup", "mirl.v2"),
        ("mirl-ud-dev.conllu.xz", "mirl-ud-dev"),
        ("mirl.txt.gz", "mirl"),
        ("mirl.xz", "mirl"),
        ("mirl.v2", "mirl.v2"),
        ("mirl", "mirl"),
    ],
)
def test_the_name_is_that_of_the_file_without_its_extension(
    tmp_path: Path, file: str, name: str
) -> None:
    compress = {".gz": gzip.compress, ".xz": lzma.compress}.get(Path(file).suffix, bytes)
    (tmp_path / file).write_bytes(compress(CONLLU.encode()))
    assert tg.read(tmp_path / file).name == name


def test_a_given_name_is_kept_even_if_it_is_empty(path: Path) -> None:
    assert tg.read(path, name="ours").name == "ours"
    assert tg.read(path, name="").name == ""


def test_a_stream_with_a_name_is_called_by_it(path: Path) -> None:
    with path.open("rb") as stream:
        assert tg.read(stream).name == "mirl"
    assert tg.read(io.StringIO(CONLLU)).name == "<stream>"


def test_the_format_given_wins_over_the_extension(tmp_path: Path) -> None:
    path = tmp_path / "wrong.conllu"
    path.write_text(TAGGED, encoding="utf-8")
    assert tg.read(path, format="tagged").n_words == 3
    with pytest.raises(tg.FormatError, match=r"\[columns\] expected 10 columns, found 2"):
        tg.read(path)


def test_an_unknown_format_is_answered_with_the_known_ones(path: Path) -> None:
    with pytest.raises(tg.FormatError, match="unknown format 'conlu'; did you mean conllu"):
        tg.read(path, format="conlu")


# ---------------------------------------------------------------- limits


def test_a_word_number_at_the_limit_does_not_spoil_the_message() -> None:
    lines = [f"{i}\tsul\t_\t_\t_\t_\t_\t_\t_\t_\n" for i in (1, 2_147_483_647, 3)]
    findings = tg.Findings()
    with pytest.raises(tg.FormatError):
        tg.read(io.StringIO("".join(lines) + "\n"), format="conllu", findings=findings)
    assert [finding.found for finding in findings] == ["2147483647"]


def test_a_cycle_at_the_end_of_a_long_sentence_is_found_in_linear_time() -> None:
    # A quadratic walk over these 20,000 words takes minutes, not a fraction of a second.
    words = 20_000
    heads = [*range(words - 2), words, words - 1]
    text = "".join(f"{i}\ta\t_\t_\t_\t_\t{h}\t_\t_\t_\n" for i, h in enumerate(heads, start=1))
    findings = tg.Findings()
    tg.read(io.StringIO(f"{text}\n"), format="conllu", findings=findings)
    (finding,) = findings
    assert (finding.kind, finding.line) == ("cycle", words - 1)
    assert finding.found == f"the cycle {words - 1} -> {words} -> {words - 1}"


def test_carriage_returns_inside_a_file_end_no_line() -> None:
    treebank = tg.parse("sul\rti\tPRON\n\n", format="tagged")
    assert list(treebank.form) == ["sul\rti"]


def test_a_file_that_ends_between_carriage_return_and_line_feed() -> None:
    findings = tg.Findings()
    treebank = tg.read(io.BytesIO(b"sul\tPRON\r"), format="tagged", findings=findings)
    assert list(treebank.upos) == ["PRON"]
    assert dict(findings.counts) == {"line-ends": 1, "final-blank-line": 1}


@pytest.mark.parametrize("blank", ["\n", " \t \n"])
def test_a_header_behind_a_blank_line_is_no_plain_comment(blank: str) -> None:
    text = f"{blank}# global.columns = ID FORM\n1\tsul\n\n"
    with pytest.raises(tg.FormatError, match=r":2: \[plus-header\]"):
        tg.parse(text, format="conllu")


# ---------------------------------------------------------------- chunks


def blocks_of(text: str, *, size: int, line_is_sentence: bool = False) -> list[bytes]:
    chunks = (text.encode()[i : i + size] for i in range(0, len(text), size))
    return list(sentence_blocks(chunks, tg.Findings(), line_is_sentence=line_is_sentence))


def test_places_in_a_block_of_gigabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = tg.parse(CONLLU)
    monkeypatch.setattr(scanned_block, "_LARGE", 0)
    assert tg.parse(CONLLU) == expected


def test_slashed_text_is_read_in_small_blocks() -> None:
    text = "sul/PRON dorvi/VERB\n" * 100
    found = blocks_of(text, size=64, line_is_sentence=True)
    assert b"".join(found).decode() == text
    assert max(map(len, found)) < 2 * 64
    assert all(block.endswith(b"\n") for block in found)


@pytest.mark.parametrize("blank", ["", " ", "\t", " \t "])
def test_any_blank_line_ends_a_block(blank: str) -> None:
    text = f"sul\tPRON\ndorvi\tVERB\n{blank}\n" * 100
    found = blocks_of(text, size=64)
    assert b"".join(found).decode() == text
    assert max(map(len, found)) < 3 * 64
    assert all(block.endswith(f"\n{blank}\n".encode()) for block in found)


@pytest.mark.parametrize("format", [None, "slashed"])
def test_slashed_text_needs_little_memory_beside_the_treebank(
    monkeypatch: pytest.MonkeyPatch, format: str | None
) -> None:
    monkeypatch.setattr(sources, "_CHUNK", 1 << 14)
    monkeypatch.setattr(blocks, "_LOOKED_AT", 1 << 14)
    text = b"sul/PRON dorvi/VERB ti/DET mirlo/NOUN kepta/VERB\n" * 20_000
    tg.read(io.BytesIO(text), format=format)  # compiles
    source = io.BytesIO(text)
    tracemalloc.start()
    try:
        treebank = tg.read(source, format=format)
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert treebank.n_words == 100_000
    assert peak < 2 * kept  # six times as much when all words are strings at once


def test_blank_lines_at_the_beginning_do_not_hide_the_format(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sources, "_CHUNK", 2)
    assert tg.parse("\n\n\n\n" + CONLLX).cpos.is_annotated


def samples() -> list[Path]:
    folders = (TESTS / "broken", TESTS / "oddities")
    return sorted(
        path
        for folder in folders
        for path in folder.iterdir()
        if path.is_file()
        and path.suffix not in (".py", ".json")
        # How much of a cut or damaged stream can be had depends on how it is asked for.
        and not path.name.startswith(("compression-checksum", "truncated-file.conllu."))
    )


def outcome(path: Path) -> tuple[tg.Treebank | None, list[dict[str, object]], dict[str, int]]:
    findings = tg.Findings()
    treebank = None
    try:
        treebank = tg.read(path, findings=findings)
    except tg.FormatError:
        pass
    return treebank, [finding.to_dict() for finding in findings], dict(findings.counts)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_nothing_depends_on_where_chunks_end(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    for path in samples():
        whole = outcome(path)
        with monkeypatch.context() as patch:
            patch.setattr(sources, "_CHUNK", size)
            assert outcome(path) == whole, path.name


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
@pytest.mark.parametrize("text", [CONLLU, CONLLX, CONLLX_SHORT, PASCAL, TAGGED, SLASHED])
def test_detection_does_not_depend_on_where_chunks_end(
    monkeypatch: pytest.MonkeyPatch, text: str, size: int
) -> None:
    whole = tg.parse(text)
    monkeypatch.setattr(sources, "_CHUNK", size)
    chunked = tg.parse(text)
    assert chunked == whole
    assert chunked.file_columns == whole.file_columns
    assert chunked.first_lines.tolist() == whole.first_lines.tolist()


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
@pytest.mark.parametrize("ending", ["\r\n", "\r\r\n"])
def test_windows_line_ends_are_found_across_chunks(
    monkeypatch: pytest.MonkeyPatch, ending: str, size: int
) -> None:
    monkeypatch.setattr(sources, "_CHUNK", size)
    findings = tg.Findings()
    text = ("\ufeff" + CONLLU).replace("\n", ending).encode()
    assert tg.read(io.BytesIO(text), format="conllu", findings=findings) == tg.parse(CONLLU)
    assert sorted(findings.counts) == ["byte-order-mark", "line-ends"]


@pytest.mark.parametrize("beginning", [b"\xef", b"\xef\xbb", b"\xef\xbb\xef", b"\xef\xbb\n"])
def test_the_beginning_of_a_byte_order_mark_is_none(beginning: bytes) -> None:
    findings = tg.Findings()
    with pytest.raises(tg.FormatError):
        tg.read(io.BytesIO(beginning), format="conllu", findings=findings)
    assert "byte-order-mark" not in findings.counts


def test_a_file_of_a_byte_order_mark_alone_is_empty() -> None:
    findings = tg.Findings()
    with pytest.raises(tg.FormatError, match="empty-file"):
        tg.read(io.BytesIO(b"\xef\xbb\xbf"), findings=findings)
    assert sorted(findings.counts) == ["byte-order-mark", "empty-file"]


# ---------------------------------------------------------------- roles


def test_a_prediction_that_points_behind_its_last_word_is_not_taken_for_a_cut_file() -> None:
    text = "1\tsul\t_\t_\t_\t_\t5\t_\t_\t_\n"
    with pytest.raises(tg.FormatError, match="truncated-file"):
        tg.parse(text)
    findings = tg.Findings()
    treebank = tg.read(io.StringIO(text), role="prediction", findings=findings)
    assert treebank.head.tolist() == [5]
    assert findings.counts["head-outside"] == 1


def test_a_string_that_is_no_text_is_a_finding() -> None:
    with pytest.raises(tg.FormatError, match="encoding"):
        tg.parse("1\t\ud800\t_\t_\t_\t_\t0\t_\t_\t_\n\n")


def test_a_byte_order_mark_behind_a_blank_line_is_one_too() -> None:
    findings = tg.Findings()
    treebank = tg.read(io.BytesIO(b"\n\xef\xbb\xbf\xef\xbb\xbf_\t_\n\n"), findings=findings)
    assert list(treebank.form) == ["_"]
    assert findings.counts["byte-order-mark"] == 1


def test_a_byte_order_mark_behind_spaces_is_no_word() -> None:
    findings = tg.Findings()
    source = io.BytesIO(b"\t\xef\xbb\xbf \xef\xbb\xbfa b\n")
    treebank = tg.read(source, format="tokens", findings=findings)
    assert list(treebank.form) == ["a", "b"]
    assert findings.counts["byte-order-mark"] == 1


def test_a_carriage_return_is_no_part_of_a_word_of_plain_text() -> None:
    treebank = tg.read(io.BytesIO(b"a\rb c\r\t\n"), format="tokens", findings=tg.Findings())
    assert list(treebank.form) == ["a", "b", "c"]
    assert tg.to_text(treebank, format="tokens") == "a b c\n"


@pytest.mark.parametrize("before", [b"", b"\n \t\n", b"\xef\xbb\xbf"])
def test_an_archive_is_no_text_whatever_blanks_are_before_it(before: bytes) -> None:
    with pytest.raises(tg.FormatError, match="this is a zip archive"):
        tg.read(io.BytesIO(before + b"PK\x03\x04\n"), format="tokens", findings=tg.Findings())
