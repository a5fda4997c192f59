from __future__ import annotations

import pickle

import numpy as np
import pytest

from treegauge.treebank import Column, Vocabulary


@pytest.fixture
def tags() -> Column:
    return Column.from_strings(["DET", "NOUN", "VERB", "DET", "NOUN"])


def numbered(codes: list[int], *strings: str) -> Column:
    return Column(np.array(codes, np.int32), Vocabulary.from_strings(strings))


def test_strings_come_back(tags: Column) -> None:
    assert list(tags) == ["DET", "NOUN", "VERB", "DET", "NOUN"]
    assert len(tags) == 5
    assert tags.codes.tolist() == [0, 1, 2, 0, 1]
    assert tags.codes.dtype == np.int32
    assert tags[2] == "VERB"
    assert tags[-1] == "NOUN"
    assert tags[np.int64(0)] == "DET"
    assert list(tags[1:3]) == ["NOUN", "VERB"]
    assert list(tags[::-2]) == ["NOUN", "VERB", "DET"]
    assert "VERB" in tags
    assert "ADJ" not in tags
    with pytest.raises(IndexError):
        tags[5]


def test_constant() -> None:
    assert list(Column.constant("_", 3)) == ["_", "_", "_"]
    assert list(Column.constant("_", 0)) == []


def test_equality_does_not_look_at_codes() -> None:
    cats = numbered([0, 1, 0], "cat", "dog")
    assert cats == numbered([1, 0, 1], "dog", "cat")
    assert cats == numbered([3, 1, 3], "cow", "dog", "pig", "cat")
    assert cats != numbered([0, 1, 1], "cat", "dog")
    assert cats != numbered([0, 1], "cat", "dog")
    # The same pattern of codes, and the same bytes in the vocabulary.
    assert numbered([0, 1], "ab", "c") != numbered([0, 1], "a", "bc")
    assert cats != ["cat", "dog", "cat"]
    assert Column.from_strings([]) == numbered([], "unused")


def test_columns_have_no_hash(tags: Column) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(tags)


def test_compact_numbers_by_first_use_and_drops_the_rest() -> None:
    column = numbered([3, 1, 3, 0], "cow", "dog", "pig", "cat")
    compact = column.compact()
    assert list(compact) == ["cat", "dog", "cat", "cow"]
    assert compact.codes.tolist() == [0, 1, 0, 2]
    assert list(compact.vocabulary) == ["cat", "dog", "cow"]
    assert not np.shares_memory(compact.codes, column.codes)
    assert not np.shares_memory(compact.vocabulary.data, column.vocabulary.data)


def test_compact_nothing() -> None:
    compact = numbered([], "cow", "dog").compact()
    assert list(compact) == []
    assert list(compact.vocabulary) == []


def test_concatenate_joins_vocabularies() -> None:
    joined = Column.concatenate(
        [numbered([1, 0], "cat", "dog"), numbered([], "pig"), numbered([0, 1], "cow", "dog")]
    )
    assert list(joined) == ["dog", "cat", "cow", "dog"]
    assert joined.codes[0] == joined.codes[3]
    assert joined.codes.dtype == np.int32


def test_concatenate_nothing() -> None:
    assert list(Column.concatenate([])) == []
    assert list(Column.concatenate([Column.from_strings([])])) == []


def test_take_by_index_and_by_mask(tags: Column) -> None:
    assert list(tags.take([2, 0, 2, -1])) == ["VERB", "DET", "VERB", "NOUN"]
    assert list(tags.take(np.array([False, True, False, False, True]))) == ["NOUN", "NOUN"]
    assert list(tags.take([])) == []
    with pytest.raises(IndexError):
        tags.take([True, False])
    with pytest.raises(IndexError):
        tags.take([0.5])


def test_map_calls_once_for_each_value_in_use() -> None:
    asked = []

    def shortened(tag: str) -> str:
        asked.append(tag)
        return tag[0]

    column = numbered([3, 1, 2, 3], "never used", "NOUN", "NUM", "VERB")
    mapped = column.map(shortened)
    assert list(mapped) == ["V", "N", "N", "V"]
    assert asked == ["VERB", "NOUN", "NUM"]
    # What has become equal has one code.
    assert mapped.codes.tolist() == [0, 1, 1, 0]
    assert list(Column.from_strings([]).map(str.lower)) == []


@pytest.mark.parametrize(
    ("strings", "annotated"),
    [
        (["_", "_"], False),
        (["", "_"], False),
        ([], False),
        (["_", "NOUN"], True),
        (["__"], True),
        ([" "], True),
    ],
)
def test_is_annotated(strings: list[str], annotated: bool) -> None:
    assert Column.from_strings(strings).is_annotated is annotated


def test_is_annotated_looks_at_words_not_at_the_vocabulary() -> None:
    column = Column.from_strings(["NOUN", "_", "VERB"])
    assert not column[1:2].is_annotated
    assert column[1:3].is_annotated


def test_counts_most_frequent_first() -> None:
    column = numbered([1, 2, 2, 3], "never used", "NOUN", "VERB", "ADJ")
    assert list(column.counts().items()) == [("VERB", 2), ("NOUN", 1), ("ADJ", 1)]
    assert Column.from_strings([]).counts() == {}


def test_repr_shows_the_first_eight(tags: Column) -> None:
    assert repr(tags) == "Column(DET NOUN VERB DET NOUN; 5 words)"
    assert repr(Column.constant("x", 9)) == "Column(x x x x x x x x …; 9 words)"


def test_pickle_is_frozen(tags: Column) -> None:
    again = pickle.loads(pickle.dumps(tags))
    assert again == tags
    assert not again.codes.flags.writeable
    assert not again.vocabulary.data.flags.writeable


def test_codes_refuse_writes(tags: Column) -> None:
    with pytest.raises(ValueError, match="read-only"):
        tags.codes[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        tags[1:3].codes[0] = 1
