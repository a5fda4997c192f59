"""Tries to peek: whatever can be reached from a blind copy must not give gold away.

Each secret is looked for in everything reachable from a treebank. The same search finds
them all in the treebank itself, so that a test which finds nothing has found nothing out.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.unit.treebank.peeking import reachable, reachable_arrays
from tests.unit.treebank.small_trees import conllu, sentences, texts
from treegauge.formats import Findings, read
from treegauge.treebank import Treebank, blind, keep_words, punctuation_mask

# Every value of a hidden column is a string that stands nowhere else, and each column has
# its own pattern of equal values.
GOLD = """
# global.columns = ID FORM LEMMA UPOS XPOS CPOSTAG FEATS HEAD DEPREL DEPS MISC PHEAD PDEPREL NOTE
# sent_id = secretid
# text = zusammen saw birds $
1-2  zusammen _       _      _    _    _       _  _      _        Spacex=No   _  _    _
1    the      LEMthe  DETX   FIa  COa  Fea=Aa  3  relda  3:depsa  Miscx=aa    5  prea notea
2    dogs     LEMdog  NOUNX  FIb  COb  Fea=Bb  1  reldb  1:depsb  Miscx=bb    5  preb notea
3    saw      LEMsee  VERBX  FIc  COc  Fea=Cc  0  reldc  0:depsc  Miscx=aa    0  prec noteb
3.1  gapword  LEMgap  PRONX  FIz  COz  Fea=Zz  _  _      3:depsz  Miscx=zz    _  _    _
4    birds    LEMbir  NOUNX  FId  COb  Fea=Dd  5  relda  5:depsd  Miscx=dd    2  prea notec
5    $        LEMdol  PUNCT  FIe  COd  Fea=Ee  3  reldd  3:depsa  Miscx=dd    4  pred noted

