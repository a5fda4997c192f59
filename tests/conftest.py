"""What all tests share: where real treebanks are, if they are anywhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
SHARED = Path(os.environ.get("TREEGAUGE_SHARED") or REPOSITORY.parent / "shared")
TREEBANK_FOLDERS = ("treebanks", "treebanks_ud1", "treebanks_raw")
MISSING = f"needs real treebanks: no folder {SHARED / 'treebanks'}; TREEGAUGE_SHARED names another"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real treebanks; tests that ask for it are skipped where it is missing."""
    if not (SHARED / "treebanks").is_dir():
        pytest.skip(MISSING)
    return SHARED


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for `real_folder` once for every folder with treebank files."""
    if "real_folder" not in metafunc.fixturenames:
        return
    folders = sorted(
        {
            path.parent.relative_to(SHARED).as_posix()
            for name in TREEBANK_FOLDERS
            for path in (SHARED / name).rglob("*.conll[ux].xz")
        }
    )
    if not folders:
        folders = [pytest.param("", marks=pytest.mark.skip(reason=MISSING), id="missing")]
    metafunc.parametrize("real_folder", folders)
