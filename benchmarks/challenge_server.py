"""A challenge server: a leaderboard of fifty systems, and a hundred uploads at once.

Server and clients share the machine, and its two cores. Clients are processes of their own.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import corpora

TITLE = "Challenge server"
TREEBANKS, WORDS, SYSTEMS, TEAMS = 10, 2_000, 50, 25
SECONDS, CONNECTIONS = 10.0, 8
UPLOADS, UPLOAD = 100, 5_000_000
WANTED_RATE, WANTED_MS = 1000, 50
WANTED_SECONDS, WANTED_MEGABYTES, WANTED_MS_MEANWHILE = 30, 300, 500

_CHALLENGE = """
name = "bench"

[[tracks]]
name = "dependencies"
hide = ["heads"]
annotate = ["heads"]
metrics = ["uas", "ned"]
primary = "uas"

[[phases]]
name = "test"
part = "test"
tracks = ["dependencies"]
opens = "2026-01-01 UTC"
closes = "2099-01-01 UTC"
scores = "at once"
"""
_TREEBANK = '\n[[treebanks]]\nname = "t{k}"\ntest = "t{k}.conllu"\nlicence = "none needed"\n'
_BOARD = "/board/track-dependencies.html"


def report() -> str:
    """Measure, and return the section of docs/benchmarks.md."""
    folder, tokens = _prepared()
    with _server(folder) as (port, web):
        size = len(_ask(port, _BOARD))
        board = _client("board", str(port), str(SECONDS))
        idle = _megabytes(web)
        readers = _start_client("board", str(port), "0")
        uploads = _client("uploads", str(port), *tokens)
        meanwhile = _ended(readers)
        peak = _megabytes(web)
    assert uploads["accepted"] == UPLOADS, uploads
    rows = [
        (
            f"{CONNECTIONS} readers: requests per second",
            f"{board['rate']:,.0f}",
            f"≥ {WANTED_RATE:,}",
        ),
        ("99 % of them within, ms", f"{board['p99']:.0f}", f"≤ {WANTED_MS}"),
        ("half of them within, ms", f"{board['p50']:.1f}", ""),
        (
            f"{UPLOADS} uploads of {UPLOAD / 1e6:.0f} MB at once, all answered 201, s",
            f"{uploads['seconds']:.1f}",
            f"≤ {WANTED_SECONDS}",
        ),
        (
            "99 % of requests for the leaderboard meanwhile within, ms",
            f"{meanwhile['p99']:.0f}",
            f"≤ {WANTED_MS_MEANWHILE}",
        ),
        (
            f"the web process at its peak, MB ({idle:.0f} before)",
            f"{peak:.0f}",
            f"≤ {WANTED_MEGABYTES}",
        ),
    ]
    lines = [
        f"A leaderboard of {SYSTEMS} systems on {TREEBANKS} treebanks, a page of "
        f"{size / 1000:,.0f} kB; SQLite; server and clients on the same cores.",
        "",
        "| what | measured | target |",
        "| :-- | --: | --: |",
        *(f"| {what} | {value} | {wanted} |" for what, value, wanted in rows),
    ]
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------------- the challenge


def _prepared() -> tuple[Path, list[str]]:
    """Write a challenge whose board has fifty systems; return its folder and tokens of teams."""
    from treegauge import toy_treebank, write

    place = corpora.FOLDER / "server"
    shutil.rmtree(place, ignore_errors=True)
    folder = place / "bench"
    folder.mkdir(parents=True)
    text = _CHALLENGE
    for k in range(TREEBANKS):
        write(toy_treebank("toy:svo", tokens=WORDS, part="test", seed=k), folder / f"t{k}.conllu")
        text += _TREEBANK.format(k=k)
    (folder / "challenge.toml").write_text(text, encoding="utf-8")
    (folder / "rules.md").write_text("# Rules\n", encoding="utf-8")
    (folder / "salt.txt").write_text("00" * 32, encoding="utf-8")
    _treegauge("pack", str(folder), "-o", str(place / "packs"))
    example = place / "packs" / "bench-dependencies-example.zip"
    _treegauge("score", str(folder), str(example))
    return folder, _filled(folder)


def _filled(folder: Path) -> list[str]:
    """Fill the database of the server, and build the board."""
    from treegauge.challenge_server import Database
    from treegauge.challenge_server.audit import SHELL
    from treegauge.challenge_server.invitations import add_invited_team, redeem
    from treegauge.challenge_server.worker import Worker

    now = datetime.now(UTC)
    database = Database.open(folder)
    tokens, teams = [], []
    for k in range(TEAMS):
        team, secret = add_invited_team(database, f"team {k}", actor=SHELL, now=now)
        redeemed = redeem(database, secret, now=now, token_name="bench")
        tokens.append(redeemed.token)
        teams.append((team.id, redeemed.account.id))
    (path,) = (folder / "results").glob("*/*.json")
    _insert_results(database, teams, json.loads(path.read_bytes()), now)
    worker = Worker(database)
    while worker.work_once():
        pass
    database.close()
    return tokens


def _insert_results(
    database: Any, teams: list[tuple[str, str]], document: dict[str, Any], now: datetime
) -> None:
    """Insert results of fifty systems, all as large as the one that was scored."""
    import numpy as np
    import sqlalchemy as sa

    from treegauge.challenge_server import schema
    from treegauge.challenges.packs import canonical_json, sha256

    random = np.random.default_rng(0)
    with database.write() as connection:
        for k in range(SYSTEMS):
            copy = json.loads(json.dumps(document))
            content = sha256(str(k).encode())
            copy["submission"] |= {"id": content, "team": f"team {k}", "system": f"system {k}"}
            for own in copy["treebanks"].values():
                gold = own["standards"]["gold"]
                whole = np.asarray(gold["sentences"]["whole"])
                gold["sentences"]["right"] = random.binomial(whole, 0.3 + 0.01 * k).tolist()
                share = sum(gold["sentences"]["right"]) / sum(gold["sentences"]["whole"])
                gold["scores"]["uas"]["value"] = share
            team, account = teams[k % TEAMS]
            id = schema.new_id()
            connection.execute(
                sa.insert(schema.submission).values(
                    id=id,
                    number=k + 1,
                    team=team,
                    account=account,
                    phase="test",
                    track="dependencies",
                    content=content,
                    size=1,
                    began=now,
                    received=now,
                    state="accepted",
                    decided=now,
                    canonical=content,
                    system=f"system {k}",
                    receipt=content,
                )
            )
            bytes_ = canonical_json(copy)
            connection.execute(
                sa.insert(schema.result).values(
                    submission=id,
                    scorer=copy["scorer"],
                    created=now,
                    document=bytes_,
                    sha256=sha256(bytes_),
                )
            )


def _treegauge(*arguments: str) -> None:
    command = [sys.executable, "-m", "treegauge", "challenge", *arguments]
    subprocess.run(command, check=True, capture_output=True)


# ---------------------------------------------------------------------- the server


@contextmanager
def _server(folder: Path) -> Iterator[tuple[int, int]]:
    """Serve; give the port, and the number of the web process."""
    command = [sys.executable, "-m", "treegauge", "challenge", "serve", str(folder)]
    with subprocess.Popen(
        [*command, "--workers", "0", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as served:
        assert served.stdout is not None
        port = int(served.stdout.readline().rpartition(":")[2])
        _ask(port, "/health")
        children = Path(f"/proc/{served.pid}/task/{served.pid}/children")
        (web,) = children.read_text(encoding="ascii").split()
        try:
            yield port, int(web)
        finally:
            served.terminate()


def _megabytes(number: int) -> float:
    """Return the peak memory of a process."""
    status = Path(f"/proc/{number}/status").read_text(encoding="ascii")
    (line,) = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) / 1000


def _ask(port: int, path: str) -> bytes:
    """Ask until the server answers."""
    from http.client import HTTPConnection

    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    response = connection.getresponse()
    content = response.read()
    assert response.status == 200, content
    connection.close()
    return content


# ---------------------------------------------------------------------- clients


def _start_client(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "benchmarks.challenge_server", *arguments]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _ended(client: subprocess.Popen[str]) -> dict[str, Any]:
    output, _ = client.communicate()
    found: dict[str, Any] = json.loads(output)
    return found


def _client(*arguments: str) -> dict[str, Any]:
    return _ended(_start_client(*arguments))


async def read_board(port: int, seconds: float) -> dict[str, float]:
    """Read the board for some time, or until standard input ends, over a few connections."""
    times: list[float] = []
    stop = asyncio.Event()

    async def reader() -> None:
        stream, sink = await asyncio.open_connection("127.0.0.1", port)
        request = f"GET {_BOARD} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
        while not stop.is_set():
            begin = time.perf_counter()
            sink.write(request)
            head = await stream.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200"), head
            length = head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]
            await stream.readexactly(int(length))
            times.append(time.perf_counter() - begin)
            if not seconds:
                await asyncio.sleep(0.02)  # people, not a flood
        sink.close()

    begin = time.perf_counter()
    tasks = [asyncio.create_task(reader()) for _ in range(CONNECTIONS)]
    if seconds:
        await asyncio.sleep(seconds)
    else:
        await asyncio.to_thread(sys.stdin.read)
    stop.set()
    await asyncio.gather(*tasks)
    whole = time.perf_counter() - begin
    ordered = sorted(times)
    return {
        "rate": len(times) / whole,
        "p50": 1000 * ordered[len(ordered) // 2],
        "p99": 1000 * ordered[int(len(ordered) * 0.99)],
    }


async def upload_all(port: int, tokens: list[str]) -> dict[str, float]:
    """Send all uploads at once, each of other bytes."""
    rest = os.urandom(UPLOAD - 20)

    async def upload(token: str) -> int:
        content = b"PK\x03\x04" + secrets.token_bytes(16)
        stream, sink = await asyncio.open_connection("127.0.0.1", port)
        sink.write(
            f"POST /api/1/submissions?track=dependencies&phase=test HTTP/1.1\r\n"
            f"Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/zip\r\nContent-Length: {UPLOAD}\r\n\r\n".encode()
        )
        sink.write(content)
        for place in range(0, len(rest), 1 << 16):
            sink.write(rest[place : place + (1 << 16)])
            await sink.drain()
        head = await stream.readuntil(b"\r\n")
        sink.close()
        return int(head.split()[1])

    begin = time.perf_counter()
    own = [tokens[k % len(tokens)] for k in range(UPLOADS)]
    statuses = await asyncio.gather(*(upload(token) for token in own))
    seconds = time.perf_counter() - begin
    return {"seconds": seconds, "accepted": sum(one == 201 for one in statuses)}


def _main(what: str, port: str, *others: str) -> None:
    if what == "board":
        found = asyncio.run(read_board(int(port), float(others[0])))
    else:
        found = asyncio.run(upload_all(int(port), list(others)))
    print(json.dumps(found))


if __name__ == "__main__":
    _main(*sys.argv[1:]) if len(sys.argv) > 1 else print(report())
