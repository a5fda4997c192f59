from __future__ import annotations

import pickle

import numpy as np
import pytest

from treegauge.treebank import Vocabulary


@pytest.fixture
def vocabulary() -> Vocabulary:
    return Vocabulary.from_strings(["cat", "", "größer", "犬", "cats"])


def test_strings_and_codes(vocabulary: Vocabulary) -> None:
    assert len(vocabulary) == 5
    assert list(vocabulary) == ["cat", "", "größer", "犬", "cats"]
    assert [vocabulary.code(string) for string in vocabulary] == [0, 1, 2, 3, 4]
    assert vocabulary.code("dog") == -1
    assert "cats" in vocabulary
    assert "ca" not in vocabulary
    assert 3 not in vocabulary


def test_bytes_lie_one_behind_the_other(vocabulary: Vocabulary) -> None:
    assert vocabulary.data.tobytes().decode() == "catgrößer犬cats"
    # ö and ß are two bytes each, the last but one is three.
    assert vocabulary.starts.tolist() == [0, 3, 3, 11, 14, 18]


def test_index_and_slice(vocabulary: Vocabulary) -> None:
    assert vocabulary[3] == "犬"
    assert vocabulary[-1] == "cats"
    assert vocabulary[np.int32(2)] == "größer"
    assert vocabulary[1:3] == ["", "größer"]
    assert vocabulary.index("größer") == 2


@pytest.mark.parametrize("code", [5, -6])
def test_unknown_code(vocabulary: Vocabulary, code: int) -> None:
    with pytest.raises(IndexError, match=f"code {code} in a vocabulary of 5"):
        vocabulary[code]


def test_empty_vocabulary() -> None:
    empty = Vocabulary.from_strings([])
    assert len(empty) == 0
    assert list(empty) == []
    assert empty.code("") == -1
    assert repr(empty) == "Vocabulary(; 0 strings)"
    with pytest.raises(IndexError, match="code 0 in a vocabulary of 0"):
        empty[0]


def test_equality_looks_at_order_and_bounds() -> None:
    assert Vocabulary.from_strings(["ab", "c"]) == Vocabulary.from_strings(["ab", "c"])
    assert Vocabulary.from_strings(["ab", "c"]) != Vocabulary.from_strings(["c", "ab"])
    # The same bytes, cut elsewhere.
    assert Vocabulary.from_strings(["ab", "c"]) != Vocabulary.from_strings(["a", "bc"])
    assert Vocabulary.from_strings(["ab"]) != ["ab"]


def test_take_copies(vocabulary: Vocabulary) -> None:
    taken = vocabulary.take(np.array([3, 0], np.int32))
    assert list(taken) == ["犬", "cat"]
    assert not np.shares_memory(taken.data, vocabulary.data)
    assert list(vocabulary.take(np.zeros(0, np.int32))) == []


def test_repr_shows_the_first_five() -> None:
    assert repr(Vocabulary.from_strings(["a", "b"])) == "Vocabulary('a', 'b'; 2 strings)"
    assert repr(Vocabulary.from_strings("abcdef")) == (
        "Vocabulary('a', 'b', 'c', 'd', 'e', …; 6 strings)"
    )


def test_pickle_is_frozen_and_without_caches(vocabulary: Vocabulary) -> None:
    before = pickle.dumps(vocabulary)
    assert vocabulary.code("cat") == 0
    assert pickle.dumps(vocabulary) == before
    again = pickle.loads(before)
    assert again == vocabulary
    assert not again.data.flags.writeable
    assert not again.starts.flags.writeable


def test_arrays_refuse_writes(vocabulary: Vocabulary) -> None:
    for array in (vocabulary.data, vocabulary.starts):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_vocabularies_have_no_hash(vocabulary: Vocabulary) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(vocabulary)
