"""Kernels of variational EM with logistic normal priors: one sentence's own distributions.

A sentence has its own Gaussians, an *expert* each, diagonal, and its own weights of trees, which
follow from them. Eight sentences of one length share the passes over the engine's chart; what
is found for a sentence does not depend on its neighbours.

Names, for the multinomial j of a sentence and its event i (logistic_normal.py has the model):

    centre[j, i], spread[j, i]   mean and variance of the average of the multinomial's experts
    share[j, i], log_z[j]        softmax of centre + spread / 2, and the logarithm of its sum
    counts[j, i], totals[j]      expected events f, and their sum F
    shared[j]                    which of the sentence's experts it shares with others; -1 if none

The experts of a sentence are the private ones, in the order of its multinomials, then those that
are shared. An expert's *part* is its share in the average: 1, or 1/2 beside another.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import kernel
from treegauge.systems.dependency_induction.chart._inside_outside_numba import (
    LANES,
    inside,
    outside,
)
from treegauge.systems.dependency_induction.chart._log_space_numba import flow_down, log_inside

LEFT, RIGHT = 0, 1
STOP, GO = 0, 1
RESIDUAL = 1e-6
"""Of conjugate gradients: squared, relative to the gradient. Sweeps repeat what is left."""
SMALL_GAIN = 1e-12
"""Of a step, expected: below, differences of the bound are rounding, and are not looked at."""


# ---------------------------------------------------------------- Gaussians


@kernel
def multiply(matrix, vector, out):
    """Write the product of a symmetric matrix and a vector."""
    out[:] = 0.0
    for i in range(vector.size):
        row, factor = matrix[i], vector[i]
        for k in range(vector.size):
            out[k] += factor * row[k]


@kernel
def combine(j, shared, means, variances, centre, spread):
    """Write mean and variance of the average of a multinomial's experts."""
    if shared[j] < 0:
        centre[j], spread[j] = means[j], variances[j]
        return
    other = shared[j]
    for i in range(means.shape[1]):
        centre[j, i] = (means[j, i] + means[other, i]) / 2
        spread[j, i] = (variances[j, i] + variances[other, i]) / 4


@kernel
def normalise(centre, spread, share):
    """Write the softmax of centre + spread / 2; return log z, the best z of the bound."""
    largest = -np.inf
    for i in range(centre.size):
        share[i] = centre[i] + spread[i] / 2
        largest = max(largest, share[i])
    total = 0.0
    for i in range(centre.size):
        share[i] = np.exp(share[i] - largest)
        total += share[i]
    for i in range(centre.size):
        share[i] /= total
    return largest + np.log(total)


@kernel
def members(expert, shared):
    """Return the range in which an expert's multinomials are, and its part."""
    if expert < shared.size:
        return expert, expert + 1, 1.0 if shared[expert] < 0 else 0.5
    return 0, shared.size, 0.5


@kernel
def mean_gradient(expert, shared, pull, counts, totals, share, gradient):
    """Write the derivative of the bound by an expert's mean; `pull` is P (m - mu)."""
    first, last, part = members(expert, shared)
    for i in range(pull.size):
        gradient[i] = -pull[i]
    for j in range(first, last):
        if j == expert or shared[j] == expert:
            for i in range(pull.size):
                gradient[i] += part * (counts[j, i] - totals[j] * share[j, i])


@kernel
def add_curvature(expert, shared, totals, share, vector, out):
    """Add what expected events curve the bound, times a vector."""
    first, last, part = members(expert, shared)
    for j in range(first, last):
        if j == expert or shared[j] == expert:
            inner = 0.0
            for i in range(vector.size):
                inner += share[j, i] * vector[i]
            factor = part * part * totals[j]
            for i in range(vector.size):
                out[i] += factor * share[j, i] * (vector[i] - inner)


