"""Reports as files: the page, trees beside it, and figures if they are wanted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from treegauge.formats import write_text
from treegauge.reports.charts import Figure
from treegauge.reports.errors import FigureError
from treegauge.reports.figures import save_figure
from treegauge.reports.pages.page import Page
from treegauge.reports.pages.tree_data import IN_PAGE


def write_page(page: Page, path: str | Path, *, in_page: int = IN_PAGE) -> list[Path]:
    """Write a report, and beside it the trees that it has no room for; return all files.

    Parameters
    ----------
    in_page : int
        Bytes of trees that are part of the page.
    """
    path = Path(path)
    trees = page.tree_files(f"{path.stem}-trees", in_page=in_page)
    for name, text in trees.files.items():
        file = path.parent / name
        file.parent.mkdir(parents=True, exist_ok=True)
        write_text(file, text)
    write_text(path, page.to_html(trees))
    return [path, *(path.parent / name for name in trees.files)]


def write_figures(figures: Sequence[Figure], folder: str | Path) -> tuple[list[Path], str]:
    """Write every figure as SVG, and as PDF where the extra `figures` is installed.

    Returns
    -------
    list of paths, str
        What was written, and why there is no PDF; empty if there is.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    missing = ""
    taken: dict[str, int] = {}
    for figure in figures:
        number = taken[figure.name] = taken.get(figure.name, 0) + 1
        name = figure.name if number == 1 else f"{figure.name}-{number}"
        for extension in (".svg", ".pdf"):
            path = folder / f"{name}{extension}"
            try:
                save_figure(figure, path)
            except FigureError as error:
                missing = str(error)
            else:
                written.append(path)
    return written, missing
