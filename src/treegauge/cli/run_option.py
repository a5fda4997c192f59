"""Systems that annotate at once: saved ones, and tools with models that were trained elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeGuard

import typer

from treegauge.cli import learning
from treegauge.cli.completion import offer_systems
from treegauge.cli.help_pages import INPUT

if TYPE_CHECKING:
    from treegauge.systems import System
    from treegauge.systems.adapters.adapter import Adapter
    from treegauge.treebank import Treebank

PretokenisedOption = Annotated[
    bool,
    typer.Option(
        "--pretokenised",
        rich_help_panel=INPUT,
        help="Give an external tool the words and sentences of the treebank instead of raw text.",
    ),
]


@dataclass(frozen=True)
class RunOptions:
    """Which systems annotate gold's text before they are scored; a field is an option."""

    run: Annotated[
        list[str],
        typer.Option(
            "--run",
            metavar="SYSTEM",
            autocompletion=offer_systems,
            rich_help_panel=INPUT,
            help="Annotate the text of gold with a system and score it: spacy:PIPELINE, "
            "stanza:LANG, udpipe:MODEL, or a model from `treegauge train`. May be repeated.",
        ),
    ] = field(default_factory=list)
    pretokenised: PretokenisedOption = False
    allow_commands: Annotated[
        bool,
        typer.Option(
            "--allow-commands",
            rich_help_panel=INPUT,
            help="Let a saved system run the commands that it contains.",
        ),
    ] = False

    @property
    def is_from_text(self) -> bool:
        """Whether tools cut gold's raw text into words themselves."""
        return bool(self.run) and not self.pretokenised

    def options_of_each(self) -> list[list[str]]:
        """Return for every system the options that run it alone."""
        others = [
            *(["--pretokenised"] if self.pretokenised else []),
            *(["--allow-commands"] if self.allow_commands else []),
        ]
        return [["--run", name, *others] for name in self.run]

    def annotations(self, gold: Treebank) -> list[Treebank]:
        """Return what the systems say of gold's text, under the names that tables have."""
        if not self.run:
            return []
        if not self.is_from_text:
            return [self._of_words(name, gold) for name in self.run]
        from treegauge.treebank import paragraphs_of

        tools = [_require_tool(name, self._opened(name)) for name in self.run]
        paragraphs = paragraphs_of(gold)
        return [learning.annotate_text(tool, paragraphs) for tool in tools]

    def _opened(self, name: str) -> System:
        return open_annotator(name, allow_commands=self.allow_commands)

    def _of_words(self, name: str, gold: Treebank) -> Treebank:
        system = self._opened(name)
        label = system.label if is_tool(system) or not Path(name).is_file() else Path(name).stem
        return learning.annotate(system, gold).treebank.replace(name=label)


def is_tool(system: System) -> TypeGuard[Adapter]:
    """Return whether a system is a tool of others, which takes raw text."""
    from treegauge.systems.adapters.adapter import Adapter

    return isinstance(system, Adapter)


def read_paragraphs(path: str) -> list[str]:
    """Read a raw text, whose paragraphs are divided by blank lines."""
    from treegauge.formats import read_text

    return re.split(r"\n[ \t\r]*\n", read_text(path))


def _require_tool(name: str, system: System) -> Adapter:
    from treegauge.systems import SystemsError

    if not is_tool(system):
        raise SystemsError(
            f"{name} annotates words and has no tokeniser for raw text: add --pretokenised"
        )
    return system


def open_annotator(text: str, *, allow_commands: bool) -> System:
    """Return a system that can annotate at once: a file that was saved, or a system by name."""
    from treegauge.systems import SystemsError, make_system, systems
    from treegauge.systems.system_names import SYSTEMS_OF_TOOLS

    name = text.partition("?")[0].partition(":")[0]
    if Path(text).is_file() or name not in {*SYSTEMS_OF_TOOLS, *systems()}:
        return learning.load(text, allow_commands=allow_commands)
    system = make_system(text)
    if system.learns:
        raise SystemsError(
            f"{text} is not trained yet: treegauge train {name} TREEBANK -o MODEL, then name MODEL"
        )
    return system
