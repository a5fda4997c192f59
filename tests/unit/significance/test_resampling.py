from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections import Counter
from itertools import product

import numpy as np
import pytest
import scipy.sparse as sparse

from treegauge.significance import (
    Resampler,
    SignificanceError,
    SpilledTable,
    resampling as module,
    spilled_tables,
)
from treegauge.spilling import Spill


def counts_of(resampler: Resampler) -> np.ndarray:
    """How often each sentence was drawn: the sums of one column per sentence."""
    return resampler.sums(np.eye(resampler.sentences))


def test_a_resample_has_as_many_sentences_as_the_test_set():
    for sentences in (1, 2, 7, 300):
        counts = counts_of(Resampler(sentences, resamples=50))
        assert counts.shape == (50, sentences)
        assert (counts.sum(axis=1) == sentences).all()
        assert (counts >= 0).all()
        assert (counts == counts.astype(int)).all()


def test_one_sentence_is_always_drawn():
    assert Resampler(1, resamples=3).sums([[4, 9]]).tolist() == [[4, 9]] * 3


@pytest.mark.parametrize("sentences", [3, 4])
def test_all_resamples_are_equally_likely(sentences):
    every = Counter(
        tuple(drawn.count(s) for s in range(sentences))
        for drawn in product(range(sentences), repeat=sentences)
    )
    resamples = 50_000
    counts = counts_of(Resampler(sentences, resamples=resamples, seed=5)).astype(int)
    found = Counter(map(tuple, counts.tolist()))
    assert found.keys() == every.keys()
    for counted, ways in every.items():
        share = ways / sentences**sentences
        deviation = np.sqrt(resamples * share * (1 - share))
        assert abs(found[counted] - resamples * share) < 4.5 * deviation


def test_the_same_seed_draws_the_same_sentences_for_every_metric_and_system():
    random = np.random.default_rng(3)
    one, other = random.integers(0, 9, (40, 2)), random.integers(0, 9, (40, 5))
    resampler = Resampler(40, resamples=200, seed=8)
    together = resampler.sums(np.hstack([one, other]))
    assert (resampler.sums(one) == together[:, :2]).all()
    assert (Resampler(40, resamples=200, seed=8).sums(other) == together[:, 2:]).all()
    assert (Resampler(40, resamples=200, seed=9).sums(one) != together[:, :2]).any()


def test_neither_blocks_nor_the_number_of_resamples_show(monkeypatch):
    sentences = 37  # odd: a block may end inside a random word
    whole = counts_of(Resampler(sentences, resamples=100))
    assert (counts_of(Resampler(sentences, resamples=30)) == whole[:30]).all()
    for block in (1, 100, 37 * 7):
        monkeypatch.setattr(module, "BLOCK", block)
        assert (counts_of(Resampler(sentences, resamples=100)) == whole).all()


def test_scores_are_scores_of_sums(monkeypatch):
    statistics = np.random.default_rng(1).integers(1, 9, (20, 3))
    resampler = Resampler(20, resamples=100)
    expected = resampler.sums(statistics) @ [1, 2, 3]
    monkeypatch.setattr(module, "BLOCK", 64)
    assert (resampler.scores(statistics, lambda sums: sums @ [1, 2, 3]) == expected).all()


def test_undefined_scores_are_nan_without_a_warning():
    scores = Resampler(2, resamples=100).scores([[0, 0], [1, 2]], lambda s: s[..., 0] / s[..., 1])
    assert set(scores[~np.isnan(scores)].tolist()) == {0.5}
    assert 10 < np.isnan(scores).sum() < 40  # a quarter draws the first sentence twice


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csr_matrix, sparse.coo_array])
def test_sparse_statistics_give_the_same_sums(kind):
    dense = np.random.default_rng(2).poisson(0.2, (60, 25))
    resampler = Resampler(60, resamples=150)
    sums = resampler.sums(kind(dense))
    assert isinstance(sums, np.ndarray)
    assert (sums == resampler.sums(dense)).all()


def test_what_was_given_is_not_changed():
    # One cell written twice, which scipy allows, and would add up in place.
    given = sparse.csr_array(([1.5, 2.0, 3.0], [0, 0, 1], [0, 2, 3]), shape=(2, 2))
    sums = Resampler(2, resamples=50).sums(given)
    assert (sums == Resampler(2, resamples=50).sums([[3.5, 0], [0, 3]])).all()
    assert given.data.tolist() == [1.5, 2.0, 3.0]


