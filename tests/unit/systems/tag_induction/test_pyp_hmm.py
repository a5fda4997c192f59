from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.systems.tag_induction import slow_pyp_hmm
from tests.unit.systems.tag_induction.enumerated_posterior import largest_deviation, posterior
from tests.unit.systems.tag_induction.planted_classes import planted, v_measure
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.systems.tag_induction.encoded_text import EncodedText, encode
from treegauge.systems.tag_induction.pitman_yor import Strength
from treegauge.systems.tag_induction.pyp_hmm import PypHmmState
from treegauge.systems.tag_induction.spelling import spell
from treegauge.systems.tag_induction.type_windows import type_windows
from treegauge.treebank import Column, Treebank

pytestmark = pytest.mark.long

SENTENCES = [["ab", "b", "ab"], ["ab", "ab", "ab", "cb"], ["b", "b"], ["cb"], ["ba", "b"]]


def treebank_of(sentences: list[list[str]]) -> Treebank:
    words = [word for sentence in sentences for word in sentence]
    offsets = np.cumsum([0, *map(len, sentences)])
    return Treebank({"form": Column.from_strings(words)}, None, offsets=offsets)


def text_of(sentences: list[list[str]]) -> EncodedText:
    return encode(treebank_of(sentences))


def slow_log_joint(state: PypHmmState, text: EncodedText, sentences, classes) -> float:
    class_of = dict(zip(text.forms, classes, strict=True))
    return slow_pyp_hmm.log_joint(
        sentences,
        class_of,
        state.n_classes,
        state.strengths,
        state.characters,
        state.spelling.n_symbols,
    )


FIBRES = ("begin", "filled", "room", "third", "often", "used")


def counts_of(state: PypHmmState) -> list[list[int]]:
    transitions = state.transitions
    # Fibres are in an order that tells the past.
    tables = [array for name, array in transitions._asdict().items() if name not in FIBRES]
    return [
        sorted(transitions.trigrams.tolist()),
        *(array.ravel().tolist() for array in (*tables, *state.emissions)),
    ]


strengths = st.builds(Strength, st.floats(0, 0.9), st.floats(0.1, 5))
word_lists = st.lists(
    st.lists(
        st.sampled_from(["a", "ab", "bb", "cab", "b", "abab", "c", "ca", "caab"]),
        min_size=1,
        max_size=8,
    ),
    min_size=1,
    max_size=6,
)


@examples(60)
@given(word_lists, st.integers(0, 3), st.data())
def test_joint_and_conditionals_are_those_of_the_definition(sentences, characters, data):
    text = text_of(sentences)
    n_classes = data.draw(st.integers(1, 7))
    classes = np.array(
        data.draw(
            st.lists(st.integers(0, n_classes - 1), min_size=text.n_types, max_size=text.n_types)
        )
    )
    state = PypHmmState(text, classes, n_classes, characters=characters)
    state.use_strengths({name: data.draw(strengths) for name in state.strengths})
    joint = slow_log_joint(state, text, sentences, classes.tolist())
    assert state.log_joint() == pytest.approx(joint, abs=1e-8)
    kind = data.draw(st.integers(0, text.n_types - 1))
    before = counts_of(state)
    scores = state.scores(kind)
    assert counts_of(state) == before
    for c in range(n_classes):
        moved = classes.copy()
        moved[kind] = c
        ratio = slow_log_joint(state, text, sentences, moved.tolist()) - joint
        assert scores[c] - scores[classes[kind]] == pytest.approx(ratio, abs=1e-8)


def test_the_joint_is_a_probability() -> None:
    # One class, two words, sentences of one word: "a" and "b" with a character each.
    # Tags: boundary -> 0 -> boundary, all of it certain but for the base of two tags.
    state = PypHmmState(text_of([["a"]]), np.array([0]), 1, characters=1)
    state.use_strengths(dict.fromkeys(state.strengths, Strength(0.0, 1.0)))
    # Two trigrams of one customer in three levels: (0, 1/2), then the end in a restaurant of its
    # own and one of bigrams, and at the unigrams b / (1 + b) x 1/2; spelling "a": 1/2, then the
    # end, new beside one of one: 1/2 x 1/2.
    assert np.exp(state.log_joint()) == pytest.approx((1 / 2) * (1 / 2 * 1 / 2) * 1 / 2 * 1 / 4)


