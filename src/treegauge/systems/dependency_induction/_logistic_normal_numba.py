"""Kernels of variational EM with logistic normal priors: one sentence's own distributions.

A sentence has its own Gaussians, an *expert* each, diagonal, and its own weights of trees, which
follow from them. Eight sentences of one length share the passes over the engine's chart; what
is found for a sentence does not depend on its neighbours.

Names, for the multinomial j of a sentence and its event i (logistic_normal.py has the model):

    centre[j, i], spread[j, i]   mean and variance of the average of the multinomial's experts
    share[j, i], log_z[j]        softmax of centre + spread / 2, and the logarithm of its sum
    counts[j, i], totals[j]      expected events f, and their sum F
    shared[j]                    which of the sentence's experts it shares with others; -1 if none

    pulls[e, i]                  P (m - mu), of expert e with precision P and mean m

To hand a row of a table to another kernel takes longer than most of what is done with a row. So
kernels take whole tables, and the row where a sentence begins.

The experts of a sentence are the private ones, in the order of its multinomials, then those that
are shared. An expert's *part* is its share in the average: 1, or 1/2 beside another.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from treegauge.kernels import inlined_kernel, kernel
from treegauge.systems._exponential_numba import exponential
from treegauge.systems.dependency_induction.chart._inside_outside_numba import (
    LANES,
    inside,
    outside,
)
from treegauge.systems.dependency_induction.chart._log_space_numba import flow_down, log_inside

LEFT, RIGHT = 0, 1
STOP, GO = 0, 1
RESIDUAL = 1e-4
"""Of conjugate gradients: squared, relative to the gradient. Sweeps repeat what is left."""
SMALL_GAIN = 1e-12
"""Of a step, expected: below, differences of the bound are rounding, and are not looked at."""


# ---------------------------------------------------------------- Gaussians


@inlined_kernel
def dot(first, second):
    """Return the inner product of two vectors, in four sums that do not wait for one another."""
    a = b = c = d = 0.0
    whole = first.size - first.size % 4
    for i in range(0, whole, 4):
        a += first[i] * second[i]
        b += first[i + 1] * second[i + 1]
        c += first[i + 2] * second[i + 2]
        d += first[i + 3] * second[i + 3]
    for i in range(whole, first.size):
        a += first[i] * second[i]
    return (a + b) + (c + d)


@inlined_kernel
def multiply(matrices, number, vector, out):
    """Write the product of one of several symmetric matrices and a vector, four rows at once."""
    n = vector.size
    for i in range(n):
        out[i] = 0.0
    whole = n - n % 4
    for k in range(0, whole, 4):
        a, b, c, d = vector[k], vector[k + 1], vector[k + 2], vector[k + 3]
        for i in range(n):
            out[i] += (a * matrices[number, k, i] + b * matrices[number, k + 1, i]) + (
                c * matrices[number, k + 2, i] + d * matrices[number, k + 3, i]
            )
    for k in range(whole, n):
        a = vector[k]
        for i in range(n):
            out[i] += a * matrices[number, k, i]


@kernel
def look_at(
    layout, prior, gaussians, sentence, row, pull_row, centre, spread, share, log_z, pulls, work
):  # fmt: skip
    """Fill a sentence's rows of the tables from its experts."""
    offsets, shared, expert_offsets, experts = layout
    prior_means, _, precisions, _ = prior
    means, variances = gaussians
    away, pull = work
    n = away.size
    first, last, begin = offsets[sentence], offsets[sentence + 1], expert_offsets[sentence]
    for j in range(last - first):
        at, mine, other = row + j, begin + j, begin + shared[first + j]
        is_shared = shared[first + j] >= 0
        largest = -np.inf
        for i in range(n):
            m, s = means[mine, i], variances[mine, i]
            if is_shared:
                m, s = (m + means[other, i]) / 2, (s + variances[other, i]) / 4
            centre[at, i], spread[at, i] = m, s
            away[i] = m + s / 2
            largest = max(largest, away[i])
        total = 0.0
        for i in range(n):
            away[i] = exponential(away[i] - largest)
        for i in range(n):
            total += away[i]
        for i in range(n):
            share[at, i] = away[i] / total
        log_z[at] = largest + np.log(total)
    for e in range(expert_offsets[sentence + 1] - begin):
        number = experts[begin + e]
        for i in range(n):
            away[i] = means[begin + e, i] - prior_means[number, i]
        multiply(precisions, number, away, pull)
        for i in range(n):
            pulls[pull_row + e, i] = pull[i]


