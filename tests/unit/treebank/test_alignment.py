from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, strategies as st

from tests.examples import examples
from tests.strategies import read_text
from tests.unit.metrics.other_tokens import (
    copies,
    damage,
    random_sentences,
    retokenise,
    to_conllu,
)
from tests.unit.metrics.shared_task_scorer import assert_same_scores
from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.treebank import (
    AlignmentError,
    Treebank,
    align_by_characters,
    align_by_position,
)

FIRST = sentences("a/X b/X c/X", "d/X e/X", "f/X").replace(name="gold.conllu")


def message(system: Treebank, gold: Treebank = FIRST) -> list[str]:
    """Return the lines of the complaint about a system's words."""
    with pytest.raises(AlignmentError) as raised:
        align_by_position(gold, system.replace(name="ours.conllu"))
    return str(raised.value).split("\n  ")


# ---------------------------------------------------------------------- by position


def test_the_same_words_are_aligned_one_by_one():
    alignment = align_by_position(FIRST, FIRST.replace(name="other"))
    assert alignment.first.tolist() == alignment.second.tolist() == [0, 1, 2, 3, 4, 5]
    assert alignment.sentence_of_second.tolist() == [0, 0, 0, 1, 1, 2]


def test_the_same_words_in_another_vocabulary():
    backwards = sentences("f/X", "d/X e/X", "a/X b/X c/X")[[2, 1, 0]]
    assert align_by_position(FIRST, backwards).first.tolist() == [0, 1, 2, 3, 4, 5]


def test_another_token_is_named_with_its_place():
    assert message(sentences("a/X b/X c/X", "d/X E/X", "f/X")) == [
        "[token-mismatch] ours.conllu and gold.conllu differ in sentence 2: "
        'expected "e", found "E" as word 2',
        "1 sentence differs at its place; 1 different gold sentence is nowhere in the "
        "system's file",
        "is this the output for this file? --align can align other tokens",
    ]


def test_another_cut_into_words_points_to_align():
    assert message(sentences("ab/X c/X", "d/X e/X", "f/X")) == [
        '[token-mismatch] ours.conllu and gold.conllu differ in sentence 1: expected "a", '
        'found "ab" as word 1',
        "1 sentence differs at its place; 1 different gold sentence is nowhere in the "
        "system's file",
        "the characters are the same: align by characters with --align",
    ]


def test_another_order_is_recognised():
    assert message(FIRST[[1, 0, 2]]) == [
        '[token-mismatch] ours.conllu and gold.conllu differ in sentence 1: expected "a", '
        'found "d" as word 1',
        "2 sentences are in another order",
        "is this the output for this file? --align can align other tokens",
    ]


def test_missing_sentences_are_counted():
    assert message(FIRST[[0, 2]]) == [
        '[token-mismatch] ours.conllu and gold.conllu differ in sentence 2: expected "d", '
        'found "f" as word 1',
        "expected 3 sentences, found 2",
        "1 sentence differs at its place; 1 different gold sentence is nowhere in the "
        "system's file",
        "is this the output for this file? --align can align other tokens",
    ]


def test_a_missing_end_is_named_by_the_first_sentence_that_is_missing():
    lines = message(FIRST[:1])
    assert lines[:2] == [
        "[token-mismatch] ours.conllu and gold.conllu differ in sentence 2",
        "expected 3 sentences, found 1",
    ]


def test_more_sentences_than_gold_has():
    lines = message(sentences("a/X b/X c/X", "d/X e/X", "f/X", "g/X"))
    assert lines[:2] == [
        "[token-mismatch] ours.conllu and gold.conllu differ after the last sentence",
        "expected 3 sentences, found 4",
    ]


def test_a_sentence_that_goes_on_is_named_by_its_length():
    lines = message(sentences("a/X b/X c/X", "d/X", "e/X f/X"))
    assert lines[0].endswith("differ in sentence 2: expected 2 words, found 1")
    assert lines[-1] == "the characters are the same: align by characters with --align"


