"""Writes docs/results.md and the pages in docs/results/ from docs/data.

    python -m studies.results_page

reads what the challenge measured (`studies.challenge`), what classes are good for and what more
text changes (`studies.reproduced`), and the scores on every treebank of several studies
(`studies.measured`). What comes from a table that is not there stays as it is. Long tables are
folded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

import polars as pl

from studies import challenge, reproduced
from studies._markers import Markers, filled
from studies.measured import provenance, whole_results_of
from treegauge.papers.paper import Measurements
from treegauge.papers.pascal.paper import Pascal
from treegauge.papers.pascal.penn_tables import length_tables, reference_tables, relation_tables
from treegauge.papers.pascal.settings import PascalSettings
from treegauge.papers.pascal.tables import (
    agreement_tables,
    summary_tables,
    tag_tables,
    tree_tables,
    treebank_table,
)
from treegauge.reports.markdown import to_markdown
from treegauge.reports.run_tables import run_tables
from treegauge.tables import Table
from website.tables import folded

_FOLDER = Path("docs/results")
SEEDS = {"seeds": "tag-induction", "wsj": "tag-induction-wsj"}
"""Markers and studies of inducers of tags, with all metrics."""
INDUCERS = (
    *("weighted-inducers", "bare-text", "tree-substitution", "challenge-chains"),
    *("reducibility", "penn"),
)
"""Markers and studies of inducers of trees, whose tables have a column per treebank."""
INDUCER_METRICS = ("uas", "uas@10")
BESIDE = {
    "extrinsic": ("pascal-extrinsic",),
    "scaling": ("pascal-scaling", "pascal-scaling-treebanks"),
}
"""Markers and reproductions beside the challenge, of which all tables are shown."""
OF_CHALLENGE = (
    *("made", "summary", "treebanks", "tags", "dependencies", "joint", "references"),
    *("relations", "agreement", "remarks"),
)
"""Markers of the challenge itself."""
_TABLES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(OF_CHALLENGE, (challenge.NAME,)),
    **{marker: (study,) for marker, study in SEEDS.items()},
    **{study: (study,) for study in INDUCERS},
    **BESIDE,
}
_PAGES = {
    Path("docs/results.md"): ("summary", "made", "treebanks"),
    _FOLDER / "tags.md": ("extrinsic", "scaling", "tags"),
    _FOLDER / "dependencies.md": (
        *("dependencies", "weighted-inducers", "tree-substitution", "challenge-chains"),
        "reducibility",
    ),
    _FOLDER / "bare_text.md": ("bare-text", "joint"),
    _FOLDER / "penn.md": ("wsj", "penn"),
    _FOLDER / "seeds.md": ("seeds",),
    _FOLDER / "measures.md": ("references", "relations", "agreement", "remarks"),
}
MARKERS: Markers = {page: {one: _TABLES[one] for one in own} for page, own in _PAGES.items()}


def main() -> None:
    """Fill every marker of the pages."""
    for path, page in pages_from_data().items():
        path.write_text(page, encoding="utf-8")


def pages_from_data() -> dict[Path, str]:
    """Return the pages as they should read."""
    texts = study_texts()
    measured = challenge.kept()
    if measured is not None:
        texts |= challenge_texts(measured)
    return {
        path: with_texts(path.read_text(encoding="utf-8"), markers, texts)
        for path, markers in MARKERS.items()
    }


def with_texts(page: str, markers: Iterable[str], texts: Mapping[str, Callable[[], str]]) -> str:
    """Return a page with new text between those of its markers that have some."""
    for marker in markers:
        if marker in texts:
            text = texts[marker]()
            # Averages are what the first page is for.
            page = filled(page, marker, text if marker == "summary" else folded(text))
    return page


def study_texts() -> dict[str, Callable[[], str]]:
    """Return what makes the text of every marker of a study that was kept."""
    texts: dict[str, Callable[[], str]] = {}
    for marker, study in (SEEDS | dict(zip(INDUCERS, INDUCERS, strict=True))).items():
        results = whole_results_of(study)
        if results is not None:
            texts[marker] = partial(_study, results, only_trees=study in INDUCERS)
    for marker, names in BESIDE.items():
        if all(reproduced.commit_of(name) for name in names):
            texts[marker] = partial(_reproductions, names)
    return texts


def challenge_texts(measured: Measurements[PascalSettings]) -> dict[str, Callable[[], str]]:
    """Return what makes the text of every marker of the challenge itself."""
    by_classes = tag_tables(measured)
    trees = {track: tree_tables(measured, track) for track in ("dependencies", "joint")}
    every = [*trees["dependencies"], *trees["joint"]]
    makers: dict[str, Callable[[], list[Table]]] = {
        "made": lambda: [challenge.facts(measured).to_table()],
        "summary": lambda: summary_tables(measured),
        "treebanks": lambda: [treebank_table(measured)],
        "tags": lambda: [one.to_table() for made in by_classes.values() for one in made],
        "dependencies": lambda: [one.to_table() for one in trees["dependencies"]],
        "joint": lambda: [one.to_table() for one in trees["joint"]],
        "references": lambda: reference_tables(measured),
        "relations": lambda: [*relation_tables(measured), *length_tables(measured)],
        "agreement": lambda: agreement_tables(by_classes, every),
        "remarks": lambda: _remarks(measured),
    }
    results = measured.frames["results"]
    learnt = results.filter(pl.col("fit_on") != "nothing")["fit_on"].unique().sort()
    said = f"{provenance(results)} Systems learnt from: {', '.join(learnt)}."
    for where, on_penn in (("", False), (" on the Penn sample", True)):
        if missing := challenge.unfinished(measured, on_penn=on_penn):
            said += f" Not measured yet{where}: {', '.join(f'`{name}`' for name in missing)}."
    return {name: partial(_with_line, said, make) for name, make in makers.items()}


def _with_line(said: str, make: Callable[[], list[Table]]) -> str:
    return f"{said}\n\n{_markdown(*make())}"


def _remarks(measured: Measurements[PascalSettings]) -> list[Table]:
    """Return who wins, and what the paper says of its tables, checked on them and on ours."""
    paper = Pascal()
    remarks = paper.remark_table(measured.frames)
    return [*paper.published_tables(), *([remarks] if remarks else [])]


def _markdown(*tables: Table) -> str:
    return "\n".join(f"{to_markdown(one).rstrip()}\n" for one in tables) or "Not measured.\n"


def _study(results: pl.DataFrame, *, only_trees: bool) -> str:
    """Return the tables of a study, with averages over treebanks and deviations over seeds."""
    said = provenance(results)
    if only_trees:
        results = results.filter(pl.col("metric").is_in(INDUCER_METRICS))
    return f"{said}\n\n{_markdown(*(one.to_table() for one in run_tables(results)))}"


def _reproductions(names: Iterable[str]) -> str:
    """Return all tables of reproductions beside the challenge."""
    texts: list[str] = []
    for name in names:
        texts += [f"{reproduced.provenance(name)}\n", *reproduced.page_tables(name).values()]
    return "\n".join(texts)


if __name__ == "__main__":
    main()
