"""The folder of a run: finished cells, their annotations and scores, the table of results.

    experiment.toml           the experiment as it was given
    run.json                  the schema of the folder, and the version that wrote it
    results.parquet           the long table
    plan.json                 all cells of the table, also those not chosen on dev; where gold was
    gold/NAME.conllu.gz       gold that was in the memory of a program and in no file
    cells/KEY/cell.json       what is known of a cell: status, times, memory, what it depends on
    cells/KEY/test.conllu.gz  what its system said
    cells/KEY/model           what its system has learnt, if the experiment says `keep_model`
    cells/KEY/error.txt       the traceback, if it failed
    cells/KEY/output.txt      what its system printed, if it printed anything
    cells/KEY/scores-….json   scores that were computed from it
    pieces/KEY/*              chains of a sampler that are done, while the others run

A cell is written beside its place and renamed, so that it is there as a whole or not at all.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl
from filelock import FileLock, Timeout

from treegauge import __version__
from treegauge.errors import reason_of
from treegauge.formats import Findings, FormatError, read, write
from treegauge.results.long_table import long_table, write_long_table
from treegauge.runs.errors import ExperimentError
from treegauge.runs.gold_source import GoldSource
from treegauge.runs.outcome import Outcome, read_outcome
from treegauge.systems import System, load_system
from treegauge.temporaries import replacing
from treegauge.treebank import Treebank

SCHEMA_VERSION = 1

_ABOUT_FOLDER = {"schema": SCHEMA_VERSION, "treegauge": __version__}
_NOTHING_IS_LOST = "finished cells are kept; the same command continues the run"


@dataclass(frozen=True)
class CellRecord:
    """What is kept of a cell."""

    status: str
    seconds: float | None
    elapsed: float
    peak_memory: float | None
    message: str
    """Why there are no annotations, in a line."""
    about: dict[str, Any]
    """What the key was made from: for people, and for whoever wonders why it was rerun."""
    compiling: float | None = None
    """Seconds in which kernels were compiled; unknown where `seconds` has them, as once it had."""
    flaws: str = ""
    """What is no tree in the annotations, in words."""

    @property
    def is_sound(self) -> bool:
        """Whether everything is of its type: files can be damaged."""
        costs = (self.seconds or 0, self.elapsed, self.peak_memory or 0, self.compiling or 0)
        return (
            all(isinstance(cost, int | float) for cost in costs)
            and all(isinstance(text, str) for text in (self.status, self.message, self.flaws))
            and isinstance(self.about, dict)
        )

    @property
    def is_done(self) -> bool:
        """Whether there are annotations."""
        return self.status == "done"

    @property
    def reason(self) -> str:
        """What kind of failure it was, and why; empty for a cell that is done."""
        return "" if self.is_done else f"{self.status}: {self.message}"


@dataclass(frozen=True)
class PlannedCell:
    """A cell of the plan that results were made from, as people know it."""

    key: str
    track: str
    system: str
    """Its label."""
    supervision: str
    treebank: str
    seed: int
    point: str = ""
    """The point of the grid, where settings are tuned."""


@dataclass(frozen=True)
class Circumstances:
    """Where a run was started, and what gold it was scored against."""

    started_in: str = ""
    """The current folder then: paths of the experiment are relative to it."""
    started_in_from_run: str = ""
    """The same, seen from the folder of the run."""
    data: tuple[str, ...] = ()
    """The data folders that held its treebanks."""
    golds: tuple[GoldSource, ...] = ()


class RunFolder:
    """The folder of a run, finished or not.

    Parameters
    ----------
    path : path
        The folder. It need not exist.

    Attributes
    ----------
    path : Path
        The folder.
    results : Path
        The file of the long table.
    scratch : Path
        A folder for files that are being written.

    Examples
    --------
    >>> import tempfile, treegauge as tg
    >>> experiment = tg.Experiment.from_dict(
    ...     {
    ...         "name": "small",
    ...         "treebanks": ["toy:svo"],
    ...         "systems": [{"system": "left-branching", "keep_model": True}],
    ...     }
    ... )
    >>> with tempfile.TemporaryDirectory() as path:
    ...     _ = tg.run(experiment, path, workers=1)
    ...     folder = RunFolder(path)
    ...     (cell,) = folder.planned
    ...     is_done = folder.record(cell.key).is_done
    ...     ((_, treebank),) = folder.annotations("test")
    ...     same = folder.annotation(cell.key, "test") == treebank
    ...     system = folder.fitted_system(cell.key)
    >>> cell.system, cell.treebank, is_done, treebank.n_sentences, same, system.name
    ('left-branching', 'toy:svo', True, 1503, True, 'left-branching')

    What a run stores:

    >>> from treegauge.results.long_table import long_table
    >>> from treegauge.runs.outcome import Outcome
    >>> with tempfile.TemporaryDirectory() as path:
    ...     folder = RunFolder(path)
    ...     with folder.locked():
    ...         folder.store_experiment("name = 'small'")
    ...         folder.store_piece("k1", "chain0", Outcome("done"))
    ...         piece = folder.piece("k1", "chain0")
    ...         had_piece = folder.has_piece("k1", "chain0"), folder.pieces("k1").exists()
    ...         folder.remove_pieces("k1")
    ...         record = folder.store("k1", Outcome("failed", reason="no tags"), {}, {})
    ...         folder.store_scores("k1", "pascal", [])
    ...         scores = folder.scores("k1", "pascal")
    ...         gold = folder.store_gold(tg.toy_treebank(tokens=100))
    ...         folder.store_results(long_table([]), "small")
    ...     has_cell, name = folder.cell("k1").is_dir(), folder.experiment
    >>> piece.is_done, had_piece, record.reason, scores, gold.parent.name, has_cell, name
    (True, (True, True), 'failed: no tags', [], 'gold', True, 'small')
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.results = self.path / "results.parquet"
        self.scratch = self.path / ".scratch"
        self._cells = self.path / "cells"

    @property
    def is_there(self) -> bool:
        """Whether anything was ever run here."""
        return self._cells.is_dir()

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder for this run, and remove the temporary files of a killed run.

        Yields
        ------
        None
            The folder is unlocked at the end.

        Raises
        ------
        ExperimentError
            If another run is using the folder, or it cannot be written, or another version of
            treegauge made it.
        """
        with self._writing("name another folder"):
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
            self._check_schema()
            with self._writing():
                shutil.rmtree(self.scratch, ignore_errors=True)
                self.scratch.mkdir()
                self._write(self.path / "run.json", _json(_ABOUT_FOLDER))
            yield
        finally:
            shutil.rmtree(self.scratch, ignore_errors=True)
            lock.release()

    def _check_schema(self) -> None:
        try:
            schema = json.loads((self.path / "run.json").read_text(encoding="utf-8"))["schema"]
        except FileNotFoundError:
            return
        except (ValueError, KeyError, TypeError, RecursionError):
            schema = "unknown"
        if schema != SCHEMA_VERSION:
            raise ExperimentError(
                f"{self.path}: a run of schema {schema}; this version of treegauge can "
                f"only resume runs of schema {SCHEMA_VERSION}\n  name another folder"
            )

    @contextlib.contextmanager
    def _writing(self, advice: str = _NOTHING_IS_LOST) -> Iterator[None]:
        """Say in a line why something cannot be written, and what to do about it."""
        try:
            yield
        except OSError as error:
            reason = reason_of(error)
            raise ExperimentError(
                f"{self.path}: cannot be written: {reason}\n  {advice}"
            ) from error

    def _write(self, path: Path, text: str) -> None:
        """Write a file under another name, and rename it."""
        with replacing(path) as temporary:
            # JSON reads \udcff as what Python gives for a byte of a name that is no UTF-8.
            temporary.write_text(text, encoding="utf-8", errors="backslashreplace")

    def store_experiment(self, source: str) -> None:
        """Store the text of the experiment.

        Parameters
        ----------
        source : str
            The text, in TOML.
        """
        with self._writing():
            self._write(self.path / "experiment.toml", source)

    def store_results(
        self,
        table: pl.DataFrame,
        experiment: str = "",
        cells: Sequence[PlannedCell] = (),
        circumstances: Circumstances | None = None,
        broken: Mapping[str, str] | None = None,
    ) -> None:
        """Store the long table, the cells that it was made from, and where gold is.

        Parameters
        ----------
        table : polars.DataFrame
            The long table.
        experiment : str
            The name of the experiment.
        cells : sequence of PlannedCell
            The cells.
        circumstances : Circumstances, optional
            Where the run was started, and where gold is.
        broken : mapping, optional
            Treebanks that were left out, and why.
        """
        plan = {
            "schema": SCHEMA_VERSION,
            "experiment": experiment,
            **asdict(circumstances or Circumstances()),
            "cells": [asdict(cell) for cell in cells],
            **({"broken": dict(broken)} if broken else {}),
        }
        with self._writing():
            write_long_table(table, self.results)
            self._write(self.path / "plan.json", _json(plan))

    @property
    def planned(self) -> list[PlannedCell]:
        """The cells that the results were made from; empty if they are not recorded."""
        return [PlannedCell(**cell) for cell in self._plan.get("cells", [])]

    @property
    def broken(self) -> dict[str, str]:
        """The treebanks that were left out because they could not be read, and why."""
        return dict(self._plan.get("broken", {}))

    @property
    def experiment(self) -> str:
        """The name of the experiment; empty if there are no results."""
        return str(self._plan.get("experiment", ""))

    @property
    def circumstances(self) -> Circumstances:
        """Where the results come from; empty for runs of older versions."""
        plan = self._plan
        golds = tuple(GoldSource.from_dict(gold) for gold in plan.get("golds", []))
        return Circumstances(
            plan.get("started_in", ""),
            plan.get("started_in_from_run", ""),
            tuple(plan.get("data", [])),
            golds,
        )

    def store_gold(self, gold: Treebank) -> Path:
        """Store gold that is in no file, in a format that has all its tags.

        Parameters
        ----------
        gold : Treebank
            The gold treebank.

        Returns
        -------
        Path
            The file.
        """
        name = re.sub(r"[^\w.-]", "_", gold.name)
        extension = "pascal" if gold.cpos.is_annotated else "conllu"
        path = self.path / "gold" / f"{name}-{gold.fingerprint[:8]}.{extension}.gz"
        with self._writing():
            path.parent.mkdir(exist_ok=True)
            if not path.exists():
                write(gold, path)
        return path

    @property
    def _plan(self) -> dict[str, Any]:
        document = self._read_json(self.path / "plan.json")
        known = isinstance(document, dict) and document.get("schema") == SCHEMA_VERSION
        return document if known and _is_sound_plan(document) and self.results.exists() else {}

    # ------------------------------------------------------------------ cells

    def cell(self, key: str) -> Path:
        """Return the folder of a cell.

        Parameters
        ----------
        key : str
            The key of the cell.

        Returns
        -------
        Path
            The folder. It need not exist.
        """
        return self._cells / key

    def pieces(self, key: str) -> Path:
        """Return the folder of the pieces of a cell, which exists until the cell is finished.

        Parameters
        ----------
        key : str
            The key of the cell.

        Returns
        -------
        Path
            The folder. It need not exist.
        """
        return self.path.absolute() / "pieces" / key

    def _piece(self, key: str, name: str) -> Path:
        return self.pieces(key) / f"{name}.outcome"

    def has_piece(self, key: str, name: str) -> bool:
        """Return whether a piece of a cell exists.

        Parameters
        ----------
        key, name : str
            The key of the cell and the name of the piece.

        Returns
        -------
        bool
            Whether it exists. It may be damaged.
        """
        return self._piece(key, name).exists()

    def piece(self, key: str, name: str) -> Outcome | None:
        """Return the outcome of the job that computed a piece.

        Parameters
        ----------
        key, name : str
            The key of the cell and the name of the piece.

        Returns
        -------
        Outcome or None
            None if it is missing or damaged.
        """
        try:
            content = self._piece(key, name).read_bytes()
        except OSError:
            return None
        outcome = read_outcome(content, {}, keep_model=True)
        return outcome if outcome.is_done else None

    def store_piece(self, key: str, name: str, outcome: Outcome) -> None:
        """Store the outcome of the job that computed a piece.

        Parameters
        ----------
        key, name : str
            The key of the cell and the name of the piece.
        outcome : Outcome
            The outcome.
        """
        path = self._piece(key, name)
        with self._writing():
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path) as temporary:
                temporary.write_bytes(outcome.to_bytes())

    def remove_pieces(self, key: str) -> None:
        """Remove the pieces of a finished cell.

        Parameters
        ----------
        key : str
            The key of the cell.
        """
        shutil.rmtree(self.pieces(key), ignore_errors=True)
        with contextlib.suppress(OSError):
            self.pieces(key).parent.rmdir()  # unless other cells have some

    def record(self, key: str) -> CellRecord | None:
        """Return what is known of a cell.

        Parameters
        ----------
        key : str
            The key of the cell.

        Returns
        -------
        CellRecord or None
            None if the cell has to be run.
        """
        document = self._read_json(self.cell(key) / "cell.json")
        if not isinstance(document, dict) or document.pop("schema", None) != SCHEMA_VERSION:
            return None
        try:
            record = CellRecord(**document)
        except TypeError:
            return None
        return record if record.is_sound else None

    def _read_json(self, path: Path) -> Any:
        """Return what a file holds; nothing where it is missing, or was cut by a power failure."""
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return None

    def store(
        self, key: str, outcome: Outcome, targets: Mapping[str, Treebank], about: dict[str, Any]
    ) -> CellRecord:
        """Store a cell, completely or not at all.

        Parameters
        ----------
        key : str
            The key of the cell.
        outcome : Outcome
            The outcome of its job.
        targets : mapping from part to Treebank
            The treebanks that were annotated.
        about : dict
            Facts about the cell.

        Returns
        -------
        CellRecord
            The record of the cell.
        """
        from treegauge.evaluation.scoring import described_flaws

        annotated = {part: one.on(targets[part]) for part, one in outcome.annotations.items()}
        flaws = {part: described_flaws(one) for part, one in annotated.items()}
        record = CellRecord(
            outcome.status,
            outcome.seconds,
            outcome.elapsed,
            outcome.peak_memory,
            outcome.reason,
            about,
            outcome.compiling,
            "; ".join(f"{own} of {part}" for part, own in flaws.items() if own),
        )
        folder = self.scratch / key
        with self._writing():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for part, annotation in annotated.items():
                write(annotation, folder / f"{part}.conllu.gz")
            if outcome.model:
                (folder / "model").write_bytes(outcome.model)
            for name, text in (("error.txt", outcome.error), ("output.txt", outcome.output)):
                if text:
                    (folder / name).write_text(text, encoding="utf-8", errors="replace")
            document = {"schema": SCHEMA_VERSION, **asdict(record)}
            (folder / "cell.json").write_text(_json(document), encoding="utf-8", errors="replace")
            shutil.rmtree(self.cell(key), ignore_errors=True)
            folder.replace(self.cell(key))
        return record

    def annotation(self, key: str, part: str) -> Treebank:
        """Read the annotation of a cell.

        Parameters
        ----------
        key : str
            The key of the cell.
        part : str
            The part, such as `test`.

        Returns
        -------
        Treebank
            The treebank with the annotation of the system.

        Raises
        ------
        ExperimentError
            If the stored annotation cannot be read.
        """
        path = self.cell(key) / f"{part}.conllu.gz"
        try:
            return read(path, role="prediction", findings=Findings(), allow_empty=True)
        except (FormatError, OSError) as error:
            raise ExperimentError(
                f"{path}: the stored result of this cell cannot be read\n"
                f"  remove {path.parent} and run again ({error})"
            ) from error

    def fitted_system(self, key: str, *, allow_commands: bool = False) -> System:
        """Return the trained system of a cell, if its model was kept.

        Parameters
        ----------
        key : str
            The key of the cell.
        allow_commands : bool
            Whether the model may run the commands that it contains.

        Returns
        -------
        System
            The system.
        """
        return load_system(self.cell(key) / "model", allow_commands=allow_commands)

    def annotations(self, part: str) -> Iterator[tuple[PlannedCell, Treebank]]:
        """Give the annotations of all finished cells.

        Parameters
        ----------
        part : str
            The part, such as `test`.

        Yields
        ------
        (PlannedCell, Treebank)
            A cell, and the treebank with the annotation of its system.
        """
        for cell in self.planned:
            record = self.record(cell.key)
            if record is not None and record.is_done:
                yield cell, self.annotation(cell.key, part)

    def scores(self, key: str, scoring: str) -> list[dict[str, Any]] | None:
        """Return stored scores of a cell.

        Parameters
        ----------
        key : str
            The key of the cell.
        scoring : str
            The key of the scoring.

        Returns
        -------
        list of dict or None
            Rows of the long table; None if there are none, or they are damaged.
        """
        rows = self._read_json(self.cell(key) / f"scores-{scoring}.json")
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            return None
        try:
            long_table(rows)
        except (pl.exceptions.PolarsError, TypeError, ValueError, OverflowError):
            return None
        return rows

    def store_scores(self, key: str, scoring: str, rows: list[dict[str, Any]]) -> None:
        """Store the scores of a cell beside the annotation that they were computed from.

        Parameters
        ----------
        key : str
            The key of the cell.
        scoring : str
            The key of the scoring.
        rows : list of dict
            Rows of the long table.
        """
        with self._writing():
            self._write(self.cell(key) / f"scores-{scoring}.json", json.dumps(rows))


def _is_sound_plan(plan: dict[str, Any]) -> bool:
    """Return whether everything in a plan is of its type: files can be damaged."""
    try:
        cells = [asdict(PlannedCell(**cell)) for cell in plan.get("cells", [])]
        golds = [asdict(GoldSource.from_dict(gold)) for gold in plan.get("golds", [])]
        texts = [*plan.get("data", []), plan.get("started_in", "")]
        texts.append(plan.get("started_in_from_run", ""))
        texts += plan.get("broken", {}).values()
        seeds = [cell.pop("seed") for cell in cells]
        for document in (*cells, *golds):
            for value in document.values():
                texts += value if isinstance(value, tuple) else [value]
    except (TypeError, KeyError, ValueError, AttributeError):
        return False
    return all(isinstance(text, str) for text in texts) and all(type(s) is int for s in seeds)


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"
