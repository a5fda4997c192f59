"""What all tests share: where real treebanks are, and kernels that keep to their own arrays."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.postgres import database_url, postgres_server, postgres_url  # noqa: F401
from tests.small_pipelines import train_spacy, train_udpipe
from treegauge.kernels import kernel

# What is compiled before a test differs from machine to machine, and what it compares does not.
os.environ["TREEGAUGE_SAY_COMPILING"] = "0"
# Which treebanks somebody has makes no difference to what pages show.
os.environ.pop("TREEGAUGE_DATA", None)

REPOSITORY = Path(__file__).parents[1]
SHARED = Path(os.environ.get("TREEGAUGE_SHARED") or REPOSITORY.parent / "shared")
TREEBANK_FOLDERS = ("treebanks", "treebanks_ud1", "treebanks_raw")
MISSING = f"needs real treebanks: no folder {SHARED / 'treebanks'}; TREEGAUGE_SHARED names another"


@pytest.fixture(scope="session", autouse=True)
def _kernels_leave_read_only_arrays_alone() -> Iterator[None]:
    """Compare read-only arrays before and after every kernel, which numba takes for writable."""
    run = kernel.__call__

    def checked(self, *arguments):
        frozen = [a for a in arguments if isinstance(a, np.ndarray) and not a.flags.writeable]
        before = [array.tobytes() for array in frozen]
        result = run(self, *arguments)
        for array, content in zip(frozen, before, strict=True):
            assert array.tobytes() == content, f"{self.__name__} writes into a read-only array"
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "__call__", checked)
        yield


@pytest.fixture(scope="session")
def spacy_folder(tmp_path_factory) -> Path:
    """A small pipeline of spaCy, trained once."""
    return train_spacy(tmp_path_factory.mktemp("spacy"))


@pytest.fixture(scope="session")
def udpipe_file(tmp_path_factory) -> Path:
    """A small model of UDPipe, trained once."""
    return train_udpipe(tmp_path_factory.mktemp("udpipe"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real treebanks; tests that ask for it are skipped where it is missing."""
    if not (SHARED / "treebanks").is_dir():
        pytest.skip(MISSING)
    return SHARED


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip tests that need PyTorch where it is missing; `make test-neural` has it."""
    if importlib.util.find_spec("torch") is None:
        skip = pytest.mark.skip(reason="needs PyTorch: make test-neural")
        for item in items:
            if item.get_closest_marker("neural"):
                item.add_marker(skip)


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
