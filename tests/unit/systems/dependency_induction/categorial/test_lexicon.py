"""Rounds of categories: the worked examples, and what may not be made."""

from __future__ import annotations

from treegauge.systems.dependency_induction.categorial.categories import (
    CONJ,
    Category,
    N,
    S,
    parse_category,
)
from treegauge.systems.dependency_induction.categorial.learning import neighbours
from treegauge.systems.dependency_induction.categorial.lexicon import (
    Neighbours,
    Restrictions,
    induced_once,
)
from treegauge.systems.dependency_induction.chart import TagCorpus


def rounds(sentence: str, seeds: dict[str, Category], times: int) -> list[dict[str, set[str]]]:
    """Return the categories of every tag after each round, by their names."""
    tags = sorted(set(sentence.split()))
    codes = [tags.index(tag) for tag in sentence.split()]
    pairs = neighbours(TagCorpus(codes, [0, len(codes)], len(tags)))
    lexicon = {tags.index(tag): (category,) for tag, category in seeds.items()}
    conjunctions = frozenset(tag for tag, (category,) in lexicon.items() if category == CONJ)
    found = []
    for _ in range(times):
        lexicon = induced_once(lexicon, pairs, conjunctions, Restrictions())
        found.append({tags[tag]: set(map(str, of)) for tag, of in lexicon.items()})
    return found


def test_the_worked_example_of_the_specification() -> None:
    first, second = rounds("D N V", {"N": N, "V": S}, 2)
    assert first == {"D": {"N/N"}, "N": {"N", "S/S"}, "V": {"S", "S\\N", "N\\N"}}
    assert second["D"] - first["D"] == {"(N/N)/N", "(S/S)/(S/S)"}
    assert second["N"] - first["N"] == {"(S/S)/S", "(N\\N)/(N\\N)", "(N/N)\\(N/N)"}
    assert second["V"] - first["V"] == {"(S\\N)\\N", "(N\\N)\\N", "(S/S)\\(S/S)"}


def test_prepositions_take_nouns_in_the_second_round() -> None:
    first, second = rounds("N V P N", {"N": N, "V": S}, 2)
    assert first["P"] == {"S\\S", "N/N"}
    assert "(S\\S)/N" in second["P"]


def test_conjunctions_take_part_in_nothing_inside_a_sentence() -> None:
    for found in rounds("N C N V", {"N": N, "V": S, "C": CONJ}, 2):
        assert found["C"] == {"conj"}
        assert not any("conj" in name for of in (found["N"], found["V"]) for name in of)


def test_conjunctions_modify_what_they_begin() -> None:
    (first,) = rounds("C V", {"V": S, "C": CONJ}, 1)
    assert first == {"C": {"conj", "S/S"}, "V": {"S"}}


def test_nouns_take_no_arguments() -> None:
    for found in rounds("N V N", {"N": N, "V": S}, 3):
        assert not any(name.startswith(("N/S", "N\\S")) for name in found["N"])


def test_arguments_are_limited() -> None:
    for found in rounds("N N V N N", {"N": N, "V": S}, 3):
        for name in found["V"]:
            category = parse_category(name)
            assert category.arity <= (2 if category.contains_modifier else 3)


def test_left_arguments_that_right_ones_bar() -> None:
    restrictions = Restrictions()
    assert not restrictions.allows_left_argument(parse_category("S/N"), N)
    assert restrictions.allows_left_argument(parse_category("S\\N"), N)
    assert not restrictions.allows_left_argument(parse_category("S/S"), S)
    assert restrictions.allows_left_argument(parse_category("S/S"), N)


def test_complex_arguments_are_asked_for() -> None:
    base, argument = parse_category("S\\N"), parse_category("S\\N")
    assert not Restrictions().allows_argument(base, argument)
    assert Restrictions(complex_arguments=True).allows_argument(base, argument)
    assert not Restrictions(complex_arguments=True).allows_argument(S, argument)


def test_neighbours_know_what_begins_a_sentence() -> None:
    corpus = TagCorpus([0, 1, 2, 0, 0, 1], [0, 3, 4, 6], 3)
    assert set(neighbours(corpus)) == {Neighbours(0, 1, True), Neighbours(1, 2, False)}
