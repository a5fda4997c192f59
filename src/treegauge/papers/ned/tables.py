"""Tables of the paper on neutral edge direction, the published numbers beside ours."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl

from treegauge.papers.ned.annotation_schemes import LENIENT_METRICS, METRICS
from treegauge.papers.ned.measure import LENGTHS
from treegauge.papers.ned.remarks import POINTS, TITLES
from treegauge.papers.ned.settings import NedSettings
from treegauge.papers.paper import Frames, Measurements
from treegauge.tables import Column, Row, Table, from_records
from treegauge.tables.numbers import DIFFERENCE, PERCENT, PERCENT_1, NumberFormat

_PARAMETER = NumberFormat(decimals=4, kind="significant")
_SCORES = tuple(Column(TITLES[metric], metric, PERCENT) for metric in METRICS)
_LENIENT_SCORES = tuple(
    Column(title, metric, PERCENT)
    for metric, title in zip(LENIENT_METRICS, ("debatable UAS", "TedEval"), strict=True)
)
_LENGTHS_IN_WORDS = {"≤ 10 words": "at most 10 words", "all": "all lengths"}


def ned_tables(
    measured: Measurements[NedSettings], published: Frames, citation: str
) -> list[Table]:
    """Return all tables, treebank by treebank."""
    tables = []
    for name in measured.frames["treebanks"]["treebank"]:
        own = {key: frame.filter(treebank=name) for key, frame in measured.frames.items()}
        frames = {key: frame for key, frame in own.items() if frame.height}
        of_treebank = _tables_of_treebank(frames, measured.settings, published, citation)
        # What is odd about the treebank is said once, below the first table.
        notes = [note for note in measured.notes if note.startswith(f"{name}: ")]
        of_treebank[0] = replace(of_treebank[0], notes=(*of_treebank[0].notes, *notes))
        tables += [_of_treebank(table, name) for table in of_treebank]
    return tables


def _of_treebank(table: Table, name: str) -> Table:
    """Return a table whose title and data name the treebank."""
    rows = [Row([name, *row.cells]) for row in table.rows]
    data = Table(["treebank", *table.columns], rows)
    return replace(table, title=f"{name}: {table.title}", data=data)


def _tables_of_treebank(
    frames: Frames, settings: NedSettings, published: Frames, citation: str
) -> list[Table]:
    tables = []
    if "changes" in frames:
        tables.append(change_table(frames, settings.tags, published, citation))
    if "structures" in frames:
        tables.append(structure_table(frames["structures"]))
    if "flips" in frames:
        tables += [flip_table(frames["flips"]), curve_table(frames["curve"])]
    if "learnability" in frames:
        length = settings.supervised_length
        learnt = learnability_table(frames["learnability"], published["learnability"], length)
        tables += [learnt, reading_table(frames["learnability"])]
    tables += [inducer_table(frames["inducers"], length, settings.tags) for length in LENGTHS]
    tables.append(agreement_table(frames["agreement"]))
    # Without relations of Universal Dependencies or tags of structures, there is no other scheme.
    if "schemes" in frames:
        tables.append(scheme_table(frames["schemes"], published["schemes"]))
    return tables


def change_table(frames: Frames, tags: str, published: Frames, citation: str) -> Table:
    """Return the scores of each algorithm before and after flips, and what they change."""
    keys = ("algorithm", "length", "metric")
    theirs = published["changes"].drop("treebank")
    theirs = theirs.rename(lambda name: name if name in keys else f"published_{name}")
    joined = frames["changes"].join(theirs, on=keys, how="left", maintain_order="left")
    counts = [
        f"{row['algorithm']}: {row['parameters']} parameters, "
        f"{PERCENT_1.show(row['token_share'])}% of training tokens"
        for row in frames["algorithms"].iter_rows(named=True)
    ]
    paper = published["algorithms"].row(0, named=True)
    return from_records(
        [
            *keys,
            Column("before", format=PERCENT),
            Column("after", format=PERCENT),
            Column("change", format=DIFFERENCE),
            Column("published change", format=POINTS),
        ],
        joined.with_columns(
            pl.format("{} ({})", "algorithm", "system").alias("algorithm"),
            pl.col("metric").replace(TITLES),
        ).to_dicts(),
        title=f"effect of flipped parameters (tags {tags})",
        notes=[
            f"{'; '.join(counts)} (published: at most {paper['parameters']} parameters, "
            f"{PERCENT_1.show(paper['token_share'])}%)",
            "95% intervals over resampled sentences; punctuation removed",
            f"published: {citation}; Wall Street Journal, section 23, other data than ours",
        ],
    )


def structure_table(structures: pl.DataFrame) -> Table:
    """Return which structures were flipped, algorithm by algorithm (the paper's Table 1)."""
    algorithms = structures["algorithm"].unique(maintain_order=True).to_list()
    cells = {
        (row["structure"], row["algorithm"]): _sign(row) for row in structures.iter_rows(named=True)
    }
    shares = structures.unique("structure", keep="first", maintain_order=True)
    return from_records(
        ["structure", Column("% tokens", "token_share", PERCENT_1), *algorithms],
        [
            {**row, **{name: cells.get((row["structure"], name)) for name in algorithms}}
            for row in shares.select("structure", "token_share").iter_rows(named=True)
        ],
        title="structures that were flipped",
        notes=[
            "per cent of the edges between neighbours that the algorithm finds, but in the other "
            "direction than gold, before any change; +: parameters were changed, in brackets how "
            "many edges; -: not changed",
            "% tokens: words with an edge of the structure in gold; others: edges that belong to "
            "none of the paper's five structures",
        ],
    )


def _sign(row: dict[str, Any]) -> str:
    found = row["as_gold"] + row["turned"]
    share = PERCENT_1.show(row["turned"] / found) if found else "none"
    return f"{share} + ({row['flips']})" if row["flips"] else f"{share} -"


def flip_table(flips: pl.DataFrame) -> Table:
    """Return every parameter that was changed, with its structure."""
    return from_records(
        [
            *("algorithm", "edge", "structure", "parameter"),
            Column("before", format=_PARAMETER),
            Column("after", format=_PARAMETER),
            Column("% tokens", "token_share", PERCENT_1),
            "turned",
        ],
        flips.to_dicts(),
        title="the flips",
        notes=[
            "edge: as gold has it; % tokens: training words whose edge is of this type, in either "
            "direction; turned: neighbours with the edge the wrong way round when it was flipped"
        ],
    )


def curve_table(curve: pl.DataFrame) -> Table:
    """Return the scores of the test part, flip by flip."""
    return from_records(
        ["algorithm", Column("flip", "edge"), "parameters", *_SCORES],
        curve.filter(length="all").select("algorithm", "edge", "parameters", *METRICS).to_dicts(),
        title="gain by flip, test part, all lengths",
    )


def learnability_table(learnability: pl.DataFrame, published: pl.DataFrame, longest: int) -> Table:
    """Return whether NED prefers which annotation the supervised model learns better."""
    # Without a flip that helps there is no sign at all, and so no type of the column.
    in_words = pl.col("same_sign").cast(pl.Boolean).replace_strict(_YES_NO)
    theirs = published.select(
        "algorithm", published_ned_change="ned_change", published_same_sign=in_words
    )
    joined = learnability.join(theirs, on="algorithm", how="left", maintain_order="left")
    return from_records(
        [
            *("algorithm", "flips", "edges"),
            Column("NED change", format=DIFFERENCE),
            Column("UAS as induced", format=PERCENT),
            Column("UAS gold", format=PERCENT),
            Column("gold better by", format=DIFFERENCE),
            "same sign",
            Column("published NED change", format=POINTS),
            "published same sign",
        ],
        joined.with_columns(
            pl.format("{} ({})", "scope", "flips").alias("flips"),
            in_words,
        ).to_dicts(),
        title="which annotation the supervised model learns better",
        notes=[
            f"the same model by relative frequency from trees of at most {longest} words, as the "
            "algorithm would have annotated them and as gold has them; each is scored against its "
            "own annotation, all lengths",
            "the paper does not say whether long edges, or flips beyond its structures, are "
            "re-annotated: every reading is shown",
        ],
    )


def reading_table(learnability: pl.DataFrame) -> Table:
    """Return which readings of the paper support its claim about learnability."""
    algorithms = learnability["algorithm"].unique(maintain_order=True).to_list()
    rows = []
    for (scope, edges), own in learnability.group_by("scope", "edges", maintain_order=True):
        verdicts = {row["algorithm"]: _verdict(row) for row in own.iter_rows(named=True)}
        yes = int(own["same_sign"].cast(pl.Boolean).sum())
        rows.append(
            {
                "re-annotated": scope,
                "edges": edges,
                **{name: verdicts.get(name) for name in algorithms},
                "supported_by": f"{yes} of {own.height}",
            }
        )
    return from_records(
        ["re-annotated", "edges", *algorithms, Column("supported by", "supported_by")],
        rows,
        title="which readings support the claim about learnability",
        notes=[
            "yes: NED prefers the annotation that the supervised model learns better; "
            "uncertain: the interval of one of the two differences includes 0",
        ],
    )


_YES_NO = {True: "yes", False: "no"}


def _verdict(row: dict[str, Any]) -> str:
    """Return whether two differences have the same sign, and whether both signs are certain."""
    if row["same_sign"] is None:
        return "no difference"
    ends = [(row[f"{name}_low"], row[f"{name}_high"]) for name in ("ned_change", "gold_better_by")]
    is_certain = all(low is not None and not low <= 0 <= high for low, high in ends)
    return _YES_NO[row["same_sign"]] + ("" if is_certain else ", uncertain")


def inducer_table(inducers: pl.DataFrame, length: str, tags: str) -> Table:
    """Return all inducers under the three metrics and two lenient ones, with their ranks."""
    metrics = (*METRICS, *LENIENT_METRICS)
    ranks = [pl.col(f"{m}_rank").cast(pl.String).alias(f"{m}_remark") for m in metrics]
    return from_records(
        ["system", "supervision", *_SCORES, *_LENIENT_SCORES],
        inducers.filter(length=length)
        .sort("uas_rank", maintain_order=True)
        .with_columns(ranks)
        .to_dicts(),
        title=f"inducers under three metrics (rank), {_LENGTHS_IN_WORDS[length]}",
        notes=[
            f"tags {tags}; 95% intervals",
            "debatable UAS accepts any head inside the paper's five structures; TedEval (Tsarfaty "
            "et al. 2011) scores phrases against what gold and the other annotations below share; "
            "best of these",
        ],
    ).with_best([2, 3, 4, 5, 6])


def agreement_table(agreement: pl.DataFrame) -> Table:
    """Return how alike the metrics rank the inducers."""
    return from_records(
        ["metric", Column("metric", "other"), Column("tau-b", "tau_b")],
        agreement.to_dicts(),
        title="Kendall's tau-b between rankings",
        notes=["published: the order under NED is different from the order under the others"],
    )


def scheme_table(schemes: pl.DataFrame, published: pl.DataFrame) -> Table:
    """Return what other annotations of the same sentences score."""
    paper = published.row(0, named=True)
    numbers = ", ".join(f"{TITLES[m]} {PERCENT_1.show(paper[m])}" for m in METRICS)
    return from_records(
        ["annotation", Column("% other heads", "changed", PERCENT), *_SCORES],
        schemes.to_dicts(),
        title="other annotations of the same sentences, scored against gold",
        notes=[
            f"published, Collins's head rules against Yamada and Matsumoto's: {numbers}; another "
            "annotation by head rules of your own is compared with --other"
        ],
    )
