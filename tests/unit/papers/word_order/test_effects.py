"""What permuted treebanks say, on examples worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

import treegauge as tg
from treegauge.papers.word_order.effects import (
    Delta,
    branching_differences,
    dlm_and_nonprojectivity,
    label_confusions,
    regression,
    sentence_correlations,
)
from treegauge.papers.word_order.permuted_parsing import (
    ORDERS,
    ParsedVersion,
    ParserChoice,
    PermutedParsing,
    PermutedParsingSettings,
    VersionProperties,
)
from treegauge.papers.word_order.published import (
    published_accuracy,
    published_property,
)
from treegauge.papers.word_order.tables import property_table
from treegauge.properties import WordOrder
from treegauge.rewrite.word_orders import permute


def _treebank(*sentences):
    text = ""
    for words in sentences:
        for number, (form, head, relation) in enumerate(words, start=1):
            text += f"{number}\t{form}\t_\tX\t_\t_\t{head}\t{relation}\t_\t_\n"
        text += "\n"
    return tg.parse(text)


GOLD = _treebank(
    [("a", 2, "det"), ("b", 3, "nsubj"), ("c", 0, "root"), ("d", 3, "obj")],
    [("a", 2, "det"), ("b", 0, "root"), ("e", 2, "obl")],
    [("b", 0, "root"), ("e", 4, "case"), ("a", 4, "det"), ("f", 1, "obl"), ("g", 4, "amod")],
)


def _parsing(change):
    """Return what a parser gives that is right but for what `change` does to each version."""
    versions, properties = [], []
    for order in ORDERS:
        test = GOLD if order == "original" else permute(GOLD, order)
        parsed = change(order, test)
        versions.append(ParsedVersion("gold", "xx", order, "graph", test, test, parsed))
        properties.append(VersionProperties("gold", "xx", order, WordOrder(test), WordOrder(test)))
    settings = PermutedParsingSettings((ParserChoice("graph"),), resamples=50)
    return PermutedParsing(settings, tuple(properties), tuple(versions))


def _mislabel(order, test):
    """In the right-branching order, take every determiner for an adjective."""
    if order != "right":
        return test
    relations = ["amod" if relation == "det" else relation for relation in test.deprel]
    return test.replace(columns={"deprel": tg.Column.from_strings(relations)})


def test_scores_count_what_they_should():
    parsing = _parsing(_mislabel)
    right = parsing.version("gold", "right", "graph")
    assert right.uas == 1
    assert right.las == pytest.approx(9 / 12)
    assert right.by_sentence(right.right_relations).tolist() == pytest.approx([3 / 4, 2 / 3, 4 / 5])


def test_confusions_that_one_order_has_are_found():
    (found,) = label_confusions(_parsing(_mislabel))
    assert (found.gold, found.found, found.left, found.right, found.leaves) == (
        *("det", "amod", 0, 3),
        1.0,
    )


def test_left_minus_right():
    uas, las = branching_differences(_parsing(_mislabel))
    assert (uas.metric, uas.difference, uas.t_test) == ("uas", 0, None)
    assert las.difference == pytest.approx((1 / 4 + 1 / 3 + 1 / 5) / 3)
    assert las.t_test < 0.05
    assert las.with_branching_factor.n == 3


def test_a_parser_that_never_errs_correlates_with_nothing():
    for one in sentence_correlations(_parsing(lambda _, test: test)):
        assert one.correlation.pearson is None
        assert one.correlation.n == 3


def test_a_single_treebank_has_no_correlation():
    assert dlm_and_nonprojectivity(_parsing(_mislabel)).pearson is None
    notes = property_table(_parsing(_mislabel)).notes
    assert any("too few treebanks to correlate DLM" in note for note in notes)
    assert not any("none" in note for note in notes)


def test_the_regression_finds_what_was_put_in():
    random = np.random.default_rng(0)
    rows = []
    for number in range(20):
        for parser in ("graph", "transition"):
            dlm, entropy = random.normal(size=2)
            uas = 0.01 * dlm + 0.05 * entropy + 0.001 * random.normal()
            rows.append(Delta(f"t{number}", "xx", "optdl", parser, uas, 0.0, dlm, entropy))
    found = regression(rows)
    length, variability, parser = found.effects
    assert found.r_squared > 0.99
    assert variability.coefficient > 3 * length.coefficient > 0
    assert variability.low < variability.coefficient < variability.high
    assert abs(parser.coefficient) < 0.1
    assert regression(rows[:5]) is None


def test_the_published_figures_are_those_of_the_paper():
    assert published_property("la_cicero", "entropy") == 0.42
    assert published_accuracy("la_cicero", "transition", "left", "las") == 76
    assert published_accuracy("la_cicero", "graph", "left", "las") == 72
    assert published_accuracy("la_cicero", "graph", "right", "las") == 72
    assert published_accuracy("nobody", "graph", "right", "las") is None
