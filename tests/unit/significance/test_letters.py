from __future__ import annotations

import pytest

from treegauge.significance import Letters, SignificanceError, significance_letters

SCORES = {"base": 1, "ours": 3, "theirs": 2}
EXPECTED = [
    Letters("base", "a", ()),
    Letters("ours", "b", ("a", "c")),
    Letters("theirs", "c", ("a",)),
]


def test_letters_from_a_function():
    assert significance_letters(list(SCORES), lambda x, y: SCORES[x] > SCORES[y]) == EXPECTED


def test_letters_from_a_table():
    better = [[False, False, False], [True, False, True], [True, False, False]]
    assert significance_letters(list(SCORES), better) == EXPECTED


def test_no_system_is_compared_with_itself():
    def better(one: str, other: str) -> bool:
        assert one != other
        return False

    assert [row.beats for row in significance_letters(["x", "y"], better)] == [(), ()]


def test_more_systems_than_letters():
    names = [str(i) for i in range(26 + 26 * 26 + 1)]
    letters = [row.letter for row in significance_letters(names, lambda *_: False)]
    assert [letters[i] for i in (0, 25, 26, 27, 51, 52, 701, 702)] == [
        *("a", "z", "aa", "ab", "az", "ba", "zz", "aaa")
    ]
    assert len(set(letters)) == len(letters)


def test_no_systems():
    assert significance_letters([], []) == []
    assert significance_letters([], lambda *_: True) == []


def test_a_table_of_the_wrong_size():
    with pytest.raises(SignificanceError, match="3 systems need a table of 3 x 3"):
        significance_letters(["x", "y", "z"], [[False, True], [False, False]])


def test_both_cannot_be_better():
    with pytest.raises(SignificanceError, match="'x' cannot be better than 'y' and worse"):
        significance_letters(["x", "y"], lambda *_: True)
