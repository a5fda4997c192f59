"""Word classes and dependencies that learn from each other.

The mixture of types (`bmmm.py`) finds classes, the DMV trees over them; the classes of heads are
then features of types, from which the mixture finds better classes, and so on, until classes
change no more or rounds are over. The mixture goes on from the classes it had. Punctuation has
classes and is in no tree.

References
----------
Christodoulopoulos, Goldwater and Steedman (2012), Turning the pipeline into a loop: iterated
unsupervised dependency parsing and PoS induction. WILS.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.settings import setting
from treegauge.systems.dependency_induction.dmv import KleinManningDmv
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress, System
from treegauge.systems.tag_induction.bmmm import Bmmm, BmmmSettings
from treegauge.systems.tag_induction.encoded_text import EncodedText, encode
from treegauge.systems.tag_induction.type_features import count_head_classes
from treegauge.systems.tag_source import part_of
from treegauge.treebank import Treebank, punctuation_mask

_TAGGER, _PARSER = "tagger.", "parser."
_TAGGER_SHARE = 0.8
"""Of the time of a round, about."""


@dataclass(frozen=True)
class JointSettings(BmmmSettings):
    """What can be chosen about the loop, beside what the mixture can be told."""

    rounds: int = setting(5, "largest number of rounds of trees and new classes", minimum=1)
    agreement: float = setting(
        0.98,
        "stop when old and new classes have this V-measure",
        minimum=0,
        maximum=1,
    )
    dependents: bool = setting(False, "use the classes of dependents as well as of heads")
    max_length: int = setting(10, "the longest sentence to learn trees from", minimum=1)


class Joint(System):
    """The mixture of types and the DMV, in turns.

    Attributes
    ----------
    tagger, parser : System
        The last mixture, and the DMV over its classes.
    agreements : list of float
        The V-measure between the classes of every round and of the one before.
    """

    name = "joint"
    task = "joint"
    settings_type = JointSettings
    is_deterministic = False
    tags_types = True
    seconds_per_word = 2e-3

    agreements: list[float]

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        chosen = self.settings.to_dict()
        of_tagger = {field.name: chosen[field.name] for field in fields(BmmmSettings)}
        self.tagger = _InformedBmmm(of_tagger, seed=seed)
        self.parser = KleinManningDmv({"max_length": self.settings.max_length}, seed=seed)

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        rounds = self.settings.rounds
        share = 1 / (rounds + 1)
        text = encode(
            treebank,
            fold_case=self.settings.fold_case,
            conflate_digits=self.settings.conflate_digits,
        )
        self.agreements = []
        self.tagger.informed_by(None, None)
        self.tagger.fit(treebank, on_progress=part_of(on_progress, 0, _TAGGER_SHARE * share))
        for number in range(1, rounds + 1):
            old = self.tagger.class_of_type
            here = (number - 1 + _TAGGER_SHARE) * share
            heads = self._heads(treebank, part_of(on_progress, here, number * share))
            table = count_head_classes(text, heads, old, self.tagger.n_classes)
            if self.settings.dependents:
                table += count_dependent_classes(text, heads, old, self.tagger.n_classes)
            self.tagger.informed_by(table, old)
            until = (number + _TAGGER_SHARE) * share
            self.tagger.fit(treebank, on_progress=part_of(on_progress, number * share, until))
            self.agreements.append(v_measure(old, self.tagger.class_of_type, text.counts))
            on_progress(until, f"round {number}: V-measure {self.agreements[-1]:.3f} with the last")
            if self.agreements[-1] > self.settings.agreement:
                break
        self._heads(treebank, part_of(on_progress, 1 - (1 - _TAGGER_SHARE) * share, 1))

    def _heads(self, treebank: Treebank, on_progress: OnProgress) -> NDArray[np.int32]:
        """Let the parser learn from the classes of now; return heads, -1 for punctuation."""
        tagged = self.tagger.annotate(treebank)
        heads = self.parser.fit(tagged, on_progress=on_progress).annotate(tagged).head
        return np.where(punctuation_mask(treebank), np.int32(-1), heads)

    def _annotate(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        tagged = self.tagger.annotate(treebank)
        return self.parser.annotate(tagged, on_progress=on_progress)

    @property
    def longest_whole(self) -> int | None:
        """That of the parser."""
        return self.parser.longest_whole

    def long_sentences(self, treebank: Treebank) -> NDArray[np.intp]:
        """Return those that the parser does not parse whole."""
        return self.parser.long_sentences(treebank)

    # ------------------------------------------------------------------ for people, for files

    @property
    def has_converged(self) -> bool:  # type: ignore[override]
        """Whether the loop ended because classes came to rest."""
        return bool(self.agreements) and self.agreements[-1] > self.settings.agreement

    def describe_grammar(self, top: int = 10) -> str:
        """Return the classes in words, then the grammar over them."""
        return f"{self.tagger.describe_grammar(top)}\n{self.parser.describe_grammar(top)}"

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays: Arrays = {}
        facts: dict[str, Any] = {"agreements": self.agreements}
        for prefix, system in ((_TAGGER, self.tagger), (_PARSER, self.parser)):
            own_arrays, facts[prefix] = system.state()
            arrays |= {f"{prefix}{name}": array for name, array in own_arrays.items()}
        return arrays, facts

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        for prefix, system in ((_TAGGER, self.tagger), (_PARSER, self.parser)):
            saved.restore(system, prefix=prefix, facts=saved.fact(prefix))
        self.agreements = saved.series("agreements")


class _InformedBmmm(Bmmm):
    """The mixture with the classes of heads, and classes to begin with."""

    def informed_by(self, head_classes: ArrayLike | None, begin: NDArray[np.int32] | None) -> None:
        """Take these from the next `fit` on."""
        self._head_classes, self._begin = head_classes, begin

    def _induce(self, text: EncodedText, on_progress: OnProgress) -> NDArray[np.int32]:
        return self.induce(
            text, head_classes=self._head_classes, begin=self._begin, on_progress=on_progress
        )


def count_dependent_classes(
    text: EncodedText, head: NDArray[np.int32], classes: NDArray[np.int32], n_classes: int
) -> NDArray[np.int64]:
    """Count how often words of a type have a dependent of each class: [type, class].

    As `count_head_classes` has it; the column of the root is there, and empty.

    >>> import treegauge as tg
    >>> text = encode(tg.parse("a/X b/X b/X\\n", format="slashed"))  # b is type 0, a type 1
    >>> count_dependent_classes(text, np.array([2, 0, 2]), np.array([0, 1]), 2).tolist()
    [[1, 1, 0], [0, 0, 0]]
    """
    begins = np.repeat(text.offsets[:-1], np.diff(text.offsets))
    has_head = head > 0
    heads = text.words[(begins + head - 1)[has_head]]
    table = np.zeros((text.n_types, n_classes + 1), np.int64)
    np.add.at(table, (heads, np.asarray(classes)[text.words[has_head]]), 1)
    return table


def v_measure(one: NDArray[np.int32], other: NDArray[np.int32], counts: NDArray[np.int64]) -> float:
    """Return the V-measure of two classifications of types, each as often as it occurs.

    >>> counts = np.array([2, 1, 1])
    >>> v_measure(np.array([0, 0, 1]), np.array([1, 1, 0]), counts)
    1.0
    >>> v_measure(np.array([0, 0, 1]), np.array([0, 0, 0]), counts)
    0.0
    """
    table = np.zeros((int(one.max()) + 1, int(other.max()) + 1))
    np.add.at(table, (one, other), counts)
    table /= table.sum()
    first, second = _entropy(table.sum(axis=1)), _entropy(table.sum(axis=0))
    if first + second == 0:
        return 1.0
    shared = first + second - _entropy(table)
    return min(max(2 * shared / (first + second), 0.0), 1.0)


def _entropy(chances: NDArray[np.float64]) -> float:
    chances = chances[chances > 0]
    return float(-(chances * np.log(chances)).sum())
