"""Tables of what dictionaries say of taggers."""

from __future__ import annotations

from collections.abc import Sequence

from treegauge.dictionaries import (
    CorruptionCurve,
    CurvePoint,
    Groups,
    HeldOutPoint,
    Quality,
    Record,
    TagDictionary,
    Verdict,
)
from treegauge.reports.old_tables import Cell, Table


def percent(value: float | None) -> float | None:
    """Return a share as people read it."""
    return None if value is None else 100 * value


def soft_accuracy_table(records: Sequence[Record]) -> Table:
    """Return the scores of taggers, the best in bold; the signature below."""
    conditions = records[0].conditions
    has_interval = conditions.resamples > 0
    head = ["tagger", "A_soft"]
    head += ["interval"] if has_interval else []
    head += ["covered", "n", "coverage", "of types", "type-macro", "no punct.", "permissive"]
    gold = conditions.has_gold
    head += ["A_true", "ceiling"] if gold else []
    by_training = conditions.trusted_hash is not None and gold
    head += ["known", "unknown", "ambiguous"] if by_training else []
    rows: list[list[Cell]] = []
    for record in records:
        soft = record.soft
        row: list[Cell] = [record.tagger, percent(soft.value)]
        row += [_interval(soft.low, soft.high)] if has_interval else []
        row += [soft.covered, soft.n, percent(soft.coverage), percent(soft.type_coverage)]
        row += [percent(soft.type_macro), percent(soft.without_punctuation)]
        row += [percent(soft.permissiveness)]
        if record.gold is not None:
            row += [percent(record.gold.accuracy), percent(record.gold.ceiling)]
        if by_training and record.gold is not None:
            found = record.gold
            row += [percent(found.known), percent(found.unknown), percent(found.ambiguous)]
        rows.append(row)
    bold = _best(rows, 1)
    if gold:
        bold |= _best(rows, head.index("A_true"))
    notes = [str(conditions.signature)]
    if has_interval:
        notes.insert(
            0,
            f"{100 * conditions.confidence:g}% intervals over resampled sentences "
            f"({conditions.resamples:,}, seed {conditions.seed})",
        )
    return Table(head, rows, notes=notes, bold=bold, right=frozenset([2] if has_interval else []))


def costly_table(record: Record) -> Table:
    """Return the entries of the dictionary that reject most words of a tagger."""
    rows = [
        (entry.form, ", ".join(entry.tags), entry.usual_tag, entry.rejected, entry.words)
        for entry in record.soft.costly
    ]
    return Table(
        ("form", "in the dictionary", "tagged", "rejected", "words"),
        rows,
        title=f"costly entries: {record.tagger}",
    )


def quality_table(found: Quality, dictionary: TagDictionary, trusted: TagDictionary) -> Table:
    """Return precision, recall and coverage of a dictionary."""
    rows: list[tuple[Cell, ...]] = [
        ("micro", *map(percent, (found.precision, found.recall, found.f1))),
        (
            "macro, common forms",
            *map(percent, (found.precision_macro, found.recall_macro, found.f1_macro)),
        ),
    ]
    coverage = percent(found.type_coverage)
    return Table(
        ("average", "precision", "recall", "F1"),
        rows,
        notes=[
            f"{dictionary.name or 'dictionary'}: {found.forms:,} forms; "
            f"{trusted.name or 'trusted'}: {found.trusted_forms:,}; {found.common:,} in both"
            + ("" if coverage is None else f", {coverage:.2f}% of the latter"),
        ],
    )


def curve_table(points: Sequence[CurvePoint], confidence: float) -> Table:
    """Return soft accuracy by the size of the dictionary."""
    rows: list[tuple[Cell, ...]] = [
        (
            point.tagger,
            point.variant,
            point.size,
            percent(point.value),
            percent(point.low),
            percent(point.high),
            percent(point.mean_low),
            percent(point.mean_high),
            percent(point.coverage),
            point.undefined,
        )
        for point in points
    ]
    return Table(
        (
            *("tagger", "variant", "forms", "A_soft", "low", "high"),
            *("mean low", "mean high", "coverage", "undefined"),
        ),
        rows,
        notes=[
            f"low and high: {100 * confidence:g}% of the random dictionaries; "
            "mean low and high: interval of their mean"
        ],
    )


def corruption_table(curve: CorruptionCurve) -> Table:
    """Return the error of soft accuracy by true accuracy."""
    rows = [
        tuple(map(percent, (p.true, p.soft, p.soft_deviation, p.expected, p.error)))
        for p in curve.points
    ]
    notes = []
    if curve.ceiling is not None and curve.wrong_accepted is not None:
        notes.append(
            f"ceiling r = {100 * curve.ceiling:.2f}, wrong tags accepted "
            f"s = {100 * curve.wrong_accepted:.2f}; expected is a r + (1 - a) s"
        )
    if curve.zero_error is not None:
        notes.append(f"no error at an accuracy of {100 * curve.zero_error:.2f}")
    if curve.correlation is not None:
        notes.append(f"Pearson of error and accuracy {curve.correlation:.2f}")
    return Table(("A_true", "A_soft", "s.d.", "expected", "error"), rows, notes=notes)


def held_out_table(
    points: Sequence[HeldOutPoint], required: int | None, target: float | None
) -> Table:
    """Return how well small annotated samples rank taggers."""
    rows = [(p.sentences, p.precision_at_1, p.tau) for p in points]
    notes = []
    if target is not None:
        said = f"{required} sentences" if required is not None else "more sentences than these"
        notes.append(f"the dictionary's tau of {target:.2f} takes {said}")
    return Table(("sentences", "P@1", "tau"), rows, notes=notes)


def ranking_table(records: Sequence[Record], groups: Groups, found: Verdict) -> Table:
    """Return taggers by soft accuracy, with their groups and chances; the verdict above."""
    estimates = found.estimates
    by_name = {record.tagger: record for record in records}
    head = ["tagger", "A_soft", "group", "P(best)"]
    head += ["estimate", "interval"] if estimates else []
    has_gold = any(record.gold is not None for record in records)
    head += ["A_true"] if has_gold else []
    rows: list[list[Cell]] = []
    for name in groups.order:
        record = by_name[name]
        letters = "".join(
            chr(ord("a") + i) for i, group in enumerate(groups.groups) if name in group
        )
        row: list[Cell] = [name, percent(record.soft.value), letters, found.probability[name]]
        if estimates:
            one = estimates[name]
            row += [percent(one.value), _interval(one.low, one.high)]
        if record.gold is not None:
            row.append(percent(record.gold.accuracy))
        rows.append(row)
    right = frozenset([5] if estimates else [])
    notes = [
        "taggers that share a letter cannot be told apart by this dictionary and text",
        str(records[0].conditions.signature),
    ]
    return Table(head, rows, title=str(found), notes=notes, right=right)


def _interval(low: float | None, high: float | None) -> str | None:
    if low is None or high is None:
        return None
    return f"[{100 * low:.2f}, {100 * high:.2f}]"


def _best(rows: Sequence[Sequence[Cell]], column: int) -> frozenset[tuple[int, int]]:
    values = {i: row[column] for i, row in enumerate(rows) if isinstance(row[column], float)}
    if len(values) < 2:
        return frozenset()
    best = max(values.values())  # type: ignore[type-var]
    return frozenset((i, column) for i, value in values.items() if value == best)
