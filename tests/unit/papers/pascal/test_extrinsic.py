"""Induced classes as features of a tagger, and as tags of a parser."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from tests.in_process import cells_in_process
from tests.unit.runs.small_banks import write_bank
from treegauge.catalogue import Catalogue
from treegauge.formats import Findings
from treegauge.papers.pascal.extrinsic import (
    ExtrinsicSettings,
    ambiguous,
    measure_uses,
    most_frequent,
    shuffled,
    suffix_classes,
)
from treegauge.papers.pascal.extrinsic_statistics import CURVE, PARSING, tagging_task
from treegauge.papers.pascal.extrinsic_tables import extrinsic_tables
from treegauge.runs import ExperimentError, run
from treegauge.runs.run_folder import RunFolder
from treegauge.systems import SystemsError

SMALL = ExtrinsicSettings(
    inducers=("brown",),
    classes=5,
    sentences=(2, 4),
    draws=2,
    tagger_settings={"iterations": 5},
    parser_settings={"epochs": 1},
    trials=50,
)


def run_it(experiment, folder, catalogue):
    with cells_in_process():
        return run(experiment, folder, catalogue=catalogue)


# ---------------------------------------------------------------------- classes of words


@given(st.dictionaries(st.text(max_size=3), st.sampled_from("abc"), max_size=20), st.integers(0, 9))
@examples(40)
def test_shuffled_classes_have_the_same_sizes(classes, seed):
    found = shuffled(classes, seed)
    assert found.keys() == classes.keys()
    assert Counter(found.values()) == Counter(classes.values())


words = st.text(st.sampled_from("ab"), min_size=1, max_size=5)


def test_suffix_classes_worked_by_hand():
    # Two characters in common are too few; a short word ends in itself.
    found = suffix_classes(["king", "sing", "song", "ing", "ng"])
    assert found == {"king": "0", "sing": "0", "song": "1", "ing": "0", "ng": "2"}


@given(st.lists(words, max_size=20))
@examples(40)
def test_words_share_a_suffix_class_if_they_end_alike(forms):
    found = suffix_classes(forms)
    assert found.keys() == set(forms)
    for one in forms:
        for other in forms:
            assert (found[one] == found[other]) == (one[-3:] == other[-3:])


@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("XYZ")), max_size=30),
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from("XYZ")),
)
@examples(40)
def test_no_tags_of_words_are_better_than_the_most_frequent_ones(tokens, others):
    best = most_frequent((form for form, _ in tokens), (tag for _, tag in tokens))
    assert sum(best[form] == tag for form, tag in tokens) >= sum(
        others.get(form) == tag for form, tag in tokens
    )


def test_ambiguity_is_that_of_all_parts():
    train = tg.parse("the/DET walk/NOUN\n", format="slashed")
    test = tg.parse("they/PRON walk/VERB the/DET dog/NOUN\n", format="slashed")
    assert ambiguous(test, [train, test]).tolist() == [False, True, False, False]
    assert not ambiguous(test, [test]).any()


def test_lines_cannot_be_in_a_file_of_classes():
    assert most_frequent(["a\tb", "", "c"], ["X", "Y", "Z"]) == {"c": "Z"}


# ---------------------------------------------------------------------- what cannot be asked


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"inducers": ("bronw",)}, SystemsError, "bronw"),
        ({"inducers": ("dmv",)}, ExperimentError, "dmv annotates dependencies"),
        ({"inducers": ()}, ExperimentError, "an inducer"),
        ({"draws": 0}, ExperimentError, "a draw"),
        ({"sentences": (0,)}, ExperimentError, "at least one sentence"),
        ({"sentences": (10_000,)}, ExperimentError, "10000 were asked for"),
    ],
)
def test_what_cannot_be_measured(tmp_path, settings, error, message):
    bank = write_bank(tmp_path / "birds")
    with pytest.raises(error, match=message):
        measure_uses(
            [str(bank)],
            tmp_path / "run",
            run_it,
            catalogue=Catalogue(),
            settings=ExtrinsicSettings(**settings),
        )


def test_a_test_part_is_needed(tmp_path):
    bank = write_bank(tmp_path / "birds")
    (bank / "test.conllu").unlink()
    with pytest.raises(ExperimentError, match="birds: a train and a test part"):
        measure_uses([str(bank)], tmp_path / "run", run_it, catalogue=Catalogue())


# ---------------------------------------------------------------------- the runs


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    pytest.importorskip("pycrfsuite")
    folder = tmp_path_factory.mktemp("extrinsic")
    banks = [write_bank(folder / name, f"toy:{name}") for name in ("svo", "sov")]
    told = []
    found = measure_uses(
        [str(bank) for bank in banks],
        folder / "run",
        run_it,
        catalogue=Catalogue(),
        settings=SMALL,
        on_estimate=told.append,
    )
    return folder / "run", found, told


@pytest.mark.long
def test_classes_are_used_as_features_and_as_tags(measured):
    _, found, _ = measured
    assert not found.failures
    controls = ["random classes", "suffix classes", "gold classes"]
    assert list(found.kinds) == ["no classes", "brown", *controls, "gold tags"]
    assert len(found.rows) == 2 * len(found.kinds)
    for row in found.rows:
        # Everybody parses; who tags with gold tags has nothing to do.
        assert row.parsing is not None
        assert set(row.tagging) == (set() if row.classes == "gold tags" else {2, 4})
        assert bool(row.metrics) == (row.classes in ("brown", *controls))
    json.dumps(found.to_dict())


@pytest.mark.long
def test_counts_are_those_that_the_runner_scored(measured):
    place, found, _ = measured
    table = run_scores(place / "svo" / "tagging")
    for (classes, size), values in table.items():
        task = found.tasks("svo")[tagging_task(size)][classes]
        assert len(values) == SMALL.draws
        assert task.value == pytest.approx(np.mean(values))
    assert len(table) == 5 * 2


def run_scores(place):
    import polars as pl

    found = {}
    table = pl.read_parquet(RunFolder(place).results)
    for system, treebank, value in table.select("system", "treebank", "value").iter_rows():
        found.setdefault((system, int(treebank.partition("-")[0])), []).append(value)
    return found


@pytest.mark.long
def test_the_parser_sees_words_and_classes_only(measured):
    place, _, _ = measured
    gold = tg.read(place.parent / "svo" / "test.conllu")
    for name in ("no-classes", "brown", "suffix-classes", "gold-classes", "gold-tags"):
        seen = tg.read(place / "svo" / "parsed" / name / "test.conllu", findings=Findings())
        assert list(seen.form) == list(gold.form)
        assert not any(seen.columns[c].is_annotated for c in ("lemma", "xpos", "feats"))
        assert (list(seen.upos) == list(gold.upos)) == (name == "gold-tags")
        if name == "no-classes":
            assert len(set(seen.upos)) == 1


@pytest.mark.long
def test_only_classes_of_a_tree_are_bit_strings(measured):
    place, _, _ = measured
    classes = {
        name: {line.split("\t")[0] for line in path.read_text(encoding="utf-8").splitlines()}
        for name in ("brown", "random-classes", "suffix-classes", "gold-classes")
        for path in (place / "svo").glob(f"{name}-*.tsv")
    }
    are_bits = {name: all(not set(one) - set("01") for one in own) for name, own in classes.items()}
    assert [name for name, are in are_bits.items() if are] == ["brown"]
    assert len(are_bits) == 4


@pytest.mark.long
def test_labelled_sentences_are_nested(measured):
    place, _, _ = measured
    for draw in range(SMALL.draws):
        few, many = (
            tg.read(place / "svo" / "labelled" / f"{size}-{draw}" / "train.conllu").sentence_ids
            for size in SMALL.sentences
        )
        assert (len(few), len(many)) == (2, 4)
        assert set(few) <= set(many)


@pytest.mark.long
def test_the_estimate_counts_all_cells(measured):
    place, _, told = measured
    (estimate,) = told
    cells = list(place.glob("*/*/cells/*/cell.json"))
    # Cells that depend on the same things are one: what differs is in the plan.
    planned = sum(len(RunFolder(p.parent).planned) for p in place.glob("*/*/plan.json"))
    assert (estimate.treebanks, estimate.cells) == (2, planned)
    assert 0 < len(cells) <= planned
    assert estimate.seconds > 0


@pytest.mark.long
def test_tables_of_uses(measured):
    _, found, _ = measured
    values, kinds_of_words, agreement = extrinsic_tables(found)
    assert [row[0] for i, row in enumerate(values.rows) if i in values.headings] == [
        *("svo", "sov", "average")
    ]
    assert len(values.rows) == 3 * (1 + len(found.kinds))
    assert len(kinds_of_words.rows) == len(found.kinds) - 1
    assert "too few" in agreement.notes[-1]
    value, gain = (
        found.tasks("average")[PARSING]["brown"].value,
        found.gains["average", PARSING, "brown"],
    )
    shown = next(row for row in reversed(values.rows) if row[0] == "brown")[-1]
    star = "*" if gain.is_significant else ""
    assert shown == f"{100 * value:.1f} ({100 * gain.difference:+.1f}{star})"
    assert found.gains["average", CURVE, "brown"].p <= 1


@pytest.mark.long
def test_sizes_that_a_treebank_does_not_have_are_left_out(tmp_path):
    pytest.importorskip("pycrfsuite")
    bank = write_bank(tmp_path / "birds")
    settings = ExtrinsicSettings(
        inducers=("brown",),
        classes=3,
        sentences=(2, 9999),
        draws=1,
        tagger_settings={"iterations": 1},
        parser_settings={"epochs": 1},
        trials=10,
    )
    found = measure_uses(
        [str(bank)], tmp_path / "run", run_it, catalogue=Catalogue(), settings=settings
    )
    assert found.sizes == (2,)
    assert "fewer than 9999" in found.notes[0]
