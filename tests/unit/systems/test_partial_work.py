"""Pieces of long work: what is kept, what is taken again, and what starts anew."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tests.unit.treebank.small_trees import sentences
from treegauge.systems import (
    DependencyInducer,
    Settings,
    SystemEntry,
    SystemsWarning,
    registry,
    setting,
)
from treegauge.systems.partial_work import PartialWork
from treegauge.systems.tags_then_trees import TagsThenTrees

OWNER: dict[str, Any] = {"system": "x", "settings": {"a": 1}, "seed": 0, "text": "t", "code": "c"}


def kept(folder) -> PartialWork:
    work = PartialWork(folder, **OWNER)
    work.keep("chain0", {"heads": np.arange(3)}, {"log_joint": -1.5})
    return work


def test_a_piece_comes_back(tmp_path) -> None:
    kept(tmp_path / "out.partial")
    again = PartialWork(tmp_path / "out.partial", **OWNER)
    assert again.names == ("chain0",)
    piece = again.piece("chain0")
    assert piece is not None
    assert piece[0]["heads"].tolist() == [0, 1, 2]
    assert piece[1] == {"log_joint": -1.5}
    assert again.piece("chain1") is None


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("system", "y", "another system"),
        ("settings", {"a": 2}, "other settings"),
        ("seed", 1, "another seed"),
        ("text", "u", "another text"),
        ("code", "d", "another version of the code"),
    ],
)
def test_whatever_has_changed_starts_anew_and_says_so(tmp_path, key, value, words) -> None:
    kept(tmp_path)
    with pytest.warns(SystemsWarning, match=f"is of {words}: the work starts anew"):
        again = PartialWork(tmp_path, **{**OWNER, key: value})
    assert len(again) == 0
    assert not list(tmp_path.iterdir())


def test_a_damaged_piece_is_no_piece(tmp_path) -> None:
    kept(tmp_path)
    (tmp_path / "chain0.piece").write_bytes(b"PK\3\4 and nothing else")
    assert len(PartialWork(tmp_path, **OWNER)) == 0


def test_what_others_put_there_stays(tmp_path) -> None:
    work = kept(tmp_path / "out.partial")
    (tmp_path / "out.partial" / "notes.txt").write_text("mine")
    work.remove()
    assert [path.name for path in (tmp_path / "out.partial").iterdir()] == ["notes.txt"]
    (tmp_path / "out.partial" / "notes.txt").unlink()
    work.remove()
    assert not (tmp_path / "out.partial").exists()


# ---------------------------------------------------------------------- in a system


@dataclass(frozen=True)
class SlowSettings(Settings):
    """Of a system that takes long."""

    pieces: int = setting(3, "pieces of work")


class Slow(DependencyInducer):
    """Does pieces of work, and is interrupted before the last of them when it is told to be."""

    name = "slow"
    settings_type = SlowSettings
    keeps_pieces = True
    interrupted = False
    done: list[int]

    def _fit(self, _treebank, _on_progress):
        self.done = []
        for number in range(self.settings.pieces):
            if self.partial_work.piece(f"piece{number}") is not None:
                continue
            if self.interrupted and number == self.settings.pieces - 1:
                raise KeyboardInterrupt
            self.done.append(number)
            self.partial_work.keep(f"piece{number}", {}, {})

    def _heads(self, words, _on_progress):
        return np.zeros(words.n_words, np.int32)


def interrupted_fit(folder, text) -> None:
    first = Slow()
    first.interrupted = True
    with pytest.raises(KeyboardInterrupt):
        first.fit(text, keep_in=folder)


def test_an_interrupted_fit_goes_on(tmp_path) -> None:
    text = sentences("a/X b/Y")
    interrupted_fit(tmp_path / "p", text)
    again = Slow().fit(text, keep_in=tmp_path / "p")
    assert again.done == [2]
    again.partial_work.remove()
    assert not (tmp_path / "p").exists()
    assert Slow().fit(text).done == [0, 1, 2]


def test_gold_that_it_does_not_see_changes_nothing(tmp_path) -> None:
    text = sentences("a/X b/Y")
    interrupted_fit(tmp_path / "p", text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = Slow().fit(text.replace(head=[2, 0]), keep_in=tmp_path / "p")
    assert again.done == [2]


def test_another_text_starts_anew(tmp_path) -> None:
    interrupted_fit(tmp_path / "p", sentences("a/X b/Y"))
    with pytest.warns(SystemsWarning, match="another text"):
        again = Slow().fit(sentences("a/X b/Z"), keep_in=tmp_path / "p")
    assert again.done == [0, 1, 2]


def test_an_inducer_over_tags_of_a_tagger_keeps_its_pieces(tmp_path, monkeypatch) -> None:
    entry = SystemEntry("slow", __name__, "Slow", "dependencies", "unsupervised", "")
    known = {**registry.systems(), "slow": entry}
    monkeypatch.setattr(registry, "systems", lambda: known)
    text = sentences("a/X b/Y", "b/Y a/X")

    def over_classes() -> TagsThenTrees:
        return TagsThenTrees({"tags_from": "brown:2", "inducer": "slow"})

    first = over_classes()
    first.inducer.interrupted = True
    with pytest.raises(KeyboardInterrupt):
        first.fit(text, keep_in=tmp_path / "p")
    again = over_classes().fit(text, keep_in=tmp_path / "p")
    assert again.inducer.done == [2]
    again.partial_work.remove()
    assert not (tmp_path / "p").exists()
