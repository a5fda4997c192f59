from __future__ import annotations

import os
import subprocess
import sys
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numba.core.typing.templates import AbstractTemplate, ConcreteTemplate

from tests.unit.test_compilation import uncached_kernel


def read_only(values, dtype=np.int64):
    array = np.array(values, dtype)
    array.setflags(write=False)
    return array


def signatures(kernel) -> list[str]:
    return [", ".join(map(str, kinds)) for kinds in kernel.compiled.signatures]


@pytest.fixture
def add():
    return uncached_kernel("def function(a, n): return a[0] + n")


def test_a_kernel_has_lean_compiler_for_all_that_it_takes_alike(add):
    writable = np.array([1, 2])
    for array in (read_only([1, 2]), writable, read_only([1, 2])):
        for number in (5, np.int64(5), np.int32(5), np.int8(5)):
            assert add(array, number) == 6
    assert signatures(add) == ["array(int64, 1d, C), int64"]


def test_a_kernel_is_compiled_again_for_what_it_cannot_take_alike(add):
    add(np.array([1]), 5)
    assert add(np.array([1], np.int32), 5) == 6
    assert add(np.array([1, 2, 3])[::2], 5) == 6
    assert add(np.array([1]), 0.5) == 1.5
    assert len(signatures(add)) == 4


def test_types_that_were_taken_are_known_and_ask_numba_no_more(add, monkeypatch):
    add(read_only([1]), np.int32(5))
    monkeypatch.setattr(type(add.compiled), "compile", None)  # it would not be callable
    assert add(read_only([3]), np.int32(5)) == 8


def test_kernels_that_call_a_kernel_share_its_one_version(add):
    source = "def function(a, n): return f(a, 3) + f(a, n) + f(a, a[1]) + f(CONSTANT, 0)"
    outer = uncached_kernel(source, f=add, CONSTANT=np.array([40], np.int32))
    assert outer(read_only([1, 2], np.int32), np.int32(2)) == 4 + 3 + 3 + 40
    (version,) = add.part.signatures
    assert ", ".join(map(str, version)) == "array(int32, 1d, C), int64"


def test_arrays_in_tuples_are_taken_alike():
    pair = namedtuple("pair", "first second")
    plain = uncached_kernel("def function(t): return t[0][0] + t[1]")
    named = uncached_kernel("def function(t): return t.first[0] + t.second")
    for array in (read_only([1]), np.array([1])):
        for number in (2, np.int32(2)):
            assert plain((array, number)) == 3
            assert named(pair(array, number)) == 3
    assert len(signatures(plain)) == len(signatures(named)) == 1


def test_unsigned_numbers_stay_what_they_are():
    function = uncached_kernel("def function(n): return n * n")
    assert function(np.uint64(2**32 + 1)) == 2**33 + 1


def test_threads_that_bring_the_same_types_at_once_agree(add):
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: add(read_only([n]), np.int32(1)), range(64)))
    assert found == list(range(1, 65))
    assert len(signatures(add)) == 1


def test_another_process_finds_the_machine_code_whatever_it_brings(tmp_path):
    code = (
        "import numpy as np\n"
        "from treegauge.compilation import watched_compilation\n"
        "from treegauge.kernels import longest_sentence\n"
        "offsets = np.array([0, 2, 5])\n"
        "offsets.setflags(write={})\n"
        "with watched_compilation(print, lambda: None):\n"
        "    print(longest_sentence(offsets))\n"
    )
    first, second = (
        subprocess.run(
            [sys.executable, "-c", code.format(writable)],
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
        ).stdout
        for writable in (True, False)
    )
    assert first.startswith("treegauge.kernels.longest_sentence 0\n")
    assert second == "3\n"


def test_tests_see_a_kernel_that_writes_into_a_read_only_array():
    clear = uncached_kernel("def function(a): a[0] = 0")
    clear(np.array([1]))
    with pytest.raises(AssertionError, match="function writes into a read-only array"):
        clear(read_only([1]))


def test_a_kind_of_call_is_typed_once(monkeypatch):
    source = "def function(n): return (n + 3) * n - 2.5 * n"
    first, second = uncached_kernel(source), uncached_kernel(source)
    first(3)
    asked = []
    monkeypatch.setattr(AbstractTemplate, "apply", lambda self, *_: asked.append(self.key))
    monkeypatch.setattr(ConcreteTemplate, "apply", lambda self, *_: asked.append(self.key))
    assert second(3) == 18 - 7.5
    assert asked == []
