"""What Søgaard and Haulrich (2010) say of their figures, as predicates."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from treegauge.papers.paper import Checked, Frames, Remark
from treegauge.papers.perplexity.statistics import MORPHOLOGY, SIGNIFICANT
from treegauge.tables import show_p

_GENUINE = ("gen.dt", "genuine dependencies")
_NEARLY = 0.05
"""Coefficients that differ by no more are as good as each other."""


def _is_higher(frames: Frames) -> Checked | None:
    rows = frames["increases"].iter_rows(named=True)
    return Checked.of_cases(
        {
            f"{row['group']} {row['derivation']:.1f} against {row['string']:.1f}": (
                row["derivation"] > row["string"]
            )
            for row in rows
        }
    )


def _genuine_increase_more(frames: Frames) -> Checked | None:
    ratios = dict(frames["increases"].select("group", "ratio_of_means").iter_rows())
    genuine = next((ratios.pop(name) for name in _GENUINE if name in ratios), None)
    if genuine is None:
        return None
    return Checked.of_cases(
        {
            f"{100 * genuine:.1f}% against {100 * other:.1f}% ({group})": genuine > other
            for group, other in ratios.items()
        }
    )


def _predicts_better_than(variable: str) -> Callable[[Frames], Checked | None]:
    """Return whether size over derivation perplexity correlates better than a variable."""

    def check(frames: Frames) -> Checked | None:
        rows = frames["correlations"].filter(pl.col("pearson").is_not_null())
        by_place = {
            (row["group"], row["accuracy"], row["variable"]): row["pearson"]
            for row in rows.iter_rows(named=True)
        }
        cases = {}
        for (group, accuracy, name), other in by_place.items():
            ours = by_place.get((group, accuracy, "size / derivation perplexity"))
            if name == variable and ours is not None:
                cases[f"{group}, {accuracy} {ours:.3f} against {other:.3f}"] = ours > other
        return Checked.of_cases(cases)

    return check


def _morphology_does_not_matter(frames: Frames) -> Checked | None:
    rows = frames["correlations"].filter(pl.col("variable").is_in(list(MORPHOLOGY)))
    if rows.is_empty():
        return None
    rows = rows.filter(pl.col("given") != "", pl.col("pearson_p").is_not_null())
    return Checked.of_cases(
        {
            f"{row['group']}, {row['variable']}, {row['accuracy']} {row['pearson']:.2f} "
            f"({show_p(row['pearson_p'])})": row["pearson_p"] >= SIGNIFICANT
            for row in rows.iter_rows(named=True)
        }
    )


def _metrics(frames: Frames) -> dict[str, float]:
    rows = frames["metrics"].filter(pl.col("order") == "canonical", pl.col("mean").is_not_null())
    return dict(rows.select("variable", "mean").iter_rows())


def _perplexity_falls_with_accuracy(frames: Frames) -> Checked | None:
    return Checked.of_cases(
        {
            f"{name} {rho:.2f}": rho < 0
            for name, rho in _metrics(frames).items()
            if name.startswith("perplexity")
        }
    )


def _perplexity_agrees_as_well(frames: Frames) -> Checked | None:
    rhos = _metrics(frames)
    internal = rhos.pop("uas / exact_match", None)
    if internal is None:
        return None
    return Checked.of_cases(
        {
            f"{name} {rho:.2f} and {internal:.2f}": -rho >= internal - _NEARLY
            for name, rho in rhos.items()
        }
    )


def _all_are_significant(frames: Frames) -> Checked | None:
    column = "p_permuted" if "p_permuted" in frames["metrics"].columns else "p"
    rows = frames["metrics"].filter(pl.col("order") == "canonical", pl.col(column).is_not_null())
    return Checked.of_cases(
        {
            f"{row['variable']} {show_p(row[column])}": row[column] < SIGNIFICANT
            for row in rows.iter_rows(named=True)
        }
    )


def _is_fine_grained(frames: Frames) -> Checked | None:
    if "separations" not in frames:
        return None
    separated = dict(frames["separations"].select("metric", "separated").iter_rows())
    exact, ours = separated.get("exact_match"), separated.get("perplexity")
    if exact is None or ours is None:
        return None
    text = f"pairs of parsers: {ours} by perplexity, {exact} by exact match"
    return Checked.of_cases({text: ours >= exact and ours > 0})


REMARKS = (
    Remark("5", "Derivation perplexity is higher than string perplexity.", _is_higher),
    Remark(
        "5",
        "The increase is higher with genuine dependency treebanks.",
        _genuine_increase_more,
    ),
    Remark(
        "5.1",
        "Size over derivation perplexity predicts accuracy better than size alone.",
        _predicts_better_than("size"),
    ),
    Remark(
        "5.1",
        "It also predicts it better than size over string perplexity.",
        _predicts_better_than("size / string perplexity"),
    ),
    Remark(
        "5.1",
        "Morphological complexity does not matter (size and perplexity held fixed).",
        _morphology_does_not_matter,
    ),
    Remark(
        "5.2",
        "Parsers with lower derivation perplexity are more accurate.",
        _perplexity_falls_with_accuracy,
    ),
    Remark(
        "5.2",
        "Perplexity correlates with UAS and exact match as well as they do with each other.",
        _perplexity_agrees_as_well,
    ),
    Remark("5.2", "All three correlations are significant at 0.05.", _all_are_significant),
    Remark(
        "6",
        "Derivation perplexity is fine-grained enough to tell parsers apart.",
        _is_fine_grained,
    ),
)
