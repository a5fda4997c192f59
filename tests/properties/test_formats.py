"""Reading and writing, on texts nobody has thought of."""

from __future__ import annotations

import gzip
import io
import lzma
import time

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import treegauge as tg
from tests import strategies as our
from tests.examples import examples
from treegauge.formats import FORMATS, Severity
from treegauge.formats.layouts import plus_columns
from treegauge.treebank import tree_flaws

SECONDS_A_READ = 5.0
"""Far above what these small texts take, far below a loop that does not end."""

thorough = settings(examples(200), suppress_health_check=[HealthCheck.too_slow])

OUR_NAMES = {"UPOSTAG": "upos", "POSTAG": "xpos", "CPOSTAG": "cpos"}


def slow_read(text: str, columns: list[str]) -> dict[str, list]:
    """Read a flawless text by splitting it; what `tg.read` must agree with."""
    found: dict[str, list] = {"offsets": [0], "first_lines": [], "side_lines": []}
    found.update({name: [] for name in columns})
    number = 1
    for block in text.split("\n\n")[:-1]:
        found["first_lines"].append(number)
        words = 0
        for line in block.split("\n"):
            fields = line.split("\t")
            is_side_line = line.startswith("#") or not fields[0].isdecimal()
            if is_side_line and columns is our.CONLLU_COLUMNS:
                found["side_lines"].append((len(found["offsets"]) - 1, words, line))
                continue
            words += 1
            for name, value in zip(columns, fields, strict=True):
                found[name].append(value)
        found["offsets"].append(found["offsets"][-1] + words)
        number += block.count("\n") + 2
    found["HEAD"] = [-1 if head == "_" else int(head) for head in found["HEAD"]]
    return found


def assert_agrees(treebank: tg.Treebank, text: str, columns: list[str]) -> None:
    expected = slow_read(text, columns)
    assert treebank.offsets.tolist() == expected["offsets"]
    assert treebank.head.tolist() == expected["HEAD"]
    assert treebank.first_lines.tolist() == expected["first_lines"]
    for name in columns:
        if name not in ("ID", "HEAD"):
            assert list(treebank.columns[OUR_NAMES.get(name, name.lower())]) == expected[name]
    side = treebank.side_lines
    found = zip(side.sentence.tolist(), side.after.tolist(), side.text, strict=True)
    assert list(found) == expected["side_lines"]


# ---------------------------------------------------------------- whole files


@pytest.mark.parametrize("format", ["conllu", "conllx", "pascal"])
@thorough
@given(data=st.data())
def test_text_is_read_as_the_slow_twin_reads_it_and_written_back(
    format: str, data: st.DataObject
) -> None:
    text = data.draw(our.texts(format))
    findings = tg.Findings()
    source = io.BytesIO(text.encode())
    treebank = tg.read(source, format=format, findings=findings, allow_empty=True)
    assert not findings.counts
    assert_agrees(treebank, text, our.COLUMNS[format])
    assert tg.to_text(treebank, format=format) == text


@pytest.mark.parametrize("format", ["tagged", "slashed", "tokens"])
@thorough
@given(data=st.data())
def test_tagged_text_is_written_back(format: str, data: st.DataObject) -> None:
    text = data.draw(our.texts(format))
    assert tg.to_text(our.read_text(text, format), format=format) == text


@thorough
@given(our.plus_texts())
def test_conllu_plus_read_and_written_is_the_same_text(text: str) -> None:
    assert tg.to_text(our.read_text(text)) == text


@thorough
@given(our.treebanks())
def test_a_treebank_written_and_read_is_equal(treebank: tg.Treebank) -> None:
    again = our.read_text(tg.to_text(treebank))
    assert again == treebank
    assert again.fingerprint == treebank.fingerprint
    assert hash(again) == hash(treebank)


@thorough
@given(our.treebanks(min_sentences=1), st.data())
def test_chosen_sentences_are_written_as_they_stood(
    treebank: tg.Treebank, data: st.DataObject
) -> None:
    chosen = data.draw(st.lists(st.integers(0, len(treebank) - 1), max_size=4))
    pieces = [f"{piece}\n\n" for piece in tg.to_text(treebank).split("\n\n")[:-1]]
    assert tg.to_text(treebank[chosen]) == "".join(pieces[index] for index in chosen)


@thorough
@given(our.treebanks(min_sentences=1))
def test_other_formats_keep_what_they_have_columns_for(treebank: tg.Treebank) -> None:
    for format in ("conllx", "pascal"):
        again = our.read_text(tg.to_text(treebank, format=format), format)
        for name in ("form", "lemma", "feats", "deprel"):
            assert again.columns[name] == treebank.columns[name]
        assert again.head.tolist() == treebank.head.tolist()
        assert again.offsets.tolist() == treebank.offsets.tolist()
        assert (again.upos if format == "pascal" else again.cpos) == treebank.upos
        assert again.xpos == (treebank.xpos if treebank.xpos.is_annotated else treebank.upos)
    again = our.read_text(tg.to_text(treebank, format="tagged"), "tagged")
    assert again.form == treebank.form
    assert again.upos == treebank.upos
    assert again.offsets.tolist() == treebank.offsets.tolist()


