"""`treegauge reproduce`: experiments of papers, done again on treebanks of one's own."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from treegauge.cli.reproduce import pascal
from treegauge.papers import PAPERS, find_paper


class PaperVerbs(TyperGroup):
    """A verb for every paper; a paper is imported when its verb is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all papers."""
        return sorted({*super().list_commands(ctx), *PAPERS})

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the verb of a paper."""
        if cmd_name not in PAPERS:
            return super().get_command(ctx, cmd_name)
        from treegauge.cli.papers import paper_verb

        alone = typer.Typer(rich_markup_mode="markdown", add_completion=False)
        alone.command(cmd_name)(paper_verb(find_paper(cmd_name)))
        return typer.main.get_command(alone)


app = typer.Typer(
    cls=PaperVerbs,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="Do the experiments of a paper again.",
    epilog="Example: `treegauge reproduce ned --small`",
)


@app.callback()
def reproduce() -> None:
    """Do the experiments of a paper again, with the published figures beside ours."""


app.command("pascal")(pascal.pascal_cli)
