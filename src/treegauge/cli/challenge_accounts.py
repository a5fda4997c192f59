"""`treegauge challenge organiser, team, backup, restore, doctor`: what runs beside a server."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.challenge_files import FolderArgument
from treegauge.cli.console import Results, prints_results, prints_summary
from treegauge.cli.help_pages import OUTPUT
from treegauge.cli.lazy_verbs import LazyVerbs, alone
from treegauge.wording import counted

if TYPE_CHECKING:
    from treegauge.challenge_server import Database

FolderOption = Annotated[
    str,
    typer.Option(
        "--folder",
        metavar="FOLDER",
        help="The folder of the challenge. Default: the current folder.",
    ),
]
DatabaseOption = Annotated[
    str,
    typer.Option(
        "--database",
        metavar="URL",
        envvar="TREEGAUGE_CHALLENGE_DATABASE",
        help="A PostgreSQL database, such as postgresql://user@localhost/demo. Default: SQLite.",
    ),
]
USUAL_ADDRESS = "http://127.0.0.1:8000"
"""Where `serve` answers unless it is told otherwise."""


def opened_database(folder: str, url: str, *, make: bool = True) -> Database:
    """Open the database of a challenge's server, or say what is missing."""
    from treegauge.challenge_server.extra import need_server_extra

    need_server_extra()
    from treegauge.challenge_server import Database

    return Database.open(folder, url or None, make=make)


# ---------------------------------------------------------------------- accounts


@prints_results
def organiser_add_cli(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the organiser.")],
    folder: FolderOption = ".",
    database: DatabaseOption = "",
) -> Results:
    """Add an organiser, and print a link on which they choose a password. It works once.

    For an existing organiser, print a new link, for example if the password is lost.

    Example: `treegauge challenge organiser add Olga --folder demo`
    """
    opened = opened_database(folder, database)
    from treegauge.challenge_server.audit import SHELL
    from treegauge.challenge_server.invitations import add_organiser

    secret = add_organiser(opened, name, actor=SHELL, now=datetime.now(UTC))
    return _link(opened, secret, {"organiser": name})


@prints_results
def team_add_cli(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the team.")],
    folder: FolderOption = ".",
    database: DatabaseOption = "",
) -> Results:
    """Add a team, and print a link on which its first member joins. It works once.

    Example: `treegauge challenge team add blue --folder demo`
    """
    opened = opened_database(folder, database)
    from treegauge.challenge_server.audit import SHELL
    from treegauge.challenge_server.invitations import add_invited_team

    team, secret = add_invited_team(opened, name, actor=SHELL, now=datetime.now(UTC))
    return _link(opened, secret, {"team": team.name})


@prints_results
def team_invite_cli(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the team.")],
    member: Annotated[
        str,
        typer.Option(
            "--member",
            metavar="NAME",
            help="A member who lost the password. Default: a new member.",
        ),
    ] = "",
    folder: FolderOption = ".",
    database: DatabaseOption = "",
) -> Results:
    """Print a link for a new member of a team, or for a lost password. It works once.

    Example: `treegauge challenge team invite blue --folder demo`
    """
    opened = opened_database(folder, database)
    from treegauge.challenge_server.audit import SHELL
    from treegauge.challenge_server.invitations import invite

    secret = invite(opened, name, actor=SHELL, now=datetime.now(UTC), account=member or None)
    return _link(opened, secret, {"team": name, **({"member": member} if member else {})})


def _link(database: Database, secret: str, about: dict[str, str]) -> Results:
    """Return the link to an invitation, alone, so that scripts can use it."""
    from treegauge.challenge_server.database import read_setting
    from treegauge.challenge_server.invitations import LASTING
    from treegauge.tables import Table

    with database.read() as connection:
        address = read_setting(connection, "address")
    database.close()
    if address is None:
        address = USUAL_ADDRESS
        console.say(
            f"the server has not run yet: the link is for {address}; replace that if the server "
            f"will have another address",
            style="yellow",
        )
    link = f"{address}/join/{secret}"
    console.say(f"give this link to one person; it can be used once, within {LASTING.days} days")
    document = {"schema": 1, **about, "link": link}
    return Results([Table((*about, "link"), [[*about.values(), link]])], document, text=f"{link}\n")


_ORGANISER_VERBS = {"add": organiser_add_cli}
_TEAM_VERBS = {"add": team_add_cli, "invite": team_invite_cli}


class OrganiserVerbs(LazyVerbs):
    """The verbs of organisers."""

    def names(self) -> Iterable[str]:
        """Return the names of all verbs."""
        return _ORGANISER_VERBS

    def load(self, name: str) -> Any:
        """Return the command of a verb."""
        return alone(name, _ORGANISER_VERBS[name])


