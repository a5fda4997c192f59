"""ARPA files: what is read back, what other toolkits make of it, and what is no such file."""

from __future__ import annotations

import gzip
import io
import lzma
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given

import treegauge as tg
from tests.examples import examples
from tests.unit.properties.language_model.test_training import settings
from tests.unit.properties.language_model.texts import column_of, texts, trained, zipf_text
from treegauge.properties.language_model import PRESETS, read_arpa


def arpa(*sections: str) -> io.BytesIO:
    """Return the file that has these n-grams, an order a string, divided by `;`."""
    lines = ["\\data\\", *(f"ngram {k}={len(s.split(';'))}" for k, s in enumerate(sections, 1))]
    for k, section in enumerate(sections, start=1):
        lines += ["", f"\\{k}-grams:", *(line.strip() for line in section.split(";"))]
    return io.BytesIO("\n".join([*lines, "", "\\end\\", ""]).encode())


UNIGRAMS = "-2 <unk>; -99 <s> -0.3; -1 </s>; -0.5 a -0.25; -0.75 b -0.5"


def test_by_hand():
    stream = io.BytesIO()
    trained([["a", "b"], ["a", "a"]], order=2).write_arpa(stream)
    lines = stream.getvalue().decode().splitlines()
    assert lines[:6] == ["\\data\\", "ngram 1=5", "ngram 2=5", "", "\\1-grams:", lines[5]]
    assert lines[6].split("\t")[:2] == ["-99", "<s>"]
    log10, word, backoff = lines[8].split("\t")
    assert word == "a"
    assert float(log10) == pytest.approx(math.log10(0.325), abs=1e-15)
    assert float(backoff) == pytest.approx(math.log10(0.5), abs=1e-15)
    bigrams = lines[lines.index("\\2-grams:") + 1 : -2]
    assert [line.split("\t")[1] for line in bigrams] == ["<s> a", "a </s>", "a a", "a b", "b </s>"]
    assert float(bigrams[0].split("\t")[0]) == pytest.approx(math.log10(0.6625), abs=1e-15)
    assert lines[-2:] == ["", "\\end\\"]


@examples(80)
@given(train=texts(), test=texts(), chosen=settings)
def test_a_model_that_is_read_back_is_the_same(train, test, chosen):
    model = trained(train, **chosen)
    stream = io.BytesIO()
    model.write_arpa(stream)
    stream.seek(0)
    again = read_arpa(stream)
    assert again.vocabulary == model.vocabulary
    for name in ("word", "link", "first_child", "level_starts"):
        assert np.array_equal(getattr(again.trie, name), getattr(model.trie, name)), name
    one, two = model.score(*column_of(test)), again.score(*column_of(test))
    assert np.array_equal(one.log10, two.log10)
    assert np.array_equal(one.end_log10, two.end_log10)


@pytest.mark.parametrize("ending", ["", ".gz", ".xz"])
def test_files_are_compressed_by_name(tmp_path, ending):
    path = tmp_path / f"model.arpa{ending}"
    model = trained(zipf_text(200, 40, seed=11))
    model.write_arpa(path)
    opened: dict[str, Callable] = {"": open, ".gz": gzip.open, ".xz": lzma.open}
    with opened[ending](path, "rb") as stream:
        assert stream.read(7) == b"\\data\\\n"
    assert np.array_equal(read_arpa(path).log10, model.log10)


def test_gaps_are_filled_with_what_the_model_says_anyway():
    # Neither "b a" nor "a a" is there, although "b a a" is, and its first two words lead to it.
    model = read_arpa(arpa(UNIGRAMS, "-0.2 a b -0.1; -0.4 <s> b", "-0.05 b a a"))
    assert model.trie.sizes == (5, 4, 1)
    scored = model.score(*column_of([["b", "a", "a", "b", "a"]]))
    assert scored.log10 == pytest.approx([-0.4, -0.5 - 0.5, -0.05, -0.2, -0.1 - 0.5 - 0.5])
    assert scored.end_log10 == pytest.approx([-0.25 - 1])