@inlined_kernel
def variance_step(s, precision, weight, square):
    """Return Newton's step for (precision + weight · exp(square (t - s) / 2)) · t = 1, from s.

    Where the left side is 1, the bound is best for t, z being fixed. It rises and is convex, so
    that the step ends above the root. What the bound should gain is returned as well.
    """
    off = 1.0 - (precision + weight) * s
    move = off / (precision + weight * (1.0 + square * s / 2))
    return move, off * move / (2 * s)


@inlined_kernel
def list_members(e, first, multinomials, shared, members):
    """List the multinomials that an expert is in; return how many they are, and its part."""
    if e < multinomials:
        members[0] = e
        return 1, 1.0 if shared[first + e] < 0 else 0.5
    n_members = 0
    for j in range(multinomials):
        if shared[first + j] == e:
            members[n_members] = j
            n_members += 1
    return n_members, 0.5


@kernel
def improve_kind(
    layout, prior, gaussians, sentence, row, pull_row, centre, spread, share, log_z, pulls,
    counts, totals, trial_share, trial_log_z, work, members,
):  # fmt: skip
    """Improve all experts of a sentence once; return their part of the bound.

    With events and the other experts fixed, the bound is concave in an expert's mean and
    variances together, z being the best. The step is Newton's in the mean, found by conjugate
    gradients, and Newton's in every variance; it is halved until the bound rises.
    Conjugate gradients are preconditioned with the prior's covariance. As the gradient comes
    with the inverse in it already, a product with the inverse is never needed.
    """
    offsets, shared, expert_offsets, experts = layout
    prior_means, covariances, precisions, log_determinants = prior
    means, variances = gaussians
    (gradient, weight, residual, towards, back, image, step, stepped, smooth, move, pull) = work
    n = gradient.size
    first, begin = offsets[sentence], expert_offsets[sentence]
    multinomials = offsets[sentence + 1] - first
    bound = 0.0
    for e in range(expert_offsets[sentence + 1] - begin):
        number, slot = experts[begin + e], begin + e
        n_members, part = list_members(e, first, multinomials, shared, members)
        square = part * part

        # The gradient by the mean, and what events curve the bound, on the diagonal.
        for i in range(n):
            pull[i] = pulls[pull_row + e, i]
            gradient[i] = -pull[i]
            weight[i] = 0.0
        for member in range(n_members):
            j = members[member]
            for i in range(n):
                expected = totals[j] * share[row + j, i]
                gradient[i] += part * (counts[j, i] - expected)
                weight[i] += square * expected

        # The step in the mean, and the step times the prior's inverse covariance.
        for i in range(n):
            step[i] = stepped[i] = 0.0
            residual[i] = back[i] = gradient[i]
        multiply(covariances, number, residual, towards)
        ratio = dot(residual, towards)
        enough = RESIDUAL * ratio
        for _ in range(2 * n):
            if ratio <= enough:
                break
            for i in range(n):
                image[i] = back[i] + weight[i] * towards[i]
            for member in range(n_members):
                j = members[member]
                inner = 0.0
                for i in range(n):
                    inner += share[row + j, i] * towards[i]
                inner *= square * totals[j]
                for i in range(n):
                    image[i] -= inner * share[row + j, i]
            length = ratio / dot(towards, image)
            for i in range(n):
                step[i] += length * towards[i]
                stepped[i] += length * back[i]
                residual[i] -= length * image[i]
            multiply(covariances, number, residual, smooth)
            after = dot(residual, smooth)
            for i in range(n):
                towards[i] = smooth[i] + after / ratio * towards[i]
                back[i] = residual[i] + after / ratio * back[i]
            ratio = after

        # The step in the variances, and how much both should gain.
        slope = dot(gradient, step)
        for i in range(n):
            move[i], gain = variance_step(
                variances[slot, i], precisions[number, i, i], weight[i], square
            )
            slope += gain

        pulled, bend = dot(pull, step), dot(step, stepped)
        length = 1.0
        for _ in range(30):
            gain = -length * pulled - length * length * bend / 2
            product = 1.0
            for i in range(n):
                gain -= precisions[number, i, i] * length * move[i] / 2
                product *= 1.0 + length * move[i] / variances[slot, i]
                if i % 16 == 15:
                    gain += np.log(product) / 2
                    product = 1.0
            gain += np.log(product) / 2
            for member in range(n_members):
                j = members[member]
                events = rise = 0.0
                for i in range(n):
                    events += counts[j, i] * step[i]
                    image[i] = centre[row + j, i] + spread[row + j, i] / 2 - log_z[row + j]
                    image[i] += part * length * step[i] + square * length * move[i] / 2
                for i in range(n):
                    image[i] = exponential(image[i])
                for i in range(n):
                    rise += image[i]
                trial_log_z[j] = np.log(rise)
                gain += part * length * events - totals[j] * trial_log_z[j]
                for i in range(n):
                    trial_share[j, i] = image[i] / rise
            if gain >= 1e-4 * length * slope or slope < SMALL_GAIN:
                break
            length /= 2
        else:
            length = 0.0

        if length > 0.0:
            for i in range(n):
                means[slot, i] += length * step[i]
                variances[slot, i] += length * move[i]
                pull[i] += length * stepped[i]
                pulls[pull_row + e, i] = pull[i]
            for member in range(n_members):
                j = members[member]
                log_z[row + j] += trial_log_z[j]
                for i in range(n):
                    centre[row + j, i] += part * length * step[i]
                    spread[row + j, i] += square * length * move[i]
                    share[row + j, i] = trial_share[j, i]

        # Less the divergence of the Gaussian and its prior.
        product, total = 1.0, log_determinants[number] - n
        for i in range(n):
            s = variances[slot, i]
            total += pull[i] * (means[slot, i] - prior_means[number, i])
            total += precisions[number, i, i] * s
            product *= s
            if i % 16 == 15:
                total -= np.log(product)
                product = 1.0
        bound -= (total - np.log(product)) / 2
    return bound + expected_score(counts, totals, centre, log_z, row, multinomials)


