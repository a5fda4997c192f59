from __future__ import annotations

import numpy as np
import pytest

import treegauge as tg
from treegauge.systems import SystemsError


@pytest.fixture(scope="module")
def text() -> tg.Treebank:
    return tg.toy_treebank("toy:svo", tokens=300)


def test_inducing_is_fitting_and_annotating(text: tg.Treebank) -> None:
    induced = tg.induce("dmv", text, iterations=2, seed=3)
    system = tg.make_system("dmv", {"iterations": 2}, seed=3).fit(text)
    assert np.array_equal(induced.treebank.head, system.annotate(text).head)
    document = induced.to_dict()
    assert (document["system"], document["seed"], document["words"]) == ("dmv", 3, text.n_words)
    assert document["settings"]["iterations"] == 2
    assert "fit_seconds" in str(induced)
    assert "<table>" in induced._repr_html_()
    assert induced.to_polars()["head"].to_list() == induced.treebank.head.tolist()


def test_what_was_learnt_elsewhere(text: tg.Treebank) -> None:
    other = tg.toy_treebank("toy:sov", tokens=300)
    here = tg.induce("dmv", text, iterations=3).treebank.head
    there = tg.induce("dmv", text, fit_on=other, iterations=3).treebank.head
    assert not np.array_equal(here, there)


def test_trees_over_the_tags_of_a_tagger(text: tg.Treebank) -> None:
    system = tg.make_system("dmv", iterations=2, tags_from="brown:5")
    assert system.made_of == ("brown", "dmv")
    assert tg.induce(system, text).treebank.has_heads


def test_keywords_are_settings_too() -> None:
    assert tg.make_system("dmv", {"iterations": 2}, max_length=7).settings.iterations == 2
    assert tg.make_system("dmv", {"iterations": 2}, max_length=7).settings.max_length == 7
    with pytest.raises(SystemsError, match="did you mean iterations"):
        tg.make_system("dmv", itrations=3)


def test_what_cannot_be_induced(text: tg.Treebank) -> None:
    with pytest.raises(SystemsError, match="learns from gold"):
        tg.induce("tnt", text)
    with pytest.raises(SystemsError, match="made already"):
        tg.induce(tg.make_system("left-branching"), text, iterations=3)
