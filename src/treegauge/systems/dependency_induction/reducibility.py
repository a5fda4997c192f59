"""Trees by Gibbs sampling, in which what can be left out is a small subtree (entry MZ).

The model is in `bracket_sampler.py`. Several chains are sampled while the temperature falls. From
how often all of them saw each arc in their later passes come the trees of the text itself.
The trees of other sentences are sampled with the counts of each chain, averaged over these passes.

References
----------
Mareček and Žabokrtský (2012), Exploiting reducibility in unsupervised dependency parsing. EMNLP.
Mareček and Žabokrtský (2012), Unsupervised dependency parsing using reducibility and fertility
features. WILS.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.kernels import threads
from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.bracket_sampler import (
    MOST_DEPENDENTS,
    EventCounts,
    SampledText,
    TreeChain,
)
from treegauge.systems.dependency_induction.chart import TagCorpus, decode_arcs
from treegauge.systems.dependency_induction.known_trees import (
    KnownTrees,
    pooled_arcs,
    sentence_keys,
)
from treegauge.systems.dependency_induction.reducible_text import (
    ReducibilityWeights,
    ReducibleTextSettings,
    count_on_raw_text,
)
from treegauge.systems.dependency_induction.sampled_grammar_in_words import counts_in_words
from treegauge.systems.dependency_induction.tag_inventory import TagInventory
from treegauge.systems.errors import SystemsError
from treegauge.systems.long_sentences import CUBIC, warn_of_long, whole_up_to
from treegauge.systems.parsers.spanning_trees import best_spanning_tree
from treegauge.systems.partial_work import PartialWork
from treegauge.systems.raw_texts import fingerprint_of_files, seconds_of_files
from treegauge.systems.saved_state import MOST, SavedState, vocabulary_arrays
from treegauge.systems.system import (
    Arrays,
    DependencyInducer,
    OnProgress,
    Supervision,
    no_progress,
)
from treegauge.treebank import Treebank, Vocabulary, parse_tag_column, without_punctuation

_RAREST = 1e-3
"""The least share of the text that a word counts as having, where fertility looks at words."""
_BARRED = float(np.log(1e-12))
_SECONDS_OF_MOVE = 1e-6
Frequencies = NDArray[np.uint16]
"""How often arcs were seen, packed as in `TagCorpus`."""
_COUNTING = 0.1
"""The share of learning that counting what can be left out is said to take."""


@dataclass(frozen=True)
class ReducibilitySettings(ReducibleTextSettings):
    """The four factors, and how trees are sampled."""

    tags: str = setting("u", "the tag column to learn from: u, u12, c, p, p:2")
    max_length: int | None = setting(
        None, "the longest sentence to learn from, in words; none: all", minimum=1
    )
    alpha: float = setting(1.0, "added to the count of every edge", minimum=1e-9)
    beta: float = setting(1.0, "weight of the prior of fertilities", minimum=1e-9)
    gamma: float = setting(1.5, "how fast the weight of an edge falls with its length", minimum=0.0)
    delta: float = setting(2.0, "exponent of the reducibility of a subtree", minimum=0.0)
    fertility: Literal["tag", "word"] = setting(
        "tag", "the prior of a tag: the same for all its words, or larger for rare words"
    )
    directed_edges: bool = setting(False, "distinguish left and right edges")
    noun_root: bool = setting(
        True, "allow a noun as root of a sentence with a verb; false is recorded in the supervision"
    )
    exact: bool = setting(
        False, "score the candidates of a move factor by factor, with updated counts"
    )
    passes: int = setting(100, "passes over the text", minimum=1, maximum=60000)
    burn_in: float = setting(
        0.5, "share of passes before samples are kept", minimum=0.0, maximum=0.99
    )
    hot: float = setting(4.0, "temperature of the first pass", minimum=0.01)
    cold: float = setting(0.5, "temperature of the last pass and of annotation", minimum=0.01)
    chains: int = setting(4, "number of chains to average", minimum=1, maximum=1000)
    test_passes: int = setting(
        50, "passes over sentences that are not part of the training text", minimum=1, maximum=60000
    )
    tree: Literal["projective", "mst"] = setting(
        "projective", "the projective tree with the most frequent arcs, or any tree"
    )
    longest_whole: int = whole_up_to(CUBIC)


class ReducibilityInducer(DependencyInducer):
    """Edges, fertility, distance and reducibility, sampled by moving brackets."""

    name = "reducibility"
    settings_type: ClassVar[type[Settings]] = ReducibilitySettings
    is_deterministic = False
    keeps_pieces = True

    inventory: TagInventory
    weights: ReducibilityWeights
    counts: list[EventCounts]
    """By chain, averaged over its samples."""
    known: KnownTrees
    """Of the sentences that were learnt from."""
    forms: dict[str, int]
    """How often words occur, where fertility looks at them."""

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        parse_tag_column(self.settings.tags)
        rounds = self.settings.chains * (self.settings.passes + self.settings.test_passes)
        self.seconds_per_word = _SECONDS_OF_MOVE * rounds
        self.piece_names = tuple(f"chain{k}" for k in range(self.settings.chains))

    @property
    def supervision(self) -> Supervision:
        """That a verb is a better root than a noun is knowledge about all languages."""
        return "unsupervised" if self.settings.noun_root else "universal rules"

    # ------------------------------------------------------------------ learning

    def expected_seconds(self, treebank: Treebank) -> float:
        """Guess how long learning takes, with the reading of raw texts."""
        return super().expected_seconds(treebank) + seconds_of_files(self.settings.raw)

    def _partial_work(
        self, treebank: Treebank, folder: str | os.PathLike[str], *, also_read: str = ""
    ) -> PartialWork:
        """Pieces depend on the raw texts too."""
        also_read += fingerprint_of_files(self.settings.raw)
        return super()._partial_work(treebank, folder, also_read=also_read)

    def _fit(self, treebank: Treebank, on_progress: OnProgress) -> None:
        text = self._learnt_text(treebank, on_progress)
        watch = _Watch(self.settings.chains * self.settings.passes, on_progress, first=_COUNTING)

        def chain_of(number: int) -> tuple[EventCounts, Frequencies]:
            kept = self._kept_chain(number, text)
            if kept is None:
                return self._chain_to_keep(text, number, watch)
            watch.skip(self.settings.passes)
            return kept

        chains = _on_threads(chain_of, self.settings.chains, watch)
        self.counts = [counts for counts, _ in chains]
        keys = sentence_keys(text)
        arcs = _summed([frequencies for _, frequencies in chains])
        pooled_arcs(arcs, text, keys)
        self.known = KnownTrees.of(self._decoded(arcs, text), text, keys)

    def _fit_piece(self, treebank: Treebank, number: int) -> None:
        text = self._learnt_text(treebank, no_progress)
        self._chain_to_keep(text, number, _Watch(self.settings.passes, no_progress))

    def _learnt_text(self, treebank: Treebank, on_progress: OnProgress) -> SampledText:
        """Return what chains are sampled over; count tags, words, and what can be left out."""
        words = without_punctuation(treebank)
        if not words.n_words:
            raise SystemsError(f"{self.name}: there is nothing to learn from but punctuation")
        self.inventory = TagInventory.of(words, self.settings.tags)
        self.forms = words.form.counts() if self.settings.fertility == "word" else {}
        learnt_from = self._short_enough(words)
        found = count_on_raw_text(
            self.name,
            self.settings,
            words,
            self.inventory,
            lambda share, line: on_progress(_COUNTING * share, line),
        )
        self.weights = ReducibilityWeights.of(found, self.inventory)
        return self._sampled_text(learnt_from)

    def _short_enough(self, words: Treebank) -> Treebank:
        """Return the sentences that are learnt from, or say that there are none."""
        settings = self.settings
        limit = settings.longest_whole
        length = "longest_whole"
        if settings.max_length is not None and settings.max_length <= limit:
            limit, length = settings.max_length, "max_length"
        is_short = (words.lengths > 0) & (words.lengths <= limit)
        if not is_short.any():
            raise SystemsError(
                f"{self.name}: no sentence of at most {limit} words to learn "
                f"from; raise {length} (the shortest has {words.lengths.min()})"
            )
        if length == "longest_whole":
            warn_of_long(self.name, self.long_sentences(words), limit, "not learnt from")
        return words if is_short.all() else words[np.flatnonzero(is_short)]

    def _sampled_text(self, words: Treebank) -> SampledText:
        """Return the text as the sampler sees it."""
        corpus = self.inventory.encode(words)
        tags = corpus.tags.astype(np.int64)
        logs = self.settings.delta * self.weights.logs(tags, corpus.offsets)
        return SampledText(
            tags, corpus.offsets, logs, self._concentration(words), self._root_logs(corpus)
        )

    def _concentration(self, words: Treebank) -> NDArray[np.float64]:
        """Return beta for every word; divided by the word's share of the text, if it is asked."""
        if self.settings.fertility == "tag":
            return np.full(words.n_words, self.settings.beta)
        total = max(1, sum(self.forms.values()))
        shares = [self.forms.get(form, 1) / total for form in words.form.vocabulary]
        capped = np.maximum(np.array(shares), _RAREST)
        divided: NDArray[np.float64] = self.settings.beta / capped[words.form.codes]
        return divided

    def _root_logs(self, corpus: TagCorpus) -> NDArray[np.float64]:
        """Return what words are as roots: nouns are barred beside verbs, if that is told."""
        logs = np.zeros(corpus.n_words)
        if self.settings.noun_root or not corpus.n_words:
            return logs
        if not any(self.inventory.universal):
            raise SystemsError(
                f"{self.name}: nouns and verbs are known by universal tags, and the text has none; "
                "leave noun_root as it is"
            )
        universal = np.array([*self.inventory.universal, ""])[corpus.tags]
        sentence = np.repeat(np.arange(corpus.n_sentences), corpus.lengths)
        verbs = np.bincount(sentence, weights=universal == "VERB", minlength=corpus.n_sentences)
        logs[np.isin(universal, ("NOUN", "PROPN")) & (verbs[sentence] > 0)] = _BARRED
        return logs

    def _sampled_chain(
        self, text: SampledText, number: int, watch: _Watch
    ) -> tuple[EventCounts, Frequencies]:
        """Sample a chain from random trees on; return mean counts, and how often arcs were seen."""
        settings = self.settings
        n = len(self.inventory.tags)
        chain = self._chain(text, EventCounts.zeros(n, directed=settings.directed_edges), number)
        edges, fertilities = (
            np.zeros_like(chain.counts.edges),
            np.zeros_like(chain.counts.fertilities),
        )
        first = min(int(settings.burn_in * settings.passes), settings.passes - 1)
        for i in range(settings.passes):
            chain.run_pass(self._temperature(i, settings.passes - 1), collects=i >= first)
            if i >= first:
                edges += chain.counts.edges
                fertilities += chain.counts.fertilities
            watch.advance()
        samples = settings.passes - first
        return EventCounts(edges / samples, fertilities / samples), chain.frequencies

    def _chain_to_keep(
        self, text: SampledText, number: int, watch: _Watch
    ) -> tuple[EventCounts, Frequencies]:
        """Sample a chain, and keep it as a piece."""
        counts, frequencies = self._sampled_chain(text, number, watch)
        arrays: Arrays = {"edges": counts.edges, "fertilities": counts.fertilities}
        arrays["frequencies"] = frequencies
        with watch.lock:
            self.partial_work.keep(self.piece_names[number], arrays, {})
        return counts, frequencies

    def _chain(
        self, text: SampledText, counts: EventCounts, number: int, *, learns: bool = True
    ) -> TreeChain:
        settings = self.settings
        return TreeChain(
            text,
            counts,
            alpha=settings.alpha,
            gamma=settings.gamma,
            random=np.random.default_rng([self.seed, number, int(learns)]),
            learns=learns,
            is_exact=settings.exact,
        )

    def _temperature(self, number: int, last: int) -> float:
        """Return the temperature of a pass: it falls linearly until the last, and stays."""
        cooled = min(1.0, number / max(1, last))
        return float(self.settings.hot + (self.settings.cold - self.settings.hot) * cooled)

    def _kept_chain(self, number: int, text: SampledText) -> tuple[EventCounts, Frequencies] | None:
        """Return a chain that was sampled before work was interrupted."""
        piece = self.partial_work.piece(self.piece_names[number])
        if piece is None:
            return None
        try:
            saved = SavedState(*piece)
            size, most = int(text.arc_offsets[-1]), self.settings.passes + 1
            frequencies = saved.integers("frequencies", shape=(size,), below=most, dtype=np.uint16)
            return self._restored_counts(saved, ""), frequencies
        except SystemsError:  # as good as none
            return None

    # ------------------------------------------------------------------ parsing

    def memory_for(self, words: int) -> int:
        """Return the bytes of the arcs of a sentence, for all chains and their sum."""
        return words**2 * (2 * int(self.settings.chains) + 8)

    def _heads(self, words: Treebank, on_progress: OnProgress) -> NDArray[np.int32]:
        if not words.n_words:  # nor any tags, then
            return np.zeros(0, np.int32)
        text = self._sampled_text(words)
        heads = np.zeros(words.n_words, np.int32)
        is_known = self.known.fill(heads, text)
        if not is_known.all():
            others = text.select(~is_known)
            heads[np.repeat(~is_known, words.lengths)] = self._sampled_heads(others, on_progress)
        return heads

    def _sampled_heads(self, text: SampledText, on_progress: OnProgress) -> NDArray[np.int32]:
        """Sample trees of sentences that were not learnt from."""
        settings = self.settings
        has_unknown = bool((text.tags == len(self.inventory.tags)).any())
        watch = _Watch(settings.chains * settings.test_passes, on_progress)
        first = min(int(settings.burn_in * settings.test_passes), settings.test_passes - 1)

        def frequencies_of(number: int) -> Frequencies:
            counts = self.counts[number]
            counts = counts.with_unknown_tag() if has_unknown else counts
            chain = self._chain(text, counts, number, learns=False)
            for i in range(settings.test_passes):
                chain.run_pass(self._temperature(i, first), collects=i >= first)
                watch.advance()
            return chain.frequencies

        arcs = _summed(_on_threads(frequencies_of, settings.chains, watch))
        return self._decoded(arcs, text)

    def _decoded(self, arcs: NDArray[np.float64], text: SampledText) -> NDArray[np.int32]:
        """Return the trees whose arcs were seen most often."""
        corpus = TagCorpus(text.tags, text.offsets, int(text.tags.max()) + 1, deduplicate=False)
        barred = np.flatnonzero(text.root_logs < 0)
        # A root arc that was never seen may still be the price of other arcs.
        begins = np.repeat(text.arc_offsets[:-1], corpus.lengths) - np.repeat(
            text.offsets[:-1], corpus.lengths
        )
        arcs[(begins + np.arange(corpus.n_words))[barred]] -= arcs.max(initial=0) * len(arcs)
        if self.settings.tree == "projective":
            return decode_arcs(arcs, corpus).heads
        heads = np.zeros(corpus.n_words, np.int32)
        for sentence in range(corpus.n_sentences):
            begin, end = corpus.offsets[sentence : sentence + 2]
            scores = np.zeros((end - begin + 1, end - begin + 1))
            scores[:, 1:] = corpus.arc_matrix(arcs, sentence)
            heads[begin:end] = best_spanning_tree(scores)
        return heads

    # ------------------------------------------------------------------ for people, for files

    def describe_grammar(self, top: int = 20) -> str:
        """Return the most frequent edges, roots, fertilities, and what can be left out."""
        return counts_in_words(self.counts, self.weights, self.inventory, top)

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays: Arrays = {**self.weights.arrays(), **self.known.arrays()}
        for number, counts in enumerate(self.counts):
            arrays[f"edges_{number}"] = counts.edges
            arrays[f"fertilities_{number}"] = counts.fertilities
        forms = list(self.forms)
        arrays |= vocabulary_arrays(Vocabulary.from_strings(forms), "forms")
        arrays["form_counts"] = np.array([self.forms[form] for form in forms], np.int64)
        facts = {"inventory": self.inventory.to_dict(), "reducibility": self.weights.summary}
        return arrays, facts

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        saved = SavedState(arrays, facts)
        self.inventory = TagInventory.restored(saved.table("inventory"))
        self.weights = ReducibilityWeights.restored(saved, len(self.inventory.tags))
        self.counts = [
            self._restored_counts(saved, f"_{number}") for number in range(self.settings.chains)
        ]
        self.known = KnownTrees.restored(saved)
        forms = saved.vocabulary("forms")
        counts = saved.integers("form_counts", shape=(len(forms),), below=MOST)
        self.forms = dict(zip(forms.strings, counts.tolist(), strict=True))

    def _restored_counts(self, saved: SavedState, suffix: str) -> EventCounts:
        n, sides = len(self.inventory.tags), MOST_DEPENDENTS + 1
        columns = n * (2 if self.settings.directed_edges else 1)
        return EventCounts(
            saved.numbers(f"edges{suffix}", (n + 1, columns), least=0, most=MOST),
            saved.numbers(f"fertilities{suffix}", (n, sides, sides), least=0, most=MOST),
        )


