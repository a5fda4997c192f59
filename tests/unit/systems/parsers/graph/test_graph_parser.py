"""The graph-based parser as a whole: learning, parsing, saving."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.strategies import trees
from tests.unit.systems.parsers.all_trees import is_projective
from tests.unit.treebank.small_trees import heads, sentences, treebank
from treegauge.rewrite.projectivise import projectivise
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.systems.parsers.graph import (
    GraphParser,
    _arc_model_numba as arc_kernels,
    _relation_labeller_numba as relation_kernels,
)
from treegauge.systems.parsers.graph.arc_features import BETWEEN
from treegauge.systems.parsers.graph.arc_model import ArcModel
from treegauge.systems.parsers.graph.relation_features import ALL_ATOMS
from treegauge.systems.parsers.graph.templates import encoded
from treegauge.systems.parsers.graph.word_atoms import ATOMS, AtomInventory
from treegauge.toys import toy_parts
from treegauge.treebank import Column, Treebank, TreebankError, concatenate, tree_flaws

pytestmark = pytest.mark.long

SMALL = {"epochs": 3, "relation_epochs": 3, "table_bits": 16}
DECODERS = pytest.mark.parametrize("decoder", ["eisner", "cle"])


@pytest.fixture(scope="module")
def parts() -> dict[str, Treebank]:
    return toy_parts("toy:free", tokens=1500)


@pytest.fixture(scope="module")
def parser(parts) -> GraphParser:
    return GraphParser(SMALL).fit(parts["train"])


def uas(gold: Treebank, system: Treebank) -> float:
    return float((gold.head == system.head).mean())


def las(gold: Treebank, system: Treebank) -> float:
    same = [a == b for a, b in zip(gold.deprel, system.deprel, strict=True)]
    return float(((gold.head == system.head) & same).mean())


# ---------------------------------------------------------------------- learning


@DECODERS
@pytest.mark.parametrize("learner", ["mira", "perceptron"])
def test_fifty_sentences_can_be_learnt_by_heart(parts, decoder, learner):
    fifty = projectivise(parts["train"][:50])
    chosen = {
        "decoder": decoder,
        "learner": learner,
        "epochs": 30,
        "table_bits": 18,
        "aggressiveness": 1.0,
    }
    parser = GraphParser({**chosen, "unknown_share": 0.0}).fit(fifty)
    answer = parser.annotate(fifty)
    assert uas(fifty, answer) >= 0.99
    assert las(fifty, answer) >= 0.98


def test_crossing_arcs_can_be_learnt_with_spanning_trees():
    crossing = treebank(
        """
        1 a _ A _ _ 3 x _ _
        2 b _ B _ _ 4 y _ _
        3 c _ C _ _ 0 root _ _
        4 d _ D _ _ 3 z _ _
        """
    )
    assert not is_projective((3, 4, 0, 3))
    spanning = GraphParser({**SMALL, "decoder": "cle", "epochs": 10}).fit(crossing)
    assert spanning.annotate(crossing).head.tolist() == [3, 4, 0, 3]
    assert list(spanning.annotate(crossing).deprel) == ["x", "y", "root", "z"]
    # The arc that crosses is lifted to the head of its head.
    projective = GraphParser({**SMALL, "epochs": 10}).fit(crossing)
    assert projective.annotate(crossing).head.tolist() == [3, 3, 0, 3]


def test_what_was_learnt_holds_for_other_sentences(parts, parser):
    answer = parser.annotate(parts["test"])
    assert uas(parts["test"], answer) > 0.75
    assert las(parts["test"], answer) > 0.7


def test_training_accuracy_is_told(parts):
    told: list[tuple[float, str]] = []
    GraphParser(SMALL).fit(parts["train"][:20], on_progress=lambda *told_: told.append(told_))
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)
    assert any("of heads right" in line for _, line in told)


def learnt_step_by_step(text: Treebank, learner: int, aggressiveness: float, siblings: bool):
    """Return the lazy average of arc weights and the average of all weights there were."""
    inventory = AtomInventory.of(text)
    table = inventory.encode(text)
    model = ArcModel(inventory.atoms, np.zeros(1 << 16, np.float32), siblings=siblings)
    updates = np.zeros(1 << 16)
    difference = np.zeros(1 << 16, np.int16)
    gold = np.zeros(len(table.codes), np.int32)
    gold[table.rows] = text.head
    snapshots = [model.weights.copy()]
    step = 1
    for sentence in [*range(text.n_sentences)] * 2:
        _, step = arc_kernels.learn(
            table.codes,
            table.starts,
            np.array([sentence]),
            gold,
            encoded([*model.templates, BETWEEN], ATOMS),
            model._sibling_templates,
            model._n_pairs,
            True,
            table.features,
            table.feature_starts,
            table.feature_value,
            model.weights,
            updates,
            difference,
            np.uint64(64 - (16 - 4)),
            True,
            True,
            learner,
            aggressiveness,
            step,
        )
        assert not difference.any()
        snapshots.append(model.weights.copy())
    return model.weights - updates / step, np.mean(snapshots, axis=0, dtype=np.float64)


@pytest.mark.parametrize("learner", [arc_kernels.MIRA, arc_kernels.PERCEPTRON])
@pytest.mark.parametrize("siblings", [True, False])
def test_the_lazy_average_is_the_average_of_all_weights(parts, learner, siblings):
    lazy, naive = learnt_step_by_step(projectivise(parts["train"][:12]), learner, 1.0, siblings)
    assert np.abs(naive).max() > 0.005
    np.testing.assert_allclose(lazy, naive, atol=1e-5)


@pytest.mark.parametrize("margin", [np.float32(0), np.float32(0.7)])
def test_the_lazy_average_of_relations_is_the_average_of_all_weights(margin):
    # One word per sentence, so that every step is a call.
    text = sentences("a/X/0", "b/Y/0", "a/Y/0", "b/X/0", "a/X/0")
    relations = [0, 1, 2, 0, 1]
    table = AtomInventory.of(text).encode(text)
    codes = np.zeros((len(table.codes), len(ALL_ATOMS)), np.int32)
    codes[:, : len(ATOMS)] = table.codes
    gold, nothing = np.zeros(len(codes), np.int32), np.zeros(len(codes), np.int32)
    gold[table.rows] = relations
    templates = encoded(["p | p side", "| w", "| p"], ALL_ATOMS)
    weights, updates = np.zeros((1 << 12) + 3, np.float32), np.zeros((1 << 12) + 3)
    snapshots = [weights.copy()]
    step = 1
    for sentence in [0, 1, 2, 3, 4] * 2:
        _, step = relation_kernels.learn(
            codes,
            table.starts,
            np.array([sentence]),
            nothing,
            gold,
            templates,
            table.features,
            table.feature_starts,
            table.feature_value,
            weights,
            updates,
            np.uint64(64 - 12),
            3,
            margin,
            step,
        )
        snapshots.append(weights.copy())
    assert np.count_nonzero(weights)
    np.testing.assert_allclose(weights - updates / step, np.mean(snapshots, axis=0), atol=1e-5)


@pytest.mark.parametrize("siblings", [True, False])
def test_a_step_of_mira_by_hand(siblings):
    # All weights are 0 and every wrong arc costs 1: the wrong tree of two words has two wrong
    # arcs. After one step the margin is met exactly: s(gold) - s(wrong) = 2.
    text = sentences("a/A/2 b/B/0")
    inventory = AtomInventory.of(text)
    table = inventory.encode(text)
    gold = np.array([0, 2, 0], np.int32)
    weights = np.zeros(1 << 16, np.float32)
    model = ArcModel(inventory.atoms, weights, siblings=siblings)
    arc_kernels.learn(
        table.codes,
        table.starts,
        np.array([0]),
        gold,
        encoded([*model.templates, BETWEEN], ATOMS),
        model._sibling_templates,
        model._n_pairs,
        True,
        table.features,
        table.feature_starts,
        table.feature_value,
        weights,
        np.zeros(1 << 16),
        np.zeros(1 << 16, np.int16),
        np.uint64(64 - (16 - 4)),
        True,
        True,
        arc_kernels.MIRA,
        1.0,
        1,
    )
    (scores,) = model.scores(table)
    margin = scores[2, 1] + scores[0, 2] - scores[0, 1] - scores[1, 2]
    if siblings:
        (of_siblings,) = model.sibling_scores(table)
        first_child = of_siblings[2, 1, 0] - of_siblings[1, 2, 0]
        assert first_child > 0.1
        margin += first_child
    assert margin == pytest.approx(2, abs=1e-4)


# ---------------------------------------------------------------------- laws


@st.composite
def treebanks(draw) -> Treebank:
    """Draw up to four small sentences with trees of any kind."""
    drawn = draw(st.lists(trees(max_size=6), min_size=1, max_size=4))
    tags, words = st.sampled_from(["N", "V", "_"]), st.sampled_from(["x", "yy", "zzzzzzz"])
    return sentences(
        *(" ".join(f"{draw(words)}/{draw(tags)}/{head}" for head in tree) for tree in drawn),
        "x/N/0",
    )


@DECODERS
@given(text=treebanks(), seed=st.integers(0, 3), minimum_risk=st.booleans())
@examples(30)
def test_every_answer_is_a_tree_with_one_root(decoder, text, seed, minimum_risk):
    settings = {"decoder": decoder, "epochs": 1, "relation_epochs": 1, "table_bits": 10}
    parser = GraphParser({**settings, "minimum_risk": minimum_risk}, seed=seed).fit(text)
    answer = parser.annotate(text)
    assert not tree_flaws(answer).any()
    if decoder == "eisner":
        assert all(is_projective(tuple(tree)) for tree in heads(answer))


def test_the_same_seed_gives_the_same_bytes(parts, parser, tmp_path):
    again = GraphParser(SMALL).fit(parts["train"])
    assert again.annotate(parts["test"]) == parser.annotate(parts["test"])
    parser.save(tmp_path / "a")
    again.save(tmp_path / "b")
    first, second = (np.load(tmp_path / name) for name in "ab")
    assert all(first[key].tobytes() == second[key].tobytes() for key in first.files)


def test_another_seed_learns_in_another_order(parts, parser):
    other = GraphParser(SMALL, seed=1).fit(parts["train"])
    assert not np.array_equal(other._arcs.weights, parser._arcs.weights)


def test_a_saved_parser_gives_the_same_trees(parts, parser, tmp_path):
    parser.save(tmp_path / "model")
    loaded = load_system(tmp_path / "model")
    assert loaded.annotate(parts["test"]) == parser.annotate(parts["test"])


def cases(number: str, *chosen: str) -> Treebank:
    """Return sentences of two words; the case of the first decides its relation."""
    relation = {"Nom": "nsubj", "Acc": "obj"}
    return concatenate(
        [
            treebank(
                f"""
                1 a _ N _ Case={case}|Number={number} 2 {relation[case]} _ _
                2 b _ V _ _                           0 root             _ _
                """
            )
            for case in chosen
        ]
    )


def test_relations_depend_on_single_features():
    learnt = concatenate([cases("Sing", "Nom", "Acc"), cases("Plur", "Acc", "Nom")] * 3)
    unseen = cases("Dual", "Nom", "Acc", "Acc", "Nom")
    parser = GraphParser(SMALL).fit(learnt)
    assert list(parser.annotate(unseen).deprel) == list(unseen.deprel)
    # All features together were never seen.
    whole = GraphParser({**SMALL, "single_features": False}).fit(learnt)
    assert len(set(whole.annotate(unseen).deprel)) == 2


def test_models_of_before_single_features_and_siblings_are_read_as_they_were(parts, tmp_path):
    settings = {**SMALL, "single_features": False, "relation_margin": 0.0, "siblings": False}
    parser = GraphParser(settings).fit(parts["train"])
    parser._arcs.root_tags = False
    arrays, facts = parser._state()
    assert [facts.pop(name) for name in ("single_features", "siblings", "root_tags")] == [False] * 3
    # Settings that the file does not have get their defaults.
    loaded = GraphParser(SMALL).fit(parts["train"][:5])
    loaded._restore(arrays, facts)
    assert loaded.annotate(parts["test"]) == parser.annotate(parts["test"])


def test_siblings_decide_where_arcs_cannot():
    # The last word hangs on the first or on the second one, depending on the word before it, which
    # always hangs on the second: arcs read the tag of a word between, not its form.
    pairs = ["u/V/0 v/N/1 x/N/2 d/A/2", "u/V/0 v/N/1 y/N/2 d/A/1"]
    text = sentences(*pairs * 5)
    words = {**SMALL, "epochs": 10, "columns": ["form", "upos"]}
    assert uas(text, GraphParser(words).fit(text).annotate(text)) == 1.0
    arcs_alone = GraphParser({**words, "siblings": False}).fit(text)
    assert uas(text, arcs_alone.annotate(text)) < 1.0


def test_spanning_trees_have_no_scores_of_siblings(parts):
    settings = {**SMALL, "decoder": "cle"}
    usual = GraphParser(settings).fit(parts["train"][:20])
    without = GraphParser({**settings, "siblings": False}).fit(parts["train"][:20])
    assert not usual._arcs.siblings
    assert usual.annotate(parts["test"]) == without.annotate(parts["test"])


def test_relations_that_win_by_little_are_learnt_from(parts, parser):
    from_mistakes = GraphParser({**SMALL, "relation_margin": 0.0}).fit(parts["train"])
    changed = [np.count_nonzero(p._labeller.weights) for p in (from_mistakes, parser)]
    assert changed[0] < changed[1]


def test_a_sentence_is_parsed_the_same_in_any_company(parts, parser):
    text = parts["test"]
    together = parser.annotate(text)
    backwards = parser.annotate(text[::-1])[::-1]
    assert heads(backwards) == heads(together)
    alone = concatenate([parser.annotate(text[i : i + 1]) for i in range(text.n_sentences)])
    assert heads(alone) == heads(together)
    assert list(alone.deprel) == list(together.deprel)


def test_gold_trees_make_no_difference(parts, parser):
    text = parts["test"]
    nonsense = text.replace(
        head=np.where(text.head == 0, 0, 1), columns={"deprel": Column.constant("x", text.n_words)}
    )
    assert heads(parser.annotate(nonsense)) == heads(parser.annotate(text))


def test_a_delexicalised_parser_knows_no_words(parts):
    parser = GraphParser({**SMALL, "delexicalised": True}).fit(parts["train"])
    renamed = parts["test"].replace(
        columns={
            "form": parts["test"].form.map(lambda form: f"{form[::-1]}qq"),
            "lemma": Column.constant("z", parts["test"].n_words),
        }
    )
    a, b = parser.annotate(parts["test"]), parser.annotate(renamed)
    assert heads(a) == heads(b)
    assert list(a.deprel) == list(b.deprel)
    assert not set("wrsl") & {atom for t in parser._arcs.templates for atom in t.split()}


# ---------------------------------------------------------------------- confidence


@DECODERS
def test_marginals_are_probabilities(parts, decoder):
    parser = GraphParser({**SMALL, "decoder": decoder}).fit(parts["train"])
    text = parts["test"][:5]
    matrices = list(parser.marginals(text))
    assert [len(matrix) for matrix in matrices] == (text.lengths + 1).tolist()
    for matrix in matrices:
        assert ((matrix >= 0) & (matrix <= 1)).all()
        np.testing.assert_allclose(matrix.sum(axis=0)[1:], 1.0, atol=1e-9)
        assert matrix[0].sum() == pytest.approx(1.0)


def test_minimum_risk_trees_have_the_highest_expected_number_of_right_heads(parts, parser):
    careful = GraphParser({**SMALL, "minimum_risk": True}).fit(parts["train"])
    text = parts["test"]

    def expected(answer: Treebank) -> list[float]:
        return [
            sum(matrix[head, word] for word, head in enumerate(sentence.heads, start=1))
            for matrix, sentence in zip(parser.marginals(text), answer, strict=True)
        ]

    careful_answer, answer = careful.annotate(text), parser.annotate(text)
    pairs = zip(expected(careful_answer), expected(answer), strict=True)
    assert all(a >= b - 1e-9 for a, b in pairs)
    assert heads(careful_answer) != heads(answer)


# ---------------------------------------------------------------------- odd input


def test_nothing_to_learn_from():
    with pytest.raises(
        SystemsError, match="graph: nothing to learn from: the treebank has no words"
    ):
        GraphParser(SMALL).fit(sentences())
    with pytest.raises(SystemsError, match="graph is not fitted yet"):
        GraphParser(SMALL).marginals(sentences("a/X/0"))


def test_words_without_heads_are_no_trees():
    with pytest.raises(TreebankError, match="training graph needs one complete tree per sentence"):
        GraphParser(SMALL).fit(sentences("a/X b/Y"))


def test_nothing_to_parse(parser):
    assert parser.annotate(sentences()).n_words == 0


@DECODERS
def test_sentences_of_one_and_two_words(parts, decoder):
    parser = GraphParser({**SMALL, "decoder": decoder}).fit(parts["train"])
    answer = parser.annotate(sentences("a/NOUN", "a/NOUN b/VERB"))
    assert answer.head[0] == 0
    assert sorted(answer.head[1:].tolist()) in ([0, 1], [0, 2])
    alone = GraphParser({**SMALL, "decoder": decoder}).fit(sentences("a/X/0"))
    assert alone.annotate(sentences("b/Y c/Y")).head.tolist().count(0) == 1


@DECODERS
def test_a_sentence_of_three_hundred_words(parts, parser, decoder):
    long = sentences(" ".join(["a/NOUN", "b/VERB", "./PUNCT"] * 100))
    if decoder == "cle":
        parser = GraphParser({**SMALL, "decoder": decoder}).fit(parts["train"][:20])
    answer = parser.annotate(long)
    assert not tree_flaws(answer).any()


def test_features_and_tags_that_were_never_seen(parser):
    odd = treebank(
        """
        1 a _ NEW NEW Odd=Yes|Case=Nom 0 unheard _ _
        2 b _ _   _   _                1 of      _ _
        """
    )
    answer = parser.annotate(odd)
    assert not tree_flaws(answer).any()
    assert not {"unheard", "of"} & set(answer.deprel)


def test_forests_where_several_roots_are_allowed():
    forest = sentences(*["a/A/0 b/B/1 a/A/0 b/B/3"] * 3)
    for decoder in ("eisner", "cle"):
        settings = {**SMALL, "decoder": decoder, "epochs": 10}
        free = GraphParser({**settings, "single_root": False}).fit(forest)
        assert heads(free.annotate(forest))[0] == [0, 1, 0, 3]
        single = GraphParser(settings).fit(forest)
        assert heads(single.annotate(forest))[0].count(0) == 1


def test_without_any_tags(parts):
    settings = {**SMALL, "columns": ["form"]}
    parser = make_system("graph", settings).fit(parts["train"])
    assert uas(parts["test"], parser.annotate(parts["test"])) > 0.3


# ---------------------------------------------------------------------- damaged models


def damaged(path, change) -> None:
    """Rewrite a model with some arrays changed."""
    with np.load(path) as file:
        arrays = {key: file[key] for key in file.files}
    change(arrays)
    with path.open("wb") as opened:
        np.savez(opened, **arrays)


def _set(key, function):
    return lambda arrays: arrays.update({key: function(arrays[key])})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda arrays: arrays.pop("arc_weights"), "it has no arc_weights"),
        (lambda arrays: arrays.pop("relations"), "it has no relations"),
        (lambda arrays: arrays.pop("atom_features"), "it has no atom_features"),
        (_set("arc_places", lambda a: a + (1 << 16)), "arc_places has numbers outside 0 to"),
        (_set("arc_places", lambda a: -a - 1), "arc_places has numbers outside 0 to"),
        (_set("arc_places", lambda a: a[::-1]), "arc_places are not in ascending order"),
        (_set("arc_weights", lambda a: a[:-1]), r"arc_weights should be [\d,]+ numbers"),
        (_set("arc_weights", lambda a: a * np.float32(np.nan)), "arc_weights should be finite"),
        (
            _set("arc_weights", lambda a: a.astype(np.int64)),
            r"arc_weights should be [\d,]+ numbers",
        ),
        (
            _set("relation_places", lambda a: a.reshape(1, -1)),
            "relation_places should be any number of whole numbers",
        ),
        (_set("relations_starts", lambda a: a[:1]), "relations_starts does not divide"),
        (_set("relations_starts", lambda a: a[::-1].copy()), "relations_starts does not divide"),
        (_set("atom_w_starts", lambda a: a[:-1]), "atom_w_starts does not divide"),
        (_set("atom_w", lambda a: np.full_like(a, 0xFF)), "atom_w is not UTF-8"),
        (_set("atom_p", lambda a: a.astype(np.float64)), "atom_p should be any number of whole"),
        (
            lambda arrays: arrays.update(
                relations=np.zeros(0, np.uint8), relations_starts=np.zeros(1, np.int64)
            ),
            "it has no relations",
        ),
    ],
)
def test_a_damaged_model_is_refused(parser, tmp_path, change, message):
    path = tmp_path / "model"
    parser.save(path)
    damaged(path, change)
    with pytest.raises(SystemsError, match=message):
        load_system(path)
