from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from treegauge.formats import parse, to_text
from treegauge.toys import TOY_LANGUAGES, toy_parts, toy_text, toy_treebank
from treegauge.toys.errors import ToyError
from treegauge.treebank import Column, Treebank, tree_flaws

LANGUAGES = list(TOY_LANGUAGES)


@cache
def usual(name: str) -> Treebank:
    """20,000 tokens as they come."""
    return toy_treebank(name)


def interrupted(heads: list[int]) -> set[int]:
    """Return the words between which and their head stands one that is not below that head."""
    found = set()
    for dependent, head in enumerate(heads, start=1):
        for between in range(min(dependent, head) + 1, max(dependent, head)):
            above = between
            while above not in (0, head):
                above = heads[above - 1]
            if above != head:
                found.add(dependent)
    return found


def test_interrupted_arcs_are_found() -> None:
    assert interrupted([2, 0, 2]) == set()
    assert interrupted([0, 1, 2]) == set()
    assert interrupted([3, 4, 0, 3]) == {2}
    assert interrupted([3, 0, 2]) == {1}


# ---------------------------------------------------------------- validity


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_sentence_is_one_tree(name: str) -> None:
    treebank = usual(name)
    assert not tree_flaws(treebank).any()
    roots = np.add.reduceat(treebank.head == 0, treebank.offsets[:-1])
    assert (roots == 1).all()
    assert list(treebank.deprel.take(treebank.head == 0)) == ["root"] * len(treebank)


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_strict_reader_finds_nothing_wrong(name: str) -> None:
    treebank = usual(name)[:400]
    # CoNLL-U has no column for coarse tags.
    expected = treebank.replace(columns={"cpos": Column.constant("_", treebank.n_words)})
    assert parse(to_text(treebank), format="conllu", strict=True) == expected


@pytest.mark.parametrize("name", LANGUAGES)
def test_all_columns_are_filled(name: str) -> None:
    treebank = usual(name)[:400]
    for column in ("form", "lemma", "upos", "xpos", "cpos", "deprel"):
        assert "_" not in treebank.columns[column].counts()
    assert treebank.feats.is_annotated
    assert set(treebank.columns["misc"].counts()) == {"_", "SpaceAfter=No"}
    assert not treebank.columns["deps"].is_annotated


@pytest.mark.parametrize("name", LANGUAGES)
def test_tags_come_in_three_grains(name: str) -> None:
    treebank = usual(name)
    fine, universal, coarse = (
        len(treebank.columns[column].counts()) for column in ("xpos", "upos", "cpos")
    )
    assert fine > 60
    assert universal == 15
    assert 5 < coarse < 15
    # Each finer tag belongs to one coarser tag.
    for finer, coarser in (("xpos", "upos"), ("upos", "cpos")):
        pairs = set(zip(treebank.columns[finer], treebank.columns[coarser], strict=True))
        assert len(pairs) == len(treebank.columns[finer].counts())


@pytest.mark.parametrize("name", LANGUAGES)
def test_features_are_sorted(name: str) -> None:
    for said in usual(name).feats.counts():
        names = [feature.partition("=")[0] for feature in said.split("|")]
        assert names == sorted(set(names))


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_text_is_what_the_words_spell(name: str) -> None:
    for sentence in usual(name)[:200]:
        pieces = [w.form + " " * (w["misc"] != "SpaceAfter=No") for w in sentence]
        assert sentence.comments[1] == f"# text = {''.join(pieces).strip()}"
        assert " ." not in sentence.comments[1]
        assert "( " not in sentence.comments[1]


@pytest.mark.parametrize("name", LANGUAGES)
def test_raw_text_has_one_sentence_a_line(name: str) -> None:
    treebank = toy_treebank(name, tokens=3000, part="dev")
    text = toy_text(name, tokens=3000, part="dev")
    assert text.splitlines() == [s.comments[1].removeprefix("# text = ") for s in treebank]
    assert text.endswith("\n")
    assert "\t" not in text


@pytest.mark.parametrize("name", LANGUAGES)
def test_sentences_are_as_long_as_sentences_are(name: str) -> None:
    lengths = usual(name).lengths
    assert 10.5 < lengths.mean() < 14.5
    assert lengths.min() == 1
    assert np.percentile(lengths, 99) <= 40
    assert lengths.max() <= 60
    assert np.mean(lengths <= 10) > 0.3


@pytest.mark.parametrize("name", LANGUAGES)
def test_not_every_sentence_is_a_statement(name: str) -> None:
    last = [sentence[-1].form for sentence in usual(name)]
    assert 0.8 < last.count(".") / len(last) < 0.9
    assert last.count("?") > 50
    assert last.count("!") > 50
    assert any(form not in ".?!" for form in last)


def test_letters_are_not_only_ascii() -> None:
    for name, letters in {"toy:sov": "üşçñ", "toy:vso": "áéí", "toy:free": "žčš"}.items():
        text = toy_text(name, tokens=3000)
        assert all(letter in text for letter in letters)


# ---------------------------------------------------------------- sizes


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("tokens", [1, 30, 1000, 20_000])
def test_the_last_sentence_is_completed(name: str, tokens: int) -> None:
    treebank = toy_treebank(name, tokens=tokens)
    assert treebank.offsets[-2] < tokens <= treebank.n_words


@pytest.mark.parametrize("name", LANGUAGES)
def test_no_tokens_are_no_sentences(name: str) -> None:
    empty = toy_treebank(name, tokens=0)
    assert len(empty) == empty.n_words == 0
    assert to_text(empty) == ""
    assert toy_text(name, tokens=0) == ""


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_smaller_treebank_is_the_beginning_of_a_larger_one(name: str) -> None:
    smaller = toy_treebank(name, tokens=700)
    assert usual(name)[: len(smaller)] == smaller


