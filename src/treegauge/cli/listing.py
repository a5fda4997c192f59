"""`treegauge list`: what there is, with one line each."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import FormatOption, JsonOption, OutputFormat, OutputOption, QuietOption

if TYPE_CHECKING:
    from treegauge.reports import Table


class Topic(StrEnum):
    """What can be listed."""

    FORMATS = "formats"
    FINDINGS = "findings"
    METRICS = "metrics"
    STRATA = "strata"
    SYSTEMS = "systems"
    SETS = "sets"
    TOYS = "toys"


def list_cli(
    topic: Annotated[Topic, typer.Argument(metavar="TOPIC", help="What to list.")],
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="With systems: list the settings of one.")
    ] = "",
    format: FormatOption = OutputFormat.TABLE,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """List what there is, with one line each.

    Example: `treegauge list findings`
    """
    console.manners.quiet = quiet
    if name and topic is not Topic.SYSTEMS:
        raise typer.BadParameter(f"a name can follow systems, not {topic.value}")
    table = settings_table(name) if name else _TABLES[topic]()
    member = "settings" if name else topic.value
    about = {"system": name, "summary": _summary(name)} if name else {}
    console.emit(
        OutputFormat.JSON if json else format,
        output,
        table=lambda: table,
        document=lambda: {"schema": 1, **about, member: _as_objects(table)},
    )


def formats_table() -> Table:
    """Return the formats that treebanks are read from and written to."""
    from treegauge.formats import FORMATS
    from treegauge.reports import Table

    rows = [(f.name, " ".join(f.extensions), f.summary) for f in FORMATS.values()]
    return Table(("format", "extensions", "summary"), rows)


def findings_table() -> Table:
    """Return the rules that a file can break, and how grave that is."""
    from treegauge.formats import KINDS
    from treegauge.reports import Table

    rows = [
        (
            kind.id,
            kind.rule,
            str(kind.severity_for("gold")),
            str(kind.severity_for("gold", strict=True)),
            str(kind.severity_for("prediction")),
            str(kind.severity_for("check")),
        )
        for kind in KINDS.values()
    ]
    return Table(("finding", "rule", "gold", "gold, strict", "prediction", "validate"), rows)


def metrics_table() -> Table:
    """Return the metrics, by family, and what they need."""
    from treegauge.metrics import METRICS
    from treegauge.reports import Table

    rows = [
        (
            m.name,
            m.family,
            m.summary,
            " ".join(m.needs),
            "higher" if m.higher_is_better else "lower",
        )
        for m in METRICS.values()
    ]
    return Table(("metric", "family", "summary", "needs", "better"), rows)


def strata_table() -> Table:
    """Return what a score can be broken down by."""
    from treegauge.reports import Table
    from treegauge.strata import STRATA

    rows = [(s.name, s.summary, " ".join(s.needs)) for s in STRATA.values()]
    return Table(("stratum", "summary", "needs"), rows)


def systems_table() -> Table:
    """Return the systems, those of other packages included."""
    from treegauge.reports import Table
    from treegauge.systems import systems

    rows = [(s.name, s.task, s.supervision, s.summary, s.package) for s in systems().values()]
    return Table(("system", "task", "supervision", "summary", "package"), rows)


def settings_table(name: str) -> Table:
    """Return what can be set about a system."""
    from treegauge.reports import Table
    from treegauge.systems import describe_settings, find_system

    rows = [
        (known.name, known.kind, known.default, known.help)
        for known in describe_settings(find_system(name).load().settings_type)
    ]
    return Table(
        ("setting", "type", "default", "what it does"),
        rows,
        title=f"{name}: {_summary(name)}",
        notes=[] if rows else [f"{name} has no settings"],
    )


def _summary(name: str) -> str:
    from treegauge.systems import find_system

    return find_system(name).summary


def sets_table() -> Table:
    """Return the named sets of treebanks, built-in ones and the user's."""
    from treegauge.catalogue import Catalogue
    from treegauge.reports import Table

    sets = Catalogue.from_environment().sets
    return Table(("set", "members"), [(name, " ".join(members)) for name, members in sets.items()])


def toys_table() -> Table:
    """Return the toy languages that are treebanks without data."""
    from treegauge.reports import Table
    from treegauge.toys import TOY_LANGUAGES

    rows = [
        (name, language.summary.partition(". ")[0] + ".")
        for name, language in TOY_LANGUAGES.items()
    ]
    return Table(("toy language", "summary"), rows)


def _as_objects(table: Table) -> list[dict[str, Any]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


_TABLES = {
    Topic.FORMATS: formats_table,
    Topic.FINDINGS: findings_table,
    Topic.METRICS: metrics_table,
    Topic.STRATA: strata_table,
    Topic.SYSTEMS: systems_table,
    Topic.SETS: sets_table,
    Topic.TOYS: toys_table,
}
