"""A small challenge on toy languages, its folder written by hand, and submissions to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from treegauge import make_system, to_text, toy_treebank
from treegauge.challenges.challenge_folder import ChallengeFolder
from treegauge.challenges.packs import with_manifest, write_zip
from treegauge.treebank import Treebank

IN_PHASE = datetime(2027, 3, 5, tzinfo=UTC)
AFTER_CLOSE = datetime(2027, 3, 20, tzinfo=UTC)
AFTER_GOLD = datetime(2027, 5, 1, tzinfo=UTC)

CHALLENGE = """
name = "small"
title = "A small challenge"
gold = "2027-04-01 AoE"

[[tracks]]
name = "dependencies"
hide = ["heads"]
annotate = ["heads"]
preset = "pascal"
metrics = ["uas", "ned"]
primary = "uas"
by = ["edge_length", "relation"]

[[tracks]]
name = "pos"
hide = ["heads", "tags"]
annotate = ["tags"]
preset = "pascal"
metrics = ["many_to_one", "v_measure"]
primary = "many_to_one"

{treebanks}
[[phases]]
name = "test"
part = "test"
tracks = ["dependencies", "pos"]
opens = "2027-03-01 AoE"
closes = "2027-03-14 AoE"
{board}
"""

TREEBANK = """
[[treebanks]]
name = "{name}"
test = "toy:{name}:test"
licence = "CC0"
{more}
"""


def gold_of(name: str, tokens: int = 300) -> Treebank:
    """Gold of a treebank."""
    return toy_treebank(f"toy:{name}", tokens=tokens)


def make_folder(
    path: Path,
    *,
    names: Sequence[str] = ("svo", "sov"),
    gold: Mapping[str, Treebank] | None = None,
    more: str = "",
    board: str = "",
    tokens: int = 300,
) -> ChallengeFolder:
    """Write what `init` and `pack` would."""
    path.mkdir(parents=True, exist_ok=True)
    treebanks = "".join(TREEBANK.format(name=name, more=more) for name in names)
    text = CHALLENGE.format(treebanks=treebanks, board=board)
    (path / "challenge.toml").write_text(text, encoding="utf-8")
    (path / "salt.txt").write_text("00" * 32, encoding="utf-8")
    (path / "rules.md").write_text("Be fair.\n", encoding="utf-8")
    gold = gold or {name: gold_of(name, tokens) for name in names}
    write_gold(path, gold)
    return ChallengeFolder(path)


def write_gold(path: Path, gold: Mapping[str, Treebank]) -> None:
    """Write the gold pack of a folder."""
    (path / "gold").mkdir(exist_ok=True)
    files = {f"test/{name}.conllu": to_text(own).encode() for name, own in gold.items()}
    write_zip(
        path / "gold" / "small-gold.zip",
        with_manifest({"kind": "gold", "challenge": "small"}, files),
    )


SYSTEM = """
system = {system!r}
team = {team!r}
track = "{track}"
supervision = "{supervision}"
"""


def write_submission(
    path: Path,
    annotated: Mapping[str, Treebank],
    *,
    system: str = "ours",
    team: str = "us",
    track: str = "dependencies",
    supervision: str = "unsupervised",
) -> Path:
    """Write a submission as a folder."""
    path.mkdir(parents=True, exist_ok=True)
    facts = SYSTEM.format(system=system, team=team, track=track, supervision=supervision)
    (path / "system.toml").write_text(facts, encoding="utf-8")
    for name, own in annotated.items():
        (path / f"{name}.conllu").write_text(to_text(own), encoding="utf-8")
    return path


def submission_of(
    path: Path, method: str, names: Sequence[str] = ("svo", "sov"), tokens: int = 300, **about: str
) -> Path:
    """Write the submission of one of our systems."""
    annotated = {
        name: make_system(method).fit(gold_of(name, tokens)).annotate(gold_of(name, tokens))
        for name in names
    }
    return write_submission(path, annotated, system=method, **about)
