from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import check_grad

import treegauge as tg
from tests.examples import examples
from tests.unit.systems.word_alignment import slow_alignment as slow
from treegauge.dictionaries import DictionaryError
from treegauge.systems import SystemsError
from treegauge.systems.word_alignment import (
    Bitext,
    DiagonalAligner,
    JumpAligner,
    align,
    grow_diag_final,
    read_bitext,
)
from treegauge.systems.word_alignment._jump_numba import jump_gain
from treegauge.systems.word_alignment.diagonal_aligner import LEAST, MOST
from treegauge.systems.word_alignment.jump_aligner import climbed
from treegauge.systems.word_alignment.links import symmetrised
from treegauge.systems.word_alignment.toy_bitext import toy_bitext_with_links
from treegauge.treebank import blind

pytestmark = pytest.mark.long

words = st.lists(st.sampled_from("abc"), min_size=1, max_size=3)
texts = st.lists(st.tuples(words, words), min_size=1, max_size=3)


# ---------------------------------------------------------------------- one direction


@examples(40)
@given(texts, st.integers(1, 3), st.sampled_from([0.08, 0.4]))
def test_em_agrees_with_all_alignments_enumerated(pairs: list, iterations: int, null: float):
    bitext = Bitext.of(pairs)
    table, tension = slow.first_table(pairs), 4.0
    history = []
    for done in range(iterations + 1):
        likelihood, counts, posteriors = slow.expectations(pairs, table, tension, null)
        history.append(likelihood)
        if done < iterations:
            table = slow.normalised(counts)
            tension = DiagonalAligner(done + 1, null).fit(bitext).tension
    fast = DiagonalAligner(iterations, null).fit(bitext)
    np.testing.assert_allclose(fast.history, history, rtol=1e-9, atol=1e-12)
    for pair, expected in enumerate(posteriors):
        np.testing.assert_allclose(fast.posteriors(bitext, pair), expected, rtol=1e-7, atol=1e-12)


@examples(60)
@given(texts)
def test_the_likelihood_never_falls(pairs: list) -> None:
    history = DiagonalAligner(6).fit(Bitext.of(pairs)).history
    assert (np.diff(history) >= -1e-10 * (1 + np.abs(history[:-1]))).all()


@examples(30)
@given(texts)
def test_no_other_tension_is_better(pairs: list) -> None:
    """The expected log-likelihood in lambda, its best value found on a grid."""
    null = 0.08
    chosen = DiagonalAligner(1, null).fit(Bitext.of(pairs)).tension
    _, _, posteriors = slow.expectations(pairs, slow.first_table(pairs), 4.0, null)

    def gain(tension: float) -> float:
        return sum(
            shares[i][j] * np.log(slow.priors(len(a), len(b), j + 1, tension, null)[i])
            for (a, b), shares in zip(pairs, posteriors, strict=True)
            for j in range(len(b))
            for i in range(len(a))
        )

    best = max(map(gain, np.linspace(LEAST, MOST, 50)))
    assert gain(chosen) >= best - 1e-6


def test_by_hand() -> None:
    # With equal translations everywhere and one word per side, only the empty word competes:
    # p(a ~ x) = 0.92 / (0.92 + 0.08).
    bitext = Bitext.of([(["a"], ["x"])])
    aligner = DiagonalAligner(iterations=1).fit(bitext)
    assert aligner.posteriors(bitext, 0)[:, 0].tolist() == pytest.approx([0.92, 0.08])
    assert aligner.history == pytest.approx([0.0, 0.0])


# ---------------------------------------------------------------------- jumps


@examples(30)
@given(texts, st.integers(0, 2))
def test_jumps_agree_with_all_paths_enumerated(pairs: list, iterations: int) -> None:
    bitext = Bitext.of(pairs)
    aligner = JumpAligner(iterations).fit(bitext)
    names = list(bitext.source.words.vocabulary), list(bitext.target.words.vocabulary)
    table = {}
    for word in range(len(names[0]) + 1):
        source = names[0][word] if word < len(names[0]) else None
        for target, chance in zip(*aligner.table.row(word), strict=True):
            table[source, names[1][target]] = float(chance)
    likelihood, jumps, posteriors = slow.jump_expectations(
        pairs, table, aligner.jumps.tolist(), aligner.null
    )
    assert aligner.history[-1] == pytest.approx(likelihood, rel=1e-9, abs=1e-12)
    _, found, departures = aligner._expectations(bitext)
    np.testing.assert_allclose(found, jumps, atol=1e-9)
    assert departures.sum() == pytest.approx(sum(jumps), abs=1e-9)
    for pair, expected in enumerate(posteriors):
        np.testing.assert_allclose(aligner.posteriors(bitext, pair), expected, atol=1e-9)


