"""The challenge's tables and its figure, ours with the published figures beside them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import polars as pl

from treegauge.evaluation import StratumScore
from treegauge.metrics import MetricSpec
from treegauge.papers.pascal.challenge import INDUCED, TREES, Challenge
from treegauge.papers.pascal.references import References
from treegauge.papers.pascal.remarks import Remark, Winner
from treegauge.reports.old_tables import Cell, Table
from treegauge.reports.run_strata import StratumTable, stratum_tables
from treegauge.reports.run_tables import RunTable, run_tables
from treegauge.reports.shown_numbers import Shown
from treegauge.reports.stratum_figures import edge_length_figure
from treegauge.results.published import PASCAL, published_figures
from treegauge.significance.agreement import agreement
from treegauge.strata import TABLE6_ORDER
from treegauge.tables import Table as NewTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from treegauge.reports.charts import Figure


CLASS_GROUPS: Mapping[str, str] = {
    "c": "as many classes as coarse tags",
    "p": "as many classes as fine tags",
    "u": "12 classes",
    "45": "45 classes",
    "": "another number of classes",
}
"""Induced tags are compared with those of equally many classes: more classes raise M-1 and
lower 1-1 whatever they are worth."""


_UAS = Shown.of(MetricSpec.parse("uas"))


def pascal_tables(found: Challenge, *, intervals: bool = False) -> list[Table | NewTable]:
    """Return all tables of a run of the challenge, in the order of the paper."""
    by_classes = tag_tables(found)
    trees = [*tree_tables(found, "dependencies"), *tree_tables(found, "joint")]
    tables: list[Table | NewTable] = [treebank_table(found)]
    tables += [
        _numbered(one, CLASS_GROUPS[group], intervals=intervals)
        for group, made in by_classes.items()
        for one in made
    ]
    tables += [_numbered(one, intervals=intervals) for one in trees]
    tables += [reference_table(one) for one in found.references]
    tables += [*relation_tables(found), length_table(found)]
    tables += agreement_tables(by_classes, trees)
    last = tables.pop()
    assert isinstance(last, Table)
    tables.append(replace(last, notes=[*last.notes, *found.notes, *found.failures]))
    return tables


_PAPER_TABLES = {
    ("tags", "u12", ""): 2,
    ("tags", "p", ""): 7,
    ("dependencies", "", ""): 3,
    ("dependencies", "", "@10"): 8,
    ("joint", "", ""): 4,
    ("joint", "", "@10"): 9,
}
"""By track, gold tags and length."""


def _numbered(made: RunTable, group: str = "", *, intervals: bool) -> NewTable:
    """Return a table under the number that it has in the paper."""
    table = made.to_table(intervals=intervals or None)
    number = _PAPER_TABLES[made.track, made.tags, made.spec.cut_off]
    title = f"Table {number}: {table.title}"
    return replace(table, title=f"{title}; {group}" if group else title)


# ---------------------------------------------------------------------- Table 1


def treebank_table(found: Challenge) -> Table:
    """Return what the treebanks are like (Table 1)."""
    rows: list[list[Cell]] = []
    for one in found.treebanks:
        first = next(iter(one.parts.values()))
        test = one.parts.get("test", first)
        rows.append(
            [
                one.name,
                one.annotation or None,
                *(one.parts[part].tokens if part in one.parts else None for part in _PARTS),
                first.sentences,
                _number(first.tokens_a_sentence),
                first.coarse_tags,
                first.fine_tags,
                first.feature_values,
                None if test.new_types is None else _number(100 * test.new_types),
            ]
        )
    notes = [
        "d: annotated as dependencies, p: as phrases, c: converted; tags, features and sentences "
        "of the training part; new: word types of the test part that it lacks"
    ]
    poor = _without_fine_tags(found)
    if poor:
        notes.append(
            "next to no fine tags, so neither compared with them nor parsed by them: "
            f"{', '.join(poor)}"
        )
    return Table(
        [
            *("treebank", "annotation", "train", "dev", "test", "sentences", "tokens/sentence"),
            *("coarse", "fine", "features", "% new"),
        ],
        rows,
        title="Table 1: the treebanks",
        notes=notes,
        right=frozenset(range(2, 11)),
    )


_PARTS = ("train", "dev", "test")


def _number(value: float | None) -> str | None:
    return None if value is None else f"{value:.1f}"


def _without_fine_tags(found: Challenge) -> list[str]:
    return [one.name for one in found.treebanks if not one.has_fine_tags]


# ---------------------------------------------------------------------- Tables 2, 7


def tag_tables(found: Challenge) -> dict[str, list[RunTable]]:
    """Return the tables of induced tags by class count: against u12 (Table 2) and p (Table 7).

    Tags of joint systems stand among them, as in the paper.
    """
    rows = _tag_rows(found)
    if rows.is_empty():
        return {}
    group = [
        class_group(json.loads(settings), supervision)
        for settings, supervision in rows.select("settings", "supervision").iter_rows()
    ]
    rows = rows.with_columns(pl.Series("group", group))
    made = {
        name: run_tables(rows.filter(pl.col("group") == name).drop("group"))
        for name in CLASS_GROUPS
    }
    return {
        name: [_with_equal_figures(one, name) for one in own] for name, own in made.items() if own
    }


def _with_equal_figures(table: RunTable, group: str) -> RunTable:
    """Return a table without published figures of another number of classes.

    Columns are named by it (`Bc`, `MKu`); where they are not, it was that of fine tags, which 45
    is nearest to.
    """
    if not group:
        return table
    kept = [
        figure
        for figure in table.figures
        if (letter if (letter := figure.published.column[-1]) in "cu" else "p")
        == {"45": "p"}.get(group, group)
    ]
    return replace(table, figures=tuple(kept))


def _tag_rows(found: Challenge) -> pl.DataFrame:
    """Return the rows of induced tags, those of joint systems as rows of the track of tags."""
    poor = _without_fine_tags(found)
    return found.results.filter(
        pl.col("track").is_in(["tags", "joint"])
        & pl.col("metric").is_in(list(INDUCED))
        & pl.col("tags").is_in(["u12", "p"])
        & ~((pl.col("tags") == "p") & pl.col("treebank").is_in(poor))
    ).with_columns(
        pl.lit("tags").alias("track"),
        pl.col("signature").str.replace("|track:joint", "|track:tags", literal=True),
    )


def class_group(settings: Mapping[str, Any], supervision: str) -> str:
    """Return the group of a system: which tags are as many as its classes.

    >>> class_group({"classes": 49, "classes_of": "p"}, "unsupervised")
    'p'
    >>> class_group({"tags_from": "brown:12"}, "unsupervised")
    'u'
    >>> class_group({"classes": 45}, "unsupervised")
    '45'
    """
    if supervision == "dev-tuned":
        return ""
    if "classes_of" in settings:
        return str(settings["classes_of"])[:1]
    number = settings.get("classes") or str(settings.get("tags_from", "")).partition(":")[2]
    return {"12": "u", "45": "45"}.get(str(number), "")


# ---------------------------------------------------------------------- Tables 3, 4, 8, 9


def tree_tables(found: Challenge, track: str) -> list[RunTable]:
    """Return the tables of trees: all lengths (3 and 4) and up to ten words (8 and 9).

    Trees over fine tags have no score where a treebank has next to no fine tags.
    """
    over_nothing = pl.col("treebank").is_in(_without_fine_tags(found)) & pl.col(
        "settings"
    ).str.contains('"tags": "p"', literal=True)
    results = found.results.with_columns(
        pl.when(over_nothing).then(float("nan")).otherwise(pl.col("value")).alias("value"),
        pl.when(over_nothing)
        .then(pl.lit("next to no fine tags"))
        .otherwise(pl.col("reason"))
        .alias("reason"),
    )
    return run_tables(results, metrics=TREES, tracks=[track])


# ---------------------------------------------------------------------- Table 5


def reference_table(found: References) -> Table:
    """Return directed accuracy against several references, and the best of them (Table 5)."""
    systems = found.systems
    rows: list[list[Cell]] = []
    bold = set()
    for i, (reference, own) in enumerate(found.scores.items()):
        values = [own.get(name) for name in systems]
        bold |= {(i, j + 1) for j in _UAS.best(values)}
        rows.append([reference, *(_percent(value) for value in values)])
    best = [found.best(name) for name in systems]
    bold |= {(len(rows), j + 1) for j in _UAS.best(best)}
    rows.append(["best", *(_percent(value) for value in best)])
    theirs = published_figures().filter(pl.col("table") == 5)
    firsts = [
        f"{reference} {own.sort('value', descending=True)['system'][0]}"
        for (reference,), own in theirs.group_by("reference", maintain_order=True)
        if reference != "best"
    ]
    return Table(
        ["reference", *systems],
        rows,
        title=f"Table 5: UAS on {found.treebank} against several references, by {found.how}",
        notes=[f"{PASCAL}, Table 5, on the Penn Treebank; best are {', '.join(firsts)}"],
        bold=frozenset(bold),
        right=frozenset(range(1, len(systems) + 1)),
    )


def _percent(value: float | None) -> str | None:
    return None if value is None else f"{100 * value:.1f}"


# ---------------------------------------------------------------------- Table 6, Figure 1


def relation_tables(found: Challenge) -> list[Table | NewTable]:
    """Return attachment by gold relation on one treebank, and the paper's own Table 6."""
    of_treebank = _strata(found, "table6", found.shown)
    tables: list[Table | NewTable] = []
    if of_treebank is not None:
        ordered = [name for name in TABLE6_ORDER if name in of_treebank.cells]
        table = replace(
            of_treebank, cells={name: of_treebank.cells[name] for name in ordered}
        ).to_table()
        tables.append(replace(table, title=f"Table 6: {table.title}"))
    return [*tables, _published_relations()]