@kernel
def improve_pairs(
    layout, prior, gaussians, sentence, row, pull_row, centre, spread, share, log_z, pulls,
    counts, totals, trial_share, trial_log_z, members,
):  # fmt: skip
    """Do what `improve_kind` does, for multinomials of two outcomes: all in plain numbers."""
    offsets, shared, expert_offsets, experts = layout
    prior_means, _, precisions, log_determinants = prior
    means, variances = gaussians
    first, begin = offsets[sentence], expert_offsets[sentence]
    multinomials = offsets[sentence + 1] - first
    bound = 0.0
    for e in range(expert_offsets[sentence + 1] - begin):
        number, slot, at = experts[begin + e], begin + e, pull_row + e
        n_members, part = list_members(e, first, multinomials, shared, members)
        square = part * part
        own, between, other = (
            precisions[number, 0, 0],
            precisions[number, 0, 1],
            precisions[number, 1, 1],
        )
        pull, pull_2, s, s_2 = pulls[at, 0], pulls[at, 1], variances[slot, 0], variances[slot, 1]

        # The gradient, and what events curve the bound: [[1, -1], [-1, 1]] times this.
        push = curvature = weight = weight_2 = 0.0
        for member in range(n_members):
            j = members[member]
            p, p_2 = share[row + j, 0], share[row + j, 1]
            push += part * (counts[j, 0] - totals[j] * p)
            curvature += square * totals[j] * p * p_2
            weight += square * totals[j] * p
            weight_2 += square * totals[j] * p_2
        a, b, c = own + curvature, between - curvature, other + curvature
        up, up_2 = push - pull, -push - pull_2
        determinant = a * c - b * b
        step, step_2 = (c * up - b * up_2) / determinant, (a * up_2 - b * up) / determinant
        stepped, stepped_2 = own * step + between * step_2, between * step + other * step_2
        move, gain = variance_step(s, own, weight, square)
        move_2, gain_2 = variance_step(s_2, other, weight_2, square)
        slope = up * step + up_2 * step_2 + gain + gain_2
        pulled, bend = pull * step + pull_2 * step_2, step * stepped + step_2 * stepped_2

        length = 1.0
        for _ in range(30):
            gain = -length * pulled - length * length * bend / 2
            gain -= length * (own * move + other * move_2) / 2
            gain += np.log((1.0 + length * move / s) * (1.0 + length * move_2 / s_2)) / 2
            for member in range(n_members):
                j = members[member]
                x = centre[row + j, 0] + part * length * step
                x += (spread[row + j, 0] + square * length * move) / 2
                y = centre[row + j, 1] + part * length * step_2
                y += (spread[row + j, 1] + square * length * move_2) / 2
                less = np.exp(-abs(x - y))
                p = 1.0 / (1.0 + less)
                trial_share[j, 0] = p if x >= y else less * p
                trial_share[j, 1] = less * p if x >= y else p
                trial_log_z[j] = max(x, y) + np.log(1.0 + less)
                gain += part * length * (counts[j, 0] * step + counts[j, 1] * step_2)
                gain -= totals[j] * (trial_log_z[j] - log_z[row + j])
            if gain >= 1e-4 * length * slope or slope < SMALL_GAIN:
                break
            length /= 2
        else:
            length = 0.0

        if length > 0.0:
            means[slot, 0] += length * step
            means[slot, 1] += length * step_2
            s, s_2 = s + length * move, s_2 + length * move_2
            variances[slot, 0], variances[slot, 1] = s, s_2
            pull, pull_2 = pull + length * stepped, pull_2 + length * stepped_2
            pulls[at, 0], pulls[at, 1] = pull, pull_2
            for member in range(n_members):
                j = members[member]
                log_z[row + j] = trial_log_z[j]
                centre[row + j, 0] += part * length * step
                centre[row + j, 1] += part * length * step_2
                spread[row + j, 0] += square * length * move
                spread[row + j, 1] += square * length * move_2
                share[row + j, 0], share[row + j, 1] = trial_share[j, 0], trial_share[j, 1]

        total = pull * (means[slot, 0] - prior_means[number, 0])
        total += pull_2 * (means[slot, 1] - prior_means[number, 1])
        total += log_determinants[number] - 2 + own * s + other * s_2 - np.log(s * s_2)
        bound -= total / 2
    return bound + expected_score(counts, totals, centre, log_z, row, multinomials)


