"""The folder of a run: finished cells, their annotations and scores, the table of results.

    experiment.toml      the experiment as it was given
    results.parquet      the long table
    cells/KEY/cell.json  what is known of a cell: status, times, memory, the traceback
    cells/KEY/test.conllu.gz  what its system said
    cells/KEY/scores-….json   scores that were computed from it

A cell is written beside its place and renamed, so that it is there as a whole or not at all.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from treegauge.experiments.errors import ExperimentError
from treegauge.experiments.job import Outcome
from treegauge.formats import Findings, read, write
from treegauge.treebank import Treebank

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class CellRecord:
    """What is kept of a cell."""

    status: str
    seconds: float
    peak_memory: float
    supervision: str
    error: str
    about: dict[str, Any]
    """What the key was made from: for people, and for whoever wonders why it was rerun."""

    @property
    def is_done(self) -> bool:
        """Whether there are annotations."""
        return self.status == "done"

    @property
    def reason(self) -> str:
        """Why there are none, in a line."""
        if self.is_done:
            return ""
        lines = self.error.strip().splitlines()
        return f"{self.status}: {lines[-1] if lines else 'nothing was said'}"


class RunFolder:
    """A folder that holds a run, finished or not."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.results = self.path / "results.parquet"
        self.scratch = self.path / ".scratch"
        self._cells = self.path / "cells"

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runs out, and clean up what a run that was killed left behind."""
        self._cells.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.path / ".lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise ExperimentError(
                f"{self.path}: another run is using this folder\n"
                "  wait until it has ended, or name another folder"
            ) from None
        try:
            shutil.rmtree(self.scratch, ignore_errors=True)
            self.scratch.mkdir()
            yield
        finally:
            shutil.rmtree(self.scratch, ignore_errors=True)
            lock.release()

    # ------------------------------------------------------------------ cells

    def record(self, key: str) -> CellRecord | None:
        """Return what is known of a cell, or nothing if it has not been run."""
        try:
            text = (self._cells / key / "cell.json").read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        document = json.loads(text)
        if document.pop("schema") != SCHEMA_VERSION:
            return None
        return CellRecord(**document)

    def store(
        self, key: str, outcome: Outcome, targets: Mapping[str, Treebank], about: dict[str, Any]
    ) -> CellRecord:
        """Keep a cell: all of it, or nothing."""
        record = CellRecord(
            outcome.status,
            outcome.seconds,
            outcome.peak_memory,
            outcome.supervision,
            outcome.error,
            about,
        )
        made = self.scratch / key
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        for part, annotation in outcome.annotations.items():
            write(annotation.on(targets[part]), made / f"{part}.conllu.gz")
        document = {"schema": SCHEMA_VERSION, **asdict(record)}
        (made / "cell.json").write_text(
            json.dumps(document, ensure_ascii=False, indent=1), encoding="utf-8"
        )
        shutil.rmtree(self._cells / key, ignore_errors=True)
        made.replace(self._cells / key)
        return record

    def annotation(self, key: str, part: str) -> Treebank:
        """Read what the system of a cell said."""
        return read(self._cells / key / f"{part}.conllu.gz", role="prediction", findings=Findings())

    def scores(self, key: str, scoring: str) -> list[dict[str, Any]] | None:
        """Return scores that were kept, or nothing."""
        try:
            text = (self._cells / key / f"scores-{scoring}.json").read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        rows: list[dict[str, Any]] = json.loads(text)
        return rows

    def store_scores(self, key: str, scoring: str, rows: list[dict[str, Any]]) -> None:
        """Keep scores beside the annotation they were computed from."""
        target = self._cells / key / f"scores-{scoring}.json"
        temporary = target.with_name(f".{target.name}.tmp")
        temporary.write_text(json.dumps(rows), encoding="utf-8")
        temporary.replace(target)
