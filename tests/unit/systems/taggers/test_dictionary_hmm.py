from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import check_grad

import treegauge as tg
from tests.examples import examples
from tests.unit.systems.taggers import slow_hmm
from tests.unit.systems.taggers.test_supervised_taggers import CHANGES, changed
from tests.unit.treebank.small_trees import sentences
from treegauge.dictionaries import (
    DictionaryError,
    TagDictionary,
    refuse_training_dictionary,
    tag_codes,
    write_dictionary,
)
from treegauge.dictionaries.tag_sets import TAGS
from treegauge.dictionaries.training_use import FACT
from treegauge.systems import System, SystemsError, load_system, make_system
from treegauge.systems.hidden_markov._hmm_numba import best_path, expect, posterior_tags
from treegauge.systems.hidden_markov.maximum_entropy_emissions import (
    Emissions,
    design,
    features_of,
    known_features,
)
from treegauge.systems.hidden_markov.parameters import scaled
from treegauge.systems.taggers.training_dictionary import marked
from treegauge.toys import toy_dictionary, toy_parts
from treegauge.treebank import Treebank

pytestmark = pytest.mark.long

# ---------------------------------------------------------------------- the kernels


@st.composite
def models(draw):
    """A small HMM in which some words lack some tags, and sentences for it."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_tags, n_words = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    emissions = random.random((n_words, n_tags)) + 1e-3
    for word in range(n_words):
        emissions[word, random.permutation(n_tags)[1 : draw(st.integers(1, n_tags))]] = 0
    emissions *= 10.0 ** -draw(st.integers(0, 200))
    transitions = random.random((n_tags + 1, n_tags + 1)) + 1e-3
    transitions[-1, -1] = 0
    transitions /= transitions.sum(axis=1, keepdims=True)
    lengths = draw(st.lists(st.integers(0, 4), min_size=1, max_size=3))
    text = [random.integers(0, n_words, length).tolist() for length in lengths]
    return emissions, transitions, text


def flat(text: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    words = np.array([word for sentence in text for word in sentence], np.int32)
    return words, np.cumsum([0, *map(len, text)]).astype(np.int64)


def assert_agrees_with_all_paths(
    emissions: np.ndarray, transitions: np.ndarray, text: list[list[int]]
) -> None:
    # Enumeration would underflow where scaled tables do not.
    factor = emissions.max()
    text = [sentence for sentence in text if sentence]
    likelihood, emitted, passed, posteriors = slow_hmm.expectations(
        text, emissions / factor, transitions
    )
    words, offsets = flat(text)
    with np.errstate(divide="ignore"):
        fast_emissions, scales = scaled(np.log(emissions))
    found_emitted, found_passed = np.zeros(emissions.shape), np.zeros(transitions.shape)
    found = expect(words, offsets, fast_emissions, scales, transitions, found_emitted, found_passed)
    assert found == pytest.approx(likelihood + len(words) * np.log(factor), rel=1e-9, abs=1e-9)
    np.testing.assert_allclose(found_emitted, emitted, atol=1e-9)
    np.testing.assert_allclose(found_passed, passed, atol=1e-9)
    tags = np.zeros(len(words), np.int32)
    posterior_tags(words, offsets, fast_emissions, scales, transitions, tags)
    flat_posteriors = [row for table in posteriors for row in table]
    for tag, row in zip(tags, flat_posteriors, strict=True):
        assert row[tag] >= row.max() - 1e-9


@examples(80)
@given(models())
def test_expectations_agree_with_all_paths_enumerated(model) -> None:
    assert_agrees_with_all_paths(*model)


@pytest.mark.parametrize(
    ("n_tags", "lengths"),
    [(9, [1, 2, 1]), (2, [1, 10, 9]), (5, [1, 5, 4]), (2, [*range(6)] * 15), (3, [2] * 64)],
    ids=["many tags", "long sentences", "both", "batches of all lengths", "full batches"],
)
def test_expectations_of_many_tags_and_sentences(n_tags: int, lengths: list[int]) -> None:
    """The kernels look at 32 sentences at a time, the longest first."""
    random = np.random.default_rng(0)
    emissions = random.random((3, n_tags))
    transitions = random.random((n_tags + 1, n_tags + 1))
    transitions[-1, -1] = 0
    transitions /= transitions.sum(axis=1, keepdims=True)
    text = [random.integers(0, 3, words).tolist() for words in lengths]
    assert_agrees_with_all_paths(emissions, transitions, text)


@examples(80)
@given(models())
def test_the_best_path_is_the_best_of_all(model) -> None:
    emissions, transitions, text = model
    emissions = emissions / emissions.max()
    words, offsets = flat(text)
    tags = np.zeros(len(words), np.int32)
    best_path(words, offsets, emissions, transitions, tags)
    for number, sentence in enumerate(text):
        if sentence:
            chances = dict(slow_hmm.paths(sentence, emissions, transitions))
            mine = tuple(tags[offsets[number] : offsets[number + 1]].tolist())
            assert chances[mine] == pytest.approx(max(chances.values()), rel=1e-9)


def test_empty_sentences_count_for_nothing() -> None:
    emissions, transitions = np.ones((1, 1)), np.array([[0.5, 0.5], [1.0, 0.0]])
    emitted, passed = np.zeros((1, 1)), np.zeros((2, 2))
    offsets = np.array([0, 0, 1, 1])
    found = expect(
        np.zeros(1, np.int32), offsets, emissions, np.zeros(1), transitions, emitted, passed
    )
    assert found == pytest.approx(np.log(0.5))
    assert passed.tolist() == [[0, 1], [1, 0]]


# ---------------------------------------------------------------------- emissions


def small_emissions() -> tuple[Emissions, np.ndarray]:
    words = ["Oslo", "run", "runs", "fun", "1-2", "."]
    names = known_features(words, [3, 1, 1, 1, 1, 9], frequent_word=3, frequent_ending=2)
    counts = np.random.default_rng(0).random((len(words), 2))
    counts[0, 1] = 0
    return Emissions.of(design(words, names), 2.0), counts


def test_words_with_the_same_features_are_one_look() -> None:
    words = ["king", "ring", "Ring", "the", "ring", "sing"]
    features = design(words, ("end=ing", "capital", "word=the"))
    model = Emissions.of(features, 1.0)
    assert model.look_of.tolist() == [0, 0, 1, 2, 0, 0]
    assert model.features.toarray().tolist() == [[1, 0, 0], [1, 1, 0], [0, 0, 1]]
    counts = np.arange(12.0).reshape(6, 2)
    assert model.counts_of_looks(counts).tolist() == [[20, 24], [4, 5], [6, 7]]
    # As if every word had a look of its own.
    apart = Emissions(features, np.arange(6), 1.0)
    weights = np.random.default_rng(4).normal(size=(3, 2))
    np.testing.assert_allclose(model.log_sums(weights), apart.log_sums(weights))
    np.testing.assert_allclose(model.log_chances(weights), apart.log_chances(weights))
    totals = counts.sum(axis=0)
    np.testing.assert_allclose(model.curvature(totals, weights), apart.curvature(totals, weights))
    value, slope = model.gain(model.counts_of_looks(counts), weights)
    own_value, own_slope = apart.gain(counts, weights)
    assert value == pytest.approx(own_value, rel=1e-12)
    np.testing.assert_allclose(slope, own_slope)


def test_features_by_hand() -> None:
    assert features_of("X-1") == [
        *("word=x-1", "hyphen", "capital", "digit", "end=1", "end=-1", "end=x-1")
    ]
    assert features_of("...") == ["word=...", "punctuation", "end=.", "end=..", "end=..."]
    names = known_features(["ab", "cb"], [1, 2], frequent_word=2, frequent_ending=3)
    assert names == ("end=b", "word=cb")
    assert design(["ab", "cb", "zz"], names).toarray().tolist() == [[1, 0], [1, 1], [0, 0]]


def test_emissions_are_distributions() -> None:
    model, _ = small_emissions()
    weights = np.random.default_rng(1).normal(size=(model.features.shape[1], 2))
    chances = np.exp(model.log_chances(weights))
    assert chances.sum(axis=0).tolist() == pytest.approx([1, 1])
    scores = np.exp(model.features.toarray()[model.look_of] @ weights)
    np.testing.assert_allclose(chances, scores / scores.sum(axis=0))


def test_the_gain_is_the_expected_log_likelihood_without_the_penalty() -> None:
    model, counts = small_emissions()
    weights = np.random.default_rng(3).normal(size=(model.features.shape[1], 2))
    scores = np.exp(model.features.toarray()[model.look_of] @ weights)
    logs = np.log(scores / scores.sum(axis=0))
    # A variance of 2: every squared weight costs a quarter.
    expected = (counts * logs).sum() - (weights**2).sum() / 4
    found, _ = model.gain(model.counts_of_looks(counts), weights)
    assert found == pytest.approx(expected, rel=1e-12)


def test_the_gradient_is_the_derivative() -> None:
    model, counts_of_words = small_emissions()
    counts = model.counts_of_looks(counts_of_words)
    shape = (model.features.shape[1], 2)
    weights = np.random.default_rng(2).normal(size=shape).ravel()
    difference = check_grad(
        lambda flat: model.gain(counts, flat.reshape(shape))[0],
        lambda flat: model.gain(counts, flat.reshape(shape))[1].ravel(),
        weights,
    )
    assert difference < 1e-5
    fitted = model.fitted(counts, np.zeros(shape), steps=200)
    assert np.abs(model.gain(counts, fitted)[1]).max() < 1e-2
    assert model.gain(counts, fitted)[0] > model.gain(counts, np.zeros(shape))[0]


# ---------------------------------------------------------------------- the tagger


@pytest.fixture(scope="module")
def toy() -> dict[str, Treebank]:
    return toy_parts("toy:svo", tokens=1500)


@pytest.fixture(scope="module")
def listed(toy: dict[str, Treebank]) -> TagDictionary:
    """The words of the toy texts, with all their tags."""
    forms = {form for treebank in toy.values() for form in treebank.form}
    tags = toy_dictionary("toy:svo")
    return TagDictionary.from_mapping({form: tags[form] for form in sorted(forms)}, name="words")


@pytest.fixture(scope="module")
def quick(listed: TagDictionary, tmp_path_factory) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("dictionary") / "words.tsv"
    write_dictionary(listed, path)
    return {
        "dictionary": str(path),
        "iterations": 5,
        "frequent_word": 5,
        "frequent_ending": 5,
    }


@pytest.fixture(scope="module")
def fitted(toy: dict[str, Treebank], quick) -> System:
    return make_system("dictionary-hmm", quick).fit(toy["train"])


def test_it_raises_what_it_is_to_raise_and_tags_well(fitted, toy, listed) -> None:
    history = fitted.history
    assert (np.diff(history) >= -1e-9 * np.abs(history[:-1])).all()
    assert history[-1] > history[0]
    right = tag_codes(fitted.annotate(toy["test"])) == tag_codes(toy["test"])
    ambiguous = np.array([len(listed[form]) > 1 for form in toy["test"].form])
    assert right[~ambiguous].all()
    # A word with several tags is right by chance half of the time at best.
    assert right[ambiguous].mean() > 0.7


@pytest.mark.parametrize("decoding", ["posterior", "viterbi"])
def test_words_have_only_the_tags_of_the_dictionary(decoding: str, toy, listed, quick) -> None:
    tagger = make_system("dictionary-hmm", {**quick, "decoding": decoding, "iterations": 2})
    answer = tagger.fit(toy["dev"]).annotate(toy["test"])
    for form, tag in zip(answer.form, answer.upos, strict=True):
        assert tag in listed[form]


def test_words_that_it_does_not_list(tmp_path) -> None:
    (tmp_path / "d").write_text("dog\tNOUN\nruns\tVERB\n", encoding="utf-8")
    text = sentences(*["dog/_ runs/_ ,/_ 17/_ zxy/_ Dog/_"] * 3)
    settings = {"dictionary": str(tmp_path / "d"), "iterations": 3, "unknown": "open"}
    tags = list(make_system("dictionary-hmm", settings).fit(text).annotate(text).upos)[:6]
    assert tags[:4] == ["NOUN", "VERB", ".", "NUM"]
    assert tags[4] in {"NOUN", "VERB", "ADJ", "ADV", "NUM", "X"}
    assert tags[5] == "NOUN"
    unseen = list(
        make_system("dictionary-hmm", settings)
        .fit(text)
        .annotate(sentences("never/_ runs/_ !/_"))
        .upos
    )
    assert unseen[1:] == ["VERB", "."]


def test_small_classes_do_not_swallow_unknown_words(tmp_path) -> None:
    """Every word of the text is listed; a class of one word must not get those that are not."""
    nouns = [f"n{chr(97 + i)}{chr(97 + j)}" for i in range(6) for j in range(6)]
    lines = ["the\tDET\n", "runs\tVERB\n", *(f"{noun}\tNOUN\n" for noun in nouns)]
    (tmp_path / "d").write_text("".join(lines), encoding="utf-8")
    text = sentences(*(f"the/_ {noun}/_ runs/_" for noun in nouns))
    tagger = make_system("dictionary-hmm", {"dictionary": str(tmp_path / "d")}).fit(text)
    unknown = sentences("the/_ qqq/_ runs/_", "qqq/_ runs/_")
    assert list(tagger.annotate(unknown).upos) == ["DET", "NOUN", "VERB", "NOUN", "VERB"]


def test_what_it_is_called() -> None:
    tagger = make_system("dictionary-hmm")
    assert (tagger.supervision, tagger.is_supervised) == ("dictionary", False)


# ---------------------------------------------------------------------- training and scoring


def test_its_dictionary_cannot_score_it(fitted, toy, listed, tmp_path) -> None:
    answer = fitted.annotate(toy["test"])
    tg.write(answer, tmp_path / "tagged.conllu")
    again = tg.read(tmp_path / "tagged.conllu")
    for treebank in (answer, again):
        with pytest.raises(DictionaryError, match="was trained with words"):
            refuse_training_dictionary(listed, treebank=treebank)
    assert again.sentence_ids == toy["test"].sentence_ids
    other = TagDictionary.from_mapping({"dog": ["NOUN"]})
    refuse_training_dictionary(other, treebank=again)
    fitted.save(tmp_path / "model")
    with np.load(tmp_path / "model") as file:
        facts = json.loads(file["about"].tobytes())["facts"]
    with pytest.raises(DictionaryError, match="was trained with"):
        refuse_training_dictionary(listed, facts=facts)


def test_one_half_trains_and_the_other_scores(toy, listed, quick, tmp_path) -> None:
    first, second = listed.halves()
    write_dictionary(first, tmp_path / "first.tsv")
    settings = {**quick, "dictionary": str(tmp_path / "first.tsv"), "iterations": 2}
    answer = make_system("dictionary-hmm", settings).fit(toy["dev"]).annotate(toy["dev"])
    refuse_training_dictionary(second, treebank=answer)
    with pytest.raises(DictionaryError, match="was trained with"):
        refuse_training_dictionary(first, treebank=answer)


def test_the_mark_replaces_an_older_one_and_nothing_else(toy) -> None:
    once = marked(toy["test"], "aaaa")
    twice = marked(once, "bbbb")
    lines = [text for _, _, text in twice.side_lines.of_sentence(0)]
    assert lines[0] == f"# {FACT} = bbbb"
    assert lines[1:] == [text for _, _, text in toy["test"].side_lines.of_sentence(0)]
    assert len(twice.side_lines) == len(toy["test"].side_lines) + 1
    assert twice.form == toy["test"].form
    assert twice.head.tolist() == toy["test"].head.tolist()
    assert marked(sentences(), "aaaa").n_sentences == 0


# ---------------------------------------------------------------------- again, saved, damaged


def test_the_same_again_for_any_seed(fitted, toy, quick) -> None:
    again = make_system("dictionary-hmm", quick, seed=9).fit(toy["train"])
    assert again.is_deterministic
    assert again.annotate(toy["test"]) == fitted.annotate(toy["test"])


def test_what_was_learnt_survives_saving(fitted, toy, tmp_path) -> None:
    fitted.save(tmp_path / "model")
    again = load_system(tmp_path / "model")
    assert again.annotate(toy["test"]) == fitted.annotate(toy["test"])
    assert again.history == fitted.history
    again.save(tmp_path / "again")
    assert load_system(tmp_path / "again").annotate(toy["dev"]) == fitted.annotate(toy["dev"])


@pytest.mark.parametrize("change", CHANGES)
def test_a_damaged_model_is_refused(change: str, fitted, tmp_path) -> None:
    fitted.save(tmp_path / "tagger")
    with np.load(tmp_path / "tagger") as file:
        names = [key for key in file.files if key != "about"]
    refused = set()
    for array in names:
        path = changed(tmp_path / "tagger", array, CHANGES[change])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                load_system(path).annotate(sentences("a/_ zz/_ Zz/_"))
        except SystemsError:
            refused.add(array)
    # Numbers in another order, or larger ones, are numbers too; so are strings of other bytes.
    assert {"forms", "forms_starts", "masks"} <= refused
    assert refused == set(names) or change not in ("missing", "shorter", "empty", "text")


def test_a_model_of_another_dictionary_is_refused(fitted, tmp_path) -> None:
    fitted.save(tmp_path / "tagger")
    path = changed(tmp_path / "tagger", None, lambda facts: facts.update({FACT: "0" * 16}))
    with pytest.raises(SystemsError, match="its dictionary is not the one it was trained with"):
        load_system(path)


def test_without_a_dictionary(toy, tmp_path) -> None:
    with pytest.raises(SystemsError, match="dictionary-hmm needs a dictionary"):
        make_system("dictionary-hmm").fit(toy["dev"])
    with pytest.raises(DictionaryError, match="nowhere: cannot be read"):
        make_system("dictionary-hmm", {"dictionary": str(tmp_path / "nowhere")}).fit(toy["dev"])
    (tmp_path / "bad").write_text("dog NOUN\n", encoding="utf-8")
    with pytest.raises(DictionaryError, match=r"bad:1: \[columns\]"):
        make_system("dictionary-hmm", {"dictionary": str(tmp_path / "bad")}).fit(toy["dev"])


def test_odd_texts(fitted) -> None:
    bare = tg.Treebank({"form": tg.Column.from_strings(["a"])}, offsets=[0, 0, 1, 1])
    assert set(fitted.annotate(bare).upos) <= set(TAGS)
    assert fitted.annotate(sentences()).n_words == 0
