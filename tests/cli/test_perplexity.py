"""Perplexity in `describe` and `evaluate`."""

from __future__ import annotations

import json
import re

import pytest

import treegauge as tg
from treegauge.properties import cross_validated_perplexity

pytestmark = pytest.mark.long


@pytest.fixture
def parts(tmp_path):
    for part, tokens in (("train", 2000), ("test", 600)):
        tg.write(tg.toy_treebank(part=part, tokens=tokens), tmp_path / f"{part}.conllu")
    return tg.read(tmp_path / "test.conllu")


def chained(text: str) -> str:
    """Every word on the one before it."""
    return re.sub(
        r"(?m)^(\d+)((?:\t[^\t]*){5}\t)\d+", lambda m: f"{m[1]}{m[2]}{int(m[1]) - 1}", text
    )


@pytest.mark.filterwarnings("ignore::treegauge.properties.errors.SmallCorpusWarning")
def test_describe_a_file_on_its_own(run, parts):
    result = run("describe", "test.conllu", "--perplexity", "--resamples", "20", "--json")
    (one,) = json.loads(result.stdout)["treebanks"]
    expected = cross_validated_perplexity(parts)
    assert one["perplexity"] == pytest.approx(expected.perplexity())
    assert one["derivation_perplexity"] == pytest.approx(expected.derivation_perplexity())
    details = one["perplexity_details"]
    assert (details["folds"], details["convention"], details["settings"]) == (
        10,
        "kenlm",
        "default",
    )
    ends = details["intervals"]["perplexity"]
    assert ends["low"] < one["perplexity"] < ends["high"]
    # Small: fixed discounts, which is said once for ten models.
    assert result.stderr.count("no discounts can be estimated for order 3 (no n-gram has") <= 3


@pytest.fixture
def banks(tmp_path):
    for language in ("svo", "free"):
        (tmp_path / "banks" / language).mkdir(parents=True)
        for part in ("train", "test"):
            treebank = tg.toy_treebank(f"toy:{language}", part=part, tokens=600)
            tg.write(treebank, tmp_path / "banks" / language / f"{part}.conllu")
    return ("--data", "banks")


def test_describe_parts(run, banks):
    model = ("--perplexity", "kenlm,order=2", "--resamples", "0")
    arguments = ("describe", "svo", "free:test", *model, *banks)
    document = json.loads(run(*arguments, "--json").stdout)
    described = {(one["name"], one["part"]): one for one in document["treebanks"]}
    assert described["svo", "train"]["perplexity"] is None
    svo, free = described["svo", "test"], described["free", "test"]
    assert svo["perplexity"] < svo["derivation_perplexity"] < free["derivation_perplexity"]
    assert svo["perplexity_details"]["folds"] is None
    means = [svo[key] + free[key] for key in ("derivation_perplexity", "perplexity")]
    increase = document["perplexity_increase"]
    assert increase["ratio_of_means"] == pytest.approx(means[0] / means[1] - 1)
    assert increase["mean_of_ratios"] != increase["ratio_of_means"]
    table = run(*arguments).stdout
    assert "derivation perplexity" in table
    assert "Perplexity: 2-grams of form, kenlm smoothing, swap-lazy, convention kenlm, l" in table
    assert "(ratio of means)" in table
    result = run(*arguments, "--word-order")
    assert (result.returncode, "--json has both" in result.stderr) == (2, True)
    long = run(*arguments, "--format", "tsv").stdout
    assert "unknown_words" in long.splitlines()[0]


def test_perplexity_can_stand_alone_wherever_it_stands(run, parts, birds):
    usual = run("describe", "test.conllu", "--perplexity", "--json").stdout
    assert json.loads(usual)["treebanks"][0]["perplexity"] > 1
    assert run("describe", "--perplexity", "test.conllu", "--json").stdout == usual
    assert run("describe", "--perplexity", "kenlm", "test.conllu", "--json").stdout == usual
    result = run("describe", "birds.conllu", "--perplexity", "kenlm,order=two")
    assert (result.returncode, result.stdout) == (2, "")


def test_perplexity_of_parsers_needs_something_to_learn_from(run, birds):
    result = run("evaluate", "birds.conllu", "birds.conllu", "--perplexity")
    assert (result.returncode, result.stdout) == (2, "")
    assert "give --perplexity-train too" in result.stderr


