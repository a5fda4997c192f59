"""Kernels that only kernels call have no machine code of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from tests.unit.test_compilation import uncached_kernel


def test_a_part_has_no_machine_code_until_python_calls_it() -> None:
    square = uncached_kernel("def square(x): return x * x")
    add_squares = uncached_kernel("def add_squares(a): return f(a[0]) + f(a[1])", f=square)
    assert add_squares(np.array([2, 3])) == 13
    (part,) = square.part.overloads.values()
    assert not part.library._finalized
    (whole,) = add_squares.compiled.overloads.values()
    assert whole.library._finalized
    assert square(5) == 25
    assert add_squares(np.array([2, 1])) == 5


_MODULE = """
from treegauge.kernels import kernel

@kernel
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)

@kernel
def one(n):
    return factorial(n) + 1

@kernel
def two(n):
    return factorial(n) + 2
"""


def test_parts_come_back_from_the_disk(tmp_path: Path) -> None:
    (tmp_path / "of_numbers.py").write_text(_MODULE)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(tmp_path)}
    for name, expected in (("one", "25 0"), ("two", "26 1"), ("one", "25 0")):
        code = (
            "import of_numbers as module\n"
            f"print(module.{name}(4), sum(module.factorial.part.stats.cache_hits.values()))\n"
        )
        result = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True
        )
        assert result.stdout == f"{expected}\n", result.stderr
