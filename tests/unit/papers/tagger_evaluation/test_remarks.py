"""Claims of the paper can hold, and can fail."""

from __future__ import annotations

import polars as pl

from tests.unit.papers.tagger_evaluation.made_scores import (
    BOTH,
    PAPER,
)
from treegauge.papers.tagger_evaluation.frames import (
    OWN,
    SUPERVISED,
    make_frame,
)
from treegauge.papers.tagger_evaluation.statistics import (
    first_size_frame,
)


def test_remarks_can_fail():
    """What is the opposite of the paper's figures does not hold."""
    published = dict(PAPER.published())
    opposite = {
        **published,
        "correlations": published["correlations"].with_columns(-pl.col("pearson")),
        "rankings": published["rankings"].with_columns(
            hits=pl.when(group=SUPERVISED).then(pl.col("hits") / 2).otherwise(0.0)
        ),
        "held_out_sizes": published["held_out_sizes"].with_columns(pl.col("mean") * 10),
        "translations": published["translations"].with_columns(-pl.col("f1_of_means")),
        "directions": published["directions"].with_columns(under=0),
        "table": published["table"].with_columns(
            difference=pl.when(dictionary=OWN).then(0.0).otherwise(pl.int_range(pl.len()) * 0.01),
            a_true=-pl.col("a_true"),
            a_true_ci=-pl.col("a_true_ci"),
        ),
    }
    for remark in PAPER.remarks:
        ours = remark.check(opposite)
        assert ours is None or ours.verdict == "does not hold", remark.text


def test_small_dictionaries_in_remarks():
    about = {"treebank": "one", "dictionary": OWN, "tagger": "a", "size": 100, "coverage": 0.5}
    sizes = [
        {**about, "variant": "+freq", "value": 0.87},
        {**about, "variant": "-freq", "value": 0.8, "low": 0.5, "high": 0.95},
    ]
    by_text = {remark.text: remark for remark in PAPER.remarks}
    close = next(one for text, one in by_text.items() if text.startswith("A hundred frequent"))
    random = next(one for text, one in by_text.items() if text.startswith("Without frequencies"))
    frame = make_frame("sizes", sizes)
    frames = {"first_sizes": first_size_frame(frame, BOTH)}
    assert close.check(frames).evidence == "within 5 points in 1/1"
    assert random.check(frames).verdict == "holds"
    far_off = frame.with_columns(value=pl.lit(0.3), low=pl.lit(0.8))
    far = {"first_sizes": first_size_frame(far_off, BOTH)}
    assert close.check(far).verdict == random.check(far).verdict == "does not hold"