def test_describe_what_has_no_derivations_or_no_perplexity(run, birds, tmp_path):
    result = run("describe", "birds.conllu", "--perplexity", "--json")
    (one,) = json.loads(result.stdout)["treebanks"]
    assert one["perplexity"] is None
    assert "birds: no perplexity: cross-validation needs two sentences" in result.stderr
    sentence = birds.read_text(encoding="utf-8")
    cycle = sentence.replace("\t0\troot", "\t1\tdep")
    birds.write_text(sentence + sentence + cycle, encoding="utf-8")
    result = run("describe", "birds.conllu", "--perplexity", "--json", "--resamples", "5")
    (one,) = json.loads(result.stdout)["treebanks"]
    assert one["perplexity"] > 1
    assert one["derivation_perplexity"] is None
    assert "birds: no derivation perplexity: a derivation needs" in result.stderr
    (tmp_path / "bare.slashed").write_text("a/DET bird/NOUN\na/DET fish/NOUN\n")
    result = run("describe", "bare.slashed", "--perplexity", "--json", "--resamples", "5")
    (one,) = json.loads(result.stdout)["treebanks"]
    assert one["derivation_perplexity"] is None
    assert one["perplexity_details"]["derivation"] is None


def test_evaluate_with_and_without_gold_trees(run, parts, tmp_path):
    gold = (tmp_path / "test.conllu").read_text(encoding="utf-8")
    (tmp_path / "chain.conllu").write_text(chained(gold), encoding="utf-8")
    (tmp_path / "same.conllu").write_text(gold, encoding="utf-8")
    options = ("--perplexity-train", "train.conllu", "--resamples", "20", "--trials", "50")
    systems = ("chain.conllu", "same.conllu")
    result = run("evaluate", "test.conllu", *systems, *options, "-m", "uas", "--json")
    document = json.loads(result.stdout)
    chain, same = document["systems"]
    assert set(chain["scores"]) == {"uas", "derivation_perplexity"}
    found = document["derivation_perplexity"]
    assert same["scores"]["derivation_perplexity"]["value"] == found["gold"]["value"]
    assert chain["scores"]["derivation_perplexity"]["value"] != found["gold"]["value"]
    assert [test["systems"] for test in found["tests"]] == [["chain", "same"]]
    shown = run("evaluate", "test.conllu", *systems, *options, "-m", "uas").stdout
    assert "gold trees" in shown
    assert "Low perplexity does not mean good trees" in shown
    # A text is enough.
    bare = re.sub(r"(?m)^(\d+\t[^\t]*)\t.*$", r"\1" + 8 * r"\t_", gold)
    (tmp_path / "bare.conllu").write_text(bare, encoding="utf-8")
    document = json.loads(run("evaluate", "bare.conllu", *systems, *options, "--json").stdout)
    assert document["derivation_perplexity"]["gold"] is None
    assert document["derivation_perplexity"]["tests"] == found["tests"]
    first = run("evaluate", "bare.conllu", "same.conllu", *options, "-b").stdout
    assert first == f"{found['gold']['value']:.2f}\n"
    result = run("evaluate", "bare.conllu", "same.conllu", *options, "-o", "page.html")
    assert (result.returncode, result.stderr.count("bare text")) == (1, 1)
    result = run("evaluate", "bare.conllu", "same.conllu", *options, "--by", "relation")
    assert result.returncode == 1
    assert "nothing to score" in result.stderr
    # Another text is not this text.
    result = run("evaluate", "bare.conllu", "train.conllu", *options)
    assert result.returncode == 1


def test_evaluate_broken_predictions(run, parts, tmp_path):
    gold = (tmp_path / "test.conllu").read_text(encoding="utf-8")
    cycle = re.sub(r"(?m)^1((?:\t[^\t]*){5}\t)\d+", r"1\g<1>1", gold, count=1)
    (tmp_path / "cycle.conllu").write_text(cycle, encoding="utf-8")
    arguments = ("evaluate", "test.conllu", "cycle.conllu", "-m", "uas")
    result = run(*arguments, "--perplexity-train", "train.conllu")
    assert result.returncode == 0, result.stderr
    assert "cycle: cycles of 1 word in 1 sentence: counted as wrong" in result.stdout
    assert "1 word of cycle without a head: attached last" in result.stderr
    result = run(*arguments, "--perplexity-train", "missing.conllu")
    assert result.returncode == 1
    result = run(*arguments, "--perplexity-train", "train.conllu", "--perplexity", "kenlm,x=1")
    assert result.returncode == 2
    assert "unknown setting 'x'" in result.stderr


def test_a_wrong_setting_behind_perplexity_is_no_treebank(run, birds):
    result = run("describe", "birds.conllu", "--perplexity", "order=x")
    assert result.returncode == 2
    assert "setting order: expected a whole number, found 'x'" in result.stderr
