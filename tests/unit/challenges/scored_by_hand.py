"""Results of submissions that nobody had to score: sentences and what is right in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import numpy as np

from treegauge.challenges.packs import sha256
from treegauge.challenges.scored_submission import ScoredSubmission


def scored_by_hand(
    name: str,
    right: Mapping[str, Sequence[int]],
    *,
    whole: int = 10,
    treebanks: Sequence[str] = ("svo", "sov"),
    metric: str = "uas",
    track: str = "dependencies",
    team: str = "us",
    supervision: str = "unsupervised",
    standards: Mapping[str, float] | None = None,
    scorer: str = "0" * 16,
) -> ScoredSubmission:
    """Return a result: words that are right in every sentence of a treebank, of `whole` each.

    `standards` are further gold standards, each with one score for all treebanks.
    """
    documents: dict[str, Any] = {}
    for treebank, own in right.items():
        value = sum(own) / (whole * len(own))
        gold = {
            "scores": {metric: _score(value, whole * len(own), treebank)},
            "strata": {
                "edge_length": {"metric": metric, "cells": [_cell("1", value)]},
                "relation": {"metric": metric, "cells": [_cell("GOLDREL", value)]},
            },
            "sentences": {"right": list(own), "whole": [whole] * len(own)},
        }
        others = {
            other: {"scores": {metric: _score(score, 1, treebank)}, "strata": {}}
            for other, score in (standards or {}).items()
        }
        documents[treebank] = {
            "sentences": len(own),
            "words": whole * len(own),
            "flaws": "",
            "standards": {"gold": gold, **others},
            "confusion": {"column": "deprel", "counts": [["GOLDREL", "dep", 3]]},
            "examples": {
                "names": ["", "GOLDTAG"],
                "sentences": [["sentence 1", 0, "GOLDWORD", "1", "0", "0", ["0", "", ""]]],
            },
        }
    missing = [name for name in treebanks if name not in right]
    averages: dict[str, Any] = {}
    if not missing:
        value = fmean(sum(right[t]) / (whole * len(right[t])) for t in treebanks)
        averages["gold"] = {metric: {"value": value, "low": value, "high": value}}
        for other, score in (standards or {}).items():
            averages[other] = {metric: {"value": score, "low": score, "high": score}}
    return ScoredSubmission(
        {
            "schema": 1,
            "challenge": "small",
            "track": track,
            "part": "test",
            "scorer": scorer,
            "submission": {
                "id": sha256(f"{team}/{name}/{right}".encode()),
                "system": name,
                "team": team,
                "supervision": supervision,
            },
            "treebanks": documents,
            "averages": {"treebanks": list(treebanks), "missing": missing, "standards": averages},
        }
    )


def _score(value: float, n: int, treebank: str) -> dict[str, Any]:
    signature = f"uas|punct:removed|len:all|data:{treebank}#f1n93rpr|v:0.1.0"
    return {"value": value, "low": value, "high": value, "n": n, "signature": signature}


def _cell(name: str, value: float) -> dict[str, Any]:
    return {"stratum": name, "value": value, "low": value, "high": value, "n": 10}


def rates(rate: float, seed: int, sentences: int = 40) -> dict[str, list[int]]:
    """Return right words of sentences of ten, on two treebanks."""
    random = np.random.default_rng(seed)
    return {name: random.binomial(10, rate, sentences).tolist() for name in ("svo", "sov")}
