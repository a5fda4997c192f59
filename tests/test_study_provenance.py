"""Every figure that is kept says how, when and where it was measured, and what it took."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

import treegauge as tg
from benchmarks import kept_figures
from studies import accuracy_models, generalised_gold, measured, word_order_texts
from treegauge.papers.pascal.references import BEST, references_of


def test_figures_are_kept_with_commit_device_and_seconds(tmp_path: Path) -> None:
    figures = measured.timed({"name": name, "value": 1 / 3} for name in "ab")
    measured.keep_table(pl.DataFrame(list(figures)), tmp_path / "figures.tsv")
    kept = pl.read_csv(tmp_path / "figures.tsv", separator="\t")
    assert kept.columns == ["name", "value", "seconds", "commit", "device"]
    assert set(kept["commit"]) == {measured.current_commit()}
    assert measured.measured_at(kept).endswith("`, cpu, 0 processor seconds.")
    on_two = kept.with_columns(device=pl.Series(["cuda", "cpu"])).drop("seconds")
    measured.keep_table(on_two, tmp_path / "figures.tsv")
    kept = pl.read_csv(tmp_path / "figures.tsv", separator="\t")
    assert measured.measured_at(kept).endswith("`, cpu, cuda.")


def test_settings_are_kept_without_the_folder_of_treebanks(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(measured, "FOLDER", tmp_path)
    monkeypatch.setenv("TREEGAUGE_DATA", "/home/me/treebanks")
    values = dict.fromkeys(measured.COLUMNS)
    values |= {"settings": '{"sources": ["/home/me/treebanks/fr_gsd"]}', "reason": ""}
    types = {name: kind for name, (kind, _) in measured.COLUMNS.items()}
    measured.add("study", pl.DataFrame([values], schema=types))
    assert '""fr_gsd""' in (tmp_path / "study.tsv").read_text("utf-8")
    assert "/home" not in (tmp_path / "study.tsv").read_text("utf-8")


def test_figures_that_are_no_scores_have_signatures_too(tmp_path: Path, monkeypatch) -> None:
    text = tg.toy_treebank("toy:svo", part="test", tokens=200)
    ending = f"data:toy:svo#{text.fingerprint[:8]}|v:{tg.__version__}"
    order = word_order_texts.measures(text)
    assert order["signature"] == f"word_order|preset:gm16|{ending}"
    monkeypatch.setattr(kept_figures, "FOLDER", tmp_path)
    kept_figures.keep("scale-x", pl.DataFrame({"words": [10], "value": [2.0]}), ["words"])
    (row,) = kept_figures.kept("scale-x").to_dicts()
    assert (row["signature"], row["device"]) == (f"scale-x|words:10|v:{tg.__version__}", "cpu")
    parsers = accuracy_models.signatures()
    assert set(parsers["parser"]) == {"graph", "transition"}
    # They were measured with the version of their time.
    assert all(re.search(r"\|v:\d+\.\d+\.\d+$", one) for one in parsers["signature"])


def test_scores_against_several_references_say_which() -> None:
    text = tg.toy_treebank("toy:svo", part="test", tokens=200)
    parsed = tg.make_system("left-branching").fit(text).annotate(text)
    references = references_of(text)
    for metric in generalised_gold.METRICS:
        scores = generalised_gold.scored(metric, references, {"left": parsed})
        assert scores["signature"].str.starts_with(f"{metric}|").all()
        assert (scores["seconds"] >= 0).all()
        of_references = scores.filter(pl.col("reference") != BEST)["signature"]
        assert of_references.n_unique() == len(references)


def test_every_kept_table_says_where_and_when_it_was_measured() -> None:
    """Tables of scale say the date; their times are processor seconds of one machine."""
    tables = [*Path("docs/data").glob("*.tsv")]
    assert tables
    for path in tables:
        columns = path.read_text("utf-8").partition("\n")[0].split("\t")
        assert "commit" in columns, path
        assert "device" in columns or path.stem.startswith("scale-"), path
