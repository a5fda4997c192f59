"""Weights by universal tags: scores worked by hand, laws, tables of users, odd input."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from tests.unit.systems.dependency_induction.slow_arc_scores import slow_scores
from tests.unit.treebank.small_trees import heads, sentences
from treegauge.rewrite import RewriteError
from treegauge.systems import SystemsError, SystemsWarning, load_system, make_system
from treegauge.systems.dependency_induction.styled_trees import RELATIONS, relations_by_tags
from treegauge.systems.dependency_induction.udp import AdpositionCounts
from treegauge.systems.dependency_induction.universal_patterns import has_adposition, main_verbs
from treegauge.systems.dependency_induction.universal_weights import (
    CODE,
    TAGS,
    UniversalWeights,
    find_weights,
)
from treegauge.treebank import Column, Treebank, tree_flaws, without_punctuation

ln = np.log


@pytest.fixture(scope="module")
def toy() -> Treebank:
    return tg.toy_treebank("toy:svo", tokens=2500, part="test")


def codes(text: str) -> np.ndarray:
    return np.array([CODE[tag] for tag in text.split()], np.int32)


def scored(written: str, **chosen: object) -> np.ndarray:
    """Return the scores of a sentence, the root's first, in a language with prepositions."""
    system = make_system("universal-dmv", chosen)
    system.weights = find_weights("content-heads")
    system.adpositions = AdpositionCounts(before_nominal=1, after_nominal=0)
    words = without_punctuation(sentences(written))
    return slow_scores(system.scores(system._codes(words), words))[0]


# ---------------------------------------------------------------------- scores by hand

NO = -np.inf
FAR = [0, 0, -0.5 * ln(2), -0.5 * ln(3), -0.5 * ln(4)]
"""What a distance costs."""


def test_scores_of_a_preposition_and_a_verb():
    table = [
        # in, Rome, she, sleeps: the main verb is the root
        [-6, -3, -4, 0 + 2],
        [NO, -6, -6 + FAR[2], -6 + FAR[3]],
        [0, NO, -3, -3 + FAR[2]],
        [-1.5 + FAR[2], -6, NO, -3.5],
        [-2 + FAR[3], FAR[2], 0, NO],
    ]
    assert np.allclose(scored("in/ADP Rome/PROPN she/PRON sleeps/VERB"), table)


def test_scores_of_a_coordination_with_a_comma():
    comma, conjunct, conjunction_behind = -3, 1, -3
    table = [
        # cats, (comma) dogs, and, birds
        [-2, -2, -6, -2],
        [NO, comma, FAR[2] + comma + conjunction_behind, FAR[3] + comma + conjunct],
        [comma, NO, conjunction_behind, FAR[2] + conjunct],
        [-6 + FAR[2] + comma, -6, NO, -6],
        [FAR[3] + comma, FAR[2], 0, NO],
    ]
    assert np.allclose(scored("cats/NOUN ,/PUNCT dogs/NOUN and/CCONJ birds/NOUN"), table)


def test_scores_of_a_name_and_of_a_subordinate_verb():
    name, verb = 3, -1  # a name of two words; a verb in between
    table = [
        # that, Ann, Lee, left, hurt: the first verb is subordinate
        [-6, -3, -3, 0 - 4, 0 + 2],
        [NO, -6, -6 + FAR[2], -6 + FAR[3], -6 + FAR[4] + verb],
        [-6, NO, name, -3 + FAR[2], -3 + FAR[3] + verb],
        [-6 + FAR[2], 0, NO, -3, -3 + FAR[2] + verb],
        [FAR[3], FAR[2], 0, NO, 0],
        [FAR[4] + verb, FAR[3] + verb, FAR[2] + verb, 0, NO],
    ]
    assert np.allclose(scored("that/SCONJ Ann/PROPN Lee/PROPN left/VERB hurt/VERB"), table)


