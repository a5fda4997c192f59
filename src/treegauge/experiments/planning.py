"""Plans: the cells of an experiment, each with a key that says what its result depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from treegauge.catalogue import Catalogue, CatalogueEntry
from treegauge.catalogue.names import PARTS, WHOLE
from treegauge.experiments.errors import ExperimentError
from treegauge.experiments.experiment import Experiment, SystemChoice
from treegauge.experiments.job import Job
from treegauge.systems import System, find_system
from treegauge.systems.code_version import code_version
from treegauge.treebank import Treebank, blind, concatenate

_SCHEMA = 1
"""Raised when what a cell computes changes for a reason that no other part of a key shows."""

_TREEBANKS_IN_MEMORY = 4


@dataclass(frozen=True)
class Bank:
    """A treebank of an experiment, read when it is needed."""

    entry: CatalogueEntry
    split: str
    """The part that is scored."""

    @property
    def name(self) -> str:
        """The treebank's name."""
        return self.entry.name

    def gold(self, part: str) -> Treebank:
        """Return a part with everything in it."""
        return _read(self.entry, part)

    def seen(self, part: str, *, hides_tags: bool) -> Treebank:
        """Return a part without what a track hides."""
        return _blind(self.entry, part, hides_tags)

    @property
    def parts(self) -> tuple[str, ...]:
        """All parts, train before dev before test."""
        return tuple(part for part in (*PARTS, WHOLE) if part in self.entry.parts)


@lru_cache(maxsize=3 * _TREEBANKS_IN_MEMORY)
def _read(entry: CatalogueEntry, part: str) -> Treebank:
    return entry.read(part)


@lru_cache(maxsize=3 * _TREEBANKS_IN_MEMORY)
def _blind(entry: CatalogueEntry, part: str, hides_tags: bool) -> Treebank:
    return blind(_read(entry, part), heads=True, tags=hides_tags)


@dataclass(frozen=True)
class Cell:
    """A system with its settings and seed, on a treebank."""

    bank: Bank
    choice: SystemChoice
    point: tuple[tuple[str, Any], ...]
    """The point of the grid, where settings are tuned."""
    seed: int

    @cached_property
    def system(self) -> System:
        """The system, not fitted."""
        return self.choice.make(self.seed, self.point)

    @property
    def track(self) -> str:
        """The challenge's track: what the system annotates."""
        return self.system.task

    @property
    def hides_tags(self) -> bool:
        """Whether tags are hidden from the system."""
        return self.track != "dependencies"

    @property
    def fit_on(self) -> str:
        """What the system learns from; gold annotation is only ever that of train."""
        if not self.system.learns:
            return "nothing"
        return "train" if self.system.is_supervised else self.choice.fit_on

    @property
    def fit_parts(self) -> tuple[str, ...]:
        """The parts that it learns from; what learns nothing is shown what it annotates."""
        if self.fit_on == "nothing":
            return self.targets
        return ("train",) if self.fit_on == "train" else self.bank.parts

    @property
    def targets(self) -> tuple[str, ...]:
        """The parts that it annotates; dev too where settings are chosen on dev."""
        return ("dev", self.bank.split) if self.choice.tuning else (self.bank.split,)

    def job(self, *, threads: int, memory: int | None, timeout: float | None) -> Job:
        """Return what is sent to the process that runs the cell."""
        return Job(
            self.choice.system,
            self.system.settings.to_dict(),
            self.seed,
            self._fit_data(),
            {part: self._seen(part) for part in self.targets},
            threads,
            memory,
            timeout,
        )

    def _fit_data(self) -> Treebank:
        parts = [self._fit_part(part) for part in self.fit_parts]
        return parts[0] if len(parts) == 1 else concatenate(parts)

    def _fit_part(self, part: str) -> Treebank:
        return self.bank.gold(part) if self.system.is_supervised else self._seen(part)

    def _seen(self, part: str) -> Treebank:
        return self.bank.seen(part, hides_tags=self.hides_tags)

    @cached_property
    def about(self) -> dict[str, Any]:
        """What the result depends on, and nothing else."""
        return {
            "schema": _SCHEMA,
            "system": self.choice.system,
            "settings": self.system.settings.to_dict(),
            "seed": self.seed,
            "code": code_version(find_system(self.choice.system).module),
            "track": self.track,
            "fit": [self._fit_part(part).fingerprint for part in self.fit_parts],
            "targets": {part: self._seen(part).fingerprint for part in self.targets},
        }

    @cached_property
    def key(self) -> str:
        """The name of the cell's folder: a hash of what the result depends on."""
        text = json.dumps(self.about, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:24]

    @cached_property
    def words(self) -> int:
        """How much there is to do."""
        parts = (*(self.fit_parts if self.system.learns else ()), *self.targets)
        return sum(self.bank.gold(part).n_words for part in parts)

    @property
    def guessed_seconds(self) -> float:
        """The time it takes, before anything has been measured."""
        return _START_UP + self.system.seconds_per_word * self.words

    def __str__(self) -> str:
        point = ", ".join(f"{key}={value}" for key, value in self.point)
        seed = "" if self.system.is_deterministic else f", seed {self.seed}"
        return f"{self.bank.name}: {self.choice.label}{f' ({point})' if point else ''}{seed}"


