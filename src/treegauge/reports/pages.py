"""Pages: what was found out, as one HTML file that opens without a network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treegauge.reports.tables import Table


@dataclass(frozen=True)
class Section:
    """A part of a page: what was asked, how to ask it oneself, and the answer."""

    title: str
    text: str
    command: str = ""
    """What to type to get the same."""
    output: str = ""
    """The answer as text."""
    table: Table | None = None
    """The answer as a table."""


@dataclass(frozen=True)
class Page:
    """A title and sections."""

    title: str
    introduction: str
    sections: Sequence[Section]

    def to_html(self) -> str:
        """Return the page, styles and all, as one HTML file."""
        from jinja2 import Environment, PackageLoader, StrictUndefined

        from treegauge import __version__

        environment = Environment(
            loader=PackageLoader("treegauge.reports"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        template = environment.get_template("page.html")
        return template.render(page=self, version=__version__)
