from __future__ import annotations

import pytest

import treegauge as tg
from treegauge.properties import statistics

TRAIN = """\
1\ta\ta\tDET\tDT\tNumber=Sing\t2\tdet\t_\t_
2\tbird\tbird\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t_\t_
3\tsings\tsing\tVERB\tVBZ\tNumber=Sing|Tense=Pres\t0\troot\t_\t_

1\tbirds\tbird\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_
2\tsang\tsing\tVERB\tVBD\tTense=Past\t0\troot\t_\t_

"""


def test_worked_example():
    numbers = statistics(tg.parse(TRAIN, name="birds"))
    assert (numbers.name, numbers.sentences, numbers.tokens) == ("birds", 2, 5)
    assert (numbers.tokens_a_sentence, numbers.longest_sentence) == (2.5, 3)
    assert (numbers.universal_tags, numbers.coarse_tags, numbers.fine_tags) == (3, 3, 5)
    assert (numbers.feature_values, numbers.relations) == (4, 3)
    assert (numbers.word_types, numbers.type_token_ratio) == (5, 1.0)
    assert numbers.features_a_lemma == 5 / 3  # a: 1, bird: 2, sing: 2
    assert (numbers.projective_trees, numbers.projective_arcs) == (1.0, 1.0)
    assert (numbers.roots_a_sentence, numbers.new_types) == (1.0, None)


def test_new_types_are_a_share_of_types_not_of_tokens():
    test = tg.parse("a/DET bird/NOUN bird/NOUN hums/VERB\n")
    assert statistics(test, training=tg.parse(TRAIN)).new_types == 1 / 3


def test_projectivity_counts_arcs_between_words():
    text = TRAIN.replace("2\tdet", "3\tdet").replace("3\tnsubj", "0\tnsubj")
    with pytest.warns(tg.FormatWarning, match="several-roots"):
        numbers = statistics(tg.parse(text))
    # The first sentence has two roots; its one arc, from 3 to 1, spans one of them.
    assert (numbers.projective_trees, numbers.projective_arcs) == (0.5, 0.5)
    assert numbers.roots_a_sentence == 1.5


def test_nothing_to_count_is_none_and_no_tags_are_none():
    numbers = statistics(tg.parse("a/XX b/YY\n"))
    assert (numbers.universal_tags, numbers.fine_tags, numbers.relations) == (0, 2, 0)
    assert numbers.projective_trees is None
    empty = statistics(tg.parse(TRAIN)[:0])
    assert (empty.tokens, empty.tokens_a_sentence, empty.type_token_ratio) == (0, None, None)