@kernel
def improve_mean(
    expert, shared, prior_mean, precision, means, counts, totals, centre, spread, share, log_z,
    trial_share, trial_log_z, work,
):  # fmt: skip
    """Take one Newton step in an expert's mean, found by conjugate gradients; never downhill.

    The optimal z moves along, so that the gradient is that for a fixed z, and the curvature is
    exact.
    """
    n = prior_mean.size
    first, last, part = members(expert, shared)
    away, pull, gradient, residual, towards, step, image, diagonal = work
    for i in range(n):
        away[i] = means[expert, i] - prior_mean[i]
    multiply(precision, away, pull)
    mean_gradient(expert, shared, pull, counts, totals, share, gradient)
    for i in range(n):
        diagonal[i] = precision[i, i]
    for j in range(first, last):
        if j == expert or shared[j] == expert:
            for i in range(n):
                diagonal[i] += part * part * totals[j] * share[j, i] * (1.0 - share[j, i])
    size = ratio = 0.0
    for i in range(n):
        step[i] = 0.0
        residual[i] = gradient[i]
        towards[i] = residual[i] / diagonal[i]
        ratio += residual[i] * towards[i]
        size += residual[i] * residual[i]
    enough = RESIDUAL * size
    for _ in range(2 * n):
        if size <= enough or ratio <= 0.0:
            break
        multiply(precision, towards, image)
        add_curvature(expert, shared, totals, share, towards, image)
        bend = 0.0
        for i in range(n):
            bend += towards[i] * image[i]
        length = ratio / bend
        size = after = 0.0
        for i in range(n):
            step[i] += length * towards[i]
            residual[i] -= length * image[i]
            size += residual[i] * residual[i]
            after += residual[i] * residual[i] / diagonal[i]
        for i in range(n):
            towards[i] = residual[i] / diagonal[i] + after / ratio * towards[i]
        ratio = after
    slope = pulled = 0.0
    for i in range(n):
        slope += gradient[i] * step[i]
        pulled += pull[i] * step[i]
    if slope <= 0.0:
        return
    multiply(precision, step, image)
    bend = 0.0
    for i in range(n):
        bend += step[i] * image[i]
    length = 1.0
    for _ in range(30):
        gain = -length * pulled - length * length * bend / 2
        for j in range(first, last):
            if j == expert or shared[j] == expert:
                for i in range(n):
                    away[i] = centre[j, i] + part * length * step[i]
                    gain += part * length * counts[j, i] * step[i]
                trial_log_z[j] = normalise(away, spread[j], trial_share[j])
                gain -= totals[j] * (trial_log_z[j] - log_z[j])
        if gain >= 1e-4 * length * slope or slope < SMALL_GAIN:
            break
        length /= 2
    else:
        return
    for i in range(n):
        means[expert, i] += length * step[i]
    for j in range(first, last):
        if j == expert or shared[j] == expert:
            log_z[j] = trial_log_z[j]
            for i in range(n):
                centre[j, i] += part * length * step[i]
                share[j, i] = trial_share[j, i]


@kernel
def best_variance(variance, precision, weight, square):
    """Solve 1 / s = precision + weight · square · exp(square (s - variance) / 2) for s.

    Newton's method for (precision + ...) · s = 1, whose left side rises and is convex: from
    above it only falls, and from below the first step ends above. It begins where the variance
    was, where the exponential is 1 and, after a sweep or two, the answer near.
    """
    s, grown = variance, weight * square
    for _ in range(200):
        move = (1.0 - (precision + grown) * s) / (precision + grown * (1.0 + square * s / 2))
        s += move
        if abs(move) < 1e-9 * s:
            break
        grown = weight * square * np.exp(square * (s - variance) / 2)
    return s


@kernel
def improve_variance(
    expert, shared, precision, variances, totals, means, centre, spread, share, log_z
):
    """Maximise the bound over an expert's variances, z being fixed; then take the best z."""
    first, last, part = members(expert, shared)
    for i in range(variances.shape[1]):
        weight = 0.0
        for j in range(first, last):
            if j == expert or shared[j] == expert:
                weight += totals[j] * share[j, i]
        variances[expert, i] = best_variance(
            variances[expert, i], precision[i, i], weight, part * part
        )
    for j in range(first, last):
        if j == expert or shared[j] == expert:
            combine(j, shared, means, variances, centre, spread)
            log_z[j] = normalise(centre[j], spread[j], share[j])


@kernel
def divergence(mean, variance, prior_mean, precision, log_determinant, work):
    """Return KL(q || prior) of a diagonal Gaussian and a full one."""
    n = mean.size
    away, pull = work[0], work[1]
    for i in range(n):
        away[i] = mean[i] - prior_mean[i]
    multiply(precision, away, pull)
    total = log_determinant - n
    for i in range(n):
        total += pull[i] * away[i] + precision[i, i] * variance[i] - np.log(variance[i])
    return total / 2