@kernel
def expected_score(counts, totals, centre, log_z, row, multinomials):
    """Return the sum of expected events times psi = centre - log z."""
    total = 0.0
    for j in range(multinomials):
        total -= totals[j] * log_z[row + j]
        for i in range(centre.shape[1]):
            total += counts[j, i] * centre[row + j, i]
    return total


# ---------------------------------------------------------------- trees


@inlined_kernel
def places(n):
    """Return where arcs, stops and goings-on begin in a sentence's array of weights.

    `[root n | arc n x n, by head | stop n x 2 x 2 | go n x 2 x 2]`
    """
    return n, n + n * n, 5 * n + n * n, 9 * n + n * n


@kernel
def log_weights(
    begin, end, words, by_tags, wide_row, wide_centre, wide_log_z, narrow_row, narrow_centre,
    narrow_log_z, weights,
):  # fmt: skip
    """Write psi of all that can happen in a sentence; `by_tags` multiplies arcs (logarithms)."""
    tags, _, attach_at, stop_at = words
    n = end - begin
    arcs, stops, goes, _ = places(n)
    for h in range(n):
        tag = tags[begin + h]
        weights[h] = wide_centre[wide_row, tag] - wide_log_z[wide_row] + by_tags[0, tag]
        for direction in range(2):
            for v in range(2):
                j = stop_at[begin + h, direction, v]
                at = (h * 2 + direction) * 2 + v
                weights[stops + at] = weights[goes + at] = -np.inf
                if j >= 0:
                    j += narrow_row
                    weights[stops + at] = narrow_centre[j, STOP] - narrow_log_z[j]
                    weights[goes + at] = narrow_centre[j, GO] - narrow_log_z[j]
            j = wide_row + attach_at[begin + h, direction]
            first, last = (0, h) if direction == LEFT else (h + 1, n)
            for d in range(first, last):
                other = tags[begin + d]
                own = wide_centre[j, other] - wide_log_z[j] + by_tags[tag + 1, other]
                weights[arcs + h * n + d] = own
        weights[arcs + h * n + h] = -np.inf


