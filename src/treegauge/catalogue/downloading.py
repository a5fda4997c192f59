"""Downloads a file: resumes what was begun, survives a cut connection, checks the result."""

from __future__ import annotations

import contextlib
import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from treegauge.catalogue.checksums import Checksum
from treegauge.catalogue.errors import CatalogueError
from treegauge.errors import reason_of

Progress = Callable[[int, int | None], None]
"""Told how many bytes there are so far, and of how many, if that is known."""

_CHUNK = 1 << 18
_TIMEOUT = 60.0
_BUSY = (408, 425, 429, 500, 502, 503, 504)
"""Answers of a server that may think otherwise in a moment."""


class _CutError(Exception):
    """The connection broke; what has arrived is kept."""


def download(
    url: str,
    target: str | Path,
    *,
    checksum: str | Checksum | None = None,
    on_progress: Progress | None = None,
    tries: int = 5,
    pause: float = 2.0,
) -> Path:
    """Download a file to a path.

    Bytes go to `TARGET.part` first; it is renamed when complete and checked. A `.part` of an
    earlier attempt is continued where it ends, if the server can do that.

    Parameters
    ----------
    url : str
        An address that begins with `http://` or `https://`.
    checksum : str or Checksum, optional
        What the file must add up to: `sha256:...`, `md5:...`, or the digits alone.
    on_progress : callable, optional
        Called with the bytes so far and the bytes in all (None where it is not known).
    tries : int
        How often to connect before giving up.
    pause : float
        Seconds before the second attempt; doubled before every further one.

    Returns
    -------
    Path
        The target.

    Raises
    ------
    CatalogueError
        If the server refuses, the connection breaks again and again (the `.part` stays), or
        the checksum is wrong (the `.part` is removed).
    """
    if not url.startswith(("http://", "https://")):
        raise CatalogueError(f"[address] expected http:// or https://, found {url!r}")
    expected = Checksum.parse(checksum) if isinstance(checksum, str) else checksum
    target = Path(target)
    part = target.with_name(f"{target.name}.part")
    with _explained(part):
        target.parent.mkdir(parents=True, exist_ok=True)
    for attempt in range(1, tries + 1):
        try:
            _continue(url, part, on_progress)
            break
        except _CutError as cut:
            if attempt == tries:
                raise CatalogueError(_gave_up(url, part, tries, str(cut))) from None
            time.sleep(pause * 2 ** (attempt - 1))
    if expected is not None:
        _check(part, url, expected)
    with _explained(target):
        part.replace(target)
    return target


def _continue(url: str, part: Path, on_progress: Progress | None) -> None:
    """Get what is still missing of a file."""
    begun = part.stat().st_size if part.is_file() else 0
    request = urllib.request.Request(url, headers={"User-Agent": "treegauge"})
    if begun:
        request.add_header("Range", f"bytes={begun}-")
    try:
        response = urllib.request.urlopen(request, timeout=_TIMEOUT)
    except urllib.error.HTTPError as error:
        with error:
            _refused(url, part, begun, error)
        return
    except (OSError, http.client.HTTPException) as error:
        raise _CutError(_reason(error)) from None
    with response:
        _no_web_page(url, response)
        # 206 is the rest from where we asked; 200 is a server that knows no ranges and
        # begins again, and so do we.
        position = begun if response.status == 206 and _starts_at(response, begun) else 0
        if response.status == 206 and not position:
            part.unlink(missing_ok=True)
            raise _CutError("the server sent a different range from the one requested")
        _save(response, part, position, on_progress)


def _save(response: Any, part: Path, position: int, on_progress: Progress | None) -> None:
    length = response.headers.get("Content-Length")
    total = position + int(length) if length and length.isdigit() else None
    with _explained(part), part.open("ab" if position else "wb") as stream:
        while True:
            if on_progress is not None:
                on_progress(position, total)
            try:
                chunk = response.read(_CHUNK)
            except (OSError, http.client.HTTPException) as error:
                raise _CutError(_reason(error)) from None
            if not chunk:
                break
            stream.write(chunk)
            position += len(chunk)
    # A connection that ends too early looks like the end of the file to `read`.
    if total is not None and position < total:
        raise _CutError(f"the connection ended after {position:,} of {total:,} bytes")


def _refused(url: str, part: Path, begun: int, error: urllib.error.HTTPError) -> None:
    """Return if a refusal only means that everything has arrived, and raise otherwise."""
    if error.code == 416 and begun:
        total = error.headers.get("Content-Range", "").rpartition("/")[2]
        if total == str(begun):
            return
        # Longer than the file on the server, so it was begun from another one.
        part.unlink()
        raise _CutError("the file on the server has changed")
    if error.code in _BUSY:
        raise _CutError(f"the server answered {error.code} {error.reason}")
    raise CatalogueError(
        f"{url}: [download] the server answered {error.code} {error.reason}\n"
        "  check the address; the page of the release has the current one"
    )


def _no_web_page(url: str, response: Any) -> None:
    # Repositories that have moved answer old addresses with a page for people and 200.
    if response.headers.get_content_type() == "text/html":
        raise CatalogueError(
            f"{url}: [download] expected a file, found a web page\n"
            "  open the address in a browser; the archive may have moved, or ask for consent"
        )


def _starts_at(response: Any, begun: int) -> bool:
    content_range: str = response.headers.get("Content-Range", "")
    return content_range.startswith(f"bytes {begun}-")


def _check(part: Path, url: str, expected: Checksum) -> None:
    checksum = Checksum.of_file(part, expected.algorithm)
    if checksum != expected:
        part.unlink()
        raise CatalogueError(
            f"{url}: [checksum] expected {expected}, found {checksum}\n"
            "  the download was removed: it was damaged, or it is not the requested file; try "
            "again, or give the publisher's checksum"
        )


def _gave_up(url: str, part: Path, tries: int, reason: str) -> str:
    kept = ""
    if part.is_file():
        kept = f"; {part.stat().st_size:,} bytes are kept in {part}"
    return (
        f"{url}: [download] gave up after {tries} attempts: {reason}{kept}\n"
        "  run the same command again to continue"
    )


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn what the disk says into a message; the network has its own."""
    try:
        yield
    except OSError as error:
        raise CatalogueError(f"{path}: cannot be written: {reason_of(error)}") from None


def _reason(error: BaseException) -> str:
    cause = getattr(error, "reason", error)
    return (getattr(cause, "strerror", None) or str(cause) or type(cause).__name__).lower()
