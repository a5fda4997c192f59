from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.unit.systems.dependency_induction.chart.brute_force import (
    all_weights,
    expected_arcs,
    expected_counts,
    projective_trees,
)
from tests.unit.systems.dependency_induction.chart.models import (
    MODELS,
    D,
    N,
    V,
    any_weights,
    assert_equal_counts,
    assert_same_counts,
    corpus_of,
    golden_grammar,
    random_corpus,
    random_grammar,
)
from tests.unit.systems.dependency_induction.chart.slow_em import slow_expectations
from treegauge.systems.dependency_induction.chart import (
    ChartError,
    Counts,
    Grammar,
    estimate,
    expectations,
    log_prior,
    shard_expectations,
    weights as weights_module,
)

SENTENCES = [(D, N, V), (N, V), (V,), (D, N, V, D, N), (N, N, N, N), (V, D, V, N, D)]


def in_log_space(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no sentence pass in probability space."""
    module = __import__(expectations.__module__, fromlist=["LEAST_Z"])
    monkeypatch.setattr(module, "LEAST_Z", np.full(weights_module.MOST_WORDS + 1, np.inf))


@pytest.fixture(params=["probability space", "log space"])
def space(request, monkeypatch):
    """Both kernels."""
    if request.param == "log space":
        in_log_space(monkeypatch)


# ---------------------------------------------------------------- golden values


@pytest.mark.usefixtures("space")
def test_golden_values():
    """All figures worked out by enumeration for D N V."""
    found = expectations(golden_grammar(), corpus_of([(D, N, V)]), marginals=True)
    assert math.exp(found.log_likelihood) == pytest.approx(0.0225667944, abs=5e-11)
    counts = found.counts
    np.testing.assert_allclose(counts.root, [0.0176165, 0.0379896, 0.9443939], atol=5e-8)
    np.testing.assert_allclose(
        found.marginals.reshape(4, 3),
        [
            [0.0176165, 0.0379896, 0.9443939],
            [0, 0.0345008, 0.0141277],
            [0.9204745, 0, 0.0414785],
            [0.0619090, 0.9275096, 0],
        ],
        atol=6e-8,
    )
    np.testing.assert_allclose(
        counts.stop.reshape(3, 4),
        [
            [1, 0, 0.9519918, 0.0480082],
            [0.0795255, 0.9204745, 0.9585215, 0.0414785],
            [0.0420987, 0.9579013, 1, 0],
        ],
        atol=6e-8,
    )


@pytest.mark.usefixtures("space")
def test_golden_em():
    corpus = corpus_of([(D, N, V), (N, V), (V,)])
    grammar = golden_grammar()
    log_likelihoods = []
    for iteration in range(6):
        found = expectations(grammar, corpus)
        log_likelihoods.append(found.log_likelihood)
        grammar = estimate(found.counts)
        if iteration == 0:
            np.testing.assert_allclose(
                grammar.root, [0.00587217, 0.02642047, 0.96770736], atol=6e-9
            )
            assert grammar.stop[N, 0, 0] == pytest.approx(0.53976276, abs=6e-9)
            assert grammar.stop[V, 0, 0] == pytest.approx(0.36112350, abs=6e-9)
    np.testing.assert_allclose(
        log_likelihoods,
        [-9.43697422, -3.63319109, -3.30277683, -3.29584080, -3.29583687, -3.29583687],
        atol=6e-9,
    )


# ---------------------------------------------------------------- every tree listed


def test_numbers_of_projective_trees():
    assert [len(projective_trees(n)) for n in range(1, 7)] == [1, 2, 7, 30, 143, 728]


@pytest.mark.usefixtures("space")
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_ones_as_weights_count_the_trees(model):
    ones = {name: table + 1 for name, table in Counts.zeros(1, *model).arrays().items()}
    grammar = Grammar(**ones, child_valence_order=model[2])
    found = expectations(grammar, corpus_of([(0,) * n for n in range(1, 13)], 1))
    numbers = [math.comb(3 * n - 2, n - 1) // n for n in range(1, 13)]
    np.testing.assert_allclose(np.exp(found.sentence_log_likelihoods), numbers, rtol=1e-13)


@pytest.mark.usefixtures("space")
@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("make", [random_grammar, any_weights])
def test_brute_force(model, make):
    corpus = corpus_of(SENTENCES)
    grammar = make(3, model=model)
    found = expectations(grammar, corpus, marginals=True, entropies=True)
    for s, tags in enumerate(SENTENCES):
        weights = np.array(list(all_weights(tags, grammar).values()))
        z = weights.sum()
        assert z > 0
        assert found.sentence_log_likelihoods[s] == pytest.approx(math.log(z), abs=1e-11)
        posterior = weights[weights > 0] / z
        entropy = -(posterior * np.log(posterior)).sum()
        assert found.entropies[s] == pytest.approx(entropy, abs=1e-11)
        np.testing.assert_allclose(
            corpus.arc_matrix(found.marginals, s), expected_arcs(tags, grammar), atol=1e-12
        )
        alone = expectations(grammar, corpus_of([tags]))
        assert_same_counts(alone.counts, expected_counts(tags, grammar))
    together = [expected_counts(tags, grammar) for tags in SENTENCES]
    assert_same_counts(found.counts, sum(together[1:], together[0]))


@pytest.mark.usefixtures("space")
def test_brute_force_with_six_words():
    tags = (N, D, V, V, N, D)
    grammar = random_grammar(8, model=(3, 2, "outside_in"))
    found = expectations(grammar, corpus_of([tags]), marginals=True)
    z = sum(all_weights(tags, grammar).values())
    assert found.log_likelihood == pytest.approx(math.log(z), abs=1e-12)
    np.testing.assert_allclose(
        found.marginals.reshape(7, 6), expected_arcs(tags, grammar), atol=1e-12
    )
    assert_same_counts(found.counts, expected_counts(tags, grammar))


@pytest.mark.usefixtures("space")
@pytest.mark.parametrize("exponent", [0.5, 1.7, 4.0])
@pytest.mark.parametrize("model", [(2, 1, "inside_out"), (2, 2, "outside_in")], ids=str)
def test_powers(model, exponent):
    """Z is the sum of the powers of all trees' probabilities."""
    grammar = random_grammar(4, model=model)
    corpus = corpus_of(SENTENCES)
    found = expectations(grammar.power(exponent), corpus)
    for s, tags in enumerate(SENTENCES):
        z = sum(value**exponent for value in all_weights(tags, grammar).values())
        assert found.sentence_log_likelihoods[s] == pytest.approx(math.log(z), abs=1e-11)
    carried_out = expectations(grammar.power(exponent).weights, corpus)
    assert_same_counts(found.counts, carried_out.counts, 1e-11)
    assert_equal_counts(
        expectations(grammar.power(1.0), corpus).counts, expectations(grammar, corpus).counts
    )


@pytest.mark.usefixtures("space")
@pytest.mark.parametrize("model", [(2, 1, "inside_out"), (3, 3, "outside_in")], ids=str)
def test_weights_of_arcs(model):
    random = np.random.default_rng(5)
    corpus = corpus_of([*SENTENCES, SENTENCES[0]], deduplicate=False)
    arcs = random.gamma(0.5, 4.0, corpus.arc_offsets[-1]) * (
        random.random(corpus.arc_offsets[-1]) > 0.1
    )
    grammar = random_grammar(6, model=model)
    found = expectations(grammar, corpus, arc_weights=arcs, marginals=True, entropies=True)
    for s, tags in enumerate([*SENTENCES, SENTENCES[0]]):
        own = corpus.arc_matrix(arcs, s)
        weights = np.array(list(all_weights(tags, grammar, own).values()))
        z = weights.sum()
        assert found.sentence_log_likelihoods[s] == pytest.approx(math.log(z), abs=1e-11)
        np.testing.assert_allclose(
            corpus.arc_matrix(found.marginals, s), expected_arcs(tags, grammar, own), atol=1e-12
        )
        posterior = weights[weights > 0] / z
        assert found.entropies[s] == pytest.approx(
            -(posterior * np.log(posterior)).sum(), abs=1e-11
        )


def test_weights_by_tags_are_weights_of_arcs():
    random = np.random.default_rng(7)
    by_tags = random.gamma(1.0, 1.0, (4, 3))
    corpus = random_corpus(8, 40, 7, deduplicate=False)
    arcs = np.empty(corpus.arc_offsets[-1])
    for s in range(corpus.n_sentences):
        tags = corpus.tags[corpus.offsets[s] : corpus.offsets[s + 1]]
        corpus.arc_matrix(arcs, s)[:] = by_tags[np.concatenate([[0], tags + 1])][:, tags]
    grammar = random_grammar(9, model=(2, 2, "inside_out")).power(1.5)
    by_arc = expectations(grammar, corpus, arc_weights=arcs)
    cheap = expectations(grammar.weighted(by_tags), corpus)
    assert by_arc.log_likelihood == pytest.approx(cheap.log_likelihood, abs=1e-9)
    assert_same_counts(by_arc.counts, cheap.counts, 1e-11)


# ---------------------------------------------------------------- the slow twin, and laws


def test_the_slow_twin():
    grammar = random_grammar(2, 5)
    corpus = random_corpus(3, 60, 11, 5)
    sentences = [
        corpus.tags[a:b].tolist()
        for a, b in zip(corpus.offsets[:-1], corpus.offsets[1:], strict=True)
    ]
    counts, log_likelihood = slow_expectations(grammar, sentences)
    found = expectations(grammar, corpus)
    assert found.log_likelihood == pytest.approx(log_likelihood, abs=1e-9)
    assert_same_counts(found.counts, counts, 1e-11)


@pytest.mark.usefixtures("space")
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_counts_are_the_gradient_of_log_z(model):
    """d log Z / d log weight = expected count, event by event, by finite differences."""
    grammar = any_weights(13, model=model)
    corpus = random_corpus(1, 6, 8)
    counts = expectations(grammar, corpus).counts
    random = np.random.default_rng(0)
    step = 1e-5
    for name, table in counts.arrays().items():
        for at in random.choice(table.size, 3, replace=False):
            sides = []
            for sign in (1, -1):
                tables = {key: value.copy() for key, value in grammar.arrays().items()}
                tables[name].flat[at] *= math.exp(sign * step)
                moved = Grammar(**tables, child_valence_order=model[2])
                sides.append(expectations(moved, corpus).log_likelihood)
            assert (sides[0] - sides[1]) / (2 * step) == pytest.approx(table.flat[at], abs=1e-6)


def test_em_climbs():
    corpus = random_corpus(4, 80, 9, 4)
    for model in MODELS[:5]:
        grammar = random_grammar(5, 4, model)
        before = -np.inf
        for _ in range(12):
            found = expectations(grammar, corpus)
            assert found.log_likelihood >= before - 1e-9
            before = found.log_likelihood
            grammar = estimate(found.counts, previous=grammar)


def test_em_with_smoothing_climbs_with_the_prior():
    corpus = random_corpus(6, 80, 9, 4)
    grammar = random_grammar(7, 4)
    for _ in range(40):
        grammar = estimate(expectations(grammar, corpus).counts, smoothing=1e-6)
    log_likelihoods, objectives = [], []
    for _ in range(15):
        found = expectations(grammar, corpus)
        log_likelihoods.append(found.log_likelihood)
        objectives.append(found.log_likelihood + log_prior(grammar, 2.0))
        grammar = estimate(found.counts, smoothing=2.0)
    assert (np.diff(objectives) >= -1e-9).all()
    assert (np.diff(log_likelihoods) < 0).any()  # the likelihood alone need not climb


def test_regularised_em_climbs():
    """(1 - sigma) times the sum of log Z of the powers does not fall at fixed sigma."""
    corpus = random_corpus(8, 80, 9, 4)
    grammar = random_grammar(9, 4)
    before = -np.inf
    for _ in range(15):
        found = expectations(grammar.power(1 / (1 - 0.4)), corpus)
        assert (1 - 0.4) * found.log_likelihood >= before - 1e-9
        before = (1 - 0.4) * found.log_likelihood
        grammar = estimate(found.counts, previous=grammar)


# ---------------------------------------------------------------- numbers of any size


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_spaces_agree(model, monkeypatch):
    corpus = random_corpus(2, 30, 40, 5)
    grammar = random_grammar(3, 5, model)
    arcs = corpus.distance_weights(1 / (1 + np.arange(41.0)))
    fast = expectations(grammar, corpus, arc_weights=arcs, marginals=True, entropies=True)
    in_log_space(monkeypatch)
    safe = expectations(grammar, corpus, arc_weights=arcs, marginals=True, entropies=True)
    np.testing.assert_allclose(
        fast.sentence_log_likelihoods, safe.sentence_log_likelihoods, rtol=0, atol=1e-9
    )
    np.testing.assert_allclose(fast.marginals, safe.marginals, rtol=0, atol=1e-9)
    np.testing.assert_allclose(fast.entropies, safe.entropies, rtol=0, atol=1e-9)
    assert_same_counts(fast.counts, safe.counts, 1e-9)


def test_two_hundred_words():
    corpus = random_corpus(1, 1, 1, 5)
    tags = np.random.default_rng(1).integers(0, 5, 200)
    corpus = corpus_of([tags.tolist(), tags[:60].tolist()], 5)
    found = expectations(random_grammar(2, 5), corpus, marginals=True)
    assert np.isfinite(found.sentence_log_likelihoods).all()
    np.testing.assert_allclose(corpus.arc_matrix(found.marginals, 0).sum(axis=0), 1, atol=1e-9)
    assert found.counts.root.sum() == pytest.approx(2, abs=1e-9)


def test_numbers_too_small_for_a_float():
    """Weights to a high power: most trees vanish, and posteriors are right all the same."""
    sentences = [tuple(np.random.default_rng(3).integers(0, 3, 30).tolist()), (D, N, V)]
    corpus = corpus_of(sentences)
    grammar = golden_grammar().power(1 / (1 - 0.999))
    found = expectations(grammar, corpus, marginals=True)
    assert np.isfinite(found.sentence_log_likelihoods).all()
    np.testing.assert_allclose(corpus.arc_matrix(found.marginals, 0).sum(axis=0), 1, atol=1e-9)
    np.testing.assert_allclose(
        corpus.arc_matrix(found.marginals, 1),
        [[0, 0, 1], [0, 0, 0], [1, 0, 0], [0, 1, 0]],
        atol=1e-12,
    )


def test_small_numbers_are_sent_to_log_space():
    """Z is sound, since one tree is likely, or it is not and the other kernel takes over."""
    stop = np.full((2, 2, 2), 0.5)
    attach = np.full((2, 2, 1, 2), 1e-30)
    attach[:, :, 0, 1] = 1.0
    grammar = Grammar(np.array([1e-30, 1.0]), stop, 1 - stop, attach)
    corpus = corpus_of([(1,) + (0,) * 30, (0, 1) * 20], 2)
    found = expectations(grammar, corpus, marginals=True)
    assert found.sentence_log_likelihoods[0] < 30 * math.log(1e-29)
    for s in range(2):
        np.testing.assert_allclose(corpus.arc_matrix(found.marginals, s).sum(axis=0), 1, atol=1e-9)


@pytest.mark.usefixtures("space")
def test_what_is_impossible_is_impossible():
    grammar = replace(golden_grammar(), root=np.array([0.0, 1.0, 0.0]))
    found = expectations(grammar, corpus_of([(D, V), (N,), (N, N)]), marginals=True, entropies=True)
    assert found.sentence_log_likelihoods[0] == -np.inf
    assert found.log_likelihood == -np.inf
    assert found.counts.root.tolist() == [0, pytest.approx(2), 0]
    assert found.marginals[:6].tolist() == [0] * 6
    assert np.isfinite(found.entropies).all()


def test_scale_of_weights_is_no_matter():
    """Weights times a constant: log Z moves, posteriors do not."""
    grammar = random_grammar(11)
    huge = Grammar(grammar.root * 1e200, grammar.stop * 1e-150, grammar.go, grammar.attach * 1e200)
    corpus = corpus_of(SENTENCES)
    one, other = expectations(grammar, corpus), expectations(huge, corpus)
    words = corpus.lengths
    moved = one.sentence_log_likelihoods + words * (200 - 300) * math.log(10)
    np.testing.assert_allclose(other.sentence_log_likelihoods, moved, atol=1e-9)
    assert_same_counts(one.counts, other.counts, 1e-10)


# ---------------------------------------------------------------- shards and threads


@pytest.mark.parametrize("model", [(2, 1, "inside_out"), (3, 3, "outside_in")], ids=str)
def test_threads_change_nothing(model):
    corpus = random_corpus(3, 1500, 16, 6)
    assert len(corpus.shards) > 4
    grammar = random_grammar(4, 6, model)
    options = {"marginals": True, "entropies": True}
    one = expectations(grammar, corpus, threads=1, **options)
    for threads in (2, 5):
        other = expectations(grammar, corpus, threads=threads, **options)
        assert other.log_likelihood == one.log_likelihood
        assert_equal_counts(other.counts, one.counts)
        assert (other.marginals == one.marginals).all()
        assert (other.entropies == one.entropies).all()


def test_shards_add_up():
    corpus = random_corpus(3, 1500, 16, 6)
    grammar = random_grammar(4, 6)
    parts = [shard_expectations(grammar, shard) for shard in reversed(corpus.shards)]
    whole = expectations(grammar, corpus)
    assert_same_counts(sum((p.counts for p in parts[1:]), parts[0].counts), whole.counts)
    assert sum(part.log_likelihood for part in parts) == pytest.approx(whole.log_likelihood)


def test_neighbours_in_a_chart_do_not_matter():
    """A sentence alone has the log-likelihood it has among others, to the last bit."""
    corpus = random_corpus(5, 200, 6, 6)
    grammar = random_grammar(4, 6)
    whole = expectations(grammar, corpus).sentence_log_likelihoods
    for s in range(0, 200, 17):
        alone = expectations(grammar, corpus.select([s])).sentence_log_likelihoods
        assert alone.tolist() == [whole[s]]


def test_identical_sentences_count_as_often_as_they_occur():
    corpus = random_corpus(3, 300, 4, 2)
    plain = random_corpus(3, 300, 4, 2, deduplicate=False)
    assert corpus.n_distinct < plain.n_distinct == 300
    grammar = random_grammar(1, 2)
    one = expectations(grammar, corpus, marginals=True)
    other = expectations(grammar, plain, marginals=True)
    assert (one.sentence_log_likelihoods == other.sentence_log_likelihoods).all()
    assert (one.marginals == other.marginals).all()
    assert one.log_likelihood == pytest.approx(other.log_likelihood, abs=1e-9)
    assert_same_counts(one.counts, other.counts)


def test_no_words_no_counts():
    for corpus in (corpus_of([]), corpus_of([(), ()])):
        found = expectations(golden_grammar(), corpus, marginals=True, entropies=True)
        assert found.log_likelihood == 0
        assert found.sentence_log_likelihoods.tolist() == [0] * corpus.n_sentences
        assert found.counts.stop.sum() == 0
    mixed = expectations(golden_grammar(), corpus_of([(), (V,), ()]))
    assert mixed.sentence_log_likelihoods.tolist() == [
        0,
        pytest.approx(math.log(0.6 * 0.3 * 0.5)),
        0,
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"arc_weights": [1.0, 2.0]}, "have 12 cells"),
        ({"arc_weights": [-1.0] * 12}, "not negative"),
        ({"arc_weights": [np.inf] * 12}, "finite"),
        ({"threads": 0}, "at least 1"),
    ],
)
def test_bad_arguments(options, message):
    with pytest.raises(ChartError, match=message):
        expectations(golden_grammar(), corpus_of([(D, N, V)]), **options)
    with pytest.raises(ChartError, match="grammar has 3 tags, the corpus 4"):
        expectations(golden_grammar(), corpus_of([(D, N, V)], 4))
