"""How hot loops are compiled, and on how many threads they run."""

# mypy: ignore-errors
from __future__ import annotations

import os
from contextlib import AbstractContextManager
from functools import cache

from numba import njit

from treegauge.errors import TreegaugeError


def kernel(function):
    """Compile a function on first use, and keep the machine code on disk if there is a place.

    Where neither the package's folder nor the user's cache can be written (a container, a
    cluster node), it is compiled anew in every process instead.
    """
    try:
        return njit(cache=True, nogil=True)(function)
    except RuntimeError:  # numba: "no locator available"
        return njit(nogil=True)(function)


@kernel
def longest_sentence(offsets):
    """Return the number of words in the longest sentence."""
    longest = 0
    for s in range(len(offsets) - 1):
        longest = max(longest, offsets[s + 1] - offsets[s])
    return longest


def threads() -> int:
    """Return the number of threads for parallel work: TREEGAUGE_THREADS, or all usable cores.

    No result depends on it.
    """
    wanted = os.environ.get("TREEGAUGE_THREADS", "")
    if wanted:
        if not wanted.isdecimal() or int(wanted) < 1:
            raise TreegaugeError(
                f"TREEGAUGE_THREADS must be a number of threads, at least 1; found {wanted!r}"
            )
        return int(wanted)
    return usable_cores()


def usable_cores() -> int:
    """Return how many cores this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def one_blas_thread() -> AbstractContextManager[object]:
    """Return a context in which products of matrices run on the thread that asks for them.

    On how many threads they ran would be seen in the last bits, and those who ask already are
    as many as there are cores.
    """
    return _libraries().limit(limits=1, user_api="blas")


@cache
def _libraries():
    from scipy.linalg import cython_blas  # noqa: F401  the BLAS of kernels: there, to be found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
