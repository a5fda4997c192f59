"""The network of the inducer `neural-dmv`: embeddings of tags in, a grammar out.

A head, its direction and what it has taken already (its valence, or the tag of the last dependent)
become a hidden vector; from it come the decision to stop or to go on, and the next dependent
(Jiang, Han and Tu 2016, figure 2):

    g        = ReLU(W_direction [e(head); e(context)])
    attach   = softmax(C U_attach g)        C: an output vector for every symbol
    decision = softmax(D U_decision g)
    root     = softmax(C r)

A symbol is a tag, or a tag with a frequent word. Its vectors are the tag's plus the word's own,
which begin at zero: what is not seen of the word is known of its tag.
"""

# mypy: ignore-errors
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

STOP, GO = 0, 1
_FIRST = 0.1
"""The deviation of vectors at first."""


@dataclass(frozen=True)
class Sizes:
    """What a network is made of."""

    decision_contexts: int
    child_contexts: int
    embedding: int
    context: int
    hidden: int


class Symbols(nn.Module):
    """Vectors of symbols: those of their tags, and of words that are told apart.

    Parameters
    ----------
    tag_of : int array
        The tag of every symbol; symbols that stand for a tag alone come first.
    size : int
        Of vectors.
    """

    def __init__(self, tag_of, size) -> None:
        super().__init__()
        tags = torch.as_tensor(tag_of, dtype=torch.int64)
        n_tags = int(tags.max()) + 1
        self.tags = nn.Parameter(torch.randn(n_tags, size) * _FIRST)
        self.words = nn.Parameter(torch.zeros(len(tags) - n_tags, size))
        # A product with a table of ones adds gradients in one order; an index does not, on a GPU.
        membership = torch.nn.functional.one_hot(tags, n_tags).to(self.tags.dtype)
        self.register_buffer("membership", membership, persistent=False)

    def forward(self):
        """Return a vector for every symbol."""
        own = torch.zeros_like(self.tags)
        return self.membership @ self.tags + torch.cat([own, self.words])


class GrammarNetwork(nn.Module):
    """Gives the logarithms of all probabilities of a grammar.

    Parameters
    ----------
    tag_of : int array
        The tag of every symbol, see `Symbols`.
    sizes : Sizes
        Of everything else.
    dropout : float
        Share of the hidden vector that is left out at a time while it learns.
    """

    def __init__(self, tag_of, sizes: Sizes, *, dropout: float = 0.0) -> None:
        super().__init__()
        self.as_head = Symbols(tag_of, sizes.embedding)
        self.as_child = Symbols(tag_of, sizes.embedding)
        self.decision_contexts = nn.Parameter(
            torch.randn(sizes.decision_contexts, sizes.context) * _FIRST
        )
        self.child_contexts = nn.Parameter(
            torch.randn(sizes.child_contexts, sizes.context) * _FIRST
        )
        self.hidden = nn.ModuleList(
            nn.Linear(sizes.embedding + sizes.context, sizes.hidden) for _ in range(2)
        )
        self.dropout = nn.Dropout(dropout)
        self.to_child = nn.Linear(sizes.hidden, sizes.embedding)
        self.to_decision = nn.Linear(sizes.hidden, 2)
        self.root = nn.Parameter(torch.zeros(sizes.embedding))
        self.root_shares = nn.Parameter(torch.zeros(self.as_head.membership.shape[1]))
        self.child_shares = nn.Parameter(torch.zeros(self.as_head.membership.shape[0]))

    def forward(self):
        """Return log probabilities: root [S], decisions [S, 2, Cd, 2], attach [S, 2, Cc, S]."""
        heads, children = self.as_head(), self.as_child()
        root = children @ self.root + self.as_head.membership @ self.root_shares
        decisions = self.to_decision(self._hidden(heads, self.decision_contexts))
        outputs = self.to_child(self._hidden(heads, self.child_contexts))
        attach = outputs @ children.T + self.child_shares
        return (
            torch.log_softmax(root, dim=-1),
            torch.log_softmax(decisions, dim=-1),
            torch.log_softmax(attach, dim=-1),
        )

    def _hidden(self, heads, contexts):
        """Return [head, direction, context, hidden]."""
        n_heads, n_contexts = len(heads), len(contexts)
        pairs = torch.cat(
            [
                heads[:, None].expand(-1, n_contexts, -1),
                contexts[None].expand(n_heads, -1, -1),
            ],
            dim=2,
        )
        by_direction = torch.stack([layer(pairs) for layer in self.hidden], dim=1)
        return self.dropout(torch.relu(by_direction))
