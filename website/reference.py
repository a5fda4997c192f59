"""Pages of the reference, written from what the program itself says."""

from __future__ import annotations

import ast
import contextlib
import io
import os
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import typer

from website.exposed import exposed_classes

_FORMULAS = Path(__file__).with_name("metric_formulas.toml")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table in Markdown; what has a meaning there is escaped.

    >>> print(table(["a", "b"], [["x|y", 1]]))
    | a | b |
    | :-- | :-- |
    | x\\|y | 1 |
    <BLANKLINE>
    """
    lines = [columns, [":--"] * len(columns), *rows]
    return "".join("| " + " | ".join(map(_cell, line)) + " |\n" for line in lines)


def _cell(content: object) -> str:
    return str(content).replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def _code(name: object) -> str:
    return f"`{name}`" if str(name) else ""


# ---------------------------------------------------------------------- commands


def command_pages() -> dict[str, str]:
    """Return a page for every command by its name: its help, and that of commands below it."""
    from treegauge.cli.main import VERBS, app

    program = typer.main.get_command(app)
    return {name: _command_page(name, program.get_command(None, name)) for name in VERBS}


def _command_page(name: str, command: Any) -> str:
    lines = []
    for words, text in _helps((name,), command):
        level = "#" * min(len(words), 3)
        lines.append(f"{level} treegauge {' '.join(words)}\n\n```text\n{text}```\n")
    return "\n".join(lines)


def _helps(words: tuple[str, ...], command: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    yield words, help_text(words)
    if hasattr(command, "list_commands"):
        for name in command.list_commands(None):
            yield from _helps((*words, name), command.get_command(None, name))


def help_text(words: Sequence[str]) -> str:
    """Return what `treegauge WORDS --help` prints."""
    from treegauge.cli.main import app

    printed = io.StringIO()
    with (
        mock.patch.dict(os.environ, {"COLUMNS": "90", "NO_COLOR": "1", "TERM": "dumb"}),
        contextlib.redirect_stdout(printed),
        contextlib.suppress(SystemExit),
    ):
        app([*words, "--help"], prog_name="treegauge")
    return "\n".join(line.rstrip() for line in printed.getvalue().splitlines()) + "\n"


# ---------------------------------------------------------------------- Python


def python_pages(root: Path) -> dict[str, str]:
    """Return a page for every room of the public interface, with the docstrings of its names.

    Classes that its names return or hold follow.
    """
    stub = ast.parse((root / "src" / "treegauge" / "__init__.pyi").read_text(encoding="utf-8"))
    rooms = [node for node in stub.body if isinstance(node, ast.ImportFrom) and node.module]
    exposed = exposed_classes()
    pages = {}
    for node in rooms:
        names = _functions_first(node)
        page = f"# treegauge: {node.module}\n\n"
        page += "\n".join(f"::: treegauge.{name}\n" for name in names)
        own = [cls for cls, by in exposed.items() if by in names]
        pages[str(node.module)] = page + _returned(own)
    return pages


def _returned(classes: Sequence[type]) -> str:
    if not classes:
        return ""
    entries = "\n".join(
        f"::: {cls.__module__}.{cls.__name__}\n    options:\n      heading_level: 3\n"
        for cls in sorted(classes, key=lambda cls: cls.__name__)
    )
    intro = "Functions and methods on this page return these objects, or attributes hold them."
    return f"\n## Returned objects\n\n{intro}\n\n{entries}"


def _functions_first(node: ast.ImportFrom) -> list[str]:
    """Return names that are imported, those in small letters before those of classes."""
    return sorted((alias.name for alias in node.names), key=lambda name: (name[0].isupper(), name))


# ---------------------------------------------------------------------- lists


def metrics_page() -> str:
    """Return the page of metrics: what each is, as a formula."""
    from treegauge.metrics import METRICS

    formulas = tomllib.loads(_FORMULAS.read_text(encoding="utf-8"))
    lines = [
        "# Metrics\n\nThese are the names for `-m`; `treegauge list metrics` prints the same. *g* "
        "and *p* are the gold head and the predicted head of a word *w*. "
        "[Conventions](../metrics.md#conventions) defines which words count, and which heads are "
        "always wrong.\n\n"
        "## Short sentences: uas@10\n\n`@10` after any metric counts only sentences of at most ten "
        "tokens: `uas@10` is UAS on short sentences, where inducers are usually compared. "
        "Punctuation counts towards the length, even where the score does not count it. With "
        "`@10w`, only words that are not punctuation count. [Footguns](../footguns.md) says "
        "more.\n\n"
    ]
    for family in dict.fromkeys(metric.family for metric in METRICS.values()):
        lines.append(f"## {family}\n\n")
        for metric in METRICS.values():
            if metric.family != family:
                continue
            better = "higher" if metric.higher_is_better else "lower"
            needs = ", ".join(map(_code, metric.needs)) or "words"
            lines.append(
                f"### {metric.name}\n\n{metric.title}: {metric.summary}.\n\n"
                f"```text\n{formulas[metric.name].strip()}\n```\n\n"
                f"Needs {needs}. Over {metric.unit}; {better} is better.\n\n"
            )
    return "".join(lines)


def strata_page() -> str:
    """Return the page of strata."""
    from treegauge.strata import STRATA

    rows = [(_code(one.name), one.summary, " ".join(one.needs)) for one in STRATA.values()]
    return (
        "# Strata\n\n`--by` breaks scores down by these; `relation*direction` crosses two.\n\n"
        + table(["stratum", "what it is", "needs"], rows)
    )


def findings_page() -> str:
    """Return the page of findings: every rule, and its severity in each role of a file."""
    from treegauge.challenges.submission_findings import RULES
    from treegauge.formats import KINDS, REPAIRS
    from treegauge.formats.universal_dependencies.rules import LEVEL_RULES

    def rows(kinds: Iterable[Any]) -> Iterator[Sequence[object]]:
        for kind in kinds:
            roles = (
                kind.severity_for("gold"),
                kind.severity_for("gold", strict=True),
                kind.severity_for("prediction"),
                kind.severity_for("check"),
            )
            yield (_code(kind.id), kind.rule, *roles)

    columns = ["finding", "rule", "gold", "gold, strict", "prediction", "validate"]
    levels = [
        (_code(rule.id), rule.level, _code(rule.official), rule.expected, rule.severity)
        for rule in LEVEL_RULES.values()
    ]
    submissions = [(_code(rule.id), rule.rule, rule.severity) for rule in RULES.values()]
    return (
        "# Findings\n\nThese are the findings of `treegauge validate` and of all commands that "
        "read files, with their severity: for gold, for gold with `--strict`, for a system's "
        "output, and for `validate`. [Formats](../formats.md#findings) explains them.\n\n"
        + table(columns, rows(KINDS.values()))
        + "\n## Repairs\n\nThese are repaired in [broken outputs](../outputs.md).\n\n"
        + table(columns, rows(REPAIRS.values()))
        + "\n## The levels of Universal Dependencies\n\nWith `validate --level 1` or `2`.\n\n"
        + table(["finding", "level", "official id", "expected", "severity"], levels)
        + "\n## Submissions to a shared task\n\n`treegauge challenge check` and the server of a "
        "challenge find these. A submission with an error is refused. "
        "[Shared tasks](../challenge.md) explains them.\n\n"
        + table(["finding", "rule", "severity"], submissions)
    )


def systems_page() -> str:
    """Return the page of systems, with every setting of each."""
    from treegauge.settings import describe_settings
    from treegauge.systems import systems

    ours = [one for one in systems().values() if one.package == "treegauge"]
    lines = [
        "# Systems and their settings\n\nThese are the names for `induce`, `train` and "
        "experiments. Give a setting as `--set NAME=VALUE`. [Systems](../systems.md) describes "
        "the systems.\n\n"
    ]
    for task in dict.fromkeys(one.task for one in ours):
        lines.append(f"## {task}\n\n")
        for one in (one for one in ours if one.task == task):
            lines.append(f"### {one.name}\n\n{one.summary.rstrip('.')}. *{one.supervision}*\n\n")
            settings = list(describe_settings(one.load().settings_type))
            if settings:
                rows = [
                    (_code(known.name), known.kind, _code(known.default), known.help)
                    for known in settings
                ]
                lines.append(table(["setting", "type", "default", "what it does"], rows) + "\n")
            else:
                lines.append("It has no settings.\n\n")
    return "".join(lines)
