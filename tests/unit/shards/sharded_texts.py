"""Texts in shards for tests, and what one process learns from them in memory."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from treegauge import Column
from treegauge.formats import parse
from treegauge.properties.language_model import LanguageModel, train_language_model
from treegauge.systems import System, make_system

Sentences = Sequence[Sequence[str]]

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
