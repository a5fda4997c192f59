"""`treegauge reproduce`."""

from __future__ import annotations

import json

import pytest

import treegauge as tg
from tests.commands_of_pages import blocks_of, type_command
from treegauge.toys import toy_parts

pytestmark = pytest.mark.long

QUICK = ("--algorithms", "km04", "--systems", "harmonic", "--set", "klein-manning-dmv.iterations=5")


@pytest.mark.slow
def test_a_small_reproduction_end_to_end(run):
    done = run("reproduce", "ned", "--small")
    assert done.returncode == 0, done.stderr
    for title in (
        "effect of flipped parameters (tags u)",
        "the flips",
        "gain by flip",
        "which annotation the supervised model learns better",
        "inducers under three metrics",
        "Kendall's tau-b",
        "other annotations of the same sentences",
    ):
        assert title in done.stdout
    for name in ("km04 (klein-manning-dmv)", "cs09 (slndmv)", "saj10a (leapfrog)"):
        assert name in done.stdout
    assert "published: Schwartz" in done.stdout


def test_json_has_everything(run, tmp_path):
    done = run("reproduce", "ned", "--small", *QUICK, "--json", "-o", "ned.json")
    assert done.returncode == 0, done.stderr
    made = json.loads((tmp_path / "ned.json").read_text(encoding="utf-8"))
    frames = made["frames"]
    (algorithm,) = frames["algorithms"]
    assert made["schema"] == 2
    assert algorithm["algorithm"] == "km04"
    assert json.loads(algorithm["settings"])["iterations"] == 5
    assert algorithm["parameters"] <= 18
    inducers = [row["system"] for row in frames["inducers"] if row["length"] == "all"]
    assert inducers == ["klein-manning-dmv", "harmonic"]
    assert made["remarks"][0]["published"]["verdict"] == "holds"


@pytest.mark.slow
def test_the_command_of_the_page_makes_it_again(run, tmp_path):
    done = run("reproduce", "ned", "--small", *QUICK, "--folder", "a folder", "-o", "page.html")
    assert done.returncode == 0, done.stderr
    page = tmp_path / "page.html"
    (command,) = blocks_of(page)
    type_command(command, tmp_path)
    assert (tmp_path / "a folder" / "report.html").read_bytes() == page.read_bytes()


@pytest.mark.parametrize(
    "format", ["markdown", *(pytest.param(f, marks=pytest.mark.slow) for f in ("latex", "tsv"))]
)
def test_other_forms(run, format):
    done = run("reproduce", "ned", "--small", *QUICK, "--format", format)
    assert done.returncode == 0, done.stderr
    assert "km04 (klein-manning-dmv)" in done.stdout


def test_treebanks_of_ones_own(run, tmp_path):
    parts = toy_parts("toy:svo", tokens=3000)
    tg.write(parts["train"], tmp_path / "train.conllu")
    tg.write(parts["test"], tmp_path / "test.conllu")
    run("convert", "test.conllu", "other.conllu", "--style", "functional")
    done = run(
        *("reproduce", "ned", "--treebank", "test.conllu", "--train", "train.conllu"),
        *("--other", "other.conllu", "--tags", "u", "--json", *QUICK),
    )
    assert done.returncode == 0, done.stderr
    frames = json.loads(done.stdout)["frames"]
    assert [row["treebank"] for row in frames["treebanks"]] == ["test"]
    assert frames["schemes"][-1]["annotation"] == "other"
    assert frames["schemes"][-1]["uas"] < 1


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--treebank", "birds.conllu"), 2, "give its train part with --train"),
        (("--treebank", "toy:svo", "--small"), 2, "--small has its own treebank"),
        (("--train", "birds.conllu"), 2, "--train belongs to one --treebank"),
        (("--other", "x", "-t", "a", "-t", "b"), 2, "--other belongs to one --treebank"),
        (("--small", "--set", "iterations=5"), 2, "expected SYSTEM.KEY=VALUE"),
        (("--small", "--systems", "dvm"), 1, "unknown system 'dvm'"),
        (("--small", "--algorithms", "km05"), 1, "unknown system 'km05'"),
    ],
)
def test_misuse_ends_in_a_message(run, birds, arguments, code, message):
    done = run("reproduce", "ned", *arguments)
    assert done.returncode == code
    assert message in " ".join(done.stderr.replace("│", " ").split())
