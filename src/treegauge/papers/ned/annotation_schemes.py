"""Two annotations of the same sentences, one scored against the other.

Schwartz et al. (2011, section 5) score one conversion of the Penn Treebank against another.
Here the other annotation is made from gold: with relations of Universal Dependencies, in other
styles of it; otherwise by flipping the edges of the structures whose head is disputed.
A file of one's own, by other head rules for example, can be compared in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from treegauge.evaluation.evaluation import Evaluated, evaluate
from treegauge.metrics.conventions import preset
from treegauge.papers.ned.edge_types import Edges
from treegauge.papers.ned.supervised_grammars import reannotated
from treegauge.rewrite import RewriteError, to_style
from treegauge.rewrite.debatable import STRUCTURES
from treegauge.treebank import Treebank, without_punctuation

METRICS = ("uas", "undirected", "ned")

STYLES: Mapping[str, str] = MappingProxyType(
    {
        "adpositions head (case)": "ud,adpositions=head",
        "auxiliaries head (aux)": "ud,auxiliaries=head",
        "copulas head (cop)": "ud,copulas=head",
        "subordinators head (mark)": "ud,subordinators=head",
        "conjunctions head (cc)": "ud,coordination=conjunction",
        "all of these": (
            "ud,adpositions=head,auxiliaries=head,copulas=head,subordinators=head,"
            "coordination=conjunction"
        ),
    }
)
"""Styles in which function words head what they stand with."""


def compare_schemes(
    gold: Treebank, tags: str, *, other: Treebank | None = None, resamples: int = 1000
) -> list[dict[str, Any]]:
    """Score other annotations of gold's sentences against gold: a row for each.

    `changed` is the share of words, punctuation aside, with another head.

    Parameters
    ----------
    gold : Treebank
        Trees.
    tags : str
        The tag column that structures are found by, where there are no relations of UD.
    other : Treebank, optional
        The same sentences by other rules; compared as well.
    """
    words = without_punctuation(gold)
    schemes = _other_schemes(gold, words, tags)
    if other is not None:
        schemes.append((other.name or "other", "as given", other))
    rows = []
    for name, how, annotated in schemes:
        bare = without_punctuation(annotated).replace(name=name)
        scored = evaluate(
            words,
            bare,
            metrics=METRICS,
            conventions=preset("pascal"),
            resamples=resamples,
            trials=0,
        ).systems[0]
        changed = float((bare.head != words.head).mean()) if words.n_words else 0.0
        about = {"annotation": name, "how": how, "changed": changed}
        rows.append({**about, **score_columns(scored)})
    return rows


def score_columns(scored: Evaluated, cut_off: str = "") -> dict[str, Any]:
    """Return the scores of a system as columns: `uas`, `uas_low`, `uas_high`, `uas_n`, others."""
    scores = {metric: scored.scores[metric + cut_off] for metric in METRICS}
    return {
        f"{metric}{part}": value
        for metric, score in scores.items()
        for part, value in (
            ("", score.value),
            ("_low", score.low),
            ("_high", score.high),
            ("_n", score.n),
        )
    }


def _other_schemes(gold: Treebank, words: Treebank, tags: str) -> list[tuple[str, str, Treebank]]:
    try:
        to_style(gold, "ud")
    except RewriteError:
        return _flipped_structures(words, tags)
    return [(name, style, to_style(gold, style)) for name, style in STYLES.items()]


def _flipped_structures(words: Treebank, tags: str) -> list[tuple[str, str, Treebank]]:
    types = [edge for edge in Edges(words, tags).types() if edge.is_problematic]
    chosen = {
        **{name: [edge for edge in types if edge.structure == name] for name in STRUCTURES},
        "all of these": types,
    }
    return [
        (name, "edges flipped", reannotated(words, edges, tags))
        for name, edges in chosen.items()
        if edges
    ]
