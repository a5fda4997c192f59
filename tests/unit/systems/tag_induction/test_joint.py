from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from tests.unit.systems.tag_induction import planted_classes
from tests.unit.systems.tag_induction.test_word_class_inducer import text_of
from tests.unit.treebank.small_trees import sentences
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.systems.tag_induction.encoded_text import encode
from treegauge.systems.tag_induction.joint import Joint, count_dependent_classes, v_measure
from treegauge.systems.tag_induction.type_features import count_head_classes
from treegauge.systems.tag_induction.word_class_inducer import by_size
from treegauge.treebank import Treebank, punctuation_mask, tree_flaws

pytestmark = pytest.mark.long

FEW = {"classes": 4, "sweeps": 10}


@pytest.fixture(scope="module")
def toy() -> Treebank:
    """A toy language, with trees."""
    return tg.toy_treebank("toy:svo", part="test")[:40]


@pytest.fixture(scope="module")
def fitted(toy) -> Joint:
    return make_system("joint", {**FEW, "rounds": 2, "agreement": 1.0}).fit(toy)


def test_tags_and_trees_come_from_bare_words(fitted, toy) -> None:
    answer = fitted.annotate(toy)
    assert fitted.supervision == "unsupervised"
    assert len(set(answer.upos)) <= 4
    assert not tree_flaws(answer).any()
    by_form = dict(zip(toy.form, answer.upos, strict=True))
    assert list(answer.upos) == [by_form[form] for form in toy.form]
    bare = Treebank({"form": toy.form}, None, offsets=toy.offsets)
    assert fitted.annotate(bare).upos == answer.upos


def test_gold_makes_no_difference(toy, fitted) -> None:
    blind = make_system("joint", {**FEW, "rounds": 2, "agreement": 1.0}).fit(
        toy.blind(heads=True, tags=True)
    )
    assert blind.tagger.class_of_type.tolist() == fitted.tagger.class_of_type.tolist()
    assert blind.annotate(toy).head.tolist() == fitted.annotate(toy).head.tolist()


def test_the_loop_by_its_parts(toy, fitted) -> None:
    """Two rounds, step by step, with the systems themselves."""
    toy = toy.blind(heads=True, tags=True)
    text = encode(toy)
    mixture = make_system("bmmm", FEW).fit(toy)
    agreements = []
    classes = mixture.class_of_type
    for _ in range(2):
        tagged = mixture.annotate(toy)
        heads = make_system("klein-manning-dmv").fit(tagged).annotate(tagged).head
        heads = np.where(punctuation_mask(toy), -1, heads)
        table = count_head_classes(text, heads, classes, int(classes.max()) + 1)
        induced = make_system("bmmm", FEW).induce(text, head_classes=table, begin=classes)
        new = by_size(induced, text.counts)
        agreements.append(v_measure(classes, new, text.counts))
        mixture.class_of_type = classes = new
    assert fitted.agreements == agreements
    assert fitted.tagger.class_of_type.tolist() == classes.tolist()


def test_it_ends_when_classes_come_to_rest(toy) -> None:
    system = make_system("joint", {**FEW, "rounds": 4, "agreement": 0.0}).fit(toy)
    assert len(system.agreements) == 1
    assert system.has_converged


def test_dependents_count_as_well(toy) -> None:
    one, other = (
        make_system("joint", {**FEW, "rounds": 1, "dependents": dependents}).fit(toy)
        for dependents in (False, True)
    )
    assert one.tagger.history != other.tagger.history


def test_dependents_by_hand() -> None:
    text = encode(text_of(["a", "b", "a"], ["b", "c"]))  # a 0, b 1, c 2
    heads = np.array([2, 0, 2, 2, -1])
    table = count_dependent_classes(text, heads, np.array([0, 1, 1]), 2)
    # b has two of class 0 (a); c has one of class 1 (b).
    assert table.tolist() == [[0, 0, 0], [2, 0, 0], [0, 1, 0]]


@examples(60)
@given(st.data(), st.integers(1, 8))
def test_v_measure_is_that_of_the_definition(data, n):
    one, other = (
        np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))) for _ in "ab"
    )
    counts = np.array(data.draw(st.lists(st.integers(1, 5), min_size=n, max_size=n)))
    found = v_measure(one, other, counts)
    assert 0 <= found <= 1
    assert found == pytest.approx(v_measure(other, one, counts), abs=1e-12)
    assert v_measure(one, one, counts) == pytest.approx(1)
    if len(set(one.tolist())) > 1 or len(set(other.tolist())) > 1:
        by_word = planted_classes.v_measure(np.repeat(one, counts), np.repeat(other, counts))
        assert found == pytest.approx(by_word / 100, abs=1e-12)


def test_models_come_back(fitted, toy, tmp_path) -> None:
    fitted.save(tmp_path / "model")
    back = load_system(tmp_path / "model")
    answer, expected = back.annotate(toy), fitted.annotate(toy)
    assert answer.upos == expected.upos
    assert answer.head.tolist() == expected.head.tolist()
    assert back.agreements == fitted.agreements
    assert back.describe_grammar(3) == fitted.describe_grammar(3)
    arrays, facts = fitted.state()
    arrays["tagger.class_of_type"] = arrays["tagger.class_of_type"][:-1]
    with pytest.raises(SystemsError, match="damaged"):
        make_system("joint").restore(arrays, facts)


def test_the_same_system_can_be_fitted_again(toy, fitted) -> None:
    again = make_system("joint", {**FEW, "rounds": 2, "agreement": 1.0})
    again.fit(toy[:10]).fit(toy)
    assert again.tagger.class_of_type.tolist() == fitted.tagger.class_of_type.tolist()


@pytest.mark.parametrize(
    "words",
    [
        sentences("one/X", "one/X", "two/X ./X"),
        sentences("New/X York/X", "./X", "a/X b/X c/X"),
    ],
    ids=["one-word sentences", "a mark alone"],
)
def test_odd_texts(words) -> None:
    system = make_system("joint", {"sweeps": 5, "rounds": 2}).fit(words)
    assert not tree_flaws(system.annotate(words)).any()


def test_nothing_but_punctuation() -> None:
    with pytest.raises(SystemsError, match="nothing to learn from but punctuation"):
        make_system("joint", {"sweeps": 2}).fit(text_of([".", "!"]))


def test_progress_goes_to_the_end(toy) -> None:
    told: list[float] = []
    make_system("joint", {**FEW, "rounds": 2, "agreement": 1.0}).fit(
        toy[:10], on_progress=lambda share, _line: told.append(share)
    )
    assert told == sorted(told)
    assert told[-1] <= 1
