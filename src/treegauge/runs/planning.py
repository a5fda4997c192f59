"""Plans: the cells of an experiment, each with a key that says what its result depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge import __version__
from treegauge.catalogue import Catalogue, CatalogueEntry
from treegauge.catalogue.names import split_part
from treegauge.catalogue.namesakes import place, real_files
from treegauge.runs.errors import ExperimentError
from treegauge.runs.experiment import Experiment, SystemChoice
from treegauge.runs.job import Job
from treegauge.runs.run_folder import PlannedCell
from treegauge.runs.treebank_cache import TreebankCache
from treegauge.systems import System, find_system
from treegauge.systems.code_version import code_version
from treegauge.systems.source_treebanks import located_sources
from treegauge.treebank import Treebank, concatenate, tag_column
from treegauge.treebank.parts import PARTS, WHOLE

_SCHEMA = 1
"""Raised when what a cell computes changes for a reason that no other part of a key shows."""


@dataclass(frozen=True)
class Bank:
    """A treebank of an experiment, read when it is needed."""

    entry: CatalogueEntry
    split: str
    """The part that is scored."""
    cache: TreebankCache = field(compare=False, repr=False)
    catalogue: Catalogue = field(compare=False, repr=False)
    given: str = field(default="", compare=False)
    """What the experiment says for it."""

    @property
    def name(self) -> str:
        """The treebank's name."""
        return self.entry.name

    def gold(self, part: str) -> Treebank:
        """Return a part with everything in it."""
        return self.cache.gold(self.entry, part)

    def fingerprint(self, part: str) -> str:
        """Return the fingerprint of a part with everything in it."""
        return self.cache.gold_fingerprint(self.entry, part)

    def words(self, part: str) -> int:
        """Return the number of words of a part."""
        return self.cache.size(self.entry, part).words

    def longest(self, part: str) -> int:
        """Return the number of words of the longest sentence of a part."""
        return self.cache.size(self.entry, part).longest

    def tag_count(self, tags: str) -> int:
        """Return how many tags of a kind there are in what is learnt from, punctuation included.

        Fine tags are the coarse ones where a treebank has none, or writes them on so few words
        that there are fewer of them.
        """
        part = "train" if "train" in self.entry.parts else self.parts[0]
        treebank = self.gold(part)
        coarse, counted = (
            len(tag_column(treebank, which).column.compact().vocabulary) for which in ("c", tags)
        )
        return max(coarse, counted) if tags == "p" else counted

    @property
    def parts(self) -> tuple[str, ...]:
        """All parts, train before dev before test."""
        return tuple(part for part in (*PARTS, WHOLE) if part in self.entry.parts)


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
        return self.choice.make(self.seed, self.point, self.bank.tag_count)

    @property
    def described_settings(self) -> dict[str, Any]:
        """The settings, and which tags were counted where they say how many classes there are."""
        settings = self.system.settings.to_dict()
        counted = self.choice.classes_of
        return {**settings, "classes_of": counted} if counted else settings

    @property
    def track(self) -> str:
        """The challenge's track: what the system annotates."""
        return self.system.task

    @property
    def supervision(self) -> str:
        """What the system was told about the language, the choice of its settings included."""
        supervision = self.system.supervision
        return "dev-tuned" if self.choice.tuning and supervision != "supervised" else supervision

    @property
    def hides_tags(self) -> bool:
        """Whether tags are hidden from the system."""
        return self.system.hides_tags

    @cached_property
    def long_sentences(self) -> NDArray[np.intp]:
        """The sentences of the scored part that are too long to be parsed whole."""
        limit = self.system.longest_whole
        if limit is None or self.bank.longest(self.bank.split) <= limit:
            return np.zeros(0, np.intp)
        return self.system.long_sentences(self.bank.gold(self.bank.split))

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

    @property
    def piece_names(self) -> tuple[str, ...]:
        """The pieces of its work that are jobs of their own; none where there is only one."""
        names = self.system.piece_names
        return names if len(names) > 1 else ()

    def piece_job(self, piece: str, *, memory: int | None, timeout: float | None) -> Job:
        """Return what is sent to the process that does one piece, with a thread for it."""
        whole = self.job(threads=1, memory=memory, timeout=timeout)
        return replace(whole, targets={}, keep_model=True, piece=piece)

    def job(
        self,
        *,
        threads: int,
        memory: int | None,
        timeout: float | None,
        keep_in: Path | None = None,
        pieces: Mapping[str, bytes] | None = None,
    ) -> Job:
        """Return what is sent to the process that runs the cell.

        `keep_in` is where a system keeps pieces that are no jobs of their own; others are not
        told. `pieces` are those that were.
        """
        return Job(
            self.choice.system,
            located_sources(self.system.settings.to_dict(), self.bank.catalogue),
            self.seed,
            self._fit_data(),
            {part: self._seen(part) for part in self.targets},
            threads,
            memory,
            timeout,
            self.code,
            self.choice.keep_model,
            str(keep_in) if keep_in and self.system.keeps_pieces else None,
            pieces=pieces or {},
        )

    def _fit_data(self) -> Treebank:
        parts = [self._fit_part(part) for part in self.fit_parts]
        return parts[0] if len(parts) == 1 else concatenate(parts)

    def _fit_part(self, part: str) -> Treebank:
        # What learns nothing is shown what it annotates, which nobody may see with gold.
        learns_from_gold = self.system.is_supervised and self.system.learns
        return self.bank.gold(part) if learns_from_gold else self._seen(part)

    def _seen(self, part: str) -> Treebank:
        return self.bank.cache.seen(self.bank.entry, part, hides_tags=self.hides_tags)

    @property
    def code(self) -> str:
        """The version of the system's code."""
        return code_version(find_system(self.choice.system).module)

    @cached_property
    def about(self) -> dict[str, Any]:
        """What the result depends on, and nothing else.

        Nobody knows when the program behind an `external` command changes: another label says so.
        """
        return {
            "schema": _SCHEMA,
            "treegauge": __version__,
            "system": self.choice.system,
            "settings": self.system.settings.to_dict(),
            "seed": None if self.system.is_deterministic else self.seed,
            "code": self.code,
            **self._code_of_parts,
            "track": self.track,
            "fit": [self._fit_fingerprint(part) for part in self.fit_parts],
            "targets": {part: self._seen_fingerprint(part) for part in self.targets},
            **({"label": self.choice.label} if self.choice.system == "external" else {}),
            # A tool or a model that changed is another one.
            **({"versions": versions} if (versions := self.system.versions) else {}),
            # A cell that was run before without its model has to be run again.
            **({"keeps": "model"} if self.choice.keep_model else {}),
        }

    @property
    def _code_of_parts(self) -> dict[str, Any]:
        """The versions of the systems that settings name, such as the tagger of a parser."""
        names = self.system.made_of
        return (
            {"parts": [code_version(find_system(name).module) for name in names]} if names else {}
        )

    def _fit_fingerprint(self, part: str) -> str:
        if self.system.is_supervised and self.system.learns:
            return self.bank.fingerprint(part)
        return self._seen_fingerprint(part)

    def _seen_fingerprint(self, part: str) -> str:
        return self.bank.cache.seen_fingerprint(self.bank.entry, part, hides_tags=self.hides_tags)

    @cached_property
    def key(self) -> str:
        """The name of the cell's folder: a hash of what the result depends on."""
        text = json.dumps(self.about, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:24]

    @cached_property
    def words(self) -> int:
        """How much there is to do."""
        parts = (*(self.fit_parts if self.system.learns else ()), *self.targets)
        return sum(map(self.bank.words, parts))

    @property
    def guessed_seconds(self) -> float:
        """The time it takes, before anything has been measured."""
        jobs = 1 + len(self.piece_names)
        return jobs * _START_UP + self.system.seconds_per_word * self.words

    @property
    def planned(self) -> PlannedCell:
        """What the folder of a run keeps of the plan."""
        return PlannedCell(
            self.key,
            self.track,
            self.choice.label,
            self.supervision,
            self.bank.name,
            self.seed,
            self._point_in_words,
        )

    @property
    def _point_in_words(self) -> str:
        return ", ".join(f"{key}={value}" for key, value in self.point)

    def __str__(self) -> str:
        point = self._point_in_words
        seed = "" if self.system.is_deterministic else f", seed {self.seed}"
        part = "" if self.bank.split in ("test", WHOLE) else f":{self.bank.split}"
        return f"{self.bank.name}{part}: {self.choice.label}{f' ({point})' if point else ''}{seed}"


