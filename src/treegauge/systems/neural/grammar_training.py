"""How the network of `neural-dmv` learns: from counts of events, which a chart gives.

The derivative of a sentence's log-likelihood by the logarithm of an event's probability is the
event's expected count. So the loss -(counts · log probabilities) has the gradient of the
log-likelihood where counts are expected under these very probabilities (Fisher's identity); where
counts stay as they are, it is that of EM's M-step.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
import torch

from .checkpoint import resume_training, training_state
from .grammar_network import GO, STOP
from .reproducible import thread_count

_CLIP = 5.0
"""The longest gradient."""


class GrammarLearner:
    """A network, and the optimiser that changes it.

    Parameters
    ----------
    network : GrammarNetwork
        On the device that it learns on.
    rate : float
        Length of Adam's steps.
    generator : numpy Generator
        Whatever else is random in the training; its state is kept with the network's.
    """

    def __init__(self, network, *, rate: float, generator) -> None:
        self.network = network
        self.generator = generator
        self.optimiser = torch.optim.Adam(network.parameters(), lr=rate)

    def tables(self):
        """Return the probabilities of all events as arrays: root, stop, go, attach."""
        self.network.eval()
        with torch.no_grad(), thread_count(1):
            root, decisions, attach = (
                np.exp(logs.double().cpu().numpy()) for logs in self.network()
            )
        return {
            "root": root,
            "stop": decisions[..., STOP],
            "go": decisions[..., GO],
            "attach": attach,
        }

    def fit(self, counts, steps: int) -> None:
        """Make some steps towards the counts, given as arrays: root, stop, go, attach."""
        first = next(self.network.parameters())

        def as_tensor(array):
            return torch.as_tensor(array, dtype=first.dtype, device=first.device)

        events = (
            as_tensor(counts["root"]),
            torch.stack([as_tensor(counts["stop"]), as_tensor(counts["go"])], dim=-1),
            as_tensor(counts["attach"]),
        )
        total = sum(float(part.sum()) for part in events)
        self.network.train()
        with thread_count(1):
            for _ in range(steps):
                self.optimiser.zero_grad()
                (expected_loss(self.network, events) / max(total, 1e-9)).backward()
                torch.nn.utils.clip_grad_norm_(self.network.parameters(), _CLIP)
                self.optimiser.step()

    def state(self):
        """Return everything as (arrays, facts), to go on from."""
        return training_state(self.network, self.optimiser, self.generator)

    def resume(self, arrays, facts) -> None:
        """Go on from what `state` gave."""
        resume_training(arrays, facts, self.network, self.optimiser, self.generator)


def expected_loss(network, events):
    """Return -(counts · log probabilities); counts as root, decisions and attach."""
    return -sum((part * logs).sum() for part, logs in zip(events, network(), strict=True))
