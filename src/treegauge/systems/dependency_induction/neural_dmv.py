"""The dependency model with valence, its probabilities from a network over embeddings of tags.

Events of tags that behave alike learn from each other, since probabilities are smooth in
embeddings. First the network learns the events of the trees of a start, any other inducer. Then it
goes on with expected counts of events, which are the gradient of the log-likelihood: by EM, some
steps towards the counts of all sentences, or directly, a step for every batch of sentences.
What is saved is the grammar: a model is read, and sentences are parsed, without PyTorch.

With `order=sibling` decisions and dependents see the dependent before them (Yang et al. 2020). With
`trust` the start also weighs arcs while sentences are learnt from and parsed, so that what it knows
beyond tags is not lost.

References
----------
Jiang, Han and Tu (2016), Unsupervised neural dependency parsing. EMNLP.
Han, Jiang and Tu (2017), Dependency grammar induction with neural lexicalization and big training
data. EMNLP.
Yang, Jiang, Han and Tu (2020), Second-order unsupervised neural dependency parsing. COLING.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.chart import Counts, Grammar, TagCorpus, portions
from treegauge.systems.dependency_induction.grammar_inducer import (
    GrammarInducer,
    GrammarSettings,
    Step,
    restored_grammar,
)
from treegauge.systems.dependency_induction.sibling_chart import SiblingChart
from treegauge.systems.dependency_induction.start_trees import (
    LearningText,
    make_start,
    most_supervised,
    projective,
    weights_of_arcs,
)
from treegauge.systems.dependency_induction.symbol_inventory import SymbolInventory
from treegauge.systems.dependency_induction.tag_inventory import warn_of_missing_tags
from treegauge.systems.dependency_induction.valence_chart import ValenceChart, extended
from treegauge.systems.errors import SystemsError
from treegauge.systems.pytorch import chosen_device, import_torch, memory_of_device, seeded
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress, Supervision, System
from treegauge.systems.tag_source import part_of
from treegauge.systems.voting import trees_of_most_votes
from treegauge.treebank import Treebank, without_punctuation

Floats = NDArray[np.float64]

_START = "start."
_BEST = "best."
_EPOCH = "epoch"


@dataclass(frozen=True)
class NeuralDmvSettings(GrammarSettings):
    """The start, the network, and how it learns."""

    max_length: int = setting(15, "the longest sentence to learn from, in words", minimum=1)
    decode: Literal["viterbi", "minimum-risk"] = setting(
        "minimum-risk", "the most probable tree, or the tree with the most probable arcs"
    )
    start: str = setting(
        "", "an inducer whose trees are learnt first, such as dmv?max_length=15; empty: init"
    )
    trust: float = setting(
        0.0,
        "exponent of the start's posteriors, which weight all arcs",
        minimum=0,
        maximum=20,
    )
    order: Literal["first", "sibling"] = setting(
        "first", "what is known of earlier dependents: whether there are any, or the last one's tag"
    )
    valences: Literal["2/1", "2/2", "3/3"] = setting(
        "2/1", "valence classes of decisions and of children, if order is first"
    )
    lexicalise: int | None = setting(
        None, "distinguish words that occur at least this often with a tag", minimum=1
    )
    learner: Literal["em", "direct"] = setting(
        "em", "steps towards the counts of all sentences, or one step per batch"
    )
    counts: Literal["soft", "hard"] = setting(
        "soft", "events of all trees, weighted by posteriors, or of the best trees only"
    )
    epochs: int = setting(50, "passes over all sentences after the start", minimum=0)
    steps: int = setting(50, "network steps per epoch of EM", minimum=1)
    start_steps: int = setting(500, "network steps towards the counts of the start", minimum=0)
    batch: int = setting(64, "sentences per step, if learner is direct", minimum=1)
    rate: float = setting(0.01, "learning rate", minimum=0.0)
    embedding: int = setting(32, "size of tag and word vectors", minimum=1)
    context: int = setting(10, "size of valence or sibling vectors", minimum=1)
    hidden: int = setting(64, "size of the hidden layer", minimum=1)
    dropout: float = setting(0.0, "dropout rate", minimum=0.0, maximum=0.9)
    held_out: float = setting(
        0.0,
        "share of held-out sentences, whose likelihood decides when to stop",
        minimum=0.0,
        maximum=0.5,
    )
    patience: int = setting(
        5, "epochs without a better held-out likelihood before learning stops", minimum=1
    )
    device: str = setting("auto", "the device: auto, cpu, cuda, or another PyTorch device")
    rules: Literal["none"] = setting("none", "not used: start from an inducer with rules instead")
    iterations: int = setting(0, "not used: see epochs", minimum=0, maximum=0)
    restarts: int = setting(1, "not used: there is a single start", minimum=1, maximum=1)


class NeuralDmv(GrammarInducer):
    """A network gives the probabilities of a DMV, and learns from the counts of its charts."""

    name = "neural-dmv"
    settings_type: ClassVar[type[Settings]] = NeuralDmvSettings
    keeps_pieces = True
    seconds_per_word = 2e-4

    inventory: SymbolInventory
    chart: ValenceChart | SiblingChart
    start: System | None
    _lesson: Lesson

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        self.is_deterministic = False
        self.start = None
        if self.settings.start:
            self.start = make_start(self.settings.start, self.name, seed)
            self.made_of = (self.start.name,)
            self.seconds_per_word += self.start.seconds_per_word
        elif self.settings.trust:
            raise SystemsError(f"{self.name}: setting trust: there is no start to be trusted")

    @property
    def supervision(self) -> Supervision:
        """What the start is told, or constraints say."""
        told = () if self.start is None else (self.start.supervision,)
        return most_supervised(super().supervision, *told)

    @property
    def has_converged(self) -> None:  # type: ignore[override]
        """Nothing to say: it learns for some epochs, or until held-out sentences say so."""
        return None

    # ------------------------------------------------------------------ learning

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        import_torch(self.name)
        words = without_punctuation(treebank)
        if not words.n_words:
            raise SystemsError(f"{self.name}: there is nothing to learn from but punctuation")
        settings = self.settings
        self.inventory = SymbolInventory.lexicalised(words, settings.tags, settings.lexicalise)
        warn_of_missing_tags(self.name, self.inventory)
        self._short_enough(words)  # says so where there is nothing
        self.constraints = self._constraints()
        self.chart = self._new_chart()
        heads = self._start_heads(treebank, part_of(on_progress, 0, 0.3))
        is_short = (words.lengths > 0) & (
            words.lengths <= min(settings.max_length, settings.longest_whole)
        )
        short = words.take(np.flatnonzero(is_short))
        if heads is not None:
            heads = projective(heads[np.repeat(is_short, words.lengths)], short.offsets)
        self._lesson = Lesson(self._text(short), heads)
        random = np.random.default_rng(self.seed)
        self.grammar = self._learn(self._lesson.text.corpus, random, part_of(on_progress, 0.3, 1))
        del self._lesson

    def _learn(
        self, corpus: TagCorpus, random: np.random.Generator, on_progress: OnProgress
    ) -> Grammar:
        device = chosen_device(self.settings.device, self.name)
        with (
            seeded(self.name, self.seed, device),
            memory_of_device(self.name, "choose a smaller hidden layer, or device=cpu"),
        ):
            first = self._first_counts(corpus, self._lesson.heads, random)
            return self._trained(
                self._lesson.text, first, self._new_learner(random, device), on_progress
            )

    def _text(self, words: Treebank) -> LearningText:
        """Return sentences as charts take them, with what the start says of arcs."""
        weights = None
        if self.start is not None and self.settings.trust:
            weights = weights_of_arcs(self.start, words, self.settings.trust)
        return LearningText.of(self.inventory.encode(words), weights)

    def _new_chart(self) -> ValenceChart | SiblingChart:
        if self.settings.order == "sibling":
            return SiblingChart(self.inventory.tag_of + 1)
        decisions, children = map(int, self.settings.valences.split("/"))
        return ValenceChart((decisions, children))

    def _start_heads(self, treebank: Treebank, on_progress: OnProgress) -> NDArray[np.int32] | None:
        """Let the start learn, unless it has been kept; return its heads of words."""
        if self.start is None:
            return None
        piece = self.partial_work.piece("start")
        if piece is None:
            self.start.fit(treebank, on_progress=part_of(on_progress, 0, 0.9))
            self.partial_work.keep("start", *self.start.state())
        else:
            SavedState(*piece).restore(self.start, prefix="", facts=piece[1])
        answer = self.start.annotate(treebank, on_progress=part_of(on_progress, 0.9, 1))
        return without_punctuation(answer).head

    def _first_counts(
        self, corpus: TagCorpus, heads: NDArray[np.int32] | None, random: np.random.Generator
    ) -> Counts:
        """Return the events of the start's trees, or those that the first grammar expects."""
        if heads is not None:
            return self.chart.tree_counts(heads, corpus)
        first = self.initial(corpus, random)
        return self._e_step(extended(first, self.chart.contexts), LearningText(corpus))[0]

    def _e_step(self, grammar: Grammar, text: LearningText) -> tuple[Counts, float]:
        """Return the counts of events and the log-likelihood (hard: that of the best trees)."""
        barred = self.constraints.barred(grammar)
        if self.settings.counts == "soft":
            e_step = self.chart.expectations(barred, text.corpus, arc_weights=text.arc_weights)
            return e_step.counts, e_step.log_likelihood
        trees = self.chart.viterbi(barred, text.corpus, arc_weights=text.arc_weights)
        assert trees.counts is not None
        return trees.counts, float(trees.scores.sum())

    def _trained(
        self,
        text: LearningText,
        first: Counts,
        learner: Any,
        on_progress: OnProgress,
    ) -> Grammar:
        """Fit the network to the first counts, then let it learn epoch by epoch."""
        seen, held_out = text.split(self.settings.held_out)
        course = self._resumed(learner)
        if course is None:
            learner.fit(self._smoothed(first), self.settings.start_steps)
            course = Course()
            course.judge(learner.tables(), self._likelihood(learner, held_out))
            self._keep(learner, course)
        epochs = self.settings.epochs
        while course.epoch < epochs and course.waited < self.settings.patience:
            log_likelihood = self._learn_once(learner, seen)
            course.judge(learner.tables(), self._likelihood(learner, held_out))
            course.epoch += 1
            course.history.append(log_likelihood)
            self._keep(learner, course)
            on_progress(course.epoch / epochs, f"log-likelihood {log_likelihood:.1f}")
        self.history = [Step(value, value) for value in course.history]
        return Grammar.from_arrays(course.tables)

    def _new_learner(self, random: np.random.Generator, device: str) -> Any:
        from treegauge.systems.neural.grammar_network import GrammarNetwork, Sizes
        from treegauge.systems.neural.grammar_training import GrammarLearner

        settings = self.settings
        sizes = Sizes(
            decision_contexts=self.chart.contexts[0],
            child_contexts=self.chart.contexts[1],
            embedding=settings.embedding,
            context=settings.context,
            hidden=settings.hidden,
        )
        network = GrammarNetwork(self.inventory.tag_of, sizes, dropout=settings.dropout)
        return GrammarLearner(
            network.to(device),
            rate=settings.rate,
            generator=random,
        )

    def _learn_once(self, learner: Any, text: LearningText) -> float:
        """Go through all sentences once; return the log-likelihood that was met on the way."""
        settings = self.settings
        if settings.learner == "em":
            counts, total = self._e_step(Grammar.from_arrays(learner.tables()), text)
            learner.fit(self._smoothed(counts), settings.steps)
            return total
        total = 0.0
        order = learner.generator.permutation(text.corpus.n_sentences)
        for begin in range(0, order.size, settings.batch):
            batch = text.select(np.sort(order[begin : begin + settings.batch]))
            counts, log_likelihood = self._e_step(Grammar.from_arrays(learner.tables()), batch)
            learner.fit(self._smoothed(counts, batch.corpus.n_sentences / order.size), 1)
            total += log_likelihood
        return total

    def _smoothed(self, counts: Counts, share: float = 1.0) -> dict[str, Floats]:
        """Return counts with what smoothing adds to all of them, or to a share of the text."""
        added = self.settings.smoothing * share
        return {name: table + added for name, table in counts.arrays().items()}

    def _likelihood(self, learner: Any, held_out: LearningText | None) -> float | None:
        if held_out is None:
            return None
        return self._e_step(Grammar.from_arrays(learner.tables()), held_out)[1]

    # ------------------------------------------------------------------ interruption

    def _keep(self, learner: Any, course: Course) -> None:
        """Keep the epoch that is done, in the place of the one before it."""
        arrays, facts = learner.state()
        best = {f"{_BEST}{name}": table for name, table in course.tables.items()}
        self.partial_work.keep(_EPOCH, {**arrays, **best}, {**course.facts(), "learner": facts})

    def _resumed(self, learner: Any) -> Course | None:
        """Bring the learner to the last epoch that was kept, if there is any."""
        piece = self.partial_work.piece(_EPOCH)
        if piece is None:
            return None
        arrays, facts = piece
        own = {name: array for name, array in arrays.items() if not name.startswith(_BEST)}
        learner.resume(own, facts["learner"])
        tables = {name: arrays[f"{_BEST}{name}"] for name in ("root", "stop", "go", "attach")}
        return Course(tables, facts["epoch"], facts["waited"], facts["best"], facts["history"])

    # ------------------------------------------------------------------ parsing

    def memory_for(self, words: int) -> int:
        """Return the bytes of the charts of a sentence."""
        return self.chart.memory_for(words)

    def _with_unknown(self, grammar: Grammar) -> Grammar:
        return self.chart.with_unknown(grammar, np.array(self.inventory.shares))

    def _heads(self, words: Treebank, on_progress: OnProgress) -> NDArray[np.int32]:
        heads = [np.zeros(0, np.int32)]
        for begin, end in portions(words.offsets):
            part = words[begin:end]
            if part.n_words and self.settings.decode == "viterbi":
                text = self._text(part)
                grammar = self._parsing_grammar(text.corpus)
                chart = self.chart.wide_enough(grammar.n_tags)
                trees = chart.viterbi(grammar, text.corpus, arc_weights=text.arc_weights)
                heads.append(trees.heads)
            elif part.n_words:
                arcs = self.arc_posteriors(part)
                heads.append(trees_of_most_votes(arcs, part.offsets, projective=True))
            on_progress(end / words.n_sentences, "parsing")
        return np.concatenate(heads)

    def arc_posteriors(self, words: Treebank) -> Floats:
        """Return how probable arcs are, packed as `TagCorpus` packs them."""
        text = self._text(words)
        grammar = self._parsing_grammar(text.corpus)
        e_step = self.chart.wide_enough(grammar.n_tags).expectations(
            grammar, text.corpus, arc_weights=text.arc_weights, marginals=True
        )
        assert e_step.marginals is not None
        return e_step.marginals

    # ------------------------------------------------------------------ for files

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = super()._state()
        if self.start is not None and self.settings.trust:
            of_start, facts["start"] = self.start.state()
            arrays |= {f"{_START}{name}": array for name, array in of_start.items()}
        return arrays, facts

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        self.inventory = SymbolInventory.restored(saved.table("inventory"))
        self.chart = self._new_chart()
        self.grammar, self.history = restored_grammar(
            saved, len(self.inventory.tags), valences=self.chart.contexts
        )
        self.constraints = self._constraints()
        if self.start is not None and self.settings.trust:
            saved.restore(self.start, prefix=_START, facts=saved.fact("start"))


@dataclass(frozen=True, eq=False)
class Lesson:
    """What is learnt from, while it is."""

    text: LearningText
    heads: NDArray[np.int32] | None
    """Of the start's trees, if there is one."""


@dataclass
class Course:
    """How far the network has come."""

    tables: dict[str, Floats] = field(default_factory=dict)
    """The grammar of the last epoch, or of the best one on held-out sentences."""
    epoch: int = 0
    waited: int = 0
    """Epochs since the best one."""
    best: float | None = None
    history: list[float] = field(default_factory=list)

    def judge(self, tables: dict[str, Floats], held_out: float | None) -> None:
        """Take a grammar, unless held-out sentences say that there was a better one."""
        self.waited += 1
        if held_out is None or self.best is None or held_out > self.best:
            self.tables, self.best, self.waited = tables, held_out, 0

    def facts(self) -> dict[str, Any]:
        """Return everything but the grammar, as JSON has it."""
        return {
            "epoch": self.epoch,
            "waited": self.waited,
            "best": self.best,
            "history": self.history,
        }