@kernel
def to_lane(n, lane, weights, root_lanes, arc_lanes, stop_lanes):
    """Write weights of at most 1 into a lane; return the logarithm of the scale.

    Of the logarithms that are given, exponentials are left.
    """
    arcs, stops, goes, end = places(n)
    scale = 0.0
    for d in range(n):
        largest = weights[d]
        for h in range(n):
            largest = max(largest, weights[arcs + h * n + d])
        scale += largest
        for h in range(n + 1):  # the root is before the arcs
            weights[h * n + d] -= largest
    for side in range(2 * n):
        at = stops + 2 * side
        largest = max(weights[at], weights[at + 1])
        scale += largest
        weights[at] -= largest
        weights[at + 1] -= largest
    for at in range(end):
        weights[at] = exponential(weights[at])
    for h in range(n):
        root_lanes[h * LANES + lane] = weights[h]
        for side in range(4):
            stop_lanes[(h * 4 + side) * LANES + lane] = weights[stops + h * 4 + side]
        for direction in range(2):
            # Going on has a probability, which is at most 1.
            at = goes + (h * 2 + direction) * 2
            once, again = weights[at], weights[at + 1]
            first, last = (0, h) if direction == LEFT else (h + 1, n)
            for d in range(first, last):
                own, at = weights[arcs + h * n + d], (h * n + d) * LANES + lane
                arc_lanes[at] = own * once
                arc_lanes[at + n * n * LANES] = own * again
    return scale


@kernel
def in_log_space(n, automaton, weights, e_root, e_arc, e_stop):
    """Write posteriors of a sentence whose weights are too small for floats; return log Z."""
    states = automaton[3].size
    near, join, p_join = (
        np.zeros((states, n, n)),
        np.zeros((states, n, n)),
        np.zeros((states, n, n)),
    )
    open_, p_open = np.zeros((states, n, n + 1)), np.zeros((states, n, n + 1))
    closed, turned, p_closed = np.zeros((n, n + 1)), np.zeros((n + 1, n)), np.zeros((n, n + 1))
    arcs, stops, goes, _ = places(n)
    root, stop = weights[:n], weights[stops:goes].reshape((n, 2, 2))
    arc = np.zeros((2, n, n))
    for h in range(n):
        for d in range(n):
            side = h * 2 + (LEFT if d < h else RIGHT)
            for v in range(2):
                arc[v, h, d] = weights[arcs + h * n + d] + weights[goes + 2 * side + v]
    z = log_inside(n, automaton, root, arc, stop, near, join, open_, closed, turned)
    flow_down(
        n, automaton, z, root, arc, stop, near, join, open_, closed, turned,
        p_join, p_open, p_closed, e_root[:n], e_arc[: 2 * n * n].reshape((2, n, n)),
        e_stop[: 4 * n].reshape((n, 2, 2)),
    )  # fmt: skip
    return z


