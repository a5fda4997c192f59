"""Scores submissions against the gold of a challenge.

A scorer has an id: gold, settings and code together. Results of one id can be compared; what has
another id was scored by other gold, or otherwise, and is never mixed with them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from treegauge.challenges.challenge import Challenge, Track
from treegauge.challenges.packs import canonical_json, sha256
from treegauge.challenges.scored_submission import SCHEMA
from treegauge.challenges.treebank_scores import (
    GOLD,
    Document,
    GoldStandards,
    ScoringSettings,
    average_document,
    score_treebank,
)
from treegauge.treebank import Treebank

_CODE = (
    *("treebank", "rewrite", "metrics", "significance", "strata", "evaluation"),
    *("challenges/treebank_scores.py", "challenges/ranking.py", "challenges/scorer.py"),
)
"""Rooms and files that have a part in scores."""


class GoldSource(Protocol):
    """Where gold comes from: the folder of a challenge, or an archive."""

    def treebanks(self, part: str) -> list[str]:
        """Return the treebanks that have gold of a part."""
        ...

    def standards(self, treebank: str, part: str) -> GoldStandards:
        """Return all gold standards of a treebank."""
        ...


def scorer_id(
    challenge: Challenge,
    track: Track,
    part: str,
    gold: Mapping[str, str],
    settings: ScoringSettings | None = None,
) -> str:
    """Return what scores depend on, as sixteen hexadecimal digits.

    Parameters
    ----------
    gold : mapping
        The SHA-256 of every file of gold that has a part in it.
    """
    from treegauge import __version__

    facts: dict[str, Any] = {
        "schema": SCHEMA,
        "version": __version__,
        "code": _code(),
        "challenge": challenge.name,
        "track": track.name,
        "part": part,
        "conventions": repr(track.conventions),
        "metrics": [str(spec) for spec in track.metrics],
        "primary": str(track.primary),
        "by": list(track.by),
        "columns": list(track.columns),
        "averages": list(challenge.averaged_treebanks),
        "styles": {treebank.name: list(treebank.styles) for treebank in challenge.treebanks},
        "words are shown": {one.name: one.redistribute for one in challenge.treebanks},
        "settings": {k: repr(v) for k, v in asdict(settings or ScoringSettings()).items()},
        "gold": dict(gold),
    }
    return sha256(canonical_json(facts))[:16]


class Scorer:
    """Scores submissions of one track and part.

    Parameters
    ----------
    gold : GoldSource
        Read once, when the scorer is made.
    id : str
        As `scorer_id` gives it.
    """

    def __init__(
        self,
        challenge: Challenge,
        track: Track,
        part: str,
        gold: GoldSource,
        id: str,
        settings: ScoringSettings | None = None,
    ) -> None:
        self.challenge = challenge
        self.track = track
        self.part = part
        self.settings = settings or ScoringSettings()
        self.gold = {name: gold.standards(name, part) for name in gold.treebanks(part)}
        self.id = id

    def score(
        self, content: str, about: Mapping[str, Any], system: Mapping[str, Treebank]
    ) -> Document:
        """Return the result of a submission, as the file has it.

        Parameters
        ----------
        content : str
            The id of the submission.
        about : mapping
            What its makers say of it.
        system : mapping
            What it annotates; words are the pack's.
        """
        from treegauge import __version__

        scores = {
            name: score_treebank(self.track, own, self._on_gold(name, system[name]), self.settings)
            for name, own in self.gold.items()
            if name in system
        }
        return {
            "schema": SCHEMA,
            "challenge": self.challenge.name,
            "track": self.track.name,
            "part": self.part,
            "scorer": self.id,
            "treegauge": __version__,
            "submission": {**about, "id": content},
            "treebanks": {name: own.document for name, own in scores.items()},
            "averages": average_document(
                self.track, scores, self.challenge.averaged_treebanks, self.settings
            ),
        }

    def _on_gold(self, name: str, system: Treebank) -> Treebank:
        """Return gold's words with nothing but what the submission may give."""
        gold = self.gold[name].standards[GOLD]
        columns = {c: system.columns[c] for c in self.track.columns if c != "head"}
        head = system.head if "head" in self.track.columns else None
        return Treebank(
            {"form": gold.form, **columns},
            head,
            offsets=gold.offsets,
            punctuation=gold.punctuation,
            name=name,
        )


@cache
def _code() -> str:
    """Return a hash of everything that has a part in scoring."""
    digest = hashlib.sha256()
    root = Path(__file__).parents[1]
    for name in _CODE:
        place = root / name
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(path.read_bytes())
    return digest.hexdigest()
