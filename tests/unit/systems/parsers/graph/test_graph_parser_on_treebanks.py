"""What the graph-based parser reaches on real treebanks, with gold tags."""

from __future__ import annotations

import time
import warnings
from pathlib import Path

import numpy as np
import pytest

from treegauge.catalogue import Catalogue
from treegauge.formats import FormatWarning
from treegauge.rewrite.word_orders import permute
from treegauge.systems.parsers.graph import GraphParser
from treegauge.treebank import Treebank

pytestmark = pytest.mark.realdata


def part(shared: Path, name: str, which: str) -> Treebank:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        return Catalogue([shared / "treebanks"]).resolve(name)[0].read(which)


def attachment(gold: Treebank, system: Treebank) -> tuple[float, float]:
    """Return UAS and LAS in per cent, punctuation counted."""
    right = gold.head == system.head
    same = np.array([a == b for a, b in zip(gold.deprel, system.deprel, strict=True)])
    return 100 * float(right.mean()), 100 * float((right & same).mean())


def test_a_small_treebank(shared):
    # Our measurements are 78.5 and 70.6; below these bars something is broken.
    train, test = part(shared, "ta_ttb", "train"), part(shared, "ta_ttb", "test")
    uas, las = attachment(test, GraphParser({"table_bits": 20}).fit(train).annotate(test))
    assert uas >= 77
    assert las >= 69


@pytest.mark.slow
def test_english(shared):
    # The targets on one core: eight minutes, 10,000 words per second, UAS 87 and LAS 84.
    train, test = part(shared, "en_ewt", "train"), part(shared, "en_ewt", "test")
    parser = GraphParser()
    parser.fit(train[:20]).annotate(test[:20])  # whatever has to be compiled
    begin = time.process_time()
    parser.fit(train)
    assert time.process_time() - begin < 480
    begin = time.process_time()
    answer = parser.annotate(test)
    assert test.n_words / (time.process_time() - begin) > 10_000
    uas, las = attachment(test, answer)
    assert uas >= 87
    assert las >= 84


@pytest.mark.slow
@pytest.mark.parametrize("decoder", ["eisner", "cle"])
def test_a_mirrored_text_is_as_easy(shared, decoder):
    # Gulordava and Merlo (2016) find the same for MSTParser: LB = RB.
    train, dev = part(shared, "en_ewt", "train")[:3000], part(shared, "en_ewt", "dev")
    scores = []
    for order in ("original", "mirror"):
        texts = [
            permute(text, order, keep_all=True, final_punctuation="include")
            if order == "mirror"
            else text
            for text in (train, dev)
        ]
        parser = GraphParser({"decoder": decoder}).fit(texts[0])
        scores.append(attachment(texts[1], parser.annotate(texts[1]))[0])
    assert scores[0] == pytest.approx(scores[1], abs=0.3)
