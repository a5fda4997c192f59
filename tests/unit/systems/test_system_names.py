"""The one parser of system names."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from treegauge.systems import SystemsError, make_system
from treegauge.systems.system_names import parse_system, write_system


def test_systems_are_read_from_text() -> None:
    assert parse_system("brown") == ("brown", {})
    assert parse_system("brown:45") == ("brown", {"classes": "45"})
    assert parse_system("x?a=1&b=2=3") == ("x", {"a": "1", "b": "2=3"})
    assert parse_system("x?rules=noji+adp") == ("x", {"rules": "noji+adp"})
    for text in ("", ":3", "x:", "x:many", "?a=1", "spacy:", "udpipe:?a=1"):
        with pytest.raises(SystemsError, match=r"expected SYSTEM, SYSTEM:N or SYSTEM.key=value"):
            parse_system(text)
    with pytest.raises(SystemsError, match="expected KEY=VALUE, found 'a'"):
        parse_system("x?a")


def test_tools_have_models_behind_the_colon_and_no_number_of_classes() -> None:
    assert parse_system("spacy:./my_model") == ("spacy", {"model": "./my_model"})
    assert parse_system("stanza:en?device=cpu") == ("stanza", {"model": "en", "device": "cpu"})
    assert parse_system("udpipe:45") == ("udpipe-model", {"model": "45"})
    assert parse_system("udpipe:C:/x.udpipe")[1] == {"model": "C:/x.udpipe"}
    assert parse_system("udpipe-server:http://[::1]:8001/udpipe?variant=en") == (
        "udpipe-server",
        {"model": "http://[::1]:8001/udpipe", "variant": "en"},
    )
    assert parse_system("spacy:what%3F")[1] == {"model": "what?"}


def test_udpipe_that_is_trained_is_another_system_than_one_with_a_model() -> None:
    assert parse_system("udpipe") == ("udpipe", {})
    assert parse_system("udpipe?iterations=3") == ("udpipe", {"iterations": "3"})
    assert make_system("udpipe:en.udpipe").label == "udpipe:en"
    assert make_system("udpipe").learns


def test_a_name_with_settings_makes_a_system() -> None:
    assert make_system("brown:45").settings.classes == 45
    assert make_system("brown:45", classes=3).settings.classes == 3
    assert make_system("spacy:a/b?batch_size=7").settings.to_dict() == {
        "model": "a/b",
        "batch_size": 7,
        "device": "cpu",
    }


_VALUES = st.text(max_size=8).filter(lambda text: text == text.strip())


@examples(60)
@given(st.dictionaries(st.sampled_from(["tags", "max_length", "rules"]), _VALUES))
def test_what_is_written_is_read_back(settings) -> None:
    assert parse_system(write_system("dmv", settings)) == ("dmv", settings)
    named = {"model": "a?b", **settings}
    assert parse_system(write_system("udpipe-model", named)) == ("udpipe-model", named)
