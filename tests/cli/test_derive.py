from __future__ import annotations

import json

import pytest

# Crossing arcs: it hangs on on, and on on hearing. Several blanks, and no form at all.
HEARING = """\
# sent_id = hearing-1
1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_
2\thearing\thearing\tNOUN\tNN\t_\t3\tnsubj\t_\tSpaceAfter=No
3\tis\tbe\tVERB\tVBZ\t_\t0\troot\t_\t_
4\ton\ton\tADP\tIN\t_\t3\tcase\t_\t_
5\tNew York\tNew York\tPROPN\tNNP\t_\t2\tnmod\t_\t_

# sent_id = hearing-2
1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_

"""


@pytest.fixture
def hearing(tmp_path):
    path = tmp_path / "hearing.conllu"
    path.write_text(HEARING, encoding="utf-8")
    return path


def test_a_text(run, hearing, tmp_path):
    result = run("derive", "hearing.conllu", "out.txt")
    assert result.returncode == 0
    assert result.stderr == "wrote out.txt: 2 sentences, 6 words\n"
    text = (tmp_path / "out.txt").read_text(encoding="utf-8")
    assert text == "A on New\u00a0York hearing is\nYes\n"


def test_standard_input_and_output_and_fields(run, hearing):
    result = run("derive", "-", "-", "--field", "form/upos", "--system", "covington", stdin=HEARING)
    assert result.stdout.splitlines()[0] == (
        "A/DET hearing/NOUN is/VERB on/ADP New\u00a0York/PROPN"
    )
    assert result.stderr == ""
    assert run("derive", "hearing.conllu", "-", "--field", "upos").stdout.startswith("DET ADP ")


def test_a_treebank_that_says_when(run, hearing, tmp_path):
    result = run("derive", "hearing.conllu", "out.conllu", "--json")
    summary = json.loads(result.stdout)
    assert summary["system"] == "swap-lazy"
    assert (summary["sentences"], summary["words"], summary["lifted"]) == (2, 6, 0)
    lines = (tmp_path / "out.conllu").read_text(encoding="utf-8").splitlines()
    assert [line.split("\t")[9] for line in lines if line[:1].isdigit()] == [
        "AttachedAs=1",
        "SpaceAfter=No|AttachedAs=4",
        "AttachedAs=5",
        "AttachedAs=2",
        "AttachedAs=3",
        "AttachedAs=1",
    ]
    # Its own order, whatever the system.
    own = run("derive", "out.conllu", "-", "--mode", "own", "--system", "arc-eager")
    assert own.stdout == run("derive", "hearing.conllu", "-").stdout


@pytest.mark.parametrize("system", ["arc-standard", "arc-eager", "arc-hybrid"])
def test_trees_that_a_system_cannot_derive(run, hearing, tmp_path, system):
    result = run("derive", "hearing.conllu", "out.txt", "--system", system)
    assert result.returncode == 1
    assert f"{system} has none for 1 of 2 sentences (1 not projective" in result.stderr
    assert "hearing-1" in result.stderr
    assert "--projectivise" in result.stderr
    assert not (tmp_path / "out.txt").exists()
    result = run("derive", "hearing.conllu", "out.txt", "--system", system, "--projectivise")
    assert result.returncode == 0
    assert "projectivised: 1 of 6 words have another head" in result.stderr


def test_parsers_output_with_several_roots_and_without_heads(run, hearing):
    forest = HEARING.replace("3\tcase", "0\tcase")
    hearing.write_text(forest, encoding="utf-8")
    assert run("derive", "hearing.conllu", "-").returncode == 0
    hearing.write_text(HEARING.replace("2\tdet", "_\tdet"), encoding="utf-8")
    result = run("derive", "hearing.conllu", "-")
    assert result.stdout.startswith("on New\u00a0York hearing is A\n")
    assert "1 word of hearing without a head: attached last" in result.stderr
    assert run("derive", "hearing.conllu", "-", "--quiet").stderr == ""


def test_bad_input(run, hearing, birds):
    hearing.write_text(HEARING.replace("0\troot\t_\t_\n4", "1\troot\t_\t_\n4"), encoding="utf-8")
    result = run("derive", "hearing.conllu", "-")
    assert result.returncode == 1
    assert "1 of 2 are not: hearing-1" in result.stderr
    result = run("derive", "birds.conllu", "-", "--mode", "own")
    assert result.returncode == 1
    assert "AttachedAs in MISC; 1 of 1 sentences lack it: birds-1" in result.stderr
    result = run("derive", "birds.conllu", "out.conllx")
    assert result.returncode == 1
    assert result.stderr.startswith("out.conllx: text or conllu? name it with --to")
    birds.write_text(birds.read_text().replace("\tNOUN", "\t_").replace("\tVERB", "\t_"))
    birds.write_text(birds.read_text().replace("\tPUNCT", "\t_"))
    result = run("derive", "birds.conllu", "-", "--field", "upos")
    assert result.returncode == 1
    assert "birds has no UPOS" in result.stderr
    assert run("derive", "missing.conllu", "-").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--system", "swap"], "unknown transition system 'swap'"),
        (["--mode", "own", "--projectivise"], "goes with --mode canonical"),
        (["--json"], "both standard output"),
        (["--field", "word"], "'word' is not one of"),
    ],
)
def test_misuse(run, birds, arguments, message):
    result = run("derive", "birds.conllu", "-", *arguments)
    assert result.returncode == 2
    assert message in result.stderr
