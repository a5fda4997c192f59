"""Texts in shards are counted as one process counts them, to the last bit."""

from __future__ import annotations

import gzip
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from tests.unit.shards.sharded_texts import (
    INDUCERS,
    assert_same_model,
    assert_same_state,
    model_in_memory,
    system_in_memory,
    toy_text,
    written,
)
from treegauge.formats import FormatError
from treegauge.properties.language_model import train_on_shards
from treegauge.shards import ShardError, numbered_text, shard_files
from treegauge.systems import make_system

WORDS = st.sampled_from(["a", "b", "c", "B", "d1", "d2", "é", "ab"])
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=6), min_size=5, max_size=25)


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