def _published_relations() -> Table:
    theirs = published_figures().filter(pl.col("table") == 6)
    values: dict[str, dict[str, float]] = {}
    for system, relation, value in theirs.select("system", "relation", "value").iter_rows():
        values.setdefault(system, {})[relation] = value
    bold = {
        (i, j)
        for j, relation in enumerate(TABLE6_ORDER, 1)
        for i in _UAS.best([own.get(relation) for own in values.values()])
    }
    return Table(
        ["system", *TABLE6_ORDER],
        [[name, *(_percent(own.get(r)) for r in TABLE6_ORDER)] for name, own in values.items()],
        title=f"Table 6 as published: UAS on the Penn Treebank ({PASCAL})",
        notes=["relations of the Penn converter, which ours are not"],
        bold=frozenset(bold),
        right=frozenset(range(1, len(TABLE6_ORDER) + 1)),
    )


def length_table(found: Challenge) -> Table | NewTable:
    """Return attachment by the length of edges, averaged over treebanks (Figure 1)."""
    made = _strata(found, "edge_length", "") or _strata(found, "edge_length", found.shown)
    if made is None:
        return Table(["edge_length"], [], title="Figure 1: no system found any tree")
    table = made.to_table()
    return replace(table, title=f"Figure 1 in numbers: {table.title}")


