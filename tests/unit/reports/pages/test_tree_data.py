from __future__ import annotations

import json

import pytest

from treegauge.formats import parse
from treegauge.metrics import preset
from treegauge.reports.pages.annotations import HEADS, Annotations, confusion_of
from treegauge.reports.pages.tree_data import TreeBank, compact, tree_bank, tree_files

GOLD = """\
# sent_id = one
1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t_
2\tdog\t_\tNOUN\t_\t_\t0\troot\t_\t_
3\t!\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_

"""
OTHER = GOLD.replace("2\tdet", "3\tdep").replace("0\troot", "1\tdep").replace("2\tpunct", "0\tdep")


@pytest.fixture
def annotations():
    gold, system = parse(GOLD, name="gold"), parse(OTHER, name="ours")
    return Annotations("small", gold, {"ours": system})


def test_a_sentence_as_data(annotations):
    bank = tree_bank(annotations)
    (sentence,) = bank.sentences
    name, right_to_left, forms, tags, heads, relations, system = sentence
    assert (name, right_to_left, forms, heads) == ("one", 0, "the\ndog\n!", "2 0 2")
    assert [bank.names[int(k)] for k in tags.split()] == ["DET", "NOUN", "PUNCT"]
    assert [bank.names[int(k)] for k in relations.split()] == ["det", "root", "punct"]
    assert system[0] == "3 1 0"
    assert [bank.names[int(k)] for k in system[1].split()] == ["dep"] * 3


def test_what_is_shown_is_what_is_scored(annotations):
    without = Annotations("small", annotations.gold, annotations.systems, preset("pascal"))
    sentence = tree_bank(without).sentences[0]
    assert sentence[2] == "the\ndog"


def test_a_page_draws_sentences_that_nobody_can_read(annotations, monkeypatch):
    monkeypatch.setattr("treegauge.reports.pages.tree_data.MAX_WORDS", 3)
    longer = GOLD.replace("\n\n", "\n4\t!\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_\n\n")
    both = parse(GOLD + longer.replace("one", "two"))
    bank = tree_bank(Annotations("small", both, {"ours": both}))
    assert [sentence[0] for sentence in bank.sentences] == ["one"]
    assert bank.remarks == ("1 sentence of more than 3 words left out",)


def test_heads_are_confused_where_there_are_no_relations(annotations):
    found = confusion_of(annotations.comparisons["ours"])
    assert found.column == HEADS
    assert found.counts == {("NOUN", "PUNCT"): 1, ("root", "DET"): 1, ("NOUN", "root"): 1}


def test_relations_are_confused_where_there_are_some(annotations):
    labelled = parse(GOLD.replace("\tdet\t", "\tamod\t"), name="ours")
    found = confusion_of(Annotations("x", annotations.gold, {"ours": labelled}).comparisons["ours"])
    assert found.column == "deprel"
    assert found.mistakes() == [("det", "amod", 1)]


def test_chunks_hold_every_sentence_once_and_in_order():
    sentences = [[f"s{i}", 0, "word " * 20, "", "", ""] for i in range(200)]
    bank = TreeBank("a name", ("ours",), [], sentences)
    files = tree_files([bank], "page-trees", in_page=2_000, of_chunk=5_000)
    (document,) = files.document["banks"]
    found = list(document["here"])
    assert len(files.files) > 2
    for (path, number), (name, text) in zip(document["files"], files.files.items(), strict=True):
        assert path == name
        assert len(text.encode()) < 5_200
        piece = json.loads(text.partition(",")[2].partition(",")[2].rstrip().removesuffix(")"))
        assert len(piece) == number
        found += piece
    assert found == sentences
    assert len(compact(document["here"]).encode()) < 2_100


def test_without_a_folder_there_are_no_files():
    bank = TreeBank("a", (), [], [["s", 0, "x" * 500, "", "", ""] for _ in range(10)])
    files = tree_files([bank], "", in_page=1_000)
    assert files.files == {}
    assert 0 < len(files.document["banks"][0]["here"]) < 10
    assert files.document["banks"][0]["total"] == 10


def test_nothing_in_a_treebank_ends_the_script():
    text = compact(["</script><script>alert(1)</script>", "\u2028"])
    assert "<" not in text
    assert "\u2028" not in text
    assert json.loads(text) == ["</script><script>alert(1)</script>", "\u2028"]
