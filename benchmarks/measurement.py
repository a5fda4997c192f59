"""Time and memory of one function in a process of its own, on one core.

Run as `python -m benchmarks.measurement MODULE:FUNCTION ARGUMENT...`; prints JSON. The
function gets the arguments as strings, prepares what should not be measured (imports,
compiled kernels), and returns what should be, as a function without arguments.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Measurement:
    """What one run took."""

    seconds: float
    """Of the processor: what else the machine does meanwhile is no fault of ours."""
    peak_memory: int
    """Bytes of memory of the whole process at the peak, imports and all."""


def measure(function: str, *arguments: str, repeats: int = 1) -> Measurement:
    """Run a function in new processes and return the fastest run."""
    command = [sys.executable, "-m", "benchmarks.measurement", function, *arguments]
    runs = []
    for _ in range(repeats):
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        runs.append(Measurement(**json.loads(output.splitlines()[-1])))
    return min(runs, key=lambda run: run.seconds)


def _peak_memory() -> int:
    # Not getrusage: a child inherits its parent's maximum there.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    (line,) = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1024


def _main(function: str, *arguments: str) -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    module, _, name = function.partition(":")
    measured = getattr(importlib.import_module(module), name)(*arguments)
    gc.collect()
    begin = time.process_time()
    result = measured()
    seconds = time.process_time() - begin
    print(json.dumps({"seconds": seconds, "peak_memory": _peak_memory()}))
    del result


if __name__ == "__main__":
    _main(*sys.argv[1:])
