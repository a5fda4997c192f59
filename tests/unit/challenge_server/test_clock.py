"""The clock of a process, when the system's clock is set."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given, strategies as st

from tests.examples import examples
from treegauge.challenge_server.clock import Clock

START = datetime(2027, 3, 1, 12, tzinfo=UTC)


class System:
    """A system whose clock can be set."""

    def __init__(self) -> None:
        self.time = START
        self.elapsed = 100.0

    def wait(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)
        self.elapsed += seconds

    def set_by(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


def test_time_goes_on_while_the_system_is_behind() -> None:
    system = System()
    steps: list[timedelta] = []
    clock = Clock(lambda: system.time, lambda: system.elapsed, steps.append)
    assert clock.now() == START
    system.set_by(-3600)
    assert clock.now() == START
    system.wait(60)
    assert clock.now() == START + timedelta(seconds=60)
    assert steps == [timedelta(hours=1)]
    system.set_by(-600)
    assert clock.now() == START + timedelta(seconds=60)
    assert steps == [timedelta(hours=1), timedelta(minutes=10)]
    system.set_by(4200)
    assert clock.now() == system.time == START + timedelta(seconds=60)


def test_a_few_milliseconds_are_nobodys_business() -> None:
    system = System()
    steps: list[timedelta] = []
    clock = Clock(lambda: system.time, lambda: system.elapsed, steps.append)
    clock.now()
    system.set_by(-0.02)
    clock.now()
    assert steps == []


@examples(200)
@given(
    st.lists(
        st.tuples(
            st.floats(0, 7200, allow_nan=False), st.sampled_from([0.0, 0.0, -3600.0, 3600.0, -1.0])
        ),
        max_size=20,
    )
)
def test_time_never_goes_back_and_is_never_behind_the_system(
    changes: list[tuple[float, float]],
) -> None:
    system = System()
    clock = Clock(lambda: system.time, lambda: system.elapsed)
    before = clock.now()
    for waited, step in changes:
        system.wait(waited)
        system.set_by(step)
        now = clock.now()
        assert now >= before
        assert now >= system.time
        before = now
