"""Trees from bare text: `frequent-leaves` and `content-chain`."""

from __future__ import annotations

import warnings
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

import treegauge as tg
from tests.examples import examples
from tests.unit.systems.dependency_induction import slow_bare_text
from tests.unit.treebank.small_trees import heads, sentences
from treegauge.systems import SystemsError, SystemsWarning, load_system, make_system
from treegauge.systems.dependency_induction import open_word_classes
from treegauge.systems.dependency_induction.chart import TagCorpus, decode_arcs, expectations
from treegauge.systems.dependency_induction.content_chain import ContentChain, chain_heads
from treegauge.systems.dependency_induction.frequent_leaves import FrequentLeaves
from treegauge.systems.dependency_induction.frequent_words import (
    LEFT,
    RIGHT,
    BareText,
    frequent_words,
    leaning_side,
)
from treegauge.systems.dependency_induction.leaning import Leaning, own_sides
from treegauge.systems.dependency_induction.open_word_classes import (
    Endings,
    TypeFeatures,
    learn_mixture,
    neighbours,
    predicate_class,
)
from treegauge.treebank import (
    Column,
    Treebank,
    punctuation_mask,
    tree_flaws,
    without_punctuation,
)

BOTH = ("content-chain", "frequent-leaves")
FEW = {"iterations": 3, "mixtures": 2, "function_share": 0.01}
SETTINGS = {"frequent-leaves": FEW, "content-chain": {"function_share": 0.01}}


@pytest.fixture(scope="module")
def toy() -> Treebank:
    """A toy language with function words before what they belong to."""
    return tg.toy_treebank("toy:svo", part="train")[:110]


@pytest.fixture(scope="module")
def fitted(toy) -> dict[str, ContentChain | FrequentLeaves]:
    return {name: make_system(name, SETTINGS[name]).fit(toy) for name in BOTH}


def bare(treebank: Treebank) -> Treebank:
    """Return words and which of them are punctuation, and nothing else."""
    return Treebank(
        {"form": treebank.form}, offsets=treebank.offsets, punctuation=punctuation_mask(treebank)
    )


def mirrored(treebank: Treebank) -> Treebank:
    """Return every sentence backwards, without trees."""
    order = np.concatenate(
        [np.arange(end - 1, begin - 1, -1) for begin, end in spans(treebank)]
    ).astype(np.int32)
    columns = {name: treebank.columns[name].take(order) for name in ("form", "upos")}
    return Treebank(columns, offsets=treebank.offsets)


def spans(treebank: Treebank) -> list[tuple[int, int]]:
    return list(zip(treebank.offsets[:-1].tolist(), treebank.offsets[1:].tolist(), strict=True))


def mirrored_heads(treebank: Treebank) -> list[list[int]]:
    return [[len(s) + 1 - h if h else 0 for h in s[::-1]] for s in heads(treebank)]


# ---------------------------------------------------------------------- function words and sides


def test_function_words_by_hand() -> None:
    """20 words: `the` five times, `A` and `a` five times, the others less often."""
    text = BareText.of(
        without_punctuation(
            sentences(
                *["the/X cat/X ./PUNCT A/X dog/X"] * 3,
                *["the/X ox/X a/X cow/X"] * 2,
            )
        )
    )
    assert frequent_words(text, 0.001) == ("a", "the")
    assert frequent_words(text, 0.24) == ("a", "the")
    assert frequent_words(text, 0.25) == ()  # no more than a quarter


def test_boundaries_are_edges_and_punctuation() -> None:
    text = BareText.of(without_punctuation(sentences("a/X b/X ,/PUNCT c/X", "d/X", "e/X f/X")))
    assert text.begins.tolist() == [True, False, True, True, True, False]
    assert text.ends.tolist() == [False, True, True, True, False, True]


def test_side_by_hand() -> None:
    """Of stretches of two words or more, two begin with `f` and one ends with it."""
    words = without_punctuation(sentences("f/X a/X ,/PUNCT f/X b/X", "f/X", "c/X f/X", "f/X"))
    text = BareText.of(words)
    is_function = np.array([form == "f" for form in words.form])
    assert leaning_side(text, is_function) == RIGHT
    one_each = BareText.of(sentences("f/X a/X", "b/X f/X"))
    assert leaning_side(one_each, np.array([True, False, False, True])) == LEFT