_START_UP = 0.7
"""Seconds before a process has imported what it needs."""


@dataclass(frozen=True)
class Plan:
    """All cells of an experiment, treebank by treebank."""

    experiment: Experiment
    banks: tuple[Bank, ...]
    cells: tuple[Cell, ...]
    cache: TreebankCache = field(compare=False, repr=False)

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
    code_version.cache_clear()  # somebody may have edited a system since the last plan
    cache = TreebankCache()
    banks = list(_banks(experiment, catalogue, cache))
    _require_different_names(banks)
    cells = []
    for bank in banks:
        for choice in experiment.systems:
            for cell in _cells(bank, choice):
                if experiment.tracks and cell.track not in experiment.tracks:
                    continue
                for part in dict.fromkeys((*cell.targets, *cell.fit_parts)):
                    _require_part(cell, part)
                if choice.tuning and bank.split == "dev":
                    raise ExperimentError(
                        f"{choice.label}: settings that were tuned on dev cannot be scored on dev"
                    )
                cells.append(cell)
    if not cells:
        raise ExperimentError(
            f"no system of the experiment takes part in {' or '.join(experiment.tracks)}"
        )
    return Plan(experiment, tuple(banks), tuple(cells), cache)


def _banks(experiment: Experiment, catalogue: Catalogue, cache: TreebankCache) -> Iterator[Bank]:
    """Give every treebank that is named, each once, with the part that is to be scored."""
    known = set()
    for text in experiment.treebanks:
        if text == "-":
            raise ExperimentError("standard input cannot be a treebank of an experiment")
        chosen: dict[tuple[str, ...], tuple[CatalogueEntry, list[str]]] = {}
        for selection in catalogue.parts(text):
            # By its files, so that one treebank named in two ways is there once.
            files = (selection.name, *real_files(selection.entry))
            chosen.setdefault(files, (selection.entry, []))[1].append(selection.part)
        for files, (entry, parts) in chosen.items():
            is_named = len(parts) < len(entry.parts) or split_part(text)[1] is not None
            for split in parts if is_named or parts == [WHOLE] else [experiment.split]:
                if (files, split) not in known:
                    known.add((files, split))
                    yield Bank(entry, split, cache, catalogue, text)