@kernel
def look_at(shared, means, variances, centre, spread, share, log_z):
    """Fill the tables of a sentence's multinomials from its experts."""
    for j in range(shared.size):
        combine(j, shared, means, variances, centre, spread)
        log_z[j] = normalise(centre[j], spread[j], share[j])


@kernel
def improve_kind(
    shared, experts, prior, means, variances, counts, totals, centre, spread, share, log_z,
    trial_share, trial_log_z, work,
):  # fmt: skip
    """Improve all experts of a sentence once; return their part of the bound."""
    prior_means, precisions, log_determinants = prior
    for j in range(shared.size):
        totals[j] = counts[j].sum()
    bound = 0.0
    for e in range(experts.size):
        k = experts[e]
        improve_mean(
            e, shared, prior_means[k], precisions[k], means, counts, totals, centre, spread,
            share, log_z, trial_share, trial_log_z, work,
        )  # fmt: skip
        improve_variance(
            e, shared, precisions[k], variances, totals, means, centre, spread, share, log_z
        )
        bound -= divergence(
            means[e], variances[e], prior_means[k], precisions[k], log_determinants[k], work
        )
    return bound + expected_score(counts, centre, log_z, shared.size)


@kernel
def expected_score(counts, centre, log_z, multinomials):
    """Return the sum of expected events times psi = centre - log z."""
    total = 0.0
    for j in range(multinomials):
        for i in range(centre.shape[1]):
            total += counts[j, i] * (centre[j, i] - log_z[j])
    return total


# ---------------------------------------------------------------- trees


@kernel
def log_weights(
    tags, attach_at, stop_at, by_tags, wide_centre, wide_log_z, narrow_centre, narrow_log_z,
    root, arc, stop,
):  # fmt: skip
    """Write psi of all that can happen in a sentence; `by_tags` multiplies arcs (logarithms)."""
    n = tags.size
    for h in range(n):
        root[h] = wide_centre[0, tags[h]] - wide_log_z[0] + by_tags[0, tags[h]]
        for direction in range(2):
            for v in range(2):
                j = stop_at[h, direction, v]
                stop[h, direction, v] = -np.inf
                if j >= 0:
                    stop[h, direction, v] = narrow_centre[j, STOP] - narrow_log_z[j]
            j = attach_at[h, direction]
            begin, end = (0, h) if direction == LEFT else (h + 1, n)
            for d in range(begin, end):
                own = wide_centre[j, tags[d]] - wide_log_z[j] + by_tags[tags[h] + 1, tags[d]]
                for v in range(2):
                    k = stop_at[h, direction, v]
                    arc[v, h, d] = own + narrow_centre[k, GO] - narrow_log_z[k]


@kernel
def to_lane(n, lane, root, arc, stop, root_lanes, arc_lanes, stop_lanes):
    """Write weights of at most 1 into a lane; return the logarithm of the scale."""
    scale = 0.0
    for d in range(n):
        largest = root[d]
        for h in range(n):
            if h != d:
                largest = max(largest, arc[0, h, d], arc[1, h, d])
        scale += largest
        root_lanes[d * LANES + lane] = np.exp(root[d] - largest)
        for h in range(n):
            if h != d:
                for v in range(2):
                    at = ((v * n + h) * n + d) * LANES + lane
                    arc_lanes[at] = np.exp(arc[v, h, d] - largest)
        for direction in range(2):
            largest = max(stop[d, direction, 0], stop[d, direction, 1])
            scale += largest
            for v in range(2):
                at = ((d * 2 + direction) * 2 + v) * LANES + lane
                stop_lanes[at] = np.exp(stop[d, direction, v] - largest)
    return scale


@kernel
def from_lane(n, lane, root_lanes, arc_lanes, stop_lanes, root, arc, stop):
    """Read posteriors out of a lane."""
    for d in range(n):
        root[d] = root_lanes[d * LANES + lane]
        for direction in range(2):
            for v in range(2):
                at = ((d * 2 + direction) * 2 + v) * LANES + lane
                stop[d, direction, v] = stop_lanes[at]
        for h in range(n):
            for v in range(2):
                at = ((v * n + h) * n + d) * LANES + lane
                arc[v, h, d] = arc_lanes[at] if h != d else 0.0


