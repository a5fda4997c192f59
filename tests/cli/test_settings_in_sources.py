from __future__ import annotations

import pytest

from treegauge.cli.settings_in_sources import settings_in_source
from treegauge.settings import describe_settings
from treegauge.systems import systems


@pytest.mark.parametrize("entry", systems().values(), ids=systems())
def test_a_source_tells_of_every_setting_what_the_imported_system_does(entry):
    described = {one.name: one for one in describe_settings(entry.load().settings_type)}
    found = settings_in_source(entry.module, entry.cls)
    assert [one.name for one in found] == list(described)
    for one in found:  # what is computed stays empty
        assert one.help in ("", described[one.name].help)
        assert one.values[:1] in ((), (described[one.name].default,))


def test_the_default_of_a_setting_comes_first_and_other_values_where_they_are_few():
    settings = {
        one.name: one.values
        for one in settings_in_source(
            "treegauge.systems.parsers.transition.transition_parser", "TransitionParser"
        )
    }
    assert settings["delexicalised"] == ("false", "true")
