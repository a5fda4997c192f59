"""What MkDocs calls while it builds the site; `mkdocs.yml` has the order of pages."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from website import reference
from website.json_shapes import json_page, schema_file, schemas
from website.links import moved, pages_outside
from website.notebooks import notebook_pages
from website.systems_at_a_glance import glance_page
from website.tables import fold_long_tables, fold_signatures, unfolded

ROOT = Path(__file__).parents[1]
_SHORT_CODE = 28
"""Characters of code that fit on any line, and in any cell."""


@cache
def generated() -> dict[str, str]:
    """Return every page and file that `docs/` does not have, by its path on the site."""
    outside = pages_outside(ROOT)
    shapes = schemas(ROOT / "tests" / "golden" / "outputs")
    return {
        **{
            f"reference/commands/{name}.md": page
            for name, page in reference.command_pages().items()
        },
        **{
            f"reference/python/{name}.md": page
            for name, page in reference.python_pages(ROOT).items()
        },
        "reference/metrics.md": reference.metrics_page(),
        "reference/strata.md": reference.strata_page(),
        "reference/findings.md": reference.findings_page(),
        "reference/systems.md": reference.systems_page(),
        "reference/all_systems.md": glance_page(ROOT / "docs"),
        "reference/json.md": json_page(shapes),
        **{
            f"reference/schemas/{schema_file(name)}": json.dumps(shape, indent=2)
            for name, shape in shapes.items()
        },
        **{
            place: moved((ROOT / source).read_text(encoding="utf-8"), source, place, outside)
            for source, place in outside.items()
        },
        **{f"notebooks/{name}.md": page for name, page in notebook_pages(ROOT).items()},
        **{
            f"notebooks/{path.name}": path.read_text(encoding="utf-8")
            for path in sorted((ROOT / "examples").glob("*.ipynb"))
        },
        **{
            name: (ROOT / "website" / name).read_text(encoding="utf-8")
            for name in ("favicon.svg", "iframe-worker.js", "site.css")
        },
    }


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put generated pages where the navigation has a place for them."""

    def pages(folder: str) -> list[str]:
        return [name for name in generated() if name.startswith(folder) and name.endswith(".md")]

    places = {
        "NOTEBOOKS": pages("notebooks/"),
        "COMMANDS": [{Path(name).stem: name} for name in pages("reference/commands/")],
        "PYTHON": [{Path(name).stem: name} for name in pages("reference/python/")],
        "PAPERS": pages("papers/"),
    }
    config.nav = _filled(config.nav, places)
    return config


def _filled(entry: Any, places: dict[str, Any]) -> Any:
    if isinstance(entry, list):
        return [_filled(one, places) for one in entry]
    if isinstance(entry, dict):
        return {title: _filled(one, places) for title, one in entry.items()}
    return places.get(entry, entry)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add generated pages."""
    for name, content in generated().items():
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Fold long tables of numbers, and keep each as a file."""
    number = 0

    def keep(tsv: str) -> str:
        nonlocal number
        number += 1
        stem = Path(page.file.src_uri).stem
        name = f"{stem}-table-{number}.tsv"
        folder = Path(page.file.src_uri).parent.as_posix()
        path = name if folder == "." else f"{folder}/{name}"
        files.append(File.generated(config, path, content=tsv))
        return name

    if page.file.src_uri.startswith("results"):
        # Tables of ten treebanks are as wide as a page.
        page.meta.setdefault("hide", ["toc"])
    text = unfolded(_without_markers(markdown))
    return fold_long_tables(fold_signatures(text), keep)


def on_page_content(html: str, **_: Any) -> str:
    """Keep options and short code on one line: browsers break after every hyphen."""
    return re.sub(r"<code>([^<\n]+)</code>", lambda code: _with_whole_words(code[1]), html)


def _with_whole_words(code: str) -> str:
    """Return code in a line of text whose options do not break.

    >>> _with_whole_words("-m uas")
    '<code class="whole">-m uas</code>'
    """
    if len(code) <= _SHORT_CODE:
        return f'<code class="whole">{code}</code>'
    options = re.sub(r"(?<!\S)--?[\w-]+", r'<span class="whole">\g<0></span>', code)
    return f"<code>{options}</code>"


def _without_markers(markdown: str) -> str:
    """Return a page without the comments between which scripts write numbers."""
    markers = r"^<!-- (?:numbers: .*|end|the columns of .*) -->\n"
    return re.sub(markers, "\n", markdown, flags=re.MULTILINE)
