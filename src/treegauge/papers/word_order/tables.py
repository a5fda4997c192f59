"""Tables and figures of parsers on permuted treebanks, the published ones beside ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import polars as pl

from treegauge.papers.paper import Frames, Measurements
from treegauge.papers.word_order.settings import ORIGINAL
from treegauge.papers.word_order.transfer import WAYS, choose_sources, nearness_and_accuracy
from treegauge.reports.charts import Figure, Spot, file_name, scatter_chart
from treegauge.significance.correlation import FEWEST_PAIRS
from treegauge.tables import (
    P_VALUE,
    PERCENT,
    Cell,
    Column,
    NumberFormat,
    Table,
    Value,
    from_records,
)
from treegauge.tables.numbers import DIFFERENCE, PERCENT_1

if TYPE_CHECKING:
    from treegauge.papers.word_order.settings import WordOrderPaperSettings

_NAMES = {ORIGINAL: "original", "optdl": "OptDL", "left": "LB", "right": "RB"}
_ORDER = pl.col("order").replace(_NAMES)
_PUBLISHED = (
    "in parentheses: Gulordava and Merlo (2016); other releases, other parts, other parsers"
)
_FIGURES = {"optdl": 1, "right": 2}
_TABLES = {"transition": "Table 2: ", "graph": "Table 3: "}
_WHOLE = NumberFormat(decimals=0)
_ONE_DIGIT = NumberFormat(decimals=1)
_CHANGE = NumberFormat(signed=True)
_POINTS = NumberFormat(decimals=1, scale=100, signed=True)
_WHOLE_PERCENT = NumberFormat(decimals=0, scale=100)


def all_tables(
    measured: Measurements[WordOrderPaperSettings], published: Frames, nearest: Mapping[str, str]
) -> list[Table]:
    """Return all tables; `nearest` says what treebank of the paper comes nearest to each."""
    frames = measured.frames
    return [
        property_table(frames, published, nearest),
        *(
            accuracy_table(measured, published["accuracies"], nearest, parser)
            for parser in measured.settings.all_parsers
        ),
        delta_table(frames["deltas"]),
        effect_table(frames["effects"]),
        *parser_tables(frames),
        sentence_table(frames["sentences"], published["sentences"]),
        branching_table(frames["branching"], published["branching"]),
        confusion_table(frames["confusions"]),
        *(transfer_tables(frames["transfer"]) if "transfer" in frames else ()),
    ]


def _by_order(frame: pl.DataFrame) -> dict[tuple[str, ...], dict[str, Any]]:
    """Return the rows of a frame by treebank, order and perhaps parser."""
    keys = [name for name in ("treebank", "order", "parser") if name in frame.columns]
    return {tuple(row[key] for key in keys): row for row in frame.iter_rows(named=True)}


def property_table(frames: Frames, published: Frames, nearest: Mapping[str, str]) -> Table:
    """Return Table 1: size, length, DLM ratio and entropy of train parts."""
    ours, theirs = _by_order(frames["properties"]), _by_order(published["properties"])
    few = set(
        frames["properties"].filter(pl.col("sentences") < LEAST_SENTENCES)["treebank"].to_list()
    )
    rows: list[list[Cell | Value]] = []
    for name in frames["properties"]["treebank"].unique(maintain_order=True):
        cells = []
        for order, key, of_theirs, their_key in _TABLE_1:
            value = ours.get((name, order), {}).get(key)
            beside = theirs.get((nearest.get(name, ""), of_theirs), {}).get(their_key)
            cells.append(Cell(value, published=beside if value is not None else None))
        rows.append([Cell(name, note=_FEW if name in few else ""), *cells])
    if len(rows) > 1:
        rows.append(["mean ± SD", *_means(frames["properties"], published["properties"])])
    (correlated,) = frames["nonprojectivity"].iter_rows(named=True)
    return Table(
        [
            "treebank",
            Column("1000 words", "thousand_words", _WHOLE),
            Column("length", "mean_length", _ONE_DIGIT),
            *("DLM", "entropy", "LB/RB DLM", "OptDL entropy"),
        ],
        rows,
        title="Table 1: word order of the train parts",
        notes=[
            "spans, nats and plain alternation, the paper's units",
            f"{_in_words(correlated)} (published {published['nonprojectivity']['pearson'].item()})",
            *_independence(frames, published),
            _PUBLISHED,
        ],
    )


LEAST_SENTENCES = 3000
"""What the paper's train parts have at least, after sentences were left out (section 3.3)."""
_FEW = f"fewer sentences than the {LEAST_SENTENCES:,} that the paper's treebanks have at least"
_TABLE_1 = (
    (ORIGINAL, "thousand_words", ORIGINAL, "thousand_words"),
    (ORIGINAL, "mean_length", ORIGINAL, "mean_length"),
    (ORIGINAL, "dlm_ratio", ORIGINAL, "dlm_ratio"),
    (ORIGINAL, "arc_direction_entropy", ORIGINAL, "arc_direction_entropy"),
    (ORIGINAL, "branching_dlm_ratio", "left", "dlm_ratio"),
    ("optdl", "arc_direction_entropy", "optdl", "arc_direction_entropy"),
)
"""The columns of Table 1: order and property of ours, and of the published table."""


