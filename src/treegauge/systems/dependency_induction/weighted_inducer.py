"""A dependency model with valence, every arc of which is multiplied by a fixed weight.

Soft EM climbs

    sum over sentences of  log sum over trees of  P(tree) · product of the weights of its arcs

with the prior that smoothing stands for; sentences are parsed by minimum risk with the same
weights. What is known of arcs is said by subclasses.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.arc_scores import MOST_WEIGHT, ArcScores, Floats
from treegauge.systems.dependency_induction.chart import (
    Grammar,
    TagCorpus,
    chart_bytes,
    estimate,
    expectations,
    log_prior,
    portions,
)
from treegauge.systems.dependency_induction.grammar_inducer import Step
from treegauge.systems.dependency_induction.initialisers import initial_grammar
from treegauge.systems.errors import SystemsError, SystemsWarning
from treegauge.systems.long_sentences import CUBIC, whole_up_to
from treegauge.systems.system import DependencyInducer, OnProgress
from treegauge.systems.voting import trees_of_most_votes
from treegauge.treebank import Treebank, without_punctuation
from treegauge.wording import counted

_FEW_SENTENCES = 100
_FLOOR = 1e-6
"""Probability of what was never seen, when sentences are parsed."""


def weight_setting(default: float, help: str) -> Any:
    """Return a setting for the logarithm of a weight."""
    return setting(default, help, minimum=0.0, maximum=MOST_WEIGHT)


@dataclass(frozen=True)
class WeightedSettings(Settings):
    """How a grammar with weights is learnt."""

    max_length: int = setting(15, "the longest sentence to learn from, in words", minimum=1)
    init: Literal["uniform", "smith"] = setting("uniform", "the initialiser")
    iterations: int = setting(20, "number of iterations of EM", minimum=0)
    smoothing: float = setting(0.1, "added to every count", minimum=0)
    longest_whole: int = whole_up_to(CUBIC)


@dataclass(frozen=True, eq=False)
class WeightedText:
    """Sentences as sequences of symbols, and what is known of their arcs."""

    symbols: TagCorpus
    """Sentences of the same symbols are not the same: their weights differ."""
    scores: ArcScores

    @classmethod
    def of(cls, codes: NDArray[np.int32], n_symbols: int, scores: ArcScores) -> WeightedText:
        """Return a text from the codes of its symbols."""
        return cls(TagCorpus(codes, scores.offsets, n_symbols, deduplicate=False), scores)


def learn_with_weights(
    text: WeightedText,
    settings: WeightedSettings,
    on_step: Callable[[float, Step], None],
) -> Grammar:
    """Return the grammar that EM reaches."""
    weights = text.scores.weights()
    random = np.random.default_rng(0)  # no start that can be chosen is random
    grammar = initial_grammar(settings.init, text.symbols, random)
    for i in range(settings.iterations):
        e_step = expectations(grammar, text.symbols, arc_weights=weights)
        objective = e_step.log_likelihood + log_prior(grammar, settings.smoothing)
        on_step((i + 1) / settings.iterations, Step(objective, e_step.log_likelihood))
        grammar = estimate(e_step.counts, smoothing=settings.smoothing, previous=grammar)
    return grammar


def arc_posteriors(grammar: Grammar, text: WeightedText) -> Floats:
    """Return how probable every arc is, packed as `TagCorpus` packs arcs."""
    tables = {name: np.maximum(table, _FLOOR) for name, table in grammar.arrays().items()}
    floored = Grammar.from_arrays(tables, grammar.child_valence_order)
    weights = text.scores.weights()
    e_step = expectations(floored, text.symbols, arc_weights=weights, marginals=True)
    assert e_step.marginals is not None
    return e_step.marginals


class WeightedInducer(DependencyInducer):
    """A dependency inducer whose arcs have weights."""

    settings_type: ClassVar[type[Settings]] = WeightedSettings
    seconds_per_word = 2e-5

    grammar: Grammar
    history: list[Step]

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        self.history = []

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        words = without_punctuation(treebank)
        if not words.n_words:
            raise SystemsError(f"{self.name}: there is nothing to learn from but punctuation")
        self.history = []
        _warn_of_few(self.name, int((words.lengths > 0).sum()))
        self._learn(words, self._short_enough(words), on_progress)

    def _most_words(self, words: Treebank) -> int:
        """Return how long sentences may be that a grammar is learnt from."""
        del words
        return int(min(self.settings.max_length, self.settings.longest_whole))

    def _short_enough(self, words: Treebank) -> Treebank:
        """Return the sentences that a grammar is learnt from."""
        limit = self._most_words(words)
        short = np.flatnonzero((words.lengths > 0) & (words.lengths <= limit))
        if not short.size:
            shortest = words.lengths[words.lengths > 0].min()
            raise SystemsError(
                f"{self.name}: no sentence of at most {limit} words to learn from; "
                f"raise max_length (the shortest has {shortest})"
            )
        return words.take(short)

    @abstractmethod
    def _learn(self, words: Treebank, short: Treebank, on_progress: OnProgress) -> None:
        """Learn facts from all words, and a grammar from short sentences."""

    def _note_steps(self, on_progress: OnProgress) -> Callable[[float, Step], None]:
        """Return what keeps the steps of EM and tells of them."""

        def on_step(share: float, step: Step) -> None:
            self.history.append(step)
            on_progress(share, f"log-likelihood {step.log_likelihood:.1f}")

        return on_step

    @abstractmethod
    def arc_posteriors(self, words: Treebank) -> Floats:
        """Return how probable arcs are, packed; of a treebank without punctuation."""

    def memory_for(self, words: int) -> int:
        """Return the bytes of the chart of a sentence and of the weights of its arcs."""
        return chart_bytes(self.grammar, words, marginals=True) + 16 * words**2

    def _heads(self, words: Treebank, on_progress: OnProgress) -> NDArray[np.int32]:
        heads = [np.zeros(0, np.int32)]
        for begin, end in portions(words.offsets):
            part = words[begin:end]
            arcs = self.arc_posteriors(part)
            heads.append(trees_of_most_votes(arcs, part.offsets, projective=True))
            on_progress(end / words.n_sentences, "parsing")
        return np.concatenate(heads)


def _warn_of_few(system: str, sentences: int) -> None:
    if sentences < _FEW_SENTENCES:
        warnings.warn(
            f"{system}: {counted(sentences, 'sentence')} to learn from; "
            f"with fewer than {_FEW_SENTENCES}, accuracy varies much from text to text",
            SystemsWarning,
            stacklevel=4,  # whoever called `fit`
        )
