"""Writes docs/results.md from a finished run of the challenge.

    treegauge reproduce pascal --systems all --data TREEBANKS
    python -m studies.results_page [RUN]

reads `runs/pascal`, or the folder that is named; and, where they are there, what
`studies/tag-induction.toml` and `tag-induction-wsj.toml` give for several seeds, what classes
are good for (`runs/pascal-extrinsic`) and more and more text (`runs/pascal-scaling`, a toy
language, and `runs/pascal-scaling-treebanks`). Numbers are written by this script between the
markers `<!-- numbers: NAME -->` and `<!-- end -->`; what people wrote elsewhere on the page stays.
Where there is no page yet, one is made with room for readings.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

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
from treegauge.results.long_table import read_long_table
from treegauge.runs import Experiment, ExperimentError, RunFolder
from treegauge.tables import Table

PAGE = Path("docs/results.md")
RUN = Path("runs/pascal")
SEEDS = Path("runs/tag-induction")
WSJ = Path("runs/tag-induction-wsj")
EXTRINSIC = Path("runs/pascal-extrinsic")
SCALING = (Path("runs/pascal-scaling"), Path("runs/pascal-scaling-treebanks"))

SECTIONS = {
    "made": "How these numbers were made",
    "summary": "In short",
    "seeds": "Several seeds",
    "wsj": "The Wall Street Journal sample",
    "extrinsic": "What induced classes are good for",
    "scaling": "More raw text",
    "treebanks": "Treebanks",
    "tags": "Induced tags",
    "dependencies": "Dependencies over given tags",
    "joint": "Tags and dependencies from bare text",
    "references": "Several references",
    "relations": "By relation and by length",
    "agreement": "Do metrics agree?",
    "remarks": "The paper's remarks on its own tables",
}
"""Markers of the page, and what a new one calls them."""


def main() -> None:
    """Fill every marker of the page."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else RUN
    try:
        measured = _read(folder)
    except ExperimentError as error:
        sys.exit(str(error))
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else new_page()
    PAGE.write_text(filled(page, texts(measured, folder)), encoding="utf-8")
    sys.stdout.write(f"wrote {PAGE}\n")


def _read(folder: Path) -> Measurements[PascalSettings]:
    if not (folder / "experiment.toml").exists():
        raise ExperimentError(f"{folder}: no run of the challenge; `treegauge reproduce pascal`")
    experiment = Experiment.from_toml(folder / "experiment.toml")
    settings = PascalSettings(experiment.treebanks, fit_on=experiment.systems[0].fit_on)
    return read_challenge(settings, folder, Catalogue.from_environment())


def new_page() -> str:
    """Return a page without numbers, with room for what people say of them."""
    lines = ["# The challenge, run again", ""]
    for name, title in SECTIONS.items():
        lines += [f"## {title}", "", f"<!-- numbers: {name} -->", "<!-- end -->", ""]
    return "\n".join(lines)


def filled(page: str, texts: dict[str, Callable[[], str]]) -> str:
    """Return the page with new text between its markers; all else is left alone.

    >>> filled("a\\n<!-- numbers: x -->\\nold\\n<!-- end -->\\nb\\n", {"x": lambda: "new\\n"})
    'a\\n<!-- numbers: x -->\\nnew\\n<!-- end -->\\nb\\n'
    """

    def replaced(found: re.Match[str]) -> str:
        if found[2] not in texts:
            raise SystemExit(f"{PAGE}: no numbers are called {found[2]!r}")
        return f"{found[1]}{texts[found[2]]()}{found[3]}"

    pattern = r"(<!-- numbers: ([\w-]+) -->\n).*?(<!-- end -->)"
    return re.sub(pattern, replaced, page, flags=re.DOTALL)


def texts(measured: Measurements[PascalSettings], folder: Path) -> dict[str, Callable[[], str]]:
    """Return what makes the text of every marker."""
    by_classes = tag_tables(measured)
    trees = {track: tree_tables(measured, track) for track in ("dependencies", "joint")}
    every = [*trees["dependencies"], *trees["joint"]]
    return {
        "made": lambda: _made(measured, folder),
        "summary": lambda: _markdown(*summary_tables(measured)),
        "seeds": lambda: _seeds(SEEDS),
        "wsj": lambda: _seeds(WSJ),
        "extrinsic": lambda: _kept(EXTRINSIC),
        "scaling": lambda: _kept(*SCALING),
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


def _seeds(folder: Path) -> str:
    """Return the averages of inducers over treebanks, with deviations over seeds."""
    if not (folder / "results.parquet").exists():
        return _markdown()
    return _markdown(
        *(one.to_table() for one in run_tables(read_long_table(folder / "results.parquet")))
    )


def _kept(*folders: Path) -> str:
    """Return the tables that the challenge's side experiments left in their folders."""
    paths = [folder / "tables.md" for folder in folders]
    return "\n".join(p.read_text(encoding="utf-8") for p in paths if p.exists()) or _markdown()


def _made(measured: Measurements[PascalSettings], folder: Path) -> str:
    asked = ["git", "rev-parse", "--short", "HEAD"]
    commit = subprocess.check_output(asked, text=True, cwd=Path(__file__).parent).strip()
    place = RunFolder(folder)
    results = measured.frames["results"]
    facts = run_facts(results, place.record, place.planned)
    learnt = results.filter(pl.col("fit_on") != "nothing")["fit_on"].unique().sort()
    said = (
        f"Written {datetime.now(UTC):%Y-%m-%d} at commit `{commit}` from `{folder}`; systems "
        f"learnt from: {', '.join(learnt)}.\n\n"
    )
    return said + _markdown(facts.to_table())


if __name__ == "__main__":
    main()
