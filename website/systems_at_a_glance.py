"""One page with all systems: what each is, and how good where it was measured."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from website.reference import table
from website.tables import plain, tables_of

Numbers = Mapping[str, tuple[str, ...]]
"""Figures of systems, by the names that a table has for them."""
Source = Callable[[Path], Numbers]
"""Reads figures from the pages or the data in a folder."""


@dataclass(frozen=True)
class _Figures:
    """Columns of figures that were measured on the same data; the first source of a system wins."""

    columns: tuple[str, ...]
    sources: tuple[Source, ...]

    def read(self, docs: Path) -> Numbers:
        found: dict[str, tuple[str, ...]] = {}
        for source in self.sources:
            found = {**source(docs), **found}
        return found


# ---------------------------------------------------------------------- sources


def _block(docs: Path, page: str, marker: str = "") -> str:
    """Return a page, or what stands between the markers of a name."""
    text = (docs / page).read_text(encoding="utf-8")
    if marker:
        text = text.partition(f"<!-- numbers: {marker} -->")[2].partition("<!-- end -->")[0]
    return text


def _rows(page: str, *columns: str, marker: str = "") -> Source:
    return lambda docs: figures_of(_block(docs, page, marker), columns)


def _means(page: str, marker: str) -> Source:
    return lambda docs: means_of(_block(docs, page, marker))


def _titled(page: str, titles: Sequence[str], column: str) -> Source:
    return lambda docs: figures_under(_block(docs, page), titles, column)


def _averages(data: str, systems: Mapping[str, str]) -> Source:
    return lambda docs: averages_of((docs / "data" / data).read_text(encoding="utf-8"), systems)


def figures_of(text: str, columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the figures of systems, from the first table that has them.

    >>> page = "| system | UAS |\\n| :-- | --: |\\n| `dmv` | 29.2 ± 0.2 |\\n| `dmv(x=1)` | 9.1 |\\n"
    >>> figures_of(page, ["UAS"])
    {'dmv': ('29.2',), 'dmv(x=1)': ('9.1',)}
    """
    figures: dict[str, tuple[str, ...]] = {}
    for header, rows in tables_of(text):
        if not set(columns) <= set(header):
            continue
        for row in rows:
            name = plain(row[0]).removesuffix(" (u)")
            numbers = tuple(_number(row[header.index(column)]) for column in columns)
            if all(numbers):
                figures.setdefault(name, numbers)
    return figures


def means_of(text: str) -> dict[str, tuple[str, ...]]:
    """Return the means of systems that are columns of the first table.

    >>> page = "| treebank | `graph` |\\n| :-- | --: |\\n| mean | 5.1 ± 1 / 4.2 |\\n"
    >>> means_of(page)
    {'graph': ('5.1', '4.2')}
    """
    for header, rows in tables_of(text):
        for row in rows:
            if plain(row[0]) == "mean":
                cells = zip(header[1:], row[1:], strict=True)
                return {plain(name): tuple(map(_number, cell.split("/"))) for name, cell in cells}
    return {}


def figures_under(text: str, titles: Sequence[str], column: str) -> dict[str, tuple[str, ...]]:
    """Return the figures of systems in one column of several tables, which have titles.

    >>> page = "**M-1**\\n\\n|  | a |\\n| :-- | --: |\\n| brown | 65.07 |\\n"
    >>> figures_under(page, ["**M-1"], "a")
    {'brown': ('65.07',)}
    """
    by_title = [figures_of(text.partition(f"\n{title}")[2] or text, [column]) for title in titles]
    names = [name for name in by_title[0] if all(name in own for own in by_title)]
    return {name: tuple(own[name][0] for own in by_title) for name in names}