@kernel
def in_log_space(n, automaton, root, arc, stop, e_root, e_arc, e_stop):
    """Write posteriors of a sentence whose weights are too small for floats; return log Z."""
    states = automaton[3].size
    near, join, p_join = (
        np.zeros((states, n, n)),
        np.zeros((states, n, n)),
        np.zeros((states, n, n)),
    )
    open_, p_open = np.zeros((states, n, n + 1)), np.zeros((states, n, n + 1))
    closed, turned, p_closed = np.zeros((n, n + 1)), np.zeros((n + 1, n)), np.zeros((n, n + 1))
    z = log_inside(n, automaton, root, arc, stop, near, join, open_, closed, turned)
    flow_down(
        n, automaton, z, root, arc, stop, near, join, open_, closed, turned,
        p_join, p_open, p_closed, e_root, e_arc, e_stop,
    )  # fmt: skip
    return z


@kernel
def count_events(tags, attach_at, stop_at, e_root, e_arc, e_stop, wide_counts, narrow_counts):
    """Add posteriors of a sentence's events to the counts of its multinomials."""
    n = tags.size
    wide_counts[:] = 0.0
    narrow_counts[:] = 0.0
    for h in range(n):
        wide_counts[0, tags[h]] += e_root[h]
        for direction in range(2):
            for v in range(2):
                k = stop_at[h, direction, v]
                if k >= 0:
                    narrow_counts[k, STOP] += e_stop[h, direction, v]
            j = attach_at[h, direction]
            begin, end = (0, h) if direction == LEFT else (h + 1, n)
            for d in range(begin, end):
                for v in range(2):
                    wide_counts[j, tags[d]] += e_arc[v, h, d]
                    narrow_counts[stop_at[h, direction, v], GO] += e_arc[v, h, d]


@kernel
def matching_arcs(tags, rules, e_root, e_arc):
    """Return the expected number of arcs that match a rule."""
    total = 0.0
    for d in range(tags.size):
        if rules[0, tags[d]]:
            total += e_root[d]
        for h in range(tags.size):
            if h != d and rules[tags[h] + 1, tags[d]]:
                total += e_arc[0, h, d] + e_arc[1, h, d]
    return total


