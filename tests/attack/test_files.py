"""What the attacks on files found, in the smallest form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.attack.attack_files import READERS, example_records
from treegauge.dictionaries import DictionaryError, rank_languages
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


@pytest.mark.parametrize(
    ("key", "value"),
    [("treebank", []), ("n", "x"), ("soft", {}), ("gold", [1]), ("confidence", "")],
)
def test_record_of_another_type_is_refused_without_a_traceback(
    tmp_path: Path, key: str, value: Any
) -> None:
    document = json.loads(example_records())
    document["records"][0][key] = value
    path = tmp_path / "records.json"
    path.write_text(json.dumps(document))
    with pytest.raises(DictionaryError, match=r"records.json: no record of"):
        rank_languages([str(path)], trials=10)
