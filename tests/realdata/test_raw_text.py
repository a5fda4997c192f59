"""Scores from raw text on files as they were released: text, words of tools, alignment."""

from __future__ import annotations

from pathlib import Path

import pytest
import spacy

import treegauge as tg
from treegauge.systems import make_system
from treegauge.treebank import align_by_characters, paragraphs_of

pytestmark = [pytest.mark.realdata, pytest.mark.long]

# The share of words that the two tokenisers find without having learnt anything of the language:
# rules for spaces and punctuation, no multiword tokens.
FEWEST_WORDS = {
    "treebanks_raw/cs_fictree-ud-test": 0.95,
    "treebanks_raw/de_gsd-ud-test": 0.9,
    "treebanks_raw/en_ewt-ud-test": 0.85,
    "treebanks_raw/fi_tdt-ud-dev": 0.9,
    "treebanks_raw/fr_gsd-ud-test": 0.8,
    "treebanks_raw/he_htb-ud-dev": 0.4,
    "treebanks_raw/tr_imst-ud-test": 0.9,
    "parallel/cs_pud": 0.9,
    "parallel/fr_pud": 0.8,
    "parallel/id_pud": 0.8,
    "parallel/tr_pud": 0.85,
}
QUICK = ("treebanks_raw/tr_imst-ud-test", "parallel/fr_pud")


def read_whole(shared: Path, name: str) -> tg.Treebank:
    return tg.read(shared / f"{name}.conllu.xz", findings=tg.Findings())


@pytest.fixture(scope="module")
def cutter(tmp_path_factory):
    """A pipeline of spaCy that cuts text by rule."""
    nlp = spacy.blank("xx")
    nlp.add_pipe("sentencizer")
    path = tmp_path_factory.mktemp("spacy") / "cutter"
    nlp.to_disk(path)
    return make_system(f"spacy:{path}")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in FEWEST_WORDS],
)
def test_raw_text_of_released_files_is_scored(name, shared, cutter, udpipe_file) -> None:
    gold = read_whole(shared, name)
    paragraphs = paragraphs_of(gold)
    for tool in (cutter, make_system(f"udpipe:{udpipe_file}")):
        answer = tool.annotate_text(paragraphs)
        pairs = align_by_characters(gold, answer)
        score = tg.evaluate(gold, answer, metrics=["words"], align=True, resamples=0)["words"]
        # The slow twin: F1 of pairs over the words of both.
        assert score.value == pytest.approx(2 * len(pairs.first) / (gold.n_words + answer.n_words))
        assert FEWEST_WORDS[name] < score.value < 1
        # What was written has the text that was read, paragraph for paragraph.
        again = paragraphs_of(tg.parse(tg.to_text(answer)))
        assert ["".join(text.split()) for text in again] == ["".join(t.split()) for t in paragraphs]


def test_gold_words_that_are_given_are_all_there(shared, udpipe_file) -> None:
    gold = read_whole(shared, "parallel/fr_pud")[:300]
    answer = make_system(f"udpipe:{udpipe_file}").annotate(gold)
    scores = tg.evaluate(gold, answer, metrics=["words", "upos"], resamples=0)
    assert scores["words"].value == 1
    assert 0 < scores["upos"].value < 1


def test_a_release_without_text_is_refused(shared) -> None:
    with pytest.raises(tg.TreebankError, match=r"sentence 1 has no # text.*\n.*pretokenised"):
        paragraphs_of(read_whole(shared, "treebanks_raw/ar-ud-test"))
