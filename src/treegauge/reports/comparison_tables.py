"""Tables of two systems: tests by metric and stratum, who is right about what, sentences."""

from __future__ import annotations

from collections.abc import Sequence

from treegauge.evaluation.comparison import (
    ComparisonOfTwo,
    Contrast,
    SentenceContrast,
    StratumTest,
)
from treegauge.reports.old_tables import Cell, Table
from treegauge.reports.trees.drawing import drawing_of
from treegauge.reports.trees.tree_table import TreeTable, tree_table
from treegauge.results import Score

_MOST_ROWS = 15
"""Relations or tags in a table; JSON has all."""


def comparison_tables(comparison: ComparisonOfTwo) -> list[Table | TreeTable]:
    """Return all tables: scores, strata, contrasts, sentences."""
    tables: list[Table | TreeTable] = [_score_table(comparison)]
    tables += [_stratum_table(comparison, by, cells) for by, cells in comparison.strata.items()]
    tables += [_contrast_table(comparison, by, rows) for by, rows in comparison.contrasts.items()]
    tables += [_sentence_table(comparison, sentence) for sentence in comparison.sentences]
    return tables


def _score_table(comparison: ComparisonOfTwo) -> Table:
    evaluation = comparison.evaluation
    first, second = evaluation.systems
    pairs = {pair.metric: pair for pair in evaluation.pairs}
    rows: list[list[Cell]] = []
    for spec in evaluation.specs:
        a, b = first.scores[str(spec)], second.scores[str(spec)]
        p = pairs[str(spec)].p if str(spec) in pairs else None
        arrow = "" if a.higher_is_better else " ↓"
        change = None if a.value is None or b.value is None else b.value - a.value
        scale = 100 if a.is_share else 1
        shown = None if change is None else f"{scale * change:+.2f}"
        title = spec.metric.title + spec.cut_off + arrow
        rows.append([title, _with_interval(a), _with_interval(b), shown, _p(p), a.n])
    deviations = evaluation.conventions.deviations()
    conventions = f"preset {evaluation.conventions.preset}"
    if deviations:
        conventions += f", but {' '.join(deviations)}"
    signature = first.scores[str(evaluation.specs[0])].signature
    notes = [f"{conventions}; {signature}", *evaluation.notes]
    if evaluation.pairs:
        notes.append("p: two-sided paired test of this metric alone, over sentences")
    columns = ["", first.name, second.name, "difference", "p", "n"]
    return Table(columns, rows, notes=notes, right=frozenset({3, 4}))


def _stratum_table(comparison: ComparisonOfTwo, by: str, cells: Sequence[StratumTest]) -> Table:
    rows: list[list[Cell]] = [
        [
            cell.stratum,
            100 * cell.first,
            100 * cell.second,
            f"{100 * cell.difference:+.2f}",
            _p(cell.p),
            _p(cell.adjusted_p),
            cell.n,
        ]
        for cell in cells
    ]
    columns = [by, *comparison.names, "difference", "p", "p (Holm)", "n"]
    title = f"{comparison.metric} by {by}"
    return Table(columns, rows, title=title, right=frozenset({3, 4, 5}))


def _contrast_table(comparison: ComparisonOfTwo, by: str, rows: Sequence[Contrast]) -> Table:
    first, second = comparison.names
    differing = [row for row in rows if row.only_first or row.only_second]
    shown: list[list[Cell]] = [
        [row.value, row.only_first, row.only_second, row.both, row.neither, row.n]
        for row in differing[:_MOST_ROWS]
    ]
    notes = []
    if len(differing) > _MOST_ROWS:
        notes.append(f"and {len(differing) - _MOST_ROWS} more")
    if len(rows) > len(differing):
        notes.append(f"no difference in {len(rows) - len(differing)} more")
    columns = [by, f"only {first}", f"only {second}", "both", "neither", "n"]
    title = f"who is right under {comparison.metric}, by {by}"
    return Table(columns, shown, title=title, notes=notes)


def _sentence_table(comparison: ComparisonOfTwo, sentence: SentenceContrast) -> Table | TreeTable:
    gold = sentence.gold
    (first, second), (a, b) = comparison.names, sentence.right
    name = gold.id or f"sentence {sentence.number}"
    title = f"{name}: {first} {a} right, {second} {b}, of {sentence.n}"
    if sentence.outputs is None:
        note = "not drawn: the systems have other words than gold"
        return Table((name,), [(str(gold),)], title=title, notes=[note])
    drawing = drawing_of(gold, *sentence.outputs, names=comparison.names)
    return tree_table(drawing, title=title)


def _with_interval(score: Score) -> str:
    if score.low is None or score.high is None:
        return score.shown()
    return f"{score.shown()} [{score.shown(score.low)}, {score.shown(score.high)}]"


def _p(p: float | None) -> str | None:
    """Return a p-value as people read it.

    >>> _p(0.25), _p(0.00009), _p(None)
    ('0.250', '<0.001', None)
    """
    if p is None:
        return None
    return "<0.001" if p < 0.001 else f"{p:.3f}"
