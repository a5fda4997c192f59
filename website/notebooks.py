"""Notebooks as pages: run when the site is built, unless nothing has changed since."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

_SECONDS = 600
"""What a cell or a start may take, on a slow machine that compiles everything first."""


def notebook_pages(root: Path) -> dict[str, str]:
    """Return a page in Markdown for every notebook of `examples/`, by its name.

    A notebook is taken from `build/notebooks` if neither it nor treegauge has changed. The others
    run at the same time, as many as there are cores.
    """
    cache = root / "build" / "notebooks"
    sources = _fingerprint(sorted((root / "src").rglob("*.py")))
    kept = {
        path: cache / f"{path.stem}-{_fingerprint([path])[:16]}-{sources[:16]}.ipynb"
        for path in sorted((root / "examples").glob("*.ipynb"))
    }
    missing = [path for path in kept if not kept[path].exists()]
    for path, notebook in zip(missing, asyncio.run(_run_all(missing)), strict=True):
        cache.mkdir(parents=True, exist_ok=True)
        for old in cache.glob(f"{path.stem}-*.ipynb"):
            old.unlink()
        nbformat.write(notebook, kept[path])
    return {
        path.stem: notebook_page(nbformat.read(kept[path], as_version=4), path.name)
        for path in kept
    }


async def _run_all(paths: Sequence[Path]) -> list[nbformat.NotebookNode]:
    turns = asyncio.Semaphore(os.cpu_count() or 1)

    async def run(path: Path) -> nbformat.NotebookNode:
        async with turns:
            return await _run(path)

    return await asyncio.gather(*map(run, paths))


def run_notebook(path: Path) -> nbformat.NotebookNode:
    """Return a notebook with what its cells give, run in an empty folder."""
    return asyncio.run(_run(path))


async def _run(path: Path) -> nbformat.NotebookNode:
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as sockets:
        # Sockets in a folder of our own: over TCP, everybody on the machine could listen, and the
        # kernel warns of it. Their paths must be short.
        kernel = {"transport": "ipc", "connection_file": f"{sockets}/k.json"}
        client = NotebookClient(
            notebook,
            timeout=_SECONDS,
            startup_timeout=_SECONDS,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
            config=Config(KernelManager=kernel),
        )
        await client.async_execute()
    return notebook


def _fingerprint(paths: list[Path]) -> str:
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()


def notebook_page(notebook: nbformat.NotebookNode, name: str) -> str:
    """Return a notebook that has run as a page in Markdown."""
    blocks = [block for cell in notebook.cells for block in _blocks(cell)]
    title, *rest = blocks
    note = f"This page is a notebook: [{name}]({name}){{ download }}. It needs no data."
    return "\n\n".join([title.partition("\n")[0], note, title.partition("\n")[2].strip(), *rest])


def _blocks(cell: Any) -> Iterator[str]:
    """Give a cell and what came of it, as Markdown."""
    if cell.cell_type == "markdown":
        yield cell.source
        return
    yield f"```python\n{cell.source}\n```"
    for output in cell.outputs:
        if output.output_type == "stream" and output.name == "stdout":
            yield _text(output.text)
        elif output.output_type in ("display_data", "execute_result"):
            if "text/html" in output.data:
                html = _without_blank_lines(output.data["text/html"])
                yield f'<div class="output">\n{html}\n</div>'
            else:
                yield _text(output.data["text/plain"])


def _text(text: str) -> str:
    """Return what was printed; a blank line would end HTML in Markdown, so it is an entity."""
    lines = escape(text.rstrip(), quote=False).split("\n")
    return f'<pre class="output">{"&#10;".join(lines)}</pre>'


def _without_blank_lines(html: str) -> str:
    return "\n".join(line for line in html.split("\n") if line.strip())


def is_clean(path: Path) -> bool:
    """Tell whether a notebook is stored without what would go stale: outputs and counts."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    return not any(cell["outputs"] or cell["execution_count"] for cell in code)
