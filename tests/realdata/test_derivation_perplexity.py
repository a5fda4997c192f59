"""Perplexities of real treebanks: figures of another implementation, of the same releases.

Trigrams of forms, KenLM's ways; strings, derivations by swap-lazy and by Covington's system, each
with unknown words and without.
"""

from __future__ import annotations

import pytest

import treegauge as tg

pytestmark = pytest.mark.realdata


@pytest.mark.parametrize(
    ("name", "string", "lazy", "covington"),
    [
        ("fr_sequoia", (176.88, 101.04), (317.45, 193.94), (251.87, 150.56)),
        ("el_gdt", (371.55, 146.19), (612.99, 264.24), (507.31, 211.11)),
        ("tr_imst", (927.17, 233.65), (1445.50, 414.61), (1120.97, 302.18)),
    ],
)
def test_strings_and_derivations(shared, name, string, lazy, covington):
    folder = shared / "treebanks" / name
    train, test = (
        tg.read(folder / f"{part}.conllu.xz", findings=tg.Findings()) for part in ("train", "test")
    )
    conventions = ("kenlm", "kenlm-known")
    found = tg.treebank_perplexity(train, test)
    assert [found.perplexity(c) for c in conventions] == pytest.approx(string, abs=0.006)
    assert [found.derivation_perplexity(c) for c in conventions] == pytest.approx(lazy, abs=0.006)
    found = tg.treebank_perplexity(train, test, tg.PerplexitySettings(system="covington"))
    measured = [found.derivation_perplexity(c) for c in conventions]
    assert measured == pytest.approx(covington, abs=0.006)
