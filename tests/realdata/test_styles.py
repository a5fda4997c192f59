"""Annotation styles of real treebanks: trees stay trees, and the way back is exact."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import treegauge as tg
from treegauge.rewrite import BUNDLES, RewriteError, Style, to_style
from treegauge.settings import choices
from treegauge.treebank import TreeFlaw, concatenate, tree_flaws

pytestmark = pytest.mark.realdata

STYLES = [
    *BUNDLES.values(),
    *(
        Style(**{switch: value})
        for switch, values in choices(Style).items()
        for value in values[1:]
    ),
    Style(**{switch: values[-1] for switch, values in choices(Style).items()}),
]
"""Every bundle, every switch alone, and everything at once."""

OTHER_SCHEMES = {"en_wsj_sample", "es_conll2007", "eu_conll2007", "la_cicero", "la_vulgate"}


SAMPLE = 300
"""Sentences of every treebank in the quick test; the slow one takes all."""


def usable(treebank: tg.Treebank) -> tg.Treebank:
    """Return the sentences that are trees, several roots or one."""
    return treebank[tree_flaws(treebank) & ~np.uint8(TreeFlaw.SEVERAL_ROOTS) == 0]


def check(gold: tg.Treebank) -> None:
    labels, flaws = gold.deprel.canonical(), tree_flaws(gold)
    for style in STYLES:
        turned = to_style(gold, style)
        assert np.array_equal(tree_flaws(turned), flaws), style.name
        assert (turned.head == 0).sum() == (gold.head == 0).sum(), style.name
        back = to_style(turned, "ud")
        assert np.array_equal(back.head, gold.head), style.name
        assert back.deprel.canonical().vocabulary == labels.vocabulary, style.name
        assert np.array_equal(back.deprel.canonical().codes, labels.codes), style.name


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.conll[ux].xz"))


def test_every_style_leads_back_to_the_same_trees(shared: Path, real_folder: str) -> None:
    smallest = min(files(shared / real_folder), key=lambda path: path.stat().st_size)
    gold = usable(tg.read(smallest, findings=tg.Findings()))
    if Path(real_folder).name in OTHER_SCHEMES:
        with pytest.raises(RewriteError, match="starts from Universal Dependencies"):
            to_style(gold, "functional")
    else:
        check(gold[:SAMPLE])


@pytest.mark.slow
def test_so_it_is_for_every_sentence(shared: Path, real_folder: str) -> None:
    if Path(real_folder).name not in OTHER_SCHEMES:
        parts = [tg.read(path, findings=tg.Findings()) for path in files(shared / real_folder)]
        check(usable(concatenate(parts)))
