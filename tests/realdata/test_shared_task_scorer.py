"""Our scores and those of the shared task's scorer are the same, to the last digit.

Some sentences of every CoNLL-U file, under random damage: other heads (no cycles), relations,
tags, features and lemmas; raw files also with other tokens, words and sentences.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import treegauge as tg
from tests.strategies import read_text
from tests.unit.metrics.other_tokens import copies, damage, retokenise, sentences_of, to_conllu
from tests.unit.metrics.shared_task_scorer import assert_same_scores
from treegauge.treebank import Treebank

pytestmark = pytest.mark.realdata

SENTENCES = 100
"""How many of a file are compared: a thousand words or two, in which all kinds of damage occur."""


def sample(path: Path, random: Random) -> Treebank:
    """Return some sentences that follow each other."""
    treebank = tg.read(path, findings=tg.Findings())
    first = random.randrange(max(len(treebank) - SENTENCES, 0) + 1)
    return treebank[first : first + SENTENCES]


def compared(gold: Treebank, random: Random, *, share: float, other_tokens: float) -> None:
    """Damage a treebank and compare what both scorers say of it."""
    sentences = sentences_of(gold)
    system = copies(sentences)
    damage(system, random, share)
    if other_tokens:
        system = retokenise(system, random, other_tokens)
    system_text = to_conllu(system)
    assert_same_scores(
        tg.to_text(gold, format="conllu"),  # as it is in the file: empty nodes, DEPS, MISC
        system_text,
        gold,
        read_text(system_text),
        align=bool(other_tokens),
    )


def test_scores_agree_with_the_shared_task_s_scorer(shared: Path, real_folder: str) -> None:
    folder = shared / real_folder
    paths = sorted(folder.glob("*.conllu.xz"))
    if not paths:
        pytest.skip(f"{folder.name} has no CoNLL-U files, which that scorer needs")
    for path in paths:
        random = Random(path.name)
        gold = sample(path, random)
        compared(gold, random, share=0.2, other_tokens=0)
        if folder.name == "treebanks_raw":
            compared(gold, random, share=0, other_tokens=0.2)
            compared(gold, random, share=0.2, other_tokens=0.4)
