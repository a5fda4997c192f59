"""From codes to heads and relations, with the network of `biaffine`."""

# mypy: ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np
import torch

from .batches import batches_of_words
from .special_codes import NO_TARGET


def parse(
    network: Any,
    codes: Any,
    decode: Any,
    allowed: Any,
    *,
    words: int,
    on_progress: Any = lambda _share: None,
) -> Any:
    """Return the head and the relation of every row; `NO_TARGET` in rows of roots.

    Parameters
    ----------
    decode : callable
        From scores [head, dependent] over the rows of a sentence to the heads of its words.
    allowed : bool array, 2 x relations
        Which relations an arc from a word, and one from the root, may have.
    words : int
        About as many rows are in a batch.
    """
    device = next(network.parameters()).device
    heads = np.full(int(codes.offsets[-1]), NO_TARGET, np.int32)
    relations = heads.copy()
    forbidden = torch.from_numpy(~allowed).to(device)
    lengths = codes.lengths
    chosen = np.flatnonzero(lengths > 1)
    network.eval()
    with torch.inference_mode():
        done = 0
        for places in batches_of_words(lengths[chosen], words):
            sentences = chosen[places]
            batch = codes.batch(sentences, device)
            scores, parts = network(batch)
            by_head = scores.transpose(1, 2).cpu().numpy()
            begins = np.cumsum(lengths[sentences]) - lengths[sentences]
            head_rows = np.empty(len(batch.rows), np.int64)
            for number, sentence in enumerate(sentences):
                n, begin = lengths[sentence], codes.offsets[sentence]
                found = decode(by_head[number, :n, :n])
                heads[begin + 1 : begin + n] = found
                head_rows[begins[number] + 1 : begins[number] + n] = begins[number] + found
            words_only = np.flatnonzero(batch.place.cpu().numpy() > 0)
            is_root = heads[batch.rows[words_only]] == 0
            of_relations = network.relation_scores(
                parts,
                torch.from_numpy(words_only).to(device),
                torch.from_numpy(head_rows[words_only]).to(device),
            )
            kind = torch.from_numpy(is_root.astype(np.int64)).to(device)
            of_relations = of_relations.masked_fill(forbidden[kind], -torch.inf)
            relations[batch.rows[words_only]] = of_relations.argmax(dim=1).cpu().numpy()
            done += len(sentences)
            on_progress(done / len(chosen))
    return heads, relations


def best_heads(scores):
    """Return the best head of every word for itself; they may be no tree."""
    return scores[:, 1:].argmax(axis=0)
