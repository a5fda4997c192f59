from __future__ import annotations

import pytest

from tests.properties.treebank_strategies import with_heads
from tests.unit.strata.worked_tree import named
from tests.unit.treebank.small_trees import sentences
from treegauge.strata import stratify


def test_bins_are_in_numeric_order_and_all_there():
    one = with_heads([[0]])
    lengths = [*"123456789", "10+"]
    assert stratify("edge_length", one).names == (*lengths, "root")
    assert stratify("signed_edge_length", one).names == (
        *[f"{length} left" for length in reversed(lengths)],
        *[f"{length} right" for length in lengths],
        "root",
    )
    assert stratify("direction", one).names == ("left", "right", "root")


def test_the_last_bin_is_open():
    far = with_heads([[0, *[1] * 11], [*[12] * 11, 0]])
    lengths = named(stratify("edge_length", far))
    assert lengths[9:14] == ["9", "10+", "10+", "10+", "10+"]
    signed = named(stratify("signed_edge_length", far))
    assert signed[9:15] == ["9 left", "10+ left", "10+ left", "10+ right", "10+ right", "9 right"]
    assert signed[22:] == ["1 right", "root"]


@pytest.mark.parametrize("name", ["edge_length", "signed_edge_length", "direction"])
def test_no_edge_no_stratum(name):
    # missing, outside on both sides, a word that is its own head; the others stay.
    broken = with_heads([[0, -1, 99, 4, 98], [0]])
    codes = stratify(name, broken).codes.tolist()
    assert codes[1:5] == [-1, -1, -1, -1]
    assert named(stratify(name, broken))[0] == named(stratify(name, broken))[5] == "root"


def test_lengths_count_the_words_that_are_there():
    gold = sentences("yes/INTJ/3 ,/PUNCT/3 sing/VERB/0")
    assert named(stratify("edge_length", gold)) == ["2", "1", "root"]
    assert named(stratify("edge_length", gold.without_punctuation())) == ["1", "root"]
