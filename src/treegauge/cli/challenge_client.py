"""`treegauge challenge join, submit`: taking part in a challenge that has a server."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import Results, prints_results, prints_summary

if TYPE_CHECKING:
    from treegauge.tables import Table

TokenFileOption = Annotated[
    str, typer.Option("--token-file", metavar="FILE", help="The file with your token.")
]


@prints_summary
def join_cli(
    link: Annotated[
        str, typer.Argument(metavar="LINK", help="The link that the organisers gave you.")
    ],
    token_file: Annotated[
        str,
        typer.Option("--token-file", metavar="FILE", help="A new file for your token."),
    ],
    name: Annotated[
        str,
        typer.Option("--name", metavar="NAME", help="Your name. Default: the name of the team."),
    ] = "",
) -> dict[str, Any]:
    """Accept an invitation without a browser, and store the token that `submit` needs.

    The link works once. The token is a secret. Only you can read the file.

    Example: `treegauge challenge join https://challenge.example.org/join/… --token-file token`
    """
    from treegauge.challenge_server.client import ServerClient, parse_link
    from treegauge.challenge_server.token_files import write_token

    address, secret = parse_link(link)
    client = ServerClient(address, says=console.say)
    with write_token(token_file) as keep:  # a file that cannot be written burns no link
        joined = client.join(secret, **({"name": name} if name else {}))
        keep(str(joined["token"]))
    team = joined.get("team")
    console.say(f"{joined['name']} joined {team or 'the organisers'}; the token is in {token_file}")
    return {"address": address, "name": joined["name"], "team": team, "token_file": token_file}


@prints_results
def submit_cli(
    address: Annotated[
        str, typer.Argument(metavar="URL", help="The address of the challenge's server.")
    ],
    submission: Annotated[
        str,
        typer.Argument(metavar="SUBMISSION", help="A folder or a zip file with your annotation."),
    ],
    track: Annotated[
        str, typer.Option("--track", metavar="TRACK", help="The track of the submission.")
    ],
    token_file: TokenFileOption,
    pack: Annotated[
        str,
        typer.Option(
            "--pack", metavar="PACK", help="Check with this pack. Default: the pack of the server."
        ),
    ] = "",
    wait: Annotated[
        float,
        typer.Option("--wait", metavar="SECONDS", help="The longest time to wait for the result."),
    ] = 600.0,
) -> Results:
    """Check a submission, send it, wait for its result, and print it as `evaluate` does.

    A submission that the organisers would refuse is not sent. If the connection breaks, it is
    sent again, and counts once. Exit code 1 if it is refused.

    Example: `treegauge challenge submit https://challenge.example.org ours.zip --track dependencies
    --token-file token`
    """
    from treegauge.challenge_server import submitting
    from treegauge.challenge_server.client import ServerClient
    from treegauge.challenge_server.token_files import read_token
    from treegauge.challenges.submission import describe_submission
    from treegauge.challenges.times import shown_time

    client = ServerClient(address, read_token(token_file), says=console.say)
    about = describe_submission(submission)
    team = submitting.team_of_sender(about, client.json("GET", "/api/1/me"), track)
    target = submitting.target_of(client.challenge(), track, about.part, client.address)
    with console.progress(f"checking {submission}"):
        read = submitting.checked_submission(client, submission, target, pack)
    findings = list(read.findings.lines())
    for line, grade in findings:
        console.say(line, style=_STYLES[str(grade)])
    if not read.findings.is_acceptable:
        text = f"{submission}: not sent; {read.findings.summary()}"
        document = {"schema": 1, "sent": False, "findings": read.findings.to_list()}
        return Results([], document, lines=[(text, "bold red")], failed=True)
    with console.progress(f"sending {submission}") as advance:
        own = submitting.as_team(read, team)
        if own is not read:
            console.say(f"system.toml says team {about.team!r}; it is sent as {team!r}, yours")
        sent = submitting.sent_submission(client, own, target)
        advance(0.1, str(sent["state"]))
        received = shown_time(datetime.fromisoformat(str(sent["received"])))
        console.say(f"submission {sent['id']}: received {received}")
        result = submitting.wait_for_result(
            client, sent, seconds=wait, on_state=lambda state: advance(0.5, state)
        )
    document = {"schema": 1, "sent": True, "submission": result}
    tables = [_table(result)] if result.get("scores") else []
    lines = [] if tables else [_verdict(result)]
    failed = result["state"] in ("refused", "failed")
    return Results(tables, document, lines=lines, failed=failed)


_STYLES = {"error": "red", "warning": "yellow", "note": "cyan"}


def _verdict(result: dict[str, Any]) -> tuple[str, str]:
    """Say how far a submission has come that has no scores to show."""
    text = f"submission {result['id']}: {result['message']}"
    return text, "bold red" if result["state"] in ("refused", "failed") else "bold green"


def _table(result: dict[str, Any]) -> Table:
    """Return a row for every metric, a column for every treebank and one for the average."""
    from treegauge.metrics import MetricSpec
    from treegauge.reports.pages.shared_parts import titled
    from treegauge.tables import NUMBER, PERCENT, Cell, Table

    scores = result["scores"]
    treebanks = list(scores["treebanks"])
    rows: list[list[Cell | str]] = []
    signatures = []
    for metric in result["metrics"]:
        spec = MetricSpec.parse(metric)
        number = PERCENT if spec.metric.is_share else NUMBER
        own = [scores["treebanks"][name].get(metric) for name in treebanks]
        own.append(scores["average"].get(metric))
        rows.append([titled(spec), *(_cell(one, number) for one in own)])
        signatures += [one["signature"] for one in own[:1] if one and "signature" in one]
    notes = [f"average over {', '.join(result['averaged'])}", *signatures]
    return Table(("", *treebanks, "average"), rows, notes=notes)


def _cell(score: dict[str, Any] | None, number: Any) -> Any:
    from treegauge.tables import Cell

    if score is None:
        return Cell(note="no score")
    return Cell(score["value"], score["low"], score["high"], format=number)
