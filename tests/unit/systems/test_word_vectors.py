"""Word vectors from files of users."""

from __future__ import annotations

import pytest

from treegauge.systems import SystemsError
from treegauge.systems.word_vectors import read_word_vectors


@pytest.mark.parametrize("header", ["", "3 2\n"])
def test_words_and_their_numbers(tmp_path, header: str) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text(f"{header}the 1 -2.5\nwe 0 1e-3\nthe 7 7\n\n3 4 5\n", encoding="utf-8")
    words, vectors = read_word_vectors(path, most=10)
    assert list(words) == ["the", "we", "3"]
    assert vectors.round(4).tolist() == [[1, -2.5], [0, pytest.approx(0.001)], [4, 5]]
    words, vectors = read_word_vectors(path, most=2)
    assert list(words) == ["the", "we"]
    assert vectors.shape == (2, 2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "vectors.txt"),
        ("2 3\n", "there are no word vectors in it"),
        ("the 1 2\nwe 1\n", "vectors.txt:2: expected 2 numbers, as before, found 1"),
        ("the 1 x\n", "vectors.txt:1: expected a word and numbers between spaces"),
        ("the 1 nan\n", "vectors.txt:1: expected a word and numbers between spaces"),
        ("the 1 1e99\n", "vectors.txt:1: expected a word and numbers between spaces"),
        ("the\n", "vectors.txt:1: expected a word and numbers between spaces"),
        (" 1 2\n", "vectors.txt:1: expected a word and numbers between spaces"),
    ],
)
def test_broken_files_get_one_sentence(tmp_path, text: str, complaint: str) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SystemsError, match=complaint):
        read_word_vectors(path, most=10)


def test_a_file_that_is_not_there(tmp_path) -> None:
    with pytest.raises(SystemsError, match=r"vectors\.txt"):
        read_word_vectors(tmp_path / "vectors.txt", most=10)
