"""The results of a challenge on disk.

    results/
      3f9a…/                  one folder per scorer: gold, settings and code together
        91c2….json            one file per submission, named after its content
        results.parquet       the long table of all of them
    submissions/
      91c2….zip               canonical zips that were scored
      received.json           when each came
      chosen.txt              ids of those that teams chose, one per line, if a phase lets them

Nothing is overwritten by another scorer: old results stay where they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from treegauge.challenges.challenge import Challenge
from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.packs import canonical_json
from treegauge.challenges.scored_submission import ScoredSubmission, scored_submission
from treegauge.challenges.treebank_scores import GOLD, Document
from treegauge.formats import read_text, write_chunks

LONG_TABLE = "results.parquet"
RECEIVED = "received.json"
CHOSEN = "chosen.txt"


def write_result(folder: Path, document: Document) -> Path:
    """Write the result of a submission, always the same bytes for the same result."""
    place: Path = folder / document["scorer"]
    place.mkdir(parents=True, exist_ok=True)
    path: Path = place / f"{document['submission']['id']}.json"
    write_chunks(path, [canonical_json(document)])
    return path


def read_results(folder: Path) -> list[ScoredSubmission]:
    """Read all results in the folder of a scorer, in the order of their ids."""
    return [scored_submission(read_json(path), str(path)) for path in sorted(folder.glob("*.json"))]


def read_json(path: Path) -> Any:
    """Read a file of ours."""
    text = read_text(path, what="JSON", error=ChallengeError)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ChallengeError(f"{path}: this is not JSON: {error}") from None


# ---------------------------------------------------------------------- the long table


def write_table(challenge: Challenge, folder: Path) -> Path:
    """Write the long table of everything that a scorer has scored."""
    from treegauge.results.long_table import long_table, write_long_table

    path = folder / LONG_TABLE
    rows = (row for one in read_results(folder) for row in table_rows(challenge, one))
    write_long_table(long_table(rows), path)
    return path


def table_rows(challenge: Challenge, scored: ScoredSubmission) -> Iterator[Document]:
    """Give a row for every number; further gold standards are `TREEBANK/STANDARD`."""
    track = challenge.track(scored.track)
    about = {
        "experiment": challenge.name,
        "track": scored.track,
        "split": scored.part,
        "system": f"{scored.said('team')}: {scored.said('system')}",
        "method": "submission",
        "settings": "{}",
        "seed": 0,
        "fit_on": scored.said("fit_on"),
        "supervision": scored.said("supervision"),
        "preset": track.conventions.preset,
        "tags": track.conventions.tags,
        "cell": scored.id,
    }
    for treebank, found in scored.treebanks.items():
        for standard, own in found["standards"].items():
            where = treebank if standard == GOLD else f"{treebank}/{standard}"
            for metric, score in own["scores"].items():
                place = {"treebank": where, "metric": metric, "by": "", "stratum": ""}
                yield {**about, **place, **_numbers(score), "signature": score["signature"]}
            for by, strata in own["strata"].items():
                for cell in strata.get("cells", ()):
                    signature = own["scores"][strata["metric"]]["signature"] + f"|by:{by}"
                    place = {"metric": strata["metric"], "by": by, "stratum": cell["stratum"]}
                    numbers = _numbers(cell)
                    yield {**about, "treebank": where, **place, **numbers, "signature": signature}


def _numbers(score: Mapping[str, Any]) -> Document:
    return {
        "value": score["value"],
        "low": score["low"],
        "high": score["high"],
        "n": score["n"],
        "reason": "" if score["value"] is not None else "nothing to score",
    }


# ---------------------------------------------------------------------- what came when


@dataclass(frozen=True)
class Receipt:
    """When a submission came, and how many came before it."""

    content: str
    received: datetime
    number: int


def read_receipts(folder: Path) -> dict[str, Receipt]:
    """Return when every submission came, by content."""
    path = folder / RECEIVED
    if not path.exists():
        return {}
    try:
        rows = read_json(path)["received"]
        receipts = [
            Receipt(str(row["content"]), datetime.fromisoformat(row["time"]), number)
            for number, row in enumerate(rows)
        ]
    except (KeyError, TypeError, ValueError):
        raise ChallengeError(f"{path}: this is not what `score` wrote; put it back") from None
    return {receipt.content: receipt for receipt in receipts}


def read_choices(folder: Path) -> tuple[str, ...]:
    """Return the ids, or the beginnings of ids, of submissions that teams chose."""
    path = folder / CHOSEN
    if not path.exists():
        return ()
    lines = read_text(path, what="ids of submissions", error=ChallengeError).splitlines()
    ids = tuple(line.strip() for line in lines if line.strip())
    if short := next((one for one in ids if len(one) < 8), ""):
        raise ChallengeError(f"{path}: {short!r} is not an id; write at least 8 digits of it")
    return ids


def add_receipts(folder: Path, contents: Iterable[str], now: datetime) -> dict[str, Receipt]:
    """Note that submissions came now; those that came before keep their time."""
    receipts = read_receipts(folder)
    for content in contents:
        if content not in receipts:
            receipts[content] = Receipt(content, now, len(receipts))
    rows = [
        {"content": one.content, "time": one.received.isoformat(timespec="seconds")}
        for one in sorted(receipts.values(), key=lambda one: one.number)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    write_chunks(folder / RECEIVED, [canonical_json({"schema": 1, "received": rows})])
    return receipts
