"""The official validator beside ours, on the files of its own source distribution.

Both are downloaded for the test into a folder of its own, and nothing of them is kept.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from treegauge.formats import validate

pytestmark = pytest.mark.slow

VERSION = "0.2.9"
FOLDERS = ("valid", "invalid-level1", "invalid-level2", "invalid-functions")
LEAST_AGREEMENT = 0.95

IDS = """
import json, sys
sys.path.insert(0, sys.argv[1])
from udtools.validator import Validator
validator = Validator(level=2, output=None)
found = {
    file: sorted({one.testid for one in validator.validate_files([file]).error_tracker})
    for file in sys.argv[2:]
}
print(json.dumps(found))
"""


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", *arguments]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        pytest.skip(f"udtools {VERSION} cannot be downloaded: {result.stderr[-200:]}")


def test_the_official_validator_finds_the_same(tmp_path: Path) -> None:
    package = f"udtools=={VERSION}"
    pip("download", "--no-binary", ":all:", "--no-deps", "--dest", str(tmp_path), package)
    pip("install", "--target", str(tmp_path / "site"), package)
    with tarfile.open(next(tmp_path.glob("udtools-*.tar.gz"))) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    cases = next((tmp_path / "source").glob("udtools-*/tests/test-cases"))
    files = [str(path) for name in FOLDERS for path in sorted((cases / name).glob("*.conllu"))]
    assert len(files) > 100
    command = [sys.executable, "-c", IDS, str(tmp_path / "site"), *files]
    theirs = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    ours = {
        file: sorted({one.official for one in validate(file, level=2, every=True).findings} - {""})
        for file in files
    }
    different = {Path(file).name: (theirs[file], ours[file]) for file in files
                 if theirs[file] != ours[file]}  # fmt: skip
    assert len(different) <= (1 - LEAST_AGREEMENT) * len(files), different
