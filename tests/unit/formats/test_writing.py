from __future__ import annotations

import gzip
import io
import lzma
import os
import re
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import treegauge as tg
from treegauge.formats import column_writer, write_chunks

# The same two sentences in every format. CoNLL-U has universal and fine tags, CoNLL-X and
# the challenge's files coarse ones as well.
CONLLU = """\
# sent_id = mirl-1
1-2\tTimirlo\t_\t_\t_\t_\t_\t_\t_\t_
1\tTi\tti\tDET\tDt\tNumber=Sing\t2\tdet\t2:det\t_
2\tmirlo\tmirlo\tNOUN\tNc\t_\t3\tnsubj\t3:nsubj\t_
3\tkepta\tkepti\tVERB\tVm\t_\t0\troot\t0:root\tSpaceAfter=No
3.1\tlosti\tlosti\tVERB\tVm\t_\t_\t_\t3:conj\t_

1\tdorvi\tdorvi\tVERB\tVm\t_\t0\troot\t0:root\t_

"""
CONLLX = """\
1\tTi\tti\tD\tDt\tNumber=Sing\t2\tdet\t2\tdet
2\tmirlo\tmirlo\tN\tNc\t_\t3\tnsubj\t_\t_
3\tkepta\tkepti\tV\tVm\t_\t0\troot\t_\t_

1\tdorvi\tdorvi\tV\tVm\t_\t0\troot\t_\t_

"""
PASCAL = """\
1\tTi\tti\tD\tDt\tDET\tNumber=Sing\t2\tdet
2\tmirlo\tmirlo\tN\tNc\tNOUN\t_\t3\tnsubj
3\tkepta\tkepti\tV\tVm\tVERB\t_\t0\troot

1\tdorvi\tdorvi\tV\tVm\tVERB\t_\t0\troot

"""
TAGGED = "Ti\tDET\nmirlo\tNOUN\nkepta\tVERB\n\ndorvi\tVERB\n\n"
SLASHED = "Ti/DET mirlo/NOUN kepta/VERB\ndorvi/VERB\n"
FINE_TAGGED = "Ti\tDt\nmirlo\tNc\nkepta\tVm\n\ndorvi\tVm\n\n"
FINE_SLASHED = "Ti/Dt mirlo/Nc kepta/Vm\ndorvi/Vm\n"

TOKENS = "Ti mirlo kepta\ndorvi\n"

TEXTS = {
    "conllu": CONLLU,
    "conllx": CONLLX,
    "pascal": PASCAL,
    "tagged": TAGGED,
    "slashed": SLASHED,
    "tokens": TOKENS,
}

UNIVERSAL_CONLLU = """\
1\tTi\t_\tDET\t_\t_\t_\t_\t_\t_
2\tmirlo\t_\tNOUN\t_\t_\t_\t_\t_\t_
3\tkepta\t_\tVERB\t_\t_\t_\t_\t_\t_

1\tdorvi\t_\tVERB\t_\t_\t_\t_\t_\t_

"""
UNTAGGED_CONLLU = re.sub("DET|NOUN|VERB", "_", UNIVERSAL_CONLLU)
UNIVERSAL_CONLLX = """\
1\tTi\t_\tDET\tDET\t_\t_\t_\t_\t_
2\tmirlo\t_\tNOUN\tNOUN\t_\t_\t_\t_\t_
3\tkepta\t_\tVERB\tVERB\t_\t_\t_\t_\t_

1\tdorvi\t_\tVERB\tVERB\t_\t_\t_\t_\t_

"""
UNIVERSAL_PASCAL = """\
1\tTi\t_\tDET\tDET\tDET\t_\t_\t_
2\tmirlo\t_\tNOUN\tNOUN\tNOUN\t_\t_\t_
3\tkepta\t_\tVERB\tVERB\tVERB\t_\t_\t_

1\tdorvi\t_\tVERB\tVERB\tVERB\t_\t_\t_

"""

NO_CPOS = "no column for CPOS: left out; --tag-map FILE turns tags into universal ones"
SIDE_LINES = "no comments, multiword tokens or empty nodes: 3 lines left out"

