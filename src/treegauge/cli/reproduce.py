"""`treegauge reproduce`: experiments of papers, done again on treebanks of one's own."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from treegauge.papers import PAPERS, find_paper


class PaperVerbs(TyperGroup):
    """A verb for every paper; a paper is imported when its verb is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Return the names of all papers."""
        return sorted(PAPERS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Return the verb of a paper."""
        if cmd_name not in PAPERS:
            return None
        from treegauge.cli.papers import paper_verb

        alone = typer.Typer(rich_markup_mode="markdown", add_completion=False)
        alone.command(cmd_name)(paper_verb(find_paper(cmd_name)))
        return typer.main.get_command(alone)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the verb that was asked for; Typer says which one may be meant."""
        names: dict[str, Any] = dict.fromkeys(PAPERS)
        self.commands.update(names)
        return super().resolve_command(ctx, args)


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
