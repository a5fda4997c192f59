"""The pages of a board: the challenge, its tracks, their strata, and every submission.

They are files that need nothing but each other: no server, no network. What nobody may know
by the time of writing (scores of a blind phase, gold, names of anonymous teams) is in no page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from treegauge.challenges.board import Entry, RankedEntry, TrackBoard
from treegauge.challenges.board_tables import BoardTables, one_line
from treegauge.challenges.challenge import Challenge
from treegauge.challenges.submission_page import submission_page
from treegauge.challenges.times import shown_time
from treegauge.reports.latex import to_latex
from treegauge.reports.pages.page import (
    Block,
    Choice,
    Facts,
    Fold,
    Links,
    Listing,
    Page,
    Part,
    Prose,
    Source,
)
from treegauge.reports.pages.shared_parts import titled
from treegauge.tables import Column, Table
from treegauge.wording import counted

INDEX = "index.html"


@dataclass(frozen=True)
class Board:
    """All tracks of a challenge at one moment.

    Attributes
    ----------
    tracks : sequence of TrackBoard
        Test parts first.
    outdated : int
        Results of other gold, versions or settings; they are in no table.
    commitment : str
        To gold; empty if nothing was packed.
    rules : str
        As the organisers wrote them.
    """

    challenge: Challenge
    tracks: Sequence[TrackBoard]
    now: datetime
    outdated: int = 0
    commitment: str = ""
    rules: str = ""

    def pages(self) -> Iterator[tuple[str, Page]]:
        """Give every page with its path in the site."""
        yield INDEX, self._index()
        for board in self.tracks:
            tables = BoardTables(board, self.now, _links(board))
            name = page_name(board)
            strata = tables.strata()
            yield name, self._track(board, tables, bool(strata))
            if strata:
                yield strata_name(board), self._strata(board, strata)
            inside = BoardTables(board, self.now, {})
            for kind in board.kinds:
                for ranked in kind.entries:
                    path = submission_name(ranked.entry)
                    yield path, submission_page(inside, ranked, kind, back=f"../{name}")

    def data(self) -> Iterator[tuple[str, str]]:
        """Give rankings as CSV and LaTeX, with their paths in the site."""
        for board in self.tracks:
            tables = BoardTables(board, self.now, {})
            for kind in board.kinds:
                table = tables.ranking(kind)
                stem = f"{page_name(board).removesuffix('.html')}-{kind.name.replace(' ', '-')}"
                yield f"{stem}.csv", table.to_csv()
                yield f"{stem}.tex", to_latex(table)

    # ------------------------------------------------------------------ the challenge

    def _index(self) -> Page:
        challenge = self.challenge
        shown = sum(len(board.entries) for board in self.tracks)
        waiting = sum(len(board.waiting) for board in self.tracks)
        facts = [
            (str(len(challenge.tracks)), "tracks"),
            (str(len(challenge.treebanks)), "treebanks"),
            (str(shown), "submissions with scores"),
            *([(str(waiting), "submissions whose scores are not shown yet")] if waiting else []),
        ]
        links = [
            (_title(board), page_name(board), _state(board, self.now)) for board in self.tracks
        ]
        blocks: list[Block] = [Facts(facts), Links(links)]
        if self.outdated:
            blocks.append(
                Prose(
                    f"{counted(self.outdated, 'result')} of other gold, versions or settings "
                    "cannot be compared with these, and are left out."
                )
            )
        parts = [
            Part("tracks", "Tracks", blocks),
            Part("treebanks", "Treebanks", [self._treebanks()]),
            Part("phases", "Phases", [self._phases()]),
            Part("gold", "Gold", [Listing(self._gold())]),
        ]
        if self.rules:
            parts.append(Part("rules", "Rules", [Fold("Rules", "rules.md", [Source(self.rules)])]))
        about = f"Contact: {challenge.contact}" if challenge.contact else ""
        return Page(challenge.title or challenge.name, about, parts)

    def _treebanks(self) -> Table:
        challenge = self.challenge
        rows = [
            [
                treebank.name,
                "yes" if treebank.name in challenge.averaged_treebanks else "no",
                ", ".join(["gold", *(one.name for one in treebank.references), *treebank.styles]),
                treebank.licence,
                self._who_knows_gold(treebank.name),
            ]
            for treebank in challenge.treebanks
        ]
        columns = ["treebank", "in averages", "gold standards", "licence", "who has gold"]
        return Table(columns, rows, "Treebanks of the challenge")

    def _who_knows_gold(self, name: str) -> str:
        treebank = self.challenge.treebank(name)
        if self.challenge.is_gold_released(name, self.now):
            return "everybody"
        return "organisers" if treebank.redistribute else "organisers and licensees"

    def _phases(self) -> Table:
        columns = ["phase", "part", "tracks", "opens", "closes", "scores are shown", "counts"]
        rows = [
            [
                phase.name,
                phase.part,
                ", ".join(phase.tracks),
                shown_time(phase.opens),
                shown_time(phase.closes),
                f"from {shown_time(phase.scores_from)}",
                f"the {phase.counts} submission of a system",
            ]
            for phase in self.challenge.phases
        ]
        return Table(columns, rows, "Phases")

    def _gold(self) -> dict[str, str]:
        released = self.challenge.is_all_gold_released(self.now)
        facts = {
            "released": "yes" if released else f"on {shown_time(self.challenge.gold_released_at)}"
        }
        if self.commitment:
            facts["commitment"] = self.commitment
        return facts

    # ------------------------------------------------------------------ a track

    def _track(self, board: TrackBoard, tables: BoardTables, has_strata: bool) -> Page:
        links = [("All tracks", INDEX, "")]
        if has_strata:
            links.append(("Strata", strata_name(board), ", ".join(board.track.by)))
        blocks: list[Block] = [Links(links)]
        if not board.kinds:
            blocks.append(Prose(_state(board, self.now)))
        blocks += [tables.ranking(kind) for kind in board.kinds]
        parts = [Part("ranking", "Ranking", blocks, _about_ranking(board))]
        if len(board.track.metrics) > 1 and board.kinds:
            shown: Mapping[str, Sequence[Block]] = {
                kind.name: [tables.metrics(kind)] for kind in board.kinds
            }
            parts.append(Part("metrics", "All metrics", [Choice("Supervision", shown)]))
        standards = tables.standards()
        if standards:
            panes: dict[str, Sequence[Block]] = {name: [own] for name, own in standards.items()}
            lead = "The same submissions, scored by other gold standards of the same words."
            parts.append(Part("references", "References", [Choice("Treebank", panes)], lead))
        parts.append(Part("submissions", "Submissions", self._submissions(board, tables)))
        return Page(_title(board), self.challenge.title or self.challenge.name, parts)

    def _submissions(self, board: TrackBoard, tables: BoardTables) -> list[Block]:
        """Return what was received, whether it has scores to show or not."""
        blocks: list[Block] = [
            Listing({"scorer": board.scorer}, "An id stands for gold, versions and settings"),
        ]
        if board.waiting:
            times = sorted({shown_time(one.phase.scores_from) for one in board.waiting})
            number = counted(len(board.waiting), "submission")
            blocks.append(Prose(f"{number} received; scores are shown from {', '.join(times)}."))
        if board.superseded:
            rows = [
                [one_line(name), one.scored.id[:16], shown_time(one.received)]
                for one in board.superseded
                for name in [tables.names(one)[0]]
            ]
            columns = [Column("system"), Column("submission"), Column("received")]
            about = ["another submission of the same system is ranked"]
            blocks.append(Table(columns, rows, "Submissions that are not ranked", about))
        if len(blocks) == 1 and not board.kinds:
            blocks.append(Prose("No submissions yet."))
        return blocks

    def _strata(self, board: TrackBoard, strata: Mapping[str, Mapping[str, Table]]) -> Page:
        parts = []
        for by, tables in strata.items():
            panes: dict[str, Sequence[Block]] = {name: [own] for name, own in tables.items()}
            anchor = by.replace("*", "-by-").replace("_", "-")
            parts.append(Part(anchor, by.replace("_", " "), [Choice("Treebank", panes)]))
        home = Part("home", "Leaderboard", [Links([(_title(board), page_name(board), "")])])
        about = "Scores of the words of a stratum, with intervals."
        return Page(f"{_title(board)}: strata", about, [home, *parts])


def page_name(board: TrackBoard) -> str:
    """Return the path of a track's page in the site."""
    part = "" if board.part == "test" else f"-{board.part}"
    return f"track-{board.track.name}{part}.html"


