"""Rewrites the golden files and shows what has changed: `python -m tests.golden.regenerate`.

Names of cases, or beginnings of them, choose some; `--quick` leaves the slow ones out.
"""

from __future__ import annotations

import sys
import time

from tests.golden.capture import OUTPUTS, golden_of, outputs_of
from tests.golden.cases import CASES, Case
from tests.golden.comparison import difference, unified


def main(arguments: list[str]) -> None:
    quick = "--quick" in arguments
    chosen = tuple(one for one in arguments if not one.startswith("--"))
    changed = 0
    for case in CASES:
        if (quick and case.slow) or (chosen and not case.name.startswith(chosen)):
            continue
        begin = time.monotonic()
        changed += _rewrite(case)
        print(f"{case.name}: {time.monotonic() - begin:.1f} s", file=sys.stderr)
    changed += _remove_strays()
    print(f"{changed} files changed" if changed else "nothing changed")


def _rewrite(case: Case) -> int:
    golden, made = golden_of(case), outputs_of(case)
    changed = 0
    for name in sorted({*golden, *made}):
        path = OUTPUTS / name
        if name not in made:
            path.unlink()
            print(f"removed {name}")
        elif name not in golden:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(made[name], encoding="utf-8")
            print(f"new {name}")
        elif difference(name, golden[name], made[name]):
            path.write_text(made[name], encoding="utf-8")
            print(unified(name, golden[name], made[name]))
        else:
            continue
        changed += 1
    return changed


def _remove_strays() -> int:
    names = {case.name for case in CASES}
    strays = [
        path
        for path in OUTPUTS.rglob("*")
        if path.is_file() and path.relative_to(OUTPUTS).as_posix().partition(".")[0] not in names
    ]
    for path in strays:
        path.unlink()
        print(f"removed {path.relative_to(OUTPUTS)}")
    return len(strays)


if __name__ == "__main__":
    main(sys.argv[1:])
