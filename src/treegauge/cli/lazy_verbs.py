"""Groups of verbs whose modules are imported when a verb is asked for."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import Any

import typer
from typer.exceptions import TyperException

from treegauge.cli.help_pages import VerbGroup
from treegauge.cli.in_force import with_place
from treegauge.cli.verb import Verb
from treegauge.wording import visible


class LazyVerbs(VerbGroup):
    """A group of verbs; a verb is imported when it is asked for, or when all are listed."""

    @abstractmethod
    def names(self) -> Iterable[str]:
        """Return the names of all verbs, in the order in which help lists them."""

    @abstractmethod
    def load(self, name: str) -> Any:
        """Return the command of a verb."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Return the names of all verbs."""
        return list(self.names())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Return a verb, or nothing if no verb has that name."""
        return self.load(cmd_name) if cmd_name in self.names() else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the verb that was asked for; Typer says which one may be meant."""
        names: dict[str, Any] = dict.fromkeys(self.names())
        self.commands.update(names)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a verb; make what is said of its misuse fit to be shown."""
        try:
            return super().invoke(ctx)
        except TyperException as misuse:
            if hasattr(misuse, "message"):
                message = visible(misuse.message)
                if ctx.parent is None:
                    message = with_place(message, getattr(misuse, "param", None))
                misuse.message = message
            raise


@cache
def verb_at(name: str, place: str) -> Any:
    """Return a verb by its name and its place, `module:function` or `module:app` of this room."""
    module, _, attribute = place.partition(":")
    verb = getattr(import_module(f"treegauge.cli.{module}"), attribute)
    command = typer.main.get_group(verb) if isinstance(verb, typer.Typer) else alone(name, verb)
    command.name = name
    return command


def alone(name: str, verb: Callable[..., Any]) -> Any:
    """Return the command of one function."""
    app = typer.Typer(rich_markup_mode="markdown", add_completion=False)
    app.command(name, cls=getattr(verb, "command_class", Verb))(verb)
    return typer.main.get_command(app)