def averages_of(text: str, systems: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return averages over the treebanks that all of some systems have, from a long table.

    Parameters
    ----------
    text : str
        The table, tabs between columns.
    systems : mapping
        The name of every system, and what the table calls it.

    Examples
    --------
    >>> lines = ["system treebank value", "tnt a 0.9", "tnt b 0.5", "HMM a 0.8"]
    >>> averages_of("\\n".join(lines).replace(" ", "\\t"), {"tnt": "tnt", "hmm": "HMM"})
    {'tnt': ('90.0',), 'hmm': ('80.0',)}
    """
    rows = list(csv.DictReader(text.splitlines(), delimiter="\t"))
    values = {(row["system"], row["treebank"]): float(row["value"]) for row in rows}
    common = [
        treebank
        for treebank in dict.fromkeys(row["treebank"] for row in rows)
        if all((label, treebank) in values for label in systems.values())
    ]
    return {
        name: (f"{100 * sum(values[label, one] for one in common) / len(common):.1f}",)
        for name, label in systems.items()
    }


def _number(cell: str) -> str:
    return plain(cell).strip().split(" ")[0]


# ---------------------------------------------------------------------- kinds


@dataclass(frozen=True)
class _Kind:
    """Systems of one kind, and where figures of them are."""

    title: str
    task: str
    supervision: tuple[str, ...]
    text: str
    figures: tuple[_Figures, ...] = ()

    def holds(self, system: Any) -> bool:
        return system.task == self.task and system.supervision in self.supervision


_KINDS = (
    _Kind(
        "Grammar inducers",
        "dependencies",
        ("unsupervised", "universal rules", "cross-lingual"),
        "They make trees from tags. Figures are averages over the ten treebanks of `pascal10`, in "
        "per cent: given tags, preset `pascal`. [What they are](../systems.md) · "
        "[treebank by treebank](../results/dependencies.md)",
        (_Figures(("UAS", "UAS@10", "NED"), (_rows("systems.md", "UAS", "UAS@10", "NED"),)),),
    ),
    _Kind(
        "Inducers of word classes",
        "tags",
        ("unsupervised",),
        "They make classes from words. Figures are in per cent. The first three are averages over "
        "the ten treebanks of `pascal10`: twelve classes, against universal tags. *Penn*: a "
        "sample of the Wall Street Journal, 45 classes, against its fine tags. [What they are]"
        "(../word_classes.md) · [treebank by treebank](../results/tags.md#induced-tags) · "
        "[Penn](../results/penn.md#the-wall-street-journal-sample) · "
        "[`mmi`](../word_classes.md#mmi-classes-that-contexts-predict)",
        (
            _Figures(("M-1", "1-1", "VM"), (_rows("results.md", "M-1", "1-1", "VM"),)),
            _Figures(
                ("M-1, Penn", "VM, Penn"),
                (
                    _titled(
                        "results/penn.md",
                        ("**tags: M-1 against p", "**tags: VM against p"),
                        "en_wsj_whole",
                    ),
                    _rows("word_classes.md", "M-1", "V-measure", marker="mmi-wsj"),
                ),
            ),
        ),
    ),
    _Kind(
        "Trees from bare text",
        "joint",
        ("unsupervised",),
        "They need neither tags nor trees. Figures are averages over the ten treebanks of "
        "`pascal10`, in per cent, preset `pascal`. [What they are](../systems.md) · "
        "[treebank by treebank](../results/bare_text.md)",
        (
            _Figures(
                ("UAS", "UAS@10", "NED"),
                (_rows("systems.md", "UAS", "UAS@10", "NED", marker="overview-bare-text"),),
            ),
        ),
    ),
    _Kind(
        "Parsers",
        "dependencies",
        ("supervised",),
        "They learn from trees. Figures are in per cent: gold tags, punctuation counted. *Small*: "
        "averages over eight treebanks of at most 13,000 training words. *EWT*: English "
        "EWT. [What they are](../parsers.md) · [small, with "
        "`ensemble`](../parsers.md#ensembles) · [small, with `udpipe`, and "
        "EWT](../parsers.md#accuracy-and-speed)",
        (
            _Figures(
                ("UAS, small", "LAS, small"),
                (_means("parsers.md", "parser-ensemble"), _means("parsers.md", "parsers")),
            ),
            _Figures(
                ("UAS, EWT", "LAS, EWT"),
                (_rows("parsers.md", "UAS", "LAS", marker="neural-parsers"),),
            ),
        ),
    ),
    _Kind(
        "Taggers",
        "tags",
        ("supervised", "cross-lingual", "dictionary", "oracle"),
        "They learn from gold tags, from a dictionary or from other languages. Figures are right "
        "universal tags, in per cent. *Small*: averages over eight treebanks of at most 13,000 "
        "training words. *PUD*: averages over Czech and French PUD, twelve tags. [What they are]"
        "(../taggers.md) · [small](../taggers.md#accuracy) · "
        "[PUD](../taggers.md#projection-through-real-parallel-text) · "
        "[without test data](../reproductions.md"
        "#taggers-without-test-data-treegauge-reproduce-tagger-evaluation)",
        (
            _Figures(("UPOS, small",), (_means("taggers.md", "taggers"),)),
            _Figures(
                ("UPOS, PUD",),
                (
                    _averages(
                        "projection.tsv",
                        {
                            "tnt": "tnt",
                            "transfer": "transfer",
                            "dictionary-hmm": "dictionary-hmm",
                            "projection": "all, predicted, intersection",
                        },
                    ),
                ),
            ),
        ),
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
        "name for its settings. Systems have their default settings, unless a note says "
        "otherwise. A dash means that a system was not measured on these data.\n\n"
    ]
    for kind in _KINDS:
        figures = [(one.columns, one.read(docs)) for one in kind.figures]
        rows, notes = [], []
        for one in filter(kind.holds, ours):
            cells: list[str] = []
            for columns, numbers in figures:
                label = _label(one.name, numbers)
                cells += numbers.get(label, ("–",) * len(columns))
                if label != one.name:
                    settings = label.removeprefix(one.name).strip("()")
                    notes.append(f"`{one.name}` was measured with `{settings}`.\n")
            link = f"[`{one.name}`](systems.md#{one.name})"
            rows.append((link, one.summary.rstrip("."), one.supervision, *cells))
        heads = [column for columns, _ in figures for column in columns]
        text = table(("system", "what it is", "supervision", *heads), rows)
        lines.append("\n".join([f"## {kind.title}\n\n{kind.text}\n\n{text}", *notes, ""]))
    return "".join(lines)


def _label(name: str, numbers: Numbers) -> str:
    """Return what figures of a system are found under: its name, or its name with settings.

    >>> _label("tsg-dmv", {"tsg-dmv(chains=4)": ("27.5",)})
    'tsg-dmv(chains=4)'
    """
    with_settings = (one for one in numbers if re.match(rf"{re.escape(name)}\(", one))
    return name if name in numbers else next(with_settings, name)
