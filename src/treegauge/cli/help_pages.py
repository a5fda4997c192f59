"""What `--help` shows: usage, examples, what a verb does, and its options in groups.

Typer's own page has six columns and names types of Python; 80 columns are too narrow for it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from treegauge.wording import alternatives

if TYPE_CHECKING:
    from rich.text import Text

INPUT = "Input"
SCORED = "Scoring"
TESTS = "Intervals and tests"
BESIDES = "More results"
SHOWN = "Layout"
OUTPUT = "Output"
LIMITS = "Limits"
OTHERS = "Options"

_ORDER = (OTHERS, SCORED, TESTS, BESIDES, SHOWN, INPUT, OUTPUT, LIMITS)
"""The groups of options, as pages have them."""

_FLAGS_WIDTH = 25
"""Characters beside which the explanation of an option begins."""

_LONGEST_WORD = 40
"""Characters of a list that is shown without spaces, as one types it."""

_WIDEST = 100
"""Characters of a line that are read with ease."""


class VerbGroup(TyperGroup):
    """Verbs under one name, whose help lists them."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Print the page."""
        print_page(self, ctx)


def print_page(command: TyperCommand | TyperGroup, ctx: Any) -> None:
    """Print the page of a verb, or of a group of them."""
    from rich.console import Console

    console = Console(highlight=False, emoji=False)
    for number, block in enumerate(_page(command, ctx)):
        if number:
            console.print()
        for line in block:
            console.print(line, soft_wrap=True)


def _page(command: TyperCommand | TyperGroup, ctx: Any) -> Iterator[list[Text]]:
    """Return the blocks of a page, from top to bottom."""
    yield _paragraph(command.get_usage(ctx))
    paragraphs = [*(command.help or "").split("\n\n"), *(command.epilog or "").split("\n\n")]
    told = [one for one in map(_in_one_line, paragraphs) if one]
    examples = [one for one in told if one.startswith("Example: ")]
    if examples:
        yield [line for example in examples for line in _paragraph(example)]
    for text in told:
        if text not in examples:
            yield _paragraph(text)
    parameters = [one for one in command.get_params(ctx) if not getattr(one, "hidden", False)]
    arguments = [one for one in parameters if isinstance(one, TyperArgument)]
    if arguments:
        yield _group("Arguments", [(_name(one), _explanation(one, ctx)) for one in arguments])
    if isinstance(command, TyperGroup):
        verbs = [(name, command.get_command(ctx, name)) for name in command.list_commands(ctx)]
        yield _group("Commands", [(name, _summary(verb)) for name, verb in verbs])
    for title, options in _grouped(parameters):
        yield _group(title, [(_flags(one), _explanation(one, ctx)) for one in options])


def _summary(verb: Any) -> str:
    return _in_one_line((verb.help or "").partition("\n\n")[0])


def _in_one_line(text: str) -> str:
    return " ".join(text.replace("`", "").split())


def _grouped(parameters: Iterable[Any]) -> Iterator[tuple[str, list[TyperOption]]]:
    """Return options by group; whoever reads this knows `--help`."""
    groups: dict[str, list[TyperOption]] = {title: [] for title in _ORDER}
    for one in parameters:
        if isinstance(one, TyperOption) and one.name != "help":
            groups.setdefault(one.rich_help_panel or OTHERS, []).append(one)
    return ((title, options) for title, options in groups.items() if options)


# ---------------------------------------------------------------------- lines


def _paragraph(text: str) -> list[Text]:
    """Return the lines of a paragraph; what is said to be typed goes on further to the right."""
    from rich.text import Text

    indent = "    " if text.startswith(("Usage: ", "Example: ")) else ""
    return [Text(line) for line in _wrapped(text, subsequent_indent=indent)]


def _group(title: str, rows: Iterable[tuple[str, str]]) -> list[Text]:
    """Return a title and rows of two columns; what is long on the left has a line of its own."""
    from rich.text import Text

    lines = [Text(title, style="bold")]
    for left, right in rows:
        explained = _wrapped(_in_one_line(right), narrower=_FLAGS_WIDTH + 4)
        if len(left) > _FLAGS_WIDTH:
            lines.append(Text(f"  {left}", style="cyan"))
            left = ""
        for line in explained:
            lines.append(Text.assemble((f"  {left:<{_FLAGS_WIDTH}}  ", "cyan"), line))
            left = ""
    return lines


def _wrapped(text: str, *, narrower: int = 0, subsequent_indent: str = "") -> list[str]:
    from rich.console import Console

    return textwrap.wrap(
        text,
        min(Console().width, _WIDEST) - narrower,
        subsequent_indent=subsequent_indent,
        break_on_hyphens=False,
    )


# ---------------------------------------------------------------------- options


def _name(argument: TyperArgument) -> str:
    return argument.metavar or (argument.name or "").upper()


def _flags(option: TyperOption) -> str:
    """Return how an option is written: short before long, then the name of its value."""
    flags = sorted([*option.opts, *option.secondary_opts], key=lambda flag: flag[:2] == "--")
    return f"{', '.join(flags)} {_value(option)}".rstrip()


def _value(option: TyperOption) -> str:
    """Return what stands for the value of an option."""
    if option.is_flag:
        return ""
    if option.metavar:
        return option.metavar
    if option.type.name.startswith(("int", "float")):
        return "N"
    last_word = max(option.opts, key=len).rpartition("-")[2]
    return last_word.upper() if len(last_word) > 2 else "CHOICE"


def _explanation(option: TyperOption | TyperArgument, ctx: Any) -> str:
    """Return the help of an option, with the values that it may have and the usual one."""
    told = (option.help or "").strip().removesuffix(".")
    choices = [str(one) for one in getattr(option.type, "choices", ())]
    if len(choices) > 1 and not all(choice in told for choice in choices):
        told += f". One of {alternatives(choices)}"
    default = _default(option, ctx)
    if default and "Default:" not in told and len(choices) != 1:
        told += f". Default: {default}"
    return f"{told}."


def _default(option: TyperOption | TyperArgument, ctx: Any) -> str:
    """Return what holds where nothing is said, if that is not just nothing."""
    default = option.get_default(ctx, call=False)
    if default is None or default == "" or default == [] or default == () or callable(default):
        return ""
    if isinstance(default, bool):
        return option.opts[0] if default and option.secondary_opts else ""
    if isinstance(default, float):
        return f"{default:g}"
    several = default if isinstance(default, list | tuple) else [default]
    text = ",".join(str(getattr(one, "value", one)) for one in several)
    # A long list breaks at its commas, not inside a name.
    return text if len(text) <= _LONGEST_WORD else text.replace(",", ", ")
