"""CCG induction: what it learns, the trees that it gives, and what it refuses."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest

import treegauge as tg
from tests.unit.treebank.small_trees import heads
from treegauge.properties import nonprojective_words
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.systems.dependency_induction.categorial.categories import parse_category
from treegauge.systems.dependency_induction.categorial.ccg import Ccg
from treegauge.systems.dependency_induction.categorial.derivations import CONVENTIONS
from treegauge.systems.dependency_induction.categorial.forests import Forests
from treegauge.systems.dependency_induction.categorial.grammar import Kind
from treegauge.treebank import tree_flaws, without_punctuation

SMALL = """\
the/DET birds/NOUN sing/VERB
birds/NOUN see/VERB the/DET cats/NOUN
the/DET cats/NOUN sleep/VERB on/ADP the/DET roof/NOUN
cats/NOUN and/CCONJ birds/NOUN sing/VERB ./PUNCT
birds/NOUN sing/VERB
the/DET cat/NOUN sees/VERB birds/NOUN
"""


@pytest.fixture(scope="module")
def toy():
    return tg.toy_treebank("toy:svo", part="test")[:150]


@pytest.fixture(scope="module")
def learnt(toy) -> Ccg:
    return fitted(toy)


def fitted(text, **settings) -> Ccg:
    system = make_system("ccg", settings)
    assert isinstance(system, Ccg)
    return system.fit(text)


def parsed(text: str):
    return tg.parse(text, format="slashed")


# ---------------------------------------------------------------------- learning


@pytest.mark.parametrize(
    "settings",
    [{}, {"init": "derivations"}, {"smoothing": 0.0}, {"viterbi": True}, {"composition": False}],
    ids=str,
)
def test_the_objective_never_falls(toy, settings) -> None:
    history = fitted(toy, tolerance=0.0, iterations=15, **settings).history
    assert len(history) > 3
    for before, after in pairwise(history):
        assert after.objective >= before.objective - 1e-9 * abs(before.objective)


def test_no_category_is_without_a_complete_derivation(toy) -> None:
    system = fitted(toy)
    corpus = system._short_enough(without_punctuation(toy))
    grammar = system.grammar
    seen = grammar.events[Forests(grammar, corpus).has_event]
    used = {(p, tag) for p, kind, tag, _ in seen.tolist() if kind == Kind.WORD}
    seeds = system._seeds()
    for tag, categories in system.lexicon.items():
        for category in categories:
            is_used = (grammar.categories.index(category), tag) in used
            assert is_used or seeds.get(tag) == category
    everything = fitted(toy, induce_valid_only=False)
    assert sum(map(len, everything.lexicon.values())) > sum(map(len, system.lexicon.values()))


@pytest.mark.parametrize(
    ("language", "verbs"),
    [
        ("toy:svo", {"S\\N", "(S\\N)/N"}),
        ("toy:sov", {"S\\N", "(S\\N)\\N"}),
        ("toy:vso", {"S/N", "(S/N)/N"}),
    ],
)
def test_verbs_of_toy_languages_take_nouns_where_they_stand(language, verbs) -> None:
    system = fitted(tg.toy_treebank(language, part="test")[:300])
    first, second, *_ = system.entries(system.inventory.tags.index("VERB"))
    assert {str(category) for category, _ in (first, second)} == verbs
    assert first[1] + second[1] > 0.7


def test_tags_that_only_modify_take_nothing(toy) -> None:
    system = fitted(toy, only_modify=("DET",))
    determiners = system.lexicon[system.inventory.tags.index("DET")]
    assert all(category.is_modifier for category in determiners)


def test_sentences_without_a_derivation_are_counted_and_said() -> None:
    text = parsed("birds/NOUN sing/VERB\nnow/ADV here/ADV\noh/INTJ\n")
    system = fitted(text)
    assert (system.n_learnt_from, system.n_without_derivation) == (1, 2)
    assert system.notes == ("ccg: 2 of 3 sentences have no derivation and are not learnt from",)
    assert heads(system.annotate(text)) == [[2, 0], [2, 0], [0]]
    assert system.notes == (
        "ccg: 2 of 3 sentences have no derivation and get the left-branching tree",
    )
    assert system.annotate(text[:1]).n_sentences == 1
    assert system.notes == ()


# ---------------------------------------------------------------------- trees


def test_every_sentence_gets_a_projective_tree(learnt, toy) -> None:
    annotated = without_punctuation(learnt.annotate(toy))
    assert not tree_flaws(annotated).any()
    roots = np.add.reduceat((annotated.head == 0).astype(int), annotated.offsets[:-1])
    assert (roots == 1).all()
    assert not nonprojective_words(annotated).any()


def test_modifiers_hang_on_what_they_modify_and_arguments_on_functors() -> None:
    text = parsed(SMALL)
    system = fitted(text)
    annotated = heads(system.annotate(text))
    assert annotated[0] == [2, 3, 0]
    assert annotated[4] == [2, 0]


@pytest.mark.parametrize(
    ("convention", "expected"),
    [
        ("universal", [0, 3, 1]),
        ("first", [0, 1, 1]),
        ("chain", [0, 1, 2]),
        ("last", [3, 3, 0]),
        ("conjunction", [2, 0, 2]),
    ],
)
def test_coordinations_hang_as_the_setting_says(convention, expected) -> None:
    assert set(CONVENTIONS) == {"universal", "first", "chain", "last", "conjunction"}
    text = parsed("cats/NOUN and/CCONJ birds/NOUN\ncats/NOUN\n")
    system = fitted(text, coordination=convention)
    assert heads(system.annotate(text))[0] == expected


def test_function_words_hang_on_what_they_take() -> None:
    text = parsed("they/PRON sleep/VERB on/ADP roofs/NOUN\nthey/PRON sleep/VERB\n")
    as_heads, as_leaves = (
        heads(fitted(text, function_functors_as_leaves=leaves).annotate(text))[0]
        for leaves in (False, True)
    )
    assert as_heads == [2, 0, 2, 3]
    assert as_leaves == [2, 0, 4, 2]


def test_tags_that_were_never_seen_modify_something(learnt) -> None:
    text = parsed("the/DET strange/SYM bird/NOUN sings/VERB\n")
    (found,) = heads(learnt.annotate(text))
    assert sorted(found).count(0) == 1


def test_fine_tags_are_seeds_by_their_universal_tags(toy) -> None:
    system = fitted(toy, tags="p")
    nouns = {
        tag
        for code, tag in enumerate(system.inventory.tags)
        if "NOUN" in system.inventory.universal[code]
    }
    assert nouns
    for tag in nouns:
        assert parse_category("N") in system.lexicon[system.inventory.tags.index(tag)]


def test_same_trees_on_any_number_of_threads(toy, monkeypatch) -> None:
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("TREEGAUGE_THREADS", threads)
        found.append(fitted(toy).annotate(toy).head.tolist())
    assert found[0] == found[1]


# ---------------------------------------------------------------------- for people, for files


def test_derivations_can_be_looked_at(learnt, toy) -> None:
    text = parsed("the/DET bird/NOUN sings/VERB ./PUNCT\n")
    derivation = learnt.derivation(text, 0)
    assert derivation is not None
    assert (derivation.root.begin, derivation.root.end) == (0, 3)
    assert [(node.begin, node.end) for node in derivation.words] == [(0, 1), (1, 2), (2, 3)]
    assert derivation.root.category in ("S", "S\\N", "S/N")
    with pytest.raises(SystemsError, match="dmv has no derivations"):
        make_system("dmv").derivation(text, 0)


def test_the_grammar_names_categories_of_tags_with_probabilities(learnt) -> None:
    text = learnt.describe_grammar(3)
    assert re.search(r"^NOUN\n  \S+ +0\.\d{3}$", text, re.MULTILINE)
    assert re.match(r"\d+ sentences were learnt from, \d+ have no derivation\n", text)
    shares = [share for _, share in learnt.entries(learnt.inventory.tags.index("VERB"))]
    assert sum(shares) == pytest.approx(1.0)


def test_what_was_saved_parses_as_before(learnt, toy, tmp_path) -> None:
    learnt.save(tmp_path / "model")
    loaded = load_system(tmp_path / "model")
    assert loaded.annotate(toy).head.tolist() == learnt.annotate(toy).head.tolist()
    assert loaded.describe_grammar() == learnt.describe_grammar()
    assert loaded.has_converged == learnt.has_converged
    assert loaded.supervision == "universal rules"


@pytest.mark.parametrize(
    "damage",
    [
        {"lexicon": []},
        {"lexicon": [["N", "N"]] * 9},
        {"lexicon": [["N/"]] * 9},
        {"lexicon": [["TOP"]] * 9},
        {"sentences": [1]},
        {"history": [[1.0]]},
    ],
    ids=str,
)
def test_damaged_models_are_refused(learnt, damage) -> None:
    arrays, facts = learnt.state()
    n_tags = len(learnt.inventory.tags)
    damage = {
        name: value[:n_tags] if name == "lexicon" else value for name, value in damage.items()
    }
    with pytest.raises(SystemsError, match="this model is damaged"):
        make_system("ccg").restore(arrays, {**facts, **damage})


def test_text_without_nouns_and_verbs_is_refused() -> None:
    with pytest.raises(SystemsError, match=r"no word has one of the tags .* seed_nouns and seed_v"):
        fitted(parsed("a/ADJ b/ADV\n"))


def test_sentences_that_are_all_too_long_are_refused() -> None:
    with pytest.raises(SystemsError, match=r"raise max_length \(the shortest has 3\)"):
        fitted(parsed("a/DET bird/NOUN sings/VERB\n"), max_length=2)


def test_text_without_any_derivation_is_refused() -> None:
    with pytest.raises(SystemsError, match="none of 1 sentence has a derivation"):
        fitted(parsed("birds/NOUN and/CCONJ\n"))
