"""Ten treebanks and twenty systems open in under two seconds."""

from __future__ import annotations

import time

import pytest

from tests.unit.results.made_up import results, row
from treegauge.metrics import preset
from treegauge.reports import RunReport
from treegauge.reports.pages import (
    Annotations,
    RunAnnotations,
    make_run_page,
    write_page,
)
from treegauge.reports.run_facts import run_facts
from treegauge.reports.run_tables import run_tables
from treegauge.runs import RunFolder
from treegauge.systems import make_system
from treegauge.toys import toy_parts

METRICS = ("uas", "undirected", "ned", "uas@10", "undirected@10", "ned@10")
TREEBANKS = ("ar_padt", "eu_bdt", "cs_cac", "da_ddt", "en_childes",
             "en_ewt", "nl_alpino", "pt_bosque", "sl_ssj", "sv_talbanken_v2")  # fmt: skip
SECONDS = 2.0
MEGABYTES = 5.0


@pytest.mark.slow
def test_a_large_run_opens_at_once(opened, tmp_path):
    names = [f"system-number-{i}" for i in range(20)]
    rows = [
        row(treebank, name, 0.3 + i / 50, metric=metric, low=0.29, high=0.9)
        for treebank in TREEBANKS
        for metric in METRICS
        for i, name in enumerate(names)
    ]
    gold = toy_parts("toy:svo", tokens=20_000)["test"]
    systems = {
        name: make_system("random", seed=i).annotate(gold).replace(name=name)
        for i, name in enumerate(names)
    }
    conventions = preset("pascal")
    of_track = {name: Annotations(name, gold, systems, conventions) for name in TREEBANKS}
    table = results(*rows)
    place = RunFolder(tmp_path)
    facts = run_facts(table, place.record)
    report = RunReport(place, table, facts, run_tables(table), (), ())
    annotations = RunAnnotations({("pascal", "u"): conventions}, {"dependencies": of_track})
    page = make_run_page(report, annotations, trials=0)
    path, *_ = write_page(page, tmp_path / "large.html")
    assert path.stat().st_size < 1e6 * MEGABYTES
    opened(path)  # the browser has been started, and the file is in memory
    begin = time.perf_counter()
    found = opened(path)
    assert time.perf_counter() - begin < SECONDS
    assert found.complaints == []
