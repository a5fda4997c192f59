from __future__ import annotations

import os
import subprocess
import sys

import pytest

from treegauge.kernels import CompilationClock, kernel, watched_compilation


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


def uncached_kernel(source: str, **names):
    """Return a kernel that is in no file, so that numba keeps no machine code of it."""
    exec(source, names)
    return kernel(names["function"])


def test_a_kernel_is_told_when_it_is_compiled_and_not_when_it_runs_again():
    inner = uncached_kernel("def function(n): return n + 1")
    outer = uncached_kernel("def function(n): return inner(n) * 2", inner=inner)
    events = []
    with watched_compilation(events.append, lambda: events.append("ready")):
        assert outer(3) == 8
        assert outer(4) == 10
    assert events == ["function", "ready"]
    with watched_compilation(events.append, lambda: events.append("ready")):
        assert outer(2.5) == 7.0
    assert events == 2 * ["function", "ready"]
    assert outer(True) == 4  # nobody watches any more
    assert len(events) == 4


def test_the_clock_of_compilation_stands_while_a_kernel_runs():
    clock = CompilationClock()
    double = uncached_kernel("def function(n): return 2 * n")
    with clock.running():
        double(3)
        compiled = clock.seconds
        double(4)
    assert clock.seconds == compiled > 0.0


def test_numba_is_imported_by_the_first_call_of_a_kernel():
    code = (
        "import sys, numpy as np\n"
        "from treegauge.kernels import longest_sentence\n"
        "print('numba' in sys.modules)\n"
        "longest_sentence(np.array([0, 2, 5]))\n"
        "print('numba' in sys.modules, 'scipy.linalg' in sys.modules)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout == "False\nTrue False\n", result.stderr