def test_the_side_of_adpositions_is_that_of_the_language():
    weights = find_weights("content-heads")
    before, behind = weights.by_side(True), weights.by_side(False)
    assert before[CODE["ADP"]].tolist() == [-2, 0]  # a head to the left costs
    assert behind[CODE["ADP"]].tolist() == [0, -2]
    others = [code for tag, code in CODE.items() if tag != "ADP"]
    assert (before[others] == behind[others]).all()


def test_words_with_an_adposition():
    tags = codes("VERB ADP DET ADJ NOUN NOUN ADP CCONJ NOUN ADP DET DET DET DET DET NOUN")
    marked = has_adposition(tags, np.array([0, 16]), before=True)
    # Adjective and noun of the first phrase; a noun, a conjunction and five words end the search.
    assert np.flatnonzero(marked).tolist() == [3, 4]
    marked = has_adposition(codes("NOUN ADP NOUN ADP"), np.array([0, 3, 4]), before=False)
    assert np.flatnonzero(marked).tolist() == [0]  # the next sentence is another


@pytest.mark.parametrize(
    ("tags", "main", "subordinate"),
    [
        ("PRON VERB SCONJ VERB VERB", [1], [3]),
        ("SCONJ VERB", [1], [1]),
        ("SCONJ VERB VERB SCONJ VERB", [2], [1, 4]),
        ("NOUN", [], []),
    ],
)
def test_main_verbs(tags, main, subordinate):
    tags = codes(tags)
    found = main_verbs(tags, np.array([0, tags.size]))
    assert [list(places) for places in found] == [main, subordinate]


# ---------------------------------------------------------------------- laws

NOTHING_KNOWN = {
    **dict.fromkeys(("distance", "verb_between", "boundary", "coordination", "names"), 0.0),
    **dict.fromkeys(("main_verb", "subordinate_root"), 0.0),
    "marked_tags": False,
}


def test_without_knowledge_it_is_dmv(toy, tmp_path):
    table = tmp_path / "table.txt"
    table.write_text("ANY ANY 0\n", encoding="utf-8")
    # Without smoothing, symbols that never occur get no probability.
    chosen = {"init": "uniform", "max_length": 8, "iterations": 4, "smoothing": 0.0}
    ours = make_system("universal-dmv", {**NOTHING_KNOWN, **chosen, "weights": str(table)}).fit(toy)
    plain = make_system("dmv", {**chosen, "tolerance": 0.0}).fit(toy)
    places = [CODE[tag] for tag in plain.inventory.tags]
    assert np.allclose(ours.grammar.root[places], plain.grammar.root)
    assert np.allclose(ours.grammar.stop[places], plain.grammar.stop)
    assert [step.log_likelihood for step in ours.history[1:]] == pytest.approx(
        [step.log_likelihood for step in plain.history[1:]]
    )


def test_the_objective_never_falls(toy):
    history = make_system("universal-dmv").fit(toy).history
    assert len(history) == 10
    assert all(before.objective <= after.objective + 1e-6 for before, after in pairwise(history))


def test_a_mirrored_corpus_gives_mirrored_trees(toy, tmp_path):
    """Where nothing that is known has a side but adpositions, whose side is counted."""
    table = tmp_path / "table.txt"
    table.write_text(
        "ANY ANY -4\nVERB NOUN 0\nNOUN ADP 0\nNOUN DET 0\nROOT VERB 0\nAWAY ADP -2\n",
        encoding="utf-8",
    )
    chosen = {"weights": str(table), "marked_tags": False, "coordination": 0, "names": 0}
    chosen |= {"main_verb": 0, "subordinate_root": 0}
    text = toy[:120]
    written = [[f"{word.form}/{word.upos}" for word in sentence] for sentence in text]
    turned = sentences(*(" ".join(reversed(words)) for words in written))
    one, other = (make_system("universal-dmv", chosen).fit(x) for x in (text, turned))
    assert one.adpositions.side == -other.adpositions.side
    words, mirrored = without_punctuation(text), without_punctuation(turned)
    for sentence in range(20):
        n = int(words.lengths[sentence])
        straight, back = (
            system.arc_posteriors(part[sentence : sentence + 1]).reshape(n + 1, n)
            for system, part in ((one, words), (other, mirrored))
        )
        assert np.allclose(straight[0], back[0, ::-1], atol=1e-5)
        assert np.allclose(straight[1:], back[:0:-1, ::-1], atol=1e-5)


