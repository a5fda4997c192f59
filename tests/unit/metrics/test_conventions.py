from __future__ import annotations

import pytest

import treegauge as tg
from tests.unit.metrics.small_scores import compare, score, sums, with_column, with_heads
from tests.unit.treebank.small_trees import heads, sentences
from treegauge.metrics import PRESETS, Comparison, Conventions, MetricError, preset
from treegauge.treebank import TreebankError

# why hangs on the comma, the comma on go; the question mark is the root of go.
GO = sentences("why/ADV/2 ,/PUNCT/3 go/VERB/4 ?/PUNCT/0")


def test_presets_are_what_they_were_in_the_field():
    assert PRESETS["conll2018"] == Conventions("counted", subtypes=False)
    assert PRESETS["conll2006"] == Conventions(
        "ignored", punctuation_by="form", subtypes=True, preset="conll2006"
    )
    assert PRESETS["pascal"] == Conventions(
        "removed", induced_punctuation="counted", subtypes=True, preset="pascal"
    )


def test_unknown_presets_are_answered_with_known_ones():
    with pytest.raises(
        MetricError,
        match=r"'conll'; .*\n  there are conll2018, conll2006, pascal$",
    ):
        preset("conll")


def test_deviations_are_written_as_signatures_write_them():
    assert preset("pascal").deviations() == []
    other = preset("pascal", punctuation="counted", subtypes=False, average="sentence")
    assert other.deviations() == ["punct:yes", "subtypes:no", "average:sentence"]
    assert preset("conll2018", tags="u12").deviations() == ["tags:u12"]


def test_who_says_what_happens_to_punctuation_says_it_of_induced_tags_too():
    removed = preset("pascal", punctuation="removed")
    assert removed.for_family("induced-tags").punctuation == "removed"
    assert removed.deviations() == ["induced-punct:removed"]
    assert preset("pascal").with_punctuation("removed") == removed


@pytest.mark.parametrize("name", PRESETS)
def test_only_metrics_of_induced_tags_have_conventions_of_their_own(name):
    for family in ("dependencies", "shared-task", "tags"):
        assert preset(name).for_family(family) == preset(name)


# ---------------------------------------------------------------------- punctuation


def test_conll2018_counts_punctuation():
    system = with_heads(GO, 2, 3, 4, -1)
    assert sums("uas", compare(GO, system)) == [3, 4, 4]


def test_conll2006_ignores_punctuation_and_leaves_heads_alone():
    # why hangs on the comma in gold: so it must in the system.
    assert sums("uas", compare(GO, with_heads(GO, 2, 4, 4, -1), "conll2006")) == [2, 2, 2]
    assert sums("uas", compare(GO, with_heads(GO, 3, 3, 4, 0), "conll2006")) == [1, 2, 2]


def test_pascal_removes_punctuation_and_reattaches_its_children_in_both_trees():
    comparison = compare(GO, with_heads(GO, 3, 1, 0, 3), "pascal")
    assert heads(comparison.gold) == [[2, 0]]
    assert heads(comparison.system) == [[2, 0]]
    assert sums("uas", comparison) == [2, 2, 2]


def test_what_is_punctuation_gold_says():
    # Tagging everything as punctuation, or nothing, changes nothing.
    system = with_heads(GO, 3, 3, 1, 1)
    for tags in ("PUNCT PUNCT PUNCT PUNCT", "ADV X VERB X"):
        tagged = with_column(system, "upos", tags)
        for conventions in ("pascal", "conll2006"):
            assert sums("uas", compare(GO, tagged, conventions)) == sums(
                "uas", compare(GO, system, conventions)
            )
            assert sums("uas", compare(GO, tagged, conventions))[1] == 2


def test_a_system_s_cycle_among_punctuation_is_wrong_and_not_fatal():
    system = with_heads(GO, 2, 4, 0, 2)
    assert sums("uas", compare(GO, system, "pascal")) == [1, 2, 2]
    with pytest.raises(TreebankError, match="its heads form a cycle"):
        compare(system, GO, "pascal")


def test_a_cycle_through_punctuation_is_wrong_when_punctuation_is_removed():
    # go hangs on the question mark and that on go: not on itself, and not on the root.
    comparison = compare(GO, with_heads(GO, 2, 3, 4, 3), "pascal")
    assert sums("uas", comparison) == [1, 2, 2]
    assert sums("root", comparison) == [0, 1, 1]


def test_words_below_a_removed_root_are_roots():
    gold = sentences("a/X/3 b/X/3 !/PUNCT/0")
    assert heads(compare(gold, gold, "pascal").gold) == [[0, 0]]
    assert sums("uas", compare(gold, with_heads(gold, 0, 1, 1), "pascal")) == [1, 2, 2]


def test_a_sentence_of_one_punctuation_mark_has_nothing_to_score():
    gold = sentences("a/X/0 !/PUNCT/1", "!/PUNCT/0", "b/X/0")
    for conventions in ("pascal", "conll2006"):
        comparison = compare(gold, gold, conventions)
        assert sums("uas", comparison) == [2, 2, 2]
        assert sums("exact_match", comparison) == [2, 2, 2]
        assert comparison.gold.n_sentences == 3


