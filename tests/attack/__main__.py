"""Runs attacks by hand: `python -m tests.attack --cases 20000 --seed 1 --kind scores`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.attack.attack import run_cases
from tests.attack.attacks import ATTACKS
from tests.attack.page import write_counts


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("--kind", choices=list(ATTACKS), action="append", help="all when missing")
    parser.add_argument("--cases", type=int, help="of each kind; its long share when missing")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--seed", type=int, default=1, help="another seed gives other cases")
    parser.add_argument(
        "--kept", type=Path, default=Path("attack-findings"), help="where files of findings go"
    )
    parser.add_argument("--shown", type=int, default=20, help="how many of a kind are printed")
    parser.add_argument("--write", action="store_true", help="put counts into docs/reliability.md")
    chosen = parser.parse_args()
    tallies = []
    for name in chosen.kind or ATTACKS:
        attack = ATTACKS[name]
        cases = range(chosen.first, chosen.first + (chosen.cases or attack.long))
        tally = run_cases(attack, cases, chosen.seed, chosen.kept)
        outcomes = ", ".join(f"{n:,} {outcome}" for outcome, n in tally.outcomes.most_common())
        print(f"{name}: {len(cases):,} cases in {tally.seconds:.0f} s; {outcomes}", flush=True)
        for failure in tally.failures[: chosen.shown]:
            print(failure, flush=True)
        tallies.append(tally)
    if chosen.write:
        write_counts(tallies, chosen.seed)
    found = sum(len(tally.failures) for tally in tallies)
    print(f"found: {found:,}")
    sys.exit(found > 0)


if __name__ == "__main__":
    main()
