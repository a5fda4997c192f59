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
from treegauge.dictionaries import (
    TagDictionary,
    form_frequencies,
    read_dictionary,
    write_dictionary,
)
from treegauge.papers.paper import Measurements, MisuseError, Workbench
from treegauge.papers.tagger_evaluation.dictionary_sources import (
    DictionarySources,
    frequency_files,
)
from treegauge.papers.tagger_evaluation.frames import (
    ANY_TAG,
    AS_TAGGERS,
    CROSS_LINGUAL,
    OWN,
    SUPERVISED,
    TRAINING,
    TRANSLATED,
)
from treegauge.papers.tagger_evaluation.measure import Bank, frequencies_of
from treegauge.papers.tagger_evaluation.paper import TaggerEvaluation, _complete
from treegauge.papers.tagger_evaluation.settings import PAPER_TAGGERS, TaggerEvaluationSettings
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
            treebanks=tuple(map(str, self.banks)),
            taggers=("most-frequent-tag",),
            cross_lingual=("none",),
            english_treebank=str(self.banks[0]),
            resamples=20,
            trials=20,
            draws=5,
            repetitions=1,
        )
        # Every third word of the text is missing, others are not in it; birds need no translation.
        self.files = {bank.name: folder / f"{bank.name}.tsv" for bank in self.banks}
        for bank in self.banks:
            every = toy_dictionary(LANGUAGES[bank.name])
            forms = dict.fromkeys(tg.read(bank / "test.conllu").form)
            kept = [form for i, form in enumerate(forms) if i % 3] + list(every)[::500]
            words = TagDictionary.from_mapping({form: every[form] for form in kept})
            write_dictionary(words, self.files[bank.name])
        pairs = "".join(f"{a}\t{b}\n" for a, b in toy_word_list("toy:svo", "toy:sov"))
        (folder / "pairs.tsv").write_text(pairs, encoding="utf-8")
        self.dictionaries = {
            "own": tuple(f"{name}={file}" for name, file in self.files.items()),
            "bilingual": (f"fish={folder / 'pairs.tsv'}",),
            "english": (str(self.files["birds"]),),
        }

    def measure(
        self, system_settings: Any = None, **changes: Any
    ) -> Measurements[TaggerEvaluationSettings]:
        bench = Workbench(
            Catalogue(),
            self.folder / "run",
            lambda experiment, folder, catalogue: run(
                experiment, folder, catalogue=catalogue, executor=self.executor
            ),
            system_settings or {},
        )
        settings = replace(self.settings, **{**self.dictionaries, **changes})
        return TaggerEvaluation().measure(settings, bench)


@pytest.fixture(scope="module")
def shared(tmp_path_factory) -> Place:
    return Place(tmp_path_factory.mktemp("taggers"), InProcess())


@pytest.fixture(scope="module")
def found(shared) -> Measurements[TaggerEvaluationSettings]:
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


def _scores(found, **where):
    return found.frames["scores"].filter(**where).to_dicts()


def test_scores_are_those_that_loops_give(shared, found):
    assert found.frames["treebanks"]["treebank"].to_list() == ["birds", "fish"]
    for bank in shared.banks:
        (row,) = _scores(found, treebank=bank.name, group=SUPERVISED, dictionary=OWN)
        true, soft = _scored_by_hand(bank, read_dictionary(shared.files[bank.name]))
        assert row["a_true"] == pytest.approx(true)
        assert row["score"] == pytest.approx(soft)
        uniform = _scores(found, treebank=bank.name, group=ANY_TAG, dictionary=OWN)
        confused = _scores(found, treebank=bank.name, group=AS_TAGGERS, dictionary=OWN)
        assert len(uniform) == len(confused) == 20
        assert uniform[-1]["a_true"] == 1
    assert not _scores(found, treebank="birds", group=SUPERVISED, dictionary=TRANSLATED)
    qualities = found.frames["qualities"].select("treebank", "dictionary").rows()
    assert {kind for name, kind in qualities if name == "birds"} == {OWN}
    assert {kind for name, kind in qualities if name == "fish"} == {OWN, TRANSLATED, "G_trans"}
    # The most frequent tag of a known word is one that it had in training.
    (over,) = found.frames["directions"].filter(dictionary=TRAINING)["over"]
    (fish,) = _scores(found, treebank="fish", group=SUPERVISED, dictionary=TRAINING)
    assert (over, fish["score"]) == (2, 1.0)


def test_a_run_goes_on_where_it_was_left(shared, found):
    jobs = len(shared.executor.jobs)
    again = shared.measure()
    assert len(shared.executor.jobs) == jobs
    paper = TaggerEvaluation()
    assert json.dumps(paper.to_dict(found)) == json.dumps(paper.to_dict(again))


