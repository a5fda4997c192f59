"""The preset `conll2006` scores as many tokens as the shared task's scorer did.

Buchholz and Marsi (2006, Table 1) print how many tokens of each test set were scored. Of these
sets, one is here: `es_conll2007` is the Spanish of CoNLL-X, divided anew, and its test part begins
with the old one. The other treebanks of the shared tasks are missing: those of Universal
Dependencies have other tokens, and `eu_conll2007` has 3,175 of the 3,524 sentences of CoNLL 2007,
whose Table 1 does not print scored tokens. For these the rule of the scorer is run by Perl.
"""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest

import treegauge as tg
from tests.unit.metrics.punctuation_by_perl import is_punctuation_in_perl, needs_perl
from treegauge.metrics import preset
from treegauge.treebank import Treebank, concatenate, unicode_punctuation_mask
from treegauge.treebank.punctuation import is_unicode_punctuation

pytestmark = pytest.mark.realdata

SENTENCES, TOKENS, SCORED = 206, 5_694, 4_991
"""Of the test set of Spanish, as Table 1 prints them."""
TRAIN_SENTENCES, TRAIN_TOKENS, NOT_SCORED = 3_306, 89_334, 12.6
"""Of its training set; what is not scored is in per cent."""


@pytest.fixture(scope="module")
def spanish(shared: Path) -> tuple[Treebank, Treebank]:
    """Test and training set of the Spanish of CoNLL-X."""
    folder = shared / "treebanks" / "es_conll2007"
    test, train = (tg.read(folder / f"{part}.conllx.xz") for part in ("test", "train"))
    return test[:SENTENCES], concatenate([test[SENTENCES:], train])


def test_as_many_tokens_are_scored_as_in_the_shared_task(spanish) -> None:
    test, _ = spanish
    assert (test.n_sentences, test.n_words) == (SENTENCES, TOKENS)
    for metric in ("uas", "las"):
        score = tg.evaluate(test, test, metrics=metric, conventions=preset("conll2006"))[metric]
        assert score.n == SCORED


def test_as_large_a_share_is_not_scored_as_in_the_shared_task(spanish) -> None:
    _, train = spanish
    assert (train.n_sentences, train.n_words) == (TRAIN_SENTENCES, TRAIN_TOKENS)
    assert round(100 * np.mean(unicode_punctuation_mask(train)), 1) == NOT_SCORED


@needs_perl
def test_every_word_of_every_treebank_is_judged_as_by_the_scorer(shared: Path) -> None:
    forms = set()
    for path in sorted((shared / "treebanks").glob("*/*.conll[ux].xz")):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            lines = (line.split("\t", 2) for line in file if line[0].isdigit())
            forms.update(fields[1] for fields in lines)
    words = sorted(forms)
    assert len(words) > 100_000
    ours = [is_unicode_punctuation(word) for word in words]
    assert sum(ours) > 100
    assert ours == is_punctuation_in_perl(words)
