"""Scores of taggers made by hand, and the paper's own as if they were ours."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any

import polars as pl

from treegauge.dictionaries import GoldBlock, Record
from treegauge.dictionaries.quality import harmonic_mean
from treegauge.dictionaries.records import Conditions
from treegauge.dictionaries.soft_accuracy import SoftAccuracy
from treegauge.papers.tagger_evaluation.frames import (
    CROSS_LINGUAL,
    OWN,
    SUPERVISED,
    TRAINING,
    TRANSLATED,
)
from treegauge.papers.tagger_evaluation.measure import score_row
from treegauge.papers.tagger_evaluation.paper import TaggerEvaluation
from treegauge.papers.tagger_evaluation.settings import TaggerEvaluationSettings
from treegauge.papers.tagger_evaluation.statistics import (
    table_frame,
)

QUICK = TaggerEvaluationSettings(resamples=20, trials=200)
PAPER = TaggerEvaluation()

Scores = dict[tuple[str, str], dict[str, tuple[float, float | None]]]
"""By group and dictionary, then tagger: A_true and A_soft."""


def _filled(kind: type, **known: Any) -> Any:
    """Make a dataclass of which only a few fields matter."""
    return kind(**{**{field.name: None for field in fields(kind)}, **known})


HASHES = dict.fromkeys(("text_hash", "tag_map_hash", "dictionary_hash"), "0" * 16)


def record(tagger: str, language: str, true: float, soft: float | None, forms: int = 10) -> Record:
    return Record(
        tagger,
        _filled(Conditions, treebank=language, language=language, forms=forms, **HASHES),
        _filled(SoftAccuracy, value=soft, coverage=0.5, costly=()),
        _filled(GoldBlock, accuracy=true, ceiling=0.9, wrong_accepted=0.1),
    )


def scores_frame(treebanks: dict[str, Scores], best: dict[str, tuple[str, ...]]) -> pl.DataFrame:
    """Make the frame of scores from scores by treebank, and the best taggers by gold."""
    rows = []
    for name, scores in treebanks.items():
        for (group, kind), of_group in scores.items():
            for tagger, pair in of_group.items():
                made = score_row(record(tagger, name, *pair), best.get(name, ()))
                about = {"treebank": name, "group": group, "dictionary": kind}
                rows.append({**about, **made})
    return pl.DataFrame(rows, infer_schema_length=None)


def qualities_frame(rows: dict[tuple[str, str], tuple[float, float]]) -> pl.DataFrame:
    names = ("treebank", "dictionary", "precision", "recall", "f1")
    made = [(*place, p / 100, r / 100, harmonic_mean(p, r) / 100) for place, (p, r) in rows.items()]
    return pl.DataFrame(made, schema=names, orient="row")


NO_QUALITIES = pl.DataFrame(schema={"treebank": str, "dictionary": str})


ONE: Scores = {
    (SUPERVISED, OWN): {"a": (0.9, 0.8), "b": (0.8, 0.7), "c": (0.7, 0.6)},
    (SUPERVISED, TRANSLATED): {"a": (0.9, 0.5), "b": (0.8, 0.6), "c": (0.7, 0.55)},
    (SUPERVISED, TRAINING): {"a": (0.9, 1.0), "b": (0.8, 1.0), "c": (0.7, 1.0)},
}
TWO: Scores = {
    (SUPERVISED, OWN): {"a": (0.6, 0.9), "b": (0.8, 0.9), "c": (0.7, 0.6)},
    (SUPERVISED, TRANSLATED): {"a": (0.6, None), "b": (0.8, None), "c": (0.7, None)},
    (CROSS_LINGUAL, OWN): {"x": (0.4, 0.5), "y": (0.5, 0.4)},
}
BOTH = scores_frame({"one": ONE, "two": TWO}, {"one": ("a", "b"), "two": ("b",)})


@cache
def frames_of_the_paper() -> dict[str, pl.DataFrame]:
    """The paper's Table 1 as if it were ours, its means as the scores of one tagger."""
    treebanks: dict[str, Scores] = {}
    qualities = {}
    for row in PAPER.published()["table"].to_dicts():
        scores = treebanks.setdefault(row["language"], {})
        scores[SUPERVISED, row["dictionary"]] = {"mean": (row["a_true"], row["score"])}
        place = (row["language"], row["dictionary"])
        qualities[place] = (100 * row["precision"], 100 * row["recall"])
    frames = {"qualities": qualities_frame(qualities), "scores": scores_frame(treebanks, {})}
    return {**frames, "table": table_frame(frames["scores"], frames["qualities"])}
