"""Challenges with a server's database, on SQLite or on both databases; and servers on the web."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.challenge_server.served_challenge import Served, serve
from tests.unit.challenge_server.web_house import WebHouse


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


@pytest.fixture(scope="session")
def house_to_copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a server with two teams and an organiser."""
    return WebHouse.write(tmp_path_factory.mktemp("house"))


@pytest.fixture
def house(house_to_copy: Path, tmp_path: Path) -> Iterator[WebHouse]:
    """A server with two teams and an organiser, while its phases are open."""
    shutil.copytree(house_to_copy, tmp_path / "house")
    opened = WebHouse.open(tmp_path / "house" / "small")
    yield opened
    opened.database.close()
