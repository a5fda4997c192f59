"""Tag dictionaries: word forms and the tags that each of them can have."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.dictionaries.errors import DictionaryError
from treegauge.dictionaries.tag_sets import Masks, set_sizes, tag_mask, tags_of
from treegauge.treebank import Vocabulary
from treegauge.treebank.vocabulary import Immutable, frozen
from treegauge.wording import counted


def normalised(form: str) -> str:
    """Return a form as dictionaries and texts are compared: Unicode NFC.

    >>> len("e\\u0301"), len(normalised("e\\u0301"))
    (2, 1)
    """
    return form if form.isascii() else unicodedata.normalize("NFC", form)


class TagDictionary(Immutable):
    """Distinct forms, each with a non-empty set of the 12 universal tags.

    Forms lie in one vocabulary and sets in one array of bit masks, so that looking a text up is
    arithmetic on arrays.

    Parameters
    ----------
    forms : Vocabulary
        Distinct, in Unicode NFC.
    masks : uint16 array, one a form
        Sets of tags as in `treegauge.dictionaries.tag_sets`.
    name : str
        What tables call it.

    Examples
    --------
    >>> english = TagDictionary.from_mapping({"dog": ["NOUN", "VERB"], "the": ["DET"]})
    >>> english
    <TagDictionary: 2 forms, 3 entries>
    >>> english["dog"], english["cat"], "the" in english
    (('NOUN', 'VERB'), (), True)
    """

    def __init__(self, forms: Vocabulary, masks: ArrayLike, *, name: str = "") -> None:
        sets = np.array(masks, np.uint16)
        if len(forms) != len(sets):
            raise DictionaryError(
                f"a dictionary needs one set of tags a form; found {counted(len(forms), 'form')} "
                f"and {counted(len(sets), 'set')}"
            )
        if len(sets) and not sets.all():
            raise DictionaryError(f"{forms[int(np.argmin(sets))]!r} has no tags")
        self.forms = forms
        self.masks: Masks = frozen(sets)
        self.name = name

    @classmethod
    def from_masks(cls, masks: Mapping[str, int], *, name: str = "") -> TagDictionary:
        """Make a dictionary of forms, normalised already, and sets of tags."""
        values = np.fromiter(masks.values(), np.uint16, len(masks))
        return cls(Vocabulary.from_strings(masks), values, name=name)

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[str, int]], *, name: str = "") -> TagDictionary:
        """Make a dictionary of forms and sets of tags; sets of one form are united."""
        masks: dict[str, int] = {}
        for form, mask in pairs:
            form = normalised(form)
            masks[form] = masks.get(form, 0) | mask
        return cls.from_masks(masks, name=name)

    @classmethod
    def from_mapping(cls, entries: Mapping[str, Iterable[str]], *, name: str = "") -> TagDictionary:
        """Make a dictionary of forms and tags, those of UD or the 12."""
        return cls.from_pairs(((form, tag_mask(tags)) for form, tags in entries.items()), name=name)

    def __len__(self) -> int:
        return len(self.forms)

    def __contains__(self, form: object) -> bool:
        return form in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self.forms)

    def __getitem__(self, form: str) -> tuple[str, ...]:
        return tags_of(self.mask(form))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TagDictionary) and self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        name = f" {self.name}" if self.name else ""
        return (
            f"<TagDictionary{name}: {counted(len(self), 'form')}, "
            f"{self.n_entries:,} {'entry' if self.n_entries == 1 else 'entries'}>"
        )

    @property
    def n_entries(self) -> int:
        """The number of pairs of a form and a tag."""
        return int(set_sizes(self.masks).sum())

    @cached_property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits that depend on forms and tags alone, not on their order."""
        digest = hashlib.blake2b(digest_size=8)
        masks = self.masks.tolist()
        for form, code in sorted(self._index.items()):
            digest.update(f"{form}\t{masks[code]}\n".encode())
        return digest.hexdigest()

    @cached_property
    def _index(self) -> dict[str, int]:
        return {form: code for code, form in enumerate(self.forms)}

    def mask(self, form: str) -> int:
        """Return the tags of a form as a mask, 0 where it is missing."""
        code = self._index.get(form, -1)
        return int(self.masks[code]) if code >= 0 else 0

    def codes(self, forms: Iterable[str]) -> NDArray[np.int64]:
        """Return the place of each form, -1 where it is missing."""
        return np.array([self._index.get(form, -1) for form in forms], np.int64)

    def items(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Give every form with its tags."""
        return ((form, tags_of(m)) for form, m in zip(self.forms, self.masks.tolist(), strict=True))

    def tag_counts(self) -> dict[str, int]:
        """Return how many forms have each tag."""
        counts: dict[str, int] = {}
        for mask, number in zip(*np.unique(self.masks, return_counts=True), strict=True):
            for tag in tags_of(int(mask)):
                counts[tag] = counts.get(tag, 0) + int(number)
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def summary(self) -> dict[str, Any]:
        """Return name, fingerprint and sizes as JSON has them."""
        return {
            "dictionary": self.name,
            "dictionary_hash": self.fingerprint,
            "forms": len(self),
            "entries": self.n_entries,
            "tags": self.tag_counts(),
        }

    def take(self, codes: NDArray[np.integer] | NDArray[np.bool_]) -> TagDictionary:
        """Return some of the forms, by place or mask."""
        chosen = np.arange(len(self))[codes]
        return TagDictionary(
            self.forms.take(chosen.astype(np.int32)), self.masks[chosen], name=self.name
        )

    def lower(self) -> TagDictionary:
        """Return the dictionary in lower case; the tags of forms that become one are united."""
        pairs = zip(self.forms, self.masks.tolist(), strict=True)
        return TagDictionary.from_pairs(
            ((form.lower(), mask) for form, mask in pairs), name=self.name
        )

    def __or__(self, other: TagDictionary) -> TagDictionary:
        """Return the union: all forms, with the tags of both."""
        pairs = (
            (form, mask)
            for dictionary in (self, other)
            for form, mask in zip(dictionary.forms, dictionary.masks.tolist(), strict=True)
        )
        name = "+".join(filter(None, (self.name, other.name)))
        return TagDictionary.from_pairs(pairs, name=name)

    def halves(self, *, seed: int = 0) -> tuple[TagDictionary, TagDictionary]:
        """Return two halves without a common form: one to train with, one to score with.

        A tagger that has seen a dictionary must not be scored by it; see
        `refuse_training_dictionary`.
        """
        order = np.random.default_rng(seed).permutation(len(self))
        middle = len(self) // 2
        first, second = np.sort(order[:middle]), np.sort(order[middle:])
        return self.take(first), self.take(second)
