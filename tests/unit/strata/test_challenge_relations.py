from __future__ import annotations

import pytest

from tests.unit.strata.worked_tree import birds, named
from treegauge.strata import TABLE6_ORDER, StrataError, stratify, table6_headings
from treegauge.treebank import Column, Treebank


def with_relations(*relations: str) -> Treebank:
    n = len(relations)
    columns = {"form": Column.constant("w", n), "deprel": Column.from_strings(relations)}
    return Treebank(columns, [0, *[1] * (n - 1)], offsets=[0, n])


def test_the_challenge_s_order_and_what_it_means_on_ud():
    assert TABLE6_ORDER == ("ROOT", "SBJ", "OBJ", "PRD", "NMOD", "COORD", "CC")
    assert stratify("table6", birds()).names == TABLE6_ORDER
    headings = table6_headings(birds())
    assert tuple(headings) == TABLE6_ORDER
    assert list(headings.values()) == [
        "root", "nsubj/csubj", "obj/iobj", "cop", "nominal modifiers", "conj", "cc",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("relation", "column"),
    [
        ("nsubj:pass", "SBJ"),
        ("csubj", "SBJ"),
        ("iobj", "OBJ"),
        ("cop", "PRD"),
        ("det", "NMOD"),
        ("nmod:poss", "NMOD"),
        ("compound", "NMOD"),
        ("flat:name", "NMOD"),
        ("compound:prt", None),
        ("case", None),
        ("obl", None),
        ("conj", "COORD"),
        ("cc:preconj", "CC"),
        ("dobj", "OBJ"),
        ("nsubjpass", "SBJ"),
        ("CC", None),
    ],
)
def test_relations_of_ud(relation, column):
    assert named(stratify("table6", with_relations("root", relation))) == ["ROOT", column]


def test_relations_of_the_penn_treebank_are_taken_as_they_are():
    gold = with_relations("ROOT", "SBJ", "OBJ", "PRD", "NMOD", "COORD", "CC", "IOBJ", "root", "_")
    assert named(stratify("table6", gold)) == [*TABLE6_ORDER, None, None, None]
    assert list(table6_headings(gold).values()) == list(TABLE6_ORDER)


def test_other_inventories_have_no_table6():
    # The Spanish treebank of CoNLL 2007, where CC is an adverbial.
    with pytest.raises(StrataError, match=r"has CC, ROOT, SUJ\n  `relation` divides"):
        stratify("table6", with_relations("ROOT", "CC", "CC", "SUJ"))