def test_signs_of_leaning_by_hand() -> None:
    """Function words are f, three times, and g, four times.

    f begins stretches and ends none, g ends some and begins none. Between two open words stand f
    and g once each: the words behind both end in -b, which tells nothing; those before in -a and
    -b, which tells them apart: one bit. An ending counts if three types have it.
    """
    words = without_punctuation(
        sentences(
            "f/X kka/X g/X ,/PUNCT f/X kkc/X",
            "mma/X f/X kkb/X g/X mmb/X",
            "nna/X nnb/X mmc/X ,/PUNCT kka/X g/X",
            "nna/X nnb/X nnc/X ,/PUNCT mma/X g/X",
            "kkc/X",
        )
    )
    text = BareText.of(words)
    signs = Leaning.of(text, text.lookup({"f": 0, "g": 1}, -1))
    assert signs.edges == pytest.approx((3 * 1 - 4 * 1) / 7)
    assert signs.information == pytest.approx(0 - 1)
    # Sentences end in -c, -b, -c and begin with -a, -a, -a, -c.
    ends, begins = -(1 / 3 * np.log2(1 / 3) + 2 / 3 * np.log2(2 / 3)), 2 - 3 / 4 * np.log2(3)
    assert signs.predicates == pytest.approx((ends - begins) / 4)
    assert signs.side == LEFT


@pytest.mark.parametrize(
    ("signs", "side"),
    [((0.2, -0.1, 0.0), RIGHT), ((0.2, -0.1, -0.2), LEFT), ((0.0, 0.0, 0.0), LEFT)],
)
def test_the_sum_of_signs_decides(signs, side) -> None:
    assert Leaning(*signs).side == side


def test_every_function_word_has_its_own_side() -> None:
    """f begins ten stretches, g ends five and begins five; h is at no edge."""
    words = without_punctuation(
        sentences(*["f/X a/X h/X b/X"] * 10, *["a/X g/X"] * 5, *["g/X a/X"] * 5)
    )
    text = BareText.of(words)
    function = text.lookup({"f": 0, "g": 1, "h": 2}, -1)
    assert own_sides(text, function, RIGHT).tolist() == [1.0, 0.5, 1.0]
    assert own_sides(text, function, LEFT).tolist() == [0.0, -0.5, -1.0]


# ---------------------------------------------------------------------- content-chain


CHAINS = {
    # f and g are function words.
    "f/X a/X g/X b/X": ([2, 0, 4, 2], [2, 4, 2, 0]),
    "f/X a/X g/X": ([2, 0, 2], [2, 0, 2]),
    "a/X f/X ,/PUNCT b/X": ([0, 1, 1, 1], [4, 1, 4, 0]),
    "a/X ,/PUNCT f/X b/X": ([0, 1, 4, 1], [4, 4, 4, 0]),
    "a/X ,/PUNCT f/X ,/PUNCT b/X": ([0, 1, 5, 1, 1], [5, 5, 1, 5, 0]),
    "f/X g/X": ([0, 1], [2, 0]),
    "f/X": ([0], [0]),
    "./PUNCT": ([0], [0]),
}


@pytest.mark.parametrize("side", [RIGHT, LEFT])
@pytest.mark.parametrize("sentence", CHAINS)
def test_chains_by_hand(sentence, side) -> None:
    system = make_system("content-chain")
    system.restore({}, {"function_words": ["f", "g"], "side": side})
    system.is_fitted = True
    (found,) = heads(system.annotate(sentences(sentence)))
    assert found == CHAINS[sentence][0 if side == RIGHT else 1]


@examples(200)
@given(st.data(), st.lists(st.integers(0, 6), max_size=4))
def test_chains_are_those_of_the_definition(data, lengths) -> None:
    n = sum(lengths)
    flags = st.lists(st.booleans(), min_size=n, max_size=n)
    is_function, begins = (np.array(data.draw(flags), np.bool_) for _ in "ab")
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    begins[offsets[:-1][np.diff(offsets) > 0]] = True
    text = BareText(Column.from_strings(["w"] * n), offsets, begins, np.zeros(n, np.int32))
    for side, slow in ((RIGHT, slow_bare_text.chain), (LEFT, slow_bare_text.mirrored_chain)):
        expected = [
            head
            for begin, end in pairwise(offsets.tolist())
            for head in slow(is_function[begin:end].tolist(), begins[begin:end].tolist())
        ]
        assert chain_heads(text, is_function, side).tolist() == expected


# ---------------------------------------------------------------------- classes of open words


