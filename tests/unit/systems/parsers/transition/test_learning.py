"""How transition parsers learn: against a slow twin that adds up all weights at all times."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.systems.parsers.transition.slow_transition_learning import SlowPerceptron
from treegauge.rewrite.projectivise import projectivise
from treegauge.systems.parsers.transition import (
    TransitionParser,
    _weights_numba as kernels,
    learning,
    weights,
)
from treegauge.systems.parsers.transition.lexicon import forget_rare_words, seen_once
from treegauge.toys import toy_treebank

TREEBANK = projectivise(toy_treebank("toy:free", tokens=20, seed=4))


@pytest.mark.parametrize(
    ("system", "features", "exploration", "margin"),
    [
        ("arc-eager", "malt", None, 0.0),
        ("arc-eager", "rich", 1.0, 0.0),
        ("arc-eager", "full", 1.0, 1.5),
        ("swap-lazy", "malt", None, 1.0),
        ("arc-hybrid", "malt", 0.0, 0.5),
    ],
)
def test_averaged_weights_are_the_mean_of_all_weights(
    system: str, features: str, exploration: float | None, margin: float
) -> None:
    settings = {"system": system, "features": features, "epochs": 1}
    parser = TransitionParser(settings).fit(TREEBANK)
    plan, words = parser._plan(), parser._words(TREEBANK)
    relations = TREEBANK.deprel.compact()
    lesson = learning.Lesson(
        TREEBANK.head,
        relations.codes,
        np.arange(TREEBANK.n_sentences)[::-1].copy(),
        exploration is not None,
        exploration or 0.0,
        np.zeros(TREEBANK.n_sentences, np.int64),
        np.float32(margin),
    )
    twin = SlowPerceptron(plan, len(relations.vocabulary))
    tables, sums = weights.new_tables(len(relations.vocabulary))
    time = 0
    for _ in range(2):
        twin.learn(words, lesson)
        tables, sums, time, right, decided = learning.learn(plan, words, lesson, tables, sums, time)
        assert 0 < right < decided
    assert time == twin.time
    weights.average(tables.moves, sums.moves, time)
    weights.average(tables.labels, sums.labels, time)

    found = {}
    for row in range(1, sums.used[0]):
        key = int(tables.keys[row])
        for move, weight in enumerate(tables.moves[row].tolist()):
            found[key, move] = weight
        for side, pointer in enumerate(tables.pointers[row].tolist()):
            if pointer:
                for label, weight in enumerate(tables.labels[pointer].tolist()):
                    found[key, side, label] = weight
    expected = {**twin.move_sums, **twin.label_sums}
    assert expected.keys() <= found.keys()
    means = [expected.get(entry, 0) / time for entry in found]
    np.testing.assert_allclose(list(found.values()), means, atol=1e-5, rtol=0)
    assert any(abs(weight) > 0.1 for weight in found.values())


def test_tables_grow_without_forgetting() -> None:
    generator = np.random.default_rng(0)
    keys = generator.integers(-(1 << 62), 1 << 62, size=9_000)
    # Keys that want the same slot have to go to others.
    keys[::60] = (keys[::60] >> 20 << 20) + 5
    keys = np.unique(keys)
    tables, sums = weights.new_tables(3)
    for portion in np.array_split(keys, 50):
        rows = np.zeros(len(portion), np.int32)
        n = len(portion)
        tables, sums = weights.with_room(tables, sums, n)
        kernels.make_rows(tables.slots, tables.keys, sums.used, portion, rows, n)
        kernels.change(tables, sums, rows, n, 0, 2, 0, 1.0, 7)
        kernels.change(tables, sums, rows, 0, n, 2, 0, -1.0, 7)
    assert sums.used.tolist() == [len(keys) + 1] * 2
    found = [kernels.find_row(tables.slots, key) for key in keys]
    assert sorted(found) == list(range(1, len(keys) + 1))
    assert (tables.keys[found] == keys).all()
    assert (tables.moves[found] == [0, 0, 1, 0]).all()
    assert (sums.moves[found] == [0, 0, 7, 0]).all()
    assert (tables.labels[tables.pointers[found, 1]] == [-1, 0, 0]).all()
    assert kernels.find_row(tables.slots, np.int64(12345)) == 0


def test_half_of_the_words_seen_once_are_forgotten() -> None:
    parser = TransitionParser({"epochs": 1}).fit(TREEBANK)
    atoms = parser._words(TREEBANK).atoms
    once = seen_once(atoms)
    forms = list(TREEBANK.form)
    assert once[:, 0].tolist() == [forms.count(form) == 1 for form in forms]
    generator = np.random.default_rng(0)
    forgotten = [(forget_rare_words(atoms, once, generator) != atoms)[:-2] for _ in range(400)]
    share = np.mean(forgotten, axis=0)
    assert not share[:, 2:].any()
    assert (share[:, :2][~once] == 0).all()
    assert (abs(share[:, :2][once] - 0.5) < 0.15).all()