@pytest.mark.parametrize("scale", [1e-250, 1e-20, 1.0, 1e200])
def test_fractions_lose_next_to_nothing(scale):
    statistics = np.random.default_rng(2).random((500, 2)) * [1, 1e-9] * scale
    resampler = Resampler(500, resamples=20)
    expected = [
        [math.fsum(column) for column in (counts[:, None] * statistics).T]
        for counts in counts_of(resampler)
    ]
    assert resampler.sums(statistics) == pytest.approx(np.array(expected), rel=1e-13, abs=0)


def test_whole_numbers_add_up_exactly():
    statistics = np.array([[2**50], [1], [3]])
    sums = Resampler(3, resamples=200).sums(statistics)[:, 0].astype(int)
    assert set(sums.tolist()) == {
        i * 2**50 + j + 3 * (3 - i - j) for i in range(4) for j in range(4 - i)
    }


def test_no_sentences_or_no_columns():
    assert Resampler(0, resamples=3).sums(np.empty((0, 2))).tolist() == [[0, 0]] * 3
    assert Resampler(4, resamples=3).sums(np.empty((4, 0))).shape == (3, 0)
    assert Resampler(0, resamples=3).sums(sparse.csr_array((0, 2))).tolist() == [[0, 0]] * 3


@pytest.mark.parametrize(
    ("statistics", "complaint"),
    [
        ([1, 2, 3], r"one row per sentence.*found 1 dimension"),
        ([[1], [2]], "draws from 3 sentences; found statistics of 2"),
        ([[1], [2], [np.nan]], "must be finite"),
        (sparse.csr_array([[1], [2], [np.inf]]), "must be finite"),
    ],
)
def test_statistics_that_cannot_be_resampled(statistics, complaint):
    with pytest.raises(SignificanceError, match=complaint):
        Resampler(3).sums(statistics)


@pytest.mark.parametrize(("sentences", "resamples"), [(-1, 10), (5, 0)])
def test_impossible_numbers(sentences, resamples):
    with pytest.raises(SignificanceError, match="at least one resample; found"):
        Resampler(sentences, resamples=resamples)


def test_a_score_of_the_wrong_shape():
    with pytest.raises(SignificanceError, match=r"index the last axis"):
        Resampler(3).scores(np.ones((3, 2)), lambda sums: sums[0] / sums[1])


THREADS = """
import hashlib
import numpy as np
from treegauge.significance import Resampler, paired_bootstrap, paired_permutation

random = np.random.default_rng(4)
a, b = random.random((2, 900, 30))  # fractions, whose sums show the order of adding
found = [Resampler(900, resamples=3000).sums(a[:, :k]).tobytes() for k in (1, 2, 30)]
for test in (paired_bootstrap, paired_permutation):
    found.append(str(test(a, b, lambda sums: sums[..., 0] / sums[..., 1])).encode())
print(hashlib.sha256(b"".join(found)).hexdigest())
"""


@pytest.mark.slow
def test_the_number_of_threads_does_not_show():
    answers = set()
    for threads in ("1", "2"):
        limits = dict.fromkeys(("NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"), threads)
        run = subprocess.run(
            [sys.executable, "-c", THREADS],
            env={**os.environ, **limits},
            capture_output=True,
            text=True,
            check=True,
        )
        answers.add(run.stdout)
    assert len(answers) == 1


def test_ten_thousand_resamples_take_well_under_a_second():
    statistics = np.random.default_rng(0).integers(0, 20, (2000, 30))
    resampler = Resampler(2000, resamples=10_000)
    Resampler(2000, resamples=1).sums(statistics)  # compiles

    def seconds() -> float:
        start = time.process_time()  # other tests share the machine
        resampler.sums(statistics)
        return time.process_time() - start

    assert any(seconds() < 0.6 for _ in range(3))  # 0.1 on one idle core


@pytest.mark.parametrize("memory", [0, 1 << 30])
@pytest.mark.parametrize("block", [7, 64, 1 << 20])
def test_a_table_in_a_file_gives_the_sums_of_one_in_memory(monkeypatch, memory, block):
    table = np.random.default_rng(4).integers(0, 30, (150, 3)).astype(float)
    expected = Resampler(150, resamples=70, seed=2).sums(table)
    monkeypatch.setattr(spilled_tables, "ROWS", 20)
    monkeypatch.setattr(module, "BLOCK", block)
    monkeypatch.setattr(module, "_COUNTS_BYTES", 150 * 5)  # five resamples at a time
    spilled = SpilledTable(3, Spill(memory=memory))
    for first in range(0, 150, 9):
        spilled.append(table[first : first + 9])
    resampler = Resampler(150, resamples=70, seed=2)
    assert (resampler.sums(spilled) == expected).all()
    assert (resampler.sums(table) == expected).all()
