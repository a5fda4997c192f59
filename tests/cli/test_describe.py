from __future__ import annotations

import json

import pytest

SPOKEN = """\
# speaker = MOT
1\toh\toh\tINTJ\t_\t_\t0\troot\t_\t_

# speaker = CHI
1\tbirds\tbird\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tsing\tsing\tVERB\t_\t_\t0\troot\t_\t_

1\tyes\tyes\tINTJ\t_\t_\t0\troot\t_\t_

"""


@pytest.fixture
def spoken(tmp_path):
    path = tmp_path / "spoken.conllu"
    path.write_text(SPOKEN, encoding="utf-8")
    return path


def test_a_toy_language_has_three_parts(run):
    document = json.loads(run("describe", "toy:svo", "--json").stdout)
    assert document["schema"] == 1
    described = {one["part"]: one for one in document["treebanks"]}
    assert set(described) == {"train", "dev", "test"}
    assert all(one["name"] == "toy:svo" for one in described.values())
    assert described["train"]["new_types"] is None
    assert 0 < described["test"]["new_types"] < 1


def test_the_document_has_the_members_that_others_script_against(run, birds):
    (one,) = json.loads(run("describe", "birds.conllu", "--json").stdout)["treebanks"]
    assert (one["name"], one["part"], one["sentences"], one["tokens"]) == ("birds", "whole", 1, 3)
    for member in ("dlm_ratio", "arc_direction_entropy", "perplexity", "derivation_perplexity"):
        assert one[member] is None


@pytest.mark.parametrize(
    ("conditions", "tokens"),
    [
        (["speaker=MOT"], 1),
        (["speaker = CHI"], 2),
        (["speaker!=CHI"], 2),
        (["speaker=MOT", "speaker=CHI"], 0),
        (["age=3"], 0),
    ],
)
def test_sentences_can_be_filtered_by_their_comments(run, spoken, conditions, tokens):
    options = [option for condition in conditions for option in ("--where", condition)]
    (one,) = json.loads(run("describe", "spoken.conllu", *options, "--json").stdout)["treebanks"]
    assert one["tokens"] == tokens


def test_a_condition_that_is_none_is_refused(run, spoken):
    result = run("describe", "spoken.conllu", "--where", "MOT")
    assert result.returncode == 1
    assert result.stderr == "unknown condition 'MOT'; write KEY=VALUE or KEY!=VALUE\n"


def test_a_table_for_people_has_a_column_a_part(run, birds):
    lines = run("describe", "toy:svo:test", "birds.conllu").stdout.splitlines()
    assert lines[0].split() == ["toy:svo", "test", "(d)", "birds"]
    assert lines[2].split() == ["tokens", "20,017", "3"]


def test_tsv_has_a_row_a_part(run, birds):
    head, row = run("describe", "birds.conllu", "-f", "tsv").stdout.splitlines()
    cells = dict(zip(head.split("\t"), row.split("\t"), strict=True))
    assert (cells["treebank"], cells["tokens"], cells["projective trees %"]) == (
        "birds",
        "3",
        "100.0",
    )


def test_an_unknown_name_is_answered_with_the_nearest(run):
    result = run("describe", "toy:svp")
    assert result.returncode == 1
    assert result.stderr.startswith("unknown toy language 'toy:svp'; did you mean toy:svo")
