"""Plans: the treebanks and the cells of an experiment, read and checked before anything runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from treegauge.catalogue import Catalogue, CatalogueEntry
from treegauge.catalogue.names import split_part
from treegauge.catalogue.namesakes import place, real_files
from treegauge.formats import FormatError
from treegauge.runs.cell import Bank, Cell
from treegauge.runs.errors import ExperimentError
from treegauge.runs.experiment import Experiment, SystemChoice
from treegauge.runs.treebank_cache import TreebankCache
from treegauge.systems.code_version import code_version
from treegauge.treebank.parts import WHOLE


@dataclass(frozen=True)
class BrokenBank:
    """A treebank that is left out of a run, since one of its files cannot be read.

    Attributes
    ----------
    treebank : str
        The name of the treebank.
    reason : str
        Why it cannot be read.

    Examples
    --------
    >>> print(BrokenBank("xx_new", "it has no test part"))
    xx_new: left out: it has no test part
    """

    treebank: str
    reason: str

    def __str__(self) -> str:
        return f"{self.treebank}: left out: {self.reason}"


@dataclass(frozen=True)
class Plan:
    """All cells of an experiment, treebank by treebank."""

    experiment: Experiment
    banks: tuple[Bank, ...]
    cells: tuple[Cell, ...]
    cache: TreebankCache = field(compare=False, repr=False)
    broken: tuple[BrokenBank, ...] = ()

    def of(self, bank: Bank, choice: SystemChoice) -> list[Cell]:
        """Return the cells of a system on a treebank."""
        return self._by_name.get((bank.name, choice.label), [])

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], list[Cell]]:
        # No two treebanks of a plan, and no two systems, have one name.
        index: dict[tuple[str, str], list[Cell]] = {}
        for cell in self.cells:
            index.setdefault((cell.bank.name, cell.choice.label), []).append(cell)
        return index


def make_plan(
    experiment: Experiment,
    catalogue: Catalogue,
    *,
    skip_broken: bool = False,
    on_progress: Callable[[float], None] = lambda _: None,
) -> Plan:
    """Find all treebanks, read each once, and check that they have the parts that are needed.

    Parameters
    ----------
    skip_broken : bool
        Leave treebanks out that cannot be read, unless none can.
    on_progress : callable
        Told the share of the treebanks that have been read.

    Raises
    ------
    CatalogueError
        If a treebank cannot be found.
    ExperimentError
        If one lacks a part, or no system takes part in a track.
    FormatError
        If one cannot be read.
    """
    code_version.cache_clear()  # somebody may have edited a system since the last plan
    cache = TreebankCache()
    named = list(_banks(experiment, catalogue, cache))
    _require_different_names(named)
    cells_of: dict[Bank, list[Cell]] = {}
    errors: dict[Bank, FormatError] = {}
    # All checks that need no files come first: reading many treebanks takes minutes.
    for bank in named:
        try:
            cells_of[bank] = list(_checked_cells(bank, experiment))
        except FormatError as error:
            errors[bank] = error
    if not errors and not any(cells_of.values()):
        raise ExperimentError(
            f"no system of the experiment takes part in {' or '.join(experiment.tracks)}"
        )
    for number, bank in enumerate(cells_of):
        on_progress(number / len(cells_of))
        try:
            _read_once(bank, cells_of[bank])
        except FormatError as error:
            errors[bank] = error
    sound = [bank for bank in named if bank not in errors]
    if errors and not (skip_broken and sound):
        raise next(iter(errors.values()))
    return Plan(
        experiment,
        tuple(sound),
        tuple(cell for bank in sound for cell in cells_of[bank]),
        cache,
        tuple(BrokenBank(bank.name, str(one).partition("\n")[0]) for bank, one in errors.items()),
    )


def _read_once(bank: Bank, cells: list[Cell]) -> None:
    """Find out all that a plan has to know of a treebank while its parts are in memory."""
    for cell in cells:
        _ = cell.key
    for part in bank.parts:
        bank.words(part)


def _checked_cells(bank: Bank, experiment: Experiment) -> Iterator[Cell]:
    """Give the cells of a treebank, if it has the parts that they need."""
    for choice in experiment.systems:
        for cell in _cells(bank, choice):
            if experiment.tracks and cell.track not in experiment.tracks:
                continue
            for part in dict.fromkeys((*cell.targets, *cell.fit_parts)):
                _require_part(cell, part)
            if choice.tuning and bank.split == "dev":
                raise ExperimentError(
                    f"{choice.label}: settings that were chosen on dev cannot be scored on dev"
                )
            yield cell


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
                f"two treebanks are called {bank.name!r}, so their rows would have the same name: "
                f"{place(other.entry)} and {place(bank.entry)}"
            )
