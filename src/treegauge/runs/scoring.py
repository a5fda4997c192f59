"""Scores of cells: rows of the long table, computed from annotations that were kept."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from treegauge.evaluation.breakdown import StratumScore, break_down
from treegauge.evaluation.evaluation import evaluate, missing_columns
from treegauge.metrics import Comparison, MetricError, MetricSpec, parse_specs
from treegauge.results import Score
from treegauge.runs.cell import Cell
from treegauge.runs.experiment import Scoring, is_about
from treegauge.runs.run_folder import RunFolder
from treegauge.strata import StrataError
from treegauge.treebank import Treebank, TreebankError, tag_column, with_generator

_ROOMS = ("treebank", "metrics", "significance", "strata", "evaluation", "runs")


def scores_of(
    folder: RunFolder,
    cell: Cell,
    scoring: Scoring,
    *,
    part: str,
    resamples: int,
    anew: bool = False,
) -> list[dict[str, Any]]:
    """Return the scores of a finished cell, computed once and kept.

    Parameters
    ----------
    part : str
        Which of the annotated parts.
    anew : bool
        Compute them again in any case.
    """
    bank = cell.bank
    metrics = scoring.metrics_for(cell.track, cell.system.knows_tag_set)
    of_training = bank.fingerprint("train") if scoring.by and "train" in bank.parts else ""
    key = _key(
        *(bank.name, part, bank.fingerprint(part), of_training),
        *(repr(scoring.conventions), metrics, scoring.by, resamples),
    )
    kept = None if anew else folder.scores(cell.key, key)
    if kept is None:
        kept = _scores(folder, cell, scoring, metrics, part, resamples)
        folder.store_scores(cell.key, key, kept)
    return kept


def _key(*parts: Any) -> str:
    text = json.dumps([*parts, _code()], ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@cache
def _code() -> str:
    """Return a hash of everything that has a part in scoring."""
    digest = hashlib.sha256()
    root = Path(__file__).parents[1]
    for room in _ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _scores(
    folder: RunFolder,
    cell: Cell,
    scoring: Scoring,
    metrics: tuple[str, ...],
    part: str,
    resamples: int,
) -> list[dict[str, Any]]:
    gold = cell.bank.gold(part)
    system = _annotation(folder, cell, part)
    rows: list[dict[str, Any]] = []
    specs = []
    for spec in parse_specs(list(metrics)):
        if not is_about(spec.metric, cell.track):
            # A parser that was given gold tags has not found them.
            reason = f"{spec.name} does not score the {cell.track} track"
            rows.append({**_nothing(str(spec)), "reason": reason})
            continue
        missing = {
            side: columns
            for side, treebank in (("gold", gold), ("the system", system))
            if (columns := missing_columns(spec.metric, treebank))
        }
        if not missing and (reason := _without_tags(spec, gold, scoring)):
            rows.append({**_nothing(str(spec)), "reason": reason})
        elif missing:
            # One metric that is not available does not cost the others.
            reason = "; ".join(
                f"{side} has no {', '.join(names)}" for side, names in missing.items()
            )
            rows.append({**_nothing(str(spec)), "reason": reason})
        else:
            specs.append(spec)
    if not specs:
        return rows
    evaluation = evaluate(
        gold,
        system,
        metrics=[str(spec) for spec in specs],
        conventions=scoring.conventions,
        resamples=resamples,
        trials=0,
    )
    rows += [
        _row(name, score, str(score.signature))
        for name, score in evaluation.systems[0].scores.items()
    ]
    # Only strata look at it, and reading it takes longer than all of the scoring.
    has_training = bool(scoring.by) and "train" in cell.bank.parts
    training = cell.bank.gold("train") if has_training else None
    for by in scoring.by:
        for spec in specs:
            if spec.metric.outcome is None:
                continue
            own = scoring.conventions.for_family(spec.metric.family)
            comparison = Comparison(gold, system, own, cut_off=spec.cut_off)
            of_whole = evaluation.systems[0].scores[str(spec)].signature
            signature = f"{of_whole.without('interval')}|by:{by}"  # strata have percentiles
            try:
                strata = break_down(
                    comparison, spec.metric, by, training=training, resamples=resamples
                )
            except (StrataError, MetricError) as error:
                # For want of training data or of relations, for example.
                reason = str(error).partition("\n")[0]
                rows.append({**_nothing(str(spec)), "by": by, "reason": reason})
                continue
            rows += [
                _row(str(spec), of_stratum, signature, by=by, stratum=of_stratum.stratum)
                for of_stratum in strata
            ]
    return rows


def _without_tags(spec: MetricSpec, gold: Treebank, scoring: Scoring) -> str:
    """Return why gold has no tags that induced tags could be compared with; "" if it has some."""
    if spec.metric.family != "induced-tags":
        return ""
    try:
        tag_column(gold, scoring.conventions.tags)
    except TreebankError as error:
        return str(error).partition("\n")[0]
    return ""


def _annotation(folder: RunFolder, cell: Cell, part: str) -> Treebank:
    """Return what a system said, with the versions of the tool behind it if there is one."""
    system = folder.annotation(cell.key, part).replace(name=cell.choice.label)
    versions = cell.system.versions
    return with_generator(system, versions) if versions else system


def _row(
    metric: str, score: Score | StratumScore, signature: str, *, by: str = "", stratum: str = ""
) -> dict[str, Any]:
    numbers = _numbers(score)
    return {"metric": metric, "by": by, "stratum": stratum, **numbers, "signature": signature}


def _numbers(score: Score | StratumScore) -> dict[str, Any]:
    return {
        "value": score.value,
        "low": score.low,
        "high": score.high,
        "n": score.n,
        "reason": "" if score.value is not None else "nothing to score",
    }


def _nothing(metric: str) -> dict[str, Any]:
    return {
        "metric": metric,
        "by": "",
        "stratum": "",
        "value": None,
        "low": None,
        "high": None,
        "n": 0,
        "signature": "",
    }


def rows_without_scores(cell: Cell, scoring: Scoring, reason: str) -> list[dict[str, Any]]:
    """Return a row for every metric of a cell that has none, with the reason."""
    metrics = scoring.metrics_for(cell.track, cell.system.knows_tag_set)
    return [{**_nothing(str(spec)), "reason": reason} for spec in parse_specs(list(metrics))]
