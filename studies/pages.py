"""Writes the numbers of runs into pages under docs, between their markers.

    python -m studies.pages

docs/systems.md        from `docs/data/dependency-induction.tsv`, `tu-2012`, `tree-substitution`,
                       `reducibility`, `weighted-inducers`, `bare-text`, `em-curves` and
                       `em-curves-wsj`, and, for dev parts, `weighted-inducers-dev`,
                       `fine-tags-dev` and `bare-text-dev`; and, for what falls short of its paper,
                       `sparsity-penn`, `sparsity-wsj`, `sparsity-ud`, `pagerank-causes`,
                       `tu-causes`, `tu-strength` and `tu-strength-whole`
docs/parsers.md        from `docs/data/parsers.tsv`, `parser-ensemble.tsv`,
                       `nonprojective-parsers.tsv`, `neural-parsers.tsv`, `neural-parsers-gpu.tsv`
                       and `neural-epochs-dev.tsv`
docs/scale.md          from `docs/data/scale-*.tsv` (`benchmarks.scale_tables`)
docs/word_classes.md   from `docs/data/mmi-wsj.tsv`, `mmi-ewt.tsv` and `more-text.tsv`
docs/taggers.md        from `docs/data/taggers.tsv` and `projection.tsv` (`studies.parallel_texts`)
docs/trees.md          from `docs/data/extrinsic-trees.tsv` (`studies.extrinsic_trees`)
docs/reproductions.md  from `docs/data/long-dependencies.tsv`, `learning-curves.tsv` and
                       `accuracy-models.tsv`, and from what `studies.reproduced` keeps in
                       `docs/data/word-order`, `docs/data/perplexity` and so on

What comes from a table that is not there stays as it is. Text is written by hand, numbers
are not.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

import polars as pl

from benchmarks import scale_tables
from studies import (
    _cause_tables,
    accuracy_models,
    extrinsic_trees,
    long_dependencies,
    parallel_texts,
    reproduced,
)
from studies.measured import provenance, whole_results_of
from treegauge.catalogue.sets import BUILT_IN_SETS
from treegauge.results.published import counterparts, find_published_scores
from treegauge.settings import describe_settings
from treegauge.systems import find_system
from treegauge.systems.system import Supervision

SYSTEMS = Path("docs/systems.md")
PARSERS = Path("docs/parsers.md")
SCALE = Path("docs/scale.md")
WORD_CLASSES = Path("docs/word_classes.md")
TAGGERS = Path("docs/taggers.md")
TREES = extrinsic_trees.PAGE
REPRODUCTIONS = Path("docs/reproductions.md")
EXPECTED = "expected-accuracy"
"""The marker of the table that `studies.expected_accuracy` writes."""
OVERVIEWS = {
    "overview": ("gold `u` tags", ("dependency-induction", "tu-2012")),
    "overview-fragments": ("gold `u` tags", ("tree-substitution",)),
    "overview-reducibility": ("gold tags", ("reducibility",)),
    "overview-weighted": ("gold `u` tags", ("weighted-inducers",)),
    "overview-neural": ("gold `u` tags", ("neural-dmv",)),
    "overview-bare-text": ("words and which are punctuation", ("bare-text",)),
}
"""Markers of tables of systems, what these systems see, and the studies that they come from."""
OPTIONAL = ("tu-2012", "neural-dmv")
"""Studies that a page can do without: one takes hours, one needs PyTorch."""
WITH_COSTS = ("overview-neural",)
"""Markers of those tables that also show seconds, memory and the device."""
SAMPLES = {"neural-dmv-wsj": "`en_wsj_sample`, fine tags"}
"""Studies on the sample of the Wall Street Journal, each of which has a table in the page."""
DEV_STUDIES = ("weighted-inducers-dev", "fine-tags-dev", "bare-text-dev")
"""Studies on dev parts, each of which has a table in the page."""
CURVES = {"em-curves": "`pascal10`, averages", "em-curves-wsj": "`en_wsj_sample`, fine tags"}
CLASS_STUDIES = {
    "mmi-wsj": "The sample of the Wall Street Journal as a whole, against its fine tags",
    "mmi-ewt": "The train part of `en_ewt`, against its universal tags",
}
METRICS = ("uas", "undirected", "ned", "uas@10", "undirected@10", "ned@10")
DEV_METRICS = ("uas", "uas@10", "ned")
CLASS_METRICS = {"many_to_one": "M-1", "v_measure": "V-measure"}
SAMPLE_METRICS = ("uas", "ned", "uas@10")


def main() -> None:
    """Fill every marker of every page whose tables and runs are there."""
    for path, page in pages_from_data().items():
        path.write_text(page, encoding="utf-8")


def pages_from_data() -> dict[Path, str]:
    """Return the pages whose numbers come from docs/data, as they should read."""
    return {
        SYSTEMS: _systems_page(SYSTEMS.read_text(encoding="utf-8")),
        PARSERS: _parsers_page(PARSERS.read_text(encoding="utf-8")),
        SCALE: _scale_page(SCALE.read_text(encoding="utf-8")),
        WORD_CLASSES: _word_classes_page(WORD_CLASSES.read_text(encoding="utf-8")),
        TAGGERS: _taggers_page(TAGGERS.read_text(encoding="utf-8")),
        TREES: _trees_page(TREES.read_text(encoding="utf-8")),
        REPRODUCTIONS: _reproductions_page(REPRODUCTIONS.read_text(encoding="utf-8")),
    }


def _systems_page(page: str) -> str:
    results = {name: _whole(name) for _, names in OVERVIEWS.values() for name in names}
    for marker, (seen, names) in OVERVIEWS.items():
        tables = [table for name in names if (table := results[name]) is not None]
        if tables:
            with_costs = marker in WITH_COSTS
            page = filled(page, marker, _overview(pl.concat(tables), seen, with_costs=with_costs))
    # What is said of one system comes from several studies.
    if all(table is not None for name, table in results.items() if name not in OPTIONAL):
        measured = pl.concat(table for table in results.values() if table is not None)
        for (name,), rows in measured.group_by("method", maintain_order=True):
            page = filled(page, str(name), _system(rows, str(name)))
    for name, seen in SAMPLES.items():
        if (on_sample := _whole(name)) is not None:
            page = filled(page, name, _sample_table(on_sample, seen))
    for name in DEV_STUDIES:
        if (on_dev := _whole(name)) is not None:
            page = filled(page, name, _dev_table(on_dev))
    for name, table in _cause_tables.tables_of_systems().items():
        page = filled(page, name, table)
    curves = {name: table for name in CURVES if (table := _whole(name)) is not None}
    return filled(page, "curves", _curves(curves)) if len(curves) == len(CURVES) else page


def _parsers_page(page: str) -> str:
    tables = {
        "parsers": _parsers,
        "parser-ensemble": _parsers,
        "nonprojective-parsers": _parsers,
        "neural-parsers": _neural_parsers,
        "neural-parsers-gpu": _neural_parsers,
        "neural-epochs-dev": _epochs_table,
    }
    for name, table in tables.items():
        if (results := _whole(name)) is not None:
            page = filled(page, name, table(results))
    return page


def _scale_page(page: str) -> str:
    for name, table in scale_tables.tables().items():
        page = filled(page, name, table)
    return page


def _taggers_page(page: str) -> str:
    if (results := _whole("taggers")) is not None:
        page = filled(page, "taggers", _taggers(results))
    for marker, table in parallel_texts.page_tables().items():
        page = filled(page, marker, table)
    return page


def _trees_page(page: str) -> str:
    return filled(page, extrinsic_trees.MARKER, extrinsic_trees.table())


def _word_classes_page(page: str) -> str:
    for name, what in CLASS_STUDIES.items():
        if (results := _whole(name)) is not None:
            page = filled(page, name, _classes_table(results, what))
    for name, table in _cause_tables.tables_of_classes().items():
        page = filled(page, name, table)
    return page


def _reproductions_page(page: str) -> str:
    """Fill markers that name a reproduction and the beginning of the titles of its tables."""
    for name in sorted(set(re.findall(r"<!-- numbers: ([\w-]+)/", page))):
        tables = reproduced.page_tables(name)
        if not tables:
            continue
        for start in re.findall(rf"<!-- numbers: {name}/(.+?) -->", page):
            texts = [text for title, text in tables.items() if title.startswith(start)]
            if not texts:
                raise ValueError(f"{REPRODUCTIONS}: {name} has no table {start!r}: {list(tables)}")
            texts.append(f"{reproduced.provenance(name)}\n")
            page = filled(page, f"{name}/{start}", "\n".join(texts))
    page = filled(page, "accuracy-models", accuracy_models.page_table())
    return filled(page, "long-dependencies", long_dependencies.page_table())


def _parsers(results: pl.DataFrame) -> str:
    """Return attachment of every parser on every treebank, means, and seconds."""
    names = results["system"].unique(maintain_order=True).to_list()
    cells_once = results.unique("cell").group_by("system").agg(pl.col("seconds").sum())
    spent = dict(cells_once.iter_rows())
    seconds = " | ".join(f"{spent[name]:.0f}" for name in names)
    return (
        f"{_by_treebank(results, names, ('uas', 'las'))}\n| seconds | {seconds} |"
        "\n\nUAS / LAS in per cent, means with ± half a 95% interval; seconds of "
        "learning and parsing in all.\n\n"
    )


def _taggers(results: pl.DataFrame) -> str:
    """Return the accuracy of every tagger on every treebank, and means."""
    names = results["system"].unique(maintain_order=True).to_list()
    return (
        f"{_by_treebank(results, names, ('upos',))}\n\nRight universal tags in per cent, means "
        "with ± half a 95% interval.\n\n"
    )


def _by_treebank(results: pl.DataFrame, names: Sequence[str], metrics: Sequence[str]) -> str:
    """Return a table of systems in columns: treebanks, and means in the last row."""
    lines = [
        f"{provenance(results)}\n",
        f"| treebank | {' | '.join(f'`{name}`' for name in names)} |",
        "| :-- |" + " --: |" * len(names),
    ]
    values = {
        (row["treebank"], row["system"], row["metric"]): 100 * row["value"]
        for row in results.iter_rows(named=True)
    }
    treebanks = results["treebank"].unique(maintain_order=True).to_list()
    for treebank in treebanks:
        cells = [
            " / ".join(f"{values[treebank, name, metric]:.1f}" for metric in metrics)
            for name in names
        ]
        lines.append(f"| `{treebank}` | {' | '.join(cells)} |")
    cells = []
    for name in names:
        means = averages_of(results.filter(pl.col("system") == name), metrics)
        shares = (f"{100 * mean:.1f} ± {100 * half:.1f}" for mean, half, _ in means.values())
        cells.append(" / ".join(shares))
    return "\n".join([*lines, f"| mean | {' | '.join(cells)} |"])


def _neural_parsers(results: pl.DataFrame) -> str:
    """Return attachment and costs of every parser."""
    lines = [
        f"{provenance(results)}\n",
        f"| system | UAS | LAS | {' | '.join(_COST_HEADS)} |",
        "| :-- |" + " --: |" * (2 + len(_COST_HEADS)),
    ]
    for name in results["system"].unique(maintain_order=True):
        rows = results.filter(pl.col("system") == name)
        half = 100 * (pl.col("high") - pl.col("low")) / 2
        scores = rows.select("metric", 100 * pl.col("value"), half.alias("half"))
        cells = {metric: f"{value:.2f} ± {half:.2f}" for metric, value, half in scores.iter_rows()}
        costs = " | ".join(_costs(rows))
        lines.append(f"| `{name}` | {cells['uas']} | {cells['las']} | {costs} |")
    return (
        "\n".join(lines) + "\n\nPer cent, ± half a 95% interval; seconds of learning and parsing "
        "on the clock, memory at the peak without the GPU's.\n\n"
    )


def _epochs_table(results: pl.DataFrame) -> str:
    """Return the mean accuracy for every number of epochs, and what it costs."""
    epochs = pl.col("settings").str.json_path_match("$.epochs").cast(pl.Int64)
    lines = [
        f"{provenance(results)}\n",
        f"| epochs | UAS | LAS | {' | '.join(_COST_HEADS)} |",
        "| --: |" + " --: |" * (2 + len(_COST_HEADS)),
    ]
    for (number,), rows in (
        results.with_columns(epochs.alias("epochs"))
        .sort("epochs")
        .group_by("epochs", maintain_order=True)
    ):
        uas, las = (
            100 * rows.filter(pl.col("metric") == metric)["value"].mean()
            for metric in ("uas", "las")
        )
        lines.append(f"| {number} | {uas:.1f} | {las:.1f} | {' | '.join(_costs(rows))} |")
    return (
        "\n".join(lines) + "\n\nPer cent, averages of the dev parts of "
        f"{', '.join(f'`{name}`' for name in results['treebank'].unique().sort())}; medians "
        "of seconds and memory, twelve trainings on one GPU.\n\n"
    )


def _whole(name: str) -> pl.DataFrame | None:
    results = whole_results_of(name)
    return None if results is None else results.filter(pl.col("by") == "")


def filled(page: str, name: str, text: str) -> str:
    """Return a page with a text between its markers of a name."""
    pattern = rf"(<!-- numbers: {re.escape(name)} -->\n).*?(<!-- end -->)"
    return re.sub(pattern, lambda found: f"{found[1]}{text}{found[2]}", page, flags=re.DOTALL)


def averages_of(
    rows: pl.DataFrame, metrics: Sequence[str] = METRICS
) -> dict[str, tuple[float, float, int]]:
    """Return, for every metric, the mean over treebanks, half its interval, and their number.

    Seeds are averaged first. Treebanks are independent samples, so the half-widths of their
    intervals add in squares.
    """
    found = {}
    for metric in metrics:
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


def _overview(results: pl.DataFrame, seen: str, *, with_costs: bool) -> str:
    heads = ["UAS", "undirected", "NED", "UAS@10", "undirected@10", "NED@10"]
    heads += _COST_HEADS if with_costs else []
    costs = "; seconds and memory are medians over treebanks" if with_costs else ""
    lines = [
        f"`pascal10`, {seen}, learnt from train, scored on test, preset `pascal`; averages "
        f"over treebanks in per cent, ± half a 95% interval{costs}. {provenance(results)}\n",
        f"| system | supervision | {' | '.join(heads)} |",
        "| :-- | :-- |" + " --: |" * len(heads),
    ]
    order = get_args(Supervision)
    rows = []
    for label, supervision in results.select("system", "supervision").unique().iter_rows():
        averages = averages_of(results.filter(pl.col("system") == label))
        if averages:
            place = (order.index(supervision), -averages["uas"][0], label)
            rows.append((place, supervision, averages))
    for (_, _, label), supervision, averages in sorted(rows, key=lambda row: row[0]):
        cells = [f"{100 * averages[m][0]:.1f} ± {100 * averages[m][1]:.1f}" for m in METRICS]
        if with_costs:
            cells += _costs(results.filter(pl.col("system") == label))
        lines.append(f"| `{label}` | {supervision} | {' | '.join(cells)} |")
    failed = results.filter(pl.col("value").is_nan())
    if failed.height:
        lines.append(f"\n{failed['cell'].n_unique()} cells have no score; see the run.")
    return "\n".join(lines) + "\n\n"


_COST_HEADS = ["seconds", "MiB", "device"]


def _costs(rows: pl.DataFrame) -> list[str]:
    """Return the median seconds and memory of the cells of one system, and its device."""
    cells = rows.unique("cell")
    seconds, memory = (cells[name].median() for name in ("seconds", "peak_memory"))
    return [f"{seconds:.0f}", f"{memory:.0f}", cells["device"][0]]


def _sample_table(results: pl.DataFrame, seen: str) -> str:
    """Return accuracy and costs on one treebank, in the order of the run."""
    lines = [
        f"{seen}, learnt from train, scored on test, preset `pascal`; in per cent, ± half a 95% "
        f"interval. {provenance(results)}\n",
        f"| system | supervision | UAS | NED | UAS@10 | {' | '.join(_COST_HEADS)} |",
        "| :-- | :-- |" + " --: |" * (len(SAMPLE_METRICS) + len(_COST_HEADS)),
    ]
    for label in results["system"].unique(maintain_order=True):
        mine = results.filter(pl.col("system") == label)
        averages = averages_of(mine)
        cells = [f"{100 * averages[m][0]:.1f} ± {100 * averages[m][1]:.1f}" for m in SAMPLE_METRICS]
        cells += _costs(mine)
        lines.append(f"| `{label}` | {mine['supervision'][0]} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n\n"


def _dev_table(results: pl.DataFrame) -> str:
    """Return averages on dev parts, of `pascal10` and of other treebanks."""
    is_pascal = pl.col("treebank").is_in(BUILT_IN_SETS["pascal10"])
    groups = {
        "{} of `pascal10`": results.filter(is_pascal),
        "{} others": results.filter(~is_pascal),
    }
    heads = [name.format(rows["treebank"].n_unique()) for name, rows in groups.items()]
    lines = [
        "Dev parts, learnt from train, preset `pascal`: averages of UAS / UAS@10 / NED, in per "
        f"cent. {provenance(results)}\n",
        f"| system | {' | '.join(heads)} |",
        "| :-- | --: | --: |",
    ]
    for label in results["system"].unique(maintain_order=True):
        cells = []
        for rows in groups.values():
            averages = averages_of(rows.filter(pl.col("system") == label))
            cells.append(" / ".join(f"{100 * averages[m][0]:.1f}" for m in DEV_METRICS))
        lines.append(f"| `{label}` | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n\n"


def _classes_table(results: pl.DataFrame, what: str) -> str:
    """Return scores of word classes: means over seeds, and how far these are spread."""
    lines = [
        f"{what}, 45 classes, in per cent; means, ± the standard deviation over seeds. Seconds on "
        f"the clock and memory without the GPU's are medians over seeds. {provenance(results)}\n",
        f"| system | seeds | {' | '.join([*CLASS_METRICS.values(), *_COST_HEADS])} |",
        "| :-- | --: |" + " --: |" * (len(CLASS_METRICS) + len(_COST_HEADS)),
    ]
    for label in results["system"].unique(maintain_order=True):
        rows = results.filter((pl.col("system") == label) & pl.col("value").is_not_nan())
        cells = []
        for metric in CLASS_METRICS:
            values = 100 * rows.filter(pl.col("metric") == metric)["value"]
            spread = f" ± {values.std():.1f}" if len(values) > 1 else ""
            cells.append(f"{values.mean():.1f}{spread}")
        cells += _costs(rows)
        lines.append(f"| `{label}` | {rows['seed'].n_unique()} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n\n"


def _system(rows: pl.DataFrame, name: str) -> str:
    lines = []
    for label in rows["system"].unique(maintain_order=True):
        mine = rows.filter(pl.col("system") == label)
        averages = averages_of(mine)
        seconds = mine.group_by("treebank", "seed").agg(pl.col("seconds").first())["seconds"]
        cells = ", ".join(
            f"{metric} {100 * averages[metric][0]:.1f} ± {100 * averages[metric][1]:.1f}"
            for metric in ("uas", "ned", "uas@10")
        )
        lines.append(
            f"- `{label}`: {cells}{_spread(mine)}; "
            f"{seconds.median():.1f} s per treebank (median, one thread)"
        )
    lines += [f"- published: {line}" for line in _published(name)]
    settings = describe_settings(find_system(name).load().settings_type)
    if settings:
        listed = ", ".join(f"`{row.name}` {row.default}" for row in settings)
        lines.append(f"- settings: {listed}")
    return "\n".join(lines) + "\n\n"


def _spread(rows: pl.DataFrame) -> str:
    """Return between which averages seeds lie, if there are several."""
    means = rows.filter(pl.col("metric") == "uas").group_by("seed").agg(pl.col("value").mean())
    if means.height < 2:
        return ""
    low, high = (100 * value for value in (means["value"].min(), means["value"].max()))
    return f"; uas of {means.height} seeds {low:.1f} to {high:.1f}"


def _published(name: str) -> Iterator[str]:
    """Give the challenge's averages of what corresponds to a system."""
    for system in counterparts("dependencies", name, {"tags": "u"}):
        rows = {m: find_published_scores("dependencies", m, "", system) for m in METRICS}
        cells = [f"{m} {100 * row.average:.1f}" for m, row in rows.items() if row]
        if cells:
            yield f"{system} of the challenge, on its own treebanks: {', '.join(cells)}"


