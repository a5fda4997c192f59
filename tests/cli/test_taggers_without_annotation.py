"""From raw text, a dictionary or parallel text to a tagged file, and to its score."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.long


def succeed(result) -> str:
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.slow
def test_a_dictionary_trains_and_does_not_score(run, tmp_path) -> None:
    succeed(run("convert", "toy:svo:dev", "text.conllu", "--quiet"))
    lines = (tmp_path / "text.conllu").read_text(encoding="utf-8").split("\n\n")
    (tmp_path / "text.conllu").write_text("\n\n".join(lines[:40]) + "\n\n", encoding="utf-8")
    succeed(run("dictionary", "from-treebank", "toy:svo:dev", "words.tsv"))
    train = ("train", "dictionary-hmm", "text.conllu", "-o", "model", "--quiet")
    succeed(run(*train, "--set", "dictionary=words.tsv", "--set", "iterations=2"))
    succeed(run("annotate", "model", "text.conllu", "-o", "tagged.conllu", "--quiet"))
    first = (tmp_path / "tagged.conllu").read_text(encoding="utf-8").partition("\n1\t")[0]
    assert "# dictionary_fingerprint = " in first
    assert "# treegauge_given = head deprel" in first
    refused = run("dictionary", "score", "words.tsv", "tagged.conllu")
    assert refused.returncode == 1
    assert "tagged was trained with words" in refused.stderr
    assert "score with another dictionary" in refused.stderr
    assert "Traceback" not in refused.stderr
    (tmp_path / "other.tsv").write_text(".\tPUNCT\n", encoding="utf-8")
    assert "tagged" in succeed(run("dictionary", "score", "other.tsv", "tagged.conllu"))


def test_what_is_missing_is_said_in_a_line(run) -> None:
    for system, message in (
        ("dictionary-hmm", "dictionary-hmm needs a dictionary of the language"),
        ("transfer", "transfer needs treebanks of other languages"),
        ("projection", "projection needs parallel texts"),
    ):
        result = run("train", system, "toy:svo:dev", "-o", "model")
        assert result.returncode == 1
        assert message in result.stderr
        assert "Traceback" not in result.stderr


def test_the_list_says_that_an_oracle_is_no_tagger(run) -> None:
    (line,) = [one for one in succeed(run("list", "systems")).splitlines() if "corrupted" in one]
    assert "oracle" in line
    assert "NOT A TAGGER" in line
