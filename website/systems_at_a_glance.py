"""One page with all systems: what each is, and how good where it was measured."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from website.reference import table
from website.tables import plain, tables_of


@dataclass(frozen=True)
class _Kind:
    """Systems of one kind, and the page that has figures of them."""

    title: str
    task: str
    supervision: tuple[str, ...]
    text: str
    page: str = ""
    figures: tuple[str, ...] = ()

    def holds(self, system: Any) -> bool:
        return system.task == self.task and system.supervision in self.supervision


_KINDS = (
    _Kind(
        "Grammar inducers",
        "dependencies",
        ("unsupervised", "universal rules", "cross-lingual"),
        "They make trees from tags. Figures are averages over the ten treebanks of `pascal10`, in "
        "per cent: given tags, default settings, preset `pascal`. [What they are](../systems.md) · "
        "[treebank by treebank](../results/dependencies.md)",
        "systems.md",
        ("UAS", "UAS@10", "NED"),
    ),
    _Kind(
        "Inducers of word classes",
        "tags",
        ("unsupervised",),
        "They make classes from words. Figures are averages over the ten treebanks of `pascal10`, "
        "in per cent: twelve classes, against universal tags. [What they are](../word_classes.md) "
        "· [treebank by treebank](../results/tags.md)",
        "results.md",
        ("M-1", "1-1", "VM"),
    ),
    _Kind(
        "Trees from bare text",
        "joint",
        ("unsupervised",),
        "They need neither tags nor trees. [How good they are](../systems.md) · "
        "[treebank by treebank](../results/bare_text.md)",
    ),
    _Kind(
        "Parsers",
        "dependencies",
        ("supervised",),
        "They learn from trees. [How good they are](../parsers.md)",
    ),
    _Kind(
        "Taggers",
        "tags",
        ("supervised", "cross-lingual", "dictionary", "oracle"),
        "They learn from gold tags, from a dictionary or from other languages. [What they "
        "are](../taggers.md) · [how good they are](../reproductions.md)",
    ),
    _Kind(
        "External tools",
        "joint",
        ("supervised",),
        "Their models were trained elsewhere. [How to run them](../tools.md)",
    ),
)


def glance_page(docs: Path) -> str:
    """Return the page that lists every system, in the order in which summaries refer back."""
    from treegauge.systems import systems

    ours = [one for one in systems().values() if one.package == "treegauge"]
    lines = [
        "# All systems, and how good they are\n\nThis page lists all systems by kind. Select a "
        "name for its settings. A dash means that the default settings were not measured.\n\n"
    ]
    for kind in _KINDS:
        text = (docs / kind.page).read_text(encoding="utf-8") if kind.page else ""
        figures = figures_of(text, kind.figures)
        none = ("–",) * len(kind.figures)
        rows = [
            (
                f"[`{one.name}`](systems.md#{one.name})",
                one.summary.rstrip("."),
                one.supervision,
                *figures.get(one.name, none),
            )
            for one in filter(kind.holds, ours)
        ]
        columns = ("system", "what it is", "supervision", *kind.figures)
        lines.append(f"## {kind.title}\n\n{kind.text}\n\n{table(columns, rows)}\n")
    return "".join(lines)


def figures_of(text: str, columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the figures of systems with default settings, from the first table that has them.

    >>> page = "| system | UAS |\\n| :-- | --: |\\n| `dmv` | 29.2 ± 0.2 |\\n| `dmv(x=1)` | 9.1 |\\n"
    >>> figures_of(page, ["UAS"])
    {'dmv': ('29.2',)}
    """
    figures: dict[str, tuple[str, ...]] = {}
    for header, rows in tables_of(text):
        if not columns or not set(columns) <= set(header):
            continue
        for row in rows:
            name = plain(row[0]).removesuffix(" (u)")
            numbers = tuple(plain(row[header.index(column)]).split(" ")[0] for column in columns)
            if re.fullmatch("[a-z-]+", name) and all(numbers):
                figures.setdefault(name, numbers)
    return figures