def test_neighbours_by_hand() -> None:
    text = BareText.of(without_punctuation(sentences("f/X a/X b/X ,/PUNCT g/X a/X")))
    left, right = neighbours(text, np.array([0, -1, -1, 1, -1], np.int32), 2)
    # 2 is any open word, 3 a boundary.
    assert left.tolist() == [3, 0, 2, 3, 1]
    assert right.tolist() == [2, 2, 3, 2, 3]


def test_endings_are_shared_and_leave_two_characters() -> None:
    endings = Endings.of(["walking", "talking", "sing", "king", "in"])
    assert endings.endings == ("g", "ng")
    assert endings.numbers(["walking", "xng", "xg", "in"]).tolist() == [2, 1, 0, 0]


def test_shapes() -> None:
    text = BareText.of(without_punctuation(sentences("The/X Ox/X ,/PUNCT ox/X 3rd/X", "7/X A/X")))
    assert text.shape.tolist() == [-1, 1, 0, 2, 2, 1]


def test_types_weigh_the_root_of_their_count() -> None:
    """Type 0 occurs four times, type 1 once."""
    types = np.array([0, 0, 0, 1, 0], np.int32)
    left, right = np.array([0, 1, 1, 1, 1], np.int32), np.zeros(5, np.int32)
    ending = np.array([1, 0], np.int32)
    features = TypeFeatures.of(types, 2, [(left, 2), (right, 2)], (ending, 2))
    assert features.table.toarray().tolist() == [[0.5, 1.5, 2, 0, 0, 1], [0, 1, 1, 0, 1, 0]]
    assert features.kinds == (slice(0, 2), slice(2, 4), slice(4, 6))
    # What is not known of a word does not count.
    some = TypeFeatures.of(types, 2, [(np.array([0, -1, -1, -1, 1]), 2)], (ending, 2))
    assert some.table.toarray().tolist() == [[0.5, 0.5, 0, 1], [0, 0, 1, 0]]


def test_mixtures_are_those_of_the_definition(monkeypatch) -> None:
    monkeypatch.setattr(open_word_classes, "ITERATIONS", 4)
    random = np.random.default_rng(3)
    words = 60
    types = np.concatenate([np.arange(9), random.integers(0, 9, words - 9)]).astype(np.int32)
    left, right = (random.integers(0, 4, words).astype(np.int32) for _ in "ab")
    ending = random.integers(0, 3, 9).astype(np.int32)
    features = TypeFeatures.of(types, 9, [(left, 4), (right, 4)], (ending, 3))
    found = learn_mixture(features, 2, np.random.default_rng(7))
    starts = np.random.default_rng(7).dirichlet([0.5, 0.5], (open_word_classes.STARTS, 9))
    table = features.table.toarray()
    slow = [slow_bare_text.mixture(table, features.kinds, start, 4) for start in starts]
    log_prior, log_features, _ = max(slow, key=lambda one: one[2])
    np.testing.assert_allclose(found.log_prior, log_prior, atol=1e-9)
    np.testing.assert_allclose(found.log_features, log_features, atol=1e-9)


def test_classes_that_were_planted_are_found() -> None:
    """Words behind `the` that end in -o, words before it that end in -e."""
    random = np.random.default_rng(1)
    nouns, verbs = ([f"w{i:02}x{end}" for i in range(30)] for end in "oe")
    written = [
        f"the/X {random.choice(nouns)}/X {random.choice(verbs)}/X the/X {random.choice(nouns)}/X"
        for _ in range(200)
    ]
    system = make_system("frequent-leaves", {"classes": 2, "iterations": 2, "function_share": 0.1})
    system.fit(sentences(*written))
    assert system.function_words == ("the",)
    for model in system.models:
        classes = dict(zip(system.open_types, model.classes.class_of_type, strict=True))
        assert len({classes[word] for word in nouns if word in classes}) == 1
        assert len({classes[word] for word in verbs if word in classes}) == 1
        # Every sentence has one verb; by chance, most would.
        assert model.classes.predicate == classes[verbs[0]]