CONVERSIONS = {
    ("conllu", "conllu"): (CONLLU, []),
    ("conllu", "conllx"): (
        """\
1\tTi\tti\tDET\tDt\tNumber=Sing\t2\tdet\t_\t_
2\tmirlo\tmirlo\tNOUN\tNc\t_\t3\tnsubj\t_\t_
3\tkepta\tkepti\tVERB\tVm\t_\t0\troot\t_\t_

1\tdorvi\tdorvi\tVERB\tVm\t_\t0\troot\t_\t_

""",
        ["no column for DEPS: left out", "no column for MISC: left out", SIDE_LINES],
    ),
    ("conllu", "pascal"): (
        """\
1\tTi\tti\tDET\tDt\tDET\tNumber=Sing\t2\tdet
2\tmirlo\tmirlo\tNOUN\tNc\tNOUN\t_\t3\tnsubj
3\tkepta\tkepti\tVERB\tVm\tVERB\t_\t0\troot

1\tdorvi\tdorvi\tVERB\tVm\tVERB\t_\t0\troot

""",
        ["no column for DEPS: left out", "no column for MISC: left out", SIDE_LINES],
    ),
    ("conllx", "conllu"): (
        """\
1\tTi\tti\t_\tDt\tNumber=Sing\t2\tdet\t_\t_
2\tmirlo\tmirlo\t_\tNc\t_\t3\tnsubj\t_\t_
3\tkepta\tkepti\t_\tVm\t_\t0\troot\t_\t_

1\tdorvi\tdorvi\t_\tVm\t_\t0\troot\t_\t_

""",
        [NO_CPOS, "no column for PHEAD: left out", "no column for PDEPREL: left out"],
    ),
    ("conllx", "conllx"): (CONLLX, []),
    ("conllx", "pascal"): (
        """\
1\tTi\tti\tD\tDt\t_\tNumber=Sing\t2\tdet
2\tmirlo\tmirlo\tN\tNc\t_\t_\t3\tnsubj
3\tkepta\tkepti\tV\tVm\t_\t_\t0\troot

1\tdorvi\tdorvi\tV\tVm\t_\t_\t0\troot

""",
        ["no column for PHEAD: left out", "no column for PDEPREL: left out"],
    ),
    ("pascal", "conllu"): (
        """\
1\tTi\tti\tDET\tDt\tNumber=Sing\t2\tdet\t_\t_
2\tmirlo\tmirlo\tNOUN\tNc\t_\t3\tnsubj\t_\t_
3\tkepta\tkepti\tVERB\tVm\t_\t0\troot\t_\t_

1\tdorvi\tdorvi\tVERB\tVm\t_\t0\troot\t_\t_

""",
        ["no column for CPOS: left out"],
    ),
    ("pascal", "conllx"): (
        CONLLX.replace("\t2\tdet\t2\tdet\n", "\t2\tdet\t_\t_\n"),
        ["no column for UPOS: left out"],
    ),
    ("pascal", "pascal"): (PASCAL, []),
    ("tagged", "conllu"): (UNIVERSAL_CONLLU, []),
    ("tagged", "conllx"): (UNIVERSAL_CONLLX, []),
    ("tagged", "pascal"): (UNIVERSAL_PASCAL, []),
    ("tagged", "tagged"): (TAGGED, []),
    ("tagged", "slashed"): (SLASHED, []),
    ("slashed", "conllu"): (UNIVERSAL_CONLLU, []),
    ("slashed", "conllx"): (UNIVERSAL_CONLLX, []),
    ("slashed", "pascal"): (UNIVERSAL_PASCAL, []),
    ("slashed", "tagged"): (TAGGED, []),
    ("slashed", "slashed"): (SLASHED, []),
    ("slashed", "tokens"): (TOKENS, ["no column for UPOS: left out"]),
    ("tagged", "tokens"): (TOKENS, ["no column for UPOS: left out"]),
    ("tokens", "conllu"): (UNTAGGED_CONLLU, []),
    ("tokens", "tokens"): (TOKENS, []),
}

TO_TAGGED_TEXT = {
    "conllu": ("u", {"LEMMA", "XPOS", "FEATS", "DEPREL", "DEPS", "MISC", "HEAD"}),
    "conllx": ("p", {"LEMMA", "CPOS", "FEATS", "DEPREL", "PHEAD", "PDEPREL", "HEAD"}),
    "pascal": ("u", {"LEMMA", "CPOS", "XPOS", "FEATS", "DEPREL", "HEAD"}),
}


def conversion(text: str, source: str, target: str, **options: str) -> tuple[str, list[str]]:
    stream = io.BytesIO()
    losses = tg.write(tg.parse(text, format=source), stream, format=target, **options)
    return stream.getvalue().decode(), losses


