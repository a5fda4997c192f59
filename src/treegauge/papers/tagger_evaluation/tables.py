"""Tables of taggers that dictionaries score, the published numbers beside ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from treegauge.papers.paper import Frames, Measurements
from treegauge.papers.tagger_evaluation.calibration import MIXED
from treegauge.papers.tagger_evaluation.data_tables import PAPER, data_table, difference_table
from treegauge.papers.tagger_evaluation.frames import (
    CROSS_LINGUAL,
    GROUPS,
    OWN,
    SUPERVISED,
    TRAINING,
    TRANSLATED,
    make_frame,
)
from treegauge.papers.tagger_evaluation.settings import TaggerEvaluationSettings
from treegauge.papers.tagger_evaluation.statistics import (
    closer_translated,
    mean_of,
    tau_correlations,
)
from treegauge.tables import (
    DIFFERENCE,
    OUT_OF,
    P_VALUE,
    PERCENT,
    Cell,
    Column,
    NumberFormat,
    Row,
    Table,
    Value,
    from_records,
)

if TYPE_CHECKING:
    import polars as pl


_LANGUAGES_FOR_RIDGE = 4
"""One that is left out and three to choose the penalty by."""
_SCORES = {OWN: "A_soft", TRANSLATED: "A_trans"}
_THOUSANDS = NumberFormat(decimals=0, scale=0.001)
_FEW_THOUSANDS = NumberFormat(decimals=1, scale=0.001, kind="significant")
_TWO_DIGITS = NumberFormat(decimals=2, kind="significant")
_THREE_DIGITS = NumberFormat(decimals=3, kind="significant")
_WHOLE = NumberFormat(decimals=0)
_FOUR_DECIMALS = NumberFormat(decimals=4)


def paper_tables(
    measured: Measurements[TaggerEvaluationSettings], published: Frames
) -> list[Table]:
    """Return all tables."""
    frames, settings = measured.frames, measured.settings
    return [
        data_table(frames["treebanks"], [*measured.notes, *measured.failures]),
        difference_table(frames["treebanks"], settings),
        score_table(frames["table"], published),
        first_sizes_table(frames["first_sizes"]),
        estimate_table(frames["table"]),
        error_table(frames["correlations"], published),
        tau_table(frames["correlations"], published),
        direction_table(frames, published),
        translation_table(frames["translations"], published, settings.english_treebank),
        ranking_table(frames["rankings"], published),
        corruption_table(frames, published),
        held_out_table(frames, published),
        calibration_table(frames["calibration"]),
    ]


def _beside(
    frame: pl.DataFrame, theirs: pl.DataFrame, on: Sequence[str], **columns: str
) -> pl.DataFrame:
    """Return a frame with published numbers in columns of their own, and names of scores."""
    import polars as pl

    chosen = theirs.select(*on, **{ours: pl.col(name) for ours, name in columns.items()})
    joined = frame.join(chosen, on=list(on), how="left", maintain_order="left")
    return joined.with_columns(scored_by=pl.col("dictionary").replace(_SCORES))


def _percents(*titles: str, **keyed: str) -> list[Column]:
    """Return columns of shares: titles, and titles by key."""
    plain = [Column(title, format=PERCENT) for title in titles]
    return [*plain, *(Column(title, key, PERCENT) for key, title in keyed.items())]


# ---------------------------------------------------------------------- Table 1 and Figure 1


def score_table(table: pl.DataFrame, published: Frames) -> Table:
    """Return Table 1: our rows, and the paper's below the first treebank of a language."""
    theirs = _by_treebank(published["table"])
    rows = []
    for name, by in _by_treebank(table).items():
        nearer = None
        if OWN in by and TRANSLATED in by:
            nearer = min((OWN, TRANSLATED), key=lambda kind: abs(by[kind]["difference"]))
        rows.append(Row(_score_cells(name, by, nearer)))
        own = theirs.pop(next(iter(by.values()))["language"], None)
        if own is not None:
            rows.append(Row(_score_cells(f"  {own[OWN]['name']} (published)", own), published=True))
    printed = _score_cells("  mean (published)", _printed_means(published))
    means = [Row(_score_cells("mean", _means(table))), Row(printed, published=True)]
    columns = [
        *(Column("treebank"), Column("|D|", "forms"), *_percents("P", "R")),
        *(Column("|D_trans|", "forms_trans"), *_percents("P trans", "R trans")),
        *(*_percents("A_true", "A_soft"), Column("P@1", format=_TWO_DIGITS), Column("tau")),
        *(*_percents("A_trans"), Column("P@1 trans", format=_TWO_DIGITS), Column("tau trans")),
    ]
    return Table(
        columns,
        [*rows, *means],
        title="Table 1: dictionaries and what they say of supervised taggers",
        notes=[
            f"means over at most {max(table['taggers'])} taggers, ± 1.96 standard errors; "
            "thousands of forms; bold: the estimate that is nearer",
            f"published: {PAPER}, five taggers; the means are as printed, those of its rows are "
            "83.58 (A_soft), 84.68 (A_trans) and 0.32 (tau)",
        ],
        data=Table(columns, rows),
    )


