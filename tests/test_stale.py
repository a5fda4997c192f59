"""What has to be measured again, since the code behind it has changed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import polars as pl
import pytest

from studies import _sources, learning_curves, measured, reproduced, small_taggers, stale
from studies._missing import missing_cells
from treegauge.catalogue import Catalogue
from treegauge.runs import Experiment
from treegauge.runs.planning import make_plan

Git = Callable[..., str]


@pytest.fixture
def git(tmp_path: Path, monkeypatch) -> Git:
    """Return what runs git in a repository of its own, which has one commit."""
    monkeypatch.setattr(_sources, "ROOT", tmp_path)
    _sources._differs.cache_clear()
    author = ("-c", "user.name=n", "-c", "user.email=e@example.org")

    def run(*arguments: str) -> str:
        asked = ["git", *author, *arguments]
        return subprocess.run(asked, capture_output=True, check=True, cwd=tmp_path).stdout.decode()

    run("init", "-q")
    (tmp_path / "one.py").write_text('"""Says."""\nx = 1\n')
    (tmp_path / "two.tsv").write_text("1\n")
    run("add", ".")
    run("commit", "-q", "-m", "first")
    return run


def test_files_that_changed_since_a_commit_count_and_docstrings_do_not(
    git: Git, tmp_path: Path
) -> None:
    commit = git("rev-parse", "--short", "HEAD").strip()
    assert _sources.changed_files(f"{commit}+", ["one.py", "two.tsv"]) == []
    (tmp_path / "one.py").write_text('"""Says more."""\nx = 1\n')
    (tmp_path / "two.tsv").write_text("2\n")
    assert _sources.changed_files(commit, ["one.py", "two.tsv"]) == ["two.tsv"]
    (tmp_path / "one.py").write_text('"""Says more."""\nx = 2\n')
    _sources._differs.cache_clear()  # files do not change while a script runs
    assert _sources.changed_files(commit, ["one.py"]) == ["one.py"]
    (tmp_path / "one.py").unlink()
    assert _sources.changed_files(commit, ["one.py"]) == ["one.py"]


def test_a_commit_that_is_not_there_is_said_to_be_so(git: Git) -> None:
    del git
    with pytest.raises(_sources.UnknownCommitError, match="0123abcd is not in this clone"):
        _sources.changed_files("0123abcd", ["one.py"])
    (line,) = stale._changes("study", ["0123abcd"], ["one.py"])
    assert line == "study: cannot be told, commit 0123abcd is not in this clone"


@pytest.mark.parametrize("table", _sources.SOURCES)
def test_what_a_table_depends_on_is_there(table: str) -> None:
    for place in _sources.SOURCES[table].places:
        assert (_sources.ROOT / place).exists(), place


def test_every_table_of_a_script_says_what_it_depends_on() -> None:
    of_scripts = {
        path.stem
        for path in measured.FOLDER.glob("*.tsv")
        if not (measured.STUDIES / f"{path.stem}.toml").exists()
    }
    assert of_scripts <= set(_sources.SOURCES)


def test_old_rows_are_measured_again(monkeypatch) -> None:
    for script in (small_taggers, learning_curves):
        monkeypatch.setattr(script, "outdated", lambda _, commits: {"old"} & set(commits))
    rows = [{"treebank": "a", "commit": "old"}, {"treebank": "b", "commit": "new"}]
    assert small_taggers.to_measure(rows, ["a", "b", "c"]) == ["a", "c"]
    values = dict.fromkeys(learning_curves._SCHEMA, "")
    curves = [tuple({**values, **row}.values()) for row in rows]
    assert learning_curves.of_today(curves) == curves[1:]


def test_studies_whose_treebanks_are_still_to_be_made_say_so(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(stale, "STUDIES", tmp_path)
    (tmp_path / "penn.toml").write_text(
        'treebanks = ["runs/nowhere/en"]\nsystems = ["dmv"]\n', encoding="utf-8"
    )
    (line,) = stale.stale_studies(Catalogue())
    assert line == "penn: cannot be told before `make results` has made runs/nowhere/en"


def test_all_points_of_a_grid_are_one_cell(tmp_path: Path) -> None:
    file = tmp_path / "tuned.toml"
    file.write_text(
        """treebanks = ["toy:svo"]
systems = [
    "dmv",
    { system = "dmv", label = "t", tune_on_dev = { metric = "uas", grid = { tags = ["c", "u"] } } },
]
""",
        encoding="utf-8",
    )
    plan = make_plan(Experiment.from_toml(file), Catalogue())
    plain, *points = [cell.key for cell in plan.cells]
    assert len(points) == 2
    assert missing_cells(plan, set()) == ([plan.cells[0], plan.cells[1]], 2)
    assert missing_cells(plan, {points[1]}) == ([plan.cells[0]], 2)
    assert missing_cells(plan, {plain, points[0]}) == ([], 2)


def test_a_challenge_that_was_not_measured_is_stale(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(reproduced, "FOLDER", tmp_path)
    assert [*stale.stale_challenge(Catalogue())] == ["pascal: not measured"]


def test_scripts_say_how_much_changed_since_which_commits(tmp_path: Path, monkeypatch) -> None:
    table = pl.DataFrame({"value": [1, 2, 3], "commit": ["a1", "b2+", "a1"]})
    table.write_csv(tmp_path / "one.tsv", separator="\t")
    monkeypatch.setattr(stale, "FOLDER", tmp_path)
    changed = {"a1": ["x.py", "y.py"], "b2": ["y.py"]}
    monkeypatch.setattr(stale, "changed_files", lambda commit, _: changed[commit])
    sources = {name: SimpleNamespace(places=()) for name in ("one", "two")}
    monkeypatch.setattr(stale, "SOURCES", sources)
    assert [*stale.stale_scripts()] == [
        "one: 2 source files changed since a1, b2",
        "two: not measured",
    ]


def test_measurements_of_a_paper_count_and_its_tables_do_not() -> None:
    asked = ["ls-files", "--", *stale.sources_of("ned")]
    names = _sources._git(*asked).decode("utf-8").splitlines()
    folder = "src/treegauge/papers/ned"
    assert {f"{folder}/measure.py", f"{folder}/parameter_flips.py"} <= set(names)
    assert not {f"{folder}/tables.py", f"{folder}/paper.py", f"{folder}/README.md"} & set(names)
    assert not any("papers/pascal/" in name or "/reports/" in name for name in names)
