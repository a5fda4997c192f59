from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SENTENCE = "1\tsing\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = ["pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    subprocess.run([sys.executable, "-m", *command, str(folder), str(ROOT)], check=True)
    (built,) = folder.glob("treegauge-*.whl")
    return built


@pytest.mark.slow
def test_a_built_wheel_works_outside_the_checkout(wheel, tmp_path):
    home = tmp_path / "installed"
    command = ["pip", "install", "--quiet", "--no-deps", "--target"]
    subprocess.run([sys.executable, "-m", *command, str(home), str(wheel)], check=True)
    (tmp_path / "a.conllu").write_text(SENTENCE)

    def run(*arguments: str) -> str:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(home)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    assert run("-c", "import treegauge; print(treegauge.__file__)").startswith(str(home))
    assert run("-m", "treegauge", "validate", "a.conllu").startswith("a.conllu: valid")
    assert (home / "treegauge" / "py.typed").exists()
    assert (home / "bin" / "treegauge").exists()


@pytest.mark.slow
def test_a_wheel_brings_its_dependencies(wheel, tmp_path):
    """In a new environment, with nothing but what the wheel asks for."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(wheel)], check=True)
    (tmp_path / "a.conllu").write_text(SENTENCE)
    result = subprocess.run(
        [tmp_path / "venv" / "bin" / "treegauge", "validate", "a.conllu"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert result.stdout.startswith("a.conllu: valid")
