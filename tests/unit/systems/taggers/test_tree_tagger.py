from __future__ import annotations

import numpy as np
import pytest

from tests.unit.treebank.small_trees import sentences
from treegauge.systems import make_system
from treegauge.systems.taggers.lexicon import Lexicon
from treegauge.systems.taggers.tree_tagger import (
    PrunedEndings,
    TreeTaggerSettings,
    open_classes,
    tag_shares_of_words,
)
from treegauge.treebank import Column


def lexicon_of(text: str, n_tags: int = 2) -> Lexicon:
    """Make a lexicon of `form/tag` words; tags are numbers."""
    words = [word.split("/") for word in text.split()]
    forms = Column.from_strings([form for form, _ in words]).compact()
    return Lexicon.of(forms, np.array([int(tag) for _, tag in words], np.int32), n_tags)


def test_words_with_the_same_set_of_tags_share_what_they_know() -> None:
    # a and b have both tags: three of tag 0, three of tag 1; c has tag 0 alone.
    lexicon = lexicon_of("a/0 a/0 a/1 b/0 b/1 b/1 c/0")
    own = [2 / 3, 1 / 3, 1 / 3, 2 / 3, 1.0]
    pooled = [0.5, 0.5, 0.5, 0.5, 1.0]
    assert tag_shares_of_words(lexicon, 2, 0.0) == pytest.approx(own)
    assert tag_shares_of_words(lexicon, 2, 1.0) == pytest.approx(pooled)
    assert tag_shares_of_words(lexicon, 2, 0.1) == pytest.approx(
        [0.9 * a + 0.1 * b for a, b in zip(own, pooled, strict=True)]
    )
    # Two more words of the class: (f + 2 P) / (n + 2).
    assert tag_shares_of_words(lexicon, 2, 0.0, 2.0)[:2] == pytest.approx([3 / 5, 2 / 5])


def test_open_classes_are_those_of_words_seen_once() -> None:
    lexicon = lexicon_of("a/0 b/0 c/0 d/1 e/2 e/2", 3)
    assert open_classes(lexicon, 3, 0.0).tolist() == [True, True, False]
    assert open_classes(lexicon, 3, 0.5).tolist() == [True, False, False]
    assert open_classes(lexicon_of("e/1 e/1"), 2, 0.1).tolist() == [True, True]


def endings(text: str, **settings) -> PrunedEndings:
    return PrunedEndings.of(lexicon_of(text), 2, TreeTaggerSettings(**settings))


def shares(model: PrunedEndings, word: str) -> dict[int, float]:
    (node,) = model.deepest((word,))
    here = slice(model.starts[node], model.starts[node + 1])
    return dict(zip(model.tags[here].tolist(), model.shares[here].tolist(), strict=True))


PLAIN = "ax/0 bx/0 cx/0 dx/0 ay/1 by/1 cy/1 dy/1"


def test_an_ending_stays_if_it_saves_enough_bits() -> None:
    # -x and -y save four bits each (4 words of 1 bit); longer endings save nothing more.
    kept = endings(PLAIN, ending_gain=4.0, ending_smoothing=0.0)
    assert kept.is_kept.sum() == 4  # two roots, two endings
    assert shares(kept, "wx") == {0: 1.0}
    assert shares(kept, "ay") == {1: 1.0}
    cut = endings(PLAIN, ending_gain=4.1, ending_smoothing=0.0)
    assert cut.is_kept.sum() == 2
    assert shares(cut, "wx") == {0: 0.5, 1: 0.5}


def test_an_ending_is_mixed_with_the_shorter_one() -> None:
    model = endings(PLAIN, ending_gain=4.0, ending_smoothing=0.5)
    assert shares(model, "wx")[1] == pytest.approx(0.5 * 0.5 / 1.5)


def test_words_without_a_known_ending_have_what_leaves_do_not_explain() -> None:
    text = PLAIN + " q/1 r/1"
    model = endings(text, ending_gain=2.0, ending_smoothing=0.0)
    assert shares(model, "wx") == {0: 1.0}
    # Eight words are explained by -x and -y; q and r are left.
    assert shares(model, "zzz") == {1: 1.0}


def test_capitalised_words_have_endings_of_their_own() -> None:
    text = "ax/0 bx/0 cx/0 Ax/1 Bx/1 Cx/1"
    model = endings(text, ending_smoothing=0.0)
    assert shares(model, "Wx") == {1: 1.0}
    assert shares(model, "wx") == {0: 1.0}
    together = endings(text, ending_smoothing=0.0, capital_endings=False)
    assert shares(together, "Wx") == shares(together, "wx") == {0: 0.5, 1: 0.5}


TRAIN = sentences("we/PRON fish/VERB in/ADP ponds/NOUN", "they/PRON fish/VERB")


@pytest.mark.parametrize(
    ("word", "entry"),
    [
        ("ponds", "ponds"),
        ("PONDS", "ponds"),
        ("carp-ponds", "ponds"),
        ("Carp-Ponds", None),  # variants are not combined
        ("carp", None),
    ],
)
def test_a_word_is_looked_up_in_several_ways(word: str, entry: str | None) -> None:
    tagger = make_system("tree").fit(TRAIN)
    (found,) = tagger._looked_up(Column.from_strings([word]).vocabulary).tolist()
    assert (tagger._lexicon.forms[found] if found >= 0 else None) == entry


def test_context_decides() -> None:
    train = sentences(*["to/PART fish/VERB", "the/DET fish/NOUN"] * 3)
    tagger = make_system("tree").fit(train)
    assert list(tagger.annotate(sentences("the/_ fish/_")).upos) == ["DET", "NOUN"]
    assert list(tagger.annotate(sentences("To/_ fish/_")).upos) == ["PART", "VERB"]
