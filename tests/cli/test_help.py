"""What `--help` shows: at 80 columns, in groups, an example first."""

from __future__ import annotations

import re

import pytest

from treegauge.cli.main import VERBS

GROUPS = {"reproduce", "dictionary", "data", "challenge"}
ALL = [
    *(verb for verb in VERBS if verb not in GROUPS),
    "data list",
    "data get",
    "dictionary score",
    "dictionary import",
    "challenge init",
    "challenge pack",
    "challenge fill",
    "challenge check",
    "challenge organiser add",
    "challenge team add",
    "challenge team invite",
    "challenge backup",
    "challenge restore",
    "challenge doctor",
    "reproduce ned",
    "reproduce pascal",
]


@pytest.fixture
def help_of(run):
    return lambda verb: run(*verb.split(), "--help", COLUMNS="80").stdout


@pytest.mark.parametrize("verb", ["", *sorted(GROUPS), *ALL])
def test_help_fits_80_columns_and_names_no_types_of_the_program(help_of, verb):
    text = help_of(verb)
    assert max(map(len, text.splitlines())) <= 80
    assert not re.search(r"<\w+( range)?>|\[default|\[required\]|<.*\|", text)


@pytest.mark.parametrize("verb", ALL)
def test_the_example_comes_first(help_of, verb):
    usage, example, *_ = [line for line in help_of(verb).splitlines() if line.strip()]
    assert usage.startswith(f"Usage: treegauge {verb}")
    assert "{" not in usage
    assert example.startswith(f"Example: treegauge {verb} ")


@pytest.mark.parametrize("verb", ALL)
def test_every_option_is_explained_by_sentences(help_of, verb):
    text = help_of(verb)
    options = re.split(r"\n(?=  -)", text)[1:]
    assert options
    for option in options:
        assert option.partition("\n\n")[0].rstrip().endswith((".", "?")), option


def test_options_stand_in_groups(help_of):
    titles = [line for line in help_of("evaluate").splitlines() if re.match(r"[A-Z][a-z ]+$", line)]
    assert titles == [
        "Arguments",
        "Scoring",
        "Intervals and tests",
        "More results",
        "Layout",
        "Input",
        "Output",
        "Limits",
    ]


def test_a_value_is_named_and_its_default_and_choices_are_said(help_of):
    text = re.sub(r"\s+", " ", help_of("evaluate"))
    assert "--trials N Number of permutations or resamples of each test. Default: 10000." in text
    assert "--rows ROWS The rows of the tables: systems, metrics or treebanks." in text
    assert "--subtypes, --no-subtypes Compare" in text
    assert "-m, --metrics LIST" in text