# sent_id = hiddenid
1    birds    LEMbir  NOUNX  FIf  COb  Fea=Bb  4  relde  4:depse  Miscx=ee    3  pree notee
2    saw      LEMsaw  NOUNX  FId  COe  Fea=Ff  4  relda  4:depsf  Miscx=ff    1  pref notef
3    ,        LEMcom  PUNCT  FIe  COd  Fea=Ee  1  reldd  1:depsa  Miscx=dd    1  pred noted
4    fly      LEMfly  VERBX  FIg  COc  Fea=Gg  0  reldc  0:depsc  Miscx=gg    0  prec notee
5    again    LEMaga  ADVX   FIh  COf  Fea=Hh  2  reldf  2:depsg  Miscx=hh    4  preg noteg
"""

TAG_COLUMNS = ("lemma", "upos", "xpos", "cpos", "feats")
OTHER_COLUMNS = ("deprel", "deps", "misc", "phead", "pdeprel", "note")
SIDE_TEXTS = ("secretid", "hiddenid", "zusammen", "gapword", "Spacex", "sent_id")
NAME = "zebra-gold"

HIDING = {
    "heads": {"heads": True, "tags": False},
    "tags": {"heads": False, "tags": True},
    "both": {"heads": True, "tags": True},
}


@pytest.fixture
def gold_file(tmp_path: Path) -> Path:
    path = tmp_path / f"{NAME}.conllu"
    path.write_text(conllu(GOLD), encoding="utf-8")
    return path


@pytest.fixture
def gold(gold_file: Path) -> Treebank:
    treebank = read(gold_file, findings=Findings())
    # Whatever is remembered for later must not be handed on either.
    assert treebank.fingerprint
    assert treebank.sentence_ids == (
        "secretid",
        "hiddenid",
    )
    assert all(list(column) for column in treebank.columns.values())
    return treebank


# ---------------------------------------------------------------------- looking for secrets


def finds_text(treebank: Treebank, secret: str) -> bool:
    """Whether a string, bytes or array that can be reached contains a text."""
    for thing in reachable(treebank):
        if isinstance(thing, str) and secret in thing:
            return True
        if isinstance(thing, (bytes, bytearray, memoryview)) and secret.encode() in bytes(thing):
            return True
        if isinstance(thing, np.ndarray):
            if secret.encode() in thing.tobytes():
                return True
            if thing.dtype.kind in "US" and any(secret in str(text) for text in thing.flat):
                return True
    return False


def numbers_in(treebank: Treebank) -> list[np.ndarray]:
    """Every sequence of whole numbers that can be reached, bytes read as numbers included."""
    found = []
    for thing in reachable(treebank):
        if isinstance(thing, np.ndarray) and thing.dtype.kind in "iubf":
            found.append(thing.astype(np.float64).ravel())
        elif isinstance(thing, (list, tuple)) and thing and all(type(x) is int for x in thing):
            found.append(np.array(thing, np.float64))
        elif isinstance(thing, (bytes, bytearray)):
            for dtype in (np.int8, np.int16, np.int32, np.int64):
                whole = len(thing) - len(thing) % np.dtype(dtype).itemsize
                found.append(np.frombuffer(thing[:whole], dtype).astype(np.float64))
    return found


def finds_numbers(treebank: Treebank, secret: list[int]) -> bool:
    """Whether numbers are reachable, also with something added, also inside a longer array."""
    steps = np.diff(np.array(secret, np.float64))
    for array in numbers_in(treebank):
        if len(array) > len(steps):
            windows = np.lib.stride_tricks.sliding_window_view(np.diff(array), len(steps))
            if (windows == steps).all(axis=1).any():
                return True
    return False


def pattern(values: np.ndarray) -> list[int]:
    """Which values are equal to which: each is numbered by its first use."""
    numbers: dict[float, int] = {}
    return [numbers.setdefault(value, len(numbers)) for value in values.tolist()]


def finds_pattern(treebank: Treebank, codes: np.ndarray) -> bool:
    """Whether an array groups the words as a column does, whatever its numbers mean."""
    return any(
        pattern(array) == pattern(codes)
        for array in numbers_in(treebank)
        if len(array) == len(codes)
    )


def finds_heads(treebank: Treebank, gold: Treebank) -> bool:
    """Whether the heads of the treebank or of any sentence are reachable.

    As positions, as indices into the treebank (something added), or as distances.
    """
    for sentence in gold:
        distances = [head - word for word, head in enumerate(sentence.heads, start=1)]
        if finds_numbers(treebank, sentence.heads) or finds_numbers(treebank, distances):
            return True
    return finds_numbers(treebank, gold.head.tolist())


def secrets_of(gold: Treebank, *columns: str) -> list[str]:
    values = {value for name in columns if name != "head" for value in gold.columns[name]}
    return sorted(value for value in values if len(value) > 1)  # PHEAD is looked for by pattern


# ---------------------------------------------------------------------- the search can find


def test_the_search_finds_everything_in_gold(gold: Treebank) -> None:
    missed = [
        secret
        for secret in [*secrets_of(gold, *TAG_COLUMNS, *OTHER_COLUMNS), *SIDE_TEXTS, NAME]
        if not finds_text(gold, secret)
    ]
    assert missed == []
    assert finds_heads(gold, gold)
    for name in [*gold.columns, "head"]:
        assert finds_pattern(gold, codes_of(gold, name))


def test_every_secret_is_one(gold: Treebank) -> None:
    """No form contains a secret, and no two columns group the words in the same way."""
    forms = " ".join(gold.form)
    for secret in [*secrets_of(gold, *TAG_COLUMNS, *OTHER_COLUMNS), *SIDE_TEXTS, NAME]:
        assert secret not in forms
    patterns = {name: tuple(pattern(column.codes)) for name, column in gold.columns.items()}
    patterns["head"] = tuple(pattern(gold.head))
    patterns["punctuation"] = tuple(pattern(punctuation_mask(gold)))
    assert len(set(patterns.values())) == len(patterns)
    everything = [*TAG_COLUMNS, *OTHER_COLUMNS, "head"]
    assert telling(gold, everything) == everything


class Leaky:
    """Hides something in one of the places where things can be hidden."""

    __slots__ = ("slot",)

    def __init__(self, secret: object) -> None:
        self.slot = secret


HIDING_PLACES: dict[str, Callable[[np.ndarray], object]] = {
    "the base of a view": lambda heads: np.concatenate([heads, heads])[:0],
    "an array of objects": lambda heads: np.array([None, heads], dtype=object),
    "a slot": Leaky,
    "a closure's cell": lambda heads: (lambda: heads).__closure__,
    "a default": lambda heads: {"key": [heads.tolist()]},
    "bytes": lambda heads: heads.tobytes(),
    "shifted": lambda heads: heads + 17,
    "part of more": lambda heads: np.concatenate([[9, 9, 9], heads, [9]]),
    "a view of bytes": lambda heads: memoryview(heads.tobytes()),
}


@pytest.mark.parametrize("place", HIDING_PLACES)
def test_the_search_looks_into_every_corner(gold: Treebank, place: str) -> None:
    copy = gold.blind()
    assert not finds_heads(copy, gold)
    copy.leak = HIDING_PLACES[place](gold.head.copy())  # type: ignore[attr-defined]
    assert finds_heads(copy, gold)


@pytest.mark.parametrize("leak", ["NOUNX", b"..NOUNX..", np.array(["NOUNX"]), {"NOUNX": 0}])
def test_the_search_reads_every_kind_of_text(gold: Treebank, leak: object) -> None:
    copy = gold.blind(tags=True)
    assert not finds_text(copy, "NOUNX")
    copy.leak = leak  # type: ignore[attr-defined]
    assert finds_text(copy, "NOUNX")


# ---------------------------------------------------------------------- it finds nothing


def codes_of(gold: Treebank, name: str) -> np.ndarray:
    return gold.head if name == "head" else gold.columns[name].codes


def telling(gold: Treebank, hidden: list[str]) -> list[str]:
    """The hidden columns whose pattern no shown column has as well."""
    shown = [pattern(codes_of(gold, name)) for name in {*gold.columns, "head"} - {*hidden}]
    shown += [pattern(punctuation_mask(gold)), list(range(gold.n_words))]
    return [name for name in hidden if pattern(codes_of(gold, name)) not in shown]


def assert_blind(copy: Treebank, gold: Treebank, path: Path, *, heads: bool, tags: bool) -> None:
    hidden = [*OTHER_COLUMNS, *(TAG_COLUMNS if tags else ()), *(["head"] if heads else ())]
    places = [NAME, str(path), str(path.parent)]
    seen = [
        secret
        for secret in [*secrets_of(gold, *hidden), *SIDE_TEXTS, *places]
        if finds_text(copy, secret)
    ]
    assert seen == []
    assert [
        name for name in telling(gold, hidden) if finds_pattern(copy, codes_of(gold, name))
    ] == []
    assert finds_heads(copy, gold) is not heads
    for mine in reachable_arrays(copy):
        for theirs in reachable_arrays(gold):
            assert not np.shares_memory(mine, theirs)


def prepared(gold: Treebank) -> Treebank:
    return gold


def pickled(copy: Treebank) -> Treebank:
    return pickle.loads(pickle.dumps(copy))


@pytest.mark.parametrize("hiding", HIDING)
@pytest.mark.parametrize("afterwards", [prepared, pickled])
def test_a_blind_copy_gives_nothing_away(
    gold: Treebank, gold_file: Path, hiding: str, afterwards: Callable[[Treebank], Treebank]
) -> None:
    copy = afterwards(blind(gold, **HIDING[hiding]))
    assert_blind(copy, gold, gold_file, **HIDING[hiding])
    # Asking it for everything it knows does not change that.
    assert copy.fingerprint
    assert repr(copy)
    assert [word.feats for sentence in copy for word in sentence]
    assert_blind(copy, gold, gold_file, **HIDING[hiding])


@pytest.mark.parametrize("hiding", HIDING)
def test_pickled_bytes_give_nothing_away(gold: Treebank, hiding: str) -> None:
    stored = pickle.dumps(gold.blind(**HIDING[hiding]))
    hidden = [*OTHER_COLUMNS, *(TAG_COLUMNS if HIDING[hiding]["tags"] else ())]
    for secret in [*secrets_of(gold, *hidden), *SIDE_TEXTS, NAME]:
        assert secret.encode() not in stored
    assert (gold.head.tobytes() in stored) is not HIDING[hiding]["heads"]
    assert b"reldb" in pickle.dumps(gold)  # or this test tests nothing


@pytest.mark.parametrize("hiding", HIDING)
def test_what_a_blind_copy_still_shows(gold: Treebank, hiding: str) -> None:
    copy = gold.blind(**HIDING[hiding])
    assert texts(copy) == ["the dogs saw birds $", "birds saw , fly again"]
    for name in TAG_COLUMNS:
        assert copy.columns[name].is_annotated is not HIDING[hiding]["tags"]
        if not HIDING[hiding]["tags"]:
            assert copy.columns[name] == gold.columns[name]
    assert copy.has_heads is not HIDING[hiding]["heads"]
    assert not copy.deprel.is_annotated
    assert set(copy.columns) == {*gold.columns} - {"note"}
    assert len(copy.side_lines) == 0
    assert copy.first_lines.tolist() == [0, 0]
    assert (copy.name, copy.file_columns, copy.file_header) == ("", (), "")


@pytest.mark.parametrize("hiding", HIDING)
def test_punctuation_is_known_as_in_gold(gold: Treebank, hiding: str) -> None:
    # The dollar sign is punctuation by its tag and not by its form.
    expected = [False] * 4 + [True] + [False, False, True, False, False]
    assert punctuation_mask(gold).tolist() == expected
    assert punctuation_mask(gold.blind(**HIDING[hiding])).tolist() == expected


@pytest.mark.parametrize("again", HIDING)
def test_blinding_twice_keeps_the_mask(gold: Treebank, again: str) -> None:
    # The runner blinds what it hands out, and the inducer blinds what it is given.
    twice = gold.blind(tags=True).blind(**HIDING[again])
    assert punctuation_mask(twice).tolist() == punctuation_mask(gold).tolist()


def test_the_mask_moves_with_its_sentences(gold: Treebank) -> None:
    turned = gold.blind(tags=True)[[1, 0]]
    assert punctuation_mask(turned).tolist() == punctuation_mask(gold[[1, 0]]).tolist()


@pytest.mark.parametrize("hiding", HIDING)
def test_a_slice_knows_only_its_own_words(gold: Treebank, gold_file: Path, hiding: str) -> None:
    copy = blind(gold[1:], **HIDING[hiding])
    assert sorted(copy.form.vocabulary) == [",", "again", "birds", "fly", "saw"]
    outside = ["dogs", "$", "LEMdog", "DETX", "FIa", "COa", "Fea=Aa"]
    assert [text for text in outside if finds_text(copy, text)] == []
    assert finds_text(gold[1:], "dogs")  # the slice itself shares the vocabulary of the whole
    assert_blind(copy, gold[1:], gold_file, **HIDING[hiding])


@pytest.mark.parametrize("hiding", HIDING)
def test_words_that_were_removed_are_gone(gold: Treebank, hiding: str) -> None:
    kept = keep_words(gold, np.array([True, False] * 5))
    copy = kept.blind(**HIDING[hiding])
    assert not finds_text(copy, "dogs")
    assert not finds_text(copy, "LEMdog")
    assert copy.original_lengths.tolist() == [5, 5]
    assert copy.original_positions.tolist() == kept.original_positions.tolist()
    assert all(
        not np.shares_memory(mine, theirs)
        for mine in reachable_arrays(copy)
        for theirs in reachable_arrays(kept)
    )


def test_codes_do_not_tell_the_order_of_the_whole() -> None:
    # In the whole treebank "b" is met first; a copy of the second sentence must not know.
    whole = sentences("b/X/0 a/X/1", "a/X/0 b/X/1")
    assert whole[1:].blind().form.codes.tolist() == [0, 1]


def test_gold_is_left_as_it_was(gold: Treebank) -> None:
    before = gold.fingerprint
    blind(gold, heads=True, tags=True)
    assert pickled(gold).fingerprint == before


def test_a_blind_copy_hides_something(gold: Treebank) -> None:
    with pytest.raises(ValueError, match="hides heads, tags or both"):
        blind(gold, heads=False, tags=False)
    assert not blind(gold).has_heads
    assert blind(gold).upos.is_annotated
