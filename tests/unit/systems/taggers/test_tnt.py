from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.treebank.small_trees import sentences
from treegauge.systems import make_system
from treegauge.systems.taggers.lexicon import Lexicon
from treegauge.systems.taggers.tnt import (
    EndingModel,
    deleted_interpolation,
    ending_weight,
    interpolated,
)
from treegauge.systems.taggers.trigram_counts import TrigramCounts
from treegauge.treebank import Column

A, B, C, END = range(4)
# The tag sentences AB, AB and AC: nine outcomes with the ends.
HAND = TrigramCounts.of(np.array([A, B, A, B, A, C]), np.array([0, 2, 4, 6]), n_states=3)


@pytest.mark.parametrize(
    ("tie", "ninths"),
    [
        # (start, start, A), (start, A, B) and (A, B, end), seven together, are equally well
        # predicted by bigrams and trigrams; (start, A, C) by none; (A, C, end) by unigrams alone.
        ("low", (2, 7, 0)),
        ("high", (1, 0, 8)),
        ("split", (1 + 1 / 3, 3.5 + 1 / 3, 3.5 + 1 / 3)),
    ],
)
def test_weights_of_a_hand_worked_example(tie, ninths) -> None:
    assert deleted_interpolation(HAND, tie=tie) == pytest.approx([n / 9 for n in ninths])


def test_transitions_of_a_hand_worked_example() -> None:
    found = interpolated(HAND, (0.2, 0.3, 0.5))

    def p(c: int, a: int, b: int) -> float:
        return float(found.rows[found.row_of[a, b], c])

    # f(B) = 2 of 9; after A, and after start A, it is 2 of 3.
    assert p(B, END, A) == pytest.approx(0.2 * 2 / 9 + 0.3 * 2 / 3 + 0.5 * 2 / 3)
    assert p(A, END, END) == pytest.approx(0.2 * 3 / 9 + 0.3 + 0.5)
    # B A was never seen; A was.
    assert p(B, B, A) == pytest.approx(0.2 * 2 / 9 + 0.3 * 2 / 3)
    assert p(END, A, B) == pytest.approx(0.2 * 3 / 9 + 0.3 + 0.5)


tag_sentences = st.lists(
    st.lists(st.integers(0, 3), min_size=1, max_size=6), min_size=1, max_size=8
)


def slow_weights(text: list[list[int]], tie: str) -> list[float]:
    """Return the weights as Brants's figure 1 has them, with dictionaries."""
    three, context, two, second, one = ({} for _ in range(5))
    n = 0
    for sentence in text:
        padded = [-1, -1, *sentence, -2]
        for a, b, c in zip(padded, padded[1:], padded[2:], strict=False):
            for table, key in (
                (three, (a, b, c)),
                (context, (a, b)),
                (two, (b, c)),
                (second, b),
                (one, c),
            ):
                table[key] = table.get(key, 0) + 1
            n += 1

    def divided(above: int, below: int) -> float:
        return above / below if below else 0.0

    weights = [0.0, 0.0, 0.0]
    for (a, b, c), f in three.items():
        votes = [
            divided(one[c] - 1, n - 1),
            divided(two[b, c] - 1, second[b] - 1),
            divided(f - 1, context[a, b] - 1),
        ]
        winners = [i for i in range(3) if math.isclose(votes[i], max(votes))]
        winners = {"low": winners[:1], "high": winners[-1:], "split": winners}[tie]
        for winner in winners:
            weights[winner] += f / len(winners)
    return [weight / sum(weights) for weight in weights]


@examples(100)
@given(tag_sentences, st.sampled_from(["low", "high", "split"]))
def test_weights_agree_with_a_slow_twin_and_sum_to_one(text: list, tie) -> None:
    flat = np.array([tag for sentence in text for tag in sentence])
    counts = TrigramCounts.of(flat, np.cumsum([0, *map(len, text)]), n_states=4)
    weights = deleted_interpolation(counts, tie=tie)
    assert weights == pytest.approx(slow_weights(text, tie))
    assert sum(weights) == pytest.approx(1)
    transitions = interpolated(counts, weights)
    seen = transitions.row_of[counts.first, counts.second]
    assert transitions.rows[seen].sum(axis=1) == pytest.approx(1)
    assert (transitions.rows.sum(axis=1) <= 1 + 1e-12).all()


# ------------------------------------------------------------------ unknown words


def lexicon_of(*words: str) -> Lexicon:
    """Make a lexicon of `form/tag` words; tags are numbers."""
    forms = Column.from_strings([word.split("/")[0] for word in words]).compact()
    return Lexicon.of(forms, np.array([int(word.split("/")[1]) for word in words], np.int32), 2)


