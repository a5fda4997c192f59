"""Hidden Markov models, soft classes and the loop on real text.

Many-to-one and V-measure of the Penn sample with 45 classes: Liang's wcluster, a program for
Brown clustering, 65.5 and 58.0.
"""

from __future__ import annotations

import warnings

import pytest

import treegauge as tg
from treegauge.catalogue import Catalogue
from treegauge.formats import FormatWarning
from treegauge.systems import System, make_system
from treegauge.treebank import Treebank

pytestmark = [pytest.mark.realdata, pytest.mark.slow]


@pytest.fixture(scope="module")
def sample(shared) -> Treebank:
    """All parts of the Penn sample, as one."""
    (entry,) = Catalogue([shared / "treebanks"]).resolve("en_wsj_sample")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        return tg.concatenate([entry.read(part) for part in entry.parts])


def fitted(name: str, words: Treebank, **settings: object) -> tuple[System, float, float]:
    """A system, and its many-to-one and V-measure in per cent."""
    system = make_system(name, {"classes": 45, **settings}).fit(words)
    scores = tg.evaluate(
        words,
        system.annotate(words).replace(name=name),
        conventions=tg.Conventions(tags="p"),
        metrics=["many_to_one", "v_measure"],
        resamples=0,
        trials=0,
    )
    return system, scores["many_to_one"].value * 100, scores["v_measure"].value * 100


def test_the_sampler_is_better_than_em(sample) -> None:
    _, *em = fitted("hmm", sample, iterations=100)
    _, *gibbs = fitted("hmm", sample, learner="gibbs", iterations=200)
    assert em[0] > 45
    assert em[1] > 37
    assert gibbs[0] > max(52, em[0])
    assert gibbs[1] > max(43, em[1])


def test_depth_gives_more_tags_and_a_higher_many_to_one(sample) -> None:
    chosen, *shallow = fitted("lda-classes", sample, sweeps=100)
    deeper, *deep = fitted("lda-classes", sample, sweeps=100, depth=8)
    assert chosen.n_classes <= 45 < deeper.n_classes
    assert shallow[0] > 56
    assert shallow[1] > 53
    assert deep[0] > 65


def test_the_loop_is_better_than_clusters(sample) -> None:
    system, *joint = fitted("joint", sample, sweeps=60, rounds=2)
    assert joint[0] > 66
    assert joint[1] > 60
    assert len(system.agreements) <= 2


def test_sparse_posteriors_with_features_are_better_than_clusters(sample) -> None:
    system, *scores = fitted("hmm-pr", sample, iterations=45)
    assert scores[0] > 63
    assert scores[1] > 58
    # Plain EM, the first 30 rounds, ends with more than 2.
    assert 1 <= system.tags_per_type < 1.2
