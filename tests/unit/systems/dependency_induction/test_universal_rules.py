from __future__ import annotations

import numpy as np
import pytest

from treegauge.systems import SystemsError
from treegauge.systems.dependency_induction.universal_rules import (
    RULE_LISTS,
    Rule,
    find_rules,
    rule_matrix,
    spellings,
)
from treegauge.treebank import PETROV_TAGS, UD_TAGS

UNIVERSAL = ["naseem", "noji", "udp"]


def pairs(name: str, tags: list[str], **keywords: str) -> set[str]:
    matrix = rule_matrix(find_rules(name), tags, **keywords)
    heads = [*tags, "ROOT"]
    return {f"{heads[h]}>{tags[d]}" for h, d in np.argwhere(matrix)}


def test_the_lists_have_as_many_rules_as_the_papers():
    assert {name: len(rules) for name, rules in RULE_LISTS.items()} == {
        "naseem": 13,
        "naseem-english": 20,
        "noji": 13,
        "noji+adp": 14,
        "udp": 24,
    }
    for rules in RULE_LISTS.values():
        assert len(set(rules.rules)) == len(rules)


def test_shape_and_root_row():
    tags = ["VERB", "NOUN", "AUX"]
    matrix = rule_matrix(find_rules("naseem"), tags)
    assert matrix.shape == (4, 3)
    assert matrix.dtype == np.bool_
    assert matrix[-1].tolist() == [True, False, True]
    assert rule_matrix(find_rules("noji"), tags)[-1].tolist() == [True, True, False]
    assert not rule_matrix(find_rules("udp"), tags)[-1].any()


def test_naseem_over_the_12_tags():
    # Auxiliaries are verbs there: 13 rules less those three that speak of them.
    assert pairs("naseem", sorted(PETROV_TAGS)) == {
        *("ROOT>VERB", "VERB>NOUN", "VERB>PRON", "VERB>ADV", "VERB>VERB", "NOUN>ADJ"),
        *("NOUN>DET", "NOUN>NUM", "NOUN>NOUN", "ADP>NOUN", "ADJ>ADV"),
    }


def test_naseem_over_ud():
    found = pairs("naseem", sorted(UD_TAGS))
    assert {"AUX>VERB", "ROOT>AUX", "PROPN>ADJ", "VERB>PROPN", "ADP>PROPN"} <= found
    assert not {"VERB>AUX", "PRON>ADJ", "NOUN>ADP"} & found


def test_noji_counts_pronouns_as_nouns():
    found = pairs("noji", sorted(UD_TAGS))
    assert {"PRON>ADJ", "VERB>PRON", "ROOT>PRON", "VERB>AUX", "NOUN>AUX"} <= found
    assert not {"ADP>NOUN", "AUX>VERB"} & found


@pytest.mark.parametrize("name", ["noji", "udp"])
def test_both_versions_of_ud_mean_the_same(name):
    version1 = pairs(name, ["NOUN", "CONJ"])
    version2 = pairs(name, ["NOUN", "CCONJ"])
    assert "NOUN>CCONJ" in version2
    assert version1 == {pair.replace("CCONJ", "CONJ") for pair in version2}


@pytest.mark.parametrize("name", UNIVERSAL)
def test_unknown_tags_are_in_no_rule(name):
    matrix = rule_matrix(find_rules(name), ["VERB", "XYZ", "_", "NOUN"])
    assert not matrix[[1, 2]].any()
    assert not matrix[:, [1, 2]].any()
    assert rule_matrix(find_rules(name), []).shape == (1, 0)


def test_english_rules_have_sides():
    tags = ["PRP", "VBD", "VBN", "TO"]
    assert pairs("naseem-english", tags) == {"ROOT>VBD", "VBD>PRP", "VBD>TO", "VBD>VBN"}
    assert pairs("naseem-english", tags, side="left") == {"ROOT>VBD", "VBD>PRP"}
    assert pairs("naseem-english", tags, side="right") == {"ROOT>VBD", "VBD>TO", "VBD>VBN"}


@pytest.mark.parametrize("name", UNIVERSAL)
def test_universal_rules_hold_on_both_sides(name):
    rules, tags = find_rules(name), sorted(UD_TAGS)
    for side in ("left", "right"):
        assert np.array_equal(rule_matrix(rules, tags, side=side), rule_matrix(rules, tags))


def test_names():
    with pytest.raises(SystemsError, match=r"unknown list of rules 'nasem'.*naseem"):
        find_rules("nasem")
    assert str(Rule("Verb", "Noun")) == "Verb -> Noun"
    assert str(Rule("VBD", "PRP", "left")) == "VBD -> PRP (left)"
    assert spellings(["PUNCT", "VERB"]) == {"PUNCT", ".", "VERB"}
