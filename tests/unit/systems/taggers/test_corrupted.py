"""The oracle that corrupts gold."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.dictionaries import tag_codes
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.toys import toy_treebank


@pytest.mark.parametrize("rate", [0.0, 0.25, 1.0])
def test_exactly_the_share_is_wrong(rate: float) -> None:
    gold = toy_treebank("toy:svo", tokens=400)
    answer = make_system("corrupted", {"rate": rate}, seed=3).annotate(gold)
    wrong = tag_codes(answer) != tag_codes(gold)
    assert wrong.sum() == round(rate * gold.n_words)
    assert answer.name == gold.name
    assert answer.sentence_ids == gold.sentence_ids


def test_another_seed_makes_other_words_wrong(tmp_path) -> None:
    gold = toy_treebank("toy:svo", tokens=400)
    one, same, other = (
        make_system("corrupted", {"rate": 0.5}, seed=seed).annotate(gold) for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other
    make_system("corrupted", {"rate": 0.5}, seed=1).save(tmp_path / "m")
    assert load_system(tmp_path / "m").annotate(gold) == one


def test_no_right_tag_is_left_in_another_column() -> None:
    gold = treebank("1 birds _ NOUN NNS _ 2 nsubj _ _\n2 sing _ VERB VBP _ 0 root _ _")
    answer = make_system("corrupted", {"rate": 1}).annotate(gold)
    assert list(answer.xpos) == ["_", "_"]
    assert np.array_equal(answer.head, gold.head)


def test_it_says_what_it_is_and_refuses_blind_text() -> None:
    oracle = make_system("corrupted")
    assert (oracle.supervision, oracle.is_supervised, oracle.learns) == ("oracle", False, False)
    gold = sentences("a/NOUN b/VERB")
    with pytest.raises(SystemsError, match="corrupted is an oracle: it corrupts gold tags"):
        oracle.annotate(gold.blind(tags=True))
