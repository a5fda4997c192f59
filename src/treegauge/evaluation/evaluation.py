"""Evaluates systems: every metric, with intervals, signatures and tests between systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from treegauge.evaluation import breakdown
from treegauge.evaluation.evaluation_result import Evaluation
from treegauge.evaluation.given_columns import with_given
from treegauge.evaluation.resampling import SIGNIFICANT, Resampling
from treegauge.evaluation.scoring import (
    Evaluated,
    SystemPair,
    chosen_specs,
    different_names,
    flaws_of_trees,
    missing_columns,
    require_columns,
    score_system,
    tests_of_pairs,
)
from treegauge.metrics import Comparison, Conventions, MetricError, MetricSpec, tag_counts, total
from treegauge.metrics.tagging import TagRow
from treegauge.treebank import Treebank, align_by_position, require_treebanks
from treegauge.wording import listed

if TYPE_CHECKING:
    from treegauge.properties import PerplexitySettings

__all__ = [
    "SIGNIFICANT",
    "Evaluated",
    "Evaluation",
    "SystemPair",
    "evaluate",
    "missing_columns",
]

CONFUSIONS = {"": "", "relations": "deprel", "tags": "upos"}
"""What can be confused, and the column it is in."""

MOST_ERRORS = 50
"""How many errors are listed for a system."""


def evaluate(
    gold: Treebank,
    *systems: Treebank,
    metrics: str | Sequence[str] = (),
    conventions: Conventions | None = None,
    align: bool = False,
    by: str | Sequence[str] = (),
    training: Treebank | None = None,
    confusion: str = "",
    per_tag: bool = False,
    errors: str = "",
    references: Sequence[Treebank] = (),
    styles: str | Sequence[str] = (),
    agreement: bool = False,
    perplexity: PerplexitySettings | str | None = None,
    perplexity_training: Treebank | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    interval_kind: str = "auto",
    test: str = "permutation",
    trials: int = 10_000,
    seed: int = 0,
) -> Evaluation:
    """Score systems against gold.

    Parameters
    ----------
    gold : Treebank
        The gold standard.
    *systems : Treebank
        The outputs of one or more systems. Several systems need different names
        (`treebank.replace(name="ours")`).
    metrics : str or sequence of str
        Names with optional cut-offs (`las@10`) or families (`induced-tags`), as a list or
        separated by commas. Default: all metrics of the preset that the columns allow.
    conventions : Conventions, optional
        How trees and tags are compared. Default: the preset `conll2018`.
    align : bool
        Align different tokenisations by characters.
    by : str or sequence of str
        Strata to break down the first metric of words by, such as `relation`. Cross two strata
        as `relation*direction`.
    training : Treebank, optional
        Training data, for the strata `known` and `frequency`.
    confusion : "", "relations" or "tags"
        Add a confusion matrix.
    per_tag : bool
        Add precision, recall and F1 of every tag.
    errors : str
        List sentences with these errors: `nsubj:obj` (gold and system) or `edge_length=10+`.
    references : sequence of Treebank
        More gold standards to score against.
    styles : str or sequence of str
        Annotation styles to convert gold (UD) to and score against; `all` for all styles.
    agreement : bool
        Add the rank correlation of every two metrics over the systems.
    perplexity : PerplexitySettings or str, optional
        How derivation perplexity is measured, such as `kenlm,order=3`. Default: `kenlm`.
    perplexity_training : Treebank, optional
        Trees to learn derivations from. Adds derivation perplexity; gold may then be plain text.
    resamples : int
        Bootstrap resamples of the confidence intervals; 0 for none.
    confidence : float
        The level of the confidence intervals, between 0 and 1.
    interval_kind : "auto", "percentile", "bca" or "studentised"
        The kind of intervals. `auto` is studentised for fewer than 100 sentences, where
        percentiles are too narrow; the signature says so.
    test : "permutation" or "bootstrap"
        The paired test between every two systems.
    trials : int
        Trials of the paired test.
    seed : int
        The seed of resamples and trials.

    Returns
    -------
    Evaluation
        Scores with intervals, tests, and everything else that was asked for. It prints as
        tables.

    Raises
    ------
    AlignmentError
        If gold and a system do not have the same words (or, with `align`, the same text).
    MetricError
        If a metric is unknown or lacks a column, or if there is no system.
    TreebankError
        If gold or a system is not a treebank.

    Examples
    --------
    >>> from treegauge import make_system, toy_treebank
    >>> gold = toy_treebank("toy:svo", tokens=2000)
    >>> output = make_system("right-branching").annotate(gold)
    >>> scores = evaluate(gold, output, metrics=["uas"])
    >>> print(scores["uas"])
    UAS 6.84 [5.66, 7.98]
    >>> scores["uas"].n
    2017
    """
    if not systems:
        raise MetricError("no system to evaluate")
    require_treebanks(gold, *systems)
    metrics, by, styles = listed(metrics), listed(by), listed(styles)
    if confusion not in CONFUSIONS:
        raise MetricError(f"confusion is relations or tags, not {confusion!r}")
    named = _with_different_names(systems)
    conventions = conventions or Conventions()
    resampling = Resampling(resamples, confidence, test, trials, seed, interval_kind)
    others = [*references, *in_styles(gold, styles)]
    needs_gold = bool(metrics or agreement or by or confusion or per_tag or errors)
    if perplexity_training is None or needs_gold or _is_annotated(gold):
        evaluation = _scored(gold, named, metrics, conventions, align, resampling, others)
    else:
        evaluation = _without_metrics(gold, named, conventions)
    result = replace(
        evaluation,
        has_agreement=agreement,
        references=_against_others(evaluation, gold, others, named, align, resampling),
    )
    if by or confusion or per_tag or errors:
        words = WordsOfSystems(gold, named, evaluation, align, training)
        result = replace(
            result,
            strata=tuple(words.break_down(stratum, resampling) for stratum in by),
            confusions=words.confusions(CONFUSIONS[confusion]) if confusion else {},
            tags=words.tags() if per_tag else {},
            errors=words.errors(errors) if errors else {},
        )
    if perplexity_training is None:
        return result
    from treegauge.evaluation.perplexity_of_parsers import perplexity_of_parsers
    from treegauge.properties import PerplexitySettings

    if isinstance(perplexity, str):
        perplexity = PerplexitySettings.parse(perplexity)
    measured = perplexity_of_parsers(
        perplexity_training,
        named,
        gold=gold,
        settings=perplexity,
        resamples=resamples,
        confidence=confidence,
        trials=trials,
        seed=seed,
    )
    return replace(result, perplexity=measured)


def _with_different_names(systems: Sequence[Treebank]) -> list[Treebank]:
    names = different_names([system.name or "system" for system in systems])
    return [system.replace(name=name) for system, name in zip(systems, names, strict=True)]


def _scored(
    gold: Treebank,
    systems: Sequence[Treebank],
    metrics: Sequence[str],
    conventions: Conventions,
    align: bool,
    resampling: Resampling,
    others: Sequence[Treebank],
) -> Evaluation:
    specs, notes = chosen_specs(gold, systems, metrics, conventions)
    for other in others:
        for spec in specs:
            require_columns(spec, other)
    return _scored_by(specs, notes, gold, systems, conventions, align, resampling, others)


def _scored_by(
    specs: Sequence[MetricSpec],
    notes: Sequence[str],
    gold: Treebank,
    systems: Sequence[Treebank],
    conventions: Conventions,
    align: bool,
    resampling: Resampling,
    references: Sequence[Treebank] = (),
) -> Evaluation:
    evaluated = [
        with_given(
            score_system(gold, system, specs, conventions, align, resampling, references),
            gold,
            system,
            specs,
        )
        for system in systems
    ]
    pairs: list[SystemPair] = []
    if resampling.trials and len(evaluated) > 1:
        pairs = [pair for spec in specs for pair in tests_of_pairs(evaluated, spec, resampling)]
    return Evaluation(
        gold.name or "gold", tuple(evaluated), tuple(specs), conventions, tuple(pairs), tuple(notes)
    )


def _is_annotated(gold: Treebank) -> bool:
    """Return whether gold has anything that a system can be compared with."""
    columns = ("lemma", "upos", "xpos", "cpos", "feats")
    return gold.has_heads or any(gold.columns[name].is_annotated for name in columns)


def _without_metrics(
    gold: Treebank, systems: Sequence[Treebank], conventions: Conventions
) -> Evaluation:
    """Return an evaluation without metrics: gold is a text, and nothing is compared with it."""
    for system in systems:
        align_by_position(gold, system)  # complains about another text
    evaluated = tuple(Evaluated(one.name, {}, {}, flaws_of_trees(one)) for one in systems)
    return Evaluation(gold.name or "gold", evaluated, (), conventions)


def in_styles(gold: Treebank, styles: Sequence[str]) -> list[Treebank]:
    """Return gold in other annotation styles: Gelling et al.'s Table 5 for any UD treebank."""
    if not styles:
        return []
    from treegauge.rewrite import BUNDLES, Style, to_style

    converted: dict[str, Treebank] = {}
    for name in BUNDLES if "all" in styles else styles:
        style = Style.parse(name)
        # Bundles that say the same are one reference, and gold is there already.
        if style.name not in ("ud", *converted):
            converted[style.name] = to_style(gold, style).replace(name=name)
    return list(converted.values())


