"""Real treebanks: read and written they are the same bytes, and as large as they should be."""

from __future__ import annotations

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

import treegauge as tg
from treegauge.formats import Severity

pytestmark = pytest.mark.realdata


def treebank_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.conll[ux].xz"))


def manifest_splits(folder: Path) -> dict[str, dict[str, int]]:
    """Return what the manifest says about the parts of a treebank; nothing for raw files."""
    path = folder.parent / "manifest.json"
    if not path.exists():
        return {}
    treebanks: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["treebanks"]
    (entry,) = (treebank for treebank in treebanks if treebank["name"] == folder.name)
    splits: dict[str, dict[str, int]] = entry["splits"]
    return splits


def test_files_come_back_to_the_byte_and_count_as_the_manifest_says(
    shared: Path, real_folder: str
) -> None:
    folder = shared / real_folder
    splits = manifest_splits(folder)
    counted = {}
    for path in treebank_files(folder):
        findings = tg.Findings()
        treebank = tg.read(path, findings=findings)
        format = path.name.split(".")[-2]
        assert findings.total(Severity.NOTE) == 0
        assert tg.to_text(treebank, format=format).encode() == lzma.decompress(path.read_bytes())
        counted[path.name.partition(".")[0]] = {
            "sentences": treebank.n_sentences,
            "tokens": treebank.n_words,
            "multi_root_sentences": findings.counts["several-roots"],
            "no_root_sentences": findings.counts["no-root"],
            "cyclic_sentences": findings.counts["cycle"],
        }
    if splits:
        assert counted == splits


@pytest.mark.parametrize("manifest", ["treebanks", "treebanks_ud1"])
def test_the_manifest_and_the_folder_name_the_same_treebanks(shared: Path, manifest: str) -> None:
    listed = json.loads((shared / manifest / "manifest.json").read_text(encoding="utf-8"))
    folders = {path.parent.name for path in (shared / manifest).rglob("*.conll[ux].xz")}
    assert {treebank["name"] for treebank in listed["treebanks"]} == folders
