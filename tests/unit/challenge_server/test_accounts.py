"""Names, invitations, passwords, sessions and tokens."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
import sqlalchemy as sa

from tests.unit.challenge_server.served_challenge import CHEAP, NOW, PASSWORD, Served
from treegauge.challenge_server import schema
from treegauge.challenge_server.accounts import (
    account_by_name,
    add_team,
    clean_name,
    members_of,
    reinstate_team,
    team_by_name,
    teams,
    withdraw_team,
)
from treegauge.challenge_server.errors import (
    ConflictError,
    NotAllowedError,
    NotSignedInError,
    NotThereError,
    ServerError,
)
from treegauge.challenge_server.invitations import (
    LASTING,
    add_invited_team,
    add_organiser,
    find_invitation,
    invite,
    redeem,
)
from treegauge.challenge_server.passwords import PASSWORDS, Passwords, new_secret
from treegauge.challenge_server.permissions import PUBLIC
from treegauge.challenge_server.signing_in import (
    SESSION_LASTING,
    change_password,
    form_key,
    insert_token,
    log_in,
    log_out,
    revoke,
    sign_ins_of,
    visitor_of_session,
    visitor_of_token,
)

SECOND = timedelta(seconds=1)

# ---------------------------------------------------------------------- names


@pytest.mark.parametrize(
    "name",
    ["", "  ", "x" * 61, "a\x00b", "a\u202eb", "a\u200bb", "a\x1b[31m", "a\nb\x07", "\u2066a"],
)
def test_names_that_cannot_be_seen_are_refused(name: str) -> None:
    with pytest.raises(ServerError, match="1 to 60 visible characters"):
        clean_name(name, "team")


@pytest.mark.parametrize("other", ["blue", " Blue", "BLUE ", "ｂｌｕｅ", "Blue\u00a0"])
def test_a_name_is_taken_in_every_spelling(served: Served, other: str) -> None:
    with served.database.write() as connection:
        add_team(connection, "Blue", actor="shell", now=NOW)
    with pytest.raises(ConflictError, match="there is a team 'Blue'"):
        add_invited_team(served.database, other, actor="shell", now=NOW)


def test_nobody_takes_an_account_over_with_another_spelling(served: Served) -> None:
    served.team("blue")
    _, secret = add_invited_team(served.database, "green", actor="shell", now=NOW)
    with pytest.raises(ConflictError, match="the name 'BLUE' is taken"):
        redeem(served.database, secret, now=NOW, name=" BLUE ", password=PASSWORD, passwords=CHEAP)


def test_an_unknown_team_is_answered_with_one_that_is_near(served: Served) -> None:
    with served.database.write() as connection:
        with pytest.raises(NotThereError, match="there are no teams yet"):
            team_by_name(connection, "blue")
        add_team(connection, "blue", actor="shell", now=NOW)
        with pytest.raises(NotThereError, match="did you mean blue"):
            team_by_name(connection, "bleu")


def test_a_team_is_withdrawn_and_comes_back(served: Served) -> None:
    with served.database.write() as connection:
        id = add_team(connection, "blue", actor="shell", now=NOW).id
        with pytest.raises(ConflictError, match="already on the leaderboard"):
            reinstate_team(connection, id, actor="olga", now=NOW)
        withdraw_team(connection, id, actor="olga", now=NOW, reason="as they wished")
        assert [team.withdrawn for team in teams(connection)] == [NOW]
        with pytest.raises(ConflictError, match="already withdrawn"):
            withdraw_team(connection, id, actor="olga", now=NOW)
        reinstate_team(connection, id, actor="olga", now=NOW)
        assert [team.withdrawn for team in teams(connection)] == [None]
        with pytest.raises(NotThereError):
            withdraw_team(connection, "no such id", actor="olga", now=NOW)


# ---------------------------------------------------------------------- invitations


def test_a_link_is_for_one_use(served_on_both: Served) -> None:
    database = served_on_both.database
    team, secret = add_invited_team(database, "blue", actor="shell", now=NOW)
    redeemed = redeem(database, secret, now=NOW, token_name="laptop", passwords=CHEAP)
    assert (redeemed.account.name, redeemed.account.role) == ("blue", "member")
    assert redeemed.account.team == team.id
    with pytest.raises(ConflictError, match="was used before"):
        redeem(database, secret, now=NOW, token_name="laptop", passwords=CHEAP)
    with database.read() as connection:
        assert visitor_of_token(connection, redeemed.token, NOW) == redeemed.account.visitor


def test_of_two_who_use_a_link_at_once_one_gets_in(served_on_both: Served) -> None:
    database = served_on_both.database
    team, secret = add_invited_team(database, "blue", actor="shell", now=NOW)
    refused = []

    def use() -> None:
        try:
            redeem(database, secret, now=NOW, token_name="laptop", passwords=CHEAP)
        except ConflictError as error:
            refused.append(error)

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with database.read() as connection:
        assert len(members_of(connection, team.id)) == 1
    assert len(refused) == 7


def test_links_expire_and_unknown_ones_are_not_there(served: Served) -> None:
    _, secret = add_invited_team(served.database, "blue", actor="shell", now=NOW)
    with served.database.read() as connection:
        found = find_invitation(connection, secret, NOW + LASTING - SECOND)
        assert found.suggested_name == "blue"
        with pytest.raises(NotAllowedError, match="expired at 2027-03-19 12:00 UTC; ask the org"):
            find_invitation(connection, secret, NOW + LASTING)
        with pytest.raises(NotThereError, match="is the link complete"):
            find_invitation(connection, secret[:-1], NOW)


def test_further_members_get_names_that_are_free(served: Served) -> None:
    served.team("blue")
    names = []
    for _ in range(2):
        secret = invite(served.database, "Blue", actor="shell", now=NOW)
        redeemed = redeem(served.database, secret, now=NOW, token_name="x", passwords=CHEAP)
        names.append(redeemed.account.name)
    secret = invite(served.database, "blue", actor="shell", now=NOW)
    redeemed = redeem(
        served.database, secret, now=NOW, name="Anna", token_name="x", passwords=CHEAP
    )
    assert [*names, redeemed.account.name] == ["blue 2", "blue 3", "Anna"]


def test_a_lost_password_is_set_anew_and_old_sessions_end(served: Served) -> None:
    anna = served.team("blue")
    session, _ = log_in(served.database, "blue", PASSWORD, now=NOW, passwords=CHEAP)
    with pytest.raises(NotThereError, match="the team 'blue' has no member 'bo'"):
        invite(served.database, "blue", actor="shell", now=NOW, account="bo")
    secret = invite(served.database, "blue", actor="shell", now=NOW, account="BLUE")
    redeemed = redeem(
        served.database, secret, now=NOW, password="quite another one", passwords=CHEAP
    )
    assert redeemed.account.visitor == anna
    with served.database.read() as connection:
        assert visitor_of_session(connection, session, NOW) == PUBLIC
    with pytest.raises(NotSignedInError):
        log_in(served.database, "blue", PASSWORD, now=NOW, passwords=CHEAP)
    log_in(served.database, "blue", "quite another one", now=NOW, passwords=CHEAP)


def test_organisers_get_links_too(served: Served) -> None:
    secret = add_organiser(served.database, "Olga", actor="shell", now=NOW)
    redeemed = redeem(served.database, secret, now=NOW, password=PASSWORD, passwords=CHEAP)
    assert (redeemed.account.role, redeemed.account.team) == ("organiser", "")
    again = add_organiser(served.database, "olga", actor="shell", now=NOW)
    same = redeem(served.database, again, now=NOW, password="another one", passwords=CHEAP)
    assert same.account == redeemed.account
    served.team("blue")
    with pytest.raises(ConflictError, match="'blue' is a member of a team"):
        add_organiser(served.database, "Blue", actor="shell", now=NOW)


@pytest.mark.parametrize("password", ["short", "x" * 201, "aaaaaaaaaaaa", "ten\x00 or more", ""])
def test_weak_passwords_are_refused_and_the_link_stays_good(served: Served, password: str) -> None:
    _, secret = add_invited_team(served.database, "blue", actor="shell", now=NOW)
    with pytest.raises(ServerError, match="choose a password"):
        redeem(served.database, secret, now=NOW, password=password, passwords=CHEAP)
    redeem(served.database, secret, now=NOW, password=PASSWORD, passwords=CHEAP)


# ---------------------------------------------------------------------- logging in


def test_a_password_logs_in_and_a_session_can_be_revoked(served: Served) -> None:
    anna = served.team("blue")
    first, visitor = log_in(served.database, " BLUE", PASSWORD, now=NOW, passwords=CHEAP)
    second, _ = log_in(served.database, "blue", PASSWORD, now=NOW, passwords=CHEAP)
    assert visitor == anna
    assert first != second
    with served.database.write() as connection:
        log_out(connection, first, now=NOW)
        assert visitor_of_session(connection, first, NOW) == PUBLIC
        assert visitor_of_session(connection, second, NOW) == anna
        end = NOW + SESSION_LASTING
        assert visitor_of_session(connection, second, end - SECOND) == anna
        assert visitor_of_session(connection, second, end) == PUBLIC


def test_forged_sessions_and_tokens_are_nobodys(served: Served) -> None:
    served.team("blue")
    session, _ = log_in(served.database, "blue", PASSWORD, now=NOW, passwords=CHEAP)
    with served.database.read() as connection:
        kept = connection.scalar(sa.select(schema.session.c.secret))
        for forged in ("", "x", new_secret(), kept, session.upper(), f"{session} ", "\ud800"):
            assert visitor_of_session(connection, forged, NOW) == PUBLIC
            assert visitor_of_token(connection, forged, NOW) == PUBLIC
        assert visitor_of_token(connection, session, NOW) == PUBLIC


def test_what_does_not_fit_is_said_in_the_same_words(served: Served) -> None:
    served.team("blue")
    _, secret = add_invited_team(served.database, "green", actor="shell", now=NOW)
    redeem(served.database, secret, now=NOW, token_name="x", passwords=CHEAP)
    said = set()
    for name, password in (("blue", "wrong one"), ("nobody", PASSWORD), ("green", ""), ("", "")):
        with pytest.raises(NotSignedInError) as refused:
            log_in(served.database, name, password, now=NOW, passwords=CHEAP)
        said.add(str(refused.value))
    assert len(said) == 1


def test_unknown_names_take_as_long_as_known_ones(served: Served) -> None:
    """Counted in hashes, which are all that takes time: a clock would tell of other processes."""
    served.team("blue")
    counted = []

    class Counting(Passwords):
        def fits(self, kept: str | None, password: str) -> bool:
            counted.append(kept or self._of_nobody)
            return super().fits(kept, password)

    counting = Counting(passes=1, kibibytes=64)
    for name in ("blue", "nobody"):
        with pytest.raises(NotSignedInError):
            log_in(served.database, name, "wrong one", now=NOW, passwords=counting)
    settings = {one.split("$")[3] for one in counted}
    assert len(counted) == 2
    assert settings == {"m=64,t=1,p=1"}


def test_only_hashes_are_kept(served: Served) -> None:
    anna = served.team("blue")
    session, _ = log_in(served.database, "blue", PASSWORD, now=NOW, passwords=CHEAP)
    with served.database.write() as connection:
        account = account_by_name(connection, "blue")
        assert account is not None
        token = insert_token(connection, account, "laptop", now=NOW)
    secret = invite(served.database, "blue", actor="shell", now=NOW)
    rows = ""
    with served.database.read() as connection:
        for table in schema.metadata.sorted_tables:
            rows += str(connection.execute(sa.select(table)).all())
    assert anna.account in rows
    for hidden in (PASSWORD, session, token, secret, form_key(session)):
        assert hidden not in rows


def test_passwords_are_hashed_as_slowly_as_was_decided() -> None:
    kept = PASSWORDS.hash(PASSWORD)
    assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert PASSWORDS.fits(kept, PASSWORD)
    assert not PASSWORDS.fits(kept, f"{PASSWORD} ")
    assert not PASSWORDS.fits(None, PASSWORD)


def test_letters_are_the_same_from_every_keyboard() -> None:
    assert CHEAP.fits(CHEAP.hash("caf\u00e9 au lait"), "cafe\u0301 au lait")


def test_tokens_are_listed_and_revoked_by_their_owner_alone(served: Served) -> None:
    anna, bo = served.team("blue"), served.team("green")
    with served.database.write() as connection:
        account = account_by_name(connection, "blue")
        assert account is not None
        token = insert_token(connection, account, "laptop", now=NOW, expires=NOW + SECOND)
        assert visitor_of_token(connection, token, NOW) == anna
        assert visitor_of_token(connection, token, NOW + SECOND) == PUBLIC
        (own,) = sign_ins_of(connection, anna.account, NOW)
        assert (own.kind, own.name) == ("token", "laptop")
        with pytest.raises(NotThereError):
            revoke(connection, bo.account, own.id, now=NOW)
        revoke(connection, anna.account, own.id, now=NOW)
        assert visitor_of_token(connection, token, NOW) == PUBLIC
        assert sign_ins_of(connection, anna.account, NOW) == []


def test_another_password_ends_all_sessions_but_the_new_one(served: Served) -> None:
    anna = served.team("blue")
    old, _ = log_in(served.database, "blue", PASSWORD, now=NOW, passwords=CHEAP)
    with served.database.read() as connection:
        account = account_by_name(connection, "blue")
    assert account is not None
    with pytest.raises(NotSignedInError, match="the old password is wrong"):
        change_password(
            served.database, account, "wrong", "quite another one", now=NOW, passwords=CHEAP
        )
    new = change_password(
        served.database, account, PASSWORD, "quite another one", now=NOW, passwords=CHEAP
    )
    with served.database.read() as connection:
        assert visitor_of_session(connection, old, NOW) == PUBLIC
        assert visitor_of_session(connection, new, NOW) == anna


def test_the_key_of_forms_is_that_of_one_session() -> None:
    first, second = new_secret(), new_secret()
    assert form_key(first) == form_key(first) != form_key(second)
    assert first not in form_key(first)