def test_cross_lingual_taggers_learn_from_the_others(tmp_path, in_process):
    place = Place(tmp_path, in_process)
    quick = {"transfer": {"epochs": 1, "bits": 10}}
    found = place.measure(quick, cross_lingual=("transfer",))
    assert len(in_process.jobs) == 4
    (birds,) = _scores(found, treebank="birds", group=CROSS_LINGUAL, dictionary=OWN)
    (fish,) = _scores(found, treebank="fish", group=CROSS_LINGUAL, dictionary=TRANSLATED)
    assert birds["tagger"] == "transfer from fish"
    assert fish["tagger"] == "transfer from birds"
    assert birds["a_true"] < 0.9
    # One tagger a treebank is no ranking.
    assert CROSS_LINGUAL not in set(found.frames["rankings"]["group"])
    place.measure(quick, cross_lingual=("transfer",), sentences=3)
    # Other training data: nothing that was kept is taken for its result.
    assert len(in_process.jobs) == 8
    assert len(list((tmp_path / "run" / "sources").iterdir())) == 4


def test_treebanks_that_cannot_be_used_are_named(tmp_path, in_process):
    place = Place(tmp_path, in_process)
    only = {"own": (f"fish={place.files['fish']}",), "bilingual": (), "english": ()}
    found = place.measure(**only)
    assert found.frames["treebanks"]["treebank"].to_list() == ["fish"]
    assert found.notes == ("left out: birds, no dictionary of birds",)
    (place.banks[1] / "train.conllu").unlink()
    with pytest.raises(ExperimentError, match="fish: no train part"):
        place.measure(**only)


def test_a_tagger_that_learnt_the_dictionary_by_heart_is_not_scored(shared, found, monkeypatch):
    learnt = read_dictionary(shared.files["birds"]).fingerprint
    original = RunFolder.annotation

    def with_comment(self, key, part):
        text = tg.to_text(original(self, key, part))
        return tg.parse(f"# dictionary_fingerprint = {learnt}\n{text}", format="conllu")

    monkeypatch.setattr(RunFolder, "annotation", with_comment)
    again = shared.measure()
    assert again.frames["treebanks"]["treebank"].to_list() == ["fish"]
    (failure,) = again.failures
    assert failure.startswith("birds: most-frequent-tag was trained with birds")


def test_tables_figures_and_json(found):
    paper = TaggerEvaluation()
    titles = [table.title for table in paper.tables(found)]
    assert titles[0] == "Data"
    assert "Translated dictionaries" in titles
    made = json.loads(json.dumps(paper.to_dict(found)))
    assert made["settings"]["cross_lingual"] == []
    figures = {figure.name: figure for figure in paper.figures(found)}
    for name in ("figure-1", "figure-1-training-dictionary"):
        assert all(language in figures[name].to_svg() for language in LANGUAGES)
    assert figures["corruption"].to_svg().count("<title>") == 2 * 2 * 20


def test_the_paper_has_a_remark_on_every_figure_of_its_text():
    paper = TaggerEvaluation()
    verdicts = {remark["text"]: remark["published"] for remark in paper.remarks_dict()}
    assert len(verdicts) == len(paper.remarks) == 15
    known = [one["verdict"] for one in verdicts.values() if one is not None]
    assert (known.count("holds"), known.count("does not hold")) == (12, 1)


def test_the_papers_five_taggers_have_one_name(tmp_path, in_process):
    place = Place(tmp_path, in_process)
    named = replace(place.settings, taggers=("paper", "tnt", "perceptron"))
    complete = _complete(named, Catalogue(place.banks), DictionarySources())
    assert complete.taggers == (*PAPER_TAGGERS, "perceptron")
    assert len(PAPER_TAGGERS) == 5


def test_frequencies_come_from_raw_text_of_a_language(tmp_path, in_process):
    place = Place(tmp_path, in_process)
    text = tmp_path / "raw.conllu"
    tg.write(tg.read(place.banks[0] / "test.conllu"), text)
    settings = replace(place.settings, frequencies=(f"{place.banks[0].name}={text},{text}",))
    bench = Workbench(Catalogue(place.banks), tmp_path, run, {})
    entries = bench.catalogue.entries
    banks = [
        Bank(entry, entry.read("train"), entry.read("test"))
        for entry in sorted(entries, key=lambda one: one.name)
    ]
    files = frequency_files(settings)
    of_text, of_train = (frequencies_of(bank, files, bench) for bank in banks)
    once = form_frequencies(tg.read(text))
    assert dict(of_text) == {form: 2 * n for form, n in once.items()}
    assert of_train == form_frequencies(banks[1].train)
    with pytest.raises(MisuseError, match="--frequencies: expected TREEBANK=FILE"):
        frequency_files(replace(settings, frequencies=("raw.txt",)))
