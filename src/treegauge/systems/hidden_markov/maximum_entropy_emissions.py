"""P(word | tag) as a log-linear model: rare words share what they look like.

    p(w | t) = exp(theta_t . f(w)) / sum over all words w' of exp(theta_t . f(w'))

Features are those of the toolkit of Li, Graça and Taskar (2012): the word itself, in lower case, if
it is frequent; hyphen, capital, digit, punctuation; frequent endings of one to three characters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize

from treegauge.treebank import is_punctuation_form

Floats = NDArray[np.float64]
_LONGEST_ENDING = 3


def features_of(word: str) -> list[str]:
    """Return everything that can be said of a word.

    >>> features_of("Re-use")
    ['word=re-use', 'hyphen', 'capital', 'end=e', 'end=se', 'end=use']
    """
    text = word.lower()
    features = [f"word={text}"]
    features += ["hyphen"] if "-" in word else []
    features += ["capital"] if word[:1].isupper() else []
    features += ["digit"] if any(map(str.isdigit, word)) else []
    features += ["punctuation"] if is_punctuation_form(word) else []
    features += [f"end={text[-k:]}" for k in range(1, min(_LONGEST_ENDING, len(text)) + 1)]
    return features


def known_features(
    words: Sequence[str], counts: Iterable[int], *, frequent_word: int, frequent_ending: int
) -> tuple[str, ...]:
    """Return the features that a model has: words and endings must be frequent."""
    least = {"word": frequent_word, "end": frequent_ending}
    totals: Counter[str] = Counter()
    for word, count in zip(words, counts, strict=True):
        for feature in features_of(word):
            totals[feature] += count
    return tuple(
        feature for feature, count in totals.items() if count >= least.get(feature.split("=")[0], 1)
    )


def design(words: Sequence[str], features: Sequence[str]) -> sparse.csr_array:
    """Return `[words, features]`: 1 where a word has a feature."""
    number = {feature: place for place, feature in enumerate(features)}
    chosen = [[number[f] for f in features_of(word) if f in number] for word in words]
    starts = np.cumsum([0, *map(len, chosen)])
    columns = np.array([place for row in chosen for place in row], np.int64)
    return sparse.csr_array((np.ones(len(columns)), columns, starts), (len(words), len(features)))


@dataclass(frozen=True, eq=False)
class Emissions:
    """A log-linear distribution over words for every tag.

    Words that a tag may not have are among those that it could have emitted: a tag of few words
    has to say so by its weights, and gives little to a word that nobody has seen. Summing over
    permitted words alone would make small classes the likeliest of all for unknown words.

    Most rare words have the same features as others: everything is computed once per look.

    Attributes
    ----------
    features : sparse array, [looks, features]
        What words look like.
    look_of : array
        The look of every word.
    variance : float
        Of the Gaussian prior on weights.
    """

    features: sparse.csr_array
    look_of: NDArray[np.int64]
    variance: float

    @classmethod
    def of(cls, features: sparse.csr_array, variance: float) -> Emissions:
        """Return the model of words with these features, `[words, features]`."""
        looks: dict[bytes, int] = {}
        firsts: list[int] = []
        look_of = np.empty(features.shape[0], np.int64)
        for word, (begin, end) in enumerate(pairwise(features.indptr.tolist())):
            look = looks.setdefault(features.indices[begin:end].tobytes(), len(looks))
            if look == len(firsts):
                firsts.append(word)
            look_of[word] = look
        return cls(features[np.array(firsts, np.int64)], look_of, variance)

    @cached_property
    def _words_of_look(self) -> Floats:
        return np.bincount(self.look_of, minlength=self.features.shape[0]).astype(np.float64)

    def counts_of_looks(self, counts: Floats) -> Floats:
        """Return the counts of looks, from those of words with tags."""
        n_looks = len(self._words_of_look)
        sums = [np.bincount(self.look_of, column, n_looks) for column in counts.T]
        return np.stack(sums, axis=1)

    def log_sums(self, weights: Floats) -> Floats:
        """Return the log of the sum over words, of every tag."""
        scores: Floats = self.features @ weights
        top = scores.max(axis=0)
        logs: Floats = top + np.log(self._summed(np.exp(scores - top)))
        return logs

    def log_chances_of_looks(self, weights: Floats) -> Floats:
        """Return log p(w | t) of any word of a look, `[looks, tags]`."""
        logs: Floats = self.features @ weights - self.log_sums(weights)
        return logs

    def log_chances(self, weights: Floats) -> Floats:
        """Return log p(w | t), `[words, tags]`."""
        return self.log_chances_of_looks(weights)[self.look_of]

    def penalty(self, weights: Floats) -> float:
        """Return what the prior takes off the log-likelihood."""
        return float((weights**2).sum() / (2 * self.variance))

    def curvature(self, totals: Floats, weights: Floats) -> Floats:
        """Return about the second derivatives of the gain, without their sign.

        Of a feature: the variance of its count, and the prior.
        """
        chances = np.exp(self.log_chances_of_looks(weights)) * self._words_of_look[:, None]
        shares = self.features.T @ chances
        about: Floats = totals * shares * (1 - shares) + 1 / self.variance
        return about

    def gain(self, counts: Floats, weights: Floats) -> tuple[float, Floats]:
        """Return (expected log-likelihood - penalty), and its derivative by the weights.

        `counts` are those of looks.
        """
        # One exponential for both, and tables are used again.
        scores: Floats = self.features @ weights
        scores -= scores.max(axis=0)
        chances = np.exp(scores)
        sums, totals = self._summed(chances), counts.sum(axis=0)
        chances *= self._words_of_look[:, None]
        chances *= totals / sums
        scores *= counts
        value = float(scores.sum() - (totals * np.log(sums)).sum()) - self.penalty(weights)
        excess = np.subtract(counts, chances, out=chances)
        return value, self.features.T @ excess - weights / self.variance

    def _summed(self, chances: Floats) -> Floats:
        """Return sums over words, from chances of looks."""
        # Not `@`, whose threads would decide on the last bit.
        sums: Floats = np.einsum("i,ij", self._words_of_look, chances)
        return sums

    def fitted(self, counts: Floats, weights: Floats, *, steps: int) -> Floats:
        """Return weights with a larger gain: a few steps of L-BFGS from those given."""
        shape = weights.shape

        def loss(flat: Floats) -> tuple[float, Floats]:
            value, slope = self.gain(counts, flat.reshape(shape))
            return -value, -slope.ravel()

        optimum = minimize(
            loss, weights.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": steps}
        )
        # A line search that failed must not take back what was reached.
        if -optimum.fun < self.gain(counts, weights)[0]:
            return weights
        better: Floats = optimum.x.reshape(shape)
        return better