@kernel
def count_events(
    begin, end, words, lane, stride, e_root, e_arc, e_stop, wide_counts, wide_totals,
    narrow_counts, narrow_totals,
):  # fmt: skip
    """Count the expected events of a sentence's multinomials, from posteriors in a lane."""
    tags, _, attach_at, stop_at = words
    n = end - begin
    wide_counts[:] = 0.0
    narrow_counts[:] = 0.0
    wide_totals[:] = 0.0
    narrow_totals[:] = 0.0
    wide_totals[0] = 1.0
    for h in range(n):
        wide_counts[0, tags[begin + h]] += e_root[h * stride + lane]
        for direction in range(2):
            j = attach_at[begin + h, direction]
            first, last = (0, h) if direction == LEFT else (h + 1, n)
            once = again = 0.0
            for d in range(first, last):
                at = (h * n + d) * stride + lane
                near, far = e_arc[at], e_arc[at + n * n * stride]
                wide_counts[j, tags[begin + d]] += near + far
                once += near
                again += far
            if j >= 0:
                wide_totals[j] += once + again
            for v in range(2):
                k = stop_at[begin + h, direction, v]
                if k >= 0:
                    ends = e_stop[((h * 2 + direction) * 2 + v) * stride + lane]
                    goes = again if v else once
                    narrow_counts[k, STOP] += ends
                    narrow_counts[k, GO] += goes
                    narrow_totals[k] += ends + goes


@kernel
def matching_arcs(begin, end, words, lane, stride, rules, e_root, e_arc):
    """Return the expected number of arcs that match a rule."""
    tags = words[0]
    n = end - begin
    total = 0.0
    for d in range(n):
        if rules[0, tags[begin + d]]:
            total += e_root[d * stride + lane]
        for h in range(n):
            if h != d and rules[tags[begin + h] + 1, tags[begin + d]]:
                at = (h * n + d) * stride + lane
                total += e_arc[at] + e_arc[at + n * n * stride]
    return total


@kernel
def room_for(kind_offsets, begin, end, columns):
    """Return tables for the multinomials or experts of eight sentences, and rows per sentence."""
    most = 1
    for s in range(begin, end):
        most = max(most, kind_offsets[s + 1] - kind_offsets[s])
    return np.zeros((4, LANES * most, columns)), np.zeros(LANES * most), most


