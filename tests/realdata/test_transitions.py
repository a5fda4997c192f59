"""Transition systems on real treebanks: every tree that a system should derive is rebuilt."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import treegauge as tg
from treegauge.properties import nonprojective_arcs
from treegauge.transitions import Root, TransitionSystem, derive, rebuild
from treegauge.treebank import NOT_ANNOTATED, TreeFlaw, tree_flaws

pytestmark = pytest.mark.realdata


def test_every_tree_of_a_treebank_is_rebuilt(shared: Path, real_folder: str) -> None:
    files = sorted((shared / real_folder).glob("*.conll[ux].xz"))
    swaps = {"swap-eager": 0, "swap-lazy": 0}
    for path in files:
        treebank = tg.read(path, findings=tg.Findings())
        whole = (tree_flaws(treebank) & ~np.uint8(TreeFlaw.SEVERAL_ROOTS)) == 0
        whole[treebank.sentence_of_word[treebank.head == NOT_ANNOTATED]] = False
        treebank = treebank[whole]
        projective = nonprojective_arcs(treebank) == 0
        codes = treebank.deprel.codes
        for system in TransitionSystem:
            derivation = derive(treebank, system)
            assert (derivation.derived == (projective | system.covers_all_trees)).all()
            assert not derivation.several_roots.any()
            head, label = rebuild(derivation)
            words = derivation.derived[treebank.sentence_of_word]
            assert (head[words] == treebank.head[words]).all()
            assert (label[words] == codes[words]).all()
            if system.spelling in swaps:
                swaps[system.spelling] += int(derivation.count("swap").sum())
            behind = derive(treebank, system, root=Root.LAST)
            assert (behind.derived == derivation.derived).all()
            head, _ = rebuild(behind)
            assert (head[words] == treebank.head[words]).all()
    assert swaps["swap-lazy"] <= swaps["swap-eager"]
