"""`reducibility` and `reducibility-stop` as systems: settings, seeds, files, bad input."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import treegauge as tg
from treegauge.properties import measure_reducibility
from treegauge.systems import SystemsError, SystemsWarning, load_system, make_system
from treegauge.systems.dependency_induction.bracket_sampler import SampledText
from treegauge.systems.dependency_induction.known_trees import (
    KnownTrees,
    pooled_arcs,
    sentence_keys,
)
from treegauge.systems.dependency_induction.reducibility_stop import stop_estimates
from treegauge.systems.saved_state import SavedState
from treegauge.treebank import tree_flaws

QUICK = {"passes": 6, "test_passes": 4, "chains": 2}


@pytest.fixture(scope="module")
def toy():
    return tg.toy_treebank("toy:svo", part="test")[:200]


@pytest.fixture(scope="module")
def learnt(toy):
    return make_system("reducibility", QUICK).fit(toy)


def induced(toy, **settings):
    return make_system("reducibility", {**QUICK, **settings}).fit(toy).annotate(toy)


def heads_of(treebank):
    return treebank.head.tolist()


# ---------------------------------------------------------------------- trees, seeds, files


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"tree": "mst"},
        {"fertility": "word"},
        {"directed_edges": True},
        {"exact": True},
        {"max_length": 5},
        {"noun_root": False},
        {"match": "words"},
        {"longest_whole": 8},
    ],
)
@pytest.mark.filterwarnings("ignore:reducibility. .*longest_whole")
def test_every_sentence_gets_a_tree(toy, settings) -> None:
    annotated = induced(toy, **settings)
    assert not tree_flaws(annotated).any()
    roots = np.add.reduceat((annotated.head == 0).astype(int), annotated.offsets[:-1])
    assert (roots == 1).all()
    assert annotated.form == toy.form


def test_the_same_seed_gives_the_same_trees_on_any_number_of_threads(toy, monkeypatch) -> None:
    found = []
    for number in ("1", "2"):
        monkeypatch.setenv("TREEGAUGE_THREADS", number)
        found.append(heads_of(induced(toy)))
    assert found[0] == found[1]
    other = make_system("reducibility", QUICK, seed=1).fit(toy).annotate(toy)
    assert heads_of(other) != found[0]


@pytest.mark.parametrize("settings", [{}, {"fertility": "word", "directed_edges": True}])
def test_what_was_saved_parses_as_before(toy, settings, tmp_path) -> None:
    system = make_system("reducibility", {**QUICK, **settings}).fit(toy)
    system.save(tmp_path / "model")
    again = load_system(tmp_path / "model")
    assert heads_of(again.annotate(toy)) == heads_of(system.annotate(toy))
    assert again.describe_grammar() == system.describe_grammar()


def test_sentences_that_were_learnt_from_keep_their_trees(learnt, toy) -> None:
    whole, part = learnt.annotate(toy), learnt.annotate(toy[50:60])
    assert heads_of(part) == heads_of(whole[50:60])
    assert len(learnt.known.keys) == len(np.unique(learnt.known.keys))
    text = tg.parse("a/X b/ADV\n" * 9 + "c/X d/ADV\n", format="slashed")
    heads = induced(text).head.reshape(-1, 2).tolist()
    assert all(tree == heads[0] for tree in heads)


def test_arcs_of_identical_sentences_are_added_up() -> None:
    """Two sentences of one word each, then one of two: the first two are alike."""
    n = 4
    text = SampledText(
        np.array([0, 0, 0, 0]), np.array([0, 1, 2, 4]), np.zeros((n, 3)), np.ones(n), np.zeros(n)
    )
    keys = sentence_keys(text)
    assert keys[0] == keys[1] != keys[2]
    arcs = np.arange(10.0)
    pooled_arcs(arcs, text, keys)
    assert arcs.tolist() == [2, 4, 2, 4, 4, 5, 6, 7, 8, 9]
    known = KnownTrees.of(np.array([0, 0, 2, 0], np.int32), text, keys)
    assert (len(known.keys), len(known.heads)) == (2, 3)
    heads = np.full(n, -1, np.int32)
    assert known.fill(heads, text).all()
    assert heads.tolist() == [0, 0, 2, 0]


@pytest.mark.parametrize("heads", [[0, 0, 0], [2, 1, 0], [0, 3, 2], [0, 4, 1]])
def test_what_is_no_tree_is_no_model(heads) -> None:
    arrays = {
        "known_keys": np.array([7], np.uint64),
        "known_bounds": np.array([0, 3]),
        "known_heads": np.array(heads, np.int32),
    }
    with pytest.raises(SystemsError, match="are no trees"):
        KnownTrees.restored(SavedState(arrays, {}))
    arrays["known_heads"] = np.array([2, 0, 2], np.int32)
    assert KnownTrees.restored(SavedState(arrays, {})).heads.tolist() == [2, 0, 2]


def test_gold_is_not_looked_at(learnt, toy) -> None:
    flat = toy.replace(head=np.where(toy.head == 0, 0, 1))
    other = make_system("reducibility", QUICK).fit(flat)
    assert heads_of(learnt.annotate(toy)) == heads_of(other.annotate(flat))


def test_tags_that_were_never_seen_can_be_parsed(learnt, toy) -> None:
    strange = toy[:20].replace(columns={"upos": toy[:20].upos.map(lambda tag: "X" + tag)})
    assert not tree_flaws(learnt.annotate(strange)).any()


def test_sentences_of_one_word_of_one_tag_and_long_ones() -> None:
    text = "a/X\nb/X c/X\n" + " ".join(["d/X"] * 200) + "\n!/PUNCT\n"
    annotated = induced(tg.parse(text, format="slashed"))
    assert not tree_flaws(annotated).any()


def test_supervision_says_what_is_told() -> None:
    assert make_system("reducibility").supervision == "unsupervised"
    assert make_system("reducibility", {"noun_root": False}).supervision == "universal rules"


def test_nouns_are_no_roots_beside_verbs_if_that_is_told(toy) -> None:
    annotated = induced(toy, noun_root=False, passes=20, test_passes=20)
    for sentence in annotated:
        words = list(sentence)
        root = next(word for word in words if word.head == 0)
        if any(word.upos == "VERB" for word in words):
            assert root.upos not in ("NOUN", "PROPN")


def test_the_grammar_can_be_read(learnt) -> None:
    text = learnt.describe_grammar(3)
    assert text.startswith("root\n")
    assert "most frequent edges" in text
    assert "n-grams can be left out" in text
    assert "VERB" in text


# ---------------------------------------------------------------------- what settings do


def test_much_reducibility_makes_leaves_of_what_can_be_left_out() -> None:
    """Adverbs come and go, everything else stays: they are leaves."""
    lines = ["dogs/NOUN bark/VERB", "dogs/NOUN now/ADV bark/VERB", "now/ADV dogs/NOUN bark/VERB"]
    text = tg.parse("".join(f"{line}\n" for line in lines * 30), format="slashed")
    assert measure_reducibility(text).as_weights()["ADV",] > 1
    annotated = induced(text, delta=20.0, passes=30, test_passes=20)
    for sentence in annotated:
        words = list(sentence)
        heads = {words[word.head - 1].upos for word in words if word.head}
        assert "ADV" not in heads


def test_reducibility_comes_from_a_raw_text(toy, tmp_path) -> None:
    larger = tg.toy_treebank("toy:svo", tokens=5000)
    for name in ("raw.conllu", "raw.slashed", "raw.tagged"):
        tg.write(larger, tmp_path / name)
    found = []
    for name in ("raw.conllu", "raw.slashed", "raw.tagged"):
        settings = {**QUICK, "raw": [str(tmp_path / name)]}
        system = make_system("reducibility", settings).fit(toy)
        found.append((system.weights.summary, heads_of(system.annotate(toy))))
    assert found[0] == found[1] == found[2]
    own = make_system("reducibility", QUICK).fit(toy)
    assert own.weights.summary != found[0][0]
    named = make_system("reducibility", {**QUICK, "raw": "toy:svo"}).fit(toy)
    assert named.weights.summary != own.weights.summary


@pytest.mark.parametrize("name", ["reducibility", "reducibility-stop"])
def test_raw_texts_are_part_of_the_time_that_is_expected(name, tmp_path) -> None:
    path = tmp_path / "raw.tagged"
    path.write_bytes(b"x" * 10_000_000)
    alone, both = (make_system(name, {"raw": raw}) for raw in ((), (str(path), "toy:svo")))
    text = tg.toy_treebank("toy:svo", tokens=1000)
    assert 1 < both.expected_seconds(text) - alone.expected_seconds(text) < 10


# ---------------------------------------------------------------------- interruption


def test_chains_that_were_sampled_are_not_sampled_again(toy, tmp_path) -> None:
    def stop_half_way(share: float, _line: str) -> None:
        if share > 0.9:
            raise KeyboardInterrupt

    folder = tmp_path / "out.partial"
    whole = make_system("reducibility", {**QUICK, "chains": 3}).fit(toy)
    first = make_system("reducibility", {**QUICK, "chains": 3})
    with pytest.raises(KeyboardInterrupt):
        first.fit(toy, on_progress=stop_half_way, keep_in=folder)
    kept = sorted(path.name for path in folder.iterdir())
    assert kept
    assert set(kept) < {f"chain{k}.piece" for k in range(3)}
    passes = []
    again = make_system("reducibility", {**QUICK, "chains": 3})
    again.fit(toy, on_progress=lambda _share, line: passes.append(line), keep_in=folder)
    assert sum("pass" in line for line in passes) == 6 * (3 - len(kept))
    assert heads_of(again.annotate(toy)) == heads_of(whole.annotate(toy))
    again.partial_work.remove()
    assert not folder.exists()


def test_another_raw_text_starts_anew(toy, tmp_path) -> None:
    raw = tmp_path / "raw.conllu"
    tg.write(toy[:100], raw)
    settings = {**QUICK, "raw": [str(raw)]}
    make_system("reducibility", settings).fit(toy, keep_in=tmp_path / "p")
    tg.write(toy[:90], raw)
    with pytest.warns(SystemsWarning, match="another text"):
        make_system("reducibility", settings).fit(toy, keep_in=tmp_path / "p")


# ---------------------------------------------------------------------- bad input

BOTH = pytest.mark.parametrize("name", ["reducibility", "reducibility-stop"])


@BOTH
def test_a_raw_text_of_another_tag_set_is_refused(name, toy, tmp_path) -> None:
    text = tg.toy_treebank("toy:svo", tokens=1000)
    path = tmp_path / "raw.conllu"
    tg.write(text.replace(columns={"upos": text.upos.map(lambda tag: f"Q{tag}")}), path)
    with pytest.raises(SystemsError, match=r"another tag set than column u .* such as Q") as raised:
        make_system(name, {"raw": [str(path)]}).fit(toy)
    assert "\n" not in str(raised.value)
    path = tmp_path / "raw.slashed"
    path.write_text("dogs/NNS bark/VBP\n" * 10, encoding="utf-8")
    with pytest.raises(SystemsError, match="has no tags of column u, which the text has"):
        make_system(name, {"raw": [str(path)]}).fit(toy)


@BOTH
def test_a_raw_text_that_is_not_there_is_said(name, toy) -> None:
    with pytest.raises(tg.TreegaugeError, match=r"raw/none\.conllu"):
        make_system(name, {"raw": "raw/none.conllu"}).fit(toy)


@BOTH
def test_nothing_short_enough_is_said(name) -> None:
    text = tg.parse("a/X b/X c/X\n", format="slashed")
    with pytest.raises(SystemsError, match=r"at most 1 words to learn from; raise max_length"):
        make_system(name, {"max_length": 1}).fit(text)


@BOTH
def test_nothing_to_leave_anything_out_of_is_said(name) -> None:
    text = tg.parse("a/X b/X c/X\n", format="slashed")
    with pytest.raises(SystemsError, match="raise longest_reduced"):
        make_system(name, {"longest_reduced": 2, "match": "tags"}).fit(text)


def test_nothing_but_punctuation_is_said() -> None:
    with pytest.raises(SystemsError, match="nothing to learn from but punctuation"):
        make_system("reducibility").fit(tg.parse("!/PUNCT\n", format="slashed"))


def test_nouns_cannot_be_told_without_universal_tags() -> None:
    text = tg.parse("dogs/NNS bark/VBP\nbark/VBP\n", format="slashed")
    settings = {**QUICK, "tags": "p", "noun_root": False}
    with pytest.raises(SystemsError, match="known by universal tags"):
        make_system("reducibility", settings).fit(text)


# ---------------------------------------------------------------------- stops


def test_stop_estimates_by_hand() -> None:
    """`a b c`, `a c`, `b c`, `c`: of two a's one has something reducible on its right."""
    lines = ["a/a b/b c/c", "a/a c/c", "b/b c/c", "c/c"]
    text = tg.parse("".join(f"{line}\n" for line in lines), format="slashed")
    found = measure_reducibility(text, "p", "words")
    decisions = np.full((3, 2), 0.5) * np.array([[2], [2], [4]])  # half of all sides stop
    # Shares: a 0 and 1/2, b 1/2 and 0, c 1 and 0; by words 5/8 and 1/8, on average 3/8.
    q = stop_estimates(found, ("a", "b", "c"), decisions, decisions)
    k = 0.5 / (3 / 8)
    assert q == pytest.approx(np.clip([[1, 1 - k / 2], [1 - k / 2, 1], [1 - k, 1]], 0.01, 0.99))
    unseen = stop_estimates(found, ("a", "z"), decisions[:2], decisions[:2])
    assert unseen[1].tolist() == [0.5, 0.5]


def test_the_stops_of_a_grammar_are_mixed(toy) -> None:
    settings = {"iterations": 5, "smoothing": 0.0, "tolerance": 0.0}
    system = make_system("reducibility-stop", {**settings, "weight": 0.999}).fit(toy)
    seen = system.grammar.stop[:, :, 0].sum(axis=1) > 0
    assert np.abs(system.grammar.stop[:, :, 0] - system.stops)[seen].max() < 2e-3
    plain = make_system("reducibility-stop", {**settings, "weight": 0.0}).fit(toy)
    dmv = make_system("klein-manning-dmv", settings).fit(toy)
    np.testing.assert_allclose(plain.grammar.stop, dmv.grammar.stop)


def test_the_objective_with_reducibility_never_falls(toy) -> None:
    system = make_system("reducibility-stop", {"iterations": 20, "tolerance": 0.0}).fit(toy)
    objectives = [step.objective for step in system.history]
    assert all(after >= before - 1e-6 for before, after in pairwise(objectives))


def test_stops_by_reducibility_are_shown(toy) -> None:
    text = make_system("reducibility-stop", {"iterations": 2}).fit(toy).describe_grammar(3)
    assert "by reducibility" in text
