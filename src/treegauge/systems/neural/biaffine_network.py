"""The network of the parser `biaffine` (Dozat and Manning 2017)."""

# mypy: ignore-errors
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from .bilstm_network import Speller
from .special_codes import PADDING

VECTORS = "vectors"
"""The column of codes whose vectors come from a file and stay as they are."""


@dataclass(frozen=True)
class Sizes:
    """What a network is made of; 0 for what it does not read."""

    columns: dict[str, tuple[int, int]]
    """The number of values of every column, and the length of their vectors."""
    n_letters: int
    letter_size: int
    letter_hidden: int
    n_features: int
    feature_size: int
    layers: int
    hidden: int
    arc_size: int
    relation_size: int
    n_relations: int


class Perceptron(nn.Module):
    """One layer between the LSTM and the products."""

    def __init__(self, width, size):
        super().__init__()
        self.linear = nn.Linear(width, size)
        nn.init.orthogonal_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)

    def forward(self, states):
        """Return what the layer makes of states."""
        return nn.functional.leaky_relu(self.linear(states), 0.1)


class Network(nn.Module):
    """Sentences to scores of arcs, and of relations.

    Parameters
    ----------
    sizes : Sizes
    dropout : float
        Share of numbers left out, the same ones in all words of a sentence.
    column_dropout : float
        Share of whole vectors of a column left out; the others of the word are raised for it.
    """

    def __init__(self, sizes, *, dropout, column_dropout):
        super().__init__()
        self.dropout, self.column_dropout = dropout, column_dropout
        self.columns = nn.ModuleDict()
        width = 0
        for name, (n_values, size) in sizes.columns.items():
            self.columns[name] = _vectors(n_values, size)
            self.columns[name].weight.requires_grad = name != VECTORS
            width += size
        self.speller = self.features = None
        if sizes.n_letters:
            self.speller = Speller(sizes.n_letters, sizes.letter_size, sizes.letter_hidden)
            width += 2 * sizes.letter_hidden
        if sizes.n_features:
            self.features = _vectors(sizes.n_features, sizes.feature_size)
            width += sizes.feature_size
        self.contexts = nn.ModuleList()
        for _ in range(sizes.layers):
            self.contexts.append(nn.LSTM(width, sizes.hidden, batch_first=True, bidirectional=True))
            width = 2 * sizes.hidden
        self.arc_dependent = Perceptron(width, sizes.arc_size)
        self.arc_head = Perceptron(width, sizes.arc_size)
        self.relation_dependent = Perceptron(width, sizes.relation_size)
        self.relation_head = Perceptron(width, sizes.relation_size)
        # Equations 8 and 9 of the paper: a column more is the bias.
        self.arcs = nn.Parameter(torch.zeros(sizes.arc_size + 1, sizes.arc_size))
        with_bias = sizes.relation_size + 1
        self.relations = nn.Parameter(torch.zeros(with_bias, sizes.n_relations, with_bias))

    def forward(self, batch):
        """Return scores of arcs, and what scores of relations are made of.

        Returns
        -------
        tensor, sentence x dependent x head
            Minus infinity where there is no such head.
        tuple of two tensors
            Every row as a dependent and as a head, for `relation_scores`.
        """
        states = self._inputs(batch)
        states = self._side_by_side(states, batch)
        for context in self.contexts:
            packed = pack_padded_sequence(
                self._shared_dropout(states), batch.lengths, batch_first=True, enforce_sorted=False
            )
            states, _ = pad_packed_sequence(context(packed)[0], batch_first=True)
        flat = self._shared_dropout(states)[batch.sentence, batch.place]
        dependents, heads = (
            self._shared_dropout(self._side_by_side(layer(flat), batch))
            for layer in (self.arc_dependent, self.arc_head)
        )
        scores = _with_one(dependents) @ self.arcs @ heads.transpose(1, 2)
        places = torch.arange(scores.shape[1], device=scores.device)
        is_outside = places >= batch.lengths.to(scores.device)[:, None]
        is_itself = places == places[:, None]
        scores = scores.masked_fill(is_outside[:, None, :] | is_itself, -torch.inf)
        relation_parts = tuple(
            nn.functional.dropout(layer(flat), self.dropout, self.training)
            for layer in (self.relation_dependent, self.relation_head)
        )
        return scores, relation_parts

    def relation_scores(self, parts, rows, heads):
        """Return scores of all relations of some rows to the rows that are their heads."""
        dependents, all_heads = parts
        left = _with_one(dependents[rows]) @ self.relations.flatten(1)
        left = left.unflatten(1, self.relations.shape[1:])
        return (left @ _with_one(all_heads[heads]).unsqueeze(2)).squeeze(2)

    def _inputs(self, batch):
        """Return a vector for every row."""
        parts = [table(batch.columns[name]) for name, table in self.columns.items()]
        if self.features is not None:
            parts.append(self.features(batch.features).sum(dim=1)[batch.feature_set])
        if self.speller is not None:
            parts.append(self.speller(batch.letters, batch.letter_lengths)[batch.spelling])
        if self.training and self.column_dropout and len(parts) > 1:
            kept = torch.rand(len(parts), len(batch.rows), 1, device=parts[0].device)
            kept = (kept >= self.column_dropout).to(parts[0].dtype)
            kept = kept * len(parts) / kept.sum(dim=0).clamp(min=1)
            parts = [part * scale for part, scale in zip(parts, kept, strict=True)]
        return torch.cat(parts, dim=1)

    def _shared_dropout(self, states):
        """Leave out the same numbers in all words of a sentence (Gal and Ghahramani 2016)."""
        if not self.training or not self.dropout:
            return states
        ones = states.new_ones(len(states), 1, states.shape[2])
        return states * nn.functional.dropout(ones, self.dropout)

    @staticmethod
    def _side_by_side(flat, batch):
        table = flat.new_zeros(len(batch.lengths), int(batch.lengths.max()), flat.shape[1])
        return table.index_put((batch.sentence, batch.place), flat)


def _vectors(n_values, size):
    """Return vectors of values; that of padding is 0 and stays so."""
    table = nn.Embedding(n_values, size, padding_idx=PADDING)
    with torch.no_grad():
        nn.init.normal_(table.weight, std=0.1)
        table.weight[PADDING] = 0.0
    return table


def _with_one(states):
    return torch.cat([states, states.new_ones(*states.shape[:-1], 1)], dim=-1)
