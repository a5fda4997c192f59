from __future__ import annotations

from treegauge.compilation import CompilationClock, watched_compilation
from treegauge.kernels import kernel


def uncached_kernel(source: str, **names):
    """Return a kernel that is in no file, so that numba keeps no machine code of it."""
    name = source.removeprefix("def ").partition("(")[0]
    names["__name__"] = "nowhere"
    exec(source, names)
    return kernel(names[name])


def test_every_kernel_is_told_when_it_is_compiled_and_not_when_it_runs_again():
    inner = uncached_kernel("def inner(n): return n + 1")
    outer = uncached_kernel("def outer(n): return inner(n) * 2", inner=inner)
    events = []
    with watched_compilation(lambda *told: events.append(told), lambda: events.append("ready")):
        assert outer(3) == 8
        assert outer(4) == 10
    both = [("nowhere.outer", 1), ("nowhere.inner", 0), "ready", "ready"]
    assert events == both
    with watched_compilation(lambda *told: events.append(told), lambda: events.append("ready")):
        assert outer(2.5) == 7.0
    assert events[4:] == [("nowhere.outer", 0), *both[1:]]  # numbers of another kind
    assert outer(True) == 4  # nobody watches any more
    assert len(events) == 8


def test_the_clock_of_compilation_stands_while_a_kernel_runs():
    clock = CompilationClock()
    double = uncached_kernel("def double(n): return 2 * n")
    with clock.running():
        double(3)
        compiled = clock.seconds
        double(4)
    assert clock.seconds == compiled > 0.0
