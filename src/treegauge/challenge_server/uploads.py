"""Uploads: from the network to the disk piece by piece, then into the database.

Who asks is known before a byte of the body is read. The bytes are safe on disk before the
submission is written, and that is before the answer.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from treegauge.challenge_server.blobs import Blob
from treegauge.challenge_server.intake import Receipt, accept, phase_for
from treegauge.challenge_server.page_writing import FORM_FIELD
from treegauge.challenge_server.phases import why_not_taken
from treegauge.challenge_server.slow_clients import TimedBody
from treegauge.challenge_server.visits import Visit, check_form_key
from treegauge.challenge_server.web_errors import WebError

_PIECE = 1 << 20
"""Bytes that are written at once: a thread for every packet would cost more than the disk."""
_ZIP = b"PK\x03\x04"
_ENVELOPE = 100_000
"""Bytes of a browser's form besides the file."""
_SUM = re.compile("[0-9a-f]{64}")


async def take_raw(visit: Visit, *, track: str, phase: str) -> Receipt:
    """Take the body of a request as a submission."""
    visit.must("submit")
    refuse_early(visit, track, phase)
    expected = visit.request.headers.get("x-content-sha256", "").lower()
    if expected and not _SUM.fullmatch(expected):
        raise WebError(400, "X-Content-SHA256: expected 64 hexadecimal digits.")
    limits = visit.server.settings.limits
    async with visit.server.turns.turn(visit.visitor.team):
        body = TimedBody(visit.request, limits, limits.upload)
        blob = await _kept(visit, body)
        if expected and blob.sha256 != expected:
            raise WebError(
                400,
                "The upload was damaged: its SHA-256 differs. Send it again.",
            )
        return await _accepted(visit, blob, track, phase)


async def take_form(visit: Visit) -> Receipt:
    """Take the file of a browser's form as a submission."""
    visit.must("submit")
    limits = visit.server.settings.limits
    async with visit.server.turns.turn(visit.visitor.team):
        body = TimedBody(visit.request, limits, limits.upload + _ENVELOPE)
        if not visit.request.headers.get("content-type", "").startswith("multipart/form-data"):
            raise WebError(400, "The server could not read this form. Send it again.")
        parser = MultiPartParser(
            visit.request.headers,
            body,  # type: ignore[arg-type]  # it is iterated over, and nothing else
            max_files=1,
            max_fields=5,
            max_part_size=10_000,
        )
        try:
            form = await parser.parse()
        except MultiPartException:
            raise WebError(400, "The server could not read this form. Send it again.") from None
        try:
            key, target, file = (form.get(name) for name in (FORM_FIELD, "target", "file"))
            check_form_key(visit, key if isinstance(key, str) else "")
            if not isinstance(file, UploadFile) or not isinstance(target, str) or not file.size:
                raise WebError(400, "Choose a zip and a track, and send the form again.")
            phase, _, track = target.partition("/")
            refuse_early(visit, track, phase)
            blob = await _kept(visit, _pieces(file))
            return await _accepted(visit, blob, track, phase)
        finally:
            await form.close()


def refuse_early(visit: Visit, track: str, phase: str) -> None:
    """Refuse what no phase takes before it has been uploaded; `accept` looks again."""
    chosen = phase_for(visit.challenge, track, visit.now, phase)
    why = why_not_taken(chosen, visit.now, visit.now)
    # Whoever lost an answer may ask again after the close: the same content is the same receipt.
    if why and visit.now < chosen.opens:
        raise WebError(403, f"{why[0].upper()}{why[1:]}.")


async def _pieces(file: UploadFile) -> AsyncIterator[bytes]:
    while piece := await file.read(_PIECE):
        yield piece


async def _kept(visit: Visit, body: AsyncIterator[bytes]) -> Blob:
    """Write a body to disk, and sync it."""
    with visit.server.blobs.receive() as incoming:
        waiting: list[bytes] = []
        size, is_first = 0, True
        async for piece in body:
            waiting.append(piece)
            size += len(piece)
            if size >= _PIECE:
                is_first = await _written(incoming.write, waiting, is_first)
                waiting, size = [], 0
        is_first = await _written(incoming.write, waiting, is_first)
        if not incoming.size:
            raise WebError(400, "The file is empty. Send the zip that `check --zip` wrote.")
        return await run_in_threadpool(incoming.keep)


async def _written(write: Callable[[bytes], None], pieces: list[bytes], is_first: bool) -> bool:
    content = b"".join(pieces)
    if is_first and content and not content.startswith(_ZIP):
        raise WebError(
            400,
            "This is not a zip file. Send the one that `treegauge challenge check --zip` wrote.",
        )
    await run_in_threadpool(write, content)
    return is_first and not content


async def _accepted(visit: Visit, blob: Blob, track: str, phase: str) -> Receipt:
    server = visit.server

    def commit() -> Receipt:
        return accept(
            server.database,
            server.folder.challenge,
            visit.visitor,
            blob,
            track=track,
            phase=phase,
            began=visit.now,
            ended=server.clock.now(),
            points=server.points,
        )

    return await run_in_threadpool(commit)
