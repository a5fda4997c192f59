"""Challenges with a server's database, on SQLite or on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.challenge_server.served_challenge import Served, serve


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A challenge with a database on SQLite."""
    made = serve(tmp_path / "served")
    yield made
    made.database.close()


@pytest.fixture
def served_on_both(tmp_path: Path, database_url: str | None) -> Iterator[Served]:
    """A challenge with a database of either kind."""
    made = serve(tmp_path / "served", database_url)
    yield made
    made.database.close()
