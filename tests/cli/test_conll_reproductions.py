"""Every paper on a treebank in CoNLL-X, which has coarse and fine tags and no universal ones.

This is the papers' own kind of data. With a tag map or without one, tables are printed; `pascal`
leaves out what needs universal tags, and so does everything that compares with a dictionary.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

import treegauge as tg
from tests.in_process import cells_in_process, run_in_process
from treegauge.toys import toy_parts
from treegauge.treebank import UD_TO_PETROV, Column

pytestmark = pytest.mark.long

QUICK = {
    "ned": [
        *("--algorithms", "km04", "--systems", "harmonic", "--set", "dmv.iterations=2"),
        *("--sentences-looked-at", "30", "--resamples", "10"),
    ],
    "perplexity": ["--others", "", "--epochs", "1", "--resamples", "10", "--trials", "10"],
    "word-order": [
        *("--no-optimise", "--epochs", "1", "--orders", "original,left"),
        *("--parsers", "transition", "--resamples", "10"),
    ],
    "pascal": ["--resamples", "10", "--no-html", "--full"],
    "tagger-evaluation": [
        *("--taggers", "most-frequent-tag", "--cross-lingual", "none", "--resamples", "10"),
        *("--trials", "10", "--draws", "2", "--repetitions", "1"),
        *("--dictionary", "eu_conll2007=eu.tsv"),
    ],
}
KEPT = ("left-branching", "brown (u)", "brown (c)", "harmonic", "udp", "soegaard-rules")
"""The systems of the challenge that are run; the last three need universal tags."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with a treebank, a map of its tags and a dictionary."""
    place = tmp_path_factory.mktemp("conll")
    bank = place / "treebanks" / "eu_conll2007"
    bank.mkdir(parents=True)
    parts = toy_parts("toy:svo", tokens=800)
    for part in ("train", "test"):
        # Coarse tags in Basque fashion, which are no universal tags, and a second root.
        own = Column.from_strings([f"tag{tag.lower()}" for tag in parts[part].upos])
        columns = {"cpos": own, "xpos": own}
        heads = parts[part].head.copy()
        heads[:2] = 0
        tg.write(parts[part].replace(columns=columns, head=heads), bank / f"{part}.conllx")
    lines = [f"tag{tag.lower()}\t{universal}\n" for tag, universal in UD_TO_PETROV.items()]
    (place / "eu.map").write_text("".join(lines), encoding="utf-8")
    arguments = ["dictionary", "from-treebank", "toy:svo:dev", "eu.tsv"]
    assert run_in_process(arguments, folder=place).returncode == 0
    return place


def reproduce(folder: Path, paper: str, *more: str):
    options = ["-t", "eu_conll2007", "--workers", "1"]
    own_data = {"TREEGAUGE_DATA": "treebanks"}
    with cells_in_process():
        return run_in_process(
            ["reproduce", paper, *options, *QUICK[paper], *more],
            folder=folder,
            environment=own_data,
        )


@pytest.mark.slow
@pytest.mark.parametrize("mapped", [False, True])
@pytest.mark.parametrize("paper", QUICK)
def test_a_paper_runs_on_conll_treebanks(paper, mapped, folder):
    more = ["--tag-map", "eu.map"] if mapped else []
    if paper == "pascal":
        more += skipped()
    done = reproduce(folder, paper, *more, "--folder", f"runs/{paper}-{mapped}")
    if paper == "tagger-evaluation" and not mapped:
        # Dictionaries have universal tags, and this is the only treebank.
        assert done.returncode == 1
        assert "--tag-map" in done.stderr
        return
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-2000:]
    assert "eu_conll2007" in done.stdout
    assert "FormatWarning" not in done.stderr
    if paper == "word-order":
        assert "eu_conll2007: train: kept " in done.stderr
    if paper == "pascal":
        rows = [line.split() for line in done.stdout.splitlines() if line.startswith("udp ")]
        assert rows
        assert all(("–" in row) != mapped for row in rows[:1])
        assert ("no universal tags, so systems that need them" in done.stdout) != mapped


def skipped() -> list[str]:
    """Return the options that leave out the systems of the challenge that take longer."""
    plan = tomllib.loads(files("treegauge.papers.pascal").joinpath("plan.toml").read_text("utf-8"))
    names = [
        system.get("label", system["system"])
        for system in plan["systems"]
        if "fast" in system.get("sets", ["fast"])
    ]
    return [f"--skip={name}" for name in names if name not in KEPT]


@pytest.mark.slow
def test_coarse_tags_stand_for_universal_ones(folder):
    done = reproduce(folder, "perplexity", "--folder", "runs/perplexity-False")
    assert "eu_conll2007: coarse tags stand for universal tags, which are missing" in done.stdout
    mapped = ["--tag-map", "eu.map", "--folder", "runs/perplexity-True"]
    assert "coarse tags stand" not in reproduce(folder, "perplexity", *mapped).stdout
