"""The option --perplexity: how it is measured, and that it is to be measured at all."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.help_pages import BESIDES
from treegauge.cli.verb import Verb

USUAL = "kenlm"


def _known_settings(text: str) -> str:
    if text:
        from treegauge.errors import TreegaugeError
        from treegauge.properties.derivation_perplexity import PerplexitySettings

        try:
            PerplexitySettings.parse(text)
        except TreegaugeError as error:
            raise typer.BadParameter(str(error)) from None
    return text


PerplexityOption = Annotated[
    str,
    typer.Option(
        "--perplexity",
        metavar="[NAME[,KEY=VALUE]]",
        callback=_known_settings,
        rich_help_panel=BESIDES,
        help="Also show perplexity, measured like kenlm or srilm. Changes of order, field, "
        "system and minimum_count (or closed) follow after commas. Default: kenlm.",
    ),
]


class PerplexityCommand(Verb):
    """A verb whose --perplexity can stand alone."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read arguments, with the usual settings where none are given."""
        return super().parse_args(ctx, with_settings(args))


def with_settings(arguments: list[str]) -> list[str]:
    """Return arguments in which --perplexity has a value.

    What follows it is its value only if it looks like settings: all else is a treebank.

    >>> with_settings(["describe", "--perplexity", "toy:svo", "--perplexity", "srilm,order=2"])
    ['describe', '--perplexity=kenlm', 'toy:svo', '--perplexity=srilm,order=2']
    >>> with_settings(["--perplexity", "order=x"])
    ['--perplexity=order=x']
    """
    words: list[str] = []
    for argument in arguments:
        if words and words[-1] == "--perplexity":
            words[-1] = f"--perplexity={argument if _are_settings(argument) else USUAL}"
            if _are_settings(argument):
                continue
        words.append(argument)
    return [f"--perplexity={USUAL}" if one == "--perplexity" else one for one in words]


def _are_settings(argument: str) -> bool:
    """Return whether an argument begins with a way of measuring, or with a setting."""
    name = argument.partition(",")[0]
    is_way = name.startswith(("kenlm", "srilm")) and "." not in name
    is_setting = name == "closed" or re.match(r"[a-z_]+=", name) is not None
    return is_way or (is_setting and not Path(argument).exists())


def with_perplexity(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Let the option --perplexity of a verb stand alone."""
    verb.command_class = PerplexityCommand  # type: ignore[attr-defined]
    return verb


def say_warnings() -> AbstractContextManager[None]:
    """Say on standard error what language models and derivations are warned of."""
    from treegauge.evaluation import EvaluationWarning
    from treegauge.properties.errors import HeadlessWordsWarning, SmallCorpusWarning

    return console.say_warnings(HeadlessWordsWarning, SmallCorpusWarning, EvaluationWarning)
