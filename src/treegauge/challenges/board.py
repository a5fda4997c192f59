"""Who stands where on the board of a track: which submissions count, ranks, groups.

Kinds of supervision are ranked apart. Of the submissions of one system, one counts, as the phase
says. What came too late is out of competition: it has scores, but neither rank nor group.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from treegauge.challenges.challenge import Challenge, Phase, Track
from treegauge.challenges.paired_evidence import TRIALS, significantly_better
from treegauge.challenges.ranking import Standing, groups, standings
from treegauge.challenges.scored_submission import ScoredSubmission
from treegauge.challenges.system_file import name_key
from treegauge.reports.run_rows import SUPERVISION


@dataclass(frozen=True)
class Entry:
    """A submission on the board.

    Attributes
    ----------
    scored : ScoredSubmission
        What it is and what it scored.
    received : datetime
        When it came.
    number : int
        How many came before it, for those that came at one time.
    phase : Phase
        The phase that it was sent in, or the last one before.
    is_chosen : bool
        Whether its makers said that it is to count, where the phase lets them choose.
    """

    scored: ScoredSubmission
    received: datetime
    number: int
    phase: Phase
    is_chosen: bool = False

    @property
    def is_late(self) -> bool:
        """Whether it came when nothing was taken."""
        return not self.phase.is_open(self.received)

    @property
    def key(self) -> tuple[str, str, str]:
        """What submissions of one system have in common."""
        said = self.scored.said
        return name_key(said("team")), name_key(said("system")), said("supervision")

    def shows_scores(self, now: datetime) -> bool:
        """Return whether everybody may see its scores."""
        return now >= self.phase.scores_from


@dataclass(frozen=True)
class RankedEntry:
    """An entry with its place."""

    entry: Entry
    standing: Standing
    group: int | None = None
    """From 1; None for what is not ranked."""


@dataclass(frozen=True)
class KindOfSupervision:
    """The ranking of the systems that were told the same."""

    name: str
    ranked: Sequence[RankedEntry]
    incomplete: Sequence[RankedEntry]
    late: Sequence[RankedEntry]
    about_groups: str = ""
    """What the lines between groups mean, or why there are none."""

    @property
    def entries(self) -> list[RankedEntry]:
        """All of them, as the board shows them."""
        return [*self.ranked, *self.incomplete, *self.late]

    @property
    def groups(self) -> int:
        """How many groups there are."""
        return max((one.group or 0 for one in self.ranked), default=0)


@dataclass(frozen=True)
class TrackBoard:
    """The board of one track and part.

    Attributes
    ----------
    kinds : sequence
        Kinds of supervision, each with its ranking; none while scores are not shown.
    waiting : sequence of Entry
        Submissions whose scores nobody may see yet.
    superseded : sequence of Entry
        Submissions of which the same system has one that counts.
    """

    challenge: Challenge
    track: Track
    part: str
    scorer: str
    kinds: Sequence[KindOfSupervision] = ()
    waiting: Sequence[Entry] = ()
    superseded: Sequence[Entry] = ()

    @property
    def entries(self) -> list[Entry]:
        """Every entry that counts and whose scores are shown, by rank within its kind."""
        return [ranked.entry for kind in self.kinds for ranked in kind.entries]


def entry_of(
    challenge: Challenge,
    scored: ScoredSubmission,
    received: datetime,
    number: int,
    *,
    is_chosen: bool = False,
) -> Entry:
    """Find out in which phase a submission came."""
    phases = challenge.phases_of(scored.track, scored.part)
    begun = [phase for phase in phases if phase.opens <= received]
    open_ones = [phase for phase in begun if phase.is_open(received)]
    phase = (open_ones or begun or list(phases))[-1]
    return Entry(scored, received, number, phase, is_chosen)


def track_board(
    challenge: Challenge,
    track: Track,
    part: str,
    scorer: str,
    entries: Iterable[Entry],
    *,
    now: datetime,
    trials: int = TRIALS,
) -> TrackBoard:
    """Rank the submissions of a track.

    Parameters
    ----------
    scorer : str
        Whose scores are compared; entries of other scorers are left out by the caller.
    now : datetime
        Scores that are not to be shown by then are kept back.
    trials : int
        Of the tests between groups.
    """
    in_order = sorted(entries, key=lambda one: (one.received, one.number, one.scored.id))
    waiting = [one for one in in_order if not one.shows_scores(now)]
    shown = [one for one in in_order if one.shows_scores(now)]
    counted = _counted(challenge, track, shown)
    kinds = []
    for name in _kinds(counted):
        own = [one for one in counted if one.scored.said("supervision") == name]
        kinds.append(_kind(challenge, track, name, own, trials))
    # By identity: to compare two entries is to compare all of their scores.
    that_count = {id(one) for one in counted}
    superseded = [one for one in shown if id(one) not in that_count]
    return TrackBoard(challenge, track, part, scorer, kinds, waiting, superseded)


def _kinds(entries: Sequence[Entry]) -> list[str]:
    there = {entry.scored.said("supervision") for entry in entries}
    return [*(name for name in SUPERVISION if name in there), *sorted(there - set(SUPERVISION))]


def _counted(challenge: Challenge, track: Track, entries: Sequence[Entry]) -> list[Entry]:
    """Return the submissions that count: one per system, those in time before those too late."""
    by_system: dict[tuple[str, str, str], list[Entry]] = {}
    for entry in entries:
        by_system.setdefault(entry.key, []).append(entry)
    chosen = []
    for own in by_system.values():
        in_time = [entry for entry in own if not entry.is_late]
        candidates = in_time or own
        if candidates[-1].phase.counts == "chosen":
            # Who chose nothing is taken at the last word.
            candidates = [entry for entry in candidates if entry.is_chosen] or candidates
        if candidates[-1].phase.counts == "best":
            chosen.append(_best(challenge, track, candidates))
        else:
            chosen.append(candidates[-1])
    return chosen


def _best(challenge: Challenge, track: Track, entries: Sequence[Entry]) -> Entry:
    """Return the entry with the best average; of equal ones the last."""
    by_id = {entry.scored.id: entry for entry in entries}
    ordered = _standings(challenge, track, list(by_id.values()))
    first = ordered[0].rank
    tied = [by_id[one.system] for one in ordered if one.rank == first]
    return max(tied, key=lambda one: (one.received, one.number))


def _standings(challenge: Challenge, track: Track, entries: Sequence[Entry]) -> list[Standing]:
    metric = str(track.primary)
    return standings(
        {entry.scored.id: entry.scored.values(metric) for entry in entries},
        challenge.averaged_treebanks,
        higher_is_better=track.primary.metric.higher_is_better,
    )


def _kind(
    challenge: Challenge, track: Track, name: str, entries: Sequence[Entry], trials: int
) -> KindOfSupervision:
    by_id = {entry.scored.id: entry for entry in entries}
    in_time = [entry for entry in entries if not entry.is_late]
    late = [entry for entry in entries if entry.is_late]
    rows = _standings(challenge, track, in_time)
    order = [row.system for row in rows if row.rank is not None]
    metric = str(track.primary)
    better = significantly_better(
        {one: by_id[one].scored.evidence(metric, challenge.averaged_treebanks) for one in order},
        higher_is_better=track.primary.metric.higher_is_better,
        alpha=challenge.board.alpha,
        trials=trials,
    )
    by_group = groups(order, better)
    group_of = {one: number for number, own in enumerate(by_group, start=1) for one in own}
    return KindOfSupervision(
        name,
        [RankedEntry(by_id[row.system], row, group_of[row.system]) for row in rows if row.rank],
        [RankedEntry(by_id[row.system], row) for row in rows if row.rank is None],
        [
            RankedEntry(by_id[row.system], Standing(row.system, None, row.average, row.missing))
            for row in _standings(challenge, track, late)
        ],
        _about_groups(len(order), len(by_group), challenge.board.alpha, trials),
    )


def _about_groups(systems: int, groups: int, alpha: float, trials: int) -> str:
    if systems < 2:
        return ""
    pairs = systems * (systems - 1) // 2
    if pairs >= alpha * (trials + 1):
        return (
            f"no groups: with {pairs:,} pairs of systems, {trials:,} trials of the test cannot "
            f"distinguish any two"
        )
    test = f"paired over sentences within treebanks, Holm over {pairs:,} pairs, p < {alpha:g}"
    if groups < 2:
        return f"no groups differ significantly ({test})"
    return f"everything in a group is significantly better than all groups below ({test})"
