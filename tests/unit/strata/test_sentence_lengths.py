from __future__ import annotations

from tests.properties.treebank_strategies import with_heads
from tests.unit.strata.worked_tree import named
from tests.unit.treebank.small_trees import sentences
from treegauge.strata import stratify


def test_bounds_of_the_bins():
    lengths = [1, 5, 6, 10, 11, 20, 21, 30, 31, 40, 41, 400]
    gold = with_heads([[0] * length for length in lengths])
    strata = stratify("sentence_length", gold)
    assert strata.names == ("1-5", "6-10", "11-20", "21-30", "31-40", "41+")
    first_words = [named(strata)[start] for start in gold.offsets[:-1]]
    assert first_words == [name for name in strata.names for _ in range(2)]


def test_a_sentence_counts_as_it_was_read():
    gold = sentences("a/X/0 b/X/1 c/X/1 d/X/1 !/PUNCT/1 !/PUNCT/1").without_punctuation()
    assert named(stratify("sentence_length", gold)) == ["6-10"] * 4
