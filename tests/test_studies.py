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
    accuracy_models,
    cause_treebanks,
    extrinsic_trees,
    generalised_gold,
    german_word_order,
    head_rules,
    interval_coverage,
    learning_curves,
    measured,
    pages,
    parallel_texts,
    reproduced,
    small_taggers,
    word_order_texts,
)
from treegauge.evaluation.accuracy_prediction import read_rows
from treegauge.metrics.metric import Counts
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


def test_projection_s_cells_by_hand() -> None:
    def score(treebank: str, value: float, half: float) -> dict[str, object]:
        return {"treebank": treebank, "value": value, "low": value - half, "high": value + half}

    # Within a target half-widths are averaged, 3 and 4; between targets they add in squares.
    scores = [score("a", 0.5, 0.02), score("a", 0.7, 0.04), score("b", 0.9, 0.04)]
    assert parallel_texts.mean_cell(scores) == "70.0 ± 2.5"
    assert parallel_texts.mean_cell([*scores, score("b", math.nan, math.nan)]) == "–"


@pytest.mark.realdata
def test_no_document_is_both_projected_and_scored(shared: Path) -> None:
    parts = {
        one: parallel_texts.divided(shared / f"parallel/{one}_pud.conllu.xz")
        for one in ("fr", "tr")
    }
    for part in ("train", "test"):
        french, turkish = (parts[one][part].sentence_ids for one in ("fr", "tr"))
        assert list(french) == list(turkish)
    train, test = (
        {one[:6] for one in parts["fr"][part].sentence_ids} for part in ("train", "test")
    )
    assert not train & test
    assert len(test) == len(train | test) // 5


@pytest.mark.parametrize(
    ("study", "marker"),
    [
        (interval_coverage, "interval-coverage"),
        (extrinsic_trees, extrinsic_trees.MARKER),
        (word_order_texts, "word-order-texts"),
        (german_word_order, "german-word-order"),
        (generalised_gold, "generalised-gold"),
        (head_rules, "head-rules"),
        (small_taggers, "small-taggers"),
    ],
)
def test_a_page_shows_what_its_own_study_measured(study: ModuleType, marker: str) -> None:
    page = study.PAGE.read_text("utf-8")
    shown = pages.filled(page, marker, study.table())
    assert shown == page, f"run python -m {study.__name__}"
    assert study.table() in page


def test_both_tables_of_small_treebanks_are_shown() -> None:
    page = small_taggers.PAGE.read_text("utf-8")
    assert small_taggers.dev_table() in page
    # What the page says of test.
    test = small_taggers._results().filter(part="test")
    others = test.filter(pl.col("system").is_in(list(small_taggers.PEERS)))
    both = others.join(test.filter(system="crf"), on="treebank")
    assert both.height == 2 * test["treebank"].n_unique()
    assert (both["value_right"] > both["value"]).all()


def test_leads_of_taggers_by_hand() -> None:
    rows = pl.DataFrame(
        [
            ("a", "crf", 0.90, 0.0, 0.0),
            ("b", "crf", 0.80, 0.0, 0.0),
            ("a", "affixes", 0.91, -0.04, 0.02),
            ("b", "affixes", 0.75, 0.01, 0.09),
        ],
        schema=["treebank", "system", "value", "lead_low", "lead_high"],
        orient="row",
    )
    value, lead, half = small_taggers._means(rows)["affixes"]
    assert value == pytest.approx(83.0)
    assert lead == pytest.approx(2.0)
    # Half-widths of 3 and 4 points are 5 together, and 2.5 for the mean of two treebanks.
    assert half == pytest.approx(2.5)
    assert small_taggers._worst(rows, "affixes") == "-1.00 (affixes, `a`)"


def test_intervals_of_leads_are_of_one_text() -> None:
    # Sentences differ a lot, but one tagger is right in one word more in each.
    counts = [[n, 10.0, 10.0] for n in (1.0, 5.0, 9.0, 3.0)]
    new = Counts(np.array(counts))
    other = Counts(np.array(counts) - [1.0, 0.0, 0.0])
    assert small_taggers._lead(new, other) == pytest.approx((0.1, 0.1))
    assert small_taggers._lead(new, new) == (0.0, 0.0)


