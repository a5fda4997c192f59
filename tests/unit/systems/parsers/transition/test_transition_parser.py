"""The transition parser as users meet it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.treebank.small_trees import treebank as small
from treegauge.properties import nonprojective_arcs
from treegauge.properties.attachment_order import recorded_order
from treegauge.rewrite.projectivise import projectivise
from treegauge.systems import SystemsError, load_system, make_system
from treegauge.systems.parsers.transition import TransitionParser
from treegauge.systems.parsers.transition.choice import CANDIDATES, trial_parts
from treegauge.toys import toy_treebank
from treegauge.transitions import TransitionSystem, derive
from treegauge.treebank import Column, Treebank, require_trees

pytestmark = pytest.mark.long

SYSTEMS = [system.spelling for system in TransitionSystem]
ALL_SYSTEMS = pytest.mark.parametrize("system", SYSTEMS)
FREE = toy_treebank("toy:free", tokens=900, seed=1)
TRAIN, TEST = FREE[:40], FREE[40:60]


@pytest.fixture(scope="module")
def parsers() -> dict[str, TransitionParser]:
    """One parser for each system, trained a little."""
    return {
        system: TransitionParser({"system": system, "epochs": 2}, seed=1).fit(TRAIN)
        for system in SYSTEMS
    }


def uas(gold: Treebank, answer: Treebank) -> float:
    return float((gold.head == answer.head).mean())


# ---------------------------------------------------------------- trees


@ALL_SYSTEMS
def test_answers_are_labelled_trees_with_one_root(parsers, system: str) -> None:
    answer = parsers[system].annotate(TEST)
    require_trees(answer, purpose="a test")
    assert set(answer.deprel) <= set(TRAIN.deprel)
    roots = answer.head == 0
    assert all((label == "root") == root for label, root in zip(answer.deprel, roots, strict=True))
    if not TransitionSystem.named(system).covers_all_trees:
        assert not nonprojective_arcs(answer).any()
    assert uas(TEST, answer) > 0.5


@ALL_SYSTEMS
@pytest.mark.parametrize("single_root", [True, False], ids=["one root", "any roots"])
@given(seed=st.integers(0, 2**32 - 1))
@examples(8)
def test_any_weights_lead_to_a_tree(parsers, system: str, single_root: bool, seed: int) -> None:
    parser = TransitionParser({"system": system, "single_root": single_root})
    parser.restore(*parsers[system].state())
    parser.is_fitted = True
    generator = np.random.default_rng(seed)
    for table in (parser._tables.moves, parser._tables.labels):
        table[1:] = generator.normal(size=(len(table) - 1, table.shape[1]))
    answer = parser.annotate(TEST[:6])
    require_trees(answer, purpose="a test", single_root=single_root)
    ranks = parser.parse_orders(TEST[:6])
    for s in range(6):
        first, last = TEST.offsets[s : s + 2]
        assert sorted(ranks[first:last]) == list(range(1, last - first + 1))


@ALL_SYSTEMS
def test_short_and_long_sentences(parsers, system: str) -> None:
    words = ["a"] * 303
    treebank = Treebank(
        {"form": Column.from_strings(words), "upos": Column.from_strings(["X"] * 303)},
        offsets=[0, 1, 3, 303],
    )
    answer = parsers[system].annotate(treebank)
    require_trees(answer, purpose="a test")
    assert answer.head[0] == 0
    nothing = parsers[system].annotate(TEST[:0])
    assert nothing.n_words == 0


# ---------------------------------------------------------------- learning


@ALL_SYSTEMS
def test_it_learns_small_treebanks_by_heart(system: str) -> None:
    train = toy_treebank("toy:svo", tokens=300, seed=2)[:15]
    if not TransitionSystem.named(system).covers_all_trees:
        train = projectivise(train)
    settings = {"system": system, "epochs": 12, "training": "static"}
    parser = TransitionParser(settings).fit(train)
    answer = parser.annotate(train)
    assert uas(train, answer) >= 0.99
    right = [a == b for a, b in zip(answer.deprel, train.deprel, strict=True)]
    assert np.mean(right) >= 0.99
    # Where the tree is right, so was the way of the oracle that was learnt.
    root = "first" if system in ("arc-standard", "swap-eager", "swap-lazy") else "last"
    expected = derive(train, system, root=root, single_root=True).rank
    wrong = np.unique(train.sentence_of_word[train.head != answer.head])
    sound = ~np.isin(train.sentence_of_word, wrong)
    agreement = (parser.parse_orders(train) == expected)[sound]
    assert agreement.mean() >= 0.99


@pytest.mark.parametrize("system", ["arc-eager", "arc-hybrid", "arc-standard", "covington"])
def test_exploration_learns_by_heart_too(system: str) -> None:
    train = projectivise(toy_treebank("toy:svo", tokens=300, seed=2)[:15])
    answer = TransitionParser({"system": system, "epochs": 12}).fit(train).annotate(train)
    assert uas(train, answer) >= 0.99


def test_trees_that_cross_are_dropped_or_lifted() -> None:
    crossing = nonprojective_arcs(FREE) > 0
    assert 0 < crossing.sum() < len(crossing)
    dropped = TransitionParser({"nonprojective": "drop", "epochs": 1})
    assert dropped.fit(FREE).annotate(TEST) == dropped.fit(FREE[~crossing]).annotate(TEST)
    lifted = TransitionParser({"epochs": 1})
    assert lifted.fit(FREE).annotate(TEST) == lifted.fit(projectivise(FREE)).annotate(TEST)
    only = FREE[crossing]
    with pytest.raises(SystemsError, match="arc-eager with a single root derives none of"):
        dropped.fit(only)


FOREST = """
1 yes    _ INTJ  _ _ 0 discourse _ _
2 birds  _ NOUN  _ _ 3 nsubj     _ _
3 sing   _ VERB  _ _ 0 root      _ _
"""


@ALL_SYSTEMS
def test_forests(system: str) -> None:
    forest = small(FOREST)
    parser = TransitionParser({"system": system, "single_root": False, "epochs": 12}).fit(forest)
    answer = parser.annotate(forest)
    assert answer.head.tolist() == [0, 3, 0]
    assert list(answer.deprel) == ["discourse", "nsubj", "root"]
    with pytest.raises(SystemsError, match="derives none of the trees"):
        TransitionParser({"system": system}).fit(forest)


@ALL_SYSTEMS
def test_sentences_of_one_word(system: str) -> None:
    one = small("1 Go _ VERB _ _ 0 root _ _")
    parser = TransitionParser({"system": system, "epochs": 2}).fit(one)
    assert parser.annotate(one).head.tolist() == [0]
    assert list(parser.annotate(one).deprel) == ["root"]
    require_trees(parser.annotate(TEST), purpose="a test")


def test_no_words_to_learn_from() -> None:
    with pytest.raises(
        SystemsError, match="transition: nothing to learn from: the treebank has no words"
    ):
        TransitionParser().fit(TRAIN[:0])


def test_an_unknown_column() -> None:
    with pytest.raises(SystemsError, match="unknown column 'lema'; did you mean lemma"):
        make_system("transition", {"columns": ["form", "lema"]})


@pytest.mark.parametrize(
    "settings", [{"columns": []}, {"columns": ["form", "lemma"], "delexicalised": True}]
)
def test_nothing_to_read(settings) -> None:
    with pytest.raises(SystemsError, match="transition: there is nothing to read"):
        make_system("transition", settings)


# ---------------------------------------------------------------- what it reads


def renamed(treebank: Treebank, *columns: str) -> Treebank:
    return treebank.replace(
        columns={name: treebank.columns[name].map(lambda value: f"{value}?") for name in columns}
    )


def test_a_delexicalised_parser_does_not_read_words() -> None:
    parser = TransitionParser({"delexicalised": True, "epochs": 2}).fit(TRAIN)
    expected = parser.annotate(TEST)
    answer = parser.annotate(renamed(TEST, "form", "lemma"))
    assert answer.head.tolist() == expected.head.tolist()
    assert answer.deprel == expected.deprel
    assert not parser._lexicon.vocabularies["forms"]


def test_tags_of_a_tagger_are_read_for_orders_too() -> None:
    settings = {"tags_from": "most-frequent-tag", "columns": ("upos",), "epochs": 2}
    parser = TransitionParser(settings).fit(TRAIN)
    wrong = renamed(TEST, "upos")
    assert parser.annotate(wrong).head.tolist() == parser.annotate(TEST).head.tolist()
    assert parser.parse_orders(wrong).tolist() == parser.parse_orders(TEST).tolist()


def test_the_order_of_attachments_is_recorded_if_asked_for(parsers) -> None:
    parser = TransitionParser({"system": "arc-standard", "record_order": True})
    parser.restore(*parsers["arc-standard"].state())
    parser.is_fitted = True
    answer = parser.annotate(TEST)
    rank = parser.parse_orders(TEST)
    first = np.repeat(TEST.offsets[:-1], TEST.lengths)
    assert np.array_equal(
        rank[first + recorded_order(answer) - 1], np.arange(len(rank)) - first + 1
    )
    assert list(answer.deprel) == list(parsers["arc-standard"].annotate(TEST).deprel)


@pytest.mark.parametrize("column", ["lemma", "xpos", "feats"])
def test_every_column_is_read_if_it_may_be(column: str) -> None:
    read = TransitionParser({"columns": ("upos", column), "epochs": 2}).fit(FREE)
    unread = TransitionParser({"columns": ("upos",), "epochs": 2}).fit(FREE)
    other = renamed(FREE, column)
    assert unread.annotate(FREE).head.tolist() == unread.annotate(other).head.tolist()
    assert read.annotate(FREE).head.tolist() != read.annotate(other).head.tolist()


def test_features_of_words_matter_one_by_one() -> None:
    # As a whole, the features of the words to be parsed were never seen; one by one they were.
    parser = TransitionParser({"columns": ("upos", "feats"), "epochs": 3}).fit(FREE)
    foreign = FREE.replace(
        columns={"feats": FREE.feats.map(lambda v: v if v == "_" else f"Zz=Yes|{v}")}
    )
    nothing = FREE.replace(columns={"feats": Column.constant("_", FREE.n_words)})
    assert uas(FREE, parser.annotate(foreign)) > uas(FREE, parser.annotate(nothing)) + 0.02


# ---------------------------------------------------------------- the same again


def test_the_same_seed_gives_the_same_and_another_another() -> None:
    def bytes_of(seed: int) -> list[bytes]:
        arrays, _ = TransitionParser({"epochs": 2}, seed=seed).fit(TRAIN).state()
        return [array.tobytes() for array in arrays.values()]

    assert bytes_of(1) == bytes_of(1)
    assert bytes_of(1) != bytes_of(2)


def test_sentences_are_parsed_by_themselves(parsers) -> None:
    parser = parsers["arc-eager"]
    together = parser.annotate(TEST)
    backwards = np.arange(TEST.n_sentences)[::-1]
    assert parser.annotate(TEST.take(backwards)).head.tolist() == (
        together.take(backwards).head.tolist()
    )
    for s in range(3):
        alone = parser.annotate(TEST.take(np.array([s])))
        assert alone.head.tolist() == together[s].heads


@ALL_SYSTEMS
def test_what_was_learnt_survives_saving(parsers, system: str, tmp_path) -> None:
    parser = parsers[system]
    parser.save(tmp_path / "parser")
    again = load_system(tmp_path / "parser")
    assert again.annotate(TEST) == parser.annotate(TEST)
    assert (again.parse_orders(TEST) == parser.parse_orders(TEST)).all()
    again.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "parser").read_bytes()


DAMAGES = {
    "missing": lambda _: None,
    "shorter": lambda array: array[: len(array) // 2],
    "longer": lambda array: np.concatenate([array, array]),
    "another type": lambda array: array.astype(np.float64),
    "too large": lambda array: np.full_like(array, np.iinfo(array.dtype).max),
    "negative": lambda array: np.full_like(array, -1),
}


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        *((name, "missing") for name in ("keys", "moves", "pointers", "forms", "label_totals")),
        *((name, "shorter") for name in ("keys", "moves", "label_counts", "label_weights")),
        *((name, "longer") for name in ("pointers", "labels_starts", "tags")),
        *((name, "another type") for name in ("keys", "forms", "label_totals")),
        *((name, "too large") for name in ("pointers", "label_columns", "forms", "tags_starts")),
        *((name, "negative") for name in ("pointers", "label_columns", "label_counts")),
    ],
)
def test_a_damaged_file_is_refused(parsers, tmp_path, name: str, damage: str) -> None:
    path = tmp_path / "parser"
    parsers["arc-eager"].save(path)
    with np.load(path) as file:
        arrays = dict(file)
    damaged = DAMAGES[damage](arrays.pop(name))
    with path.open("wb") as file:
        np.savez(file, **arrays, **({} if damaged is None else {name: damaged}))
    with pytest.raises(SystemsError, match=r"this model is damaged: .*\n  train and save it anew"):
        load_system(path)


def test_a_file_for_another_program_is_refused(parsers) -> None:
    arrays, facts = parsers["arc-eager"].state()
    for change in ({"system": "arc-lazy"}, {"features": "poor"}):
        with pytest.raises(SystemsError, match="should be one of"):
            TransitionParser().restore(dict(arrays), facts | change)


def test_it_must_learn_first() -> None:
    with pytest.raises(SystemsError, match="is not fitted yet"):
        TransitionParser().parse_orders(TEST)


# ---------------------------------------------------------------- choosing


def test_what_suits_the_training_data_is_chosen() -> None:
    lines = []
    parser = TransitionParser({"optimise": True, "epochs": 1}).fit(
        FREE, on_progress=lambda share, line: lines.append((share, line))
    )
    shares = [share for share, _ in lines]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    tried = [line for _, line in lines if "LAS" in line]
    n_systems = len(CANDIDATES)
    assert [line.split(",")[0] for line in tried[:n_systems]] == list(CANDIDATES)
    assert [line.split()[1] for line in tried[n_systems:]] == ["rich", "malt"]
    best = max(tried[:n_systems], key=lambda line: float(line.split()[-1].rstrip("%")))
    assert parser._system.spelling == best.split(",")[0]
    chosen = {"system": parser._system.spelling, "features": parser._features, "epochs": 1}
    assert TransitionParser(chosen).fit(FREE).annotate(TEST) == parser.annotate(TEST)


def test_the_parts_of_trials_are_disjoint_and_small() -> None:
    train, held_out = trial_parts(FREE, seed=0)
    assert sorted([*train.sentence_ids, *held_out.sentence_ids]) == sorted(FREE.sentence_ids)
    assert held_out.n_sentences == FREE.n_sentences // 5
    assert trial_parts(FREE[:9], seed=0) is None
    few = TransitionParser({"optimise": True, "epochs": 1, "system": "covington"}).fit(FREE[:9])
    assert few._system is TransitionSystem.COVINGTON