# ---------------------------------------------------------------- trees


@thorough
@given(our.trees())
def test_drawn_trees_are_trees(heads: list[int]) -> None:
    assert heads.count(0) == 1
    treebank = tg.Treebank(
        {"form": tg.Column.constant("sul", len(heads))}, heads, offsets=[0, len(heads)]
    )
    assert tree_flaws(treebank).tolist() == [0]


@thorough
@given(our.projective_heads())
def test_projective_trees_have_no_crossing_arcs(heads: list[int]) -> None:
    arcs = [sorted((i, h)) for i, h in enumerate(heads, start=1)]
    assert not any(a < c < b < d for a, b in arcs for c, d in arcs)


# ---------------------------------------------------------------- damage


def read_or_refuse(data: bytes, format: str | None) -> tg.Treebank | tg.FormatError:
    findings = tg.Findings()
    start = time.perf_counter()
    try:
        result: tg.Treebank | tg.FormatError = tg.read(
            io.BytesIO(data), format=format, findings=findings
        )
    except tg.FormatError as error:
        result = error
    assert time.perf_counter() - start < SECONDS_A_READ
    return result


def check_damaged(data: bytes) -> None:
    """Whatever the bytes: a treebank that can be written, or a FormatError that says why."""
    results = {format: read_or_refuse(data, format) for format in FORMATS}
    for format, result in results.items():
        if isinstance(result, tg.FormatError):
            assert result.findings is not None
            reason = str(result.findings.only(Severity.ERROR))
            assert reason
            assert str(result) == reason or ": this is " in str(result)
        elif FORMATS[format].is_written:
            check_written_again(result, format)
    detected = read_or_refuse(data, None)
    if isinstance(detected, tg.Treebank):
        assert any(detected == result for result in results.values())
    else:
        assert detected.findings is not None
        asks = "unknown format" in str(detected)
        assert asks == ("format" in detected.findings.counts)


def check_written_again(treebank: tg.Treebank, format: str) -> None:
    text = tg.to_text(treebank, format=format)
    if not treebank.file_header and plus_columns(text.partition("\n")[0]) is not None:
        return  # see test_a_header_behind_a_blank_line_is_no_plain_comment
    again = our.read_text(text, format)
    assert again == treebank
    assert again.fingerprint == treebank.fingerprint
    assert tg.to_text(again, format=format) == text
    # The words of every format can be written as CoNLL-U.
    as_conllu = our.read_text(tg.to_text(treebank))
    assert as_conllu.form == treebank.form
    assert as_conllu.head.tolist() == treebank.head.tolist()
    assert as_conllu.offsets.tolist() == treebank.offsets.tolist()


@pytest.fixture(scope="module", autouse=True)
def _compiled_kernels() -> None:
    """Compile before anything is timed."""
    tg.to_text(tg.parse("sul\tX\n\n", format="tagged"))


@thorough
@given(our.broken_texts())
def test_damaged_text_is_read_or_refused(data: bytes) -> None:
    check_damaged(data)


@pytest.mark.slow
@settings(thorough, max_examples=20_000)
@given(our.broken_texts())
def test_much_damaged_text_is_read_or_refused(data: bytes) -> None:
    check_damaged(data)


@thorough
@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    check_damaged(data)


@pytest.mark.parametrize(
    ("ending", "compress"), [(".gz", gzip.compress), (".xz", lzma.compress)], ids=["gz", "xz"]
)
@thorough
@given(data=st.data())
def test_damaged_compressed_files_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, ending: str, compress, data: st.DataObject
) -> None:
    whole = compress(b"sul\tPRON\ndorvi\tVERB\n\n" * 3)
    path = tmp_path_factory.getbasetemp() / f"damaged.tagged{ending}"
    path.write_bytes(data.draw(our.damaged(whole)))
    findings = tg.Findings()
    try:
        treebank = tg.read(path, findings=findings)
    except tg.FormatError:
        assert findings.total(Severity.ERROR) > 0
    else:
        assert treebank.n_words in (0, 6)


@thorough
@given(our.broken_lines)
def test_a_damaged_line_is_found_in_that_file_at_a_line_that_exists(data: bytes) -> None:
    findings = tg.Findings()
    try:
        tg.read(io.BytesIO(data), format="conllu", findings=findings)
    except tg.FormatError:
        assert findings.counts.total() > 0
    lines = data.count(b"\n") + 1
    assert all(0 <= finding.line <= lines for finding in findings)


@thorough
@given(our.heads_of_any_kind())
def test_heads_of_any_kind_are_kept_as_they_are(heads: list[int | None]) -> None:
    lines = [
        f"{i}\tsul\t_\t_\t_\t_\t{'_' if h is None else h}\t_\t_\t_\n"
        for i, h in enumerate(heads, start=1)
    ]
    treebank = our.read_text("".join(lines) + "\n")
    assert treebank.head.tolist() == [-1 if h is None else h for h in heads]
    assert tg.to_text(treebank) == "".join(lines) + "\n"
