"""What frames hold: kinds of taggers and of dictionaries, and the columns of every frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

SUPERVISED = "supervised"
CROSS_LINGUAL = "cross-lingual"
ANY_TAG = "corrupted, any wrong tag"
AS_TAGGERS = "corrupted, as taggers err"
GROUPS = (SUPERVISED, CROSS_LINGUAL, ANY_TAG, AS_TAGGERS)
"""Kinds of taggers, which are ranked separately."""

OWN, TRANSLATED, TRAINING = "D", "D_trans", "G"
"""Dictionaries: of the language, translated from English, of the training set."""
TRANSLATED_TRAINING = "G_trans"
"""The dictionary of an English training set, translated: its quality only."""

ALL, DEVELOPMENT = "all", "development languages"
"""The treebanks that errors are correlated over."""


def _columns(texts: str, whole: str, numbers: str) -> dict[str, type]:
    kinds = {str: texts, int: whole, float: numbers}
    return {name: kind for kind, names in kinds.items() for name in names.split()}


COLUMNS: Mapping[str, Mapping[str, type]] = {
    # Measured: by treebank and dictionary, what parts of dictionaries say of one tagger, which
    # entries reject most words, how well a few gold sentences rank the supervised taggers.
    "sizes": _columns(
        "treebank dictionary tagger variant",
        "size undefined",
        "value low high mean_low mean_high coverage",
    ),
    "costly": _columns("treebank dictionary tagger form tags usual_tag", "rejected words", ""),
    "held_out": _columns("treebank", "sentences", "precision_at_1 tau"),
    # Means over supervised taggers; what is behind ± ends in `_ci`, a difference is less A_true.
    "table": _columns(
        "treebank language dictionary",
        "taggers forms",
        "precision recall f1 coverage ceiling a_true a_true_ci score score_ci difference "
        "precision_at_1 tau",
    ),
    "first_sizes": _columns(
        "treebank tagger", "size", "a_true frequent coverage random random_low random_high"
    ),
    "directions": _columns("dictionary", "treebanks under over", "difference"),
    "translations": _columns("dictionary", "treebanks", "precision recall f1_of_means mean_f1"),
    # Treebanks in which the best tagger was named, ties in part; in_group: every tagger is right
    # that gold cannot tell from the best.
    "rankings": _columns(
        "group dictionary", "treebanks", "taggers a_true hits hits_in_group regret tau p"
    ),
    # Sentences that rank as well as a dictionary, by P@1 (as often as it over all treebanks) or by
    # tau (as well as it does here); none where even the largest sample is worse.
    "required": _columns("dictionary measure treebank", "sentences", "a_true"),
    "held_out_sizes": _columns("dictionary measure", "treebanks never", "mean mean_deviation"),
    # Of errors and of sentences, with qualities of dictionaries or with A_true.
    "correlations": _columns(
        "quantity variable sample group dictionary",
        "n",
        "pearson pearson_low pearson_high spearman p",
    ),
    # Mean absolute error, estimate less truth, the error of predicting the mean of the other
    # languages, and the share of truths inside 90% intervals; languages weigh alike.
    "calibration": _columns(
        "dictionary learnt_from tested_on estimator",
        "languages",
        "mae bias mae_of_mean interval_coverage",
    ),
}
"""Columns of frames that may have no rows."""


def make_frame(name: str, rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Return a frame with its columns, also where there are no rows."""
    import polars as pl

    schema = dict(COLUMNS[name]) if name in COLUMNS else None
    return pl.DataFrame([dict(row) for row in rows], schema=schema, infer_schema_length=None)
