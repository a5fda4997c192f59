"""The prompt kit: what is asked, and what is made of answers."""

from __future__ import annotations

import io
import json

import pytest

import treegauge as tg
from treegauge.formats.prompts import (
    AnswerFields,
    import_answers,
    make_prompts,
    parse_columns,
    read_prompts,
    write_prompts,
)

GOLD = tg.parse(
    "# sent_id = fish-1\n"
    "1\tfish\tfish\tNOUN\t_\t_\t2\tnsubj\t_\t_\n"
    "2\tswim\tswim\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    "# sent_id = fish-2\n"
    "1\tgo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n\n",
    name="gold",
)
TRAINING = tg.parse(
    "1\tbirds\tbird\tNOUN\t_\t_\t2\tnsubj\t_\t_\n"
    "2\tsing\tsing\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    "1\tfish\tfish\tNOUN\t_\t_\t2\tnsubj\t_\t_\n"
    "2\tswim\tswim\tVERB\t_\t_\t0\troot\t_\t_\n\n",
    name="training",
)


def answers(*lines: object) -> io.StringIO:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return io.StringIO("".join(f"{line}\n" for line in texts))


def test_a_prompt_has_the_words_and_an_example_and_nothing_of_gold():
    first, second = make_prompts(GOLD, training=TRAINING, examples=1)
    assert (first.id, first.words) == ("fish-1", ("fish", "swim"))
    assert "Table:\n1\tbirds\tNOUN\t2\tnsubj\n2\tsing\tVERB\t0\troot\n\n" in first.prompt
    assert first.prompt.endswith("Sentence:\n1\tfish\n2\tswim\nTable:\n")
    assert second.prompt.endswith("Sentence:\n1\tgo\nTable:\n")


def test_prompts_are_the_same_whatever_gold_says():
    blind = tg.Treebank({"form": GOLD.form}, offsets=GOLD.offsets, side_lines=GOLD.side_lines)
    assert make_prompts(blind, training=TRAINING, examples=1) == make_prompts(
        GOLD, training=TRAINING, examples=1
    )


def test_a_sentence_that_is_asked_about_is_no_example():
    with pytest.raises(tg.FormatError, match="training has only 1 sentence"):
        make_prompts(GOLD, training=TRAINING, examples=2)


def test_prompts_come_back_from_their_file(tmp_path):
    prompts = make_prompts(GOLD, columns=parse_columns("upos"), instruction="Tag it.")
    write_prompts(prompts, tmp_path / "prompts.jsonl")
    assert read_prompts(tmp_path / "prompts.jsonl") == prompts
    assert prompts[0].columns == ("ID", "FORM", "UPOS")
    assert prompts[0].prompt.startswith("Tag it.\n\nSentence:")


@pytest.mark.parametrize("line", ["{", "[]", '{"id": 1}', '{"id": "a", "words": []}'])
def test_a_file_of_something_else_is_refused(line):
    with pytest.raises(tg.FormatError, match="no prompt of ours"):
        read_prompts(io.StringIO(line))


def test_answers_become_a_treebank():
    read = import_answers(
        answers(
            {"id": "fish-2", "answer": "1\tgo\tVERB\t0\troot"},
            {"id": "fish-1", "answer": "Sure!\n```\n1\tfish\tNOUN\t2\tnsubj\n```"},
        ),
        prompts=make_prompts(GOLD),
    )
    assert read.treebank.head.tolist() == [2, -1, 0]
    assert list(read.treebank.upos) == ["NOUN", "_", "VERB"]
    assert list(read.treebank.columns["misc"]) == ["_", "Repaired=word", "_"]
    report = read.to_dict()
    assert (report["prompts"], report["answered"], report["unread_answers"]) == (2, 2, 0)
    assert (report["words"], report["wrong_words"]) == (3, 1)
    assert report["repairs"]["repaired-missing"] == 1


def test_what_cannot_be_read_is_a_finding():
    read = import_answers(
        answers(
            "{broken",
            {"id": "fish-1", "answer": "I cannot do that."},
            {"id": "fish-9", "answer": ""},
            {"id": "fish-1", "answer": "1\tfish\tNOUN\t2\tnsubj"},
            {"id": "fish-2"},
        ),
        prompts=make_prompts(GOLD),
    )
    # No JSON, no table, an unknown id, a second answer, a line without one, and fish-2 has none.
    assert read.findings.counts["repaired-answer"] == 6
    assert read.to_dict()["wrong_words"] == 3
    assert read.unread == 1


def test_of_several_tables_the_best_is_taken():
    draft = "1\tbirds\tNOUN\t2\tnsubj\n2\tsing\tVERB\t0\troot"
    final = "1\tfish\tNOUN\t2\tnsubj\n2\tswim\tVERB\t0\troot"
    read = import_answers(
        answers({"id": "fish-1", "answer": f"{draft}\n\nNo:\n\n{final}\n"}),
        prompts=make_prompts(GOLD)[:1],
    )
    assert read.treebank.head.tolist() == [2, 0]


def test_an_answer_may_be_anywhere_in_a_line():
    record = {"custom_id": "fish-2", "body": {"choices": [{"text": "1\tgo\tVERB\t0\troot"}]}}
    read = import_answers(
        answers(record),
        prompts=make_prompts(GOLD)[1:],
        fields=AnswerFields("custom_id", "body.choices.0.text"),
    )
    assert read.treebank.head.tolist() == [0]


def test_prompts_with_answers_need_no_other_file():
    line = {"id": "a", "words": ["go"], "response": "| ID | FORM | HEAD |\n| 1 | go | 0 |"}
    assert import_answers(answers(line)).treebank.head.tolist() == [0]
    with pytest.raises(tg.FormatError, match="the prompts of these answers are unknown"):
        import_answers(answers({"id": "a", "answer": "1\tgo"}))


def test_surplus_words_are_remembered_in_the_file():
    doubled = "1\tgo\tVERB\t0\troot\n2\tgo\tVERB\t1\tconj"
    read = import_answers(answers({"id": "fish-2", "answer": doubled}), prompts=make_prompts(GOLD))
    from treegauge.formats.repair import read_repaired

    again = read_repaired(io.StringIO(tg.to_text(read.treebank)), GOLD, name="again")
    assert again.repairs.surplus.tolist() == read.treebank.repairs.surplus.tolist() == [0, 1]
    assert again.repairs.word.tolist() == read.treebank.repairs.word.tolist()
