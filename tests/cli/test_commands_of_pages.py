"""Whatever a page says one could type can be typed, and gives the number on the page."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path

import pytest

from tests.commands_of_pages import (
    assert_numbers_come_again,
    blocks_of,
    numbers_of,
    type_command,
)
from tests.in_process import run_in_process
from treegauge.formats import read, write
from treegauge.systems import make_system
from treegauge.toys import toy_parts

pytestmark = pytest.mark.long

EXPERIMENT = """\
name = "a look"
treebanks = ["my data/toy's", "my data/-single.conllu", "named"]
metrics = ["uas", "ned@10"]
resamples = 20

[[systems]]
system = "left-branching"

[[systems]]
system = "random"
seeds = [1, 2]
"""


def typed(*arguments: str, folder: Path) -> str:
    return type_command(shlex.join(["treegauge", *arguments]), folder)


def tiny(language: str):
    return toy_parts(language, tokens=1000)


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    """A folder with files, a data folder, and a run of them; names need quotes."""
    folder = tmp_path_factory.mktemp("pro ject")
    for place, language in (("my data/toy's", "toy:svo"), ("elsewhere/named", "toy:sov")):
        (folder / place).mkdir(parents=True)
        for part, treebank in tiny(language).items():
            write(treebank, folder / place / f"{part}.conllu")
    single = tiny("toy:vso")["test"]
    write(single, folder / "my data" / "-single.conllu")
    for name in ("left-branching", "right-branching"):
        write(make_system(name).annotate(single), folder / "my data" / f"{name} $x.conllu")
    (folder / "look.toml").write_text(EXPERIMENT, encoding="utf-8")
    typed("run", "look.toml", "--folder", "runs/a look", "--data", "elsewhere", folder=folder)
    return folder


@pytest.fixture
def moved(project, tmp_path) -> Path:
    """A copy of the project, which may be spoilt."""
    return Path(shutil.copytree(project, tmp_path / "copy"))


def page_of_run(run: Path, page: Path, *, folder: Path) -> Path:
    typed("report", str(run), "--trials", "20", "-o", str(page), folder=folder)
    return folder / page


@pytest.mark.parametrize("verb", ["evaluate", "compare"])
def test_commands_of_files_whose_names_need_quotes_run(project, tmp_path, verb):
    inside = project / "my data"
    page = tmp_path / "page.html"
    arguments = ["./-single.conllu", "left-branching $x.conllu", "right-branching $x.conllu"]
    options = ["-m", "uas,ned@10", "--preset", "pascal", "--resamples", "20", "--trials", "20"]
    typed(verb, *arguments, *options, "-o", str(page), folder=inside)
    numbers = assert_numbers_come_again(page, inside)
    assert {number.command.count("-m uas ") for number in numbers} == {0, 1}
    (command,) = blocks_of(page)
    first = page.read_text("utf-8").replace("seconds for reading", "")
    type_command(command, inside)
    assert len(page.read_text("utf-8")) == pytest.approx(len(first), abs=30)


def test_the_command_of_a_page_names_data_folders_and_further_tables(project, tmp_path):
    gold = tiny("toy:sov")["test"]
    write(make_system("left-branching").annotate(gold), tmp_path / "left.conllu")
    options = ["--data", str(project / "elsewhere"), "-m", "uas", "--resamples", "20", "--strict"]
    more = ["--confusion", "relations", "--train", "named:train", "--by", "known"]
    page = tmp_path / "page.html"
    typed("evaluate", "named", "left.conllu", *options, *more, "-o", "page.html", folder=tmp_path)
    assert assert_numbers_come_again(page, tmp_path)
    tables = page.read_text("utf-8").count("<table")
    (command,) = blocks_of(page)
    page.unlink()
    type_command(command, tmp_path)
    assert page.read_text("utf-8").count("<table") == tables > 2


def test_standard_input_has_no_command(project, tmp_path):
    gold = (project / "my data" / "-single.conllu").read_text("utf-8")
    arguments = ["evaluate", "-", "left-branching $x.conllu", "-m", "uas", "-o"]
    page = tmp_path / "page.html"
    result = run_in_process([*arguments, str(page)], folder=project / "my data", stdin=gold)
    assert result.returncode == 0, result.stderr
    assert numbers_of(page) == []
    assert blocks_of(page) == []


def test_every_number_of_a_run_on_files_comes_again_from_another_folder(project, tmp_path):
    page = page_of_run(project / "runs" / "a look", tmp_path / "page.html", folder=tmp_path)
    numbers = assert_numbers_come_again(page, tmp_path)
    golds = {shlex.split(number.command)[2] for number in numbers}
    assert {Path(gold).name for gold in golds} == {"test.conllu", "-single.conllu"}
    assert len(golds) == 3


def test_the_other_commands_of_a_run_do_nothing_twice(project, tmp_path):
    (tmp_path / "other").mkdir()
    page = tmp_path / "other" / "report.html"
    page_of_run(project / "runs" / "a look", page, folder=tmp_path)
    run, report = blocks_of(page)
    before = {path: path.stat().st_mtime_ns for path in project.rglob("cell.json")}
    assert "left-branching" in type_command(run, tmp_path)
    assert {path: path.stat().st_mtime_ns for path in project.rglob("cell.json")} == before
    type_command(report, tmp_path)
    assert (tmp_path / "report.html").read_bytes() == page.read_bytes()


def test_a_report_does_not_depend_on_the_current_folder(project, tmp_path):
    (tmp_path / "other").mkdir()
    here = page_of_run(Path("runs/a look"), tmp_path / "page.html", folder=project)
    run = project / "runs" / "a look"
    there = page_of_run(run, Path("page.html"), folder=tmp_path / "other")
    assert here.read_bytes() == there.read_bytes()
    assert "<svg" in here.read_text("utf-8")


def test_a_project_that_was_moved_knows_its_own_gold(moved, tmp_path):
    page = page_of_run(moved / "runs" / "a look", tmp_path / "page.html", folder=tmp_path)
    golds = {shlex.split(number.command)[2] for number in numbers_of(page)}
    assert sum(gold.startswith(str(moved)) for gold in golds) == 3
    run, _ = blocks_of(page)
    assert run.startswith(f"cd {shlex.quote(str(moved))} && ")


def trees_of(page: Path) -> set[str]:
    """Return the treebanks that a page draws trees of."""
    text = page.read_text("utf-8")
    names = ("toy's", "-single", "named")
    trees = text.rpartition('id="trees"')[2]
    return {name for name in names if f'"name":"{name}"' in trees}


def test_a_run_without_the_gold_of_one_treebank_loses_no_other(moved, project, tmp_path):
    run = Path(shutil.move(moved / "runs" / "a look", tmp_path / "a look"))
    plan = (run / "plan.json").read_text("utf-8").replace(str(project), str(moved))
    (run / "plan.json").write_text(plan, encoding="utf-8")
    (moved / "my data" / "-single.conllu").unlink()
    changed = moved / "elsewhere" / "named" / "test.conllu"
    write(read(changed)[:5], changed)
    page = page_of_run(run, tmp_path / "page.html", folder=tmp_path)
    assert trees_of(page) == {"toy's"}
    text = page.read_text("utf-8")
    gone, other = moved / "my data" / "-single.conllu", changed
    assert f"-single: no trees, tests and commands: its gold is gone: {gone}" in text
    assert "named: no trees, tests and commands: its gold has changed since the run" in text
    assert str(other) in text
    commands = [number.command for number in numbers_of(page)]
    assert commands
    assert not any("single" in command or "named" in command for command in commands)


def test_a_run_of_an_older_version_is_read_as_before(moved, tmp_path):
    run = moved / "runs" / "a look"
    plan = (run / "plan.json").read_text("utf-8")
    document = json.loads(plan)
    for key in ("golds", "data", "started_in", "started_in_from_run"):
        del document[key]
    (run / "plan.json").write_text(json.dumps(document), encoding="utf-8")
    page = page_of_run(run, tmp_path / "page.html", folder=moved)
    # The data folder of the run was not written down then.
    assert trees_of(page) == {"toy's", "-single"}
    assert "named: no trees, tests and commands: its gold is gone" in page.read_text("utf-8")
    assert_numbers_come_again(page, tmp_path)
