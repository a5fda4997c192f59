"""`treegauge challenge score, board, archive`: what became of submissions."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.challenge_files import FolderArgument
from treegauge.cli.console import Results, prints_results, prints_summary
from treegauge.cli.help_pages import OUTPUT
from treegauge.wording import counted

if TYPE_CHECKING:
    from treegauge.challenges import Challenge, ScoredSubmission
    from treegauge.tables import Table


@prints_results
def score_cli(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FOLDER SUBMISSION...]",
            help="The folder of the challenge, then submissions: folders or zip files.",
        ),
    ] = None,
    verify: Annotated[
        str,
        typer.Option(
            "--verify", metavar="DIR", help="Recompute every number of an archive instead."
        ),
    ] = "",
    received: Annotated[
        str,
        typer.Option(
            "--received",
            metavar="TIME",
            help="The time of submission, such as '2027-03-01 12:00 UTC'. Default: now.",
        ),
    ] = "",
) -> Results:
    """Score submissions, or recompute every number of an archive.

    A process without gold reads the submissions. FOLDER gets one JSON file per submission and a
    long table of all results. The same submission gives the same bytes. If gold, settings or
    the program change, results get a new scorer id, and the old results stay. Exit code 1 if a
    submission is refused or a number differs.

    Example: `treegauge challenge score demo ours.zip`
    """
    if verify:
        if paths or received:
            raise typer.BadParameter("--verify DIR takes no submissions: the archive contains them")
        return _verified(verify)
    if not paths or len(paths) < 2:
        raise typer.BadParameter("name the folder of the challenge, and then submissions")
    return _scored(paths[0], paths[1:], received)


def _scored(folder: str, sources: list[str], received: str) -> Results:
    from treegauge.challenges import ChallengeFolder, score_submissions
    from treegauge.challenges.times import parse_time

    opened = ChallengeFolder(folder)
    now = parse_time(received, place="--received") if received else datetime.now(UTC)
    with console.progress("scoring") as advance:
        scoring = score_submissions(
            opened, sources, now=now, on_progress=lambda name, n, of: advance(n / of, name)
        )
    for text in scoring.findings.values():
        console.say(text, style="yellow")
    for text in scoring.refused.values():
        console.complain(text)
    for number, source in enumerate(scoring.refused):
        if not number:
            console.say("`treegauge challenge check PACK SUBMISSION` lists what is wrong")
        console.complain(f"{source}: refused")
    for file in scoring.files:
        console.say(f"wrote {file}")
    document = {
        "schema": 1,
        "folder": folder,
        "scored": [_summary(one) for one in scoring.scored],
        "refused": scoring.refused,
        "files": [str(file) for file in scoring.files],
    }
    table = _table(opened.challenge, scoring.scored)
    return Results([table], document, failed=bool(scoring.refused))


def _summary(scored: ScoredSubmission) -> dict[str, Any]:
    """Return the scores; the file has what tests and pages need besides, and gold in it."""
    averages = scored.document["averages"]["standards"]
    return {
        "submission": scored.document["submission"],
        "track": scored.track,
        "part": scored.part,
        "scorer": scored.scorer,
        "averages": {
            standard: {
                metric: {key: own[key] for key in ("value", "low", "high")}
                for metric, own in scores.items()
            }
            for standard, scores in averages.items()
        },
        "treebanks": {
            name: {standard: own["scores"] for standard, own in found["standards"].items()}
            for name, found in scored.treebanks.items()
        },
    }


def _table(challenge: Challenge, scored: list[ScoredSubmission]) -> Table:
    from treegauge.tables import NUMBER, PERCENT, Cell, Table

    rows: list[list[Cell | str | int]] = []
    for one in scored:
        spec = challenge.track(one.track).primary
        number = PERCENT if spec.metric.is_share else NUMBER
        average = one.average(str(spec))
        cell = Cell(note="it lacks treebanks of the average")
        if average is not None:
            cell = Cell(average["value"], average["low"], average["high"], format=number)
        names = [one.said("team"), one.said("system"), one.track, one.part]
        rows.append([*names, str(spec), cell, len(one.treebanks), one.id[:16], one.scorer])
    columns = (
        *("team", "system", "track", "part", "metric", "average"),
        *("treebanks", "submission", "scorer"),
    )
    treebanks = ", ".join(challenge.averaged_treebanks)
    return Table(columns, rows, notes=[f"average over {treebanks}"] if rows else [])


def _verified(archive: str) -> Results:
    from treegauge.challenges import verify_archive

    with console.progress(f"verifying {archive}") as advance:
        found = verify_archive(archive, lambda name, n, of: advance(n / of, name))
    lines = [(one, "red") for one in found.differences]
    lines += [(one, "yellow") for one in found.remarks]
    if found.is_same:
        number = counted(found.numbers, "number")
        of = counted(found.submissions, "submission")
        lines.append((f"{archive}: {number} of {of}, all the same", "bold green"))
    else:
        number = counted(len(found.differences), "difference")
        lines.append((f"{archive}: {number}", "bold red"))
    document: dict[str, Any] = {
        "schema": 1,
        "archive": archive,
        "is_same": found.is_same,
        "numbers": found.numbers,
        "submissions": found.submissions,
        "differences": found.differences,
        "remarks": found.remarks,
    }
    from treegauge.tables import Table

    table = Table(["difference"], [[one] for one in found.differences])
    return Results([table], document, lines=lines, failed=not found.is_same)


@prints_summary
def board_cli(
    folder: FolderArgument,
    site: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="SITE",
            rich_help_panel=OUTPUT,
            help="The folder for the pages. It can be published as it is.",
        ),
    ],
) -> dict[str, Any]:
    """Write the leaderboard: static pages of tracks and submissions, and tables as CSV and LaTeX.

    The pages contain no hidden scores, no unreleased gold and no names of anonymous teams. Systems
    form groups: every system above a line is significantly better than every system below it.

    Example: `treegauge challenge board demo -o site`
    """
    from treegauge.challenges import ChallengeFolder, make_board, write_site

    with console.progress(f"ranking {folder}") as advance:
        board = make_board(ChallengeFolder(folder), datetime.now(UTC))
        advance(0.5, "writing pages")
        files = write_site(board, site)
    if board.outdated:
        console.say(
            f"{counted(board.outdated, 'result')} of other gold, versions or settings left out; "
            f"`treegauge challenge score {folder} {folder}/submissions/*.zip` scores all again",
            style="yellow",
        )
    for track in board.tracks:
        if track.waiting:
            number = counted(len(track.waiting), "submission")
            console.say(f"{track.track.name}: scores of {number} are not shown yet")
    console.say(f"wrote {counted(len(files), 'file')} to {site}; start with {site}/index.html")
    return {"folder": folder, "site": site, "files": [str(file) for file in files]}


@prints_summary
def archive_cli(
    folder: FolderArgument,
    target: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            rich_help_panel=OUTPUT,
            help="A new folder for the archive.",
        ),
    ],
    private: Annotated[
        bool,
        typer.Option(
            "--private", help="Write the archive before gold is released, for the organisers only."
        ),
    ] = False,
) -> dict[str, Any]:
    """Archive a challenge: pages, submissions, results, rules, data statements, versions, gold.

    Treebanks whose words may not be distributed are stored as annotation without words, which is
    enough to score again. `treegauge challenge score --verify DIR` recomputes every number.

    Example: `treegauge challenge archive demo -o kept`
    """
    from treegauge.challenges import ChallengeFolder, write_archive

    opened = ChallengeFolder(folder)
    with console.progress(f"archiving {folder}"):
        path = write_archive(opened, target, datetime.now(UTC), private=private)
    number = sum(1 for one in path.rglob("*") if one.is_file())
    console.say(f"wrote {path}: {counted(number, 'file')}; start with {path}/pages/index.html")
    if private:
        console.say("it contains gold that is not released: keep it private", style="yellow")
    return {"folder": folder, "archive": str(path), "files": number}