class TeamVerbs(LazyVerbs):
    """The verbs of teams."""

    def names(self) -> Iterable[str]:
        """Return the names of all verbs."""
        return _TEAM_VERBS

    def load(self, name: str) -> Any:
        """Return the command of a verb."""
        return alone(name, _TEAM_VERBS[name])


organiser_app = typer.Typer(
    cls=OrganiserVerbs,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="Add organisers to a challenge that has a server.",
    epilog="Example: `treegauge challenge organiser add Olga --folder demo`",
)
team_app = typer.Typer(
    cls=TeamVerbs,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="Add teams to a challenge that has a server, and invite their members.",
    epilog="Example: `treegauge challenge team add blue --folder demo`",
)


@organiser_app.callback()
def organiser() -> None:
    """Add organisers of a challenge that is served."""


@team_app.callback()
def team() -> None:
    """Add teams to a challenge that is served, and invite their members."""


# ---------------------------------------------------------------------- safety


@prints_summary
def backup_cli(
    folder: FolderArgument,
    target: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            rich_help_panel=OUTPUT,
            help="The backup; keep it private.",
        ),
    ],
    packs: Annotated[
        list[str],
        typer.Option(
            "--packs", metavar="DIR", help="Folders with packs. Default: packs next to FOLDER."
        ),
    ] = [],  # noqa: B006
    database: DatabaseOption = "",
) -> dict[str, Any]:
    """Write a challenge and its server to one file. The server may be running.

    The backup contains gold, the salt and the packs. Packs are found in FOLDER, next to it, or
    where --packs says. It contains only hashes of passwords and tokens.

    Example: `treegauge challenge backup demo -o demo.tar`
    """
    opened = opened_database(folder, database, make=False)
    from treegauge.challenge_server.backup import write_backup

    with console.progress(f"saving {folder}") as advance:
        backup = write_backup(opened, target, packs=packs, on_progress=advance)
    opened.close()
    if backup.missing_packs:
        console.say(
            f"not in it: {', '.join(backup.missing_packs)}; name their folder with --packs DIR",
            style="yellow",
        )
    console.say(
        f"wrote {target} ({backup.size / 1e6:.1f} MB) with the bytes of "
        f"{counted(backup.submissions, 'submission')}; gold is inside, keep it private"
    )
    return {"folder": folder, "file": target, "bytes": backup.size, "files": backup.submissions}


@prints_summary
def restore_cli(
    source: Annotated[
        str, typer.Argument(metavar="FILE", help="A file from `treegauge challenge backup`.")
    ],
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="A new folder.")],
    database: DatabaseOption = "",
) -> dict[str, Any]:
    """Restore a backup into a new folder, and into SQLite or an empty PostgreSQL database.

    Example: `treegauge challenge restore demo.tar copy`
    """
    from treegauge.challenge_server.extra import need_server_extra

    need_server_extra()
    from treegauge.challenge_server.restore import restore_backup

    with console.progress(f"restoring {source}"):
        opened = restore_backup(source, folder, database or None)
    shown = opened.shown_url
    opened.close()
    console.say(f"wrote {folder}; `treegauge challenge doctor {folder}` looks at all of it")
    return {"file": source, "folder": folder, "database": shown}


@prints_results
def doctor_cli(folder: FolderArgument, database: DatabaseOption = "") -> Results:
    """Check everything that a server stores: files, receipts, results, jobs, the audit log.

    Exit code 1 if anything is missing or was changed.

    Example: `treegauge challenge doctor demo`
    """
    opened = opened_database(folder, database, make=False)
    from treegauge.challenge_server.blobs import BlobStore
    from treegauge.challenge_server.doctor import diagnose
    from treegauge.tables import Table

    with console.progress(f"looking at {folder}"):
        found = diagnose(opened, BlobStore(opened.server_folder), datetime.now(UTC))
    opened.close()
    for remark in found.remarks:
        console.say(remark, style="yellow")
    summary = (
        f"{Path(folder)}: {counted(found.submissions, 'submission')}, "
        f"{counted(found.results, 'result')}, {counted(found.audit_entries, 'audit row')}: "
        f"{counted(len(found.flaws), 'flaw')}"
    )
    lines = [(flaw, "red") for flaw in found.flaws]
    lines.append((summary, "bold red" if found.flaws else "bold green"))
    document = {
        "schema": 1,
        "folder": folder,
        "submissions": found.submissions,
        "results": found.results,
        "audit": found.audit_entries,
        "flaws": found.flaws,
        "remarks": found.remarks,
    }
    table = Table(("kind", "what"), [["flaw", one] for one in found.flaws])
    return Results([table], document, lines=lines, failed=bool(found.flaws))