def test_a_file_of_another_toolkit():
    # No <unk>, another order, tabs and blanks mixed, a weight left out, text before it all.
    lines = "-0.3\ta;  -1 </s>;-99\t<s>\t-0.3"
    data = b"made by hand\n\n" + arpa(lines, "-0.1\t<s>\ta").getvalue().replace(b"\n", b"\r\n")
    model = read_arpa(io.BytesIO(data))
    scored = model.score(*column_of([["a", "b"]]))
    assert scored.log10.tolist() == [-0.1, -math.inf]
    assert scored.end_log10.tolist() == [-1.0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "ends before"),
        ("\\1-grams:\n", r":1: expected \\data\\; found"),
        ("\\data\\\n\n\\end\\\n", "expected ngram 1="),
        ("\\data\\\nngram 2=1\n", "expected ngram 1="),
        ("\\data\\\nngram 1=1\n\\2-grams:\n", r":3: expected \\1-grams:"),
        ("\\data\\\nngram 1=1\n\\1-grams:\n-1 a\n", "ends before"),
        ("\\data\\\nngram 1=1\n\\1-grams:\n-1\n", ":4: expected a number and 1 words; found '-1'"),
        ("\\data\\\nngram 1=1\n\\1-grams:\n-x a\n", ":4: expected log10"),
        ("\\data\\\nngram 1=2\n\\1-grams:\n-1 a\n\\end\\\n", "2 1-grams before this line, not 1"),
        ("\\data\\\nngram 1=2\n\\1-grams:\n-1 a\n-1 a\n\\end\\\n", "every 1-gram once"),
        ("\\data\\\nngram 1=1\n\\1-grams:\n-1 a\n\\2-grams:\n", r"expected \\end\\"),
        (
            "\\data\\\nngram 1=1\nngram 2=1\n\\1-grams:\n-1 a\n\\2-grams:\n-1 a b\n",
            "expected words that are among the 1-grams; found '-1 a b'",
        ),
    ],
)
def test_what_is_no_arpa_file(text, message):
    with pytest.raises(tg.FormatError, match=message):
        read_arpa(io.StringIO(text))


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(tg.FormatError, match="cannot be read"):
        read_arpa(tmp_path / "missing.arpa")
    whole = gzip.compress(arpa(UNIGRAMS).getvalue())
    (tmp_path / "cut.arpa.gz").write_bytes(whole[: len(whole) - 12])
    with pytest.raises(tg.FormatError, match="truncated-file"):
        read_arpa(tmp_path / "cut.arpa.gz")
    with pytest.raises(tg.FormatError, match="no UTF-8"):
        read_arpa(io.BytesIO(arpa("-1 </s>; -1 a").getvalue().replace(b"a\n\n", b"\xff\n\n")))
    with pytest.raises(tg.FormatError, match="cannot be written"):
        trained([["a"]]).write_arpa(tmp_path / "no-folder" / "model.arpa")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("order", [2, 3, 5])
def test_kenlm_reads_the_same_probabilities(tmp_path, order, preset):
    reason = "compares with KenLM, which is not installed: pip install kenlm"
    kenlm = pytest.importorskip("kenlm", reason=reason)
    train, test = zipf_text(400, 60, seed=12), zipf_text(60, 90, seed=13)
    model = trained(train, order=order, preset=preset)
    path = tmp_path / "model.arpa"
    model.write_arpa(path)
    other = kenlm.Model(str(path))
    scored = model.score(*column_of(test))
    expected = [list(other.full_scores(" ".join(sentence))) for sentence in test]
    of_words = np.array([event[0] for events in expected for event in events[:-1]])
    is_unknown = np.array([event[2] for events in expected for event in events[:-1]])
    assert np.array_equal(scored.is_unknown, is_unknown)
    # Without <unk> in the file, KenLM gives unknown words -100.
    compared = ~is_unknown | (PRESETS[preset].mass != "known")
    assert compared.sum() > 200
    assert scored.log10[compared] == pytest.approx(of_words[compared], abs=1e-4)
    assert scored.end_log10 == pytest.approx([events[-1][0] for events in expected], abs=1e-4)
