from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from treegauge.kernels import borrowed, kernel


@kernel
def _add_one(arrays):
    first, (second, number) = borrowed(arrays)
    for i in range(len(first)):
        first[i] += second[i] + number


def test_borrowed_arrays_are_the_same_memory_and_still_the_callers():
    first, second = np.arange(3.0), np.ones(3)
    references = sys.getrefcount(first), sys.getrefcount(second)
    for _ in range(100):
        _add_one((first, (second, 1)))
    assert first.tolist() == [200.0, 201.0, 202.0]
    assert second.tolist() == [1.0, 1.0, 1.0]
    assert (sys.getrefcount(first), sys.getrefcount(second)) == references


@pytest.mark.slow
def test_the_program_works_where_nothing_can_be_cached(tmp_path):
    """As in a container: neither the package's folder nor a home can be written."""
    code = (
        "import numba.core.caching as caching\n"
        "caching.CacheImpl._locator_classes = []\n"
        "import treegauge as tg\n"
        "print(tg.parse('birds/NOUN sing/VERB\\n').n_words)\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "HOME": "/nonexistent"},
        capture_output=True,
        text=True,
    )
    assert result.stdout == "2\n", result.stderr


def test_numba_is_imported_by_the_first_call_of_a_kernel():
    code = (
        "import sys, numpy as np\n"
        "from treegauge.kernels import longest_sentence\n"
        "print('numba' in sys.modules)\n"
        "longest_sentence(np.array([0, 2, 5]))\n"
        "print('numba' in sys.modules, 'scipy.linalg' in sys.modules)\n"
    )
    assert _printed_by(code) == "False\nTrue False\n"


def test_a_kernel_comes_back_from_the_disk_without_what_compiling_needs():
    code = (
        "import sys, numpy as np\n"
        "from treegauge.kernels import longest_sentence\n"
        "print(longest_sentence(np.array([0, 2, 5])), 'numba.np.arraymath' in sys.modules)\n"
    )
    _printed_by(code)  # this one compiles it, if nobody has
    assert _printed_by(code) == "3 False\n"


def test_a_kernel_is_compiled_after_one_from_the_disk():
    code = (
        "import numpy as np\n"
        "from treegauge.kernels import kernel, longest_sentence\n"
        "longest_sentence(np.array([0, 2, 5]))\n"
        "print(kernel(lambda numbers: np.sort(numbers)[0])(np.array([2, 1])))\n"
    )
    assert _printed_by(code) == "1\n"


def _printed_by(code: str) -> str:
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout
