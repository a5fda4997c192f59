"""Texts in shards are counted as one process counts them, to the last bit."""

from __future__ import annotations

import gzip
import signal
import warnings
from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tests.local_cluster import LocalCluster, until
from treegauge import Column
from treegauge.formats import FormatError, parse
from treegauge.properties.language_model import (
    LanguageModel,
    train_language_model,
    train_on_shards,
)
from treegauge.runs import cluster_executor
from treegauge.shards import ShardError, numbered_text, shard_files
from treegauge.systems import System, make_system

Sentences = Sequence[Sequence[str]]

WORDS = st.sampled_from(["a", "b", "c", "B", "d1", "d2", "é", "ab"])
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=6), min_size=5, max_size=25)
INDUCERS = (
    ("predictive-exchange", {"classes": 3, "sweeps": 6}),
    ("brown", {"classes": 3}),
    ("brown", {"classes": 3, "boundaries": "sentence", "min_count": 2}),
    ("mkcls", {"classes": 3, "threshold_sweeps": 2, "fold_case": True, "conflate_digits": True}),
)


def written(sentences: Sentences, folder: Path, n_shards: int) -> list[Path]:
    """Write a text into files: shards of about the same size, each with a sentence at least."""
    folder.mkdir(exist_ok=True)
    bounds = np.linspace(0, len(sentences), n_shards + 1).astype(int)
    files = []
    for number, (first, last) in enumerate(pairwise(bounds)):
        files.append(folder / f"part-{number}.txt")
        lines = (" ".join(words) + "\n" for words in sentences[first:last])
        files[-1].write_text("".join(lines), encoding="utf-8")
    return files


def toy_text(n_sentences: int) -> list[list[str]]:
    generator = np.random.default_rng(7)
    lengths = generator.integers(1, 12, n_sentences)
    return [[f"w{int(x)}" for x in generator.zipf(1.3, n) if x < 10**6] or ["w1"] for n in lengths]


def model_in_memory(sentences: Sentences, order: int, minimum: int = 1) -> LanguageModel:
    offsets = np.concatenate([[0], np.cumsum([len(words) for words in sentences])])
    column = Column.from_strings([word for words in sentences for word in words])
    return train_language_model(column, offsets, order=order, minimum_word_count=minimum)


def system_in_memory(name: str, options: dict[str, object], sentences: Sentences) -> System:
    text = "".join(" ".join(words) + "\n" for words in sentences)
    return make_system(name, options).fit(parse(text, format="tokens"))


def assert_same_model(one: LanguageModel, other: LanguageModel) -> None:
    assert one.vocabulary == other.vocabulary
    assert one.estimation == other.estimation
    for name in ("word", "link", "first_child", "level_starts"):
        mine, theirs = getattr(one.trie, name), getattr(other.trie, name)
        assert mine.dtype == theirs.dtype
        assert np.array_equal(mine, theirs), name
    assert one.log10.tobytes() == other.log10.tobytes()
    assert one.backoff.tobytes() == other.backoff.tobytes()


def assert_same_state(one: System, other: System) -> None:
    (arrays, facts), (other_arrays, other_facts) = one.state(), other.state()
    assert facts == other_facts
    assert arrays.keys() == other_arrays.keys()
    for name in arrays:
        assert arrays[name].tobytes() == other_arrays[name].tobytes(), name


@pytest.mark.filterwarnings("ignore::treegauge.properties.errors.SmallCorpusWarning")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    TEXTS,
    st.sampled_from([1, 2, 5]),
    st.integers(1, 5),
    st.integers(1, 2),
    st.sampled_from([1, 7, 1000]),
)
def test_language_models_are_equal(tmp_path, sentences, n_shards, order, minimum, chunk) -> None:
    files = written(sentences, tmp_path / "text", n_shards)
    sharded = train_on_shards(
        files, format="tokens", order=order, minimum_word_count=minimum, chunk=chunk
    )
    assert_same_model(sharded, model_in_memory(sentences, order, minimum))
    for file in files:
        file.unlink()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(TEXTS, st.sampled_from([1, 2, 5]), st.sampled_from(INDUCERS), st.sampled_from([1, 7, 1000]))
