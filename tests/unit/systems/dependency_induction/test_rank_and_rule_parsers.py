"""S1, S2 and UDP: sentences by hand, slow twins, laws and odd input."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.examples import examples
from tests.unit.systems.dependency_induction import slow_pagerank_parsers as slow
from tests.unit.treebank.small_trees import heads, sentences
from treegauge.systems import SystemsError, load_system, make_system, systems
from treegauge.systems.dependency_induction import _soegaard_numba as kernels
from treegauge.systems.dependency_induction.function_words import function_words
from treegauge.systems.dependency_induction.pagerank import pagerank
from treegauge.systems.dependency_induction.udp import AdpositionCounts, count_adpositions
from treegauge.systems.dependency_induction.universal_rules import find_rules, rule_matrix
from treegauge.treebank import (
    PETROV_TAGS,
    UD_TAGS,
    Treebank,
    TreebankError,
    concatenate,
    tree_flaws,
)

patient = examples()

VARIANTS = [
    ("soegaard-pagerank", {}),
    ("soegaard-pagerank", {"universal_rules": True, "auxiliaries_are_verbs": True}),
    ("soegaard-pagerank", {"damping": 1.0, "affix": 0, "reach": 0, "n_function_words": 1}),
    ("soegaard-rules", {}),
    ("soegaard-rules", {"rules": "noji", "otherwise": "root", "ties": "left"}),
    ("soegaard-rules", {"ranked": True}),
    ("soegaard-rules", {"ranked": True, "otherwise": "root"}),
    ("udp", {}),
    ("udp", {"tags": "u", "content": ("VERB", "PRON"), "bonus": 0.0, "rules": "noji"}),
]
NAMES = ["soegaard-pagerank", "soegaard-rules", "udp"]
TAGS = sorted(UD_TAGS | PETROV_TAGS | {"XYZ", "_"})


def parsed(name: str, *written: str, **chosen: object) -> list[list[int]]:
    return heads(make_system(name, chosen).annotate(sentences(*written)))


@st.composite
def tagged(draw: st.DrawFn, tags: list[str] = TAGS) -> Treebank:
    """Sentences of few different words, so that forms and affixes repeat."""
    word = st.tuples(
        st.sampled_from(["a", "sing", "sang", "ring", "ringing", "été"]), st.sampled_from(tags)
    )
    drawn = draw(st.lists(st.lists(word, min_size=1, max_size=9), min_size=1, max_size=4))
    return sentences(*(" ".join(f"{form}/{tag}" for form, tag in words) for words in drawn))


def rules_over(name: str, tags: list[str]) -> slow.Rules:
    kinds = sorted(set(tags))
    matrix = rule_matrix(find_rules(name), kinds)
    return lambda h, d: bool(matrix[kinds.index(tags[h]), kinds.index(tags[d])])


# ---------------------------------------------------------------------- laws


@pytest.mark.parametrize(("name", "chosen"), VARIANTS)
@examples(30)
@given(tagged())
def test_every_output_is_a_tree_with_one_root(name, chosen, treebank):
    # A word of a known tag, so that there are tags at all.
    treebank = concatenate([treebank, sentences("sing/VERB")])
    annotated = make_system(name, chosen).annotate(treebank)
    assert not tree_flaws(annotated).any()
    assert (annotated.head >= 0).all()


@patient
@given(tagged())
def test_function_words_are_leaves_in_udp(treebank):
    treebank = concatenate([treebank, sentences("sing/VERB")])
    content = {"ADJ", "NOUN", "PROPN", "VERB"}
    for sentence, found in zip(treebank, heads(make_system("udp").annotate(treebank)), strict=True):
        tags = [word.upos for word in sentence]
        if content & set(tags):
            assert {tags[h - 1] for h in found if h} <= content


@patient
@given(tagged())
def test_heads_outrank_their_dependents(treebank):
    treebank = concatenate([treebank, sentences("sing/VERB")])
    n, order = treebank.n_words, []
    for sentence in treebank:
        order += list(np.random.default_rng(len(order)).permutation(len(sentence)))
    found = kernels.trees_by_rank(
        treebank.offsets, np.array(order), np.zeros(n, np.int64), np.zeros((2, 1), np.bool_)
    )
    for first, last in zip(treebank.offsets, treebank.offsets[1:], strict=False):
        rank = {word: i for i, word in enumerate(order[first:last])}
        for word, head in enumerate(found[first:last]):
            assert (head == 0) == (rank[word] == 0)
            assert head == 0 or rank[head - 1] < rank[word]


# ---------------------------------------------------------------------- slow twins

WORD_TAGS = [tag for tag in TAGS if tag not in ("PUNCT", ".")]


@patient
@given(tagged(WORD_TAGS), st.booleans())
def test_s1_against_its_slow_twin(treebank, with_rules):
    treebank = concatenate([treebank, sentences("sing/VERB")])
    system = make_system(
        "soegaard-pagerank", {"n_function_words": 2, "universal_rules": with_rules}
    )
    known = set(function_words(treebank, 2))
    for sentence, found in zip(treebank, heads(system.annotate(treebank)), strict=True):
        forms, tags = [word.form for word in sentence], [word.upos for word in sentence]
        verbs = {i for i, tag in enumerate(tags) if tag == "VERB"}
        order = slow.s1_order(forms, verbs, known)
        assert found == slow.s1_tree(order, rules_over("naseem", tags) if with_rules else None)


@patient
@given(tagged(WORD_TAGS), st.booleans(), st.booleans(), st.booleans())
def test_s2_against_its_slow_twin(treebank, ranked, nearest, right):
    treebank = concatenate([treebank, sentences("sing/VERB")])
    chosen = {
        "ranked": ranked,
        "otherwise": "nearest" if nearest else "root",
        "ties": "right" if right else "left",
    }
    system = make_system("soegaard-rules", chosen)
    known = set(function_words(treebank))
    for sentence, found in zip(treebank, heads(system.annotate(treebank)), strict=True):
        forms, tags = [word.form for word in sentence], [word.upos for word in sentence]
        verbs = {i for i, tag in enumerate(tags) if tag == "VERB"}
        assert found == slow.s2_tree(
            tags,
            rules_over("naseem", tags),
            nearest=nearest,
            right=right,
            order=slow.s1_order(forms, verbs, known) if ranked else None,
        )


@patient
@given(tagged(WORD_TAGS))
def test_udp_against_its_slow_twin(treebank):
    treebank = concatenate([treebank, sentences("sing/VERB")])
    conjunction = 1 if "CCONJ" in set(treebank.upos) else -1  # UD version 2, or 1
    side = {"AUX": 1, "DET": 1, "SCONJ": 1, "CONJ": conjunction, "CCONJ": conjunction}
    side["ADP"] = count_adpositions(treebank).side
    for sentence, found in zip(treebank, heads(make_system("udp").annotate(treebank)), strict=True):
        tags = [word.upos for word in sentence]
        assert found == slow.udp_tree(tags, rules_over("udp", tags), side)


# ---------------------------------------------------------------------- S1 by hand


def test_s1_links():
    links = kernels.sentence_links(
        np.array([0, 1, 2, 1]),  # "birds sing loudly sing"
        np.array([0, 1, 2, 1]),
        np.array([0, 1, 2, 1]),
        np.array([True, False, False, False]),
        np.array([False, True, False, True]),
        2,
    )
    assert links.tolist() == [
        # Close, two affixes, a verb; at distance 3 not close any more.
        [0, 4, 3, 3],
        # To birds: close, a function word, two affixes; to the same word again: a verb.
        [4, 0, 3, 1],
        [3, 4, 0, 4],
        [2, 1, 3, 0],
    ]


def test_s1_ranks_and_tree():
    # Every word is a function word here. From birds and loudly 5 links lead to sing and 3 to
    # each other; so sing has s = 0.05 + 0.85 * 5/8 * (1 - s), which is 0.58125 / 1.53125.
    links = slow.s1_links(["birds", "sing", "loudly"], {1}, {"birds", "sing", "loudly"})
    assert pagerank(links)[1] == pytest.approx(0.58125 / 1.53125, abs=1e-7)
    assert parsed("soegaard-pagerank", "birds/NOUN sing/VERB loudly/ADV") == [[2, 0, 2]]


def trees_of(order: list[int], tag: list[int], allowed: np.ndarray) -> list[int]:
    return kernels.trees_by_rank(
        np.array([0, len(order)]), np.array(order), np.array(tag), allowed
    ).tolist()


def test_s1_decoding():
    nothing = np.zeros((2, 1), np.bool_)
    # 3 is the root; 0 has nobody else; 2 is nearer to 3; 1 is as near to 0 as to 2, and 0 was
    # placed before 2.
    assert trees_of([3, 0, 2, 1], [0] * 4, nothing) == [4, 1, 4, 0]
    assert trees_of([3, 2, 0, 1], [0] * 4, nothing) == [3, 3, 4, 0]
    # Tag 1 may only hang on tag 0: the last word passes over its neighbour.
    rule = np.zeros((3, 2), np.bool_)
    rule[0, 1] = True
    assert trees_of([0, 1, 2], [0, 1, 1], rule) == [0, 1, 1]
    assert trees_of([0, 1, 2], [0, 1, 1], np.zeros((3, 2), np.bool_)) == [0, 1, 2]


def test_s1_function_words():
    text = ["the/X cat/X 1/X", "the/X dog/X 1/X", "the/X a/X", "1/X a/X cat/X", "alone/X"]
    treebank = sentences(*text)
    # Links: the 5, 1 6 (no letter), cat 4, a 3, dog 2, alone none.
    assert function_words(treebank, 3) == ("the", "cat", "a")
    assert function_words(treebank, 99) == ("the", "cat", "a", "dog", "alone")
    assert function_words(treebank, 0) == ()
    assert function_words(treebank[[]]) == ()


@patient
@given(tagged())
def test_function_words_by_a_dense_graph(treebank):
    forms = list(dict.fromkeys(treebank.form))
    links = np.zeros((len(forms), len(forms)))
    for sentence in treebank:
        codes = [forms.index(word.form) for word in sentence]
        for u in codes:
            for v in codes:
                links[u, v] += u != v
    expected = pagerank(links, tolerance=0.0, max_iterations=20)
    order = sorted(range(len(forms)), key=lambda i: (-expected[i].round(12), i))
    assert function_words(treebank) == tuple(forms[i] for i in order)


def test_s1_is_fitted_by_its_function_words(tmp_path):
    learnt = make_system("soegaard-pagerank", {"n_function_words": 1})
    learnt.fit(sentences("the/DET cat/NOUN ,/PUNCT", "the/DET dog/NOUN ,/PUNCT"))
    assert learnt.function_words == ("the",)
    learnt.save(tmp_path / "model")
    loaded = load_system(tmp_path / "model")
    assert loaded.function_words == ("the",)
    make_system("soegaard-pagerank").save(tmp_path / "empty")
    assert load_system(tmp_path / "empty").function_words is None
    # To itself the text is made of function words, and bravo the neighbour of two.
    text = sentences("alpha/X bravo/X the/X")
    assert heads(make_system("soegaard-pagerank").annotate(text)) == [[2, 0, 2]]
    assert heads(learnt.annotate(text)) == [[2, 3, 0]]
    assert heads(loaded.annotate(text)) == [[2, 3, 0]]


def test_s1_needs_no_tags_without_verbs():
    text = sentences("birds/_ sing/_")
    assert heads(make_system("soegaard-pagerank", {"verbs": False}).annotate(text)) == [[0, 1]]
    with pytest.raises(TreebankError, match="has no tags for 'u'"):
        make_system("soegaard-pagerank").annotate(text)


# ---------------------------------------------------------------------- S2 by hand

CHASE = "the/DET dog/NOUN has/AUX chased/VERB a/DET small/ADJ cat/NOUN"


def test_s2_by_hand():
    # has: no rule, and of dog and chased, equally near, the right one.
    assert parsed("soegaard-rules", CHASE) == [[2, 4, 4, 0, 7, 7, 4]]
    assert parsed("soegaard-rules", CHASE, ties="left") == [[2, 4, 2, 0, 7, 7, 4]]
    # has, as a verb: the root, and nearest to the dog.
    assert parsed("soegaard-rules", CHASE, auxiliaries_are_verbs=True) == [[2, 3, 0, 3, 7, 7, 4]]
    assert parsed("soegaard-rules", CHASE, tags="u12") == [[2, 3, 0, 3, 7, 7, 4]]


def test_s2_leaves_heads_out_that_would_close_a_circle():
    # a takes b, as near as sing and to the right of it; so b cannot take a.
    assert parsed("soegaard-rules", "sing/VERB a/NOUN b/NOUN") == [[0, 3, 1]]
    assert parsed("soegaard-rules", "sing/VERB a/NOUN b/NOUN", ties="left") == [[0, 1, 2]]


def test_s2_roots():
    assert parsed("soegaard-rules", "oh/INTJ Ann/PROPN bird/NOUN") == [[2, 0, 2]]
    assert parsed("soegaard-rules", "oh/INTJ no/INTJ") == [[0, 1]]
    assert parsed("soegaard-rules", "Ann/PROPN oh/INTJ", roots=("INTJ",)) == [[2, 0]]


def test_s2_where_no_rule_helps():
    text = "go/VERB now/ADV oh/INTJ no/INTJ"
    assert parsed("soegaard-rules", text, ties="left") == [[0, 1, 2, 3]]
    assert parsed("soegaard-rules", text, otherwise="root") == [[0, 1, 1, 1]]


# ---------------------------------------------------------------------- UDP by hand

GARDEN = "the/DET dog/NOUN chased/VERB a/DET cat/NOUN in/ADP the/DET garden/NOUN"


def test_udp_by_hand():
    # Ranks in units of a restart: function words 1, nouns 6.2, the verb 10.9. cat is nearer to
    # the verb than to dog, garden nearer to cat.
    expected = [2, 3, 0, 5, 3, 8, 8, 5]
    assert parsed("udp", GARDEN, adpositions="right") == [expected]
    # One ADP before a determiner, and one behind a noun: no majority for prepositions.
    assert parsed("udp", GARDEN) == [[*expected[:5], 5, 8, 5]]
    assert parsed("udp", GARDEN, adpositions="left") == [[*expected[:5], 5, 8, 5]]


def test_udp_restarts_at_the_first_verb():
    # c is as near to the noun as to the verb, and takes whichever ranks higher. Where nothing
    # begins at the verb, a tenth of the noun's rank is all it gets.
    text = "a/X b/X dog/NOUN c/X barks/VERB"
    assert parsed("udp", text) == [[3, 3, 5, 5, 0]]
    assert parsed("udp", text, bonus=0.0, damping=0.1) == [[3, 3, 0, 3, 3]]


def test_udp_without_a_verb_begins_with_the_first_content_word():
    assert parsed("udp", "oh/INTJ big/ADJ dog/NOUN", bonus=50.0) == [[2, 0, 2]]


def test_udp_function_words_look_to_their_side():
    # because looks right; the pronoun takes the nearest verb on either side.
    text = "run/VERB and/CCONJ hide/VERB because/SCONJ they/PRON come/VERB"
    assert parsed("udp", text) == [[0, 3, 1, 6, 6, 3]]
    # Nothing to the right of the last word: the nearest content word.
    assert parsed("udp", "run/VERB the/DET") == [[0, 1]]


def test_udp_hangs_conjunctions_as_the_version_of_ud_does():
    text = "run/VERB and/CCONJ hide/VERB"
    version_1 = text.replace("CCONJ", "CONJ")
    assert parsed("udp", text) == parsed("udp", text, tags="u12") == [[0, 3, 1]]
    assert parsed("udp", version_1) == [[0, 1, 1]]
    assert parsed("udp", text, conjunctions="left") == [[0, 1, 1]]
    assert parsed("udp", version_1, conjunctions="right") == [[0, 3, 1]]
    # Whoever names conjunctions among tags with a side has the last word.
    assert parsed("udp", text, head_left=("CONJ",)) == [[0, 1, 1]]


def test_udp_among_the_12_tags():
    text = "Ann/NOUN has/VERB come/VERB up/PRT and/CONJ sings/VERB ./."
    assert parsed("udp", text) == [[2, 0, 2, 3, 3, 3, 2]]


PREPOSITIONS = ["in/ADP the/DET house/NOUN sleeps/VERB", "at/ADP home/NOUN sleeps/VERB"]
POSTPOSITIONS = ["the/DET house/NOUN in/ADP sleeps/VERB", "home/NOUN at/ADP sleeps/VERB"]
BETWEEN = "house/NOUN in/ADP home/NOUN sleeps/VERB"


def test_adpositions_flip():
    assert count_adpositions(sentences(*PREPOSITIONS)) == AdpositionCounts(2, 0)
    assert count_adpositions(sentences(*POSTPOSITIONS)) == AdpositionCounts(0, 2)
    assert parsed("udp", *PREPOSITIONS, BETWEEN)[2][1] == 3
    assert parsed("udp", *POSTPOSITIONS, BETWEEN)[2][1] == 1


def test_adpositions_of_the_training_text_decide(tmp_path):
    for text, head in ((PREPOSITIONS, 3), (POSTPOSITIONS, 1)):
        learnt = make_system("udp").fit(sentences(*text))
        assert heads(learnt.annotate(sentences(BETWEEN)))[0][1] == head
        learnt.save(tmp_path / "model")
        loaded = load_system(tmp_path / "model")
        assert loaded.adpositions == learnt.adpositions
        assert heads(loaded.annotate(sentences(BETWEEN)))[0][1] == head
    make_system("udp").save(tmp_path / "empty")
    assert load_system(tmp_path / "empty").adpositions is None


def test_adpositions_are_not_counted_across_sentences():
    assert count_adpositions(sentences("x/X in/ADP", "the/DET x/X")) == AdpositionCounts(0, 0)


# ---------------------------------------------------------------------- odd input


@pytest.mark.parametrize("name", NAMES)
def test_one_word_and_punctuation_alone(name):
    text = ["yes/INTJ", "./PUNCT", "!/PUNCT ?/PUNCT ./PUNCT", "sing/VERB", "(/. sing/VERB )/."]
    assert parsed(name, *text) == [[0], [0], [0, 1, 1], [0], [2, 0, 2]]


@pytest.mark.parametrize("name", NAMES)
def test_a_treebank_of_punctuation_alone(name):
    assert parsed(name, "./PUNCT", "?/PUNCT !/PUNCT") == [[0], [0, 1]]
    treebank = sentences("./PUNCT")
    assert heads(make_system(name).fit(treebank).annotate(treebank)) == [[0]]


@pytest.mark.parametrize("name", NAMES)
def test_a_treebank_without_verbs_or_known_tags(name):
    for tag in ("NOUN", "XYZ", "ADP"):
        annotated = make_system(name).annotate(sentences("a/X b/X c/X".replace("X", tag), "a/X"))
        assert not tree_flaws(annotated).any()


@pytest.mark.parametrize(("name", "chosen"), VARIANTS)
def test_long_sentences(name, chosen):
    tags = ["DET", "ADJ", "NOUN", "ADP", "PROPN", "VERB", "CCONJ", "PRON", "AUX", "ADV"]
    words = [f"w{i * 7 % 31}/{tags[i * i % 10]}" for i in range(200)]
    treebank = sentences(" ".join(words), " ".join(reversed(words)))
    system = make_system(name, chosen)
    first = system.annotate(treebank)
    assert not tree_flaws(first).any()
    assert np.array_equal(first.head, system.annotate(treebank).head)


@pytest.mark.parametrize("name", NAMES)
def test_gold_heads_are_not_looked_at(name):
    bare = sentences(CHASE, GARDEN)
    gold = bare.replace(head=np.zeros(bare.n_words, np.int32))
    assert make_system(name).annotate(gold).head.tolist() == (
        make_system(name).annotate(bare).head.tolist()
    )


def test_supervision_is_what_the_table_says():
    for name in NAMES:
        assert make_system(name).supervision == systems()[name].supervision
    with_rules = make_system("soegaard-pagerank", {"universal_rules": True})
    assert with_rules.supervision == "universal rules"


def test_bad_settings():
    with pytest.raises(SystemsError, match=r"damping: expected at most 1\.0, found 2\.0"):
        make_system("udp", {"damping": 2.0})
    with pytest.raises(SystemsError, match="rules: expected one of naseem, noji, udp"):
        make_system("soegaard-rules", {"rules": "my"})
