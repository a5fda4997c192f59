"""How alike two languages are, as far as the order of their tags says: KLcpos3.

The divergence of the target's distribution of tag trigrams from the source's, in nats: the
lower, the better a parser trained on the source can be expected to do on the target. Sentences
are padded with two boundaries on either side; a trigram that the source lacks counts as if it had
been seen once.

References
----------
Rosa and Žabokrtský (2015), KLcpos3 – a language similarity measure for delexicalized parser
transfer. ACL.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from treegauge.properties.errors import PropertyError
from treegauge.treebank import Treebank, tag_column


class TagTrigrams:
    """The tag trigrams of a treebank, counted.

    Parameters
    ----------
    treebank : Treebank
        Tagged; trees are not needed.
    tags : str
        The tag column, which must mean the same in all treebanks that are compared.
    """

    def __init__(self, treebank: Treebank, tags: str = "u") -> None:
        if not treebank.n_words:
            raise PropertyError("there are no words whose tags could be counted")
        column = tag_column(treebank, tags).column.compact()
        n = len(column.vocabulary) + 1
        padded = self._padded(column.codes.astype(np.int64) + 1, treebank)
        keys = (padded[:-2] * n + padded[1:-1]) * n + padded[2:]
        # Boundaries of two sentences meet in a trigram of none but boundaries.
        trigrams, counts = np.unique(keys[keys > 0], return_counts=True)
        names = ["", *column.vocabulary]
        self.counts: Counter[tuple[str, str, str]] = Counter(
            {
                (names[key // n // n], names[key // n % n], names[key % n]): count
                for key, count in zip(trigrams.tolist(), counts.tolist(), strict=True)
            }
        )

    @staticmethod
    def _padded(codes: NDArray[np.int64], treebank: Treebank) -> NDArray[np.int64]:
        """Return the codes with two boundaries before every sentence and behind the last."""
        room = treebank.n_words + 2 * treebank.n_sentences + 2
        padded = np.zeros(room, np.int64)
        shift = 2 * (treebank.sentence_of_word + 1)
        padded[np.arange(treebank.n_words) + shift] = codes
        return padded

    def divergence_from(self, source: TagTrigrams) -> float:
        """Return the divergence of this target's trigrams from a source's; 0 for its own.

        Examples
        --------
        >>> import treegauge as tg
        >>> svo = TagTrigrams(tg.toy_treebank("toy:svo", tokens=2000))
        >>> sov = TagTrigrams(tg.toy_treebank("toy:sov", tokens=2000))
        >>> svo.divergence_from(svo), svo.divergence_from(sov) > 0.5
        (0.0, True)
        """
        total = sum(self.counts.values())
        counts = np.array(list(self.counts.values()), np.float64)
        seen = np.array([source.counts.get(key, 0) for key in self.counts], np.float64)
        of_source = sum(source.counts.values())
        # What is counted as seen once is not taken from anything: the sum grows with it.
        missing = seen == 0
        seen[missing] = 1.0
        of_source += int(missing.sum())
        shares = counts / total
        return float((shares * np.log(shares / (seen / of_source))).sum())