def _by_treebank(table: pl.DataFrame) -> dict[str, dict[str, dict[str, Any]]]:
    """Return rows of Table 1 by treebank, then by dictionary."""
    by_treebank: dict[str, dict[str, dict[str, Any]]] = {}
    for row in table.to_dicts():
        by_treebank.setdefault(row["treebank"], {})[row["dictionary"]] = row
    return by_treebank


def _score_cells(
    name: str, by: Mapping[str, Mapping[str, Any]], nearer: str | None = None
) -> list[Cell | Value]:
    """Return a row of Table 1: qualities of both dictionaries, A_true, scores by both."""
    cells: list[Cell | Value] = [name]
    scores: list[Cell | Value] = []
    for kind in (OWN, TRANSLATED):
        row = by.get(kind)
        if row is None:
            cells += [None, None, None]
            scores += [None, None, None]
            continue
        forms = row["forms"]
        format = _THOUSANDS if (forms or 0) >= 1000 else _FEW_THOUSANDS
        size = None if forms is None else Cell(float(forms), format=format)
        cells += [size, row["precision"], row["recall"]]
        score = Cell(row["score"], deviation=row["score_ci"], best=kind == nearer)
        scores += [score, row["precision_at_1"], row["tau"]]
    first = next(iter(by.values()))
    return [*cells, Cell(first["a_true"], deviation=first["a_true_ci"]), *scores]


def _means(table: pl.DataFrame) -> dict[str, dict[str, Any]]:
    """Return the means over treebanks of each dictionary, and how often it finds the best."""
    a_true, a_true_ci = mean_of(table.unique("treebank", maintain_order=True)["a_true"].to_list())
    by = {}
    for part in table.partition_by("dictionary", maintain_order=True):
        row: dict[str, Any] = {"forms": None, "a_true": a_true, "a_true_ci": a_true_ci}
        for key in ("precision", "recall", "tau"):
            known = part[key].drop_nulls().to_list()
            row[key] = float(np.mean(known)) if known else None
        row["score"], row["score_ci"] = mean_of(part["score"].to_list())
        row["precision_at_1"] = _hits(sum(part["precision_at_1"]), len(part))
        by[part["dictionary"][0]] = row
    return by


def _printed_means(published: Frames) -> dict[str, dict[str, Any]]:
    hits = published["rankings"].filter(group=SUPERVISED)
    by = {row["dictionary"]: {**row, "forms": None} for row in published["means"].to_dicts()}
    for kind, count, n in hits.select("dictionary", "hits", "treebanks").rows():
        by[kind]["precision_at_1"] = _hits(count, n)
    return by


def _hits(count: float, n: int) -> Cell:
    return Cell(count, n=n, format=OUT_OF)


def first_sizes_table(first_sizes: pl.DataFrame) -> Table:
    """Return the beginning of Figure 1: what a hundred words say, frequent ones or random."""
    return from_records(
        [
            *("treebank", "tagger", Column("forms", "size")),
            *_percents("A_true", frequent="+freq", coverage="coverage"),
            *_percents(random="-freq [95% of these]"),
        ],
        first_sizes.to_dicts(),
        title="Figure 1, its beginning: small dictionaries",
        notes=[f"{PAPER}: a hundred frequent words come within 5 points in most languages"],
    )


# ---------------------------------------------------------------------- prediction of scores


