from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.treebank.small_trees import sentences
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.systems.tag_induction.encoded_text import EncodedText, encode
from treegauge.systems.tag_induction.suffix_neighbours import SuffixNeighbours
from treegauge.systems.tag_induction.word_class_inducer import WordClassInducer, by_size
from treegauge.treebank import Column, Treebank

NAMES = ("brown", "mkcls", "predictive-exchange")
TEXT = sentences(
    "the/X cat/X sees/X a/X dog/X ./X",
    "a/X dog/X sees/X the/X cat/X ./X",
    "the/X dog/X sleeps/X ./X",
    "Cats/X sleep/X ./X",
)


def text_of(*written: list[str]) -> Treebank:
    words = [word for sentence in written for word in sentence]
    lengths = [len(sentence) for sentence in written]
    return Treebank({"form": Column.from_strings(words)}, None, offsets=np.cumsum([0, *lengths]))


class ByFirstLetter(WordClassInducer):
    """Puts types into classes by their first letters; those in brackets into none."""

    name = "by-first-letter"

    def _induce(self, text: EncodedText, _on_progress: object) -> np.ndarray:
        return np.array([-1 if form[0] == "(" else ord(form[0]) for form in text.forms], np.int32)


def test_types_are_numbered_by_frequency_and_then_by_first_occurrence() -> None:
    text = encode(text_of(["b", "a"], ["c", "a", "c"]))
    assert list(text.forms) == ["a", "c", "b"]
    assert text.counts.tolist() == [2, 2, 1]
    assert text.words.tolist() == [2, 0, 1, 0, 1]
    assert text.offsets.tolist() == [0, 2, 5]


def test_rare_types_leave_their_places() -> None:
    text = encode(text_of(["b", "a"], ["c", "a", "c"]))
    assert text.frequent(1) is text
    assert text.frequent(2).words.tolist() == [-1, 0, 1, 0, 1]
    assert list(text.frequent(2).forms) == ["a", "c"]
    assert text.frequent(3).n_types == 0


def test_case_and_digits_are_kept_unless_told() -> None:
    words = text_of(["A1", "a2", "a1"])
    assert encode(words).n_types == 3
    assert encode(words, fold_case=True).n_types == 2
    assert list(encode(words, fold_case=True, conflate_digits=True).forms) == ["a0"]
    system = ByFirstLetter({"fold_case": True}).fit(words)
    assert list(system.annotate(text_of(["A2", "a1"])).upos) == ["0", "0"]


def test_classes_are_numbered_by_size_and_then_by_their_first_type() -> None:
    answer = (
        ByFirstLetter()
        .fit(text_of(["xa", "ya", "yb", "za", "xb"]))
        .annotate(text_of(["za", "ya", "xa"]))
    )
    assert list(answer.upos) == ["2", "1", "0"]


def test_an_unseen_word_goes_with_the_longest_suffix_and_then_with_the_larger_class() -> None:
    system = ByFirstLetter().fit(text_of(["walking", "walked", "walks", "bring", "ring", "king"]))
    found = system.annotate(text_of(["talking", "sing", "xxx", "g", "(walked)"])).upos
    # talking: walking. sing: bring, ring, king and walking share "ing"; w is the largest class.
    # Nothing ends in x: the largest class.
    assert list(found) == ["0", "0", "0", "0", "0"]
    assert system.annotate(text_of(["bringing", "spring", "string"])).upos[1] == "1"


def test_a_type_without_a_class_is_like_an_unseen_one() -> None:
    system = ByFirstLetter().fit(text_of(["(a)", "b)", "c", "c"]))
    assert list(system.forms) == ["c", "b)"]
    assert list(system.annotate(text_of(["(a)"])).upos) == ["1"]
    with pytest.raises(SystemsError, match="no type got a class"):
        ByFirstLetter().fit(text_of(["(a)"]))


words = st.text("abc", max_size=5)


@examples(200)
@given(st.lists(words, min_size=1, max_size=8, unique=True), st.data())
def test_suffix_neighbours_are_those_of_a_search_of_all(known, data):
    classes = data.draw(st.lists(st.integers(0, 4), min_size=len(known), max_size=len(known)))
    word = data.draw(words)

    def shared(other: str) -> int:
        return max(k for k in range(len(word) + 1) if other.endswith(word[len(word) - k :]))

    longest = max(map(shared, known))
    expected = min(c for w, c in zip(known, classes, strict=True) if shared(w) == longest)
    assert SuffixNeighbours(known, classes).class_of(word) == expected


