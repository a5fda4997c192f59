from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from tests.unit.dictionaries.worked_example import (
    GOLD,
    SYSTEM,
    dictionary,
    slow_soft_accuracy,
    treebank,
)
from treegauge.dictionaries import (
    DictionaryError,
    Matching,
    Record,
    TagDictionary,
    Text,
    corruption_curve,
    curve_sizes,
    evaluate_taggers,
    form_frequencies,
    from_treebank,
    require_comparable,
    sub_dictionary_curve,
    tag_codes,
    tagged_texts,
)
from treegauge.dictionaries.corruption import LEVELS, confusion_rows, corrupted, corrupted_treebank
from treegauge.dictionaries.soft_accuracy import soft_accuracy
from treegauge.dictionaries.sub_dictionaries import draw_ranks, entry_counts
from treegauge.dictionaries.tag_sets import TAGS


@pytest.fixture(scope="module")
def toy() -> tg.Treebank:
    return tg.toy_treebank("toy:svo", tokens=1500, seed=1)


@pytest.fixture(scope="module")
def toy_text(toy) -> Text:
    """A dictionary that lacks every fifth form and is wrong about every seventh."""
    entries = {}
    for i, (form, tags) in enumerate(from_treebank(toy).items()):
        if i % 5:
            entries[form] = ["X"] if i % 7 == 0 else [*tags, *(["NOUN"] if i % 3 == 0 else [])]
    return Text(toy, TagDictionary.from_mapping(entries, name="toy"))


def evaluated(system: str = SYSTEM, gold: str = GOLD, **options) -> Record:
    reference = treebank(gold, "gold")
    text = Text(reference, dictionary(), options.pop("matching", None))
    tagged = tagged_texts(text, [treebank(system, "system")])
    trusted = from_treebank(reference)
    (record,) = evaluate_taggers(text, tagged, gold=reference, trusted=trusted, **options)
    return record


def test_the_worked_example():
    record = evaluated()
    soft, gold = record.soft, record.gold
    assert (soft.hits, soft.covered, soft.n) == (5, 6, 7)
    assert soft.value == 5 / 6
    assert soft.coverage == 6 / 7
    assert soft.permissiveness == pytest.approx(2 / 11 / 6)
    assert gold.accuracy == 4 / 7
    assert gold.ceiling == 5 / 6
    assert (record.quality.precision, record.quality.recall) == (5 / 8, 5 / 7)
    assert [(e.form, e.tags, e.rejected, e.usual_tag) for e in soft.costly] == [
        ("old", ("ADJ",), 1, "NOUN")
    ]


def test_further_numbers_of_the_worked_example():
    record = evaluated()
    # Without the full stop: old is rejected, four others are not.
    assert record.soft.without_punctuation == 4 / 5
    assert (record.soft.singleton_share, record.soft.on_singletons) == (4 / 6, 3 / 4)
    # old, barks and run are covered and wrong; barks and run are accepted.
    assert record.gold.wrong_accepted == 2 / 3
    assert (record.gold.on_covered, record.gold.on_others) == (3 / 6, 1.0)
    ignored = evaluated(matching=Matching(punctuation="ignored")).soft
    assert (ignored.hits, ignored.covered, ignored.n) == (4, 5, 6)


def test_type_macro_weighs_types_alike():
    text = Text(treebank("dog/NOUN dog/NOUN dog/DET old/DET\n"), dictionary())
    found = soft_accuracy(text, text.codes(text.treebank))
    assert found.value == 2 / 4
    assert found.type_macro == pytest.approx((2 / 3 + 0) / 2)


def test_nothing_covered_is_undefined_and_not_zero():
    text = Text(treebank("hund/NOUN\n"), dictionary())
    found = soft_accuracy(text, text.codes(text.treebank))
    assert found.value is None
    assert found.low is None
    assert (found.hits, found.covered, found.n) == (0, 0, 1)
    assert found.coverage == 0


def test_known_unknown_and_ambiguous_words():
    gold = treebank("a/DET b/NOUN c/VERB\n")
    trusted = TagDictionary.from_mapping({"a": ["DET"], "b": ["NOUN", "VERB"]})
    text = Text(gold, dictionary())
    tagged = tagged_texts(text, [treebank("a/DET b/VERB c/VERB\n", "s")])
    (record,) = evaluate_taggers(text, tagged, gold=gold, trusted=trusted)
    assert (record.gold.known, record.gold.unknown, record.gold.ambiguous) == (0.5, 1.0, 0.0)


def test_another_text_is_refused():
    text = Text(treebank(GOLD), dictionary())
    with pytest.raises(tg.TreebankError):
        text.codes(treebank("the/DET\n"))
    with pytest.raises(DictionaryError, match="two taggers are called 's'"):
        tagged_texts(text, [treebank(SYSTEM, "s"), treebank(SYSTEM, "s")])