def strata_name(board: TrackBoard) -> str:
    """Return the path of the page with a track's strata."""
    return page_name(board).replace("track-", "strata-", 1)


def submission_name(entry: Entry) -> str:
    """Return the path of a submission's page; nothing that a participant wrote is in it."""
    return f"submissions/{entry.scored.id[:16]}.html"


def _links(board: TrackBoard) -> dict[str, str]:
    entries: list[RankedEntry] = [one for kind in board.kinds for one in kind.entries]
    return {one.entry.scored.id: submission_name(one.entry) for one in entries}


def _title(board: TrackBoard) -> str:
    title = board.track.title or board.track.name
    return title if board.part == "test" else f"{title}, {board.part}"


def _state(board: TrackBoard, now: datetime) -> str:
    if board.entries:
        return counted(len(board.entries), "system")
    if board.waiting:
        first = min(one.phase.scores_from for one in board.waiting)
        number = counted(len(board.waiting), "submission")
        return f"{number} received; scores are shown from {shown_time(first)}"
    phases = board.challenge.phases_of(board.track.name, board.part)
    ahead = [phase for phase in phases if now < phase.opens]
    return f"opens {shown_time(ahead[0].opens)}" if ahead else "no submissions yet"


def _about_ranking(board: TrackBoard) -> str:
    return (
        f"By {titled(board.track.primary)}. Each kind of supervision has its own ranking. Ties "
        f"share a rank; a system without an average has no rank."
    )
