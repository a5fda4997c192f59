"""Trees from bare text: a weighted DMV in which frequent words are leaves.

1. Function words are the frequent ones, and lean to one side (`frequent_words.py`).
2. Open words have a few classes, by their neighbours and endings (`open_word_classes.py`).
3. One of these classes heads sentences: the one that sentences have more often than by chance.
4. A dependency model with valence over function words and classes is learnt, and sentences are
   parsed, with arcs weighted by these facts and by punctuation (`weighted_inducer.py`).

Classes depend on where EM starts: several mixtures are learnt, each with a grammar of its own, and
sentences get the tree whose arcs are the most probable for all of them together.

Nothing is known but words and which of them are punctuation.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.arc_scores import ArcScores, Floats, boundaries
from treegauge.systems.dependency_induction.chart import Grammar
from treegauge.systems.dependency_induction.content_chain import (
    function_words_in_words,
    restored_function_words,
    with_symbols,
)
from treegauge.systems.dependency_induction.frequent_words import (
    BareText,
    frequent_words,
    leaning_side,
)
from treegauge.systems.dependency_induction.open_word_classes import (
    ClassMixture,
    Codes,
    Endings,
    TypeFeatures,
    kinds_of,
    learn_mixture,
    neighbours,
    predicate_class,
)
from treegauge.systems.dependency_induction.weighted_inducer import (
    WeightedInducer,
    WeightedSettings,
    WeightedText,
    arc_posteriors,
    grammar_bytes,
    learn_with_weights,
)
from treegauge.systems.errors import SystemsError, SystemsWarning
from treegauge.systems.saved_state import SavedState, damaged, vocabulary_arrays
from treegauge.systems.system import Arrays, OnProgress
from treegauge.treebank import Treebank, Vocabulary, without_punctuation

FEW_SENTENCES = 100
"""Sentences below which there is a warning."""
_SHOWN = 40


@dataclass(frozen=True)
class FrequentLeavesSettings(WeightedSettings):
    """The facts, and how much they weigh; logarithms."""

    function_share: float = setting(
        0.001, "a type of more than this share of all words is a function word", minimum=0, maximum=1
    )
    classes: int = setting(6, "classes of open words", minimum=1, maximum=1000)
    mixtures: int = setting(3, "mixtures that are learnt, each with a grammar", minimum=1)
    function_symbols: int = setting(100, "function words with a symbol of their own", minimum=0)
    function_heads: float = setting(3.0, "cost of a function word as head", minimum=0)
    function_root: float = setting(3.0, "cost of a function word as root", minimum=0)
    predicate: float = setting(2.0, "weight of the class that heads sentences as root", minimum=0)
    predicate_share: float = setting(
        0.08, "share of open words that this class has at least", minimum=0, maximum=1
    )
    side: float = setting(2.0, "weight of the side of function words", minimum=0)
    boundary: float = setting(3.0, "cost of every punctuation between head and dependent", minimum=0)
    distance: float = setting(0.5, "cost of distance: times its logarithm", minimum=0)


@dataclass(frozen=True, eq=False)
class ClassGrammar:
    """One mixture of open words, the class of every known type, and the grammar over it."""

    mixture: ClassMixture
    class_of_type: Codes
    predicate: int
    """The class that heads sentences."""
    grammar: Grammar


@dataclass(frozen=True, eq=False)
class OpenText:
    """What mixtures see of a text."""

    text: BareText
    function: Codes
    """The number of every function word by frequency; -1 for open words."""
    left: Codes
    right: Codes

    @property
    def at(self) -> NDArray[np.intp]:
        """Where open words stand."""
        return np.flatnonzero(self.function < 0)


class FrequentLeaves(WeightedInducer):
    """Soft EM of the dependency model with valence over words; frequent words are leaves."""

    name = "frequent-leaves"
    task = "joint"
    settings_type: ClassVar[type[Settings]] = FrequentLeavesSettings
    is_deterministic = False
    seconds_per_word = 2e-4

    function_words: tuple[str, ...]
    side: int
    """Where function words have their heads."""
    open_types: Vocabulary
    """Open words that were seen, the most frequent first."""
    endings: Endings
    models: Sequence[ClassGrammar]

    # ------------------------------------------------------------------ learning

    def _learn(self, words: Treebank, short: Treebank, on_progress: OnProgress) -> None:
        if words.n_sentences < FEW_SENTENCES:
            warnings.warn(
                f"{self.name}: {words.n_sentences} sentences are few to learn from; "
                "expect trees little better than those of content-chain",
                SystemsWarning,
                stacklevel=2,
            )
        text = BareText.of(words)
        self.function_words = frequent_words(text, self.settings.function_share)
        seen = self._open_text(text)
        self.side = leaning_side(text, seen.function >= 0)
        types, open_at = self._number_types(seen)
        features = self._features(seen, types, open_at)
        sentence = np.asarray(words.sentence_of_word, np.int64)[open_at]
        models: list[ClassGrammar] = []
        for number in range(self.settings.mixtures):
            random = np.random.default_rng([self.seed, number])
            mixture = learn_mixture(features, self.settings.classes, random)
            mixture, classes = _by_size(mixture, mixture.most_probable(features.table), types)
            predicate = predicate_class(
                classes[types],
                sentence,
                mixture.n_classes,
                words.n_sentences,
                self.settings.predicate_share,
            )
            model = ClassGrammar(mixture, classes, predicate, Grammar.uniform(1))
            weighted = self._weighted(short, model)
            share = (number + 1) / self.settings.mixtures
            on_step = self._note_steps(lambda _, line, share=share: on_progress(share, line))
            grammar = learn_with_weights(weighted, self.settings, on_step)
            models.append(ClassGrammar(mixture, classes, predicate, grammar))
        self.models = models

    def _open_text(self, text: BareText) -> OpenText:
        numbers = {word: number for number, word in enumerate(self.function_words)}
        function = text.lookup(numbers, -1)
        return OpenText(text, function, *neighbours(text, function, len(numbers)))

    def _number_types(self, seen: OpenText) -> tuple[Codes, NDArray[np.intp]]:
        """Note the types of open words; return the number of every open word, and their places."""
        at = seen.at
        if not at.size:
            raise SystemsError(
                f"{self.name}: no word is open: every type makes up more than "
                f"{self.settings.function_share:g} of the text; raise function_share"
            )
        codes = seen.text.form.codes[at]
        counts = np.bincount(codes, minlength=len(seen.text.form.vocabulary))
        order = np.argsort(-counts, kind="stable")[: int((counts > 0).sum())]
        number = np.full(counts.size, -1, np.int32)
        number[order] = np.arange(order.size)
        self.open_types = seen.text.form.vocabulary.take(order.astype(np.int32))
        self.endings = Endings.of(self.open_types)
        return number[codes], at

    def _features(self, seen: OpenText, types: Codes, at: NDArray[np.intp]) -> TypeFeatures:
        return TypeFeatures.of(
            types,
            len(self.open_types),
            seen.left[at],
            seen.right[at],
            len(self.function_words) + 2,
            self.endings.numbers(self.open_types),
            len(self.endings.endings) + 1,
        )

    # ------------------------------------------------------------------ symbols and weights

    @property
    def n_symbols(self) -> int:
        """Classes, function words with a symbol of their own, and one for all others."""
        own = self.settings.function_symbols
        return int(self.settings.classes + min(len(self.function_words), own + 1))

    def _classes(self, seen: OpenText, model: ClassGrammar) -> Codes:
        """Return the classes of open words, by type or, where unseen, by what they look like."""
        at = seen.at
        vocabulary = seen.text.form.vocabulary
        known = dict(zip(self.open_types, model.class_of_type.tolist(), strict=True))
        classes = seen.text.lookup(known, -1)[at]
        unseen = np.flatnonzero(classes < 0)
        if unseen.size:
            endings = self.endings.numbers(vocabulary)[seen.text.form.codes[at[unseen]]]
            n = len(self.function_words) + 2
            one = np.arange(unseen.size, dtype=np.int32)
            features = TypeFeatures.of(
                one, one.size, seen.left[at[unseen]], seen.right[at[unseen]], n,
                endings, len(self.endings.endings) + 1,
            )  # fmt: skip
            classes[unseen] = model.mixture.most_probable(features.table)
        return classes

    def _symbols(self, seen: OpenText, model: ClassGrammar) -> Codes:
        """Return classes of open words; then come function words, the most frequent first."""
        last = self.n_symbols - 1
        symbols = np.minimum(seen.function + self.settings.classes, last).astype(np.int32)
        symbols[seen.at] = self._classes(seen, model)
        return symbols

    def _weighted(self, words: Treebank, model: ClassGrammar) -> WeightedText:
        settings = self.settings
        seen = self._open_text(BareText.of(words))
        symbols = self._symbols(seen, model)
        is_function = seen.function >= 0
        root = settings.predicate * (symbols == model.predicate)
        root -= settings.function_root * is_function
        scores = ArcScores(
            words.offsets,
            root,
            is_function.astype(np.int32),
            np.array([[0.0, 0.0], [-settings.function_heads] * 2]),
            np.array([[0.0, 0.0], [0.0, settings.side * self.side]]),
            distance=settings.distance,
            gap=settings.boundary * boundaries(words),
        )
        return WeightedText.of(symbols, self.n_symbols, scores)

    # ------------------------------------------------------------------ parsing

    def arc_posteriors(self, words: Treebank) -> Floats:
        """Return how probable arcs are, the mean of all grammars; without punctuation, packed."""
        parts = [
            arc_posteriors(model.grammar, self._weighted(words, model)) for model in self.models
        ]
        mean: Floats = sum(parts) / len(parts)
        return mean

    def _grammar_bytes(self, words: int) -> int:
        return grammar_bytes(self.models[0].grammar, words)

    def _annotate(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        """Return trees, and the symbols of the first grammar as tags."""
        seen = self._open_text(BareText.of(without_punctuation(treebank)))
        symbols = self._symbols(seen, self.models[0])
        return super()._annotate(with_symbols(treebank, symbols, self.n_symbols), on_progress)

def _by_size(
    mixture: ClassMixture, classes: Codes, types: Codes
) -> tuple[ClassMixture, Codes]:
    """Number classes by the words they hold, the largest first."""
    size = np.bincount(classes[types], minlength=mixture.n_classes)
    order = np.argsort(-size, kind="stable")
    place = np.empty(order.size, np.int32)
    place[order] = np.arange(order.size)
    return mixture.reordered(order), place[classes]
