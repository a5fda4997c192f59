"""Tables of scores: systems side by side, the best in bold, letters for what is significant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treegauge.evaluation import Confusion, Evaluation, StratumScore
from treegauge.reports.old_tables import Cell, Table
from treegauge.results import Score

_MOST_MISTAKES = 20


def score_table(evaluation: Evaluation) -> Table:
    """Return a row for every metric and a column for every system.

    Distances are marked with an arrow; ties for the best are all in bold.
    """
    several = len(evaluation.systems) > 1
    rows: list[list[Cell]] = []
    bold = set()
    for i, spec in enumerate(evaluation.specs):
        scores = [system.scores[str(spec)] for system in evaluation.systems]
        letters = evaluation.letters(str(spec)) if several else []
        arrow = "" if scores[0].higher_is_better else " ↓"
        cells: list[Cell] = [
            _shown(score) + (f" {''.join(letters[j].beats)}".rstrip() if several else "")
            for j, score in enumerate(scores)
        ]
        rows.append([spec.metric.title + spec.cut_off + arrow, *cells, scores[0].n])
        bold |= {(i, j + 1) for j in best(scores)} if several else set()
    names = [system.name for system in evaluation.systems]
    if several:
        labels = [
            f"{letter.letter} {letter.name}" for letter in evaluation.letters(_any(evaluation))
        ]
    else:
        labels = names
    return Table(["", *labels, "n"], rows, notes=_notes(evaluation), bold=frozenset(bold))


def best(scores: Sequence[Score]) -> list[int]:
    """Return the places of the best scores; all of them if several are equally good."""
    shown = [score.shown() if score.value is not None else None for score in scores]
    values = [float(text) for text in shown if text is not None]
    if not values:
        return []
    top = max(values) if scores[0].higher_is_better else min(values)
    return [j for j, text in enumerate(shown) if text is not None and float(text) == top]


def _any(evaluation: Evaluation) -> str:
    return str(evaluation.specs[0])


def _shown(score: Score) -> str:
    shown = score.shown()
    if score.low is not None and score.high is not None:
        shown += f" [{score.shown(score.low)}, {score.shown(score.high)}]"
    # Precision and recall are there only where gold and system have different words.
    precision, recall = score.details.get("precision"), score.details.get("recall")
    if precision is not None and recall is not None:
        shown += f" (P {score.shown(precision)} R {score.shown(recall)})"
    return shown


def _notes(evaluation: Evaluation) -> list[str]:
    deviations = evaluation.conventions.deviations()
    conventions = f"preset {evaluation.conventions.preset}"
    if deviations:
        conventions += f", but {' '.join(deviations)}"
    notes = [f"{conventions}; {evaluation[_any(evaluation)].signature}"]
    if evaluation.pairs:
        notes.append(
            "letters: significantly better than that system (p < 0.05, paired, Holm over pairs)"
        )
    return [*notes, *evaluation.notes]


def stratum_table(by: str, metric: str, systems: Mapping[str, list[StratumScore]]) -> Table:
    """Return a row for every stratum and a column for every system."""
    names = list(dict.fromkeys(cell.stratum for cells in systems.values() for cell in cells))
    sizes = {cell.stratum: cell.n for cells in systems.values() for cell in cells}
    by_system = {name: {cell.stratum: cell for cell in cells} for name, cells in systems.items()}
    rows: list[list[Cell]] = [
        [name, *[_cell(cells.get(name)) for cells in by_system.values()], sizes[name]]
        for name in names
    ]
    return Table([by, *by_system, "n"], rows, title=f"{metric} by {by}")


def _cell(cell: StratumScore | None) -> Cell:
    if cell is None or cell.value is None:
        return None
    shown = f"{100 * cell.value:.2f}"
    if cell.low is None or cell.high is None:
        return shown
    return f"{shown} [{100 * cell.low:.2f}, {100 * cell.high:.2f}]"


def tag_table(system: str, rows: Sequence[Sequence[Cell]]) -> Table:
    """Return precision, recall and F1 of every tag, in per cent."""
    shown = [
        [tag, *(100 * x if isinstance(x, float) else x for x in numbers), words]
        for tag, words, *numbers in rows
    ]
    return Table(("tag", "precision", "recall", "F1", "n"), shown, title=f"{system}: tags")


def confusion_table(system: str, confusion: Confusion) -> Table:
    """Return the most frequent mistakes."""
    mistakes = confusion.mistakes()
    rows: list[list[Cell]] = [[*mistake] for mistake in mistakes[:_MOST_MISTAKES]]
    more = len(mistakes) - len(rows)
    notes = [f"and {more} other kinds of mistakes"] if more > 0 else []
    title = f"{system}: {confusion.column} taken for another"
    return Table(("gold", "system", "words"), rows, title=title, notes=notes)


def reference_table(metric: str, references: Mapping[str, Evaluation]) -> Table:
    """Return a row for every gold standard and one for the best, as in the challenge's Table 5."""
    names = [system.name for system in next(iter(references.values())).systems]
    scores = {
        reference: [system.scores[metric] for system in evaluation.systems]
        for reference, evaluation in references.items()
    }
    rows: list[list[Cell]] = [
        [reference, *[_shown(score) for score in row]] for reference, row in scores.items()
    ]
    tops = []
    for j in range(len(names)):
        column = [row[j] for row in scores.values()]
        place = best(column)
        tops.append(column[place[0]].shown() if place else None)
    rows.append(["best", *tops])
    return Table(["reference", *names], rows, title=f"{metric} against several gold standards")


def agreement_table(evaluation: Evaluation) -> Table:
    """Return Kendall's tau-b between the rankings of every two metrics."""
    rows = [list(row) for row in evaluation.agreement()]
    return Table(("metric", "metric", "tau-b"), rows, title="Do metrics rank systems alike?")
