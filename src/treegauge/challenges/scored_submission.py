"""What is known of a submission that was scored: the JSON file that `score` writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.paired_evidence import Evidence, ResampledAverages, SentenceCounts
from treegauge.challenges.treebank_scores import GOLD, Document

SCHEMA = 1


@dataclass(frozen=True)
class ScoredSubmission:
    """A submission and its scores.

    Attributes
    ----------
    document : dict
        As the file has it: `submission` (what its makers say of it), `track`, `part`, `scorer`,
        `treebanks` and `averages`.
    """

    document: Document

    @property
    def id(self) -> str:
        """The SHA-256 of its content."""
        return str(self.document["submission"]["id"])

    @property
    def track(self) -> str:
        """The track that it was sent to."""
        return str(self.document["track"])

    @property
    def part(self) -> str:
        """What was scored: dev or test."""
        return str(self.document["part"])

    @property
    def scorer(self) -> str:
        """The id of gold, versions and settings together."""
        return str(self.document["scorer"])

    def said(self, key: str) -> str:
        """Return what its makers say: `team`, `system`, `supervision`, `resources`, ..."""
        return str(self.document["submission"].get(key, ""))

    @property
    def treebanks(self) -> dict[str, Document]:
        """What was found on every treebank that it annotates."""
        treebanks: dict[str, Document] = self.document["treebanks"]
        return treebanks

    def score(self, treebank: str, metric: str, standard: str = GOLD) -> Document | None:
        """Return value, low, high, n and signature, or nothing."""
        of_treebank = self.treebanks.get(treebank, {}).get("standards", {})
        score: Document | None = of_treebank.get(standard, {}).get("scores", {}).get(metric)
        return score

    def value(self, treebank: str, metric: str, standard: str = GOLD) -> float | None:
        """Return a score, or None where there is none."""
        score = self.score(treebank, metric, standard)
        return None if score is None else score["value"]

    def values(self, metric: str, standard: str = GOLD) -> dict[str, float | None]:
        """Return the score of every treebank."""
        return {name: self.value(name, metric, standard) for name in self.treebanks}

    def average(self, metric: str, standard: str = GOLD) -> Document | None:
        """Return value, low and high of the average over the stated treebanks, or nothing."""
        averages: Document | None = self.document["averages"]["standards"].get(standard, {})
        return averages.get(metric) if averages else None

    def evidence(self, metric: str, treebanks: Sequence[str]) -> Evidence:
        """Return what tests between systems are made of."""
        average = self.average(metric)
        if average is not None and "resampled" in average:
            resampled = [np.nan if one is None else one for one in average["resampled"]]
            return ResampledAverages(average["value"], np.asarray(resampled))
        counts = {name: self.treebanks[name]["standards"][GOLD]["sentences"] for name in treebanks}
        return SentenceCounts(
            {name: np.asarray(own["right"], np.float64) for name, own in counts.items()},
            {name: np.asarray(own["whole"], np.float64) for name, own in counts.items()},
        )


def scored_submission(document: Any, place: str) -> ScoredSubmission:
    """Check the shape of a result that was read from a file."""
    keys = {"submission", "track", "part", "scorer", "treebanks", "averages"}
    if not isinstance(document, dict) or not keys <= set(document):
        raise ChallengeError(f"{place}: this is not a result of `treegauge challenge score`")
    if document.get("schema") != SCHEMA:
        raise ChallengeError(
            f"{place}: a result of schema {document.get('schema')!r}, and this treegauge reads "
            f"{SCHEMA}; score the submission again"
        )
    return ScoredSubmission(document)
