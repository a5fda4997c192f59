"""Trees of several schemes, compared by phrases, against tree edit distance."""

from __future__ import annotations

import math
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from tests.unit.metrics.small_scores import score_of
from tests.unit.treebank.small_trees import treebank
from treegauge.evaluation import evaluate
from treegauge.metrics import Comparison, Conventions, preset
from treegauge.rewrite.projectivise import projectivise
from treegauge.treebank import AlignmentError, Column, Treebank

Phrase = tuple[frozenset[int], str]

IN_THE_HOUSE = """
    1 sleep _ VERB _ _ 0 root _ _
    2 in    _ ADP  _ _ 1 obl  _ _
    3 the   _ DET  _ _ 4 det  _ _
    4 house _ NOUN _ _ 2 comp _ _
"""
"""The preposition is the head: phrases {in the house}, {the house}."""
CONTENT = IN_THE_HOUSE.replace("1 obl ", "4 case").replace("2 comp", "1 obl ")
"""The noun is the head: one phrase of several words, {in the house}."""


def tedeval(gold: str, system: str, *references: str, metric: str = "tedeval") -> float:
    others = [treebank(one) for one in references]
    return score_of(metric, Comparison(treebank(gold), treebank(system), references=others))


# ---------------------------------------------------------------------- by hand


def test_one_gold_standard_is_tree_edit_distance():
    # One phrase too much; 4 words and 1 phrase in gold, 4 and 2 in the system.
    assert tedeval(CONTENT, IN_THE_HOUSE) == 1 - 1 / (5 + 6)
    assert tedeval(IN_THE_HOUSE, CONTENT) == 1 - 1 / (6 + 5)


def test_what_a_scheme_adds_is_free():
    # The two schemes share {in the house}. A system is right by either of them.
    assert tedeval(CONTENT, CONTENT, IN_THE_HOUSE) == 1
    assert tedeval(IN_THE_HOUSE, IN_THE_HOUSE, CONTENT) == 1
    # {the house} may be missing where gold has it, but not be there where gold does not.
    assert tedeval(IN_THE_HOUSE, CONTENT, CONTENT) == 1
    assert tedeval(CONTENT, IN_THE_HOUSE, IN_THE_HOUSE) == 1 - 1 / (5 + 6)


def test_a_phrase_that_no_scheme_has_costs():
    # {sleep in} for {in the house} and {the house}.
    wrong = treebank(IN_THE_HOUSE).replace(head=[2, 4, 4, 0], name="system")
    gold, other = treebank(IN_THE_HOUSE), treebank(CONTENT)
    comparison = Comparison(gold, wrong, references=[other])
    # The system's phrase is inserted, the shared one is missing.
    assert score_of("tedeval", comparison) == 1 - 2 / (5 + 5)


def test_relations_belong_to_phrases():
    # All have {in the house} obl, {the} det and {sleep in the house} root; so 4 + 3 phrases.
    labelled = "tedeval_labelled"
    assert tedeval(CONTENT, CONTENT, IN_THE_HOUSE, metric=labelled) == 1
    # {the house} comp costs.
    functional = tedeval(CONTENT, IN_THE_HOUSE, IN_THE_HOUSE, metric=labelled)
    assert functional == pytest.approx(1 - 1 / 7)
    # {in the house} obj costs, and the missing obl.
    object_for_oblique = CONTENT.replace("obl", "obj")
    wrong = tedeval(CONTENT, object_for_oblique, IN_THE_HOUSE, metric=labelled)
    assert wrong == pytest.approx(1 - 2 / 7)


def test_relations_are_compared_without_subtypes_under_conll2018():
    subtyped = CONTENT.replace("obl", "obl:loc")
    pair = [treebank(CONTENT), treebank(subtyped)]
    for references in ([], [treebank(subtyped)]):
        whole = Comparison(*pair, preset("conll2006"), references=references)
        cut = Comparison(*pair, references=references)
        assert score_of("tedeval_labelled", cut) == 1
        assert score_of("tedeval_labelled", whole) < 1


