"""The one shape of systems: what they see, what they give back, and what they keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tests.unit.treebank.peeking import reachable
from tests.unit.treebank.small_trees import conllu, heads, sentences
from treegauge.formats import Findings, read
from treegauge.systems import (
    DependencyInducer,
    Settings,
    System,
    SystemEntry,
    SystemsError,
    load_system,
    make_system,
    registry,
    setting,
)
from treegauge.treebank import Column, Treebank

# Every gold value is a text that stands nowhere else.
GOLD = """
# sent_id = secretid
1 birds LEMbird NOUNX FINEa Fea=Aa 3 relda 3:depsa Misc=aa
2 often LEMoft  ADVX  FINEb Fea=Bb 3 reldb 3:depsb Misc=bb
3 sing  LEMsing VERBX FINEc Fea=Cc 0 reldc 0:depsc Misc=cc
4 .     LEMdot  PUNCT FINEd Fea=Dd 3 reldd 3:depsd Misc=dd
"""
GOLD_HEADS = [3, 3, 0, 3]
SECRETS_OF_TREES = ("secretid", "reld", "depsa", "Misc", "zebra")
SECRETS_OF_TAGS = ("LEM", "NOUNX", "ADVX", "VERBX", "FINE", "Fea")


@pytest.fixture
def gold(tmp_path) -> Treebank:
    path = tmp_path / "zebra.conllu"
    path.write_text(conllu(GOLD), encoding="utf-8")
    treebank = read(path, findings=Findings())
    assert treebank.fingerprint  # whatever is remembered must not be handed on either
    assert treebank.sentence_ids == ("secretid",)
    return treebank


def found_by_looking(start: object) -> tuple[bytes, list[list[int]]]:
    """Return all text and all arrays of whole numbers that can be reached from something."""
    text, arrays = b"", []
    for thing in reachable(start):
        if isinstance(thing, str):
            text += thing.encode() + b"\n"
        elif isinstance(thing, bytes):
            text += thing + b"\n"
        elif isinstance(thing, np.ndarray) and thing.dtype == np.uint8:
            text += thing.tobytes() + b"\n"
        elif isinstance(thing, np.ndarray) and np.issubdtype(thing.dtype, np.integer):
            arrays.append(thing.ravel().tolist())
    return text, arrays


class _Peeking:
    """Walks through everything that can be reached from what it is given."""

    def _look(self, given: Treebank) -> None:
        text, arrays = found_by_looking([given, vars(self)])
        self.text = getattr(self, "text", b"") + text
        self.arrays = getattr(self, "arrays", []) + arrays

    def knows(self, secret: str) -> bool:
        return secret.encode() in self.text

    @property
    def knows_heads(self) -> bool:
        return GOLD_HEADS in self.arrays


class PeekingInducer(_Peeking, DependencyInducer):
    """Looks for trees."""

    name = "peeking"

    def _fit(self, treebank, _on_progress):
        self._look(treebank)

    def _heads(self, words, _on_progress):
        self._look(words)
        return np.zeros(words.n_words, np.int32)


class PeekingTagger(_Peeking, System):
    """Looks for trees and tags."""

    name = "peeking-tagger"
    task = "tags"

    def _fit(self, treebank, _on_progress):
        self._look(treebank)

    def _annotate(self, treebank, _on_progress):
        self._look(treebank)
        return treebank.replace(columns={"upos": Column.constant("1", treebank.n_words)})


class PeekingJoint(PeekingTagger):
    """Looks for both, and would give both."""

    name = "peeking-joint"
    task = "joint"

    def _annotate(self, treebank, _on_progress):
        answer = super()._annotate(treebank, _on_progress)
        return answer.replace(head=np.zeros(answer.n_words, np.int32))


# ---------------------------------------------------------------------- blindness


def test_the_search_finds_what_can_be_found(gold) -> None:
    text, arrays = found_by_looking(gold)
    assert all(secret.encode() in text for secret in (*SECRETS_OF_TREES, *SECRETS_OF_TAGS))
    assert GOLD_HEADS in arrays


def test_an_inducer_of_trees_sees_tags_and_no_trees(gold) -> None:
    inducer = PeekingInducer().fit(gold)
    inducer.annotate(gold)
    assert all(inducer.knows(tag) for tag in SECRETS_OF_TAGS)
    assert not any(inducer.knows(secret) for secret in SECRETS_OF_TREES)
    assert not inducer.knows_heads


@pytest.mark.parametrize("kind", [PeekingTagger, PeekingJoint])
def test_an_inducer_of_tags_sees_words_and_nothing_else(gold, kind) -> None:
    inducer = kind().fit(gold)
    inducer.annotate(gold)
    assert inducer.knows("birds")
    assert not any(inducer.knows(secret) for secret in (*SECRETS_OF_TREES, *SECRETS_OF_TAGS))
    assert not inducer.knows_heads


def test_a_supervised_system_sees_gold_in_training_only(gold) -> None:
    class Supervised(PeekingTagger):
        is_supervised = True

    learner = Supervised().fit(gold)
    assert learner.knows("NOUNX")
    assert learner.knows_heads
    learner.text, learner.arrays = b"", []
    learner.annotate(gold)
    assert not learner.knows("NOUNX")
    assert not learner.knows_heads


# ---------------------------------------------------------------------- what comes back


def test_an_inducer_of_trees_changes_trees_alone(gold) -> None:
    answer = PeekingInducer().fit(gold).annotate(gold)
    assert answer.head.tolist() == [0, 0, 0, 1]  # the mark hangs on the first root
    assert list(answer.deprel) == list(answer.columns["deps"]) == ["_"] * 4
    assert answer.upos == gold.upos
    assert answer.name == gold.name
    assert answer.sentence_ids == gold.sentence_ids


def test_an_inducer_of_tags_leaves_no_gold_tag_behind(gold) -> None:
    answer = PeekingTagger().fit(gold).annotate(gold)
    assert list(answer.upos) == ["1"] * 4
    assert list(answer.xpos) == ["_"] * 4
    assert answer.head.tolist() == GOLD_HEADS


# ---------------------------------------------------------------------- fit, settings, seed


def test_nothing_to_learn_from() -> None:
    empty = sentences("a/X")[:0]
    with pytest.raises(
        SystemsError, match="peeking: nothing to learn from: the treebank has no words"
    ):
        PeekingInducer().fit(empty)


def test_a_system_that_has_not_learnt_says_so(gold, tmp_path) -> None:
    with pytest.raises(SystemsError, match="peeking is not fitted yet: call fit first"):
        PeekingInducer().annotate(gold)
    with pytest.raises(SystemsError, match="there is nothing to save"):
        PeekingInducer().save(tmp_path / "model")
    assert not list(tmp_path.glob("*model*"))


def test_settings_of_another_system_are_refused() -> None:
    @dataclass(frozen=True)
    class Other(Settings):
        x: int = setting(1, "a number")

    class Choosy(PeekingInducer):
        settings_type = Other

    assert Choosy(Other(x=2)).settings.x == Choosy({"x": "2"}).settings.x == 2
    with pytest.raises(SystemsError, match="peeking takes Other, not Settings"):
        Choosy(Settings())


# ---------------------------------------------------------------------- save and load


@dataclass(frozen=True)
class CountingSettings(Settings):
    """Settings with a tuple, which JSON turns into a list."""

    lengths: tuple[int, ...] = setting((1, 2), "lengths")


class Counting(DependencyInducer):
    """Hangs everything on the word whose number it learnt."""

    name = "counting"
    settings_type = CountingSettings

    def _fit(self, treebank, _on_progress):
        self.root = np.array([treebank.n_sentences], np.int64)

    def _heads(self, words, _on_progress):
        head = np.full(words.n_words, self.root[0], np.int32)
        head[words.offsets[:-1] + self.root[0] - 1] = 0
        return head

    def _state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"root": self.root}, {"note": "größer"}

    def _restore(self, arrays, facts):
        assert facts == {"note": "größer"}
        self.root = arrays["root"]


@pytest.fixture
def counting_is_known(monkeypatch):
    entry = SystemEntry("counting", __name__, "Counting", "dependencies", "unsupervised", "")
    monkeypatch.setattr(registry, "systems", lambda: {"counting": entry})


def test_a_saved_system_is_the_same_system(counting_is_known, tmp_path) -> None:
    text = sentences("a/X b/X c/X", "d/X e/X")
    system = Counting({"lengths": [3, 4]}, seed=7).fit(text)
    system.save(tmp_path / "model")
    loaded = load_system(tmp_path / "model")
    assert type(loaded) is Counting
    assert (loaded.settings, loaded.seed) == (system.settings, 7)
    assert heads(loaded.annotate(text)) == heads(system.annotate(text)) == [[2, 0, 2], [2, 0]]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model"]


def test_saving_writes_exactly_the_path_and_no_pickle(counting_is_known, tmp_path) -> None:
    Counting().fit(sentences("a/X")).save(tmp_path / "m.any")
    with np.load(tmp_path / "m.any", allow_pickle=False) as file:
        assert sorted(file.files) == ["about", "root"]


def test_a_model_that_cannot_be_written(tmp_path) -> None:
    with pytest.raises(SystemsError, match=r"nowhere/m: cannot be written: no such file"):
        make_system("random").save(tmp_path / "nowhere" / "m")


def test_systems_that_learn_nothing_can_be_saved_too(tmp_path) -> None:
    text = sentences("a/X b/X c/X d/X e/X")
    system = make_system("random", seed=5)
    system.save(tmp_path / "m")
    assert load_system(tmp_path / "m").annotate(text) == system.annotate(text)


def damaged(good: bytes, at: int) -> bytes:
    return good[:at] + bytes([good[at] ^ 0xFF]) + good[at + 1 :]


def broken_models(tmp_path) -> dict[str, bytes]:
    make_system("random").save(tmp_path / "good")
    good = (tmp_path / "good").read_bytes()
    np.save(tmp_path / "array.npy", np.zeros(3))
    np.savez(tmp_path / "other.npz", x=np.zeros(3))
    np.savez(tmp_path / "no.npz", about=np.frombuffer(b"[1, 2]", np.uint8))
    return {
        "text": b"this is no model\n",
        "empty": b"",
        "truncated": good[: len(good) // 2],
        "version": damaged(good, good.rindex(b"PK\x01\x02") + 6),  # of the zip format
        "array": (tmp_path / "array.npy").read_bytes(),
        "other": (tmp_path / "other.npz").read_bytes(),
        "list": (tmp_path / "no.npz").read_bytes(),
    }


def test_damage_at_any_byte_is_found_or_harmless(tmp_path) -> None:
    text = sentences("a/X b/Y c/X")
    make_system("most-frequent-tag").fit(text).save(tmp_path / "good")
    good = (tmp_path / "good").read_bytes()
    refused = 0
    for at in range(0, len(good), 11):
        (tmp_path / "m").write_bytes(damaged(good, at))
        try:
            load_system(tmp_path / "m")
        except SystemsError:
            refused += 1
    assert refused > len(good) // 11 // 2


@pytest.mark.parametrize(
    "kind", ["text", "empty", "truncated", "version", "array", "other", "list"]
)
def test_a_file_that_is_no_model_is_refused(tmp_path, kind) -> None:
    (tmp_path / "m").write_bytes(broken_models(tmp_path)[kind])
    with pytest.raises(SystemsError, match="m: this is no model that treegauge saved"):
        load_system(tmp_path / "m")


def test_a_file_that_is_not_there(tmp_path) -> None:
    with pytest.raises(SystemsError, match="m: cannot be read: no such file"):
        load_system(tmp_path / "m")


def with_about(tmp_path, text: str):
    np.savez(tmp_path / "m.npz", about=np.frombuffer(text.encode(), np.uint8))
    return tmp_path / "m.npz"


def test_models_of_other_times_and_packages(tmp_path) -> None:
    with pytest.raises(SystemsError, match="a model of schema 2; this reads schema 1"):
        load_system(with_about(tmp_path, '{"schema": 2}'))
    with pytest.raises(SystemsError, match="this model has no 'system'"):
        load_system(with_about(tmp_path, '{"schema": 1}'))
    about = '{"schema": 1, "system": "randomm", "settings": {}, "seed": 0, "facts": {}}'
    with pytest.raises(SystemsError, match="unknown system 'randomm'; did you mean random"):
        load_system(with_about(tmp_path, about))


# ---------------------------------------------------------------------- the table


@pytest.mark.parametrize("name", registry.systems())
def test_the_table_tells_the_truth(name: str) -> None:
    entry = registry.systems()[name]
    cls = entry.load()
    assert cls.name == name
    assert cls.task == entry.task
    assert (entry.supervision == "supervised") == cls.is_supervised
    assert entry.summary.endswith(".")


def entry_of(cls: str, name: str = "peeking") -> SystemEntry:
    return SystemEntry(name, __name__, cls, "?", "?", "", "birds")


class Nameless(DependencyInducer):
    """Says neither its name nor what it does."""


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (entry_of("Nothing"), "peeking: cannot be imported: module .* has no attribute 'Nothing'"),
        (entry_of("GOLD"), "GOLD of birds is no subclass of treegauge.systems.System"),
        (entry_of("Nameless"), "peeking: Nameless does not say name, _heads"),
        (entry_of("Counting"), "peeking: Counting calls itself 'counting'"),
    ],
)
def test_what_is_no_system_is_not_loaded(entry, message) -> None:
    with pytest.raises(SystemsError, match=message):
        entry.load()
