"""Long sentences: cut into blocks, joined to one tree, counted and named, never a surprise."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import treegauge as tg
from treegauge.properties.projectivity import nonprojective_words
from treegauge.systems import (
    SystemsError,
    SystemsWarning,
    long_sentences as module,
    make_system,
    systems,
)
from treegauge.systems.dependency_induction.random_trees import RandomTrees
from treegauge.systems.long_sentences import BLOCK, CUBIC, QUADRATIC, Blocks
from treegauge.systems.system_names import SYSTEMS_OF_TOOLS
from treegauge.toys import toy_treebank
from treegauge.treebank import Treebank, tree_flaws

SMALL = {
    "dmv": {"iterations": 2, "max_length": 8},
    "klein-manning-dmv": {"iterations": 2},
    "udp": {},
    "soegaard-pagerank": {},
    "transition": {"epochs": 1},
    "graph": {"epochs": 1, "relation_epochs": 1, "table_bits": 14},
    "ensemble": {
        "parsers": (
            "transition?epochs=1",
            "graph?epochs=1&relation_epochs=1&table_bits=14",
            "transition?system=swap-lazy&epochs=1",
        )
    },
}


def text_of(*lengths: int) -> Treebank:
    """Return sentences of these lengths."""
    lines = (" ".join(f"w{i}/X" for i in range(n)) for n in lengths)
    return tg.parse("\n".join(lines) + "\n", format="slashed")


@pytest.fixture(scope="module")
def toy() -> Treebank:
    return toy_treebank("toy:svo", tokens=600)


# ---------------------------------------------------------------------- blocks


def test_what_is_short_enough_is_not_touched() -> None:
    text = text_of(3, 5, 2)
    blocks = Blocks.of(text, 5)
    assert blocks.treebank is text
    heads = np.zeros(10, np.int32)
    assert blocks.joined(heads) is heads
    assert Blocks.of(text, None).treebank is text


def test_blocks_of_a_long_sentence_are_few_and_about_equally_long() -> None:
    blocks = Blocks.of(text_of(4, 2 * BLOCK + 1, 3), BLOCK)
    assert blocks.treebank.lengths.tolist() == [4, 67, 67, 67, 3]
    assert Blocks.of(text_of(CUBIC), CUBIC).treebank.lengths.tolist() == [CUBIC]
    assert Blocks.of(text_of(CUBIC + 1), CUBIC).treebank.lengths.max() <= BLOCK


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(1, 30), min_size=1, max_size=5), st.integers(1, 12))
def test_trees_of_blocks_become_one_projective_tree_a_sentence(
    lengths: list[int], limit: int
) -> None:
    text = text_of(*lengths)
    blocks = Blocks.of(text, limit)
    parsed = RandomTrees(seed=3).annotate(blocks.treebank).head
    joined = text.replace(head=blocks.joined(parsed))
    assert not tree_flaws(joined).any()
    assert not nonprojective_words(joined).any()
    # Heads inside a block are those that it was given.
    position = np.arange(text.n_words) - np.repeat(text.offsets[:-1], text.lengths)
    inner = np.arange(text.n_words) - np.repeat(
        blocks.treebank.offsets[:-1], blocks.treebank.lengths
    )
    has_head = parsed > 0
    assert ((joined.head - position) == (parsed - inner))[has_head].all()


# ---------------------------------------------------------------------- systems


@pytest.mark.parametrize("name", SMALL)
def test_long_sentence_gets_one_tree_and_is_named(name: str, toy: Treebank) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SystemsWarning)
        system = make_system(name, {**SMALL[name], "longest_whole": 8}).fit(toy)
    with pytest.warns(SystemsWarning, match=rf"{name}: .* of more than 8 words .*: sentences? \d"):
        parsed = system.annotate(toy)
    assert not tree_flaws(parsed).any()
    assert len(system.long_sentences(toy)) > 0


@pytest.mark.parametrize("name", ["dmv", "udp", "graph"])
def test_limit_that_is_not_reached_changes_nothing(name: str, toy: Treebank) -> None:
    longest = int(toy.lengths.max())
    usual = make_system(name, SMALL[name]).fit(toy).annotate(toy)
    exact = make_system(name, {**SMALL[name], "longest_whole": longest}).fit(toy).annotate(toy)
    assert usual == exact


def test_blocks_are_parsed_as_sentences_are(toy: Treebank) -> None:
    system = make_system("dmv", {**SMALL["dmv"], "longest_whole": 12}).fit(toy)
    whole = toy.without_punctuation()
    long = Treebank(whole.columns, offsets=[0, whole.n_words], punctuation=whole.punctuation)
    cut = Blocks.of(long, 12)
    with pytest.warns(SystemsWarning, match="blocks of at most 12 .longest_whole.: sentence 1$"):
        joined = system.annotate(long).head
    assert np.array_equal(joined, cut.joined(system.annotate(cut.treebank).head))


def test_result_does_not_depend_on_threads(toy: Treebank, monkeypatch) -> None:
    system = make_system("dmv", {**SMALL["dmv"], "longest_whole": 9, "max_length": 9}).fit(toy)
    heads = []
    for threads in ("1", "3"):
        monkeypatch.setenv("TREEGAUGE_THREADS", threads)
        with pytest.warns(SystemsWarning):
            heads.append(system.annotate(toy).head)
    assert np.array_equal(*heads)


def test_orders_of_attachment_are_those_of_the_blocks(toy: Treebank) -> None:
    longest, words = int(toy.lengths.max()), toy.n_words
    parser = make_system("transition", {"epochs": 1, "longest_whole": longest}).fit(toy)
    long = Treebank(toy.columns, offsets=[0, words], punctuation=toy.punctuation)
    assert sorted(parser.parse_orders(long).tolist()) == list(range(1, words + 1))
    with pytest.warns(SystemsWarning, match=f"blocks of at most {longest}"):
        parsed = parser.annotate(long)
    assert list(parsed.deprel).count("root") == 1


@pytest.mark.parametrize("name", ["klein-manning-dmv", "graph"])
def test_long_sentences_are_not_learnt_from_and_counted(name: str, toy: Treebank) -> None:
    more = {"max_length": 50} if name == "klein-manning-dmv" else {}
    system = make_system(name, {**SMALL[name], "longest_whole": 12, **more})
    long = len(system.long_sentences(toy))
    with pytest.warns(SystemsWarning, match=f"{long} sentences of more than 12 .* not learnt from"):
        system.fit(toy)
    short = toy[np.delete(np.arange(toy.n_sentences), system.long_sentences(toy))]
    fresh = make_system(name, {**SMALL[name], **more}).fit(short)
    assert np.array_equal(fresh.annotate(short).head, system.annotate(short).head)


@pytest.mark.parametrize("name", ["dmv", "graph"])
def test_nothing_but_long_sentences_is_refused_in_a_sentence(name: str) -> None:
    toy = toy_treebank("toy:svo", tokens=30)
    with pytest.raises(SystemsError, match=r"no sentence of at most \d+ words to learn from"):
        make_system(name, {**SMALL[name], "longest_whole": 1}).fit(toy)


def test_chart_that_does_not_fit_is_refused_with_its_estimate(toy: Treebank, monkeypatch) -> None:
    system = make_system("dmv", SMALL["dmv"]).fit(toy)
    monkeypatch.setattr(module, "_memory", lambda: 1e4)
    with pytest.raises(SystemsError, match=r"needs about 0\.\d GB of memory.*\n.*longest_whole"):
        system.annotate(toy)


def test_limits_are_above_all_sentences_that_people_write() -> None:
    assert CUBIC > 523  # words of the longest sentence in the treebanks that scores are kept of
    assert QUADRATIC > CUBIC > BLOCK


def test_limit_of_every_system_is_documented() -> None:
    page = Path(__file__).parents[3] / "docs" / "systems.md"
    rows = [
        [cell.strip() for cell in line.split("|")[1:3]]
        for line in page.read_text("utf-8").partition("## Long sentences")[2].splitlines()
        if line.startswith("| `")
    ]
    documented = {name.strip("`"): limit for names, limit in rows for name in names.split(", ")}
    for name, entry in systems().items():
        limits = [
            str(field.default)
            for field in fields(entry.load().settings_type)
            if field.name == "longest_whole"
        ]
        if limits:
            assert [documented[name]] == limits
        else:
            assert not documented.get(name, "").isdecimal()


# ---------------------------------------------------------------------- everything, at full size

QUICK = ("dmv", "udp")
NO_DEFAULTS = {
    "external": "the program behind it decides",
    "dictionary-hmm": "needs a dictionary; it decodes as hmm does",
    "projection": "needs parallel text; it annotates as tnt does",
    "transfer": "needs other treebanks; it annotates as perceptron does",
    "transfer-dmv": "needs other treebanks; it parses as universal-dmv does",
    **dict.fromkeys(SYSTEMS_OF_TOOLS.values(), "the tool behind it decides"),
}
FEW_ROUNDS = ("iterations", "epochs", "relation_epochs", "rounds", "sweeps")

PROGRAM = """
import dataclasses, json, resource, sys, time, warnings
import numpy as np
import treegauge as tg
from treegauge.systems import find_system, make_system
from treegauge.toys import toy_treebank
from treegauge.treebank import Treebank, tree_flaws

