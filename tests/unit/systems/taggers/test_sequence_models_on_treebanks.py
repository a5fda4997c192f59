"""Sequence models on English EWT: accuracy of universal tags on the test part."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import treegauge as tg
from treegauge.catalogue import Catalogue
from treegauge.systems import System, make_system

pytestmark = [pytest.mark.realdata, pytest.mark.slow]


@cache
def ewt(shared: Path) -> tuple[tg.Treebank, tg.Treebank]:
    (entry,) = Catalogue([shared / "treebanks"]).resolve("en_ewt")
    return entry.read("train"), entry.read("test")


def accuracy(tagger: System, gold: tg.Treebank) -> float:
    pairs = zip(tagger.annotate(gold).upos, gold.upos, strict=True)
    return 100 * float(np.mean([found == right for found, right in pairs]))


@pytest.mark.parametrize(
    ("name", "package", "least"),
    [("crf", "pycrfsuite", 94.4), ("higher-order-crf", "numba", 94.8), ("bilstm", "torch", 95.0)],
)
def test_accuracy_on_english(shared: Path, name: str, package: str, least: float) -> None:
    pytest.importorskip(package, reason=f"{name} needs {package}")
    train, test = ewt(shared)
    assert accuracy(make_system(name).fit(train), test) >= least


def test_pruning_hardly_changes_the_best_tags(shared: Path) -> None:
    train, test = ewt(shared)
    tagger = make_system("higher-order-crf", {"epochs": 5}).fit(train)
    pruned = list(tagger.annotate(test).upos)
    assert (tagger._thresholds[:2] > 0).all()
    tagger._thresholds = np.zeros(3)
    exact = list(tagger.annotate(test).upos)
    assert np.mean([a == b for a, b in zip(pruned, exact, strict=True)]) > 0.995
