"""What the paper says of its figures, as predicates of frames."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from treegauge.dictionaries.ranking import least_significant_tau
from treegauge.papers.paper import Checked, Frames, Remark
from treegauge.papers.tagger_evaluation.frames import (
    ANY_TAG,
    CROSS_LINGUAL,
    OWN,
    SUPERVISED,
    TRAINING,
    TRANSLATED,
    TRANSLATED_TRAINING,
)
from treegauge.papers.tagger_evaluation.statistics import closer_translated
from treegauge.significance.correlation import correlation

_CLOSE = 0.05
"""What the paper calls close to A_true (section 5)."""


def _judged(claims: Sequence[bool], evidence: str) -> Checked:
    """Return that all, some or none of the claims hold."""
    if all(claims):
        return Checked("holds", evidence)
    return Checked("partly" if any(claims) else "does not hold", evidence)


def _row(frames: Frames, frame: str, **where: str) -> dict[str, Any] | None:
    rows = frames[frame].filter(**where).to_dicts() if frame in frames else []
    return rows[0] if rows else None


def _finds_the_best(dictionary: str) -> Callable[[Frames], Checked | None]:
    def check(frames: Frames) -> Checked | None:
        row = _row(frames, "rankings", group=SUPERVISED, dictionary=dictionary)
        if row is None:
            return None
        hits, n = row["hits"], row["treebanks"]
        return _judged([hits > n / 2], f"found in {hits:.3g}/{n}")

    return check


def _few_words_suffice(frames: Frames) -> Checked | None:
    """Check that a hundred frequent words come close to A_true in most treebanks."""
    rows = _first_sizes(frames)
    close = sum(abs(row["frequent"] - row["a_true"]) <= _CLOSE for row in rows)
    evidence = f"within 5 points in {close}/{len(rows)}"
    return _judged([close > len(rows) / 2], evidence) if rows else None


def _random_words_do_not(frames: Frames) -> Checked | None:
    """Check that a bad sample misleads more than the frequent words do, in most treebanks."""
    rows = _first_sizes(frames)
    worse = 0
    for row in rows:
        ends = (row["random_low"] - row["a_true"], row["random_high"] - row["a_true"])
        worse += max(map(abs, ends)) > abs(row["frequent"] - row["a_true"])
    evidence = f"the worse end is further off in {worse}/{len(rows)}"
    return _judged([worse > len(rows) / 2], evidence) if rows else None


def _first_sizes(frames: Frames) -> list[dict[str, Any]]:
    if "first_sizes" not in frames:
        return []
    return frames["first_sizes"].drop_nulls(["frequent", "random_low"]).to_dicts()


def _correlates(sign: int, **where: str) -> Callable[[Frames], Checked | None]:
    """Return a check that a correlation is below zero (-1), or above it (1)."""

    def check(frames: Frames) -> Checked | None:
        row = _row(frames, "correlations", **where)
        if row is None or row["pearson"] is None:
            return None
        return _judged([sign * row["pearson"] > 0], f"{row['pearson']:.2f}, n = {row['n']}")

    return check


def _noisy_below_reliable_above(frames: Frames) -> Checked | None:
    claims, evidence = [], []
    for kind, column in ((OWN, "under"), (TRAINING, "over")):
        row = _row(frames, "directions", dictionary=kind)
        if row is not None:
            claims.append(row[column] > row["treebanks"] / 2)
            evidence.append(f"{kind} {column} in {row[column]}/{row['treebanks']}")
    return _judged(claims, "; ".join(evidence)) if claims else None


def _translation_is_stable(frames: Frames) -> Checked | None:
    table = frames["table"]
    nearer, of = closer_translated(table)
    if of < 2:
        return None
    own, translated = (
        float(np.std(table.filter(dictionary=kind)["difference"].to_list(), ddof=1))
        for kind in (OWN, TRANSLATED)
    )
    return _judged(
        [0 < len(nearer) < of / 2, translated < own],
        f"nearer in {len(nearer)}/{of}; errors deviate by {100 * translated:.2f}, "
        f"those of A_soft by {100 * own:.2f}",
    )


def _rankings_are_significant(frames: Frames) -> Checked | None:
    """Check tau by the exact distribution: with few taggers, only a few orders are rare enough."""
    rows = frames["table"].filter(dictionary=OWN).drop_nulls("tau").to_dicts()
    if not rows:
        return None
    significant = 0
    for row in rows:
        least = least_significant_tau(row["taggers"])
        significant += least is not None and abs(row["tau"]) >= least - 1e-12
    evidence = f"p < 0.05 in {significant}/{len(rows)}"
    return Checked("holds" if significant == len(rows) else "does not hold", evidence)


def _low_and_apart_is_easier(frames: Frames) -> Checked | None:
    rows = frames["table"].filter(dictionary=OWN).drop_nulls("tau")
    by = {
        name: correlation(rows[name].cast(float), rows["tau"], resamples=0).pearson
        for name in ("a_true", "a_true_ci")
    }
    low, apart = by.values()
    if low is None or apart is None:
        return None
    return _judged(
        [low < 0, apart > 0], f"tau with A_true {low:.2f}, with its spread over taggers {apart:.2f}"
    )


def _cross_lingual_is_easier(frames: Frames) -> Checked | None:
    claims, evidence = [], []
    for kind in (OWN, TRANSLATED):
        ours, theirs = (
            _row(frames, "rankings", group=group, dictionary=kind)
            for group in (CROSS_LINGUAL, SUPERVISED)
        )
        if ours is None or theirs is None:
            continue
        claims.append(ours["hits"] / ours["treebanks"] > theirs["hits"] / theirs["treebanks"])
        evidence.append(
            f"{kind}: {ours['hits']:.3g}/{ours['treebanks']}, "
            f"supervised {theirs['hits']:.3g}/{theirs['treebanks']}"
        )
    return _judged(claims, "; ".join(evidence)) if claims else None


def _fifty_sentences(frames: Frames) -> Checked | None:
    row = _row(frames, "held_out_sizes", dictionary=TRANSLATED, measure="P@1")
    if row is None or row["mean"] is None:
        return None
    spread = "" if row["mean_deviation"] is None else f" ± {row['mean_deviation']:.0f}"
    return _judged([28 <= row["mean"] <= 82], f"{row['mean']:.0f}{spread} sentences")


def _dictionary_translates_better(frames: Frames) -> Checked | None:
    own, training = (
        _row(frames, "translations", dictionary=kind) for kind in (TRANSLATED, TRANSLATED_TRAINING)
    )
    if own is None or training is None:
        return None
    ours, theirs = own["f1_of_means"], training["f1_of_means"]
    return _judged([ours > theirs], f"F1 {100 * ours:.2f} and {100 * theirs:.2f}")


_ERROR = {"quantity": "error", "group": SUPERVISED, "dictionary": OWN}

REMARKS = (
    Remark(
        "3",
        "Translations of a dictionary are better than those of a training set (footnote 3).",
        _dictionary_translates_better,
    ),
    Remark(
        "3.1",
        "Without frequencies, a bad sample of words misleads more than the most frequent ones.",
        _random_words_do_not,
    ),
    Remark(
        "3.1",
        "The better a dictionary (F1), the better the estimate: its error falls.",
        _correlates(-1, variable="F1", **_ERROR),
    ),
    Remark(
        "3.1",
        "The more words it covers, the better the estimate.",
        _correlates(-1, variable="coverage", **_ERROR),
    ),
    Remark(
        "3.1",
        "Noisy dictionaries underestimate; those of training sets overestimate.",
        _noisy_below_reliable_above,
    ),
    Remark(
        "3.1",
        "A_trans is nearer than A_soft for some languages (7/20), and more stable across them.",
        _translation_is_stable,
    ),
    Remark("3.1", "A_soft finds the best tagger in most languages.", _finds_the_best(OWN)),
    Remark("3.1", "A_trans finds the best tagger in most languages.", _finds_the_best(TRANSLATED)),
    Remark(
        "3.1",
        "True and estimated rankings are dependent at p < 0.05 for all languages.",
        _rankings_are_significant,
    ),
    Remark(
        "3.1",
        "Taggers are easier to rank when true scores are lower and further apart.",
        _low_and_apart_is_easier,
    ),
    Remark(
        "3.2",
        "Higher scores are harder to estimate: errors grow with the accuracy of corrupted gold.",
        _correlates(1, quantity="error", variable="A_true", group=ANY_TAG),
    ),
    Remark(
        "3.2",
        "The best of cross-lingual taggers is found more often than that of supervised ones.",
        _cross_lingual_is_easier,
    ),
    Remark(
        "3.2",
        "About 55 ± 27 annotated sentences rank as well as A_trans.",
        _fifty_sentences,
    ),
    Remark(
        "3.2",
        "The lower the accuracy, the more sentences are needed.",
        _correlates(-1, quantity="sentences by P@1", dictionary=TRANSLATED),
    ),
    Remark(
        "5",
        "A hundred frequent words predict the true accuracy within 5 points in most languages.",
        _few_words_suffice,
    ),
)
"""In the order of the paper."""
