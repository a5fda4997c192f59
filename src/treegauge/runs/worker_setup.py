"""What a worker of a cluster does once, when it comes or when a run begins: compile ahead.

Otherwise the first cells of every worker compile the same kernels, all at the same time.
"""

from __future__ import annotations

import asyncio
import hashlib
import sys
from collections.abc import Sequence
from typing import Any

_PATIENCE = 1800.0
"""Seconds after which a worker begins without: cells then compile for themselves."""


def warm_up_plugin(systems: Sequence[str]) -> Any:
    """Return a plugin of Dask that runs `treegauge warm-up` on every worker, also later ones."""
    from distributed import WorkerPlugin

    class WarmUp(WorkerPlugin):
        """Compiles ahead, in a process beside the worker, which goes on answering."""

        def __init__(self, names: tuple[str, ...]) -> None:
            self.names = names
            # A worker that has done this already does not do it again.
            digest = hashlib.sha256(" ".join(names).encode()).hexdigest()[:12]
            self.name = f"treegauge-warm-up-{digest}"
            self.idempotent = True

        async def setup(self, worker: Any) -> None:
            """Wait for the compiler; whether it succeeds is no condition for cells."""
            del worker
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "treegauge", "warm-up", *self.names, "--quiet"),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            )
            try:
                await asyncio.wait_for(process.wait(), _PATIENCE)
            except TimeoutError:
                process.kill()

    return WarmUp(tuple(systems))
