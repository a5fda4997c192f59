"""Gold of treebanks whose words may not be given out: enough to score again, and no word.

A treebank becomes a file of annotation columns for every gold standard (styles included, since they
cannot be made again without words), which words are punctuation, and what tells its words and
its source from all others. Where strata count forms of the train part, every word is replaced by
how often it occurs there (`w12`), and the train part by as many of them: the strata stay the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.challenges.challenge import Challenge
from treegauge.challenges.data import gold_file
from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.packs import Pack, canonical_json
from treegauge.challenges.task import Task, read_words, words_id
from treegauge.challenges.treebank_scores import GoldStandards
from treegauge.metrics import Conventions
from treegauge.treebank import Column, Treebank, Vocabulary

FACTS = "facts.json"
_ANNOTATION = ("upos", "xpos", "cpos", "feats", "deprel")


def wordless_files(
    challenge: Challenge, gold: GoldStandards, part: str, sources: Any
) -> Iterator[tuple[str, bytes]]:
    """Give the files of a treebank without its words.

    Parameters
    ----------
    sources : anything that JSON can hold
        Name, size and SHA-256 of the files that licensees have.
    """
    keeps_lemmas = any("lemma" in track.columns for track in challenge.tracks)
    kept = (*_ANNOTATION, "lemma") if keeps_lemmas else _ANNOTATION
    place = f"{part}/{gold.treebank}"
    times = _times_in_training(gold)
    names = []
    for number, (name, standard) in enumerate(gold.standards.items()):
        bare = Treebank(
            {"form": _forms(times), **{column: standard.columns[column] for column in kept}},
            standard.head,
            offsets=standard.offsets,
        )
        ending, content = gold_file(bare)
        yield f"{place}/{number}.{ending}", content
        names.append({"name": name, "file": f"{number}.{ending}", "called": standard.name})
    if gold.training is not None:
        ending, content = gold_file(_training(times))
        yield f"{place}/train.{ending}", content
    facts = {
        "standards": names,
        "words": words_id(gold.gold),
        "punctuation": {
            entry["name"]: _digits(_conventions(challenge).punctuation_in(standard))
            for entry, standard in zip(names, gold.standards.values(), strict=True)
        },
        "training": gold.training is not None,
        "sources": sources,
    }
    yield f"{place}/{FACTS}", canonical_json(facts)


def _conventions(challenge: Challenge) -> Conventions:
    """Return conventions that say what is punctuation in all tracks.

    Raises
    ------
    ChallengeError
        If some tracks go by tags and others by form: there is room for one answer.
    """
    every = [track.conventions for track in challenge.tracks]
    leaving_out = [one for one in every if one.punctuation != "counted"] or every[:1]
    if len({one.punctuation_by for one in leaving_out}) > 1:
        raise ChallengeError(
            "gold without words can have one kind of punctuation: found tracks that go by tags and "
            "tracks that go by form (the preset conll2006)\n  use one preset for all tracks"
        )
    return leaving_out[0]


def _times_in_training(gold: GoldStandards) -> NDArray[np.int64]:
    """Return how often every word of gold occurs in the train part."""
    if gold.training is None:
        return np.zeros(gold.gold.n_words, np.int64)
    counts = gold.training.form.counts()
    own = gold.gold.form
    by_value = np.array([counts.get(form, 0) for form in own.vocabulary], np.int64)
    times: NDArray[np.int64] = by_value[own.codes]
    return times


def _forms(times: NDArray[np.int64]) -> Column:
    distinct, codes = np.unique(times, return_inverse=True)
    names = Vocabulary.from_strings([f"w{number}" for number in distinct.tolist()])
    return Column(codes.astype(np.int32), names)


def _training(times: NDArray[np.int64]) -> Treebank:
    """Return a text in which every stand-in of a word occurs as often as the word."""
    there = np.unique(times[times > 0])
    forms = _forms(np.repeat(there, there))
    return Treebank({"form": forms}, offsets=[0, len(forms)])


def _digits(mask: NDArray[np.bool_]) -> str:
    return "".join("1" if one else "0" for one in mask.tolist())


# ---------------------------------------------------------------------- the way back


@dataclass(frozen=True)
class WordlessGold:
    """Reads what `wordless_files` gave."""

    pack: Pack

    @cached_property
    def _facts(self) -> Mapping[tuple[str, str], Any]:
        found = {}
        for name in self.pack.names:
            path = PurePosixPath(name)
            if path.name == FACTS:
                treebank, part = path.parent.name, path.parent.parent.name
                found[treebank, part] = json.loads(self.pack.read(name))
        return found

    def has(self, treebank: str, part: str) -> bool:
        """Return whether a treebank is here."""
        return (treebank, part) in self._facts

    def words_id(self, treebank: str, part: str) -> str:
        """Return what the words of a treebank added up to."""
        return str(self._facts[treebank, part]["words"])

    def standards(self, treebank: str, part: str) -> GoldStandards:
        """Return all gold standards of a treebank."""
        facts = self._facts[treebank, part]
        standards = {
            entry["name"]: self._standard(f"{part}/{treebank}/{entry['file']}", entry, facts)
            for entry in facts["standards"]
        }
        training = None
        if facts["training"]:
            training = read_words(self.pack, f"{part}/{treebank}/train.conllu")
        return GoldStandards(treebank, standards, training, shows_words=False)

    def _standard(self, file: str, entry: Mapping[str, str], facts: Mapping[str, Any]) -> Treebank:
        read = read_words(self.pack, file)
        mask = [digit == "1" for digit in facts["punctuation"][entry["name"]]]
        return Treebank(
            read.columns, read.head, offsets=read.offsets, punctuation=mask, name=entry["called"]
        )


@dataclass(frozen=True)
class TaskWithoutWords(Task):
    """A task some of whose words are not there; what they added up to is known."""

    known_word_ids: Mapping[str, str]

    @cached_property
    def word_ids(self) -> Mapping[str, str]:
        """What the words of every treebank add up to."""
        return {
            name: self.known_word_ids.get(name) or words_id(treebank)
            for name, treebank in self.treebanks.items()
        }