def test_expected_coverage_by_hand() -> None:
    """Class 0 is in both sentences; class 1 is as frequent, but in one of them only.

    Each makes up half of four words, and a sentence of one word has it with chance 1/2, one of
    three with 7/8: 11/16 are expected of both.
    """
    classes, sentence = np.array([0, 0, 1, 1], np.int32), np.array([0, 1, 1, 1])
    assert predicate_class(classes, sentence, 2, 2, 0.08) == 0
    assert predicate_class(1 - classes, sentence, 2, 2, 0.08) == 1
    # A third class is too rare, whatever its ratio; where all are, all count.
    more = np.append(np.repeat(classes, 5), 2), np.append(np.repeat(sentence, 5), 0)
    assert predicate_class(*more, 3, 2, 0.08) == 0
    assert predicate_class(*more, 3, 2, 0.0) == 2
    assert predicate_class(*more, 3, 2, 1.0) == 2


# ---------------------------------------------------------------------- both of them


@pytest.mark.parametrize("name", BOTH)
def test_every_sentence_gets_a_tree_and_every_word_a_tag(name, fitted, toy) -> None:
    answer = fitted[name].annotate(toy)
    assert not tree_flaws(answer).any()
    marks = punctuation_mask(toy)
    tags = np.array(list(answer.upos))
    assert set(tags[marks]) == {"PUNCT"}
    assert all(tag.isdecimal() for tag in set(tags[~marks]))
    assert punctuation_mask(answer).tolist() == marks.tolist()


@pytest.mark.parametrize("name", BOTH)
def test_gold_makes_no_difference(name, fitted, toy) -> None:
    blind = make_system(name, SETTINGS[name]).fit(bare(toy))
    assert fitted[name].supervision == "unsupervised"
    one, other = blind.annotate(bare(toy)), fitted[name].annotate(toy)
    assert one.head.tolist() == other.head.tolist()
    assert one.upos == other.upos


@pytest.mark.parametrize("name", BOTH)
def test_mirrored_text_gives_mirrored_trees(name, toy) -> None:
    # Capital letters tell the begin of a sentence from its end.
    settings = SETTINGS[name] | ({"shapes": False} if name == "frequent-leaves" else {})
    backwards = mirrored(toy)
    one, other = (make_system(name, settings).fit(text) for text in (toy, backwards))
    assert other.side == -one.side
    found = mirrored_heads(without_punctuation(other.annotate(backwards)))
    assert found == heads(without_punctuation(one.annotate(toy)))


@pytest.mark.parametrize("name", BOTH)
def test_models_come_back(name, fitted, toy, tmp_path) -> None:
    fitted[name].save(tmp_path / "model")
    back = load_system(tmp_path / "model")
    one, other = back.annotate(toy), fitted[name].annotate(toy)
    assert one.head.tolist() == other.head.tolist()
    assert one.upos == other.upos
    assert back.describe_grammar(5) == fitted[name].describe_grammar(5)


@pytest.mark.parametrize("name", BOTH)
def test_forged_sides_and_words_are_refused(name, fitted) -> None:
    arrays, facts = fitted[name].state()
    for forged in ({"side": 0}, {"side": True}, {"function_words": ["a", "a"]}):
        with pytest.raises(SystemsError, match="damaged"):
            make_system(name, SETTINGS[name]).restore(arrays, {**facts, **forged})


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("0.class_of_type", lambda array: array + 6),
        ("0.class_of_type", lambda array: array[:-1]),
        ("1.log_features", lambda array: array[:-1]),
        ("1.log_features", lambda array: array * np.nan),
        ("0.log_prior", lambda array: -array),
        ("1.root", lambda array: array[:-1]),
        ("0.shares", lambda array: array + 2),
        ("sides", lambda array: array * 2),
        ("sides", lambda array: array[:-1]),
    ],
)
def test_forged_arrays_are_refused(name, change, fitted) -> None:
    arrays, facts = fitted["frequent-leaves"].state()
    forged = {**arrays, name: change(arrays[name])}
    with pytest.raises(SystemsError, match="damaged"):
        make_system("frequent-leaves", FEW).restore(forged, facts)


@pytest.mark.parametrize("name", BOTH)
def test_unseen_words_and_sentences_without_open_words(name, fitted) -> None:
    system = fitted[name]
    frequent = " ".join(f"{word}/X" for word in system.function_words[:3])
    odd = sentences("zzz/X 漢/X Zz-1/X", frequent, "./PUNCT", "zz/X ./PUNCT zzz/X")
    answer = system.annotate(odd)
    assert not tree_flaws(answer).any()


@pytest.mark.parametrize("name", BOTH)
def test_text_without_punctuation(name, toy) -> None:
    words = Treebank(
        {"form": without_punctuation(toy).form}, offsets=without_punctuation(toy).offsets
    )
    system = make_system(name, SETTINGS[name]).fit(words)
    assert not tree_flaws(system.annotate(words)).any()


