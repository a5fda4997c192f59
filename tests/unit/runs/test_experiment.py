from __future__ import annotations

from dataclasses import replace

import pytest

from treegauge.metrics import parse_specs, preset
from treegauge.runs import Experiment, ExperimentError, Scoring, SystemChoice, Tuning
from treegauge.runs.experiment import DEFAULT_METRICS, is_about
from treegauge.runs.experiment_file import read_seconds

SMALL = {"treebanks": ["toy:svo"], "systems": ["left-branching"]}


def experiment(**changes) -> Experiment:
    return Experiment.from_dict({**SMALL, **changes})


def test_what_is_not_said_has_a_default():
    made = experiment()
    assert made == Experiment(
        name="experiment",
        treebanks=("toy:svo",),
        systems=(SystemChoice("left-branching", "left-branching"),),
        scorings=(Scoring(preset("pascal")),),
        tracks=(),
        split="test",
        resamples=1000,
        cell_timeout=None,
        cell_memory=None,
    )
    assert made.systems[0].seeds == (0,)
    assert made.systems[0].fit_on == "union"


def test_a_file_is_read_with_everything_in_it(tmp_path):
    path = tmp_path / "first look.toml"
    text = """\ufeff
treebanks = ["pascal10", "toy:svo"]
tracks = ["dependencies"]
fit_on = "train"
seeds = [1, 2, 2]
split = "dev"
preset = "conll2006"
metrics = ["uas", "ned@10"]
by = ["relation", "edge_length*direction"]
resamples = 10
cell_timeout = "2h"
cell_memory = 4000

[[systems]]
system = "random"

[[systems]]
system = "random"
label = "one random tree"
seeds = 7
fit_on = "union"

[[systems]]
system = "external"
settings = { command = "cat" }

[[scores]]
metrics = "las"

[[scores]]
preset = "pascal"
tags = "u12"
by = []
"""
    path.write_text(text, encoding="utf-8")
    made = Experiment.from_toml(path)
    assert made.name == "first look"
    assert made.treebanks == ("pascal10", "toy:svo")
    assert made.tracks == ("dependencies",)
    first, second, third = made.systems
    assert (first.label, first.seeds, first.fit_on) == ("random", (1, 2), "train")
    assert (second.label, second.seeds, second.fit_on) == ("one random tree", (7,), "union")
    assert third.label == "external(command=cat)"
    # What is written at the top holds for scores that do not say otherwise.
    by = ("relation", "edge_length*direction")
    assert made.scorings == (
        Scoring(preset("conll2006"), ("las",), by),
        Scoring(preset("pascal", tags="u12"), ("uas", "ned@10"), ()),
    )
    assert (made.resamples, made.cell_timeout, made.cell_memory) == (10, 7200.0, 4000)
    assert made.source == text.removeprefix("\ufeff")


def test_a_grid_of_settings_is_spread_out():
    made = experiment(
        systems=[
            {
                "system": "external",
                "settings": {"command": "cat"},
                "tune_on_dev": {"grid": {"produces": ["tags", "joint"], "memory": [1, 2]}},
            }
        ]
    )
    assert made.systems[0].tuning == Tuning(
        (
            (("produces", "tags"), ("memory", 1)),
            (("produces", "tags"), ("memory", 2)),
            (("produces", "joint"), ("memory", 1)),
            (("produces", "joint"), ("memory", 2)),
        ),
        "many_to_one",
    )


