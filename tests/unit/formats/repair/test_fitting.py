"""Outputs as they come, worked out by hand: one sentence, and everything that can happen to it."""

from __future__ import annotations

import io

import pytest

import treegauge as tg
from treegauge.formats.repair import read_repaired

GOLD = tg.parse(
    "# sent_id = birds-1\n"
    "1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n"
    "2\tbirds\tbird\tNOUN\t_\t_\t3\tnsubj\t_\t_\n"
    "3\tsing\tsing\tVERB\t_\t_\t0\troot\t_\t_\n"
    "4\tthe\tthe\tDET\t_\t_\t5\tdet\t_\t_\n"
    "5\tsong\tsong\tNOUN\t_\t_\t3\tobj\t_\t_\n\n"
    "# sent_id = birds-2\n"
    "1\tfish\tfish\tNOUN\t_\t_\t2\tnsubj\t_\t_\n"
    "2\tswim\tswim\tVERB\t_\t_\t0\troot\t_\t_\n\n",
    name="gold",
)
TEXT = tg.to_text(GOLD)
LINES = TEXT.split("\n")


def read(text: str) -> tuple[tg.Treebank, tg.Findings]:
    findings = tg.Findings()
    return read_repaired(io.StringIO(text), GOLD, findings=findings), findings


def wrong_words(text: str) -> tuple[list[int], list[int], dict[str, int]]:
    """Return which words and which heads are wrong, from 1, and the repairs."""
    treebank, findings = read(text)
    assert treebank.repairs is not None
    words = [i for i, one in enumerate(treebank.repairs.word.tolist(), start=1) if one]
    heads = [i for i, one in enumerate(treebank.repairs.head.tolist(), start=1) if one]
    counts = {kind.removeprefix("repaired-"): n for kind, n in findings.counts.items()}
    return words, [head for head in heads if head not in words], counts


def without(*numbers: int) -> str:
    """The file without some of its lines, counted from 1."""
    return "\n".join(line for i, line in enumerate(LINES, start=1) if i not in numbers)


def test_a_good_file_needs_no_repair():
    treebank, findings = read(TEXT)
    assert not findings.counts
    assert treebank.head.tolist() == GOLD.head.tolist()
    assert list(treebank.deprel) == list(GOLD.deprel)


@pytest.mark.parametrize(
    ("text", "words", "heads", "repairs"),
    [
        (without(3), [2], [], {"missing": 1}),
        (without(1, 3, 8), [2], [], {"missing": 1}),
        (without(8, 9, 10), [6, 7], [], {"missing": 2}),
        (f"Sure:\n```\n{TEXT}```\nDone.", [], [], {"prose": 2, "fence": 2}),
        (TEXT[:-34], [7], [], {"missing": 1}),
        (TEXT.replace("birds\tbird", "birdies\tbird"), [2], [], {"word": 1}),
        (TEXT.replace("bird\tNOUN", "NOUN"), [2], [], {"line": 1}),
        (TEXT.replace("5\tsong", "9\tsong"), [5], [], {"surplus": 1, "missing": 1}),
        (TEXT.replace("\t3\tobj", "\t8\tobj"), [], [5], {"head": 1}),
        (TEXT.replace("\t3\tobj", "\tsing\tobj"), [], [5], {"head": 1}),
        (TEXT.replace("\t3\tobj", "\t0\tobj"), [], [3, 5], {"roots": 2}),
        (TEXT.replace("\t0\troot", "\t5\troot", 1), [], [3, 5], {"cycle": 2}),
        (TEXT.replace("\n\n#", "\n#"), [], [], {"boundary": 1}),
        (TEXT.replace("\t", " "), [], [], {"divider": 7}),
        (TEXT.replace("\t_\t_\n", "\n"), [], [], {"columns": 1}),
        ("nothing at all", [1, 2, 3, 4, 5, 6, 7], [], {"prose": 1, "missing": 7}),
    ],
)
def test_what_is_repaired_is_wrong(text, words, heads, repairs):
    assert wrong_words(text) == (words, heads, repairs)


