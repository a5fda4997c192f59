"""The page on attacks names tests that there are."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "challenge_security.md"


def test_every_attack_has_a_test() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:2] == "| "]
    attacks = [row for row in rows if not row.startswith(("| attack", "| :--"))]
    assert len(attacks) > 25
    for row in attacks:
        named = re.findall(r"`([\w/]+\.py)::(test_\w+)`", row)
        assert named, row
        for file, test in named:
            folder = ROOT if "/" in file else Path(__file__).parent
            source = (folder / file).read_text(encoding="utf-8")
            assert f"def {test}(" in source, (file, test)
