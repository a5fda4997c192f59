"""How the network of the parser `biaffine` learns from codes."""

# mypy: ignore-errors
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from .batches import shuffled_batches_of_words
from .biaffine_network import VECTORS
from .biaffine_parsing import best_heads, parse
from .checkpoint import UnusableStateError, resume_training, training_state
from .special_codes import FIRST, NO_TARGET, UNKNOWN

_CLIP = 5.0
"""The longest gradient."""
_BETAS = (0.9, 0.95)
"""Of Adam; the paper has 0.9 for both."""
_BEST = "best."


@dataclass(frozen=True)
class Learning:
    """How long and in which steps a network learns."""

    epochs: int
    batch: int
    """Words of a batch, padding and roots counted."""
    rate: float
    forgetting: float
    """A value seen n times is taken for unknown with probability w / (w + n)."""
    held_out: float
    """Share of sentences that are not learnt from, to find the best epoch with; 0 for none."""
    patience: int
    """Epochs without a better score on these before it ends."""


def train(network, codes, learning, generator, *, on_progress, kept=None, keep=None):
    """Let a network learn; with sentences held out, it ends with the weights of the best epoch.

    Parameters
    ----------
    codes : Codes
        With heads and relations.
    generator : numpy.random.Generator
        Shuffles sentences and hides words; PyTorch's own chance is dropout's.
    on_progress : callable
        Told the share that is done and a line, after every epoch.
    kept : tuple of arrays and facts, optional
        The state after some epoch, with which it goes on.
    keep : callable, optional
        Given the state after every epoch.
    """
    trained = [weights for weights in network.parameters() if weights.requires_grad]
    optimiser = torch.optim.Adam(trained, lr=learning.rate, betas=_BETAS, fused=True)
    lessons, trial = _parts(codes, learning.held_out, generator)
    progress = {"epoch": 0, "best_epoch": 0, "best_score": -1.0}
    best = {}
    if kept is not None:
        arrays, facts = kept
        try:
            resume_training(arrays, facts, network, optimiser, generator)
            progress = {name: type(value)(facts[name]) for name, value in progress.items()}
        except (KeyError, IndexError, TypeError, ValueError, RuntimeError) as error:
            raise UnusableStateError(str(error).partition("\n")[0]) from error
        best = {name: array for name, array in arrays.items() if name.startswith(_BEST)}
    for epoch in range(progress["epoch"], learning.epochs):
        if trial is not None and epoch - progress["best_epoch"] >= learning.patience:
            break
        loss = _epoch(network, optimiser, lessons, learning, epoch, generator)
        _take_unseen_for_unknown(network, lessons)
        line = f"epoch {epoch + 1} of {learning.epochs}: loss {loss:.3f}"
        progress["epoch"] = epoch + 1
        if trial is not None:
            score = labelled_attachment(network, trial, learning.batch)
            line += f", LAS of held-out sentences {score:.2%}"
            if score > progress["best_score"]:
                progress |= {"best_epoch": epoch + 1, "best_score": score}
                best = _weights(network)
        if keep is not None:
            arrays, facts = training_state(network, optimiser, generator)
            keep({**arrays, **best}, {**facts, **progress})
        on_progress((epoch + 1) / learning.epochs, line)
    if best:
        _take_weights(network, best)
    network.eval()


def batch_loss(network, codes, batch):
    """Return the cross-entropy of heads and of relations, summed over the words of a batch."""
    heads, relations = codes.targets(batch)
    scores, parts = network(batch)
    is_word = batch.place > 0
    of_heads = torch.nn.functional.cross_entropy(
        scores[batch.sentence[is_word], batch.place[is_word]], heads[is_word], reduction="sum"
    )
    rows = torch.arange(len(heads), device=heads.device)
    head_rows = rows - batch.place + heads
    of_relations = torch.nn.functional.cross_entropy(
        network.relation_scores(parts, rows[is_word], head_rows[is_word]),
        relations[is_word],
        reduction="sum",
    )
    return of_heads + of_relations


def labelled_attachment(network, codes, words):
    """Return the share of words with the right head and relation, heads chosen one by one."""
    heads, relations = parse(network, codes, best_heads, codes.allowed, words=words)
    is_word = codes.heads != NO_TARGET
    right = (heads == codes.heads) & (relations == codes.relations)
    return float(right[is_word].mean())


def _parts(codes, held_out, generator):
    """Return what is learnt from, and what the best epoch is found with, if anything."""
    with_words = np.flatnonzero(codes.lengths > 1)
    if not held_out or len(with_words) < 2:
        return codes.take(with_words), None
    n_held_out = min(max(1, int(len(with_words) * held_out)), len(with_words) - 1)
    order = generator.permutation(with_words)
    return codes.take(np.sort(order[n_held_out:])), codes.take(np.sort(order[:n_held_out]))


def _epoch(network, optimiser, codes, learning, epoch, generator):
    """Learn from all sentences once; return the loss of a word."""
    device = next(network.parameters()).device
    network.train()
    hidden = {
        name: generator.random(len(chance)) < chance
        for name, chance in _chances_to_hide(codes, learning.forgetting).items()
    }
    batches = shuffled_batches_of_words(codes.lengths, learning.batch, generator)
    total, n_words = 0.0, 0
    for number, sentences in enumerate(batches):
        # In a line to nothing: the last epoch is then the best one, or nearly.
        done = (epoch + number / len(batches)) / learning.epochs
        for group in optimiser.param_groups:
            group["lr"] = learning.rate * (1 - done)
        batch = codes.batch(sentences, device, hidden)
        loss = batch_loss(network, codes, batch)
        words = len(batch.rows) - len(sentences)
        optimiser.zero_grad()
        (loss / words).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), _CLIP)
        optimiser.step()
        total += loss.item()
        n_words += words
    return total / n_words


def _chances_to_hide(codes, forgetting):
    """Return how often every row's value is taken for unknown (Kiperwasser and Goldberg 2016)."""
    chances = {}
    for name, values in codes.columns.items():
        if name != VECTORS:  # unseen words have vectors too
            chance = forgetting / (forgetting + np.bincount(values)[values])
            chances[name] = np.where(values >= FIRST, chance, 0.0)
    return chances


def _take_unseen_for_unknown(network, codes):
    """Give values that only held-out sentences have the vector of unknown ones."""
    with torch.no_grad():
        for name, values in codes.columns.items():
            table = network.columns[name].weight
            is_seen = np.bincount(values, minlength=len(table)) > 0
            is_seen[:FIRST] = True
            if name != VECTORS and not is_seen.all():
                unseen = torch.from_numpy(np.flatnonzero(~is_seen)).to(table.device)
                table[unseen] = table[UNKNOWN].clone()


def _weights(network):
    return {
        f"{_BEST}{name}": tensor.detach().cpu().numpy().copy()
        for name, tensor in network.state_dict().items()
    }


def _take_weights(network, arrays):
    network.load_state_dict(
        {
            name.removeprefix(_BEST): torch.from_numpy(np.array(array))
            for name, array in arrays.items()
        }
    )
