"""`score`: submissions in, results out, all in the folder of a challenge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from treegauge.challenges.challenge_folder import ChallengeFolder, GoldPack
from treegauge.challenges.errors import ChallengeError
from treegauge.challenges.gold_source import PackedGold
from treegauge.challenges.reading_process import (
    ReadSubmission,
    RefusedSubmissionError,
    read_apart,
)
from treegauge.challenges.result_files import add_receipts, write_result, write_table
from treegauge.challenges.scored_submission import ScoredSubmission
from treegauge.challenges.scorer import Scorer, scorer_id
from treegauge.challenges.submission import describe_submission
from treegauge.challenges.system_file import SYSTEM_FILE, SystemDescription
from treegauge.challenges.task import Task
from treegauge.challenges.treebank_scores import ScoringSettings
from treegauge.formats import write_chunks
from treegauge.wording import text_of_name

OnProgress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Scoring:
    """What came of some submissions.

    Attributes
    ----------
    scored : list
        In the order given, without what was refused.
    refused : dict
        Why, by what was given.
    findings : dict
        What is worth saying of those that were scored.
    files : list of Path
        What was written.
    """

    scored: list[ScoredSubmission] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    findings: dict[str, str] = field(default_factory=dict)
    files: list[Path] = field(default_factory=list)


def score_submissions(
    folder: ChallengeFolder,
    sources: Sequence[str | Path],
    *,
    now: datetime,
    settings: ScoringSettings | None = None,
    on_progress: OnProgress = lambda _name, _done, _all: None,
) -> Scoring:
    """Score submissions, and keep them with their results.

    Parameters
    ----------
    sources : sequence of paths
        Folders or zips.
    now : datetime
        When they came, for those that are new.
    on_progress : callable
        Told the name of what comes next, how many are done, and how many there are.

    Raises
    ------
    ChallengeError
        If there is no gold to score with. A submission that is wrong is refused, and the
        others are scored.
    """
    # All of them are asked for their track before gold is in this process.
    described = {text_of_name(source): _description(source) for source in sources}
    gold = folder.read_gold()
    house = _House(folder, gold, settings)
    scoring = Scoring()
    for done, source in enumerate(sources):
        name = text_of_name(source)
        on_progress(name, done, len(sources))
        about = described[name]
        if isinstance(about, str):
            scoring.refused[name] = about
            continue
        try:
            submission = read_apart(source, house.task(about.track, about.part))
        except RefusedSubmissionError as error:
            scoring.refused[name] = str(error)
            continue
        if submission.findings:
            scoring.findings[name] = submission.findings
        scoring.scored.append(house.score(submission, about, scoring.files, now))
    for scorer in house.scorers.values():
        scoring.files.append(write_table(folder.challenge, folder.results / scorer.id))
    return scoring


def _description(source: str | Path) -> SystemDescription | str:
    """Return what a submission says of itself, or why it is refused."""
    try:
        return describe_submission(source)
    except ChallengeError as error:
        return str(error)


class _House:
    """What scoring some submissions has in common: tasks and scorers, made once."""

    def __init__(
        self, folder: ChallengeFolder, gold: GoldPack, settings: ScoringSettings | None
    ) -> None:
        self.folder = folder
        self.gold = gold
        self.source = PackedGold(folder.challenge, gold)
        self.settings = settings
        self.scorers: dict[tuple[str, str], Scorer] = {}
        self._tasks: dict[tuple[str, str], Task] = {}

    def task(self, track: str, part: str) -> Task:
        if track not in {one.name for one in self.folder.challenge.tracks}:
            names = ", ".join(one.name for one in self.folder.challenge.tracks)
            raise RefusedSubmissionError(
                f"{SYSTEM_FILE}: there is no track {track!r}; tracks are {names}"
            )
        if (track, part) not in self._tasks:
            self._tasks[track, part] = self.gold.task(track, part)
        return self._tasks[track, part]

    def score(
        self,
        submission: ReadSubmission,
        about: SystemDescription,
        files: list[Path],
        now: datetime,
    ) -> ScoredSubmission:
        scorer = self.scorer(about.track, about.part)
        kept = self.folder.submissions / f"{submission.content}.zip"
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_chunks(kept, [submission.zip])
        add_receipts(self.folder.submissions, [submission.content], now)
        document = scorer.score(submission.content, submission.about, submission.treebanks)
        files.append(write_result(self.folder.results, document))
        return ScoredSubmission(document)

    def scorer(self, track: str, part: str) -> Scorer:
        if (track, part) not in self.scorers:
            challenge, own = self.folder.challenge, self.folder.challenge.track(track)
            id = scorer_id(challenge, own, part, self.source.checksums(part), self.settings)
            self.scorers[track, part] = Scorer(challenge, own, part, self.source, id, self.settings)
        return self.scorers[track, part]
