"""The samplers on real text, beside clusterings by bigrams alone.

Many-to-one and V-measure of the Penn sample with 45 classes: Liang's wcluster, a program for
Brown clustering, 65.5 and 58.0.
"""

from __future__ import annotations

import warnings

import pytest

import treegauge as tg
from treegauge.catalogue import Catalogue
from treegauge.formats import FormatWarning
from treegauge.systems import make_system
from treegauge.treebank import Treebank

pytestmark = [pytest.mark.realdata, pytest.mark.slow]

BROWN = 65.5, 58.0


@pytest.fixture(scope="module")
def read(shared):
    """Give all parts of a treebank, as one."""

    def whole(name: str) -> Treebank:
        (entry,) = Catalogue([shared / "treebanks"]).resolve(name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FormatWarning)
            return tg.concatenate([entry.read(part) for part in entry.parts])

    return whole


def scores_of(name: str, words: Treebank, tags: str, **settings: object) -> tuple[float, float]:
    answer = make_system(name, {"classes": 45, **settings}).fit(words).annotate(words)
    scores = tg.evaluate(
        words,
        answer.replace(name=name),
        conventions=tg.Conventions(tags=tags),
        metrics=["many_to_one", "v_measure"],
        resamples=0,
        trials=0,
    )
    return scores["many_to_one"].value * 100, scores["v_measure"].value * 100


def test_on_the_penn_sample(read) -> None:
    words = read("en_wsj_sample")
    mixture = scores_of("bmmm", words, "p")
    hmm = scores_of("pyp-hmm", words, "p")
    assert mixture[0] > max(BROWN[0], 66)
    assert mixture[1] > BROWN[1]
    assert hmm[0] > 70
    assert hmm[1] > max(63, mixture[1])


@pytest.mark.parametrize("name", ["da_ddt", "eu_bdt"])
def test_the_hmm_is_better_than_bigrams_alone(read, name) -> None:
    words = read(name)
    assert scores_of("pyp-hmm", words, "u12", sweeps=50)[1] > scores_of("mkcls", words, "u12")[1]
