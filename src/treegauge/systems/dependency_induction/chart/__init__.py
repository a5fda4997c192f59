"""Inside-outside for grammars with valence: one chart for DMV, EVG and E-DMV.

`TagCorpus` holds sentences, `Grammar` weights, `Counts` events. `expectations` is the E-step,
`estimate` the M-step:

>>> import numpy as np
>>> corpus = TagCorpus([0, 1, 2, 1, 2, 2], [0, 3, 5, 6], n_tags=3)  # D N V, N V, V
>>> grammar = Grammar.random(np.random.default_rng(1), 3)
>>> for _ in range(20):
...     e_step = expectations(grammar, corpus)
...     grammar = estimate(e_step.counts, previous=grammar)
>>> grammar.root.round(2).tolist()
[0.0, 0.0, 1.0]
>>> viterbi(grammar, corpus).heads[3:].tolist()  # N V, and V
[2, 0, 0]
"""

from treegauge.systems.dependency_induction.chart.automaton import ChildValenceOrder
from treegauge.systems.dependency_induction.chart.corpus import TagCorpus, portions
from treegauge.systems.dependency_induction.chart.decoding import (
    chart_bytes,
    decode_arcs,
    minimum_risk,
    viterbi,
)
from treegauge.systems.dependency_induction.chart.errors import ChartError
from treegauge.systems.dependency_induction.chart.estimation import (
    Smoothing,
    estimate,
    estimate_variational,
    estimate_with_prior,
    log_prior,
)
from treegauge.systems.dependency_induction.chart.events import Counts, Grammar
from treegauge.systems.dependency_induction.chart.expectations import (
    Expectations,
    expectations,
    shard_expectations,
)
from treegauge.systems.dependency_induction.chart.sampling import sample
from treegauge.systems.dependency_induction.chart.trees import tree_counts, tree_log_probability

__all__ = [
    "ChartError",
    "ChildValenceOrder",
    "Counts",
    "Expectations",
    "Grammar",
    "Smoothing",
    "TagCorpus",
    "chart_bytes",
    "decode_arcs",
    "estimate",
    "estimate_variational",
    "estimate_with_prior",
    "expectations",
    "log_prior",
    "minimum_risk",
    "portions",
    "sample",
    "shard_expectations",
    "tree_counts",
    "tree_log_probability",
    "viterbi",
]
