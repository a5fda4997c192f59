"""Inducers of grammars: laws that all keep, and what each of them is."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import treegauge as tg
from treegauge.systems import SystemsError, load_system, make_system, systems
from treegauge.systems.dependency_induction.chart import (
    Grammar,
    TagCorpus,
    estimate,
    expectations,
    tree_counts,
    viterbi,
)
from treegauge.systems.dependency_induction.constraints import BARRED, Constraints
from treegauge.systems.dependency_induction.grammar_inducer import GrammarInducer
from treegauge.systems.dependency_induction.tag_inventory import TagInventory
from treegauge.treebank import tree_flaws, without_punctuation

INDUCERS = [
    name
    for name, entry in systems().items()
    if entry.task == "dependencies"
    and entry.module.startswith("treegauge.systems.dependency_induction")
    and issubclass(entry.load(), GrammarInducer)
]
QUICK = {"iterations": 3, "max_length": 6}


def assert_trees(treebank):
    assert not tree_flaws(treebank).any()


def settings_for(name):
    settings = dict(QUICK)
    if name == "harmonic":
        del settings["iterations"]
    if name == "leapfrog":
        settings["strides"] = (6, 8)
    if name == "tsg-dmv":
        settings["chains"] = 2
    if name == "neural-dmv":
        del settings["iterations"]
        settings |= {"epochs": 2, "steps": 5, "start_steps": 20, "device": "cpu"}
    return settings


@pytest.fixture(scope="module")
def toy():
    return tg.toy_treebank("toy:svo", part="test")[:300]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(name, marks=[pytest.mark.neural] * (name == "neural-dmv")) for name in INDUCERS
    ],
)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def learnt(name, toy):
    """One system of each name for all laws: fitting is what takes time."""
    return make_system(name, settings_for(name)).fit(toy)


def test_the_family_is_complete():
    family = {"harmonic", "dmv", "viterbi-dmv", "baby-steps", "less-is-more", "leapfrog", "evg"}
    assert family | {"unambiguity"} <= set(INDUCERS)


# ---------------------------------------------------------------------- laws of all


def test_every_sentence_gets_a_tree(learnt, toy):
    annotated = learnt.annotate(toy)
    assert_trees(annotated)
    roots = np.add.reduceat((annotated.head == 0).astype(int), annotated.offsets[:-1])
    assert (roots == 1).all()
    assert annotated.form == toy.form


def test_what_was_saved_parses_as_before(learnt, toy, tmp_path):
    learnt.save(tmp_path / "model")
    again = load_system(tmp_path / "model")
    assert again.annotate(toy).head.tolist() == learnt.annotate(toy).head.tolist()
    assert again.settings == learnt.settings
    assert again.describe_grammar() == learnt.describe_grammar()


def test_gold_is_not_looked_at(name, learnt, toy):
    """Whatever the trees of the training text say, the same is learnt."""
    flat = toy.replace(head=np.where(toy.head == 0, 0, 1))
    other = make_system(name, settings_for(name)).fit(flat)
    assert learnt.annotate(toy).head.tolist() == other.annotate(flat).head.tolist()


def test_tags_that_were_never_seen_can_be_parsed(learnt, toy):
    strange = toy[:20].replace(columns={"upos": toy[:20].upos.map(lambda tag: "X" + tag)})
    assert_trees(learnt.annotate(strange))


def test_function_words_head_nothing_when_barred(name, toy):
    system = make_system(name, {**settings_for(name), "no_function_heads": True})
    assert system.supervision == "universal rules"
    annotated = system.fit(toy).annotate(toy)
    function = {"ADP", "AUX", "CCONJ", "DET", "PART", "SCONJ"}
    for sentence in annotated:
        words = list(sentence)
        if all(word.upos in function | {"PUNCT"} for word in words):
            continue
        for word in words:
            if word.head > 0 and word.upos != "PUNCT":
                assert words[word.head - 1].upos not in function


def test_sentences_of_one_word_of_one_tag_and_long_ones(name):
    text = "a/X\n\nb/X c/X\n\n" + " ".join(["d/X"] * 200) + "\n"
    treebank = tg.parse(text, format="slashed")
    annotated = make_system(name, settings_for(name)).fit(treebank).annotate(treebank)
    assert_trees(annotated)


def test_nothing_short_enough_is_said(name):
    treebank = tg.parse("a/X b/X c/X\n", format="slashed")
    with pytest.raises(SystemsError, match="no sentence of at most 1 words"):
        make_system(name, {"max_length": 1}).fit(treebank)


def test_punctuation_alone_is_said(name):
    treebank = tg.parse("!/PUNCT\n", format="slashed")
    with pytest.raises(SystemsError, match="nothing to learn from but punctuation"):
        make_system(name).fit(treebank)


def test_the_grammar_can_be_read(learnt):
    text = learnt.describe_grammar(top=3)
    root, attachments, sides, *_ = text.split("\n\n")
    for kind in (root, attachments, sides):
        assert 1 <= len(kind.strip().splitlines()) - 1 <= 3
    assert "strongest attachments" in text
    assert "how likely a side ends" in text
    assert "VERB" in text


# ---------------------------------------------------------------------- objectives


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("name", ["dmv", "viterbi-dmv", "less-is-more"])
def test_the_objective_never_falls(name, smoothing, toy):
    system = make_system(
        name, {"max_length": 8, "smoothing": smoothing, "iterations": 15, "tolerance": 0}
    ).fit(toy)
    values = [step.objective for step in system.history]
    assert len(values) > 2
    assert all(b >= a - 1e-7 * abs(a) for a, b in pairwise(values))
    assert values[-1] > values[0]


def test_the_objective_never_falls_under_universal_rules(toy):
    system = make_system(
        "dmv", {"max_length": 8, "rules": "noji", "rule_share": 0.7, "iterations": 12}
    ).fit(toy)
    values = [step.objective for step in system.history]
    # The dual variable is found to a thousandth: no more than that is lost.
    assert all(b >= a - 1e-3 * abs(a) for a, b in pairwise(values))


def test_hard_em_ends_where_nothing_changes(toy):
    system = make_system("viterbi-dmv", {"max_length": 6, "iterations": 200}).fit(toy)
    assert len(system.history) < 200
    assert system.history[-1].objective == system.history[-2].objective


def drawn_sentence(grammar, random):
    """Draw the tags of one sentence as the model tells its story."""

    def side(head, direction):
        found, valence = [], 0
        while random.random() >= grammar.stop[head, direction, valence]:
            found.append(random.choice(grammar.n_tags, p=grammar.attach[head, direction, 0]))
            valence = 1
        return found  # the closest first

    def subtree(head):
        left = [tag for child in reversed(side(head, 0)) for tag in subtree(child)]
        return [*left, head, *(tag for child in side(head, 1) for tag in subtree(child))]

    return subtree(random.choice(grammar.n_tags, p=grammar.root))


def test_a_grammar_is_found_again_from_near_it():
    random = np.random.default_rng(3)
    stop = np.array([[[0.9, 0.9], [0.9, 0.9]], [[0.5, 0.8], [0.8, 0.9]], [[0.3, 0.7], [0.5, 0.8]]])
    true = Grammar(
        [0.1, 0.2, 0.7],
        stop,
        1 - stop,
        np.array([[0.2, 0.6, 0.2], [0.8, 0.1, 0.1], [0.1, 0.8, 0.1]])[:, None, None, :].repeat(
            2, 1
        ),
    )
    sentences = [drawn_sentence(true, random) for _ in range(1500)]
    lengths = [len(sentence) for sentence in sentences]
    corpus = TagCorpus(np.concatenate(sentences), np.concatenate([[0], np.cumsum(lengths)]), 3)
    noise = Grammar.random(random, 3)
    tables = {
        name: 0.8 * table + 0.2 * noise.arrays()[name] for name, table in true.arrays().items()
    }
    grammar = Grammar.from_arrays(tables)
    before = abs(grammar.attach - true.attach).max()
    for _ in range(40):
        grammar = estimate(expectations(grammar, corpus).counts, previous=grammar)
    np.testing.assert_allclose(grammar.root, true.root, atol=0.05)
    np.testing.assert_allclose(grammar.stop[1:], true.stop[1:], atol=0.1)
    assert abs(grammar.attach[1:] - true.attach[1:]).max() < min(before, 0.1)


# ---------------------------------------------------------------------- each of them


def corpus_of(treebank):
    words = without_punctuation(treebank)
    inventory = TagInventory.of(words, "u")
    return inventory, inventory.encode(words)


def test_baby_steps_begin_with_the_roots_of_single_words():
    text = "a/NOUN\nb/NOUN\nc/VERB\n"
    treebank = tg.parse(text, format="slashed")
    system = make_system("baby-steps", {"max_length": 1}).fit(treebank)
    # Two X, one Y, each counted once more.
    assert system.grammar.root.round(6).tolist() == [0.6, 0.4]
    assert (system.grammar.attach > 0).all()


def test_leapfrog_of_one_stride_is_a_warm_start(toy):
    joined = make_system(
        "leapfrog", {"max_length": 5, "strides": (), "join": "parameters", "iterations": 4}
    ).fit(toy)
    first = make_system("less-is-more", {"max_length": 5, "iterations": 4}).fit(toy)
    second = make_system("baby-steps", {"max_length": 5, "iterations": 4}).fit(toy)
    np.testing.assert_allclose(
        joined.grammar.attach, (first.grammar.attach + second.grammar.attach) / 2
    )


def test_sigma_zero_is_em(toy):
    common = {"max_length": 6, "iterations": 5, "tolerance": 0}
    soft = make_system("dmv", {**common, "smoothing": 0.5}).fit(toy)
    same = make_system(
        "unambiguity",
        {**common, "sigma": (0, 0, 0), "alpha": 1.5, "valences": "2/1", "backoff": 0},
    ).fit(toy)
    np.testing.assert_allclose(soft.grammar.attach, same.grammar.attach, rtol=1e-12)


def test_sigma_one_is_hard_em(toy):
    common = {"max_length": 6, "iterations": 5}
    hard = make_system("viterbi-dmv", {**common, "smoothing": 1.0}).fit(toy)
    same = make_system(
        "unambiguity",
        {**common, "sigma": (1, 0, 1), "alpha": 2.0, "valences": "2/1", "backoff": 0},
    ).fit(toy)
    np.testing.assert_allclose(hard.grammar.attach, same.grammar.attach, rtol=1e-12)


@pytest.mark.parametrize("sigma", [0.2, 0.5, 0.9])
def test_the_objective_of_a_fixed_sigma_never_falls(sigma, toy):
    system = make_system(
        "unambiguity",
        {
            "max_length": 6,
            "sigma": (sigma, 0, sigma),
            "alpha": 1.2,
            "iterations": 12,
            "tolerance": 0,
            "valences": "2/1",
            "backoff": 0,
        },
    ).fit(toy)
    values = [step.objective for step in system.history]
    assert all(b >= a - 1e-7 * abs(a) for a, b in pairwise(values))


def test_sigma_falls_and_rests():
    system = make_system("unambiguity", {"sigma": "1,-0.25,0.5"})
    assert [system._sigma(i) for i in range(4)] == [1.0, 0.75, 0.5, 0.5]
    for wrong in ("1", "1,0.1,0", "0.5,0,0.6", "2,-1,0"):
        with pytest.raises(SystemsError, match="setting sigma: expected a start"):
            make_system("unambiguity", {"sigma": wrong})


@pytest.mark.parametrize("penalty", ["symmetric", "asymmetric"])
def test_a_penalty_without_sigma_is_posterior_sparsity(penalty, toy):
    common = {"max_length": 6, "iterations": 4, "tolerance": 0, "penalty": penalty}
    sparse = make_system("posterior-sparse", {**common, "sigma": 60.0}).fit(toy)
    same = make_system("unambiguity", {**common, "sigma": (0, 0, 0), "strength": 60.0}).fit(toy)
    for step, other in zip(same.history, sparse.history, strict=True):
        assert step.objective == pytest.approx(other.objective, rel=1e-12)
    for name, table in same.grammar.arrays().items():
        np.testing.assert_allclose(table, sparse.grammar.arrays()[name], rtol=1e-9)


def test_a_penalty_of_no_strength_is_none(toy):
    common = {"max_length": 6, "iterations": 4, "sigma": (1.0, -0.25, 0.0)}
    plain = make_system("unambiguity", common).fit(toy)
    same = make_system("unambiguity", {**common, "penalty": "symmetric", "strength": 0}).fit(toy)
    assert plain.grammar.attach.tolist() == same.grammar.attach.tolist()
    assert plain.history == same.history


def test_next_to_no_penalty_changes_next_to_nothing(toy):
    common = {"max_length": 6, "iterations": 4, "tolerance": 0, "sigma": (0.5, 0, 0.5)}
    plain = make_system("unambiguity", common).fit(toy)
    weak = {**common, "penalty": "symmetric", "strength": 1e-9}
    for step, other in zip(
        make_system("unambiguity", weak).fit(toy).history, plain.history, strict=True
    ):
        assert step.objective == pytest.approx(other.objective, rel=1e-9)


def test_the_objective_of_a_penalty_and_a_sigma_never_falls(toy):
    settings = {
        "max_length": 6,
        "iterations": 8,
        "tolerance": 0,
        "backoff": 0.0,
        "sigma": (0.5, 0, 0.5),
        "penalty": "symmetric",
        "strength": 10.0,
        "gradient_steps": 100,
    }
    values = [step.objective for step in make_system("unambiguity", settings).fit(toy).history]
    assert all(after >= before for before, after in pairwise(values))
    assert values[-1] > values[0]


def test_best_trees_cannot_be_penalised_and_sigma_stays_below_them(toy):
    common = {"max_length": 6, "iterations": 4, "tolerance": 0, "penalty": "symmetric"}
    hard, nearly = (
        make_system("unambiguity", {**common, "strength": 20.0, "sigma": (start, 0, 0.9)}).fit(toy)
        for start in (1.0, 0.95)
    )
    assert hard.grammar.attach.tolist() == nearly.grammar.attach.tolist()


def test_evg_of_one_child_valence_is_the_dmv(toy):
    common = {"max_length": 6, "iterations": 4, "tolerance": 0}
    first = make_system("dmv", common).fit(toy)
    settings = {**common, "valences": "2/1", "backoff": 0, "smoothing_kind": "interpolated"}
    second = make_system("evg", settings).fit(toy)
    np.testing.assert_allclose(first.grammar.attach, second.grammar.attach)


def test_random_starts_differ_and_the_best_is_kept(toy):
    settings = {"max_length": 6, "init": "random", "iterations": 10}
    one = make_system("dmv", settings, seed=1).fit(toy)
    other = make_system("dmv", settings, seed=2).fit(toy)
    assert one.grammar.attach.tolist() != other.grammar.attach.tolist()
    many = make_system("dmv", {**settings, "restarts": 4}, seed=1).fit(toy)
    assert many.history[-1].objective >= one.history[-1].objective
    assert not one.is_deterministic
    assert make_system("dmv").is_deterministic


# ---------------------------------------------------------------------- constraints


def test_rules_reach_their_share(toy):
    inventory, corpus = corpus_of(toy)
    grammar = Grammar.uniform(corpus.n_tags)
    for share in (0.5, 0.7):
        constraints = Constraints.of(inventory, no_function_heads=False, rules="noji", share=share)
        found, penalty = constraints.expectations(grammar, corpus)
        arcs = found.counts.attach.sum(axis=(1, 2))
        reached = found.counts.root[constraints.rules[0]].sum() + arcs[constraints.rules[1:]].sum()
        assert share <= reached / corpus.n_words + 1e-12
        assert reached / corpus.n_words <= share * 1.002 or constraints.dual == 0
        assert penalty == pytest.approx(-constraints.dual * share * corpus.n_words)


def test_a_share_that_is_there_already_changes_nothing(toy):
    inventory, corpus = corpus_of(toy)
    constraints = Constraints.of(inventory, no_function_heads=False, rules="noji", share=0.01)
    grammar = Grammar.uniform(corpus.n_tags)
    found, penalty = constraints.expectations(grammar, corpus)
    assert (constraints.dual, penalty) == (0.0, 0.0)
    np.testing.assert_array_equal(found.counts.attach, expectations(grammar, corpus).counts.attach)


def test_barred_heads_have_next_to_no_weight():
    treebank = tg.parse("of/ADP dogs/NOUN\n", format="slashed")
    inventory, _ = corpus_of(treebank)
    constraints = Constraints.of(inventory, no_function_heads=True, rules="none", share=0.8)
    grammar = constraints.barred(Grammar.uniform(2))
    adposition = inventory.tags.index("ADP")
    assert grammar.attach[adposition].max() == BARRED / 2
    assert grammar.root.tolist() == [0.5, 0.5]


def test_constraints_need_universal_tags():
    treebank = tg.parse(
        "1\ta\t_\tN\tNN\t_\t0\tROOT\t_\t_\n2\tb\t_\tV\tVB\t_\t1\tX\t_\t_\n\n", format="conllx"
    )
    with pytest.raises(SystemsError, match="known by universal tags"):
        make_system("dmv", {"tags": "p", "no_function_heads": True}).fit(treebank)


# ---------------------------------------------------------------------- inventories


def test_an_inventory_knows_the_universal_tag_of_fine_tags():
    treebank = tg.parse(
        "1\ta\t_\tNOUN\tN1\t_\t0\troot\t_\t_\n2\tb\t_\tPROPN\tN1\t_\t1\tdep\t_\t_\n"
        "3\tc\t_\tNOUN\tN1\t_\t1\tdep\t_\t_\n4\td\t_\tVERB\tV1\t_\t1\tdep\t_\t_\n\n"
    )
    inventory = TagInventory.of(treebank, "p")
    assert inventory.tags == ("N1", "V1")
    assert inventory.universal == ("NOUN", "VERB")
    assert inventory.shares == (0.75, 0.25)


def test_an_unknown_tag_behaves_as_the_average_tag():
    treebank = tg.parse("a/NOUN b/NOUN c/NOUN d/VERB\n", format="slashed")
    inventory = TagInventory.of(treebank, "u")
    grammar = Grammar.random(np.random.default_rng(1), 2)
    wider = inventory.with_unknown(grammar)
    assert wider.n_tags == 3
    np.testing.assert_allclose(wider.root[2], 0.75 * grammar.root[0] + 0.25 * grammar.root[1])
    np.testing.assert_allclose(wider.stop[2], 0.75 * grammar.stop[0] + 0.25 * grammar.stop[1])
    corpus = inventory.encode(tg.parse("a/ADJ b/NOUN\n", format="slashed"))
    assert corpus.tags.tolist() == [2, 0]
    assert min(viterbi(wider, corpus).heads.tolist()) == 0


def test_estimates_of_supervised_counts_are_relative_frequencies(toy):
    """The DMV that gold trees give, on which the experiments with supervised models stand."""
    corpus = TagCorpus([0, 1, 2], [0, 3], n_tags=3)
    grammar = estimate(tree_counts([2, 3, 0], corpus))
    assert grammar.root.tolist() == [0, 0, 1]
    assert grammar.attach[2, 0, 0].tolist() == [0, 1, 0]


def test_a_text_without_words_has_no_trees_and_is_no_error(toy):
    parser = make_system("dmv").fit(toy)
    mark = tg.parse("1\t!\t_\tPUNCT" + "\t_" * 6 + "\n\n", format="conllu")
    assert parser.annotate(mark).head.tolist() == [0]
    assert parser.annotate(mark[:0]).n_words == 0
