"""`submit`: what a participant has is checked, sent, and waited for.

The check is the organisers' own, with the pack that the server gives out. What is sent is the
canonical zip: annotation alone, no word of the text.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from treegauge.challenge_server.client import ServerClient
from treegauge.challenges import (
    ChallengeError,
    Submission,
    read_pack,
    read_submission,
    task_of_pack,
)
from treegauge.challenges.packs import zip_bytes
from treegauge.challenges.system_file import (
    SYSTEM_FILE,
    SystemDescription,
    name_key,
)
from treegauge.challenges.times import shown_time
from treegauge.formats import write_chunks
from treegauge.wording import alternatives, unknown_name

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 10.0


@dataclass(frozen=True)
class Target:
    """Where a submission goes: a phase and a track, and the pack that it is checked with."""

    track: str
    phase: Mapping[str, Any]
    pack: Mapping[str, Any] | None


def target_of(challenge: Mapping[str, Any], track: str, part: str, address: str) -> Target:
    """Find the phase that takes a submission now.

    Parameters
    ----------
    challenge : mapping
        As the server describes it.

    Raises
    ------
    ChallengeError
        If there is no such track, or no phase takes it now; the message says when one does.
    """
    names = [one["name"] for one in challenge["tracks"]]
    if track not in names:
        raise ChallengeError(f"{address}: {unknown_name('track', track, names)}")
    phases = [one for one in challenge["phases"] if track in one["tracks"] and one["part"] == part]
    open_ones = [one for one in phases if one["is_open"]]
    if not open_ones:
        raise ChallengeError(f"{address}: {_when(phases, track, part)}")
    kind = "test" if part == "test" else "release"
    packs = [one for one in challenge["packs"] if one["kind"] == kind]
    chosen = [one for one in packs if kind == "release" or one["track"] == track]
    return Target(track, open_ones[-1], chosen[0] if chosen else None)


def _when(phases: list[Mapping[str, Any]], track: str, part: str) -> str:
    times = [
        f"{one['name']} from {_shown(one['opens'])} to {_shown(one['closes'])}" for one in phases
    ]
    if not times:
        return f"no phase accepts the {part} part of {track}"
    return f"no phase accepts the {part} part of {track} now: {'; '.join(times)}"


def _shown(moment: str) -> str:
    return shown_time(datetime.fromisoformat(moment))


def team_of_sender(about: SystemDescription, who: Mapping[str, Any], track: str) -> str:
    """Return the team that a token is of; refuse another track than the submission is for."""
    if about.track != track:
        raise ChallengeError(
            f"{SYSTEM_FILE} says track {about.track!r}, and --track {track!r}; change one of them"
        )
    team = who.get("team")
    if team is None:
        raise ChallengeError(
            "this token is an organiser's; only members of a team send submissions"
        )
    return str(team)


def as_team(submission: Submission, team: str) -> Submission:
    """Return a submission that says who sends it, which the server insists on."""
    system = submission.system
    if system is None or name_key(team) == name_key(system.team):
        return submission
    return replace(submission, system=replace(system, team=team))


def checked_submission(
    client: ServerClient, source: str | Path, target: Target, pack: str | Path = ""
) -> Submission:
    """Check a submission with the pack of the server, or with one that is at hand."""
    if pack:
        task = task_of_pack(read_pack(pack, "test", "release"), target.track)
        return read_submission(source, task)
    if target.pack is None:
        raise ChallengeError(
            f"{client.address}: it offers no pack for {target.track}; name yours with --pack"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / str(target.pack["name"])
        write_chunks(path, [client.pack(target.pack)])
        opened = read_pack(path, "test", "release")
        if opened.manifest.get("to_fill"):
            raise ChallengeError(
                f"{target.pack['name']}: it has no words, because of their licence; download it, "
                "rebuild it with `treegauge challenge fill`, and name that with --pack"
            )
        return read_submission(source, task_of_pack(opened, target.track))


def sent_submission(client: ServerClient, submission: Submission, target: Target) -> dict[str, Any]:
    """Send the canonical zip of a submission without errors; return what the server says."""
    content = zip_bytes(submission.canonical_files())
    answer = client.send(content, track=target.track, phase=str(target.phase["name"]))
    return _own(answer)


def wait_for_result(
    client: ServerClient,
    sent: Mapping[str, Any],
    *,
    seconds: float,
    on_state: Callable[[str], None] = lambda _state: None,
) -> dict[str, Any]:
    """Ask for a submission until nothing more is to come, or the time is over."""
    end = time.monotonic() + seconds
    pause = _FIRST_PAUSE
    now = dict(sent)
    while not now["is_final"] and time.monotonic() < end:
        on_state(str(now["state"]))
        time.sleep(min(pause, max(end - time.monotonic(), 0)))
        pause = min(pause * 1.5, _LONGEST_PAUSE)
        now = _own(client.submission(str(sent["id"])))
    return now


def _own(answer: Mapping[str, Any]) -> dict[str, Any]:
    submission = answer.get("submission")
    if not isinstance(submission, dict) or not {"id", "state", "is_final"} <= set(submission):
        raise ChallengeError(
            "this version of treegauge does not understand the server's answer; install the "
            f"version that the organisers name, {alternatives(['newer', 'older'])}"
        )
    return submission
