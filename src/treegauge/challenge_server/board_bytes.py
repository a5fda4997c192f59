"""Pages of the board: bytes that workers built, one set for each audience, sent as they are.

The web process computes nothing of them. It asks the database at most once per second whether a
page is still the same, and keeps the bytes of those that are asked for.
"""

from __future__ import annotations

import base64
import hashlib
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache

import sqlalchemy as sa
from starlette.concurrency import run_in_threadpool

from treegauge.challenge_server.database import Database
from treegauge.challenge_server.schema import Audience, board_page
from treegauge.reports.pages.page import Page
from treegauge.reports.pages.tree_data import TreeBank

_KEPT_BYTES = 64_000_000
_FRESH_SECONDS = 1.0
_NAVIGATION = b'<nav class="side-nav" aria-label="Sections">'
_WAY_BACK = b'\n<a href="/">Challenge</a>'
"""The pages of the kit know of no server; here they lead back to it."""


@dataclass(frozen=True)
class BoardPage:
    """A page as it is sent.

    Attributes
    ----------
    checked : float
        When the database was last asked for it.
    """

    etag: str
    media_type: str
    content: bytes
    checked: float = 0.0


class BoardPages:
    """The pages of all audiences.

    Parameters
    ----------
    fresh_seconds : float
        How long a page is sent without asking the database.
    """

    def __init__(
        self,
        database: Database,
        *,
        fresh_seconds: float = _FRESH_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._fresh_seconds = fresh_seconds
        self._clock = clock
        self._kept: OrderedDict[tuple[Audience, str], BoardPage] = OrderedDict()
        self._size = 0

    async def page(self, audience: Audience, path: str, now: datetime) -> BoardPage | None:
        """Return a page, or None where there is none."""
        key = audience, path
        kept = self._kept.get(key)
        if kept is not None and self._clock() - kept.checked < self._fresh_seconds:
            self._kept.move_to_end(key)
            return kept
        asked = self._clock()
        page = await run_in_threadpool(self._read, key, kept, now)
        self._forget(key)
        if page is not None:
            self._keep(key, replace(page, checked=asked))
        return page

    def _read(
        self, key: tuple[Audience, str], kept: BoardPage | None, now: datetime
    ) -> BoardPage | None:
        audience, path = key
        columns = board_page.c
        chosen = (
            (columns.audience == audience) & (columns.path == path) & (columns.shown_from <= now)
        )
        latest = columns.shown_from.desc()
        with self._database.read() as connection:
            etag = connection.scalar(
                sa.select(columns.etag).where(chosen).order_by(latest).limit(1)
            )
            if etag is None:
                return None
            if kept is not None and kept.etag == etag:
                return kept
            row = connection.execute(
                sa.select(columns.etag, columns.media_type, columns.content)
                .where(chosen)
                .order_by(latest)
                .limit(1)
            ).one()
        content = bytes(row.content)
        if row.media_type.startswith("text/html"):
            content = content.replace(_NAVIGATION, _NAVIGATION + _WAY_BACK, 1)
        return BoardPage(row.etag, row.media_type, content)

    def _keep(self, key: tuple[Audience, str], page: BoardPage) -> None:
        self._kept[key] = page
        self._size += len(page.content)
        while self._size > _KEPT_BYTES and len(self._kept) > 1:
            self._forget(next(iter(self._kept)))

    def _forget(self, key: tuple[Audience, str]) -> None:
        page = self._kept.pop(key, None)
        self._size -= len(page.content) if page else 0


@cache
def board_policy() -> str:
    """Return what browsers may do on a page of the board.

    Its style and its script stand in the page. They are named by their sums, taken from a page
    of ours without content: what anybody smuggles into another page has another sum.
    """
    no_trees = Page("", "", ()).to_html()
    with_trees = Page("", "", (), [TreeBank("", (), [], [], ())]).to_html()
    styles = sorted(set(map(_sum, _inside("style", no_trees))))
    scripts = sorted(set(map(_sum, _inside("script", no_trees) + _inside("script", with_trees))))
    return (
        f"default-src 'none'; style-src {' '.join(styles)}; script-src 'self' "
        f"{' '.join(scripts)}; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


def _inside(tag: str, page: str) -> list[str]:
    """Return what stands in elements without attributes; those with a type hold data."""
    return re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)


def _sum(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
