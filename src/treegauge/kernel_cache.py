"""How compiled kernels come back from the disk: without what only a compiler needs."""

# mypy: ignore-errors
from __future__ import annotations

import sys
from functools import cache

from numba.core.caching import FunctionCache
from numba.core.runtime import rtsys


class KernelCache(FunctionCache):
    """Machine code of a kernel, on disk.

    Numba makes ready for compilation before it looks into its cache: it imports and registers
    all that it knows of NumPy, in longer than it takes to read a file of 20,000 words. Machine
    code needs nothing of that but the functions that count references to arrays.
    """

    def load_overload(self, sig, target_context):
        """Return what was compiled for a signature, or nothing; then numba compiles it."""
        rtsys.initialize(target_context)
        found = None
        with self._guard_against_spurious_io_errors():
            found = self._load_overload(sig, target_context)
        if found is None:
            make_ready_to_compile()
        return found


@cache
def make_ready_to_compile():
    """Import what numba knows of arrays, but not the linear algebra of SciPy: it takes as long.

    Numba looks for it in any case, for `np.correlate`, which no kernel calls. Kernels that
    multiply matrices get it when they are compiled or run.
    """
    blas = "scipy.linalg.cython_blas"
    if blas in sys.modules:
        return
    sys.modules[blas] = None  # an import of it fails
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        del sys.modules[blas]
