from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any, Literal

import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from treegauge.settings import (
    Settings,
    SettingsError,
    describe_settings,
    parse_assignments,
    parse_preset,
    read_settings,
    setting,
)
from treegauge.systems import systems
from treegauge.toys.errors import ToyError


@dataclass(frozen=True)
class Everything(Settings):
    """One setting of every type."""

    iterations: int = setting(40, "how often", minimum=1, maximum=500)
    smoothing: float = setting(0.1, "added to counts", minimum=0)
    init: Literal["smith", "plain"] = setting("smith", "where to begin")
    valence: Literal[2, 3] = setting(2, "how many arguments are told apart")
    is_hard: bool = setting(False, "count the best tree only")
    tags: str = setting("u", "the tags")
    longest: int | None = setting(10, "words in a sentence", minimum=1)
    cut: int | float | None = setting(None, "a number or a share")
    lengths: tuple[int, ...] = setting((15, 45), "stages", minimum=1)
    barred: tuple[str, ...] = setting((), "tags that have no dependents")


def read(**values: Any) -> Everything:
    return read_settings(Everything, values, place="toy")


# ---------------------------------------------------------------------- what is taken


@pytest.mark.parametrize(
    ("name", "given_", "expected"),
    [
        ("iterations", 7, 7),
        ("iterations", "7", 7),
        ("smoothing", 1, 1.0),
        ("smoothing", "1e-3", 0.001),
        ("init", "plain", "plain"),
        ("valence", 3, 3),
        ("valence", "3", 3),
        ("is_hard", True, True),
        ("is_hard", "yes", True),
        ("is_hard", "FALSE", False),
        ("is_hard", "0", False),
        ("tags", "p:2", "p:2"),
        ("tags", "", ""),
        ("longest", "none", None),
        ("longest", None, None),
        ("longest", "20", 20),
        ("cut", "3", 3),
        ("cut", "0.5", 0.5),
        ("cut", 0.5, 0.5),
        ("lengths", [1, 2], (1, 2)),
        ("lengths", "1, 2", (1, 2)),
        ("lengths", "3", (3,)),
        ("lengths", "", ()),
        ("barred", "ADP, DET", ("ADP", "DET")),
    ],
)
def test_values_and_text_are_read(name: str, given_: Any, expected: Any) -> None:
    value = getattr(read(**{name: given_}), name)
    assert value == expected
    assert type(value) is type(expected)


def test_a_dash_will_do_for_an_underscore() -> None:
    assert read_settings(Everything, {"is-hard": True}, place="toy").is_hard


def test_what_is_not_given_has_its_default() -> None:
    assert read() == Everything()
    assert read().deviations() == {}
    assert read(iterations=40, init="plain", lengths=[3]).deviations() == {
        "init": "plain",
        "lengths": [3],
    }


