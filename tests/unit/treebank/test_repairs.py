"""What a treebank remembers of a file that was repaired."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import treegauge as tg
from treegauge.treebank import Column, Repairs, Treebank, TreebankError, keep_words

REPAIRS = Repairs(
    np.array([False, True, False, False]),
    np.array([False, False, False, True]),
    np.array([0, 2], np.int32),
    (("repaired-missing", 1),),
)
TREEBANK = Treebank(
    {"form": Column.from_strings(["birds", ",", "fish", "swim"])},
    [2, -1, 2, -1],
    offsets=[0, 2, 4],
    repairs=REPAIRS,
)


def test_sentences_keep_their_repairs():
    second = TREEBANK[[1]].repairs
    assert second is not None
    assert (second.word.tolist(), second.head.tolist()) == ([False, False], [False, True])
    assert second.surplus.tolist() == [2]
    assert second.counts == REPAIRS.counts


def test_a_word_that_hung_on_a_repaired_one_loses_its_head_with_it():
    kept = keep_words(TREEBANK, np.array([True, False, True, True])).repairs
    assert kept is not None
    assert kept.word.tolist() == [False, False, False]
    assert kept.head.tolist() == [True, False, True]


def test_repairs_are_part_of_what_a_treebank_is():
    bare = Treebank(TREEBANK.columns, TREEBANK.head, offsets=TREEBANK.offsets)
    assert bare != TREEBANK
    assert pickle.loads(pickle.dumps(TREEBANK)) == TREEBANK


def test_blind_copies_know_of_no_repairs():
    assert tg.treebank.blind(TREEBANK).repairs is None


def test_repairs_are_one_a_word():
    short = Repairs(np.zeros(3, bool), np.zeros(3, bool), np.zeros(1, np.int32))
    with pytest.raises(TreebankError, match="repairs"):
        Treebank(TREEBANK.columns, TREEBANK.head, offsets=[0, 4], repairs=short)
