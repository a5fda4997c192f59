"""Two annotations of the same sentences, one scored against the other.

Schwartz et al. (2011, section 5) score one conversion of the Penn Treebank against another.
Here the other annotation is made from gold: with relations of Universal Dependencies, in other
styles of it; otherwise by flipping the edges of the structures whose head is disputed.
A file of one's own, by other head rules for example, can be compared in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from treegauge.evaluation.evaluation import Evaluated, evaluate
from treegauge.metrics.conventions import preset
from treegauge.papers.ned.edge_types import Edges
from treegauge.papers.ned.supervised_grammars import reannotated
from treegauge.results import Score
from treegauge.rewrite import RewriteError, to_style
from treegauge.rewrite.debatable import STRUCTURES, mark_debatable
from treegauge.treebank import Treebank, keep_words, punctuation_mask, without_punctuation

METRICS = ("uas", "undirected", "ned")
LENIENT_METRICS = ("debatable_uas", "tedeval")
"""Two other answers to the same question, for inducers: a mark in gold, and several schemes."""

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
    schemes = other_schemes(gold, words, tags)
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


def score_leniently(
    gold: Treebank,
    answers: Sequence[Treebank],
    tags: str,
    cut_offs: Sequence[str],
    *,
    other: Treebank | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> Sequence[Evaluated]:
    """Score answers by metrics that accept several heads: `LENIENT_METRICS`.

    Debatable structures are marked in gold. The annotations of `compare_schemes` are further gold
    standards of TedEval. An inducer has no annotation scheme of its own: the best score counts.
    """
    words = without_punctuation(gold)
    schemes = [one for _, _, one in other_schemes(gold, words, tags)]
    is_word = ~punctuation_mask(gold)
    evaluation = evaluate(
        mark_debatable(words),
        *(keep_words(answer, is_word, allow_cycles=True) for answer in answers),
        metrics=[metric + cut_off for cut_off in cut_offs for metric in LENIENT_METRICS],
        references=[without_punctuation(one) for one in (*schemes, other) if one is not None],
        conventions=preset("pascal"),
        resamples=resamples,
        trials=0,
        seed=seed,
    )
    # Where nothing is debatable, gold is the only standard.
    standards = (*evaluation.references.values(),) or (evaluation,)
    by_scheme = zip(*(one.systems for one in standards), strict=True)
    return [
        replace(
            own,
            scores={
                **own.scores,
                **{
                    name: _best([one.scores[name] for one in others])
                    for name in own.scores
                    if name.startswith("tedeval")
                },
            },
        )
        for own, others in zip(evaluation.systems, by_scheme, strict=True)
    ]


def _best(scores: Sequence[Score]) -> Score:
    """Return the highest score; the first one, if nothing has a value."""
    return max(scores, key=lambda score: -1.0 if score.value is None else score.value)


def score_columns(
    scored: Evaluated, cut_off: str = "", metrics: Sequence[str] = METRICS
) -> dict[str, Any]:
    """Return the scores of a system as columns: `uas`, `uas_low`, `uas_high`, `uas_n`, others."""
    scores = {metric: scored.scores[metric + cut_off] for metric in metrics}
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


def other_schemes(gold: Treebank, words: Treebank, tags: str) -> list[tuple[str, str, Treebank]]:
    """Return names, ways of making them, and annotations of gold's sentences by other rules.

    `words` is gold without punctuation. The annotations may have punctuation or not.
    """
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
