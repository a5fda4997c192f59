"""The scorer of the shared task (udtools), and its numbers beside ours."""

from __future__ import annotations

import io
from fractions import Fraction

from udtools import udeval

from treegauge.metrics import METRICS, Comparison, total
from treegauge.treebank import Treebank

OUR_NAMES = {
    "Words": "words",
    "UPOS": "upos",
    "XPOS": "xpos",
    "UFeats": "feats",
    "AllTags": "alltags",
    "Lemmas": "lemma",
    "UAS": "uas",
    "LAS": "las",
    "CLAS": "clas",
    "MLAS": "mlas",
    "BLEX": "blex",
}


def _loaded(text: str) -> object:
    return udeval.load_conllu(io.StringIO(text), "", {"multiple_roots_okay": True})


def assert_same_scores(
    gold_text: str, system_text: str, gold: Treebank, system: Treebank, *, align: bool
) -> None:
    """Check all counts of the shared task, and the scores to the last digit."""
    expected = udeval.evaluate(_loaded(gold_text), _loaded(system_text))
    comparison = Comparison(gold, system, by_characters=align)
    for theirs, ours in OUR_NAMES.items():
        statistics = METRICS[ours].statistics(comparison)
        sums = total(statistics.per_sentence)
        score = expected[theirs]
        assert (theirs, *sums) == (theirs, score.correct, score.gold_total, score.system_total)
        if score.gold_total + score.system_total:
            assert abs(float(statistics.score(sums)) - score.f1) <= 1e-12
            exact = Fraction(2 * score.correct, score.gold_total + score.system_total)
            assert abs(score.f1 - exact) <= 1e-15
