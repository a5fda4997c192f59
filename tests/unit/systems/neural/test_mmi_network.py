"""The objective of `mmi` by hand, by NumPy and by finite differences; contexts; padding."""

from __future__ import annotations

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from treegauge.systems.neural.mmi_network import (  # noqa: E402
    Encoders,
    Sizes,
    SpellingEncoder,
    negative_information,
)
from treegauge.systems.neural.mmi_training import (  # noqa: E402
    Text,
    Training,
    contexts_of,
    posteriors_of_new,
)

pytestmark = pytest.mark.neural

SIZES = Sizes(
    n_words=6,
    n_letters=5,
    n_classes=3,
    width=2,
    word_size=4,
    character_size=3,
    character_hidden=2,
)
LETTERS = [np.array(word) for word in ([1], [2, 3], [4, 4, 1, 2], [3], [1, 2, 3, 4, 1])]


def information(p, q) -> float:
    """The bound, by its definition."""
    mean = np.mean(p, axis=0)
    entropy = -sum(m * math.log(m) for m in mean if m > 0)
    cross = -np.mean(
        [
            sum(a * math.log(b) for a, b in zip(*rows, strict=True))
            for rows in zip(p, q, strict=True)
        ]
    )
    return entropy - cross


def logs(*rows):
    return torch.log(torch.tensor(rows, dtype=torch.float64))


def encoders(seed: int = 0) -> Encoders:
    torch.manual_seed(seed)
    return Encoders(SIZES).double()


# ------------------------------------------------------------------ the objective


def test_two_words_and_two_classes_by_hand() -> None:
    p = logs([0.75, 0.25], [0.25, 0.75])
    q = logs([0.5, 0.5], [0.25, 0.75])
    # H(Z) of (1/2, 1/2) is ln 2. Cross entropies: ln 2, and (ln 4)/4 + 3/4 (ln 4 - ln 3).
    second = math.log(4) - 0.75 * math.log(3)
    expected = math.log(2) - (math.log(2) + second) / 2
    assert negative_information(p, q).item() == pytest.approx(-expected)


def test_the_most_that_two_classes_can_tell_is_one_bit() -> None:
    certain = logs([1.0, 1e-300], [1e-300, 1.0])
    assert negative_information(certain, certain).item() == pytest.approx(-math.log(2))
    alike = logs([1.0, 1e-300], [1.0, 1e-300])
    assert negative_information(alike, alike).item() == pytest.approx(0.0)


@pytest.mark.parametrize("seed", range(5))
def test_the_objective_equals_its_definition(seed: int) -> None:
    generator = np.random.default_rng(seed)
    p, q = generator.dirichlet([0.5] * 4, (2, 7))
    found = negative_information(torch.from_numpy(np.log(p)), torch.from_numpy(np.log(q)))
    assert found.item() == pytest.approx(-information(p, q))


@pytest.mark.parametrize("seed", range(5))
def test_it_is_a_lower_bound_on_information(seed: int) -> None:
    # Contexts are as probable as each other; every one has a distribution over words.
    generator = np.random.default_rng(seed)
    p = generator.dirichlet([0.5] * 3, 8)
    mean = p.mean(axis=0)
    exact = float(np.mean((p * np.log(p / mean)).sum(axis=1)))  # I(X; Z)
    q = generator.dirichlet([1.0] * 3, 8)
    assert -negative_information(*map(torch.from_numpy, (np.log(p), np.log(q)))).item() <= exact
    tight = -negative_information(*map(torch.from_numpy, (np.log(p), np.log(p)))).item()
    assert tight == pytest.approx(exact)


def test_a_class_that_no_word_has_gives_numbers() -> None:
    scores = torch.tensor([[0.0, -500.0], [0.0, -500.0]], requires_grad=True)
    log_p = torch.log_softmax(scores, dim=1)
    assert log_p.exp()[0, 1] == 0
    loss = negative_information(log_p, log_p)
    loss.backward()
    assert loss.isfinite()
    assert scores.grad.isfinite().all()


def test_gradients_are_those_of_finite_differences() -> None:
    network = encoders()
    types, contexts = torch.tensor([0, 2, 4, 2]), torch.tensor([[5, 5, 1, 2], [0, 1, 3, 5]] * 2)
    letters = [LETTERS[kind] for kind in types.tolist()]
    lengths = torch.tensor([len(word) for word in letters])
    padded = torch.zeros((4, 5), dtype=torch.int64)
    for row, word in zip(padded, letters, strict=True):
        row[: len(word)] = torch.from_numpy(word)

    def loss():
        return negative_information(*network(types, padded, lengths, contexts))

    loss().backward()
    step = 1e-6
    generator = np.random.default_rng(0)
    for name, weights in network.named_parameters():
        flat = weights.data.view(-1)
        for place in generator.choice(len(flat), min(6, len(flat)), replace=False):
            before = flat[place].item()
            flat[place] = before + step
            above = loss().item()
            flat[place] = before - step
            below = loss().item()
            flat[place] = before
            expected = (above - below) / (2 * step)
            found = weights.grad.view(-1)[place].item()
            assert found == pytest.approx(expected, abs=1e-7), name
        if not name.startswith("speller.letters"):
            assert weights.grad.abs().sum() > 0, name


