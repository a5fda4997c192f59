"""Brown clusters: a hierarchy of word classes that keeps neighbours informative.

Types are taken by frequency. The most frequent ones are clusters of their own; each further one
joins as one more cluster, and the two clusters whose merge costs the least average mutual
information become one. What is left is merged down to a single cluster, and these last merges
are the bits of a class: 0 for the cluster with the smaller number, 1 for the other. Clusters are
numbered like types, and behind them in the order in which they were made.

Of equally cheap merges the first in the order of slots is taken: the most frequent types have
the first slots, a merged cluster stays in the lower slot, and the newest one moves to the other.

References
----------
Brown et al. (1992); Liang (2005) for the window and the bit strings.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.errors import reason_of
from treegauge.settings import setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress
from treegauge.systems.tag_induction.agglomeration import Agglomeration, Merge
from treegauge.systems.tag_induction.encoded_text import CountedText
from treegauge.systems.tag_induction.frequent_type_inducer import (
    FrequentTypeInducer,
    FrequentTypeSettings,
)
from treegauge.systems.tag_induction.word_class_inducer import by_size
from treegauge.treebank import Treebank


@dataclass(frozen=True)
class BrownSettings(FrequentTypeSettings):
    """What can be chosen about Brown clusters."""

    boundaries: Literal["none", "sentence"] = setting(
        "none", "treat the last word of a sentence as a neighbour of the next sentence's first word"
    )
    labels: Literal["numbers", "paths"] = setting(
        "numbers", "the tag to write: the number of a class, or its bit string"
    )


class Brown(FrequentTypeInducer):
    """Brown clusters.

    Attributes
    ----------
    average_mutual_information : float
        Of neighbouring classes, in bits.
    paths : tuple of str
        The bit string of every class.
    """

    name = "brown"
    settings_type = BrownSettings
    writes_paths = True
    seconds_per_word = 1e-6

    average_mutual_information: float
    paths: tuple[str, ...]

    def _cluster(self, text: CountedText, on_progress: OnProgress) -> NDArray[np.int32]:
        within = self.settings.boundaries == "sentence"
        clusters = Agglomeration(
            text.bigrams(within_sentences=within),
            text.counts,
            self.settings.classes,
            n_words=text.n_words,
            n_pairs=text.n_words - (text.n_sentences if within else 1),
        )
        clusters.run(lambda share: on_progress(share, f"{clusters.n_added:,} types"))
        self.average_mutual_information = clusters.average_mutual_information()
        slots = clusters.clusters()
        ids, first_new = clusters.cluster_ids(), clusters.next_id
        bits = bit_strings(clusters.merge_all(), first_new=first_new, ids=ids)
        numbers = by_size(slots, text.counts)
        slot_of = dict(zip(numbers.tolist(), slots.tolist(), strict=True))
        self.paths = tuple(bits[slot_of[number]] for number in range(len(slot_of)))
        return numbers

    def _annotate(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        tagged = super()._annotate(treebank, on_progress)
        if self.settings.labels == "numbers":
            return tagged
        # A single class has no bits, and a tag must not be empty.
        return tagged.replace(
            columns={"upos": tagged.upos.map(lambda number: self.paths[int(number)] or "0")}
        )

    def write_paths(self, path: str | os.PathLike[str]) -> None:
        """Write lines of bit string, word and count, in the layout of Liang's program.

        Classes come depth first, the left child first; the words of a class by frequency.
        """
        order = sorted(range(self.n_classes), key=self.paths.__getitem__)
        forms, counts = self.forms.strings, self.counts.tolist()
        members: list[list[int]] = [[] for _ in order]
        for kind, number in enumerate(self.class_of_type.tolist()):
            members[number].append(kind)
        text = "".join(
            f"{self.paths[number]}\t{forms[kind]}\t{counts[kind]}\n"
            for number in order
            for kind in members[number]
        )
        try:
            Path(path).write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise SystemsError(f"{path}: cannot be written: {reason_of(error)}") from None

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = super()._state()
        return arrays, facts | {
            "paths": self.paths,
            "average_mutual_information": self.average_mutual_information,
        }

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        super()._restore(arrays, facts)
        saved = SavedState(arrays, facts)
        self.paths = saved.strings("paths", size=self.n_classes)
        self.average_mutual_information = saved.number("average_mutual_information")


def bit_strings(merges: list[Merge], *, first_new: int, ids: list[int]) -> list[str]:
    """Return the bit strings of clusters, by the merges that make them one.

    Parameters
    ----------
    merges : list of Merge
        In their order.
    first_new : int
        The number of the cluster that the first of them makes.
    ids : list of int
        The numbers of the clusters whose bit strings are wanted.

    >>> bit_strings([Merge(0, 2), Merge(1, 3)], first_new=3, ids=[0, 1, 2])
    ['10', '0', '11']
    """
    bits = {first_new + len(merges) - 1: ""} if merges else dict.fromkeys(ids, "")
    for i in range(len(merges) - 1, -1, -1):
        here = bits.pop(first_new + i)
        bits[merges[i].left] = here + "0"
        bits[merges[i].right] = here + "1"
    return [bits[number] for number in ids]
