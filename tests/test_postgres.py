"""The server that tests start: every test has a database of its own, and nobody else a way in."""

from __future__ import annotations

import pytest

from tests import postgres


@pytest.mark.long
def test_every_database_is_a_new_one(postgres_server) -> None:
    import sqlalchemy

    urls = [postgres_server.new_database() for _ in range(2)]
    engines = [sqlalchemy.create_engine(url) for url in urls]
    with engines[0].begin() as connection:
        connection.execute(sqlalchemy.text("CREATE TABLE a (b integer)"))
    assert sqlalchemy.inspect(engines[0]).get_table_names() == ["a"]
    assert sqlalchemy.inspect(engines[1]).get_table_names() == []
    for engine in engines:
        engine.dispose()


def test_its_absence_is_a_failure_under_ci_and_a_skip_elsewhere(monkeypatch) -> None:
    monkeypatch.setattr(postgres, "programs", lambda: None)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="needs PostgreSQL"):
        postgres.need_postgres()
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception, match="needs PostgreSQL"):
        postgres.need_postgres()