def _curves(tables: dict[str, pl.DataFrame]) -> str:
    lines = []
    for name, table in tables.items():
        uas = table.filter(pl.col("metric") == "uas").with_columns(
            pl.col("settings").str.extract(r'"iterations": (\d+)').cast(pl.Int64).alias("step")
        )
        methods = uas["method"].unique(maintain_order=True).sort()
        rows = {f"`{method}`": uas.filter(pl.col("method") == method) for method in methods}
        lines += [
            f"UAS after so many iterations; {CURVES[name]}. {provenance(table)}\n",
            *_curve_table("system", rows),
        ]
        if uas["treebank"].n_unique() > 1:
            plain = uas.filter(pl.col("method") == "dmv")
            names = plain["treebank"].unique().sort()
            rows = {f"`{one}`": plain.filter(pl.col("treebank") == one) for one in names}
            lines += ["Plain EM on each, the highest in bold:\n", *_curve_table("treebank", rows)]
    return "\n".join(lines) + "\n"


def _curve_table(what: str, rows: dict[str, pl.DataFrame]) -> list[str]:
    steps = sorted({step for table in rows.values() for step in table["step"]})
    lines = [f"| {what} | {' | '.join(map(str, steps))} |", "| :-- |" + " --: |" * len(steps)]
    for name, table in rows.items():
        means = dict(table.group_by("step").agg(pl.col("value").mean()).iter_rows())
        best = max(means.values())
        cells = [f"{100 * means[step]:.1f}" for step in steps]
        cells = [
            f"**{cell}**" if means[step] == best else cell
            for cell, step in zip(cells, steps, strict=True)
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return [*lines, ""]


if __name__ == "__main__":
    main()
