"""Several references for the same sentences."""

from __future__ import annotations

import polars as pl
import pytest

import treegauge as tg
from treegauge.papers.pascal.references import (
    BEST,
    PENN_OPTIONS,
    references_of,
    score_references,
    sentences_in,
)
from treegauge.rewrite import BUNDLES, to_style
from treegauge.runs import ExperimentError


def values(frame, reference):
    """Return the scores of systems against a reference."""
    rows = frame.filter(pl.col("reference") == reference)
    return dict(rows.select("system", "value").iter_rows())


def test_references_of_ud_are_its_styles_each_once():
    gold = tg.toy_treebank("toy:svo", tokens=200, part="test")
    references = references_of(gold)
    assert set(references) <= set(BUNDLES)
    assert (
        len({BUNDLES[name] for name in references}) == len(references) == len(set(BUNDLES.values()))
    )
    assert values(score_references("toy", references, {"gold": [gold]}), "ud") == {"gold": 1}


def test_a_consistent_annotation_finds_its_reference():
    gold = tg.toy_treebank("toy:svo", tokens=400, part="test")
    other = to_style(gold, "functional")
    made = score_references("toy", references_of(gold), {"functional": [other]})
    assert values(made, BEST) == values(made, "functional") == {"functional": 1}
    assert values(made, "ud")["functional"] < 1


def test_several_seeds_are_averaged_before_the_best_is_chosen():
    gold = tg.toy_treebank("toy:svo", tokens=400, part="test")
    styles = {name: to_style(gold, name) for name in ("ud", "functional")}
    both = score_references("toy", styles, {"system": list(styles.values())})
    alone = [score_references("toy", styles, {"one": [other]}) for other in styles.values()]
    for name in styles:
        one, other = (values(made, name)["one"] for made in alone)
        assert values(both, name)["system"] == pytest.approx((one + other) / 2)
    # Each seed alone would have a reference of its own, and 100.
    assert values(both, BEST)["system"] < 1


def test_by_phrases_every_style_is_right_against_itself_and_the_best_is_higher():
    gold = tg.toy_treebank("toy:svo", tokens=400, part="test")
    references = references_of(gold)
    systems = {name: [one] for name, one in references.items()}
    made = score_references("toy", references, systems, "tedeval")
    alone = score_references("toy", {"ud": gold}, systems, "tedeval")
    for name in references:
        assert values(made, name)[name] == values(made, BEST)[name] == 1
        # With one gold standard, another style costs; what all share costs less.
        assert values(made, "ud")[name] >= values(alone, "ud")[name]
    assert min(values(alone, "ud").values()) < min(values(made, "ud").values()) < 1


BRACKETS = """
(S (NP-SBJ (PRP We)) (VP (VBD went) (PP-DIR (TO to) (NP (NNP Rome)))))
(S (NP-SBJ (PRP She)) (VP (VBD slept)))
(S (NP-SBJ (PRP She)) (VP (VBD slept)))
"""


def test_references_of_brackets_are_head_rules(tmp_path):
    (tmp_path / "trees.mrg").write_text(BRACKETS, encoding="utf-8")
    gold = tg.parse("She/X slept/X\n\nWe/X went/X to/X Rome/X\n", format="slashed")
    references = references_of(gold, tmp_path)
    assert tuple(references) == PENN_OPTIONS
    # By hand: `to` heads the phrase, but not where words of content do.
    assert references["standard"].head.tolist() == [2, 0, 2, 0, 2, 3]
    assert references["lexical"].head.tolist() == [2, 0, 2, 0, 4, 2]
    # What is punctuation is the same in all of them.
    assert all(list(one.upos) == ["X"] * 6 for one in references.values())


def test_equal_sentences_are_taken_once_each():
    whole = tg.parse("a/X\n\nb/X\n\na/X\n", format="slashed")
    part = tg.parse("a/X\n\na/X\n", format="slashed")
    assert sentences_in(whole, part).tolist() == [0, 2]
    with pytest.raises(ExperimentError, match="not among the brackets: c"):
        sentences_in(whole, tg.parse("c/X\n", format="slashed"))
