from __future__ import annotations

import pytest

from tests.unit.strata.worked_tree import birds, named
from tests.unit.treebank.small_trees import sentences, treebank
from treegauge.errors import TreegaugeError
from treegauge.strata import STRATA, StrataError, stratify

TRAINING = sentences("old/ADJ birds/NOUN old/ADJ Sing/VERB")

# Every stratum of every word of the worked tree.
EXPECTED: dict[str, list[str | None]] = {
    "relation": ["amod", "nsubj", "root", "obj", "acl"],
    "relation_full": ["amod", "nsubj:pass", "root", "obj", "acl:relcl"],
    "table6": ["NMOD", "SBJ", "ROOT", "OBJ", "NMOD"],
    "tag": ["ADJ", "NOUN", "VERB", "NOUN", "ADV"],
    "fine_tag": ["JJ", "NNS", "VB", "NNS", None],
    "edge_length": ["1", "1", "root", "1", "3"],
    "signed_edge_length": ["1 right", "1 right", "root", "1 left", "3 left"],
    "direction": ["right", "right", "root", "left", "left"],
    "sentence_length": ["1-5", "1-5", "1-5", "1-5", "1-5"],
    "depth": ["3", "2", "1", "2", "3"],
    "root_distance": ["2", "1", "0", "1", "2"],
    "projectivity": ["projective", "projective", "root", "projective", "not projective"],
    "branching": ["0", "2", "2", "0", "0"],
    "known": ["known", "known", "unknown", "unknown", "unknown"],
    "frequency": ["2-4", "1", "0", "0", "0"],
}


@pytest.mark.parametrize("name", STRATA)
def test_worked_tree(name):
    assert named(stratify(name, birds(), training=TRAINING)) == EXPECTED[name]


def test_unknown_names_are_answered_with_near_ones():
    with pytest.raises(StrataError, match="'arc_length'; did you mean edge_length"):
        stratify("arc_length", birds())
    with pytest.raises(StrataError, match="did you mean signed_edge_length"):
        stratify("Signed-Edge-Length", birds())
    with pytest.raises(StrataError, match=r"did you mean relation\?\n  there are relation, "):
        stratify("deprel", birds())
    with pytest.raises(TreegaugeError, match="unknown stratum 'weather'\n"):
        stratify("weather", birds())


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("relation", "DEPREL, which is empty"),
        ("table6", "DEPREL, which is empty"),
        ("tag", "UPOS, which is empty"),
        ("fine_tag", "XPOS or CPOS or UPOS, which are empty"),
        ("depth", "HEAD, which is empty"),
        ("direction", "HEAD, which is empty"),
    ],
)
def test_an_empty_column_is_named(name, columns):
    bare = treebank("1 a _ _ _ _ _ _ _ _", name="bare")
    with pytest.raises(StrataError, match=f"stratum '{name}' needs {columns} in bare\n"):
        stratify(name, bare)


@pytest.mark.parametrize("name", ["known", "frequency"])
def test_training_is_asked_for(name):
    with pytest.raises(
        StrataError, match=f"stratum '{name}' needs training data to count forms\n.*--train"
    ):
        stratify(name, birds())
    assert set(named(stratify(name, birds(), training=birds()[:0]))) <= {"unknown", "0"}


@pytest.mark.parametrize("name", STRATA)
def test_no_words_have_no_strata(name):
    assert stratify(name, birds()[:0], training=TRAINING).codes.tolist() == []


def test_summaries_are_one_line_and_names_agree():
    for name, stratum in STRATA.items():
        assert stratum.name == name
        assert stratum.summary
        assert "\n" not in stratum.summary
