"""`evaluate --repair` and `validate --fix`."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def answer(birds, tmp_path):
    lines = birds.read_text().split("\n")
    path = tmp_path / "answer.txt"
    path.write_text("Of course!\n```\n" + "\n".join(lines[:3] + lines[4:]) + "```\n")
    return path


def test_an_answer_that_cannot_be_read_is_scored_with_repair(run, birds, answer):
    plain = run("evaluate", "birds.conllu", "answer.txt", "-m", "uas")
    assert plain.returncode == 1
    result = run("evaluate", "birds.conllu", "answer.txt", "--repair", "-m", "uas")
    assert result.returncode == 0
    assert "answer: repaired prose 1, fence 2, missing 1; 1 word wrong for it" in result.stdout
    document = json.loads(
        run("evaluate", "birds.conllu", "answer.txt", "--repair", "--json").stdout
    )
    (system,) = document["systems"]
    assert system["scores"]["uas"]["value"] == pytest.approx(2 / 3)
    assert system["repairs"]["counts"]["repaired-missing"] == 1
    assert {one["id"] for one in system["repairs"]["findings"]} == set(system["repairs"]["counts"])


def test_repair_and_align_exclude_each_other(run, birds, answer):
    result = run("evaluate", "birds.conllu", "answer.txt", "--repair", "--align")
    assert result.returncode == 2
    assert "matches words itself" in result.stderr


def test_a_fixed_file_is_valid(run, birds, answer, tmp_path):
    result = run("validate", "answer.txt", "--fix", "fixed.conllu")
    assert result.returncode == 0
    assert "[repaired-prose]" in result.stdout
    assert run("validate", "fixed.conllu").returncode == 0
    assert "Repaired=" in (tmp_path / "fixed.conllu").read_text()


def test_one_file_is_fixed_at_a_time(run, birds, answer):
    assert run("validate", "answer.txt", "birds.conllu", "--fix", "x.conllu").returncode == 2
