"""Valid files of files that are not."""

from __future__ import annotations

import io

import pytest

import treegauge as tg
from treegauge.formats.repair import read_fixed

TEXT = (
    "# sent_id = birds-1\n"
    "1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n"
    "2\tbirds\tbird\tNOUN\t_\t_\t3\tnsubj\t_\t_\n"
    "3\tsing\tsing\tVERB\t_\t_\t0\troot\t_\t_\n\n"
)


@pytest.mark.parametrize(
    ("old", "new", "heads", "marks"),
    [
        ("1\tthe", "1\tthe", [2, 3, 0], ["_", "_", "_"]),
        ("\t2\tdet", "\t9\tdet", [3, 3, 0], ["head", "_", "_"]),
        ("\t2\tdet", "\t0\tdet", [0, 3, 1], ["head", "_", "head"]),
        ("\t0\troot", "\t2\troot", [2, 0, 2], ["_", "head", "head"]),
        ("2\tbirds", "7\tbirds", [3, 2, 0], ["head", "word", "word"]),
        ("\tDET", "", [3, 3, 0], ["word", "_", "_"]),
    ],
)
def test_what_is_no_tree_becomes_one(old, new, heads, marks):
    findings = tg.Findings()
    fixed = read_fixed(io.StringIO(TEXT.replace(old, new)), findings=findings)
    assert tg.validate(io.StringIO(tg.to_text(fixed))).is_valid
    if "7" not in new:  # there the second word comes last
        assert fixed.head.tolist() == heads
        written = [misc.removeprefix("Repaired=") for misc in fixed.columns["misc"]]
        assert written == marks


def test_a_valid_file_stays_as_it_is():
    text = TEXT.replace("2\tbirds", "2-3\tbirdsing\t_\t_\t_\t_\t_\t_\t_\t_\n2\tbirds")
    assert tg.to_text(read_fixed(io.StringIO(text))) == text


def test_a_multiword_token_that_does_not_fit_is_left_out():
    text = TEXT.replace("2\tbirds", "2-9\tbirdsing\t_\t_\t_\t_\t_\t_\t_\t_\n2\tbirds")
    findings = tg.Findings()
    assert tg.to_text(read_fixed(io.StringIO(text), findings=findings)) == TEXT
    assert findings.counts == {"repaired-side-line": 1}


def test_a_text_without_words_cannot_be_fixed():
    with pytest.raises(tg.FormatError, match="begin with the number of a word"):
        read_fixed(io.StringIO("I am sorry, I cannot do that."))
