"""The `reproduce` commands that pages show for real data, run on toy languages.

Treebanks, dictionaries and brackets have the names that pages give them. What takes hours is made
small by further options, which are added at the end of a command.
"""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

import treegauge as tg
from tests.docs.test_shown_commands import REAL_DATA, SHOWN, reason_not_to_run
from tests.in_process import cells_in_process, run_in_process
from tests.penn_sample import TAG_MAP, write_penn
from treegauge.toys import toy_parts

COMMANDS = sorted({command for _, command in SHOWN if reason_not_to_run(command) == REAL_DATA})
TREEBANKS = {"en_ewt": "toy:svo", "da_ddt": "toy:sov", "cs_cac": "toy:free"}
"""Names of real treebanks, and the languages that stand for them; the program knows theirs."""
TAKES_A_MINUTE = {"--small", "--published"}
KEPT = ("left-branching", "right-branching", "random", "brown (u)", "content-chain")


def systems_of(chosen: str) -> list[str]:
    """Return the systems of a set of the challenge, as tables call them."""
    plan = tomllib.loads(files("treegauge.papers.pascal").joinpath("plan.toml").read_text("utf-8"))
    return [
        system.get("label", system["system"])
        for system in plan["systems"]
        if chosen in system.get("sets", [chosen])
    ]


def made_small(words: list[str]) -> list[str]:
    """Return the options that make an experiment small."""
    paper, options = words[2], words[3:]
    if TAKES_A_MINUTE & set(options):
        return []
    if paper == "ned":
        few = ["--algorithms", "km04", "--systems", "harmonic", "--sentences-looked-at", "50"]
        return [*few, "--set", "dmv.iterations=3", "--resamples", "20"]
    if paper == "tagger-evaluation":
        few = ["--taggers", "tnt,most-frequent-tag", "--cross-lingual", "none"]
        few += ["--resamples", "20", "--trials", "50", "--draws", "3", "--repetitions", "1"]
        return few if "--all" in options else [*few, *(f"-t{name}" for name in TREEBANKS)]
    assert paper == "pascal", words
    chosen = options[options.index("--systems") + 1] if "--systems" in options else "fast"
    skipped = [f"--skip={name}" for name in systems_of(chosen) if name not in KEPT]
    # The Penn sample, which is in the data folder, has a run of its own beside these.
    # Its sixty sentences are too few for universal-dmv, which would warn.
    return ["-ten_ewt", "--skip=universal*", *skipped, "--resamples", "20", "--no-html"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with the data that pages name."""
    tmp_path = tmp_path_factory.mktemp("data")
    write_penn(tmp_path / "treebanks")
    (tmp_path / "en-ptb.map").write_text(TAG_MAP, encoding="utf-8")
    rows = []
    for name, language in TREEBANKS.items():
        (tmp_path / "treebanks" / name).mkdir()
        for part, treebank in toy_parts(language, tokens=1500).items():
            tg.write(treebank, tmp_path / "treebanks" / name / f"{part}.conllu")
        toy = run_in_process(
            ["dictionary", "from-treebank", f"{language}:dev", f"{name}.tsv"], folder=tmp_path
        )
        assert toy.returncode == 0, toy.stderr
        (tmp_path / "dictionaries" / "wiktionary").mkdir(parents=True, exist_ok=True)
        place = Path("dictionaries") / "wiktionary" / f"{name[:2]}.tsv"
        (tmp_path / f"{name}.tsv").rename(tmp_path / place)
        rows.append({"file": f"wiktionary/{name[:2]}.tsv", "language": name[:2]})
    manifest = json.dumps({"pos": rows, "bilingual": []})
    (tmp_path / "dictionaries" / "manifest.json").write_text(manifest, encoding="utf-8")
    for part, name in (("train", "wsj-02-21"), ("test", "wsj-23")):
        source = tmp_path / "treebanks" / "en_wsj_sample" / f"{part}.conllx"
        (tmp_path / f"{name}.conllx").write_bytes(source.read_bytes())
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_shown_reproduction_ends_well(command, folder):
    words = shlex.split(command)
    own = ["--folder", f"runs/{COMMANDS.index(command)}"]
    more = [*made_small(words), "--workers", "1", *own] if made_small(words) else own
    with cells_in_process():
        result = run_in_process([*words[1:], *more], folder=folder)
    assert result.returncode == 0, f"$ {command}\n{result.stdout[-2000:]}{result.stderr[-2000:]}"
    assert result.stdout or "-o" in words


def test_every_paper_with_such_a_command_can_be_made_small():
    assert len(COMMANDS) > 7
    for command in COMMANDS:
        words = shlex.split(command)
        assert made_small(words) or TAKES_A_MINUTE & set(words), command
    assert {"dmv (u)", "random"} <= set(systems_of("small"))
    assert not re.search(r"dmv \(p\)", " ".join(systems_of("small")))
