"""Systems of other packages: found by entry point, run like our own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

# Building and installing a package takes seconds; odd systems of a package that is only written
# (tests/unit/experiments/foreign_package) are found in every run.
pytestmark = pytest.mark.slow

PYPROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "treegauge-stars"
version = "1.0"

[project.entry-points."treegauge.systems"]
star = "stars:Star"
broken = "stars:Missing"
angry = "angry_stars:Angry"
random = "stars:Star"
"""
MODULE = '''\
"""A package that knows one system."""

from dataclasses import dataclass

import numpy as np

from treegauge.systems import DependencyInducer, Settings, setting


@dataclass(frozen=True)
class StarSettings(Settings):
    centre: int = setting(1, "the word that all others hang on", minimum=1)


class Star(DependencyInducer):
    """Every word hangs on one word of the sentence.

    The rest of the docstring is for readers.
    """

    name = "star"
    learns = False
    settings_type = StarSettings

    def _heads(self, words, on_progress):
        heads = np.full(words.n_words, self.settings.centre, np.int32)
        heads[words.offsets[:-1] + self.settings.centre - 1] = 0
        return heads
'''
ANGRY = 'raise RuntimeError("not today\\nnor tomorrow")\n'


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """Build a tiny package and install it where nothing else is."""
    source = tmp_path_factory.mktemp("source")
    (source / "pyproject.toml").write_text(
        PYPROJECT + '\n[tool.hatch.build.targets.wheel]\ninclude = ["*.py"]\n'
    )
    (source / "stars.py").write_text(MODULE)
    (source / "angry_stars.py").write_text(ANGRY)
    home = tmp_path_factory.mktemp("installed")
    command = ["pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    command += ["--disable-pip-version-check", "--target", str(home), str(source)]
    subprocess.run([sys.executable, "-m", *command], check=True)
    return home


@pytest.fixture
def run(installed, tmp_path):
    """Run Python where the package is installed."""

    def finished(*arguments: str) -> str:
        result = subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(installed)},
            capture_output=True,
            text=True,
        )
        assert result.returncode == 0, result.stderr
        return result.stdout

    return finished


def test_systems_of_other_packages_are_listed_and_broken_ones_with_the_reason(run) -> None:
    document = json.loads(run("-m", "treegauge", "list", "systems", "--json"))
    table = {row["system"]: row for row in document["systems"]}
    assert table["star"] == {
        "system": "star",
        "task": "dependencies",
        "supervision": "unsupervised",
        "summary": "Every word hangs on one word of the sentence.",
        "package": "treegauge-stars",
    }
    assert table["broken"]["summary"] == (
        "(broken: cannot be imported: module 'stars' has no attribute 'Missing')"
    )
    assert table["angry"]["summary"] == "(angry: cannot be imported: not today nor tomorrow)"
    assert table["random"]["package"] == "treegauge"  # our names cannot be taken
    assert table["left-branching"]["package"] == "treegauge"


def test_a_system_of_another_package_runs_like_our_own(run, tmp_path) -> None:
    (tmp_path / "a.conllu").write_text(
        "".join(f"{i}\tw{i}\t_\tX\t_\t_\t_\t_\t_\t_\n" for i in (1, 2, 3)) + "\n"
    )
    program = (
        "import treegauge as tg\n"
        "from treegauge.systems import load_system, make_system\n"
        "system = make_system('star', {'centre': 2})\n"
        "system.save('star.model')\n"
        "print(load_system('star.model').annotate(tg.read('a.conllu')).head.tolist())\n"
    )
    assert run("-c", program) == "[2, 0, 2]\n"
    induced = run("-m", "treegauge", "induce", "star", "a.conllu", "--set", "centre=3")
    assert [line.split("\t")[6] for line in induced.splitlines() if line] == ["3", "3", "0"]


def test_a_broken_system_says_why_when_it_is_asked_for(run) -> None:
    program = (
        "from treegauge.systems import SystemsError, make_system\n"
        "try:\n    make_system('angry')\n"
        "except SystemsError as error:\n    print(str(error).splitlines()[0])\n"
    )
    assert run("-c", program) == "angry: cannot be imported: not today\n"
