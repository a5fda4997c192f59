"""Plans of many treebanks: everything is read once, and little of it stays in memory."""

from __future__ import annotations

import gc
import weakref
from collections import Counter

import pytest

from tests.in_process import cells_in_process
from tests.unit.runs.small_banks import PARTS, write_other_bank
from treegauge.catalogue import Catalogue, CatalogueEntry
from treegauge.formats import FormatError
from treegauge.reports import report
from treegauge.reports.pages.run_annotations import run_annotations
from treegauge.runs import Experiment, run, treebank_cache
from treegauge.runs.clock import Clock
from treegauge.runs.planning import make_plan
from treegauge.runs.tasks import Task
from treegauge.runs.treebank_cache import TreebankCache

NAMES = [f"{code}_small" for code in ("am", "cs", "de", "eu", "fi", "hi", "ja", "ka")]


@pytest.fixture
def catalogue(tmp_path):
    for number, name in enumerate(NAMES):
        write_other_bank(tmp_path / "data" / name, number)
    return Catalogue([tmp_path / "data"])


@pytest.fixture
def reads(monkeypatch):
    """Which parts have been read, and how often."""
    counts: Counter[tuple[str, str]] = Counter()
    read = CatalogueEntry.read

    def counting(self, part=None, **options):
        counts[self.name, part] += 1
        return read(self, part, **options)

    monkeypatch.setattr(CatalogueEntry, "read", counting)
    return counts


def experiment(**more):
    document = {
        "name": "many",
        "treebanks": ["*_small"],
        "systems": ["left-branching", "right-branching", "harmonic"],
        "metrics": ["uas"],
        "resamples": 10,
        **more,
    }
    return Experiment.from_dict(document)


def test_a_plan_reads_every_part_once(catalogue, reads):
    shares = []
    plan = make_plan(experiment(), catalogue, on_progress=shares.append)
    assert len(plan.cells) == 3 * len(NAMES)
    assert set(reads) == {(name, part) for name in NAMES for part in PARTS}
    assert set(reads.values()) == {1}
    assert shares == sorted(shares)
    assert len(shares) == len(NAMES)
    # Keys and sizes are known from then on.
    assert len({cell.key for cell in plan.cells}) == len(plan.cells)
    assert all(cell.words for cell in plan.cells)
    assert set(reads.values()) == {1}


def test_scoring_without_strata_does_not_read_what_was_learnt_from(catalogue, reads, tmp_path):
    made = experiment(systems=["left-branching"])
    with cells_in_process():
        run(made, tmp_path / "run", catalogue=catalogue)
        reads.clear()
        run(made, tmp_path / "run", catalogue=catalogue, score_only=True)
    train = [count for (_, part), count in reads.items() if part == "train"]
    assert train == [1] * len(NAMES)  # for the plan


def test_cells_are_found_by_treebank_and_system(catalogue):
    plan = make_plan(experiment(), catalogue)
    for bank in plan.banks:
        for choice in plan.experiment.systems:
            (cell,) = plan.of(bank, choice)
            assert (cell.bank, cell.choice) == (bank, choice)


def test_a_library_user_is_told_of_a_broken_one_unless_it_is_to_be_skipped(catalogue, tmp_path):
    broken = tmp_path / "data" / NAMES[3] / "dev.conllu"
    broken.write_text("1\tlost\n\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"dev\.conllu"):
        make_plan(experiment(), catalogue)
    plan = make_plan(experiment(), catalogue, skip_broken=True)
    assert [bank.name for bank in plan.banks] == [name for name in NAMES if name != NAMES[3]]
    (left_out,) = plan.broken
    assert left_out.treebank == NAMES[3]
    assert f"{NAMES[3]}/dev.conllu:1" in left_out.reason
    assert {cell.bank.name for cell in plan.cells} == {bank.name for bank in plan.banks}


def test_the_cache_forgets_by_words(catalogue, reads, monkeypatch):
    monkeypatch.setattr(treebank_cache, "_WORDS_IN_MEMORY", 200)
    cache = TreebankCache()
    entry = catalogue.resolve(NAMES[0])[0]
    other = catalogue.resolve(NAMES[1])[0]
    for _ in range(2):
        cache.gold(entry, "dev")
        cache.gold(entry, "test")
    assert reads[NAMES[0], "dev"] == 1  # both fit
    for name in ("train", "dev", "test"):
        cache.gold(other, name)
    cache.gold(entry, "dev")
    assert reads[NAMES[0], "dev"] == 2
    # One that is too large by itself is there nevertheless, for whoever asked for it.
    monkeypatch.setattr(treebank_cache, "_WORDS_IN_MEMORY", 1)
    assert cache.gold(other, "train").n_words > 1


def test_the_time_left_of_many_tasks_is_not_computed_each_time(catalogue, monkeypatch):
    (cell, *_) = make_plan(experiment(), catalogue).cells
    clock = Clock(workers=1)
    asked = []
    estimate = Clock.estimate
    monkeypatch.setattr(
        Clock, "estimate", lambda self, tasks: asked.append(len(tasks)) or estimate(self, tasks)
    )
    few, many = [Task(cell)] * 100, [Task(cell)] * 1000
    assert clock.seconds_left(many) == pytest.approx(1000 * cell.guessed_seconds)
    for _ in range(50):
        clock.seconds_left(many)
    assert asked == [1000]
    for _ in range(3):
        assert clock.seconds_left(few) == pytest.approx(100 * cell.guessed_seconds)
    assert asked == [1000, 100, 100, 100]


def test_a_report_holds_one_treebank_at_a_time(catalogue, tmp_path):
    source = tmp_path / "many.toml"
    source.write_text(
        'name = "many"\ntreebanks = ["*_small"]\nsystems = ["left-branching", "harmonic"]\n'
        'metrics = ["uas"]\nresamples = 10\n',
        encoding="utf-8",
    )
    with cells_in_process():
        run(Experiment.from_toml(source), tmp_path / "run", catalogue=catalogue)
    made = report(tmp_path / "run")
    annotations = run_annotations(made.results, made.folder, catalogue)
    assert len(annotations) == len(NAMES)
    earlier: list[weakref.ref] = []
    names = []
    for track, one in annotations.each():
        gc.collect()
        assert [ref for ref in earlier[:-1] if ref() is not None] == []
        earlier.append(weakref.ref(one.gold))
        names.append(one.name)
        assert track == "dependencies"
        assert list(one.systems) == ["harmonic", "left-branching"]
    assert names == sorted(NAMES)
    assert set(annotations.golds) == set(NAMES)
    assert annotations.problems == []
