"""Gold of five sentences and systems of known quality."""

from __future__ import annotations

from tests.unit.treebank.small_trees import treebank
from treegauge.treebank import Column, Treebank, concatenate

BIRDS = """
    # sent_id = birds
    1 old   old  ADJ   JJ  Degree=Pos  2 amod  _ _
    2 birds bird NOUN  NNS Number=Plur 3 nsubj _ _
    3 sing  sing VERB  VBP Mood=Ind    0 root  _ _
    4 !     !    PUNCT .   _           3 punct _ _
"""
CATS = """
    1 I    I   PRON PRP Case=Nom    2 nsubj _ _
    2 see  see VERB VBP Mood=Ind    0 root  _ _
    3 cats cat NOUN NNS Number=Plur 2 obj   _ _
"""
YES = """
    1 yes yes INTJ UH _ 0 root _ _
"""


def gold() -> Treebank:
    birds, cats, yes = (treebank(text) for text in (BIRDS, CATS, YES))
    return concatenate([birds, cats, yes, cats, birds], name="birds")


def right_branching(name: str = "chain") -> Treebank:
    """Every word hangs on the one before it: 5 of 15 heads are right."""
    return gold().replace(head=[0, 1, 2, 3, 0, 1, 2, 0, 0, 1, 2, 0, 1, 2, 3], name=name)


def relabelled(name: str = "labels") -> Treebank:
    """Gold, but every relation is `dep`."""
    treebank = gold()
    return treebank.replace(columns={"deprel": Column.constant("dep", 15)}, name=name)


def perfect(name: str = "perfect") -> Treebank:
    return gold().replace(name=name)


def clusters(name: str = "clusters") -> Treebank:
    """Gold trees with other names for tags, one for every tag."""
    treebank = gold()
    upos = treebank.upos.map(lambda tag: "c" + tag.lower())
    return treebank.replace(columns={"upos": upos}, name=name)
