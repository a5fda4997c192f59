"""CCG induction on real treebanks: what was seen before is seen again.

Gold universal tags, dev parts, preset `pascal`, learnt from the sentences of train with at most
ten words. Three points away from what is expected means that something is read wrongly.
"""

from __future__ import annotations

import warnings
from dataclasses import replace

import pytest

import treegauge as tg
from treegauge.catalogue import Catalogue
from treegauge.formats import FormatWarning
from treegauge.systems import make_system

pytestmark = pytest.mark.realdata

EXPECTED = {"da_ddt": (35.3, 55.1), "cs_cac": (50.2, 56.5), "sv_talbanken_v2": (38.4, 52.2)}
"""UAS with function words as heads, and as leaves."""


@pytest.mark.parametrize("bank", EXPECTED)
def test_accuracy_with_function_words_as_heads_and_as_leaves(shared, bank) -> None:
    (entry,) = Catalogue([shared / "treebanks"]).resolve(bank)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)  # some trees have several roots
        train, dev = entry.read("train"), entry.read("dev")
    system = make_system("ccg").fit(train)
    found = []
    for leaves in (False, True):
        system.settings = replace(system.settings, function_functors_as_leaves=leaves)
        scores = tg.evaluate(
            dev,
            system.annotate(dev).replace(name="ccg"),
            conventions=tg.preset("pascal"),
            metrics=["uas"],
            resamples=0,
            trials=0,
        )
        found.append(100 * scores["uas"].value)
    assert found == pytest.approx(EXPECTED[bank], abs=3.0)
