"""Tables and figures of derivation perplexity and accuracy, the published numbers beside ours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import polars as pl

from treegauge.papers.paper import Frames, Measurements
from treegauge.papers.perplexity.measure import TRANSITION_SYSTEMS
from treegauge.papers.perplexity.statistics import ACCURACIES, MORPHOLOGY, VARIABLES
from treegauge.properties.derivation_perplexity import PerplexitySettings
from treegauge.reports.charts import Figure, Palette, Spot, file_name, scatter_chart
from treegauge.tables import Column, Table, column_key, from_records
from treegauge.tables.numbers import PERCENT_1, NumberFormat

if TYPE_CHECKING:
    from treegauge.papers.perplexity.paper import DerivationPerplexitySettings

_PAPER = "Søgaard and Haulrich (2010)"
_PERPLEXITY = NumberFormat(decimals=1)
_RHO = NumberFormat(decimals=3)
_EXACT_P = NumberFormat(decimals=4, kind="p")
_DRAWN = ("size", "size / string perplexity", "size / derivation perplexity")


def all_tables(
    measured: Measurements[DerivationPerplexitySettings],
    published: Frames,
    shared_tasks: pl.DataFrame,
) -> list[Table]:
    """Return all tables."""
    frames = measured.frames
    return [
        treebank_table(measured, shared_tasks),
        increase_table(frames["increases"], published["increases"]),
        *correlation_tables(frames["correlations"], published["correlations"]),
        morphology_table(frames["correlations"]),
        parser_table(frames["parsers"], PerplexitySettings.parse(measured.settings.perplexity)),
        metric_table(frames["metrics"], published["metrics"]),
        separation_table(frames["separations"]),
    ]


def treebank_table(
    measured: Measurements[DerivationPerplexitySettings], shared_tasks: pl.DataFrame
) -> Table:
    """Return size, perplexities and accuracies of every treebank."""
    settings = measured.settings
    best = shared_tasks.filter(metric="las_best").select(
        "treebank", best_las_published=pl.col("value") / 100
    )
    treebanks = measured.frames["treebanks"].join(
        best, on="treebank", how="left", maintain_order="left"
    )
    parsers = ", ".join([*TRANSITION_SYSTEMS, *settings.all_others])
    notes = [
        f"{PerplexitySettings.parse(settings.perplexity).wording}; all: the same with unknown "
        "words counted, which treebanks can be compared by",
        f"accuracies of {parsers}; gold tags, punctuation not counted",
        "genuine: annotated as dependencies from the beginning",
    ]
    fixed = treebanks.filter("has_fixed_discounts")["treebank"].to_list()
    if fixed:
        notes.append(f"fixed discounts, because counts are missing: {', '.join(fixed)}")
    notes += [
        f"{name}: coarse tags stand for universal tags, which are missing"
        for name in treebanks.filter("coarse_tags")["treebank"]
    ]
    if treebanks["best_las_published"].is_not_null().any():
        notes.append("in parentheses: best of the shared task, unverified")
    genuine = pl.when("is_genuine").then(pl.lit("yes")).otherwise(pl.lit("no"))
    return from_records(
        [
            *("treebank", "train tokens"),
            *(Column(title, format=_PERPLEXITY) for title in ("string", "derivation")),
            *(Column(title, format=_PERPLEXITY) for title in ("string, all", "derivation, all")),
            Column("% unknown", "unknown_rate", PERCENT_1),
            *(Column(title, format=PERCENT_1) for title in ("best UAS", "best LAS", "mean LAS")),
            "genuine",
        ],
        treebanks.with_columns(genuine=genuine).to_dicts(),
        title="Perplexities of treebanks",
        notes=[*notes, *measured.failures],
    )


def increase_table(increases: pl.DataFrame, published: pl.DataFrame) -> Table:
    """Return both readings of the increase, ours and the paper's."""
    theirs = published.with_columns(group=pl.format(f"{{}} ({_PAPER})", "group"))
    columns = {
        "ratio_of_means": "ratio of means %",
        "mean_of_ratios": "mean of ratios %",
        "printed": "as printed %",
    }
    return from_records(
        [
            "group",
            *(Column(f"mean {name}", name, _PERPLEXITY) for name in ("string", "derivation")),
            *(Column(title, key, PERCENT_1) for key, title in columns.items()),
        ],
        pl.concat([increases, theirs], how="diagonal").to_dicts(),
        title="Increase from string to derivation perplexity",
    )