class _Watch:
    """Tells how many passes of all chains are done, whichever thread did them."""

    def __init__(self, passes: int, on_progress: OnProgress, *, first: float = 0.0) -> None:
        self.lock = threading.Lock()
        self._passes, self._done, self._first = passes, 0, first
        self._is_stopped = False
        self._on_progress = on_progress

    def skip(self, passes: int) -> None:
        """Count passes that were done before."""
        with self.lock:
            self._done += passes

    def stop(self) -> None:
        """Let all chains end with the pass that they are at."""
        self._is_stopped = True

    def advance(self) -> None:
        """Count a pass, and tell of it."""
        with self.lock:
            if self._is_stopped:
                raise SystemsError("the other chains were interrupted")
            self._done += 1
            share = self._first + (1 - self._first) * self._done / self._passes
            self._on_progress(share, f"pass {self._done:,} of {self._passes:,}")


def _summed(chains: list[Frequencies]) -> NDArray[np.float64]:
    """Return how often all chains saw every arc."""
    total = np.zeros(len(chains[0]))
    for own in chains:
        total += own
    return total


def _on_threads(work: Callable[[int], Any], number: int, watch: _Watch) -> list[Any]:
    """Return `work` of 0 to `number` - 1, on all cores; the order is theirs."""
    workers = min(threads(), number)
    if workers == 1:
        return [work(k) for k in range(number)]
    pool = ThreadPoolExecutor(workers)
    try:
        return list(pool.map(work, range(number)))
    except BaseException:  # nobody waits for chains that are of no use any more
        watch.stop()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
