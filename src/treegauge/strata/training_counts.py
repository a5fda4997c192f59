"""Strata by how often a form occurs in the training text, as it is written there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treegauge.strata.bins import bin_names, binned
from treegauge.strata.strata import Strata
from treegauge.treebank import Interner, Treebank

_FREQUENCIES = (0, 1, 2, 5, 10, 100)


def known(gold: Treebank, training: Treebank) -> Strata:
    """Divide into forms that occur in training and forms that do not."""
    unseen = _times_in_training(gold, training) == 0
    return Strata(unseen.astype(np.int32), ("known", "unknown"))


def frequency(gold: Treebank, training: Treebank) -> Strata:
    """Divide by how often the form occurs in training: 0, 1, 2-4, 5-9, 10-99, 100+."""
    times = _times_in_training(gold, training)
    return Strata(binned(times, _FREQUENCIES), bin_names(_FREQUENCIES))


def _times_in_training(gold: Treebank, training: Treebank) -> NDArray[np.int64]:
    forms = Interner()
    in_training = forms.add_vocabulary(training.form.vocabulary)
    in_gold = forms.add_vocabulary(gold.form.vocabulary)
    times = np.bincount(in_training[training.form.codes], minlength=len(forms))
    return times[in_gold][gold.form.codes].astype(np.int64, copy=False)