def _against_others(
    evaluation: Evaluation,
    gold: Treebank,
    others: Sequence[Treebank],
    systems: Sequence[Treebank],
    align: bool,
    resampling: Resampling,
) -> dict[str, Evaluation]:
    """Return the same metrics against every gold standard, whatever columns it has."""
    if not others:
        return {}
    untested = replace(resampling, trials=0)
    references = {evaluation.gold: evaluation}
    for number, other in enumerate(others, start=2):
        name = f"{other.name} ({number})" if other.name in references else other.name
        rest = [gold, *(one for one in others if one is not other)]
        references[name] = _scored_by(
            evaluation.specs, (), other, systems, evaluation.conventions, align, untested, rest
        )
    return references


class WordsOfSystems:
    """Which words systems get right, under the first metric that is about words.

    Parameters
    ----------
    gold, systems : Treebank and sequence of Treebank
        Systems under the names that the evaluation has.
    evaluation : Evaluation
        Of these systems; its metrics and conventions say what is right.
    align : bool
        Align different tokenisations by characters.
    training : Treebank, optional
        For the strata `known` and `frequency`.
    """

    def __init__(
        self,
        gold: Treebank,
        systems: Sequence[Treebank],
        evaluation: Evaluation,
        align: bool = False,
        training: Treebank | None = None,
    ) -> None:
        self.spec = evaluation.metric_of_words or evaluation.specs[0]
        self.training = training
        self.comparisons = {
            evaluated.name: Comparison(
                gold,
                system,
                evaluation.conventions,
                cut_off=self.spec.cut_off,
                by_characters=align,
            )
            for evaluated, system in zip(evaluation.systems, systems, strict=True)
        }

    def break_down(self, by: str, resampling: Resampling) -> breakdown.Breakdown:
        """Return scores by stratum."""
        scores = {
            name: breakdown.break_down(
                comparison,
                self.spec.metric,
                by,
                training=self.training,
                resamples=resampling.resamples,
                confidence=resampling.confidence,
                seed=resampling.seed,
            )
            for name, comparison in self.comparisons.items()
        }
        return breakdown.Breakdown(by, str(self.spec), scores)

    def confusions(self, column: str) -> dict[str, breakdown.Confusion]:
        """Return the confusions of every system."""
        return {name: breakdown.confusion(own, column) for name, own in self.comparisons.items()}

    def tags(self) -> dict[str, list[TagRow]]:
        """Return precision, recall and F1 of every tag."""
        rows = {}
        for name, comparison in self.comparisons.items():
            column = "upos" if comparison.gold.upos.is_annotated else "xpos"
            counts = tag_counts(comparison, column)
            rows[name] = counts.table(total(counts.per_sentence))
        return rows

    def errors(self, which: str) -> dict[str, list[str]]:
        """Return the first errors of a kind, each with its sentence."""
        lines = {}
        for name, comparison in self.comparisons.items():
            wrong = breakdown.mistakes(comparison, self.spec.metric, which, training=self.training)
            lines[name] = [str(mistake) for mistake in islice(wrong, MOST_ERRORS)]
        return lines
