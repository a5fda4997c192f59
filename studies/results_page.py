"""Writes docs/results.md and docs/results/ from a finished run of the challenge.

    treegauge reproduce pascal --systems all --data TREEBANKS
    python -m studies.results_page [RUN]

reads `runs/pascal`, or the folder that is named; what `studies/tag-induction.toml` and
`tag-induction-wsj.toml` give for several seeds, and `weighted-inducers.toml`, `bare-text.toml`,
`tree-substitution.toml`, `challenge-chains.toml`, `reducibility.toml` and `penn.toml` for every
treebank; what classes are good for (`runs/pascal-extrinsic`)
and more and more text (`runs/pascal-scaling`, a toy language, and `runs/pascal-scaling-treebanks`).
Numbers are written by this script between the markers `<!-- numbers: NAME -->` and `<!-- end -->`;
what comes from a run that is not there stays as it is, and so does what people wrote elsewhere on
the pages. Long tables are folded.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import polars as pl

from studies.measured import whole_results_of
from treegauge.catalogue import Catalogue
from treegauge.papers.paper import Measurements
from treegauge.papers.pascal.measure import read_challenge
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
from treegauge.reports.run_facts import run_facts
from treegauge.reports.run_tables import run_tables
from treegauge.runs import Experiment, ExperimentError, RunFolder
from treegauge.tables import Table
from website.tables import folded

PAGES = (Path("docs/results.md"), *sorted(Path("docs/results").glob("*.md")))
RUN = Path("runs/pascal")
SEEDS = Path("runs/tag-induction")
WSJ = Path("runs/tag-induction-wsj")
EXTRINSIC = Path("runs/pascal-extrinsic")
INDUCERS = {
    name: Path("runs") / name
    for name in (
        *("weighted-inducers", "bare-text", "tree-substitution", "challenge-chains"),
        *("reducibility", "penn"),
    )
}
"""Studies of inducers of trees whose tables have a column per treebank."""
INDUCER_METRICS = ("uas", "uas@10")
SCALING = (Path("runs/pascal-scaling"), Path("runs/pascal-scaling-treebanks"))

MARKERS = (
    *("made", "summary", "seeds", "wsj", "extrinsic", "scaling", "treebanks", "tags"),
    *("dependencies", "joint", "references", "relations", "agreement", "remarks"),
    *INDUCERS,
)
"""What this script writes; `generalised_gold.py` writes a table of its own."""


def main() -> None:
    """Fill every marker of the pages."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else RUN
    new = study_texts()
    if (folder / "experiment.toml").exists():
        try:
            new |= challenge_texts(_read(folder), folder)
        except ExperimentError as error:
            sys.exit(str(error))
    else:
        sys.stdout.write(f"{folder}: no run of the challenge; its tables stay as they are\n")
    for path in PAGES:
        path.write_text(filled(path.read_text(encoding="utf-8"), new), encoding="utf-8")
    sys.stdout.write(f"wrote docs/results: {', '.join(sorted(new))}\n")


def _read(folder: Path) -> Measurements[PascalSettings]:
    experiment = Experiment.from_toml(folder / "experiment.toml")
    settings = PascalSettings(experiment.treebanks, fit_on=experiment.systems[0].fit_on)
    return read_challenge(settings, folder, Catalogue.from_environment())


def filled(page: str, texts: dict[str, Callable[[], str]]) -> str:
    """Return the page with new text between its markers; all else is left alone.

    >>> filled("a\\n<!-- numbers: wsj -->\\nold\\n<!-- end -->\\nb\\n", {"wsj": lambda: "new\\n"})
    'a\\n<!-- numbers: wsj -->\\nnew\\n<!-- end -->\\nb\\n'
    """

    def replaced(marked: re.Match[str]) -> str:
        if marked[2] not in (*MARKERS, "generalised-gold"):
            raise SystemExit(f"no numbers are called {marked[2]!r}")
        if marked[2] not in texts:
            return marked[0]
        text = texts[marked[2]]()
        # Averages are what the first page is for.
        return f"{marked[1]}{text if marked[2] == 'summary' else folded(text)}{marked[3]}"

    pattern = r"(<!-- numbers: ([\w-]+) -->\n).*?(<!-- end -->)"
    return re.sub(pattern, replaced, page, flags=re.DOTALL)