def test_the_joint_does_not_know_the_names_of_classes() -> None:
    text = text_of(SENTENCES)
    joints = [
        PypHmmState(text, np.array(classes), 3, characters=2).log_joint()
        for classes in ([0, 1, 2, 1], [2, 0, 1, 0], [1, 2, 0, 2])
    ]
    assert joints[1:] == pytest.approx(joints[:1] * 2, abs=1e-9)


@pytest.mark.parametrize("characters", [0, 2])
def test_draws_are_from_the_posterior(characters) -> None:
    text = text_of(SENTENCES)
    assert text.n_types == 4
    state = PypHmmState(text, np.zeros(4, np.int32), 2, characters=characters)
    expected = posterior(lambda z: slow_log_joint(state, text, SENTENCES, z), 4, 2)
    assert 0.01 < max(expected.values()) < 0.6
    generator = np.random.default_rng(3)
    drawn = []
    for _ in range(20_000):
        state.sweep(1.0, generator)
        drawn.append(tuple(state.classes.tolist()))
    assert largest_deviation(expected, drawn) < 0.02


def test_a_temperature_flattens_the_posterior() -> None:
    text = text_of(SENTENCES)
    state = PypHmmState(text, np.zeros(4, np.int32), 2, characters=2)
    expected = posterior(lambda z: slow_log_joint(state, text, SENTENCES, z) / 2, 4, 2)
    generator = np.random.default_rng(3)
    drawn = []
    for _ in range(20_000):
        state.sweep(2.0, generator)
        drawn.append(tuple(state.classes.tolist()))
    assert largest_deviation(expected, drawn) < 0.02


def test_counts_after_sweeps_are_those_of_a_new_start() -> None:
    text = encode(planted(4, 40, 600)[0])
    generator = np.random.default_rng(0)
    state = PypHmmState(text, generator.integers(0, 6, text.n_types), 6)
    for _ in range(6):
        state.resample_strengths(generator)
        state.sweep(3.0, generator)
    fresh = PypHmmState(text, state.classes, 6)
    fresh.use_strengths(state.strengths)
    assert counts_of(fresh) == counts_of(state)


def test_classes_get_empty_and_fill_again() -> None:
    state = PypHmmState(text_of(SENTENCES), np.zeros(4, np.int32), 3, characters=1)
    generator = np.random.default_rng(0)
    used = []
    for _ in range(200):
        state.sweep(2.0, generator)
        used.append(len(set(state.classes.tolist())))
    assert set(used) == {1, 2, 3}
    assert any(used[i] < used[i + 1] for i in range(199))


def test_climbing_never_loses() -> None:
    text = encode(planted(4, 40, 600)[0])
    generator = np.random.default_rng(0)
    state = PypHmmState(text, generator.integers(0, 4, text.n_types), 4)
    joints = [state.log_joint()]
    while state.sweep(0.0, generator):
        joints.append(state.log_joint())
    assert joints == sorted(joints)
    assert len(joints) > 2


def test_windows_of_a_type_that_follows_itself_are_listed_once() -> None:
    windows = type_windows(np.array([0, 0, 0, 1], np.int32), np.array([0, 0, 3, 4, 4]), 2)
    listed = {
        w: [windows.types[i].tolist() for i in windows.windows[slice(*windows.starts[w : w + 2])]]
        for w in (0, 1)
    }
    assert listed[0] == [[0, 0, 0], [0, 0, 2], [2, 0, 0], [2, 2, 0]]
    assert listed[1] == [[2, 1, 2], [2, 2, 1]]
    assert windows.counts.sum() == 4 + 2  # every word and every end