name, words, gibibytes = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
train = toy_treebank("toy:svo", tokens=600)
few = {
    field.name: field.metadata.get("maximum", 1)
    for field in dataclasses.fields(find_system(name).load().settings_type)
    if field.name in json.loads(sys.argv[4])
}
system = make_system(name, few)
if system.learns:
    system.fit(train)
system.annotate(train)  # so that kernels are there
resource.setrlimit(resource.RLIMIT_DATA, (int(gibibytes * 2**30),) * 2)
much = toy_treebank("toy:svo", tokens=words + 100)
long = Treebank(
    {key: column.take(np.arange(words)) for key, column in much.columns.items()},
    offsets=[0, words],
    punctuation=much.punctuation,
)
begin = time.perf_counter()
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    answer = system.annotate(long)
seconds = time.perf_counter() - begin
flaws = int(tree_flaws(answer).any()) if system.task != "tags" else 0
print(json.dumps([seconds, flaws, [str(one.message) for one in said]]))
"""


@pytest.mark.parametrize(
    ("name", "words", "seconds"),
    [
        pytest.param(
            *(name, words, seconds),
            marks=() if name in QUICK and words == 10_000 else pytest.mark.slow,
        )
        for name, entry in systems().items()
        if entry.package == "treegauge" and name not in NO_DEFAULTS
        for words, seconds in [(10_000, 30), (100_000, 120)]
    ],
)
def test_sentence_of_any_length_ends_in_time_and_in_little_memory(
    name: str, words: int, seconds: int
) -> None:
    if name in ("bilstm", "biaffine", "mmi", "neural-dmv"):
        pytest.importorskip("torch")
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, name, str(words), "3", json.dumps(FEW_ROUNDS)],
        capture_output=True,
        text=True,
        cwd=Path.cwd(),
        timeout=10 * seconds,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    taken, flaws, said = json.loads(ran.stdout.splitlines()[-1])
    assert taken < seconds
    assert not flaws
    assert all("longest_whole" in message for message in said)
