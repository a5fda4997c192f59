"""What all inducers of word classes share: one class for every type.

A subclass finds classes for the types of a text (`_induce`); numbering the text, naming and
ordering classes, unseen words, saving, and the classes in words are here.

Classes are numbered by the words they hold in the text, the largest first, and written to UPOS
as their numbers; equally large ones by their most frequent type. Words that were not seen, or
were too rare to be put into a class, get the class of the known words with the longest common
suffix, of several the largest (`suffix_neighbours.py`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.saved_state import SavedState, damaged
from treegauge.systems.system import Arrays, OnProgress, System
from treegauge.systems.tag_induction.encoded_text import (
    CountedText,
    EncodedText,
    encode,
    preprocessed,
)
from treegauge.systems.tag_induction.suffix_neighbours import SuffixNeighbours
from treegauge.treebank import Column, Treebank, Vocabulary

_LONGEST_SHOWN = 40
"""Characters of a word that `describe_grammar` shows."""


@dataclass(frozen=True)
class WordClassSettings(Settings):
    """What all of them can be told."""

    classes: int = setting(45, "number of classes; at most the number of types", minimum=1)
    fold_case: bool = setting(False, "convert words to lower case")
    conflate_digits: bool = setting(False, "replace every digit by 0")


class WordClassInducer(System):
    """A system that puts every type into a class and tags words with it.

    Attributes
    ----------
    forms : Vocabulary
        The types that have a class, the most frequent first.
    counts : array of int
        How often they occurred.
    class_of_type : array of int
        Their classes.
    """

    task = "tags"
    settings_type: ClassVar[type[Settings]] = WordClassSettings
    tags_types: ClassVar[bool] = True
    """Whether all words of a type get one tag; systems that look at the context have no such
    bound on what they can get right."""

    forms: Vocabulary
    counts: NDArray[np.int64]
    class_of_type: NDArray[np.int32]

    @abstractmethod
    def _induce(self, text: EncodedText, on_progress: OnProgress) -> NDArray[np.int32]:
        """Return a class for every type, in any numbering from 0; -1 for those without.

        `text` has at least one type.
        """

    @property
    def n_classes(self) -> int:
        """The number of classes that hold any type."""
        return int(self.class_of_type.max()) + 1

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        text = encode(
            treebank,
            fold_case=self.settings.fold_case,
            conflate_digits=self.settings.conflate_digits,
        )
        self._take_classes(text, self._induce(text, on_progress))

    def _take_classes(self, text: CountedText, classes: NDArray[np.int32]) -> None:
        """Keep the types of a text that got a class, the classes numbered by their sizes."""
        kept = np.flatnonzero(classes >= 0).astype(np.int32)
        if not len(kept):
            raise SystemsError(f"{self.name}: no type got a class")
        self.forms = text.forms.take(kept)
        self.counts = text.counts[kept]
        self.class_of_type = by_size(classes[kept], self.counts)

    def _annotate(self, treebank: Treebank, _on_progress: OnProgress) -> Treebank:
        forms = preprocessed(
            treebank.form,
            fold_case=self.settings.fold_case,
            conflate_digits=self.settings.conflate_digits,
        ).compact()
        known = dict(zip(self.forms, self.class_of_type.tolist(), strict=True))
        unseen = [form for form in forms.vocabulary if form not in known]
        if unseen:
            known.update(zip(unseen, self._classes_of_unseen(unseen), strict=True))
        numbers = [known[form] for form in forms.vocabulary]
        names = Vocabulary.from_strings(map(str, range(self.n_classes)))
        classes = np.array(numbers, np.int32)[forms.codes]
        return treebank.replace(columns={"upos": Column(classes, names).compact()})

    def _classes_of_unseen(self, forms: Sequence[str]) -> list[int]:
        """Return classes for words that have none."""
        neighbours = SuffixNeighbours(self.forms.strings, self.class_of_type)
        return [neighbours.class_of(form) for form in forms]

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        return {
            "forms": self.forms.data,
            "form_starts": self.forms.starts,
            "counts": self.counts,
            "class_of_type": self.class_of_type,
        }, {}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        self.forms = saved.vocabulary("forms", "form_starts")
        n = len(self.forms)
        self.counts = saved.integers("counts", shape=(n,))
        # Every class has a type.
        self.class_of_type = saved.integers("class_of_type", shape=(n,), below=n, dtype=np.int32)
        if not n or not np.array_equal(
            self.class_of_type, by_size(self.class_of_type, self.counts)
        ):
            raise damaged("its classes are not in the order of their sizes")

    def describe_grammar(self, top: int = 10) -> str:
        """Return the classes in words: the types and words they hold, and the most frequent.

        Most types are in a few classes of rare words; both numbers are needed to see that this
        is so for few words of the text only.
        """
        types = np.bincount(self.class_of_type)
        words = np.bincount(self.class_of_type, weights=self.counts)
        n_types, n_words = len(self.counts), int(self.counts.sum())
        noun = "class" if len(types) == 1 else "classes"
        lines = [f"{len(types):,} {noun}: {n_types:,} types, {n_words:,} words"]
        for number in range(len(types)):
            examples = np.flatnonzero(self.class_of_type == number)[:top]
            shown = " ".join(self.forms[int(i)][:_LONGEST_SHOWN] for i in examples)
            lines.append(
                f"{number:>4}  {types[number] / n_types:6.1%} of types "
                f"{words[number] / n_words:6.1%} of words  {shown}"
            )
        return "\n".join(lines) + "\n"


def by_size(classes: NDArray[np.int32], counts: NDArray[np.int64]) -> NDArray[np.int32]:
    """Number classes by the words they hold, the largest first; ties by their first type.

    >>> by_size(np.array([7, 2, 2, 0]), np.array([3, 2, 2, 1])).tolist()
    [1, 0, 0, 2]
    """
    _, first, number = np.unique(classes, return_index=True, return_inverse=True)
    size = np.bincount(number, weights=counts)
    place = np.empty(len(size), np.int32)
    place[np.lexsort((first, -size))] = np.arange(len(size), dtype=np.int32)
    return place[number]
