"""Which sentences are left out, and why: one constructed sentence for every reason."""

from __future__ import annotations

import pytest

from tests.unit.properties.all_orders import bank
from treegauge.properties import PropertyError, WordOrder, select_sentences
from treegauge.properties.sentence_selection import REASONS
from treegauge.treebank import Treebank


def sentences(*pairs: tuple[list[int], str]) -> Treebank:
    """Return sentences from heads and one letter per word: w a word, p punctuation."""
    tags = ["PUNCT" if letter == "p" else "X" for _, letters in pairs for letter in letters]
    return bank(*[heads for heads, _ in pairs], upos=tags)


FIT = ([2, 0, 2], "wwp")
UNFIT = {
    "no words": ([], ""),
    "no heads": ([-1, -1], "ww"),
    "punctuation inside": ([3, 3, 0], "wpw"),
    "several roots": ([0, 0], "ww"),
    "no root": ([2, 1], "ww"),
    "head outside": ([0, 7], "ww"),
    "cycle": ([0, 3, 2], "www"),
    "words without a head": ([0, -1], "ww"),
    "words below the final punctuation": ([3, 0, 2], "wwp"),
    "punctuation alone": ([0], "p"),
}


def test_every_reason_has_its_sentence():
    assert list(UNFIT) == list(REASONS)


@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("mode", ["strip", "pin"])
def test_a_sentence_for_every_reason(reason, mode):
    selection = select_sentences(sentences(FIT, UNFIT[reason]), final_punctuation=mode)
    assert selection.report.dropped == {reason: 1}
    assert selection.sentences.tolist() == [0]
    assert (selection.report.read, selection.report.kept) == (2, 1)
    assert (selection.report.words_read, selection.report.words_kept) == (
        3 + len(UNFIT[reason][0]),
        2,
    )


def test_the_first_reason_counts():
    both = sentences(([0, 0, 0], "wpw"))
    assert select_sentences(both).report.dropped == {"punctuation inside": 1}


def test_strip_pin_and_include_differ():
    treebank = sentences(FIT, ([0], "w"), UNFIT["punctuation alone"], ([3, 0, 2], "wwp"))
    strip = select_sentences(treebank)
    assert (strip.treebank.head.tolist(), strip.pinned.tolist()) == ([2, 0, 0], [False] * 3)
    assert strip.treebank.original_lengths.tolist() == [3, 1]
    pin = select_sentences(treebank, final_punctuation="pin")
    assert pin.treebank.head.tolist() == [2, 0, 2, 0]
    assert pin.pinned.tolist() == [False, False, True, False]
    include = select_sentences(treebank, final_punctuation="include")
    assert include.treebank == treebank
    assert not include.pinned.any()
    assert include.report.words_kept == treebank.n_words
    assert strip.report.words_kept == pin.report.words_kept == 3


def test_all_can_be_kept():
    treebank = sentences(FIT, *UNFIT.values())
    selection = select_sentences(treebank, final_punctuation="pin", keep_all=True)
    assert selection.treebank == treebank
    assert selection.report.dropped == {}
    assert selection.pinned.sum() == 1  # of FIT; elsewhere it heads a word or is alone
    stripped = select_sentences(treebank, keep_all=True)
    assert stripped.treebank.n_words == treebank.n_words - 1
    assert stripped.treebank.n_sentences == treebank.n_sentences


def test_the_report_speaks():
    report = select_sentences(sentences(FIT, UNFIT["cycle"], UNFIT["no root"])).report
    assert str(report) == ("kept 1 of 3 sentences, 2 of 8 words; left out: 1 no root, 1 cycle")
    assert str(select_sentences(sentences(FIT)).report) == "kept 1 of 1 sentences, 2 of 3 words"


def test_punctuation_is_known_by_form_where_there_are_no_tags():
    selection = select_sentences(bank([2, 0, 2], form=["a", "b", "..."]))
    assert selection.report.words_kept == 2


def test_an_unknown_treatment_is_refused():
    with pytest.raises(PropertyError, match="there are strip, pin, include"):
        select_sentences(bank([0]), final_punctuation="keep")
    with pytest.raises(PropertyError, match="pin is for parsers"):
        WordOrder(sentences(FIT), "default,punctuation=pin")
