"""Several references for the same sentences, and what systems score against each.

Section 6.4 of the challenge's paper scores trees against five conversions of the Penn Treebank:
a system that is consistent finds a reference that it agrees with. Where there are brackets, head
rules make the references; where relations are those of Universal Dependencies, styles do.

References
----------
Gelling, Cohn, Blunsom and Graça (2012), section 6.4 and Table 5.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from treegauge.evaluation.evaluation import evaluate
from treegauge.formats import read_brackets
from treegauge.metrics.conventions import preset
from treegauge.rewrite import BUNDLES, RewriteError, to_style
from treegauge.rewrite.head_rules import choose_heads
from treegauge.runs.errors import ExperimentError
from treegauge.treebank import Treebank

PENN_OPTIONS = ("conll2007", "functional", "lexical", "oldLTH", "standard")
"""The paper's conversions, in its order."""
HEAD_RULES = "head rules with options"
"""How the paper's references were made."""
BEST = "best"
"""The last row of Table 5: the best score of a system over all references."""


def references_of(gold: Treebank, folder: Path | None = None) -> dict[str, Treebank]:
    """Return the references of gold's sentences by name, gold's own annotation aside.

    Universal tags are gold's, since they say what is punctuation. Empty where there are neither
    brackets nor relations of Universal Dependencies.
    """
    brackets = brackets_in(folder) if folder is not None else None
    if brackets is not None:
        trees = read_brackets(brackets)
        references = {name: choose_heads(trees, "lth", name) for name in PENN_OPTIONS}
        places = sentences_in(references[PENN_OPTIONS[0]], gold)
        tags = {"upos": gold.upos}
        return {name: one.take(places).replace(columns=tags) for name, one in references.items()}
    try:
        # One style may have two names.
        styles = list(BUNDLES.values())
        return {
            name: to_style(gold, style)
            for place, (name, style) in enumerate(BUNDLES.items())
            if style not in styles[:place]
        }
    except RewriteError:
        return {}


def brackets_in(folder: Path) -> Path | None:
    """Return the file of bracketed trees in a treebank's folder."""
    return next(iter(sorted(folder.glob("*.mrg*"))), None)


def sentences_in(whole: Treebank, part: Treebank) -> np.ndarray[Any, np.dtype[np.intp]]:
    """Return where the sentences of a part are in the whole: the first not yet taken.

    Raises
    ------
    ExperimentError
        If a sentence is not there.
    """
    places: dict[tuple[str, ...], deque[int]] = {}
    for number, words in enumerate(word_sequences(whole)):
        places.setdefault(words, deque()).append(number)
    chosen = []
    for words in word_sequences(part):
        if not places.get(words):
            raise ExperimentError(f"{part.name}: not among the brackets: {' '.join(words)[:60]}")
        chosen.append(places[words].popleft())
    return np.array(chosen, np.intp)


def word_sequences(treebank: Treebank) -> list[tuple[str, ...]]:
    """Return the words of every sentence."""
    forms = list(treebank.form)
    bounds = treebank.offsets.tolist()
    return [tuple(forms[a:b]) for a, b in pairwise(bounds)]


def score_references(
    name: str,
    references: Mapping[str, Treebank],
    systems: Mapping[str, Sequence[Treebank]],
    metric: str = "uas",
) -> pl.DataFrame:
    """Return what every system scores against every reference, and its best.

    Of a system with several annotations, one per seed, the mean over them; the best is that of
    means over all sentences, not of sentences.
    """
    is_penn = set(references) == set(PENN_OPTIONS)
    how = HEAD_RULES if is_penn else "annotation styles"
    annotations = [(label, one) for label, own in systems.items() for one in own]
    rows = []
    if references:
        gold, *others = (one.replace(name=reference) for reference, one in references.items())
        evaluation = evaluate(
            gold,
            *(one.replace(name=str(place)) for place, (_, one) in enumerate(annotations)),
            metrics=[metric],
            references=others,
            conventions=preset("pascal"),
            resamples=0,
            trials=0,
        )
        rows = [
            (name, how, reference, label, one.scores[metric].value)
            for reference, scored in (evaluation.references or {gold.name: evaluation}).items()
            for (label, _), one in zip(annotations, scored.systems, strict=True)
        ]
    columns = ["treebank", "how", "reference", "system", "value"]
    types = {column: pl.Float64 if column == "value" else pl.String for column in columns}
    frame = pl.DataFrame(rows, types, orient="row").drop_nulls("value")
    frame = frame.group_by(columns[:-1], maintain_order=True).agg(pl.col("value").mean())
    best = frame.group_by("treebank", "how", "system", maintain_order=True).agg(
        pl.col("value").max(), pl.lit(BEST).alias("reference")
    )
    return pl.concat([frame, best.select(columns)])
