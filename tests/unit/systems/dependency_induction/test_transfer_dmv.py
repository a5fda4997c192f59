"""Weights from other languages: the choice of heads, nearness, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import treegauge as tg
from tests.unit.treebank.small_trees import sentences
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.systems.dependency_induction.delexicalised_arcs import (
    Source,
    TaggedText,
    divergence,
    head_log_probabilities,
    learn_head_choice,
    nearness,
    trigrams,
    usual_order,
)
from treegauge.systems.dependency_induction.universal_weights import CODE
from treegauge.treebank import tree_flaws

QUICK = {"iterations": 2, "epochs": 1, "drawn": 100, "bits": 12}


def codes(text: str) -> np.ndarray:
    return np.array([CODE[tag] for tag in text.split()], np.int32)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    home = tmp_path_factory.mktemp("sources")
    for language in ("svo", "sov"):
        tg.write(tg.toy_treebank(f"toy:{language}", tokens=2000), home / f"{language}.conllu")
    return home


@pytest.fixture(scope="module")
def text():
    return tg.toy_treebank("toy:svo", tokens=2000, part="test")


@pytest.fixture(scope="module")
def learnt(folder, text):
    sources = [str(folder / "svo.conllu"), str(folder / "sov.conllu")]
    return make_system("transfer-dmv", {**QUICK, "sources": sources}).fit(text)


# ---------------------------------------------------------------------- pieces


def source(*written: str) -> tuple[Source, np.ndarray]:
    words = sentences(*written)
    tags = codes(" ".join(words.upos))
    text = TaggedText.of(words, tags, before=True)
    order = usual_order(tags, words.offsets)
    return Source(text, words.head.astype(np.int64), order), trigrams(tags, words.offsets)


def test_heads_of_a_source_are_learnt():
    one, _ = source("the/DET/2 dog/NOUN/3 sleeps/VERB/0", "in/ADP/2 Rome/PROPN/3 she/PRON/0")
    weights = learn_head_choice(
        [one], np.ones(1), bits=12, epochs=5, sentences=20, random=np.random.default_rng(0)
    )
    table = head_log_probabilities(one.text, one.order, weights)[:12].reshape(4, 3)
    assert table.argmax(axis=0).tolist() == [2, 3, 0]
    shares = np.where(np.isinf(table), 0, np.exp(table))
    assert np.allclose(shares.sum(axis=0), 1)
    assert np.isinf(table[[1, 2, 3], [0, 1, 2]]).all()  # no word is its own head


def test_without_weights_all_heads_are_alike():
    one, _ = source("the/DET/2 dog/NOUN/3 sleeps/VERB/0")
    table = np.exp(head_log_probabilities(one.text, one.order, np.zeros(1024, np.float32)))
    assert np.allclose(np.unique(table), [0, 1 / 3])


def test_three_tags_in_a_row_by_hand():
    _, counts = source("the/DET/2 dog/NOUN/0", "go/VERB/0")
    table = counts.reshape(18, 18, 18)
    edge, det, noun, verb = 17, CODE["DET"], CODE["NOUN"], CODE["VERB"]
    assert table[edge, det, noun] == table[det, noun, edge] == table[edge, verb, edge] == 1
    # Between the two sentences there are two edges.
    assert table[noun, edge, edge] == table[edge, edge, verb] == 1
    assert table.sum() == 5


def test_near_sources_are_looked_at_more_often():
    _, target = source("the/DET/2 dog/NOUN/3 sleeps/VERB/0")
    _, near = source("the/DET/2 cat/NOUN/3 ran/VERB/0")
    _, far = source("ran/VERB/0 cat/NOUN/1 the/DET/2")
    assert divergence(target, near) < divergence(target, far)
    shares = nearness(target, [near, far], 4.0)
    assert shares.sum() == pytest.approx(1)
    assert shares[0] > 0.5
    assert nearness(target, [near, far], 0.0).tolist() == [0.5, 0.5]


def test_usual_orders():
    order = usual_order(codes("DET NOUN " * 30), np.arange(0, 61, 2))
    assert order[CODE["DET"], CODE["NOUN"]] == 4
    assert order[CODE["NOUN"], CODE["DET"]] == 0
    assert order[CODE["VERB"], CODE["X"]] == 2  # nothing is known


# ---------------------------------------------------------------------- the system


def test_it_says_that_it_saw_other_languages(learnt, text):
    assert learnt.supervision == "cross-lingual"
    assert not tree_flaws(learnt.annotate(text)).any()


def test_without_transfer_it_is_universal_dmv(folder, text):
    chosen = {**QUICK, "sources": [str(folder / "sov.conllu")], "transfer": 0.0, "rules": 1.0}
    ours = make_system("transfer-dmv", chosen).fit(text)
    theirs = make_system("universal-dmv", {"iterations": 2}).fit(text)
    for name, table in theirs.grammar.arrays().items():
        assert np.allclose(ours.grammar.arrays()[name], table)


def test_what_was_saved_parses_as_before(learnt, text, tmp_path):
    learnt.save(tmp_path / "model")
    again = load_system(tmp_path / "model")
    assert again.annotate(text).head.tolist() == learnt.annotate(text).head.tolist()


def test_the_same_seed_gives_the_same(learnt, folder, text):
    again = make_system("transfer-dmv", learnt.settings).fit(text)
    assert (again.features == learnt.features).all()


def test_gold_of_the_text_is_not_looked_at(learnt, text):
    flat = text.replace(head=np.where(text.head == 0, 0, 1))
    again = make_system("transfer-dmv", learnt.settings).fit(flat)
    assert again.annotate(flat).head.tolist() == learnt.annotate(text).head.tolist()


def test_the_text_itself_is_no_source(folder):
    path = folder / "svo.conllu"
    with pytest.raises(SystemsError, match=r"svo.conllu has the sentences of the text itself"):
        make_system("transfer-dmv", {**QUICK, "sources": [str(path)]}).fit(tg.read(path))


def test_sources_are_needed(text, tmp_path):
    with pytest.raises(SystemsError, match="needs treebanks of other languages"):
        make_system("transfer-dmv").fit(text)
    bare = tmp_path / "bare.conllu"
    tg.write(sentences("she/PRON slept/VERB"), bare)
    with pytest.raises(SystemsError, match=r"bare.conllu has no annotated sentence of 2 to 25"):
        make_system("transfer-dmv", {"sources": [str(bare)]}).fit(text)
