"""Parsers that vote, tried with parsers that always say the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.strategies import trees
from tests.unit.systems.parsers.all_trees import all_trees
from tests.unit.treebank.small_trees import heads, sentences
from treegauge.settings import setting
from treegauge.systems import SystemEntry, SystemsError, load_system, make_system, registry
from treegauge.systems.parsers.ensemble import most_voted_relations, most_voted_trees
from treegauge.systems.parsers.parser import Parser, ParserSettings
from treegauge.toys import toy_parts
from treegauge.treebank import Column, Treebank


@dataclass(frozen=True)
class StubbornSettings(ParserSettings):
    """What it always says."""

    heads: str = setting("0", "heads, divided by spaces")
    relation: str = setting("dep", "the relation of all words")


class Stubborn(Parser):
    """Learns how many words there were, and says what it is told to say."""

    name: ClassVar[str] = "stubborn"
    settings_type = StubbornSettings
    seconds_per_word = 2.0

    def _learn(self, treebank, on_progress):
        self.learnt = treebank.n_words
        on_progress(1.0, "done")

    def _parse(self, treebank, on_progress):
        on_progress(1.0, "done")
        said = [int(head) for head in self.settings.heads.split()]
        return (
            np.array(said * treebank.n_sentences, np.int32),
            Column.constant(self.settings.relation, treebank.n_words),
        )

    def _state(self):
        return {"learnt": np.array([self.learnt])}, {"seed": self.seed}

    def _restore(self, arrays, facts):
        self.learnt = int(arrays["learnt"][0])
        assert facts["seed"] == self.seed


@pytest.fixture(autouse=True)
def stubborn(monkeypatch):
    """Put the stub into the table of systems."""
    entry = SystemEntry("stubborn", __name__, "Stubborn", "dependencies", "supervised", "")
    table = {**registry.systems(), "stubborn": entry}
    monkeypatch.setattr(registry, "systems", lambda: table)


TEXT = sentences("a/A/2 b/B/0 c/C/2")


def ensemble(*members: str, **settings):
    return make_system("ensemble", {"parsers": members, **settings})


def test_the_majority_wins():
    voters = ensemble(
        "stubborn?heads=2 0 2&relation=x",
        "stubborn?heads=2 0 1&relation=y",
        "stubborn?heads=0 1 2&relation=z",
    ).fit(TEXT)
    answer = voters.annotate(TEXT)
    assert heads(answer) == [[2, 0, 2]]
    # Word 1: x and y chose 2, a tie, the first; word 3: x and z chose 2.
    assert list(answer.deprel) == ["x", "x", "x"]


def test_the_relation_is_that_of_those_who_chose_the_head():
    voters = ensemble(
        "stubborn?heads=0 1 1&relation=x",
        "stubborn?heads=2 0 2&relation=y",
        "stubborn?heads=2 0 2&relation=y",
        "stubborn?heads=2 0 1&relation=x",
    ).fit(TEXT)
    answer = voters.annotate(TEXT)
    assert heads(answer) == [[2, 0, 1]]  # two votes each for word 3: the first parser's
    assert list(answer.deprel) == ["y", "y", "x"]


def test_votes_that_are_no_tree_become_one():
    voters = ensemble("stubborn?heads=2 0 2", "stubborn?heads=0 1 2", "stubborn?heads=2 3 0")
    assert heads(voters.fit(TEXT).annotate(TEXT)) == [[2, 0, 2]]


@given(data=st.data(), single_root=st.booleans())
@examples(60)
def test_no_tree_has_more_votes(data, single_root):
    n = data.draw(st.integers(1, 5))
    votes = np.array(data.draw(st.lists(trees(n, n), min_size=1, max_size=4)), np.int32)
    found = most_voted_trees(votes, np.array([0, n]), single_root)

    def worth(tree) -> tuple[int, int]:
        return int((votes == tree).sum()), int((votes[0] == tree).sum())

    everything = all_trees(n, projective=False, single_root=single_root)
    assert worth(found) == max(worth(np.array(tree)) for tree in everything)
    if len(votes) <= 2:  # two are no vote
        assert found.tolist() == votes[0].tolist()


@given(data=st.data())
@examples(60)
def test_relations_are_those_of_a_slow_twin(data):
    n_voters, n_words = data.draw(st.integers(1, 5)), data.draw(st.integers(0, 4))
    word = st.sampled_from("abc")
    said = [data.draw(st.lists(word, min_size=n_words, max_size=n_words)) for _ in range(n_voters)]
    chose = np.array(
        [[data.draw(st.booleans()) for _ in range(n_words)] for _ in range(n_voters)], np.bool_
    ).reshape(n_voters, n_words)
    expected = []
    for i in range(n_words):
        asked = [v for v in range(n_voters) if chose[v, i]] or [*range(n_voters)]
        names = [said[v][i] for v in asked]
        expected.append(max(names, key=lambda name: (names.count(name), -names.index(name))))
    columns = [Column.from_strings(names) for names in said]
    assert list(most_voted_relations(columns, chose=chose)) == expected


def test_several_roots_only_where_they_are_allowed():
    everything = "stubborn?heads=0 0 0"
    assert heads(ensemble(everything, single_root=False).fit(TEXT).annotate(TEXT)) == [[0, 0, 0]]
    assert heads(ensemble(everything).fit(TEXT).annotate(TEXT))[0].count(0) == 1


def test_enough_parsers_vote_by_default():
    assert len(make_system("ensemble").members) >= 3


def test_what_it_is_made_of():
    voters = ensemble("stubborn?heads=0 1 1", "stubborn", "graph?decoder=cle")
    assert voters.made_of == ("stubborn", "graph")
    assert [member.seed for member in voters.members] == [0, 1, 2]
    assert voters.seconds_per_word > 4.0
    assert voters.supervision == "supervised"


@pytest.mark.parametrize(
    ("parsers", "message"),
    [
        ([], "setting parsers: expected at least one"),
        (["dmv"], "dmv is no parser that learns from trees"),
        (["most-frequent-tag"], "most-frequent-tag is no parser that learns from trees"),
        (["grahp"], "unknown system 'grahp'; did you mean graph"),
        (["graph?decoder=mst"], "graph: setting decoder: expected one of eisner, cle"),
        (["graph?decoder"], "expected KEY=VALUE"),
    ],
)
def test_who_cannot_vote(parsers, message):
    with pytest.raises(SystemsError, match=message):
        ensemble(*parsers)


def test_nothing_to_learn_from():
    with pytest.raises(SystemsError, match="ensemble: nothing to learn from"):
        ensemble("stubborn").fit(sentences())


def test_progress_is_that_of_the_whole():
    told: list[float] = []
    ensemble("stubborn", "stubborn").fit(TEXT, on_progress=lambda share, _: told.append(share))
    assert told == [0.5, 1.0]


GRAPH = "graph?epochs=3&relation_epochs=3&table_bits=16"


@pytest.fixture(scope="module")
def parts() -> dict[str, Treebank]:
    return toy_parts("toy:free", tokens=1000)


def test_real_parsers_vote_and_are_saved_in_one_file(parts, tmp_path):
    voters = ensemble(GRAPH, f"{GRAPH}&decoder=cle", GRAPH).fit(parts["train"])
    text = parts["test"]
    answer = voters.annotate(text)
    assert (answer.head == text.head).mean() > 0.7
    voters.save(tmp_path / "model")
    assert load_system(tmp_path / "model").annotate(text) == answer
    # Three parsers, each with a seed of its own.
    weights = [member._arcs.weights for member in voters.members]
    assert not np.array_equal(weights[0], weights[2])


def test_a_damaged_model_is_refused(tmp_path):
    path = tmp_path / "model"
    ensemble("stubborn", "stubborn?heads=0 1 1").fit(TEXT).save(path)
    assert load_system(path).members[1].learnt == 3
    with np.load(path) as file:
        arrays = {key: file[key] for key in file.files}
    for change, message in (
        (lambda a: a.pop("1.learnt"), "it has no 'learnt'"),
        (
            lambda a: a.update(
                about=np.frombuffer(a["about"].tobytes().replace(b'{"seed": 0}, ', b""), np.uint8)
            ),
            "its members should be a list of 2",
        ),
    ):
        damaged = dict(arrays)
        change(damaged)
        with path.open("wb") as opened:
            np.savez(opened, **damaged)
        with pytest.raises(SystemsError, match=message):
            load_system(path)
