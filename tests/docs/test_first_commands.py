"""The commands that the README begins with are those whose times the benchmarks record."""

from __future__ import annotations

from benchmarks.first_commands import ten_commands


def test_the_readme_begins_with_ten_commands_that_end_in_a_report():
    commands = ten_commands()
    assert len(commands) == 10
    assert commands[0].startswith("treegauge train ")
    assert commands[-1].startswith("treegauge reproduce pascal ")
