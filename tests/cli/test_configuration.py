"""`treegauge.toml`: defaults for options, from the folder of a project or one above it."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer

import treegauge
from tests.commands_of_pages import blocks_of, numbers_of, type_command
from tests.in_process import cells_in_process, run_in_process
from treegauge.cli.configuration import REFUSED, lines_of_keys, options_of, verbs_of
from treegauge.cli.main import app
from treegauge.cli.verb import Verb

SCORE = ("evaluate", "birds.conllu", "birds.conllu")


@pytest.fixture
def configure(tmp_path):
    """Write a treegauge.toml where programs run."""

    def write(text: str, folder: str = "."):
        (tmp_path / folder / "treegauge.toml").write_text(text, encoding="utf-8")

    return write


def scores(result) -> dict:
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)["systems"][0]["scores"]


def refusal(run, *arguments: str) -> str:
    result = run(*(arguments or SCORE))
    assert result.returncode in (1, 2), result.stdout
    assert "Traceback" not in result.stderr
    return result.stderr


# ---------------------------------------------------------------------- who wins


def test_the_command_line_wins_over_the_file_and_the_file_over_defaults(run, birds, configure):
    by_default = scores(run(*SCORE, "--json"))
    assert "punct:yes" in by_default["uas"]["signature"]
    configure('[evaluate]\npreset = "pascal"\nmetrics = "uas"\n')
    from_file = scores(run(*SCORE, "--json"))
    assert set(from_file) == {"uas"}
    assert "punct:removed" in from_file["uas"]["signature"]
    typed = scores(run(*SCORE, "--json", "--preset", "conll2006"))
    assert set(typed) == {"uas"}
    assert "punct:no" in typed["uas"]["signature"]
    assert scores(run("--no-config", *SCORE, "--json")) == by_default


def test_a_verb_wins_over_all_and_a_named_set_over_both(run, birds, configure):
    configure(
        '[all]\nmetrics = "las"\n[evaluate]\nmetrics = "uas"\n'
        '[named.paper.all]\nmetrics = "ned"\n[named.other.evaluate]\nmetrics = "root"\n'
    )
    assert set(scores(run(*SCORE, "--json"))) == {"uas"}
    assert set(scores(run("--use", "paper", *SCORE, "--json"))) == {"ned"}
    assert set(scores(run("--use", "other", *SCORE, "--json"))) == {"root"}
    compared = run("compare", "birds.conllu", "birds.conllu", "birds.conllu", "--json")
    assert '"las"' in compared.stdout


def test_use_and_no_config_may_stand_behind_the_verb(run, birds, configure):
    configure('[evaluate]\nmetrics = "uas"\n[named.paper.all]\nmetrics = "ned"\n')
    assert set(scores(run(*SCORE, "--use", "paper", "--json"))) == {"ned"}
    assert set(scores(run(*SCORE, "--use=paper", "--json"))) == {"ned"}
    without = scores(run(*SCORE, "--no-config", "--json"))
    assert without == scores(run("--no-config", *SCORE, "--json"))
    assert set(without) > {"uas", "las"}
    assert "--use needs the name of a set" in refusal(run, *SCORE, "--use")


def test_the_nearest_file_is_read_and_no_other(birds, tmp_path, configure):
    deep = tmp_path / "deep" / "deeper"
    deep.mkdir(parents=True)
    configure('[evaluate]\nmetrics = "uas"\nreference = ["birds.conllu"]\n')
    words = ("evaluate", str(birds), str(birds), "--json")
    result = run_in_process(words, folder=deep)
    assert set(scores(result)) == {"uas"}
    assert result.stderr == "../../treegauge.toml sets --metrics, --reference\n"
    configure('[evaluate]\nmetrics = "las"\n', "deep")
    result = run_in_process(words, folder=deep)
    assert set(scores(result)) == {"las"}
    assert result.stderr == "../treegauge.toml sets --metrics\n"


def test_lists_and_truth_are_what_they_look_like(run, birds, configure):
    configure(
        '[evaluate]\nmetrics = ["uas", "las"]\nby = ["relation", "direction"]\nper_tag = true\n'
    )
    document = json.loads(run(*SCORE, "--json").stdout)
    assert set(document["systems"][0]["scores"]) == {"uas", "las"}
    typed = run(
        "--no-config",
        *SCORE,
        "--json",
        "-m",
        "uas,las",
        "--per-tag",
        *("--by", "relation", "--by", "direction"),
    )
    assert json.loads(typed.stdout) == document
    fewer = json.loads(run(*SCORE, "--json", "--by", "relation").stdout)
    assert "direction" not in json.dumps(fewer)
    configure("[evaluate]\nsubtypes = true\ncount-root = false\nmetrics = 'uas,las'\n")
    signature = scores(run(*SCORE, "--json"))["las"]["signature"]
    assert "subtypes:yes" in signature
    assert "subtypes:no" in scores(run(*SCORE, "--json", "--no-subtypes"))["las"]["signature"]


def test_a_format_of_the_file_gives_way_to_the_name_of_the_output(run, birds, configure, tmp_path):
    configure('[all]\nformat = "markdown"\n')
    assert run(*SCORE, "-m", "uas").stdout.startswith("|")
    run(*SCORE, "-m", "uas", "-o", "scores.json")
    assert json.loads((tmp_path / "scores.json").read_text("utf-8"))["schema"] == 1


def test_sets_of_treebanks_stand_in_the_same_file(run, birds, configure):
    configure('[sets]\nmine = ["birds.conllu"]\n[validate]\nstrict = true\n')
    assert run("validate", "mine").returncode == 0
    assert run("--no-config", "validate", "mine").returncode == 0
    assert "mine" in run("list", "sets").stdout
    assert run("list", "settings").returncode == 0


def test_a_switch_that_a_verb_turns_off_is_not_announced(run, birds, configure):
    configure("[all]\nalign = true\n[evaluate]\nalign = false\n")
    assert run(*SCORE, "-m", "uas").stderr == ""


def test_a_folder_that_is_gone_has_no_file(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    command = f"rmdir {gone} && {sys.executable} -m treegauge list formats"
    result = subprocess.run(
        ["bash", "-c", command], cwd=gone, capture_output=True, text=True, env=environment()
    )
    assert result.returncode == 0, result.stderr


def environment() -> dict[str, str]:
    """Return an environment in which the program is found from every folder."""
    return {**os.environ, "PYTHONPATH": str(Path(treegauge.__file__).parents[1])}


# ---------------------------------------------------------------------- what is said of it


def test_the_file_in_use_is_named_unless_it_is_quiet_or_says_nothing(run, birds, configure):
    configure('[evaluate]\nmetrics = "uas"\n')
    assert run(*SCORE).stderr == "treegauge.toml sets --metrics\n"
    assert run(*SCORE, "--quiet").stderr == ""
    assert run("--no-config", *SCORE).stderr == ""
    assert run("list", "formats").stderr == ""
    configure("[all]\nquiet = true\n")
    assert run(*SCORE).stderr == ""


def test_the_commands_of_a_page_need_no_file(run, birds, configure, tmp_path):
    text = birds.read_text("utf-8")
    (tmp_path / "ours.conllu").write_text(text.replace("2\tnsubj", "3\tnsubj"), encoding="utf-8")
    configure(
        '[evaluate]\npreset = "pascal"\nmetrics = ["uas"]\nresamples = 20\n'
        "[named.a.evaluate]\nseed = 5\n"
    )
    words = ("evaluate", "birds.conllu", "ours.conllu", "-o", "page.html")
    assert run("--use", "a", *words).returncode == 0
    page = tmp_path / "page.html"
    (command,) = blocks_of(page)
    assert shlex.split(command)[:3] == ["treegauge", "--no-config", "evaluate"]
    for option in ("--preset pascal", "--metrics uas", "--resamples 20", "--seed 5"):
        assert option in command
    assert "--use" not in command
    (number,) = {one.command: one for one in numbers_of(page)}.values()
    assert number.command.startswith("treegauge --no-config evaluate birds.conllu ours.conllu")
    for option in ("--preset pascal", "-m uas", "--resamples 20", "--seed 5"):
        assert option in number.command
    configure('[evaluate]\npreset = "conll2006"\n')
    (score,) = scores_of(type_command(number.command, tmp_path, "--json"))
    assert score == number.value
    type_command(command, tmp_path)
    assert blocks_of(page) == [command]


def test_the_commands_of_a_run_need_no_file(run, birds, configure, tmp_path):
    text = 'treebanks = ["birds.conllu"]\nmetrics = ["uas"]\nsystems = ["left-branching"]\n'
    (tmp_path / "look.toml").write_text(text, encoding="utf-8")
    configure("[report]\ntrials = 20\n")
    with cells_in_process():
        assert run("run", "look.toml").returncode == 0
    assert run("report", "runs/look", "-o", "page.html").returncode == 0
    page = tmp_path / "page.html"
    commands = {one.command for one in numbers_of(page)} | set(blocks_of(page))
    assert len(commands) == 3
    assert all("treegauge --no-config " in command for command in commands)
    assert any("--trials 20" in command for command in commands)
    for command in commands:
        type_command(command, tmp_path)


def scores_of(document: str) -> list[float]:
    return [one["value"] for one in json.loads(document)["systems"][0]["scores"].values()]


def test_list_settings_says_what_is_in_force_and_why(run, configure):
    nothing = run("list", "settings", "--json")
    assert json.loads(nothing.stdout) == {"schema": 1, "file": None, "named": "", "settings": []}
    configure('[compare]\ntrials = 50\n\n[named.a.evaluate]\nby = ["relation"]\n')
    document = json.loads(run("--use", "a", "list", "settings", "--json").stdout)
    assert (document["file"], document["named"]) == ("treegauge.toml", "a")
    assert document["settings"] == [
        {
            "verb": "evaluate",
            "option": "by",
            "value": ["relation"],
            "default": [],
            "why": "treegauge.toml:5",
        },
        {
            "verb": "compare",
            "option": "trials",
            "value": 50,
            "default": 10000,
            "why": "treegauge.toml:2",
        },
    ]
    settings = json.loads(run("list", "settings", "compare", "--json").stdout)["settings"]
    why = {one["option"]: one["why"] for one in settings}
    assert (why["trials"], why["preset"]) == ("treegauge.toml:2", "default")
    limited = run("list", "settings", "data.list", TREEGAUGE_DATA="here").stdout
    assert "TREEGAUGE_DATA" in limited
    assert "did you mean compare?" in refusal(run, "list", "settings", "compar")


# ---------------------------------------------------------------------- what is wrong with it


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[evaluate]\n\npresett = 1", "treegauge.toml:3: unknown option of evaluate 'presett';"),
        ("[evalute]\n", "treegauge.toml:1: unknown table 'evalute'; did you mean evaluate"),
        ("[all]\nsede = 1", "treegauge.toml:2: unknown option of all commands 'sede'; did you"),
        ("[all]\nsave = 'x'", "treegauge.toml:2: save is never read from a file"),
        ("evaluate = 3", "treegauge.toml:1: expected a table [evaluate], found 3"),
        ("[evaluate]\nseed = 'x'", "treegauge.toml:2: seed: expected a whole number, found 'x'"),
        ("[evaluate]\nseed = -1", "treegauge.toml:2: seed: expected at least 0, found -1"),
        ("[evaluate]\nalign = 'so'", "treegauge.toml:2: align: expected true or false, found 'so'"),
        ("[evaluate]\nrows = 'metric'", "treegauge.toml:2: rows: expected one of"),
        ("[evaluate]\npreset = true", "treegauge.toml:2: preset: expected text, found True"),
        ("[evaluate]\npreset = 'pascall'", "treegauge.toml:2: unknown preset 'pascall'"),
        ("[evaluate]\nmetrics = ['uas', 'uass']", "treegauge.toml:2: unknown metric 'uass'"),
        ("[evaluate]\nconfusion = 'words'", "treegauge.toml:2: --confusion is relations or tags"),
        ("[evaluate]\nseed = 1\nseed =", "treegauge.toml:3: this is not TOML"),
        ("[evaluate]\ngold = 'x'", "treegauge.toml:2: unknown option of evaluate 'gold'"),
        ("[named.a.evalute]\nseed = 1", "treegauge.toml:1: unknown table 'evalute'"),
        ("evaluate.seed = 0.5", "treegauge.toml:1: seed: expected a whole number, found 0.5"),
    ],
)  # fmt: skip
def test_flaws_have_a_place_and_say_what_may_be_meant(run, birds, configure, text, said):
    configure(text)
    use = ("--use", "a") if "named" in text else ()
    message = refusal(run, *use, *SCORE)
    assert said in " ".join(message.replace("│", " ").split())
    assert run(*use, "evaluate", "--help").returncode == 0


def test_list_settings_checks_the_whole_file(run, configure):
    configure("[describe]\nseed = 1\n[dictionary.scor]\nworst = 3\n")
    assert "treegauge.toml:3: unknown table 'scor'; did you mean score" in refusal(
        run, "list", "settings"
    )
    configure("[named.a.describe]\nsede = 1\n")
    assert "treegauge.toml:2: unknown option of describe" in refusal(run, "list", "settings")


@pytest.mark.parametrize("option", sorted(REFUSED))
def test_what_is_trusted_limited_or_written_is_never_read_from_a_file(run, configure, option):
    path = next(path for path, verb in verbs_of(program()) if option in options_of(verb))
    configure(f"[{'.'.join(path)}]\n{option} = 'x'\n")
    message = refusal(run, *path, *["x"] * 3)
    assert f"treegauge.toml:2: {option} is never read from a file" in message


def test_no_option_that_writes_or_limits_is_forgotten():
    for path, verb in verbs_of(program()):
        for name, option in options_of(verb).items():
            about = (option.help or "").lower()
            if name not in REFUSED and not option.is_flag:
                assert not about.startswith(
                    ("write ", "draw ", "the file for", "the folder for")
                ), (path, name)
                assert not name.startswith("max-") or name == "max-tags", (path, name)


def test_a_command_is_never_read_from_a_file(run, birds, configure):
    configure("[induce]\nset = ['command=touch stolen']\n")
    message = refusal(run, "induce", "external", "birds.conllu")
    assert "treegauge.toml:2: a command is never read from a file" in message


def test_a_set_that_is_not_there_is_a_mistake(run, birds, configure):
    assert "no treegauge.toml in this folder" in refusal(run, "--use", "paper", *SCORE)
    configure('[named.paper.evaluate]\nmetrics = "uas"\n')
    assert "did you mean paper?" in refusal(run, "--use", "papr", *SCORE)
    assert "exclude each other" in refusal(run, "--use", "paper", "--no-config", *SCORE)


def program():
    return typer.main.get_command(app)


def test_every_verb_listens_to_the_file():
    assert all(isinstance(command, Verb) for _, command in verbs_of(program()))


def test_lines_of_keys_are_found_in_all_ways_to_write_them():
    text = 'a.b = 1\n"c d" = [\n  "x = 1",\n]\n# e = 1\n[f."g h"]  # so\n  i=1\n[[j]]\nk = "[l]"\n'
    assert lines_of_keys(text) == {
        ("a", "b"): 1,
        ("c d",): 2,
        ("f", "g h"): 6,
        ("f", "g h", "i"): 7,
        ("j",): 8,
        ("j", "k"): 9,
    }
