from __future__ import annotations

import pytest

from tests.properties.treebank_strategies import with_heads
from tests.unit.strata.worked_tree import named
from treegauge.strata import stratify

LONG = 20_000


def of(name: str, *heads: int) -> list[str | None]:
    return named(stratify(name, with_heads([list(heads)])))


def test_several_roots():
    # Two trees side by side: 1 <- 2 and 4 <- 3, 4 <- 5.
    heads = (0, 1, 4, 0, 4)
    assert of("depth", *heads) == ["1", "2", "2", "1", "2"]
    assert of("root_distance", *heads) == ["0", "1", "1", "0", "1"]
    assert of("branching", *heads) == ["1", "0", "0", "2", "0"]
    assert of("projectivity", 0, 0, 1) == ["root", "root", "not projective"]


def test_a_cycle_beside_a_tree():
    heads = (2, 1, 0, 3, 2)  # 1 and 2 hang on each other, 5 on them
    assert of("depth", *heads) == [None, None, "1", "2", None]
    assert of("root_distance", *heads) == [None, None, "0", "1", None]
    assert of("branching", *heads) == ["1", "2", "1", "0", "0"]
    assert of("projectivity", *heads) == [None, None, "root", None, None]


def test_heads_outside_and_missing_heads():
    assert of("depth", 0, 9, 2) == ["1", None, None]
    assert of("branching", 0, 9, 2) == ["0", "1", "0"]
    assert of("depth", 0, -1, 2) == ["1", None, None]
    assert of("branching", 0, -1, 2) == [None, None, None]
    assert of("projectivity", 0, -1, 1) == ["root", None, None]
    assert of("projectivity", 0, 2) == ["root", None]


def test_one_bad_sentence_leaves_the_others_alone():
    gold = with_heads([[2, 1], [], [2, 0]])
    assert named(stratify("depth", gold)) == [None, None, "2", "1"]
    assert named(stratify("projectivity", gold)) == [None, None, "projective", "root"]


def test_open_bins():
    chain = with_heads([list(range(12))])
    assert stratify("depth", chain).names == (*"123456789", "10+")
    assert named(stratify("depth", chain))[8:] == ["9", "10+", "10+", "10+"]
    assert stratify("root_distance", chain).names == (*"0123456789", "10+")
    assert named(stratify("root_distance", chain))[9:] == ["9", "10+", "10+"]
    assert stratify("branching", chain).names == ("0", "1", "2", "3", "4+")
    assert of("branching", 0, 1, 1, 1, 1, 1)[0] == "4+"


@pytest.mark.parametrize(
    "heads",
    [
        list(range(LONG)),
        [*range(2, LONG + 1), 0],
        [0] + [1] * (LONG - 1),
        [LONG] * (LONG - 1) + [0],
        [LONG // 2 + 1] * (LONG // 2) + [0] + [LONG // 2 + 1] * (LONG // 2 - 1),
        [0, 1, *range(1, LONG - 1)],  # two branches, word by word in turn
    ],
)
@pytest.mark.parametrize("name", ["depth", "root_distance", "branching", "projectivity"])
def test_very_long_sentences_are_no_problem(name, heads):
    assert (stratify(name, with_heads([heads])).codes >= 0).all()
