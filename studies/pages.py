"""Writes the numbers of runs into pages under docs, between their markers.

    python -m studies.pages

docs/systems.md        from `docs/data/dependency-induction.tsv`, `tu-2012`, `tree-substitution`,
                       `reducibility`, `weighted-inducers`, `bare-text`, `em-curves` and
                       `em-curves-wsj`, and, for dev parts, `weighted-inducers-dev`,
                       `fine-tags-dev` and `bare-text-dev`; and, for what falls short of its paper,
                       `sparsity-penn`, `sparsity-wsj`, `sparsity-ud`, `pagerank-causes`,
                       `tu-causes`, `tu-strength` and `tu-strength-whole`
docs/parsers.md        from `docs/data/parsers.tsv`, `parser-ensemble.tsv`,
                       `small-parsers-dev.tsv`, `nonprojective-parsers.tsv`,
                       `neural-parsers.tsv`, `neural-parsers-gpu.tsv` and `neural-epochs-dev.tsv`
docs/scale.md          from `docs/data/scale-*.tsv` (`benchmarks.scale_tables`)
docs/word_classes.md   from `docs/data/mmi-wsj.tsv`, `mmi-ewt.tsv` and `more-text.tsv`
docs/taggers.md        from `docs/data/taggers.tsv` and `projection.tsv` (`studies.parallel_texts`)
docs/trees.md          from `docs/data/extrinsic-trees.tsv` (`studies.extrinsic_trees`)
docs/reproductions.md  from `docs/data/long-dependencies.tsv`, `learning-curves.tsv` and
                       `accuracy-models.tsv`, and from what `studies.reproduced` keeps in
                       `docs/data/word-order`, `docs/data/perplexity` and so on

What comes from a table that is not there stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import polars as pl

from benchmarks import scale_tables
from studies import (
    _accuracy_tables,
    _cause_tables,
    _inducer_tables,
    _parser_tables,
    accuracy_models,
    expected_accuracy,
    extrinsic_trees,
    head_styles,
    learning_curves,
    long_dependencies,
    parallel_texts,
    reproduced,
)
from studies._markers import Markers, filled, markers_of
from studies.measured import STUDIES, whole_results_of
from treegauge.runs import Experiment

SYSTEMS = Path("docs/systems.md")
PARSERS = Path("docs/parsers.md")
SCALE = Path("docs/scale.md")
WORD_CLASSES = Path("docs/word_classes.md")
TAGGERS = Path("docs/taggers.md")
TREES = extrinsic_trees.PAGE
REPRODUCTIONS = Path("docs/reproductions.md")
OVERVIEWS = {
    "overview": ("gold `u` tags", ("dependency-induction",)),
    "overview-fragments": ("gold `u` tags", ("tree-substitution",)),
    "overview-reducibility": ("gold tags", ("reducibility",)),
    "overview-weighted": ("gold `u` tags", ("weighted-inducers",)),
    "overview-neural": ("gold `u` tags", ("neural-dmv",)),
    "overview-bare-text": ("words and which are punctuation", ("bare-text",)),
}
"""Markers of tables of systems, what these systems see, and the studies that they come from."""
OPTIONAL = ("neural-dmv",)
"""Studies that a page can do without, as they need PyTorch."""
WITH_COSTS = ("overview-neural",)
"""Markers of those tables that also show seconds, memory and the device."""
SAMPLES = {"neural-dmv-wsj": "`en_wsj_sample`, fine tags"}
"""Studies on the sample of the Wall Street Journal, each of which has a table in the page."""
DEV_STUDIES = ("dmv-length-dev", "weighted-inducers-dev", "fine-tags-dev", "bare-text-dev")
"""Studies on dev parts, each of which has a table in the page."""
GAINS_OVER = {"dmv-length-dev": "dmv(max_length=10, decode=viterbi)"}
"""Systems of such studies that others are compared with."""
CURVES = {"em-curves": "`pascal10`, averages", "em-curves-wsj": "`en_wsj_sample`, fine tags"}
CLASS_STUDIES = {
    "mmi-wsj": "The sample of the Wall Street Journal as a whole, against its fine tags",
    "mmi-ewt": "The train part of `en_ewt`, against its universal tags",
}
FINE_CLASSES = "fine-classes"
FINE_METRICS = {"v_measure": "V-measure", "many_to_one": "many-to-one"}
TU = "tu-2012"
TU_METRICS = {"uas": "UAS", "ned": "NED", "uas@10": "UAS@10"}
PARSER_STUDIES = {
    "parsers": _parser_tables.parsers,
    "parser-ensemble": _parser_tables.parsers,
    "small-parsers-dev": _parser_tables.settings,
    "nonprojective-parsers": _parser_tables.parsers,
    "neural-parsers": _parser_tables.neural_parsers,
    "neural-parsers-gpu": _parser_tables.neural_parsers,
    "neural-epochs-dev": _parser_tables.epochs,
}
TAGGER_STUDY = "taggers"
WITHOUT_MARKER = ("tags-then-trees",)
"""Systems of these studies of which docs/systems.md says nothing by themselves."""


def main() -> None:
    """Fill every marker of every page whose tables and runs are there."""
    for path, page in pages_from_data().items():
        path.write_text(page, encoding="utf-8")


def pages_from_data() -> dict[Path, str]:
    """Return the pages whose numbers come from docs/data, as they should read."""
    return {
        SYSTEMS: _systems_page(SYSTEMS.read_text(encoding="utf-8")),
        PARSERS: _parsers_page(PARSERS.read_text(encoding="utf-8")),
        SCALE: _with_tables(SCALE.read_text(encoding="utf-8"), scale_tables.tables()),
        WORD_CLASSES: _word_classes_page(WORD_CLASSES.read_text(encoding="utf-8")),
        TAGGERS: _taggers_page(TAGGERS.read_text(encoding="utf-8")),
        TREES: _with_tables(
            TREES.read_text(encoding="utf-8"), {extrinsic_trees.MARKER: extrinsic_trees.table()}
        ),
        REPRODUCTIONS: _reproductions_page(REPRODUCTIONS.read_text(encoding="utf-8")),
    }


@cache
def methods() -> dict[str, tuple[str, ...]]:
    """Return the systems that have a marker of their own, and the studies that they are in."""
    found: dict[str, tuple[str, ...]] = {}
    for name in (name for _, names in OVERVIEWS.values() for name in names):
        for choice in Experiment.from_toml(STUDIES / f"{name}.toml").systems:
            if choice.system not in WITHOUT_MARKER:
                found[choice.system] = (*dict.fromkeys((*found.get(choice.system, ()), name)),)
    return found


def markers() -> Markers:
    """Return the markers that this script writes, by page, and the tables behind them."""
    page = REPRODUCTIONS.read_text(encoding="utf-8")
    return {
        SYSTEMS: {
            **{marker: names for marker, (_, names) in OVERVIEWS.items()},
            **methods(),
            **_by_their_own((*SAMPLES, *DEV_STUDIES, *_cause_tables.OF_SYSTEMS)),
            "curves": tuple(CURVES),
            TU: (TU,),
            "head-styles": (head_styles.TABLE.stem,),
            "expected-accuracy": (expected_accuracy.TABLE.stem,),
        },
        PARSERS: _by_their_own(PARSER_STUDIES),
        SCALE: scale_tables.MARKERS,
        WORD_CLASSES: _by_their_own((*CLASS_STUDIES, FINE_CLASSES, *_cause_tables.OF_CLASSES)),
        TAGGERS: {
            **_by_their_own((TAGGER_STUDY,)),
            **dict.fromkeys(parallel_texts.MARKERS, (parallel_texts.NAME,)),
        },
        TREES: {extrinsic_trees.MARKER: (extrinsic_trees.TABLE.stem,)},
        REPRODUCTIONS: {
            "accuracy-models": (accuracy_models.TABLE.stem, learning_curves.TABLE.stem),
            "long-dependencies": (long_dependencies.TABLE.stem,),
            **{
                one: (name,)
                for one in markers_of(page)
                if (name := one.partition("/")[0]) in reproduced.REPRODUCTIONS
            },
        },
    }


def _by_their_own(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    return {name: (name,) for name in names}


def _systems_page(page: str) -> str:
    results = {name: _whole(name) for _, names in OVERVIEWS.values() for name in names}
    for marker, (seen, names) in OVERVIEWS.items():
        tables = [table for name in names if (table := results[name]) is not None]
        if tables:
            table = _inducer_tables.overview(
                pl.concat(tables), seen, with_costs=marker in WITH_COSTS
            )
            page = filled(page, marker, table)
    # What is said of one system comes from several studies.
    if all(table is not None for name, table in results.items() if name not in OPTIONAL):
        measured = pl.concat(table for table in results.values() if table is not None)
        for (name,), rows in measured.group_by("method", maintain_order=True):
            if name not in WITHOUT_MARKER:
                page = filled(page, str(name), _inducer_tables.system_lines(rows, str(name)))
    for name, seen in SAMPLES.items():
        if (on_sample := _whole(name)) is not None:
            page = filled(page, name, _inducer_tables.sample_table(on_sample, seen))
    for name in DEV_STUDIES:
        if (on_dev := _whole(name)) is not None:
            page = filled(page, name, _inducer_tables.dev_table(on_dev, GAINS_OVER.get(name, "")))
    page = _with_tables(page, _cause_tables.tables_of_systems())
    for name, text in (
        ("head-styles", head_styles.page_table()),
        ("expected-accuracy", expected_accuracy.page_table()),
    ):
        page = page if text is None else filled(page, name, text)
    if (results := _whole(TU)) is not None:
        what = "Test parts, learnt from train, preset `pascal`"
        page = filled(page, TU, _inducer_tables.by_treebank(results, what, TU_METRICS))
    curves = {name: table for name in CURVES if (table := _whole(name)) is not None}
    if len(curves) == len(CURVES):
        page = filled(page, "curves", _inducer_tables.curves(curves, CURVES))
    return page


def _parsers_page(page: str) -> str:
    for name, table in PARSER_STUDIES.items():
        if (results := _whole(name)) is not None:
            page = filled(page, name, table(results))
    return page


def _taggers_page(page: str) -> str:
    if (results := _whole(TAGGER_STUDY)) is not None:
        page = filled(page, TAGGER_STUDY, _parser_tables.taggers(results))
    return _with_tables(page, parallel_texts.page_tables())


def _word_classes_page(page: str) -> str:
    for name, what in CLASS_STUDIES.items():
        if (results := _whole(name)) is not None:
            page = filled(page, name, _inducer_tables.classes_table(results, what))
    if (results := _whole(FINE_CLASSES)) is not None:
        what = "As many classes as the treebank has fine tags, against these"
        page = filled(page, FINE_CLASSES, _inducer_tables.by_treebank(results, what, FINE_METRICS))
    return _with_tables(page, _cause_tables.tables_of_classes())


def _reproductions_page(page: str) -> str:
    """Fill markers that name a reproduction and the beginning of the titles of its tables."""
    for marker in markers_of(page):
        name, _, start = marker.partition("/")
        tables = reproduced.page_tables(name) if start else {}
        if not tables:
            continue
        texts = [text for title, text in tables.items() if title.startswith(start)]
        if not texts:
            raise ValueError(f"{REPRODUCTIONS}: {name} has no table {start!r}: {list(tables)}")
        texts.append(f"{reproduced.provenance(name)}\n")
        page = filled(page, marker, "\n".join(texts))
    page = filled(page, "accuracy-models", _accuracy_tables.page_table())
    return filled(page, "long-dependencies", long_dependencies.page_table())


def _with_tables(page: str, tables: Mapping[str, str]) -> str:
    for name, table in tables.items():
        page = filled(page, name, table)
    return page


def _whole(name: str) -> pl.DataFrame | None:
    results = whole_results_of(name)
    return None if results is None else results.filter(pl.col("by") == "")


if __name__ == "__main__":
    main()