def broken_chunks() -> Iterator[bytes]:
    yield b"half a "
    raise RuntimeError("the disk is on fire")


# ---------------------------------------------------------------- conversions


@pytest.mark.parametrize(("source", "target"), CONVERSIONS, ids=lambda name: name)
def test_conversion_gives_the_expected_text_and_losses(source: str, target: str) -> None:
    text, losses = CONVERSIONS[source, target]
    assert conversion(TEXTS[source], source, target) == (
        text,
        [f"{target} has {loss}" for loss in losses],
    )


@pytest.mark.parametrize("target", ["tagged", "slashed"])
@pytest.mark.parametrize("source", TO_TAGGED_TEXT)
def test_trees_as_tagged_text_lose_everything_but_one_tag_column(source: str, target: str) -> None:
    tags, lost = TO_TAGGED_TEXT[source]
    universal, fine = {"tagged": (TAGGED, FINE_TAGGED), "slashed": (SLASHED, FINE_SLASHED)}[target]
    text, losses = conversion(TEXTS[source], source, target)
    assert text == (universal if tags == "u" else fine)
    columns = {loss.split()[5].rstrip(":") for loss in losses if "no column for" in loss}
    assert columns == lost
    assert (f"{target} has {SIDE_LINES}" in losses) == (source == "conllu")


@pytest.mark.parametrize(
    ("tags", "text"),
    [
        ("u", TAGGED),
        ("p", FINE_TAGGED),
        ("c", "Ti\tD\nmirlo\tN\nkepta\tV\n\ndorvi\tV\n\n"),
        ("p:1", "Ti\tD\nmirlo\tN\nkepta\tV\n\ndorvi\tV\n\n"),
    ],
)
def test_the_tags_of_tagged_text_can_be_chosen(tags: str, text: str) -> None:
    assert tg.to_text(tg.parse(PASCAL, format="pascal"), format="tagged", tags=tags) == text


def test_petrov_tags_of_tagged_text() -> None:
    treebank = tg.parse("sul/PROPN va/AUX ./PUNCT\n")
    assert tg.to_text(treebank, format="slashed", tags="u12") == "sul/NOUN va/VERB ./.\n"


def test_universal_coarse_tags_become_upos() -> None:
    text = "1\tsul\t_\tNOUN\tNc\t_\t0\troot\t_\t_\n\n"
    assert conversion(text, "conllx", "conllu") == (text, [])


def test_eight_columns_of_conllx_stay_eight() -> None:
    text = "1\tsul\t_\tN\tNc\t_\t0\troot\n\n"
    assert conversion(text, "conllx", "conllx") == (text, [])


def test_text_of_a_treebank_is_conllu_unless_said_otherwise() -> None:
    assert tg.to_text(tg.parse(CONLLU)) == CONLLU


def test_untagged_tagged_text_comes_back() -> None:
    for text in ("sul\t_\ndorvi\t_\n\n", "sul\t_\ndorvi\tVERB\n\n", "sul\tXX\ndorvi\t_\n\n"):
        assert conversion(text, "tagged", "tagged") == (text, [])


def test_tags_that_are_missing_altogether_come_back() -> None:
    for text in ("sul\t\ndorvi\t\n\n", "sul\t\ndorvi\tVERB\n\n"):
        treebank = tg.read(io.StringIO(text), format="tagged", findings=tg.Findings())
        assert tg.to_text(treebank, format="tagged") == text


def test_no_sentences_are_an_empty_file() -> None:
    for format in TEXTS:
        empty = tg.read(io.BytesIO(b""), format=format, allow_empty=True)
        assert tg.to_text(empty, format=format) == ""


def test_a_treebank_without_tags_cannot_become_tagged_text() -> None:
    treebank = tg.parse("1\tsul\t_\t_\t_\t_\t0\troot\t_\t_\n\n")
    with pytest.raises(tg.TreebankError, match="has no tags"):
        tg.to_text(treebank, format="tagged")


def test_losses_are_said_where_the_file_had_no_such_column() -> None:
    # Read as CoNLL-X and written as CoNLL-X, but universal tags were filled in between.
    treebank = tg.parse(CONLLX, format="conllx")
    tagged = treebank.replace(columns={"upos": tg.Column.from_strings(["DET", "X", "X", "X"])})
    stream = io.BytesIO()
    assert tg.write(tagged, stream, format="conllx") == ["conllx has no column for UPOS: left out"]
    assert stream.getvalue().decode() == CONLLX


