"""The scripts behind the pages: nobody runs them for weeks, so that they must not rot unseen."""

from __future__ import annotations

import math
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import treegauge as tg
from benchmarks import scale_tables
from studies import (
    cause_treebanks,
    generalised_gold,
    german_word_order,
    interval_coverage,
    measured,
    pages,
    reproduced,
    word_order_texts,
)
from treegauge.papers import find_paper
from treegauge.papers.paper import Measurements
from treegauge.papers.pascal.references import word_sequences
from treegauge.results.long_table import long_table, write_long_table
from treegauge.runs import Experiment
from treegauge.settings import read_settings
from treegauge.treebank import Treebank

STUDIES = Path(__file__).parents[1] / "studies"


@pytest.mark.parametrize("name", sorted(path.stem for path in STUDIES.glob("[a-z]*.py")))
def test_a_script_finds_all_that_it_imports(name: str) -> None:
    assert callable(import_module(f"studies.{name}").main)


@pytest.mark.parametrize("file", sorted(STUDIES.glob("*.toml")), ids=lambda path: path.stem)
def test_an_experiment_can_be_read(file: Path) -> None:
    assert Experiment.from_toml(file).systems


def test_make_results_calls_scripts_that_exist() -> None:
    makefile = (STUDIES.parent / "Makefile").read_text("utf-8")
    modules = re.findall(r"^\tpython -m (\S+)", makefile, re.MULTILINE)
    assert modules  # or this test tests nothing
    for module in modules:
        assert callable(import_module(module).main)


def _keep(tmp_path: Path, monkeypatch, seeds: dict[str, list[int]]) -> None:
    """Keep a run of one system that has these seeds on these treebanks."""
    monkeypatch.setattr(measured, "RUNS", tmp_path / "runs")
    monkeypatch.setattr(measured, "FOLDER", tmp_path / "kept")
    (tmp_path / "runs" / "study").mkdir(parents=True, exist_ok=True)
    rows = [
        {"treebank": treebank, "system": "dmv", "seed": seed, "metric": "uas", "value": seed / 10}
        for treebank, own in seeds.items()
        for seed in own
    ]
    rows.append({"treebank": "nl", "system": "dmv", "seed": 0, "metric": "uas", "value": math.nan})
    rows[-1]["reason"] = "not run"
    texts = {
        "settings": '{"device": "auto"}',
        "cell": "",
        "track": "",
        "preset": "",
        "tags": "",
        "by": "",
        "stratum": "",
        "reason": "",
    }
    table = long_table([{**texts, **row} for row in rows])
    write_long_table(table, tmp_path / "runs" / "study" / "results.parquet")
    monkeypatch.setattr("sys.argv", ["measured", "study"])
    measured.main()


def test_pages_show_what_was_measured() -> None:
    for path, page in pages.pages_from_data().items():
        assert path.read_text("utf-8") == page, f"{path}: run python -m studies.pages"


@pytest.mark.parametrize(
    ("study", "marker"),
    [
        (interval_coverage, "interval-coverage"),
        (word_order_texts, "word-order-texts"),
        (german_word_order, "german-word-order"),
        (generalised_gold, "generalised-gold"),
    ],
)
def test_a_page_shows_what_its_own_study_measured(study: ModuleType, marker: str) -> None:
    page = study.PAGE.read_text("utf-8")
    shown = pages.filled(page, marker, study.table())
    assert shown == page, f"run python -m {study.__name__}"
    assert study.table() in page


def test_balancing_weights_by_hand() -> None:
    # Of four sentences, two have the relation; three quarters of the weight shall have it.
    features = np.array([[1.0], [1.0], [0.0], [0.0]])
    ones = np.ones(4)
    exact = german_word_order.balancing_weights(features, np.array([0.75]), ones, ridge=0.0)
    assert exact == pytest.approx([3 / 8, 3 / 8, 1 / 8, 1 / 8], abs=1e-4)
    # A sentence that was drawn twice counts twice, and one that was not drawn not at all.
    drawn = np.array([2.0, 0.0, 1.0, 1.0])
    weights = german_word_order.balancing_weights(features, np.array([0.75]), drawn, ridge=0.0)
    assert weights == pytest.approx([3 / 4, 0, 1 / 8, 1 / 8], abs=1e-4)
    # The ridge keeps weights more even.
    even = german_word_order.balancing_weights(features, np.array([0.75]), ones, ridge=1.0)
    assert 1 / 4 < even[0] < 3 / 8


