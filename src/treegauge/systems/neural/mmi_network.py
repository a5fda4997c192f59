"""The two encoders of the inducer `mmi` and what they maximise (Stratos 2019)."""

# mypy: ignore-errors
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

from .bilstm_network import Speller

_SPREAD = 0.1
"""Vectors of words begin between -0.1 and 0.1."""


@dataclass(frozen=True)
class Sizes:
    """What the encoders are made of."""

    n_words: int
    """Types, and one for what is outside a sentence."""
    n_letters: int
    """Letters, and one for padding."""
    n_classes: int
    width: int
    """Words of context on either side."""
    word_size: int
    character_size: int
    character_hidden: int


def negative_information(log_p, log_q):
    """Return minus a lower bound on the information that contexts have about classes, in nats.

    With p(z | y) of the word y, q(z | x) of its context x and averages over a batch,

        I(X; Z) >= J = H(Z) - H(p, q)                                                      (1)
        H(Z) = -sum_z m(z) ln m(z),  m(z) = mean p(z | y)
        H(p, q) = mean -sum_z p(z | y) ln q(z | x)

    because H(p, q) is at least H(Z | X), whatever q is. H(Z) is that of a batch, less than that
    of the text: batches must be large beside the number of classes.
    """
    p = log_p.exp()
    mean = p.mean(dim=0)
    # The logarithm of a class that no word of the batch has would be no number.
    entropy = -(mean * mean.clamp_min(torch.finfo(mean.dtype).tiny).log()).sum()
    cross_entropy = -(p * log_q).sum(dim=1).mean()
    return cross_entropy - entropy


class Encoders(nn.Module):
    """Classes from contexts, and classes from words; both see the same vectors of words."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.words = nn.Embedding(sizes.n_words, sizes.word_size)
        nn.init.uniform_(self.words.weight, -_SPREAD, _SPREAD)
        self.speller = Speller(sizes.n_letters, sizes.character_size, sizes.character_hidden)
        self.of_word = nn.Linear(sizes.word_size + 2 * sizes.character_hidden, sizes.n_classes)
        self.of_context = nn.Linear(2 * sizes.width * sizes.word_size, sizes.n_classes)

    def forward(self, types, letters, lengths, contexts):
        """Return ln p(z | y) of types and ln q(z | x) of contexts, the types before and behind."""
        # One look at the vectors: its gradient is as large as the vocabulary.
        vectors = self.words(torch.cat([types, contexts.flatten()]))
        of_types, of_contexts = vectors[: len(types)], vectors[len(types) :]
        log_q = torch.log_softmax(self.of_context(of_contexts.view(len(contexts), -1)), dim=1)
        return self._log_p(of_types, letters, lengths), log_q

    def log_p(self, types, letters, lengths):
        """Return ln p(z | y) of types, which are read letter by letter as well."""
        return self._log_p(self.words(types), letters, lengths)

    def _log_p(self, vectors, letters, lengths):
        states = torch.cat([vectors, self.speller(letters, lengths)], dim=1)
        return torch.log_softmax(self.of_word(states), dim=1)


class SpellingEncoder(nn.Module):
    """Classes from letters alone, for words that were not learnt from."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.speller = Speller(sizes.n_letters, sizes.character_size, sizes.character_hidden)
        self.scores = nn.Linear(2 * sizes.character_hidden, sizes.n_classes)

    @classmethod
    def of(cls, encoders, sizes, rare):
        """Return what encoders say of a word whose vector is the mean of those of rare types."""
        spelling = cls(sizes)
        spelling.speller.load_state_dict(encoders.speller.state_dict())
        n = sizes.word_size
        with torch.no_grad():
            vector = encoders.words(rare).mean(dim=0)
            spelling.scores.weight.copy_(encoders.of_word.weight[:, n:])
            spelling.scores.bias.copy_(
                encoders.of_word.bias + encoders.of_word.weight[:, :n] @ vector
            )
        return spelling

    def choose(self, classes):
        """Give scores to these classes alone, in this order."""
        chosen = nn.Linear(self.scores.in_features, len(classes))
        chosen.weight = nn.Parameter(self.scores.weight.detach()[classes])
        chosen.bias = nn.Parameter(self.scores.bias.detach()[classes])
        self.scores = chosen

    def forward(self, letters, lengths):
        """Return p(z | y) of words."""
        return torch.softmax(self.scores(self.speller(letters, lengths)), dim=1)
