"""`treegauge induce best`: what it takes, what it says, and what it refuses."""

from __future__ import annotations

import json
import re

import pytest

import treegauge as tg
from treegauge.cli.completion import BEST, offer_inducers
from treegauge.systems import best_inducer
from treegauge.treebank import is_punctuation_form


@pytest.fixture(autouse=True)
def files(tmp_path):
    text = tg.toy_treebank("toy:svo", tokens=1500)  # over a hundred sentences
    tg.write(text, tmp_path / "tagged.conllu")
    words = [" ".join(word.form for word in sentence) for sentence in text]
    (tmp_path / "words.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    symbols = [" ".join(f"{w.form}/t-{w.upos}" for w in sentence) for sentence in text]
    (tmp_path / "symbols.txt").write_text("\n".join(symbols) + "\n", encoding="utf-8")


def test_the_program_and_its_library_call_it_the_same():
    assert BEST == best_inducer.BEST
    assert offer_inducers()[0][0] == BEST


@pytest.mark.parametrize(
    ("arguments", "system", "reason"),
    [
        (["tagged.conllu"], "universal-dmv", "since all tags in UPOS are universal"),
        (["symbols.txt", "--from", "slashed"], "openclass-dmv", "XPOS has"),
        (["words.txt"], "frequent-leaves", "since there are words and no tags"),
    ],
)
def test_it_says_what_it_takes_and_what_to_expect(run, tmp_path, arguments, system, reason):
    settings = ["--set", "iterations=2"]
    result = run("induce", "best", *arguments, *settings, "-o", "out.conllu", "--json")
    assert result.returncode == 0, result.stderr
    lines = result.stderr.splitlines()
    (chosen,) = [line for line in lines if line.startswith("best: ")]
    assert chosen.startswith(f"best: {system}, since ")
    assert reason in chosen
    assert any(line.startswith("expect about ") and "nearest by" in line for line in lines)
    summary = json.loads(result.stdout)
    assert (summary["system"], summary["settings"]["iterations"]) == (system, 2)
    expected = summary["expected"]
    assert 0 <= expected["low"] <= expected["uas"] <= expected["high"] <= 1
    assert expected["languages"]
    assert tg.read(tmp_path / "out.conllu").has_heads


def test_few_sentences_give_a_warning_and_are_compared_with_few(run, tmp_path):
    tg.write(tg.toy_treebank("toy:svo", tokens=300), tmp_path / "few.conllu")
    result = run("induce", "best", "few.conllu", "-o", "out.conllu", "--json")
    assert "with fewer than 100, accuracy varies much" in result.stderr
    assert "fewer than 50 sentences were never measured: expect less" in result.stderr
    assert json.loads(result.stdout)["expected"]["measured_with_sentences"] == 50


def test_punctuation_of_bare_text_is_known_by_unicode(run, tmp_path):
    arguments = ["--set", "iterations=1", "--set", "mixtures=1", "--quiet"]
    run("induce", "best", "words.txt", "-o", "out.conllu", *arguments)
    words = [word for sentence in tg.read(tmp_path / "out.conllu") for word in sentence]
    marks = [is_punctuation_form(word.form) for word in words]
    assert 0 < sum(marks) < len(marks)
    assert [word.upos == "PUNCT" for word in words] == marks


def test_punctuation_that_hangs_on_words_is_noticed(run, tmp_path):
    words = (tmp_path / "words.txt").read_text(encoding="utf-8")
    glued = re.sub(r" ([^\w\s])", r"\1", words)
    (tmp_path / "glued.txt").write_text(glued, encoding="utf-8")
    result = run("induce", "best", "glued.txt", "-o", "out.conllu", "--set", "iterations=1")
    assert "words end in punctuation that is never separated by spaces" in result.stderr


def test_it_learns_from_another_text_and_goes_on_with_a_model(run):
    learnt = run(
        *("induce", "best", "tagged.conllu", "--fit-on", "toy:svo", "--save", "m", "-o", "a.conllu")
    )
    assert learnt.returncode == 0, learnt.stderr
    again = run("induce", "best", "tagged.conllu", "--model", "m", "-o", "b.conllu")
    assert again.returncode == 0, again.stderr
    assert "best: universal-dmv, since m has learnt that already" in again.stderr
    same = run("evaluate", "a.conllu", "b.conllu", "-m", "uas", "--preset", "pascal", "--json")
    assert json.loads(same.stdout)["systems"][0]["scores"]["uas"]["value"] == 1.0


def test_what_both_texts_have_decides(run):
    result = run(
        *("induce", "best", "words.txt", "--fit-on", "toy:svo", "--set", "iterations=1"),
        *("--set", "mixtures=1", "-o", "out.conllu"),
    )
    assert "best: frequent-leaves, since " in result.stderr


def test_tags_of_a_tagger_are_read_by_an_inducer_that_knows_no_tags(run):
    result = run("induce", "best", "words.txt", "--tags-from", "brown:5", "-o", "out.conllu")
    assert result.returncode == 0, result.stderr
    assert (
        "best: openclass-dmv, over the tags of brown:5; its accuracy has not been" in result.stderr
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected at least one sentence, found none"),
        (". . !\n", "best: there is nothing to learn from but punctuation"),
    ],
)
def test_a_text_without_words_is_refused(run, tmp_path, text, message):
    (tmp_path / "bad.txt").write_text(text, encoding="utf-8")
    result = run("induce", "best", "bad.txt", "-o", "out.conllu")
    assert result.returncode == 1
    assert message in result.stderr.splitlines()[-2 if not text else -1]


def test_trees_of_some_sentences_change_nothing(run, tmp_path):
    lines = (tmp_path / "tagged.conllu").read_text(encoding="utf-8").splitlines()
    half = len(lines) // 2
    cut = next(i for i in range(half, len(lines)) if not lines[i])
    kept = [
        "\t".join([*line.split("\t")[:6], "_", "_", "_", "_"]) if "\t" in line else line
        for line in lines[:cut]
    ]
    (tmp_path / "partial.conllu").write_text("\n".join([*kept, *lines[cut:]]) + "\n")
    for name in ("tagged", "partial"):
        result = run("induce", "best", f"{name}.conllu", "-o", f"{name}.out.conllu")
        assert result.returncode == 0, result.stderr
    trees = [tg.read(tmp_path / f"{name}.out.conllu").head for name in ("tagged", "partial")]
    assert (trees[0] == trees[1]).all()


def test_settings_of_other_systems_and_other_models_are_refused(run, tmp_path):
    assert run("induce", "best", "tagged.conllu", "--set", "tags=p").returncode == 1
    assert run("induce", "best", "tagged.conllu", "--set", "mixtures=2").returncode == 1
    tg.make_system("dmv", iterations=1).fit(tg.read(tmp_path / "tagged.conllu")).save(
        tmp_path / "dmv.model"
    )
    result = run("induce", "best", "tagged.conllu", "--model", "dmv.model")
    assert result.returncode == 1
    assert "dmv.model: this is a model of dmv; best takes universal-dmv, " in result.stderr
    assert run("induce", "best", "tagged.conllu", "--paths", "x").returncode == 2
