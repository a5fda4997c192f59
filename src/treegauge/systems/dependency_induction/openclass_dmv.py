"""The dependency model with valence, with five facts about language that a text can tell.

1. Closed classes are leaves. A class is closed if new words are rare in it.
2. One class heads sentences: of open classes, the one that more sentences have than by chance.
3. Arcs seldom cross punctuation.
4. Closed classes lean to one side, each to its own: what leans on the next word cannot stand last.
5. Conjuncts are of one class. The conjunction is the closed class between equals.

Fine tags are grouped first (`tag_groups.py`), and the tags that head sentences are found together.

Tags are symbols; their names are never read (`open_classes.py`). The first fact says that content
words are heads, as in Universal Dependencies, and matters most.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.arc_scores import ArcScores, boundaries
from treegauge.systems.dependency_induction.chart import Grammar
from treegauge.systems.dependency_induction.grammar_in_words import grammar_in_words
from treegauge.systems.dependency_induction.grammar_inducer import grammar_state, restored_grammar
from treegauge.systems.dependency_induction.open_classes import (
    Codes,
    Flags,
    Floats,
    closed_classes,
    leaning,
    predicate_tags,
    surplus_of_equal_neighbours,
    surplus_of_sentences,
)
from treegauge.systems.dependency_induction.tag_groups import group_tags
from treegauge.systems.dependency_induction.tag_inventory import (
    TagInventory,
    warn_of_missing_tags,
    with_unknown,
)
from treegauge.systems.dependency_induction.weighted_inducer import (
    WeightedInducer,
    WeightedSettings,
    WeightedText,
    arc_posteriors,
    learn_with_weights,
    weight_setting,
)
from treegauge.systems.errors import SystemsError
from treegauge.systems.saved_state import SavedState, damaged
from treegauge.systems.system import Arrays, OnProgress
from treegauge.treebank import Treebank, parse_tag_column

_STRONG_LEANING = 2.0
"""A class that begins stretches seven times as often as it ends them leans as much as any."""


@dataclass(frozen=True)
class OpenclassDmvSettings(WeightedSettings):
    """The facts, and how much they weigh; logarithms. A fact of weight 0 is not used."""

    tags: str = setting("u", "the tag column to learn from: u, u12, c, p, p:2")
    init: Literal["uniform", "smith"] = setting("smith", "the initialiser")
    least_words: int = setting(
        2000,
        "smallest number of words to learn from: longer sentences are added, shortest first",
        minimum=0,
    )
    groups: int = setting(
        24, "largest number of classes: more tags are grouped; 0: never group", minimum=0
    )
    symbols: int = setting(
        17,
        "smallest number of grammar symbols; smoothing gives unused ones a share",
        minimum=0,
        maximum=1000,
    )
    closed_below: float = setting(
        0.6,
        "a class is closed if its share of new words is below this part of the text's",
        minimum=0,
    )
    closed_heads: float = weight_setting(4.0, "cost of a closed-class word as head")
    closed_root: float = weight_setting(3.0, "cost of a closed-class word as root")
    predicate: float = weight_setting(2.0, "weight, as root, of the class that heads sentences")
    boundary: float = weight_setting(
        3.0, "cost of each punctuation mark between head and dependent"
    )
    side: float = weight_setting(1.0, "weight of the preferred side of a closed class")
    coordination: float = weight_setting(1.0, "weight of conjuncts after a conjunction")


class OpenclassDmv(WeightedInducer):
    """Soft EM of the dependency model with valence; closed classes are leaves."""

    name = "openclass-dmv"
    settings_type: ClassVar[type[Settings]] = OpenclassDmvSettings

    inventory: TagInventory
    grammar: Grammar
    class_of: Codes
    """The class of every tag: its own, or that of its group."""
    is_closed: Flags
    """By class."""
    predicate: int
    """The class that heads sentences."""
    leaning: Floats
    """By class; positive for closed classes whose heads follow them."""
    conjunction: int | None
    """The class that stands between conjuncts."""

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        parse_tag_column(self.settings.tags)

    # ------------------------------------------------------------------ learning and parsing

    def _learn(self, words: Treebank, short: Treebank, on_progress: OnProgress) -> None:
        self.inventory = TagInventory.of(words, self.settings.tags)
        warn_of_missing_tags(self.name, self.inventory)
        tags = self.inventory.encode(words).tags
        predicate = self._find_classes(words, tags)
        n_classes, classes = self.n_classes, self.class_of[tags]
        self.is_closed = closed_classes(words, classes, n_classes, self.settings.closed_below)
        if self.is_closed.all():
            raise SystemsError(
                f"{self.name}: no class of words is open: "
                f"lower closed_below, which is {self.settings.closed_below:g}"
            )
        if predicate is None:
            surplus = surplus_of_sentences(words, classes, n_classes)
            predicate = int(np.where(self.is_closed, -np.inf, surplus).argmax())
        self.predicate = predicate
        self.is_closed[predicate] = False
        self.leaning = np.where(self.is_closed, leaning(words, classes, n_classes), 0.0)
        between = surplus_of_equal_neighbours(words, classes, self.is_closed)
        self.conjunction = int(between.argmax()) if between.max() > 0 else None
        text = self._read(short)
        self.grammar = learn_with_weights(text, self.settings, self._note_steps(on_progress))

    def _most_words(self, words: Treebank) -> int:
        lengths = np.sort(words.lengths)
        enough = int(np.searchsorted(np.cumsum(lengths), self.settings.least_words))
        longest = int(lengths[min(enough, lengths.size - 1)])
        return max(super()._most_words(words), min(longest, int(self.settings.longest_whole)))

    def _find_classes(self, words: Treebank, tags: Codes) -> int | None:
        """Group tags, if there are many; return the group of those that head sentences."""
        n_tags = len(self.inventory.tags)
        self.class_of = np.arange(n_tags, dtype=np.int32)
        if not 0 < self.settings.groups < n_tags:
            return None
        is_closed = closed_classes(words, tags, n_tags, self.settings.closed_below)
        groups = group_tags(words, tags, n_tags, self.settings.groups)
        groups[predicate_tags(words, tags, n_tags, ~is_closed)] = self.settings.groups
        # No number is left out, and the predicate's is the last.
        self.class_of = np.unique(groups, return_inverse=True)[1].astype(np.int32)
        return int(self.class_of.max())

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return int(self.class_of.max()) + 1

    @property
    def n_symbols(self) -> int:
        """How many symbols the grammar has: classes first, then some that never occur."""
        return max(self.n_classes, int(self.settings.symbols))

    def _read(self, words: Treebank) -> WeightedText:
        """Return symbols and scores."""
        n = self.n_symbols
        # Tags that were never seen share one further class.
        classes = np.append(self.class_of, np.int32(n))[self.inventory.encode(words).tags]
        is_closed = np.pad(self.is_closed, (0, n + 1 - self.n_classes))
        settings = self.settings
        root = settings.predicate * (np.arange(n + 1) == self.predicate)
        root -= settings.closed_root * is_closed
        pairs = np.repeat(-settings.closed_heads * is_closed[:, None], n + 1, axis=1)
        scores = ArcScores(
            words.offsets,
            root[classes],
            classes,
            pairs,
            self._sides(),
            gap=settings.boundary * boundaries(words),
            is_conjunction=classes == (-1 if self.conjunction is None else self.conjunction),
            coordination=settings.coordination,
        )
        return WeightedText.of(classes, n + bool((classes == n).any()), scores)

    def _sides(self) -> Floats:
        """Return scores by tag and side of the head, left and right."""
        strength = np.clip(self.leaning / _STRONG_LEANING, -1, 1)
        strength = np.pad(strength, (0, self.n_symbols + 1 - self.n_classes))
        sides: Floats = self.settings.side * np.maximum(np.stack([-strength, strength], axis=1), 0)
        return sides

    def arc_posteriors(self, words: Treebank) -> Floats:
        """Return how probable arcs are, packed; of a treebank without punctuation."""
        text = self._read(words)
        grammar = self.grammar
        if text.symbols.n_tags > grammar.n_tags:
            grammar = with_unknown(grammar, self._shares())
        return arc_posteriors(grammar, text)

    # ------------------------------------------------------------------ for people, for files

    def describe_grammar(self, top: int = 20) -> str:
        """Return which classes are closed and which heads sentences, then the grammar."""
        names = self._names()
        closed = [names[number] for number in np.flatnonzero(self.is_closed)]
        conjunction = "none" if self.conjunction is None else names[self.conjunction]
        return (
            f"{self._groups_in_words()}"
            f"closed classes: {' '.join(closed) or 'none'}\n"
            f"  their heads follow: {' '.join(self._leaning_to(1)) or 'none'}\n"
            f"  their heads precede: {' '.join(self._leaning_to(-1)) or 'none'}\n"
            f"the class that heads sentences: {names[self.predicate]}\n"
            f"the class between conjuncts: {conjunction}\n\n"
        ) + grammar_in_words(self.grammar, names, self._shares().tolist(), top)

    def _members(self) -> list[list[str]]:
        """Return the tags of classes, the most frequent first."""
        members: list[list[str]] = [[] for _ in range(self.n_classes)]
        for tag, number in zip(self.inventory.tags, self.class_of.tolist(), strict=True):
            members[number].append(tag)
        return members

    def _names(self) -> list[str]:
        """Return what symbols are called: by the most frequent tags of classes."""
        names = [tags[0] + ("+" if tags[1:] else "") for tags in self._members()]
        return names + ["(no tag)"] * (self.n_symbols - len(names))

    def _groups_in_words(self) -> str:
        if self.n_classes == len(self.inventory.tags):
            return ""
        lines = [f"  {' '.join(tags)}" for tags in self._members() if len(tags) > 1]
        return "\n".join([f"groups of tags, {self.n_classes} classes in all", *lines, "", ""])

    def _shares(self) -> Floats:
        """Return how frequent symbols were."""
        shares = np.zeros(self.n_symbols)
        np.add.at(shares, self.class_of, self.inventory.shares)
        return shares

    def _leaning_to(self, side: int) -> list[str]:
        names = self._names()
        return [names[number] for number in np.flatnonzero(side * self.leaning > 0)]

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = grammar_state(self.grammar, self.history)
        facts |= {
            "inventory": self.inventory.to_dict(),
            "closed": np.flatnonzero(self.is_closed).tolist(),
            "predicate": self.predicate,
            "conjunction": self.conjunction,
        }
        arrays |= {"leaning": self.leaning, "class_of": self.class_of}
        return arrays, facts

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        self.inventory = TagInventory.restored(saved.table("inventory"))
        n_tags = len(self.inventory.tags)
        self.class_of = saved.integers("class_of", shape=(n_tags,), below=n_tags, dtype=np.int32)
        n = self.n_classes
        if np.unique(self.class_of).size < n:
            raise damaged("it has a class without tags")
        self.grammar, self.history = restored_grammar(saved, self.n_symbols)
        closed = saved.sequence("closed")
        if not all(type(number) is int and 0 <= number < n for number in closed):
            raise damaged("its closed classes are no classes")
        self.is_closed = np.isin(np.arange(n), closed)
        self.predicate = saved.whole_number("predicate", below=n)
        has_conjunction = saved.fact("conjunction") is not None
        self.conjunction = saved.whole_number("conjunction", below=n) if has_conjunction else None
        self.leaning = saved.numbers("leaning", (n,))
