"""A network of `biaffine` from codes and facts alone: in treegauge, or without it.

The facts, which JSON can hold, say how large the network is and how it learns.
"""

# mypy: ignore-errors
from __future__ import annotations

from typing import Any

import numpy as np
import torch

from .biaffine_network import VECTORS, Network, Sizes
from .biaffine_training import Learning, train
from .parser_codes import Codes
from .reproducible import reproducible


def new_network(facts: dict[str, Any]) -> Any:
    """Return a network that has learnt nothing."""
    return Network(
        Sizes(**facts["sizes"]),
        dropout=facts["dropout"],
        column_dropout=facts["column_dropout"],
    )


def learnt_network(
    arrays: dict[str, Any],
    facts: dict[str, Any],
    *,
    seed: int,
    device: str,
    on_progress: Any,
    kept: Any = None,
    keep: Any = None,
) -> Any:
    """Return a network that learnt from codes.

    Parameters
    ----------
    arrays : dict of arrays
        Of codes, and of the vectors of a file, if there is one.
    kept, keep
        As `train` has them.
    """
    network = new_network(facts)
    if VECTORS in arrays:
        with torch.no_grad():
            network.columns[VECTORS].weight.copy_(torch.from_numpy(np.array(arrays[VECTORS])))
    network.to(device)
    with reproducible(device):
        train(
            network,
            Codes.from_arrays(arrays),
            Learning(**facts["learning"]),
            np.random.default_rng(seed),
            on_progress=on_progress,
            kept=kept,
            keep=keep,
        )
    return network
