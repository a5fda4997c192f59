"""The notebooks of `examples/` run, and are stored without what goes stale."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

pytest.importorskip("nbclient", reason="needs nbclient and ipykernel: make setup")

import nbformat

from website.notebooks import is_clean, notebook_page, run_notebook

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
MOST_SECONDS = 60
"""CPU time of a notebook, with the start of its process. Wall-clock time depends on other tests."""


def cpu_seconds_of_children() -> float:
    """Return the CPU time of all processes that this one started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_there_are_five():
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_outputs(path):
    assert is_clean(path)


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_becomes_a_page(path):
    before = cpu_seconds_of_children()
    notebook = run_notebook(path)
    assert cpu_seconds_of_children() - before < MOST_SECONDS
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


@pytest.mark.long
def test_the_time_of_a_notebook_is_that_of_its_process(tmp_path):
    code = "import time\nwhile time.process_time() < 2: pass"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    nbformat.write(notebook, tmp_path / "slow.ipynb")
    before = cpu_seconds_of_children()
    run_notebook(tmp_path / "slow.ipynb")
    assert cpu_seconds_of_children() - before > 2


def test_outputs_are_noticed(tmp_path):
    copy = tmp_path / NOTEBOOKS[0].name
    text = (
        NOTEBOOKS[0].read_text("utf-8").replace('"execution_count": null', '"execution_count": 1')
    )
    copy.write_text(text)
    assert not is_clean(copy)
