"""Tables and figures of derivation perplexity and accuracy, the published figures beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from treegauge.papers.paper import Frames, Measurements, correlation_cell
from treegauge.papers.perplexity.measure import TRANSITION_SYSTEMS
from treegauge.papers.perplexity.statistics import ACCURACIES, MORPHOLOGY, VARIABLES
from treegauge.properties.derivation_perplexity import PerplexitySettings
from treegauge.reports.charts import Figure, Palette, Spot, file_name, scatter_chart
from treegauge.tables import Cell, Column, Row, Table
from treegauge.tables.numbers import PERCENT_1, NumberFormat

if TYPE_CHECKING:
    from treegauge.papers.perplexity.paper import DerivationPerplexitySettings

_PAPER = "Søgaard and Haulrich (2010)"
_NAMES = {"perplexity": "perplexity", "uas": "UAS", "exact_match": "exact match"}
_PERPLEXITY = NumberFormat(decimals=1)
_RHO = NumberFormat(decimals=3)
_EXACT_P = NumberFormat(decimals=4)
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
    treebanks, settings = measured.frames["treebanks"], measured.settings
    best = shared_tasks.filter(pl.col("metric") == "las_best").select("treebank", "value")
    published = {name: value / 100 for name, value in best.iter_rows()}
    parsers = ", ".join([*TRANSITION_SYSTEMS, *settings.others])
    notes = [
        f"{PerplexitySettings.parse(settings.perplexity).wording}; all: the same with unknown "
        "words counted, which treebanks can be compared by",
        f"accuracies of {parsers}; gold tags, punctuation not counted",
        "genuine: annotated as dependencies from the beginning",
    ]
    fixed = treebanks.filter("has_fixed_discounts")["treebank"].to_list()
    if fixed:
        notes.append(f"fixed discounts, for want of counts: {', '.join(fixed)}")
    if published.keys() & set(treebanks["treebank"]):
        notes.append("in parentheses: best of the shared task, unverified")
    rows = [
        [
            *(row[key] for key in ("treebank", "train_tokens", "string", "derivation")),
            *(row[key] for key in ("string_all", "derivation_all", "unknown_rate", "best_uas")),
            Cell(row["best_las"], published=published.get(row["treebank"])),
            row["mean_las"],
            "yes" if row["is_genuine"] else "no",
        ]
        for row in treebanks.iter_rows(named=True)
    ]
    return Table(
        [
            *("treebank", "train tokens"),
            *(Column(title, format=_PERPLEXITY) for title in ("string", "derivation")),
            *(Column(title, format=_PERPLEXITY) for title in ("string, all", "derivation, all")),
            Column("% unknown", "unknown_rate", PERCENT_1),
            *(Column(title, format=PERCENT_1) for title in ("best UAS", "best LAS", "mean LAS")),
            "genuine",
        ],
        rows,
        title="Perplexities of treebanks",
        notes=[*notes, *measured.failures],
    )


def increase_table(increases: pl.DataFrame, published: pl.DataFrame) -> Table:
    """Return both readings of the increase, ours and the paper's."""
    rows = [
        Row([row["group"], row["ratio_of_means"], row["mean_of_ratios"], None])
        for row in increases.iter_rows(named=True)
    ]
    rows += [
        Row(
            [f"{row['group']} ({_PAPER})", row["ratio_of_means"], None, row["printed"]],
            published=True,
        )
        for row in published.iter_rows(named=True)
    ]
    columns = ("ratio of means", "mean of ratios", "as printed")
    return Table(
        ["group", *(Column(f"{title} %", title.replace(" ", "_"), PERCENT_1) for title in columns)],
        rows,
        title="How much higher derivation perplexity is",
    )