def test_a_plus_file_as_conllx_has_no_plus_header() -> None:
    columns = "ID FORM LEMMA CPOSTAG POSTAG FEATS HEAD DEPREL PHEAD PDEPREL"
    treebank = tg.parse(f"# global.columns = {columns}\n# sent_id = s\n{CONLLX}")
    stream = io.BytesIO()
    losses = tg.write(treebank, stream, format="conllx")
    assert stream.getvalue().decode() == CONLLX
    assert losses == ["conllx has no comments, multiword tokens or empty nodes: 1 line left out"]


def test_further_columns_are_lost_by_name() -> None:
    treebank = tg.parse("# global.columns = ID FORM SEM:ROLE\n1\tsul\tagent\n\n")
    stream = io.BytesIO()
    assert tg.write(treebank, stream, format="pascal") == [
        "pascal has no column for SEM:ROLE: left out"
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("tri sel\tNUM\n\n", '"tri sel"'),
        ("sul\tN/M\n\n", '"N/M"'),
        ("sul\tN M\n\n", '"N M"'),
    ],
)
def test_what_slashes_and_spaces_would_cut_elsewhere_is_refused(text: str, value: str) -> None:
    with pytest.raises(tg.FormatError, match=value):
        conversion(text, "tagged", "slashed")


@pytest.mark.parametrize("form", ["tri sel", "", "tri\tsel"])
def test_a_form_that_is_no_word_of_plain_text_is_refused(form: str) -> None:
    treebank = tg.Treebank({"form": tg.Column.from_strings([form])}, offsets=[0, 1])
    with pytest.raises(tg.FormatError, match="would not be read as one word in this format"):
        tg.to_text(treebank, format="tokens")


def test_an_empty_form_is_refused_behind_a_slash() -> None:
    text = "\tNUM\n\n"
    treebank = tg.read(io.StringIO(text), format="tagged", findings=tg.Findings())
    with pytest.raises(tg.FormatError, match="a word without a form"):
        tg.to_text(treebank, format="slashed")
    assert tg.to_text(treebank, format="tagged") == text


def words_and_bare_punctuation(comment: str) -> tg.Treebank:
    """Return three sentences, the second of which has lost its only word, the last both."""
    word = "1\tsul\t_\tX\tX\t_\t0\troot\t_\t_\n"
    stop = "1\t!\t_\tPUNCT\tP\t_\t0\troot\t_\t_\n"
    both = stop + "2\t?\t_\tPUNCT\tP\t_\t1\tpunct\t_\t_\n"
    return tg.parse(f"{word}\n{comment}{stop}\n{both}\n", format="conllu").without_punctuation()


@pytest.mark.parametrize("format", TEXTS)
def test_sentences_without_words_are_said_to_be_left_out(format: str) -> None:
    treebank = words_and_bare_punctuation("")
    stream = io.BytesIO()
    losses = tg.write(treebank, stream, format=format)
    assert losses[-1] == "2 sentences without words left out"
    assert tg.parse(stream.getvalue().decode(), format=format).n_sentences == 1


@pytest.mark.parametrize("format", TEXTS)
def test_only_a_comment_keeps_a_sentence_without_words(format: str) -> None:
    treebank = words_and_bare_punctuation("# sent_id = mirl-2\n")
    losses = tg.write(treebank, io.BytesIO(), format=format)
    lost = "1 sentence" if format == "conllu" else "2 sentences"
    assert losses[-1] == f"{lost} without words left out"


def test_nothing_is_written_for_a_sentence_without_words() -> None:
    assert tg.to_text(words_and_bare_punctuation(""), format="slashed") == "sul/X\n"


def test_slashes_inside_words_survive() -> None:
    text = "1/2/NUM //PUNCT\n"
    assert conversion(text, "slashed", "slashed") == (text, [])


@pytest.mark.parametrize("portion", [1, 2, 3])
def test_text_does_not_depend_on_the_portions_it_is_written_in(
    monkeypatch: pytest.MonkeyPatch, portion: int
) -> None:
    monkeypatch.setattr(column_writer, "_WORDS_A_PORTION", portion)
    assert tg.to_text(tg.parse(CONLLU * 3)) == CONLLU * 3