def study_texts() -> dict[str, Callable[[], str]]:
    """Return what makes the text of every marker of a study whose run is there."""
    texts: dict[str, Callable[[], str]] = {
        name: partial(_study, run)
        for name, run in {"seeds": SEEDS, "wsj": WSJ}.items()
        if _has_results(run)
    }
    for name, run in INDUCERS.items():
        if _has_results(run):
            texts[name] = partial(_dated_study, run)
    if any((folder / "tables.md").exists() for folder in SCALING):
        texts["scaling"] = partial(_kept, *SCALING)
    if (EXTRINSIC / "tables.md").exists():
        texts["extrinsic"] = partial(_kept, EXTRINSIC)
    return texts


def challenge_texts(
    measured: Measurements[PascalSettings], folder: Path
) -> dict[str, Callable[[], str]]:
    """Return what makes the text of every marker of the challenge itself."""
    by_classes = tag_tables(measured)
    trees = {track: tree_tables(measured, track) for track in ("dependencies", "joint")}
    every = [*trees["dependencies"], *trees["joint"]]
    return {
        "made": lambda: _made(measured, folder),
        "summary": lambda: _markdown(*summary_tables(measured)),
        "treebanks": lambda: _markdown(treebank_table(measured)),
        "tags": lambda: _markdown(
            *(one.to_table() for made in by_classes.values() for one in made),
        ),
        "dependencies": lambda: _markdown(*(one.to_table() for one in trees["dependencies"])),
        "joint": lambda: _markdown(*(one.to_table() for one in trees["joint"])),
        "references": lambda: _markdown(*reference_tables(measured)),
        "relations": lambda: _markdown(*relation_tables(measured), *length_tables(measured)),
        "agreement": lambda: _markdown(*agreement_tables(by_classes, every)),
        "remarks": lambda: _markdown(*_remarks(measured)),
    }


def _remarks(measured: Measurements[PascalSettings]) -> list[Table]:
    """Return who wins, and what the paper says of its tables, checked on them and on ours."""
    paper = Pascal()
    remarks = paper.remark_table(measured.frames)
    return [*paper.published_tables(), *([remarks] if remarks else [])]


def _markdown(*tables: Table) -> str:
    return "\n".join(f"{to_markdown(one).rstrip()}\n" for one in tables) or "Not measured.\n"


def _has_results(run: Path) -> bool:
    return whole_results_of(run.name) is not None


def _study(run: Path, metrics: Sequence[str] = ()) -> str:
    """Return the tables of a run, with averages over treebanks and deviations over seeds."""
    results = whole_results_of(run.name)
    assert results is not None
    if metrics:
        results = results.filter(pl.col("metric").is_in(metrics))
    return _markdown(*(one.to_table() for one in run_tables(results)))


def _dated_study(run: Path) -> str:
    return f"{_when(run)}\n\n{_study(run, INDUCER_METRICS)}"


def _kept(*folders: Path) -> str:
    """Return the tables that the challenge's side experiments left in their folders."""
    paths = [folder / "tables.md" for folder in folders]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths if path.exists())


def _made(measured: Measurements[PascalSettings], folder: Path) -> str:
    place = RunFolder(folder)
    results = measured.frames["results"]
    facts = run_facts(results, place.record, place.planned)
    learnt = results.filter(pl.col("fit_on") != "nothing")["fit_on"].unique().sort()
    said = f"{_when(folder)} Systems learnt from: {', '.join(learnt)}.\n\n"
    return said + _markdown(facts.to_table())


def _when(run: Path) -> str:
    asked = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.check_output(asked, text=True, cwd=Path(__file__).parent).strip()
    return f"Written {datetime.now(UTC):%Y-%m-%d} at commit `{commit}` from `{run}`."


if __name__ == "__main__":
    main()