# ---------------------------------------------------------------------- cut-offs

LENGTHS = sentences(
    "a/X/0",
    "b/X/0 !/PUNCT/1",
    "c/X/0 d/X/1 !/PUNCT/1",
    "e/X/0 f/X/1 g/X/1",
)


@pytest.mark.parametrize(
    ("cut_off", "sentences_kept", "words_kept"),
    [("@1", 1, 1), ("@2", 2, 3), ("@3", 4, 9), ("@0", 0, 0)],
)
def test_cut_offs_count_punctuation(cut_off, sentences_kept, words_kept):
    comparison = compare(LENGTHS, LENGTHS, cut_off=cut_off)
    assert comparison.gold.n_sentences == sentences_kept
    assert sums("words", comparison)[1] == words_kept


@pytest.mark.parametrize(
    ("cut_off", "conventions", "words_kept"),
    [
        ("@1w", "conll2018", 3),
        ("@1w", "conll2006", 2),
        ("@1w", "pascal", 2),
        ("@2w", "pascal", 4),
        ("@2", "pascal", 2),
        ("@3", "pascal", 7),
    ],
)
def test_cut_offs_with_w_count_words_only(cut_off, conventions, words_kept):
    comparison = compare(LENGTHS, LENGTHS, conventions, cut_off=cut_off)
    assert sums("uas", comparison)[1] == words_kept


def test_a_treebank_remembers_how_long_its_sentences_were():
    bare = LENGTHS.without_punctuation()
    assert sums("uas", compare(bare, bare, cut_off="@2"))[1] == 2
    assert sums("uas", compare(bare, bare, cut_off="@2w"))[1] == 4


def test_cut_offs_go_by_gold():
    # The system's tags say otherwise about what is a word.
    system = with_column(LENGTHS, "upos", "PUNCT " * LENGTHS.n_words)
    assert sums("uas", compare(LENGTHS, system, cut_off="@1w"))[1] == 3


def test_unknown_cut_offs_are_refused():
    with pytest.raises(TreebankError, match="unknown length cut-off '@ten'; write @10, or @10w"):
        compare(LENGTHS, LENGTHS, cut_off="@ten")


# ---------------------------------------------------------------------- other words than gold's


@pytest.mark.parametrize(
    ("conventions", "cut_off"), [("pascal", ""), ("conll2006", ""), ("conll2018", "@10")]
)
def test_rules_that_need_the_same_words_say_so(conventions, cut_off):
    gold, system = sentences("ab/X/0"), sentences("a/X/0 b/X/1")
    with pytest.raises(MetricError, match="neither length cut-offs nor punctuation rules"):
        compare(gold, system, conventions, cut_off=cut_off, by_characters=True)
    # With the same words, all of them are defined.
    assert score("uas", gold, gold, conventions, cut_off=cut_off, by_characters=True) == 1


def test_system_words_that_gold_lacks_cost_precision():
    gold = sentences("ab/X/0 c/X/1 d/X/2")
    system = sentences("a/X/2 b/X/0 c/X/2 d/X/3")
    comparison = Comparison(gold, system, by_characters=True)
    assert sums("words", comparison) == [2, 3, 4]
    # c's head is a word that gold lacks; d's is c in both.
    assert sums("uas", comparison) == [1, 3, 4]
    # Gold's root is found nowhere: a share of gold's roots.
    assert sums("root", comparison) == [0, 1, 1]
    assert sums("upos", comparison) == [2, 3, 4]


# ---------------------------------------------------------------------- one word, root edges

EAT = sentences("Go/VERB/0 !/PUNCT/1", "I/PRON/2 want/VERB/0 to/PART/4 eat/VERB/2", "yes/INTJ/0")
# The NED paper's other analysis: "to" heads "eat". Everything else is as in gold.
TO_EAT = with_heads(EAT, 0, 1, 2, 0, 2, 3, 0)


