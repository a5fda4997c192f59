"""Marks of debatable structures: by hand, as laws, and against a slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import treegauge as tg
from tests.strategies import trees
from treegauge.evaluation import evaluate
from treegauge.rewrite import RewriteError
from treegauge.rewrite.debatable import STRUCTURES, debatable_words, mark_debatable
from treegauge.treebank import Column, Treebank

JOHN = """
1 John   _ PROPN _ NNP _            5 nsubj _ SpaceAfter=No
2 Doe    _ PROPN _ NNP _            1 flat  _ _
3 and    _ CCONJ _ CC  _            4 cc    _ Debatable=old
4 Mary   _ PROPN _ NNP _            1 conj  _ _
5 want   _ VERB  _ VBP _            0 root  _ _
6 to     _ PART  _ TO  _            8 mark  _ _
7 have   _ AUX   _ VB  _            8 aux   _ _
8 eaten  _ VERB  _ VBN VerbForm=Inf 5 xcomp _ _
9 in     _ ADP   _ IN  _            11 case _ _
10 the   _ DET   _ DT  _            11 det  _ _
11 house _ NOUN  _ NN  _            8 obl   _ _
12 the   _ DET   _ DT  _            13 det  _ _
13 day   _ NOUN  _ NN  _            8 obl   _ _
"""


def ud(text: str) -> Treebank:
    """Read words as `id form lemma upos _ xpos feats head relation _ misc`."""
    rows = [line.split() for line in text.strip().splitlines()]
    lines = [
        "\t".join([i, form, lemma, upos, xpos, feats, head, relation, "_", misc])
        for i, form, lemma, upos, _, xpos, feats, head, relation, _, misc in rows
    ]
    return tg.parse("\n".join(lines) + "\n\n", format="conllu")


def misc_of(treebank: Treebank, *structures: str) -> list[str]:
    return list(mark_debatable(treebank, structures or STRUCTURES).columns["misc"])


def test_structures_of_ud_by_hand():
    names = "SpaceAfter=No|Debatable=1"
    assert misc_of(ud(JOHN)) == [
        *[names, "Debatable=1", "Debatable=1", "Debatable=1"],
        "_",
        *["Debatable=2"] * 3,
        *["Debatable=3"] * 3,
        *["_", "_"],  # no adposition: `the day` is no prepositional phrase
    ]


@pytest.mark.parametrize(
    ("structure", "words"),
    [
        ("coordination", [1, 3, 4]),
        ("prepositional phrase", [9, 10, 11]),
        ("modal and verb", [7, 8]),
        ("infinitive", [6, 8]),
        ("proper-noun sequence", [1, 2]),
    ],
)
def test_one_structure_alone(structure, words):
    marked = mark_debatable(ud(JOHN), [structure])
    assert (np.flatnonzero(debatable_words(marked)) + 1).tolist() == words


def test_other_schemes_are_marked_by_tags():
    text = JOHN.replace(" case ", " PMOD ").replace(" det ", " NMOD ")
    for relation in ("nsubj", "flat", "cc", "conj", "root", "mark", "aux", "xcomp", "obl"):
        text = text.replace(f" {relation} ", f" {relation.upper()} ")
    marked = mark_debatable(ud(text))
    # By tags a determiner and its noun count too (section 4), and John is too far from Mary.
    assert (np.flatnonzero(debatable_words(marked)) + 1).tolist() == [1, 2, 3, 4, 9, 10, 11, 12, 13]


def test_any_head_inside_is_right_once_it_is_marked():
    gold = ud(JOHN)
    heads = gold.head.copy()
    heads[8], heads[9], heads[10] = 8, 9, 10  # in -> eaten, the -> in, house -> the
    system = gold.replace(head=heads)
    scores = evaluate(mark_debatable(gold), system, metrics=["uas", "debatable_uas"])
    assert scores["uas"].value == pytest.approx(10 / 13)
    assert scores["debatable_uas"].value == 1


@pytest.mark.parametrize(
    ("treebank", "structures", "message"),
    [
        (ud(JOHN), ["coordinations"], "unknown structure 'coordinations'"),
        (ud(JOHN).blind(), STRUCTURES, "has no heads"),
    ],
)
def test_what_cannot_be_marked(treebank, structures, message):
    with pytest.raises(RewriteError, match=message):
        mark_debatable(treebank, structures)


def marked_slowly(heads: list[int], relations: list[str]) -> list[int]:
    """Merge the two ends of one arc after the other."""
    group = list(range(len(heads)))
    in_arc = set()
    for i, (head, relation) in enumerate(zip(heads, relations, strict=True)):
        if head and relation in ("cc", "conj", "case", "aux", "flat"):
            group = [group[head - 1] if g == group[i] else g for g in group]
            in_arc |= {i, head - 1}
    seen: dict[int, int] = {}
    return [
        seen.setdefault(group[i], len(seen) + 1) if i in in_arc else 0 for i in range(len(heads))
    ]


@given(st.lists(trees(max_size=7), min_size=1, max_size=3), st.data())
def test_marks_are_those_of_the_slow_twin(drawn, data):
    n = sum(map(len, drawn))
    kinds = st.sampled_from(["cc", "conj", "case", "aux", "flat", "nsubj", "obj"])
    relations = data.draw(st.lists(kinds, min_size=n, max_size=n))
    offsets = np.concatenate([[0], np.cumsum([len(tree) for tree in drawn])])
    treebank = Treebank(
        {
            "form": Column.from_strings([f"w{i}" for i in range(n)]),
            "deprel": Column.from_strings(relations),
        },
        [head for tree in drawn for head in tree],
        offsets=offsets,
    )
    expected = [
        f"Debatable={number}" if number else "_"
        for tree, begin in zip(drawn, offsets, strict=False)
        for number in marked_slowly(tree, relations[begin : begin + len(tree)])
    ]
    marked = mark_debatable(treebank)
    assert list(marked.columns["misc"]) == expected
    assert mark_debatable(marked) == marked
    assert np.array_equal(marked.head, treebank.head)
