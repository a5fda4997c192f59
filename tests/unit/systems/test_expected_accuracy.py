"""What accuracy to expect: by hand on a made-up table, laws, and the table that is shipped."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as arrays

import treegauge as tg
from tests.examples import examples
from treegauge.systems import expected_accuracy as module
from treegauge.systems.best_inducer import choose_inducer
from treegauge.systems.expected_accuracy import (
    DRAWS,
    LEVELS,
    MeasuredAccuracies,
    MeasuredRow,
    comparable_sentences,
    expected_accuracy,
    measured_accuracies,
    write_rows,
    write_trigrams,
)
from treegauge.systems.text_profile import TextProfile, divergence, profile_of, shares_among

KINDS = ("universal", "other", "none")
ALL = [(kind, size) for kind in KINDS for size in DRAWS]


def row(treebank, uas, *, share=0.4, side=0.5, draw=0, group=None):
    group = group or treebank[:2]
    return MeasuredRow(
        treebank, group.upper(), group, "none", "none", 50, draw, share, side, 0, uas, uas
    )


def made_up(monkeypatch, rows, neighbours=2):
    monkeypatch.setattr(module, "NEIGHBOURS", neighbours)
    return MeasuredAccuracies(rows, {}, (), "none", 50)


# ---------------------------------------------------------------------- by hand


def test_the_mean_of_the_nearest_is_expected(monkeypatch):
    shares = {"aa": 0.1, "bb": 0.2, "cc": 0.3, "dd": 0.8, "ee": 0.9}
    uas = {"aa": 0.3, "bb": 0.4, "cc": 0.5, "dd": 0.6, "ee": 0.8}
    table = made_up(monkeypatch, [row(name, uas[name], share=shares[name]) for name in uas])
    expected = table.expected(TextProfile(60, function_words=0.86, side=0.5))
    assert expected.value == pytest.approx(0.7)
    assert expected.languages == ("EE", "DD")
    # aa is predicted from bb and cc, bb from cc and aa, cc from bb and aa, dd from ee and cc,
    # ee from dd and cc: errors 0.15, 0, 0.15, 0.05, 0.25. The last one holds 95 per cent.
    errors = [abs(got - said) for _, got, said, _ in table.left_out()]
    assert errors == pytest.approx([0.15, 0, 0.15, 0.05, 0.25])
    assert table.radius() == pytest.approx(0.25)
    assert (expected.low, expected.high) == pytest.approx((0.45, 0.95))


def test_a_language_never_says_what_to_expect_of_itself(monkeypatch):
    rows = [row("aa_one", 0.9), row("aa_two", 0.9), row("bb", 0.2), row("cc", 0.4)]
    said = {group: one for group, _, one, _ in made_up(monkeypatch, rows).left_out()}
    assert said["aa"] == pytest.approx(0.3)
    means = [mean for *_, mean in made_up(monkeypatch, rows).left_out("cc")]
    assert means == pytest.approx([0.2, 0.2, 0.9])


def test_draws_count_as_one_treebank_and_err_one_by_one(monkeypatch):
    rows = [row("aa", 0.3), row("aa", 0.5, draw=1), row("bb", 0.2), row("cc", 0.4)]
    table = made_up(monkeypatch, rows)
    assert len(table.left_out()) == 4
    assert table.expected(TextProfile(60, 0.4, 0.5)).value in (
        pytest.approx(0.3),
        pytest.approx(0.4),
    )


def test_a_line_says_what_to_expect():
    text = tg.toy_treebank("toy:svo", tokens=3000)
    chosen = choose_inducer(text)
    expected = expected_accuracy(profile_of(text, chosen), chosen.kind)
    line = expected.in_words()
    assert line.startswith(f"expect about {100 * expected.value:.0f}% of heads")
    assert all(language in line for language in expected.languages[:3])
    assert expected.to_dict()["level"] == 0.9
    assert "for 9 of 10 languages" in line


# ---------------------------------------------------------------------- profiles


def test_the_profile_of_a_text():
    text = tg.parse("the/DET cat/NOUN ,/PUNCT sleeps/VERB\n" * 10, format="slashed")
    profile = profile_of(text, choose_inducer(text))
    # All three types occur ten times in thirty words, so that all count as function words.
    assert (profile.sentences, profile.n_tags, profile.function_words) == (10, 3, 1.0)
    assert profile.side == 0
    assert profile.trigrams["# DET NOUN"] == pytest.approx(1 / 5)
    assert sum(profile.trigrams.values()) == pytest.approx(1)


def test_other_spellings_of_universal_tags_are_the_same():
    one = tg.parse("Ann/PROPN and/CCONJ Bo/PROPN\n", format="slashed")
    other = tg.parse("Ann/PROPN and/CONJ Bo/PROPN\n", format="slashed")
    profiles = [profile_of(text, choose_inducer(text)).trigrams for text in (one, other)]
    assert profiles[0] == profiles[1]


@examples(60)
@given(arrays.arrays(np.float64, (3, 6), elements=st.floats(0.001, 1)))
def test_divergence_is_a_symmetric_distance_of_distributions(numbers):
    shares = numbers / numbers.sum(axis=1, keepdims=True)
    there = divergence(shares[0], shares)
    assert there[0] == pytest.approx(0, abs=1e-12)
    assert (there >= -1e-12).all()
    assert (there <= np.log(2) + 1e-12).all()
    assert divergence(shares[1], shares)[0] == pytest.approx(there[1])


def test_trigrams_that_are_not_asked_for_are_one():
    profile = TextProfile(1, 0.5, 0.0, 2, {"a": 0.5, "b": 0.3, "c": 0.2})
    assert shares_among(profile, ["c", "d"]).tolist() == [0.2, 0.0, 0.8]


# ---------------------------------------------------------------------- what is shipped


@pytest.mark.parametrize(("kind", "size"), ALL)
def test_as_many_languages_left_out_are_within_their_interval_as_is_said(kind, size):
    table = measured_accuracies(kind, size)
    errors = np.array([abs(got - said) for _, got, said, _ in table.left_out()])
    assert (errors <= table.radius()).mean() >= LEVELS[size]
    # The interval of a language comes from other languages alone.
    assert table.coverage() >= LEVELS[size] - 0.05


@pytest.mark.parametrize("kind", KINDS)
def test_few_sentences_promise_less_than_many_and_are_less_sure(kind):
    few, many = (
        np.mean([got for _, got, _, _ in measured_accuracies(kind, size).left_out()])
        for size in (50, 1000)
    )
    assert few <= many
    assert measured_accuracies(kind, 50).radius() > measured_accuracies(kind, 1000).radius()


def test_every_kind_of_tags_was_measured_on_the_same_treebanks():
    names = [
        {case.rows[0].treebank for case in measured_accuracies(kind, size)._cases}
        for kind, size in ALL
    ]
    assert all(one == names[0] for one in names)
    assert len(names[0]) > 40


def test_the_number_of_sentences_chooses_the_table():
    assert [comparable_sentences(n) for n in (0, 99, 100, 399, 400, 10**6)] == [
        *(50, 50, 200, 200, 1000, 1000)
    ]
    assert set(DRAWS) == {comparable_sentences(n) for n in (0, 100, 400)}


def test_files_come_back(tmp_path):
    rows = [row("aa", 0.25), row("bb", 0.5, draw=1)]
    write_rows(rows, tmp_path / "rows.tsv")
    assert module._read_rows((tmp_path / "rows.tsv").read_text()) == rows
    write_trigrams({"aa": {"# A": 0.75, "A #": 0.25}, "bb": {"# A": 1.0}}, 1, tmp_path / "t.tsv")
    names, shares = module._read_trigrams((tmp_path / "t.tsv").read_text())
    assert names == ["# A"]
    assert shares["aa"].tolist() == [0.75, 0.25]
    assert shares["bb"].tolist() == [1.0, 0.0]
