from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.dictionaries.worked_example import ENTRIES, dictionary

pytestmark = pytest.mark.long


def conllu(words: str, comment: str = "") -> str:
    lines = [
        f"{i}\t{form}\t_\t{tag}\t_\t_\t_\t_\t_\t_"
        for i, (form, tag) in enumerate((word.split("/") for word in words.split()), start=1)
    ]
    return "\n".join([*([comment] if comment else []), *lines]) + "\n\n"


GOLD = "the/DET old/ADJ dog/NOUN barks/VERB ./PUNCT xyz/PROPN run/VERB"
SYSTEM = "the/DET old/NOUN dog/NOUN barks/NOUN ./PUNCT xyz/NOUN run/NOUN"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    lines = "".join(f"{form}\t{','.join(tags)}\n" for form, tags in ENTRIES.items())
    (tmp_path / "example.tsv").write_text(lines, encoding="utf-8")
    (tmp_path / "gold.conllu").write_text(conllu(GOLD), encoding="utf-8")
    (tmp_path / "system.conllu").write_text(conllu(SYSTEM), encoding="utf-8")
    return tmp_path


def test_scores(run, files):
    arguments = ("score", "example.tsv", "Best=gold.conllu", "system.conllu")
    result = run("dictionary", *arguments, "--gold", "gold.conllu", "--worst", "2")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[2].split()[:2] == ["Best", "83.33"]
    assert lines[3].split()[:2] == ["system", "83.33"]
    assert "57.14" in lines[3]
    assert "soft_accuracy|tags:u12|map:" in result.stdout
    assert "|case:exact|punct:yes|numbers:no|sym:X|dict:example#" in result.stdout
    assert "costly entries: system" in result.stdout


def test_records(run, files):
    arguments = ("system.conllu", "--gold", "gold.conllu", "--train", "gold.conllu", "--json")
    result = run("dictionary", "score", "example.tsv", *arguments, "--case", "backoff")
    (record,) = json.loads(result.stdout)["records"]
    assert record["soft"]["value"] == 5 / 6
    assert record["gold"]["accuracy"] == 4 / 7
    assert (record["quality"]["precision"], record["casing"]) == (5 / 8, "backoff")
    assert record["dictionary_hash"] == dictionary().fingerprint


def test_records_of_one_text_can_be_compared_whoever_tagged_it(run, files):
    from treegauge.dictionaries import Record, require_comparable

    records = []
    for name in ("gold", "system"):
        result = run("dictionary", "score", "example.tsv", f"{name}.conllu", "--json")
        records.append(Record.from_dict(json.loads(result.stdout)["records"][0]))
    require_comparable(records)
    assert "data:text#" in str(records[0].conditions.signature)


def test_several_dictionaries_are_united(run, files):
    (files / "more.tsv").write_text("old\tNOUN\nxyz\tNOUN\n", encoding="utf-8")
    result = run("dictionary", "score", "example.tsv,more.tsv", "system.conllu", "--json")
    soft = json.loads(result.stdout)["records"][0]["soft"]
    assert (soft["hits"], soft["covered"]) == (7, 7)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("hund\tNOUN\n", "have no word in common"),
        ("dog\tNoun\n", "odd.tsv:1: [tag] 'Noun' is no universal tag; did you mean NOUN?"),
        ("dog NOUN\n", "odd.tsv:1: [columns]"),
    ],
)
def test_dictionaries_that_cannot_score(run, files, content, message):
    (files / "odd.tsv").write_text(content, encoding="utf-8")
    result = run("dictionary", "score", "odd.tsv", "system.conllu")
    assert result.returncode == 1
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_a_treebank_is_no_dictionary(run, files):
    result = run("dictionary", "score", "system.conllu", "system.conllu")
    assert result.returncode == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("system.conllu:")
    assert "found a treebank; `treegauge dictionary from-treebank` makes" in line


def test_a_dictionary_of_another_language_is_noticed(run, files):
    (files / "odd.tsv").write_text("hund\tNOUN\n.\t.\n", encoding="utf-8")
    result = run("dictionary", "score", "odd.tsv", "system.conllu")
    assert result.returncode == 0
    assert "only 0.0% of the words" in result.stderr


def test_the_dictionary_of_the_training_is_refused(run, files):
    comment = f"# dictionary_fingerprint = {dictionary().fingerprint}"
    (files / "crf.conllu").write_text(conllu(SYSTEM, comment), encoding="utf-8")
    for verb in ("score", "rank", "curve"):
        result = run("dictionary", verb, "example.tsv", "crf.conllu")
        assert result.returncode == 1
        assert "crf was trained with example" in result.stderr
    (files / "more.tsv").write_text("xyz\tNOUN\n", encoding="utf-8")
    assert run("dictionary", "score", "example.tsv,more.tsv", "crf.conllu").returncode == 1


def test_one_tagger_is_no_ranking(run, files):
    result = run("dictionary", "rank", "example.tsv", "system.conllu")
    assert result.returncode == 2
    assert "one tagger cannot be ranked" in result.stderr