def test_endings_of_a_hand_worked_example() -> None:
    lexicon = lexicon_of("ba/0", "ca/1", "da/0", "da/0")
    prior = np.array([0.75, 0.25])
    model = EndingModel.of(lexicon, np.zeros(3, np.int64), prior, longest=10, rare=10, theta=0.5)
    shares = model.shares(("xy", "xa", "xca", "ca"), np.zeros(4, np.int64))
    assert shares[:, 0] == pytest.approx(
        [
            0.75,  # no ending is known: all words of the tree, and the prior
            0.75,  # three of four words in -a
            (0 + 0.5 * 0.75) / 1.5,  # the one word in -ca has tag 1
            (0 + 0.5 * 0.75) / 1.5,
        ]
    )


def test_only_rare_words_teach_endings() -> None:
    lexicon = lexicon_of("ba/0", "ca/1", "da/0", "da/0")
    model = EndingModel.of(
        lexicon, np.zeros(3, np.int64), np.array([0.75, 0.25]), longest=10, rare=1, theta=1.0
    )
    shares = model.shares(("xa",), np.zeros(1, np.int64))
    assert shares[0, 0] == pytest.approx((0.5 + (0.5 + 0.75) / 2) / 2)


def test_groups_of_words_have_endings_of_their_own() -> None:
    lexicon = lexicon_of("ba/0", "Ca/1")
    model = EndingModel.of(
        lexicon, np.array([0, 1]), np.array([0.5, 0.5]), longest=3, rare=10, theta=0.0
    )
    assert model.shares(("xa", "Xa"), np.array([0, 1])).tolist() == [[1, 0], [0, 1]]


def test_the_weight_of_shorter_endings() -> None:
    shares = np.array([0.75, 0.25])
    assert ending_weight(shares) == pytest.approx(math.sqrt(1 / 8))
    assert ending_weight(shares, variance=True) == pytest.approx(1 / 8)
    assert ending_weight(np.ones(1)) == 0


words = st.text("abÅ", min_size=1, max_size=4)


@examples(60)
@given(st.lists(st.tuples(words, st.integers(0, 2)), min_size=1, max_size=12), words)
def test_shares_of_unknown_words_sum_to_one_and_agree_with_a_slow_twin(seen: list, word) -> None:
    forms = Column.from_strings([form for form, _ in seen]).compact()
    tags = np.array([tag for _, tag in seen], np.int32)
    prior, theta = np.array([0.2, 0.3, 0.5]), 0.25
    lexicon = Lexicon.of(forms, tags, 3)
    model = EndingModel.of(
        lexicon, np.zeros(len(lexicon), np.int64), prior, longest=2, rare=99, theta=theta
    )
    found = model.shares((word,), np.zeros(1, np.int64))[0]
    expected = prior
    for length in range(min(2, len(word)) + 1):
        alike = [t for form, t in seen if form.endswith(word[len(word) - length :])]
        if not alike:
            break
        relative = np.bincount(alike, minlength=3) / len(alike)
        expected = (relative + theta * expected) / (1 + theta)
    assert found == pytest.approx(expected)
    assert found.sum() == pytest.approx(1)


# ------------------------------------------------------------------ the tagger


def test_known_words_have_only_tags_that_were_seen() -> None:
    train = sentences("a/X b/Y a/X b/Z", "b/Y a/X")
    answer = make_system("tnt").fit(train).annotate(sentences("a/_ a/_ a/_ b/_ b/_"))
    assert list(answer.upos)[:3] == ["X", "X", "X"]
    assert set(list(answer.upos)[3:]) <= {"Y", "Z"}


def test_context_decides() -> None:
    train = sentences(*["to/PART fish/VERB", "the/DET fish/NOUN"] * 3)
    tagger = make_system("tnt").fit(train)
    assert list(tagger.annotate(sentences("the/_ fish/_")).upos) == ["DET", "NOUN"]
    assert list(tagger.annotate(sentences("to/_ fish/_")).upos) == ["PART", "VERB"]


def test_endings_are_of_characters_and_not_of_bytes() -> None:
    train = sentences("лес/N дом/N писать/V читать/V", "кот/N спать/V")
    tagger = make_system("tnt", {"longest_ending": 3}).fit(train)
    assert list(tagger.annotate(sentences("играть/_")).upos) == ["V"]


@pytest.mark.parametrize("states", [True, False])
def test_capitals_decide_where_endings_do_not(states: bool) -> None:
    train = sentences(*["we/PRON saw/VERB Ada/PROPN", "we/PRON saw/VERB cats/NOUN"] * 2)
    tagger = make_system("tnt", {"capital_states": states}).fit(train)
    assert list(tagger.annotate(sentences("we/_ saw/_ Zoë/_")).upos)[2] == "PROPN"
    assert list(tagger.annotate(sentences("we/_ saw/_ zoë/_")).upos)[2] == "NOUN"


def test_an_unknown_word_has_the_tags_it_has_in_lower_case() -> None:
    train = sentences("birds/NOUN sing/VERB", "Swim/VERB in/ADP Oslo/PROPN", "Ada/PROPN swims/VERB")
    text = sentences("Sing/_")
    assert list(make_system("tnt").fit(train).annotate(text).upos) == ["VERB"]
    as_in_the_paper = make_system("tnt", {"lower_case": False}).fit(train)
    assert list(as_in_the_paper.annotate(text).upos) != ["VERB"]
