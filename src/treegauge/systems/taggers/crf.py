"""A linear-chain conditional random field with rich templates, by CRFsuite (Okazaki 2007).

CRFsuite comes with the extra `external`. Its model is kept as bytes inside of ours. CRFsuite
trusts the files it opens, so the bytes carry a digest, are opened only if it is right, and in a
process of their own.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import ModuleType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.systems.extras import import_extra
from treegauge.systems.native_model import NativeModel
from treegauge.systems.saved_state import SavedState, damaged, vocabulary_arrays
from treegauge.systems.system import Arrays, OnProgress
from treegauge.systems.taggers.sequence_tagger import (
    Sentences,
    SequenceTagger,
    SequenceTaggerSettings,
)
from treegauge.systems.taggers.word_classes import read_word_classes
from treegauge.systems.taggers.word_templates import (
    AFTER,
    BEFORE,
    WINDOW,
    WordTemplates,
    generic,
)
from treegauge.temporaries import temporary_folder
from treegauge.treebank import Vocabulary

_PORTION = 200
"""Sentences that CRFsuite is told at once."""
_REMEMBERED = 200_000
"""Forms whose features are kept while sentences are read."""


@dataclass(frozen=True)
class CrfSettings(SequenceTaggerSettings):
    """What can be chosen about the conditional random field.

    Penalties, affixes and context were chosen on dev parts of small treebanks
    (`studies/small_taggers.py`): heavier penalties and more features both cost accuracy there.
    """

    l1: float = setting(0.05, "weight of the penalty on absolute weights (c1)", minimum=0.0)
    l2: float = setting(0.05, "weight of the penalty on squared weights (c2)", minimum=0.0)
    iterations: int = setting(100, "largest number of L-BFGS steps", minimum=1)
    minimum_count: int = setting(1, "smallest frequency of features", minimum=1)
    prefixes: int = setting(5, "the longest prefix", minimum=0)
    suffixes: int = setting(5, "the longest suffix", minimum=0)
    context: Literal["near", "wide"] = setting(
        "near", "features of neighbours: the two nearest forms, or also more distant ones and pairs"
    )
    word_classes: str | None = setting(
        None, "a file of word classes as features; each line has class, tab, word, tab, count"
    )


class Crf(SequenceTagger):
    """A linear-chain conditional random field by CRFsuite, with word classes if there are any.

    Parameters
    ----------
    word_classes : mapping of str to str, optional
        The class of words, in place of the file that the settings name; strings of bits where
        classes form a tree.
    """

    name = "crf"
    settings_type = CrfSettings
    seconds_per_word = 1e-3

    def __init__(
        self,
        settings: Any = None,
        *,
        seed: int = 0,
        word_classes: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(settings, seed=seed)
        self._word_classes = word_classes

    def _learn(
        self, sentences: Sentences, gold: NDArray[np.int32], on_progress: OnProgress
    ) -> None:
        crfsuite = import_extra("pycrfsuite", extra="external", system=self.name)
        settings = self.settings
        self._classes = dict(self._given_classes())
        on_progress(0.0, "features")
        trainer = _trainer(crfsuite, on_progress, settings.iterations)
        trainer.set_params(
            {
                "c1": settings.l1,
                "c2": settings.l2,
                "max_iterations": settings.iterations,
                "feature.minfreq": settings.minimum_count,
                "feature.possible_transitions": True,
            }
        )
        features = self._feature_maker()
        labels = [str(code) for code in range(len(self._tags))]
        bounds = sentences.offsets.tolist()
        for number, words in enumerate(sentences.words()):
            codes = gold[bounds[number] : bounds[number + 1]].tolist()
            trainer.append(features(words), [labels[code] for code in codes])
        with temporary_folder() as folder:
            path = folder / "model"
            trainer.train(str(path))
            content = path.read_bytes()
        self._open(content)

    def _given_classes(self) -> Mapping[str, str]:
        if self._word_classes is not None:
            return self._word_classes
        if self.settings.word_classes is not None:
            return read_word_classes(self.settings.word_classes)
        return {}

    def _tag(self, sentences: Sentences, on_progress: OnProgress) -> NDArray[np.int32]:
        features = self._feature_maker()
        codes: list[int] = []
        all_words = sentences.words()
        labels = {str(code): code for code in range(len(self._tags))}
        with self._native.opened() as (_, ask):
            for begin in range(0, len(all_words), _PORTION):
                on_progress(begin / len(all_words), f"{begin} sentences")
                portion = [words for words in all_words[begin : begin + _PORTION] if words]
                answer = ask({"items": list(map(features, portion))})
                found = answer.strings("labels", size=sum(map(len, portion)))
                codes += [labels[label] for label in found]
        return np.array(codes, np.int32)

    def _feature_maker(self) -> Callable[[list[str]], list[list[str]]]:
        """Return what makes the features of sentences; those of a form are made once."""
        chosen = self.settings
        templates = WordTemplates(chosen.prefixes, chosen.suffixes, self._classes, chosen.context)
        of_word = lru_cache(_REMEMBERED)(templates.of_word)
        of_neighbour = lru_cache(_REMEMBERED)(templates.of_neighbour)
        plain = lru_cache(_REMEMBERED)(generic)

        def features(words: list[str]) -> list[list[str]]:
            forms = [*[BEFORE] * WINDOW, *words, *[AFTER] * WINDOW]
            generics = list(map(plain, forms))
            sentence_features = []
            for place in range(WINDOW, len(words) + WINDOW):
                word_features = list(of_word(forms[place]))
                for offset in range(-WINDOW, WINDOW + 1):
                    if offset:
                        word_features += of_neighbour(forms[place + offset], offset)
                for first, second in templates.pairs:
                    word_features.append(
                        templates.of_pair(
                            first, generics[place + first], second, generics[place + second]
                        )
                    )
                sentence_features.append(word_features)
            return sentence_features

        return features

    # ------------------------------------------------------------------ save and load

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        _, facts = super()._state()
        words = Vocabulary.from_strings(self._classes)
        arrays: Arrays = {
            "model": np.frombuffer(self._native.content, np.uint8),
            **vocabulary_arrays(words, "classified_words"),
        }
        facts["digest"] = hashlib.sha256(self._native.content).hexdigest()
        facts["classes"] = list(self._classes.values())
        return arrays, facts

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        super()._restore(arrays, facts)
        saved = SavedState(arrays, facts)
        words = saved.vocabulary("classified_words")
        classes = saved.strings("classes", size=len(words))
        self._classes = dict(zip(words, classes, strict=True))
        content = saved.content("model")
        if saved.text("digest") != hashlib.sha256(content).hexdigest():
            raise damaged("its bytes are not those that CRFsuite wrote")
        self._open(content)

    def _open(self, content: bytes) -> None:
        """Let CRFsuite read its model."""
        import_extra("pycrfsuite", extra="external", system=self.name)
        # The header: lCRF, the size of the file, FOMC (cqdb and crf1d_model.c of CRFsuite).
        header = struct.unpack_from("<4sI4s", content.ljust(12, b"\0"))
        if header != (b"lCRF", len(content), b"FOMC"):
            raise damaged("its bytes are not those that CRFsuite wrote")
        self._native = NativeModel(content, library="CRFsuite", system=self.name)
        labels = self._native.about.strings("labels")
        if not set(labels) <= set(map(str, range(len(self._tags)))):
            raise damaged("CRFsuite has other tags")


def _trainer(crfsuite: ModuleType, on_progress: OnProgress, iterations: int) -> Any:
    """Return a trainer that says how far it is, and prints nothing."""

    class Trainer(crfsuite.Trainer):  # type: ignore[misc, name-defined]
        def message(self, message: str) -> None:
            if self.logparser.feed(message) == "iteration":
                last = self.logparser.last_iteration
                on_progress(min(1.0, last["num"] / iterations), f"loss {last['loss']:.1f}")

    return Trainer(algorithm="lbfgs")
