"""A report as data: sections of blocks, from which one file is made.

A block says what kind it is, and the template knows what to do with each kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from treegauge.reports.charts import STANDALONE_STYLE, STYLE, Figure
from treegauge.reports.pages.grid import Grid
from treegauge.reports.pages.table_html import TableWriter
from treegauge.reports.pages.tree_data import IN_PAGE, TreeBank, TreeFiles, compact, tree_files
from treegauge.reports.trees.svg import STYLE as TREE_STYLE
from treegauge.tables import Table

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True)
class Prose:
    """A paragraph."""

    text: str
    kind: str = "prose"


@dataclass(frozen=True)
class Source:
    """A text as it stands."""

    text: str
    kind: str = "source"


@dataclass(frozen=True)
class Facts:
    """What a reader should know first: large numbers, and a line below each."""

    facts: Sequence[tuple[str, str]]
    kind: str = "facts"


@dataclass(frozen=True)
class Listing:
    """Names and what they stand for: settings, signatures."""

    entries: Mapping[str, str]
    title: str = ""
    kind: str = "listing"


@dataclass(frozen=True)
class Command:
    """What to type, and what it does."""

    purpose: str
    command: str
    kind: str = "command"


@dataclass(frozen=True)
class Links:
    """Other pages: what each is called, its address, and a few words about it."""

    entries: Sequence[tuple[str, str, str]]
    kind: str = "links"


@dataclass(frozen=True)
class Side:
    """Blocks beside each other, where there is room for that."""

    blocks: Sequence[Block]
    kind: str = "side"


@dataclass(frozen=True)
class Choice:
    """Blocks of which a reader looks at one at a time."""

    label: str
    panes: Mapping[str, Sequence[Block]]
    kind: str = "choice"


@dataclass(frozen=True)
class Fold:
    """Blocks under a heading that opens."""

    title: str
    summary: str
    blocks: Sequence[Block]
    is_open: bool = False
    kind: str = "fold"


@dataclass(frozen=True)
class Trees:
    """The tree viewer."""

    kind: str = "trees"


Block = (
    Prose
    | Source
    | Facts
    | Listing
    | Command
    | Links
    | Side
    | Choice
    | Fold
    | Trees
    | Grid
    | Table
    | Figure
)


@dataclass(frozen=True)
class Part:
    """A section."""

    name: str
    """In the address, after `#`."""
    title: str
    blocks: Sequence[Block]
    lead: str = ""


@dataclass(frozen=True)
class Page:
    """A page, as a reader opens it in a browser.

    Attributes
    ----------
    title, subtitle : str
        Its headings.
    parts : sequence of Part
        Sections of text, tables and figures.
    trees : sequence of TreeBank
        The trees that a reader can look at.

    Examples
    --------
    >>> page = Page("Small", "an example", [])
    >>> page.to_html()[:15], page.figures()
    ('<!doctype html>', [])
    >>> page.tree_files("trees").files
    {}
    """

    title: str
    subtitle: str
    parts: Sequence[Part]
    trees: Sequence[TreeBank] = ()

    def figures(self) -> list[Figure]:
        """Return all figures of the page.

        Returns
        -------
        list of Figure
            In the order of the page.
        """
        return [block for block in self._blocks() if isinstance(block, Figure)]

    def _blocks(self) -> Iterator[Block]:
        return (block for part in self.parts for block in _all(part.blocks))

    def tree_files(self, folder: str, *, in_page: int = IN_PAGE) -> TreeFiles:
        """Return the trees that are part of the page, and files with all other trees.

        Parameters
        ----------
        folder : str
            The folder of the files, relative to the page.
        in_page : int
            The largest number of bytes of trees in the page.

        Returns
        -------
        TreeFiles
            The trees of the page and the files.
        """
        return tree_files(self.trees, folder, in_page=in_page)

    def to_html(self, trees: TreeFiles | None = None) -> str:
        """Return the page as one file.

        Parameters
        ----------
        trees : TreeFiles, optional
            The trees of the page and of the files beside it. Default: without files.

        Returns
        -------
        str
            HTML.
        """
        from treegauge import __version__

        if trees is None:
            trees = self.tree_files("")
        writer = TableWriter()
        return (
            _environment()
            .get_template("report.html")
            .render(
                page=self,
                version=__version__,
                figure_style=STYLE + TREE_STYLE,
                is_table=lambda block: isinstance(block, Table),
                table_html=writer.html,
                grid_data=lambda grid: compact(writer.grid(grid)),
                has_grid=any(isinstance(one, Grid) for one in self._blocks()),
                # Called below all tables: what they have in common is known by then.
                facts=lambda: compact({**writer.facts(), "style": STANDALONE_STYLE}),
                trees=compact(trees.document),
            )
        )


@cache
def _environment() -> Environment:
    """Return what knows the templates; a site has many pages, and compiles them once."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from treegauge.reports.palette import page_style

    environment = Environment(
        loader=PackageLoader("treegauge.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["palette_style"] = page_style()
    return environment


def _all(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        if isinstance(block, Side | Fold):
            yield from _all(block.blocks)
        elif isinstance(block, Choice):
            for pane in block.panes.values():
                yield from _all(pane)
