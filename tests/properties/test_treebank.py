from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.properties.treebank_strategies import (
    Heads,
    columns,
    forests,
    masks,
    treebanks,
    trees,
    with_heads,
)
from treegauge.treebank import (
    Column,
    Treebank,
    TreeFlaw,
    concatenate,
    keep_words,
    restore_words,
    tree_flaws,
)

patient = examples()

Masked = tuple[list[Heads], list[list[bool]]]


def masked(heads: st.SearchStrategy[Heads]) -> st.SearchStrategy[Masked]:
    """Sentences, and for each of them which words are kept."""

    def with_masks(sentences: list[Heads]) -> st.SearchStrategy[Masked]:
        return st.tuples(st.just(sentences), st.tuples(*(masks(len(s)) for s in sentences)))

    return st.lists(heads, min_size=1, max_size=4).flatmap(with_masks)


def flat(keep: list[list[bool]]) -> np.ndarray:
    return np.array([kept for sentence in keep for kept in sentence], np.bool_)


# ---------------------------------------------------------------------- the slow twins


def nearest_kept(heads: Heads, keep: list[bool], word: int) -> int:
    """The nearest ancestor that is kept; 0 or -1 where the way up ends before."""
    head = heads[word - 1]
    if head <= 0 or keep[head - 1]:
        return head
    return nearest_kept(heads, keep, head)


def reduced_heads(heads: Heads, keep: list[bool]) -> Heads:
    """Heads of the kept words, straight from the definition."""
    kept = [word for word in range(1, len(heads) + 1) if keep[word - 1]]
    nearest = [nearest_kept(heads, keep, word) for word in kept]
    return [kept.index(head) + 1 if head > 0 else head for head in nearest]


def ancestors(heads: Heads, word: int) -> set[int]:
    """All words above a word."""
    above = set()
    while heads[word - 1] > 0:
        word = heads[word - 1]
        above.add(word)
    return above


def heads_of(treebank: Treebank) -> list[Heads]:
    return [sentence.heads for sentence in treebank]


# ---------------------------------------------------------------------- removing words


@patient
@given(masked(forests()))
def test_removal_is_its_definition(sentences_and_masks: Masked) -> None:
    sentences, keep = sentences_and_masks
    made = keep_words(with_heads(sentences), flat(keep))
    assert heads_of(made) == [reduced_heads(h, k) for h, k in zip(sentences, keep, strict=True)]
    kept_forms = [
        f"{s}.{i}" for s, k in enumerate(keep) for i, kept in enumerate(k, start=1) if kept
    ]
    assert list(made.form) == kept_forms
    assert made.original_positions.tolist() == [int(form.split(".")[1]) for form in kept_forms]
    assert made.original_lengths.tolist() == [len(heads) for heads in sentences]


@patient
@given(masked(forests()))
def test_removal_makes_no_cycles_and_keeps_ancestors(sentences_and_masks: Masked) -> None:
    sentences, keep = sentences_and_masks
    made = keep_words(with_heads(sentences), flat(keep))
    assert not (tree_flaws(made) & (TreeFlaw.CYCLE | TreeFlaw.OUTSIDE)).any()
    for before, kept, after in zip(sentences, keep, heads_of(made), strict=True):
        position = [word for word in range(1, len(before) + 1) if kept[word - 1]]
        for new, old in enumerate(position, start=1):
            above = {position[ancestor - 1] for ancestor in ancestors(after, new)}
            assert above == ancestors(before, old) & set(position)


@patient
@given(masked(forests()))
def test_removal_in_two_steps_is_removal_in_one(sentences_and_masks: Masked) -> None:
    sentences, keep = sentences_and_masks
    whole, once = with_heads(sentences), flat(keep)
    first = once | (np.arange(len(once)) % 2 == 0)
    in_steps = keep_words(keep_words(whole, first), once[first])
    assert in_steps == keep_words(whole, once)


# ---------------------------------------------------------------------- the way back


@patient
@given(masked(trees()))
def test_kept_words_get_their_heads_back(sentences_and_masks: Masked) -> None:
    sentences, keep = sentences_and_masks
    # Nobody loses a head: whoever has a kept word below is kept as well.
    closed = [
        [
            kept or any(k and word in ancestors(h, low) for low, k in enumerate(keeping, start=1))
            for word, kept in enumerate(keeping, start=1)
        ]
        for h, keeping in zip(sentences, keep, strict=True)
    ]
    whole, mask = with_heads(sentences), flat(closed)
    back = restore_words(keep_words(whole, mask), whole)
    assert back.head[mask].tolist() == whole.head[mask].tolist()
    # With one root, all else hangs on it, and the whole is a tree.
    assert not tree_flaws(back).any()
    assert back.form == whole.form