def estimate_table(table: pl.DataFrame) -> Table:
    """Return for every treebank how far each dictionary is from A_true, and why."""
    rows = []
    for name, by in _by_treebank(table).items():
        reasons = {key: by.get(OWN, {}).get(key) for key in ("f1", "coverage", "ceiling")}
        kinds = (OWN, TRANSLATED, TRAINING)
        differences = {kind: by.get(kind, {}).get("difference") for kind in kinds}
        a_true = next(iter(by.values()))["a_true"]
        rows.append({"treebank": name, "a_true": a_true, **differences, **reasons})
    return from_records(
        [
            "treebank",
            *_percents("A_true"),
            *(Column(f"by {kind}", kind, DIFFERENCE) for kind in (OWN, TRANSLATED, TRAINING)),
            *_percents(f1="F1 of D", coverage="coverage", ceiling="ceiling"),
        ],
        rows,
        title="How far dictionaries are from A_true",
        notes=[
            "means over supervised taggers, less A_true; ceiling: what D says of gold itself; "
            "G: the dictionary of the train part"
        ],
    )


def _correlation_columns(title: str) -> list[Column]:
    """Return Pearson's coefficient with its interval, its p, and over how many."""
    return [Column(title, "pearson"), Column("p", format=P_VALUE), Column("n")]


def error_table(correlations: pl.DataFrame, published: Frames) -> Table:
    """Return what the error of soft accuracy goes with."""
    on = ("quantity", "variable", "group", "dictionary")
    chosen = correlations.filter(quantity="error", group=SUPERVISED)
    rows = _beside(chosen, published["correlations"], on, published="pearson")
    return from_records(
        [
            *(Column("treebanks", "sample"), "dictionary", "variable"),
            *(*_correlation_columns("correlation"), Column("published")),
        ],
        rows.to_dicts(),
        title="What goes with the error |A_true - A_soft|",
        notes=["published: nine development languages"],
    )


def tau_table(correlations: pl.DataFrame, published: Frames) -> Table:
    """Return whether taggers are ranked better where they are better, or further apart."""
    on = ("quantity", "variable", "group", "dictionary")
    theirs = make_frame("correlations", tau_correlations(published["table"], 0))
    rows = _beside(correlations.filter(quantity="tau"), theirs, on, published="pearson")
    return from_records(
        ["dictionary", "variable", *_correlation_columns("correlation"), "published"],
        rows.to_dicts(),
        title="What goes with tau",
        notes=[
            "over treebanks; spread: 1.96 standard errors of the mean over taggers",
            f"published: over the rows of Table 1 of {PAPER}",
        ],
    )


def direction_table(frames: Frames, published: Frames) -> Table:
    """Return where dictionaries under- and overestimate."""
    nearer, of = closer_translated(frames["table"])
    notes = [f"{PAPER}: D tends to underestimate, G to overestimate"]
    if of:
        named = f" ({', '.join(nearer)})" if nearer else ""
        theirs, of_theirs = closer_translated(published["table"])
        notes.append(
            f"A_trans is nearer to A_true than A_soft in {len(nearer)}/{of}{named}; published "
            f"{len(theirs)}/{of_theirs}"
        )
    difference = Column("mean difference", "difference", DIFFERENCE)
    return from_records(
        ["dictionary", "treebanks", "under", "over", difference],
        frames["directions"].to_dicts(),
        title="Do dictionaries under- or overestimate?",
        notes=notes,
    )


def translation_table(translations: pl.DataFrame, published: Frames, english: str) -> Table:
    """Return how good translated dictionaries are."""
    theirs = published["translations"]
    rows = _beside(translations, theirs, ["dictionary"], published="f1_of_means")
    source = english or "an English treebank, which was not given"
    return from_records(
        [
            *("dictionary", "treebanks"),
            *_percents(precision="P", recall="R"),
            *_percents("F1 of means", "published", "mean F1"),
        ],
        rows.to_dicts(),
        title="Translated dictionaries",
        notes=[f"D_trans: an English dictionary; G_trans: that of {source}"],
    )


# ---------------------------------------------------------------------- rankings


def ranking_table(rankings: pl.DataFrame, published: Frames) -> Table:
    """Return how often dictionaries find the best tagger, by kind of tagger."""
    rows = _beside(
        rankings.with_columns(hits_n="treebanks", hits_in_group_n="treebanks"),
        published["rankings"],
        ("group", "dictionary"),
        published="hits",
        published_n="treebanks",
        published_tau="tau",
    )
    there = set(rankings["group"])
    notes = [
        "P@1 of group: any tagger is right that gold cannot tell from the best",
        "regret: accuracy lost by believing the dictionary; p: of the mean tau, orders permuted "
        "within treebanks",
        f"{PAPER}: A_soft finds 11/21 of the supervised in the languages of the cross-lingual "
        "taggers, whose mean A_true is 70.56",
        *(f"{group}: there are none here" for group in GROUPS if group not in there),
    ]
    return from_records(
        [
            *(Column("taggers", "group"), Column("score", "scored_by")),
            *(Column("taggers per treebank", "taggers", _THREE_DIGITS), *_percents("A_true")),
            *(Column("P@1", "hits", OUT_OF), Column("published", format=OUT_OF)),
            *(Column("P@1 of group", "hits_in_group", OUT_OF), *_percents("regret")),
            *("tau", "published tau", Column("p", format=_FOUR_DECIMALS)),
        ],
        rows.to_dicts(),
        title="Which tagger is best?",
        notes=notes,
    )