def test_punctuation_neither_helps_nor_hurts():
    dotted = [
        treebank(f"{text}    5 . _ PUNCT _ _ 1 punct _ _\n") for text in (IN_THE_HOUSE, CONTENT)
    ]
    wrong = dotted[1].replace(head=[0, 4, 4, 1, 4], name="system")
    plain = tedeval(IN_THE_HOUSE, CONTENT)
    for how in ("ignored", "removed"):
        conventions = Conventions().with_punctuation(how)
        for references in ([], [dotted[1]]):
            comparison = Comparison(dotted[0], wrong, conventions, references=references)
            assert score_of("tedeval", comparison) == (1 if references else plain)
    assert score_of("tedeval", Comparison(dotted[0], wrong)) < plain


def test_references_are_cut_off_like_gold():
    short = "\n    1 go _ VERB _ _ 0 root _ _\n"
    gold, other = (treebank(text + short) for text in (IN_THE_HOUSE, CONTENT))
    comparison = Comparison(gold, other, cut_off="@3", references=[other])
    assert [len(one) for one in comparison.references] == [1]
    assert score_of("tedeval", comparison) == 1


def test_a_reference_with_other_words_is_refused():
    other = treebank("1 go _ VERB _ _ 0 root _ _")
    comparison = Comparison(*[treebank(CONTENT)] * 2, references=[other])
    with pytest.raises(AlignmentError):
        score_of("tedeval", comparison)


def test_evaluate_passes_references_and_signs_them():
    gold, other = treebank(CONTENT, name="ud"), treebank(IN_THE_HOUSE, name="functional")
    system = other.replace(name="system")
    scored = evaluate(gold, system, metrics=["tedeval", "uas"], references=[other], resamples=0)
    assert scored["tedeval"].value == 1 - 1 / 11
    assert scored.references["functional"].systems[0].scores["tedeval"].value == 1
    assert "references:functional#" in str(scored["tedeval"].signature)
    assert "references" not in str(scored["uas"].signature)
    alone = evaluate(gold, system, metrics=["tedeval"], resamples=0)["tedeval"]
    assert "references" not in str(alone.signature)


# ---------------------------------------------------------------------- the slow twin


def phrases(heads: list[int], relations: list[str] | None) -> set[Phrase]:
    """Return the phrases of one tree by definition."""
    n = len(heads)
    own = set()
    for word in range(n):
        below = frozenset(other for other in range(n) if _is_below(heads, other, word))
        if relations is not None:
            own.add((below, relations[word]))
        elif len(below) < n or n == 1:
            own |= {(below, ""), (frozenset([word]), "")}
        else:
            own.add((frozenset([word]), ""))
    return own


def _is_below(heads: list[int], word: int, ancestor: int) -> bool:
    while word != ancestor:
        if heads[word] == 0:
            return False
        word = heads[word] - 1
    return True


def edits(tree: set[Phrase], other: set[Phrase]) -> set[tuple[str, Phrase]]:
    """Return the insertions and deletions that make one tree into another."""
    return {("-", one) for one in tree - other} | {("+", one) for one in other - tree}


def price(gold: set[Phrase], system: set[Phrase], references: list[set[Phrase]]) -> tuple[int, int]:
    """Return the edits that are not free, and the phrases of both trees."""
    common = gold.intersection(*references)
    paid = edits(system, common) - edits(gold, common)
    return len(paid), len(system) + len(common)


def ordered_tree(tree: set[Phrase], n: int) -> tuple:
    """Return nested phrases over the words 0 to n-1, as (label, children) below one root."""
    by_size = sorted(tree, key=lambda one: (-len(one[0]), sorted(one[0])))

    def build(label: str, words: frozenset[int], inside: list[Phrase]) -> tuple:
        children: list[tuple[int, tuple]] = []
        left = set(words)
        for place, (own, name) in enumerate(inside):
            if own <= left:
                below = [one for one in inside[place + 1 :] if one[0] <= own]
                children.append((min(own), build(name, own, below)))
                left -= own
        children += [(word, (word, ())) for word in left]
        return label, tuple(child for _, child in sorted(children))

    return build("top", frozenset(range(n)), by_size)


@cache
def edit_distance(first: tuple, second: tuple) -> float:
    """Return the edit distance of two forests by its recursive definition.

    Phrases are inserted and deleted for 1; words and names never change.
    """
    if not first and not second:
        return 0
    found = math.inf
    if first:
        label, children = first[-1]
        gone = math.inf if isinstance(label, int) else 1
        found = min(found, gone + edit_distance(first[:-1] + children, second))
    if second:
        label, children = second[-1]
        gone = math.inf if isinstance(label, int) else 1
        found = min(found, gone + edit_distance(first, second[:-1] + children))
    if first and second and first[-1][0] == second[-1][0]:
        inside = edit_distance(first[-1][1], second[-1][1])
        found = min(found, inside + edit_distance(first[:-1], second[:-1]))
    return found


