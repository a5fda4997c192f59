"""Tables of supervised parsers and taggers, for `studies.pages`."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from studies._inducer_tables import COST_HEADS, averages_of, costs_of
from studies.measured import provenance


def parsers(results: pl.DataFrame) -> str:
    """Return attachment of every parser on every treebank, means, and seconds."""
    names = results["system"].unique(maintain_order=True).to_list()
    of_cells = results.unique("cell", maintain_order=True).group_by("system")
    spent = dict(of_cells.agg(pl.col("seconds").sum() / pl.col("seed").n_unique()).iter_rows())
    seconds = " | ".join(f"{spent[name]:.0f}" for name in names)
    n_seeds = results["seed"].n_unique()
    over_seeds = f", averages of {n_seeds} seeds where seeds matter" if n_seeds > 1 else ""
    return (
        f"{_by_treebank(results, names, ('uas', 'las'))}\n| seconds | {seconds} |\n\n"
        f"UAS / LAS in per cent{over_seeds}, means with ± half a 95% interval; seconds of learning "
        "and parsing in all.\n\n"
    )


def taggers(results: pl.DataFrame) -> str:
    """Return the accuracy of every tagger on every treebank, and means."""
    names = results["system"].unique(maintain_order=True).to_list()
    return (
        f"{_by_treebank(results, names, ('upos',))}\n\nRight universal tags in per cent, means "
        "with ± half a 95% interval.\n\n"
    )


def _by_treebank(results: pl.DataFrame, names: Sequence[str], metrics: Sequence[str]) -> str:
    """Return a table with a column per system: treebanks, and means in the last row."""
    lines = [
        f"{provenance(results)}\n",
        f"| treebank | {' | '.join(f'`{name}`' for name in names)} |",
        "| :-- |" + " --: |" * len(names),
    ]
    of_seeds = results.group_by("treebank", "system", "metric").agg(100 * pl.col("value").mean())
    values = {tuple(place): value for *place, value in of_seeds.iter_rows()}
    for treebank in results["treebank"].unique(maintain_order=True):
        cells = [
            " / ".join(f"{values[treebank, name, metric]:.1f}" for metric in metrics)
            for name in names
        ]
        lines.append(f"| `{treebank}` | {' | '.join(cells)} |")
    cells = []
    for name in names:
        means = averages_of(results.filter(pl.col("system") == name), metrics)
        shares = (f"{100 * mean:.1f} ± {100 * half:.1f}" for mean, half, _ in means.values())
        cells.append(" / ".join(shares))
    return "\n".join([*lines, f"| mean | {' | '.join(cells)} |"])


def settings(results: pl.DataFrame) -> str:
    """Return LAS of every setting on every treebank, the mean of its seeds, and means of all."""
    names = results["system"].unique(maintain_order=True).to_list()
    las = {
        (treebank, name): 100 * value
        for treebank, name, value in (
            results.filter(pl.col("metric") == "las")
            .group_by("treebank", "system")
            .agg(pl.col("value").mean())
            .iter_rows()
        )
    }
    treebanks = results["treebank"].unique(maintain_order=True).to_list()
    lines = [
        f"{provenance(results)}\n",
        f"| treebank | {' | '.join(f'`{name}`' for name in names)} |",
        "| :-- |" + " --: |" * len(names),
    ]
    for treebank in treebanks:
        cells = (f"{las[treebank, name]:.1f}" for name in names)
        lines.append(f"| `{treebank}` | {' | '.join(cells)} |")
    for title, metric in (("mean LAS", "las"), ("mean UAS", "uas")):
        means = (
            averages_of(results.filter(pl.col("system") == name), (metric,))[metric][0]
            for name in names
        )
        lines.append(f"| {title} | {' | '.join(f'{100 * mean:.1f}' for mean in means)} |")
    seeds = results["seed"].n_unique()
    return "\n".join(lines) + f"\n\nLAS in per cent on dev parts, means of {seeds} seeds.\n\n"


def neural_parsers(results: pl.DataFrame) -> str:
    """Return attachment and costs of every parser."""
    lines = [
        f"{provenance(results)}\n",
        f"| system | UAS | LAS | {' | '.join(COST_HEADS)} |",
        "| :-- |" + " --: |" * (2 + len(COST_HEADS)),
    ]
    for name in results["system"].unique(maintain_order=True):
        rows = results.filter(pl.col("system") == name)
        half = 100 * (pl.col("high") - pl.col("low")) / 2
        scores = rows.select("metric", 100 * pl.col("value"), half.alias("half"))
        cells = {metric: f"{value:.2f} ± {half:.2f}" for metric, value, half in scores.iter_rows()}
        costs = " | ".join(costs_of(rows))
        lines.append(f"| `{name}` | {cells['uas']} | {cells['las']} | {costs} |")
    return (
        "\n".join(lines) + "\n\nPer cent, ± half a 95% interval; seconds of learning and parsing "
        "on the clock, memory at the peak without the GPU's.\n\n"
    )


def epochs(results: pl.DataFrame) -> str:
    """Return the mean accuracy for every number of epochs, and what it costs."""
    epochs = pl.col("settings").str.json_path_match("$.epochs").cast(pl.Int64)
    lines = [
        f"{provenance(results)}\n",
        f"| epochs | UAS | LAS | {' | '.join(COST_HEADS)} |",
        "| --: |" + " --: |" * (2 + len(COST_HEADS)),
    ]
    for (number,), rows in (
        results.with_columns(epochs.alias("epochs"))
        .sort("epochs")
        .group_by("epochs", maintain_order=True)
    ):
        uas, las = (
            100 * rows.filter(pl.col("metric") == metric)["value"].mean()
            for metric in ("uas", "las")
        )
        lines.append(f"| {number} | {uas:.1f} | {las:.1f} | {' | '.join(costs_of(rows))} |")
    return (
        "\n".join(lines) + "\n\nPer cent, averages of the dev parts of "
        f"{', '.join(f'`{name}`' for name in results['treebank'].unique().sort())}; medians "
        "of seconds and memory, twelve trainings on one GPU.\n\n"
    )
