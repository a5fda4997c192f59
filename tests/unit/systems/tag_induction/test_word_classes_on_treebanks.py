"""Word classes of real text, beside what the public programs for the same models reach.

Many-to-one and V-measure of the Penn sample with 45 classes: Liang's wcluster 65.5 and 58.0,
Och's mkcls 62.4 and 56.8 (mean of three seeds), ClusterCat 64.5 and 56.8.
"""

from __future__ import annotations

import warnings

import pytest

import treegauge as tg
from treegauge.catalogue import Catalogue
from treegauge.formats import FormatWarning
from treegauge.systems import make_system
from treegauge.treebank import Treebank, tag_column

pytestmark = pytest.mark.realdata


@pytest.fixture(scope="module")
def sample(shared) -> Treebank:
    """All parts of the Penn sample, as one."""
    (entry,) = Catalogue([shared / "treebanks"]).resolve("en_wsj_sample")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FormatWarning)
        return tg.concatenate([entry.read(part) for part in entry.parts])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "many_to_one", "v_measure"),
    [("brown", 64.5, 57.0), ("mkcls", 62.4, 56.8), ("predictive-exchange", 64.5, 56.8)],
)
def test_is_as_good_as_the_public_programs(sample, name, many_to_one, v_measure) -> None:
    answer = make_system(name, {"classes": 45}).fit(sample).annotate(sample)
    assert len(tag_column(sample, "p").column.counts()) == 45
    scores = tg.evaluate(
        sample,
        answer.replace(name=name),
        conventions=tg.Conventions(tags="p"),
        metrics=["many_to_one", "v_measure"],
        resamples=0,
        trials=0,
    )
    assert scores["many_to_one"].value * 100 > many_to_one
    assert scores["v_measure"].value * 100 > v_measure


def test_most_frequent_words_of_a_class_are_alike(sample) -> None:
    system = make_system("brown", {"classes": 45}).fit(sample)
    class_of = dict(zip(system.forms, system.class_of_type.tolist(), strict=True))
    assert class_of["will"] == class_of["would"] == class_of["could"]
    assert class_of["his"] == class_of["their"]
    assert class_of["will"] != class_of["their"]
