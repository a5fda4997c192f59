from __future__ import annotations

import json

import pytest

# One sentence that the paper takes, one with a comma inside.
SENTENCES = """\
# sent_id = birds-1
# text = Wild birds sing songs.
1\tWild\twild\tADJ\tJJ\t_\t2\tamod\t_\t_
2\tbirds\tbird\tNOUN\tNNS\t_\t3\tnsubj\t_\t_
3\tsing\tsing\tVERB\tVBP\t_\t0\troot\t_\t_
4\tsongs\tsong\tNOUN\tNNS\t_\t3\tobj\t_\tSpaceAfter=No
5\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_

# sent_id = birds-2
1\tYes\tyes\tINTJ\tUH\t_\t3\tdiscourse\t_\t_
2\t,\t,\tPUNCT\t,\t_\t3\tpunct\t_\t_
3\tsing\tsing\tVERB\tVB\t_\t0\troot\t_\t_

"""


@pytest.fixture
def wild(tmp_path):
    path = tmp_path / "wild.conllu"
    path.write_text(SENTENCES, encoding="utf-8")
    return path


def forms(path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t")[1] for line in lines if "\t" in line and not line.startswith("#")]


def test_an_order_and_the_way_back(run, wild, tmp_path):
    result = run("permute", "wild.conllu", "right.conllu", "--order", "right")
    assert result.returncode == 0
    assert result.stderr.splitlines() == [
        "kept 1 of 2 sentences, 4 of 8 words; left out: 1 punctuation inside",
        "wrote right.conllu: 1 sentence, 5 words",
    ]
    assert forms(tmp_path / "right.conllu") == ["sing", "songs", "birds", "Wild", "."]
    assert run("permute", "right.conllu", "back.conllu", "--undo").returncode == 0
    first = SENTENCES.split("\n\n")[0] + "\n\n"
    assert (tmp_path / "back.conllu").read_text() == first


def test_all_sentences_and_the_file_itself_come_back(run, wild, tmp_path):
    result = run(
        "permute", "wild.conllu", "out.conllu", "--order", "random", "--keep-all", "--seed", "3"
    )
    assert result.stderr.startswith("kept 2 of 2 sentences, 7 of 8 words\n")
    assert run("permute", "out.conllu", "back.conllu", "--undo", "--quiet").stderr == ""
    assert (tmp_path / "back.conllu").read_bytes() == wild.read_bytes()


def test_the_summary(run, wild):
    result = run("permute", "wild.conllu", "out.conllu", "--order", "mix:0.5", "--json")
    summary = json.loads(result.stdout)
    assert (summary["order"], summary["seed"], summary["sentences"]) == ("mix:0.5", 0, 1)
    assert summary["selection"]["dropped"] == {"punctuation inside": 1}


def test_final_punctuation(run, wild, tmp_path):
    arguments = ["permute", "wild.conllu", "out.conllu", "--order", "mirror"]
    run(*arguments, "--final-punctuation", "strip")
    assert forms(tmp_path / "out.conllu") == ["songs", "sing", "birds", "Wild"]
    run(*arguments, "--final-punctuation", "include")
    assert forms(tmp_path / "out.conllu")[0] == "."


def test_standard_output_and_toy_languages(run):
    result = run("permute", "toy:svo:test", "-", "--order", "optdl", "--to", "conllu", "--quiet")
    assert result.returncode == 0
    assert result.stdout.count("# permutation = optdl\n") > 1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give an --order, or --undo"),
        (["--order", "left", "--undo"], "give an --order, or --undo"),
        (["--order", "lefft"], "unknown order 'lefft'"),
        (["--order", "left", "--hold-length", "0.1"], "goes with --order nonprojective"),
    ],
)
def test_misuse(run, wild, arguments, message):
    result = run("permute", "wild.conllu", "out.conllu", *arguments)
    assert result.returncode == 2
    assert message in result.stderr


def test_bad_input(run, wild, tmp_path):
    result = run("permute", "wild.conllu", "out.conllu", "--undo")
    assert result.returncode == 1
    assert "2 of 2 sentences have no record of another order; the first is birds-1" in result.stderr
    wild.write_text(SENTENCES.replace("3\tnsubj", "1\tnsubj"), encoding="utf-8")
    result = run("permute", "wild.conllu", "out.conllu", "--order", "left", "--keep-all")
    assert result.returncode == 1
    assert "needs one complete tree per sentence; 1 of 2 are not: birds-1" in result.stderr
    assert not (tmp_path / "out.conllu").exists()
    wild.write_text("1\tBirds" + "\t_" * 8 + "\n\n", encoding="utf-8")
    result = run("permute", "wild.conllu", "out.conllu", "--order", "left")
    assert result.returncode == 1
    assert result.stderr.startswith("wild.conllu: no sentence has a tree that can be put in anoth")
    assert not (tmp_path / "out.conllu").exists()
    result = run("permute", "wild.conllu", "out.foo", "--order", "left")
    assert result.stderr.startswith("out.foo: which format?")