@pytest.mark.parametrize(
    ("conventions", "how", "uas", "undirected", "ned", "exact_match"),
    [
        # 2 + 4 + 1 words; "to" and "eat" are wrong, "eat" hangs on its gold child, "to" on its
        # gold grandparent.
        ("conll2018", {}, [5, 7], [6, 7], [7, 7], [2, 3]),
        # "Go !" is two words here, "yes" is one.
        ("conll2018", {"skip_length_one": True}, [4, 6], [5, 6], [6, 6], [1, 2]),
        ("conll2006", {}, [4, 6], [5, 6], [6, 6], [2, 3]),
        ("conll2006", {"skip_length_one": True}, [2, 4], [3, 4], [4, 4], [0, 1]),
        ("pascal", {"skip_length_one": True}, [2, 4], [3, 4], [4, 4], [0, 1]),
        # Go, want and yes are roots: "!", "I", "to" and "eat" are left, and without
        # punctuation only words of the second sentence.
        ("conll2018", {"count_root": False}, [2, 4], [3, 4], [4, 4], [1, 2]),
        ("conll2006", {"count_root": False}, [1, 3], [2, 3], [3, 3], [0, 1]),
        ("pascal", {"count_root": False}, [1, 3], [2, 3], [3, 3], [0, 1]),
        (
            "conll2018",
            {"skip_length_one": True, "count_root": False},
            *([2, 4], [3, 4], [4, 4], [1, 2]),
        ),
        (
            "pascal",
            {"skip_length_one": True, "count_root": False},
            *([1, 3], [2, 3], [3, 3], [0, 1]),
        ),
    ],
)
def test_sentences_of_one_word_and_root_edges(conventions, how, uas, undirected, ned, exact_match):
    comparison = Comparison(EAT, TO_EAT, preset(conventions, **how))
    for name, expected in {
        "uas": uas,
        "undirected": undirected,
        "ned": ned,
        "exact_match": exact_match,
    }.items():
        assert sums(name, comparison) == [*expected, expected[1]], name


def test_both_are_said_when_they_deviate_and_only_then():
    assert preset("conll2018", skip_length_one=True).deviations() == ["one-word:no"]
    assert preset("pascal", count_root=False).deviations() == ["root-edges:no"]
    keys = [key for key, _ in Conventions().described()]
    assert keys == ["punct", "subtypes", "average"]


def test_a_sentence_of_punctuation_alone_is_not_of_one_word():
    gold = sentences("a/X/0 b/X/1", "!/PUNCT/0")
    counted = Comparison(gold, gold, preset("conll2018", skip_length_one=True))
    assert sums("uas", counted) == [2, 2, 2]
    ignored = Comparison(gold, gold, preset("pascal", skip_length_one=True))
    assert ignored.is_skipped.tolist() == [False, False]


def test_what_is_no_edge_counts_as_before():
    # Tags are no edges; `root` is about nothing but root edges; relations are those of edges.
    gold = with_column(EAT, "deprel", "root punct nsubj root mark xcomp root")
    system = with_column(gold, "deprel", "dep punct nsubj root xcomp xcomp root")
    comparison = Comparison(gold, system, preset("conll2018", count_root=False))
    assert sums("upos", comparison) == [7, 7, 7]
    assert sums("root", comparison) == [3, 3, 3]
    assert sums("label", comparison) == [3, 4, 4]
    assert sums("las", comparison) == [3, 4, 4]
    # Relations of content words: nsubj and xcomp in gold, the system has xcomp twice; root would
    # be one as well, three times in gold, and dep instead of one of them in the system.
    assert sums("clas", comparison) == [2, 2, 3]
    assert sums("clas", Comparison(gold, system)) == [4, 5, 6]


def test_a_sentence_of_one_word_is_left_out_with_all_tokens_that_a_system_makes_of_it():
    gold, system = sentences("ab/X/0", "c/X/0 d/X/1"), sentences("a/X/0 b/X/1", "c/X/0 d/X/1")
    comparison = Comparison(
        gold, system, preset("conll2018", skip_length_one=True), by_characters=True
    )
    assert sums("words", comparison) == [2, 2, 2]
    assert sums("uas", comparison) == [2, 2, 2]
    none = Comparison(gold[:0], system[:0], preset("conll2018", skip_length_one=True))
    assert sums("uas", none) == [0, 0, 0]


def test_nothing_is_left_of_sentences_of_one_word():
    gold = sentences("a/X/0", "b/X/0")
    for how in ({"skip_length_one": True}, {"count_root": False}):
        assert sums("uas", Comparison(gold, gold, Conventions(**how))) == [0, 0, 0]


def test_the_scorer_of_2006_goes_by_form():
    # eval.pl does not score words of which all characters are Unicode punctuation.
    words = ["(", "``", "$", "-LRB-", "don't", "...", "«", "%"]
    text = "".join(
        f"{i}\t{word}\t_\t{'PUNCT' if word == '$' else 'NOUN'}\t_\t_\t{i - 1}\tdep\t_\t_\n"
        for i, word in enumerate(words, start=1)
    )
    gold = tg.parse(text + "\n")
    left_out = preset("conll2006").punctuation_in(gold).tolist()
    assert [word for word, out in zip(words, left_out, strict=True) if out] == [
        "(",
        "...",
        "«",
        "%",
    ]
    scored = tg.evaluate(gold, gold, metrics=["uas"], conventions=preset("conll2006"))["uas"]
    assert scored.n == 4
    assert "|punct-by:form|" in str(scored.signature)
    by_tags = preset("conll2006", punctuation_by="tags")
    assert by_tags.punctuation_in(gold).tolist() == [word == "$" for word in words]
    # Gold without its words carries what was punctuation.
    mask = [True] * 8
    assert preset("conll2006").punctuation_in(gold.replace(punctuation=mask)).tolist() == mask