@pytest.mark.slow
@pytest.mark.parametrize("name", LANGUAGES)
def test_a_million_tokens(name: str) -> None:
    treebank, seconds = timed(lambda: toy_treebank(name, tokens=1_000_000))
    assert 1_000_000 <= treebank.n_words < 1_000_100
    assert not tree_flaws(treebank).any()
    assert len(set(treebank.sentence_ids)) == len(treebank)
    assert seconds < 20


def timed(make: Callable[[], Treebank]) -> tuple[Treebank, float]:
    start = time.perf_counter()
    treebank = make()
    return treebank, time.perf_counter() - start


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_hundred_thousand_tokens_in_two_seconds(name: str) -> None:
    assert any(timed(lambda: toy_treebank(name, tokens=100_000))[1] < 2 for _ in range(2))


# ---------------------------------------------------------------- seeds and parts

FINGERPRINTS = {
    "toy:svo": "091667a4444a8bd8",
    "toy:sov": "15e18bbe007a088a",
    "toy:vso": "dffa5712d41c12a7",
    "toy:free": "2428e603ae9e5b34",
}
"""Of 500 tokens; they change when a language or the grammar does, and never otherwise."""


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_same_seed_gives_the_same_bytes(name: str) -> None:
    first, second = (to_text(toy_treebank(name, tokens=500)) for _ in range(2))
    assert first == second
    assert toy_treebank(name, tokens=500).fingerprint == FINGERPRINTS[name]


@pytest.mark.slow
def test_a_fresh_process_gives_the_same_bytes() -> None:
    """Nothing depends on hash seeds or on what was generated before."""
    program = (
        "from treegauge.toys import toy_treebank;"
        "print(toy_treebank('toy:free', tokens=500).fingerprint)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stdout.strip() == FINGERPRINTS["toy:free"], run.stderr


@pytest.mark.parametrize("name", LANGUAGES)
def test_another_seed_gives_other_sentences(name: str) -> None:
    texts = [set(toy_text(name, tokens=3000, seed=seed).splitlines()) for seed in (0, 1)]
    assert shared_long_sentences(*texts) == set()


@pytest.mark.parametrize("name", LANGUAGES)
def test_parts_are_drawn_independently(name: str) -> None:
    train, dev, test = (
        set(toy_text(name, tokens=5000, part=part).splitlines())
        for part in ("train", "dev", "test")
    )
    assert shared_long_sentences(train, dev) == set()
    assert shared_long_sentences(train, test) == set()
    assert shared_long_sentences(dev, test) == set()


def shared_long_sentences(one: set[str], other: set[str]) -> set[str]:
    return {text for text in one & other if len(text.split()) > 5}


def test_parts_share_the_tokens() -> None:
    parts = toy_parts("toy:sov", 10_000)
    assert list(parts) == ["train", "dev", "test"]
    for part, tokens in {"train": 8000, "dev": 1000, "test": 1000}.items():
        assert tokens <= parts[part].n_words < tokens + 70
        assert parts[part].name == "toy:sov"
        assert parts[part].sentence_ids[0] == f"toy-sov-{part}-1"
        assert parts[part] == toy_treebank("toy:sov", tokens=tokens, part=part)


# ---------------------------------------------------------------- projectivity


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("share", [0, 0.1, 0.3, 0.5])
def test_as_many_sentences_are_nonprojective_as_asked_for(name: str, share: float) -> None:
    treebank = toy_treebank(name, tokens=5000, seed=11, nonprojective=share)
    crossing = np.mean([bool(interrupted(sentence.heads)) for sentence in treebank])
    error = np.sqrt(share * (1 - share) / len(treebank))
    assert abs(crossing - share) <= 4 * error


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_language_has_a_share_of_its_own(name: str) -> None:
    share = TOY_LANGUAGES[name].nonprojective
    assert toy_treebank(name, tokens=500) == toy_treebank(name, tokens=500, nonprojective=share)
    assert 0 < share < TOY_LANGUAGES["toy:free"].nonprojective or name == "toy:free"


@pytest.mark.parametrize("name", LANGUAGES)
def test_what_moves_is_what_the_language_says(name: str) -> None:
    moving = {item.what for item in TOY_LANGUAGES[name].displacements}
    found = set()
    for sentence in toy_treebank(name, tokens=5000, nonprojective=1):
        assert interrupted(sentence.heads)
        found |= {sentence[position - 1].deprel for position in interrupted(sentence.heads)}
    assert found == moving


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "toy:osv"}, "unknown toy language 'toy:osv'; did you mean toy:s"),
        ({"name": "svo"}, "there are toy:svo, toy:sov, toy:vso, toy:free"),
        ({"part": "trian"}, "unknown part 'trian'; did you mean train"),
        ({"tokens": -1}, "cannot have -1 tokens"),
        ({"seed": -1}, "a seed is 0 or more"),
        ({"nonprojective": -0.1}, "from 0 to 1, not -0.1"),
        ({"nonprojective": 1.1}, "from 0 to 1, not 1.1"),
        ({"nonprojective": float("nan")}, "from 0 to 1, not nan"),
    ],
)
@pytest.mark.parametrize("function", [toy_treebank, toy_text])
def test_mistakes_are_explained(function, arguments: dict, message: str) -> None:
    with pytest.raises(ToyError, match=message):
        function(**arguments)


def test_parts_explain_mistakes_as_well() -> None:
    with pytest.raises(ToyError, match="tokens"):
        toy_parts("toy:svo", -10)
    with pytest.raises(ToyError, match="did you mean toy:free"):
        toy_parts("toy:fre")