def test_no_sentences_at_all():
    lines = message(FIRST[:0])
    assert lines[0] == "[token-mismatch] ours.conllu and gold.conllu differ in sentence 1"
    assert lines[1] == "expected 3 sentences, found 0"


def test_sentences_are_named_by_id_and_line():
    gold = treebank("# sent_id = s7\n1 a _ _ _ _ _ _ _ _", name="gold")
    with pytest.raises(AlignmentError, match=r"differ in sentence 1 \(s7\), line 1 of gold: exp"):
        align_by_position(gold, sentences("b/X"))


def test_treebanks_without_a_name_are_called_what_they_are():
    with pytest.raises(AlignmentError, match=r"\] the system and gold differ in"):
        align_by_position(sentences("a/X"), sentences("b/X"))


def test_multiword_tokens_of_other_words_are_the_same_characters():
    assert message(tokens("du"), tokens("du de le"))[-1] == (
        "the characters are the same: align by characters with --align"
    )


# ---------------------------------------------------------------------- by characters


def tokens(*written: str, space: str = " ") -> Treebank:
    """Read sentences of tokens with `|` between them.

    `du de le` is one token of two words, and `~` a space in a form.
    """
    lines = []
    for sentence in written:
        number = 0
        for token in sentence.split("|"):
            form, *words = token.split(" ")
            if words:
                lines.append(f"{number + 1}-{number + len(words)} {form} _ _ _ _ _ _ _ _")
            for word in words or [form]:
                number += 1
                lines.append(f"{number} {word} _ _ _ _ {int(number > 1)} _ _ _")
        lines.append("")
    text = "".join("\t".join(line.split(" ")) + "\n" for line in lines)
    return read_text(text.replace("~", space))


def pairs(first: Treebank, second: Treebank) -> list[tuple[str, str]]:
    """Return the forms of all aligned words."""
    found = align_by_characters(first, second)
    assert (found.first[1:] > found.first[:-1]).all()
    assert (found.second[1:] > found.second[:-1]).all()
    return [(first.form[a], second.form[b]) for a, b in zip(found.first, found.second, strict=True)]


def same(first: str, second: str) -> list[str]:
    """Return the forms of aligned words that are spelled alike."""
    found = pairs(tokens(first), tokens(second))
    assert all(a == b for a, b in found)
    return [a for a, _ in found]


@pytest.mark.parametrize(
    ("gold", "system", "aligned"),
    [
        ("a|b|c", "a|b|c", "a b c"),
        ("abcd", "a|b|c|d", ""),
        ("abc|d", "a|b|c|d", "d"),
        ("a|bc|d", "a|b|c|d", "a d"),
        ("a|b|c|d", "ab|cd", ""),
        # A multiword token gives away its words where the other side has them.
        ("abc a b c", "a|b|c", "a b c"),
        ("a|bc b c|d", "a|b|c|d", "a b c d"),
        ("a|bc b c|d", "a|b|cd", "a b"),
        ("du de le|x", "du|x", "x"),
        ("du de le|x", "du de la|x", "de x"),
        # Two that stick out of each other are aligned as one stretch.
        ("abc a b c|de d e", "a|bcd b c d|e", "a b c d e"),
        ("abcd a b c d", "ab a b|cd c d", "a b c d"),
        # A word that only one side has does not stop the others.
        ("ab a x b|c", "a|b|c", "a b c"),
        ("ab x y|cd c d", "ab|c|d", "c d"),
    ],
)
def test_tokens(gold, system, aligned):
    assert same(gold, system) == aligned.split()
    assert same(system, gold) == aligned.split()


def test_case_does_not_matter_inside_multiword_tokens():
    assert pairs(tokens("Du De le"), tokens("Du de LE")) == [("De", "de"), ("le", "LE")]


def test_the_longest_common_subsequence_is_taken():
    # a with a would cost b and c.
    assert same("abc a b c|d", "abc b c a|d") == ["b", "c", "d"]


def test_sentences_may_be_cut_in_other_places():
    gold, system = tokens("a|b", "c|d|e"), tokens("a", "b|c|d", "e")
    assert pairs(gold, system) == [(x, x) for x in "abcde"]
    alignment = align_by_characters(gold, system)
    assert alignment.sentence_of_second.tolist() == [0, 0, 1, 1, 1]


