"""Two annotations of the same sentences."""

from __future__ import annotations

import pytest

from tests.unit.papers.ned.test_edge_types import TO_EATS, WANT_TO_EAT, tagged
from treegauge.papers.ned.annotation_schemes import METRICS, STYLES, compare_schemes
from treegauge.toys import toy_treebank


def values(row) -> dict[str, float]:
    return {metric: row[metric] for metric in METRICS}


def test_without_relations_structures_are_flipped():
    found = compare_schemes(tagged(WANT_TO_EAT), "p", resamples=0)
    assert [row["annotation"] for row in found] == ["infinitive", "all of these"]
    # The paper's example (section 3): two heads are others, one is forgiven, both are.
    assert values(found[0]) == {"uas": 2 / 4, "undirected": 3 / 4, "ned": 1.0}
    assert found[0]["changed"] == 2 / 4


def test_another_annotation_of_ones_own():
    other = tagged(TO_EATS).replace(name="collins")
    found = compare_schemes(tagged(WANT_TO_EAT), "p", other=other, resamples=0)[-1]
    assert (found["annotation"], found["how"]) == ("collins", "as given")
    assert values(found) == {"uas": 2 / 4, "undirected": 3 / 4, "ned": 1.0}


def test_with_relations_of_ud_there_are_styles():
    treebank = toy_treebank("toy:svo", tokens=1500)
    found = compare_schemes(treebank, "u", resamples=20)
    assert [row["annotation"] for row in found] == list(STYLES)
    for row in found:
        scores = values(row)
        assert scores["uas"] == pytest.approx(1 - row["changed"])
        assert scores["uas"] < scores["undirected"] <= scores["ned"] <= 1
        assert row["uas_low"] <= row["uas"] <= row["uas_high"]
        assert row["uas_n"] == treebank.without_punctuation().n_words
    # Function words with one content word each are single flips, which NED forgives.
    assert values(found[0])["ned"] > 0.99