def _means(properties: pl.DataFrame, published: pl.DataFrame) -> Iterator[Cell]:
    """Give mean and standard deviation over treebanks, beside the published mean over all."""
    for order, key, of_theirs, their_key in _TABLE_1:
        own = properties.filter(order=order)[key].drop_nulls()
        theirs = published.filter(order=of_theirs)[their_key].mean()
        if own.len() < 2:
            yield Cell()
        else:
            yield Cell(own.mean(), deviation=own.std(), published=theirs)  # type: ignore[arg-type]


def _independence(frames: Frames, published: Frames) -> Iterator[str]:
    """Say how DLM ratio and entropy go together."""
    (own,), (theirs,) = (one["independence"].iter_rows(named=True) for one in (frames, published))
    if own["spearman"] is not None:
        in_text = published["independence_in_text"]["pearson"].item()
        yield (
            f"Spearman's coefficient of DLM ratio and entropy: {own['spearman']:.2f} "
            f"(p = {own['p']:.2f}, n = {own['n']}); published: {in_text:.2f} in the text, "
            f"{theirs['spearman']:.2f} over the numbers of the table"
        )


def _in_words(row: Mapping[str, Any]) -> str:
    what, n = "DLM and non-projective arcs", row["pearson_n"]
    if row["pearson"] is not None:
        table = from_records(["pearson"], [row])
        return f"{what} correlate by {table.cell_text(table.rows[0].cells[0], 0)}, n = {n}"
    if n < FEWEST_PAIRS:
        return f"too few treebanks to correlate {what}: {n}, and {FEWEST_PAIRS} are needed"
    return f"{what} do not correlate: one of them is the same in all {n} treebanks"


