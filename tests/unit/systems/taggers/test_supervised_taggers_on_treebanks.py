"""Accuracy and speed on real treebanks; settings were chosen on development parts."""

from __future__ import annotations

import time
import warnings
from pathlib import Path

import numpy as np
import pytest

import treegauge as tg
from treegauge.formats import FormatWarning
from treegauge.systems import make_system
from treegauge.treebank import Treebank

pytestmark = pytest.mark.realdata


def parts(shared: Path, treebank: str) -> tuple[Treebank, Treebank]:
    """Return the training part and the test part."""
    data = shared / "treebanks"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)  # some trees have several roots
        return tg.load(f"{treebank}:train", data=data), tg.load(f"{treebank}:test", data=data)


def accuracy(shared: Path, system: str, treebank: str, **settings: object) -> float:
    train, test = parts(shared, treebank)
    answer = make_system(system, settings).fit(train).annotate(test)
    pairs = zip(answer.upos, test.upos, strict=True)
    return 100 * float(np.mean([found == right for found, right in pairs]))


@pytest.mark.parametrize(
    ("treebank", "least"),
    [("el_gdt", 95.0), ("fr_sequoia", 96.0), ("tr_imst", 88.5), ("da_ddt", 88.5)],
)
def test_tnt_in_four_languages(shared: Path, treebank: str, least: float) -> None:
    assert accuracy(shared, "tnt", treebank) >= least


def test_tnt_as_the_paper_has_it(shared: Path) -> None:
    # A reference in plain Python without capitals in its states reaches 95.3.
    found = accuracy(shared, "tnt", "el_gdt", capital_states=False, lower_case=False)
    assert found == pytest.approx(95.3, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "least"),
    [("most-frequent-tag", 80), ("tnt", 92.5), ("tree", 92), ("perceptron", 94.2)],
)
def test_english(shared: Path, system: str, least: float) -> None:
    assert accuracy(shared, system, "en_ewt") >= least


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "seconds", "words_a_second"), [("tnt", 2, 300_000), ("perceptron", 30, 150_000)]
)
def test_speed_on_one_core(
    shared: Path, system: str, seconds: float, words_a_second: float
) -> None:
    train, test = parts(shared, "en_ewt")
    make_system(system).fit(test[:50]).annotate(test[:50])  # compiles
    begin = time.process_time()
    tagger = make_system(system).fit(train)
    trained = time.process_time()
    tagger.annotate(test)
    assert trained - begin < seconds
    assert test.n_words / (time.process_time() - trained) > words_a_second