@examples(25)
@given(st.lists(st.lists(st.sampled_from(TAGS), min_size=1, max_size=9), min_size=1, max_size=4))
def test_every_sentence_gets_a_tree_of_every_style(toy_models, drawn):
    text = sentences(*(" ".join(f"w/{tag}" for tag in tags) for tags in drawn))
    for learnt in toy_models:
        assert not tree_flaws(learnt.annotate(text)).any()


@pytest.fixture(scope="module")
def toy_models(toy):
    styles = ("ud", "functional", "prague", "conll", "determiners=head")
    return [make_system("universal-dmv", {"style": style}).fit(toy) for style in styles]


def test_gold_is_not_looked_at(toy):
    flat = toy.replace(head=np.where(toy.head == 0, 0, 1))
    one, other = (make_system("universal-dmv").fit(text) for text in (toy, flat))
    assert one.annotate(toy).head.tolist() == other.annotate(flat).head.tolist()


def test_threads_change_nothing(toy, monkeypatch):
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("TREEGAUGE_THREADS", threads)
        found.append(make_system("universal-dmv").fit(toy).grammar.arrays())
    assert all((found[0][name] == found[1][name]).all() for name in found[0])


def test_what_was_saved_parses_as_before(toy, tmp_path):
    table = tmp_path / "table.txt"
    table.write_text("ANY ANY -3\nROOT VERB 0\nVERB NOUN 0\n", encoding="utf-8")
    learnt = make_system("universal-dmv", {"weights": str(table)}).fit(toy)
    learnt.save(tmp_path / "model")
    table.unlink()  # the model has the weights
    again = load_system(tmp_path / "model")
    assert again.annotate(toy).head.tolist() == learnt.annotate(toy).head.tolist()
    assert again.describe_grammar() == learnt.describe_grammar()
    assert again.history == learnt.history


def test_the_grammar_can_be_read(toy):
    text = make_system("universal-dmv").fit(toy).describe_grammar()
    assert text.startswith("adpositions stand before the word they mark (")
    assert "NOUN+ADP" in text


# ---------------------------------------------------------------------- styles


def test_relations_by_tags():
    tags = codes("DET NOUN AUX VERB ADP PROPN PROPN CCONJ VERB")
    found = relations_by_tags(
        np.array([2, 4, 4, 0, 6, 4, 6, 9, 4], np.int32), tags, np.array([0, 9])
    )
    relations = ["det", "nsubj", "aux", "root", "case", "dep", "flat", "cc", "conj"]
    assert [RELATIONS[code] for code in found] == relations


def test_function_words_become_heads(toy):
    text = sentences("she/PRON is/AUX sleeping/VERB in/ADP Rome/PROPN")
    content = make_system("universal-dmv", {"iterations": 0}).fit(_hundred_of(text))
    function = make_system("universal-dmv", {"iterations": 0, "style": "functional"})
    assert heads(content.annotate(text)) == [[3, 3, 0, 5, 3]]
    assert heads(function.fit(_hundred_of(text)).annotate(text)) == [[2, 0, 2, 3, 4]]


def test_a_style_that_there_is_not():
    with pytest.raises(RewriteError, match="unknown style 'functionl'; did you mean functional"):
        make_system("universal-dmv", {"style": "functionl"})


# ---------------------------------------------------------------------- odd input


