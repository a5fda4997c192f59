"""Which columns of a system's output were copied from gold, and are nobody's merit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from treegauge.evaluation.scoring import Evaluated
from treegauge.metrics import Metric, MetricSpec, induced_column
from treegauge.treebank import Treebank, given_of

LEAST_WORDS = 200
"""From so many words on, nobody gets every tag right by skill."""

COPIED = ("lemma", "upos", "xpos", "cpos", "feats")
"""Columns that are taken to be copied where they are gold's; a tree may well be right."""


def given_columns(gold: Treebank, system: Treebank) -> frozenset[str]:
    """Return the columns that a system was given: identical to gold's throughout, and copied.

    Heads and relations are copied where the file says that they were there before, as files that
    `annotate` and `induce` write do; tags, lemmas and features also from 200 words on.
    """
    if gold.n_words != system.n_words or system.repairs is not None:
        return frozenset()
    stated = given_of(system)
    candidates = stated | {*(COPIED if gold.n_words >= LEAST_WORDS else ())}
    return frozenset(
        name
        for name in candidates
        if _is_annotated(name, gold) and is_identical(name, gold, system)
    )


def is_identical(name: str, gold: Treebank, system: Treebank) -> bool:
    """Return whether a column, or the heads, are gold's throughout."""
    if name == "head":
        return bool(np.array_equal(gold.head, system.head))
    if name not in gold.columns or name not in system.columns:
        return False
    return gold.columns[name] == system.columns[name]


def _is_annotated(name: str, gold: Treebank) -> bool:
    if name == "head":
        return gold.has_heads
    return name in gold.columns and gold.columns[name].is_annotated


def is_given(metric: Metric, system: Treebank, given: frozenset[str]) -> bool:
    """Return whether everything that a metric looks at was given."""
    needs = {induced_column(system) if need == "tags" else need for need in metric.needs}
    return bool(needs) and needs <= given


def with_given(
    evaluated: Evaluated, gold: Treebank, system: Treebank, specs: Sequence[MetricSpec]
) -> Evaluated:
    """Return a system whose scores say which of them are nobody's merit."""
    return marked_as_given(evaluated, given_columns(gold, system), system, specs)


def marked_as_given(
    evaluated: Evaluated, given: frozenset[str], system: Treebank, specs: Sequence[MetricSpec]
) -> Evaluated:
    """Return a system whose scores of given columns say so."""
    names = [
        str(spec)
        for spec in specs
        if given
        and evaluated.scores[str(spec)].value is not None
        and is_given(spec.metric, system, given)
    ]
    if not names:
        return evaluated
    scores = {
        name: replace(score, given=True) if name in names else score
        for name, score in evaluated.scores.items()
    }
    columns = ", ".join(name.upper() for name in sorted(given))
    note = (
        f"{evaluated.name}: copied from gold, not predicted: {columns}, identical to "
        "gold throughout"
    )
    return replace(evaluated, scores=scores, warnings=(*evaluated.warnings, note))
