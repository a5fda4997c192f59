"""How the encoders of the inducer `mmi` learn, and what they say of types and of new words."""

# mypy: ignore-errors
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from .bilstm_text import spelt
from .checkpoint import resume_training, training_state
from .mmi_network import SpellingEncoder, negative_information

_AT_ONCE = 512
"""Words that are read at once when nothing is learnt."""
_STEPS_BETWEEN_NEWS = 50


@dataclass(frozen=True)
class Text:
    """What is learnt from."""

    words: Any
    """The type of every word."""
    contexts: Any
    """[word, place]: the types before and behind it."""
    letters: list
    """Of every type."""


def contexts_of(words: Any, offsets: Any, width: int, boundary: int) -> Any:
    """Return the `width` types before and behind every word; outside a sentence, `boundary`."""
    begin = np.repeat(offsets[:-1], np.diff(offsets))
    end = np.repeat(offsets[1:], np.diff(offsets))
    distances = [*range(-width, 0), *range(1, width + 1)]
    contexts = np.full((len(words), len(distances)), boundary, np.int64)
    for column, distance in enumerate(distances):
        place = np.arange(len(words)) + distance
        inside = (place >= begin) & (place < end)
        contexts[inside, column] = words[place[inside]]
    return contexts


class Training:
    """Encoders that learn, epoch by epoch.

    Parameters
    ----------
    encoders : Encoders
        On the device on which they are to learn.
    text : Text
        What is learnt from.
    generator : numpy.random.Generator
        Where the order of words comes from.
    batch, rate
        Words of a step, and the length of steps.
    start : array of int, optional
        Classes of words, which the first `start_epochs` are to fit.
    """

    def __init__(
        self,
        encoders: Any,
        text: Text,
        generator: Any,
        *,
        batch: int,
        rate: float,
        start: Any = None,
        start_epochs: int = 0,
    ) -> None:
        self.encoders = encoders
        self.text = text
        self.batch = batch
        self.start = start
        self.start_epochs = 0 if start is None else start_epochs
        self.generator = generator
        self.optimiser = torch.optim.Adam(encoders.parameters(), lr=rate, fused=True)
        self.history = []
        """The objective in every epoch, the mean over its batches; in nats."""

    def state(self) -> Any:
        """Return what `resume` takes, after an epoch."""
        arrays, facts = training_state(self.encoders, self.optimiser, self.generator)
        return arrays, {**facts, "history": self.history}

    def resume(self, arrays: Any, facts: Any) -> None:
        """Go on after the epoch in which `state` gave this."""
        resume_training(arrays, facts, self.encoders, self.optimiser, self.generator)
        self.history = list(facts["history"])

    def run_epoch(self, on_progress: Any) -> None:
        """See every word once, in random order."""
        self.encoders.train()
        order = self.generator.permutation(len(self.text.words))
        is_start = len(self.history) < self.start_epochs
        total = 0.0
        for begin in range(0, len(order), self.batch):
            chosen = order[begin : begin + self.batch]
            loss, information = self._loss(chosen, is_start=is_start)
            self.optimiser.zero_grad()
            loss.backward()
            self.optimiser.step()
            total += information.item() * len(chosen)
            seen = begin + len(chosen)
            if begin // self.batch % _STEPS_BETWEEN_NEWS == 0:
                on_progress(seen / len(order), f"information {total / seen:.3f}")
        self.history.append(total / len(order))

    def _loss(self, chosen, *, is_start):
        """Return what a step lowers, and the objective."""
        device = next(self.encoders.parameters()).device
        types, rows = np.unique(self.text.words[chosen], return_inverse=True)
        letters, lengths = spelt([self.text.letters[kind] for kind in types], device)
        contexts = torch.from_numpy(self.text.contexts[chosen]).to(device)
        of_types, log_q = self.encoders(
            torch.from_numpy(types).to(device), letters, lengths, contexts
        )
        log_p = of_types[torch.from_numpy(rows).to(device)]
        loss = negative_information(log_p, log_q)
        information = -loss.detach()
        if is_start:
            classes = torch.from_numpy(self.start[chosen]).to(device)
            loss = sum(torch.nn.functional.nll_loss(log, classes) for log in (log_p, log_q))
        return loss, information

    def posteriors(self) -> Any:
        """Return p(z | y) of every type."""
        device = next(self.encoders.parameters()).device

        def of_types(chosen, letters, lengths):
            return self.encoders.log_p(torch.from_numpy(chosen).to(device), letters, lengths).exp()

        return _of_words(self.encoders, of_types, self.text.letters)

    def spelling(self, sizes: Any, rare: Any) -> Any:
        """Return what knows new words, on the CPU; `rare` are the types that they are like."""
        device = next(self.encoders.parameters()).device
        return SpellingEncoder.of(self.encoders, sizes, torch.from_numpy(rare).to(device)).cpu()


def posteriors_of_new(spelling: Any, letters: Any) -> Any:
    """Return p(z | y) of words that were not learnt from."""
    return _of_words(spelling, lambda _, *letters: spelling(*letters), letters)


def _of_words(network, posteriors, words):
    device = next(network.parameters()).device
    order = np.argsort([len(word) for word in words], kind="stable")
    network.eval()
    rows = []
    with torch.inference_mode():
        for begin in range(0, len(order), _AT_ONCE):
            chosen = order[begin : begin + _AT_ONCE]
            letters, lengths = spelt([words[word] for word in chosen], device)
            rows.append(posteriors(chosen, letters, lengths).cpu().numpy())
    found = np.concatenate(rows)
    answer = np.empty_like(found)
    answer[order] = found
    return answer