# ---------------------------------------------------------------------- corruption, held-out


def corruption_table(frames: Frames, published: Frames) -> Table:
    """Return whether better taggers are harder to estimate."""
    import polars as pl

    own = pl.col("correlation")
    curves = frames["corruption_curves"].group_by("group", maintain_order=True)
    means = curves.agg(treebanks=pl.len(), mean=own.mean(), mean_low=own.min(), mean_high=own.max())
    chosen = frames["correlations"].filter(quantity="error", variable="A_true")
    on = ("quantity", "variable", "group", "dictionary")
    rows = _beside(chosen, published["correlations"], on, published="pearson")
    return from_records(
        [
            *(Column("gold", "group"), Column("treebanks"), *_correlation_columns("all together")),
            *(Column("mean [from, to]", "mean"), "published"),
        ],
        rows.join(means, on="group", maintain_order="left").to_dicts(),
        title="Is a good tagger harder to estimate? Error and A_true of corrupted gold",
        notes=[
            "20 levels per treebank; all together: levels of a treebank are not independent, so "
            "that "
            "interval and p are too sure"
        ],
    )


def held_out_table(frames: Frames, published: Frames) -> Table:
    """Return how many annotated sentences would do as well."""
    import polars as pl

    sizes, theirs = (
        of["held_out_sizes"]
        .with_columns(quantity="sentences by " + pl.col("measure"))
        .join(of["correlations"], on=["quantity", "dictionary"], maintain_order="left")
        for of in (frames, published)
    )
    rows = _beside(
        sizes,
        theirs,
        ("dictionary", "measure"),
        published="mean",
        published_deviation="mean_deviation",
        published_rho="pearson",
    )
    return from_records(
        [
            *(Column("as good as", "scored_by"), "measure", "treebanks"),
            *(Column("sentences", "mean", _WHOLE), Column("published", format=_WHOLE), "never"),
            *(*_correlation_columns("with A_true"), Column("published rho")),
        ],
        rows.to_dicts(),
        title="How many annotated sentences rank as well?",
        notes=[
            "P@1: the mean over treebanks is to be reached; tau: that of the same treebank; "
            "± one standard deviation",
            "never: 300 sentences, or the whole test part, are not enough; these are left out",
        ],
    )


# ---------------------------------------------------------------------- calibration


def calibration_table(calibration: pl.DataFrame) -> Table:
    """Return how good estimates of A_true are in languages that were left out."""
    import polars as pl

    least = pl.col("mae").min().over("dictionary", "learnt_from", "tested_on")
    of_mean = pl.col("mae_of_mean")
    rows = calibration.with_columns(
        scored_by=pl.col("dictionary").replace(_SCORES),
        mae_best=pl.col("mae") == pl.min_horizontal(least, of_mean),
        mae_of_mean_best=of_mean < least,
    )
    notes = [
        "languages are left out one at a time; error: mean absolute, in points; of the mean: of "
        "predicting the mean of such taggers in the other languages",
        f"{MIXED}: supervised, {CROSS_LINGUAL}, and gold corrupted as taggers err",
        "in 90%: how many lie in their interval, from ten languages on",
    ]
    if not len(rows):
        notes = ["calibration needs two languages"]
    elif max(calibration["languages"]) < _LANGUAGES_FOR_RIDGE:
        notes.append(
            f"ridge is little more than a mean with fewer than {_LANGUAGES_FOR_RIDGE} languages: "
            "its penalty cannot be chosen"
        )
    return from_records(
        [
            *(Column("score", "scored_by"), "learnt from", "tested on", "estimator", "languages"),
            *_percents(mae="error", mae_of_mean="of the mean"),
            *(Column("bias", format=DIFFERENCE), *_percents(interval_coverage="in 90%")),
        ],
        rows.to_dicts(),
        title="Estimated accuracy, calibrated on the other languages",
        notes=notes,
    )