def random_tree(random: Random, n: int) -> list[int]:
    """Return heads of a tree, or of several."""
    order = random.sample(range(n), n)
    heads = [0] * n
    for place, word in enumerate(order[1:], start=1):
        heads[word] = random.choice([*(other + 1 for other in order[:place]), *[0] * (n > 4)])
    return heads


def as_treebank(heads: list[list[int]], relations: list[list[str]]) -> Treebank:
    flat = [name for one in relations for name in one]
    offsets = [0]
    for one in heads:
        offsets.append(offsets[-1] + len(one))
    columns = {
        "form": Column.from_strings([f"w{number}" for number in range(len(flat))]),
        "deprel": Column.from_strings(flat),
    }
    return Treebank(columns, [head for one in heads for head in one], offsets=offsets)


def drawn(random: Random, lengths: list[int], close_to: list[list[int]] | None = None):
    """Return heads and relations; close to other heads, so that phrases are shared."""
    heads = [random_tree(random, n) for n in lengths]
    if close_to is not None:
        heads = [random.choice([new, old]) for new, old in zip(heads, close_to, strict=True)]
    return heads, [[random.choice("ab") for _ in range(n)] for n in lengths]


@given(
    lengths=st.lists(st.integers(1, 6), min_size=1, max_size=3),
    n_references=st.integers(0, 2),
    random=st.randoms(use_true_random=True),
)
@settings(max_examples=150, deadline=None)
def test_agrees_with_sets_of_phrases(lengths, n_references, random):
    gold = drawn(random, lengths)
    others = [drawn(random, lengths, gold[0]) for _ in range(n_references)]
    system = drawn(random, lengths, gold[0])
    comparison = Comparison(
        as_treebank(*gold), as_treebank(*system), references=[as_treebank(*one) for one in others]
    )
    for metric in ("tedeval", "tedeval_labelled"):
        is_labelled = metric == "tedeval_labelled"
        prices, sizes = 0, 0
        for place in range(len(lengths)):
            trees = [
                phrases(heads[place], names[place] if is_labelled else None)
                for heads, names in (gold, system, *others)
            ]
            paid, size = price(trees[0], trees[1], trees[2:])
            prices += paid
            sizes += size
        assert score_of(metric, comparison) == pytest.approx(1 - prices / sizes, abs=1e-12)


@given(n=st.integers(1, 6), is_labelled=st.booleans(), random=st.randoms(use_true_random=True))
@settings(max_examples=100, deadline=None)
def test_edits_of_sets_are_the_edit_distance_of_trees(n, is_labelled, random):
    trees = []
    for _ in range(3):
        heads, relations = drawn(random, [n])
        projective = projectivise(as_treebank(heads, relations)).head.tolist()
        trees.append(phrases(projective, relations[0] if is_labelled else None))
    gold, other, system = trees
    common = gold & other
    for one in (gold, system, other):
        distance = edit_distance((ordered_tree(one, n),), (ordered_tree(common, n),))
        assert distance == len(edits(one, common))
    distance = edit_distance((ordered_tree(system, n),), (ordered_tree(gold, n),))
    assert distance == len(edits(system, gold)) == price(gold, system, [])[0]


@given(
    lengths=st.lists(st.integers(1, 7), min_size=1, max_size=3),
    random=st.randoms(use_true_random=True),
)
@settings(max_examples=60, deadline=None)
def test_laws_of_several_gold_standards(lengths, random):
    gold, other, system = (as_treebank(*drawn(random, lengths)) for _ in range(3))
    for metric in ("tedeval", "tedeval_labelled"):

        def scored(system: Treebank, *references: Treebank, metric: str = metric) -> float:
            return score_of(metric, Comparison(gold, system, references=references))

        assert scored(gold, other) == 1
        # Gold again, or a reference twice, changes nothing.
        assert scored(system, gold) == scored(system)
        assert scored(system, other, other) == scored(system, other)
