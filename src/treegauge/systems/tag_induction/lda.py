"""Latent Dirichlet allocation: documents of words, each of which has a class.

Here documents are word types, and their words are what stands beside the words of a type:

    P(z_i = k | rest)  ~  (n_wk + alpha) (n_kf + beta) / (n_k + F beta)

for the i-th feature f, of type w, counted without it. The distributions of classes in a document
and of features in a class are integrated out (Griffiths and Steyvers 2004).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from treegauge.systems.tag_induction._lda_numba import sweep
from treegauge.systems.tag_induction.encoded_text import EncodedText


class Lda:
    """Classes of feature tokens, counted, and the sampler.

    Parameters
    ----------
    types, features : array of int
        The document and the word of every token.
    classes : array of int
        Where the sampler begins.
    n_types, n_features, n_classes : int
        How many there are.
    alpha, beta : float
        Parameters of the Dirichlet priors.
    """

    def __init__(
        self,
        types: NDArray[np.int32],
        features: NDArray[np.int32],
        classes: NDArray[np.int32],
        *,
        n_types: int,
        n_features: int,
        n_classes: int,
        alpha: float,
        beta: float,
    ) -> None:
        self._types, self._features = types, features
        self.classes = classes.astype(np.int32)
        self.alpha, self.beta = alpha, beta
        self.by_type = _table(types, classes, n_types, n_classes)
        self.by_feature = _table(features, classes, n_features, n_classes)
        self.totals = np.bincount(classes, minlength=n_classes).astype(np.int64)
        self._score = np.zeros(n_classes)

    def sweep(self, generator: np.random.Generator) -> int:
        """Draw all classes anew; return how many changed."""
        moves = sweep(
            self._types,
            self._features,
            self.classes,
            self.by_type,
            self.by_feature,
            self.totals,
            self.alpha,
            self.beta,
            generator.random(len(self.classes)),
            self._score,
        )
        return int(moves)

    def log_joint(self) -> float:
        """Return the log probability of features and classes."""
        total = 0.0
        for rows, parameter in ((self.by_type, self.alpha), (self.by_feature.T, self.beta)):
            values, often = np.unique(rows[rows > 0], return_counts=True)
            total += float(often @ (gammaln(values + parameter) - gammaln(parameter)))
            everything = rows.shape[1] * parameter
            sums = rows.sum(axis=1)
            total -= float((gammaln(sums + everything) - gammaln(everything)).sum())
        return total

    def type_distributions(self) -> NDArray[np.float64]:
        """Return P(class | type), smoothed by the prior: [type, class]."""
        counts = self.by_type + self.alpha
        shares: NDArray[np.float64] = counts / counts.sum(axis=1, keepdims=True)
        return shares


def _table(
    rows: NDArray[np.int32], columns: NDArray[np.int32], n_rows: int, n_columns: int
) -> NDArray[np.int32]:
    cells = np.bincount(rows.astype(np.int64) * n_columns + columns, minlength=n_rows * n_columns)
    return cells.reshape(n_rows, n_columns).astype(np.int32)


def neighbour_tokens(
    text: EncodedText,
) -> tuple[NDArray[np.int32], NDArray[np.int32], int]:
    """Return the word before and after every word: types, features, the number of features.

    The boundary of sentences is a neighbour as well. What stands before and what stands after
    are different features.

    >>> import treegauge as tg
    >>> from treegauge.systems.tag_induction.encoded_text import encode
    >>> text = encode(tg.parse("a/X b/X b/X\\n", format="slashed"))  # b is type 0, a type 1
    >>> types, features, n_features = neighbour_tokens(text)
    >>> types.tolist(), features.tolist(), n_features  # 2: the beginning, 3 + 2: the end
    ([1, 1, 0, 0, 0, 0], [2, 3, 1, 3, 0, 5], 6)
    """
    boundary = text.n_types
    before = np.full(len(text.words), boundary, np.int32)
    after = before.copy()
    before[1:] = text.words[:-1]
    after[:-1] = text.words[1:]
    begins, ends = text.offsets[:-1], text.offsets[1:]
    has_words = begins < ends
    before[begins[has_words]] = boundary
    after[ends[has_words] - 1] = boundary
    features = np.stack([before, after + boundary + 1], axis=1).ravel()
    return np.repeat(text.words, 2), features.astype(np.int32), 2 * (boundary + 1)
