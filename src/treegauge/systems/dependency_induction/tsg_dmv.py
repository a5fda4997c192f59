"""A tree-substitution grammar over dependencies: the entry BC of the PASCAL challenge.

Fragments of trees are units of their own: a head with several dependents, or with dependents of
dependents, can be drawn at once, with a probability that backs off to single rules. Derivations
are sampled; the tree of a sentence has the arcs of the largest posteriors, averaged over the
samples of all chains. With `fragments=false` every rule is a unit of its own: a hierarchical
Pitman-Yor DMV.

References
----------
Blunsom and Cohn (2010), Unsupervised induction of tree substitution grammars for dependency
parsing. EMNLP.
Cohn, Blunsom and Goldwater (2010), Inducing tree-substitution grammars. JMLR 11.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from treegauge.kernels import threads
from treegauge.settings import Settings, setting
from treegauge.systems.dependency_induction.chart import (
    Grammar,
    TagCorpus,
    decode_arcs,
    viterbi,
)
from treegauge.systems.dependency_induction.grammar_inducer import (
    GrammarInducer,
    GrammarSettings,
    Step,
)
from treegauge.systems.dependency_induction.tree_substitution.chains import (
    Chain,
    Chains,
    Schedule,
)
from treegauge.systems.dependency_induction.tree_substitution.drawing import fragments_in_words
from treegauge.systems.dependency_induction.tree_substitution.frozen import FrozenSample
from treegauge.systems.dependency_induction.tree_substitution.sampler import SamplerSettings
from treegauge.systems.long_sentences import whole_up_to
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress, no_progress
from treegauge.treebank import Treebank, without_punctuation

_CHALLENGE_CHAINS = 40
_SECONDS_A_SWEEP = 3e-5
"""For a word of a sentence that is learnt from, on one core."""
_BLOCK = 20
"""Words of a block: every sample fills a chart for it, and there are dozens of them."""
_MOST_SAMPLES = 100_000
_BYTES_A_CELL = 8 * (2 * 20 + 2)
"""Of the chart of a sentence and its derivatives, for two words, without nodes of fragments."""
_BYTES_A_NODE = 2 * 8


@dataclass(frozen=True)
class TsgDmvSettings(GrammarSettings):
    """What can be chosen about fragments and chains; the challenge had 40 chains."""

    smoothing: float = setting(0.0, "not used: the prior smooths", minimum=0, maximum=0)
    tolerance: float = setting(0.0, "not used: a sampler does not converge", minimum=0, maximum=0)
    restarts: int = setting(1, "not used: see chains", minimum=1, maximum=1)
    iterations: int = setting(300, "sweeps of a chain over all sentences", minimum=0)
    decode: Literal["mbr", "argmax"] = setting(  # type: ignore[assignment]
        "mbr", "the tree with the most probable arcs, or the most probable arc of each word"
    )
    fragments: bool = setting(True, "use trees as units; false: single rules (a Pitman-Yor DMV)")
    max_rules: int = setting(12, "largest number of rules per fragment", minimum=1)
    first_cuts: float = setting(
        0.5, "initial share of nodes at which fragments begin, at random", minimum=0, maximum=1
    )
    chains: int = setting(10, "number of chains whose samples are averaged", minimum=1)
    schedule: Literal["usual", "challenge"] = setting(
        "usual", "challenge: 40 chains and decode=argmax, regardless of other settings"
    )
    burn_in: float = setting(
        0.5, "initial share of a chain that is discarded", minimum=0, maximum=1
    )
    thin: int = setting(10, "sweeps between samples", minimum=1)
    longest_whole: int = whole_up_to(200, f"parsed in blocks of at most {_BLOCK}")
    max_sentences: int | None = setting(
        None, "largest number of training sentences, taken evenly from the text", minimum=1
    )


class TsgDmv(GrammarInducer):
    """Fragments of dependency trees under hierarchical Pitman-Yor priors.

    Attributes
    ----------
    samples : list of FrozenSample
        What is kept of all chains.
    acceptance : float
        The share of proposals that were accepted, over all chains.
    """

    name = "tsg-dmv"
    settings_type: ClassVar[type[Settings]] = TsgDmvSettings
    keeps_pieces = True
    block = _BLOCK
    has_converged = None  # type: ignore[assignment]

    samples: list[FrozenSample]
    acceptance: float

    def __init__(self, settings: Any = None, *, seed: int = 0) -> None:
        super().__init__(settings, seed=seed)
        self.is_deterministic = False
        self.piece_names = tuple(f"chain{k}" for k in range(self.n_chains))
        # In a run chains are jobs of their own, and the seconds of a cell are those of all of them.
        # About a fifth of the words of a treebank are in sentences of at most ten.
        self.seconds_per_word = 0.2 * self.n_chains * self._seconds_of_chain(1)

    @property
    def n_chains(self) -> int:
        """How many chains there are."""
        if self.settings.schedule == "challenge":
            return _CHALLENGE_CHAINS
        return int(self.settings.chains)

    def _seconds_of_chain(self, words: int) -> float:
        return _SECONDS_A_SWEEP * words * float(self.settings.iterations)

    def expected_seconds(self, treebank: Treebank) -> float:
        """Return about how long it will learn from a treebank."""
        lengths = without_punctuation(treebank).lengths
        short = lengths[lengths <= self.settings.max_length]
        share = min(1.0, (self.settings.max_sentences or np.inf) / max(1, short.size))
        rounds = -(-self.n_chains // min(threads(), self.n_chains))
        return rounds * self._seconds_of_chain(int(share * short.sum()))

    # ------------------------------------------------------------------ learning

    def _learn(
        self, corpus: TagCorpus, random: np.random.Generator, on_progress: OnProgress
    ) -> Grammar:
        chains = self._chains(corpus, random)
        return self._taken(chains.run(self.piece_names, self.partial_work, on_progress))

    def _fit_piece(self, treebank: Treebank, number: int) -> None:
        chains = self._chains(self._encoded(treebank), self._random(0))
        chain = chains.chain(number, no_progress)
        self.partial_work.keep(self.piece_names[number], *chain.piece())

    def _chains(self, corpus: TagCorpus, random: np.random.Generator) -> Chains:
        """Return what draws chains, each from the same first trees."""
        settings = self.settings
        short = corpus.up_to(settings.max_length)
        if settings.max_sentences is not None and short.n_sentences > settings.max_sentences:
            chosen = np.linspace(0, short.n_sentences, settings.max_sentences, endpoint=False)
            short = short.select(chosen.astype(np.int64))
        first = self.initial(short, random)
        return Chains(
            short,
            viterbi(self.constraints.barred(first), short).heads,
            schedule=Schedule(settings.iterations, settings.burn_in, settings.thin),
            settings=SamplerSettings(
                settings.fragments, settings.max_rules, first_cuts=settings.first_cuts
            ),
            seed=self.seed,
            arc_weights=self._arc_weights(first, short),
        )

    def _taken(self, chains: list[Chain]) -> Grammar:
        """Keep all samples; return their average probabilities of rules."""
        self.samples = [sample for chain in chains for sample in chain.samples]
        joints = np.mean([chain.history for chain in chains], axis=0)
        self.history = [Step(float(joint), float(joint)) for joint in joints]
        accepted = [share for chain in chains for share in chain.acceptance]
        self.acceptance = float(np.mean(accepted)) if accepted else 1.0
        tables = [sample.grammar.arrays() for sample in self.samples]
        return Grammar.from_arrays(
            {name: np.mean([t[name] for t in tables], 0) for name in tables[0]}
        )

    def _arc_weights(self, first: Grammar, corpus: TagCorpus) -> NDArray[np.float64] | None:
        """Return what constraints multiply arcs with, in proposals and in the model.

        How much rules weigh is found once, for the grammar that learning starts from.
        """
        constraints = self.constraints
        if not constraints.are_there:
            return None
        weights = np.ones((corpus.n_tags + 1, corpus.n_tags))
        if constraints.rules is not None:
            constraints.expectations(first, corpus)
            weights = np.where(constraints.rules, np.exp(constraints.dual), 1.0)
        return weights if constraints.bars is None else weights * constraints.bars

    # ------------------------------------------------------------------ parsing

    def memory_for(self, words: int) -> int:
        """Return the bytes of the chart of a sentence."""
        nodes = max(sample.most_nodes for sample in self.samples)
        return (_BYTES_A_CELL + _BYTES_A_NODE * nodes) * words**2

    def _heads(self, words: Treebank, on_progress: OnProgress) -> NDArray[np.int32]:
        if not words.n_words:  # nor any tags, then
            return np.zeros(0, np.int32)
        corpus = self.inventory.encode(words)
        has_unknown = corpus.n_tags > self.grammar.n_tags
        bars = self.constraints.bars_for(corpus.n_tags)
        total = np.zeros(int(corpus.arc_offsets[-1]))
        for number, kept in enumerate(self.samples):
            sample = kept
            if has_unknown:
                grammar = self.inventory.with_unknown(kept.grammar)
                sample = kept.with_unknown(grammar, self.inventory.shares)
            total += sample.arc_posteriors(corpus, bars=bars)
            on_progress((number + 1) / len(self.samples), f"sample {number + 1}")
        heads = decode_arcs(total, corpus).heads
        if self.settings.decode == "argmax" or self.settings.schedule == "challenge":
            heads = _most_probable_arcs(total, corpus, heads)
        return heads

    # ------------------------------------------------------------------ for people, for files

    def describe_grammar(self, top: int = 20) -> str:
        """Return the strongest rules in words, and the most used fragments as little trees."""
        rules = super().describe_grammar(top)
        if not self.settings.fragments:
            return rules
        drawn = fragments_in_words(self.samples, self.inventory.tags, top)
        return f"{rules.rstrip()}\n\n{drawn}\n"

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = super()._state()
        for k, sample in enumerate(self.samples):
            arrays |= sample.arrays(f"sample{k}.")
        return arrays, {**facts, "samples": len(self.samples), "acceptance": self.acceptance}

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        super()._restore(arrays, facts)
        saved = SavedState(arrays, facts)
        count = saved.whole_number("samples", least=1, below=_MOST_SAMPLES)
        n_tags = len(self.inventory.tags)
        self.samples = [FrozenSample.restored(saved, f"sample{k}.", n_tags) for k in range(count)]
        self.acceptance = saved.number("acceptance")


def _most_probable_arcs(
    total: NDArray[np.float64], corpus: TagCorpus, trees: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Return for each word the most probable head; the best tree where they make no tree."""
    heads = trees.copy()
    for sentence, (begin, end) in enumerate(
        zip(corpus.offsets[:-1], corpus.offsets[1:], strict=True)
    ):
        if begin == end:
            continue
        best = corpus.arc_matrix(total, sentence).argmax(axis=0)
        if _is_tree(best):
            heads[begin:end] = best
    return heads


def _is_tree(heads: NDArray[np.intp]) -> bool:
    """Return whether every word comes to the one root; arcs may cross."""
    above = np.append(0, heads)
    if (heads == 0).sum() != 1:
        return False
    place = np.arange(above.size)
    for _ in range(above.size):
        place = above[place]
    return not place.any()