def accuracy_table(
    measured: Measurements[WordOrderPaperSettings],
    published: pl.DataFrame,
    nearest: Mapping[str, str],
    parser: str,
) -> Table:
    """Return Table 2 or 3: a parser's accuracy in every order."""
    frames, orders = measured.frames, measured.settings.orders
    ours, theirs = _by_order(frames["accuracies"]), _by_order(published)
    columns = [(order, metric) for order in orders for metric in ("uas", "las")]
    rows: list[list[Cell | Value]] = []
    for name in frames["properties"]["treebank"].unique(maintain_order=True):
        cells = []
        for order, metric in columns:
            value = ours.get((name, order, parser), {}).get(metric)
            beside = theirs.get((nearest.get(name, ""), order, parser), {}).get(metric)
            cells.append(Cell(value, published=beside if value is not None else None))
        rows.append([name, *cells])
    if len(rows) > 1:
        scores = frames["accuracies"].filter(parser=parser)
        means = scores.group_by("order").agg(pl.col("uas", "las").mean())
        by_order = {row["order"]: row for row in means.iter_rows(named=True)}
        rows.append(["mean", *(by_order.get(order, {}).get(metric) for order, metric in columns)])
    coarse = frames["properties"].filter("coarse_tags")["treebank"].unique(maintain_order=True)
    used = frames["parsers"].filter(parser=parser).row(0, named=True)
    return Table(
        [
            "treebank",
            *(
                Column(f"{_NAMES.get(order, order)} {metric.upper()}", format=PERCENT_1)
                for order, metric in columns
            ),
        ],
        rows,
        title=f"{_TABLES.get(parser, '')}{parser}",
        notes=[
            "punctuation not counted, relations with their subtypes; gold tags",
            *([] if used["is_same"] else [f"LB and RB: {used['branching'] or 'defaults'}"]),
            *(
                f"{name}: coarse tags stand for universal tags, which are missing"
                for name in coarse
            ),
            _PUBLISHED,
            *(failure for failure in measured.failures if f": {parser}" in failure),
        ],
    )


def delta_table(deltas: pl.DataFrame) -> Table:
    """Return what Figures 1 and 2 show."""
    return from_records(
        [
            *("treebank", "order", "parser"),
            *(Column(f"delta {title}", format=_CHANGE) for title in ("DLM", "entropy")),
            *(Column(f"delta {title}", format=_POINTS) for title in ("UAS", "LAS")),
        ],
        deltas.with_columns(_ORDER).to_dicts(),
        title="Figures 1 and 2: what an order changes",
        notes=[
            "delta DLM and delta entropy: original minus permuted, positive is shorter and less "
            "variable; delta UAS and LAS: permuted minus original, positive is easier"
        ],
    )


def effect_table(effects: pl.DataFrame) -> Table:
    """Return what goes with delta UAS: length or variability."""
    notes = ["too few treebanks for a regression"]
    if not effects.is_empty():
        notes = [
            f"ordinary least squares on standardised variables, {effects['n'][0]} rows, "
            f"R² = {effects['r_squared'][0]:.2f}; 95% intervals over resampled treebanks, where "
            "there are enough",
            "published: entropy hurts more than length (read off the figures)",
        ]
    return from_records(
        ["variable", Column("coefficient", format=_CHANGE)],
        effects.to_dicts(),
        title="Delta UAS explained",
        notes=notes,
    )


def parser_tables(frames: Frames) -> list[Table]:
    """Return what goes with delta UAS parser by parser, and whether parsers rank treebanks alike.

    There are none where one parser, or fewer than three treebanks, leave nothing to compare.
    """
    own, agreement = frames["parser_effects"], frames["agreement"]
    if agreement.is_empty():
        return []
    by_parser = from_records(
        ["parser", "variable", Column("coefficient", format=_CHANGE), "n"],
        own.to_dicts(),
        title="Delta UAS explained, parser by parser",
        notes=[
            "ordinary least squares on standardised variables; 95% intervals over resampled "
            "treebanks, where there are enough"
        ],
    )
    pairs = from_records(
        ["order", "parser", "other", "Pearson", Column("treebanks", "pearson_n"), "Spearman"],
        agreement.with_columns(_ORDER).to_dicts(),
        title="UAS of two parsers over treebanks",
        notes=["1: they rank treebanks alike"],
    )
    return [by_parser, pairs]


def sentence_table(sentences: pl.DataFrame, published: pl.DataFrame) -> Table:
    """Return whether sentences that become shorter become easier."""
    theirs = (f"{rho:.2f} ({name})" for name, rho in published["parser", "pearson"].iter_rows())
    return from_records(
        [
            *("treebank", "order", "parser", "Pearson"),
            *(Column("sentences", "pearson_n"), "Spearman"),
        ],
        sentences.with_columns(_ORDER).to_dicts(),
        title="Sentences: delta DLM and delta UAS",
        notes=[f"published, Dutch RB: {', '.join(theirs)}, p < 0.001"],
    )


