"""PyTorch for systems: is it there, on which device, with weights in a model file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from treegauge.kernels import threads
from treegauge.systems.errors import SystemsError
from treegauge.systems.extras import import_extra
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays

_WEIGHTS = "network."


def import_torch(system: str) -> Any:
    """Import PyTorch, or say how to install it."""
    return import_extra("torch", extra="neural", system=system)


def chosen_device(wanted: str, system: str) -> str:
    """Return the device of a setting; `auto` is a GPU if there is one."""
    torch = import_torch(system)
    if wanted == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(1, device=wanted)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).partition("\n")[0]
        raise SystemsError(
            f"{system}: setting device: {wanted!r} cannot be used: {reason}"
        ) from error
    return wanted


@contextmanager
def memory_of_device(system: str, advice: str) -> Iterator[None]:
    """Turn the end of a GPU's memory into one sentence with advice, such as a smaller batch."""
    torch = import_torch(system)
    try:
        yield
    except torch.OutOfMemoryError as error:
        raise SystemsError(f"{system}: the memory of the GPU is full\n  {advice}") from error


@contextmanager
def seeded(system: str, seed: int, device: str) -> Iterator[Any]:
    """Let everything random in PyTorch come from a seed, and change nobody else's numbers.

    On a GPU, PyTorch also uses the algorithms that give the same numbers every time.
    """
    torch = import_torch(system)
    from treegauge.systems.neural.reproducible import reproducible

    with torch.random.fork_rng(), reproducible(device):
        torch.manual_seed(seed)
        yield torch


@contextmanager
def one_thread(system: str) -> Iterator[None]:
    """Let PyTorch add numbers on the CPU in one order, however many threads it could have."""
    with _threads(system, 1):
        yield


@contextmanager
def threads_as_set(system: str) -> Iterator[None]:
    """Let PyTorch use as many threads as all of treegauge does, and give back what it had."""
    with _threads(system, threads()):
        yield


@contextmanager
def _threads(system: str, count: int) -> Iterator[None]:
    import_torch(system)
    from treegauge.systems.neural.reproducible import thread_count

    with thread_count(count):
        yield


def network_arrays(network: Any, prefix: str = _WEIGHTS) -> Arrays:
    """Return the weights of a network as arrays for a model file."""
    return {
        f"{prefix}{name}": weights.detach().cpu().numpy()
        for name, weights in network.state_dict().items()
    }


def restored_network(
    saved: SavedState, new_network: Callable[[], Any], system: str, prefix: str = _WEIGHTS
) -> Any:
    """Return a network with the weights of a model file, whose shapes are checked first."""
    torch = import_torch(system)
    # A network without numbers takes no memory, whatever the settings say of its size.
    with torch.device("meta"):
        shapes = {name: tuple(tensor.shape) for name, tensor in new_network().state_dict().items()}
    weights = {
        name: torch.from_numpy(saved.numbers(f"{prefix}{name}", shape, dtype=np.float32))
        for name, shape in shapes.items()
    }
    with torch.random.fork_rng():
        network = new_network()
    network.load_state_dict(weights)
    return network.eval()
