"""The state of a training as arrays and facts, so that it can go on from the last epoch.

Arrays are NumPy's and facts are what JSON can hold: nothing is pickled.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
import torch

_NETWORK = "network."
_OPTIMISER = "optimiser."
_RANDOM = "random."


class UnusableStateError(ValueError):
    """A state that this training never was in."""


def training_state(network, optimiser, generator):
    """Return weights, moments of the optimiser and states of chance as (arrays, facts)."""
    arrays = {
        f"{_NETWORK}{name}": tensor.detach().cpu().numpy().copy()
        for name, tensor in network.state_dict().items()
    }
    for number, moments in optimiser.state_dict()["state"].items():
        for name, value in moments.items():
            key = f"{_OPTIMISER}{number}.{name}"
            arrays[key] = torch.as_tensor(value).detach().cpu().numpy().copy()
    arrays[f"{_RANDOM}cpu"] = torch.get_rng_state().numpy()
    if next(network.parameters()).is_cuda:
        arrays[f"{_RANDOM}cuda"] = torch.cuda.get_rng_state().numpy()
    rates = [group["lr"] for group in optimiser.param_groups]
    return arrays, {"rates": rates, "generator": generator.bit_generator.state}


def resume_training(arrays, facts, network, optimiser, generator):
    """Bring network, optimiser and chance to a state that `training_state` gave."""
    device = next(network.parameters()).device
    network.load_state_dict(
        {
            name.removeprefix(_NETWORK): torch.from_numpy(np.array(array))
            for name, array in arrays.items()
            if name.startswith(_NETWORK)
        }
    )
    moments = {}
    for name, array in arrays.items():
        if name.startswith(_OPTIMISER):
            number, key = name.removeprefix(_OPTIMISER).split(".")
            moments.setdefault(int(number), {})[key] = torch.from_numpy(np.array(array))
    state = optimiser.state_dict()
    groups = [
        {**group, "lr": rate}
        for group, rate in zip(state["param_groups"], facts["rates"], strict=True)
    ]
    optimiser.load_state_dict({"state": moments, "param_groups": groups})
    torch.set_rng_state(torch.from_numpy(np.array(arrays[f"{_RANDOM}cpu"])))
    if device.type == "cuda" and f"{_RANDOM}cuda" in arrays:
        torch.cuda.set_rng_state(torch.from_numpy(np.array(arrays[f"{_RANDOM}cuda"])))
    generator.bit_generator.state = facts["generator"]
