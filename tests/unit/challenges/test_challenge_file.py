from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.unit.challenges.marked_challenge import CHALLENGE
from treegauge.challenges import Challenge, ChallengeError, make_challenge, read_challenge


def made(text: str = CHALLENGE) -> Challenge:
    return make_challenge(tomllib.loads(text))


def changed(before: str, after: str) -> str:
    assert before in CHALLENGE
    return CHALLENGE.replace(before, after, 1)


def test_a_challenge_is_what_the_file_says() -> None:
    challenge = made()
    assert [track.name for track in challenge.tracks] == ["pos", "dependencies"]
    assert challenge.track("dependencies").columns == ("head", "deprel")
    assert challenge.track("dependencies").shows == {"tags"}
    assert str(challenge.track("pos").primary) == "v_measure"
    assert challenge.averaged_treebanks == ("en",)
    (phase,) = challenge.phases_of("pos")
    assert phase.scores_from == phase.ends == datetime(2027, 1, 15, tzinfo=UTC)
    assert challenge.gold_released_at == datetime(2027, 1, 31, tzinfo=UTC)


def test_phases_are_open_from_the_opening_up_to_the_close_and_grace() -> None:
    text = changed('closes = "2027-01-15', 'grace = "30min"\ncloses = "2027-01-15')
    (phase,) = made(text).phases_of("pos")
    second = timedelta(seconds=1)
    half_an_hour = timedelta(minutes=30)
    moments = [phase.opens - second, phase.opens, phase.closes - second]
    moments += [phase.closes, phase.closes + half_an_hour - second, phase.closes + half_an_hour]
    assert [phase.is_open(moment) for moment in moments] == [False, True, True, True, True, False]


def test_grace_lost_an_hour_where_clocks_change() -> None:
    text = changed('closes = "2027-01-15', 'grace = "2h"\ncloses = "2027-01-15')
    (phase,) = made(text).phases_of("pos")
    summer_time = datetime(2027, 3, 28, 1, 30, tzinfo=ZoneInfo("Europe/Copenhagen"))
    assert replace(phase, closes=summer_time).ends == datetime(2027, 3, 28, 2, 30, tzinfo=UTC)


def test_gold_is_released_after_the_last_close_or_where_it_is_public() -> None:
    close = datetime(2027, 1, 31, tzinfo=UTC)
    challenge = made()
    assert not challenge.is_gold_released("en", close - timedelta(seconds=1))
    assert challenge.is_all_gold_released(close)
    public = made(changed('licence = "CC', 'gold = "public"\nlicence = "CC'))
    assert public.is_all_gold_released(datetime(2020, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('name = "small"', 'name = "../small"', "the name '../small' cannot be that of a file"),
        ('name = "small"', 'name = "aux"', "cannot be that of a file"),
        ('name = "small"', 'nam = "small"', "unknown setting 'nam'; did you mean name?"),
        ('name = "small"', 'name = "small"\nschema = 2', "schema: expected one of 1"),
        ('name = "pos"\nhide', 'name = "dependencies"\nhide', "two tracks are called"),
        ('name = "pos"\nhide', 'name = "Dependencies"\nhide', "names differ in more than case"),
        ('hide = ["heads"]\n', "hide = []\n", "nothing is hidden; write hide"),
        ('hide = ["heads"]\n', 'hide = ["head"]\n', "did you mean heads?"),
        (
            'hide = ["heads"]\n',
            'hide = ["tags"]\n',
            "heads are to be annotated, but its packs show",
        ),
        ('annotate = ["tags"]', "annotate = []", "nothing is annotated"),
        ('annotate = ["heads", "relations"]', 'annotate = ["heads"]', "metric las needs relations"),
        ('metrics = ["v_measure"]', 'metrics = ["v_measures"]', "did you mean v_measure"),
        (
            'metrics = ["v_measure"]',
            'metrics = ["vi", "uas"]',
            "v_measure is not among its metrics",
        ),
        ('primary = "v_measure"', 'primary = "v_measure"\nby = ["age"]', "unknown stratum 'age'"),
        ('primary = "v_measure"', 'primary = "v_measure"\npreset = "x"', "unknown preset 'x'"),
        ('licence = "CC BY 4.0"', "", "treebank 'en' lacks licence"),
        ('licence = "CC BY 4.0"', 'licence = " "', "licence is empty"),
        ('name = "en"', 'name = "en.x"', "cannot be that of a file"),
        ('licence = "CC', 'styles = ["none"]\nlicence = "CC', "treebank 'en': unknown"),
        (
            'licence = "CC',
            'references = [{name = "gold", test = "x"}]\nlicence = "CC',
            "the name gold is taken",
        ),
        ('tracks = ["pos"]', 'tracks = ["post"]', "unknown track 'post'; did you mean pos?"),
        ('tracks = ["pos"]', "tracks = []", "it has no track"),
        ('part = "test"\ntracks = ["pos"]', 'part = "dev"\ntracks = ["pos"]', "no phase tests it"),
        ('closes = "2027-01-15 00:00 UTC"', 'closes = "2027-01-15 00:00"', "has no zone; write"),
        ('closes = "2027-01-15', 'closes = "2026-01-15', "it closes before it opens"),
        ('closes = "2027-01-15', 'grace = "1d"\ncloses = "2027-01-15', "grace: expected 30min"),
        ('closes = "2027-01-15', 'quota = {day = 0}\ncloses = "2027-01-15', "at least 1"),
        ('closes = "2027-01-15', 'scores = "soon"\ncloses = "2027-01-15', "expected a time"),
        ('name = "small"', 'name = "small"\ngold = "2027-01-20 UTC"', "gold is released while"),
        ('name = "small"', 'name = "small"\nboard = {average = ["da"]}', "unknown treebank 'da'"),
        ('name = "small"', 'name = "small"\nboard = {alpha = 0.9}', "at most 0.5"),
    ],
)
def test_what_cannot_be_run_is_refused_with_a_word_on_what_to_write(
    before: str, after: str, message: str
) -> None:
    with pytest.raises(ChallengeError) as caught:
        made(changed(before, after))
    assert message in str(caught.value)


def test_files_are_named_in_messages(tmp_path) -> None:
    with pytest.raises(ChallengeError, match=r"challenge\.toml: there is no such file; `treegauge"):
        read_challenge(tmp_path)
    (tmp_path / "challenge.toml").write_text("name = ")
    with pytest.raises(ChallengeError, match=r"challenge\.toml: this is not TOML"):
        read_challenge(tmp_path)
    (tmp_path / "challenge.toml").write_text(changed('name = "pos"', 'name = "a b"'))
    with pytest.raises(ChallengeError, match=r"challenge\.toml: track 'a b': the name"):
        read_challenge(tmp_path)
