"""The baseline of all taggers: every word gets the tag it had most often in training.

Words that were not seen get the most frequent tag of the words that were seen once: these are
what unknown words are most like (Baayen and Sproat 1996). Where no word was seen once, it is the
most frequent tag of all. Ties go to the tag that comes first in the alphabet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress, System
from treegauge.treebank import EMPTY, Column, Treebank, Vocabulary, tag_column


@dataclass(frozen=True)
class MostFrequentTagSettings(Settings):
    """What can be chosen about the baseline."""

    tags: str = setting("u", "the tags to learn: u, u12, c, p, or p:2 and so on")


class MostFrequentTag(System):
    """Every word gets the tag it had most often in training.

    Tags are written where they were read: `u` and `u12` to UPOS, `p` to XPOS, `c` to CPOSTAG;
    where a column is empty, the one it falls back to.

    >>> import treegauge as tg
    >>> train = tg.parse("we/PRON fish/VERB fish/NOUN in/ADP fish/NOUN ponds/NOUN\\n")
    >>> tagger = MostFrequentTag().fit(train)
    >>> list(tagger.annotate(tg.parse("fish/X swim/X in/X\\n", format="slashed")).upos)
    ['NOUN', 'ADP', 'ADP']
    """

    name = "most-frequent-tag"
    task = "tags"
    settings_type = MostFrequentTagSettings
    is_supervised = True
    seconds_per_word = 1e-6

    def _fit(self, treebank: Treebank, _on_progress: OnProgress) -> None:
        gold = tag_column(treebank, self.settings.tags)
        is_tagged = np.array([tag not in ("", EMPTY) for tag in gold.column.vocabulary], np.bool_)
        words = np.flatnonzero(is_tagged[gold.column.codes])
        if not len(words):
            raise SystemsError(f"{self.name}: no word has a tag {self.settings.tags!r}")
        forms = treebank.form.take(words).compact()
        tags = gold.column.take(words).compact()
        names = sorted(tags.vocabulary)
        rank = np.array([names.index(tag) for tag in tags.vocabulary])[tags.codes]
        self._column = gold.source
        self._tags = tuple(names)
        self._forms = forms.vocabulary
        self._tag_of_form = _most_frequent(forms.codes, rank, len(names))
        once = (np.bincount(forms.codes) == 1)[forms.codes]
        # argmax takes the first of equals, and names are in alphabetical order.
        self._unknown = int(np.bincount(rank[once] if once.any() else rank).argmax())

    def _annotate(self, treebank: Treebank, _on_progress: OnProgress) -> Treebank:
        tag_of = dict(zip(self._forms, self._tag_of_form.tolist(), strict=True))
        forms = treebank.form.compact()
        by_form = np.array([tag_of.get(form, self._unknown) for form in forms.vocabulary], np.int32)
        tags = Column(by_form[forms.codes], Vocabulary.from_strings(self._tags)).compact()
        return treebank.replace(columns={self._column: tags})

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays: Arrays = {
            "forms": self._forms.data,
            "form_starts": self._forms.starts,
            "tag_of_form": self._tag_of_form,
        }
        return arrays, {"tags": self._tags, "unknown": self._unknown, "column": self._column}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        self._forms = saved.vocabulary("forms", "form_starts")
        self._tags = saved.names("tags")
        n_tags = len(self._tags)
        self._tag_of_form = saved.integers(
            "tag_of_form", shape=(len(self._forms),), below=n_tags, dtype=np.int32
        )
        self._unknown = saved.whole_number("unknown", below=n_tags)
        self._column = saved.tag_column()


def _most_frequent(
    form: NDArray[np.int32], tag: NDArray[np.int64], n_tags: int
) -> NDArray[np.int32]:
    """Return the most frequent tag of every form, of equally frequent ones the first."""
    pair, count = np.unique(form.astype(np.int64) * n_tags + tag, return_counts=True)
    order = np.lexsort((pair % n_tags, -count, pair // n_tags))
    first = np.flatnonzero(np.diff((pair // n_tags)[order], prepend=-1))
    return np.asarray((pair % n_tags)[order[first]], np.int32)
