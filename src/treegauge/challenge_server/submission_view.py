"""What a visitor may see of a submission: how far it has come, and its scores once they show.

Before that, nothing here looks at a result: whether there is one, and what is in it, is no part of
any answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from treegauge.challenge_server import schema
from treegauge.challenge_server.errors import NotThereError
from treegauge.challenge_server.permissions import SubmissionObject, Visitor, may
from treegauge.challenge_server.phases import phase_named
from treegauge.challenges import Challenge, ScoredSubmission
from treegauge.challenges.scored_submission import scored_submission
from treegauge.challenges.times import shown_time
from treegauge.reports.pages.shared_parts import titled
from treegauge.tables import NUMBER, PERCENT, Cell, Column, Table

_PLACES = 4
"""Of shares: two decimals of a percentage, so that one arc more or less is not always seen."""


@dataclass(frozen=True)
class SubmissionView:
    """A submission, as far as a visitor may see it.

    Attributes
    ----------
    shows_scores : bool
        Whether the visitor may see scores now.
    scored : ScoredSubmission, optional
        Its result, where it may be seen and is there.
    """

    row: Any
    challenge: Challenge
    object: SubmissionObject
    shows_scores: bool
    scored: ScoredSubmission | None
    gold_is_out: bool

    @property
    def is_final(self) -> bool:
        """Whether there is nothing to wait for."""
        if self.row.state == "accepted":
            return self.scored is not None or not self.shows_scores
        return self.row.state in ("refused", "failed")

    @property
    def state(self) -> str:
        """How far it has come, in a word."""
        return "scored" if self.scored is not None else str(self.row.state)

    @property
    def message(self) -> str:
        """How far it has come, in words."""
        if self.row.state == "waiting":
            return "it was received and is waiting to be read"
        if self.row.state == "refused":
            return (
                "it was refused, and does not count against your quota; correct it and "
                "send it again"
            )
        if self.row.state == "failed":
            return (
                "the server could not score it; this is not your fault and does not count; the "
                "organisers are informed"
            )
        if not self.shows_scores:
            from_then = shown_time(self.object.phase.scores_from)
            return f"it was accepted; scores are shown from {from_then} on"
        if self.scored is not None:
            return "its scores are below"
        return "it was accepted and is being scored"

    def document(self) -> dict[str, Any]:
        """Return what programs get."""
        row, phase = self.row, self.object.phase
        track = self.challenge.track(row.track)
        return {
            "id": row.id,
            "number": row.number,
            "phase": row.phase,
            "track": row.track,
            "part": phase.part,
            "system": row.system,
            "sha256": row.content,
            "bytes": row.size,
            "received": row.received.astimezone(UTC).isoformat(),
            "state": row.state,
            "message": self.message,
            "findings": row.findings or "",
            "is_final": self.is_final,
            "scores_from": phase.scores_from.astimezone(UTC).isoformat(),
            "metrics": [str(spec) for spec in track.metrics],
            "averaged": list(self.challenge.averaged_treebanks),
            "scores": self._scores(),
        }

    def _scores(self) -> dict[str, Any] | None:
        if self.scored is None:
            return None
        metrics = [str(spec) for spec in self.challenge.track(self.row.track).metrics]
        averages = {metric: self.scored.average(metric) for metric in metrics}
        treebanks = {
            name: {metric: self.scored.score(name, metric) for metric in metrics}
            for name in self.scored.treebanks
        }
        return {
            "average": self._shown(averages),
            "treebanks": {name: self._shown(own) for name, own in treebanks.items()},
        }

    def _shown(self, scores: Mapping[str, Mapping[str, Any] | None]) -> dict[str, Any]:
        return {metric: self._score(own) for metric, own in scores.items() if own is not None}

    def _score(self, score: Mapping[str, Any]) -> dict[str, Any]:
        """Return a score without what tests are made of; coarse as long as gold is a secret."""
        kept = {
            key: score[key] for key in ("value", "low", "high", "n", "signature") if key in score
        }
        if self.gold_is_out:
            return kept
        return {
            key: round(value, _PLACES) if isinstance(value, float) else value
            for key, value in kept.items()
        }

    def table(self) -> Table | None:
        """Return scores as people see them: one row per treebank, the average last."""
        scores = self._scores()
        if scores is None:
            return None
        specs = self.challenge.track(self.row.track).metrics
        formats = [PERCENT if spec.metric.is_share else NUMBER for spec in specs]
        columns = [
            Column("treebank"),
            *(Column(titled(s), format=f) for s, f in zip(specs, formats, strict=True)),
        ]
        rows: list[list[str | Cell]] = []
        for name, own in [*scores["treebanks"].items(), ("average", scores["average"])]:
            rows.append([name, *(_cell(own.get(str(spec))) for spec in specs)])
        averaged = ", ".join(self.challenge.averaged_treebanks)
        return Table(columns, rows, "Scores", [f"average over {averaged}"])


def _cell(score: Mapping[str, Any] | None) -> Cell:
    if score is None:
        return Cell(note="no score")
    return Cell(score["value"], score["low"], score["high"])


# ---------------------------------------------------------------------- from the database


def view_of(
    connection: Connection, challenge: Challenge, visitor: Visitor, row: Any, now: datetime
) -> SubmissionView:
    """Return a submission as a visitor may see it; results are read only if they may be shown."""
    about = object_of(challenge, row)
    shows = may(visitor, "see scores", about, now)
    scored = _result(connection, row.id) if shows and row.state == "accepted" else None
    gold_is_out = challenge.is_all_gold_released(now)
    return SubmissionView(row, challenge, about, shows, scored, gold_is_out)


def object_of(challenge: Challenge, row: Any) -> SubmissionObject:
    """Return what permissions know a submission as."""
    return SubmissionObject(row.team, phase_named(challenge, row.phase), challenge)


def submission_row(connection: Connection, id: str) -> Any:
    """Return a submission.

    Raises
    ------
    NotThereError
        If no submission has this id.
    """
    table = schema.submission
    row = connection.execute(sa.select(table).where(table.c.id == id)).first()
    if row is None:
        raise NotThereError("this does not exist, or you may not see it; check the address")
    return row


def rows_of_team(connection: Connection, team: str) -> Sequence[Any]:
    """Return the submissions of a team, the last one first."""
    table = schema.submission
    statement = sa.select(table).where(table.c.team == team).order_by(table.c.number.desc())
    return connection.execute(statement).all()


def scored_ids(connection: Connection, team: str, phases: Sequence[str]) -> set[str]:
    """Return the submissions of a team that were scored, in phases that show their scores."""
    table = schema.submission
    joined = sa.select(table.c.id).join(schema.result, schema.result.c.submission == table.c.id)
    return set(connection.scalars(joined.where(table.c.team == team, table.c.phase.in_(phases))))


def _result(connection: Connection, submission: str) -> ScoredSubmission | None:
    """Return the newest result: gold or the program may have changed since an older one."""
    table = schema.result
    content = connection.scalar(
        sa.select(table.c.document)
        .where(table.c.submission == submission)
        .order_by(table.c.created.desc())
        .limit(1)
    )
    if content is None:
        return None
    return scored_submission(json.loads(bytes(content)), f"result of {submission}")
