"""Cells: a system with its settings and seed on a treebank, under a key of what that depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge import __version__
from treegauge.catalogue import Catalogue, CatalogueEntry
from treegauge.runs.experiment import SystemChoice
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

_START_UP = 0.7
"""Seconds before a process has imported what it needs."""


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

    @cached_property
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
