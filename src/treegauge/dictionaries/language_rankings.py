"""Rankings of several languages, from records, tested together."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from treegauge.dictionaries.errors import DictionaryError
from treegauge.dictionaries.files import text_of
from treegauge.dictionaries.ranking import PooledTest, Ranking, pooled_test, rank
from treegauge.dictionaries.records import Record, require_comparable
from treegauge.tables import PERCENT, Column, Table, from_records


def read_records(path: str) -> list[Record]:
    """Read what `treegauge dictionary score --json` wrote.

    Raises
    ------
    DictionaryError
        If the file has no records.
    """
    try:
        listed = json.loads(text_of(path))["records"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DictionaryError(
            f"{path}: no records; they are written by `treegauge dictionary score --json`"
        ) from None
    try:
        return [Record.from_dict(one) for one in listed]
    except DictionaryError as error:
        raise DictionaryError(f"{path}: {error}") from None


@dataclass(frozen=True)
class RankingOfLanguages:
    """How a dictionary ranks the taggers of several languages, tested together."""

    rankings: Mapping[str, tuple[int, Ranking]]
    """By text: taggers, and how well they are ranked."""
    pooled: PooledTest

    def tables(self) -> list[Table]:
        """Return a row for every text, and the test of all below."""
        rows = [
            {"treebank": name, "taggers": taggers, **asdict(one)}
            for name, (taggers, one) in self.rankings.items()
        ]
        columns = [
            *(Column("treebank"), Column("taggers"), Column("P@1", "precision_at_1")),
            *(Column("regret", format=PERCENT), Column("tau"), Column("p")),
        ]
        hits, pooled = sum(row["precision_at_1"] for row in rows), self.pooled
        note = (
            f"best tagger found for {hits:g} of {len(rows)}; mean tau {pooled.mean_tau:.3f}, "
            f"p {pooled.p:.4f} ({pooled.trials:,} permutations within languages)"
        )
        return [from_records(columns, rows, notes=[note])]

    def to_dict(self) -> dict[str, Any]:
        """Return the rankings as JSON has them."""
        languages = {
            name: {"taggers": taggers, **asdict(one)}
            for name, (taggers, one) in self.rankings.items()
        }
        return {"schema": 1, "languages": languages, "pooled": asdict(self.pooled)}


def rank_languages(
    paths: Sequence[str], *, trials: int = 10_000, seed: int = 0
) -> RankingOfLanguages:
    """Rank the taggers of several languages by their records, and test the rankings together.

    Parameters
    ----------
    paths : sequence of str
        Files of records with gold, one per language.
    """
    scores: dict[str, tuple[list[float], list[float]]] = {}
    rankings = {}
    for path in paths:
        records = read_records(path)
        require_comparable(records)
        true = [one.gold.accuracy for one in records if one.gold is not None]
        soft = [one.soft.value for one in records if one.soft.value is not None]
        known = [value for value in true if value is not None]
        if not records or len(known) != len(records) or len(soft) != len(records):
            raise DictionaryError(f"{path}: a ranking needs records with gold; use score --gold")
        name = records[0].conditions.treebank or path
        if name in scores:
            raise DictionaryError(f"{path}: {name} was there before")
        scores[name] = (known, soft)
        rankings[name] = (len(records), rank(known, soft, seed=seed))
    return RankingOfLanguages(rankings, pooled_test(scores, trials=max(trials, 1), seed=seed))