def test_dictionaries_without_a_common_word(run, files):
    (files / "odd.tsv").write_text("zzz\tNOUN\n", encoding="utf-8")
    result = run("dictionary", "quality", "example.tsv", "odd.tsv")
    assert result.returncode == 1
    assert result.stderr.startswith("example.tsv and odd.tsv have no word in common\n  are both")


def test_ranks(run, files):
    arguments = ("rank", "example.tsv", "Best=gold.conllu", "system.conllu", "--gold")
    result = run("dictionary", *arguments, "gold.conllu", "--trials", "100", "--json")
    found = json.loads(result.stdout)
    assert found["probability"] == {"Best": 0.5, "system": 0.5}
    assert found["groups"] == [["Best", "system"]]
    # Both have the same soft accuracy, one is right: half of the tops.
    assert found["against_gold"]["precision_at_1"] == 0.5
    assert found["against_gold"]["regret"] == pytest.approx(3 / 14)
    assert found["against_gold"]["note"] == "with 2 taggers, no tau can reach p < 0.05"
    shown = run("dictionary", *arguments, "gold.conllu", "--trials", "100").stdout
    assert shown.startswith("Best is best with probability 0.50")


def test_ranks_of_languages(run, files):
    for name in ("one", "two"):
        gold, other = f"{name}_x.conllu", f"other-{name}.conllu"
        (files / gold).write_text(conllu(GOLD.replace("barks/VERB", "barks/NOUN")))
        (files / other).write_text(conllu(SYSTEM.replace("the/DET", f"the/{'VERB'}")))
        arguments = ("example.tsv", f"a={gold}", f"b={other}", "--gold", gold)
        assert run("dictionary", "score", *arguments, "-o", f"{name}.json").returncode == 0
    result = run("dictionary", "rank", "--records", "one.json", "--records", "two.json", "--json")
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert list(found["languages"]) == ["one_x", "two_x"]
    assert found["pooled"]["mean_tau"] == 1
    calibrated = run(
        "dictionary", "rank", "example.tsv", "a=gold.conllu", "b=system.conllu",
        *("--calibrate", "one.json", "--calibrate", "two.json", "--estimator", "error"),
    )  # fmt: skip
    assert calibrated.returncode == 0, calibrated.stderr
    assert "from too few languages for an interval" in calibrated.stdout
    (files / "no.json").write_text("{}", encoding="utf-8")
    broken = run("dictionary", "rank", "--records", "no.json")
    assert (broken.returncode, "no.json: no records" in broken.stderr) == (1, True)
    assert run("dictionary", "rank", "example.tsv", "--records", "one.json").returncode == 2


def test_curves(run, files):
    arguments = ("curve", "example.tsv", "system.conllu", "--gold", "gold.conllu")
    result = run(
        "dictionary", *arguments, "--frequencies", "gold.conllu", "--sizes", "2,6",
        *("--draws", "5", "--json"),
    )  # fmt: skip
    found = json.loads(result.stdout)
    assert [point["variant"] for point in found["points"]] == ["+freq"] * 2 + [
        "+freq-strict"
    ] * 2 + ["-freq"] * 2
    whole = found["points"][-1]
    assert (whole["size"], whole["value"], whole["low"]) == (6, 5 / 6, 5 / 6)
    corruption = json.loads(run("dictionary", *arguments, "--kind", "corruption", "--json").stdout)
    assert len(corruption["points"]) == 20
    assert run("dictionary", *arguments, "--kind", "held-out").returncode == 0
    assert run("dictionary", *arguments[:3], "--kind", "corruption").returncode == 2
    assert run("dictionary", *arguments, "--figure", "curve.doc").returncode == 1


def test_figures(run, files):
    arguments = ("example.tsv", "system.conllu", "--gold", "gold.conllu", "--draws", "5")
    result = run("dictionary", "curve", *arguments, "--sizes", "2,6", "--figure", "curve.svg")
    assert result.returncode == 0, result.stderr
    assert (files / "curve.svg").read_text(encoding="utf-8").startswith("<svg")


def test_dictionaries_are_made(run, files):
    result = run("dictionary", "from-treebank", "gold.conllu", "g.tsv")
    assert "wrote g.tsv: 7 forms, 7 entries" in result.stderr
    for trusted in ("g.tsv", "gold.conllu"):
        found = json.loads(run("dictionary", "quality", "example.tsv", trusted, "--json").stdout)
        assert (found["precision"], found["recall"]) == (5 / 8, 5 / 7)
    (files / "words.tsv").write_text("dog\thund\nhot dog\tpølse\n", encoding="utf-8")
    translated = run("dictionary", "translate", "example.tsv", "words.tsv", "-")
    assert translated.stdout == "hund\tNOUN,VERB\n"
    assert "2 pairs: 1 of several words dropped, 0 without tags" in translated.stderr
    (files / "da.um").write_text("hund\thunde\tN;PL\n", encoding="utf-8")
    imported = run("dictionary", "import", "da.um", "-", "--kind", "unimorph")
    assert imported.stdout == "hunde\tNOUN\n"
