"""EM on a real treebank: climbs, and does not depend on threads."""

from __future__ import annotations

import numpy as np
import pytest

import treegauge as tg
from tests.unit.systems.dependency_induction.chart.models import assert_equal_counts
from treegauge.systems.dependency_induction.chart import (
    Grammar,
    TagCorpus,
    estimate,
    expectations,
    viterbi,
)


@pytest.mark.realdata
def test_em_on_english(shared):
    treebank = tg.Catalogue([shared / "treebanks"]).open("en_ewt:train").without_punctuation()
    tags = treebank.upos.compact()
    corpus = TagCorpus(tags.codes, treebank.offsets, int(tags.codes.max()) + 1)
    short = corpus.up_to(10)
    grammar = Grammar.random(np.random.default_rng(1), corpus.n_tags, concentration=50)
    before = -np.inf
    for _ in range(5):
        one, two = (expectations(grammar, short, threads=threads) for threads in (1, 2))
        assert_equal_counts(one.counts, two.counts)
        assert one.log_likelihood == two.log_likelihood > before
        before = one.log_likelihood
        grammar = estimate(one.counts, previous=grammar)
    # Sentences of all lengths, up to 136 words; rows at 0 by now leave some without a tree.
    smoothed = estimate(one.counts, smoothing=0.1)
    everything = expectations(smoothed, corpus)
    assert np.isfinite(everything.log_likelihood)
    assert everything.counts.root.sum() == pytest.approx((corpus.lengths > 0).sum(), rel=1e-9)
    assert (viterbi(smoothed, corpus).scores <= everything.sentence_log_likelihoods + 1e-9).all()
