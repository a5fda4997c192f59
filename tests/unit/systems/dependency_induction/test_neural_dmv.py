"""`neural-dmv`: gradients by finite differences, EM that climbs, starts, interruption, files."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import treegauge as tg
from tests.unit.systems.dependency_induction.chart.models import random_corpus
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.systems.dependency_induction.chart import Grammar, TagCorpus
from treegauge.systems.dependency_induction.sibling_chart import SiblingChart
from treegauge.systems.dependency_induction.start_trees import LearningText, projective
from treegauge.systems.dependency_induction.valence_chart import ValenceChart

TINY = {
    "max_length": 6,
    "epochs": 3,
    "steps": 5,
    "start_steps": 20,
    "embedding": 5,
    "context": 3,
    "hidden": 6,
    "device": "cpu",
}
KINDS = {
    "em": {},
    "direct": {"learner": "direct", "batch": 16},
    "hard": {"counts": "hard"},
    "sibling": {"order": "sibling"},
    "words": {"lexicalise": 20},
    "dropout": {"dropout": 0.3, "held_out": 0.2, "start": "dmv?iterations=2", "trust": 0.5},
}
kinds = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture(scope="module")
def toy():
    return tg.toy_treebank("toy:svo", part="test")[:150]


def learnt(toy, seed: int = 1, **settings):
    return make_system("neural-dmv", {**TINY, **settings}, seed=seed).fit(toy)


# ------------------------------------------------------------------ the network


def a_network(chart, tag_of=(0, 1, 2), seed: int = 0):
    import torch

    from treegauge.systems.neural.grammar_network import GrammarNetwork, Sizes

    torch.manual_seed(seed)
    decisions, children = chart.contexts
    network = GrammarNetwork(np.array(tag_of), Sizes(decisions, children, 3, 2, 4)).double()
    with torch.no_grad():
        for weights in network.parameters():  # nothing is zero, not even vectors of words
            weights += 0.3 * torch.randn_like(weights)
    return network


CHARTS = {
    "dmv": (ValenceChart((2, 1)), (0, 1, 2)),
    "evg": (ValenceChart((3, 3)), (0, 1, 2)),
    "sibling": (SiblingChart(np.array([1, 2, 3])), (0, 1, 2)),
    "words": (ValenceChart((2, 1)), (0, 1, 0)),
    "sibling words": (SiblingChart(np.array([1, 2, 1])), (0, 1, 0)),
}
charts = pytest.mark.parametrize("kind", CHARTS)


def tables_of(network) -> Grammar:
    from treegauge.systems.neural.grammar_training import GrammarLearner

    learner = GrammarLearner(network, rate=0.01, generator=np.random.default_rng(0))
    return Grammar.from_arrays(learner.tables())


@pytest.mark.neural
@charts
def test_probabilities_sum_to_one(kind) -> None:
    grammar = tables_of(a_network(*CHARTS[kind]))
    assert grammar.root.sum() == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(grammar.stop + grammar.go, 1, atol=1e-12)
    np.testing.assert_allclose(grammar.attach.sum(axis=-1), 1, atol=1e-12)


@pytest.mark.neural
@charts
def test_the_gradient_of_the_likelihood_is_that_of_finite_differences(kind) -> None:
    """All parameters, one by one; and by the logarithms of probabilities it is the counts."""
    import torch

    from treegauge.systems.neural.grammar_training import expected_loss

    chart, tag_of = CHARTS[kind]
    network, corpus = a_network(chart, tag_of), random_corpus(3, 12, 5)

    def likelihood() -> float:
        return chart.expectations(tables_of(network), corpus).log_likelihood

    counts = chart.expectations(tables_of(network), corpus).counts
    events = (
        torch.from_numpy(counts.root),
        torch.from_numpy(np.stack([counts.stop, counts.go], axis=-1)),
        torch.from_numpy(counts.attach),
    )
    network.train()
    expected_loss(network, events).backward()
    for name, weights in network.named_parameters():
        assert weights.grad is not None, name
        flat, slopes = weights.data.view(-1), -weights.grad.view(-1)
        for place in range(flat.numel()):
            before, height = float(flat[place]), 1e-5
            flat[place] = before + height
            above = likelihood()
            flat[place] = before - height
            below = likelihood()
            flat[place] = before
            numeric = (above - below) / (2 * height)
            assert float(slopes[place]) == pytest.approx(numeric, abs=1e-6), (name, place)


@pytest.mark.neural
def test_a_word_that_was_never_learnt_is_its_tag() -> None:
    import torch

    from treegauge.systems.neural.grammar_network import GrammarNetwork, Sizes

    torch.manual_seed(0)
    network = GrammarNetwork(np.array([0, 1, 0]), Sizes(2, 1, 4, 2, 5))
    root, decisions, attach = (logs.detach() for logs in network())
    torch.testing.assert_close(attach[2], attach[0])
    torch.testing.assert_close(decisions[2], decisions[0])
    assert root[2] == root[0]


# ------------------------------------------------------------------ learning


@pytest.mark.neural
@pytest.mark.parametrize("order", ["first", "sibling"])
def test_the_likelihood_climbs_in_em(toy, order) -> None:
    settings = {"epochs": 8, "steps": 100, "smoothing": 0.0, "order": order, "hidden": 20}
    history = learnt(toy, **settings).history
    likelihoods = [step.log_likelihood for step in history]
    assert all(b >= a - 1e-3 * abs(a) for a, b in pairwise(likelihoods))
    assert likelihoods[-1] > likelihoods[0]


@pytest.mark.neural
@kinds
def test_the_same_seed_gives_the_same_bytes(toy, kind, tmp_path) -> None:
    for name in ("one", "two"):
        learnt(toy, **KINDS[kind]).save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.neural
def test_another_seed_gives_another_grammar(toy) -> None:
    assert (learnt(toy, 1).grammar.attach != learnt(toy, 2).grammar.attach).any()


@pytest.mark.neural
@pytest.mark.parametrize("order", ["first", "sibling"])
def test_before_its_first_epoch_it_is_near_its_start(toy, order) -> None:
    start = make_system("right-branching").fit(toy)
    settings = {"start": "right-branching", "epochs": 0, "start_steps": 300, "smoothing": 0.0}
    ours = learnt(toy, order=order, hidden=20, rate=0.05, **settings).annotate(toy)
    same = ours.head == start.annotate(toy).head
    assert same.mean() > 0.9


@pytest.mark.neural
def test_trust_keeps_what_the_start_knows(toy) -> None:
    start = make_system("random", seed=1).fit(toy).annotate(toy)

    def agreement(trust: float) -> float:
        ours = learnt(toy, start="random", trust=trust, decode="minimum-risk").annotate(toy)
        return float((ours.head == start.head).mean())

    # Chance cannot be learnt, only trusted.
    assert agreement(5.0) > 0.9 > agreement(0.0)


@pytest.mark.neural
def test_rows_say_what_they_were_started_from() -> None:
    def of(start: str, **settings):
        return make_system("neural-dmv", {"start": start, **settings})

    assert make_system("neural-dmv").supervision == "unsupervised"
    assert of("openclass-dmv").supervision == "unsupervised"
    assert of("universal-dmv").supervision == "universal rules"
    assert of("dmv?rules=noji").supervision == "universal rules"
    assert of("", no_function_heads=True, trust=0.0).supervision == "universal rules"
    assert of("dmv?max_length=15").made_of == ("dmv",)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"start": "neural-dmv"}, "it cannot start from itself"),
        ({"start": "graph"}, "graph is no inducer of dependencies"),
        ({"start": "brown"}, "brown is no inducer of dependencies"),
        ({"start": "dvm"}, "dvm"),
        ({"start": "", "trust": 1.0}, "there is no start to be trusted"),
        ({"rules": "noji"}, "rules"),
    ],
)
def test_starts_that_there_are_not(settings, message) -> None:
    with pytest.raises(SystemsError, match=message):
        make_system("neural-dmv", settings)


@pytest.mark.neural
def test_held_out_sentences_stop_it(toy) -> None:
    # Steps that are too long make everything worse.
    system = learnt(toy, epochs=50, rate=0.5, held_out=0.2, patience=2, steps=1)
    assert 2 <= len(system.history) < 50


@pytest.mark.neural
def test_barred_function_words_head_nothing() -> None:
    text = tg.parse("the/DET cat/NOUN sees/VERB a/DET dog/NOUN\n" * 30, format="slashed")
    found = learnt(text, no_function_heads=True).annotate(text)
    assert not {1, 4} & set(found.head[:5].tolist())


@pytest.mark.neural
def test_gold_trees_make_no_difference(toy) -> None:
    wrong = toy.replace(head=make_system("left-branching").annotate(toy).head)
    for kind in ("em", "dropout"):
        one, other = (learnt(text, **KINDS[kind]).annotate(toy) for text in (toy, wrong))
        np.testing.assert_array_equal(one.head, other.head)


@pytest.mark.neural
def test_no_sentence_is_short_enough() -> None:
    with pytest.raises(SystemsError, match=r"no sentence of at most 1 words.*raise max_length"):
        learnt(tg.parse("a/X b/X\n", format="slashed"), max_length=1)


@pytest.mark.neural
def test_nothing_but_punctuation() -> None:
    with pytest.raises(SystemsError, match="nothing to learn from but punctuation"):
        learnt(tg.parse("./PUNCT\n", format="slashed"))


@pytest.mark.neural
@kinds
def test_unknown_tags_are_parsed(toy, kind) -> None:
    text = tg.parse("x/SYM y/INTJ the/DET\nz/SYM\n", format="slashed")
    found = learnt(toy, **KINDS[kind]).annotate(text)
    assert (found.head == 0).sum() == 2


# ------------------------------------------------------------------ texts and starts


def test_trees_that_cross_become_projective() -> None:
    heads = projective(np.array([3, 4, 0, 3], np.int32), np.array([0, 4]))
    assert heads.tolist() == [3, 1, 0, 3]


def test_a_text_is_split_with_its_weights() -> None:
    corpus = TagCorpus([0, 1, 0, 1, 1], [0, 2, 4, 5], 2)
    text = LearningText.of(corpus, np.arange(14.0))
    assert text.corpus.n_distinct == 3
    seen, held_out = text.split(0.34)
    assert held_out is not None
    assert held_out.corpus.tags.tolist() == [0, 1]
    assert held_out.arc_weights is not None
    assert held_out.arc_weights.tolist() == [0, 1, 2, 3, 4, 5]
    assert seen.corpus.tags.tolist() == [0, 1, 1]
    assert seen.arc_weights is not None
    assert seen.arc_weights.tolist() == [6, 7, 8, 9, 10, 11, 12, 13]
    assert text.split(0.0) == (text, None)


# ------------------------------------------------------------------ interruption and files


class InterruptedLearningError(Exception):
    """Somebody has had enough."""


@pytest.mark.neural
@pytest.mark.parametrize("interrupted", [0, 1, 2])
@kinds
def test_interrupted_work_goes_on_to_the_same_bytes(toy, kind, interrupted, tmp_path) -> None:
    settings = {**TINY, **KINDS[kind]}
    make_system("neural-dmv", settings, seed=3).fit(toy).save(tmp_path / "whole")

    def interrupt(share: float, line: str) -> None:
        if "log-likelihood" in line and share > 0.3 + 0.7 * (interrupted + 0.5) / 3:
            raise InterruptedLearningError

    with pytest.raises(InterruptedLearningError):
        make_system("neural-dmv", settings, seed=3).fit(
            toy, on_progress=interrupt, keep_in=tmp_path / "pieces"
        )
    pieces = sorted(path.name for path in (tmp_path / "pieces").iterdir())
    assert pieces == ["epoch.piece"] + ["start.piece"] * ("start" in settings)
    said: list[str] = []
    resumed = make_system("neural-dmv", settings, seed=3).fit(
        toy, on_progress=lambda _, line: said.append(line), keep_in=tmp_path / "pieces"
    )
    assert sum("log-likelihood" in line for line in said) == 2 - interrupted
    resumed.save(tmp_path / "resumed")
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "resumed").read_bytes()


@pytest.mark.neural
@kinds
def test_a_model_is_read_without_pytorch(toy, kind, tmp_path, monkeypatch) -> None:
    system = learnt(toy, **KINDS[kind])
    system.save(tmp_path / "model")
    monkeypatch.setitem(sys.modules, "torch", None)
    loaded = load_system(tmp_path / "model")
    np.testing.assert_array_equal(loaded.annotate(toy).head, system.annotate(toy).head)
    assert loaded.describe_grammar(3) == system.describe_grammar(3)
    assert loaded.history == system.history


@pytest.mark.neural
def test_tables_of_another_size_are_refused(toy, tmp_path) -> None:
    path = tmp_path / "model"
    learnt(toy, order="sibling").save(path)
    forge(path, lambda arrays: arrays.update(stop=arrays["stop"][:, :, :-1]))
    with pytest.raises(SystemsError, match="stop should be"):
        load_system(path)


def forge(path: Path, change) -> None:
    with np.load(path) as file:
        arrays = {key: file[key] for key in file.files}
    change(arrays)
    with path.open("wb") as target:
        np.savez(target, **arrays)


def test_a_missing_package_is_named(toy, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SystemsError, match=r'needs torch.*\n  pip install "treegauge.neural'):
        learnt(toy)


@pytest.mark.neural
def test_the_end_of_a_gpus_memory(toy, monkeypatch) -> None:
    import torch

    from treegauge.systems.neural.grammar_training import GrammarLearner

    def fail(*_) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(GrammarLearner, "fit", fail)
    with pytest.raises(SystemsError, match=r"the memory of the GPU is full\n  choose a smaller"):
        learnt(toy)


@pytest.mark.neural
def test_a_device_that_there_is_not(toy) -> None:
    with pytest.raises(SystemsError, match="setting device: 'abacus' cannot be used"):
        learnt(toy, device="abacus")
