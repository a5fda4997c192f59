from __future__ import annotations

import json
import os

import pytest


def test_a_valid_file_is_said_to_be_valid(run, birds):
    result = run("validate", "birds.conllu")
    assert result.returncode == 0
    assert result.stdout == "birds.conllu: valid, 1 sentence, 3 words; no findings\n"
    assert result.stderr == ""


def test_a_flaw_is_shown_with_line_sentence_and_advice(run, birds):
    birds.write_text(birds.read_text().replace("2\tsing", "3\tsing"))
    result = run("validate", "birds.conllu")
    assert result.returncode == 1
    assert result.stdout == (
        "birds.conllu:4: [word-id] expected 2, found 3 (sentence birds-1)\n"
        "  number the words of every sentence 1, 2, 3 and so on\n"
        "birds.conllu:5: [word-id] expected 4, found 3 (sentence birds-1)\n"
        "birds.conllu: not valid; 2 errors\n"
    )


def test_gold_that_is_no_tree_was_called_valid(run, birds):
    birds.write_text(birds.read_text().replace("\t0\troot", "\t1\troot"))
    gold = run("validate", "birds.conllu")
    assert run("validate", "--as", "gold", "birds.conllu").stdout == gold.stdout
    system = run("validate", "--as", "system", "birds.conllu")
    assert (gold.returncode, system.returncode) == (1, 0)
    assert gold.stdout.endswith("birds.conllu: not valid; 2 errors\n")
    assert system.stdout.endswith("birds.conllu: valid, 1 sentence, 3 words; 2 warnings\n")
    for result in (gold, system):
        assert (
            "birds.conllu:3: [cycle] expected a tree, found the cycle 1 -> 2 -> 1" in result.stdout
        )
        assert (
            "birds.conllu:3: [no-root] expected one word with head 0, found none" in result.stdout
        )


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("\t0\troot", "\t9\troot", "head-outside"),
        ("\t2\tnsubj", "\t1\tnsubj", "cycle"),
        ("\t2\tnsubj", "\t0\troot", "several-roots"),
        ("\t0\troot", "\t3\troot", "no-root"),
    ],
)
def test_gold_is_judged_as_gold(run, birds, old, new, kind):
    birds.write_text(birds.read_text().replace(old, new))
    result = run("validate", "birds.conllu")
    assert result.returncode == 1
    assert f"[{kind}]" in result.stdout
    assert run("validate", "birds.conllu", "--as", "system").returncode == 0


def test_strict_is_for_gold(run, birds):
    result = run("validate", "birds.conllu", "--as", "system", "--strict")
    assert result.returncode == 2
    assert "--strict is for gold" in result.stderr


def test_several_files_are_all_checked(run, birds, tmp_path):
    (tmp_path / "empty.conllu").touch()
    result = run("validate", "empty.conllu", "birds.conllu")
    assert result.returncode == 1
    assert "empty.conllu: [empty-file] expected at least one sentence, found none" in result.stdout
    assert "birds.conllu: valid" in result.stdout


def test_the_first_twenty_of_a_kind_are_shown_and_all_counted(run, tmp_path):
    line = "1\tbird\t_\tNOUN\t_\t_\tx\t_\t_\t_\n\n"
    (tmp_path / "many.conllu").write_text(line * 1000)
    result = run("validate", "many.conllu")
    assert result.stdout.count("[head-number] expected a whole number") == 20
    assert "many.conllu: [head-number] 980 more of these, 1,000 in all\n" in result.stdout
    assert "many.conllu: not valid; 1,000 errors\n" in result.stdout


def test_json_is_for_programs(run, birds):
    birds.write_text(birds.read_text().replace("\t0\troot", "\t9\troot"))
    document = json.loads(run("validate", "--json", "birds.conllu").stdout)
    assert document["schema"] == 1
    (file,) = document["files"]
    assert (file["file"], file["valid"], file["sentences"], file["words"]) == (
        "birds.conllu",
        False,
        None,
        None,
    )
    assert file["counts"] == {"head-outside": 1, "no-root": 1}
    assert file["findings"][1] == {
        "id": "head-outside",
        "severity": "error",
        "file": "birds.conllu",
        "line": 4,
        "sentence": "birds-1",
        "expected": "a head from 0 to 3",
        "found": "9 for word 2",
        "advice": "point the word at a word of its own sentence",
    }


def test_findings_come_as_tables_too(run, birds):
    birds.write_text(birds.read_text().replace("\t0\troot", "\t9\troot"))
    tsv = run("validate", "birds.conllu", "--format", "tsv").stdout.splitlines()
    assert tsv[0].split("\t")[:4] == ["severity", "id", "file", "line"]
    assert tsv[2].split("\t")[:4] == ["error", "head-outside", "birds.conllu", "4"]
    assert run("validate", "birds.conllu", "-f", "markdown").stdout.startswith("| severity |")
    assert r"\toprule" in run("validate", "birds.conllu", "-f", "latex").stdout


def test_results_can_go_to_a_file(run, birds, tmp_path):
    result = run("validate", "birds.conllu", "--json", "-o", "findings.json")
    assert result.stdout == ""
    assert json.loads((tmp_path / "findings.json").read_text())["files"][0]["valid"] is True


def test_standard_input_is_a_file_too(run, birds):
    result = run("validate", "-", stdin=birds.read_text())
    assert result.stdout == "<stdin>: valid, 1 sentence, 3 words; no findings\n"


def test_the_format_can_be_named(run, birds):
    result = run("validate", "birds.conllu", "--from", "pascal")
    assert result.returncode == 1
    assert "[columns] expected 9 columns, found 10" in result.stdout
    unknown = run("validate", "birds.conllu", "--from", "conlu")
    assert unknown.returncode == 2
    assert "did you mean conllu" in unknown.stderr


def test_a_file_that_cannot_be_read_does_not_hide_the_others(run, birds, tmp_path):
    (tmp_path / "folder").mkdir()
    result = run("validate", "nope.conllu", "birds.conllu", "folder")
    assert result.returncode == 1
    assert (
        "nope.conllu: [unreadable] expected a file or the name of a treebank, "
        "found no such file or folder\n"
    ) in result.stdout
    assert "birds.conllu: valid, 1 sentence, 3 words; no findings\n" in result.stdout
    assert "the name of a treebank, found no treebank in this folder" in result.stdout


def test_all_parts_of_a_folder_are_checked(run, birds, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "test.conllu").write_text(birds.read_text())
    (home / "train.conllu").write_text(birds.read_text().replace("2\tsing", "2 sing"))
    result = run("validate", "home")
    assert result.returncode == 1
    assert "train.conllu:4: [columns]" in result.stdout


def test_a_pipe_is_a_file(run, birds):
    """As in `treegauge validate <(cat birds.conllu)`."""
    reader, writer = os.pipe()
    os.write(writer, birds.read_bytes())
    os.close(writer)
    try:
        shown = run("validate", f"/dev/fd/{reader}")
    finally:
        os.close(reader)
    assert ": valid, 1 sentence, 3 words" in shown.stdout