def length_figures(found: Challenge) -> dict[str, Callable[[], Figure]]:
    """Return what draws Figure 1, of one treebank and averaged, by the name of its file."""
    figures: dict[str, Callable[[], Figure]] = {}
    for treebank in (found.shown, ""):
        made = _strata(found, "edge_length", treebank)
        if made is None:
            continue
        systems = {
            name: [
                StratumScore(stratum, cells[name].value, None, None, made.sizes[stratum])
                for stratum, cells in made.cells.items()
                if name in cells
            ]
            for name in made.systems
        }
        where = (treebank or "average").replace(":", "-")
        of = "UAS" if treebank else "UAS, average over treebanks"
        figures[f"figure-1-{where}.svg"] = partial(edge_length_figure, systems, metric=of)
    return figures


def _strata(found: Challenge, by: str, treebank: str) -> StratumTable | None:
    """Return attachment of the dependency track by a stratum; of no treebank, the average."""
    if found.results.filter((pl.col("by") == by) & (pl.col("track") == "dependencies")).is_empty():
        return None
    made = stratum_tables(found.results, by, metrics=["uas"], tracks=["dependencies"])
    return next((one for one in made if one.treebank == treebank), None)


# ---------------------------------------------------------------------- agreement of metrics


def agreement_tables(
    tags: Mapping[str, Sequence[RunTable]], trees: Sequence[RunTable]
) -> list[Table]:
    """Return how alike metrics rank systems: of equally many classes, and of trees by track."""
    chosen_tables = {
        f"induced tags against {name}, {CLASS_GROUPS[group]}": [
            one for one in made if one.tags == name
        ]
        for group, made in tags.items()
        for name in ("u12", "p")
    }
    chosen_tables |= {
        track: [one for one in trees if one.track == track] for track in ("dependencies", "joint")
    }
    made = []
    for title, chosen in chosen_tables.items():
        values: dict[str, dict[str, float | None]] = {}
        for one in chosen:
            own = values.setdefault(str(one.spec), {})
            own.update({row.system: row.available.value for row in one.systems})
        names = list(dict.fromkeys(name for own in values.values() for name in own))
        if len(names) < _FEWEST_RANKED:
            continue
        metrics = list(values)
        better = {name: MetricSpec.parse(name).metric.higher_is_better for name in metrics}
        scores = {metric: [values[metric].get(name) for name in names] for metric in metrics}
        taus = {frozenset((a, b)): tau for a, b, tau in agreement(scores, better)}
        rows: list[list[Cell]] = [
            [
                metric,
                *(
                    None if other == metric else _tau(taus[frozenset((metric, other))])
                    for other in metrics
                ),
            ]
            for metric in metrics
        ]
        made.append(
            Table(
                ["", *metrics],
                rows,
                title=f"Do metrics rank systems alike? {title}, {len(names)} systems",
                notes=["Kendall's tau-b between averages over treebanks"],
                right=frozenset(range(1, len(metrics) + 1)),
            )
        )
    return made


