"""What is asked of every inducer of tags: threads make no difference, odd texts no trouble."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

from tests.unit.systems.tag_induction.planted_classes import planted
from tests.unit.systems.tag_induction.test_word_class_inducer import text_of
from treegauge.systems import System, SystemsError, load_system, make_system
from treegauge.treebank import Treebank

pytestmark = pytest.mark.long

INDUCERS = {
    "brown": ("brown", {}),
    "mkcls": ("mkcls", {}),
    "mkcls climbing": ("mkcls", {"optimiser": "climb", "init": "random", "starts": 2}),
    "predictive-exchange": ("predictive-exchange", {}),
    "bmmm": ("bmmm", {"sweeps": 6}),
    "pyp-hmm": ("pyp-hmm", {"sweeps": 6, "strengths_every": 2}),
    "hmm em": ("hmm", {"learner": "em", "iterations": 6}),
    "hmm gibbs": ("hmm", {"learner": "gibbs", "iterations": 6}),
    "hmm-pr": ("hmm-pr", {"iterations": 18, "plain_iterations": 3, "constrained_count": 2}),
    "lda-classes": ("lda-classes", {"sweeps": 6}),
    "joint": ("joint", {"sweeps": 6, "rounds": 2, "agreement": 1.0}),
}
"""Every learner of every system, with as little work as shows all its steps."""
NEURAL = {
    "mmi": (
        "mmi",
        {
            "epochs": 2,
            "members": 2,
            "start": "brown",
            "start_epochs": 1,
            "word_size": 8,
            "character_size": 8,
            "character_hidden": 8,
            "device": "cpu",
        },
    )
}
"""Those that need PyTorch."""

every_inducer = pytest.mark.parametrize(
    "inducer", [*INDUCERS, *(pytest.param(name, marks=pytest.mark.neural) for name in NEURAL)]
)


def fitted(inducer: str, words: Treebank, classes: int = 3) -> System:
    name, settings = (INDUCERS | NEURAL)[inducer]
    return make_system(name, {"classes": classes, **settings}, seed=7).fit(words)


def what_was_learnt(system: System) -> list[object]:
    """Every number of a model, to the last bit."""
    arrays, facts = system.state()
    return [json.dumps(facts, sort_keys=True, default=str), *sorted(arrays)] + [
        arrays[name].tobytes().hex() for name in sorted(arrays)
    ]


# ------------------------------------------------------------------ seeds and threads


@every_inducer
def test_the_same_seed_gives_the_same_on_any_number_of_threads(inducer, monkeypatch) -> None:
    # So small a text would be one shard.
    monkeypatch.setattr("treegauge.systems.hidden_markov.expectations._WORDS_OF_SHARD", 100)
    words, _ = planted(4, 40, 600, length=8)
    found = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("TREEGAUGE_THREADS", threads)
        found.append(what_was_learnt(fitted(inducer, words)))
    assert found[0] == found[1] == found[2]


_PROGRAM = """
import hashlib
from tests.unit.systems.tag_induction.planted_classes import planted
from tests.unit.systems.tag_induction.test_all_inducers import fitted, what_was_learnt

words, _ = planted(8, 4000, 40_000, length=8)
for inducer in {inducers}:
    learnt = repr(what_was_learnt(fitted(inducer, words, 8)))
    print(inducer, hashlib.sha256(learnt.encode()).hexdigest())
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "inducers", [INDUCERS, pytest.param(NEURAL, marks=pytest.mark.neural)], ids=["numba", "neural"]
)
def test_threads_of_libraries_make_no_difference(inducers) -> None:
    """A text that is large enough for libraries to divide sums among threads."""
    found = []
    for threads in ("1", "2"):
        names = ("TREEGAUGE", "NUMBA_NUM", "OMP_NUM", "OPENBLAS_NUM", "MKL_NUM")
        environment = os.environ | {f"{name}_THREADS": threads for name in names}
        run = subprocess.run(
            [sys.executable, "-c", _PROGRAM.format(inducers=list(inducers))],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        found.append(run.stdout.splitlines())
    assert len(found[0]) == len(inducers)
    assert found[0] == found[1]


# ------------------------------------------------------------------ odd texts


@every_inducer
@pytest.mark.parametrize("words", [text_of(), text_of([], [])], ids=["nothing", "no words"])
def test_an_empty_corpus_is_refused_in_one_line(inducer, words) -> None:
    name, _ = (INDUCERS | NEURAL)[inducer]
    with pytest.raises(SystemsError) as caught:
        fitted(inducer, words)
    assert str(caught.value) == f"{name}: nothing to learn from: the treebank has no words"


@every_inducer
@pytest.mark.parametrize(
    ("words", "classes"),
    [
        (text_of(["a", "b", "c", "a"]), 45),
        (text_of(["one"]), 45),
        (text_of(["a"] * 9), 2),
        (text_of(["a", "b", "c"]), 1),
        (text_of(["one"], ["one"], [], ["two"], ["three"]), 2),
        (text_of(["New York", "New\u00a0York", "x y z"], [], ["New York"]), 2),
        (text_of(["\U0010ffff", "é", "e\u0301", "日本", ""]), 2),
    ],
    ids=[
        "more classes than types",
        "one word",
        "one type",
        "one class",
        "one-word sentences",
        "spaces",
        "unicode",
    ],
)
def test_odd_texts(inducer, words, classes, tmp_path) -> None:
    system = fitted(inducer, words, classes)
    assert np.isfinite(system.history or [0.0]).all()
    tags = system.annotate(words).upos
    # No more tags than asked for, nor than there are types.
    assert len(tags) == words.n_words
    assert all(0 <= int(tag) < min(classes, len(set(words.form))) for tag in tags)
    assert len(system.annotate(text_of(["unseen", "York"])).upos) == 2
    if system.task == "tags":
        assert len(system.annotate(text_of([])).upos) == 0
    assert system.describe_grammar(3).endswith("\n")
    system.save(tmp_path / "model")
    assert load_system(tmp_path / "model").annotate(words).upos == tags


LONG = "".join(np.random.default_rng(0).choice(list("abcdefghij日本"), 100_000))


@every_inducer
def test_words_of_a_hundred_thousand_characters(inducer) -> None:
    words = text_of([LONG, "b", LONG[1:]], ["b", LONG, "c"])
    fitted(inducer, text_of(["a", "b"]), 2)  # what is compiled is none of its memory
    tracemalloc.start()
    system = fitted(inducer, words, 2)
    tags = system.annotate(words).upos
    unseen = system.annotate(text_of([LONG[2:], "x" * 100_000]))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert tags[0] == tags[4]
    assert len(unseen.upos) == 2
    assert peak < 64e6
    # Nobody wants to read them.
    assert max(map(len, system.describe_grammar(5).splitlines())) < 400


def test_bit_strings_of_words_with_spaces_are_still_three_columns(tmp_path) -> None:
    words = text_of(["New York", "is", "x  y z"], ["New York", "New\u00a0York", "\u2028"])
    fitted("brown", words, 2).write_paths(tmp_path / "paths")
    lines = (tmp_path / "paths").read_text(encoding="utf-8").split("\n")
    rows = [line.split("\t") for line in lines[:-1]]
    assert lines[-1] == ""
    assert {word: int(count) for _, word, count in rows} == words.form.counts()