def test_words_that_gold_lacks_belong_to_the_sentence_they_begin_in():
    gold, system = tokens("a|b", "c"), tokens("a|bc")
    assert align_by_characters(gold, system).sentence_of_second.tolist() == [0, 0]
    gold, system = tokens("ab x y", "c"), tokens("a|b|c")
    assert align_by_characters(gold, system).sentence_of_second.tolist() == [0, 0, 1]


def test_spaces_in_forms_do_not_count():
    for space in (" ", "\u00a0", "\u2009"):
        spaced = tokens("10~000|m", space=space)
        assert len(pairs(tokens("10~000|m"), spaced)) == 2
        assert len(pairs(tokens("10000|m"), spaced)) == 2
        assert len(pairs(tokens("10|000|m"), spaced)) == 1


def test_spaces_in_words_beside_multiword_tokens_do_not_count_either():
    # The stretch is that of the system's multiword token; 1~0 in it is 10.
    assert pairs(tokens("x|1~0|y"), tokens("x10y x 10 y")) == [
        ("x", "x"),
        ("1 0", "10"),
        ("y", "y"),
    ]
    # Inside a multiword token they do, as in the scorer of the shared task.
    assert pairs(tokens("x|10|y"), tokens("x10y x 1~0 y")) == [("x", "x"), ("y", "y")]


def test_no_words_at_all():
    nothing = tokens("a")[:0]
    alignment = align_by_characters(nothing, nothing)
    assert alignment.first.tolist() == alignment.second.tolist() == []


def test_other_characters_are_an_error_with_the_place():
    gold = treebank("# sent_id = s1\n1 ab _ _ _ _ _ _ _ _\n2 cd _ _ _ _ _ _ _ _", name="gold")
    system = tokens("ab|xd").replace(name="ours")
    expected = (
        "[text-mismatch] ours and gold have different characters in sentence 1 (s1), line 1 of "
        'gold\n  expected "cd", found "xd"\n'
        "  only white space and the cut into words may differ; was the text normalised?"
    )
    with pytest.raises(AlignmentError, match=f"^{re.escape(expected)}$"):
        align_by_characters(gold, system)


def test_a_text_that_ends_early_is_an_error():
    with pytest.raises(AlignmentError, match=r'in sentence 2, line .*\n  expected "c", found ""'):
        align_by_characters(tokens("a|b", "c"), tokens("a|b"))
    with pytest.raises(AlignmentError, match=r'in sentence 1, line .*\n  expected "", found "b"'):
        align_by_characters(tokens("a"), tokens("a|b"))
    with pytest.raises(AlignmentError, match='different characters\n  expected "", found "a"'):
        align_by_characters(tokens("a")[:0], tokens("a"))


def test_columns_of_conllu_plus_are_found_by_name():
    plus = "# global.columns = FORM ID UPOS\ndu\t1-2\t_\nde\t1\tADP\nle\t2\tDET\nlac\t3\tNOUN\n\n"
    gold = read_text(plus, "conllu")
    assert len(gold.side_lines) == 1
    assert pairs(gold, tokens("du de le|lac")) == [("de", "de"), ("le", "le"), ("lac", "lac")]


# ---------------------------------------------------------------------- the shared task's scorer


@given(random=st.randoms(use_true_random=True), share=st.sampled_from([0, 0.2, 0.5]))
@examples(400)
def test_all_scores_agree_with_the_shared_task_s_scorer(random, share):
    gold = random_sentences(random)
    system = copies(gold)
    damage(system, random, 0.2)
    for _ in range(2):
        system = retokenise(system, random, share)
    gold_text, system_text = to_conllu(gold), to_conllu(system)
    first, second = read_text(gold_text), read_text(system_text)
    # Where all words are the same, they are aligned by position, whatever tokens they are in.
    assume(share == 0 or first.form != second.form)
    assert_same_scores(gold_text, system_text, first, second, align=True)
