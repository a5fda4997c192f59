from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import BIRDS
from tests.cli.test_latex import compiled

SECOND = BIRDS.replace("birds-1", "birds-2").replace("Birds", "Cats").replace("sing", "sleep")


@pytest.fixture
def files(birds: Path, tmp_path: Path) -> Path:
    """Gold of two sentences; a has the first sentence right, b all but a full stop."""
    birds.write_text(BIRDS + SECOND, encoding="utf-8")
    flipped = SECOND.replace("\t2\tnsubj", "\t0\troot").replace(
        "\t0\troot\t_\tSp", "\t1\tobj\t_\tSp"
    )
    (tmp_path / "a.conllu").write_text(BIRDS + flipped, encoding="utf-8")
    (tmp_path / "b.conllu").write_text(
        BIRDS.replace("\t2\tpunct", "\t1\tpunct") + SECOND, encoding="utf-8"
    )
    return birds


FILES = ("birds.conllu", "a.conllu", "b.conllu")


def document(run, *arguments: str) -> dict:
    result = run("compare", *FILES, *arguments, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_the_whole_answer(run, files):
    result = run("compare", *FILES, "-m", "uas", "--by", "direction", "--trees", "1")
    assert result.returncode == 0, result.stderr
    shown = result.stdout
    assert shown.splitlines()[0].split() == ["a", "b", "difference", "p", "n"]
    first = shown.splitlines()[2].split()
    # Of two sentences, resamples have one twice or both.
    assert first[:4] == ["UAS", "66.67", "[33.33,", "100.00]"]
    assert first[4:] == ["83.33", "[66.67,", "100.00]", "+16.67", "1.000", "6"]
    assert "uas by direction" in shown
    assert "words right under uas, by relation" in shown
    assert shown.index("by direction") < shown.index("birds-2: ") < shown.index("words right under")
    assert (
        """\
birds-2: a 1 right, b 3, of 3
gold                         a                  b
  ┌──  Cats   NOUN   nsubj   ──┬────  ~ root      ┌──  = nsubj
──┼──  sleep  VERB   root      └─┬──  ~ obj     ──┼──  = root
  └──  .      PUNCT  punct       └──  = punct     └──  = punct
= right head   ≠ other relation   ~ flipped, accepted by NED   × wrong head
they differ in 1 more sentence; --trees N draws more
"""
        in shown
    )


def test_compare_answers_before_it_shows_examples(run, files):
    table, *rest = run("compare", *FILES, "-m", "uas").stdout.split("\n\n")
    assert table.splitlines()[3:5] == [
        "no significant difference: b is ahead of a by 16.67 UAS points, p = 1.000 "
        "(paired permutation test over sentences)",
        "different words are right under uas in 2 of 2 sentences",
    ]
    assert [part.split(":")[0] for part in rest[:2]] == ["birds-2", "birds-1"]


def test_a_long_sentence_is_not_drawn_before_short_ones(run, tmp_path):
    words = [f"{i}\tw\t_\tX\t_\t_\t{i - 1}\tdep\t_\t_\n" for i in range(1, 1001)]
    gold = "".join(words) + "\n" + BIRDS + "".join(words[:20]) + "\n"
    wrong = gold.replace("\t0\tdep", "\t3\tdep").replace("\t2\tpunct", "\t1\tpunct")
    (tmp_path / "gold.conllu").write_text(gold, encoding="utf-8")
    (tmp_path / "wrong.conllu").write_text(wrong, encoding="utf-8")
    result = run("compare", "gold.conllu", "gold.conllu", "wrong.conllu", "-m", "uas", "-q")
    assert "different words are right under uas in 3 of 3 sentences" in result.stdout
    assert result.stdout.index("birds-1: gold 3 right, wrong 2") < result.stdout.index("sentence 3")
    assert "sentence 1:" not in result.stdout
    assert len(result.stdout.splitlines()) < 60


def test_three_systems_are_told_where_to_go(run, files):
    result = run("compare", *FILES, "a.conllu")
    assert result.returncode == 2
    message = " ".join(result.stderr.replace("│", " ").split())
    assert "(a.conllu): compare takes two systems; evaluate tests all pairs of several" in message
    assert "treegauge evaluate GOLD SYSTEM..., or treegauge run and report" in message


def test_the_document(run, files):
    found = document(run, "-m", "uas,verb_arguments", "--by", "direction")
    assert found["schema"] == 1
    assert [system["name"] for system in found["systems"]] == ["a", "b"]
    assert found["systems"][0]["scores"]["uas"]["value"] == 4 / 6
    # a finds the subject of the first sentence, b both.
    values = [system["scores"]["verb_arguments"]["value"] for system in found["systems"]]
    assert values == [0.5, 1.0]
    assert found["metric"] == "uas"
    assert found["verdict"].startswith("no significant difference: b is ahead of a by 16.67 UAS")
    assert found["differing_sentences"] == 2
    (strata,) = found["strata"]
    assert strata["by"] == "direction"
    cells = {cell["stratum"]: cell for cell in strata["cells"]}
    assert cells["left"]["values"] == [1, 0.5]
    assert (cells["root"]["difference"], cells["root"]["n"]) == (0.5, 2)
    relations = {row["relation"]: row for row in found["contrasts"]["relation"]}
    assert relations["punct"]["only"] == [1, 0]
    assert relations["nsubj"]["only"] == [0, 1]
    assert [row["only"] for row in found["contrasts"]["tag"] if row["tag"] == "VERB"] == [[0, 1]]
    first, second = found["sentences"]
    assert (first["id"], first["number"], first["right"], first["n"]) == ("birds-2", 2, [1, 3], 3)
    assert first["gold"]["heads"] == [2, 0, 2]
    assert first["systems"][0] == {"heads": [0, 1, 2], "relations": ["root", "obj", "punct"]}
    assert second["right"] == [3, 2]


def test_the_order_of_the_systems_turns_differences_around(run, files):
    there = document(run, "-m", "uas")["tests"][0]
    result = run("compare", "birds.conllu", "b.conllu", "a.conllu", "-m", "uas", "--json")
    back = json.loads(result.stdout)["tests"][0]
    assert there["difference"] == -back["difference"]
    assert there["p"] == back["p"]


@pytest.mark.parametrize("format", ["markdown", "latex", "tsv"])
def test_other_forms_have_the_words_of_sentences_in_tables(run, files, format):
    result = run("compare", *FILES, "-m", "uas", "-f", format)
    assert result.returncode == 0, result.stderr
    assert "┌" not in result.stdout
    assert "sleep" in result.stdout


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex")
def test_tables_compile(run, files, tmp_path):
    text = (tmp_path / "a.conllu").read_text(encoding="utf-8").replace("nsubj", "ob_l")
    (tmp_path / "a.conllu").write_text(text, encoding="utf-8")
    arguments = ["-m", "uas,las", "--by", "relation", "-f", "latex", "-o", "tables.tex"]
    assert run("compare", *FILES, *arguments).returncode == 0
    made = compiled(tmp_path)
    assert made.returncode == 0, made.stdout[-2000:]
    assert r"$\neq$" in (tmp_path / "tables.tex").read_text(encoding="utf-8")


def test_conventions_are_those_of_evaluate(run, files):
    found = document(run, "-m", "uas", "--preset", "pascal", "--no-count-root")
    assert found["preset"] == "pascal"
    assert found["deviations"] == ["root-edges:no"]
    assert found["systems"][1]["scores"]["uas"]["n"] == 2
    # Punctuation is not there any more.
    assert found["sentences"][0]["forms"] == ["Cats", "sleep"]


def test_other_tokens_are_compared_and_not_drawn(run, files, tmp_path):
    text = (tmp_path / "b.conllu").read_text(encoding="utf-8")
    merged = text.replace(
        "2\tsing\tsing\tVERB\tVBP\t_\t0\troot\t_\tSpaceAfter=No\n3\t.\t.\tPUNCT\t.\t_\t1\tpunct\t_\t_",
        "2\tsing.\tsing\tVERB\tVBP\t_\t0\troot\t_\t_",
    )
    assert merged != text
    (tmp_path / "b.conllu").write_text(merged, encoding="utf-8")
    result = run("compare", *FILES, "-m", "uas", "--align")
    assert result.returncode == 0, result.stderr
    assert "not drawn: the systems have other words than gold" in result.stdout
    assert run("compare", *FILES, "-m", "uas").returncode == 1


def test_misuse(run, files):
    assert run("compare", "birds.conllu", "a.conllu").returncode == 2
    assert run("compare", *FILES, "--average", "mean").returncode == 2
    unknown = run("compare", *FILES, "--by", "nonsense")
    assert unknown.returncode == 1
    assert "Traceback" not in unknown.stderr
