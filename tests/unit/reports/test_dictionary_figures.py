from __future__ import annotations

import re

from treegauge.dictionaries import CurvePoint
from treegauge.reports.dictionary_figures import sub_dictionary_figure


def point(tagger, variant, size, value, low=None, high=None):
    return CurvePoint(tagger, variant, size, value, low, high, None, None, None, 0)


POINTS = [
    point("tnt", "+freq", 10, 0.5),
    point("tnt", "+freq", 100, 0.75),
    point("tnt", "-freq", 10, 0.25, 0.125, 0.5),
    point("tnt", "-freq", 100, 0.5, 0.25, 0.625),
    point("crf", "+freq", 10, None),
    point("crf", "+freq", 100, 0.5),
]


def test_taggers_have_panels_variants_have_lines_and_random_ones_a_band():
    figure = sub_dictionary_figure(POINTS, confidence=0.9)
    for text in ("tnt", "crf", "+freq", "-freq", "bands: 90% of random dictionaries"):
        assert f">{text}<" in figure.body
    assert figure.body.count('class="band') == 1
    assert ">A_true<" not in figure.body


def test_true_accuracy_is_a_level_line():
    body = sub_dictionary_figure(POINTS, accuracies={"tnt": 0.9}).body
    assert ">A_true<" in body
    lines = re.findall(r'class="l c3 d3" d="M\S+ (\S+)L\S+ (\S+)"', body)
    assert lines == [(lines[0][0], lines[0][0])]


def test_a_size_without_a_value_has_no_point():
    crf = sub_dictionary_figure([one for one in POINTS if one.tagger == "crf"])
    assert not re.search(r'class="l c0 d0" d="M\S+ \S+L', crf.body)
