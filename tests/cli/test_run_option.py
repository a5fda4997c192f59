"""`evaluate --run` and `annotate` with tools of others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import treegauge as tg
from treegauge.toys import toy_parts
from treegauge.treebank import paragraphs_of


@pytest.fixture
def gold(tmp_path: Path) -> tg.Treebank:
    """A file gold.conllu, and what is in it."""
    treebank = toy_parts("toy:svo", tokens=3000)["test"][:20]
    tg.write(treebank, tmp_path / "gold.conllu")
    return treebank


def test_gold_text_is_parsed_and_scored_in_one_go(run, gold, spacy_folder, udpipe_file) -> None:
    names = [f"spacy:{spacy_folder}", f"udpipe:{udpipe_file}"]
    options = [word for name in names for word in ("--run", name)]
    answer = run("evaluate", "gold.conllu", *options, "-m", "words,uas,upos", "--json")
    assert answer.returncode == 0, answer.stderr
    systems = json.loads(answer.stdout)["systems"]
    assert [one["name"] for one in systems] == ["spacy:toy_pipeline", "udpipe:toy"]
    for system, tool in zip(systems, ("spaCy 3.", "UDPipe 1."), strict=True):
        assert system["scores"]["words"]["value"] > 0.95
        signature = system["scores"]["uas"]["signature"]
        assert "|align:characters|" in signature
        assert f"|system:{tool}" in signature


def test_words_as_they_are_beside_a_file(run, gold, udpipe_file) -> None:
    name = f"udpipe:{udpipe_file}"
    run("annotate", name, "gold.conllu", "-o", "out.conllu")
    answer = run(
        *("evaluate", "gold.conllu", "out.conllu", "--run", name, "--pretokenised"),
        *("-m", "las", "--json"),
    )
    written, parsed = json.loads(answer.stdout)["systems"]
    assert written["scores"] == parsed["scores"]
    assert "align" not in parsed["scores"]["las"]["signature"]
    table = run("evaluate", "gold.conllu", "--run", name, "--pretokenised", "-m", "las").stdout
    assert "udpipe:toy: UDPipe 1." in table


def test_a_page_says_how_to_get_a_number_again(run, gold, tmp_path, udpipe_file) -> None:
    name = f"udpipe:{udpipe_file}"
    tg.write(gold, tmp_path / "own.conllu")
    run("evaluate", "gold.conllu", "own.conllu", "--run", name, "-m", "uas", "-o", "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "treegauge evaluate gold.conllu own.conllu" in page
    # The page keeps commands in parts.
    assert f'"treegauge evaluate gold.conllu","--run {name} -m uas' in page


def test_a_raw_text_becomes_a_treebank(run, gold, tmp_path, udpipe_file) -> None:
    (text,) = paragraphs_of(gold)
    half = text.index(". ") + 1
    (tmp_path / "text.txt").write_text(f"{text[:half]}\n\n{text[half:]}\n", encoding="utf-8")
    answer = run("annotate", f"udpipe:{udpipe_file}", "text.txt", "-o", "out.conllu", "--json")
    assert answer.returncode == 0, answer.stderr
    treebank = tg.read(tmp_path / "out.conllu")
    assert " ".join(paragraphs_of(treebank)) == text
    assert len(paragraphs_of(treebank)) == 2
    assert json.loads(answer.stdout)["words"] == treebank.n_words
    given = run(
        *("annotate", f"udpipe:{udpipe_file}", "text.txt", "--pretokenised", "-o", "given.conllu")
    )
    assert "read as --from tokens" in given.stderr
    assert tg.read(tmp_path / "given.conllu").n_sentences == 2


def test_saved_systems_annotate_words_alone(run, gold) -> None:
    run("train", "most-frequent-tag", "gold.conllu", "-o", "tagger.model")
    refused = run("evaluate", "gold.conllu", "--run", "tagger.model")
    assert refused.returncode == 1
    assert "tagger.model annotates words and has no tokeniser" in refused.stderr
    assert "--pretokenised" in refused.stderr
    answer = run(
        *("evaluate", "gold.conllu", "--run", "tagger.model", "--pretokenised"),
        *("-m", "upos", "--bare"),
    )
    assert float(answer.stdout) > 80


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ([], 2, "there is nothing to score: give SYSTEM, or --run SYSTEM"),
        (["--run", "dmv"], 1, "dmv is not trained yet: treegauge train dmv TREEBANK -o MODEL"),
        (["--run", "spacy:./nowhere"], 1, "there is no folder ./nowhere with a pipeline"),
        (["--run", "nowhere.model"], 1, "nowhere.model"),
        (["--run", "udpipe:x.udpipe", "--repair"], 2, "Leave out --align"),
    ],
)
def test_what_cannot_be_run_is_one_message(run, gold, words, code, message) -> None:
    answer = run("evaluate", "gold.conllu", *words)
    assert answer.returncode == code
    assert message in " ".join(answer.stderr.replace("│", " ").split())
    assert "Traceback" not in answer.stderr


def test_gold_without_text_is_refused_for_raw_text(run, gold, tmp_path, udpipe_file) -> None:
    text = tg.to_text(gold)
    (tmp_path / "bare.conllu").write_text(
        "".join(f"{line}\n" for line in text.splitlines() if not line.startswith("# text")),
        encoding="utf-8",
    )
    answer = run("evaluate", "bare.conllu", "--run", f"udpipe:{udpipe_file}")
    assert answer.returncode == 1
    assert "has no # text" in answer.stderr
    assert "--pretokenised" in answer.stderr