@examples(20)
@given(texts)
def test_the_likelihood_of_jumps_never_falls(pairs: list) -> None:
    history = JumpAligner(5).fit(Bitext.of(pairs)).history
    assert (np.diff(history) >= -1e-10 * (1 + np.abs(history[:-1]))).all()


def test_the_slope_of_jumps_is_the_derivative() -> None:
    random = np.random.default_rng(0)
    jumps, logs = random.random(15), random.normal(size=15)
    departures = np.tril(random.random((9, 8)), -1)

    def gain(at: np.ndarray) -> tuple[float, np.ndarray]:
        slope = np.empty(15)
        return jump_gain(at, jumps, departures, slope), slope

    assert check_grad(lambda at: gain(at)[0], lambda at: gain(at)[1], logs) < 1e-5
    better = climbed(logs, jumps, departures)
    assert gain(better)[0] > gain(logs)[0]


# ---------------------------------------------------------------------- both directions


@st.composite
def two_alignments(draw) -> tuple[np.ndarray, np.ndarray]:
    n, m = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    forward, backward = np.zeros((n, m), bool), np.zeros((n, m), bool)
    for j in range(m):
        forward[draw(st.integers(0, n - 1)), j] = draw(st.booleans())
    for i in range(n):
        backward[i, draw(st.integers(0, m - 1))] = draw(st.booleans())
    return forward, backward


@examples(200)
@given(two_alignments())
def test_grow_diag_final_agrees_with_a_slow_twin(both) -> None:
    forward, backward = both
    expected = slow.grow_diag_final(
        set(zip(*np.nonzero(forward), strict=True)),
        set(zip(*np.nonzero(backward), strict=True)),
        *forward.shape,
    )
    found = grow_diag_final(forward, backward)
    assert set(zip(*np.nonzero(found), strict=True)) == expected
    assert (forward & backward <= found).all()
    assert (found <= forward | backward).all()


def test_the_intersection_by_hand() -> None:
    # Source words a b, target x y; the last row is "no word", which takes y one way.
    forward = np.array([[0.9, 0.2], [0.05, 0.3], [0.05, 0.5]])
    backward = np.array([[0.8, 0.1], [0.1, 0.8], [0.1, 0.1]])
    assert symmetrised(forward, backward, "intersection").tolist() == [[True, False], [False] * 2]
    assert symmetrised(forward, backward, "grow-diag-final").tolist() == [
        [True, False],
        [False, True],
    ]


@pytest.fixture(scope="module")
def toy():
    return list(toy_bitext_with_links("toy:svo", "toy:sov", tokens=3000))


def test_a_toy_text_gives_its_word_list_back(toy) -> None:
    bitext = Bitext.of((source, target) for source, target, _ in toy)
    gold = {
        (int(a + i), int(b + j))
        for a, b, (_, _, pairs) in zip(
            bitext.source.offsets, bitext.target.offsets, toy, strict=False
        )
        for i, j in pairs
    }
    found = {}
    for how in ("intersection", "grow-diag-final"):
        links = align(bitext, symmetrisation=how)
        found[how] = set(zip(links.source.tolist(), links.target.tolist(), strict=True))
        assert ((links.weight > 0) & (links.weight <= 1)).all()
    precise, wide = found["intersection"], found["grow-diag-final"]
    assert precise < wide
    assert len(precise & gold) / len(precise) > 0.85
    assert len(wide & gold) / len(gold) > 0.85
    # Words that are frequent are translated by their own translation.
    aligner = DiagonalAligner().fit(bitext)
    counts = np.bincount(bitext.source.words.codes)
    frequent = [
        w for w in np.flatnonzero(counts >= 10) if bitext.source.words.vocabulary[w].isalpha()
    ]
    translated: dict[int, set[int]] = {}
    for i, j in gold:
        word = int(bitext.source.words.codes[i])
        translated.setdefault(word, set()).add(int(bitext.target.words.codes[j]))
    right = 0
    for word in frequent:
        targets, chances = aligner.table.row(int(word))
        right += int(targets[chances.argmax()]) in translated[int(word)]
    assert len(frequent) > 10
    assert right / len(frequent) > 0.9


def test_the_same_again(toy) -> None:
    bitext = Bitext.of((source, target) for source, target, _ in toy[:40])
    one, other = align(bitext), align(bitext)
    assert one.target.tolist() == other.target.tolist()
    assert one.weight.tolist() == other.weight.tolist()