def test_settings_are_kept_once_per_cell(tmp_path: Path, monkeypatch) -> None:
    _keep(tmp_path, monkeypatch, {"da": [0]})
    results = measured.results_of("study")
    assert results is not None
    assert set(results["settings"]) == {'{"device": "auto"}'}
    assert set(results["device"]) == {"cpu"}
    assert "Measured at commit `" in measured.provenance(results)


def test_results_of_two_runs_are_kept_together(tmp_path: Path, monkeypatch) -> None:
    _keep(tmp_path, monkeypatch, {"da": [0, 1], "sv": [0]})
    assert measured.whole_results_of("study") is None  # sv lacks a seed
    _keep(tmp_path, monkeypatch, {"sv": [1]})
    (tmp_path / "runs" / "study" / "results.parquet").unlink()
    results = measured.whole_results_of("study")
    assert results is not None
    assert results.select("treebank", "seed", "value").sort(pl.all()).rows() == [
        ("da", 0, 0.0),
        ("da", 1, 0.1),
        ("sv", 0, 0.0),
        ("sv", 1, 0.1),
    ]


def test_frames_of_a_reproduction_are_kept_as_they_are(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(reproduced, "FOLDER", tmp_path)
    settings = find_paper("word-order").settings_type(transfer=True)
    frames = {
        "numbers": pl.DataFrame(
            {"name": ["a\tb", "", None], "value": [0.1, float("nan"), None], "n": [1, None, 3]}
        ),
        "lists": pl.DataFrame({"rhos": [[{"treebank": "da", "rho": 0.5}], []]}),
        "unknown": pl.DataFrame({"sign": [None, None]}),
        "empty": pl.DataFrame(schema={"treebank": pl.String, "uas": pl.Float64}),
        "nothing": pl.DataFrame(),
    }
    reproduced.keep("word-order", Measurements(settings, frames, ("a note",), ("gone",)), 1800)
    kept = reproduced.kept("word-order")
    assert kept is not None
    assert (kept.settings, kept.notes, kept.failures) == (settings, ("a note",), ("gone",))
    assert list(kept.frames) == list(frames)
    for name, frame in frames.items():
        assert_frame_equal(kept.frames[name], frame)
    assert reproduced.provenance("word-order").endswith("cpu, 0.5 hours of cells.")
    assert reproduced.kept("perplexity") is None


@pytest.mark.parametrize("name", reproduced.REPRODUCTIONS)
def test_a_reproduction_has_settings_that_its_paper_knows(name: str) -> None:
    chosen = reproduced.REPRODUCTIONS[name]
    settings = read_settings(find_paper(chosen.paper).settings_type, chosen.settings, place=name)
    for key, value in chosen.settings.items():
        assert getattr(settings, key) == value


@pytest.mark.parametrize(("machines", "cores"), [(2, 1), (2, 16), (16, 2)])
def test_workers_pay_off_where_both_take_the_same(machines: int, cores: int) -> None:
    handing_out, beside = 0.3, 0.1
    one = scale_tables.pays_off_from(handing_out, beside, machines, cores)
    charts = one * cores
    assert handing_out + (charts + beside) / (machines * cores) == pytest.approx(one)


def _text(*sentences: str) -> Treebank:
    lines = (" ".join(f"{word}/NOUN" for word in one.split()) for one in sentences)
    return tg.parse("\n".join(lines) + "\n", format="slashed")


def test_more_text_has_words_only_and_no_sentence_twice() -> None:
    own = {"train": _text("a b"), "test": _text("c d e")}
    more = cause_treebanks.with_more_text(own, [_text("c d e", "f g", "a b"), _text("f g", "h")])
    # Sentences of the test part are not added; the same sentence of two others is.
    assert word_sequences(more["train"]) == [("a", "b"), ("f", "g"), ("f", "g"), ("h",)]
    assert list(more["train"].upos) == ["NOUN", "NOUN", *["_"] * 5]
    assert more["train"].head[2:].tolist() == [0, 1, 0, 1, 0]
    assert more["test"] == own["test"]


def test_shares_of_a_treebank_are_parts_of_it_that_do_not_overlap() -> None:
    whole = {"train": _text(*(f"w{number}" for number in range(40))), "test": _text("z")}
    shares = [cause_treebanks.share(whole, number) for number in (1, 2, 3)]
    words = [set(one["train"].form) for one in shares]
    assert words[0] == {"w0", "w12", "w24", "w36"}
    assert len(set.union(*words)) == sum(map(len, words))
    assert all(one["test"] == whole["test"] for one in shares)
