"""Tables 5 and 6 and Figure 1: several references, relations, lengths of edges.

In the paper they are about the Penn Treebank. Where the sample of it is at hand, every system of
the paper has a row, ours above the published one, empty where ours was not run. Of other
treebanks the tables are made with what stands for the paper's references and relations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from treegauge.evaluation import StratumScore
from treegauge.papers.paper import Measurements
from treegauge.papers.pascal.penn import OPTIONS, PENN
from treegauge.papers.pascal.references import BEST, HEAD_RULES
from treegauge.papers.pascal.scores import columns_of
from treegauge.papers.pascal.settings import PascalSettings
from treegauge.reports.charts import Figure
from treegauge.reports.run_rows import SUPERVISION
from treegauge.reports.run_strata import StratumTable, stratum_tables
from treegauge.reports.stratum_figures import edge_length_figure
from treegauge.results.published import PASCAL, SYSTEMS, published_scores
from treegauge.significance import kendall_tau_b
from treegauge.strata import TABLE6_ORDER
from treegauge.tables import PERCENT_1, Cell, Column, Row, Table

Measured = Measurements[PascalSettings]

_NOT_THE_SAME = f"published: {PASCAL}, on section 23 of the Penn Treebank; not the same sentences"


# ---------------------------------------------------------------------- systems of the paper


def entry_table(
    ours: pl.DataFrame, by: str, names: Sequence[str], number: int = 0, metric: str = "uas"
) -> Table:
    """Return accuracies with a row for every system, kinds of supervision apart.

    Parameters
    ----------
    ours : DataFrame
        Columns `treebank`, `system`, `column` (of the paper, or empty), `supervision`, `value`,
        and one that says what the value is of.
    by, names : str and sequence of str
        That column, and its values from left to right.
    number : int
        The table of the paper whose systems are all to have a row, published figures below ours;
        0 for none.
    metric : str
        What values are, in data.
    """
    theirs = published_scores().filter(pl.col("table") == number)
    rows = []
    for kind in SUPERVISION:
        own = ours.filter(pl.col("supervision") == kind)
        printed = theirs.filter(pl.col("supervision") == kind)["system"].unique().to_list()
        columns = [name for one in SYSTEMS["dependencies"] for name in one.columns]
        columns = [name for name in columns if name in printed]
        for column in columns:
            members = own.filter(pl.col("column") == column)
            rows += _rows(members, by, names, kind) or [
                Row([f"{column}, not run", *(None for _ in names)], kind)
            ]
            values = _values(theirs.filter(pl.col("system") == column), by, names)
            rows.append(Row([f"{column}, published", *values], kind, published=True))
        rows += _rows(own.filter(~pl.col("column").is_in(columns)), by, names, kind)
    table = Table(
        ["system", *(Column(name, format=PERCENT_1) for name in names)],
        rows,
        data=_data(ours, theirs, by, metric),
    )
    return table.with_best()


def _data(ours: pl.DataFrame, theirs: pl.DataFrame, by: str, metric: str) -> Table:
    """Return a row for every number, as other tables of runs have them in TSV."""
    label = pl.format("{}, published", "system")
    printed = theirs.with_columns(
        pl.col("system").alias("published"),
        pl.col("test_set").alias("treebank"),
        label.alias("system"),
    )
    columns = ["supervision", "system", "published", "treebank", by, "value"]
    both = [ours.with_columns(pl.lit(None, pl.String).alias("published")), printed]
    data = pl.concat([frame.select(columns) for frame in both]).rename({"value": metric})
    return Table(data.columns, data.iter_rows())


def _rows(frame: pl.DataFrame, by: str, names: Sequence[str], kind: str) -> list[Row]:
    return [
        Row([str(system), *_values(own, by, names)], kind)
        for (system,), own in frame.group_by("system", maintain_order=True)
    ]


def _values(frame: pl.DataFrame, by: str, names: Sequence[str]) -> list[Cell]:
    values = dict(frame.select(by, "value").iter_rows())
    return [Cell(values.get(name)) for name in names]


# ---------------------------------------------------------------------- Table 5


def reference_tables(measured: Measured) -> list[Table]:
    """Return directed accuracy against several references, and the best of them (Table 5)."""
    theirs = published_scores().filter((pl.col("table") == 5) & (pl.col("reference") != BEST))
    firsts = [
        f"{reference} {own.sort('value', descending=True)['system'][0]}"
        for (reference,), own in theirs.group_by("reference", maintain_order=True)
    ]
    tables = []
    for (name, how), own in measured.frames["references"].group_by(
        "treebank", "how", maintain_order=True
    ):
        is_penn = how == HEAD_RULES
        names = own["reference"].unique(maintain_order=True).to_list()
        table = entry_table(own, "reference", names, 5 if is_penn else 0)
        title = f"Table 5: UAS on {name} against several references, by {how}"
        best = f"{PASCAL}, Table 5, on the Penn Treebank; best are {', '.join(firsts)}"
        tables.append(replace(table, title=title, notes=(_NOT_THE_SAME if is_penn else best,)))
    return tables


def generalised_tables(measured: Measured) -> list[Table]:
    """Return TedEval against the references of Table 5, and how alike both rank systems."""
    if "generalised" not in measured.frames:
        return []
    attachment, generalised = (measured.frames[name] for name in ("references", "generalised"))
    tables = []
    for (name,), own in generalised.group_by("treebank", maintain_order=True):
        names = own["reference"].unique(maintain_order=True).to_list()
        table = entry_table(own, "reference", names, metric="tedeval")
        is_best = (pl.col("treebank") == name) & (pl.col("reference") == BEST)
        both = attachment.filter(is_best).join(own.filter(is_best), on="system", suffix="_tedeval")
        tau = kendall_tau_b(both["value"].to_list(), both["value_tedeval"].to_list())
        notes = (
            "Tsarfaty et al. (2011), unlabelled: phrases against those that all references have; "
            "what the reference of the column adds is free",
            "Kendall's tau-b between the best of references by UAS and by TedEval: "
            f"{'–' if tau is None else f'{tau:.2f}'}",
        )
        title = f"TedEval on {name} against what all references of Table 5 share"
        tables.append(replace(table, title=title, notes=notes))
    return tables


# ---------------------------------------------------------------------- Table 6


def relation_tables(measured: Measured) -> list[Table]:
    """Return attachment by gold relation: of one treebank, and of the Penn sample or as printed."""
    tables = []
    strata = _strata(measured, "table6", measured.settings.show)
    if strata is not None and measured.settings.show != PENN:
        cells = {name: strata.cells[name] for name in TABLE6_ORDER if name in strata.cells}
        table = replace(strata, cells=cells).to_table()
        tables.append(replace(table, title=f"Table 6: {table.title}"))
    return [*tables, _penn_relations(measured) or _published_relations()]


def _penn_relations(measured: Measured) -> Table | None:
    """Return Table 6 on the Penn sample, published figures beside ours."""
    strata = _strata(measured, "table6", PENN)
    if strata is None:
        return None
    columns = columns_of(measured.frames["penn"])
    rows = [
        (PENN, relation, system, columns.get(system, ""), strata.systems[system], score.value)
        for relation, scores in strata.cells.items()
        for system, score in scores.items()
    ]
    names = ["treebank", "relation", "system", "column", "supervision", "value"]
    table = entry_table(pl.DataFrame(rows, names, orient="row"), "relation", TABLE6_ORDER, 6)
    words = ", ".join(f"{name} {strata.sizes.get(name, 0):,}" for name in TABLE6_ORDER)
    return replace(
        table,
        title=f"Table 6: UAS on {PENN} by relation, against lth {OPTIONS}",
        notes=(f"words: {words}", _NOT_THE_SAME),
    )


def _published_relations() -> Table:
    theirs = published_scores().filter(pl.col("table") == 6).pivot("relation", values="value")
    published = Table(
        ["system", *(Column(name, format=PERCENT_1) for name in TABLE6_ORDER)],
        theirs.select("system", *TABLE6_ORDER).iter_rows(),
        title=f"Table 6 as published: UAS on the Penn Treebank ({PASCAL})",
        notes=["relations of the Penn converter, which ours are not"],
    )
    return published.with_best()


# ---------------------------------------------------------------------- Figure 1


def length_tables(measured: Measured) -> list[Table]:
    """Return attachment by the length of edges: averaged over treebanks, and on the Penn sample."""
    strata = [
        _strata(measured, "edge_length", "")
        or _strata(measured, "edge_length", measured.settings.show),
        _strata(measured, "edge_length", PENN),
    ]
    tables = {one.treebank: one.to_table() for one in strata if one is not None}
    if not tables:
        return [Table(["edge_length"], [], title="Figure 1: no system found any tree")]
    return [replace(one, title=f"Figure 1 in numbers: {one.title}") for one in tables.values()]


def length_figures(measured: Measured) -> list[Figure]:
    """Draw Figure 1, of one treebank, of the Penn sample and averaged."""
    figures = []
    for treebank in dict.fromkeys((measured.settings.show, PENN, "")):
        strata = _strata(measured, "edge_length", treebank)
        if strata is None:
            continue
        systems = {
            name: [
                StratumScore(stratum, cells[name].value, None, None, strata.sizes[stratum])
                for stratum, cells in strata.cells.items()
                if name in cells
            ]
            for name in strata.systems
        }
        where = (treebank or "average").replace(":", "-")
        title = "UAS" if treebank else "UAS, average over treebanks"
        figures.append(edge_length_figure(systems, metric=title, name=f"figure-1-{where}"))
    return figures


def _strata(measured: Measured, by: str, treebank: str) -> StratumTable | None:
    """Return attachment of the dependency track by a stratum; of no treebank, the average."""
    results = measured.frames["results"]
    if treebank == PENN and "penn" in measured.frames:
        results = measured.frames["penn"]
    if results.filter((pl.col("by") == by) & (pl.col("track") == "dependencies")).is_empty():
        return None
    tables = stratum_tables(results, by, metrics=["uas"], tracks=["dependencies"])
    return next((one for one in tables if one.treebank == treebank), None)
