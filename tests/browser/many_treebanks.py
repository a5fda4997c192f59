"""The report of a made-up run with many treebanks, of all languages that the catalogue knows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path

from tests.unit.results.made_up import results, row
from treegauge.catalogue.languages import LANGUAGE_FACTS
from treegauge.metrics import preset
from treegauge.reports import RunReport
from treegauge.reports.pages import Annotations, RunAnnotations, make_run_page, write_page
from treegauge.reports.run_facts import run_facts
from treegauge.reports.run_tables import run_tables
from treegauge.runs import RunFolder
from treegauge.systems import make_system
from treegauge.toys import toy_parts

WITH_TREES = 20
"""Treebanks whose annotations are there; the others have numbers alone."""


def treebank_names(n: int) -> list[str]:
    """Return names of treebanks, language by language, and again."""
    return [f"{code}_corpus{i}" for i, code in enumerate(islice(cycle(LANGUAGE_FACTS), n))]


def score(treebank: int, system: int) -> float:
    """Return a score that can be told from all others of its treebank."""
    return 0.2 + (treebank * 37 % 101) / 200 + system / 1000


def write_report(folder: Path, treebanks: int, systems: int, metrics: Sequence[str]) -> Path:
    """Write the report, and return where it is."""
    names = treebank_names(treebanks)
    labels = [f"system-number-{k}" for k in range(systems)]
    kinds = ["unsupervised" if k % 2 else "supervised" for k in range(systems)]
    rows = [
        row(name, label, score(i, k), metric=metric, low=0.19, high=0.9, supervision=kinds[k])
        for i, name in enumerate(names)
        for metric in metrics
        for k, label in enumerate(labels)
    ]
    gold = toy_parts("toy:svo", tokens=2_000)["test"]
    annotated = {
        label: make_system("random", seed=k).annotate(gold).replace(name=label)
        for k, label in enumerate(labels)
    }
    conventions = preset("pascal")
    chosen = names[:WITH_TREES]
    of_track = {name: Annotations(name, gold, annotated, conventions) for name in chosen}
    table = results(*rows)
    place = RunFolder(folder)
    facts = run_facts(table, place.record)
    report = RunReport(place, table, facts, run_tables(table, published=False), (), ())
    annotations = RunAnnotations({("pascal", "u"): conventions}, {"dependencies": of_track})
    path, *_ = write_page(make_run_page(report, annotations, trials=0), folder / "many.html")
    return path
