"""Files that are nested too deep for their parsers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attack.attack_files import READERS
from treegauge.errors import TreegaugeError

DEEP = {
    "manifest.json": b"[" * 100_000,
    "records.json": b'{"records":' * 100_000,
    "wiktextract.jsonl": b"[" * 100_000,
    "treegauge.toml": b"sets = " + b"[" * 100_000,
    "experiment.toml": b"treebanks = " + b"[" * 100_000,
}


@pytest.mark.parametrize("name", DEEP)
def test_deeply_nested_file_is_refused_without_a_recursion_error(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(DEEP[name])
    with pytest.raises(TreegaugeError, match=name):
        READERS[name][1](path)