_START_UP = 0.7
"""Seconds before a process has imported what it needs."""


@dataclass(frozen=True)
class Plan:
    """All cells of an experiment, treebank by treebank."""

    experiment: Experiment
    banks: tuple[Bank, ...]
    cells: tuple[Cell, ...]

    def of(self, bank: Bank, choice: SystemChoice) -> Iterator[Cell]:
        """Return the cells of a system on a treebank."""
        return (cell for cell in self.cells if cell.bank == bank and cell.choice == choice)


def make_plan(experiment: Experiment, catalogue: Catalogue) -> Plan:
    """Find all treebanks and check that they have the parts that are needed.

    Raises
    ------
    CatalogueError
        If a treebank cannot be found.
    ExperimentError
        If one lacks a part, or no system takes part in a track.
    """
    entries = dict.fromkeys(
        entry for text in experiment.treebanks for entry in catalogue.resolve(text)
    )
    banks = [
        Bank(entry, WHOLE if set(entry.parts) == {WHOLE} else experiment.split) for entry in entries
    ]
    _require_different_names(banks)
    cells = []
    for bank in banks:
        for choice in experiment.systems:
            for cell in _cells(bank, choice):
                if experiment.tracks and cell.track not in experiment.tracks:
                    continue
                for part in dict.fromkeys((*cell.targets, *cell.fit_parts)):
                    _require_part(cell, part)
                cells.append(cell)
    if not cells:
        raise ExperimentError(
            f"no system of the experiment takes part in {' or '.join(experiment.tracks)}"
        )
    return Plan(experiment, tuple(banks), tuple(cells))


def _cells(bank: Bank, choice: SystemChoice) -> Iterator[Cell]:
    for point in choice.tuning.grid if choice.tuning else ((),):
        seeds = choice.seeds
        if choice.make(point=point).is_deterministic:
            seeds = seeds[:1]  # the others would give the same
        for seed in seeds:
            yield Cell(bank, choice, point, seed)


def _require_part(cell: Cell, part: str) -> None:
    if part not in cell.bank.entry.parts:
        wanted = f"{cell.choice.label} needs the {part} part of {cell.bank.name}"
        hint = ""
        if part == "train" and not cell.system.is_supervised:
            hint = '\n  fit_on = "union" learns from the parts that are there'
        raise ExperimentError(f"{wanted}, which has only {', '.join(cell.bank.parts)}{hint}")


def _require_different_names(banks: list[Bank]) -> None:
    names = [bank.name for bank in banks]
    for name in names:
        if names.count(name) > 1:
            raise ExperimentError(
                f"two treebanks are called {name!r}; rows could not be told apart"
            )