def test_features_of_the_tutorial() -> None:
    first, last = small_taggers.tutorial_features(["Go", "UP"])
    assert first == [
        *("bias", "lower=go", "s3=Go", "s2=Go", "upper=False", "title=True", "digit=False"),
        *("BOS", "1:lower=up", "1:title=False", "1:upper=True"),
    ]
    assert last[-4:] == ["-1:lower=go", "-1:title=True", "-1:upper=False", "EOS"]


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


def test_systems_that_share_a_cell_keep_their_own_settings(tmp_path: Path, monkeypatch) -> None:
    _keep(tmp_path, monkeypatch, {"da": [0]})
    one = measured.results_of("study")
    assert one is not None
    settings = {f"brown ({tags})": f'{{"classes_of": "{tags}"}}' for tags in "cp"}
    rows = [
        one.with_columns(system=pl.lit(system), settings=pl.lit(own), metric=pl.lit(metric))
        for system, own in settings.items()
        for metric in ("vi", "v_measure")
    ]
    measured.add("study", pl.concat(rows))
    results = measured.results_of("study")
    assert results is not None
    shared = results.filter(pl.col("system").is_in(list(settings)))
    assert shared.height == 4
    assert shared["cell"].n_unique() == 1
    assert shared["settings"].to_list() == [settings[name] for name in shared["system"]]


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


