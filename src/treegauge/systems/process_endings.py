"""How processes end, in words."""

from __future__ import annotations

import signal

_OUT_OF_MEMORY = ("MemoryError", "out of memory", "bad_alloc", "Cannot allocate memory")
"""What Python, LLVM, C++ and C say when there is no more memory to say it properly."""


def signal_name(number: int) -> str:
    """Return what a signal is called.

    >>> signal_name(9), signal_name(1000)
    ('SIGKILL', 'signal 1000')
    """
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def is_out_of_memory(last_words: str) -> bool:
    """Return whether the last words of a process tell that it had no more memory."""
    return any(sign in last_words for sign in _OUT_OF_MEMORY)
