"""A lexicon in a model: written as text, and checked when it is read."""

from __future__ import annotations

from treegauge.systems.dependency_induction.categorial.categories import Category, parse_category
from treegauge.systems.dependency_induction.categorial.lexicon import Lexicon
from treegauge.systems.saved_state import SavedState, damaged

_LONGEST_NAME = 200
_MOST_CATEGORIES = 1000
"""Distinct ones of all tags: far more than three rounds make, and charts that can still be held."""
_MOST_ARGUMENTS = 8


def lexicon_facts(lexicon: Lexicon, n_tags: int) -> list[list[str]]:
    """Return the categories of every tag, as JSON has them."""
    return [[str(category) for category in lexicon.get(tag, ())] for tag in range(n_tags)]


def restored_lexicon(saved: SavedState, name: str, n_tags: int) -> Lexicon:
    """Return the lexicon that `lexicon_facts` gave."""
    known: dict[str, Category] = {}
    lexicon = {}
    for tag, names in enumerate(saved.sequence(name, size=n_tags)):
        if not isinstance(names, (list, tuple)) or len(set(map(str, names))) < len(names):
            raise damaged(f"its {name} should be lists of distinct categories")
        if names:
            lexicon[tag] = tuple(_category(text, known) for text in names)
    if not lexicon or len(known) > _MOST_CATEGORIES:
        raise damaged(f"its {name} should have 1 to {_MOST_CATEGORIES} categories")
    return lexicon


def _category(text: object, known: dict[str, Category]) -> Category:
    if not isinstance(text, str) or len(text) > _LONGEST_NAME:
        raise damaged("a category should be a short text")
    if text not in known:
        try:
            category = parse_category(text)
        except ValueError as error:
            raise damaged(str(error)) from None
        if category.arity > _MOST_ARGUMENTS or category.is_conjunct or category.atom == "TOP":
            raise damaged(f"{text} is no category of words")
        known[text] = category
    return known[text]
