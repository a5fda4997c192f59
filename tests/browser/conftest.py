"""A real browser for pages, and pages for it to open; without a browser these tests are skipped."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.in_process import cells_in_process
from treegauge.catalogue import Catalogue
from treegauge.reports import report as report_of
from treegauge.reports.pages import write_page
from treegauge.reports.pages.run_annotations import run_annotations
from treegauge.runs import Experiment, run as run_experiment

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, as the system has it."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("needs a browser: chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program)
        yield started
        started.close()


@dataclass
class Opened:
    """A page, what it complained about, and what it asked for."""

    page: Any
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@pytest.fixture
def opened(browser):
    """Open a file as a reader does: from the disk, without a network."""
    contexts = []

    def open_file(path: Path, **options: Any) -> Opened:
        context = browser.new_context(**options)
        context.set_offline(True)
        contexts.append(context)
        found = Opened(context.new_page())
        found.page.set_default_timeout(15_000)
        found.page.on(
            "console",
            lambda message: (
                found.complaints.append(message.text)
                if message.type in ("error", "warning")
                else None
            ),
        )
        found.page.on("pageerror", lambda error: found.complaints.append(str(error)))
        found.page.on("request", lambda request: found.requests.append(request.url))
        found.page.goto(path.as_uri())
        found.page.wait_for_selector("html[data-ready]")
        return found

    yield open_file
    for context in contexts:
        context.close()


TREES_IN_PAGE = 20_000
"""Bytes: so few that most trees are in files beside the page."""


@pytest.fixture(scope="session")
def report(tmp_path_factory) -> Path:
    """The report of a small run: two treebanks, six systems, trees beside the page."""
    home = tmp_path_factory.mktemp("browser")
    source = """
name = "small"
treebanks = ["toy:svo", "toy:free"]
systems = [
    "left-branching", "right-branching", "harmonic", "soegaard-rules",
    {system = "random", label = "dice"}, {system = "dmv", settings = {iterations = 2}},
]
metrics = ["uas", "ned", "uas@10"]
resamples = 20
"""
    file = home / "experiment.toml"
    file.write_text(source, encoding="utf-8")
    with cells_in_process():
        run_experiment(Experiment.from_toml(file), home / "run")
    made = report_of(home / "run")
    annotations = run_annotations(made.results, made.folder, Catalogue())
    command = "treegauge report run -o report.html"
    page = made.page(annotations, command=command, trials=200)
    path = home / "report.html"
    write_page(page, path, in_page=TREES_IN_PAGE)
    return path
