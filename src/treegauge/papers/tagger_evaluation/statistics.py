"""What dictionaries say about taggers, over treebanks: the numbers of the paper, from frames.

They are computed in the paper's way; what is behind ± is 1.96 standard errors, over taggers in a
row of the table and over treebanks in its last row.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from treegauge.dictionaries import (
    DictionaryError,
    HeldOutPoint,
    pooled_test,
    precision_at_1,
    regret,
    required_sentences,
)
from treegauge.dictionaries.quality import harmonic_mean
from treegauge.dictionaries.ranking import top
from treegauge.papers.paper import Frames
from treegauge.papers.tagger_evaluation.frames import (
    ALL,
    ANY_TAG,
    AS_TAGGERS,
    DEVELOPMENT,
    GROUPS,
    OWN,
    SUPERVISED,
    TRAINING,
    TRANSLATED,
    TRANSLATED_TRAINING,
    make_frame,
)
from treegauge.papers.tagger_evaluation.settings import TaggerEvaluationSettings
from treegauge.significance import kendall_tau_b
from treegauge.significance.correlation import correlation

if TYPE_CHECKING:
    import polars as pl

_TRIALS_OF_MANY = 1000
"""Of permutation tests with twenty corrupted taggers per treebank."""


def derive_frames(
    frames: Frames, settings: TaggerEvaluationSettings, development: Collection[str]
) -> dict[str, pl.DataFrame]:
    """Return everything that follows from the scores of taggers.

    Parameters
    ----------
    development : collection of str
        The paper's development languages.
    """
    table = table_frame(frames["scores"], frames["qualities"])
    required = required_frame(frames["scores"], frames["held_out"])
    rows = [
        *error_correlations(table, development, settings.resamples),
        *tau_correlations(table, settings.resamples),
        *corruption_correlations(frames["corruption"], settings.resamples),
        *sentence_correlations(required, settings.resamples),
    ]
    return {
        "table": table,
        "first_sizes": first_size_frame(frames["sizes"], frames["scores"]),
        "directions": direction_frame(table),
        "translations": translation_frame(frames["qualities"]),
        "rankings": ranking_frame(frames["scores"], settings),
        "required": required,
        "held_out_sizes": held_out_frame(required),
        "correlations": make_frame("correlations", rows),
    }


def mean_of(values: Sequence[float]) -> tuple[float, float | None]:
    """Return a mean and 1.96 standard errors, None of a single value.

    >>> mean_of([1.0, 2.0, 3.0])
    (2.0, 1.1316065276116665)
    """
    spread = None
    if len(values) > 1:
        spread = float(1.96 * np.std(values, ddof=1) / math.sqrt(len(values)))
    return float(np.mean(values)), spread


def scores_by_treebank(
    scores: pl.DataFrame, group: str, dictionary: str
) -> dict[str, pl.DataFrame]:
    """Return the scores of a group by a dictionary, where every tagger has one."""
    chosen = scores.filter(group=group, dictionary=dictionary)
    parts = chosen.partition_by("treebank", as_dict=True, maintain_order=True)
    return {
        name: part
        for (name,), part in parts.items()
        if not part["a_true"].null_count() and not part["score"].null_count()
    }


def _pair(part: pl.DataFrame) -> tuple[list[float], list[float]]:
    return part["a_true"].to_list(), part["score"].to_list()


# ---------------------------------------------------------------------- Table 1


def table_frame(scores: pl.DataFrame, qualities: pl.DataFrame) -> pl.DataFrame:
    """Return Table 1: means over supervised taggers, by treebank and dictionary."""
    rows = []
    for kind in (OWN, TRANSLATED, TRAINING):
        for name, part in scores_by_treebank(scores, SUPERVISED, kind).items():
            true, soft = _pair(part)
            known = qualities.filter(treebank=name, dictionary=kind).to_dicts()
            quality = known[0] if known else {}
            a_true, a_true_ci = mean_of(true)
            score, score_ci = mean_of(soft)
            row = part.select("treebank", "language", "forms", "coverage", "ceiling").to_dicts()[0]
            row |= {key: quality.get(key) for key in ("precision", "recall", "f1")}
            row |= {"dictionary": kind, "taggers": len(part)}
            row |= {"a_true": a_true, "a_true_ci": a_true_ci, "score": score, "score_ci": score_ci}
            row |= {"difference": score - a_true, "precision_at_1": precision_at_1(true, soft)}
            rows.append({**row, "tau": kendall_tau_b(true, soft)})
    return make_frame("table", rows)


def first_size_frame(sizes: pl.DataFrame, scores: pl.DataFrame) -> pl.DataFrame:
    """Return what the smallest parts of dictionaries say, frequent words or random ones."""
    rows = []
    for points in sizes.filter(dictionary=OWN).partition_by("treebank", maintain_order=True):
        first = points.filter(points["size"] == points["size"].min()).to_dicts()
        by_variant = {row["variant"]: row for row in first}
        frequent, random = by_variant.get("+freq", {}), by_variant.get("-freq", {})
        row = {key: first[0][key] for key in ("treebank", "tagger", "size")}
        where = {"treebank": row["treebank"], "tagger": row["tagger"], "group": SUPERVISED}
        row["a_true"] = scores.filter(**where)["a_true"][0]
        row |= {"frequent": frequent.get("value"), "coverage": frequent.get("coverage")}
        row |= {"random": random.get("value"), "random_low": random.get("low")}
        rows.append({**row, "random_high": random.get("high")})
    return make_frame("first_sizes", rows)


def direction_frame(table: pl.DataFrame) -> pl.DataFrame:
    """Count where dictionaries under- and overestimate the mean of the taggers."""
    rows = []
    for kind in (OWN, TRANSLATED, TRAINING):
        values = table.filter(dictionary=kind)["difference"].to_numpy()
        if len(values):
            under, over = int((values < 0).sum()), int((values > 0).sum())
            row = {"treebanks": len(values), "under": under, "over": over}
            rows.append({"dictionary": kind, **row, "difference": float(values.mean())})
    return make_frame("directions", rows)


def closer_translated(table: pl.DataFrame) -> tuple[list[str], int]:
    """Return the treebanks in which A_trans is nearer to A_true than A_soft, and of how many."""
    own, translated = (
        dict(table.filter(dictionary=kind).select("treebank", "difference").rows())
        for kind in (OWN, TRANSLATED)
    )
    both = [name for name in own if name in translated]
    return [name for name in both if abs(translated[name]) < abs(own[name])], len(both)


def translation_frame(qualities: pl.DataFrame) -> pl.DataFrame:
    """Compare D_trans with G_trans, the translated dictionary of an English training set.

    `f1_of_means` is that of mean precision and mean recall, as in the paper.
    """
    rows = []
    for kind in (TRANSLATED, TRANSLATED_TRAINING):
        known = qualities.filter(dictionary=kind).select("precision", "recall", "f1").drop_nulls()
        if len(known):
            precision, recall, f1 = known.to_numpy().mean(axis=0).tolist()
            row = {"dictionary": kind, "treebanks": len(known), "precision": precision}
            f1_of_means = harmonic_mean(precision, recall)
            rows.append({**row, "recall": recall, "f1_of_means": f1_of_means, "mean_f1": f1})
    return make_frame("translations", rows)


# ---------------------------------------------------------------------- rankings


def ranking_frame(scores: pl.DataFrame, settings: TaggerEvaluationSettings) -> pl.DataFrame:
    """Rank supervised, cross-lingual and corrupted taggers by D and by D_trans."""
    rows = []
    for group in GROUPS:
        trials = settings.trials
        if group in (ANY_TAG, AS_TAGGERS):
            trials = min(trials, _TRIALS_OF_MANY)
        for kind in (OWN, TRANSLATED):
            by_treebank = scores_by_treebank(scores, group, kind)
            parts = {name: part for name, part in by_treebank.items() if len(part) > 1}
            if parts:
                row = _ranking(parts, group == SUPERVISED, trials, settings.seed)
                rows.append({"group": group, "dictionary": kind, **row})
    return make_frame("rankings", rows)


def _ranking(
    parts: Mapping[str, pl.DataFrame], has_groups: bool, trials: int, seed: int
) -> dict[str, Any]:
    pairs = {name: _pair(part) for name, part in parts.items()}
    tau = p = None
    try:
        pooled = pooled_test(pairs, trials=trials, seed=seed)
        tau, p = pooled.mean_tau, pooled.p
    except DictionaryError:
        pass  # all taggers are tied everywhere: there is no tau
    return {
        "treebanks": len(parts),
        "taggers": float(np.mean([len(part) for part in parts.values()])),
        "a_true": float(np.mean([np.mean(true) for true, _ in pairs.values()])),
        "hits": float(sum(precision_at_1(*pair) for pair in pairs.values())),
        "hits_in_group": sum(map(_share_among_best, parts.values())) if has_groups else None,
        "regret": float(np.mean([regret(*pair) for pair in pairs.values()])),
        "tau": tau,
        "p": p,
    }


def _share_among_best(part: pl.DataFrame) -> float:
    """Return the share of the predicted best, usually one, that are among the truly best."""
    return float(part["among_best"].to_numpy()[top(part["score"].to_list())].mean())


# ---------------------------------------------------------------------- held-out sentences


def required_frame(scores: pl.DataFrame, held_out: pl.DataFrame) -> pl.DataFrame:
    """Return the sentences that rank as well as A_soft and A_trans, by P@1 and by tau."""
    curves = {
        name: [HeldOutPoint(*row) for row in part.drop("treebank").rows()]
        for (name,), part in held_out.partition_by("treebank", as_dict=True).items()
    }
    rows = []
    for kind in (OWN, TRANSLATED):
        parts = {
            name: _pair(part)
            for name, part in scores_by_treebank(scores, SUPERVISED, kind).items()
            if len(part) > 1
        }
        reached = np.mean([precision_at_1(*pair) for pair in parts.values()]) if parts else 0.0
        taus = {name: kendall_tau_b(*pair) for name, pair in parts.items()}
        for measure in ("P@1", "tau"):
            for name, (true, _) in parts.items():
                tau = taus[name]
                if measure == "P@1":
                    goal = {"precision_at_1": float(reached)}
                elif tau is not None:
                    goal = {"tau": tau}
                else:
                    continue
                sentences = required_sentences(curves.get(name, []), **goal)
                about = {"dictionary": kind, "measure": measure, "treebank": name}
                rows.append({**about, "sentences": sentences, "a_true": float(np.mean(true))})
    return make_frame("required", rows)


def held_out_frame(required: pl.DataFrame) -> pl.DataFrame:
    """Return means and standard deviations of the sentences that are needed."""
    rows = []
    for (kind, measure), part in _partitions(required, "dictionary", "measure"):
        known = part["sentences"].drop_nulls().to_list()
        row = {"dictionary": kind, "measure": measure, "treebanks": len(part)}
        row |= {"never": len(part) - len(known)}
        row["mean"] = float(np.mean(known)) if known else None
        row["mean_deviation"] = float(np.std(known, ddof=1)) if len(known) > 1 else None
        rows.append(row)
    return make_frame("held_out_sizes", rows)


def _partitions(frame: pl.DataFrame, *keys: str) -> list[tuple[Any, pl.DataFrame]]:
    return list(frame.partition_by(*keys, as_dict=True, maintain_order=True).items())


# ---------------------------------------------------------------------- correlations


def _correlation(x: ArrayLike, y: ArrayLike, resamples: int, **about: str) -> dict[str, Any]:
    """Return a row of the frame `correlations`."""
    result = correlation(x, y, resamples=resamples).to_dict()
    low, high = result.pop("low"), result.pop("high")
    return {"sample": ALL, **about, **result, "pearson_low": low, "pearson_high": high}


def error_correlations(
    table: pl.DataFrame, development: Collection[str], resamples: int
) -> list[dict[str, Any]]:
    """Correlate |A_true - A_soft| with the F1 and the coverage of dictionaries."""
    parts = {ALL: table}
    chosen = table.filter(table["language"].is_in(list(development)))
    if 3 <= chosen["treebank"].n_unique() < table["treebank"].n_unique():
        parts[DEVELOPMENT] = chosen
    rows = []
    for sample, part in parts.items():
        for kind in (OWN, TRANSLATED):
            of_kind = part.filter(dictionary=kind)
            errors = of_kind["difference"].abs()
            about = {"quantity": "error", "group": SUPERVISED, "dictionary": kind}
            for variable in ("F1", "coverage"):
                values = np.array(of_kind[variable.lower()].to_list(), np.float64)
                rows.append(
                    _correlation(
                        values, errors, resamples, variable=variable, **{**about, "sample": sample}
                    )
                )
    return rows


def tau_correlations(table: pl.DataFrame, resamples: int) -> list[dict[str, Any]]:
    """Correlate tau with the mean of the taggers' A_true, and with how far they are apart.

    The spread is what is behind ± in Table 1, so that the paper's rows have it too.
    """
    rows = []
    for kind in (OWN, TRANSLATED):
        of_kind = table.filter(dictionary=kind)
        tau = np.array(of_kind["tau"].to_list(), np.float64)
        about = {"quantity": "tau", "group": SUPERVISED, "dictionary": kind}
        for variable, column in (("A_true", "a_true"), ("spread of A_true", "a_true_ci")):
            values = np.array(of_kind[column].to_list(), np.float64)
            rows.append(_correlation(values, tau, resamples, variable=variable, **about))
    return rows


def corruption_correlations(corruption: pl.DataFrame, resamples: int) -> list[dict[str, Any]]:
    """Correlate error and accuracy over all treebanks and levels of corrupted taggers.

    Levels of one treebank hang together, so that interval and p are too sure.
    """
    rows = []
    about = {"quantity": "error", "variable": "A_true", "dictionary": OWN}
    for group in (ANY_TAG, AS_TAGGERS):
        points = corruption.filter(group=group).drop_nulls("error")
        rows.append(_correlation(points["true"], points["error"], resamples, group=group, **about))
    return rows


def sentence_correlations(required: pl.DataFrame, resamples: int) -> list[dict[str, Any]]:
    """Correlate the sentences that are needed with the mean A_true."""
    rows = []
    for (kind, measure), part in _partitions(required, "dictionary", "measure"):
        about = {"quantity": f"sentences by {measure}", "group": SUPERVISED, "dictionary": kind}
        sentences = np.array(part["sentences"].to_list(), np.float64)
        rows.append(_correlation(sentences, part["a_true"], resamples, variable="A_true", **about))
    return rows
