"""The notebooks of `examples/` run, and are stored without what goes stale."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("nbclient", reason="needs nbclient and ipykernel: make setup")

from website.notebooks import is_clean, notebook_page, run_notebook

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


def test_there_are_five():
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_outputs(path):
    assert is_clean(path)


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_becomes_a_page(path):
    notebook = run_notebook(path)
    assert all(
        output.output_type != "error" and output.get("name") != "stderr"
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    )
    page = notebook_page(notebook, path.name)
    assert page.startswith("# ")
    assert f"[{path.name}]({path.name})" in page
    assert 'class="output"' in page


def test_outputs_are_noticed(tmp_path):
    copy = tmp_path / NOTEBOOKS[0].name
    text = (
        NOTEBOOKS[0].read_text("utf-8").replace('"execution_count": null', '"execution_count": 1')
    )
    copy.write_text(text)
    assert not is_clean(copy)
