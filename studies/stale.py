"""Lists what has to be measured again, since code, settings or treebanks have changed.

    python -m studies.stale

A cell's key depends on its settings, its treebank and the code of its system: a cell of a study
that is not in the plan of today was measured with something else. The runs inside reproductions
are planned as they go; there, the code counts that can change a number.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from studies import reproduced
from studies.measured import STUDIES, results_of
from treegauge.catalogue import Catalogue, CatalogueError
from treegauge.papers import PAPERS
from treegauge.runs import Experiment
from treegauge.runs.planning import make_plan

SOURCES = Path("src/treegauge")
SHOWN_ONLY = ("cli", "reports", "tables", "challenges", "challenge_server", "papers")
"""Rooms that show numbers; of `papers`, the measurements of the paper itself count."""


def main() -> None:
    """Print a line for everything that is stale."""
    for line in (*stale_studies(), *stale_reproductions()):
        sys.stdout.write(f"{line}\n")


def stale_studies() -> Iterator[str]:
    """Give the studies that have cells to be measured, and how many."""
    catalogue = Catalogue.from_environment()
    for file in sorted(STUDIES.glob("*.toml")):
        try:
            plan = make_plan(Experiment.from_toml(file), catalogue)
        except CatalogueError as error:
            yield f"{file.stem}: {error}"
            continue
        planned = {cell.key for cell in plan.cells}
        results = results_of(file.stem)
        kept = set() if results is None else set(results["cell"])
        missing = len(planned - kept)
        if missing:
            yield f"{file.stem}: {missing} of {len(planned)} cells"


def stale_reproductions() -> Iterator[str]:
    """Give the reproductions that were never kept, or whose code has changed since."""
    for name, chosen in reproduced.REPRODUCTIONS.items():
        commit = reproduced.commit_of(name)
        if commit is None:
            yield f"{name}: not measured"
        elif changed := changed_files(commit, chosen.paper):
            yield f"{name}: {len(changed)} files have changed since {commit}"


def changed_files(commit: str, paper: str) -> list[str]:
    """Return the source files that can change a paper's numbers and differ from a commit."""
    folder = PAPERS[paper].split(".")[0]
    places = [
        str(SOURCES),
        *(f":(exclude){SOURCES}/{room}" for room in SHOWN_ONLY),
    ]
    own = [f"{SOURCES}/papers/{folder}/measure.py", f"{SOURCES}/papers/{folder}/settings.py"]
    names = []
    for wanted in (places, own):
        asked = ["git", "diff", "--name-only", commit, "--", *wanted]
        names += subprocess.check_output(asked, text=True, cwd=STUDIES.parent).splitlines()
    return names


if __name__ == "__main__":
    main()
