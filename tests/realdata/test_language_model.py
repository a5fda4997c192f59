"""Language models of real treebanks: figures of another implementation, and what KenLM reads.

The figures are of trigram models of the same releases, by an independent implementation that
agrees with KenLM's lmplz to seven digits; lmplz works in single precision, so that six digits are
compared.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import treegauge as tg
from treegauge.properties.language_model import LanguageModel, ScoredText, train_language_model

pytestmark = pytest.mark.realdata

SEQUOIA_DISCOUNTS = [
    (0.680721, 1.08025, 1.63856),
    (0.819703, 1.29212, 1.57462),
    (0.866586, 1.33805, 1.40928),
]


def parts(shared: Path, name: str) -> tuple[tg.Treebank, tg.Treebank]:
    folder = shared / "treebanks" / name
    train, test = (
        tg.read(folder / f"{part}.conllu.xz", findings=tg.Findings()) for part in ("train", "test")
    )
    return train, test


def scored(shared: Path, name: str, **settings: object) -> tuple[LanguageModel, ScoredText]:
    train, test = parts(shared, name)
    model = train_language_model(train.form, train.offsets, **settings)
    return model, model.score(test.form, test.offsets)


def test_sequoia(shared):
    model, text = scored(shared, "fr_sequoia")
    assert model.trie.sizes == (8457, 28612, 41687)
    assert np.ravel(model.estimation.discounts) == pytest.approx(
        np.ravel(SEQUOIA_DISCOUNTS), rel=5e-6
    )
    assert text.is_unknown.sum() == 921
    assert len(text.log10) + len(text.end_log10) == 10500
    assert text.perplexity("kenlm") == pytest.approx(176.87868, rel=5e-7)
    assert text.perplexity("kenlm-known") == pytest.approx(101.04318, rel=5e-7)
    assert model.distribution()[0] == pytest.approx(10**-4.493172, rel=5e-6)


def test_sequoia_without_interpolated_unigrams(shared):
    model, text = scored(shared, "fr_sequoia", preset="kenlm-no-unigram-interpolation")
    assert text.perplexity("kenlm") == pytest.approx(88.28596, rel=5e-7)
    assert text.perplexity("kenlm-known") == pytest.approx(112.53707, rel=5e-7)
    assert model.distribution()[0] == pytest.approx(10**-0.566007, rel=5e-6)


@pytest.mark.parametrize(
    ("name", "unknown", "perplexity", "of_known"),
    [("el_gdt", 1789, 371.55, 146.19), ("tr_imst", 2937, 927.17, 233.65)],
)
def test_other_treebanks(shared, name, unknown, perplexity, of_known):
    _, text = scored(shared, name)
    assert text.is_unknown.sum() == unknown
    assert text.perplexity("kenlm") == pytest.approx(perplexity, abs=0.006)
    assert text.perplexity("kenlm-known") == pytest.approx(of_known, abs=0.006)


def test_distributions_of_a_real_text_sum_to_one(shared):
    train, test = parts(shared, "fr_sequoia")
    model = train_language_model(train.form, train.offsets, order=5)
    for sentence in list(test)[:20]:
        words = ["<s>", *(word.form for word in sentence)]
        for i in range(1, len(words), 3):
            assert model.distribution(words[:i]).sum() == pytest.approx(1, abs=1e-9)


def test_kenlm_reads_the_same_probabilities(shared, tmp_path):
    reason = "compares with KenLM, which is not installed: pip install kenlm"
    kenlm = pytest.importorskip("kenlm", reason=reason)
    train, test = parts(shared, "fr_sequoia")
    model = train_language_model(train.form, train.offsets)
    model.write_arpa(tmp_path / "model.arpa")
    other = kenlm.Model(str(tmp_path / "model.arpa"))
    text = model.score(test.form, test.offsets)
    events = []
    for sentence in test:
        words = [word.form.replace(" ", "\u00a0") for word in sentence]
        events += [event[0] for event in other.full_scores(" ".join(words))]
    ends = test.offsets[1:] + np.arange(len(test))
    assert np.delete(events, ends) == pytest.approx(text.log10, abs=1e-4)
    assert np.take(events, ends) == pytest.approx(text.end_log10, abs=1e-4)
