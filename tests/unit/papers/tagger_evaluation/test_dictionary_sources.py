"""Which file is the dictionary of which language."""

from __future__ import annotations

import json

import pytest

from treegauge.papers.paper import MisuseError
from treegauge.papers.tagger_evaluation.dictionary_sources import (
    DictionarySources,
    ToyDictionaries,
    find_dictionaries,
)
from treegauge.papers.tagger_evaluation.settings import TaggerEvaluationSettings
from treegauge.runs.errors import ExperimentError

FILES = {
    "wiktionary/da.tsv": "hund\tNOUN\n",
    "apertium/da.tsv": "løber\tVERB\n",
    "apertium/sl.tsv": "pes\tNOUN\n",
    "unimorph/sl.tsv": "pes\tVERB\nteče\tVERB\n",
    "apertium/en.tsv": "dog\tNOUN\n",
    "wordnet/en.tsv": "dog\tVERB\nrun\tVERB\n",
    "bilingual/eng-da.tsv": "dog\thund\n",
    "bilingual/eng-da.other.tsv": "run\tløbe\n",
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    manifest = {
        "pos": [
            {"file": name, "language": name.split("/")[1].partition(".")[0], "words": 1}
            for name in FILES
            if not name.startswith("bilingual")
        ],
        "bilingual": [
            {"file": name, "language": "da"} for name in FILES if name.startswith("bilingual")
        ],
    }
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return tmp_path


def test_the_papers_own_dictionary_is_alone_and_others_are_united(folder):
    found = DictionarySources.from_folder(folder)
    assert dict(found.dictionary("da_ddt", "da").items()) == {"hund": ("NOUN",)}
    slovenian = found.dictionary("sl_ssj", "sl")
    assert dict(slovenian.items()) == {"pes": ("NOUN", "VERB"), "teče": ("VERB",)}
    assert slovenian.name == "apertium/sl+unimorph/sl"
    assert dict(found.english.items()) == {"dog": ("NOUN", "VERB"), "run": ("VERB",)}
    assert [tuple(pair[:2]) for pair in found.word_list("da_ddt", "da")] == [
        ("dog", "hund"),
        ("run", "løbe"),
    ]
    assert found.word_list("sl_ssj", "sl") is None
    assert not found.has_dictionary("ta_ttb", "ta")


def test_folders_can_be_chosen(folder):
    found = DictionarySources.from_folder(folder, sources=["apertium"])
    assert list(found.dictionary("da_ddt", "da")) == ["løber"]
    assert list(found.english) == ["dog"]
    with pytest.raises(ExperimentError, match="no dictionary is from freedict"):
        DictionarySources.from_folder(folder, sources=["freedict"])


def test_files_of_ones_own_go_before_those_of_the_folder(folder):
    own = folder / "apertium" / "da.tsv"
    found = find_dictionaries(
        TaggerEvaluationSettings(
            dictionaries=str(folder), own=(f"da_ddt={own}, {own}",), english=(str(own),)
        )
    )
    assert list(found.dictionary("da_ddt", "da")) == ["løber"]
    assert list(found.dictionary("da_other", "da")) == ["hund"]
    assert DictionarySources({"da": (own,)}).dictionary("x", "da").name == "da"
    assert list(found.english) == ["løber"]


def test_what_is_not_there_is_said(tmp_path, folder):
    with pytest.raises(ExperimentError, match="name one with --dictionary ta_ttb=FILE"):
        DictionarySources.from_folder(folder).dictionary("ta_ttb", "ta")
    with pytest.raises(ExperimentError, match=r"no manifest\.json says"):
        DictionarySources.from_folder(tmp_path / "wordnet")
    for text, message in (("{", "cannot be read as JSON"), ('{"pos": [{}]}', "a list 'pos'")):
        (folder / "manifest.json").write_text(text, encoding="utf-8")
        with pytest.raises(ExperimentError, match=message):
            DictionarySources.from_folder(folder)


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({}, "no dictionaries: give"),
        ({"own": ("da",)}, "--dictionary: expected TREEBANK=FILE, found 'da'"),
        ({"own": ("da=a.tsv",), "bilingual": ("=b.tsv",)}, "--bilingual: expected TREEBANK=FILE"),
    ],
)
def test_dictionaries_have_to_be_named(chosen, message):
    with pytest.raises(MisuseError, match=message):
        find_dictionaries(TaggerEvaluationSettings(**chosen))


def test_toy_languages_have_dictionaries_of_their_own():
    found = ToyDictionaries()
    assert found.has_dictionary("toy:sov", "")
    assert not found.has_dictionary("da_ddt", "da")
    assert found.word_list("toy:svo", "") is None
    source, target = found.word_list("toy:sov", "")[0][:2]
    assert source in found.english
    assert target in found.dictionary("toy:sov", "")