RANDOM = {"system": "random"}
GRID = {"grid": {"command": ["a", "b"]}}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"treebanks": []}, "the experiment names no treebanks"),
        ({"systems": []}, "the experiment names no systems"),
        ({"treebanks": [1]}, "the experiment: setting treebanks: expected text, found 1"),
        (
            {"treebank": ["x"]},
            "the experiment: unknown setting 'treebank'; did you mean treebanks?",
        ),
        ({"name": "a/b"}, "'a/b' cannot be an experiment's name: it is also the name of a folder"),
        ({"name": ".."}, "'..' cannot be an experiment's name: it is also the name of a folder"),
        ({"name": 3}, "the experiment: setting name: expected text, found 3"),
        (
            {"systems": ["left-brnching"]},
            "unknown system 'left-brnching'; did you mean left-branching",
        ),
        (
            {"systems": [{"sytem": "random"}]},
            "system number 1: unknown setting 'sytem'; did you mean system?",
        ),
        ({"systems": [{"settings": {}}]}, "system number 1 lacks system"),
        ({"systems": [3]}, "system number 1: expected a table, found 3"),
        (
            {"systems": ["random", {**RANDOM, "sets": 1}]},
            "system number 2: unknown setting 'sets'; did you mean settings, seeds?",
        ),
        (
            {"systems": [{"system": "external", "settings": {"comand": "x"}}]},
            "external: unknown setting 'comand'; did you mean command, train_command?",
        ),
        (
            {"systems": [{**RANDOM, "settings": {"speed": 1}}]},
            "random: unknown setting 'speed'",
        ),
        (
            {"systems": ["random", "random"]},
            "two systems are called 'random'; give one of them another label",
        ),
        ({"seeds": []}, "left-branching: expected seeds from 0 on, found none"),
        ({"seeds": ["one"]}, "the experiment: setting seeds: expected a whole number, found 'one'"),
        ({"seeds": [True]}, "the experiment: setting seeds: expected a whole number, found True"),
        ({"seeds": -1}, "left-branching: expected seeds from 0 on, found -1"),
        ({"seeds": [1, -3]}, "left-branching: expected seeds from 0 on, found 1, -3"),
        (
            {"fit_on": "tran"},
            "the experiment: setting fit_on: expected one of train, union, found 'tran'; did",
        ),
        ({"tracks": ["tag"]}, "unknown track 'tag'; did you mean tags?\n  there are tags, dep"),
        ({"split": "tset"}, "unknown split 'tset'; did you mean test?\n  there are train, dev"),
        ({"metrics": ["usa"]}, "the experiment: unknown metric 'usa'; did you mean uas"),
        (
            {"preset": "pascl"},
            "unknown preset 'pascl'; did you mean pascal?\n  there are conll",
        ),
        ({"tags": "q"}, "unknown tag column 'q'"),
        ({"by": ["relatoin"]}, "unknown stratum 'relatoin'; did you mean relation"),
        ({"by": ["a*b*c"]}, "by: at most two strata can be crossed, found 'a*b*c'"),
        (
            {"scores": [{"metric": "las"}]},
            "scores number 1: unknown setting 'metric'; did you mean",
        ),
        (
            {"scores": [{"metrics": "las"}, {"metrics": "uas"}]},
            "two scores have the preset pascal and the tags u: put their metrics into one",
        ),
        ({"resamples": -1}, "the experiment: setting resamples: expected at least 0, found -1"),
        ({"resamples": "many"}, "setting resamples: expected a whole number, found 'many'"),
        ({"cell_memory": 0}, "setting cell_memory: expected at least 1, found 0"),
        ({"cell_timeout": "soon"}, "cell_timeout: expected seconds, or a text such as '10min'"),
        ({"cell_timeout": -5}, "cell_timeout: expected seconds, or a text such as '10min'"),
        ({"cell_timeout": True}, "cell_timeout: expected seconds, or a text such as '10min'"),
        (
            {"systems": [{**RANDOM, "tune_on_dev": {}}]},
            "tune_on_dev of random: expected a grid of settings with lists of values",
        ),
        (
            {"systems": [{**RANDOM, "tune_on_dev": {"grid": {"a": 1}}}]},
            "tune_on_dev of random: expected a grid of settings with lists of values",
        ),
        (
            {"systems": [{**RANDOM, "tune_on_dev": {"grid": {"a": [1]}}}]},
            "random: unknown setting 'a'",
        ),
        (
            {"systems": [{"system": "external", "tune_on_dev": {**GRID, "metric": "usa"}}]},
            "tune_on_dev of external: unknown metric 'usa'",
        ),
        (
            {"systems": [{"system": "external", "tune_on_dev": {**GRID, "metric": "vi"}}]},
            "tune_on_dev of external: vi does not score what external annotates: heads",
        ),
        (
            {"systems": [{"system": "external", "tune_on_dev": {**GRID, "metric": "tags"}}]},
            "tune_on_dev of external: expected one metric, found the family tags",
        ),
        (
            {"systems": [{"system": "external", "tune_on_dev": {**GRID, "metrics": "uas"}}]},
            "tune_on_dev of external: unknown setting 'metrics'; did you mean metric?",
        ),
        (
            {
                "systems": [
                    {"system": "external", "settings": {"command": "c"}, "tune_on_dev": GRID}
                ]
            },
            "command is among the settings and in the grid",
        ),
    ],
)
def test_what_cannot_be_run_is_said_in_one_message(changes, message):
    with pytest.raises(ExperimentError) as raised:
        experiment(**changes)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("treebanks = [", "this is not TOML: "),
        ("systems = ['random']", "the experiment lacks treebanks"),
    ],
)
def test_messages_about_a_file_begin_with_its_name(tmp_path, text, message):
    path = tmp_path / "x.toml"
    path.write_text(text)
    with pytest.raises(ExperimentError, match=message) as raised:
        Experiment.from_toml(path)
    assert str(raised.value).startswith(f"{path}: ")


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(ExperimentError, match="x\\.toml: cannot be read: no such file or folder"):
        Experiment.from_toml(tmp_path / "x.toml")
    with pytest.raises(ExperimentError, match="cannot be read: is a folder, not a file"):
        Experiment.from_toml(tmp_path)
    (tmp_path / "y.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(ExperimentError, match=r"y\.toml:1: \[encoding\] expected UTF-8 text"):
        Experiment.from_toml(tmp_path / "y.toml")


def test_what_is_made_in_python_is_checked_as_well():
    made = experiment()
    with pytest.raises(ExperimentError, match="unknown metric 'usa'"):
        replace(made, scorings=(Scoring(preset("pascal"), ("usa",)),))
    with pytest.raises(ExperimentError, match="has no scores"):
        replace(made, scorings=())
    with pytest.raises(ExperimentError, match="expected seeds from 0 on"):
        replace(made, systems=(SystemChoice("random", "random", seeds=()),))


@pytest.mark.parametrize(
    ("given", "seconds"), [(None, None), (90, 90), ("90", 90), ("1.5min", 90), ("2h", 7200)]
)
def test_times(given, seconds):
    assert read_seconds(given) == seconds


@pytest.mark.parametrize(("track", "is_supervised"), DEFAULT_METRICS)
def test_default_metrics_are_about_their_track(track, is_supervised):
    for spec in parse_specs(list(DEFAULT_METRICS[track, is_supervised])):
        assert is_about(spec.metric, track)


def test_each_makes_a_system_of_every_combination():
    document = {
        "treebanks": ["toy:svo"],
        "systems": [
            {
                "system": "dmv",
                "settings": {"tags": "p"},
                "each": {"iterations": [1, 2], "init": ["smith", "em"]},
            }
        ],
    }
    experiment = Experiment.from_dict(document)
    assert [choice.label for choice in experiment.systems] == [
        "dmv(tags=p, iterations=1, init=smith)",
        "dmv(tags=p, iterations=1, init=em)",
        "dmv(tags=p, iterations=2, init=smith)",
        "dmv(tags=p, iterations=2, init=em)",
    ]
    document["systems"][0]["label"] = "x"
    with pytest.raises(ExperimentError, match="called by their settings"):
        Experiment.from_dict(document)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (
            {"treebank": ["x"], "systems": ["random"]},
            "the experiment: unknown setting 'treebank'; did you mean treebanks?",
        ),
        ({"systems": ["random"]}, "the experiment lacks treebanks"),
        (
            {"treebanks": ["x"], "sytems": ["random"]},
            "the experiment: unknown setting 'sytems'; did you mean systems?",
        ),
    ],
)
def test_what_is_lacking_may_be_there_misspelt(document, message):
    with pytest.raises(ExperimentError) as refused:
        Experiment.from_dict(document)
    assert str(refused.value).split("\n")[0] == message
