"""The dependency model with valence, with three facts about language that a text can tell.

1. Closed classes are leaves. A class is closed if new words are rare in it: its tokens whose form
   occurs once are a smaller share than in the whole text.
2. One class heads sentences: of open classes, the one that most sentences have, and have seldom
   twice.
3. Arcs seldom cross punctuation.

Tags are symbols; their names are never read. The first fact says that content words are heads, as in
Universal Dependencies, and matters most.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.arc_scores import ArcScores, Flags, Floats, boundaries
from treegauge.systems.dependency_induction.chart import Grammar
from treegauge.systems.dependency_induction.tag_inventory import TagInventory, warn_of_missing_tags
from treegauge.systems.dependency_induction.weighted_inducer import (
    WeightedInducer,
    WeightedSettings,
    WeightedText,
    arc_posteriors,
    grammar_bytes,
    learn_with_weights,
)
from treegauge.systems.errors import SystemsError
from treegauge.systems.system import Arrays, OnProgress
from treegauge.treebank import Treebank


@dataclass(frozen=True)
class OpenclassDmvSettings(WeightedSettings):
    """The facts, and how much they weigh; logarithms."""

    tags: str = setting("u", "tag column that is learnt from: u, u12, c, p, p:2")
    init: Literal["uniform", "smith"] = setting("smith", "where learning starts")
    closed_heads: float = setting(4.0, "cost of a head of a closed class", minimum=0)
    closed_below: float = setting(
        0.6, "a class is closed if its share of new words is below so much of the text's", minimum=0
    )
    predicate: float = setting(2.0, "weight of the class that heads sentences as root", minimum=0)
    closed_root: float = setting(3.0, "cost of a root of a closed class", minimum=0)
    boundary: float = setting(3.0, "cost of every punctuation between head and dependent", minimum=0)


class OpenclassDmv(WeightedInducer):
    """Soft EM of the dependency model with valence; closed classes are leaves."""

    name = "openclass-dmv"
    settings_type: ClassVar[type[Settings]] = OpenclassDmvSettings

    inventory: TagInventory
    grammar: Grammar
    is_closed: Flags
    """By tag."""
    predicate: int
    """The tag that heads sentences."""

    def _learn(self, words: Treebank, short: Treebank, on_progress: OnProgress) -> None:
        self.inventory = TagInventory.of(words, self.settings.tags)
        warn_of_missing_tags(self.name, self.inventory)
        tags = self.inventory.encode(words).tags
        self.is_closed = closed_classes(words, tags, self.settings.closed_below)
        self.predicate = predicate_class(words, tags, ~self.is_closed)
        text = self._read(short)
        self.grammar = learn_with_weights(text, self.settings, self._note_steps(on_progress))

    def _read(self, words: Treebank) -> WeightedText:
        corpus = self.inventory.encode(words)
        n = len(self.inventory.tags)
        closed = np.append(self.is_closed, False)  # for tags that were never seen
        settings = self.settings
        root = settings.predicate * (np.arange(n + 1) == self.predicate)
        root -= settings.closed_root * closed
        pairs = np.repeat(-settings.closed_heads * closed[:, None], n + 1, axis=1)
        scores = ArcScores(
            words.offsets,
            root[corpus.tags],
            corpus.tags,
            pairs,
            np.zeros((n + 1, 2)),
            gap=settings.boundary * boundaries(words),
        )
        return WeightedText.of(corpus.tags, corpus.n_tags, scores)

    def arc_posteriors(self, words: Treebank) -> Floats:
        """Return how probable arcs are, packed; of a treebank without punctuation."""
        text = self._read(words)
        grammar = self.grammar
        if text.symbols.n_tags > grammar.n_tags:
            grammar = self.inventory.with_unknown(grammar)
        return arc_posteriors(grammar, text)

    def _grammar_bytes(self, words: int) -> int:
        return grammar_bytes(self.grammar, words)

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        raise NotImplementedError


def closed_classes(words: Treebank, tags: NDArray[np.int32], below: float) -> Flags:
    """Return which classes are closed."""
    form = words.form
    lower: dict[str, int] = {}
    code = [lower.setdefault(value.lower(), len(lower)) for value in form.vocabulary]
    lowered = np.array(code)[form.codes]
    pair = lowered * (tags.max() + 1) + tags
    _, inverse, times = np.unique(pair, return_inverse=True, return_counts=True)
    is_new = times[inverse] == 1
    tokens = np.bincount(tags)
    share = np.bincount(tags, is_new) / np.maximum(tokens, 1)
    closed: Flags = share < below * is_new.mean()
    if closed.all():
        raise SystemsError("no class is open")
    return closed


def predicate_class(words: Treebank, tags: NDArray[np.int32], is_open: Flags) -> int:
    """Return the open class that most sentences have, and have seldom twice."""
    sentences = words.sentence_of_word
    n = int(tags.max()) + 1
    has = np.unique(sentences * n + tags)
    coverage = np.bincount(has % n, minlength=n) / words.n_sentences
    mean = np.bincount(tags, minlength=n) / words.n_sentences
    score = np.where(is_open, coverage**2 / np.maximum(mean, 1e-12), -1)
    return int(score.argmax())
