"""Supervised grammars and re-annotated trees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.strategies import projective_heads
from tests.unit.papers.ned.test_edge_types import TO_EATS, WANT_TO_EAT, tagged
from treegauge.papers.ned.edge_types import Edges, EdgeType
from treegauge.papers.ned.supervised_grammars import SupervisedGrammar, reannotated
from treegauge.properties.projectivity import nonprojective_words
from treegauge.systems import SystemsError
from treegauge.treebank import tree_flaws

TO_UNDER_VB = EdgeType("VB", "TO", "left")


def test_relative_frequencies_by_hand():
    model = SupervisedGrammar({"tags": "p", "smoothing": 0.0}).fit(
        tagged("D:2 N:3 V:0", "N:2 V:0", "N:2 V:0 N:2")
    )
    tag = {name: code for code, name in enumerate(model.inventory.tags)}
    grammar = model.grammar
    left, right = 0, 1
    assert grammar.root[tag["V"]] == 1
    # Four nouns, one of them with a determiner.
    assert grammar.stop[tag["N"], left, 0] == pytest.approx(3 / 4)
    assert grammar.attach[tag["N"], left, 0, tag["D"]] == 1
    # Three verbs: all take a noun on the left, one takes one on the right.
    assert grammar.go[tag["V"], left, 0] == 1
    assert grammar.go[tag["V"], right, 0] == pytest.approx(1 / 3)
    assert model.supervision == "supervised"


def test_what_was_learnt_is_parsed_again():
    treebank = tagged(WANT_TO_EAT, "PRP:2 VBP:0")
    model = SupervisedGrammar({"tags": "p"}).fit(treebank)
    assert model.annotate(treebank).head.tolist() == treebank.head.tolist()


def test_long_sentences_and_several_roots_are_left_out():
    treebank = tagged("A:0 B:1", "A:0 B:0", "A:0 B:1 A:1 B:1")
    model = SupervisedGrammar({"tags": "p", "max_length": 3}).fit(treebank)
    assert model.trees.n_sentences == 1
    with pytest.raises(SystemsError, match="no tree of at most 1 words"):
        SupervisedGrammar({"tags": "p", "max_length": 1}).fit(treebank)


def test_crossing_arcs_are_lifted_first():
    model = SupervisedGrammar({"tags": "p"}).fit(tagged("A:3 B:4 C:0 D:3"))
    assert model.trees.head.tolist() == [3, 3, 0, 3]


def test_i_want_to_eat_as_an_algorithm_would_have_it():
    assert reannotated(tagged(WANT_TO_EAT), [TO_UNDER_VB], "p") == tagged(TO_EATS)


def test_long_edges_can_be_left_alone():
    phrase = tagged("DT:4 JJ:4 JJ:4 NN:0")
    determiner = EdgeType("NN", "DT", "left")
    assert reannotated(phrase, [determiner], "p").head.tolist() == [0, 4, 4, 1]
    assert reannotated(phrase, [determiner], "p", longest=2) == phrase


def test_a_sequence_of_names_becomes_a_chain():
    names = tagged("NNP:4 NNP:4 NNP:4 NNP:0")
    turned = reannotated(names, [EdgeType("NNP", "NNP", "left")], "p")
    assert turned.head.tolist() == [0, 1, 2, 3]


@examples(100)
@given(projective_heads(min_size=1, max_size=9), st.data())
def test_reannotated_trees_are_projective_trees(heads, data):
    tags = data.draw(st.lists(st.sampled_from("ABC"), min_size=len(heads), max_size=len(heads)))
    bank = tagged(" ".join(f"{tag}:{head}" for tag, head in zip(tags, heads, strict=True)))
    types = data.draw(st.sets(st.sampled_from(Edges(bank, "p").types() or [TO_UNDER_VB])))
    turned = reannotated(bank, sorted(types), "p")
    assert not tree_flaws(turned).any()
    assert (nonprojective_words(turned) == 0).all()
    assert np.array_equal(turned.tags("p").codes, bank.tags("p").codes)
