from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.properties.treebank_strategies import with_heads
from tests.strategies import projective_heads, trees
from tests.unit.rewrite.styles.slow_styles import converted
from treegauge.properties import nonprojective_arcs
from treegauge.rewrite import BUNDLES, RewriteError, Style, to_style
from treegauge.settings import choices
from treegauge.treebank import Column, Treebank, tree_flaws

# fmt: off
RELATIONS = [
    "case", "case", "aux", "aux:pass", "cop", "det", "mark", "conj", "conj", "conj:expl", "cc",
    "cc", "flat", "flat:name", "fixed", "compound", "compound:prt", "nsubj", "advmod", "punct",
    "auxpass", "mwe", "name", "goeswith", "dep",
]
# fmt: on
FAMILIES = [
    ["conj", "cc", "punct"],
    ["conj", "cc", "case", "advmod"],
    ["case", "aux", "cop", "det", "mark", "nsubj"],
    ["aux", "nsubj", "conj", "punct"],
    ["flat", "compound", "case", "fixed"],
]
WITHOUT_NAMES = [
    relation
    for relation in RELATIONS
    if relation.partition(":")[0] not in {"flat", "fixed", "mwe", "name", "goeswith", "compound"}
]
styles = st.builds(
    Style, **{name: st.sampled_from(values) for name, values in choices(Style).items()}
)


@st.composite
def golds(draw: st.DrawFn, shapes: st.SearchStrategy, relations: list[str]) -> Treebank:
    """Trees with relations of UD, few at a time, so that they meet."""
    heads = draw(st.lists(shapes, min_size=1, max_size=4))
    few = draw(
        st.sampled_from([family for family in FAMILIES if {*family} <= {*relations}])
        | st.lists(st.sampled_from(relations), min_size=1, max_size=6)
    )
    flat = [head for sentence in heads for head in sentence]
    labels = [draw(st.sampled_from(few)) if head else "root" for head in flat]
    return with_heads(heads).replace(columns={"deprel": Column.from_strings(labels)})


any_gold = golds(trees(max_size=10), RELATIONS)


def as_tree(treebank: Treebank, sentence: int) -> dict[int, tuple[int, str]]:
    words = slice(treebank.offsets[sentence], treebank.offsets[sentence + 1])
    arcs = zip(treebank.head[words].tolist(), list(treebank.deprel)[words], strict=True)
    return dict(enumerate(arcs, start=1))


@examples(400)
@given(any_gold, styles)
def test_the_kernels_do_what_the_slow_twin_does(gold: Treebank, style: Style) -> None:
    turned = to_style(gold, style)
    for s in range(len(gold)):
        assert as_tree(turned, s) == converted(as_tree(gold, s), style)


@examples(400)
@given(any_gold, styles)
def test_the_way_back_is_exact(gold: Treebank, style: Style) -> None:
    assert to_style(to_style(gold, style), "ud") == gold


@examples(200)
@given(any_gold, styles, styles)
def test_the_way_to_a_style_does_not_matter(gold: Treebank, style: Style, other: Style) -> None:
    once = to_style(gold, style)
    assert to_style(once, style) == once
    assert to_style(to_style(gold, other), style) == once


@examples(200)
@given(any_gold, styles)
def test_a_tree_stays_a_tree_and_words_stay_words(gold: Treebank, style: Style) -> None:
    turned = to_style(gold, style)
    assert not tree_flaws(turned).any()
    assert list(turned.form) == list(gold.form)
    assert turned.offsets.tolist() == gold.offsets.tolist()
    roots = turned.head == 0
    assert set(turned.deprel.take(roots)) == {"root"}


@examples(200)
@given(golds(projective_heads(max_size=10), WITHOUT_NAMES), styles)
def test_arcs_do_not_begin_to_cross(gold: Treebank, style: Style) -> None:
    """Conjuncts before the first one, which UD does not allow, may make them."""
    before = np.array([r.startswith("conj") for r in gold.deprel]) & (
        gold.head > gold.original_positions
    )
    odd = np.bincount(gold.sentence_of_word[before], minlength=len(gold)) > 0
    crossing = nonprojective_arcs(to_style(gold, style)) > 0
    assert not (crossing & ~odd).any()


@examples()
@given(any_gold)
def test_what_the_styles_of_ud_have_in_common(gold: Treebank) -> None:
    assert to_style(gold, "ud") is gold
    assert to_style(gold, "lexical") is gold


@examples(200)
@given(any_gold, styles, st.randoms(use_true_random=False))
def test_scrambled_labels_are_refused_or_give_trees(gold, style, random) -> None:
    """Parsers predict labels that no conversion makes; nothing but an explanation may come."""
    turned = to_style(gold, style)
    labels = list(turned.deprel)
    random.shuffle(labels)
    scrambled = turned.replace(columns={"deprel": Column.from_strings(labels)})
    with contextlib.suppress(RewriteError):
        assert not tree_flaws(to_style(scrambled, "ud")).any()


@examples()
@given(styles)
def test_the_name_of_a_style_is_read_as_the_style(style: Style) -> None:
    assert Style.parse(style.name) == style


@pytest.mark.parametrize("name", BUNDLES)
def test_bundles_have_names(name: str) -> None:
    assert Style.parse(name) == BUNDLES[name]