# ------------------------------------------------------------------ contexts and batches


def test_contexts_end_with_the_sentence() -> None:
    words, offsets = np.array([0, 1, 2, 3, 4]), np.array([0, 3, 3, 5])
    assert contexts_of(words, offsets, 2, 9).tolist() == [
        [9, 9, 1, 2],
        [9, 0, 2, 9],
        [0, 1, 9, 9],
        [9, 9, 4, 9],
        [9, 3, 9, 9],
    ]
    assert contexts_of(words, offsets, 1, 9)[3].tolist() == [9, 4]


def training(start=None, start_epochs: int = 0, batch: int = 4) -> Training:
    words = np.array([0, 1, 2, 3, 4, 2, 1])
    text = Text(words, contexts_of(words, np.array([0, 4, 7]), 2, 5), LETTERS)
    generator = np.random.default_rng(1)
    network = encoders()
    return Training(
        network, text, generator, batch=batch, rate=0.01, start=start, start_epochs=start_epochs
    )


def test_what_a_word_is_does_not_depend_on_its_batch() -> None:
    run = training()
    together = run.posteriors()
    with torch.inference_mode():
        for kind, letters in enumerate(LETTERS):
            log_p = run.encoders.log_p(
                torch.tensor([kind]), torch.from_numpy(letters)[None], torch.tensor([len(letters)])
            )
            np.testing.assert_allclose(together[kind], log_p.exp().numpy()[0], atol=1e-12)
    np.testing.assert_allclose(together.sum(axis=1), 1.0)


def test_the_spelling_encoder_is_the_word_encoder_with_the_mean_vector_of_rare_words() -> None:
    run = training()
    rare = torch.tensor([3, 4])
    spelling = SpellingEncoder.of(run.encoders, SIZES, rare).double()
    with torch.no_grad():
        run.encoders.words.weight[0] = run.encoders.words(rare).mean(dim=0)
    expected = run.posteriors()[0]
    # Single precision in between.
    np.testing.assert_allclose(posteriors_of_new(spelling, LETTERS[:1])[0], expected, atol=1e-6)
    spelling.choose(np.array([2, 0]))
    chosen = posteriors_of_new(spelling, LETTERS[:1])[0]
    np.testing.assert_allclose(chosen, expected[[2, 0]] / expected[[2, 0]].sum(), atol=1e-6)


def test_the_history_is_the_mean_over_words() -> None:
    run = training(batch=100)
    log_p = np.log(run.posteriors())[run.text.words]
    with torch.inference_mode():
        types, letters, lengths = torch.tensor([0]), torch.tensor([[1]]), torch.tensor([1])
        contexts = torch.from_numpy(run.text.contexts)
        log_q = run.encoders(types, letters, lengths, contexts)[1].numpy()
    run.run_epoch(lambda *_: None)
    assert run.history == [pytest.approx(information(np.exp(log_p), np.exp(log_q)))]
    for _ in range(20):
        run.run_epoch(lambda *_: None)
    assert run.history[-1] > run.history[0]


def test_the_first_epochs_fit_the_classes_of_a_start() -> None:
    start = np.array([0, 1, 2, 0, 1, 2, 1])  # of words; one class per type
    run = training(start=start, start_epochs=60)
    for _ in range(60):
        run.run_epoch(lambda *_: None)
    assert run.posteriors().argmax(axis=1)[run.text.words].tolist() == start.tolist()


@pytest.mark.parametrize("start_epochs", [0, 3])
def test_a_training_goes_on_where_it_was(start_epochs: int) -> None:
    start = np.array([0, 1, 2, 0, 1, 2, 1]) if start_epochs else None
    whole = training(start, start_epochs)
    for _ in range(4):
        whole.run_epoch(lambda *_: None)
    first = training(start, start_epochs)
    for _ in range(2):
        first.run_epoch(lambda *_: None)
    second = training(start, start_epochs)
    second.resume(*first.state())
    for _ in range(2):
        second.run_epoch(lambda *_: None)
    assert second.history == whole.history
    assert np.array_equal(second.posteriors(), whole.posteriors())
