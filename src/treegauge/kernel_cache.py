"""How compiled kernels come back from the disk: without what only a compiler needs."""

# mypy: ignore-errors
from __future__ import annotations

import sys
from functools import cache, cached_property
from pathlib import Path

from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.runtime import rtsys

from treegauge.lean_compiler import remember_calls


class KernelCache(FunctionCache):
    """Machine code of a kernel, on disk.

    Numba makes ready for compilation before it looks into its cache: it imports and registers
    all that it knows of NumPy, in longer than it takes to read a file of 20,000 words. Machine
    code needs nothing of that but the functions that count references to arrays.
    """

    locks: Path | None = None
    """The folder of processes that take turns: who needs a kernel that another one is compiling
    waits, and takes it from the disk. No two wait for each other, since a kernel never waits for
    its callers."""

    def load_overload(self, sig, target_context):
        """Return what was compiled for a signature, or nothing; then numba compiles it."""
        found = self._found(sig, target_context)
        if found is None and self.locks is not None:
            self._turn.acquire()
            found = self._found(sig, target_context)
            if found is not None:
                self._turn.release()
        if found is None:
            make_ready_to_compile()
        return found

    def _found(self, sig, target_context):
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def save_overload(self, sig, data):
        """Keep what was compiled."""
        super().save_overload(sig, data)
        if self.locks is not None:
            self._turn.release()

    @cached_property
    def _turn(self):
        from filelock import FileLock

        name = f"{self._py_func.__module__}.{self._py_func.__qualname__}"
        return FileLock(self.locks / f"{type(self).__name__}.{name}")


class _PartFiles(CompileResultCacheImpl):
    def get_filename_base(self, fullname, abiflags):
        return super().get_filename_base(f"{fullname}.part", abiflags)


class PartCache(KernelCache):
    """The code of a kernel as other kernels take it in, on disk."""

    _impl_class = _PartFiles


def cache_folder() -> Path | None:
    """Return the folder below which kernels are kept, or nothing if none can be written.

    It is NUMBA_CACHE_DIR, that of the package (with a `__pycache__` in each of its folders), or
    the user's cache.
    """
    try:
        of_this_module = KernelCache(cache_folder).cache_path
    except RuntimeError:  # numba: "no locator available"
        return None
    return Path(of_this_module).parent


@cache
def make_ready_to_compile():
    """Import what numba knows of arrays, but not the linear algebra of SciPy: it takes as long.

    Numba looks for it in any case, for `np.correlate`, which no kernel calls. Kernels that
    multiply matrices get it when they are compiled or run.
    """
    remember_calls()
    blas = "scipy.linalg.cython_blas"
    if blas in sys.modules:
        return
    sys.modules[blas] = None  # an import of it fails
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        del sys.modules[blas]
