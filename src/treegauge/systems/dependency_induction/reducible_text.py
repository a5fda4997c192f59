"""What can be left out, by the tags of an inventory, from the training text or a larger one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.properties import PropertyError, Reducibility, ReducibilityCounter
from treegauge.properties.reducibility import (
    LONGEST,
    LONGEST_REDUCED,
    Match,
    ngram_keys,
    share_of_foreign_tags,
    weights_in_text,
)
from treegauge.settings import Settings, setting
from treegauge.shards import GivenUp, in_order, pass_executor, stop_if
from treegauge.systems.dependency_induction.tag_inventory import TagInventory
from treegauge.systems.errors import SystemsError
from treegauge.systems.raw_texts import pieces_of
from treegauge.systems.saved_state import SavedState, damaged
from treegauge.systems.system import Arrays, OnProgress
from treegauge.treebank import Treebank, TreebankError

_FOREIGN = 0.5
"""The share of words with tags that the text lacks, beyond which a raw text is of another set."""
_LARGEST = 1e12

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class ReducibleTextSettings(Settings):
    """Where reducibility is counted, and how."""

    raw: tuple[str, ...] = setting(
        (),
        "tagged texts on which reducibility is counted, files or treebanks; default: the "
        "text itself",
    )
    match: Match = setting(
        "auto",
        "what must occur of a shortened sentence: its words, its tags, or three tags on both "
        "sides of the gap (context); auto: words if 1000 n-grams can be left out, otherwise "
        "context",
    )
    longest_reduced: int = setting(
        LONGEST_REDUCED, "the longest sentence from which words are left out", minimum=2
    )


@dataclass(frozen=True, eq=False)
class ReducibilityWeights:
    """The reducibility of tag n-grams, by codes of an inventory; 1 for all others."""

    tables: tuple[tuple[Ints, Floats], ...]
    """Ascending keys and values, for one, two and three tags."""
    n_tags: int
    summary: str = ""
    """What they were counted on, in a line."""

    @classmethod
    def of(cls, found: Reducibility, inventory: TagInventory) -> ReducibilityWeights:
        """Return weights by the inventory's codes; n-grams with other tags are left out."""
        known = {tag: code for code, tag in enumerate(inventory.tags)}
        tables = []
        for size, own in enumerate(found.ngrams, start=1):
            tags = [found.tags_of(size, int(key)) for key in own.keys]
            kept = [k for k, names in enumerate(tags) if all(name in known for name in names)]
            codes = np.array([known[name] for k in kept for name in tags[k]], np.int64)
            begins = np.arange(0, len(codes), size)
            keys = ngram_keys(codes, begins, size, len(known))
            order = np.argsort(keys)
            tables.append((keys[order], own.reducibility()[kept][order]))
        length = f" of at most {found.longest} words" if found.longest else ""
        how = f"{found.match} of {found.width}" if found.width else found.match
        summary = (
            f"by {how}, from {found.sentences:,} sentences{length}: "
            f"{found.reducible:,} n-grams can be left out"
        )
        return cls(tuple(tables), len(known), summary)

    def logs(self, tags: Ints, offsets: Ints) -> Floats:
        """Return logarithms for all words of a text, [words, 3]."""
        return np.log(weights_in_text(self.tables, tags, offsets, self.n_tags))

    def of_tags(self) -> Floats:
        """Return the reducibility of every tag by itself."""
        values = np.ones(self.n_tags)
        keys, own = self.tables[0]
        values[keys - 1] = own
        return values

    def arrays(self) -> Arrays:
        """Return the tables as `save` writes them."""
        names = ("keys", "values")
        return {
            f"reducible_{name}_{size}": part
            for size, table in enumerate(self.tables, start=1)
            for name, part in zip(names, table, strict=True)
        }

    @classmethod
    def restored(cls, saved: SavedState, n_tags: int) -> ReducibilityWeights:
        """Return the tables that `arrays` gave, checked."""
        tables = []
        for size in range(1, LONGEST + 1):
            keys = saved.integers(f"reducible_keys_{size}", least=1, below=(n_tags + 1) ** size)
            if (np.diff(keys) <= 0).any():
                raise damaged("its n-grams are not in ascending order")
            values = saved.numbers(
                f"reducible_values_{size}", (len(keys),), least=1 / _LARGEST, most=_LARGEST
            )
            tables.append((keys, values))
        return cls(tuple(tables), n_tags, saved.text("reducibility"))


def count_on_raw_text(
    system: str,
    settings: Any,
    words: Treebank,
    inventory: TagInventory,
    on_progress: OnProgress,
) -> Reducibility:
    """Count on the raw texts that the settings name, or on the words themselves.

    Raises
    ------
    SystemsError
        If a raw text has other tags than the inventory, or nothing is short enough.
    """
    counter = ReducibilityCounter(settings.tags, settings.longest_reduced)
    if not settings.raw:
        counter.add(words)
    shares = dict.fromkeys(settings.raw, 0.0)

    def advance(name: str, share: float) -> None:
        shares[name] = share
        on_progress(sum(shares.values()) / len(shares), "counting what can be left out")

    is_here = pass_executor() is None  # workers elsewhere have other folders, and nobody to tell
    tasks = [
        (
            *(system, name if is_here else _from_anywhere(name)),
            *(settings.tags, settings.longest_reduced),
            partial(advance, name) if is_here else _untold,
        )
        for name in settings.raw
    ]
    # Texts are counted by themselves, at the same time, and put together in their order.
    results = in_order(_count_text, tasks, names=settings.raw)
    for name, own in zip(settings.raw, results, strict=True):
        counter.merge(own)
        advance(name, 1.0)
        _require_same_tags(system, name, counter, inventory)
    try:
        return counter.count(settings.match)
    except PropertyError as error:
        raise SystemsError(
            f"{system}: no sentence of at most {settings.longest_reduced} words to leave anything "
            "out of; raise longest_reduced, or name a larger text with raw"
        ) from error


def _from_anywhere(name: str) -> str:
    return str(Path(name).absolute()) if Path(name).is_file() else name


def _untold(_share: float) -> None:
    """Tell nobody how far counting is."""


def _count_text(
    system: str,
    name: str,
    tags: str,
    longest: int,
    on_progress: Callable[[float], None],
    given_up: GivenUp | None = None,
) -> ReducibilityCounter:
    counter = ReducibilityCounter(tags, longest)
    try:
        for piece in pieces_of(name, on_progress):
            stop_if(given_up)
            counter.add(piece)
    except TreebankError as error:
        raise SystemsError(
            f"{system}: raw={name} has no tags of column {tags}, which the text has; "
            "tag it with the tags of the text, or name their column with tags"
        ) from error
    return counter


def _require_same_tags(
    system: str, name: str, counter: ReducibilityCounter, inventory: TagInventory
) -> None:
    known = set(inventory.tags)
    share = share_of_foreign_tags(counter, known)
    if share > _FOREIGN:
        foreign = [tag for tag in counter.tags if tag not in known][:3]
        raise SystemsError(
            f"{system}: raw={name} has another tag set than column {inventory.column} of the text: "
            f"{share:.0%} of its words have tags such as {', '.join(foreign)}; tag it with the "
            f"tags of the text ({', '.join(inventory.tags[:3])}, ...), or set tags to a column "
            "that both have"
        )
