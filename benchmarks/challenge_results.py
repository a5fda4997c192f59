"""What becomes of submissions to a challenge: scores, groups, a board, in CPU time on one core."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import corpora

TITLE = "Results of a challenge"
TREEBANKS, WORDS = 10, 330_000
WANTED_TO_SCORE, WANTED_FOR_GROUPS, WANTED_FOR_A_BOARD = 20.0, 60.0, 20.0
"""Seconds."""
SYSTEMS_IN_GROUPS, SENTENCES_IN_GROUPS, SYSTEMS_ON_BOARD = 20, 10_000, 50

_CHALLENGE = """
name = "bench"

[[tracks]]
name = "dependencies"
hide = ["heads"]
annotate = ["heads"]
preset = "pascal"
metrics = ["uas", "undirected", "ned", "uas@10"]
primary = "uas"
by = ["edge_length", "sentence_length", "relation"]

{treebanks}
[[phases]]
name = "test"
part = "test"
tracks = ["dependencies"]
opens = "2026-01-01 UTC"
closes = "2026-02-01 UTC"
"""
_TREEBANK = '[[treebanks]]\nname = "{name}"\ntest = "toy:svo:test"\nlicence = "CC0"\n'
_SYSTEM = 'system = "ours"\nteam = "us"\ntrack = "dependencies"\nsupervision = "unsupervised"\n'
_RECEIVED = datetime(2026, 1, 15, tzinfo=UTC)


def challenge_folder() -> Path:
    """Return the folder of a challenge of ten treebanks, and a submission beside it."""
    from treegauge import make_system, to_text
    from treegauge.challenges.packs import with_manifest, write_zip
    from treegauge.toys import toy_treebank

    home = corpora.FOLDER / "challenge"
    if (home / "ours").exists():
        return home
    names = [f"t{i}" for i in range(TREEBANKS)]
    (home / "bench/gold").mkdir(parents=True, exist_ok=True)
    (home / "new").mkdir(exist_ok=True)
    gold = {}
    system = make_system("left-branching")
    for i, name in enumerate(names):
        own = toy_treebank("toy:svo", tokens=WORDS // TREEBANKS, seed=i)
        gold[f"test/{name}.conllu"] = to_text(own).encode()
        (home / f"new/{name}.conllu").write_text(to_text(system.annotate(own)), encoding="utf-8")
    tables = "".join(_TREEBANK.format(name=name) for name in names)
    text = _CHALLENGE.format(treebanks=tables)
    (home / "bench/challenge.toml").write_text(text, encoding="utf-8")
    (home / "bench/salt.txt").write_text("00" * 32, encoding="utf-8")
    about = {"kind": "gold", "challenge": "bench"}
    write_zip(home / "bench/gold/bench-gold.zip", with_manifest(about, gold))
    (home / "new/system.toml").write_text(_SYSTEM, encoding="utf-8")
    (home / "new").rename(home / "ours")
    return home


def score() -> dict[str, Any]:
    """Score the submission; CPU time of this process and of the one that reads."""
    from treegauge.challenges import ChallengeFolder, score_submissions

    home = challenge_folder()
    folder = ChallengeFolder(home / "bench")
    seconds = []
    for _ in range(2):  # the first compiles, or loads what was compiled
        begin = _cpu()
        scoring = score_submissions(folder, [home / "ours"], now=_RECEIVED)
        seconds.append(_cpu() - begin)
        assert not scoring.refused
    words = sum(own["words"] for own in scoring.scored[0].treebanks.values())
    return {"seconds": seconds[-1], "words": words}


def group() -> dict[str, Any]:
    """Draw lines between twenty systems."""
    import numpy as np

    from treegauge.challenges.paired_evidence import SentenceCounts, significantly_better

    random = np.random.default_rng(0)
    per_treebank = SENTENCES_IN_GROUPS // TREEBANKS
    whole = {f"t{i}": random.integers(1, 40, per_treebank).astype(float) for i in range(TREEBANKS)}
    systems = {
        f"s{k:02}": SentenceCounts(
            {
                name: random.binomial(own.astype(int), 0.3 + 0.02 * k).astype(float)
                for name, own in whole.items()
            },
            whole,
        )
        for k in range(SYSTEMS_IN_GROUPS)
    }
    begin = _cpu()
    better = significantly_better(systems)
    return {"seconds": _cpu() - begin, "pairs": len(better)}


def board() -> dict[str, Any]:
    """Write the leaderboard of fifty systems, all as large as the one that was scored."""
    import numpy as np

    from treegauge.challenges import ChallengeFolder, make_board, score_submissions, write_site
    from treegauge.challenges.packs import canonical_json, sha256
    from treegauge.challenges.result_files import add_receipts, write_result

    home = challenge_folder()
    folder = ChallengeFolder(home / "bench")
    document = score_submissions(folder, [home / "ours"], now=_RECEIVED).scored[0].document
    random = np.random.default_rng(0)
    ids = []
    for k in range(SYSTEMS_ON_BOARD):
        copy = json.loads(canonical_json(document))
        copy["submission"] |= {"id": sha256(str(k).encode()), "team": f"team {k}"}
        for own in copy["treebanks"].values():
            counts = own["standards"]["gold"]["sentences"]
            words = np.asarray(counts["whole"])
            counts["right"] = random.binomial(words, 0.3 + 0.01 * k).tolist()
            share = sum(counts["right"]) / sum(counts["whole"])
            own["standards"]["gold"]["scores"]["uas"]["value"] = share
        write_result(folder.results, copy)
        ids.append(copy["submission"]["id"])
    add_receipts(folder.submissions, [document["submission"]["id"], *ids], _RECEIVED)
    begin = _cpu()
    made = make_board(folder, datetime(2026, 6, 1, tzinfo=UTC))
    files = write_site(made, home / "site")
    seconds = _cpu() - begin
    for one in ids:
        (folder.results / document["scorer"] / f"{one}.json").unlink()
    size = sum(path.stat().st_size for path in files)
    return {"seconds": seconds, "files": len(files), "bytes": size}


def _cpu() -> float:
    """Return the CPU time of this process and of those that it started."""
    own = time.process_time()
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own + others.ru_utime + others.ru_stime


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    found = {name: _measured(name) for name in ("score", "group", "board")}
    words = found["score"]["words"]
    megabytes = found["board"]["bytes"] / 1e6
    rows = (
        (
            f"a submission on {TREEBANKS} treebanks ({words:,} words) scored, with intervals and "
            "strata",
            found["score"]["seconds"],
            WANTED_TO_SCORE,
        ),
        (
            f"groups of {SYSTEMS_IN_GROUPS} systems over {SENTENCES_IN_GROUPS:,} sentences",
            found["group"]["seconds"],
            WANTED_FOR_GROUPS,
        ),
        (
            f"the leaderboard of {SYSTEMS_ON_BOARD} systems x {TREEBANKS} treebanks: "
            f"{found['board']['files']} files, {megabytes:.0f} MB, groups included",
            found["board"]["seconds"],
            WANTED_FOR_A_BOARD,
        ),
    )
    lines = ["CPU time on one core, kernels compiled:", "", "| what | seconds | target |"]
    lines.append("| :-- | --: | --: |")
    lines += [f"| {what} | {seconds:.1f} | ≤ {wanted:.0f} |" for what, seconds, wanted in rows]
    return "\n".join(lines) + "\n"


def _measured(name: str) -> dict[str, Any]:
    """Run a function in a new process on one core."""
    command = [sys.executable, "-m", "benchmarks.challenge_results", name]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: dict[str, Any] = json.loads(output.splitlines()[-1])
    return found


def _main(name: str) -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(json.dumps({"score": score, "group": group, "board": board}[name]()))


if __name__ == "__main__":
    _main(sys.argv[1]) if len(sys.argv) > 1 else print(report())
