"""The Penn part of the challenge on the sample of the Wall Street Journal that NLTK gives away.

Chains of words and the harmonic initialiser learn little or nothing from the sample, so that
they should be near what the paper prints for the whole treebank.
"""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import treegauge as tg
from treegauge.catalogue import Catalogue
from treegauge.formats import read_tag_map
from treegauge.papers.pascal.penn import penn_parts, penn_sample
from treegauge.papers.pascal.references import PENN_OPTIONS, references_of, score_references
from treegauge.results.published import published_scores
from treegauge.systems import make_system
from treegauge.treebank import PETROV_TAGS, concatenate

pytestmark = [pytest.mark.realdata, pytest.mark.long]

_NEAR = 0.02
"""How far scores may be from those on section 23."""


@pytest.fixture(scope="module")
def parts(shared: Path) -> dict[str, tg.Treebank]:
    universal = read_tag_map(shared / "tagsets" / "en-ptb.map")
    return dict(penn_parts(penn_sample(Catalogue([shared / "treebanks"])), universal))


def test_the_sample_has_the_tags_of_the_challenge(parts, shared):
    whole = concatenate(list(parts.values()))
    counts = [len(column.counts()) for column in (whole.cpos, whole.xpos)]
    assert counts == [31, 45]
    assert set(whole.upos.counts()) == PETROV_TAGS
    test = tg.read(shared / "treebanks" / "en_wsj_sample" / "test.conllx.xz")
    assert list(parts["test"].xpos) == list(test.xpos)
    assert [own.n_sentences for own in parts.values()] == [3207, 356, 351]


def test_what_learns_next_to_nothing_is_near_table_5(parts, shared):
    test = parts["test"]
    whole = concatenate(list(parts.values()))
    systems = {
        "LB": make_system("left-branching"),
        "RB": make_system("right-branching"),
        "H": make_system("harmonic", {"tags": "u12"}),
    }
    made = {name: [one.fit(whole).annotate(test)] for name, one in systems.items()}
    references = references_of(test, shared / "treebanks" / "en_wsj_sample")
    ours = score_references(test.name, references, made)
    theirs = published_scores().filter(
        (pl.col("table") == 5) & pl.col("reference").is_in(PENN_OPTIONS)
    )
    both = ours.join(theirs, on=["system", "reference"], suffix="_published")
    assert both.height == len(systems) * len(PENN_OPTIONS)
    off = both.filter((pl.col("value") - pl.col("value_published")).abs() > _NEAR)
    assert off.is_empty(), off