def correlation_tables(correlations: pl.DataFrame, published: pl.DataFrame) -> list[Table]:
    """Return, for every group, what goes with accuracy."""
    theirs = {
        (row["group"], row["variable"], row["accuracy"]): row["pearson"]
        for row in published.iter_rows(named=True)
    }
    kinds = [(group, kind) for group in ("C06", "C07") for kind in ("best", "mean")]
    tables = []
    for group in correlations["group"].unique(maintain_order=True):
        members = correlations.filter(group=group)
        cells = {
            (row["variable"], row["accuracy"]): correlation_cell(row)
            for row in members.filter(given="").iter_rows(named=True)
        }
        rows = [
            [
                variable,
                *(cells[variable, accuracy] for accuracy in ACCURACIES),
                *(theirs.get((published_group, variable, kind)) for published_group, kind in kinds),
            ]
            for variable in VARIABLES
        ]
        tables.append(
            Table(
                ["variable", *ACCURACIES, *(" ".join(kind) for kind in kinds)],
                rows,
                title=f"What goes with accuracy: {group}, {max(members['n'])} treebanks",
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
    return Table(
        ["group", "variable", "accuracy", "held fixed", "correlation", "treebanks"],
        [
            [
                *(row["group"], row["variable"], row["accuracy"], row["given"] or "nothing"),
                *(correlation_cell(row), row["n"]),
            ]
            for row in rows.iter_rows(named=True)
        ],
        title="Morphology",
        notes=[f"{_PAPER}: perplexity matters, morphological complexity does not"],
    )


def parser_table(parsers: pl.DataFrame, settings: PerplexitySettings) -> Table:
    """Return the three metrics of the four parsers on every treebank."""
    metrics = ("uas", "exact_match", "perplexity", "own_perplexity")
    scores = {
        (row["treebank"], row["parser"], row["metric"]): Cell(row["value"], row["low"], row["high"])
        for row in parsers.iter_rows(named=True)
    }
    rows = [
        [name, parser, *(scores.get((name, parser, metric)) for metric in metrics)]
        for name in parsers["treebank"].unique(maintain_order=True)
        for parser in (*TRANSITION_SYSTEMS, "gold")
    ]
    table = Table(
        [
            *("treebank", "parser", Column("UAS", format=PERCENT_1)),
            Column("exact match", format=PERCENT_1),
            Column("perplexity", format=_PERPLEXITY),
            Column("in its own order", "own_perplexity", _PERPLEXITY),
        ],
        rows,
        title="Derivation perplexity of parsers",
        notes=[
            "low perplexity is not goodness by itself: read it beside that of gold",
            f"canonical order: {settings.system}",
        ],
    )
    return table.without_intervals()


def metric_table(metrics: pl.DataFrame, published: pl.DataFrame) -> Table:
    """Return how the metrics go together, by the paper's statistics and by sound ones."""
    theirs = {row["variable"]: row for row in published.iter_rows(named=True)}
    rows = [
        [
            " / ".join(_NAMES[name] for name in row["variable"].split(" / ")),
            row["order"],
            *(row["mean"], theirs[row["variable"]]["mean"]),
            *(row["p"], theirs[row["variable"]]["p"]),
            *(row["fisher_mean"], row["within"], row["within_p"], row["permutation_p"]),
        ]
        for row in metrics.iter_rows(named=True)
    ]
    return Table(
        [
            *("metrics", "order"),
            *(Column(title, format=_RHO) for title in ("mean rho", "published")),
            *(Column(title, format=_EXACT_P) for title in ("p, its way", "published p")),
            *(Column(title, format=_RHO) for title in ("Fisher mean", "within")),
            *(Column(title, format=_EXACT_P) for title in ("p within", "p permuted")),
        ],
        rows,
        title="Do the metrics agree on parsers?",
        notes=[
            "mean rho: four parsers a treebank, averaged; p, its way: one-sided as if there were "
            "14 points, which is how the printed values come out",
            "within: all parsers, treebanks centred; p permuted: parsers exchanged within "
            "treebanks, two-sided",
        ],
    )


def separation_table(separations: pl.DataFrame) -> Table:
    """Return how many pairs of parsers each metric tells apart."""
    return Table(
        ["metric", "pairs", "separated", "after Holm"],
        [[_NAMES[row[0]], *row[1:]] for row in separations.iter_rows()],
        title="Pairs of parsers told apart at 0.05",
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
