"""`--stream`: the same bytes and numbers as without, and a refusal of what needs the whole."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

import treegauge as tg
from treegauge.formats import streaming, to_text


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch):
    monkeypatch.setattr(streaming, "PART_BYTES", 3_000)


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    gold = tg.toy_treebank("toy:svo", tokens=600)
    other = tg.make_system("right-branching").annotate(gold)
    clusters = gold.replace(columns={"upos": gold.upos.map(lambda tag: f"c{len(tag)}")})
    graphs = gold.replace(columns={"deps": gold.deprel.map(lambda relation: f"0:{relation}")})
    # Nothing of these sentences changes in any style: a word and its root.
    words = "".join(f"1\tsing{k}\t_\tVERB\t_\t_\t0\troot\t0:root\t_\n\n" for k in range(200))
    return {
        "gold.conllu": to_text(gold),
        "other.conllu": to_text(other),
        "clusters.conllu": to_text(clusters),
        "graphs.conllu": to_text(graphs),
        "late.conllu": words + to_text(graphs),
        "early.conllu": to_text(graphs) + words,
    }


@pytest.fixture
def files(tmp_path, texts):
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def without_data(text: str) -> str:
    return re.sub(r"data:[^|\s\"]*", "data", text)


VERBS = [
    ["validate", "gold.conllu", "other.conllu"],
    ["validate", "gold.conllu", "--level", "2"],
    ["describe", "gold.conllu"],
    ["evaluate", "gold.conllu", "other.conllu"],
    ["evaluate", "gold.conllu", "clusters.conllu"],
    ["evaluate", "gold.conllu", "other.conllu", "gold.conllu", "--trials", "50", "--agreement"],
    ["evaluate", "gold.conllu", "other.conllu", "-m", "uas", "--by", "relation*direction"],
    ["evaluate", "gold.conllu", "other.conllu", "--by", "known", "--train", "gold.conllu"],
]


@pytest.mark.parametrize("arguments", VERBS, ids=" ".join)
def test_a_stream_prints_what_the_whole_prints(run, files, arguments) -> None:
    streamed, whole = (run(*arguments, "--json", option) for option in ("--stream", "--no-stream"))
    assert streamed.returncode == whole.returncode == 0
    assert without_data(streamed.stdout) == without_data(whole.stdout)


REWRITES = [
    ["convert", "gold.conllu", "OUT", "--to", "conllx"],
    ["convert", "gold.conllu", "OUT", "--blind", "both"],
    ["convert", "gold.conllu", "OUT", "--style", "functional"],
    ["convert", "graphs.conllu", "OUT", "--style", "prague"],
    ["convert", "early.conllu", "OUT", "--style", "functional,coordination=first"],
    ["permute", "gold.conllu", "OUT", "--order", "optdl"],
]


@pytest.mark.parametrize("arguments", REWRITES, ids=" ".join)
def test_a_stream_writes_the_bytes_of_the_whole(run, files, arguments) -> None:
    written = []
    for option in ("--stream", "--no-stream"):
        own = [argument.replace("OUT", "out.conllu") for argument in arguments]
        result = run(*own, option, "--json")
        assert result.returncode == 0, result.stderr
        written.append(((files / "out.conllu").read_bytes(), result.stdout, result.stderr))
    assert written[0] == written[1]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["convert", "gold.conllu", "o.conllu", "--split", "9:1"], "--split needs the whole"),
        (["evaluate", "gold.conllu", "other.conllu", "--align"], "--align needs the whole"),
        (["evaluate", "gold.conllu", "other.conllu", "--by", "table6"], "--by table6 is decided"),
        (["describe", "gold.conllu", "--word-order"], "--word-order needs the whole"),
        (["permute", "gold.conllu", "o.conllu", "--order", "consistent"], "--order consistent"),
        (["convert", "late.conllu", "o.conllu", "--style", "functional"], "--no-stream looks"),
    ],
)
def test_what_needs_the_whole_is_refused_by_name(run, files, arguments, complaint) -> None:
    result = run(*arguments, "--stream")
    assert result.returncode in (1, 2)
    assert complaint in " ".join(re.sub(r"[│╭╮╰╯─]", " ", result.stderr).split())
    assert not (files / "o.conllu").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "verb", ["validate", "validate --level 2", "convert", "describe", "evaluate", "permute"]
)
def test_a_gigabyte_needs_less_than_half_of_it(verb, monkeypatch) -> None:
    from benchmarks.streams import MEGABYTES, measure

    measured = measure(verb, 0.6)
    assert 20 < measured.private_megabytes < MEGABYTES


def test_the_text_of_the_benchmark_is_valid_and_has_two_analyses(files) -> None:
    command = [sys.executable, "-m", "benchmarks.streams", "--gigabytes", "0.001", "--write"]
    gold, system = (
        tg.parse(subprocess.run([*command, kind], check=True, capture_output=True).stdout.decode())
        for kind in ("gold", "system")
    )
    assert list(gold.form) == list(system.form)
    assert len(set(gold.form)) > gold.n_sentences
    assert (gold.head != system.head).any()
    assert json.dumps(sorted(gold.columns)) == json.dumps(sorted(system.columns))
