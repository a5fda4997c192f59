"""Tables of derivation perplexities of parsers."""

from __future__ import annotations

from treegauge.evaluation.perplexity_of_parsers import ParserPerplexity
from treegauge.reports.old_tables import Cell, Table
from treegauge.results import Score

_WARNING = "low is not good: wrong trees may have gold's order, or one that is easier to predict"


def parser_perplexity_tables(found: ParserPerplexity) -> list[Table]:
    """Return a row for every system, gold's trees last, and the paired tests if there are any."""
    rows: list[list[Cell]] = [_row(name, score) for name, score in found.systems.items()]
    if found.gold is not None:
        rows.append(_row("gold trees", found.gold))
    signature = next(iter(found.systems.values())).signature
    tables = [
        Table(
            ("", "derivation perplexity", "of known words", "unknown words %", "n"),
            rows,
            title=f"Derivation perplexity, learnt from {found.training or 'training'}",
            notes=[f"{found.settings.wording}.", f"{_WARNING}.".capitalize(), str(signature)],
            right=frozenset({1}),
        )
    ]
    if found.pairs:
        tests: list[list[Cell]] = [
            [pair.first, pair.second, pair.difference, _shown_p(pair.p), _shown_p(pair.adjusted_p)]
            for pair in found.pairs
        ]
        tables.append(
            Table(
                ("system", "and system", "difference", "p", "p (Holm)"),
                tests,
                title="Derivation perplexity: paired permutation tests",
                right=frozenset({3, 4}),
            )
        )
    return tables


def _row(name: str, score: Score) -> list[Cell]:
    shown = score.shown()
    if score.low is not None and score.high is not None:
        shown += f" [{score.shown(score.low)}, {score.shown(score.high)}]"
    unknown = score.details["unknown_rate"]
    return [
        name,
        shown,
        score.details["kenlm-known"],
        None if unknown is None else 100 * unknown,
        score.n,
    ]


def _shown_p(p: float | None) -> Cell:
    return None if p is None else f"{p:.4f}"