def test_inducers_are_equal(tmp_path, sentences, n_shards, inducer, chunk) -> None:
    files = written(sentences, tmp_path / "text", n_shards)
    name, options = inducer
    try:
        here = system_in_memory(name, options, sentences)
    except Exception as error:  # no word is frequent enough: there as here
        with pytest.raises(type(error)):
            make_system(name, options).fit_shards(files, format="tokens", chunk=chunk)
    else:
        there = make_system(name, options).fit_shards(files, format="tokens", chunk=chunk)
        assert_same_state(there, here)
    for file in files:
        file.unlink()


def test_three_sentences_by_hand(tmp_path: Path) -> None:
    files = [tmp_path / "1.txt", tmp_path / "2.txt"]
    files[0].write_text("b a\n")
    files[1].write_text("a c\na\n")
    with numbered_text(files, format="tokens") as text:
        assert list(text.vocabulary) == ["b", "a", "c"]  # by first occurrence
        assert text.counts.tolist() == [1, 3, 1]
        assert (text.n_words, text.n_sentences) == (5, 3)
        assert text.shards[1].codes().tolist() == [1, 2]
        folder = text.folder
    assert not folder.exists()


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_and_pools_do_not_show(tmp_path, monkeypatch, threads) -> None:
    monkeypatch.setenv("TREEGAUGE_THREADS", str(threads))
    sentences = toy_text(3000)
    files = written(sentences, tmp_path / "text", 5)
    sharded = train_on_shards(files, format="tokens", chunk=4000)
    assert_same_model(sharded, model_in_memory(sentences, 3))
    with ThreadPoolExecutor(threads) as pool:
        pooled = train_on_shards(files, format="tokens", chunk=4000, executor=pool)
    assert_same_model(sharded, pooled)


# ---------------------------------------------------------------------- bad shards


def test_a_shard_that_was_cut_off_is_named(tmp_path: Path) -> None:
    files = []
    for number in range(3):
        files.append(tmp_path / f"part-{number}.txt.gz")
        lines = "".join(f"some words {i}\n" for i in range(3000))
        files[-1].write_bytes(gzip.compress(lines.encode(), mtime=0))
    content = files[1].read_bytes()
    files[1].write_bytes(content[: len(content) // 2])
    with pytest.raises(FormatError, match=r"part-1\.txt\.gz.*cut off|part-1.*truncated") as caught:
        train_on_shards([tmp_path], format="tokens", work_in=tmp_path)
    assert "part-0" not in str(caught.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == [file.name for file in files]


def test_a_shard_without_words_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a b\n")
    (tmp_path / "b.txt").write_text("\n\n")
    with pytest.raises((ShardError, FormatError), match=r"b\.txt"):
        make_system("brown").fit_shards([tmp_path], format="tokens")


def test_files_of_folders_and_patterns_are_sorted(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", ".hidden"):
        (tmp_path / name).write_text("a\n")
    expected = (tmp_path / "a.txt", tmp_path / "b.txt")
    assert shard_files([tmp_path]) == expected
    assert shard_files([tmp_path / "*.txt"]) == expected
    assert shard_files([tmp_path / "b.txt", tmp_path / "a.txt"]) == expected[::-1]
    with pytest.raises(ShardError, match="twice"):
        shard_files([tmp_path, tmp_path / "a.txt"])
    with pytest.raises(ShardError, match="no such file"):
        shard_files([tmp_path / "c*"])


# ---------------------------------------------------------------------- a cluster


def fitted_on(executor: Executor, files: list[Path], work_in: Path) -> System:
    name, options = INDUCERS[0]
    return make_system(name, options).fit_shards(
        files, format="tokens", chunk=4000, executor=executor, work_in=work_in
    )


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_counts_the_same(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    sentences = toy_text(6000)
    files = written(sentences, tmp_path / "text", 5)
    cluster = LocalCluster(tmp_path)
    try:
        with cluster_executor(cluster.address) as executor:
            until(lambda: executor.workers == 2)
            there = fitted_on(executor, files, tmp_path)

            def kill_one(share: float) -> None:
                if share > 0.05 and cluster.workers[0].poll() is None:
                    cluster.workers[0].send_signal(signal.SIGKILL)
                    cluster.workers[0].wait()

            with warnings.catch_warnings(action="ignore"):
                model = train_on_shards(
                    files,
                    format="tokens",
                    chunk=4000,
                    executor=executor,
                    work_in=tmp_path,
                    on_progress=kill_one,
                )
            assert executor.workers == 1
    finally:
        cluster.end()
    assert_same_state(there, system_in_memory(*INDUCERS[0], sentences))
    assert_same_model(model, model_in_memory(sentences, 3))
