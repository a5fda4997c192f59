from __future__ import annotations

import json

import pytest

TOWN = "( (S (NP-SBJ (PRP We)) (VP (VBP live) (PP-LOC (IN in) (NP (NN town)))) (. .)))\n"


@pytest.fixture
def wsj(tmp_path):
    """Two sections of one file each."""
    for section in ("00", "02"):
        folder = tmp_path / "wsj" / section
        folder.mkdir(parents=True)
        (folder / f"wsj_{section}01.mrg").write_text(TOWN)
    return tmp_path / "wsj"


def heads_of(text: str) -> list[tuple[str, str]]:
    return [tuple(line.split("\t")[6:8]) for line in text.splitlines() if "\t" in line]


def test_brackets_become_a_treebank(run, wsj, tmp_path):
    result = run("convert", "wsj/00/wsj_0001.mrg", "out.conllu", "--heads", "collins")
    assert result.returncode == 0
    assert result.stderr == "wrote out.conllu: 1 sentence, 5 words\n"
    assert (tmp_path / "out.conllu").read_text() == (
        "# sent_id = wsj_0001-1\n"
        "1\tWe\t_\t_\tPRP\t_\t2\tSBJ\t_\t_\n"
        "2\tlive\t_\t_\tVBP\t_\t0\tROOT\t_\t_\n"
        "3\tin\t_\t_\tIN\t_\t2\tLOC\t_\t_\n"
        "4\ttown\t_\t_\tNN\t_\t3\tPMOD\t_\t_\n"
        "5\t.\t_\t_\t.\t_\t2\tP\t_\t_\n\n"
    )


def test_options_choose_other_heads(run, wsj):
    arguments = ("convert", "wsj", "-", "--to", "conllu", "--sections", "2", "--heads", "lth")
    standard = heads_of(run(*arguments).stdout)
    lexical = heads_of(run(*arguments, "--heads-options", "lexical").stdout)
    assert standard[2:4] == [("2", "LOC"), ("3", "PMOD")]
    assert lexical[2:4] == [("4", "PMOD"), ("2", "ADV")]
    switched = heads_of(
        run(*arguments, "--heads-options", "standard,prepositions=dependent").stdout
    )
    assert switched[2:4] == [("4", "PMOD"), ("2", "LOC")]


def test_a_summary_says_which_heads(run, wsj):
    result = run("convert", "wsj", "out.conllx", "--heads", "lth", "--json")
    summary = json.loads(result.stdout)
    assert (summary["sentences"], summary["heads"]) == (2, "lth")


def test_brackets_from_standard_input(run):
    result = run("convert", "-", "-", "--to", "conllu", "--heads", "yamada-matsumoto", stdin=TOWN)
    assert len(heads_of(result.stdout)) == 5


def test_a_converted_file_is_a_reference(run, wsj):
    for options in ("standard", "lexical"):
        run("convert", "wsj", f"{options}.conllu", "--heads", "lth", "--heads-options", options)
    result = run(
        *("evaluate", "standard.conllu", "lexical.conllu", "--reference", "lexical.conllu"),
        *("-m", "uas", "--json"),
    )
    assert result.returncode == 0
    assert json.loads(result.stdout)["systems"][0]["scores"]["uas"]["value"] == pytest.approx(0.6)


def test_what_cannot_be_is_said(run, wsj):
    def error(*arguments: str) -> str:
        result = run("convert", *arguments)
        assert result.returncode in (1, 2)
        return " ".join(result.stderr.replace("│", " ").split())

    assert "no heads yet; choose some with" in error("wsj/00/wsj_0001.mrg", "o.conllu")
    assert "unknown head rules 'colins'; did you mean collins?" in error(
        "wsj", "o.conllu", "--heads", "colins"
    )
    assert "need --heads" in error("wsj", "o.conllu", "--sections", "2")
    assert "no section 1; there are 0, 2" in error(
        *("wsj", "o.conllu", "--heads", "lth", "--sections", "0-2")
    )
    assert "unknown set of options 'standart'; did you mean standard?" in error(
        *("wsj", "o.conllu", "--heads", "lth", "--heads-options", "standart")
    )
    assert "collins has no options" in error(
        *("wsj", "o.conllu", "--heads", "collins", "--heads-options", "lexical")
    )
    (wsj / "00" / "wsj_0001.mrg").write_text("( (S (NP (NN tea))\n")
    assert "wsj_0001.mrg:1: [brackets] expected a closing bracket" in error(
        *("wsj/00/wsj_0001.mrg", "o.conllu", "--heads", "lth")
    )