_FEWEST_RANKED = 3
"""Two systems are ranked alike, or not: that is no correlation."""


def _tau(value: float | None) -> str | None:
    return None if value is None else f"{value:.2f}"


# ---------------------------------------------------------------------- the paper's remarks


def remark_tables(remarks: Sequence[Remark], winners: Sequence[Winner]) -> list[Table]:
    """Return who wins, and what the paper says of its tables beside what they say."""
    rows: list[list[Cell]] = []
    for one in winners:
        decimals = 2 if one.table in (2, 7) else 1
        scale = 100 if MetricSpec.parse(one.metric).metric.is_share else 1
        average, common = (
            f"{name} {scale * value:.{decimals}f}" for name, value in (one.average, one.common)
        )
        wins = ", ".join(f"{name} {n}" for name, n in one.wins.items())
        rows.append([one.table, one.metric, average, common, wins])
    return [
        Table(
            ["table", "metric", "best average", "over common test sets", "test sets won"],
            rows,
            title=f"Who wins: {PASCAL}",
            notes=["averages are over the test sets that a system has; common: that all have"],
        ),
        Table(
            ["section", "remark", "verdict", "the published figures"],
            [[one.section, one.text, one.verdict, one.evidence] for one in remarks],
            title=f"Remarks of the paper, checked on its own tables: {PASCAL}",
        ),
    ]
