"""Head rules on the sample of the Wall Street Journal that NLTK gives away.

What is published about section 23 of the whole treebank should be near what the sample gives: the
Yamada-Matsumoto trees as gold against Collins's (Schwartz et al. 2011: 85.6, 90.3, 95.3), and
chains of words against the five conversions of the PASCAL challenge (Gelling et al. 2012, Table 5).
"""

from __future__ import annotations

from itertools import chain, pairwise
from pathlib import Path

import numpy as np
import pytest

import treegauge as tg
from treegauge.formats import PhraseTree, read_brackets
from treegauge.properties import nonprojective_arcs
from treegauge.results.published import published_scores
from treegauge.rewrite.head_rules import OPTION_SETS, choose_heads
from treegauge.treebank import tree_flaws, without_punctuation

pytestmark = pytest.mark.realdata

SCHEMES = [("collins", ""), ("yamada-matsumoto", ""), *(("lth", o) for o in OPTION_SETS)]
CHALLENGE = ("standard", "oldLTH", "conll2007", "functional", "lexical")
PAGE = Path(__file__).parents[2] / "docs" / "head_rules.md"
PUBLISHED_NED = {"uas": 0.856, "undirected": 0.903, "ned": 0.953}


@pytest.fixture(scope="module")
def trees(shared: Path) -> list[PhraseTree]:
    return read_brackets(shared / "treebanks" / "en_wsj_sample" / "trees.mrg.xz")


@pytest.fixture(scope="module")
def references(trees: list[PhraseTree]) -> dict[str, tg.Treebank]:
    return {
        options or heads: choose_heads(trees, heads, options, name=options or heads)
        for heads, options in SCHEMES
    }


@pytest.fixture(scope="module")
def shared_version(shared: Path, trees: list[PhraseTree]) -> list[list[int]]:
    """The heads of the dependency version, whose two parts are interleaved file by file."""
    folder = shared / "treebanks" / "en_wsj_sample"
    parts = [list(tg.read(folder / f"{part}.conllx.xz")) for part in ("train", "test")]
    places = [0, 0]
    heads = []
    for tree in trees:
        forms = [word.form for word in tree.words]
        for part, sentences in enumerate(parts):
            place = places[part]
            if place < len(sentences) and [word.form for word in sentences[place]] == forms:
                heads.append(sentences[place].heads)
                places[part] += 1
                break
    assert places == [len(sentences) for sentences in parts]
    return heads


def test_every_tree_becomes_a_projective_tree_with_one_root(references, trees):
    for name, treebank in references.items():
        assert treebank.n_sentences == len(trees) == 3914, name
        assert not tree_flaws(treebank).any(), name
        assert not nonprojective_arcs(treebank).any(), name
        assert (treebank.head == 0).sum() == len(trees), name


def test_yamada_matsumoto_is_the_dependency_version_word_for_word(references, shared_version):
    assert references["yamada-matsumoto"].head.tolist() == list(chain(*shared_version))


def test_agreement_with_the_dependency_version_is_as_documented(references, shared_version):
    heads = np.array(list(chain(*shared_version)))
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    for name in ("yamada-matsumoto", "collins", *CHALLENGE):
        assert f"`{name}` {100 * (references[name].head == heads).mean():.1f}%" in page


def test_collins_against_yamada_matsumoto_is_near_the_published_figures(references):
    gold, system = references["yamada-matsumoto"], references["collins"]
    for conventions in ("pascal", "conll2018"):
        (evaluated,) = tg.evaluate(
            gold,
            system,
            metrics=[*PUBLISHED_NED],
            conventions=tg.preset(conventions),
            resamples=100,
        ).systems
        measured = {name: evaluated.scores[name].value for name in PUBLISHED_NED}
        shown = " | ".join(f"{100 * value:.2f}" for value in measured.values())
        assert f"| preset `{conventions}` | {shown} |" in PAGE.read_text(encoding="utf-8")
        for worse, better in pairwise(PUBLISHED_NED):
            assert measured[better] - measured[worse] > 0.03
        tolerance = 0.015 if conventions == "pascal" else 0.025
        assert measured == pytest.approx(PUBLISHED_NED, abs=tolerance), conventions


def test_schemes_differ_as_much_as_published(references):
    # "14.4% of section 23 is tagged differently" between two of the schemes.
    different = references["yamada-matsumoto"].head != references["collins"].head
    assert different.mean() == pytest.approx(0.144, abs=0.015)


def chains(treebank: tg.Treebank) -> dict[str, float]:
    """Return the scores of trees in which every word hangs on its neighbour."""
    words = without_punctuation(treebank)
    place = np.concatenate([np.arange(1, length + 1) for length in words.lengths])
    is_last = place == np.repeat(words.lengths, words.lengths)
    left = words.head == np.where(is_last, 0, place + 1)
    return {"LB": float(left.mean()), "RB": float((words.head == place - 1).mean())}


@pytest.mark.parametrize("name", CHALLENGE)
def test_chains_of_words_score_as_in_the_challenge(references, name):
    # `conll2007` and `oldLTH` follow the converter's own description; what exactly the other
    # three are was told from these very figures (see `options.py`), so for them this only keeps
    # things as they are. The challenge's noun phrases have the inner structure of Vadas and Curran
    # (2007), the sample's are flat: more words hang on their right neighbour there.
    table = published_scores().filter(table=5, reference=name)
    published = dict(table.select("system", "value").rows())
    for system, value in chains(references[name]).items():
        assert value == pytest.approx(published[system], abs=0.025), system


def test_prepositions_make_the_great_difference(references):
    def share(one: str, other: str) -> float:
        return float((references[one].head != references[other].head).mean())

    for one in ("standard", "conll2007", "functional"):
        for other in ("oldLTH", "lexical"):
            assert share(one, other) > 0.18
    assert share("oldLTH", "lexical") < 0.1
    assert share("standard", "conll2007") < 0.1


@pytest.mark.parametrize("name", CHALLENGE)
def test_the_relations_of_the_challenge_are_there(references, name):
    counts = references[name].deprel.counts()
    for relation in ("ROOT", "SBJ", "OBJ", "PRD", "NMOD", "COORD", "CC"):
        assert counts[relation] > 0, relation
    assert counts.get("DEP", 0) < 0.01 * references[name].n_words