@pytest.mark.parametrize("name", BOTH)
def test_punctuation_alone_is_said(name) -> None:
    with pytest.raises(SystemsError, match="nothing to learn from but punctuation"):
        make_system(name).fit(sentences("./PUNCT", "!/PUNCT ?/PUNCT"))


def test_grammars_in_words(fitted) -> None:
    chain, leaves = (fitted[name].describe_grammar(4) for name in BOTH)
    assert "head to the right" in chain
    assert leaves.startswith(chain.rstrip())
    assert leaves.count("(heads sentences)") == 1
    assert "class 5" in leaves
    assert "strongest attachments" in leaves


# ---------------------------------------------------------------------- frequent-leaves


def test_without_weights_it_is_the_dmv_over_its_symbols(toy) -> None:
    none = dict.fromkeys(
        ("function_heads", "function_root", "predicate", "side", "boundary", "distance"), 0.0
    )
    system = make_system("frequent-leaves", {**FEW, "mixtures": 1, **none}).fit(toy)
    tagged = system.annotate(toy)
    dmv = make_system(
        "dmv",
        {
            "init": "uniform",
            "max_length": 15,
            "iterations": 3,
            "tolerance": 0,
            "decode": "minimum-risk",
        },
    ).fit(tagged)
    objectives = [step.log_likelihood for step in dmv.history]
    assert [step.log_likelihood for step in system.history] == pytest.approx(objectives)
    assert dmv.annotate(tagged).head.tolist() == tagged.head.tolist()


def test_huge_weights_decide(toy) -> None:
    """Function words become leaves, whatever EM thinks; the class of predicates heads."""
    system = make_system("frequent-leaves", {**FEW, "mixtures": 1, "function_heads": 100.0})
    words = without_punctuation(system.fit(toy).annotate(toy))
    functions = np.array([form.lower() in system.function_words for form in words.form])
    for (begin, end), sentence in zip(spans(words), heads(words), strict=True):
        if not functions[begin:end].all():
            assert not functions[[begin + head - 1 for head in sentence if head]].any()


def test_marginals_are_summed_over_mixtures(fitted, toy) -> None:
    system = fitted["frequent-leaves"]
    words = without_punctuation(toy)
    total = 0.0
    for model in system.models:
        text = system._weighted(words, model.classes)
        tables = {name: np.maximum(t, 1e-6) for name, t in model.grammar.arrays().items()}
        grammar = type(model.grammar).from_arrays(tables)
        weights = text.scores.weights()
        total += expectations(grammar, text.symbols, arc_weights=weights, marginals=True).marginals
    corpus = TagCorpus(np.zeros(words.n_words), words.offsets, 1, deduplicate=False)
    expected = decode_arcs(total, corpus).heads
    assert without_punctuation(system.annotate(toy)).head.tolist() == expected.tolist()


def test_seeds(toy, fitted, monkeypatch) -> None:
    monkeypatch.setenv("TREEGAUGE_THREADS", "2")
    again = make_system("frequent-leaves", FEW).fit(toy)
    first = fitted["frequent-leaves"]
    assert again.annotate(toy).head.tolist() == first.annotate(toy).head.tolist()
    other = make_system("frequent-leaves", FEW, seed=1).fit(toy)
    assert (
        other.models[0].classes.class_of_type.tolist()
        != first.models[0].classes.class_of_type.tolist()
    )


@pytest.mark.filterwarnings("ignore:frequent-leaves")
def test_nothing_short_enough_is_said() -> None:
    with pytest.raises(SystemsError, match="no sentence of at most 1 words to learn from"):
        make_system("frequent-leaves", {"max_length": 1}).fit(sentences("a/X b/X", "c/X d/X"))


@pytest.mark.filterwarnings("ignore:frequent-leaves")
def test_no_open_word_is_said() -> None:
    with pytest.raises(SystemsError, match=r"no word is open.*raise function_share"):
        make_system("frequent-leaves").fit(sentences(*["a/X b/X"] * 10))


def test_few_sentences_are_warned_of(toy) -> None:
    with pytest.warns(SystemsWarning, match="99 sentences"):
        make_system("frequent-leaves", FEW).fit(toy[:99])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make_system("frequent-leaves", FEW).fit(toy[:100])
