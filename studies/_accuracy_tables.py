"""The tables of `studies.accuracy_models`, for `studies.pages`."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from studies.accuracy_models import CASES, FAIR, MODELS, OURS, TABLE
from studies.learning_curves import results


def page_table() -> str:
    """Return errors of all models, and what the program's predictions are worth."""
    rows = pl.read_csv(TABLE, separator="\t")
    own = rows.filter(pl.col("case") == "own")
    targets = own.select("parser", "metric").unique(maintain_order=True).rows()
    lines = [
        f"| predicted by | {' | '.join(_named(*target) for target in targets)} |",
        "| :-- |" + " --: |" * len(targets),
    ]
    for name in MODELS:
        cells = []
        for parser, metric in targets:
            one = own.row(by_predicate=_is(parser, metric, name), named=True)
            cells.append(f"{100 * one['error']:.1f} ({one['ratio']:.2f})")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += [
        "\nMean absolute error for a language left out, in points, averages over languages; in "
        "parentheses: divided by that of the first row.\n",
        "| parser | predicted from | languages | accuracies | error | the mean's error "
        "| their ratio | in 90% intervals |",
        "| :-- | :-- | --: | --: | --: | --: | --: | --: |",
    ]
    for parser, metric in targets:
        for case, text in CASES.items():
            chosen = rows.filter(pl.col("case") == case)
            ours, fair = (
                chosen.row(by_predicate=_is(parser, metric, name), named=True)
                for name in (OURS, FAIR)
            )
            cells = [
                _with_interval(100, ours, "error", "low", "high", 1),
                _with_interval(100, fair, "error", "low", "high", 1),
                _with_interval(1, ours, "ratio", "ratio_low", "ratio_high", 2),
                f"{100 * ours['coverage']:.0f}%",
            ]
            name = _named(parser, metric)
            counts = f"{ours['languages']} | {ours['rows']}"
            lines.append(f"| {name} | {text} | {counts} | {' | '.join(cells)} |")
    kept = results()
    commits = ", ".join(f"`{one}`" for one in kept["commit"].unique().sort())
    return "\n".join(lines) + (
        "\n\nIn brackets: 95% intervals over languages. The mean is that of other languages at "
        f"the same size. {kept['treebank'].n_unique()} treebanks in their own order. Parsers "
        f"trained at commit {commits}, {_hours(kept):.1f} hours of one CPU.\n\n"
    )


def _named(parser: str, metric: str) -> str:
    return f"`{parser}`, {metric.upper()}"


def _is(parser: str, metric: str, model: str) -> pl.Expr:
    return pl.struct("parser", "metric", "model") == pl.struct(
        parser=pl.lit(parser), metric=pl.lit(metric), model=pl.lit(model)
    )


def _with_interval(
    factor: int, row: Mapping[str, float], name: str, low: str, high: str, digits: int
) -> str:
    value, start, end = (f"{factor * row[key]:.{digits}f}" for key in (name, low, high))
    return f"{value} [{start}, {end}]"


def _hours(kept: pl.DataFrame) -> float:
    """Return how long it took; all numbers of a sample and a system were measured at once."""
    once = kept.unique(["treebank", "order", "size", "system"])
    return float(once["seconds"].sum()) / 3600
