"""How hot loops are compiled: one decorator for all kernels."""

# mypy: ignore-errors
from __future__ import annotations

from numba import njit


def kernel(function):
    """Compile a function on first use, and keep the machine code on disk if there is a place.

    Where neither the package's folder nor the user's cache can be written (a container, a
    cluster node), it is compiled anew in every process instead.
    """
    try:
        return njit(cache=True, nogil=True)(function)
    except RuntimeError:  # numba: "no locator available"
        return njit(nogil=True)(function)