def test_an_unknown_format_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(tg.FormatError, match="unknown format 'conlu'"):
        tg.write(tg.parse(CONLLU), tmp_path / "mirl.conllu", format="conlu")
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------- targets


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("mirl.conllu", CONLLU),
        ("mirl.tagged", TAGGED),
        ("mirl.slashed", SLASHED),
        ("mirl", CONLLU),
        ("mirl.txt", CONLLU),
    ],
)
def test_the_extension_says_the_format(tmp_path: Path, name: str, text: str) -> None:
    tg.write(tg.parse(CONLLU), tmp_path / name)
    assert (tmp_path / name).read_bytes() == text.encode()


def test_streams_of_bytes_and_of_text() -> None:
    binary, text = io.BytesIO(), io.StringIO()
    tg.write(tg.parse(CONLLU), binary)
    tg.write(tg.parse(CONLLU), text)
    assert binary.getvalue().decode() == text.getvalue() == CONLLU


def test_dash_is_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    out = SimpleNamespace(buffer=io.BytesIO(), flush=lambda: None)
    monkeypatch.setattr(sys, "stdout", out)
    tg.write(tg.parse(CONLLU), "-")
    assert out.buffer.getvalue().decode() == CONLLU


@pytest.mark.parametrize(
    ("ending", "decompress"), [(".gz", gzip.decompress), (".xz", lzma.decompress)]
)
def test_compressed_targets(tmp_path: Path, ending: str, decompress) -> None:
    path = tmp_path / f"mirl.conllu{ending}"
    tg.write(tg.parse(CONLLU), path)
    assert decompress(path.read_bytes()).decode() == CONLLU
    assert tg.read(path) == tg.parse(CONLLU)


@pytest.mark.parametrize("ending", [".gz", ".xz"])
def test_compressed_bytes_depend_on_the_treebank_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    first, second = tmp_path / f"a.conllu{ending}", tmp_path / f"other-name.conllu{ending}"
    tg.write(tg.parse(CONLLU), first)
    monkeypatch.setattr("time.time", lambda: 2_000_000_000.0)
    tg.write(tg.parse(CONLLU), second)
    assert first.read_bytes() == second.read_bytes()


# ---------------------------------------------------------------- all or nothing


@pytest.mark.parametrize("name", ["mirl.conllu", "mirl.conllu.gz", "mirl.conllu.xz"])
def test_a_failure_leaves_no_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(RuntimeError, match="on fire"):
        write_chunks(tmp_path / name, broken_chunks())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["mirl.conllu", "mirl.conllu.gz", "mirl.conllu.xz"])
def test_a_failure_keeps_the_old_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"precious")
    with pytest.raises(RuntimeError, match="on fire"):
        write_chunks(path, broken_chunks())
    assert path.read_bytes() == b"precious"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interruption_leaves_no_file(tmp_path: Path) -> None:
    def interrupted() -> Iterator[bytes]:
        yield b"half a "
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_chunks(tmp_path / "mirl.conllu", interrupted())
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "mirl.slashed"
    path.write_bytes(b"precious")
    with pytest.raises(tg.FormatError, match="has a space in it"):
        tg.write(tg.parse("tri sel\tNUM\n\n", format="tagged"), path)
    assert path.read_bytes() == b"precious"
    assert list(tmp_path.iterdir()) == [path]


def test_the_target_is_not_there_before_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "mirl.conllu"
    seen = []

    def chunks() -> Iterator[bytes]:
        yield b"half a "
        seen.append(path.exists())
        yield b"file"

    write_chunks(path, chunks())
    assert seen == [False]
    assert path.read_bytes() == b"half a file"
    assert list(tmp_path.iterdir()) == [path]


def test_a_new_file_has_the_rights_that_open_gives(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_bytes(b"")
    path = tmp_path / "mirl.conllu"
    tg.write(tg.parse(CONLLU), path)
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_the_null_device_stays_a_device() -> None:
    tg.write(tg.parse(CONLLU), os.devnull, format="conllu")
    assert not Path(os.devnull).is_file()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "mirl.conllu"
    with pytest.raises(tg.FormatError) as caught:
        tg.write(tg.parse(CONLLU), path)
    assert str(caught.value) == f"{path}: cannot be written: no such file or folder"


def test_a_folder_is_no_target(tmp_path: Path) -> None:
    with pytest.raises(tg.FormatError, match="cannot be written: is a folder, not a file"):
        tg.write(tg.parse(CONLLU), tmp_path, format="conllu")