# ---------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("iterations", 0, "toy: setting iterations: expected at least 1, found 0"),
        ("iterations", "501", "toy: setting iterations: expected at most 500, found 501"),
        ("iterations", 2.5, "toy: setting iterations: expected a whole number, found 2.5"),
        ("iterations", "many", "toy: setting iterations: expected a whole number, found 'many'"),
        ("iterations", True, "toy: setting iterations: expected a whole number, found True"),
        ("smoothing", -0.5, "toy: setting smoothing: expected at least 0, found -0.5"),
        ("smoothing", "nan", "toy: setting smoothing: expected a number, found nan"),
        ("smoothing", False, "toy: setting smoothing: expected a number, found False"),
        (
            "init",
            "smiht",
            "toy: setting init: expected one of smith, plain, found 'smiht'; did you mean smith?",
        ),
        ("valence", 4, "toy: setting valence: expected one of 2, 3, found 4"),
        ("is_hard", 1, "toy: setting is_hard: expected true or false, found 1"),
        ("is_hard", "perhaps", "toy: setting is_hard: expected true or false, found 'perhaps'"),
        ("tags", 3, "toy: setting tags: expected text, found 3"),
        ("tags", None, "toy: setting tags: expected text, found None"),
        ("longest", 0, "toy: setting longest: expected at least 1, found 0"),
        ("longest", "x", "toy: setting longest: expected a whole number, found 'x'"),
        ("lengths", 3, "toy: setting lengths: expected a list, found 3"),
        ("lengths", "1,x", "toy: setting lengths: expected a whole number, found 'x'"),
        ("lengths", [5, 0], "toy: setting lengths: expected at least 1, found 0"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(name: str, value: Any, message: str) -> None:
    with pytest.raises(SettingsError) as refused:
        read(**{name: value})
    assert str(refused.value) == message


def test_an_unknown_setting_is_answered_with_the_known_ones() -> None:
    with pytest.raises(SettingsError) as refused:
        read(iteration=3)
    first, second = str(refused.value).split("\n")
    assert first == "toy: unknown setting 'iteration'; did you mean iterations?"
    assert second.strip().startswith("toy has iterations, smoothing, init")
    with pytest.raises(SettingsError, match="toy has none"):
        read_settings(Settings, {"x": 1}, place="toy")


def test_what_is_no_table_or_lacks_something_is_refused() -> None:
    with pytest.raises(SettingsError, match="toy: expected a table, found 3"):
        read_settings(Everything, 3, place="toy")  # type: ignore[arg-type]

    @dataclass(frozen=True)
    class Demanding(Settings):
        tags: str
        table: dict[str, Any] = setting(None, "anything")
        column: str = setting("u", "a column", choices=("u", "p"))

    with pytest.raises(SettingsError, match="toy lacks tags"):
        read_settings(Demanding, {"column": "p"}, place="toy")
    with pytest.raises(ToyError, match="toy: setting table: expected a table, found 'x'"):
        read_settings(Demanding, {"tags": "u", "table": "x"}, place="toy", error=ToyError)
    assert read_settings(Demanding, {"tags": "u", "table": {"a": [1]}}, place="toy").table == {
        "a": [1]
    }
    with pytest.raises(SettingsError, match="column: expected one of u, p, found 'pp'; did you"):
        read_settings(Demanding, {"tags": "u", "column": "pp"}, place="toy")


def test_values_given_in_python_can_be_checked() -> None:
    Everything(iterations=3).check(place="toy")
    with pytest.raises(ToyError, match="toy: setting iterations: expected at least 1, found 0"):
        Everything(iterations=0).check(place="toy", error=ToyError)


# ---------------------------------------------------------------------- presets

PRESETS = {"usual": Everything(), "hard": Everything(is_hard=True, iterations=7)}


def parse(text: str) -> Everything:
    return parse_preset(
        text,
        PRESETS,
        noun="preset",
        place="toy",
        error=ToyError,
        shorthands={"short": {"iterations": 1}},
    )


def test_a_preset_is_changed_behind_commas() -> None:
    assert parse("hard") == PRESETS["hard"]
    assert parse("hard, is-hard=no") == Everything(iterations=7)
    assert parse("valence=3,short") == Everything(valence=3, iterations=1)
    assert parse("short,iterations=2").changes() == "iterations=2"
    assert parse(f"usual,{parse('hard').changes()}") == parse("hard")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hrad", "unknown preset 'hrad'; did you mean hard?\n  there are usual, hard"),
        ("", "unknown preset ''\n  there are usual, hard"),
        ("short,hard", "hard is a preset, which can only be the first in 'short,hard'"),
        ("hard,valnce=2", "toy: unknown setting 'valnce'; did you mean valence?\n  toy has short,"),
        ("hard,soft", "toy: unknown setting 'soft'; did you mean short?\n  toy has short, itera"),
        ("hard,valence", "toy: setting valence: expected valence=VALUE, found 'valence'"),
        ("hard,valence=4", "toy: setting valence: expected one of 2, 3, found '4'"),
        ("hard,iterations=0", "toy: setting iterations: expected at least 1, found 0"),
    ],
)
def test_what_is_no_preset_or_change_of_one_is_refused(text: str, message: str) -> None:
    with pytest.raises(ToyError) as refused:
        parse(text)
    assert str(refused.value).startswith(message)


# ---------------------------------------------------------------------- text and JSON


def test_assignments_of_the_command_line() -> None:
    assert parse_assignments(["a=1", " b = x=y ", "c="]) == {"a": "1", "b": "x=y", "c": ""}
    for text in ("a", "=1", ""):
        with pytest.raises(SettingsError, match="expected KEY=VALUE, found"):
            parse_assignments([text])


some_settings = st.fixed_dictionaries(
    {},
    optional={
        "iterations": st.integers(1, 500),
        "smoothing": st.floats(0, allow_infinity=False),
        "init": st.sampled_from(["smith", "plain"]),
        "valence": st.sampled_from([2, 3]),
        "is_hard": st.booleans(),
        "longest": st.none() | st.integers(1, 2**53),
        "lengths": st.lists(st.integers(1, 99)).map(tuple),
    },
)


@examples()
@given(some_settings)
def test_settings_survive_json(values: dict[str, Any]) -> None:
    settings = read(**values)
    again = json.loads(json.dumps(settings.to_dict()))
    assert read_settings(Everything, again, place="toy") == settings


@examples()
@given(some_settings)
def test_settings_are_read_from_the_text_they_are_shown_as(values: dict[str, Any]) -> None:
    settings = read(**values)
    shown = {
        name: ",".join(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in settings.to_dict().items()
    }
    assert read_settings(Everything, shown, place="toy") == settings


# ---------------------------------------------------------------------- descriptions


def test_settings_are_described_in_words() -> None:
    described = {known.name: known for known in describe_settings(Everything)}
    assert described["iterations"].kind == "whole number from 1 to 500"
    assert described["iterations"].help == "how often"
    assert described["init"].kind == "smith, plain"
    assert described["longest"].kind == "whole number >= 1 or none"
    assert described["lengths"].kind == "list of whole number >= 1"
    assert [described[name].default for name in ("is_hard", "cut", "lengths", "barred")] == [
        "false",
        "none",
        "15,45",
        "",
    ]


@pytest.mark.parametrize("name", systems())
def test_the_settings_of_every_system_explain_themselves(name: str) -> None:
    kind = systems()[name].load().settings_type
    described = describe_settings(kind)
    assert [known.name for known in described] == [field.name for field in fields(kind)]
    assert all(known.help for known in described)
    # Defaults, as shown, are values that would be taken.
    shown = {known.name: known.default for known in described}
    assert read_settings(kind, shown, place=name) == kind()
