"""The statistics of classes by hand, and what openclass-dmv does with them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import treegauge as tg
from treegauge.systems import SystemsError, SystemsWarning, load_system, make_system
from treegauge.systems.dependency_induction.open_classes import (
    closed_classes,
    leaning,
    predicate_tags,
    shares_of_new_words,
    surplus_of_equal_neighbours,
    surplus_of_sentences,
)
from treegauge.systems.dependency_induction.tag_groups import group_tags
from treegauge.treebank import without_punctuation

D, N, V = 0, 1, 2
TAGS = ("DET", "NOUN", "VERB")
NO_FACTS = dict.fromkeys(
    ("closed_heads", "closed_root", "predicate", "boundary", "side", "coordination"), 0.0
)
QUICK = {"iterations": 5, "max_length": 10, "least_words": 0, "symbols": 0}


@pytest.fixture(scope="module")
def toy():
    return tg.toy_treebank("toy:svo", part="test")[:200]


def words_of(text: str) -> tuple[tg.Treebank, np.ndarray]:
    """Return sentences like `the/DET cat/N` without punctuation, and the classes of words."""
    words = without_punctuation(tg.parse(text, format="slashed"))
    upos = list(words.upos.vocabulary)
    return words, np.array([TAGS.index(upos[code]) for code in words.upos.codes], np.int32)


def with_tags(treebank: tg.Treebank, rename) -> tg.Treebank:
    """Return a treebank with other names of tags, but for those of punctuation."""
    return treebank.replace(
        columns={"upos": treebank.upos.map(lambda tag: tag if tag == "PUNCT" else rename(tag))}
    )


def bare(treebank: tg.Treebank, *, turned: bool) -> tg.Treebank:
    """Return sentences as if there had never been punctuation, perhaps from right to left."""
    step = -1 if turned else 1
    lines = [
        " ".join(f"{word.form}/{word.upos}" for word in list(sentence)[::step])
        for sentence in without_punctuation(treebank)
    ]
    return tg.parse("\n".join(lines) + "\n", format="slashed")


# ---------------------------------------------------------------- statistics by hand


def test_new_words_are_forms_that_occur_once_with_their_class():
    words, classes = words_of(
        "The/DET cat/NOUN runs/VERB\nthe/DET dog/NOUN runs/VERB\na/DET cat/NOUN runs/NOUN\n"
    )
    shares, overall = shares_of_new_words(words, classes, 4)
    # D: `a` of three; N: `dog` and `runs` of four; V: none of two; the fourth class is not there.
    np.testing.assert_allclose(shares, [1 / 3, 2 / 4, 0, 0])
    assert overall == pytest.approx(3 / 9)
    assert closed_classes(words, classes, 3, 0.9).tolist() == [False, False, True]
    assert closed_classes(words, classes, 3, 1.1).tolist() == [True, False, True]


def test_a_class_in_every_sentence_has_a_surplus():
    four = "a/DET b/NOUN c/VERB d/NOUN\n"
    words, classes = words_of(four + four + "e/NOUN f/NOUN g/VERB h/NOUN i/NOUN\nno/NOUN\n")
    # VERB has 3 of 13 tokens: 1 - (10/13)^4 of sentences of four words by chance, 1 - (10/13)^5 of
    # those of five; all three have it. The answer of one word does not count.
    short, long = 1 - (10 / 13) ** 4, 1 - (10 / 13) ** 5
    deviation = np.sqrt(2 * short * (1 - short) + long * (1 - long))
    surplus = surplus_of_sentences(words, classes, 4)
    assert surplus[V] == pytest.approx((3 - 2 * short - long) / deviation)
    assert surplus.argmax() == V
    assert surplus[3] == 0  # never seen


def test_tags_that_head_sentences_together():
    # Every sentence has one of two forms of the verb, and nouns at random.
    random = np.random.default_rng(0)
    rows = [[2 + int(random.random() < 0.5), *random.choice([0, 0, 0, 1], 5)] for _ in range(200)]
    lines = [" ".join(f"w/{TAGS[min(tag, 2)]}" for tag in row) for row in rows]
    words = tg.parse("\n".join(lines) + "\n", format="slashed")
    tags = np.array(rows, np.int32).ravel()
    assert predicate_tags(words, tags, 4, np.ones(4, np.bool_)) == [2, 3]
    assert predicate_tags(words, tags, 4, np.array([True, True, True, False])) == [2]


def test_tags_are_grouped_by_neighbours():
    # Two determiners, two nouns and two verbs stand in the same places.
    random = np.random.default_rng(1)
    rows = 2 * np.array([0, 1, 2, 0, 1]) + random.integers(0, 2, (300, 5))
    forms = {0: "the", 1: "the", 2: "cat", 3: "cat", 4: "sees", 5: "sees"}
    lines = [" ".join(f"{forms[tag]}/X" for tag in row) for row in rows.tolist()]
    words = tg.parse("\n".join(lines) + "\n", format="slashed")
    tags = rows.astype(np.int32).ravel()
    assert group_tags(words, tags, 6, 3).tolist() == [0, 0, 1, 1, 2, 2]
    assert group_tags(words, tags, 6, 6).tolist() == [0, 1, 2, 3, 4, 5]


def test_words_of_one_stem_bring_tags_together():
    # Tags 0 and 1 are two numbers of one noun each, 2 and 3 of others; all stand alone.
    stems = {0: "kitten", 1: "kitten", 2: "walking", 3: "walking"}
    rows = [(stems[tag] + chr(97 + i) * 4 + ending, tag) for i in range(20)
            for tag, ending in ((0, "xxx"), (1, "yyy"), (2, "xxx"), (3, "yyy"))]  # fmt: skip
    words = tg.parse("\n".join(f"{form}/X" for form, _ in rows) + "\n", format="slashed")
    tags = np.array([tag for _, tag in rows], np.int32)
    assert group_tags(words, tags, 4, 2).tolist() == [0, 0, 1, 1]


def test_a_class_that_begins_stretches_leans_on_what_follows():
    words, classes = words_of("the/DET cat/NOUN ,/PUNCT the/DET dog/NOUN ran/VERB\ngo/VERB\n")
    # Stretches `the cat` and `the dog ran`; `go` is one word and says nothing.
    expected = np.log([3 / 1, 1 / 2, 1 / 2])
    np.testing.assert_allclose(leaning(words, classes, 3), expected)


def test_conjunctions_stand_between_equals():
    both = "x/NOUN d/DET y/NOUN\n" * 6 + "x/VERB d/DET y/VERB\n" * 6
    words, classes = words_of(both)
    is_closed = np.array([True, False, False])
    # By chance, half of the neighbours are equal; all are: 6 more, deviation sqrt(12 / 4).
    surplus = surplus_of_equal_neighbours(words, classes, is_closed)
    assert surplus[D] == pytest.approx(6 / np.sqrt(3))
    assert np.isinf(surplus[[N, V]]).all()
    few, few_classes = words_of("x/NOUN d/DET y/NOUN\n" * 5)
    assert np.isinf(surplus_of_equal_neighbours(few, few_classes, is_closed)).all()


def test_facts_of_a_language_that_is_known(toy):
    system = make_system("openclass-dmv", QUICK).fit(toy)
    grammar = system.describe_grammar(3)
    assert "the class that heads sentences: VERB" in grammar
    closed = {tag for tag, is_closed in zip(system.inventory.tags, system.is_closed, strict=True)
              if is_closed}  # fmt: skip
    assert {"DET", "ADP"} <= closed
    assert not closed & {"NOUN", "VERB"}
    assert " ".join(tag for tag in system.inventory.tags if tag in closed) in grammar


# ---------------------------------------------------------------- what is learnt


def test_names_of_tags_are_never_read(toy):
    other = with_tags(toy, lambda tag: f"t{len(tag)}{tag[::-1]}")
    mine = make_system("openclass-dmv", QUICK).fit(toy).annotate(toy)
    theirs = make_system("openclass-dmv", QUICK).fit(other).annotate(other)
    np.testing.assert_array_equal(mine.head, theirs.head)


def test_many_tags_are_grouped(toy):
    system = make_system("openclass-dmv", {**QUICK, "groups": 6}).fit(toy)
    assert len(system.inventory.tags) > system.n_classes
    assert 6 <= system.n_classes <= 7  # and perhaps one for the predicate
    assert f"groups of tags, {system.n_classes} classes in all" in system.describe_grammar(3)
    plain = make_system("openclass-dmv", {**QUICK, "groups": 0}).fit(toy)
    assert plain.n_classes == len(plain.inventory.tags)
    other = with_tags(toy[:20], lambda tag: "NEW" if tag == "NOUN" else tag)
    assert (system.annotate(other).head >= 0).all()


def test_without_facts_it_is_the_plain_model(toy):
    plain = make_system(
        "dmv", {"iterations": 5, "max_length": 10, "tolerance": 0.0, "decode": "minimum-risk"}
    ).fit(toy)
    mine = make_system("openclass-dmv", {**QUICK, **NO_FACTS}).fit(toy)
    for name, table in mine.grammar.arrays().items():
        np.testing.assert_allclose(table, plain.grammar.arrays()[name], rtol=1e-9)
    np.testing.assert_array_equal(mine.annotate(toy).head, plain.annotate(toy).head)


@pytest.mark.parametrize("fact", sorted(NO_FACTS))
def test_every_fact_can_be_turned_off(fact, toy):
    full = make_system("openclass-dmv", QUICK).fit(toy)
    less = make_system("openclass-dmv", {**QUICK, fact: 0.0}).fit(toy)
    assert not np.allclose(full.grammar.attach, less.grammar.attach)


def test_the_objective_never_falls(toy):
    history = make_system("openclass-dmv", QUICK).fit(toy).history
    assert all(after.objective >= before.objective - 1e-9 for before, after in pairwise(history))


def test_a_mirrored_text_gives_the_mirrored_grammar(toy):
    # All but coordination, whose heads are on the left.
    settings = {**QUICK, "coordination": 0.0}
    straight = make_system("openclass-dmv", settings).fit(bare(toy, turned=False))
    turned = make_system("openclass-dmv", settings).fit(bare(toy, turned=True))
    assert straight.inventory.tags == turned.inventory.tags
    np.testing.assert_allclose(straight.leaning, -turned.leaning, atol=1e-12)
    for name in ("stop", "attach"):
        mine, theirs = getattr(straight.grammar, name), getattr(turned.grammar, name)
        np.testing.assert_allclose(mine, theirs[:, ::-1], rtol=1e-6, atol=1e-12)


def test_longer_sentences_are_added_until_there_are_enough_words(toy):
    lengths = np.sort(without_punctuation(toy).lengths)
    system = make_system("openclass-dmv", {"max_length": 3, "least_words": 500})
    limit = system._most_words(without_punctuation(toy))
    assert lengths[lengths < limit].sum() < 500 <= lengths[lengths <= limit].sum()
    every = make_system("openclass-dmv", {"max_length": 3, "least_words": 10**9})
    assert every._most_words(without_punctuation(toy)) == lengths[-1]
    none = make_system("openclass-dmv", {"max_length": 3, "least_words": 0})
    assert none._most_words(without_punctuation(toy)) == 3


def test_tags_that_were_never_seen(toy):
    system = make_system("openclass-dmv", QUICK).fit(toy)
    other = with_tags(toy[:20], lambda tag: "NEW" if tag == "NOUN" else tag)
    heads = system.annotate(other).head
    assert heads.size == other.n_words
    assert (heads >= 0).all()


# ---------------------------------------------------------------- bad input, files


def test_no_open_class(toy):
    with pytest.raises(SystemsError, match="no class of words is open: lower closed_below"):
        make_system("openclass-dmv", {"closed_below": 100.0}).fit(toy)


def test_few_sentences_give_a_warning(toy):
    with pytest.warns(SystemsWarning, match="20 sentences to learn from"):
        make_system("openclass-dmv", QUICK).fit(toy[:20])


def test_saved_and_loaded(toy, tmp_path):
    system = make_system("openclass-dmv", QUICK).fit(toy)
    system.save(tmp_path / "model")
    loaded = load_system(tmp_path / "model")
    np.testing.assert_array_equal(loaded.annotate(toy).head, system.annotate(toy).head)
    assert loaded.describe_grammar() == system.describe_grammar()


@pytest.mark.parametrize(
    ("fact", "value"),
    [
        ("closed", [99]),
        ("closed", ["DET"]),
        ("predicate", 99),
        ("predicate", None),
        ("conjunction", -1),
        ("conjunction", True),
    ],
)
def test_forged_facts_are_refused(fact, value, toy):
    system = make_system("openclass-dmv", QUICK).fit(toy)
    arrays, facts = system.state()
    with pytest.raises(SystemsError, match="damaged"):
        make_system("openclass-dmv", QUICK).restore(arrays, {**facts, fact: value})


def test_forged_arrays_are_refused(toy):
    system = make_system("openclass-dmv", QUICK).fit(toy)
    arrays, facts = system.state()
    leaning, class_of = arrays["leaning"], arrays["class_of"]
    for forged in (
        {"leaning": leaning[:1]},
        {"leaning": np.full_like(leaning, np.nan)},
        {"class_of": class_of[:1]},
        {"class_of": np.full_like(class_of, 99)},
        {"class_of": np.where(class_of == 0, 1, class_of)},
    ):
        with pytest.raises(SystemsError, match="damaged"):
            make_system("openclass-dmv", QUICK).restore({**arrays, **forged}, facts)


def test_symbols_that_never_occur_only_take_a_share_of_smoothing(toy):
    few = make_system("openclass-dmv", QUICK).fit(toy)
    many = make_system("openclass-dmv", QUICK | {"symbols": 40}).fit(toy)
    assert few.n_symbols == few.n_classes < many.n_symbols == 40
    # Each of them gets what smoothing adds, 0.1, of all roots and of what is added to those.
    words = without_punctuation(toy)
    roots = int((words.lengths <= QUICK["max_length"]).sum())
    share = 0.1 / (roots + 0.1 * 40)
    assert many.grammar.root[few.n_classes :] == pytest.approx(np.full(40 - few.n_classes, share))
    assert "(no tag)" not in many.describe_grammar(3)
