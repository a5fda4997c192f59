"""TreeTagger: transitions from a decision tree, unknown words from a pruned tree of endings.

Schmid (1994), "Probabilistic part-of-speech tagging using decision trees", and Schmid (1995),
"Improvements in part-of-speech tagging with an application to German": the tags of a word are
mixed with those of all words that have the same set of tags. A word that is in the lexicon
neither as it stands nor in lower case nor with what stands behind its last hyphen has the tags of
the longest ending that is in the tree.

The original is told which tags are open classes. Here they are those that enough of the words
seen once have, so that any inventory of tags will do.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress
from treegauge.systems.taggers._trigram_viterbi_numba import smoothed_along_paths
from treegauge.systems.taggers.lexicon import Lexicon
from treegauge.systems.taggers.sequence_tagger import (
    Sentences,
    SequenceTagger,
    SequenceTaggerSettings,
)
from treegauge.systems.taggers.transition_tree import grow, prune, transitions
from treegauge.systems.taggers.trigram_counts import TrigramCounts
from treegauge.systems.taggers.trigram_decoder import Candidates, decode, logarithms
from treegauge.systems.taggers.word_endings import (
    EndingTree,
    NodeCounts,
    capital_flags,
    last_characters,
)
from treegauge.treebank import Column, Vocabulary


@dataclass(frozen=True)
class TreeTaggerSettings(SequenceTaggerSettings):
    """What can be chosen about TreeTagger."""

    beam: float | None = setting(
        1000.0, "prune paths that are this many times worse than the best; none: exact", minimum=1
    )
    transition_gain: float = setting(0.5, "smallest gain of a test about tags, in bits", minimum=0)
    transition_smoothing: float = setting(
        0.1, "weight of the parent node in the tree of transitions", minimum=0
    )
    ending_gain: float = setting(
        1.2, "smallest gain of an ending over the shorter one, in bits", minimum=0
    )
    longest_ending: int = setting(5, "length of the longest ending, in characters", minimum=0)
    capital_endings: bool = setting(True, "separate endings for capitalised words")
    rare: int = setting(10, "largest frequency of words whose endings are used", minimum=1)
    ending_smoothing: float = setting(0.2, "weight of the next shorter ending", minimum=0)
    class_weight: float = setting(
        0.05, "weight of words with the same set of tags in P(tag | word)", minimum=0, maximum=1
    )
    class_count: float = setting(
        0.0,
        "number of words with that set of tags that are added to a word's own counts",
        minimum=0,
    )
    open_share: float = setting(
        0.01,
        "a class is open if it has at least this share of the words seen once",
        minimum=0,
        maximum=1,
    )


class TreeTagger(SequenceTagger):
    """Transitions from a decision tree, a pruned tree of endings (Schmid 1994, 1995).

    >>> import treegauge as tg
    >>> train = tg.parse("we/PRON fish/VERB in/ADP ponds/NOUN\\nthey/PRON fish/VERB\\n")
    >>> text = tg.parse("They/X fish/X carp-ponds/X\\n", format="slashed")
    >>> list(TreeTagger().fit(train).annotate(text).upos)
    ['PRON', 'VERB', 'NOUN']
    """

    name = "tree"
    settings_type = TreeTaggerSettings
    seconds_per_word = 1e-6

    def _learn(
        self, sentences: Sentences, gold: NDArray[np.int32], _on_progress: OnProgress
    ) -> None:
        self._lexicon = Lexicon.of(sentences.forms, gold, len(self._tags))
        self._trigrams = TrigramCounts.of(gold, sentences.offsets, len(self._tags))
        self._prepare()

    def _prepare(self) -> None:
        """Turn counts into what decoding needs."""
        lexicon, n_tags, chosen = self._lexicon, len(self._tags), self.settings
        tree = grow(self._trigrams)
        prune(tree, chosen.transition_gain)
        self._transitions = transitions(tree, n_tags, smoothing=chosen.transition_smoothing)
        shares = np.bincount(lexicon.tags, weights=lexicon.counts, minlength=n_tags)
        self._log_shares = logarithms(shares / shares.sum())
        self._known_scores = (
            logarithms(
                tag_shares_of_words(lexicon, n_tags, chosen.class_weight, chosen.class_count)
            )
            - self._log_shares[lexicon.tags]
        )
        self._endings = PrunedEndings.of(lexicon, n_tags, chosen)

    def _tag(self, sentences: Sentences, _on_progress: OnProgress) -> NDArray[np.int32]:
        forms = sentences.forms
        types = self._looked_up(forms.vocabulary)
        unknown = np.flatnonzero(types < 0)
        nodes = self._endings.deepest(forms.vocabulary.take(unknown.astype(np.int32)).strings)
        # Types of words: entries of the lexicon, then the places of the tree of endings.
        types[unknown] = len(self._lexicon) + nodes
        candidates = self._candidates()
        return decode(
            types[forms.codes],
            sentences.offsets,
            candidates,
            self._transitions,
            beam=self.settings.beam,
        )

    def _looked_up(self, words: Vocabulary) -> NDArray[np.int32]:
        """Return entries: of the word, of it in lower case, of what is behind its hyphen."""
        entries = self._lexicon.find(words)
        for variant in (str.lower, lambda word: word.rpartition("-")[2]):
            missing = np.flatnonzero(entries < 0)
            others = Column.from_strings(
                [variant(word) for word in words.take(missing.astype(np.int32)).strings]
            )
            entries[missing] = self._lexicon.find(others.vocabulary)[others.codes]
        return entries

    def _candidates(self) -> Candidates:
        lexicon, endings = self._lexicon, self._endings
        # Bayes: P(w | t) is P(t | w) / P(t) but for a factor that all tags of a word share.
        scores = logarithms(endings.shares) - self._log_shares[endings.tags]
        return Candidates(
            np.concatenate([lexicon.starts, lexicon.starts[-1] + endings.starts[1:]]),
            np.concatenate([lexicon.tags, endings.tags]),
            np.concatenate([self._known_scores, scores]),
        )

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = super()._state()
        return {**arrays, **self._lexicon.arrays(), **self._trigrams.arrays()}, facts

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        super()._restore(arrays, facts)
        saved = SavedState(arrays, facts)
        self._lexicon = Lexicon.restored(saved, len(self._tags))
        self._trigrams = TrigramCounts.restored(saved, len(self._tags))
        self._prepare()


def tag_shares_of_words(
    lexicon: Lexicon, n_tags: int, class_weight: float, class_count: float = 0.0
) -> NDArray[np.float64]:
    """Return P(tag | word), mixed with that of all words that have the same set of tags.

    With `k` the count and `c` the weight of the class, it is
    `(1 - c) (f(w, t) + k P(t | class)) / (f(w) + k) + c P(t | class)`.
    """
    entry = lexicon.entry_of_pair
    # A set of tags is one slice of bytes; equal sets get equal codes.
    data = lexicon.tags.tobytes()
    bounds = (lexicon.starts * lexicon.tags.itemsize).tolist()
    sets: dict[bytes, int] = {}
    class_of = np.array(
        [sets.setdefault(data[first:last], len(sets)) for first, last in pairwise(bounds)],
        np.int64,
    )
    pairs, place = np.unique(class_of[entry] * n_tags + lexicon.tags, return_inverse=True)
    together = np.bincount(place, weights=lexicon.counts)
    of_class = np.bincount(pairs // n_tags, weights=together)
    pooled = (together / of_class[pairs // n_tags])[place]
    own = (lexicon.counts + class_count * pooled) / (lexicon.frequencies[entry] + class_count)
    return np.asarray((1 - class_weight) * own + class_weight * pooled, np.float64)


@dataclass(frozen=True)
class PrunedEndings:
    """The endings that say more than shorter ones, and the tags of their words."""

    tree: EndingTree
    is_kept: NDArray[np.bool_]
    starts: NDArray[np.int64]
    tags: NDArray[np.int32]
    shares: NDArray[np.float64]
    """P(tag) of node `i` is the slice from `starts[i]` on."""
    longest: int
    splits_capitals: bool

    @classmethod
    def of(cls, lexicon: Lexicon, n_tags: int, settings: TreeTaggerSettings) -> PrunedEndings:
        """Grow the tree of endings from rare words of open classes, and prune it."""
        entry = lexicon.entry_of_pair
        is_open = open_classes(lexicon, n_tags, settings.open_share)
        is_used = is_open[lexicon.tags] & (lexicon.frequencies <= settings.rare)[entry]
        if not is_used.any():
            is_used[:] = True
        pairs = np.flatnonzero(is_used)
        has_pair = np.zeros(len(lexicon), np.bool_)
        has_pair[entry[pairs]] = True
        words = lexicon.forms.take(np.flatnonzero(has_pair).astype(np.int32)).strings
        longest, splits_capitals = settings.longest_ending, settings.capital_endings
        characters = last_characters(words, longest)
        tree, path = EndingTree.of(characters, _groups(words, splits_capitals), n_roots=2)
        counts = NodeCounts.of(
            path,
            (np.cumsum(has_pair) - 1)[entry[pairs]],
            lexicon.tags[pairs],
            lexicon.counts[pairs],
            n_nodes=len(tree),
            n_tags=n_tags,
        )
        is_kept = kept_endings(tree, counts, settings.ending_gain)
        shares = _smoothed_shares(tree, is_kept, counts, n_tags, settings.ending_smoothing)
        nodes = np.flatnonzero(is_kept)
        entry, tags = np.nonzero(shares)
        starts = np.searchsorted(nodes[entry], np.arange(len(tree) + 1))
        kept_shares = shares[entry, tags]
        return cls(
            tree, is_kept, starts, tags.astype(np.int32), kept_shares, longest, splits_capitals
        )

    def deepest(self, words: tuple[str, ...]) -> NDArray[np.int64]:
        """Return the node of the longest ending of every word that is still in the tree."""
        path = self.tree.walk(
            last_characters(words, self.longest), _groups(words, self.splits_capitals)
        )
        reached = (path >= 0) & self.is_kept[path]
        # What hangs below a node that was cut is cut too, so kept nodes come first.
        return np.asarray(path[np.arange(len(words)), reached.sum(axis=1) - 1], np.int64)


def _groups(words: tuple[str, ...], splits_capitals: bool) -> NDArray[np.int64]:
    """Return the root of every word."""
    return capital_flags(words) if splits_capitals else np.zeros(len(words), np.int64)


def open_classes(lexicon: Lexicon, n_tags: int, share: float) -> NDArray[np.bool_]:
    """Return which tags are open classes: those that enough of the words seen once have.

    If there is none, all are.
    """
    once = lexicon.frequencies[lexicon.entry_of_pair] == 1
    counts = np.bincount(lexicon.tags[once], minlength=n_tags)
    is_open = (counts > 0) & (counts >= share * counts.sum())
    return is_open if is_open.any() else np.ones(n_tags, np.bool_)


def kept_endings(tree: EndingTree, counts: NodeCounts, gain: float) -> NDArray[np.bool_]:
    """Return the nodes that stay: leaves are cut from the bottom up if they save too few bits.

    A leaf `aS` saves `F(aS) (I(S) - I(aS))` bits over the ending `S` that is one character
    shorter (Schmid 1994, section 3.2). Roots stay.
    """
    entropies = counts.entropies
    saved = counts.totals * (entropies[tree.parents] - entropies)
    is_kept = np.ones(len(tree), np.bool_)
    has_child = np.zeros(len(tree), np.bool_)
    for level in reversed(list(tree.levels())):
        is_kept[level] = has_child[level] | (saved[level] >= gain)
        has_child[tree.parents[level][is_kept[level]]] = True
    return is_kept


def _smoothed_shares(
    tree: EndingTree,
    is_kept: NDArray[np.bool_],
    counts: NodeCounts,
    n_tags: int,
    smoothing: float,
) -> NDArray[np.float64]:
    """Return P(tag) at kept nodes, each mixed with its parent's, which counts `smoothing` times.

    Roots are the default entries: they have the tags of words with no kept ending, if any.
    """
    nodes = np.flatnonzero(is_kept)
    paths = [nodes]
    while (paths[-1] >= 0).any():
        paths.append(np.where(paths[-1] >= 0, tree.parents[paths[-1]], -1))
    # From the root down; where a path is shorter, nothing stands before its root.
    path = np.stack(paths[-2::-1], axis=1)
    prior = counts.summed(tree.parents < 0, n_tags)
    prior /= prior.sum()
    shares = np.empty((len(nodes), n_tags))
    smoothed_along_paths(
        path, counts.starts, counts.tags, counts.counts, counts.totals, prior, smoothing, shares
    )
    is_leaf = is_kept & (tree.parents >= 0)
    is_leaf[tree.parents[is_kept & (tree.parents >= 0)]] = False
    for root in range(tree.n_roots):
        left = counts.summed(np.arange(len(tree)) == root, n_tags)
        left -= counts.summed(is_leaf & (tree.root_of == root), n_tags)
        if left.sum() > 0:
            shares[root] = (left / left.sum() + smoothing * prior) / (1 + smoothing)
    return shares
