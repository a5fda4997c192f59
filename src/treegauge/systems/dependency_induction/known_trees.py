"""Trees of the sentences that were learnt from, found again by what the model sees of them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.dependency_induction.bracket_sampler import SampledText
from treegauge.systems.saved_state import SavedState, damaged
from treegauge.systems.system import Arrays

Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]


def sentence_keys(text: SampledText) -> Keys:
    """Return a hash of everything that the model knows of a sentence before its tree."""
    keys = []
    for begin, end in pairwise(text.offsets.tolist()):
        seen = text.tags[begin:end].tobytes() + text.concentration[begin:end].tobytes()
        keys.append(int.from_bytes(hashlib.blake2b(seen, digest_size=8).digest(), "little"))
    return np.array(keys, np.uint64)


def pooled_arcs(arcs: NDArray[np.float64], text: SampledText, keys: Keys) -> None:
    """Give identical sentences the sum of how often their arcs were seen, in place."""
    first: dict[int, int] = {}
    same: list[tuple[int, int]] = []
    for sentence, key in enumerate(keys.tolist()):
        if first.setdefault(key, sentence) != sentence:
            same.append((first[key], sentence))
    bounds = text.arc_offsets.tolist()
    for one, other in same:
        arcs[bounds[one] : bounds[one + 1]] += arcs[bounds[other] : bounds[other + 1]]
    for one, other in same:
        arcs[bounds[other] : bounds[other + 1]] = arcs[bounds[one] : bounds[one + 1]]


@dataclass(frozen=True, eq=False)
class KnownTrees:
    """Heads of sentences by their keys."""

    keys: Keys
    """Ascending."""
    bounds: Ints
    """Where the heads of each begin, and the end."""
    heads: NDArray[np.int32]
    """Counted from 1; 0 is the root."""

    @classmethod
    def of(cls, heads: NDArray[np.int32], text: SampledText, keys: Keys) -> KnownTrees:
        """Keep the tree of every distinct sentence."""
        distinct, first = np.unique(keys, return_index=True)
        lengths = np.diff(text.offsets)[first]
        places = [np.arange(text.offsets[s], text.offsets[s + 1]) for s in first.tolist()]
        words = np.concatenate([np.zeros(0, np.int64), *places])
        return cls(distinct, np.concatenate([[0], np.cumsum(lengths)]), heads[words])

    def fill(self, heads: NDArray[np.int32], text: SampledText) -> NDArray[np.bool_]:
        """Write the heads of the sentences that are known; return which are."""
        lengths = np.diff(text.offsets)
        keys = sentence_keys(text)
        is_known: NDArray[np.bool_] = lengths == 0
        places = np.searchsorted(self.keys, keys)
        for sentence, place in enumerate(places.tolist()):
            if place == len(self.keys) or self.keys[place] != keys[sentence]:
                continue
            begin, end = self.bounds[place : place + 2]
            if end - begin == lengths[sentence]:
                heads[text.offsets[sentence] : text.offsets[sentence + 1]] = self.heads[begin:end]
                is_known[sentence] = True
        return is_known

    def arrays(self) -> Arrays:
        """Return everything as `save` writes it."""
        return {"known_keys": self.keys, "known_bounds": self.bounds, "known_heads": self.heads}

    @classmethod
    def restored(cls, saved: SavedState) -> KnownTrees:
        """Return what `arrays` gave, if these are trees."""
        heads = saved.integers("known_heads", below=2**31, dtype=np.int32)
        keys = saved.integers("known_keys", below=2**64, dtype=np.uint64)
        if (keys[1:] <= keys[:-1]).any():
            raise damaged("its sentences are not in ascending order")
        bounds = saved.bounds("known_bounds", size=len(keys), total=len(heads))
        if not _are_trees(heads, bounds):
            raise damaged("the trees of its sentences are no trees")
        return cls(keys, bounds, heads)


def _are_trees(heads: NDArray[np.int32], bounds: Ints) -> bool:
    """Say whether every sentence has heads inside it, one root, and nothing on a cycle."""
    lengths = np.diff(bounds)
    if (heads > np.repeat(lengths, lengths)).any():
        return False
    roots = np.add.reduceat(np.append(heads == 0, False).astype(np.int64), bounds[:-1])
    if (roots[lengths > 0] != 1).any():
        return False
    own = np.arange(len(heads))
    above = np.where(heads == 0, own, np.repeat(bounds[:-1], lengths) + heads - 1)
    for _ in range(int(lengths.max(initial=1)).bit_length()):
        above = above[above]
    return bool((heads[above] == 0).all())