def test_intervals_hold_the_score_and_the_seed_decides(toy, toy_text):
    codes = tag_codes(corrupted_treebank(toy, 0.8))
    found = [soft_accuracy(toy_text, codes, resamples=200, seed=seed) for seed in (1, 1, 2)]
    assert found[0].low < found[0].value < found[0].high
    assert found[0] == found[1]
    assert (found[0].low, found[0].high) != (found[2].low, found[2].high)
    assert soft_accuracy(toy_text, codes, resamples=0).low is None


# ---------------------------------------------------------------------- laws

forms = st.sampled_from("abcdef")
tags = st.sampled_from(TAGS)
sentences = st.lists(
    st.lists(st.tuples(forms, tags), min_size=1, max_size=6), min_size=1, max_size=5
)
dictionaries = st.dictionaries(forms, st.sets(tags, min_size=1, max_size=4), min_size=1)


def written(text) -> tg.Treebank:
    return treebank("".join(" ".join(f"{w}/{t}" for w, t in s) + "\n" for s in text))


def scored(text, entries):
    held = Text(written(text), TagDictionary.from_mapping(entries))
    return soft_accuracy(held, held.codes(held.treebank), resamples=0)


@given(sentences, dictionaries)
@examples(60)
def test_the_definition(text, entries):
    found = scored(text, entries)
    words = [pair for sentence in text for pair in sentence]
    assert (found.hits, found.covered, found.n) == slow_soft_accuracy(words, entries)


@given(sentences, dictionaries, st.data())
@examples(60)
def test_a_further_tag_of_an_entry_never_lowers_the_score(text, entries, data):
    form = data.draw(st.sampled_from(sorted(entries)))
    more = {**entries, form: entries[form] | {data.draw(tags)}}
    before, after = scored(text, entries).value, scored(text, more).value
    assert (before is None) == (after is None)
    assert before is None or after >= before


def test_a_further_entry_can_lower_it():
    text = [[("a", "NOUN"), ("b", "NOUN")]]
    assert scored(text, {"a": {"NOUN"}}).value == 1
    assert scored(text, {"a": {"NOUN"}, "b": {"VERB"}}).value == 0.5


@given(sentences)
@examples(30)
def test_all_tags_accept_everything(text):
    found = scored(text, {form: set(TAGS) for form in "abcdef"})
    assert (found.value, found.coverage, found.permissiveness) == (1, 1, 1)


# ---------------------------------------------------------------------- records


def test_records_go_to_json_and_back():
    record = evaluated()
    assert Record.from_dict(json.loads(json.dumps(record.to_dict()))) == record
    assert "case:exact|punct:yes" in str(record.conditions.signature)
    with pytest.raises(DictionaryError, match="no record of"):
        Record.from_dict({"tagger": "crf"})


def test_records_that_differ_are_not_compared():
    record = evaluated()
    require_comparable([record, replace(record, tagger="other")])
    other = evaluated(matching=Matching(casing="lower"))
    with pytest.raises(DictionaryError, match=r"differ in casing \(exact and lower\)"):
        require_comparable([record, other])
    with pytest.raises(DictionaryError, match="text hash"):
        require_comparable([record, evaluated(SYSTEM + SYSTEM, GOLD + GOLD)])
    with pytest.raises(DictionaryError, match="tag map hash"):
        require_comparable([record, evaluated(matching=Matching(symbols="."))])


# ---------------------------------------------------------------------- parts of a dictionary


def test_sizes_of_curves():
    assert curve_sizes(99) == [99]
    assert curve_sizes(0) == []
    assert curve_sizes(10**6)[:2] == [100, 200]
    assert curve_sizes(10**6)[9:12] == [1000, 1500, 2000]
    assert curve_sizes(10**6)[-1] == 10_000
    assert len(curve_sizes(10**6)) == 28


def test_random_parts_equal_scoring_by_each_of_them(toy, toy_text):
    tagged = tagged_texts(toy_text, [corrupted_treebank(toy, 0.7)])
    size, draws, seed = 40, 6, 5
    (point,) = sub_dictionary_curve(toy_text, tagged, sizes=[size], draws=draws, seed=seed)
    counts = entry_counts(toy_text, tagged)
    ranks = draw_ranks(len(toy_text.dictionary), counts.entries, draws, seed)
    # What does not occur in the text does not matter, and is left out here.
    values, coverages = [], []
    for row in ranks:
        part = toy_text.dictionary.take(np.sort(counts.entries[row < size]))
        found = soft_accuracy(Text(toy, part), tagged[0].codes, resamples=0)
        values.append(found.value)
        coverages.append(found.coverage)
    assert point.value == pytest.approx(np.mean([v for v in values if v is not None]), abs=1e-12)
    assert point.coverage == pytest.approx(np.mean(coverages), abs=1e-12)
    assert point.low <= point.mean_low <= point.value <= point.mean_high <= point.high
    assert point.undefined == values.count(None)


