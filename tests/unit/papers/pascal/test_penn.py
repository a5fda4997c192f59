"""The Penn part of the challenge: the sample as it was there, and its tables."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import treegauge as tg
from tests.in_process import cells_in_process
from tests.penn_sample import UNIVERSAL, write_penn
from tests.unit.runs.small_banks import write_bank
from treegauge.catalogue import Catalogue
from treegauge.formats import FormatError
from treegauge.papers.mapped_tags import with_mapped_tags
from treegauge.papers.paper import MisuseError, Workbench
from treegauge.papers.pascal.measure import measure, plan, read_challenge
from treegauge.papers.pascal.paper import Pascal
from treegauge.papers.pascal.penn import PENN, penn_parts, penn_sample
from treegauge.papers.pascal.penn_tables import (
    length_figures,
    length_tables,
    reference_tables,
    relation_tables,
)
from treegauge.papers.pascal.references import BEST, PENN_OPTIONS
from treegauge.papers.pascal.settings import PascalSettings
from treegauge.papers.pascal.tables import treebank_table
from treegauge.results.published import SYSTEMS, published_scores
from treegauge.runs import ExperimentError, run
from treegauge.strata import TABLE6_ORDER
from treegauge.toys import toy_parts
from treegauge.treebank import Column

# Treebanks of these tests are small, and some systems say so.
pytestmark = [
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore:.* sentences to learn from; with fewer"),
]

PENN_TAGS = """
CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH VB VBD
VBG VBN VBP VBZ WDT WP WP$ WRB # $ '' -LRB- -RRB- , . : ``
"""


@pytest.fixture(scope="session")
def data(tmp_path_factory) -> Path:
    """A folder with a treebank that looks like the sample, and a tag map."""
    return write_penn(tmp_path_factory.mktemp("data"))


# ---------------------------------------------------------------------- the sample


def test_coarse_tags_are_as_many_as_in_table_1():
    """Table 1 has 31 coarse tags and 45 fine ones on the Penn Treebank."""
    tags = PENN_TAGS.split()
    assert (len(tags), len({tag[:2] for tag in tags})) == (45, 31)


def test_the_sample_gets_the_tags_and_the_gold_of_the_challenge(data):
    entry = penn_sample(Catalogue([data]))
    parts = penn_parts(entry, UNIVERSAL)
    given = {part: entry.read(part, findings=[]) for part in ("train", "test")}
    assert {part: own.n_sentences for part, own in parts.items()} == {
        "train": 54,
        "dev": 6,
        "test": 30,
    }
    test = parts["test"]
    assert list(test.form) == list(given["test"].form)
    assert list(test.cpos) == [tag[:2] for tag in test.xpos] != list(test.xpos)
    assert list(test.upos) == [UNIVERSAL[tag] for tag in test.xpos]
    assert {"SBJ", "NMOD", "OBJ", "ROOT"} <= set(test.deprel)
    assert test.head.tolist() != given["test"].head.tolist()
    # Every tenth sentence is dev, and all that was there is still there.
    words = sentences(given["train"])
    assert sentences(parts["dev"]) == words[9::10]
    assert sentences(parts["train"]) == [one for i, one in enumerate(words) if i % 10 != 9]


def sentences(treebank):
    return [[word.form for word in sentence] for sentence in treebank]


def test_a_dev_part_that_is_there_is_kept(data, tmp_path):
    (tmp_path / PENN).mkdir()
    for file in (data / PENN).iterdir():
        (tmp_path / PENN / file.name).write_bytes(file.read_bytes())
    whole = tg.read(data / PENN / "train.conllx")
    tg.write(whole[:50], tmp_path / PENN / "train.conllx")
    tg.write(whole[50:], tmp_path / PENN / "dev.conllx")
    parts = penn_parts(penn_sample(Catalogue([tmp_path])))
    assert [parts[part].n_sentences for part in ("train", "dev", "test")] == [50, 10, 30]
    assert not parts["test"].upos.is_annotated


def test_a_tag_that_the_map_lacks_is_x(data):
    entry = penn_sample(Catalogue([data]))
    poor = {tag: universal for tag, universal in UNIVERSAL.items() if tag != "VBD"}
    parts = penn_parts(entry, poor).values()
    pairs = [pair for part in parts for pair in zip(part.xpos, part.upos, strict=True)]
    tags = Counter(pairs)
    assert {tag: n for (fine, tag), n in tags.items() if fine == "VBD"} == {"X": 90}


def test_a_poor_map_is_refused_before_anything_runs(data, tmp_path):
    (tmp_path / "poor.map").write_text("DT\tDET\n", encoding="utf-8")
    bank = write_bank(tmp_path / "svo", "toy:svo")
    settings = PascalSettings(treebanks=(str(bank),), tag_map=str(tmp_path / "poor.map"))
    with pytest.raises(FormatError, match="no universal tag for NNS"):
        measure(settings, Workbench(Catalogue([data]), tmp_path / "run", _nothing_runs))


def test_a_map_of_another_treebank_is_not_for_the_sample(data, tmp_path):
    place = tmp_path / "eu"
    place.mkdir()
    tags = Column.from_strings(
        [f"tag{tag}" for tag in toy_parts("toy:svo", tokens=200)["test"].upos]
    )
    bank = toy_parts("toy:svo", tokens=200)["test"].replace(columns={"cpos": tags, "xpos": tags})
    for part in ("train", "test"):
        tg.write(bank, place / f"{part}.conllx")
    names = "".join(f"{tag}\tX\n" for tag in set(tags))
    (tmp_path / "eu.map").write_text(names, encoding="utf-8")
    catalogue, treebanks = with_mapped_tags(
        Catalogue([data]), [str(place)], str(tmp_path / "eu.map"), lambda _: None
    )
    settings = PascalSettings(treebanks=treebanks, tag_map=str(tmp_path / "eu.map"))
    began = []

    def note(experiment, folder, _):
        began.append({choice.label for choice in experiment.systems})
        raise InterruptedError

    with pytest.raises(InterruptedError):
        measure(settings, Workbench(catalogue, tmp_path / "run", note))
    assert "udp" in began[0]
    (penn,) = Catalogue([tmp_path / "run" / "penn" / "treebanks" / PENN]).entries
    assert not penn.read("test").upos.is_annotated


def _nothing_runs(*_):
    pytest.fail("a run began")


def test_without_brackets_there_is_no_sample(data, tmp_path):
    assert penn_sample(Catalogue([tmp_path])) is None
    (tmp_path / PENN).mkdir()
    for part in ("train.conllx", "test.conllx"):
        (tmp_path / PENN / part).write_bytes((data / PENN / part).read_bytes())
    assert penn_sample(Catalogue([tmp_path])) is None


# ---------------------------------------------------------------------- which systems


def test_every_system_of_the_paper_that_there_is_runs_on_the_sample():
    made = plan(PascalSettings(systems="all", tag_map="penn.map"), "penn.toml")
    told = {choice.label: dict(choice.settings) for choice in made.systems}
    assert [told[f"dmv ({letter})"] for letter in "cpu"] == [{"tags": t} for t in ("c", "p", "u12")]
    assert {"soegaard-pagerank", "soegaard-rules", "harmonic", "unambiguity (p), tuned"} <= set(
        told
    )
    for choice in made.systems:
        choice.make()


def test_what_needs_universal_tags_waits_for_a_tag_map():
    labels = {one.label for one in plan(PascalSettings(systems="all"), "penn.toml").systems}
    assert {"dmv (c)", "dmv (p)", "viterbi-dmv (p)", "random"} <= labels
    assert not {"dmv (u)", "harmonic", "soegaard-rules", "soegaard-pagerank", "udp"} & labels


def test_a_tag_map_without_the_sample_is_refused(data, tmp_path):
    bank = write_bank(tmp_path / "svo", "toy:svo")
    settings = PascalSettings(treebanks=(str(bank),), tag_map=str(data / "penn.map"))
    with pytest.raises(MisuseError, match="--tag-map is for en_wsj_sample and its brackets"):
        Pascal().check(settings, Workbench(Catalogue(), tmp_path / "run", run))
    with_data = Workbench(Catalogue([data]), tmp_path / "run", run)
    Pascal().check(settings, with_data)
    with pytest.raises(FormatError, match=r"nothing\.map"):
        Pascal().check(replace(settings, tag_map=str(tmp_path / "nothing.map")), with_data)


def test_toy_languages_need_no_tag_map():
    with pytest.raises(MisuseError, match="which --small does without"):
        Pascal().small(PascalSettings(tag_map="penn.map"))


def test_the_sample_can_be_shown_where_it_is(data, tmp_path):
    bank = write_bank(tmp_path / "svo", "toy:svo")
    settings = PascalSettings(treebanks=(str(bank),), show=PENN)
    Pascal().check(settings, Workbench(Catalogue([data]), tmp_path / "run", run))
    with pytest.raises(
        ExperimentError, match=r"not a treebank .*: svo; its folder needs its brack"
    ):
        Pascal().check(settings, Workbench(Catalogue(), tmp_path / "run", run))


# ---------------------------------------------------------------------- tables


@pytest.fixture(scope="session")
def on_the_sample(data, tmp_path_factory):
    """A run with the sample: baselines, DMV over three kinds of tags, two of the entries."""
    home = tmp_path_factory.mktemp("with-penn")
    bank = write_bank(home / "svo", "toy:svo")
    workbench = Workbench(
        Catalogue([data]),
        home / "run",
        lambda experiment, folder, catalogue: run(experiment, folder, catalogue=catalogue),
    )
    settings = PascalSettings(
        treebanks=(str(bank),),
        resamples=0,
        seeds=2,
        tag_map=str(data / "penn.map"),
        skip=(
            "brown*",
            "mkcls*",
            "predictive*",
            "unamb*",
            "viterbi*",
            "*over*",
            "udp",
            "univ*",
            "h*",
            "reducib*",
            "ccg*",
            "frequent*",
        ),
    )
    with cells_in_process():
        return measure(settings, workbench), workbench


def cells_of(table, label):
    (row,) = (row for row in table.rows if row.cells[0].value == label)
    return [cell.value for cell in row.cells[1:]]


def test_table_5_has_a_row_for_every_system_of_the_paper(on_the_sample):
    measured, _ = on_the_sample
    assert not measured.failures
    styles, table = reference_tables(measured)
    assert "annotation styles" in styles.title
    assert [column.title for column in table.columns] == ["system", *PENN_OPTIONS, BEST]
    printed = published_scores().filter((pl.col("table") == 5) & (pl.col("reference") == BEST))
    for column, value in printed.select("system", "value").iter_rows():
        assert cells_of(table, f"{column}, published")[-1] == value
    labels = [row.cells[0].value for row in table.rows]
    for ours, theirs in (("dmv (c)", "DMVc"), ("dmv (u)", "DMVu"), ("soegaard-rules", "S2")):
        assert labels.index(ours) + 1 == labels.index(f"{theirs}, published")
        assert None not in cells_of(table, ours)
    # What was left out, or is not there, says so and has no numbers.
    assert cells_of(table, "Tu, not run") == cells_of(table, "H, not run") == [None] * 6
    assert "random" in labels
    assert dict(table.grouped()).keys() == {"unsupervised", "universal rules", "dev-tuned"}
    assert "BC, published" in table.to_text(width=120)
    printed_as_data = [row.cells[2].value for row in table.data.rows]
    assert (printed_as_data.count("BC"), printed_as_data.count(None)) == (6, 9 * 6)


def test_gold_of_the_run_is_the_standard_reference(on_the_sample):
    measured, _ = on_the_sample
    references = measured.frames["references"].filter(pl.col("reference") == "standard")
    against = dict(references.select("system", "value").iter_rows())
    overall = measured.frames["penn"].filter((pl.col("metric") == "uas") & (pl.col("by") == ""))
    means = overall.group_by("system").agg(pl.col("value").mean())
    assert against == pytest.approx(dict(means.iter_rows()))
    assert len(against) == 9


def test_currency_is_punctuation_as_in_the_challenge(on_the_sample):
    """By the map of Petrov et al.; by its form `$` would be a word."""
    measured, workbench = on_the_sample
    (words,) = set(
        measured.frames["penn"].filter((pl.col("metric") == "uas") & (pl.col("by") == ""))["n"]
    )
    test = penn_parts(penn_sample(workbench.catalogue), UNIVERSAL)["test"]
    assert words == sum(tag not in (".", "$") for tag in test.xpos)
    assert "$" in set(test.xpos)


def test_table_6_and_figure_1_are_those_of_the_sample_too(on_the_sample):
    measured, _ = on_the_sample
    own, table = relation_tables(measured)
    assert own.title.endswith("table6, svo")
    assert table.title == "Table 6: UAS on en_wsj_sample by relation, against lth standard"
    assert [column.title for column in table.columns[1:]] == list(TABLE6_ORDER)
    strata = measured.frames["penn"].filter(
        (pl.col("by") == "table6") & (pl.col("metric") == "uas")
    )
    (root,) = strata.filter((pl.col("system") == "left-branching") & (pl.col("stratum") == "ROOT"))[
        "value"
    ]
    assert cells_of(table, "left-branching")[0] == root
    assert cells_of(table, "MZp, published")[0] == 0.678
    assert cells_of(table, "MZp, not run") == [None] * 7
    assert [figure.name for figure in length_figures(measured)] == [
        "figure-1-svo",
        f"figure-1-{PENN}",
    ]
    assert [one.title.rpartition(", ")[2] for one in length_tables(measured)] == ["svo", PENN]
    test_rows = [row.cells for row in treebank_table(measured).rows if row.group == "test data"]
    assert [cells[0].value for cells in test_rows] == ["svo", PENN]


def test_remarks_on_table_6_are_checked_on_the_sample(on_the_sample):
    measured, _ = on_the_sample
    scores = measured.frames["scores"].filter(pl.col("table") == 6)
    assert set(scores["test_set"]) == {"en-ptb"}
    assert set(scores["metric"]) == {"uas"}
    assert scores.group_by("system", "relation").len()["len"].max() == 1


def test_without_a_tag_map_a_note_says_what_is_missing(data, tmp_path):
    bank = write_bank(tmp_path / "svo", "toy:svo")
    workbench = Workbench(
        Catalogue([data]),
        tmp_path / "run",
        lambda experiment, folder, catalogue: run(experiment, folder, catalogue=catalogue),
    )
    skip = tuple(f"{letter}*" for letter in "bdfhmpsuv")
    settings = PascalSettings(treebanks=(str(bank),), resamples=0, skip=(*skip, "r[ei]*"))
    with cells_in_process():
        made = measure(settings, workbench)
    (note,) = made.notes
    assert "has no universal tags" in note
    table = reference_tables(made)[-1]
    assert cells_of(table, "DMVu, not run") == [None] * 6
    assert None not in cells_of(table, "left-branching")


def test_the_sample_alone_can_be_shown(on_the_sample):
    measured, workbench = on_the_sample
    settings = replace(measured.settings, show=PENN)
    shown = read_challenge(settings, workbench.folder, workbench.catalogue)
    assert [one.title.partition(" on ")[2][:13] for one in reference_tables(shown)] == [PENN]
    assert [one.title[:12] for one in relation_tables(shown)] == ["Table 6: UAS"]
    assert [figure.name for figure in length_figures(shown)] == [f"figure-1-{PENN}"]


def test_a_run_on_the_sample_that_has_not_ended_is_left_aside(on_the_sample, tmp_path):
    measured, workbench = on_the_sample
    shutil.copytree(workbench.folder, tmp_path / "run")
    (tmp_path / "run" / "penn" / "results.parquet").unlink()
    made = read_challenge(measured.settings, tmp_path / "run", workbench.catalogue)
    assert "penn" not in made.frames
    assert relation_tables(made)[-1].title.startswith("Table 6 as published")


def test_json_has_no_long_table_of_the_sample(on_the_sample):
    measured, _ = on_the_sample
    frames = Pascal().to_dict(measured)["frames"]
    assert set(frames) == {"treebanks", "penn_treebank", "references", "generalised", "scores"}


# ---------------------------------------------------------------------- rows are data


def test_a_system_has_its_row_by_one_line_in_the_plan():
    """The paper's entries that are not written yet have their place already."""
    methods = {one.name: one.method for one in SYSTEMS["dependencies"]}
    assert (methods["BC"], methods["BH"], methods["MZ"]) == ("tsg-dmv", "ccg", "reducibility")
