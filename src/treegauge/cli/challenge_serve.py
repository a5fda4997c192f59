"""`treegauge challenge serve, worker`: the processes of a challenge's server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.challenge_accounts import DatabaseOption
from treegauge.cli.challenge_files import FolderArgument
from treegauge.cli.console import Results, prints_results, prints_summary


@prints_results
def serve_cli(
    folder: FolderArgument,
    workers: Annotated[
        int,
        typer.Option(
            "--workers", metavar="N", min=0, max=64, help="The number of processes that score."
        ),
    ] = 1,
    port: Annotated[
        int,
        typer.Option(
            "--port",
            metavar="N",
            min=0,
            max=65535,
            help="The port to listen on; 0 for any free port.",
        ),
    ] = 8000,
    host: Annotated[
        str,
        typer.Option("--host", metavar="ADDRESS", help="The address of this machine to listen on."),
    ] = "127.0.0.1",
    database: DatabaseOption = "",
    address: Annotated[
        str,
        typer.Option(
            "--address",
            metavar="URL",
            help="The public address, such as https://challenge.example.org behind a TLS proxy.",
        ),
    ] = "",
    packs: Annotated[
        list[str],
        typer.Option(
            "--packs", metavar="DIR", help="Folders with packs. Default: packs next to FOLDER."
        ),
    ] = [],  # noqa: B006
    check: Annotated[
        bool,
        typer.Option("--check", help="Report what would stop the server, without starting it."),
    ] = False,
) -> Results:
    """Run the web server of a challenge: teams log in, upload, and see their results.

    The server is one web process and some workers, which are restarted if they crash. SIGTERM or
    Ctrl-C stops all. Plain HTTP is for this machine only. Use a TLS proxy for other machines.

    Example: `treegauge challenge serve demo --workers 2`
    """
    from treegauge.challenge_server.extra import need_server_extra

    need_server_extra()
    from treegauge.challenge_server.serving import ServerPlan, obstacles, serve

    plan = ServerPlan(Path(folder), workers, host, port, database, address, tuple(packs))
    if check:
        return _checked(folder, obstacles(plan))
    code = serve(plan, console.say, on_address=typer.echo)
    document = {"schema": 1, "folder": folder}
    return Results([], document, lines=[(f"{folder}: the server has ended", "")], failed=bool(code))


def _checked(folder: str, found: list[str]) -> Results:
    from treegauge.tables import Table

    lines = [(one, "red") for one in found]
    if not found:
        lines = [(f"{folder}: nothing stops the server", "bold green")]
    document = {"schema": 1, "folder": folder, "obstacles": found}
    table = Table(["obstacle"], [[one] for one in found])
    return Results([table], document, lines=lines, failed=bool(found))


@prints_summary
def worker_cli(folder: FolderArgument, database: DatabaseOption = "") -> dict[str, Any]:
    """Score submissions for a server, in one process. With PostgreSQL, any machine can do this.

    FOLDER is the folder of the server, also on another machine. SIGTERM or Ctrl-C stops the worker
    after its current submission.

    Example: `treegauge challenge worker demo`
    """
    from treegauge.challenge_server.extra import need_server_extra

    need_server_extra()
    from treegauge.challenge_server.worker_process import run_worker

    console.say(f"a worker of {folder}; Ctrl-C ends it")
    run_worker(folder, database, say=console.say)
    return {"folder": folder}
