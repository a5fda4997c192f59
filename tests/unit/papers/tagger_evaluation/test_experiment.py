"""Taggers and dictionaries as a whole, on treebanks of a few sentences."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import treegauge as tg
from tests.unit.conftest import InProcess
from tests.unit.runs.small_banks import write_bank
from treegauge.catalogue import Catalogue
from treegauge.dictionaries import TagDictionary, read_dictionary, write_dictionary
from treegauge.papers.tagger_evaluation.dictionary_sources import DictionaryFiles
from treegauge.papers.tagger_evaluation.experiment import (
    ANY_TAG,
    AS_TAGGERS,
    CROSS_LINGUAL,
    GOLD,
    SUPERVISED,
    TRANS,
    D,
    TaggerEvaluation,
    TaggerEvaluationSettings,
    measure_taggers,
)
from treegauge.papers.tagger_evaluation.statistics import (
    directions,
    document,
    group_rankings,
)
from treegauge.papers.tagger_evaluation.tables import (
    corruption_figure,
    size_figure,
    tagger_evaluation_tables,
)
from treegauge.runs.errors import ExperimentError
from treegauge.runs.run_folder import RunFolder
from treegauge.runs.runner import run
from treegauge.toys import toy_dictionary, toy_word_list
from treegauge.treebank import UD_TO_PETROV

pytestmark = pytest.mark.long

LANGUAGES = {"birds": "toy:svo", "fish": "toy:sov"}


class Place:
    """A folder with treebanks, dictionaries and runs."""

    def __init__(self, folder: Path, executor: InProcess) -> None:
        self.folder, self.executor = folder, executor
        self.banks = [write_bank(folder / name, of) for name, of in LANGUAGES.items()]
        self.settings = TaggerEvaluationSettings(
            taggers=("most-frequent-tag",),
            english_treebank=str(self.banks[0]),
            resamples=20,
            trials=20,
            draws=5,
            repetitions=1,
        )
        # Every third word of the text is missing, others are not in it; birds need no translation.
        files = {}
        for bank in self.banks:
            every = toy_dictionary(LANGUAGES[bank.name])
            forms = dict.fromkeys(tg.read(bank / "test.conllu").form)
            kept = [form for i, form in enumerate(forms) if i % 3] + list(every)[::500]
            words = TagDictionary.from_mapping({form: every[form] for form in kept})
            files[bank.name] = (folder / f"{bank.name}.tsv",)
            write_dictionary(words, files[bank.name][0])
        pairs = "".join(f"{a}\t{b}\n" for a, b in toy_word_list("toy:svo", "toy:sov"))
        (folder / "pairs.tsv").write_text(pairs, encoding="utf-8")
        self.dictionaries = DictionaryFiles(
            files, {"fish": (folder / "pairs.tsv",)}, files["birds"]
        )

    def measure(self, sources: DictionaryFiles | None = None, **changes: Any) -> TaggerEvaluation:
        return measure_taggers(
            list(map(str, self.banks)),
            self.folder / "run",
            lambda experiment, folder, catalogue: run(
                experiment, folder, catalogue=catalogue, executor=self.executor
            ),
            catalogue=Catalogue(),
            dictionaries=sources or self.dictionaries,
            settings=replace(self.settings, **changes),
        )


@pytest.fixture(scope="module")
def shared(tmp_path_factory) -> Place:
    return Place(tmp_path_factory.mktemp("taggers"), InProcess())


@pytest.fixture(scope="module")
def found(shared) -> TaggerEvaluation:
    return shared.measure()


def _scored_by_hand(bank, dictionary):
    """A_true and A_soft of the most frequent tags, with loops and mappings only."""
    seen: dict[str, dict[str, int]] = {}
    for word, tag in _words(bank / "train.conllu"):
        counts = seen.setdefault(word, {})
        counts[tag] = counts.get(tag, 0) + 1
    once: dict[str, int] = {}
    for counts in seen.values():
        if sum(counts.values()) == 1:
            (tag,) = counts
            once[tag] = once.get(tag, 0) + 1
    unknown = min(once, key=lambda tag: (-once[tag], tag))
    right = covered = accepted = n = 0
    for word, tag in _words(bank / "test.conllu"):
        counts = seen.get(word)
        said = unknown if counts is None else min(counts, key=lambda t: (-counts[t], t))
        n += 1
        right += said == tag
        covered += word in dictionary
        accepted += said in dictionary[word]
    return right / n, accepted / covered


def _words(path):
    treebank = tg.read(path)
    return [(w, UD_TO_PETROV[t]) for w, t in zip(treebank.form, treebank.upos, strict=True)]


def test_scores_are_those_that_loops_give(shared, found):
    assert [one.name for one in found.treebanks] == ["birds", "fish"]
    for bank, one in zip(shared.banks, found.treebanks, strict=True):
        (record,) = one.records[SUPERVISED, D]
        (file,) = shared.dictionaries.dictionaries[one.name]
        true, soft = _scored_by_hand(bank, read_dictionary(file))
        assert record.gold.accuracy == pytest.approx(true)
        assert record.soft.value == pytest.approx(soft)
        assert len(one.records[ANY_TAG, D]) == len(one.records[AS_TAGGERS, D]) == 20
        assert one.records[ANY_TAG, D][-1].gold.accuracy == 1
    birds, fish = found.treebanks
    assert (SUPERVISED, TRANS) not in birds.records
    assert set(birds.quality) == {D}
    assert set(fish.quality) == {D, TRANS, "G_trans"}
    # The most frequent tag of a known word is one that it had in training.
    over = {one.dictionary: one for one in directions(found)}[GOLD]
    assert (over.over, fish.records[SUPERVISED, GOLD][0].soft.value) == (2, 1.0)


def test_a_run_goes_on_where_it_was_left(shared, found):
    jobs = len(shared.executor.jobs)
    again = shared.measure()
    assert len(shared.executor.jobs) == jobs
    assert json.dumps(document(found)) == json.dumps(document(again))


def test_cross_lingual_taggers_learn_from_the_others(tmp_path, in_process):
    place = Place(tmp_path, in_process)
    quick = {
        "cross_lingual": ("transfer",),
        "system_settings": {"transfer": {"epochs": 1, "bits": 10}},
    }
    found = place.measure(**quick)
    assert len(in_process.jobs) == 4
    birds, fish = found.treebanks
    assert [one.tagger for one in birds.records[CROSS_LINGUAL, D]] == ["transfer from fish"]
    assert [one.tagger for one in fish.records[CROSS_LINGUAL, TRANS]] == ["transfer from birds"]
    assert birds.records[CROSS_LINGUAL, D][0].gold.accuracy < 0.9
    # One tagger a treebank is no ranking.
    assert CROSS_LINGUAL not in {one.group for one in group_rankings(found)}
    place.measure(**quick, most_sentences=3)
    # Other training data: nothing that was kept is taken for its result.
    assert len(in_process.jobs) == 8
    assert len(list((tmp_path / "run" / "sources").iterdir())) == 4


def test_treebanks_that_cannot_be_used_are_named(tmp_path, in_process):
    place = Place(tmp_path, in_process)
    only = DictionaryFiles({"fish": place.dictionaries.dictionaries["fish"]})
    found = place.measure(only)
    assert [one.name for one in found.treebanks] == ["fish"]
    assert found.left_out == {"birds": "no dictionary of birds"}
    (place.banks[1] / "train.conllu").unlink()
    with pytest.raises(ExperimentError, match="fish: no train part"):
        place.measure(only)


def test_a_tagger_that_learnt_the_dictionary_by_heart_is_not_scored(shared, found, monkeypatch):
    learnt = found.treebanks[0].records[SUPERVISED, D][0].conditions.dictionary_hash
    original = RunFolder.annotation

    def with_comment(self, key, part):
        text = tg.to_text(original(self, key, part))
        return tg.parse(f"# dictionary_fingerprint = {learnt}\n{text}", format="conllu")

    monkeypatch.setattr(RunFolder, "annotation", with_comment)
    again = shared.measure()
    assert [one.name for one in again.treebanks] == ["fish"]
    (failure,) = again.failures
    assert failure.startswith("birds: most-frequent-tag was trained with birds")


def test_tables_figures_and_json(found):
    titles = [table.title for table in tagger_evaluation_tables(found)]
    assert titles[0] == "Data"
    assert "Translated dictionaries" in titles
    json.dumps(document(found))
    for kind in (D, GOLD):
        assert {value["tagger"] for value in _drawn(size_figure(found, kind))} == set(LANGUAGES)
    assert len(_drawn(corruption_figure(found))) == 2 * 2 * 20


def _drawn(figure):
    (values,) = figure.to_dict()["datasets"].values()
    return values
