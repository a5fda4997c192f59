"""What golden files do not keep: measured times, keys of cells, the temporary folder.

Cells report fixed times and memory (see `capture.py`), so that tables of costs keep their layout.
Scores are never masked.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

SECONDS_OF_A_SUMMARY = re.compile(r"((?:fit|annotate)(?:\\_|_)seconds)([ \t|&]*)[\d.]+( *)")
"""The rows of a summary: `fit_seconds   0.012`."""
SECONDS_OF_A_PAGE = re.compile(r"[\d.]+ seconds for reading and scoring")
"""A line on the page of an evaluation."""
PROGRESS = re.compile(r"^(?:\d+ of \d+ cells; .*|scoring \d+%)\n", re.MULTILINE)
"""Lines on standard error that come once in 30 seconds."""
SETTING_UP = re.compile(r"about (?:\d+ s|\d+ min|[\d.]+ h) with")
"""The estimate of a plan. It depends on cells that have ended."""

DIGEST = re.compile(r"\b[0-9a-f]{64}\b|(?<=results/)[0-9a-f]{16}\b")
"""Digests of challenges: packs have a random salt, scores the version of the scorer."""
MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC")
LINK = re.compile(r"(/join/)[\w-]+")
"""A link for one person; what follows is random."""
SIZE = re.compile(r"\([\d.]+ MB\) with the bytes")
"""Of the copy of a challenge, which has a database."""

MASKED_KEYS = {
    "fit_seconds": "<seconds>",
    "annotate_seconds": "<seconds>",
    "cell": "<key>",
    "scorer": "<digest>",
    "bytes": "<bytes>",
}
"""Members of JSON documents that are measured, or that depend on the code of a system."""


def mask_text(text: str, folder: Path) -> str:
    """Return an output without what differs from run to run."""
    text = text.replace(str(folder), "<folder>")
    text = SECONDS_OF_A_SUMMARY.sub(_masked_row, text)
    text = SECONDS_OF_A_PAGE.sub("<seconds> seconds for reading and scoring", text)
    text = SETTING_UP.sub("about <time> with", text)
    text = LINK.sub(r"\1<code>", MOMENT.sub("<moment>", DIGEST.sub("<digest>", text)))
    text = SIZE.sub("(<size>) with the bytes", text)
    return PROGRESS.sub("", text)


def mask_document(document: Any, folder: Path) -> Any:
    """Return a JSON document without what differs from run to run."""
    if isinstance(document, dict):
        return {
            key: MASKED_KEYS[key] if key in MASKED_KEYS else mask_document(value, folder)
            for key, value in document.items()
        }
    if isinstance(document, list):
        return [mask_document(value, folder) for value in document]
    return mask_text(document, folder) if isinstance(document, str) else document


def _masked_row(found: re.Match[str]) -> str:
    # The spaces go too, because their number depends on the digits.
    return f"{found[1]}{re.sub(' +', ' ', found[2])}<seconds>{' ' if found[3] else ''}"
