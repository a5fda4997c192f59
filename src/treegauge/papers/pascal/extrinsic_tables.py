"""Tables of what induced classes are good for, and whether metrics of classes foretell it."""

from __future__ import annotations

from treegauge.metrics import MetricSpec
from treegauge.papers.pascal.extrinsic import GOLD, GOLD_TAGS, SUFFIXES
from treegauge.papers.pascal.extrinsic_statistics import (
    AVERAGE,
    CURVE,
    INDUCED,
    PARSING,
    SIGNIFICANT,
    WORDS,
    Agreement,
    Task,
    Uses,
    tagging_task,
)
from treegauge.reports.old_tables import Cell, Table
from treegauge.reports.shown_numbers import Shown

_TITLES = tuple(MetricSpec.parse(metric).metric.title for metric in INDUCED)
_FEW = 5
"""Inducers below which no agreement can be significant: of four, it is at best p = 1/12."""


def extrinsic_tables(found: Uses) -> list[Table]:
    """Return what classes are worth in tasks, for which words, and who foretells it."""
    return [_values(found), _kinds_of_words(found), _agreement(found)]


def _values(found: Uses) -> Table:
    """Return the scores of every task, with what classes give over none."""
    heads = {
        **{tagging_task(size): f"tagged, {size}" for size in found.sizes},
        CURVE: "tagged, curve",
        PARSING: "parsed, UAS",
    }
    rows: list[list[Cell]] = []
    headings = set()
    width = 1 + len(INDUCED) + len(heads)
    for place in found.places:
        headings.add(len(rows))
        rows.append([place, *[None] * (width - 1)])
        metrics = found.metrics(found.treebanks if place == AVERAGE else [place])
        tasks = found.tasks(place)
        for kind in found.kinds:
            own = metrics.get(kind, {})
            cells = [_gained(found, place, name, kind, tasks.get(name, {})) for name in heads]
            if own or any(cells):
                rows.append([kind, *(_metric(m, own.get(m)) for m in INDUCED), *cells])
    return Table(
        ["classes", *_TITLES, *heads.values()],
        rows,
        title=f"What {found.classes} induced classes are good for",
        notes=[
            "tagged: universal tags of the test part by crf from so many sentences, with classes "
            "as features; in parentheses the gain over no classes",
            "curve: the area under the learning curve over the logarithm of sentences, "
            "as a mean accuracy",
            f"parsed: by {found.parser} from words and classes alone, without classes from words",
            f"*: p < {SIGNIFICANT}, paired permutations of sentences, Holm's correction over the "
            "classes of a treebank and task",
            f"{GOLD} and {GOLD_TAGS} are told the answer: the most frequent gold tag of a word, "
            "and the gold tag of a token",
            f"{SUFFIXES} are as many as there are endings, not {found.classes}",
            *found.notes,
            *found.failures,
        ],
        headings=frozenset(headings),
        right=frozenset(range(1, width)),
    )


def _gained(
    found: Uses, place: str, task: str, kind: str, by_classes: dict[str, Task]
) -> str | None:
    text = _percent(by_classes[kind].value) if kind in by_classes else None
    gain = found.gains.get((place, task, kind))
    if text is None or gain is None:
        return text
    return f"{text} ({100 * gain.difference:+.1f}{'*' if gain.is_significant else ''})"


def _kinds_of_words(found: Uses) -> Table:
    """Return the tagger's accuracy on words it has not seen, and on those with several tags."""
    place = found.places[-1]
    tasks = {words: found.tasks(place, words) for words in WORDS}
    columns = [(words, size) for words in WORDS for size in found.sizes]
    rows: list[list[Cell]] = []
    for kind in found.kinds:
        cells: list[Cell] = []
        for words, size in columns:
            task = tasks[words].get(tagging_task(size), {}).get(kind)
            cells.append(None if task is None else _percent(task.value))
        if any(cells):
            rows.append([kind, *cells])
    return Table(
        ["classes", *(f"{words}, {size}" for words, size in columns)],
        rows,
        title=f"Which words classes help to tag ({place})",
        notes=[
            "unknown: not in the labelled sentences; ambiguous: with several gold tags in all parts"
        ],
        right=frozenset(range(1, 1 + len(columns))),
    )


def _agreement(found: Uses) -> Table:
    """Return tau-b between tasks and metrics, on every treebank and on average."""
    cells: dict[tuple[str, str], dict[str, Agreement]] = {}
    for one in found.agreement:
        cells.setdefault((one.treebank, one.task), {})[one.metric] = one
    rows: list[list[Cell]] = []
    headings = set()
    for place in found.places:
        headings.add(len(rows))
        rows.append([place, *[None] * len(INDUCED)])
        rows += [
            [task, *(_tau(own[metric]) for metric in INDUCED)]
            for (where, task), own in cells.items()
            if where == place
        ]
    fewest = min((one.inducers for one in found.agreement), default=0)
    few = [f"{fewest} inducers are too few for any agreement to be significant"]
    return Table(
        ["task", *_TITLES],
        rows,
        title="Do metrics of classes rank inducers as tasks do?",
        notes=[
            f"Kendall's tau-b over inducers ({', '.join(found.inducers)}), 1 where both rank them "
            "alike; in parentheses p, two-sided, over all orders, not corrected for their number",
            *(few if fewest < _FEW else []),
        ],
        headings=frozenset(headings),
        right=frozenset(range(1, 1 + len(INDUCED))),
    )


def _tau(one: Agreement) -> str | None:
    if one.tau is None:
        return None
    # A tau of -0.0 is no less than 0.
    return f"{one.tau + 0.0:.2f} ({one.p:.3f})"


def _percent(value: float | None) -> str | None:
    return None if value is None else f"{100 * value:.1f}"


def _metric(metric: str, value: float | None) -> str | None:
    return None if value is None else Shown.of(MetricSpec.parse(metric)).number(value)
