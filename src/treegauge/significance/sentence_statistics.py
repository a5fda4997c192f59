"""Per-sentence statistics as the tests take them: checked, float64, dense or sparse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treegauge.significance.errors import SignificanceError
from treegauge.significance.spilled_tables import ChangedRows, ChunkedTable, beside

Floats: TypeAlias = NDArray[np.float64]
Table: TypeAlias = Any
"""A float64 array `[sentences, k]` or a `csr_array`; arithmetic does not care which."""

Score: TypeAlias = Callable[[Floats], ArrayLike]
"""Turns summed statistics `[..., k]` into scores `[...]`; NaN where a score is undefined."""

BLOCK = 2**20
"""Numbers in one working array: 8 MB. Blocks of 2**18 to 2**21 are equally fast."""


def checked(statistics: Any) -> Table:
    """Return statistics as a table whose sums are exact in any order.

    A number that is not finite is refused here: one such sentence would make most
    resamples undefined.
    """
    if isinstance(statistics, ChunkedTable):  # of whole numbers
        return statistics
    table = _table(statistics)
    return _rounded(table, _unit(table))


def checked_pair(a: Any, b: Any) -> tuple[Table, Table]:
    """Return the statistics of two systems, both dense or both sparse, of one shape."""
    is_chunked = isinstance(a, ChunkedTable) and isinstance(b, ChunkedTable)
    if not is_chunked:
        a, b = _table(a), _table(b)
    if a.shape != b.shape:
        raise SignificanceError(
            f"a paired test needs the same sentences and counts of both systems; found "
            f"{a.shape[0]} x {a.shape[1]} and {b.shape[0]} x {b.shape[1]}"
        )
    if is_chunked:
        return a, b
    if isinstance(a, np.ndarray) != isinstance(b, np.ndarray):
        from scipy import sparse

        a, b = sparse.csr_array(a), sparse.csr_array(b)
    unit = np.maximum(_unit(a), _unit(b))
    return _rounded(a, unit), _rounded(b, unit)


def _table(statistics: Any) -> Table:
    as_sparse = _sparse_table(statistics)
    table: Table = np.asarray(statistics, np.float64) if as_sparse is None else as_sparse
    if table.ndim != 2:
        raise SignificanceError(
            f"statistics need one row per sentence and one column per count; found {table.ndim} "
            "dimension(s)\n  write a single count as one column: `counts[:, None]`"
        )
    if not np.isfinite(table if as_sparse is None else table.data).all():
        raise SignificanceError("statistics must be finite numbers; found NaN or infinity")
    return table


def _sparse_table(statistics: Any) -> Table | None:
    """Return sparse statistics as a table of its own, and nothing for dense ones."""
    if isinstance(statistics, np.ndarray):
        return None
    from scipy import sparse

    is_sparse = sparse.issparse(statistics)
    if not is_sparse:
        return None
    table: Table = sparse.csr_array(statistics, dtype=np.float64, copy=True)
    table.sum_duplicates()
    return table


def _unit(table: Table) -> Floats:
    """Return for every column a power of 2, of which its sums are at most 2**52 times.

    Fractions add up differently in a different order, and BLAS chooses the order by the
    number of threads (seen with OpenBLAS 0.3.31: other last digits with 2 threads). In
    whole multiples of this unit, float64 adds exactly, whatever the order. Whole numbers
    are such multiples already, up to 2**52 in all; fractions lose what adding them in
    float64 would lose anyway.
    """
    sentences, k = table.shape
    largest = np.zeros(k)
    if sentences:
        maxima = abs(table).max(axis=0)
        largest = maxima if isinstance(maxima, np.ndarray) else maxima.toarray()
    _, exponent = np.frexp(sentences * largest)
    smallest = np.finfo(np.float64).minexp  # a unit of 0 could not be divided by
    unit: Floats = np.ldexp(1.0, np.maximum(exponent - 52, smallest))
    return unit


def _rounded(table: Table, unit: Floats) -> Table:
    if isinstance(table, np.ndarray):
        return np.rint(table / unit) * unit
    table.data = np.rint(table.data / unit[table.indices]) * unit[table.indices]
    return table


def side_by_side(a: Table, b: Table) -> Table:
    """Return the counts of two systems as one table of twice the width."""
    if isinstance(a, (np.ndarray, ChunkedTable)):
        return beside([a, b])
    from scipy import sparse

    return sparse.hstack([a, b], format="csr")


def changes(a: Table, b: Table) -> Table:
    """Return b minus a, without the sentences in which nothing changes."""
    if isinstance(a, ChunkedTable):
        return ChangedRows(a, b)
    change = b - a
    if isinstance(change, np.ndarray):
        return change[change.any(axis=1)]
    change.eliminate_zeros()
    return change[np.diff(change.indptr) > 0]


def total(table: Table) -> Floats:
    """Return the sums over all sentences."""
    return np.asarray(table.sum(axis=0), np.float64)


def scored(score: Score, sums: Floats) -> Floats:
    """Return a score for every row of sums.

    An undefined score (0 / 0) is NaN without a warning: callers say what becomes of it.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = np.asarray(score(sums), np.float64)
    if scores.shape != sums.shape[:-1]:
        raise SignificanceError(
            f"a score must turn sums of shape {sums.shape} into an array of shape "
            f"{sums.shape[:-1]}; found {scores.shape}\n"
            "  index the last axis: `sums[..., 0] / sums[..., 1]`"
        )
    return scores
