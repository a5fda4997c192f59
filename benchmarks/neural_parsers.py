"""The neural parser on one core: how fast each size learns and parses.

`make bench` runs the measurement in the environment that has PyTorch:
`.venv-neural/bin/python -m benchmarks.neural_parsers SIZE` prints it as JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

TITLE = "The neural parser"
TREEBANK = "en_ewt"
LEARNING_WORDS = {"small": 20_000, "full": 5_000}
"""Words of one epoch that is timed; the time of an epoch grows with the number of words."""
PARSING_WORDS = {"small": 25_000, "full": 5_000}
REPEATS = 3
WORDS_PER_SECOND = 5_000
"""What the small size has to reach on one core."""
_PYTHON = Path(".venv-neural/bin/python")


def _measure(size: str) -> dict[str, float]:
    """Return CPU seconds of an epoch on the whole treebank, and words parsed per CPU second."""
    from benchmarks.parsers import first_words
    from treegauge import load
    from treegauge.systems import make_system

    shared = Path(os.environ.get("TREEGAUGE_SHARED", "../shared")) / "treebanks"
    whole, test = (load(f"{TREEBANK}:{part}", data=shared) for part in ("train", "test"))
    train = first_words(whole, LEARNING_WORDS[size])
    test = first_words(test, PARSING_WORDS[size])
    settings = {"size": size, "epochs": 1, "device": "cpu"}
    parser = make_system("biaffine", settings)
    begin = time.process_time()
    parser.fit(train)
    learning = time.process_time() - begin
    parsing = []
    for _ in range(REPEATS):
        begin = time.process_time()
        parser.annotate(test)
        parsing.append(time.process_time() - begin)
    return {
        "epoch": learning * whole.n_words / train.n_words,
        "words_per_second": test.n_words / min(parsing),
        "whole": whole.n_words,
    }


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    if not _PYTHON.exists():
        return "Not measured: `make setup-neural` installs PyTorch.\n"
    environment = {**os.environ, "TREEGAUGE_THREADS": "1", "OMP_WAIT_POLICY": "passive"}
    sizes = {}
    for size in LEARNING_WORDS:
        command = [str(_PYTHON), "-m", "benchmarks.neural_parsers", size]
        output = subprocess.check_output(command, text=True, env=environment)
        sizes[size] = json.loads(output.splitlines()[-1])
    lines = [
        f"`biaffine` on `{TREEBANK}`, one core, no GPU, all columns; CPU seconds. The epoch is "
        f"timed on {LEARNING_WORDS['small']:,} words (`small`) and {LEARNING_WORDS['full']:,} "
        f"words (`full`) and scaled to all {sizes['small']['whole']:,}. Parsing is the fastest of "
        f"{REPEATS} runs.\n",
        "| size | seconds per epoch | words parsed per second | target |",
        "| :-- | --: | --: | --: |",
    ]
    for size, one in sizes.items():
        target = f"≥ {WORDS_PER_SECOND:,}" if size == "small" else ""
        speed = f"{one['words_per_second']:,.0f}"
        lines.append(f"| `{size}` | {one['epoch']:.0f} | {speed} | {target} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(json.dumps(_measure(sys.argv[1])))
