"""What induced trees are useful for, and which metrics say so."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import treegauge as tg
from studies import extrinsic_trees
from treegauge.significance import kendall_tau_b
from treegauge.treebank import Treebank


def _dog_barks() -> Treebank:
    """Return a sentence of five words."""
    words = ("The/DET", "old/ADJ", "dog/NOUN", "barks/VERB", "loudly/ADV")
    return tg.parse(" ".join(words) + "\n").replace(head=[3, 3, 4, 0, 4])


def test_features_of_words_by_hand() -> None:
    found = extrinsic_trees.word_features(_dog_barks(), frozenset({"the", "cat"}))
    assert found[0] == [
        *("tag=DET", "-2=<<", "-1=<", "+1=ADJ", "+2=NOUN"),
        *("-1,tag=<,DET", "tag,+1=DET,ADJ", "form=the"),
    ]
    assert found[3] == [
        *("tag=VERB", "-2=ADJ", "-1=NOUN", "+1=ADV", "+2=>"),
        *("-1,tag=NOUN,VERB", "tag,+1=VERB,ADV"),
    ]


def test_features_of_trees_by_hand() -> None:
    the, _, dog, barks, loudly = extrinsic_trees.tree_features(_dog_barks())
    assert the == [
        *("head=NOUN", "side=right", "grandparent=VERB", "distance=2"),
        *("left=0", "right=0", "tag,side,head=DET,right,NOUN"),
    ]
    assert dog == [
        *("head=VERB", "side=right", "grandparent=root", "distance=1"),
        *("left=2", "right=0", "tag,side,head=NOUN,right,VERB"),
    ]
    assert barks == [
        *("head=root", "side=root", "grandparent=none", "distance=0"),
        *("left=1", "right=1", "tag,side,head=VERB,root,root"),
    ]
    assert loudly[:2] == ["head=VERB", "side=left"]


def test_trees_help_to_find_relations() -> None:
    train, test = (tg.toy_treebank(part=part, tokens=3000) for part in ("train", "test"))
    material = extrinsic_trees.Material(train, test)
    bare, gold = (
        {score.name: score for score in extrinsic_trees.measured_scores(material, system)}
        for system in (extrinsic_trees.NO_TREES, extrinsic_trees.GOLD_TREES)
    )
    accuracy, gain = gold["relation_accuracy"], gold["relation_gain"]
    assert accuracy.value - bare["relation_accuracy"].value == pytest.approx(gain.value)
    assert gain.low > 0
    assert accuracy.n == test.without_punctuation().n_words


def test_agreement_by_hand() -> None:
    """The better trees are, the lower is perplexity; controls would say the opposite."""
    names = [*extrinsic_trees.METRICS, *extrinsic_trees.TASKS]
    rows = [
        {"treebank": treebank, "system": system, "metric": metric, "value": value}
        for treebank in ("a", "b")
        for metric in names
        for system, value in [
            *((f"s{i}", -i if metric == "derivation_perplexity" else i) for i in range(4)),
            ("gold trees", -9.0 if metric == "uas" else 9.0),
        ]
    ]
    changed = pl.when(treebank="b", metric="ned", system="s3").then(1.5).otherwise("value")
    scores = pl.DataFrame(rows, strict=False).with_columns(value=changed)
    found = {
        (one.task, one.metric): one for one in extrinsic_trees.agreements(scores, resamples=2000)
    }
    perplexity = found["relation_accuracy", "derivation_perplexity"]
    assert (perplexity.tau, perplexity.low, perplexity.high) == (1, 1, 1)
    # Two of 24 orders are as far from 0: this one, and it turned around.
    assert perplexity.p == pytest.approx(1 / 12, abs=0.03)
    # On one of two treebanks, one of six pairs is the other way round.
    ned = found["verb_argument_pairs", "ned"]
    assert (ned.tau, ned.lead) == pytest.approx(((1 + 2 / 3) / 2, 1 / 6))
    assert (ned.lowest, ned.highest) == pytest.approx((2 / 3, 1))


def test_what_the_page_says_of_useful_trees() -> None:
    scores = extrinsic_trees._kept()
    found = extrinsic_trees.agreements(scores)
    assert round(min(one.lowest for one in found), 2) == 0.35
    assert all(one.lead_low <= 0 <= one.lead_high for one in found)
    assert round(max(max(-one.lead_low, one.lead_high) for one in found), 2) == 0.27
    of_poor = extrinsic_trees.agreements(extrinsic_trees.poor_only(scores))
    taus = [one.tau for one in of_poor]
    assert (round(min(taus), 2), round(max(taus), 2)) == (0.35, 0.61)
    for task in extrinsic_trees.TASKS:
        worst = min((one for one in found if one.task == task), key=lambda one: one.tau)
        assert worst.metric == "derivation_perplexity"
    means = {
        (system, metric): value
        for system, metric, value in scores.group_by("system", "metric")
        .agg(pl.col("value").mean())
        .iter_rows()
    }
    chain, better = "left-branching", "soegaard-pagerank"
    assert means[chain, "uas"] > means[better, "uas"]
    for task in extrinsic_trees.TASKS:
        assert means[chain, task] < means[better, task]
    ranks = [
        sorted(extrinsic_trees.INDUCERS, key=lambda one: -means[one, metric])
        for metric in ("ned", "verb_argument_pairs")
    ]
    assert [order.index("right-branching") + 1 for order in ranks] == [6, 13]
    gains = {one: means[one, "relation_gain"] for one in extrinsic_trees.INDUCERS}
    assert max(gains, key=gains.__getitem__) == "universal-dmv"
    assert max(gains.values()) < means["gold trees", "relation_gain"] / 5
    poor = [gain for one, gain in gains.items() if means[one, "uas"] < extrinsic_trees.POOR]
    assert (len(poor), round(max(poor), 3)) == (9, 0.004)


def test_poor_inducers_by_hand() -> None:
    scores = pl.DataFrame(
        [
            ("a", "chain", "uas", 0.2),
            ("b", "chain", "uas", 0.5),  # 0.35 in the mean
            ("a", "chain", "ned", 0.9),
            ("a", "good", "uas", 0.4),
            ("a", "no trees", "relation_accuracy", 0.1),
        ],
        schema=["treebank", "system", "metric", "value"],
        orient="row",
    )
    poor = extrinsic_trees.poor_only(scores)
    assert poor["system"].to_list() == ["chain"] * 3


def test_drawn_systems_are_ranked_as_if_they_stood_there_twice() -> None:
    x, y = np.array([[1.0, 2.0, 3.0, 4.0]]), np.array([[2.0, 1.0, 4.0, 3.0]])
    drawn = [0, 2, 2, 3]
    (found,) = extrinsic_trees.taus_of_draws(x, y, np.array([[1.0, 0.0, 2.0, 1.0]]))
    expected = kendall_tau_b(x[0, drawn].tolist(), y[0, drawn].tolist())
    assert found.tolist() == pytest.approx([expected])
