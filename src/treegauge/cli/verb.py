"""A verb of the program, whose options may have other defaults in `treegauge.toml`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand

from treegauge.cli import console
from treegauge.cli.compiling_message import announced_compilation
from treegauge.cli.help_pages import print_page
from treegauge.cli.in_force import in_force
from treegauge.settings import SETTINGS_FILE, find_settings_file

if TYPE_CHECKING:
    from treegauge.cli.configuration import Configuration


class Verb(TyperCommand):
    """A command that takes what is not typed from `treegauge.toml`, if there is one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read arguments; what they leave open is as the file says."""
        in_force.given = in_force.command = ()
        args = _without_program_options(ctx, args)
        in_force.configuration = configuration = _configuration(ctx, args)
        if configuration is None:
            return super().parse_args(ctx, args)
        path, typed = _path(ctx), list(args)
        given = configuration.given(path, ctx.find_root().command)
        in_force.given = given  # all of them, for messages about values that do not fit
        ctx.default_map = {one.option.name: one.value for one in given}
        rest = super().parse_args(ctx, args)
        in_force.given = [one for one in given if _is_from_file(ctx, one.option.name)]
        words = [word for one in in_force.given for word in one.words()]
        in_force.command = ["--no-config", *path, *words, *typed]
        return rest

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return what the line of usage has; Typer puts braces around what must be given."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Print the page of the verb."""
        print_page(self, ctx)

    def invoke(self, ctx: Any) -> Any:
        """Run the verb; say first which file it listens to."""
        names = [word for one in in_force.given for word in one.words()[:1]]
        if in_force.configuration is not None and names:
            console.say(f"{in_force.configuration.name} sets {', '.join(names)}")
        with announced_compilation():
            return super().invoke(ctx)


def _without_program_options(ctx: Any, args: list[str]) -> list[str]:
    """Take `--use NAME` and `--no-config` from behind the verb, where people write them too."""
    chosen, words = ctx.find_root().params, iter(args)
    rest: list[str] = []
    for word in words:
        if word == "--":
            return [*rest, word, *words]
        option, _, value = word.partition("=")
        if word == "--no-config":
            chosen["_no_config"] = True
        elif option == "--use":
            chosen["_use"] = value or next(words, "")
            if not chosen["_use"]:
                raise typer.BadParameter("--use needs the name of a set")
        else:
            rest.append(word)
    return rest


def _configuration(ctx: Any, args: list[str]) -> Configuration | None:
    """Return the file in use; help needs none, and a program with a flawed one can still help."""
    chosen = ctx.find_root().params
    if ctx.parent is None or ctx.resilient_parsing or {"--help", "-h"} & set(args):
        return None
    use = chosen.get("_use") or ""
    if chosen.get("_no_config"):
        if use:
            raise typer.BadParameter("--use and --no-config exclude each other")
        return None
    path = find_settings_file()
    if path is None:
        if use:
            where = "in this folder or one above it"
            raise typer.BadParameter(f"--use {use}: no {SETTINGS_FILE} {where}")
        return None
    from treegauge.cli.configuration import read_configuration

    return read_configuration(os.path.relpath(path), use)


def _path(ctx: Any) -> list[str]:
    """Return the names of a verb, as they are typed behind that of the program."""
    return [] if ctx.parent is None else [*_path(ctx.parent), ctx.info_name]


def _is_from_file(ctx: Any, option: str) -> bool:
    source = ctx.get_parameter_source(option)
    return source is not None and source.name == "DEFAULT_MAP"
