"""The network of `biaffine`: its scores, its gradients, and that batches change nothing."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.treebank.small_trees import treebank
from treegauge.systems import make_system
from treegauge.toys import toy_treebank
from treegauge.treebank import concatenate

pytestmark = pytest.mark.neural

SMALL = {"layers": 1, "hidden": 5, "device": "cpu"}
TEXT = treebank(
    """
    1 birds bird NOUN NNS Number=Plur 2 nsubj _ _
    2 sing  sing VERB VBP Mood=Ind|Tense=Pres 0 root _ _
    3 well  well ADV  RB  _ 2 advmod _ _
    """
)


def network_and_codes(text, settings=None):
    """Return a network with random weights, in double precision, and the codes of a treebank."""
    import torch

    from treegauge.systems.neural.parser_codes import Codes

    torch.manual_seed(0)
    parser = make_system("biaffine", {**SMALL, **(settings or {})})
    codes = Codes.from_arrays(parser._codes_to_learn(text))
    network = parser._new_network().double().eval()
    with torch.no_grad():
        for weights in (network.arcs, network.relations):
            weights.normal_(std=0.3)  # they begin at zero
    return network, codes


def test_scores_are_those_of_the_equations() -> None:
    import torch

    network, codes = network_and_codes(TEXT)
    seen = {}
    for name in ("arc_dependent", "arc_head", "relation_dependent", "relation_head"):
        layer = getattr(network, name)
        layer.register_forward_hook(lambda _l, _i, out, name=name: seen.update({name: out}))
    with torch.no_grad():
        scores, parts = network(codes.batch(np.array([0]), "cpu"))
        of_relations = network.relation_scores(parts, torch.tensor([1, 3]), torch.tensor([2, 2]))
    seen = {name: rows.numpy() for name, rows in seen.items()}
    arcs, relations = network.arcs.detach().numpy(), network.relations.detach().numpy()
    for dependent in range(4):
        for head in range(4):
            if dependent == head:
                assert scores[0, dependent, head] == -np.inf
                continue
            d, h = seen["arc_dependent"][dependent], seen["arc_head"][head]
            expected = d @ arcs[:-1] @ h + arcs[-1] @ h
            assert scores[0, dependent, head].item() == pytest.approx(expected)
    for row, dependent in enumerate((1, 3)):
        d = np.append(seen["relation_dependent"][dependent], 1.0)
        h = np.append(seen["relation_head"][2], 1.0)
        for relation in range(relations.shape[1]):
            expected = d @ relations[:, relation] @ h
            assert of_relations[row, relation].item() == pytest.approx(expected)


def test_loss_is_the_probability_of_heads_and_relations() -> None:
    import torch

    from treegauge.systems.neural.biaffine_training import batch_loss

    network, codes = network_and_codes(TEXT)
    batch = codes.batch(np.array([0]), "cpu")
    with torch.no_grad():
        scores, parts = network(batch)
        expected = 0.0
        for word in (1, 2, 3):
            head, relation = int(codes.heads[word]), int(codes.relations[word])
            expected -= torch.log_softmax(scores[0, word], 0)[head]
            of_relations = network.relation_scores(
                parts, torch.tensor([word]), torch.tensor([head])
            )
            expected -= torch.log_softmax(of_relations[0], 0)[relation]
        assert batch_loss(network, codes, batch).item() == pytest.approx(expected.item())


def test_gradients_are_those_of_finite_differences() -> None:
    import torch

    from treegauge.systems.neural.biaffine_training import batch_loss

    network, codes = network_and_codes(toy_treebank("toy:svo", tokens=60)[:4])
    batch = codes.batch(np.arange(4), "cpu")
    batch_loss(network, codes, batch).backward()
    generator = torch.Generator().manual_seed(1)
    step = 1e-6
    for name, weights in network.named_parameters():
        direction = torch.randn(weights.shape, generator=generator, dtype=torch.float64)
        if name.startswith(("columns", "features", "speller.letters")):
            direction[0] = 0.0  # padding does not learn
        losses = []
        for sign in (1, -1):
            with torch.no_grad():
                weights += sign * step * direction
                losses.append(batch_loss(network, codes, batch).item())
                weights -= sign * step * direction
        slope = (losses[0] - losses[1]) / (2 * step)
        assert (weights.grad * direction).sum().item() == pytest.approx(slope, rel=1e-4, abs=1e-6)
        assert weights.grad.abs().sum() > 0


def test_scores_of_a_sentence_do_not_depend_on_its_batch() -> None:
    import torch

    text = toy_treebank("toy:free", tokens=300)[:12]
    network, codes = network_and_codes(text, {"layers": 2})
    assert len(set(codes.lengths)) > 2
    order = np.array([3, 0, 7, 11, 1, 2, 4, 5, 6, 8, 9, 10])
    with torch.no_grad():
        together, _ = network(codes.batch(order, "cpu"))
        for place, sentence in enumerate(order):
            n = codes.lengths[sentence]
            alone, _ = network(codes.batch(np.array([sentence]), "cpu"))
            torch.testing.assert_close(together[place, :n, :n], alone[0], atol=1e-12, rtol=1e-12)
            assert (together[place, :, n:] == -np.inf).all()


def test_features_of_other_words_make_no_difference() -> None:
    import torch

    from treegauge.systems.neural.parser_codes import Codes

    parser = make_system("biaffine", SMALL)
    parser._codes_to_learn(TEXT)
    network = parser._new_network().eval()
    plain = treebank("1 birds bird NOUN NNS Number=Plur 0 root _ _")
    inputs = []
    for text in (plain, concatenate([plain, TEXT])):
        codes = Codes.from_arrays(parser._inventory.encode(text))
        inputs.append(network._inputs(codes.batch(np.array([0]), "cpu")))
    torch.testing.assert_close(*inputs, rtol=0, atol=0)


def test_dropout_leaves_out_whole_columns_and_the_same_numbers_in_a_sentence() -> None:
    import torch

    network, codes = network_and_codes(TEXT, {"column_dropout": 0.5, "dropout": 0.5})
    network.train()
    states = network._shared_dropout(torch.ones(3, 7, 50))
    assert (states == states[:, :1]).all()
    assert set(states.unique().tolist()) == {0.0, 2.0}
    batch = codes.batch(np.array([0]), "cpu")
    first = network.columns["form"].weight[batch.columns["form"]]
    inputs = torch.stack([network._inputs(batch)[:, : first.shape[1]] for _ in range(200)])
    kept = inputs.abs().sum(dim=2) > 0
    assert 0.4 < kept.double().mean().item() < 0.6


def test_parts_of_codes_are_the_sentences_themselves() -> None:
    _, codes = network_and_codes(toy_treebank("toy:svo", tokens=100)[:5])
    part = codes.take(np.array([1, 3]))
    assert part.lengths.tolist() == codes.lengths[[1, 3]].tolist()
    begin, end = codes.offsets[3:5]
    first = part.offsets[1]
    assert part.heads[first:].tolist() == codes.heads[begin:end].tolist()
    assert part.columns["form"][first:].tolist() == codes.columns["form"][begin:end].tolist()
    again = type(codes).from_arrays(codes.to_arrays())
    assert again.to_arrays().keys() == codes.to_arrays().keys()


def test_values_of_held_out_sentences_alone_count_as_unknown() -> None:
    from treegauge.systems.neural.biaffine_training import _take_unseen_for_unknown
    from treegauge.systems.neural.special_codes import FIRST, UNKNOWN

    network, codes = network_and_codes(toy_treebank("toy:svo", tokens=100)[:5])
    part = codes.take(np.array([0]))
    seen = set(part.columns["form"].tolist())
    table = network.columns["form"].weight
    before = table.detach().clone()
    _take_unseen_for_unknown(network, part)
    unseen = [code for code in range(FIRST, len(table)) if code not in seen]
    assert unseen
    assert (table[unseen] == table[UNKNOWN]).all()
    assert (table[sorted(seen)] == before[sorted(seen)]).all()
