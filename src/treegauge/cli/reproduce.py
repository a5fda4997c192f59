"""`treegauge reproduce`: experiments of papers, reproduced on your treebanks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import typer

from treegauge.cli.lazy_verbs import LazyVerbs, alone
from treegauge.papers import PAPERS, find_paper


class PaperVerbs(LazyVerbs):
    """A verb for every paper."""

    def names(self) -> Iterable[str]:
        """Return the names of all papers."""
        return sorted(PAPERS)

    def load(self, name: str) -> Any:
        """Return the verb of a paper."""
        from treegauge.cli.papers import paper_verb

        return alone(name, paper_verb(find_paper(name)))


app = typer.Typer(
    cls=PaperVerbs,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="Reproduce the experiments of a paper.",
    epilog="Example: `treegauge reproduce ned --small`",
)


@app.callback()
def reproduce() -> None:
    """Do the experiments of a paper again, with the published figures beside ours."""
