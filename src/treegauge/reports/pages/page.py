"""Pages: what was found out, as one HTML file that opens without a network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treegauge import tables
from treegauge.reports.html import to_html
from treegauge.reports.old_tables import Table

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True)
class Section:
    """A part of a page: what was asked, how to ask it oneself, and the answer."""

    title: str
    text: str
    command: str = ""
    """What to type to get the same."""
    output: str = ""
    """The answer as text."""
    table: Table | tables.Table | None = None
    """The answer as a table."""

    def table_html(self) -> str:
        """Return the table as the page has it."""
        if isinstance(self.table, tables.Table):
            return to_html(self.table)
        return "" if self.table is None else self.table.to_html()


@dataclass(frozen=True)
class Page:
    """A title and sections."""

    title: str
    introduction: str
    sections: Sequence[Section]

    def to_html(self) -> str:
        """Return the page, styles and all, as one HTML file."""
        from treegauge import __version__

        return environment().get_template("page.html").render(page=self, version=__version__)


def environment() -> Environment:
    """Return what knows the templates."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from treegauge.reports.palette import page_style

    made = Environment(
        loader=PackageLoader("treegauge.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["palette_style"] = page_style()
    return made
