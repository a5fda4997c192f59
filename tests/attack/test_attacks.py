"""A short, seeded share of every attack; the long one is slow."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.attack.attack import run_cases
from tests.attack.attacks import ATTACKS
from tests.attack.page import PAGE

SEED = 1
PARTS = 4
"""The long share of a kind is run in parts, at the same time where there are several cores."""


@pytest.mark.parametrize("name", [name for name, attack in ATTACKS.items() if attack.short])
def test_a_short_attack_finds_nothing(name: str, tmp_path: Path) -> None:
    attack = ATTACKS[name]
    tally = run_cases(attack, range(attack.short), SEED, tmp_path / "findings")
    assert tally.failures == []


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", ATTACKS)
def test_a_long_attack_finds_nothing(name: str, part: int, tmp_path: Path) -> None:
    attack = ATTACKS[name]
    tally = run_cases(attack, range(part, attack.long, PARTS), SEED, tmp_path / "findings")
    assert tally.failures == []


def test_long_attacks_are_at_least_twenty_thousand_cases_and_the_page_counts_them() -> None:
    assert sum(attack.long for attack in ATTACKS.values()) >= 20_000
    page = PAGE.read_text(encoding="utf-8")
    for name, attack in ATTACKS.items():
        assert f"| `{name}` | {attack.what} | {attack.long:,} |" in page


@pytest.mark.slow
def test_kernels_stay_inside_their_arrays(tmp_path: Path) -> None:
    # Compiled with checks, an index outside an array is an error in place of another number.
    environment = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    arguments = ["--seed", str(SEED), "--cases", "400", "--kept", str(tmp_path / "findings")]
    kinds = ["--kind", "reading", "--kind", "scores"]
    done = subprocess.run(
        [sys.executable, "-m", "tests.attack", *kinds, *arguments],
        env={**os.environ, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
