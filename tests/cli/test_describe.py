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
    for member in ("perplexity", "derivation_perplexity"):
        assert one[member] is None
    # Two words once the full stop is stripped, and one arc.
    assert (one["dlm_ratio"], one["arc_direction_entropy"]) == (1.0, 0.0)
    assert one["word_order_settings"] == "default"
    assert "word_order" not in one


def test_without_heads_there_is_no_word_order(run, tmp_path):
    (tmp_path / "bare.slashed").write_text("a/DET bird/NOUN\n")
    (one,) = json.loads(run("describe", "bare.slashed", "--json").stdout)["treebanks"]
    assert (one["dlm_ratio"], one["arc_direction_entropy"]) == (None, None)


# wild birds sing songs; songs birds sing: lengths 1 + 1 + 1 and 2 + 1; optima 3 and 2
WORD_ORDER = """\
1\twild\t_\tADJ\t_\t_\t2\tamod\t_\t_
2\tbirds\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tsing\t_\tVERB\t_\t_\t0\troot\t_\t_
4\tsongs\t_\tNOUN\t_\t_\t3\tobj\t_\t_

1\tsongs\t_\tNOUN\t_\t_\t3\tobj\t_\t_
2\tbirds\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tsing\t_\tVERB\t_\t_\t0\troot\t_\t_

1\tyes\t_\tINTJ\t_\t_\t2\tdiscourse\t_\t_
2\t,\t_\tPUNCT\t_\t_\t0\troot\t_\t_
3\tno\t_\tINTJ\t_\t_\t2\tdep\t_\t_

"""


@pytest.fixture
def wild(tmp_path):
    path = tmp_path / "wild.conllu"
    path.write_text(WORD_ORDER, encoding="utf-8")
    return path


def test_everything_about_word_order(run, wild):
    result = run("describe", "wild.conllu", "--word-order", "--resamples", "50", "--json")
    (one,) = json.loads(result.stdout)["treebanks"]
    assert one["dlm_ratio"] == (3 / 16 + 3 / 9) / (3 / 16 + 2 / 9)
    assert one["arc_direction_entropy"] == pytest.approx(2 / 5)
    details = one["word_order"]
    assert details["dropped"] == {"punctuation inside": 1}
    assert (details["sentences_read"], details["sentences"], details["words"]) == (3, 2, 7)
    assert details["dlm_ratio"] == one["dlm_ratio"]
    # Resamples of two sentences have either twice, or both: 1, 1.27 or 1.5.
    assert details["intervals"]["dlm_ratio"] == pytest.approx({"low": 1.0, "high": 1.5})
    assert details["head_finality"][1] == {"relation": "obj", "arcs": 2, "share": 0.5}
    assert details["size_matched_arcs"] == 5
    assert details["size_matched_entropy"] == pytest.approx(2 / 5)


def test_the_preset_of_the_paper(run, wild):
    arguments = [
        "describe",
        "wild.conllu",
        "--word-order-settings",
        "gm16",
        "--word-order",
        "--json",
    ]
    (one,) = json.loads(run(*arguments).stdout)["treebanks"]
    assert one["arc_direction_entropy"] == pytest.approx(2 / 5 * 0.6931471805599453)
    assert one["dlm_ratio"] == pytest.approx((6 / 16 + 5 / 9) / (6 / 16 + 4 / 9))
    assert one["word_order_settings"] == "unit=span,base=e,optimum=plain,minimum=3000"
    assert one["word_order"]["is_small"] is True
    text = run(*arguments[:-1], "--resamples", "0").stdout
    assert (
        "Lengths as span, plain alternation (inferred, the paper does not say) as optimum" in text
    )
    assert "wild: kept 2 of 3 sentences, 7 of 10 words; left out: 1 punctuation inside." in text
    assert "wild: fewer sentences than the preset asks for." in text


def test_a_long_table_of_word_order(run, wild):
    lines = run("describe", "wild.conllu", "--word-order", "-f", "tsv").stdout.splitlines()
    assert lines[0].split("\t") == ["treebank", "part", "property", "value", "low", "high"]
    values = {line.split("\t")[2]: line.split("\t")[3] for line in lines[1:]}
    assert float(values["arc_direction_entropy"]) == pytest.approx(2 / 5)
    assert values["dropped: punctuation inside"] == "1"
    assert values["head_final_share: obj"] == "0.5"


def test_an_unknown_preset_is_a_usage_error(run, wild):
    result = run("describe", "wild.conllu", "--word-order-settings", "gm17")
    assert result.returncode == 2
    assert "unknown preset 'gm17'; did you mean gm16?" in result.stderr


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
    assert (cells["treebank"], cells["tokens"], cells["projective_trees"]) == (
        "birds",
        "3",
        "1.0",
    )


def test_an_unknown_name_is_answered_with_the_nearest(run):
    result = run("describe", "toy:svp")
    assert result.returncode == 1
    assert result.stderr.startswith("unknown toy language 'toy:svp'; did you mean toy:svo")


def test_the_name_of_the_file_chooses_the_form(run, tmp_path):
    assert run("describe", "toy:svo:dev", "-o", "long.tsv").returncode == 0
    written = (tmp_path / "long.tsv").read_text(encoding="utf-8")
    assert written == run("describe", "toy:svo:dev", "-f", "tsv").stdout


# ---------------------------------------------------------------------- what can be left out

REDUCED = "old/ADJ men/NOUN sleep/VERB\nmen/NOUN sleep/VERB\nsleep/VERB\n"


def test_what_can_be_left_out_is_shown(run, tmp_path):
    (tmp_path / "men.slashed").write_text(REDUCED)
    text = run("describe", "men.slashed", "--reducibility").stdout
    assert "Reducibility of men" in text
    assert ["ADJ", "1", "100.00"] in [line.split()[:3] for line in text.splitlines()]
    (one,) = json.loads(run("describe", "men.slashed", "--reducibility", "--json").stdout)[
        "treebanks"
    ]
    found = one["reducibility"]
    assert (found["match"], found["sentences"], found["words"]) == ("context", 2, 5)
    by_tags = {" ".join(ngram["tags"]): ngram for ngram in found["ngrams"]}
    assert (by_tags["NOUN"]["occurrences"], by_tags["NOUN"]["left_out"]) == (2, 1)
    assert (by_tags["VERB"]["occurrences"], by_tags["VERB"]["left_out"]) == (2, 0)
    assert by_tags["ADJ NOUN"]["left_out"] == 1
    rows = run("describe", "men.slashed", "--reducibility", "--format", "tsv").stdout.splitlines()
    assert rows[0].split("\t")[2:5] == ["n", "tags", "occurrences"]
    assert len(rows) == 1 + len(by_tags)


def test_two_kinds_of_tables_cannot_be_one(run):
    result = run("describe", "toy:svo:test", "--reducibility", "--word-order")
    assert result.returncode == 2
    assert "--word-order and --reducibility are two tables; --json has both" in result.stderr


def test_nothing_can_be_left_out_without_tags(run, tmp_path):
    (tmp_path / "bare.tokens").write_text("birds sing\n")
    result = run("describe", "bare.tokens", "--reducibility")
    assert "no reducibility" in result.stderr


def test_perplexity_is_learnt_from_a_text_of_another_domain(run):
    def perplexity(*more):
        command = (
            "describe",
            "toy:svo:test",
            "--perplexity",
            "kenlm",
            "--resamples",
            "0",
            "--json",
        )
        result = run(*command, *more)
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout)["treebanks"][0]["perplexity"]

    own = perplexity()
    assert perplexity("--train", "toy:svo:train") == own
    assert perplexity("--train", "toy:free:train") > own