@kernel
def improve_sentences(
    begin, end, words, by_tags, rules, automaton, least, wide, wide_prior, wide_gaussians,
    narrow, narrow_prior, narrow_gaussians, sweeps, tolerance, bounds, matches,
):  # fmt: skip
    """Improve the experts of sentences `begin` to `end`, in order of length.

    Every sweep finds the posterior of trees, then improves means and variances once; a
    sentence rests when a sweep changes its bound by less than the tolerance, relatively.
    Without sweeps, only the posterior is found, and `bounds` is log Z.

    `wide` are the multinomials over tags, `narrow` those of stopping and going on; each
    has offsets of a sentence's multinomials, `shared`, offsets of its experts, and the experts.
    """
    offsets = words[1]
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
    weights = np.zeros(size * (size + 9))
    # Those of a sentence done in log space.
    e_root, e_arc, e_stop = np.zeros(size), np.zeros(2 * size * size), np.zeros(4 * size)

    n_tags = by_tags.shape[1]
    (wide_centre, wide_spread, wide_share, wide_trial), wide_log_z, n_wide = room_for(
        wide[0], begin, end, n_tags
    )
    (wide_pulls, _, _, _), _, wide_experts = room_for(wide[2], begin, end, n_tags)
    (narrow_centre, narrow_spread, narrow_share, narrow_trial), narrow_log_z, n_narrow = room_for(
        narrow[0], begin, end, 2
    )
    (narrow_pulls, _, _, _), _, narrow_experts = room_for(narrow[2], begin, end, 2)
    wide_counts, wide_totals, wide_trial_log_z = (
        np.zeros((n_wide, n_tags)),
        np.zeros(n_wide),
        np.zeros(n_wide),
    )
    narrow_counts, narrow_totals, narrow_trial_log_z = (
        np.zeros((n_narrow, 2)),
        np.zeros(n_narrow),
        np.zeros(n_narrow),
    )
    wide_work = (
        np.zeros(n_tags), np.zeros(n_tags), np.zeros(n_tags), np.zeros(n_tags), np.zeros(n_tags),
        np.zeros(n_tags), np.zeros(n_tags), np.zeros(n_tags), np.zeros(n_tags), np.zeros(n_tags),
        np.zeros(n_tags),
    )  # fmt: skip
    narrow_work = (np.zeros(2), np.zeros(2))
    members = np.zeros(max(n_wide, n_narrow), np.int64)
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
        for lane in range(lanes):
            look_at(
                wide, wide_prior, wide_gaussians, s + lane, lane * n_wide, lane * wide_experts,
                wide_centre, wide_spread, wide_share, wide_log_z, wide_pulls, wide_work[:2],
            )  # fmt: skip
            look_at(
                narrow, narrow_prior, narrow_gaussians, s + lane, lane * n_narrow,
                lane * narrow_experts, narrow_centre, narrow_spread, narrow_share, narrow_log_z,
                narrow_pulls, narrow_work,
            )  # fmt: skip
        for _ in range(max(sweeps, 1)):
            for lane in range(LANES):
                # Lanes without a sentence of their own repeat the last one, unseen.
                k = min(lane, lanes - 1)
                log_weights(
                    offsets[s + k], offsets[s + k + 1], words, by_tags, k * n_wide, wide_centre,
                    wide_log_z, k * n_narrow, narrow_centre, narrow_log_z, weights,
                )  # fmt: skip
                scale[lane] = to_lane(n, lane, weights, root_lanes, arc_lanes, stop_lanes)
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
                is_exact = n < least.size and z[lane] >= least[n]
                if is_exact:
                    log_z = np.log(z[lane]) + scale[lane]
                else:
                    log_weights(
                        first, last, words, by_tags, lane * n_wide, wide_centre, wide_log_z,
                        lane * n_narrow, narrow_centre, narrow_log_z, weights,
                    )  # fmt: skip
                    log_z = in_log_space(n, automaton, weights, e_root, e_arc, e_stop)
                if rules.size:
                    matches[m] = (
                        matching_arcs(
                            first, last, words, lane, LANES, rules, e_root_lanes, e_arc_lanes
                        )
                        if is_exact
                        else matching_arcs(first, last, words, 0, 1, rules, e_root, e_arc)
                    )
                if sweeps == 0:
                    bounds[m] = log_z
                    continue
                if is_exact:
                    count_events(
                        first, last, words, lane, LANES, e_root_lanes, e_arc_lanes, e_stop_lanes,
                        wide_counts, wide_totals, narrow_counts, narrow_totals,
                    )  # fmt: skip
                else:
                    count_events(
                        first, last, words, 0, 1, e_root, e_arc, e_stop, wide_counts,
                        wide_totals, narrow_counts, narrow_totals,
                    )  # fmt: skip
                # What is left are the entropy of trees and what `by_tags` adds.
                bound = log_z - expected_score(
                    wide_counts, wide_totals, wide_centre, wide_log_z, lane * n_wide,
                    wide[0][m + 1] - wide[0][m],
                )  # fmt: skip
                bound -= expected_score(
                    narrow_counts, narrow_totals, narrow_centre, narrow_log_z, lane * n_narrow,
                    narrow[0][m + 1] - narrow[0][m],
                )  # fmt: skip
                bound += improve_kind(
                    wide, wide_prior, wide_gaussians, m, lane * n_wide, lane * wide_experts,
                    wide_centre, wide_spread, wide_share, wide_log_z, wide_pulls, wide_counts,
                    wide_totals, wide_trial, wide_trial_log_z, wide_work, members,
                )  # fmt: skip
                bound += improve_pairs(
                    narrow, narrow_prior, narrow_gaussians, m, lane * n_narrow,
                    lane * narrow_experts, narrow_centre, narrow_spread, narrow_share,
                    narrow_log_z, narrow_pulls, narrow_counts, narrow_totals, narrow_trial,
                    narrow_trial_log_z, members,
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