def branching_table(branching: pl.DataFrame, published: pl.DataFrame) -> Table:
    """Return whether left- and right-branching orders are equally hard."""
    theirs = dict(published.select("metric", "pearson").iter_rows())
    return from_records(
        [
            *("treebank", "parser", "metric", Column("LB - RB", "difference", DIFFERENCE)),
            Column("p (t)", "t_test_p", P_VALUE),
            Column("p (flips)", "sign_flip_p", P_VALUE),
            *(Column("with branching factor", "pearson"), Column("sentences", "pearson_n")),
        ],
        branching.with_columns(pl.col("metric").str.to_uppercase()).to_dicts(),
        title="Left- against right-branching",
        notes=[
            "means over sentences, in points; paired t-test and paired permutations",
            "published, New Testament: the difference and the branching factor correlate by "
            f"{theirs['uas']:.2f} (UAS, p = 0.02) and {theirs['las']:.2f} (LAS, p < 0.001)",
        ],
    )


def confusion_table(confusions: pl.DataFrame) -> Table:
    """Return relations that one branching order confuses more than the other."""
    return from_records(
        [
            *("treebank", "parser", "gold", Column("found", "predicted")),
            *(Column("LB", "left"), Column("RB", "right")),
            Column("% leaves", "leaves", _WHOLE_PERCENT),
        ],
        confusions.to_dicts(),
        title="Relations confused more often in one branching order",
        notes=["words with the right head; published: mostly words without dependents"],
    )


def transfer_tables(transferred: pl.DataFrame) -> list[Table]:
    """Return which source is nearest to each target, what it gives, and what the best would."""
    rows = []
    reached: dict[str, list[float]] = {way: [] for way in WAYS}
    for target in transferred["target"].unique(maintain_order=True):
        cells = []
        for way, row in choose_sources(transferred, target).items():
            if row is None:
                cells.append(Cell())
                continue
            reached[way].append(row["uas"])
            order = "" if row["order"] == ORIGINAL else f", {row['order']}"
            cells.append(Cell(row["uas"], remark="" if way == "own" else f"{row['source']}{order}"))
        rows.append([target, *cells, nearness_and_accuracy(transferred, target)])
    ways = [Column(way, format=PERCENT_1) for way in WAYS]
    return [
        Table(
            ["target", *ways, "tau-b"],
            rows,
            title="Transfer: UAS of delexicalised parsers, by source",
            notes=[
                "nearest by the divergence of tag trigrams (KLcpos3); the best ones are known "
                "only afterwards; own: trained on the target's own train part",
                "tau-b: between nearness and accuracy over all sources of other languages",
            ],
            data=Table(transferred.columns, transferred.iter_rows()),
        ),
        Table(
            ["source", Column("mean UAS", format=PERCENT)],
            [
                [WAYS[way], sum(values) / len(values) if values else None]
                for way, values in reached.items()
            ],
            title="Transfer: means over targets",
        ),
    ]


def delta_figures(deltas: pl.DataFrame) -> list[Figure]:
    """Return Figures 1 (OptDL) and 2 (RB): delta UAS over delta DLM and delta entropy."""
    figures = []
    for order, number in _FIGURES.items():
        for parser in deltas["parser"].unique(maintain_order=True):
            rows = deltas.filter(order=order, parser=parser).drop_nulls()
            spots = [
                Spot(
                    row["treebank"],
                    row["delta_dlm"],
                    row["delta_entropy"],
                    value=100 * row["delta_uas"],
                )
                for row in rows.iter_rows(named=True)
            ]
            if spots:
                figures.append(
                    scatter_chart(
                        file_name("figure", str(number), parser),
                        f"{_NAMES[order]}: what changes for {parser}",
                        x_title="Delta DLM ratio (positive: shorter)",
                        y_title="Delta entropy (positive: less variable)",
                        spots=spots,
                        value_title="Delta UAS",
                        remark="blue: easier to parse than the original",
                    )
                )
    return figures
