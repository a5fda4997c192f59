"""How long a browser takes to open the report of many treebanks and many systems.

    python -m benchmarks.report_opening

The report is the one of the tests, of a made-up run. What was measured is kept, and shown in the
section on many treebanks.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import record

TREEBANKS, SYSTEMS = 250, 20
METRICS = ("uas", "undirected", "ned", "uas@10", "undirected@10", "ned@10")
SECONDS = 3.0
"""How long we mean it to take at the most, by the clock."""
_TIMES = 5
_NAME = "report_opening"


@dataclass(frozen=True)
class Opening:
    """What it took, in the median."""

    treebanks: int
    systems: int
    megabytes: float
    processor_seconds: float
    """Of the page, which works on one thread."""
    clock_seconds: float
    """From the address to the moment when everything is there and works."""


def processor_clock(page: Any) -> Callable[[], float]:
    """Return a function that tells how many seconds a processor has worked for a page."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def computed() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))

    return computed


def open_page(page: Any, path: Path) -> None:
    """Open a report, and wait until it is ready."""
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]")


def measure() -> Opening | None:
    """Open the report a few times, in new pages; without a browser, there is no answer."""
    # Here, so that a folder of treebanks can be made without a browser's tools.
    from tests.browser.conftest import BROWSERS
    from tests.browser.many_treebanks import write_report

    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        return None
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory(prefix="report-opening-") as folder:
        path = write_report(Path(folder), TREEBANKS, SYSTEMS, METRICS)
        megabytes = path.stat().st_size / 1e6
        with contextlib.suppress(OSError):  # above other programs, where that is allowed
            os.nice(-10)
        times = []
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program)
            for _ in range(_TIMES):
                page = browser.new_page()
                processor = processor_clock(page)
                begin = time.perf_counter()
                open_page(page, path)
                times.append((processor(), time.perf_counter() - begin))
                page.close()
            browser.close()
    seconds = [round(statistics.median(own), 2) for own in zip(*times, strict=True)]
    return Opening(TREEBANKS, SYSTEMS, round(megabytes, 1), *seconds)


def keep() -> None:
    """Measure, and keep what was measured."""
    if (found := measure()) is not None:
        print(found, flush=True)
        record.keep(_NAME, [found])


def table() -> str:
    """Return what was measured, for the section on many treebanks."""
    lines = [
        f"Opening the report of a run in a browser (Chromium), medians of {_TIMES}, until "
        "everything works; processor seconds are those of the page:",
        "",
        "| treebanks | systems | MB | processor seconds | clock seconds | wanted |",
        "| --: | --: | --: | --: | --: | --: |",
    ]
    lines += [
        f"| {one.treebanks} | {one.systems} | {one.megabytes:.1f} | {one.processor_seconds:.2f} "
        f"| {one.clock_seconds:.2f} | < {SECONDS:g} |"
        for one in record.measured(_NAME, Opening)
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    from benchmarks import many_treebanks

    keep()
    section = many_treebanks.section_of_record()
    record.write_section(many_treebanks.TITLE, section, after="Scoring")
