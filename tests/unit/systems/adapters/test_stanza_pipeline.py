"""Stanza behind a stand-in of its package: what it is asked, and what is made of its answers.

The real one needs PyTorch and models that are downloaded; `make test-neural` tests it where both
are there (`test_real_stanza.py`).
"""

from __future__ import annotations

import json
import sys
from types import ModuleType
from typing import Any, ClassVar

import pytest

import treegauge as tg
from tests.stand_in_stanza import StandInDocument, StandInSentence, StandInToken, StandInWord
from treegauge.systems import SystemsError, make_system
from treegauge.treebank import generator_of

GOLD = tg.parse("birds\tNOUN\nsing\tVERB\n\nfish\tNOUN\nswim\tVERB\n\n")


def document(sentences: list[list[str]]) -> StandInDocument:
    """Every word hangs on the one before it."""
    return StandInDocument(
        [
            StandInSentence(
                [
                    StandInToken(form, [StandInWord(i, form, form, "X", "", "", i - 1, "dep")])
                    for i, form in enumerate(words, start=1)
                ]
            )
            for words in sentences
        ]
    )


class StandInPipeline:
    """Cuts at full stops and spaces, unless words are given."""

    asked: ClassVar[list[dict[str, Any]]] = []
    batches: ClassVar[list[Any]] = []

    def __init__(self, **options: Any) -> None:
        if options["lang"] == "tlh":
            raise ValueError("Unsupported language: tlh.\nIf you think otherwise …")
        self.asked.append(options)

    def __call__(self, text: Any) -> StandInDocument:
        self.batches.append(text)
        if isinstance(text, str):
            return document([f"{one} .".split() for one in text.split(".") if one.strip()])
        return document(text)


@pytest.fixture(autouse=True)
def _stanza(monkeypatch, tmp_path) -> None:
    package, common = ModuleType("stanza"), ModuleType("stanza.resources.common")
    package.__version__, package.Pipeline = "1.10.1", StandInPipeline
    common.DEFAULT_MODEL_DIR = str(tmp_path / "downloads")
    monkeypatch.setitem(sys.modules, "stanza", package)
    monkeypatch.setitem(sys.modules, "stanza.resources", ModuleType("stanza.resources"))
    monkeypatch.setitem(sys.modules, "stanza.resources.common", common)
    StandInPipeline.asked.clear()
    StandInPipeline.batches.clear()


def test_words_are_given_as_they_are() -> None:
    answer = make_system("stanza:en?batch_size=1&device=cpu").annotate(GOLD)
    assert answer.form == GOLD.form
    assert answer.head.tolist() == [0, 1, 0, 1]
    assert StandInPipeline.batches == [[["birds", "sing"]], [["fish", "swim"]]]
    (asked,) = StandInPipeline.asked
    assert asked["tokenize_pretokenized"] is True
    assert asked["processors"] == "tokenize,pos,lemma,depparse"
    assert asked["device"] == "cpu"
    assert asked["download_method"] is None
    assert generator_of(answer) == "Stanza 1.10.1, en default"


def test_raw_text_goes_through_its_tokeniser() -> None:
    answer = make_system("stanza:en").annotate_text(["birds sing. fish swim.", "oh."])
    assert [str(sentence) for sentence in answer] == ["birds sing .", "fish swim .", "oh ."]
    assert StandInPipeline.asked[0]["tokenize_pretokenized"] is False
    assert StandInPipeline.asked[0]["processors"] == "tokenize,mwt,pos,lemma,depparse"


def test_a_folder_has_its_language(tmp_path) -> None:
    (tmp_path / "models" / "fr").mkdir(parents=True)
    (tmp_path / "models" / "fr" / "weights").write_text("1")
    (tmp_path / "models" / "resources.json").write_text(json.dumps({"fr": {}, "en": {}}))
    system = make_system(f"stanza:{tmp_path}/models")
    assert system.label == "stanza:models"
    answer = system.annotate(GOLD)
    assert StandInPipeline.asked[0]["lang"] == "fr"
    assert StandInPipeline.asked[0]["dir"] == f"{tmp_path}/models"
    assert generator_of(answer).startswith("Stanza 1.10.1, fr default#")
    (tmp_path / "models" / "en").mkdir()
    with pytest.raises(SystemsError, match="has the languages fr, en: say which"):
        make_system(f"stanza:{tmp_path}/models").annotate(GOLD)
    with pytest.raises(SystemsError, match=r"there is no .*resources\.json"):
        make_system(f"stanza:{tmp_path}/nowhere").annotate(GOLD)


def test_a_language_that_is_not_there_says_how_to_get_it() -> None:
    with pytest.raises(SystemsError, match=r"Unsupported language: tlh\.\n.*stanza\.download"):
        make_system("stanza:tlh").annotate(GOLD)


def test_a_missing_package_is_one_sentence_with_the_command(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "stanza", None)
    with pytest.raises(SystemsError, match=r'pip install "treegauge\[stanza\]"$'):
        make_system("stanza:en").annotate(GOLD)
