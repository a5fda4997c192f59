"""What Gulordava and Merlo (2016) say of their figures, as predicates."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
from scipy import stats

from treegauge.papers.paper import Checked, Frames, Remark
from treegauge.papers.word_order.settings import ORIGINAL
from treegauge.significance.correlation import correlation

_NAMES = {ORIGINAL: "original", "optdl": "OptDL", "left": "LB", "right": "RB"}
_SAME = 0.01
"""Accuracies that differ by less are the same: the paper rounds to points."""
_FEWEST = 4
"""Treebanks for a rank correlation that can mean anything."""


def _measures_are_independent(frames: Frames) -> Checked | None:
    original = frames["properties"].filter(order=ORIGINAL)
    dlm, entropy = original["dlm_ratio"], original["arc_direction_entropy"]
    if original.height < _FEWEST or dlm.n_unique() == 1 or entropy.n_unique() == 1:
        return None
    rank = stats.spearmanr(dlm.to_numpy(), entropy.to_numpy())
    text = f"Spearman {rank.statistic:.2f}, p = {rank.pvalue:.2f}, {original.height} treebanks"
    return Checked.of_cases({text: rank.pvalue > 0.1})


def _orders_are_what_they_should_be(frames: Frames) -> Checked | None:
    """Return whether LB and RB lower both measures, and OptDL lowers length only."""
    means = (
        frames["properties"]
        .group_by("order")
        .agg(pl.col("dlm_ratio", "arc_direction_entropy").mean())
    )
    by_order = {row["order"]: row for row in means.iter_rows(named=True)}
    cases = {}
    for order, column, sign in (
        ("left", "dlm_ratio", -1),
        ("left", "arc_direction_entropy", -1),
        ("optdl", "dlm_ratio", -1),
        ("optdl", "arc_direction_entropy", 1),
    ):
        if order in by_order:
            before, after = by_order[ORIGINAL][column], by_order[order][column]
            what = "DLM" if column == "dlm_ratio" else "entropy"
            cases[f"{_NAMES[order]} {what} {before:.2f} to {after:.2f}"] = (
                sign * (after - before) > 0
            )
    return Checked.of_cases(cases)


def _mean_changes(frames: Frames) -> dict[tuple[str, str], float]:
    """Return mean delta UAS by order and parser."""
    means = frames["deltas"].group_by("order", "parser", maintain_order=True)
    return {
        (order, parser): value
        for order, parser, value in means.agg(pl.mean("delta_uas")).iter_rows()
    }


def _is_easier(*orders: str) -> Callable[[Frames], Checked | None]:
    def check(frames: Frames) -> Checked | None:
        return Checked.of_cases(
            {
                f"{_NAMES[order]}, {parser} {100 * value:+.1f}": value > 0
                for (order, parser), value in _mean_changes(frames).items()
                if order in orders
            }
        )

    return check


def _fixed_orders_help_more(frames: Frames) -> Checked | None:
    means = _mean_changes(frames)
    cases = {}
    for order, parser in means:
        if order in ("left", "right") and ("optdl", parser) in means:
            fixed, short = means[order, parser], means["optdl", parser]
            text = f"{_NAMES[order]}, {parser} {100 * fixed:+.1f} against {100 * short:+.1f}"
            cases[text] = fixed > short
    return Checked.of_cases(cases)


def _gain_goes_with_changes(frames: Frames) -> Checked | None:
    cases = {}
    for (parser,), rows in (
        frames["deltas"].filter(order="optdl").group_by("parser", maintain_order=True)
    ):
        for column, what in (("delta_dlm", "delta DLM"), ("delta_entropy", "delta entropy")):
            rho = correlation(
                rows[column].to_numpy(), rows["delta_uas"].to_numpy(), resamples=0
            ).pearson
            if rho is not None:
                cases[f"{what}, {parser} {rho:.2f}"] = rho > 0
    return Checked.of_cases(cases)


def _coefficients(frames: Frames) -> dict[str, float]:
    return dict(frames["effects"].select("variable", "coefficient").iter_rows())


def _both_hurt(frames: Frames) -> Checked | None:
    return Checked.of_cases(
        {
            f"{name} {value:+.2f}": value > 0
            for name, value in _coefficients(frames).items()
            if name.startswith("delta")
        }
    )


def _variability_hurts_more(frames: Frames) -> Checked | None:
    values = _coefficients(frames)
    if not values:
        return None
    entropy, length = values["delta entropy"], values["delta DLM"]
    return Checked.of_cases({f"{entropy:+.2f} against {length:+.2f}": entropy > length})


def _shorter_sentences_are_easier(frames: Frames) -> Checked | None:
    rows = frames["sentences"].filter(pl.col("pearson").is_not_null(), order="right")
    return Checked.of_cases(
        {
            f"{row['treebank']}, {row['parser']} {row['pearson']:.2f}": row["pearson"] > 0
            for row in rows.iter_rows(named=True)
        }
    )


def _sides(frames: Frames, parser: str) -> pl.DataFrame:
    """Return LB minus RB of a parser on every treebank."""
    rows = frames["accuracies"].filter(parser=parser)
    left = rows.filter(order="left").select("treebank", "uas", "las")
    right = rows.filter(order="right").select("treebank", right_uas="uas", right_las="las")
    both = left.join(right, on="treebank", maintain_order="left")
    return both.select(
        "treebank", uas=pl.col("uas") - pl.col("right_uas"), las=pl.col("las") - pl.col("right_las")
    )


def _graph_parsers_have_no_side(frames: Frames) -> Checked | None:
    return Checked.of_cases(
        {
            f"{name} {100 * difference:+.1f}": abs(difference) < _SAME
            for name, difference in _sides(frames, "graph").select("treebank", "uas").iter_rows()
        }
    )


def _sides_are_the_same_on_average(frames: Frames) -> Checked | None:
    rows = _sides(frames, "transition")
    if rows.is_empty():
        return None
    difference = sum(rows["uas"]) / rows.height
    return Checked.of_cases({f"LB - RB {100 * difference:+.1f}": abs(difference) < _SAME})


def _relations_depend_on_sides(frames: Frames) -> Checked | None:
    rows = _sides(frames, "transition")
    if rows.is_empty():
        return None
    uas, las = (max(map(abs, rows[metric])) for metric in ("uas", "las"))
    text = f"at most {100 * las:.1f} points of LAS, {100 * uas:.1f} of UAS"
    return Checked.of_cases({text: las > max(uas, _SAME)})


def _branching_factor_matters(frames: Frames) -> Checked | None:
    rows = frames["branching"].filter(pl.col("pearson").is_not_null(), parser="transition")
    return Checked.of_cases(
        {
            f"{row['treebank']}, {row['metric'].upper()} {row['pearson']:.2f}": row["pearson"] > 0
            for row in rows.iter_rows(named=True)
        }
    )


def _length_goes_with_crossing(frames: Frames) -> Checked | None:
    rows = frames["nonprojectivity"].filter(pl.col("pearson").is_not_null())
    return Checked.of_cases({f"Pearson {rho:.2f}": rho > 0 for rho in rows["pearson"]})


REMARKS = (
    Remark("3.4", "The DLM ratio and entropy are not correlated.", _measures_are_independent),
    Remark(
        "3.4",
        "LB and RB have lower DLM and entropy than the original, OptDL lower DLM, higher entropy.",
        _orders_are_what_they_should_be,
    ),
    Remark("4.1", "OptDL is easier to parse than the original.", _is_easier("optdl")),
    Remark("4.1", "LB and RB are easier to parse than the original.", _is_easier("left", "right")),
    Remark("4.1", "Fixed directions help more than short dependencies.", _fixed_orders_help_more),
    Remark(
        "4.1",
        "OptDL: the shorter and the less variable it becomes, the larger the gain.",
        _gain_goes_with_changes,
    ),
    Remark("4.1", "Long dependencies and variable order both hurt (regression).", _both_hurt),
    Remark("4.1", "Variability hurts more than length (regression).", _variability_hurts_more),
    Remark(
        "4.1",
        "Sentences that become shorter in RB order become easier.",
        _shorter_sentences_are_easier,
    ),
    Remark(
        "4.1",
        "LB and RB are the same for the graph parser, to a point of UAS.",
        _graph_parsers_have_no_side,
    ),
    Remark(
        "4.2",
        "LB and RB are the same for the transition parser on average.",
        _sides_are_the_same_on_average,
    ),
    Remark(
        "4.2",
        "They are not for every treebank, and differ more in LAS than in UAS.",
        _relations_depend_on_sides,
    ),
    Remark(
        "4.2",
        "The larger the branching factor, the easier LB is for the transition parser.",
        _branching_factor_matters,
    ),
    Remark(
        "6",
        "Treebanks with long dependencies have more non-projective ones.",
        _length_goes_with_crossing,
    ),
)
