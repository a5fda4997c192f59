"""Where the tags come from that a parser or an inducer of trees reads.

They are `given`, those of the treebank, or those of a tagger, which is named as `system_names.py`
reads it.

Tags of a tagger come alone: gold lemmas, fine tags and features would tell what it did not find
out. A tagger that has seen a text tags it better than any other, and a parser that learnt from
such tags would trust them too much; so a supervised tagger tags what is learnt from in parts,
each by a tagger that learnt from the others (jackknifing).
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from treegauge.systems.errors import SystemsError
from treegauge.systems.registry import find_system
from treegauge.systems.saved_state import TAG_COLUMNS, SavedState
from treegauge.systems.system import Arrays, OnProgress, System, no_progress
from treegauge.systems.system_names import parse_system
from treegauge.treebank import Column, Treebank, blind, concatenate

GIVEN = "given"
FOLDS = 5
"""Parts of a jackknife."""
_PREFIX = "tagger."


class TagSource:
    """The tags of a setting `tags_from`.

    Parameters
    ----------
    text : str
        `given`, or a tagger.
    tags : str
        The column that is read; a supervised tagger learns it unless its settings say otherwise.
    """

    def __init__(self, text: str, *, tags: str = "u", seed: int = 0) -> None:
        self._seed = seed
        self._settings: dict[str, str] = {}
        self.tagger: System | None = None
        if text == GIVEN:
            return
        name, self._settings = parse_system(text)
        self._cls = find_system(name).load()
        if self._cls.task != "tags" and not self._cls.is_tool:
            raise SystemsError(f"tags_from: {name} annotates {self._cls.task}, not tags")
        known = {field.name for field in fields(self._cls.settings_type)}
        if "classes" in self._settings and "classes" not in known:
            raise SystemsError(f"tags_from: {name} has no number of classes that could be set")
        if self._cls.is_supervised and "tags" in known:
            self._settings = {"tags": tags, **self._settings}
        self.tagger = self._new_tagger()

    def _new_tagger(self) -> System:
        return self._cls(self._settings, seed=self._seed)

    @property
    def is_given(self) -> bool:
        """Whether the treebank's own tags are read."""
        return self.tagger is None

    @property
    def seconds_per_word(self) -> float:
        """A guess at what a tagger adds, jackknife and all."""
        if self.tagger is None:
            return 0.0
        return self.tagger.seconds_per_word * (FOLDS + 1 if self.tagger.is_supervised else 1)

    def fit(self, treebank: Treebank, on_progress: OnProgress = no_progress) -> Treebank:
        """Let the tagger learn; return what a parser may learn from, tagged as any text will be."""
        if self.tagger is None:
            return treebank
        learns_from_gold = self.tagger.is_supervised and self.tagger.learns
        folds = min(FOLDS, treebank.n_sentences) if learns_from_gold else 1
        steps = folds + 1
        self.tagger.fit(treebank, on_progress=part_of(on_progress, 0, 1 / steps))
        if folds < 2:
            return self.annotate(treebank, part_of(on_progress, 1 / steps, 1))
        # Sentences of one document stay together: those of a test set have not been seen either.
        chunks = np.array_split(np.arange(treebank.n_sentences), folds)
        tagged = []
        for number, chunk in enumerate(chunks, 1):
            on_step = part_of(on_progress, number / steps, (number + 1) / steps)
            others = np.setdiff1d(np.arange(treebank.n_sentences), chunk)
            if treebank.lengths[others].any():
                tagger = self._new_tagger().fit(treebank.take(others), on_progress=on_step)
            else:
                tagger = self.tagger
            tagged.append(_only_tags_of(tagger, treebank.take(chunk), no_progress))
        return concatenate(tagged)

    def annotate(self, treebank: Treebank, on_progress: OnProgress = no_progress) -> Treebank:
        """Return a treebank with the tags of this source as UPOS, and nothing beside them."""
        if self.tagger is None:
            return treebank
        return _only_tags_of(self.tagger, treebank, on_progress)

    def state(self) -> tuple[Arrays, dict[str, Any]]:
        """Return what the tagger learnt, under names that are not a parser's."""
        if self.tagger is None:
            return {}, {}
        arrays, facts = self.tagger.state()
        return {f"{_PREFIX}{name}": array for name, array in arrays.items()}, {"tagger": facts}

    def restore(self, arrays: Arrays, facts: dict[str, Any]) -> tuple[Arrays, dict[str, Any]]:
        """Take back what `state` gave out of what a model holds; return the rest."""
        if self.tagger is None:
            return arrays, facts
        saved = SavedState(arrays, facts)
        saved.restore(self.tagger, prefix=_PREFIX, facts=saved.fact("tagger"))
        rest = {name: array for name, array in arrays.items() if not name.startswith(_PREFIX)}
        return rest, {name: fact for name, fact in facts.items() if name != "tagger"}


def part_of(on_progress: OnProgress, begin: float, end: float) -> OnProgress:
    """Return a callback that reports the progress of a part as that of the whole."""

    def on_part(share: float, line: str) -> None:
        on_progress(begin + share * (end - begin), line)

    return on_part


def _only_tags_of(tagger: System, treebank: Treebank, on_progress: OnProgress) -> Treebank:
    """Return a treebank with a tagger's tags as UPOS; heads and relations stay."""
    answer = tagger.annotate(treebank, on_progress=on_progress)
    column = next((name for name in TAG_COLUMNS if answer.columns[name].is_annotated), "upos")
    columns: dict[str, Column] = {"upos": answer.columns[column], "deprel": treebank.deprel}
    return blind(treebank, heads=False, tags=True).replace(columns=columns)
