"""A grammar as charts want it: one weight per arc, scaled so that nothing overflows.

Scaling
-------
Every tree attaches each word once and ends each of its sides once. Dividing the weights of all
arcs to a tag by the largest of them, and the stops of a tag's side by theirs, divides the weights
of all trees of a sentence by the same number, whose logarithm is the sum of `tag_scale`
over its words. Scaled weights are at most 1.

When probability space is enough
--------------------------------
With weights of at most 1, inside and outside values of a sentence of n words are at most N(n),
the number of its projective trees. A value that vanishes, being below 1e-308, is therefore part
of no posterior larger than 1e-308 N(n) / Z; where Z >= 1e-280 N(n), that is 1e-28, and
derivatives, at most N(n) / Z, cannot overflow. Other sentences are repeated in log space.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import gammaln

from treegauge.systems.dependency_induction.chart.errors import ChartError
from treegauge.systems.dependency_induction.chart.events import Counts, Floats, Grammar

MOST_WORDS = 128
"""Of sentences in probability space: charts of eight longer ones do not fit into a cache."""


def log_number_of_trees(words: Floats) -> Floats:
    """Return log N(n), with N(n) = C(3n - 2, n - 1) / n projective trees with one root.

    Examples
    --------
    >>> import numpy as np
    >>> np.exp(log_number_of_trees(np.arange(1.0, 7.0))).round().astype(int).tolist()
    [1, 2, 7, 30, 143, 728]
    """
    n = words
    trees: Floats = gammaln(3 * n - 1) - gammaln(n) - gammaln(2 * n) - np.log(n)
    return trees


LEAST_Z = np.concatenate(
    [[0.0], np.exp(log_number_of_trees(np.arange(1.0, MOST_WORDS + 1)) - 280 * np.log(10))]
)
"""By number of words, the least Z for which probability space is exact enough."""


@dataclass(frozen=True, eq=False)
class ChartWeights:
    """Weights of a grammar's roots, arcs (by label of the automaton) and stops."""

    grammar: Grammar

    @cached_property
    def scaled(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Scaled root [T], arc [label, direction, head, dependent], stop [T, 2, Vd], tag_scale."""
        if self.grammar.exponent != 1:
            root, arc, stop = self.logs
            arc_scale = np.maximum(root, arc.max(axis=(0, 1, 2)))
            stop_scale = stop.max(axis=2)
            arc_scale[arc_scale == -np.inf] = 0
            stop_scale[stop_scale == -np.inf] = 0
            return (
                np.exp(root - arc_scale),
                np.exp(arc - arc_scale),
                np.exp(stop - stop_scale[..., None]),
                arc_scale + stop_scale.sum(axis=1),
            )
        grammar, automaton = self.grammar, self.grammar.automaton
        arc = _by_label(
            grammar.go[:, :, automaton.label_decision, None]
            * grammar.attach[:, :, automaton.label_child]
        )
        arc_scale = np.maximum(grammar.root, arc.max(axis=(0, 1, 2)))
        stop_scale = grammar.stop.max(axis=2)
        arc_scale[arc_scale == 0] = 1
        stop_scale[stop_scale == 0] = 1
        return (
            grammar.root / arc_scale,
            arc / arc_scale,
            grammar.stop / stop_scale[..., None],
            np.log(arc_scale) + np.log(stop_scale).sum(axis=1),
        )

    @cached_property
    def logs(self) -> tuple[Floats, Floats, Floats]:
        """Logarithms of root, arc and stop, unscaled."""
        automaton, logs = self.grammar.automaton, self.grammar.logs
        go = logs["go"][:, :, automaton.label_decision, None]
        arc = _by_label(go + logs["attach"][:, :, automaton.label_child])
        return logs["root"], arc, logs["stop"]

    def empty_counts(self) -> tuple[Floats, Floats, Floats]:
        """Return zeros for counts of roots, arcs and stops."""
        root, arc, stop, _ = self.scaled
        return np.zeros_like(root), np.zeros_like(arc), np.zeros_like(stop)

    def counts(self, root: Floats, arc: Floats, stop: Floats) -> Counts:
        """Return counts of events from counts of roots, arcs by label, and stops."""
        counts = Counts.zeros_like(self.grammar)
        automaton = self.grammar.automaton
        for label, (v, u) in enumerate(
            zip(automaton.label_decision, automaton.label_child, strict=True)
        ):
            by_head = arc[label].swapaxes(0, 1)
            counts.attach[:, :, u] += by_head
            counts.go[:, :, v] += by_head.sum(axis=2)
        counts.root[:] = root
        counts.stop[:] = stop
        return counts


def require_tags(grammar: Grammar, n_tags: int) -> None:
    """Raise unless the grammar knows all tags of a corpus."""
    if grammar.n_tags != n_tags:
        raise ChartError(f"the grammar has {grammar.n_tags} tags, the corpus {n_tags}")


def _by_label(arc: Floats) -> Floats:
    """Turn [head, direction, label, dependent] into [label, direction, head, dependent]."""
    return np.ascontiguousarray(arc.transpose(2, 1, 0, 3))