def test_jumps_find_most_of_the_word_list_too(toy) -> None:
    bitext = Bitext.of((source, target) for source, target, _ in toy[:120])
    diagonal = align(bitext, symmetrisation="intersection")
    jumping = align(bitext, aligner="hmm", symmetrisation="intersection")
    links = [
        set(zip(x.source.tolist(), x.target.tolist(), strict=True)) for x in (diagonal, jumping)
    ]
    assert len(links[0] & links[1]) > 0.8 * len(links[0])


# ---------------------------------------------------------------------- reading


def sides(bitext: Bitext) -> tuple[list[str], list[str], list[int], list[int]]:
    source, target = bitext.source, bitext.target
    return list(source.words), list(target.words), source.lengths.tolist(), target.lengths.tolist()


def test_one_file_and_two(tmp_path: Path) -> None:
    (tmp_path / "both").write_text("a b ||| x\n\n ||| y\nc ||| y  z\n", encoding="utf-8")
    (tmp_path / "one").write_text("a b\n\nc\n", encoding="utf-8")
    (tmp_path / "other").write_text("x\ny\ny z\n", encoding="utf-8")
    expected = (["a", "b", "c"], ["x", "y", "z"], [2, 1], [1, 2])
    assert sides(read_bitext(str(tmp_path / "both"))) == expected
    assert sides(read_bitext(f"{tmp_path}/one::{tmp_path}/other")) == expected
    short = read_bitext(str(tmp_path / "both"), longest=2)
    assert len(short) == 2
    (tmp_path / "both").write_text("a b ||| x\nc ||| y z z\n", encoding="utf-8")
    assert len(read_bitext(str(tmp_path / "both"), longest=2)) == 1


def test_treebanks_of_as_many_sentences(tmp_path: Path) -> None:
    one, other = "a/DET b/NOUN\n\nc/NOUN d/VERB e/X\n\nf/INTJ\n", "x/VERB y/NOUN\n\nx/X\n\nz/X\n"
    for name, text in (("one", one), ("other", other)):
        tg.write(tg.parse(text, format="slashed"), tmp_path / f"{name}.conllu")
    bitext = read_bitext(f"{tmp_path}/one.conllu::{tmp_path}/other.conllu", longest=2)
    assert sides(bitext) == (["a", "b", "f"], ["x", "y", "z"], [2, 1], [2, 1])
    assert list(bitext.source.tags or ()) == ["DET", "NOUN", "INTJ"]
    # Text on one side, compressed columns without tags on the other.
    (tmp_path / "other.tok").write_text("x y\nx\nz\n", encoding="utf-8")
    untagged = blind(tg.read(tmp_path / "one.conllu"), tags=True)
    tg.write(untagged, tmp_path / "bare.conllu.xz")
    bitext = read_bitext(f"{tmp_path}/bare.conllu.xz::{tmp_path}/other.tok")
    assert bitext.source.lengths.tolist() == [2, 3, 1]
    assert bitext.source.tags is bitext.target.tags is None
    (tmp_path / "other.tok").write_text("x y\nx\n", encoding="utf-8")
    with pytest.raises(SystemsError, match=r"has 3 sentences, .* 2\n  a sentence of one must"):
        read_bitext(f"{tmp_path}/one.conllu::{tmp_path}/other.tok")


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("a ||| b\na b\n", SystemsError, r"both:2: \[parallel\] expected SOURCE \|\|\| TARGET"),
        ("a ||| b ||| c\n" * 9, SystemsError, "and 4 more such lines"),
        ("a a a ||| b\n", SystemsError, "no pair of sentences of at most 2 words"),
        ("", SystemsError, "no pair of sentences"),
        (b"a ||| \xff\n", DictionaryError, r"both:1: \[encoding\] expected UTF-8"),
    ],
)
def test_texts_that_cannot_be_read(tmp_path: Path, text, error, message) -> None:
    content = text if isinstance(text, bytes) else text.encode()
    (tmp_path / "both").write_bytes(content)
    with pytest.raises(error, match=message):
        read_bitext(str(tmp_path / "both"), longest=2)


def test_files_of_different_length_and_files_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("a\nb\n", encoding="utf-8")
    (tmp_path / "other").write_text("x\n", encoding="utf-8")
    with pytest.raises(SystemsError, match=r"one has 2 lines, .*other 1\n"):
        read_bitext(f"{tmp_path}/one::{tmp_path}/other")
    with pytest.raises(DictionaryError, match="nowhere: cannot be read"):
        read_bitext(str(tmp_path / "nowhere"))