def test_random_parts_are_uniform():
    entries = np.array([0, 3, 7, 10])  # the last one is the rule for numbers
    ranks = draw_ranks(10, entries, 4000, 1)
    assert (ranks[:, 3] == -1).all()
    assert all(len(set(row)) == 4 for row in ranks[:50].tolist())
    share = (ranks[:, :3] < 4).mean(axis=0)
    assert share == pytest.approx([0.4] * 3, abs=0.03)


def test_draws_that_cover_nothing_are_counted():
    text = Text(treebank("dog/NOUN\n"), dictionary())
    tagged = tagged_texts(text, [text.treebank])
    (point,) = sub_dictionary_curve(text, tagged, sizes=[1], draws=60, seed=2)
    assert 30 < point.undefined < 60
    assert point.value == 1


def test_frequent_words():
    corpus = treebank("the/DET the/DET cat/NOUN cat/NOUN cat/NOUN dog/NOUN barks/VERB dog/X\n")
    text = Text(treebank(GOLD), dictionary())
    tagged = tagged_texts(text, [treebank(SYSTEM, "s")])
    points = sub_dictionary_curve(
        text, tagged, form_frequencies(corpus), sizes=[1, 2, 3, 4, 99], draws=0
    )
    by = {(p.variant, p.size): p for p in points}
    # The dictionary has dog and the (twice each, by form), then barks; cat it has not.
    own = {size: by["+freq", size].coverage * 7 for size in (1, 2, 3)}
    assert own == pytest.approx({1: 1, 2: 2, 3: 3})
    assert ("+freq", 4) not in by
    strict = {size: by["+freq-strict", size].coverage * 7 for size in (1, 2, 3, 4)}
    assert strict == pytest.approx({1: 0, 2: 1, 3: 2, 4: 3})
    assert by["+freq-strict", 1].value is None
    with pytest.raises(DictionaryError, match="frequencies without words"):
        sub_dictionary_curve(text, tagged, {}, sizes=[1])


# ---------------------------------------------------------------------- corruption


def test_corruption_is_exact(toy):
    gold = tag_codes(toy)
    random = np.random.default_rng(0)
    for accuracy in LEVELS:
        tags_ = corrupted(gold, accuracy, random)
        assert (tags_ != gold).sum() == round((1 - accuracy) * len(gold))
    assert len(LEVELS) == 20
    with pytest.raises(DictionaryError, match="between 0 and 1"):
        corrupted(gold, 1.5, random)


def test_corruption_by_confusion_draws_what_is_confused(toy):
    gold = tag_codes(toy)
    wrong = np.where(gold == TAGS.index("NOUN"), TAGS.index("VERB"), gold).astype(np.int8)
    rows = confusion_rows(gold, wrong)
    assert rows.sum(axis=1) == pytest.approx(np.ones(12))
    assert not rows.diagonal().any()
    assert rows[TAGS.index("NOUN"), TAGS.index("VERB")] == 1
    drawn = corrupted(gold, 0.0, np.random.default_rng(1), confusion=rows)
    assert (drawn != gold).all()
    assert set(drawn[gold == TAGS.index("NOUN")].tolist()) == {TAGS.index("VERB")}


@pytest.mark.parametrize("by_confusion", [False, True])
def test_corruption_follows_its_line(toy, toy_text, by_confusion):
    gold = tag_codes(toy)
    other = tag_codes(corrupted_treebank(toy, 0.5, seed=9))
    rows = confusion_rows(gold, other) ** 3 if by_confusion else None
    if rows is not None:
        rows = rows / rows.sum(axis=1, keepdims=True)
    curve = corruption_curve(toy_text, gold, repetitions=20, confusion=rows, seed=4)
    covered = toy_text.is_covered.sum()
    for point in curve.points:
        # Five standard errors of the mean of 20 repetitions, each a sample of covered words.
        spread = 5 * 0.5 / np.sqrt(20 * covered)
        assert point.soft == pytest.approx(point.expected, abs=spread)
        assert point.true == pytest.approx(point.accuracy, abs=1 / len(gold))
    assert curve.points[-1].soft == pytest.approx(curve.ceiling, abs=1e-12)
    assert curve.points[-1].error == pytest.approx(1 - curve.ceiling)
    r, s = curve.ceiling, curve.wrong_accepted
    assert curve.zero_error * (1 - r) == pytest.approx((1 - curve.zero_error) * s)
