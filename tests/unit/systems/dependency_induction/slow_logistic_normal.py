"""The variational bound of logistic normal priors, term by term, over all trees of a sentence."""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from tests.unit.systems.dependency_induction.chart.brute_force import events, projective_trees
from treegauge.systems.dependency_induction.chart import Grammar

Key = tuple


def psi(mean: np.ndarray, variance: np.ndarray, z: float | None = None) -> np.ndarray:
    """The bound on E[log softmax] for a Gaussian with diagonal variances, for any z."""
    total = np.exp(mean + variance / 2).sum()
    z = total if z is None else z
    return mean - math.log(z) + 1 - total / z


def divergence(mean, variance, prior_mean, prior_covariance) -> float:
    """KL of two Gaussians, by the entropy of the first and its expected log-density."""
    precision = np.linalg.inv(prior_covariance)
    at_mean = stats.multivariate_normal(prior_mean, prior_covariance).logpdf(mean)
    expected = at_mean - 0.5 * np.trace(precision @ np.diag(variance))
    entropy = 0.5 * np.log(2 * math.pi * math.e * np.asarray(variance)).sum()
    return float(-entropy - expected)


def multinomial_of(event: Key) -> tuple[Key, int | str]:
    """The multinomial that an event of a tree is drawn from, and which of its outcomes it is."""
    match event:
        case ("root", tag):
            return ("root",), tag
        case ("attach", tag, direction, _, child):
            return ("attach", tag, direction), child
        case (decision, tag, direction, valence):
            return ("decision", tag, direction, valence), 0 if decision == "stop" else 1
    raise AssertionError(event)


def number_of(multinomial: Key) -> tuple[str, int]:
    """Its kind and number among the experts of the model."""
    match multinomial:
        case ("root",):
            return "wide", 0
        case ("attach", tag, direction):
            return "wide", 1 + 2 * tag + direction
        case ("decision", tag, direction, valence):
            return "narrow", 4 * tag + 2 * direction + valence
    raise AssertionError(multinomial)


def tree_events(tags) -> list[dict[tuple[str, int, int], int]]:
    """For every tree, how often each outcome of each multinomial occurs."""
    shape = Grammar.uniform(max(tags) + 1)
    found = []
    for heads in projective_trees(len(tags)):
        counts: dict[tuple[str, int, int], int] = {}
        for event, times in events(tags, heads, shape).items():
            multinomial, outcome = multinomial_of(event)
            key = (*number_of(multinomial), outcome)
            counts[key] = counts.get(key, 0) + times
        found.append(counts)
    return found


def reachable(tags) -> set[tuple[str, int]]:
    """The multinomials that some tree uses, or whose other outcome some tree uses."""
    return {(kind, number) for counts in tree_events(tags) for kind, number, _ in counts}


def bound(tags, prior, q) -> float:
    """The bound on the log-likelihood of a sentence, with the best q(tree).

    `q` has (mean, variance) for every (kind, expert) that the sentence touches.
    """
    experts = {"wide": prior.wide, "narrow": prior.narrow}
    tables = {}
    for kind, number in reachable(tags):
        owners = [number, experts[kind].shared[number]]
        owners = [owner for owner in owners if owner >= 0]
        mean = sum(q[kind, owner][0] for owner in owners) / len(owners)
        variance = sum(q[kind, owner][1] for owner in owners) / len(owners) ** 2
        tables[kind, number] = psi(mean, variance)
    scores = [
        sum(times * tables[kind, number][i] for (kind, number, i), times in counts.items())
        for counts in tree_events(tags)
    ]
    log_z = np.logaddexp.reduce(scores)
    return float(log_z) - sum(
        divergence(*value, experts[kind].mean[number], experts[kind].covariance[number])
        for (kind, number), value in q.items()
    )
