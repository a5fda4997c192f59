"""Which transition system and which features suit a treebank: tried out on its own training data.

In the manner of MaltOptimizer, one thing after the other: systems first, with the rich features,
then feature sets with the best system.

References
----------
Ballesteros and Nivre (2012), MaltOptimizer: An optimization tool for MaltParser. EACL.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from treegauge.systems.parsers.transition.templates import FEATURE_SETS
from treegauge.treebank import Treebank

CANDIDATES = ("arc-eager", "arc-hybrid", "arc-standard", "swap-lazy", "covington")
N_TRIALS = len(CANDIDATES) + len(FEATURE_SETS) - 1
"""The systems, and the other feature sets with the best of them."""
TRIAL_EPOCHS = 4
_HELD_OUT = 0.2
_MOST_WORDS = 20_000
_FEWEST_SENTENCES = 10


def choose(score: Callable[[str, str], float]) -> tuple[str, str]:
    """Return the system and the feature set of the highest score; the first of equal ones.

    >>> choose(lambda system, features: (system == "swap-lazy") + (features == "malt") / 2)
    ('swap-lazy', 'malt')
    """
    by_system = {system: score(system, FEATURE_SETS[0]) for system in CANDIDATES}
    system = max(by_system, key=by_system.__getitem__)
    by_features = {FEATURE_SETS[0]: by_system[system]}
    by_features |= {features: score(system, features) for features in FEATURE_SETS[1:]}
    return system, max(by_features, key=by_features.__getitem__)


def trial_parts(treebank: Treebank, *, seed: int) -> tuple[Treebank, Treebank] | None:
    """Return a part to learn from and a part to be tried on, None if there is too little.

    Trials need not see all of a large treebank: systems differ more than samples do.
    """
    if treebank.n_sentences < _FEWEST_SENTENCES:
        return None
    order = np.random.default_rng(seed).permutation(treebank.n_sentences)
    within = np.cumsum(treebank.lengths[order]) <= _MOST_WORDS
    within[:_FEWEST_SENTENCES] = True
    order = order[within]
    n_held_out = max(1, int(len(order) * _HELD_OUT))
    return (
        treebank.take(np.sort(order[n_held_out:])),
        treebank.take(np.sort(order[:n_held_out])),
    )