@kernel
def improve_sentences(
    begin, end, words, by_tags, rules, automaton, least, wide, wide_prior, wide_means,
    wide_variances, narrow, narrow_prior, narrow_means, narrow_variances, sweeps, tolerance,
    bounds, matches,
):  # fmt: skip
    """Improve the experts of sentences `begin` to `end`, in order of length.

    Every sweep finds the posterior of trees, then improves means and variances once; a
    sentence rests when a sweep changes its bound by less than the tolerance, relatively.
    Without sweeps, only the posterior is found, and `bounds` is log Z.

    `wide` are the multinomials over tags, `narrow` those of stopping and going on; each
    has offsets of a sentence's multinomials, `shared`, offsets of its experts, and the experts.
    """
    tags, offsets, attach_at, stop_at = words
    wide_offsets, wide_shared, wide_expert_offsets, wide_experts = wide
    narrow_offsets, narrow_shared, narrow_expert_offsets, narrow_experts = narrow
    states, labels, valences = automaton[3].size, 2, 2
    size = offsets[end] - offsets[end - 1]
    square, rows = size * size * LANES, size * (size + 1) * LANES
    root_lanes, e_root_lanes = np.zeros(size * LANES), np.zeros(size * LANES)
    stop_lanes, e_stop_lanes = np.zeros(size * 4 * LANES), np.zeros(size * 4 * LANES)
    arc_lanes, e_arc_lanes = np.zeros(labels * square), np.zeros(labels * square)
    near, join, d_join = (
        np.zeros(states * square),
        np.zeros(states * square),
        np.zeros(states * square),
    )
    open_, d_open = np.zeros(states * rows), np.zeros(states * rows)
    closed, turned, d_closed, d_turned = (
        np.zeros(rows),
        np.zeros(rows),
        np.zeros(rows),
        np.zeros(rows),
    )
    z, scale = np.zeros(LANES), np.zeros(LANES)
    root, e_root = np.zeros(size), np.zeros(size)
    stop, e_stop = np.zeros((size, 2, 2)), np.zeros((size, 2, 2))

    n_wide, n_narrow = 1, 1
    for s in range(begin, end):
        n_wide = max(n_wide, wide_offsets[s + 1] - wide_offsets[s])
        n_narrow = max(n_narrow, narrow_offsets[s + 1] - narrow_offsets[s])
    n_tags = wide_means.shape[1]
    wide_table = np.zeros((4, LANES, n_wide, n_tags))
    wide_centre, wide_spread, wide_share, wide_trial = wide_table
    wide_counts = np.zeros((n_wide, n_tags))
    wide_log_z, wide_trial_log_z, wide_totals = (
        np.zeros((LANES, n_wide)),
        np.zeros(n_wide),
        np.zeros(n_wide),
    )
    narrow_table = np.zeros((4, LANES, n_narrow, 2))
    narrow_centre, narrow_spread, narrow_share, narrow_trial = narrow_table
    narrow_counts = np.zeros((n_narrow, 2))
    narrow_log_z, narrow_trial_log_z, narrow_totals = (
        np.zeros((LANES, n_narrow)),
        np.zeros(n_narrow),
        np.zeros(n_narrow),
    )
    wide_work, narrow_work = np.zeros((8, n_tags)), np.zeros((8, 2))
    rests = np.zeros(LANES, np.bool_)

    s = begin
    while s < end:
        n = offsets[s + 1] - offsets[s]
        lanes = 1
        while (
            lanes < LANES and s + lanes < end and offsets[s + lanes + 1] - offsets[s + lanes] == n
        ):
            lanes += 1
        rests[:] = False
        arc, e_arc = np.zeros((2, n, n)), np.zeros((2, n, n))
        for lane in range(lanes):
            a, b = wide_offsets[s + lane], wide_offsets[s + lane + 1]
            x, y = wide_expert_offsets[s + lane], wide_expert_offsets[s + lane + 1]
            look_at(
                wide_shared[a:b], wide_means[x:y], wide_variances[x:y],
                wide_centre[lane], wide_spread[lane], wide_share[lane], wide_log_z[lane],
            )  # fmt: skip
            a, b = narrow_offsets[s + lane], narrow_offsets[s + lane + 1]
            x, y = narrow_expert_offsets[s + lane], narrow_expert_offsets[s + lane + 1]
            look_at(
                narrow_shared[a:b], narrow_means[x:y], narrow_variances[x:y],
                narrow_centre[lane], narrow_spread[lane], narrow_share[lane], narrow_log_z[lane],
            )  # fmt: skip
        for _ in range(max(sweeps, 1)):
            for lane in range(LANES):
                # Lanes without a sentence of their own repeat the last one, unseen.
                k = min(lane, lanes - 1)
                first, last = offsets[s + k], offsets[s + k + 1]
                log_weights(
                    tags[first:last], attach_at[first:last], stop_at[first:last], by_tags,
                    wide_centre[k], wide_log_z[k], narrow_centre[k], narrow_log_z[k],
                    root, arc, stop,
                )  # fmt: skip
                scale[lane] = to_lane(n, lane, root, arc, stop, root_lanes, arc_lanes, stop_lanes)
            inside(
                n, automaton, valences, root_lanes, arc_lanes, stop_lanes, near, join, open_,
                closed, turned, z,
            )  # fmt: skip
            outside(
                n, automaton, valences, root_lanes, arc_lanes, stop_lanes, near, join, open_,
                closed, turned, z, d_join, d_open, d_closed, d_turned,
                e_root_lanes, e_arc_lanes[: labels * n * n * LANES], e_stop_lanes,
            )  # fmt: skip
            for lane in range(lanes):
                if rests[lane]:
                    continue
                m = s + lane
                first, last = offsets[m], offsets[m + 1]
                own, attach, stops = tags[first:last], attach_at[first:last], stop_at[first:last]
                if n < least.size and z[lane] >= least[n]:
                    log_z = np.log(z[lane]) + scale[lane]
                    from_lane(
                        n, lane, e_root_lanes, e_arc_lanes, e_stop_lanes, e_root, e_arc, e_stop
                    )
                else:
                    log_weights(
                        own, attach, stops, by_tags, wide_centre[lane], wide_log_z[lane],
                        narrow_centre[lane], narrow_log_z[lane], root, arc, stop,
                    )  # fmt: skip
                    log_z = in_log_space(n, automaton, root, arc, stop, e_root, e_arc, e_stop)
                if rules.size:
                    matches[m] = matching_arcs(own, rules, e_root, e_arc)
                if sweeps == 0:
                    bounds[m] = log_z
                    continue
                count_events(own, attach, stops, e_root, e_arc, e_stop, wide_counts, narrow_counts)
                a, b = wide_offsets[m], wide_offsets[m + 1]
                x, y = wide_expert_offsets[m], wide_expert_offsets[m + 1]
                bound = log_z - expected_score(
                    wide_counts, wide_centre[lane], wide_log_z[lane], b - a
                )
                bound -= expected_score(
                    narrow_counts, narrow_centre[lane], narrow_log_z[lane],
                    narrow_offsets[m + 1] - narrow_offsets[m],
                )  # fmt: skip
                # What is left are the entropy of trees and what `by_tags` adds.
                bound += improve_kind(
                    wide_shared[a:b], wide_experts[x:y], wide_prior, wide_means[x:y],
                    wide_variances[x:y], wide_counts, wide_totals, wide_centre[lane],
                    wide_spread[lane], wide_share[lane], wide_log_z[lane], wide_trial[lane],
                    wide_trial_log_z, wide_work,
                )  # fmt: skip
                a, b = narrow_offsets[m], narrow_offsets[m + 1]
                x, y = narrow_expert_offsets[m], narrow_expert_offsets[m + 1]
                bound += improve_kind(
                    narrow_shared[a:b], narrow_experts[x:y], narrow_prior, narrow_means[x:y],
                    narrow_variances[x:y], narrow_counts, narrow_totals, narrow_centre[lane],
                    narrow_spread[lane], narrow_share[lane], narrow_log_z[lane],
                    narrow_trial[lane], narrow_trial_log_z, narrow_work,
                )  # fmt: skip
                rests[lane] = abs(bound - bounds[m]) < tolerance * abs(bound)
                bounds[m] = bound
            if rests[:lanes].all():
                break
        s += lanes


