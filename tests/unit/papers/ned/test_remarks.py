"""The paper's remarks, on its own figures and on others."""

from __future__ import annotations

import polars as pl
import pytest

from treegauge.papers.ned.paper import NeutralEdgeDirection

PAPER = NeutralEdgeDirection()
REMARKS = {remark.text: remark for remark in PAPER.remarks}


def verdicts(frames) -> dict[str, str | None]:
    checked = {text: remark.check(frames) for text, remark in REMARKS.items()}
    return {text: one and one.verdict for text, one in checked.items()}


def test_the_paper_bears_out_its_remarks_but_for_one():
    found = verdicts(PAPER.published())
    # Undirected accuracy of km04 changes by 1.3 points, NED by 3.6.
    assert found.pop("NED changes less than undirected accuracy.") == "partly"
    # The body of Table 4 is not known.
    assert (
        found.pop("The order of algorithms under NED differs from that under the others.") is None
    )
    assert set(found.values()) == {"holds"}
    assert len(found) == 7


def test_figures_are_the_evidence():
    found = {text: remark.check(PAPER.published()) for text, remark in REMARKS.items()}
    spread = found["Over original and modified models, scores spread least under NED."]
    assert spread.evidence == "2 of 2: NED 4.2, UAS 15.1; NED 4.2, undirected 7.7"
    schemes = found["Of two annotations of one text, attachment differs most and NED least."]
    assert schemes.evidence == "Collins: UAS 85.6, undirected 90.3, NED 95.3"


@pytest.mark.parametrize(
    ("start", "frame", "column", "value", "verdict"),
    [
        ("Undirected", "changes", "change", -0.1, "does not hold"),
        ("At most 18", "algorithms", "parameters", 19, "does not hold"),
        ("At most 18", "changes", "change", 0.05, "does not hold"),
        ("NED changes less than attachment", "changes", "change", 0.2, "does not hold"),
        ("Over original", "changes", "change", 0.2, "does not hold"),
        ("NED prefers the original", "changes", "change", 0.2, "partly"),
        ("NED prefers the structures", "learnability", "same_sign", False, "does not hold"),
        ("Of two", "schemes", "ned", 0.5, "does not hold"),
    ],
)
def test_a_remark_can_fail(start, frame, column, value, verdict):
    frames = dict(PAPER.published())
    frames[frame] = frames[frame].with_columns(pl.lit(value).alias(column))
    (found,) = [one for text, one in verdicts(frames).items() if text.startswith(start)]
    assert found == verdict


def test_orders_are_compared_by_tau():
    rows = [("uas", "ned", 0.3), ("undirected", "ned", 1.0), ("uas@10w", "ned", 1.0)]
    frame = pl.DataFrame(rows, schema=["metric", "other", "tau_b"], orient="row")
    frames = {"agreement": frame.with_columns(treebank=pl.lit("x"))}
    checked = REMARKS["The order of algorithms under NED differs from that under the others."]
    assert checked.check(frames).verdict == "partly"
    assert "tau-b with UAS 0.30" in checked.check(frames).evidence


def test_several_treebanks_are_told_apart():
    learnability = PAPER.published()["learnability"]
    frames = {
        "learnability": pl.concat([learnability, learnability.with_columns(treebank=pl.lit("x"))])
    }
    checked = REMARKS["NED prefers the structures that the supervised model learns better."]
    assert checked.check(frames).evidence.startswith("6 of 6: wsj-23 km04; wsj-23 cs09")
