"""The paper's own numbers as frames of the shape that a run has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treegauge.papers.tagger_evaluation.frames import COLUMNS, OWN, TRANSLATED
from treegauge.papers.tagger_evaluation.statistics import direction_frame

if TYPE_CHECKING:
    import polars as pl

_MEAN = "mean"
"""The code of the row of means."""
_TAGGERS = 5


def published_frames(table_1: pl.DataFrame, text: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return frames of the paper's Table 1 and of the figures in its text.

    `table` has besides what a run has the name of the language, and whether it is one of the nine
    development languages; `means` has the table's last row as printed.
    """
    import polars as pl

    table = pl.concat(
        [_long(table_1, OWN, "", "soft"), _long(table_1, TRANSLATED, "_trans", "trans")]
    )
    is_mean = pl.col("language") == _MEAN
    languages = table.filter(~is_mean)
    frames = {
        "table": languages,
        "means": table.filter(is_mean),
        "directions": direction_frame(languages),
    }
    for (name,), part in text.partition_by("frame", as_dict=True).items():
        columns = {key: kind for key, kind in COLUMNS[name].items() if key in part.columns}
        frames[name] = part.select(pl.col(key).cast(kind) for key, kind in columns.items())
    return frames


def _long(table_1: pl.DataFrame, dictionary: str, of_quality: str, of_score: str) -> pl.DataFrame:
    """Return the columns of one dictionary, shares in 0..1, for languages that have it."""
    import polars as pl

    def share(column: str) -> pl.Expr:
        return pl.col(column) / 100

    precision, recall = share(f"P{of_quality}"), share(f"R{of_quality}")
    score = share(f"A_{of_score}")
    return table_1.select(
        treebank=pl.col("code"),
        language=pl.col("code"),
        name=pl.col("language"),
        is_development=pl.col("development") == 1,
        dictionary=pl.lit(dictionary),
        taggers=pl.lit(_TAGGERS),
        forms=1000 * pl.col("D" if dictionary == OWN else dictionary),
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / (precision + recall),
        a_true=share("A_true"),
        a_true_ci=share("A_true_ci"),
        score=score,
        score_ci=share(f"A_{of_score}_ci"),
        difference=score - share("A_true"),
        precision_at_1=pl.col(f"P1_{of_score}"),
        tau=pl.col(f"tau_{of_score}"),
    ).drop_nulls("score")
