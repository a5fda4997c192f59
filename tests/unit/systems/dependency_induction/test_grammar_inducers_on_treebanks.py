"""The DMV and its family on real treebanks: what was seen before is seen again.

On `pascal10`: gold universal tags, test parts, preset `pascal`, learnt from the sentences of
train with at most ten words; averages in per cent. Three points away from what is expected
means that something is read wrongly.
"""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import treegauge as tg
from treegauge.catalogue import Catalogue
from treegauge.formats import FormatWarning
from treegauge.systems import make_system

pytestmark = pytest.mark.realdata


@cache
def parts(shared: Path, name: str) -> tuple[tg.Treebank, tg.Treebank]:
    (entry,) = Catalogue([shared / "treebanks"]).resolve(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)  # some trees have several roots
        return entry.read("train"), entry.read("test")


def score(shared: Path, bank: str, name: str, metrics: tuple[str, ...], **settings) -> list[float]:
    train, test = parts(shared, bank)
    annotated = make_system(name, settings).fit(train).annotate(test)
    evaluation = tg.evaluate(
        test,
        annotated.replace(name=name),
        conventions=tg.preset("pascal"),
        metrics=metrics,
        resamples=0,
        trials=0,
    )
    return [100 * evaluation[metric].value for metric in metrics]


def pascal10(shared: Path, name: str, **settings) -> np.ndarray:
    """Return UAS of all sentences and of those up to length ten, a row for each treebank."""
    names = [entry.name for entry in Catalogue([shared / "treebanks"]).resolve("pascal10")]
    return np.array([score(shared, bank, name, ("uas", "uas@10"), **settings) for bank in names])


def test_the_dmv_and_its_initialiser(shared):
    dmv = pascal10(shared, "klein-manning-dmv")
    harmonic = pascal10(shared, "harmonic")
    assert dmv.mean(axis=0) == pytest.approx([30, 39], abs=3)
    assert (dmv[:, 0] > harmonic[:, 0]).sum() >= 8


def test_longer_sentences_and_minimum_risk_are_better(shared):
    """Learnt from at most twenty words: 33.4 and 41.5."""
    assert pascal10(shared, "dmv").mean(axis=0) == pytest.approx([33, 41], abs=3)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"rules": "noji"}, 48),
        ({"no_function_heads": True}, 52),
        ({"rules": "noji+adp", "no_function_heads": True}, 53),
    ],
    ids=["rules", "barred", "both"],
)
def test_universal_constraints(shared, settings, expected):
    scores = pascal10(shared, "klein-manning-dmv", **settings)
    assert scores[:, 0].mean() == pytest.approx(expected, abs=3)


def test_on_newspaper_text_hard_em_beats_em_and_annealing_beats_both(shared):
    """Seen before: 30.3, 39.3, 41.8 at all lengths, learnt from at most ten words."""
    bank, metrics = "en_wsj_sample", ("uas",)
    soft = score(shared, bank, "klein-manning-dmv", metrics, tags="p")
    hard = score(shared, bank, "viterbi-dmv", metrics, tags="p")
    annealed = score(shared, bank, "unambiguity", metrics, tags="p", valences="2/1", backoff=0.0)
    assert soft < hard < annealed
    assert [*soft, *hard, *annealed] == pytest.approx([30.3, 39.3, 41.8], abs=3)


def test_on_content_heads_hard_em_hurts(shared):
    soft = pascal10(shared, "klein-manning-dmv")
    assert pascal10(shared, "viterbi-dmv")[:, 0].mean() < soft[:, 0].mean()
