"""Pilot parsers, against the same written out, and with a parser that can be followed by hand."""

from __future__ import annotations

import numpy as np
import pytest

import treegauge as tg
from treegauge.evaluation import pilot_parsers
from treegauge.evaluation.pilot_parsers import (
    DRAWS,
    PARSED_WORDS,
    PILOT_SETTINGS,
    PILOT_WORDS,
    SHARES,
    run_pilots,
    sentences_within,
    with_trees,
)
from treegauge.systems.registry import make_system


class _Chains:
    """Hangs every word on the one before it, and calls all of them the same."""

    def __init__(self, seen):
        self.seen = seen

    def fit(self, treebank):
        self.seen.append(("learnt", treebank))
        return self

    def annotate(self, treebank):
        self.seen.append(("parsed", treebank))
        first = np.repeat(treebank.offsets[:-1], treebank.lengths)
        relations = tg.Column.constant("dep", treebank.n_words)
        return treebank.replace(
            head=np.arange(treebank.n_words) - first, columns={"deprel": relations}
        )


@pytest.fixture
def seen(monkeypatch):
    seen = []
    monkeypatch.setattr(pilot_parsers, "make_system", lambda _, __: _Chains(seen))
    return seen


def _text(sentences):
    """Return sentences `a b c .`: b is the root, the others hang on it, c is called dep."""
    lines = ["a\tDET\t2\tdet", "b\tNOUN\t0\troot", "c\tX\t2\tdep", ".\tPUNCT\t2\tpunct"]
    rows = [line.split("\t") for line in lines]
    text = "".join(
        f"{i}\t{form}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_\n"
        for i, (form, tag, head, relation) in enumerate(rows, start=1)
    )
    return tg.parse(f"{text}\n" * sentences)


@pytest.mark.usefixtures("seen")
def test_only_words_that_are_not_punctuation_count():
    """Of `a b c`, the chain hangs c rightly, and is right to call it dep."""
    found = run_pilots(_text(100))
    assert found.uas == pytest.approx([1 / 3] * len(SHARES))
    assert found.las == pytest.approx([1 / 3] * len(SHARES))
    assert found.words == 200  # half of four hundred


def test_no_pilot_parses_what_it_has_learnt(seen):
    treebank = tg.toy_treebank("toy:svo", tokens=20_000)
    forms = np.array([f"w{i}" for i in range(treebank.n_words)])
    marked = treebank.replace(columns={"form": tg.Column.from_strings(forms.tolist())})
    found = run_pilots(marked)
    assert len(seen) == 2 * DRAWS * len(SHARES)
    longest = int(treebank.lengths.max())
    for (_, learnt), (_, parsed) in zip(seen[::2], seen[1::2], strict=True):
        assert not set(learnt.form) & set(parsed.form)
        assert learnt.n_words <= PILOT_WORDS + longest
        assert abs(parsed.n_words - PARSED_WORDS) <= longest
    for whole, half, quarter in zip(
        *(seen[2 * i :: 2 * len(SHARES)] for i in range(3)), strict=True
    ):
        assert set(quarter[1].form) < set(half[1].form) < set(whole[1].form)
    assert found.words == pytest.approx(PILOT_WORDS, abs=longest)


def test_pilots_are_parsers_that_anybody_can_train():
    """The same, with the public functions."""
    text = tg.toy_treebank("toy:free", tokens=1000)
    right, words = np.zeros(2), 0
    for draw in range(DRAWS):
        order = np.random.default_rng(draw).permutation(text.n_sentences)
        sums = np.cumsum(text.lengths[order])
        n = int(np.argmin(np.abs(sums - text.n_words / 2))) + 1
        train, test = (text.take(np.sort(part)) for part in (order[:n], order[n:]))
        parsed = make_system("transition", PILOT_SETTINGS).fit(train).annotate(test)
        scores = tg.evaluate(
            test, parsed, metrics=["uas", "las"], conventions=tg.preset("conll2006"), resamples=0
        )
        right += [scores[name].value * scores[name].n for name in ("uas", "las")]
        words += scores["uas"].n
    found = run_pilots(text)
    assert (found.uas[0], found.las[0]) == pytest.approx(tuple(right / words))


def test_sentences_without_a_tree_are_left_out():
    text = _text(3)
    head = text.head.copy()
    head[0] = 1  # a hangs on itself
    head[8:] = -1  # the last sentence has no heads
    assert with_trees(text.replace(head=head)).n_sentences == 1


def test_as_many_sentences_as_come_nearest():
    text = tg.parse("a b c\n\nd e\n\nf g h i\n", format="tokens")
    assert [sentences_within(text, [0, 1, 2], words) for words in (1, 4.1, 5, 7.1, 100)] == [
        *(1, 2, 2, 3, 3),
    ]