def test_large_frames_of_a_reproduction_are_compressed(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(reproduced, "FOLDER", tmp_path)
    monkeypatch.setattr(reproduced, "_MOST_PLAIN_BYTES", 20)
    frames = {"one": pl.DataFrame({"n": [1]}), "many": pl.DataFrame({"n": [*range(100)]})}
    settings = find_paper("word-order").settings_type()
    reproduced.keep("word-order", Measurements(settings, frames), 0)
    names = {path.name for path in (tmp_path / "word-order").iterdir()}
    assert names == {"about.json", "one.tsv", "many.tsv.gz"}
    kept = reproduced.kept("word-order")
    assert kept is not None
    for name, frame in frames.items():
        assert_frame_equal(kept.frames[name], frame)


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


def _problem(n: int = 8) -> accuracy_models.Problem:
    """Return as many languages, two accuracies of each; whatever else is known is noise."""
    random = np.random.default_rng(1)
    names = {
        *accuracy_models.PROPERTIES,
        *accuracy_models.PUBLISHED_PROPERTIES,
        *(f"pilot_{m}{end}" for m in ("uas", "las") for end in ("", "_0.5", "_0.25")),
        *("uas", "las"),
    }
    columns = {name: random.uniform(0.2, 0.9, 2 * n) for name in sorted(names)}
    columns |= {"words": np.tile([5000, 20_000], n), "pilot_words": np.full(2 * n, 2000.0)}
    texts = {
        "language": [f"l{i // 2}" for i in range(2 * n)],
        "treebank": [f"t{i // 2}" for i in range(2 * n)],
        "order": ["original"] * 2 * n,
        "system": ["graph"] * 2 * n,
    }
    return accuracy_models.Problem(pl.DataFrame({**texts, **columns}), "uas")


@pytest.mark.parametrize("name", accuracy_models.MODELS)
def test_a_model_does_not_see_the_language_that_it_predicts(name: str) -> None:
    problem = _problem()
    out = problem.languages == "l3"
    changed = pl.when(pl.col("language") == "l3").then(0.01).otherwise("uas").alias("uas")
    other = accuracy_models.Problem(problem.rows.with_columns(changed), "uas")
    model = accuracy_models.MODELS[name]
    predicted = model(problem, ~out, out)
    assert predicted == pytest.approx(model(other, ~out, out))
    assert ((predicted > 0) & (predicted < 1)).all()


def test_the_mean_at_the_same_size_by_hand() -> None:
    problem = _problem(3)
    out = problem.languages == "l0"
    uas = problem.accuracy
    expected = [(uas[2] + uas[4]) / 2, (uas[3] + uas[5]) / 2]
    assert accuracy_models.mean_at_same_size(problem, ~out, out) == pytest.approx(expected)


def test_a_power_law_by_hand() -> None:
    """Errors of 40, 20 and 10 per cent with a quarter, half and all of 2,000 words."""
    errors = {"pilot_uas": 0.9, "pilot_uas_0.5": 0.8, "pilot_uas_0.25": 0.6}
    rows = _problem(1).rows.with_columns(**{k: pl.lit(v) for k, v in errors.items()})
    everything = np.ones(2, np.bool_)
    predicted = accuracy_models.power_law(
        accuracy_models.Problem(rows, "uas"), everything, everything
    )
    assert predicted == pytest.approx([1 - 0.1 / 2.5, 1 - 0.1 / 10])


def test_errors_are_averaged_by_language() -> None:
    problem = _problem(2)
    wrong = np.array([0.1, 0.3, 0.02, 0.04])
    chosen = np.array([True, True, True, False])
    found = accuracy_models.judged(
        problem, chosen, problem.accuracy + wrong, problem.accuracy - 2 * wrong
    )
    assert found["error"] == pytest.approx((0.2 + 0.02) / 2)
    assert found["ratio"] == pytest.approx(0.5)
    assert (found["low"], found["high"]) == pytest.approx((0.02, 0.2))
    assert (found["languages"], found["rows"]) == (2, 3)


def test_the_program_learns_from_the_accuracies_that_were_measured() -> None:
    shipped, rows = read_rows(), accuracy_models.program_rows()
    for one, other in zip(shipped, rows, strict=True):
        assert (one.treebank, one.language, one.parser) == (
            *(other.treebank, other.language, other.parser),
        )
        assert [one.uas, *vars(one.text).values()] == pytest.approx(
            [other.uas, *vars(other.text).values()], rel=1e-5
        )


def test_the_table_has_the_errors_of_the_program() -> None:
    table = pl.read_csv(accuracy_models.TABLE, separator="\t")
    rows = accuracy_models.known_before()
    ours = table.filter(pl.col("model") == accuracy_models.OURS)
    for (parser, metric), kept in ours.group_by("parser", "metric"):
        problem = accuracy_models.Problem(rows.filter(pl.col("system") == parser), str(metric))
        predicted = accuracy_models.left_out(problem, accuracy_models.program)
        inside = accuracy_models.in_program_intervals(problem)
        for one in kept.iter_rows(named=True):
            chosen = problem.rows["case"].to_numpy() == one["case"]
            found = accuracy_models.judged(problem, chosen, predicted, predicted)
            assert found["error"] == pytest.approx(one["error"], abs=1e-5)
            coverage = accuracy_models.by_language(problem, chosen, inside).mean()
            assert coverage == pytest.approx(one["coverage"], abs=1e-5)


def test_the_readme_has_the_error_of_the_program() -> None:
    ours = pl.read_csv(accuracy_models.TABLE, separator="\t").filter(
        pl.col("model") == accuracy_models.OURS, pl.col("case") == "own"
    )
    readme = (STUDIES.parent / "README.md").read_text("utf-8")
    assert f"mean error {100 * ours['error'].mean():.1f} points" in readme


def test_samples_of_a_treebank_grow_up_to_all_of_it(monkeypatch, tmp_path: Path) -> None:
    folder = tmp_path / "toy"
    folder.mkdir()
    for part, tokens in (("train", 12_000), ("test", 500)):
        tg.write(tg.toy_treebank("toy:svo", part=part, tokens=tokens), folder / f"{part}.conllu")
    monkeypatch.setenv("TREEGAUGE_DATA", str(tmp_path))
    ((first, *_, last),) = learning_curves.samples()
    small, large = (set(one.read()[0].form) for one in (first, last))
    assert small < large
    assert first.read()[0].n_words == pytest.approx(5000, abs=30)
    rows = {metric: value for *_, metric, value, _, _, _ in learning_curves.measure(first, "")}
    assert 0 < rows["pilot_las"] < rows["pilot_uas"] < 1
    (uas, _) = learning_curves.measure(first, "transition")
    assert uas[1:7] == ("toy", "original", 5000, first.read()[0].n_words, "transition", "uas")
    assert rows["pilot_uas"] < uas[7] < 1


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