# ---------------------------------------------------------------- M-step


@kernel
def moments(expert_of, times, means, variances, mean, covariance, touched):
    """Write the mean and covariance of each expert over the sentences that touch it.

    The prior that maximises the bound: mu is the mean of means, Sigma the covariance of means
    plus the mean of variances. Experts that no sentence touches keep theirs.
    """
    n = means.shape[1]
    touched[:] = 0.0
    for slot in range(expert_of.size):
        touched[expert_of[slot]] += times[slot]
    for e in range(touched.size):
        if touched[e] > 0.0:
            mean[e] = 0.0
            covariance[e] = 0.0
    for slot in range(expert_of.size):
        e = expert_of[slot]
        weight = times[slot] / touched[e]
        for i in range(n):
            mean[e, i] += weight * means[slot, i]
    away = np.zeros(n)
    for slot in range(expert_of.size):
        e = expert_of[slot]
        weight = times[slot] / touched[e]
        for i in range(n):
            away[i] = means[slot, i] - mean[e, i]
        for i in range(n):
            covariance[e, i, i] += weight * variances[slot, i]
            factor = weight * away[i]
            for k in range(n):
                covariance[e, i, k] += factor * away[k]


@kernel
def invert(covariance, precision, log_determinant):
    """Write inverses and log-determinants of positive definite matrices, by Cholesky."""
    n = covariance.shape[1]
    factor = np.zeros((n, n))
    inverse = np.zeros((n, n))
    for e in range(covariance.shape[0]):
        total = 0.0
        for i in range(n):
            for k in range(i + 1):
                value = covariance[e, i, k]
                for m in range(k):
                    value -= factor[i, m] * factor[k, m]
                if i == k:
                    factor[i, i] = np.sqrt(value)
                    total += 2 * np.log(factor[i, i])
                else:
                    factor[i, k] = value / factor[k, k]
        log_determinant[e] = total
        # The inverse of the factor, column by column; then its own product.
        for k in range(n):
            for i in range(k, n):
                value = 1.0 if i == k else 0.0
                for m in range(k, i):
                    value -= factor[i, m] * inverse[m, k]
                inverse[i, k] = value / factor[i, i]
        for i in range(n):
            for k in range(i + 1):
                value = 0.0
                for m in range(i, n):
                    value += inverse[m, i] * inverse[m, k]
                precision[e, i, k] = value
                precision[e, k, i] = value