def _cells(bank: Bank, choice: SystemChoice) -> Iterator[Cell]:
    points = choice.tuning.grid if choice.tuning else ((),)
    seeds = choice.seeds
    if all(choice.make(point=point).is_deterministic for point in points):
        seeds = seeds[:1]  # the others would give the same
    for seed in seeds:
        # Points that are deterministic stand for choice under every seed; their cells have one
        # key, and run once.
        for point in points:
            yield Cell(bank, choice, point, seed)


def _require_part(cell: Cell, part: str) -> None:
    if part not in cell.bank.entry.parts:
        wanted = f"{cell.choice.label} needs the {part} part of {cell.bank.name}"
        hint = ""
        if part == "train" and not cell.system.is_supervised:
            hint = '\n  fit_on = "union" learns from the parts that are there'
        parts = cell.bank.parts
        there = "is not divided" if parts == (WHOLE,) else f"has only {', '.join(parts)}"
        raise ExperimentError(f"{wanted}, which {there}{hint}")


def _require_different_names(banks: list[Bank]) -> None:
    """Rows of two treebanks of one name could not be told apart."""
    bank_of_name: dict[str, Bank] = {}
    for bank in banks:
        other = bank_of_name.setdefault(bank.name, bank)
        if other is not bank and other.entry == bank.entry:
            raise ExperimentError(
                f"{bank.name}: its parts {other.split} and {bank.split} cannot be scored in one "
                "experiment; make two of it"
            )
        if other is not bank:
            raise ExperimentError(
                f"two treebanks are called {bank.name!r}, and rows could not be told apart: "
                f"{place(other.entry)} and {place(bank.entry)}"
            )
