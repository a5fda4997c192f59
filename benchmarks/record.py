"""The record of all benchmarks, docs/benchmarks.md, and tables of what was measured bit by bit.

A benchmark that takes long keeps its measurements in `benchmarks/measured/NAME.tsv`, so that sizes
and commands can be measured one after the other. Its section is written from that table.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

RECORD = Path("docs/benchmarks.md")
MEASURED = Path("benchmarks/measured")

Row = TypeVar("Row")


def sections() -> dict[str, str]:
    """Return the sections of the record by title."""
    text = RECORD.read_text(encoding="utf-8") if RECORD.exists() else ""
    return dict(re.findall(r"^## (.+?)\n\n(.*?)(?=\n^## |\Z)", text, re.MULTILINE | re.DOTALL))


def dated(section: str) -> str:
    """Return a section that says when it was measured."""
    return f"{section.rstrip()}\n\nMeasured {datetime.now(UTC):%Y-%m-%d}.\n"


def write_section(title: str, section: str, *, after: str) -> None:
    """Write one section, in the place of an older one or behind another; the others stay."""
    text = RECORD.read_text(encoding="utf-8")
    known = sections()
    if title in known:
        text = text.replace(f"## {title}\n\n{known[title]}", f"## {title}\n\n{dated(section)}")
    else:
        before = f"## {after}\n\n{known[after]}"
        text = text.replace(before, f"{before}\n## {title}\n\n{dated(section)}")
    RECORD.write_text(text, encoding="utf-8")


def measured(name: str, kind: type[Row]) -> list[Row]:
    """Return what was measured before, as rows of a data class of texts and numbers."""
    path = MEASURED / f"{name}.tsv"
    if not path.exists():
        return []
    types: Mapping[str, Any] = {"str": str, "int": int, "float": float}
    readers = {one.name: types[str(one.type)] for one in fields(kind)}  # type: ignore[arg-type]
    with path.open(encoding="utf-8") as file:
        return [
            kind(**{name: readers[name](value) for name, value in row.items()})
            for row in csv.DictReader(file, delimiter="\t")
        ]


def keep(name: str, rows: list[Any]) -> None:
    """Write what was measured."""
    MEASURED.mkdir(exist_ok=True)
    with (MEASURED / f"{name}.tsv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, asdict(rows[0]), delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(asdict, rows))
