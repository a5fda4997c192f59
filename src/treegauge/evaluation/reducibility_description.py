"""Which tags can be left out of the sentences of a treebank, and its tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treegauge.properties import Reducibility
from treegauge.tables import NUMBER, PERCENT, Cell, Column, Table, Value
from treegauge.wording import counted

MOST_NGRAMS = 10
"""How many n-grams of a length a table for people has at the most."""
FEWEST = 10
"""Occurrences that an n-gram needs to be shown to people: rarer ones are chance."""

_NOTE = "Left out %: of occurrences. R: that share, smoothed; 1 is the average of its length."


@dataclass(frozen=True)
class ReducibilityDescription:
    """Reducibility of one part of a treebank."""

    heading: str
    """What tables call the part."""
    treebank: str
    part: str
    found: Reducibility

    def rows(self) -> list[tuple[tuple[str, ...], int, int, float]]:
        """Return tags, occurrences, how many of them can be left out, and R; highest R first."""
        rows = []
        for size, own in enumerate(self.found.ngrams, start=1):
            weights = own.reducibility().tolist()
            counts = zip(
                own.keys.tolist(), own.occurrences.tolist(), own.reducible.tolist(), strict=True
            )
            here = [
                (self.found.tags_of(size, key), seen, out, weight)
                for (key, seen, out), weight in zip(counts, weights, strict=True)
            ]
            rows += sorted(here, key=lambda row: (-row[3], row[0]))
        return rows

    @property
    def wording(self) -> str:
        """How it was counted, in a line."""
        found = self.found
        how = {
            "words": "what is left must occur by its words",
            "tags": "what is left must occur by its tags",
            "context": f"{counted(found.width, 'tag')} on either side must occur together",
        }[found.match]
        length = f" of at most {found.longest} words" if found.longest else ""
        return f"{found.sentences:,} sentences{length}, punctuation removed; {how}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            "match": self.found.match,
            "context_width": self.found.width or None,
            "longest_sentence": self.found.longest or None,
            "sentences": self.found.sentences,
            "words": self.found.words,
            "ngrams": [
                {"tags": list(tags), "occurrences": seen, "left_out": out, "reducibility": weight}
                for tags, seen, out, weight in self.rows()
            ],
        }


def reducibility_tables(parts: Sequence[ReducibilityDescription]) -> list[Table]:
    """Return a table of tags and one of longer n-grams for every part."""
    columns = ("treebank", "part", "n", "tags", "occurrences", "left_out", "reducibility")
    data = Table(
        columns,
        [
            [part.treebank, part.part, len(tags), " ".join(tags), seen, out, weight]
            for part in parts
            for tags, seen, out, weight in part.rows()
        ],
    )
    return [table for part in parts for table in _tables_of(part, data)]


def _tables_of(part: ReducibilityDescription, data: Table) -> list[Table]:
    heads = [
        Column("occurrences", format=NUMBER),
        Column("left out %", format=PERCENT),
        Column("R", format=NUMBER),
    ]
    rows = part.rows()
    notes = [f"{part.heading}: {part.wording}.", _NOTE]
    single = [_row(row) for row in rows if len(row[0]) == 1]
    tables = [
        Table(
            ["tag", *heads],
            single,
            title=f"Reducibility of {part.heading}",
            notes=notes,
            data=data,
        )
    ]
    for size in (2, 3):
        own = [row for row in rows if len(row[0]) == size and row[1] >= FEWEST]
        if not own:
            continue
        left = f"{len(rows):,} n-grams in --format tsv and --json."
        tables.append(
            Table(
                [f"{size} tags", *heads],
                [_row(row) for row in own[:MOST_NGRAMS]],
                notes=[f"The most reducible of at least {FEWEST} occurrences; {left}"],
                data=data,
            )
        )
    return tables


def _row(row: tuple[tuple[str, ...], int, int, float]) -> list[Cell | Value]:
    tags, seen, out, weight = row
    return [" ".join(tags), seen, out / seen, weight]
