"""The network of the tagger `bilstm`, apart from it because its import needs PyTorch."""

# mypy: ignore-errors
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

PADDING = 0
UNKNOWN = 1
"""The numbers of words and characters that are none; others begin at 2."""


@dataclass(frozen=True)
class Sizes:
    """What a network is made of."""

    n_words: int
    n_characters: int
    n_bytes: int
    """0: bytes are not read."""
    n_tags: int
    n_frequencies: int
    word_size: int
    character_size: int
    character_hidden: int
    hidden: int
    layers: int


@dataclass(frozen=True)
class Batch:
    """Sentences side by side, and the distinct words in them."""

    words: torch.Tensor
    """Sentence x place: the word's number, for its vector."""
    distinct: torch.Tensor
    """Sentence x place: the word's row in `characters`."""
    lengths: torch.Tensor
    """Of sentences; on the CPU."""
    characters: torch.Tensor
    """Distinct word x place."""
    character_lengths: torch.Tensor
    """Of distinct words; on the CPU."""
    bytes: torch.Tensor | None
    byte_lengths: torch.Tensor | None


class Speller(nn.Module):
    """Reads words both ways, letter by letter, and remembers how it ended."""

    def __init__(self, n_letters: int, size: int, hidden: int) -> None:
        super().__init__()
        self.letters = nn.Embedding(n_letters, size, padding_idx=PADDING)
        self.lstm = nn.LSTM(size, hidden, batch_first=True, bidirectional=True)

    def forward(self, letters: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return a vector for every word."""
        # Packed, so that the last state is that of the last letter, not of padding.
        packed = pack_padded_sequence(
            self.letters(letters), lengths, batch_first=True, enforce_sorted=False
        )
        _, (last, _) = self.lstm(packed)
        return torch.cat([last[0], last[1]], dim=1)


class Network(nn.Module):
    """Words to scores of tags, and of frequencies."""

    def __init__(self, sizes: Sizes, *, dropout: float, noise: float) -> None:
        super().__init__()
        self.noise = noise
        self.dropout = nn.Dropout(dropout)
        self.words = nn.Embedding(sizes.n_words, sizes.word_size, padding_idx=PADDING)
        nn.init.normal_(self.words.weight, std=0.1)
        self.spellers = nn.ModuleList(
            Speller(n_letters, sizes.character_size, sizes.character_hidden)
            for n_letters in (sizes.n_characters, sizes.n_bytes)
            if n_letters
        )
        width = sizes.word_size + 2 * sizes.character_hidden * len(self.spellers)
        self.context = nn.LSTM(
            width,
            sizes.hidden,
            num_layers=sizes.layers,
            batch_first=True,
            bidirectional=True,
            dropout=dropout if sizes.layers > 1 else 0.0,
        )
        self.tags = nn.Linear(2 * sizes.hidden, sizes.n_tags)
        self.frequencies = nn.Linear(2 * sizes.hidden, sizes.n_frequencies)

    def forward(self, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        """Return scores of tags, and of frequencies, for every word."""
        spelt = [self.spellers[0](batch.characters, batch.character_lengths)]
        if batch.bytes is not None:
            spelt.append(self.spellers[1](batch.bytes, batch.byte_lengths))
        states = torch.cat(
            [self.words(batch.words), *(vectors[batch.distinct] for vectors in spelt)], dim=2
        )
        if self.training and self.noise:
            states = states + self.noise * torch.randn_like(states)
        packed = pack_padded_sequence(
            self.dropout(states), batch.lengths, batch_first=True, enforce_sorted=False
        )
        states, _ = pad_packed_sequence(self.context(packed)[0], batch_first=True)
        states = self.dropout(states)
        return self.tags(states), self.frequencies(states)
