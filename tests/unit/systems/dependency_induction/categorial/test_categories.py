"""Categories: what they take and give, and how they are written."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from treegauge.systems.dependency_induction.categorial.categories import (
    CONJ,
    Category,
    N,
    S,
    parse_category,
)

ATOMS = st.sampled_from([N, S])
CATEGORIES = st.recursive(
    ATOMS,
    lambda inner: st.builds(
        lambda result, slash, argument: result.taking(slash, argument),
        inner,
        st.sampled_from(["/", "\\"]),
        inner,
    ),
    max_leaves=6,
)


@given(CATEGORIES)
def test_what_is_written_can_be_read(category: Category) -> None:
    assert parse_category(str(category)) == category
    assert parse_category(str(category.conjunct())) == category.conjunct()


@given(CATEGORIES, st.sampled_from(["/", "\\"]))
def test_a_modifier_gives_what_it_takes(category: Category, slash) -> None:
    modifier = category.modifier(slash)
    assert modifier.is_modifier
    assert modifier.contains_modifier
    assert modifier.arity == category.arity + 1


@pytest.mark.parametrize(
    ("text", "is_raised"),
    [("S/(S\\N)", True), ("S\\(S/N)", True), ("S/(S/N)", False), ("S/S", False), ("N", False)],
)
def test_raised_categories_are_arguments_in_disguise(text: str, is_raised: bool) -> None:
    assert parse_category(text).is_raised is is_raised


def test_a_verb_with_its_object_gives_a_modifier_only_if_it_is_one() -> None:
    assert parse_category("(S\\S)/N").contains_modifier
    assert not parse_category("(S\\N)/N").contains_modifier
    assert str(CONJ) == "conj"


@pytest.mark.parametrize("text", ["", "X", "(S", "S/", "S)N", "N N"])
def test_what_is_no_category_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="categor"):
        parse_category(text)
