"""The challenge: which systems run how, and what is read from a run."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import treegauge as tg
from studies.results_page import SECTIONS, SEEDS, filled, new_page, texts
from tests.in_process import cells_in_process
from tests.unit.runs.small_banks import write_bank
from treegauge.catalogue import Catalogue
from treegauge.papers.pascal.challenge import (
    DEPTH_GRID,
    INDUCED,
    TREES,
    TU_GRID,
    TU_SETTINGS,
    Challenge,
    PascalSettings,
    choices_of,
    document,
    experiment_of,
    run_challenge,
    trees_of,
)
from treegauge.papers.pascal.references import (
    PENN_OPTIONS,
    references_of,
    scored,
    sentences_in,
)
from treegauge.papers.pascal.summaries import summary_tables
from treegauge.papers.pascal.tables import (
    class_group,
    length_figures,
    pascal_tables,
    tag_tables,
    tree_tables,
)
from treegauge.reports.run_notes import note_on_types
from treegauge.rewrite import BUNDLES, to_style
from treegauge.runs import ExperimentError, run
from treegauge.runs.experiment import Tuning
from treegauge.systems import make_system

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> Challenge:
    home = tmp_path_factory.mktemp("challenge")
    banks = [write_bank(home / name, f"toy:{name}") for name in ("svo", "sov")]
    with cells_in_process():
        made = run_challenge(
            [str(bank) for bank in banks],
            home / "run",
            lambda experiment, folder, catalogue: run(experiment, folder, catalogue=catalogue),
            catalogue=Catalogue(),
            settings=PascalSettings("small", resamples=0),
        )
    return replace(made, notes=(*made.notes, str(home)))


def folder_of(found: Challenge) -> Path:
    return Path(found.notes[-1]) / "run"


# ---------------------------------------------------------------------- which systems


def labels(which: str) -> set[str]:
    return {choice.label for choice in choices_of(PascalSettings(which))}


def test_sets_grow():
    assert labels("small") < labels("fast") < labels("all")


def test_variants_are_those_of_the_paper():
    told = {choice.label: dict(choice.settings) for choice in choices_of(PascalSettings("fast"))}
    assert told["dmv (u)"] == {"tags": "u12"}
    assert [told[f"brown ({letter})"]["classes"] for letter in "cpu"] == ["{c}", "{p}", "12"]
    assert told["dmv over brown (p)"] == {"tags_from": "brown:{p}"}


def test_no_sampler_is_fast():
    samplers = {"bmmm", "pyp-hmm", "hmm", "hmm-pr", "lda-classes", "joint", "lndmv", "slndmv"}
    assert not samplers & {choice.system for choice in choices_of(PascalSettings("fast"))}


def test_what_the_paper_tuned_on_dev_is_tuned_and_says_so():
    tuned = {c.system: c for c in choices_of(PascalSettings("all")) if c.tuning}
    assert set(tuned) == {"unambiguity", "lda-classes"}
    assert tuned["unambiguity"].tuning == Tuning(TU_GRID, "uas")
    assert tuned["lda-classes"].tuning == Tuning(DEPTH_GRID, "v_measure")
    assert all(choice.label.endswith("tuned") for choice in tuned.values())


def test_points_of_the_grid_are_settings_of_the_system():
    for point in TU_GRID:
        make_system("unambiguity", {**TU_SETTINGS, **dict(point)})
    assert len(set(TU_GRID)) == len(TU_GRID) <= 12


def test_the_grid_has_what_tu_chose_between():
    """Section 5.2: Dirichlet priors, posterior regularisation, and low ambiguity."""
    points = [{**TU_SETTINGS, **dict(point)} for point in TU_GRID]
    assert all(point["alpha"] < 1 for point in points)
    regularised = {(point["strength"] > 0, point["sigma"][0] > 0) for point in points}
    assert regularised == {(False, False), (False, True), (True, False), (True, True)}
    assert {point["penalty"] for point in points} == {"symmetric"}


@pytest.mark.parametrize("fit_on", ["union", "train"])
def test_systems_learn_from_what_was_asked_for(fit_on):
    made = experiment_of(["toy:svo"], PascalSettings("all", fit_on=fit_on))
    assert {choice.fit_on for choice in made.systems} == {fit_on}


# ---------------------------------------------------------------------- what comes of a run


def test_every_system_is_scored_in_its_track(found):
    assert not found.failures
    scores = found.results.filter((pl.col("by") == "") & pl.col("value").is_not_nan())
    by_track = {
        track: set(scores.filter(pl.col("track") == track)["metric"])
        for track in ("tags", "dependencies", "joint")
    }
    assert by_track == {
        "tags": set(INDUCED),
        "dependencies": set(TREES),
        "joint": {*INDUCED, *TREES},
    }


def test_tags_are_compared_with_punctuation_and_trees_without(found):
    tags = found.results.filter(pl.col("metric").is_in(list(INDUCED)) & (pl.col("signature") != ""))
    trees = found.results.filter(pl.col("metric").is_in(list(TREES)) & (pl.col("signature") != ""))
    assert tags["signature"].str.contains("punct:yes").all()
    assert trees["signature"].str.contains("punct:removed").all()


def test_classes_are_as_many_as_the_train_part_has_tags(found):
    settings = found.results.filter(pl.col("system") == "brown (c)")
    counted = {one.name: one.parts["train"].coarse_tags for one in found.treebanks}
    for treebank, text in settings.select("treebank", "settings").unique().iter_rows():
        told = json.loads(text)
        assert (told["classes"], told["classes_of"]) == (counted[treebank], "c")


def test_tags_of_joint_systems_stand_among_tags(found):
    names = {row.system for one in tag_tables(found)["u"] for row in one.systems}
    assert {"brown (u)", "dmv over brown (u)"} <= names


def test_induced_tags_stand_beside_those_of_equally_many_classes(found):
    for group, tables in tag_tables(found).items():
        for table in tables:
            assert {class_group(row.settings, row.supervision) for row in table.systems} == {group}


@pytest.mark.parametrize(
    ("letter", "columns"), [("c", {"Bc"}), ("p", {"Bp"}), ("u", {"Bu"}), ("45", {"Bp"})]
)
def test_published_figures_are_those_of_equally_many_classes(found, letter, columns):
    told = {"c": '"classes": 9, "classes_of": "c"', "p": '"classes": 9, "classes_of": "p"'}
    settings = told.get(letter, f'"classes": {12 if letter == "u" else 45}')
    chosen = found.results.filter(pl.col("system") == "brown (u)").with_columns(
        pl.lit("da_ddt").alias("treebank"), pl.lit(f"{{{settings}}}").alias("settings")
    )
    tables = tag_tables(replace(found, results=chosen))[letter]
    assert {figure.published.column for one in tables for figure in one.figures} == columns


def test_joint_tags_of_brown_are_those_of_brown(found):
    for table in tag_tables(found)["u"]:
        rows = {row.system: row for row in table.systems}
        own = rows["brown (u)"].available.value
        assert rows["dmv over brown (u)"].available.value == pytest.approx(own)


def test_a_treebank_without_fine_tags_is_not_compared_with_them(found):
    first, *others = found.treebanks
    poor = replace(found, treebanks=(replace(first, has_fine_tags=False), *others))
    for table in (one for made in tag_tables(poor).values() for one in made):
        assert (first.name in table.treebanks) == (table.tags == "u12")


def test_trees_over_fine_tags_that_are_not_there_have_no_score(found):
    first, *others = found.treebanks
    over_fine = found.results.with_columns(
        pl.when(pl.col("system") == "dmv (u)")
        .then(pl.col("settings").str.replace('"tags": "u12"', '"tags": "p"', literal=True))
        .otherwise(pl.col("settings"))
        .alias("settings")
    )
    poor = replace(
        found,
        results=over_fine,
        treebanks=(replace(first, has_fine_tags=False), *others),
    )
    for table in tree_tables(poor, "dependencies"):
        rows = {row.system: row.scores for row in table.systems}
        assert rows["dmv (u)"][first.name].value is None
        assert "next to no fine tags" in rows["dmv (u)"][first.name].missing
        assert rows["dmv (u)"][others[0].name].value is not None
        assert rows["harmonic"][first.name].value is not None


def test_all_tables_of_the_paper_are_there(found):
    titles = [table.title for table in pascal_tables(found)]
    for number in range(1, 10):
        assert any(title.startswith(f"Table {number}") for title in titles), number
    assert any("Figure 1" in title for title in titles)
    assert any("rank systems alike" in title for title in titles)
    assert all(table.to_text(width=120) for table in pascal_tables(found))


def test_systems_can_be_left_out_by_their_labels():
    chosen = choices_of(PascalSettings("fast", skipped=("mkcls *", "udp")))
    assert {one.label for one in chosen} == {
        label for label in labels("fast") if label != "udp" and not label.startswith("mkcls")
    }
    with pytest.raises(ExperimentError, match=r"no system of this set is called 'mkclss \*'"):
        choices_of(PascalSettings("fast", skipped=("mkclss *",)))


def test_averages_in_short_are_those_of_the_tables(found):
    induced, _, dependencies, joint = summary_tables(found)
    for table, made, number in (
        (dependencies, tree_tables(found, "dependencies"), len(TREES)),
        (joint, tree_tables(found, "joint"), len(TREES)),
        (induced, [one for one in tag_tables(found)["u"] if one.tags == "u12"], len(INDUCED)),
    ):
        assert len(made) == number
        rows = {row[0]: row[1:] for row in table.rows}
        for j, one in enumerate(made):
            for row in one.systems:
                mean = row.common.value * (100 if one.spec.metric.is_share else 1)
                assert rows[row.system][j] == f"{mean:.2f}"


def test_what_tags_types_is_named(found):
    (note,) = (one for one in summary_tables(found)[0].notes if "of a type" in one)
    assert "brown (u), dmv over brown (u)" in note
    assert "token by itself" not in note
    (row, *_) = (row for one in tag_tables(found)["u"] for row in one.systems)
    (mixed,) = note_on_types([row, replace(row, system="mine", method="hmm", settings={})])
    assert mixed.endswith("; a tag for every token by itself: mine")


def test_kinds_of_supervision_stand_apart(found):
    (table,) = (one for one in tree_tables(found, "dependencies") if str(one.spec) == "uas")
    kinds = dict(table.groups)
    assert list(kinds) == ["unsupervised", "universal rules", "dev-tuned"]
    assert [row.system for row in kinds["dev-tuned"]] == ["unambiguity, tuned"]


def test_figure_1_is_drawn_of_one_treebank_and_of_all(found):
    figures = length_figures(found)
    assert list(figures) == ["figure-1-svo.svg", "figure-1-average.svg"]


def test_a_run_keeps_the_file_of_its_experiment(found):
    kept = tg.Experiment.from_toml(folder_of(found) / "experiment.toml")
    assert [choice.label for choice in kept.systems] == [
        choice.label for choice in choices_of(found.settings)
    ]


def test_trees_of_a_run_are_those_that_were_scored(found):
    (treebank, *_) = (one.name for one in found.treebanks)
    outputs = trees_of(folder_of(found), treebank)
    rows = found.results.filter(
        (pl.col("treebank") == treebank) & (pl.col("metric") == "uas") & (pl.col("by") == "")
    )
    gold = tg.read(folder_of(found).parent / treebank / "test.conllu")
    for name, system in outputs.items():
        value = tg.evaluate(
            gold, system, metrics=["uas"], conventions=tg.metrics.preset("pascal"), resamples=0
        )["uas"].value
        (expected,) = rows.filter(
            (pl.col("system") == name) & (pl.col("tags") == "u") & pl.col("value").is_not_nan()
        )["value"]
        assert value == expected


def test_json_has_the_references(found):
    made = json.loads(json.dumps(document(found)))
    assert made["reproduces"] == "pascal"
    assert set(made["references"][0]["best"]) == set(
        trees_of(folder_of(found), found.treebanks[0].name)
    )


def test_only_a_treebank_of_the_run_can_be_shown(tmp_path, bank):
    settings = PascalSettings("small", shown="nobody")
    with pytest.raises(ExperimentError, match="nobody is none of the treebanks of this run: birds"):
        run_challenge([str(bank)], tmp_path / "run", run, catalogue=Catalogue(), settings=settings)


def test_the_page_of_results_has_all_numbers_and_keeps_what_people_wrote(
    found, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)  # where there are no other runs
    shutil.copytree(folder_of(found), tmp_path / SEEDS)
    written = "we think that this is fine\n"
    page = filled(new_page() + written, texts(found, folder_of(found)))
    assert page.endswith(written)
    for name, title in SECTIONS.items():
        assert f"## {title}" in page
        text = page.partition(f"<!-- numbers: {name} -->\n")[2].partition("<!-- end -->")[0]
        assert (text == "Not measured.\n") == (name in {"wsj", "extrinsic", "scaling"})
        assert ("|" in text) == (text != "Not measured.\n")
    value = next(row.common.value for row in tree_tables(found, "dependencies")[0].systems)
    assert f"{100 * value:.2f}" in page
    again = filled(page, texts(found, folder_of(found)))
    assert again == page


def test_a_marker_that_nobody_knows_is_an_error():
    with pytest.raises(SystemExit, match="no numbers are called 'nothing'"):
        filled("<!-- numbers: nothing -->\n<!-- end -->", {})


# ---------------------------------------------------------------------- several references


def test_references_of_ud_are_its_styles_each_once():
    gold = tg.toy_treebank("toy:svo", tokens=200, part="test")
    references = references_of(gold)
    assert set(references) <= set(BUNDLES)
    assert (
        len({BUNDLES[name] for name in references}) == len(references) == len(set(BUNDLES.values()))
    )
    (found,) = scored("toy", references, {"gold": gold}).scores["ud"].values()
    assert found == 1


def test_a_consistent_annotation_finds_its_reference():
    gold = tg.toy_treebank("toy:svo", tokens=400, part="test")
    other = to_style(gold, "functional")
    made = scored("toy", references_of(gold), {"functional": other})
    assert made.best("functional") == made.scores["functional"]["functional"] == 1
    assert made.scores["ud"]["functional"] < 1


BRACKETS = """
(S (NP-SBJ (PRP We)) (VP (VBD went) (PP-DIR (TO to) (NP (NNP Rome)))))
(S (NP-SBJ (PRP She)) (VP (VBD slept)))
(S (NP-SBJ (PRP She)) (VP (VBD slept)))
"""


def test_references_of_brackets_are_head_rules(tmp_path):
    (tmp_path / "trees.mrg").write_text(BRACKETS, encoding="utf-8")
    gold = tg.parse("She/X slept/X\n\nWe/X went/X to/X Rome/X\n", format="slashed")
    references = references_of(gold, tmp_path)
    assert tuple(references) == PENN_OPTIONS
    # By hand: `to` heads the phrase, but not where words of content do.
    assert references["standard"].head.tolist() == [2, 0, 2, 0, 2, 3]
    assert references["lexical"].head.tolist() == [2, 0, 2, 0, 4, 2]


def test_equal_sentences_are_taken_once_each():
    whole = tg.parse("a/X\n\nb/X\n\na/X\n", format="slashed")
    part = tg.parse("a/X\n\na/X\n", format="slashed")
    assert sentences_in(whole, part).tolist() == [0, 2]
    with pytest.raises(ExperimentError, match="not among the brackets: c"):
        sentences_in(whole, tg.parse("c/X\n", format="slashed"))