def test_rare_characters_are_one() -> None:
    few = spell(["ab", "ac", "ad"], np.ones(3), 2, most_characters=1)
    assert few.n_symbols == 3  # a, any other, the end
    assert few.cells[:3].tolist() == few.cells[3:6].tolist()
    assert spell(["ab"], np.ones(1), 0).cells.tolist() == []


def test_endings_decide_where_contexts_do_not() -> None:
    # Every word stands alone, and all but one are with those of the same ending.
    stems = [f"{a}{b}" for a in "bdgklmnprst" for b in "aeiou"]
    sentences = [[stem + ("ing" if i % 2 else "ed")] for i, stem in enumerate(stems)]
    text = text_of(sentences)
    gold = np.array([form.endswith("ing") for form in text.forms], np.int32)
    for kind in range(0, text.n_types, 7):
        classes = gold.copy()
        classes[kind] = 1 - gold[kind]
        scores = PypHmmState(text, classes, 2).scores(kind)
        assert scores[gold[kind]] > scores[1 - gold[kind]] + 2
        unspelt = PypHmmState(text, classes, 2, characters=0).scores(kind)
        assert abs(unspelt[1] - unspelt[0]) < 1


@pytest.mark.parametrize("init", ["mixture", "exchange", "random"])
def test_planted_classes_are_found(init) -> None:
    words, classes = planted(8, 160, 6000)
    settings = {"classes": 8, "sweeps": 20, "init": init, "temperature": 2.0, "characters": 0}
    system = make_system("pyp-hmm", settings).fit(words)
    found = np.array([int(tag) for tag in system.annotate(words).upos])
    assert v_measure(classes, found) > 90
    assert system.history[-1] > system.history[0]
    assert len(system.history) <= 21


def test_too_many_classes_for_trigrams_are_refused() -> None:
    words = treebank_of([[str(i) for i in range(1100)]])
    with pytest.raises(SystemsError, match="at most 1000 classes"):
        make_system("pyp-hmm", {"classes": 1050}).fit(words)


WORDS = treebank_of([*SENTENCES, ["the", "Cat", "sees", "."], ["a", "cat", "sleeps", "."]])


@pytest.mark.parametrize("init", ["mixture", "exchange", "random"])
def test_the_same_seed_gives_the_same_and_models_come_back(init, tmp_path) -> None:
    settings = {"classes": 3, "sweeps": 8, "init": init}
    first, second, other = (
        make_system("pyp-hmm", settings, seed=seed).fit(WORDS) for seed in (5, 5, 6)
    )
    assert first.class_of_type.tolist() == second.class_of_type.tolist()
    assert first.history == second.history != other.history
    first.save(tmp_path / "model")
    back = load_system(tmp_path / "model")
    assert back.annotate(WORDS).upos == first.annotate(WORDS).upos
    assert back.strengths == first.strengths
    assert back.history == first.history


@pytest.mark.parametrize("strengths", [{"trigram": [0.5]}, {"trigram": 1}, [1, 2]])
def test_damaged_models_are_refused(strengths) -> None:
    system = make_system("pyp-hmm", {"classes": 2, "sweeps": 2}).fit(WORDS)
    arrays, facts = system.state()
    with pytest.raises(SystemsError, match="damaged"):
        make_system("pyp-hmm").restore(arrays, facts | {"strengths": strengths})


def test_progress_goes_to_the_end() -> None:
    told: list[float] = []
    make_system("pyp-hmm", {"classes": 3, "sweeps": 5, "climbing": 0.0}).fit(
        WORDS, on_progress=lambda share, _line: told.append(share)
    )
    assert told == sorted(told)
    assert 0 < told[0] <= 0.1
    assert told[-1] == 1


def test_gold_tags_and_trees_make_no_difference() -> None:
    tagged = WORDS.replace(
        columns={"upos": Column.from_strings([str(i % 5) for i in range(WORDS.n_words)])}
    )
    one, two = (
        make_system("pyp-hmm", {"classes": 4, "sweeps": 4}).fit(words) for words in (WORDS, tagged)
    )
    assert one.class_of_type.tolist() == two.class_of_type.tolist()
