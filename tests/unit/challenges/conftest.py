"""Submissions read without a process of their own, which takes most of a second to start."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from treegauge.challenges.reading_process import (
    ReadSubmission,
    decoded_submission,
    encoded_submission,
)
from treegauge.challenges.task import Task


@contextlib.contextmanager
def read_in_process() -> Iterator[None]:
    """Read submissions here; everything else is as it is."""

    def read(source: str | Path, task: Task) -> ReadSubmission:
        return decoded_submission(encoded_submission(str(source), task), task, str(source))

    with (
        mock.patch("treegauge.challenges.scoring.read_apart", read),
        mock.patch("treegauge.challenges.verification.read_apart", read),
    ):
        yield


@pytest.fixture(scope="session")
def reads_here() -> Iterator[None]:
    """Read submissions here, in all tests that ask for it."""
    with read_in_process():
        yield