def test_the_12_tags_and_version_1_are_universal_tags():
    text = _hundred_of(sentences("in/ADP Rome/NOUN she/PRON ate/VERB ./. and/CONJ up/PRT"))
    annotated = make_system("universal-dmv").fit(text).annotate(text)
    assert not tree_flaws(annotated).any()
    for tags in ("u", "u12"):
        assert make_system("universal-dmv", {"tags": tags}).fit(text).adpositions.side == 1


def test_tags_that_are_not_universal(toy):
    penn = _hundred_of(sentences("she/PRP slept/VBD"))
    message = r"not universal tags: PRP, VBD\n  `openclass-dmv` learns .* --tag-map FILE"
    with pytest.raises(SystemsError, match=message):
        make_system("universal-dmv").fit(penn)
    with pytest.raises(SystemsError, match=message):
        make_system("universal-dmv").fit(toy).annotate(penn)


def test_fine_tags_alone_are_not_universal():
    text = _hundred_of(sentences("she/PRP slept/VBD"))
    fine = text.replace(columns={"xpos": text.upos, "upos": Column.constant("_", 200)})
    with pytest.raises(SystemsError, match=r"not universal tags: PRP, VBD\n  `openclass-dmv`"):
        make_system("universal-dmv").fit(fine)


def test_few_sentences_are_said(toy):
    with pytest.warns(SystemsWarning, match="12 sentences to learn from; with fewer than 100"):
        make_system("universal-dmv").fit(toy[:12])


def test_nothing_short_enough_and_nothing_but_punctuation():
    text = _hundred_of(sentences("she/PRON slept/VERB"))
    with pytest.raises(SystemsError, match="no sentence of at most 1 words to learn from"):
        make_system("universal-dmv", {"max_length": 1}).fit(text)
    with pytest.raises(SystemsError, match="nothing to learn from but punctuation"):
        make_system("universal-dmv").fit(_hundred_of(sentences("!/PUNCT")))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("VERB NOUN 0\n", r"table.txt: no weight for pairs that are not listed\n  add a line such"),
        ("ANY ANY -6\n\nVERB NOUN\n", r"table.txt:3: expected HEAD DEPENDENT WEIGHT, found 'VERB "),
        ("ANY ANY -6\nVREB NOUN 0\n", r"table.txt:2: unknown tag 'VREB'; did you mean VERB"),
        ("ANY ANY -6\nVERB ROOT 0\n", r"table.txt:2: unknown tag 'ROOT'"),
        ("ANY ANY many\n", r"table.txt:1: a weight is a number from -100 to 100, not 'many'"),
        ("ANY ANY 101\n", r"table.txt:1: a weight is a number"),
        ("ANY ANY nan\n", r"table.txt:1: a weight is a number"),
        ("ANY ANY 0\nVERB ANY 0\n", r"table.txt:2: ANY stands for all pairs; expected ANY ANY"),
        ("ANY ANY 0\nX X 0\nX X 1 # no\n", r"table.txt:3: X X stands on line 2 already"),
    ],
)
def test_malformed_weights_are_named_with_their_line(table, said, tmp_path, toy):
    path = tmp_path / "table.txt"
    path.write_text(table, encoding="utf-8")
    with pytest.raises(SystemsError, match=said):
        make_system("universal-dmv", {"weights": str(path)}).fit(toy)


def test_a_table_that_is_not_there(toy):
    with pytest.raises(tg.TreegaugeError, match=r"^nowhere.txt: "):
        make_system("universal-dmv", {"weights": "nowhere.txt"}).fit(toy)


def test_other_spellings_in_a_table():
    table = UniversalWeights.parse("ANY ANY 0\nNOUN CONJ -1\nVERB PRT -2 # up\n", "table")
    assert table.pairs[CODE["NOUN"], CODE["CCONJ"]] == -1
    assert table.pairs[CODE["VERB"], CODE["PART"]] == -2


def _hundred_of(text: Treebank) -> Treebank:
    """Return a text often enough to learn from."""
    return text.take(np.zeros(100, np.int64))
