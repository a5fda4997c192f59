"""Features of types, and how often a type has each: what mixtures of types are about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.systems.tag_induction.encoded_text import EncodedText


@dataclass(frozen=True)
class FeatureKind:
    """One kind of feature: type w has `features[starts[w]:starts[w + 1]]`, with counts.

    All features of a kind are drawn from one distribution for each class.
    """

    name: str
    starts: NDArray[np.int64]
    features: NDArray[np.int32]
    counts: NDArray[np.int32]
    n_features: int

    @classmethod
    def of_pairs(
        cls, name: str, types: ArrayLike, features: ArrayLike, n_types: int, n_features: int
    ) -> FeatureKind:
        """Count pairs of a type and a feature.

        >>> kind = FeatureKind.of_pairs("x", [1, 0, 1, 1], [2, 0, 0, 2], 2, 3)
        >>> kind.starts.tolist(), kind.features.tolist(), kind.counts.tolist()
        ([0, 1, 3], [0, 0, 2], [1, 1, 2])
        """
        keys = np.asarray(types, np.int64) * n_features + np.asarray(features, np.int64)
        keys, counts = np.unique(keys, return_counts=True)
        starts = np.searchsorted(keys, np.arange(n_types + 1) * n_features)
        return cls(
            name,
            starts.astype(np.int64),
            (keys % max(n_features, 1)).astype(np.int32),
            counts.astype(np.int32),
            n_features,
        )

    @classmethod
    def of_table(cls, name: str, table: ArrayLike) -> FeatureKind:
        """Take counts as they are, [type, feature].

        >>> FeatureKind.of_table("x", [[0, 2], [0, 0], [1, 1]]).starts.tolist()
        [0, 1, 1, 3]
        """
        table = np.asarray(table)
        types, features = np.nonzero(table)
        starts = np.searchsorted(types, np.arange(len(table) + 1))
        return cls(
            name,
            starts.astype(np.int64),
            features.astype(np.int32),
            table[types, features].astype(np.int32),
            table.shape[1],
        )

    @property
    def n_types(self) -> int:
        """The number of types."""
        return len(self.starts) - 1


class TypeFeatures(NamedTuple):
    """Kinds of features in one array: kernels read this."""

    starts: NDArray[np.int64]
    """[kind, type]: where the features of a type begin."""
    features: NDArray[np.int32]
    counts: NDArray[np.int32]
    sizes: NDArray[np.int64]
    """[kind, type]: the sum of its counts."""

    @classmethod
    def of(cls, kinds: Sequence[FeatureKind]) -> TypeFeatures:
        """Number features through all kinds."""
        places = np.cumsum([0, *(len(kind.features) for kind in kinds)])
        firsts = np.cumsum([0, *(kind.n_features for kind in kinds)])
        counts = np.concatenate([kind.counts for kind in kinds])
        sums = np.append(0, np.cumsum(counts, dtype=np.int64))
        starts = np.stack([kind.starts + at for kind, at in zip(kinds, places, strict=False)])
        return cls(
            starts,
            np.concatenate(
                [kind.features + at for kind, at in zip(kinds, firsts, strict=False)]
            ).astype(np.int32),
            counts,
            sums[starts[:, 1:]] - sums[starts[:, :-1]],
        )


def neighbour_features(text: EncodedText, side: int, most: int) -> FeatureKind:
    """Return the words beside types: the most frequent ones, any other, or a boundary.

    `side` is -1 for the word before and +1 for that after. Words left out for being rare are
    other words; they have no features.
    """
    n_frequent = min(most, text.n_types)
    other, boundary = n_frequent, n_frequent + 1
    features = np.where((text.words >= 0) & (text.words < n_frequent), text.words, other)
    beside = np.full(len(text.words), boundary)
    begins, ends = text.offsets[:-1], text.offsets[1:]
    is_edge = np.zeros(len(text.words), np.bool_)
    if side < 0:
        beside[1:] = features[:-1]
        is_edge[begins[begins < ends]] = True
    else:
        beside[:-1] = features[1:]
        is_edge[ends[begins < ends] - 1] = True
    beside[is_edge] = boundary
    kept = text.words >= 0
    name = "left" if side < 0 else "right"
    return FeatureKind.of_pairs(name, text.words[kept], beside[kept], text.n_types, n_frequent + 2)


def suffix_features(text: EncodedText, longest: int, min_types: int) -> FeatureKind:
    """Return the suffix of each type: the longest that enough types have; maybe none.

    A suffix leaves at least one character of the word. Types are counted without regard to case.

    >>> from treegauge.treebank import Vocabulary
    >>> words = Vocabulary.from_strings(["going", "sing", "red"])
    >>> empty = np.zeros(0)
    >>> kind = suffix_features(EncodedText(empty, empty, np.ones(3), words), 3, 2)
    >>> kind.features.tolist(), kind.n_features  # -ing, -ing, none
    ([1, 1, 0], 2)
    """
    forms = [form.lower() for form in text.forms]
    often: dict[str, int] = {}
    for form in set(forms):
        for length in range(1, min(longest, len(form) - 1) + 1):
            suffix = form[-length:]
            often[suffix] = often.get(suffix, 0) + 1
    number = {"": 0}
    features = []
    for form in forms:
        suffix = form[len(form) - min(longest, max(len(form) - 1, 0)) :]
        while suffix and often[suffix] < min_types:
            suffix = suffix[1:]
        features.append(number.setdefault(suffix, len(number)))
    return FeatureKind.of_pairs("suffix", np.arange(len(forms)), features, len(forms), len(number))


_SHAPES = 16


def shape_features(text: EncodedText) -> FeatureKind:
    """Return the shape of each type: a capital, a digit, a hyphen, no letter or digit at all."""
    shapes = [
        form[:1].isupper()
        + 2 * any(map(str.isdigit, form))
        + 4 * ("-" in form)
        + 8 * (not any(map(str.isalnum, form)))
        for form in text.forms
    ]
    return FeatureKind.of_pairs("shape", np.arange(len(shapes)), shapes, len(shapes), _SHAPES)


def dependency_features(head_classes: ArrayLike) -> FeatureKind:
    """Return the classes that types depend on, from counts [type, class of the head]."""
    return FeatureKind.of_table("dependency", head_classes)


def count_head_classes(
    text: EncodedText, head: NDArray[np.int32], classes: NDArray[np.int32], n_classes: int
) -> NDArray[np.int64]:
    """Count how often words of a type depend on each class, and on the root: [type, class].

    Parameters
    ----------
    text : EncodedText
        The words.
    head : array of int
        For every word its head's position in the sentence, from 1; 0 for the root, less for
        words that have no head and are not counted.
    classes : array of int
        The class of every type.
    n_classes : int
        The number of classes; the root is the one after the last.

    >>> import treegauge as tg
    >>> from treegauge.systems.tag_induction.encoded_text import encode
    >>> text = encode(tg.parse("a/X b/X b/X\\n", format="slashed"))  # b is type 0, a type 1
    >>> heads = np.array([2, 0, 2])
    >>> count_head_classes(text, heads, np.array([0, 1]), 2).tolist()
    [[1, 0, 1], [1, 0, 0]]
    """
    begins = np.repeat(text.offsets[:-1], np.diff(text.offsets))
    kept = (head >= 0) & (text.words >= 0)
    place = np.where(head > 0, begins + head - 1, 0)[kept]
    heads = text.words[place]
    head_class = np.where(head[kept] == 0, n_classes, np.asarray(classes)[heads])
    table = np.zeros((text.n_types, n_classes + 1), np.int64)
    is_known = (head[kept] == 0) | (heads >= 0)
    np.add.at(table, (text.words[kept][is_known], head_class[is_known]), 1)
    return table
