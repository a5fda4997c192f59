"""Sentences as tensors, for the tagger `bilstm`."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
import torch

from .batches import padded
from .bilstm_network import PADDING, UNKNOWN, Batch


class Reader:
    """Gives numbers to words, characters and bytes.

    Parameters
    ----------
    words, letters : sequence of str
        Those of training; everything else is unknown.
    reads_bytes : bool
        Whether batches have bytes.
    """

    def __init__(self, words, letters, *, reads_bytes: bool) -> None:
        self.reads_bytes = reads_bytes
        self._words = {word: number for number, word in enumerate(words, UNKNOWN + 1)}
        self._letters = {letter: number for number, letter in enumerate(letters, UNKNOWN + 1)}

    def text(self, sentences):
        """Return what batches of some sentences are made from."""
        forms = list(sentences.forms.vocabulary)
        # No form is empty, but an LSTM cannot read nothing, so to be safe it reads padding.
        characters = [
            np.array([self._letters.get(letter, UNKNOWN) for letter in form] or [PADDING])
            for form in forms
        ]
        as_bytes = None
        if self.reads_bytes:
            as_bytes = [
                np.frombuffer(form.encode() or b"\0", np.uint8).astype(np.int64) + UNKNOWN + 1
                for form in forms
            ]
        numbers = np.array([self._words.get(form, UNKNOWN) for form in forms])
        return Text(sentences, numbers, characters, as_bytes)


class Text:
    """Sentences whose forms have been read."""

    def __init__(self, sentences, numbers, characters, as_bytes):
        self.codes = sentences.forms.codes
        self.offsets = sentences.offsets
        self._numbers = numbers
        self._characters = characters
        self._bytes = as_bytes

    def words_of(self, chosen):
        """Return the places of the words of some sentences, sentence by sentence."""
        return [np.arange(self.offsets[s], self.offsets[s + 1]) for s in chosen]

    def batch(self, chosen, device, *, is_hidden=None):
        """Return a batch; words that are hidden have the vector of unknown ones."""
        places = self.words_of(chosen)
        flat = np.concatenate(places)
        forms, rows = np.unique(self.codes[flat], return_inverse=True)
        numbers = self._numbers[self.codes[flat]]
        if is_hidden is not None:
            numbers = np.where(is_hidden[flat], UNKNOWN, numbers)
        lengths = [len(words) for words in places]
        ends = np.cumsum(lengths)[:-1]
        characters, character_lengths = spelt([self._characters[form] for form in forms], device)
        as_bytes, byte_lengths = None, None
        if self._bytes is not None:
            as_bytes, byte_lengths = spelt([self._bytes[form] for form in forms], device)
        return Batch(
            padded(np.split(numbers, ends), PADDING).to(device),
            padded(np.split(rows, ends), 0).to(device),
            torch.tensor(lengths),
            characters,
            character_lengths,
            as_bytes,
            byte_lengths,
        )


def spelt(words, device):
    """Return words letter by letter, and their lengths."""
    return padded(words, PADDING).to(device), torch.tensor([len(word) for word in words])
