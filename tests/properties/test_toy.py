"""Whatever is asked for, a toy treebank is a valid treebank of its language."""

from __future__ import annotations

from functools import cache

import numpy as np
from hypothesis import given, strategies as st

from tests.examples import examples
from treegauge.formats import parse, to_text
from treegauge.toys import TOY_LANGUAGES, toy_dictionary, toy_treebank
from treegauge.treebank import Column, Treebank, tree_flaws

requests = st.fixed_dictionaries(
    {
        "name": st.sampled_from(sorted(TOY_LANGUAGES)),
        "tokens": st.integers(0, 800),
        "part": st.sampled_from(["train", "dev", "test"]),
        "seed": st.integers(0, 2**40),
        "nonprojective": st.none() | st.floats(0, 1),
    }
)
dictionary_of = cache(toy_dictionary)


def without_coarse_tags(treebank: Treebank) -> Treebank:
    return treebank.replace(columns={"cpos": Column.constant("_", treebank.n_words)})


@examples(40)
@given(requests)
def test_any_request_gives_valid_trees_of_the_language(request: dict) -> None:
    treebank = toy_treebank(**request)
    assert treebank.n_words >= request["tokens"]
    assert not tree_flaws(treebank).any()
    dictionary = dictionary_of(request["name"])
    pairs = zip(treebank.form, treebank.upos, strict=True)
    assert all(tag in dictionary[form] for form, tag in pairs)
    if len(treebank):
        read = parse(to_text(treebank), format="conllu", strict=True)
        assert read == without_coarse_tags(treebank)


@examples(40)
@given(requests, st.integers(0, 800))
def test_any_smaller_treebank_is_a_beginning(request: dict, tokens: int) -> None:
    one = toy_treebank(**request)
    other = toy_treebank(**{**request, "tokens": tokens})
    shorter, longer = sorted([one, other], key=len)
    assert longer[: len(shorter)] == shorter


@examples(40)
@given(requests)
def test_projectivity_is_all_or_nothing_at_the_ends(request: dict) -> None:
    for share in (0, 1):
        treebank = toy_treebank(**{**request, "nonprojective": share})
        assert all(crosses(sentence.heads) == bool(share) for sentence in treebank)


def crosses(heads: list[int]) -> bool:
    """Whether two arcs cross, the one from the root to position 0 included."""
    arcs = [tuple(sorted((dependent, head))) for dependent, head in enumerate(heads, start=1)]
    starts, ends = np.array(arcs).T
    inside = (starts[:, None] < starts) & (starts < ends[:, None])
    return bool((inside & (ends > ends[:, None])).any())
