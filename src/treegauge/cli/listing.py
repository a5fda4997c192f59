"""`treegauge list`: what there is, with one line each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from treegauge.cli.completion import offer_listed
from treegauge.cli.console import Results, prints_results

if TYPE_CHECKING:
    from treegauge.tables import Value

Rows = Iterable[tuple["Value", ...]]


class Topic(StrEnum):
    """What can be listed."""

    FORMATS = "formats"
    FINDINGS = "findings"
    UD_RULES = "ud-rules"
    METRICS = "metrics"
    STRATA = "strata"
    SYSTEMS = "systems"
    SETS = "sets"
    TOYS = "toys"
    SETTINGS = "settings"


@prints_results
def list_cli(
    topic: Annotated[Topic, typer.Argument(metavar="TOPIC", help="What to list.")],
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            autocompletion=offer_listed,
            help="With systems: a system, to list its settings. With settings: a command, to "
            "list all its options.",
        ),
    ] = "",
) -> Results:
    """List formats, findings, metrics, systems and more, one line each.

    Example: `treegauge list findings`
    """
    from treegauge.tables import Table

    if topic is Topic.SETTINGS:
        from treegauge.cli.settings_in_force import settings_in_force

        return settings_in_force(name)
    if name and topic is not Topic.SYSTEMS:
        raise typer.BadParameter(f"a name can follow systems or settings, not {topic.value}")
    if name:
        return _settings(name)
    columns, make = _TOPICS[topic]
    rows = list(make())
    objects = [dict(zip(columns, row, strict=True)) for row in rows]
    table = Table(columns, rows, notes=_NOTES.get(topic, ()))
    return Results([table], {"schema": 1, topic.value: objects})


def _settings(name: str) -> Results:
    """Return what can be set about a system."""
    from treegauge.settings import describe_settings
    from treegauge.systems import find_system
    from treegauge.tables import Table

    system = find_system(name)
    columns = ("setting", "type", "default", "what it does")
    rows = [
        (known.name, known.kind, known.default, known.help)
        for known in describe_settings(system.load().settings_type)
    ]
    notes = [] if rows else [f"{name} has no settings"]
    table = Table(columns, rows, title=f"{name}: {system.summary}", notes=notes)
    objects = [dict(zip(columns, row, strict=True)) for row in rows]
    about = {"schema": 1, "system": name, "summary": system.summary}
    return Results([table], {**about, "settings": objects})


def _formats() -> Rows:
    from treegauge.formats import FORMATS

    return ((f.name, " ".join(f.extensions), f.summary) for f in FORMATS.values())


def _findings() -> Rows:
    from treegauge.formats import KINDS, REPAIRS

    for kind in (*KINDS.values(), *REPAIRS.values()):
        severities = (
            kind.severity_for("gold"),
            kind.severity_for("gold", strict=True),
            kind.severity_for("prediction"),
            kind.severity_for("check"),
        )
        yield (kind.id, kind.rule, *map(str, severities))


def _ud_rules() -> Rows:
    from treegauge.formats.universal_dependencies.rules import LEVEL_RULES

    for rule in LEVEL_RULES.values():
        yield rule.id, str(rule.level), rule.official, rule.expected, str(rule.severity)


def _metrics() -> Rows:
    from treegauge.metrics import METRICS

    for metric in METRICS.values():
        better = "higher" if metric.higher_is_better else "lower"
        yield (metric.name, metric.family, metric.summary, " ".join(metric.needs), better)


def _strata() -> Rows:
    from treegauge.strata import STRATA

    return ((s.name, s.summary, " ".join(s.needs)) for s in STRATA.values())


def _systems() -> Rows:
    from treegauge.systems import systems

    return ((s.name, s.task, s.supervision, s.summary, s.package) for s in systems().values())


def _sets() -> Rows:
    from treegauge.catalogue import Catalogue

    sets = Catalogue.from_environment().sets
    return ((name, " ".join(members)) for name, members in sets.items())


def _toys() -> Rows:
    from treegauge.toys import TOY_LANGUAGES

    for name, language in TOY_LANGUAGES.items():
        yield name, language.summary.partition(". ")[0] + "."


_TOPICS: dict[Topic, tuple[tuple[str, ...], Callable[[], Rows]]] = {
    Topic.FORMATS: (("format", "extensions", "summary"), _formats),
    Topic.FINDINGS: (
        ("finding", "rule", "gold", "gold, strict", "prediction", "validate"),
        _findings,
    ),
    Topic.UD_RULES: (("finding", "level", "official", "expected", "severity"), _ud_rules),
    Topic.METRICS: (("metric", "family", "summary", "needs", "better"), _metrics),
    Topic.STRATA: (("stratum", "summary", "needs"), _strata),
    Topic.SYSTEMS: (("system", "task", "supervision", "summary", "package"), _systems),
    Topic.SETS: (("set", "members"), _sets),
    Topic.TOYS: (("toy language", "summary"), _toys),
}
"""By topic, the columns and what makes the rows."""
_NOTES = {
    Topic.SYSTEMS: (
        "`treegauge induce best` chooses the strongest inducer for a text: universal tags, "
        "other tags or words only.",
    )
}
"""By topic, what stands below its table."""
