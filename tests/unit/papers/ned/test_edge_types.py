"""Types of edges, found by eye in small trees."""

from __future__ import annotations

import pytest

from treegauge.papers.ned.edge_types import Edges, EdgeType
from treegauge.treebank import Column, Treebank


def tagged(*sentences: str) -> Treebank:
    """Trees as people write them down: `TAG:head`, one word behind the other."""
    words = [word.rsplit(":", 1) for sentence in sentences for word in sentence.split()]
    offsets = [0]
    for sentence in sentences:
        offsets.append(offsets[-1] + len(sentence.split()))
    tags = Column.from_strings([tag for tag, _ in words])
    forms = Column.from_strings([tag.lower() for tag, _ in words])
    return Treebank({"form": forms, "xpos": tags}, [int(h) for _, h in words], offsets=offsets)


WANT_TO_EAT = "PRP:2 VBP:0 TO:4 VB:2"
TO_EATS = "PRP:2 VBP:0 TO:2 VB:3"


@pytest.mark.parametrize(
    ("edge", "structure"),
    [
        (EdgeType("CC", "NNP", "right"), "coordination"),
        (EdgeType("NN", "CC", "right"), "coordination"),
        (EdgeType("IN", "NN", "right"), "prepositional phrase"),
        (EdgeType("NN", "IN", "left"), "prepositional phrase"),
        (EdgeType("DT", "NN", "right"), "prepositional phrase"),
        (EdgeType("NOUN", "ADP", "right"), "prepositional phrase"),  # a postposition
        (EdgeType("NN", "IN", "right"), "other: NN IN"),  # where a phrase hangs
        (EdgeType("MD", "VB", "right"), "modal and verb"),
        (EdgeType("VERB", "AUX", "left"), "modal and verb"),
        (EdgeType("VB", "TO", "left"), "infinitive"),
        (EdgeType("NNP", "NNP", "left"), "proper-noun sequence"),
        (EdgeType("NNP", "NN", "left"), "other: NN NNP"),
        (EdgeType("NN", "JJ", "left"), "other: JJ NN"),
    ],
)
def test_structures(edge, structure):
    assert edge.structure == structure
    assert edge.turned.structure == structure
    assert edge.is_problematic == (not structure.startswith("other"))


def test_an_edge_is_written_in_the_order_of_the_words():
    edge = EdgeType("VB", "TO", "left")
    assert str(edge) == "TO ← VB"
    assert str(edge.turned) == "TO → VB"
    assert edge.turned.turned == edge


def test_edges_that_another_treebank_turns_around():
    gold, induced = Edges(tagged(WANT_TO_EAT), "p"), Edges(tagged(TO_EATS), "p")
    assert gold.turned_in(induced) == [(EdgeType("VB", "TO", "left"), 1)]
    assert gold.turned_in(gold) == []
    # The edge of `I` is the same in both.
    assert gold.shared_with(induced) == [(EdgeType("VBP", "PRP", "left"), 1)]


def test_only_neighbours_are_looked_at_and_the_most_frequent_come_first():
    gold = Edges(tagged("A:2 B:0", "A:2 B:0", "B:0 A:1", "A:3 B:3 C:0"), "p")
    induced = Edges(tagged("A:0 B:1", "A:0 B:1", "B:2 A:0", "A:0 B:1 C:1"), "p")
    # In the last sentence A and C have an edge in both, but B stands between.
    assert gold.turned_in(induced) == [
        (EdgeType("B", "A", "left"), 2),
        (EdgeType("B", "A", "right"), 1),
    ]


def test_the_share_of_words_in_an_edge_of_either_direction():
    edges = Edges(tagged(WANT_TO_EAT, TO_EATS), "p")
    assert edges.share(EdgeType("VB", "TO", "left")) == 2 / 8
    assert edges.share(EdgeType("VB", "TO", "left"), EdgeType("VBP", "PRP", "left")) == 4 / 8
    assert edges.share(EdgeType("VB", "TO", "right")) == 0
    assert edges.share(EdgeType("XX", "TO", "right")) == 0


def test_edges_can_be_kept_to_a_length():
    edges = Edges(tagged("DT:3 JJ:3 NN:0", "DT:2 NN:0"), "p")
    determiner = EdgeType("NN", "DT", "left")
    assert edges.of_type(determiner).tolist() == [True, False, False, True, False]
    assert edges.of_type(determiner, longest=1).tolist() == [False, False, False, True, False]


def test_neighbours_against_a_direction():
    # Pairs TO VB: one right way round, one the other, one without an edge, and one that is
    # none, since a sentence ends between.
    edges = Edges(tagged("TO:2 VB:0", "TO:0 VB:1", "TO:3 VB:3 X:0 TO:3", "VB:0"), "p")
    assert edges.share_against(EdgeType("VB", "TO", "left")) == pytest.approx(1 / 3)
    assert edges.share_against(EdgeType("TO", "VB", "right")) == pytest.approx(1 / 3)
    assert edges.share_against(EdgeType("TO", "X", "right")) == 0
