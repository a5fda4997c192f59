"""The same numbers from the same seed on one device."""

# mypy: ignore-errors
from __future__ import annotations

import os
from contextlib import contextmanager

import torch


@contextmanager
def reproducible(device):
    """Let a GPU choose ways of computing that give the same every time; a CPU does so anyway."""
    if torch.device(device).type != "cuda":
        yield
        return
    # cuBLAS reads it when it is first used.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before)


@contextmanager
def thread_count(count):
    """Let PyTorch work on so many threads, and give back what it had.

    On one thread numbers are added in one order, and a small network does not wait for threads.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
