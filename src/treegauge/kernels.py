"""How hot loops are compiled, and on how many threads they run.

Numba takes a third of a second to import, and most commands call few kernels or none. So a
kernel is an object that imports numba and compiles its function when it is first called.
"""

# mypy: ignore-errors
from __future__ import annotations

import os
from contextlib import AbstractContextManager
from functools import cache, cached_property, update_wrapper

import numpy as np

from treegauge.compilation import watch_numba
from treegauge.errors import TreegaugeError


class kernel:  # noqa: N801  it is used as a decorator
    """A function that is compiled on first use; its machine code is kept on disk if possible.

    It takes read-only arrays as it takes others, and must not write into them.
    Where neither the package's folder nor the user's cache can be written (a container, a
    cluster node), it is compiled anew in every process instead.
    """

    options = {}  # noqa: RUF012  of all kernels of the class

    def __init__(self, function):
        self.py_func = function
        update_wrapper(self, function)

    def __call__(self, *arguments):
        """Run the compiled function."""
        return self.compiled(*arguments)

    @cached_property
    def compiled(self):
        """What numba makes of the function, for Python to call."""
        from treegauge.kernel_cache import KernelCache

        return self._dispatcher(KernelCache)

    @cached_property
    def part(self):
        """What numba makes of the function, for other kernels to call."""
        from treegauge.kernel_cache import PartCache

        return self._dispatcher(PartCache, no_cpython_wrapper=True)

    def _dispatcher(self, cache_type, **more):
        watch_numba()
        from treegauge.kernel_cache import make_ready_to_compile
        from treegauge.lazy_machine_code import make_machine_code_lazily
        from treegauge.lean_compiler import OneSignatureDispatcher

        make_machine_code_lazily()
        options = {
            "nopython": True,
            "nogil": True,
            "no_cfunc_wrapper": True,
            **self.options,
            **more,
        }
        compiled = OneSignatureDispatcher(self.py_func, targetoptions=options)
        try:
            compiled._cache = cache_type(self.py_func)
        except RuntimeError:  # numba: "no locator available"
            make_ready_to_compile()
        return compiled

    @property
    def _numba_type_(self):
        """The type by which numba knows this object where another kernel calls it."""
        return self.part._numba_type_


class inlined_kernel(kernel):  # noqa: N801  it is used as a decorator
    """A kernel whose code is copied to where other kernels call it.

    For what inner loops call with many arrays: a call hands over every field of every array,
    which takes longer than what most of them do.
    """

    options = {"forceinline": True}  # noqa: RUF012


class intrinsic:  # noqa: N801  it is used as a decorator
    """A function that writes machine code by itself, for kernels to call."""

    def __init__(self, function):
        self._function = function
        update_wrapper(self, function)

    @cached_property
    def _numba_type_(self):
        """The type by which numba knows this object where a kernel calls it."""
        from numba.core.registry import cpu_target
        from numba.extending import intrinsic

        context = cpu_target.typing_context
        own = intrinsic(self._function)
        context.refresh()
        return context.resolve_value_type(own)


@intrinsic
def borrowed(_typingctx, arrays):
    """Return an array, or a tuple of arrays, that counts no references; the caller's stays.

    A kernel counts a reference to every array that it hands to another one, which takes longer
    than a short call does. One that is called from Python can do without: Python keeps what it
    hands over until the kernel returns.
    """
    from numba import types

    def without_owner(context, builder, kind, value):
        if isinstance(kind, types.BaseTuple):
            for i, part in enumerate(kind.types):
                own = without_owner(context, builder, part, builder.extract_value(value, i))
                value = builder.insert_value(value, own, i)
            return value
        if isinstance(kind, types.Array):
            array = context.make_array(kind)(context, builder, value)
            array.meminfo = array.meminfo.type(None)
            array.parent = array.parent.type(None)
            return array._getvalue()
        return value

    def build(context, builder, signature, arguments):
        return without_owner(context, builder, signature.args[0], arguments[0])

    return arrays(arrays), build


def load_numba() -> None:
    """Make ready for the first kernel, where it is measured how long kernels take."""
    longest_sentence(np.zeros(1, np.int64))


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
