"""Treebanks as integers, and batches of them: all that the network of a parser reads.

Every sentence begins with a row for its root, so that a head is the place of a row in its
sentence.
"""

# mypy: ignore-errors
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch

from .batches import padded
from .special_codes import PADDING, UNKNOWN

_COLUMN = "column."
_BY_ROW = ("spelling", "feature_set", "heads", "relations")


@dataclass(frozen=True)
class Codes:
    """The sentences of a treebank; what is not read is not there.

    Attributes
    ----------
    offsets : int64 array
        The row of every sentence's root, and the number of rows.
    columns : dict of int32 arrays
        A code for every row, by the name of the column.
    spelling : int32 array
        Which of the distinct forms every row has.
    letters, letter_starts : int32 and int64 arrays
        The letters of form i are `letters[letter_starts[i]:letter_starts[i + 1]]`.
    feature_set : int32 array
        Which of the distinct sets of morphological features every row has.
    features : int32 array, sets x members
        The members of these sets, then `PADDING`.
    heads, relations : int32 arrays
        What is learnt; `NO_TARGET` in rows of roots.
    allowed : bool array, 2 x relations
        Which relations arcs from words, and arcs from the root, have.
    """

    offsets: np.ndarray
    columns: dict[str, np.ndarray] = field(default_factory=dict)
    spelling: np.ndarray | None = None
    letters: np.ndarray | None = None
    letter_starts: np.ndarray | None = None
    feature_set: np.ndarray | None = None
    features: np.ndarray | None = None
    heads: np.ndarray | None = None
    relations: np.ndarray | None = None
    allowed: np.ndarray | None = None

    @property
    def lengths(self):
        """Return the rows of every sentence, its root among them."""
        return np.diff(self.offsets)

    def to_arrays(self):
        """Return all arrays by name."""
        named = {name: value for name, value in vars(self).items() if name != "columns"}
        named |= {f"{_COLUMN}{name}": codes for name, codes in self.columns.items()}
        return {name: value for name, value in named.items() if value is not None}

    @classmethod
    def from_arrays(cls, arrays: dict[str, np.ndarray]) -> Codes:
        """Return the codes that `to_arrays` gave; other arrays are left alone."""
        names = [name for name in cls.__dataclass_fields__ if name != "columns"]
        columns = {
            name.removeprefix(_COLUMN): codes
            for name, codes in arrays.items()
            if name.startswith(_COLUMN)
        }
        return cls(columns=columns, **{name: arrays.get(name) for name in names})

    def take(self, sentences):
        """Return the codes of some sentences."""
        lengths = self.lengths[sentences]
        ends = np.cumsum(lengths)
        rows = np.repeat(self.offsets[sentences] - (ends - lengths), lengths) + np.arange(ends[-1])
        chosen = {
            name: array[rows] if name in _BY_ROW or name.startswith(_COLUMN) else array
            for name, array in self.to_arrays().items()
        }
        return Codes.from_arrays({**chosen, "offsets": np.concatenate([[0], ends])})

    def batch(self, chosen, device, hidden=None):
        """Return some sentences side by side.

        Parameters
        ----------
        hidden : dict of bool arrays, optional
            Rows whose value counts as unknown, by column.
        """
        lengths = self.lengths[chosen]
        ends = np.cumsum(lengths)
        place = np.arange(ends[-1]) - np.repeat(ends - lengths, lengths)
        rows = np.repeat(self.offsets[chosen], lengths) + place
        columns = {}
        for name, codes in self.columns.items():
            values = codes[rows]
            if hidden is not None and name in hidden:
                values = np.where(hidden[name][rows], UNKNOWN, values)
            columns[name] = values
        tensors = {name: _on(device, values) for name, values in columns.items()}
        sentence = np.repeat(np.arange(len(chosen)), lengths)
        about = {"rows": rows, "lengths": torch.from_numpy(lengths.astype(np.int64))}
        about |= {"sentence": _on(device, sentence), "place": _on(device, place)}
        if self.spelling is not None:
            forms, distinct = np.unique(self.spelling[rows], return_inverse=True)
            begins, stops = self.letter_starts[forms], self.letter_starts[forms + 1]
            spelt = [self.letters[a:b] for a, b in zip(begins, stops, strict=True)]
            about["letters"] = padded(spelt, PADDING).to(device)
            about["letter_lengths"] = torch.from_numpy(stops - begins)
            about["spelling"] = _on(device, distinct)
        if self.feature_set is not None:
            sets, distinct = np.unique(self.feature_set[rows], return_inverse=True)
            about["features"] = _on(device, self.features[sets])
            about["feature_set"] = _on(device, distinct)
        return Batch(columns=tensors, **about)

    def targets(self, batch):
        """Return the heads and relations of the rows of a batch."""
        device = batch.place.device
        return _on(device, self.heads[batch.rows]), _on(device, self.relations[batch.rows])


@dataclass(frozen=True)
class Batch:
    """Rows of some sentences, one after the other; a row per word, and one per root."""

    rows: np.ndarray
    """Where they stand in the codes."""
    lengths: torch.Tensor
    """Rows of every sentence; on the CPU."""
    sentence: torch.Tensor
    place: torch.Tensor
    columns: dict[str, torch.Tensor]
    letters: torch.Tensor | None = None
    """Distinct form x place."""
    letter_lengths: torch.Tensor | None = None
    spelling: torch.Tensor | None = None
    features: torch.Tensor | None = None
    """Distinct set x member."""
    feature_set: torch.Tensor | None = None


def _on(device, values):
    return torch.from_numpy(np.ascontiguousarray(values, np.int64)).to(device)
