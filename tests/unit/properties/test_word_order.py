"""The numbers of a treebank together: settings, a hand-worked treebank, laws."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.strategies import trees
from tests.unit.properties.all_orders import bank, star
from tests.unit.properties.test_direction_entropy import tagged_banks
from treegauge.properties import PRESETS, PropertyError, WordOrder, WordOrderSettings
from treegauge.properties.word_order import NUMBERS
from treegauge.treebank import Treebank


def test_a_treebank_by_hand():
    # Lengths 6 (n = 5), 3 (n = 3) and 1 (n = 2); optima 5, 2 and 1; a single word counts nothing.
    treebank = bank([2, 0, 2, 5, 2], [0, 1, 1], [0, 1], [0])
    order = WordOrder(treebank)
    assert order.dlm_ratio == (6 / 25 + 3 / 9 + 1 / 4) / (5 / 25 + 2 / 9 + 1 / 4)
    spans = WordOrder(treebank, "default,unit=span").dlm_ratio
    assert spans == pytest.approx((10 / 25 + 5 / 9 + 2 / 4) / (9 / 25 + 4 / 9 + 2 / 4))
    # Right-branching: 7, 3 and 1. (Root of the first: sizes 2, 1, 1 times 0, 1, 2.)
    branching = (7 / 25 + 3 / 9 + 1 / 4) / (5 / 25 + 2 / 9 + 1 / 4)
    assert order.branching_dlm_ratio == pytest.approx(branching)
    # All arcs of one kind: 2 to the left (John, the), 5 to the right.
    assert order.head_final_share == 2 / 7
    assert order.arc_direction_entropy == pytest.approx(0.863120568566631)
    assert WordOrder(treebank, "default,base=e").arc_direction_entropy == pytest.approx(0.598270)
    assert order.nonprojective_arcs == order.nonprojective_sentences == 0
    assert order.branching_factor == (4 / 2 + 2 + 1) / 3


def test_crossing_arcs_are_counted():
    order = WordOrder(bank([3, 4, 0, 3], [0, 1]))
    assert (order.nonprojective_arcs, order.nonprojective_sentences) == (1 / 4, 1 / 2)
    assert (order.gap_degree, order.largest_gap_degree) == (0.5, 1)
    assert (order.edge_degree, order.largest_edge_degree) == (0.5, 1)


def test_settings():
    assert WordOrderSettings.parse("default").name == "default"
    assert WordOrderSettings.parse("gm16") == PRESETS["gm16"]
    assert PRESETS["gm16"].wording == (
        "lengths as span, plain alternation (inferred, the paper does not say) as optimum, "
        "entropy in nats, full relations"
    )
    assert WordOrderSettings.parse("gm16,minimum=10").minimum == 10
    for text, complaint in {
        "gm15": "unknown preset 'gm15'; did you mean gm16[?]\n  there are default, gm16",
        "gm16,colour=red": "unknown setting 'colour'",
        "gm16,base=10": "word order: setting base: expected one of 2, e, found '10'",
        "gm16,minimum=few": "minimum: expected a whole number, found 'few'",
    }.items():
        with pytest.raises(PropertyError, match=complaint):
            WordOrderSettings.parse(text)


def test_small_treebanks_are_marked():
    assert WordOrder(bank([0, 1]), "gm16").is_small
    assert not WordOrder(bank([0, 1]), "gm16,minimum=1").is_small
    assert not WordOrder(bank([0, 1])).is_small


def test_nothing_to_count_is_none():
    for nothing in (bank(), bank([-1, -1]), bank([2, 1])):
        found = WordOrder(nothing).to_dict()
        assert [name for name in NUMBERS if found[name] is not None] == []
    assert WordOrder(bank([0])).dlm_ratio is None


def test_what_is_no_tree_is_left_out_and_counted():
    treebank = bank([0, 1], [2, 1], [0, 0], [0, 9])
    order = WordOrder(treebank)
    assert order.dlm_ratio == 1.0
    assert order.selection.report.dropped == {"several roots": 1, "no root": 1, "head outside": 1}


def mirrored(treebank: Treebank) -> Treebank:
    heads, words, at = [], [], 0
    for sentence in treebank:
        n = len(list(sentence))
        heads.append([n + 1 - word.head if word.head else 0 for word in reversed(list(sentence))])
        words += range(at + n - 1, at - 1, -1)
        at += n
    columns = {name: list(treebank.columns[name].take(words)) for name in ("upos", "deprel")}
    return bank(*heads, **columns)


@examples(100)
@given(tagged_banks())
def test_the_mirror_image_has_the_same_lengths_and_entropies(treebank):
    one, other = WordOrder(treebank), WordOrder(mirrored(treebank))
    # The tie rule of plain alternation and the random resamples look at the order of words.
    same = [name for name in NUMBERS if name not in ("head_final_share", "entropy_bootstrap")]
    for name in same:
        value = getattr(other, name)
        assert getattr(one, name) == (None if value is None else pytest.approx(value, abs=1e-12))
    assert one.dlm_ratio == other.dlm_ratio
    assert one.arc_direction_entropy == other.arc_direction_entropy


@examples(100)
@given(st.lists(trees(max_size=9), min_size=1, max_size=3))
def test_ratios_are_in_order(sentences):
    exact = WordOrder(bank(*sentences))
    plain = WordOrder(bank(*sentences), "default,optimum=plain")
    if exact.dlm_ratio is not None:
        assert exact.branching_dlm_ratio >= 1
        assert exact.random_dlm_ratio >= 1
        assert plain.dlm_ratio <= exact.dlm_ratio
        if not exact.nonprojective_arcs:
            assert exact.dlm_ratio >= 1


def test_a_long_sentence_goes_through_everything():
    assert WordOrder(bank(star(10_000), list(range(10_000)))).to_dict()["most_children"] == 9999