def correlation_tables(correlations: pl.DataFrame, published: pl.DataFrame) -> list[Table]:
    """Return, for every group, what goes with accuracy."""
    theirs = published.select(
        "variable", pl.format("{} {}", "group", "accuracy").alias("accuracy"), "pearson"
    ).pivot("accuracy", index="variable", values="pearson", maintain_order=True)
    tables = []
    for group in correlations["group"].unique(maintain_order=True):
        members = correlations.filter(pl.col("variable").is_in(list(VARIABLES)), group=group)
        rows: dict[str, dict[str, Any]] = {}
        for row in members.iter_rows(named=True):
            ours = rows.setdefault(row["variable"], {"variable": row["variable"]})
            ours |= {
                key.replace("pearson", column_key(row["accuracy"])): value
                for key, value in row.items()
                if key.startswith("pearson")
            }
        for variable, *values in theirs.iter_rows():
            rows[variable] |= zip(map(column_key, theirs.columns[1:]), values, strict=True)
        missing = dict.fromkeys(map(column_key, theirs.columns[1:]))
        tables.append(
            from_records(
                ["variable", *ACCURACIES, *theirs.columns[1:]],
                [missing | row for row in rows.values()],
                title=f"Correlation with accuracy: {group}, {max(members['pearson_n'])} treebanks",
                notes=[
                    "Pearson's coefficient, 95% interval over resampled treebanks, p by "
                    "permutation; C06 and C07: " + _PAPER
                ],
            )
        )
    return tables


def morphology_table(correlations: pl.DataFrame) -> Table:
    """Return whether morphology goes with accuracy, alone and given size and perplexity."""
    rows = correlations.filter(pl.col("variable").is_in(list(MORPHOLOGY)))
    return from_records(
        [
            *("group", "variable", "accuracy", Column("held fixed", "given")),
            *(Column("correlation", "pearson"), Column("treebanks", "pearson_n")),
        ],
        rows.with_columns(pl.col("given").replace("", "nothing")).to_dicts(),
        title="Morphology",
        notes=[f"{_PAPER}: perplexity matters, morphological complexity does not"],
    )


def parser_table(parsers: pl.DataFrame, settings: PerplexitySettings) -> Table:
    """Return the three metrics of the four parsers on every treebank."""
    chosen = parsers.filter(pl.col("parser").is_in([*TRANSITION_SYSTEMS, "gold"]))
    wide = chosen.pivot("metric", index=["treebank", "parser"], values=["value", "low", "high"])
    # `low_uas` belongs to `uas`, and tables look for it as `uas_low`.
    wide = wide.rename(lambda name: re.sub(r"^(low|high)_(.*)", r"\2_\1", name))
    wide = wide.rename(lambda name: name.removeprefix("value_"))
    return from_records(
        [
            *("treebank", "parser", Column("UAS", format=PERCENT_1)),
            Column("exact match", format=PERCENT_1),
            Column("perplexity", format=_PERPLEXITY),
            Column("in its own order", "own_perplexity", _PERPLEXITY),
        ],
        wide.to_dicts(),
        title="Derivation perplexity of parsers",
        notes=[
            "low perplexity does not mean good trees: compare it with that of gold",
            f"canonical order: {settings.system}",
        ],
    ).without_intervals()


def metric_table(metrics: pl.DataFrame, published: pl.DataFrame) -> Table:
    """Return how the metrics go together, by the paper's statistics and by sound ones."""
    theirs = published.select("variable", published_mean="mean", published_p="p")
    names = pl.col("variable").str.replace("uas", "UAS").str.replace("_", " ")
    columns = {
        "mean": "mean rho",
        "published_mean": "published",
        "p": "p of 14 points",
        "published_p": "published p",
        "fisher_mean": "Fisher mean",
        "within": "within",
        "p_within": "p within",
        "p_permuted": "p permuted",
    }
    return from_records(
        [
            *(Column("metrics", "variable"), "order"),
            *(
                Column(title, key, _EXACT_P if "p" in key.split("_") else _RHO)
                for key, title in columns.items()
            ),
        ],
        metrics.join(theirs, on="variable", maintain_order="left").with_columns(names).to_dicts(),
        title="Correlation of the metrics over parsers",
        notes=[
            "mean rho: four parsers per treebank, averaged; p of 14 points: one-sided as if there "
            "were 14 points, which is how the printed values come out",
            "within: all parsers, treebanks centred; p permuted: parsers exchanged within "
            "treebanks, two-sided",
        ],
    )


def separation_table(separations: pl.DataFrame) -> Table:
    """Return how many pairs of parsers each metric tells apart."""
    names = pl.col("metric").replace({"uas": "UAS", "exact_match": "exact match"})
    return from_records(
        ["metric", "pairs", "separated", Column("after Holm", "separated_adjusted")],
        separations.with_columns(names).to_dicts(),
        title="Pairs of parsers that differ significantly (0.05)",
        notes=["paired permutation tests over sentences"],
    )


def accuracy_figures(treebanks: pl.DataFrame) -> list[Figure]:
    """Return the best LAS of every treebank over each of the paper's three variables."""
    figures = []
    for variable in _DRAWN:
        points = treebanks.with_columns(VARIABLES[variable].alias("x"))
        spots = [
            Spot(
                row["treebank"],
                row["x"],
                100 * row["best_las"],
                group="genuine" if row["is_genuine"] else "converted",
            )
            for row in points.iter_rows(named=True)
            if row["x"] is not None
        ]
        figures.append(
            scatter_chart(
                file_name("accuracy", variable.replace("/", "over")),
                f"Accuracy and {variable}",
                x_title=variable.capitalize(),
                y_title="Best LAS (%)",
                spots=spots,
                palette=Palette.in_order(["genuine", "converted"]),
            )
        )
    return figures