def test_two_lines_that_changed_places_are_both_wrong():
    lines = [*LINES]
    lines[1], lines[3] = lines[3], lines[1]
    assert wrong_words("\n".join(lines)) == ([1, 3], [], {"number": 2})


def test_a_doubled_word_is_wrong_and_one_too_many():
    text = TEXT.replace("5\tsong", "4\tthe\tthe\tDET\t_\t_\t5\tdet\t_\t_\n5\tsong")
    treebank, findings = read(text)
    assert findings.counts == {"repaired-number": 2}
    assert treebank.repairs.surplus.tolist() == [1, 0]
    score = tg.evaluate(GOLD, treebank, metrics="uas", resamples=0)["uas"]
    # Six of seven words are right; the system has eight.
    assert score.value == pytest.approx(2 * 6 / (7 + 8))


def test_a_word_dropped_and_the_rest_renumbered_costs_that_word():
    text = (
        "1\tbirds\tbird\tNOUN\t_\t_\t2\tnsubj\t_\t_\n"
        "2\tsing\tsing\tVERB\t_\t_\t0\troot\t_\t_\n"
        "3\tthe\tthe\tDET\t_\t_\t4\tdet\t_\t_\n"
        "4\tsong\tsong\tNOUN\t_\t_\t2\tobj\t_\t_\n\n"
    )
    treebank, _ = read(text)
    assert treebank.head.tolist()[:5] == [-1, 3, 0, 5, 3]


def test_sentences_in_another_order_keep_their_words():
    first, second = TEXT.strip("\n").split("\n\n")
    assert wrong_words(f"{second}\n\n{first}\n\n") == ([], [], {"order": 1})


def test_sentences_cut_elsewhere_are_found_by_their_characters():
    rows = [line for line in LINES if line and not line.startswith("#")]
    rows[5] = rows[5].replace("1\tfish", "6\tfish").replace("\t2\tnsubj", "\t7\tnsubj")
    rows[6] = rows[6].replace("2\tswim", "7\tswim").replace("\t0\troot", "\t3\tconj")
    words, heads, repairs = wrong_words("\n".join(rows) + "\n\n")
    # The second sentence's root hangs on a word of the first: it has no head in its own.
    assert (words, heads, repairs) == ([], [7], {"boundary": 1, "head": 1})


def test_a_markdown_table_with_a_header_is_read():
    text = (
        "| ID | Word | UPOS | HEAD | DEPREL |\n|---|---|---|---|---|\n"
        "| 1 | fish | NOUN | 2 | nsubj |\n| 2 | swim | VERB | 0 | root |\n"
    )
    treebank, findings = read(text)
    assert treebank.head.tolist()[5:] == [2, 0]
    assert list(treebank.upos)[5:] == ["NOUN", "VERB"]
    assert findings.counts["repaired-columns"] == 1


def test_what_is_marked_as_repaired_is_wrong():
    text = TEXT.replace("obj\t_\t_", "obj\t_\tRepaired=head").replace(
        "nsubj\t_\t_\n2", "nsubj\t_\tRepaired=word\n2"
    )
    assert wrong_words(text) == ([6], [5], {"before": 2})


def test_metrics_that_say_nothing_of_words_are_refused():
    treebank, _ = read(without(3))
    with pytest.raises(tg.MetricError, match="upos_macro_f1 does not score single words"):
        tg.evaluate(GOLD, treebank, metrics="upos_macro_f1")


def test_signature_and_footer_say_that_a_file_was_repaired():
    treebank, _ = read(without(3))
    evaluation = tg.evaluate(GOLD, treebank, metrics="uas", resamples=0)
    assert "|repair:yes|" in str(evaluation["uas"].signature)
    assert evaluation.remarks == ["<stream>: repaired missing 1; 1 word wrong for it"]
    assert evaluation.to_dict()["systems"][0]["repairs"] == {
        "counts": {"repaired-missing": 1},
        "wrong_words": 1,
        "wrong_heads": 0,
        "surplus_words": 0,
    }
