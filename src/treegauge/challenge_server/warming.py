"""Compiles the kernels that scoring needs, before there is something to score.

A first submission would else wait for the compiler, half a minute or more, while its job holds a
lease. A few sentences of every treebank take the way of a real submission: through the process that
reads, through every scorer, onto a board.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from treegauge.challenge_server.gold_room import GoldRoom
from treegauge.challenges.board import Entry, track_board
from treegauge.challenges.example_submission import example_submission
from treegauge.challenges.packs import write_zip
from treegauge.challenges.reading_process import read_apart
from treegauge.challenges.scored_submission import ScoredSubmission
from treegauge.challenges.scorer import GoldSource, Scorer
from treegauge.challenges.treebank_scores import GoldStandards
from treegauge.temporaries import temporary_folder

SENTENCES = 8
"""Of every treebank: enough for every kernel, too few to take time."""


@dataclass(frozen=True)
class _FirstSentences:
    """The beginning of all gold."""

    source: GoldSource

    def treebanks(self, part: str) -> list[str]:
        """Return the treebanks that have gold of a part."""
        return self.source.treebanks(part)

    def standards(self, treebank: str, part: str) -> GoldStandards:
        """Return the first sentences of all gold standards of a treebank."""
        whole = self.source.standards(treebank, part)
        few = {name: one[:SENTENCES] for name, one in whole.standards.items()}
        return replace(whole, standards=few)


def compile_kernels(room: GoldRoom) -> None:
    """Do everything once that a submission needs, with a few sentences."""
    challenge = room.challenge
    for name, part in room.scorers:
        whole = room.task(name, part)
        few = {treebank: one[:SENTENCES] for treebank, one in whole.treebanks.items()}
        task = replace(whole, treebanks=few)
        with temporary_folder() as folder:
            path = folder / "example.zip"
            write_zip(path, example_submission(task).canonical_files())
            read = read_apart(path, task)
        track = challenge.track(name)
        scorer = Scorer(challenge, track, part, _FirstSentences(room.gold), "warming")
        document = scorer.score(read.content, read.about, read.treebanks)
        (phase, *_) = challenge.phases_of(name, part)
        entries = []
        for number in range(2):
            about = {**document["submission"], "id": f"{number}", "system": f"{number}"}
            scored = ScoredSubmission({**document, "submission": about})
            entries.append(Entry(scored, phase.opens, number, phase))
        track_board(challenge, track, part, scorer.id, entries, now=phase.scores_from, trials=10)
