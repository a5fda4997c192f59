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


@pytest.fixture
def many(tmp_path):
    """A file with the same flaw in a thousand lines."""
    line = "1\tbird\t_\tNOUN\t_\t_\tx\t_\t_\t_\n\n"
    (tmp_path / "many.conllu").write_text(line * 1000)


@pytest.mark.usefixtures("many")
def test_the_same_flaw_in_a_thousand_lines_is_one_finding_with_its_first_places(run):
    assert run("validate", "many.conllu").stdout == (
        'many.conllu:1: [head-number] expected a whole number as HEAD, found "x"\n'
        "  write 0 for the root and _ for no annotation\n"
        "  1,000 of these, in lines 1, 3, 5, 7, 9 and so on; --all shows each\n"
        "many.conllu: not valid; 1,000 errors\n"
    )


@pytest.mark.usefixtures("many")
def test_all_shows_each_finding(run):
    result = run("validate", "many.conllu", "--all")
    assert result.stdout.count("[head-number] expected a whole number") == 1000
    assert result.stdout.count("write 0 for the root") == 1
    assert "many.conllu:1999: [head-number]" in result.stdout
    assert result.stdout.endswith("many.conllu: not valid; 1,000 errors\n")


@pytest.mark.usefixtures("many")
def test_data_for_programs_has_every_finding(run):
    (file,) = json.loads(run("validate", "--json", "many.conllu").stdout)["files"]
    assert (len(file["findings"]), file["counts"]) == (1000, {"head-number": 1000})
    assert len(run("validate", "-f", "tsv", "many.conllu").stdout.splitlines()) == 1001


def test_a_few_flaws_of_a_kind_are_each_shown(run, birds):
    birds.write_text(birds.read_text().replace("\t0\troot", "\t1\troot") * 3)
    result = run("validate", "birds.conllu")
    assert result.stdout.count("[cycle]") == 3
    assert "--all" not in result.stdout


def test_of_many_flaws_of_a_kind_three_that_differ_are_shown(run, tmp_path):
    line = "1\tbird\t_\tNOUN\t_\t_\t{}\t_\t_\t_\n\n"
    (tmp_path / "many.conllu").write_text("".join(line.format("xxyzw"[i % 5]) for i in range(50)))
    lines = run("validate", "many.conllu").stdout.splitlines()
    assert [line.partition(" ")[0] for line in lines if "[head" in line] == [
        "many.conllu:1:",
        "many.conllu:5:",
        "many.conllu:7:",
    ]
    assert lines[-2] == "  50 of these, in lines 1, 3, 5, 7, 9 and so on; --all shows each"


def test_several_files_are_summed_up(run, birds, tmp_path):
    (tmp_path / "good.conllu").write_text(birds.read_text())
    (tmp_path / "empty.conllu").touch()
    birds.write_text(birds.read_text().replace("\t0\troot", "\t1\troot"))
    lines = run("validate", "birds.conllu", "empty.conllu", "good.conllu").stdout.splitlines()
    assert lines[-1] == (
        "3 files: 1 valid, 2 not valid; 3 errors (cycle 1, no-root 1, empty-file 1)"
    )


def test_a_terminal_shows_what_is_grave_in_colour(run, birds, monkeypatch):
    monkeypatch.setattr("treegauge.cli.console.has_colour", lambda _output: True)
    assert "\x1b[1;32mbirds.conllu: valid" in run("validate", "birds.conllu").stdout
    birds.write_text(birds.read_text().replace("\t0\troot", "\t1\troot"))
    gold = run("validate", "birds.conllu").stdout
    assert "\x1b[31mbirds.conllu:3: [cycle]" in gold
    assert "\x1b[1;31mbirds.conllu: not valid" in gold
    system = run("validate", "birds.conllu", "--as", "system").stdout
    assert "\x1b[33mbirds.conllu:3: [cycle]" in system


def test_what_a_file_says_cannot_colour_a_terminal(run, birds, monkeypatch):
    monkeypatch.setattr("treegauge.cli.console.has_colour", lambda _output: True)
    birds.write_text(birds.read_text().replace("\t0\troot", "\t\x1b[34m\troot"))
    assert "\x1b[34m" not in run("validate", "birds.conllu").stdout


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
        "advice": "set HEAD to a word of the same sentence",
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