@patient
@given(masked(trees()))
def test_there_and_back_and_there_again(sentences_and_masks: Masked) -> None:
    sentences, keep = sentences_and_masks
    whole, mask = with_heads(sentences), flat(keep)
    once = keep_words(whole, mask)
    back = restore_words(once, whole)
    assert heads_of(keep_words(back, mask)) == heads_of(once)
    # Other words hang on a root; nothing hangs on itself or outside.
    assert not (tree_flaws(back) & ~np.uint8(TreeFlaw.SEVERAL_ROOTS)).any()


@patient
@given(masked(trees()), st.randoms(use_true_random=False))
def test_restored_words_are_never_in_a_cycle_of_their_own(
    sentences_and_masks: Masked, dice: random.Random
) -> None:
    # Whatever a system predicted, a word that was not kept hangs on one that was.
    sentences, keep = sentences_and_masks
    whole, mask = with_heads(sentences), flat(keep)
    once = keep_words(whole, mask)
    predicted = [dice.randint(-1, int(n)) for n in np.repeat(once.lengths, once.lengths)]
    back = restore_words(once.replace(head=predicted), whole)
    for heads, kept in zip(heads_of(back), keep, strict=True):
        outside = {heads[word] for word in range(len(heads)) if not kept[word]}
        assert len(outside - {0}) <= 1
        assert all(kept[head - 1] for head in outside if any(kept))


# ---------------------------------------------------------------------- sentences


@patient
@given(treebanks(), st.integers(0, 2**32))
def test_shuffling_can_be_undone(treebank: Treebank, seed: int) -> None:
    n = len(treebank)
    numbered = Treebank(
        treebank.columns,
        treebank.head,
        offsets=treebank.offsets,
        side_lines=treebank.side_lines,
        origin=treebank.origin,
        first_lines=np.arange(1, n + 1),
    )
    shuffled = numbered.shuffled(seed=seed)
    assert sorted(shuffled.first_lines.tolist()) == list(range(1, n + 1))
    assert shuffled[np.argsort(shuffled.first_lines)] == numbered


@patient
@given(treebanks(), st.data())
def test_slices_make_the_whole_again(treebank: Treebank, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(treebank)), max_size=3)))
    bounds = [0, *cuts, len(treebank)]
    pieces = [treebank[a:b] for a, b in pairwise(bounds)]
    whole = concatenate(pieces)
    assert whole == treebank
    assert whole.fingerprint == treebank.fingerprint
    assert whole.sentence_ids == treebank.sentence_ids


@patient
@given(treebanks(), st.data())
def test_chosen_sentences_are_those_sentences(treebank: Treebank, data: st.DataObject) -> None:
    n = len(treebank)
    chosen = data.draw(st.lists(st.integers(-n, n - 1), max_size=5)) if n else []
    made = treebank[chosen]
    assert len(made) == len(chosen)
    for sentence, index in zip(made, chosen, strict=True):
        original = treebank[index]
        assert str(sentence) == str(original)
        assert sentence.heads == original.heads
        assert [word.upos for word in sentence] == [word.upos for word in original]
        assert sentence.comments == original.comments


@patient
@given(treebanks())
def test_equal_treebanks_have_equal_fingerprints(treebank: Treebank) -> None:
    compact = treebank.replace(columns={k: c.compact() for k, c in treebank.columns.items()})
    assert compact == treebank
    assert compact.fingerprint == treebank.fingerprint


# ---------------------------------------------------------------------- columns


@patient
@given(columns())
def test_compact_twice_is_compact_once(column: Column) -> None:
    once = column.compact()
    twice = once.compact()
    assert list(once) == list(column)
    assert twice.codes.tolist() == once.codes.tolist()
    assert list(twice.vocabulary) == list(once.vocabulary)
    assert set(once.vocabulary) == set(column)


@patient
@given(columns(), columns())
def test_columns_are_equal_when_their_strings_are(one: Column, other: Column) -> None:
    assert (one == other) == (list(one) == list(other))
    assert one == Column.from_strings(list(one))


@patient
@given(st.lists(columns(), max_size=4))
def test_concatenated_columns(parts: list[Column]) -> None:
    assert list(Column.concatenate(parts)) == [value for part in parts for value in part]


@patient
@given(st.lists(st.text(max_size=12), max_size=40))
def test_strings_come_back_from_codes(strings: list[str]) -> None:
    column = Column.from_strings(strings)
    assert list(column) == strings
    assert list(column.vocabulary) == list(dict.fromkeys(strings))
