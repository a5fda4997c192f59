"""Runs attacks by hand: `python -m tests.attack --cases 20000 --seed 1 --kind scores`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.attack.attack import run_cases
from tests.attack.attacks import ATTACKS


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("--kind", choices=sorted(ATTACKS), action="append")
    parser.add_argument("--cases", type=int, help="of each kind; its own long share when missing")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kept", type=Path, default=Path("attack-findings"))
    parser.add_argument("--shown", type=int, default=20, help="how many of a kind are printed")
    chosen = parser.parse_args()
    failures = 0
    for name in chosen.kind or ATTACKS:
        attack = ATTACKS[name]
        cases = range(chosen.first, chosen.first + (chosen.cases or attack.long))
        tally = run_cases(attack, cases, chosen.seed, chosen.kept)
        outcomes = ", ".join(f"{n:,} {outcome}" for outcome, n in tally.outcomes.most_common())
        print(f"{name}: {len(cases):,} cases in {tally.seconds:.0f} s; {outcomes}", flush=True)
        for failure in tally.failures[: chosen.shown]:
            print(failure, flush=True)
        failures += len(tally.failures)
    print(f"found: {failures:,}")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
