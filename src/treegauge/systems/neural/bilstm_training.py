"""How the network of the tagger `bilstm` learns and tags."""

# mypy: ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np
import torch

from .batches import padded, shuffled_batches

_CLIP = 5.0
"""The longest gradient."""
_NO_TARGET = -1
_TAGGING_BATCH = 64


def train(
    network: Any,
    reader: Any,
    sentences: Any,
    gold: Any,
    settings: Any,
    generator: Any,
    on_progress: Any,
) -> None:
    """Let a network learn from sentences."""
    device = next(network.parameters()).device
    text = reader.text(sentences)
    lengths = np.diff(sentences.offsets)
    count = np.bincount(sentences.forms.codes)[sentences.forms.codes]
    # Kiperwasser and Goldberg (2016).
    hidden_chance = settings.forgetting / (settings.forgetting + count)
    targets = [gold.astype(np.int64)]
    if settings.frequency_of != "none":
        targets.append(frequency_targets(count, sentences.offsets, settings.frequency_of))
    loss_of = torch.nn.CrossEntropyLoss(ignore_index=_NO_TARGET, reduction="sum")
    optimiser = torch.optim.Adam(network.parameters(), lr=settings.rate)
    n_batches = -(-len(lengths) // settings.batch)
    schedule = torch.optim.lr_scheduler.LinearLR(
        optimiser, 1.0, 0.01, total_iters=n_batches * settings.epochs
    )
    network.train()
    for epoch in range(settings.epochs):
        is_hidden = generator.random(len(count)) < hidden_chance
        total = 0.0
        for number, chosen in enumerate(shuffled_batches(lengths, settings.batch, generator)):
            answers = network(text.batch(chosen, device, is_hidden=is_hidden))
            words = text.words_of(chosen)
            loss = sum(
                loss_of(
                    answer.flatten(0, 1),
                    padded([target[w] for w in words], _NO_TARGET).flatten().to(device),
                )
                for answer, target in zip(answers, targets, strict=False)
            )
            loss = loss / int(lengths[chosen].sum())
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), _CLIP)
            optimiser.step()
            schedule.step()
            total += loss.item()
            if number % 50 == 0:
                share = (epoch + number / n_batches) / settings.epochs
                on_progress(share, f"epoch {epoch + 1}: loss {total / (number + 1):.3f}")
    network.eval()
    on_progress(1.0, f"loss {total / n_batches:.3f}")


def tag(network: Any, reader: Any, sentences: Any, on_progress: Any) -> Any:
    """Return the best tag of every word."""
    device = next(network.parameters()).device
    text = reader.text(sentences)
    lengths = np.diff(sentences.offsets)
    # Sentences of like length together: little padding. Nothing else depends on it.
    order = np.argsort(lengths, kind="stable")
    order = order[lengths[order] > 0]
    tags = np.empty(len(sentences.forms), np.int32)
    network.eval()
    with torch.inference_mode():
        for begin in range(0, len(order), _TAGGING_BATCH):
            on_progress(begin / len(order), f"{begin} sentences")
            chosen = order[begin : begin + _TAGGING_BATCH]
            best = network(text.batch(chosen, device))[0].argmax(dim=2).cpu().numpy()
            for row, words in zip(best, text.words_of(chosen), strict=True):
                tags[words] = row[: len(words)]
    return tags


def frequency_targets(count, offsets, whose):
    """Return int(ln count) of every word or of the next one, which a last word does not have."""
    frequency = np.log(count).astype(np.int64)
    if whose == "word":
        return frequency
    following = np.roll(frequency, -1)
    following[offsets[1:] - 1] = _NO_TARGET
    return following
