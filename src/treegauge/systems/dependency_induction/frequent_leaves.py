"""Trees from bare text: a weighted DMV in which frequent words are leaves.

1. Function words are the frequent ones, and lean to one side (`frequent_words.py`, `leaning.py`).
2. Open words have a few classes, by neighbours, shapes and endings (`open_word_classes.py`).
3. One of these classes heads sentences: the one that sentences have more often than by chance.
4. A dependency model with valence over function words and classes is learnt, and sentences are
   parsed, with arcs weighted by these facts and by punctuation (`weighted_inducer.py`).

Classes depend on where EM starts: several mixtures are learnt, each with a grammar of its own, and
sentences get the tree whose arcs are the most probable for all of them together.

Nothing is known but words and which of them are punctuation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.arc_scores import ArcScores, Floats, boundaries
from treegauge.systems.dependency_induction.chart import Grammar
from treegauge.systems.dependency_induction.content_chain import (
    LEANING_HELP,
    Leanings,
    find_side,
    function_words_in_words,
    restored_function_words,
    with_symbols,
)
from treegauge.systems.dependency_induction.frequent_words import (
    N_SHAPES,
    BareText,
    frequent_words,
    types_by_frequency,
)
from treegauge.systems.dependency_induction.grammar_in_words import grammar_in_words
from treegauge.systems.dependency_induction.grammar_inducer import (
    Step,
    grammar_state,
    restored_grammar,
)
from treegauge.systems.dependency_induction.leaning import own_sides
from treegauge.systems.dependency_induction.open_word_classes import (
    ClassMixture,
    Codes,
    Endings,
    TypeFeatures,
    learn_mixture,
    neighbours,
    predicate_class,
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
from treegauge.systems.saved_state import SavedState, vocabulary_arrays
from treegauge.systems.system import Arrays, OnProgress
from treegauge.systems.tag_source import part_of
from treegauge.treebank import Column, Treebank, Vocabulary, without_punctuation

_SHOWN = 40
"""Characters of a word that `describe_grammar` shows."""
_MOST_MIXTURES, _MOST_CLASSES = 100, 1000


@dataclass(frozen=True)
class FrequentLeavesSettings(WeightedSettings):
    """The facts, and how much they weigh; logarithms."""

    function_share: float = setting(
        0.001,
        "a word type with a larger share of all words is a function word",
        minimum=0,
        maximum=1,
    )
    shapes: bool = setting(False, "also use capital letters and digits to find classes")
    classes: int = setting(6, "number of classes of open words", minimum=1, maximum=_MOST_CLASSES)
    mixtures: int = setting(
        3, "number of mixtures to learn, each with a grammar", minimum=1, maximum=_MOST_MIXTURES
    )
    function_symbols: int = setting(
        100, "number of function words with their own symbol", minimum=0
    )
    function_heads: float = weight_setting(3.0, "cost of a function word as head")
    function_root: float = weight_setting(3.0, "cost of a function word as root")
    predicate: float = weight_setting(2.0, "weight, as root, of the class that heads sentences")
    predicate_share: float = setting(
        0.08, "smallest share of open words in this class", minimum=0, maximum=1
    )
    leaning: Leanings = setting("signs", LEANING_HELP)
    sides: Literal["each", "common"] = setting(
        "each", "use one side per function word, where it is known"
    )
    side: float = weight_setting(2.0, "weight of the side of function words")
    boundary: float = weight_setting(
        3.0, "cost of each punctuation mark between head and dependent"
    )
    distance: float = weight_setting(0.5, "cost of distance: a factor of its logarithm")


@dataclass(frozen=True, eq=False)
class WordClasses:
    """The classes of one mixture."""

    mixture: ClassMixture
    class_of_type: Codes
    """Of open types that were seen."""
    predicate: int
    """The class that heads sentences."""


@dataclass(frozen=True, eq=False)
class ClassGrammar:
    """The classes of one mixture, and the grammar over them."""

    classes: WordClasses
    shares: Floats
    """How frequent symbols were."""
    grammar: Grammar
    history: Sequence[Step]


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
    tags_types = False
    seconds_per_word = 2e-4

    function_words: tuple[str, ...]
    side: int
    """Where function words have their heads."""
    sides: Floats
    """How much each of them leans to the right, from -1 to 1."""
    open_types: Vocabulary
    """Open words that were seen, the most frequent first."""
    endings: Endings
    models: list[ClassGrammar]

    # ------------------------------------------------------------------ learning

    def _learn(self, words: Treebank, short: Treebank, on_progress: OnProgress) -> None:
        text = BareText.of(words)
        self.function_words = frequent_words(text, self.settings.function_share)
        seen = self._open_text(text)
        self.side = find_side(text, seen.function, self.settings.leaning)
        self.sides = np.full(len(self.function_words), float(self.side))
        if self.settings.sides == "each":
            self.sides = own_sides(text, seen.function, self.side)
        types, open_at = self._number_types(seen)
        features = self._features(seen, types, open_at, self.endings.numbers(self.open_types))
        sentence = np.asarray(words.sentence_of_word, np.int64)[open_at]
        self.models = []
        n = self.settings.mixtures
        for number in range(n):
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
            word_classes = WordClasses(mixture, classes, predicate)
            part = part_of(on_progress, number / n, (number + 1) / n)
            begin = len(self.history)
            short_text = self._weighted(short, word_classes)
            grammar = learn_with_weights(short_text, self.settings, self._note_steps(part))
            symbols = self._symbols(seen, word_classes)
            shares = np.bincount(symbols, minlength=self.n_symbols) / symbols.size
            self.models.append(ClassGrammar(word_classes, shares, grammar, self.history[begin:]))

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
        form = Column(seen.text.form.codes[at], seen.text.form.vocabulary).compact()
        _, order = types_by_frequency(form)
        number = np.empty(order.size, np.int32)
        number[order] = np.arange(order.size)
        self.open_types = form.vocabulary.take(order.astype(np.int32))
        self.endings = Endings.of(self.open_types)
        return number[form.codes], at

    def _features(
        self, seen: OpenText, types: Codes, at: NDArray[np.intp], endings: Codes
    ) -> TypeFeatures:
        """Return what words at some places, numbered by type, are seen with."""
        n_neighbours = len(self.function_words) + 2
        kinds = [(seen.left[at], n_neighbours), (seen.right[at], n_neighbours)]
        if self.settings.shapes:
            kinds.append((seen.text.shape[at], N_SHAPES))
        return TypeFeatures.of(types, endings.size, kinds, (endings, len(self.endings.endings) + 1))

    @property
    def n_features(self) -> int:
        """The number of features that mixtures know."""
        shapes = N_SHAPES if self.settings.shapes else 0
        return 2 * (len(self.function_words) + 2) + shapes + len(self.endings.endings) + 1

    # ------------------------------------------------------------------ symbols and weights

    @property
    def n_symbols(self) -> int:
        """Classes, function words with a symbol of their own, and one for all others."""
        own = self.settings.function_symbols
        return int(self.settings.classes + min(len(self.function_words), own + 1))

    def _classes(self, seen: OpenText, word_classes: WordClasses) -> Codes:
        """Return the classes of open words, by type or, where unseen, by what they look like."""
        at = seen.at
        vocabulary = seen.text.form.vocabulary
        known = dict(zip(self.open_types, word_classes.class_of_type.tolist(), strict=True))
        classes = seen.text.lookup(known, -1)[at]
        unseen = np.flatnonzero(classes < 0)
        if unseen.size:
            places = at[unseen]
            endings = self.endings.numbers(vocabulary)[seen.text.form.codes[places]]
            one_each = np.arange(unseen.size, dtype=np.int32)
            features = self._features(seen, one_each, places, endings)
            classes[unseen] = word_classes.mixture.most_probable(features.table)
        return classes

    def _symbols(self, seen: OpenText, word_classes: WordClasses) -> Codes:
        """Return classes of open words; then come function words, the most frequent first."""
        last = self.n_symbols - 1
        symbols: Codes = np.minimum(seen.function + self.settings.classes, last).astype(np.int32)
        symbols[seen.at] = self._classes(seen, word_classes)
        return symbols

    def _weighted(self, words: Treebank, word_classes: WordClasses) -> WeightedText:
        settings = self.settings
        seen = self._open_text(BareText.of(words))
        symbols = self._symbols(seen, word_classes)
        is_function = seen.function >= 0
        root = settings.predicate * (symbols == word_classes.predicate)
        root -= settings.function_root * is_function
        # Open words are of one kind, every function word of its own.
        n_kinds = len(self.function_words) + 1
        pairs, sides = np.zeros((n_kinds, n_kinds)), np.zeros((n_kinds, 2))
        pairs[1:] = -settings.function_heads
        sides[1:, 1] = settings.side * self.sides
        scores = ArcScores(
            words.offsets,
            root,
            seen.function + 1,
            pairs,
            sides,
            distance=settings.distance,
            gap=settings.boundary * boundaries(words),
        )
        return WeightedText.of(symbols, self.n_symbols, scores)

    # ------------------------------------------------------------------ parsing

    def arc_posteriors(self, words: Treebank) -> Floats:
        """Return how probable arcs are, the mean of all grammars; without punctuation, packed."""
        parts = [
            arc_posteriors(model.grammar, self._weighted(words, model.classes))
            for model in self.models
        ]
        mean: Floats = np.mean(parts, axis=0)
        return mean

    @property
    def grammar(self) -> Grammar:  # type: ignore[override]
        """The first grammar; the others are as large."""
        return self.models[0].grammar

    def _annotate(self, treebank: Treebank, on_progress: OnProgress) -> Treebank:
        """Return trees, and the symbols of the first grammar as tags."""
        seen = self._open_text(BareText.of(without_punctuation(treebank)))
        symbols = self._symbols(seen, self.models[0].classes)
        return super()._annotate(with_symbols(treebank, symbols, self.n_symbols), on_progress)

    # ------------------------------------------------------------------ for people, for files

    def describe_grammar(self, top: int = 20) -> str:
        """Return function words, classes of open words, and the first grammar over them."""
        first = self.models[0]
        lines = [function_words_in_words(self.function_words, self.side, top)]
        for number in range(self.settings.classes):
            types = np.flatnonzero(first.classes.class_of_type == number)[:top]
            shown = " ".join(self.open_types[int(i)][:_SHOWN] for i in types)
            mark = " (heads sentences)" if number == first.classes.predicate else ""
            lines.append(f"class {number}, {first.shares[number]:.1%} of words{mark}: {shown}")
        words = grammar_in_words(first.grammar, self._symbol_names(), first.shares.tolist(), top)
        return "\n".join(lines) + f"\n\n{words}"

    def _symbol_names(self) -> list[str]:
        """Return classes by number, function words as they are, and one name for the rest."""
        own = self.n_symbols - self.settings.classes
        words = [word[:_SHOWN] for word in self.function_words[:own]]
        if own < len(self.function_words):
            words[-1] = "other words"
        return [*map(str, range(self.settings.classes)), *words]

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays: Arrays = {"sides": self.sides, **vocabulary_arrays(self.open_types, "open_types")}
        models = []
        for number, model in enumerate(self.models):
            tables, facts = grammar_state(model.grammar, model.history)
            tables |= {
                "log_prior": model.classes.mixture.log_prior,
                "log_features": model.classes.mixture.log_features,
                "class_of_type": model.classes.class_of_type,
                "shares": model.shares,
            }
            arrays |= {f"{number}.{name}": table for name, table in tables.items()}
            models.append({**facts, "predicate": model.classes.predicate})
        return arrays, {
            "function_words": list(self.function_words),
            "side": self.side,
            "endings": list(self.endings.endings),
            "models": models,
        }

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        self.function_words, self.side = restored_function_words(saved)
        self.sides = saved.numbers("sides", (len(self.function_words),), least=-1, most=1)
        self.open_types = saved.vocabulary("open_types")
        self.endings = Endings(saved.strings("endings"))
        self.models = []
        parts = saved.sequence("models", size=self.settings.mixtures)
        for number, part in enumerate(parts):
            prefix = f"{number}."
            own = {
                name.removeprefix(prefix): array
                for name, array in arrays.items()
                if name.startswith(prefix)
            }
            self.models.append(self._restored_model(SavedState(own, part)))
        self.history = [step for model in self.models for step in model.history]

    def _restored_model(self, saved: SavedState) -> ClassGrammar:
        k = self.settings.classes
        mixture = ClassMixture(
            saved.numbers("log_prior", (k,), most=0),
            saved.numbers("log_features", (self.n_features, k), most=0),
        )
        n_types = len(self.open_types)
        word_classes = WordClasses(
            mixture,
            saved.integers("class_of_type", shape=(n_types,), below=k, dtype=np.int32),
            saved.whole_number("predicate", below=k),
        )
        grammar, history = restored_grammar(saved, self.n_symbols)
        shares = saved.numbers("shares", (self.n_symbols,), least=0, most=1)
        return ClassGrammar(word_classes, shares, grammar, history)


def _by_size(mixture: ClassMixture, classes: Codes, types: Codes) -> tuple[ClassMixture, Codes]:
    """Number classes by the words they hold, the largest first."""
    size = np.bincount(classes[types], minlength=mixture.n_classes)
    order = np.argsort(-size, kind="stable")
    place = np.empty(order.size, np.int32)
    place[order] = np.arange(order.size)
    return mixture.reordered(order), place[classes]
