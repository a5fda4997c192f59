"""Verbs that are made from papers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
import typer
from typer.testing import CliRunner

from treegauge.cli.papers import paper_verb
from treegauge.papers.paper import (
    Checked,
    Measurements,
    MisuseError,
    Paper,
    PaperSettings,
    Remark,
    Workbench,
    require_systems,
)
from treegauge.settings import setting
from treegauge.tables import Table


@dataclass(frozen=True)
class LengthSettings(PaperSettings):
    words: tuple[str, ...] = setting((), "Words.", flags="--word")
    files: tuple[str, ...] = setting((), "Files.", flags="--file", commas=False)


class Lengths(Paper[LengthSettings]):
    name = "lengths"
    citation = "Nobody (2000), Lengths of words"
    summary = "How long words are."
    example = "treegauge reproduce lengths --small"
    settings_type = LengthSettings
    remarks: ClassVar = (
        Remark("1", "Words are long.", lambda frames: Checked("holds", f"{len(frames)} frames")),
    )

    def check(self, settings: LengthSettings, workbench: Workbench) -> None:
        del workbench
        if not settings.words:
            raise MisuseError("say which words: --word WORD")

    def measure(
        self, settings: LengthSettings, workbench: Workbench
    ) -> Measurements[LengthSettings]:
        del workbench
        import polars as pl

        lengths = {"word": settings.words, "length": [len(word) for word in settings.words]}
        return Measurements(settings, {"lengths": pl.DataFrame(lengths)})

    def tables(self, measured: Measurements[LengthSettings]) -> list[Table]:
        return [Table(["word", "length"], measured.frames["lengths"].rows())]


@pytest.fixture
def reproduce(tmp_path, monkeypatch) -> Any:
    monkeypatch.chdir(tmp_path)
    app = typer.Typer()
    app.command()(paper_verb(Lengths()))
    return lambda *arguments: CliRunner().invoke(app, arguments)


def test_settings_are_options_and_frames_are_json(reproduce):
    done = reproduce("--word", "a,bcd", "--word", "ef", "--file", "a,b", "--json")
    made = json.loads(done.stdout)
    assert made["frames"]["lengths"] == [
        {"word": "a", "length": 1},
        {"word": "bcd", "length": 3},
        {"word": "ef", "length": 2},
    ]
    assert made["settings"]["files"] == ["a,b"]
    assert made["remarks"][0]["run"]["verdict"] == "holds"


def test_misuse_is_said_with_exit_code_2(reproduce):
    done = reproduce()
    assert done.exit_code == 2
    assert "say which words: --word WORD" in done.output
    assert reproduce("--small", "-t", "toy:svo").exit_code == 2


def test_remarks_can_be_checked_on_published_figures_alone(reproduce):
    done = reproduce("--published")
    assert done.exit_code == 0
    assert "0 frames" in done.stdout


def test_systems_have_to_annotate_what_a_paper_is_about():
    require_systems(["tnt"], "tags")
    with pytest.raises(MisuseError, match="graph annotates dependencies, not tags"):
        require_systems(["graph"], "tags")
