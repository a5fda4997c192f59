"""Writes `expected.json`: what `tg.read` finds in every broken file of this folder.

    python -m tests.broken.regenerate

Read the diff line by line before you keep it; the file is the specification.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import treegauge as tg

FOLDER = Path(__file__).parent
EXPECTED = FOLDER / "expected.json"
COMPARED = ("id", "severity", "line", "sentence", "expected", "found")


def broken_files() -> list[Path]:
    """Return the broken files, without what belongs to the tests."""
    return sorted(
        path for path in FOLDER.iterdir() if path.is_file() and path.suffix not in (".py", ".json")
    )


def findings_of(path: Path) -> list[dict[str, Any]]:
    """Return what is found in a file that is read as gold."""
    findings = tg.Findings()
    try:
        tg.read(path, findings=findings)
    except tg.FormatError as error:
        if error.findings is None:
            raise
    return [{key: finding.to_dict()[key] for key in COMPARED} for finding in findings]


def main() -> None:
    """Write the golden file, one line a finding."""
    entries = []
    for path in broken_files():
        findings = [json.dumps(f, ensure_ascii=False) for f in findings_of(path)]
        entries.append(f'  "{path.name}": [\n    ' + ",\n    ".join(findings) + "\n  ]")
    EXPECTED.write_text("{\n" + ",\n".join(entries) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
