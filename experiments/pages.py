"""Writes the numbers of runs into docs/systems.md, between its markers.

    python -m experiments.pages

reads `runs/dependency-induction` and, where they are there, `runs/tu-2012`, `runs/em-curves` and
`runs/em-curves-wsj`. Text is written by hand, numbers are not.
"""

from __future__ import annotations

import math
import re
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from treegauge.results.long_table import read_long_table
from treegauge.results.published import counterparts, published_row
from treegauge.systems import describe_settings, find_system

PAGE = Path("docs/systems.md")
RUNS = Path("runs")
METRICS = ("uas", "undirected", "ned", "uas@10", "undirected@10", "ned@10")


def main() -> None:
    """Fill every marker of the page."""
    tables = [_whole(path) for path in (RUNS / "dependency-induction", RUNS / "tu-2012")]
    results = pl.concat([table for table in tables if table is not None])
    page = PAGE.read_text(encoding="utf-8")
    page = _filled(page, "overview", _overview(results))
    for name in re.findall(r"<!-- numbers: ([\w-]+) -->", page):
        if name == "curves":
            page = _filled(page, name, _curves())
        elif name != "overview":
            page = _filled(page, name, _system(results.filter(pl.col("method") == name), name))
    PAGE.write_text(page, encoding="utf-8")


def _whole(folder: Path) -> pl.DataFrame | None:
    path = folder / "results.parquet"
    return read_long_table(path).filter(pl.col("by") == "") if path.exists() else None


def _filled(page: str, name: str, text: str) -> str:
    pattern = rf"(<!-- numbers: {re.escape(name)} -->\n).*?(<!-- end -->)"
    return re.sub(pattern, lambda found: f"{found[1]}{text}{found[2]}", page, flags=re.DOTALL)


def _averages(rows: pl.DataFrame) -> dict[str, tuple[float, float, int]]:
    """Return, for every metric, the mean over treebanks, half its interval, and their number.

    Seeds are averaged first. Treebanks are independent samples, so the half-widths of their
    intervals add in squares.
    """
    found = {}
    for metric in METRICS:
        by_treebank = (
            rows.filter((pl.col("metric") == metric) & pl.col("value").is_not_nan())
            .group_by("treebank")
            .agg(
                pl.col("value").mean(), ((pl.col("high") - pl.col("low")) / 2).mean().alias("half")
            )
        )
        n = by_treebank.height
        if n:
            half = math.sqrt((by_treebank["half"] ** 2).sum()) / n
            found[metric] = (by_treebank["value"].mean(), half, n)
    return found


def _overview(results: pl.DataFrame) -> str:
    version = subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], text=True).strip()
    lines = [
        f"`pascal10`, gold `u` tags, learnt from train, scored on test, preset `pascal`; averages "
        f"over treebanks in per cent, ± half a 95% interval. {datetime.now(UTC):%Y-%m-%d}, commit "
        f"`{version}`.\n",
        "| system | supervision | UAS | undirected | NED | UAS@10 | undirected@10 | NED@10 |",
        "| :-- | :-- | --: | --: | --: | --: | --: | --: |",
    ]
    order = ["unsupervised", "universal rules", "dev-tuned", "supervised"]
    rows = []
    for label, supervision in results.select("system", "supervision").unique().iter_rows():
        averages = _averages(results.filter(pl.col("system") == label))
        if averages:
            rows.append(
                (order.index(supervision), -averages["uas"][0], label, supervision, averages)
            )
    for place, supervision, averages in sorted(rows, key=lambda row: row[0]):
        cells = [f"{100 * averages[m][0]:.1f} ± {100 * averages[m][1]:.1f}" for m in METRICS]
        lines.append(f"| `{place[2]}` | {supervision} | {' | '.join(cells)} |")
    failed = results.filter(pl.col("value").is_nan())
    if failed.height:
        lines.append(f"\n{failed['cell'].n_unique()} cells have no score; see the run.")
    return "\n".join(lines) + "\n\n"


def _system(rows: pl.DataFrame, name: str) -> str:
    if not rows.height:
        return "Not measured.\n"
    lines = []
    for label in rows["system"].unique(maintain_order=True):
        mine = rows.filter(pl.col("system") == label)
        averages = _averages(mine)
        seconds = mine.group_by("treebank", "seed").agg(pl.col("seconds").first())["seconds"]
        cells = ", ".join(
            f"{metric} {100 * averages[metric][0]:.1f} ± {100 * averages[metric][1]:.1f}"
            for metric in ("uas", "ned", "uas@10")
        )
        lines.append(
            f"- `{label}`: {cells}; {seconds.median():.1f} s a treebank (median, one thread)"
        )
    lines += [f"- published: {line}" for line in _published(name)]
    settings = describe_settings(find_system(name).load().settings_type)
    if settings:
        listed = ", ".join(f"`{row.name}` {row.default}" for row in settings)
        lines.append(f"- settings: {listed}")
    return "\n".join(lines) + "\n\n"


def _published(name: str) -> Iterator[str]:
    """Give the challenge's averages of what corresponds to a system."""
    for system in counterparts("dependencies", name, {"tags": "u"}):
        rows = {m: published_row("dependencies", m, "", system) for m in METRICS}
        cells = [f"{m} {100 * row.average:.1f}" for m, row in rows.items() if row]
        if cells:
            yield f"{system} of the challenge, on its own treebanks: {', '.join(cells)}"


def _curves() -> str:
    lines = []
    for folder, what in (
        ("em-curves", "`pascal10`"),
        ("em-curves-wsj", "`en_wsj_sample`, fine tags"),
    ):
        table = _whole(RUNS / folder)
        if table is None:
            continue
        lines += [
            f"UAS of {what} after so many iterations (average over treebanks):\n",
        ]
        steps = sorted({_iterations(text) for text in table["settings"]})
        methods = table["method"].unique(maintain_order=True)
        lines.append("| system | " + " | ".join(map(str, steps)) + " |")
        lines.append("| :-- |" + " --: |" * len(steps))
        for method in methods:
            mine = table.filter((pl.col("method") == method) & (pl.col("metric") == "uas"))
            cells = []
            for step in steps:
                rows = mine.filter(
                    pl.col("settings").map_elements(_iterations, return_dtype=pl.Int64) == step
                )
                cells.append(f"{100 * rows['value'].mean():.1f}" if rows.height else "")
            lines.append(f"| `{method}` | {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines) + "\n" if lines else "Not measured.\n"


def _iterations(settings: str) -> int:
    found = re.search(r'"iterations": (\d+)', settings)
    return int(found[1]) if found else -1


if __name__ == "__main__":
    main()