@examples(100)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 4)), min_size=1, max_size=10))
def test_numbering_by_size_keeps_the_partition_and_is_its_own_result(rows):
    classes, counts = (np.array(column) for column in zip(*rows, strict=True))
    numbered = by_size(classes, counts)
    assert len(set(zip(classes.tolist(), numbered.tolist(), strict=True))) == len(set(classes))
    assert by_size(numbered, counts).tolist() == numbered.tolist()
    assert (np.diff(np.bincount(numbered, weights=counts)) <= 0).all()


# ------------------------------------------------------------------ all three inducers


@pytest.mark.parametrize("name", NAMES)
def test_every_word_gets_a_class_and_nothing_of_the_gold_tags_stays(name) -> None:
    system = make_system(name, {"classes": 4})
    answer = system.fit(TEXT).annotate(TEXT)
    assert system.task == "tags"
    assert system.tags_types
    assert len(set(answer.upos)) == 4
    assert set(answer.upos) == {"0", "1", "2", "3"}
    by_form = dict(zip(TEXT.form, answer.upos, strict=True))
    assert list(answer.upos) == [by_form[form] for form in TEXT.form]
    assert not answer.xpos.is_annotated


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("classes", [1, 9, 10, 1000])
def test_there_are_as_many_classes_as_types_at_most(name, classes) -> None:
    answer = make_system(name, {"classes": classes, "fold_case": True}).fit(TEXT).annotate(TEXT)
    n_types = len({form.lower() for form in TEXT.form})
    if classes in (1, 1000) or name == "brown":
        assert len(set(answer.upos)) == min(classes, n_types)
    else:  # a class may end up empty
        assert len(set(answer.upos)) <= min(classes, n_types)


@pytest.mark.parametrize("name", NAMES)
def test_rare_types_go_by_their_suffix(name) -> None:
    words = text_of(["ab", "ab", "cd", "cd", "eb", "ed"])
    answer = make_system(name, {"classes": 2, "min_count": 2}).fit(words).annotate(words)
    tags = list(answer.upos)
    assert tags[4] == tags[0] != tags[2] == tags[5]
    with pytest.raises(SystemsError, match="no word occurs 3 times; lower min_count"):
        make_system(name, {"min_count": 3}).fit(words)


@pytest.mark.parametrize("name", NAMES)
def test_models_come_back(name, tmp_path) -> None:
    first = make_system(name, {"classes": 3}, seed=7).fit(TEXT)
    first.save(tmp_path / "model")
    back = load_system(tmp_path / "model")
    assert back.state()[1] == first.state()[1]
    assert back.forms == first.forms
    assert back.counts.tolist() == first.counts.tolist()
    assert back.annotate(TEXT).upos == first.annotate(TEXT).upos


@pytest.mark.parametrize("name", NAMES)
def test_damaged_models_are_refused(name) -> None:
    system = make_system(name, {"classes": 3}).fit(TEXT)
    arrays, facts = system.state()
    for key, value in (
        ("class_of_type", arrays["class_of_type"][:-1]),
        ("class_of_type", arrays["class_of_type"] - 1),
        ("class_of_type", arrays["class_of_type"].astype(float)),
        ("counts", arrays["counts"][::-1] + np.arange(len(arrays["counts"])) * 100),
        ("counts", arrays["counts"][None]),
    ):
        with pytest.raises(SystemsError, match="damaged"):
            make_system(name).restore(arrays | {key: value}, facts)


@pytest.mark.parametrize("name", NAMES)
def test_what_words_are_called_makes_no_difference(name) -> None:
    renamed = TEXT.replace(columns={"form": TEXT.form.map(lambda form: f"~{form[::-1]}")})
    system, other = (make_system(name, {"classes": 4}).fit(words) for words in (TEXT, renamed))
    assert system.class_of_type.tolist() == other.class_of_type.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_progress_goes_to_the_end(name) -> None:
    told: list[float] = []
    make_system(name, {"classes": 3}).fit(TEXT, on_progress=lambda share, _line: told.append(share))
    assert told == sorted(told)
    assert told[0] > 0
    assert told[-1] <= 1


def test_classes_in_words() -> None:
    shown = ByFirstLetter().fit(text_of(["xa", "xb", "xa", "y"])).describe_grammar(1)
    assert shown.splitlines() == [
        "2 classes: 3 types, 4 words",
        "   0   66.7% of types  75.0% of words  xa",
        "   1   33.3% of types  25.0% of words  y",
    ]
