"""Slow twins of word alignment: all alignments enumerated, and the textbook's grow-diag-final."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from math import exp, log, prod

Pair = tuple[list[str], list[str]]
Table = dict[tuple[str | None, str], float]


def first_table(pairs: list[Pair]) -> Table:
    """Every word is translated by all words it ever stands beside, with the same probability."""
    beside: dict[str | None, set[str]] = defaultdict(set)
    for source, target in pairs:
        for word in [*source, None]:
            beside[word] |= set(target)
    return {(word, t): 1 / len(found) for word, found in beside.items() for t in found}


def priors(n: int, m: int, j: int, tension: float, null: float) -> list[float]:
    """P(a_j = i) for all i, and behind them that of the empty word; positions count from 1."""
    weights = [exp(-tension * abs(i / n - j / m)) for i in range(1, n + 1)]
    return [(1 - null) * weight / sum(weights) for weight in weights] + [null]


def expectations(
    pairs: list[Pair], table: Table, tension: float, null: float
) -> tuple[float, Table, list[list[list[float]]]]:
    """Return log-likelihood, expected counts and posteriors, from all alignments of each pair."""
    likelihood = 0.0
    counts: Table = defaultdict(float)
    posteriors = []
    for source, target in pairs:
        n, m = len(source), len(target)
        words = [*source, None]
        chances = {}
        for alignment in product(range(n + 1), repeat=m):
            chances[alignment] = prod(
                priors(n, m, j + 1, tension, null)[i] * table[words[i], target[j]]
                for j, i in enumerate(alignment)
            )
        total = sum(chances.values())
        likelihood += log(total)
        shares = [[0.0] * m for _ in words]
        for alignment, chance in chances.items():
            for j, i in enumerate(alignment):
                shares[i][j] += chance / total
                counts[words[i], target[j]] += chance / total
        posteriors.append(shares)
    return likelihood, counts, posteriors


def normalised(counts: Table) -> Table:
    """Return P(target | source) from counts."""
    totals: dict[str | None, float] = defaultdict(float)
    for (word, _), count in counts.items():
        totals[word] += count
    return {(word, t): count / totals[word] for (word, t), count in counts.items()}


def jump_expectations(
    pairs: list[Pair], table: Table, jumps: list[float], null: float
) -> tuple[float, list[float], list[list[list[float]]]]:
    """Return log-likelihood, expected jumps and posteriors, from all paths of positions.

    A path is a position and whether the word is linked with it, for every target word.
    """
    reach = len(jumps) // 2

    def bucket(jump: int) -> int:
        return min(max(jump, -reach), reach) + reach

    likelihood = 0.0
    counts = [0.0] * len(jumps)
    posteriors = []
    for source, target in pairs:
        n, m = len(source), len(target)
        shares = [[0.0] * m for _ in range(n + 1)]
        found = []
        for path in product(product(range(n), (True, False)), repeat=m):
            chance, used = 1.0, []
            for j, (i, is_linked) in enumerate(path):
                before = path[j - 1][0] if j else None
                if is_linked:
                    chance *= (1 - null) * table[source[i], target[j]]
                    if before is None:
                        chance /= n
                    else:
                        weights = [exp(jumps[bucket(k - before)]) for k in range(n)]
                        chance *= weights[i] / sum(weights)
                        used.append(bucket(i - before))
                else:
                    chance *= null * table[None, target[j]]
                    chance *= 1 / n if before is None else float(i == before)
            found.append((path, used, chance))
        total = sum(chance for _, _, chance in found)
        likelihood += log(total)
        for path, used, chance in found:
            for b in used:
                counts[b] += chance / total
            for j, (i, is_linked) in enumerate(path):
                shares[i if is_linked else n][j] += chance / total
        posteriors.append(shares)
    return likelihood, counts, posteriors


def grow_diag_final(
    forward: set[tuple[int, int]], backward: set[tuple[int, int]], n: int, m: int
) -> set[tuple[int, int]]:
    """Koehn's pseudo-code, with sets."""
    found = forward & backward
    union = forward | backward

    def is_new(i: int, j: int) -> bool:
        return all(a != i for a, _ in found) or all(b != j for _, b in found)

    while True:
        before = len(found)
        for i in range(n):
            for j in range(m):
                if (i, j) not in found:
                    continue
                for a in (i - 1, i, i + 1):
                    for b in (j - 1, j, j + 1):
                        if (a, b) in union and is_new(a, b):
                            found.add((a, b))
        if len(found) == before:
            break
    for links in (forward, backward):
        for i, j in sorted(links):
            if is_new(i, j):
                found.add((i, j))
    return found
