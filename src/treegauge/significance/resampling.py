"""Bootstrap resampling of sentences.

Conventions
-----------
A resample draws as many sentences as there are, with replacement. It is kept as counts
(how often each sentence was drawn), so that summed statistics are one matrix product. Counts
are made block by block and thrown away: what is kept is the seed.

References
----------
Efron (1979), Bootstrap methods: another look at the jackknife. doi:10.1214/aos/1176344552
Koehn (2004), Statistical significance tests for machine translation evaluation. EMNLP.
https://aclanthology.org/W04-3250
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.significance._resampling_numba import count_draws
from treegauge.significance.errors import SignificanceError
from treegauge.significance.sentence_statistics import BLOCK, Floats, Score, Table, checked, scored
from treegauge.significance.spilled_tables import ChunkedTable
from treegauge.wording import counted

_RESAMPLES_AT_ONCE = 32
"""At least, of most sizes: a table that is read once serves all of them."""
_COUNTS_BYTES = 32 << 20
"""Memory for the counts of these resamples; a longer stream has fewer of them at once."""
_FEWEST_AT_ONCE = 2


def _at_once(sentences: int) -> int:
    """Return how many resamples are counted together at least."""
    fitting = _COUNTS_BYTES // sentences
    return max(_FEWEST_AT_ONCE, min(_RESAMPLES_AT_ONCE, fitting))


class Resampler:
    """Bootstrap resamples of sentences, the same ones for every call.

    Metrics and systems that share a resampler are paired: row `r` of all their sums comes
    from the same sentences. Random numbers are drawn here and not in a kernel, in one
    sequence that depends on nothing but the seed and the number of sentences: neither
    threads nor the width of the statistics matter, and the first 1000 of 10,000 resamples
    are the 1000 that the same seed gives alone.

    Parameters
    ----------
    sentences : int
        Sentences in the test set.
    resamples : int
        Rows of every answer.
    seed : int
        Of the random numbers.

    Examples
    --------
    >>> import numpy as np
    >>> correct_and_all = np.array([[3, 4], [5, 9], [2, 2]])  # three sentences
    >>> sums = Resampler(3, resamples=1000, seed=1).sums(correct_and_all)
    >>> sums.shape
    (1000, 2)
    >>> round(float(np.mean(sums[:, 0] / sums[:, 1])), 1)
    0.7
    """

    def __init__(self, sentences: int, *, resamples: int = 1000, seed: int = 0) -> None:
        if sentences < 0 or resamples < 1:
            raise SignificanceError(
                f"resampling needs sentences and at least one resample; "
                f"found {sentences} sentence(s), {resamples} resample(s)"
            )
        self.sentences = sentences
        self.resamples = resamples
        self.seed = seed

    def __repr__(self) -> str:
        return f"Resampler({self.sentences}, resamples={self.resamples}, seed={self.seed})"

    def sums(self, statistics: Any) -> Floats:
        """Return summed statistics for every resample.

        Sums up to 2**52 of whole numbers are exact; fractions are rounded first, to 52 bits
        of their largest possible sum, so that no order of adding shows. Drawing is half of
        the work: several statistics side by side in one call cost less than one call each.

        Parameters
        ----------
        statistics : array or scipy.sparse array, [sentences, k]
            One row per sentence.

        Returns
        -------
        float64 array, [resamples, k]
            Zeros if there are no sentences.
        """
        table = self._checked(statistics)
        sums = np.empty((self.resamples, table.shape[1]))
        done = 0
        for block in self._sums(table):
            sums[done : done + len(block)] = block
            done += len(block)
        return sums

    def scores(self, statistics: Any, score: Score) -> Floats:
        """Return the score of every resample; NaN where it is undefined.

        Like `score(self.sums(statistics))`, but wide statistics (the cells of a table of
        clusters and tags, say) are never summed for all resamples at once.
        """
        return np.concatenate(
            [scored(score, block) for block in self._sums(self._checked(statistics))]
        )

    def _checked(self, statistics: Any) -> Table:
        table = checked(statistics)
        if table.shape[0] != self.sentences:
            raise SignificanceError(
                f"this resampler draws from {counted(self.sentences, 'sentence')}; "
                f"found statistics of {table.shape[0]:,}"
            )
        return table

    def _sums(self, table: Table) -> Iterator[Floats]:
        """Give sums for some resamples at a time.

        A table of many sentences does not fit a cache. So it is gone through in parts, each of
        which is multiplied with the counts of several resamples; sums are exact in any order.
        """
        rows = max(1, BLOCK // max(1, table.shape[1]))
        part = max(1, BLOCK // _RESAMPLES_AT_ONCE)
        for counts in self._counts():
            for first in range(0, len(counts), rows):
                chosen = counts[first : first + rows]
                if isinstance(table, ChunkedTable):
                    yield chosen @ table  # the table reads its chunks once for all of them
                    continue
                if self.sentences <= part:
                    yield chosen.astype(np.float64) @ table
                    continue
                sums = np.zeros((len(chosen), table.shape[1]))
                for begin in range(0, self.sentences, part):
                    end = begin + part
                    sums += chosen[:, begin:end].astype(np.float64) @ table[begin:end]
                yield sums

    def _counts(self) -> Iterator[NDArray[np.uint8]]:
        """Give counts `[rows, sentences]` block by block, all in the same memory."""
        # One byte a count: the chance that a sentence is drawn 256 times is less than 1 / 256!.
        sentences = max(1, self.sentences)
        rows = max(_at_once(sentences), BLOCK // sentences)
        counts = np.zeros((min(self.resamples, rows), self.sentences), np.uint8)
        random = np.random.default_rng(self.seed)
        for first in range(0, self.resamples, rows):
            block = counts[: self.resamples - first]
            if self.sentences:
                block.fill(0)
                at_once = max(1, BLOCK // self.sentences)
                for begin in range(0, len(block), at_once):
                    drawn = block[begin : begin + at_once]
                    for left in range(0, self.sentences, BLOCK):  # a long row is drawn in pieces
                        # 32 bits whatever the number of sentences: numpy keeps the unused half of
                        # a random word between calls, so that blocks do not show in the sequence.
                        # With 16 bits it would throw the rest away.
                        shape = (len(drawn), min(BLOCK, self.sentences - left))
                        draws = random.integers(self.sentences, size=shape, dtype=np.uint32)
                        count_draws(draws, drawn)
            yield block
