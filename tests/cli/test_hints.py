"""Commands that the program proposes do what it says."""

from __future__ import annotations

import shlex

import pytest

HINT = "score it with: treegauge "


def hint_in(stderr: str) -> list[str]:
    lines = [line for line in stderr.splitlines() if line.startswith(HINT)]
    return shlex.split(lines[0].removeprefix(HINT)) if lines else []


@pytest.mark.parametrize("target", ["out.conllu", "out.txt", "my out.pascal", "out.conllx.gz"])
def test_trees_are_scored_by_the_command_that_is_proposed(run, birds, target):
    hint = hint_in(run("induce", "right-branching", "birds.conllu", "-o", target).stderr)
    assert hint
    result = run(*hint, "--resamples", "0")
    assert result.returncode == 0, result.stderr
    assert "UAS" in result.stdout


@pytest.mark.parametrize("target", ["out.conllu", "out.tagged", "out.slashed"])
def test_classes_are_scored_by_the_command_that_is_proposed(run, birds, target):
    induced = run("induce", "brown", "birds.conllu", "-o", target, "--set", "classes=2")
    assert induced.returncode == 0, induced.stderr
    result = run(*hint_in(induced.stderr), "--resamples", "0")
    assert result.returncode == 0, result.stderr
    assert "VM" in result.stdout


def test_a_tagger_is_scored_by_the_command_that_is_proposed(run, birds):
    run("train", "most-frequent-tag", "birds.conllu", "-o", "tagger.model")
    annotated = run("annotate", "tagger.model", "birds.conllu", "-o", "out.tagged")
    result = run(*hint_in(annotated.stderr), "--resamples", "0")
    assert result.returncode == 0, result.stderr
    assert "UPOS" in result.stdout


@pytest.mark.parametrize("target", ["out.tagged", "out.slashed", "out.tokens"])
def test_nothing_is_proposed_for_a_file_without_heads(run, birds, target):
    result = run("induce", "right-branching", "birds.conllu", "-o", target)
    assert result.returncode == 0, result.stderr
    assert not hint_in(result.stderr)


def test_nothing_is_proposed_where_there_is_no_gold(run, birds, tmp_path):
    (tmp_path / "text.txt").write_text("birds sing .\n", encoding="utf-8")
    (tmp_path / "tagged.txt").write_text("birds/NOUN sing/VERB\n", encoding="utf-8")
    run("train", "most-frequent-tag", "birds.conllu", "-o", "tagger.model")
    for asked in (
        ("induce", "right-branching", "text.txt", "-o", "out.conllu"),
        ("induce", "right-branching", "tagged.txt", "-o", "out.conllu"),
        ("annotate", "tagger.model", "text.txt", "-o", "out.conllu"),
    ):
        result = run(*asked)
        assert result.returncode == 0, result.stderr
        assert not hint_in(result.stderr)


def test_a_format_that_evaluate_would_not_find_out_is_not_proposed(run, birds, tmp_path):
    (tmp_path / "gold.tokens").write_bytes(birds.read_bytes())
    result = run("induce", "right-branching", "gold.tokens", "--from", "conllu", "-o", "o.conllu")
    assert result.returncode == 0, result.stderr
    assert not hint_in(result.stderr)
    result = run("induce", "right-branching", "birds.conllu", "--from", "conllu", "-o", "o.conllu")
    assert run(*hint_in(result.stderr), "--resamples", "0").returncode == 0
