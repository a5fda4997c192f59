"""Probabilities of a text, and its perplexity under the conventions in use.

Conventions
-----------
With W words, S sentences, U unknown words, and L the sum of log10 probabilities (ends of sentences
included, unknown words not), perplexity is 10 to the power of

    srilm            -L / (W - U + S)            SRILM's ppl; unknown words are not events
    srilm-ppl1       -L / (W - U)                SRILM's ppl1; ends are scored and not counted
    kenlm            -(L + unknown) / (W + S)    KenLM's; unknown words are scored as `<unk>`
    kenlm-known      -L / (W - U + S)            KenLM's "excluding OOVs"
    sentence         -L / S                      a sentence; use the logarithm

SRILM passes over known words of probability zero; under the other conventions they make
perplexity infinite. Leaving unknown words out favours languages with many of them: give
`unknown_rate` beside every figure, and never compare figures of two conventions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from treegauge.properties.errors import PropertyError
from treegauge.wording import unknown_name

Convention = Literal["kenlm", "kenlm-known", "srilm", "srilm-ppl1", "sentence"]
CONVENTIONS: tuple[Convention, ...] = get_args(Convention)

STATISTICS = (
    "sentences",
    "words",
    "unknown",
    "impossible",
    "impossible_unknown",
    "log10",
    "log10_unknown",
)
"""Columns of `ScoredText.statistics`. Events of probability zero are counted (`impossible`) and
left out of the sums, so that every number is finite; ends of sentences are among the known events.
"""


@dataclass(frozen=True, eq=False)
class ScoredText:
    """Log10 probabilities of the words of a text, and of the ends of its sentences.

    Attributes
    ----------
    log10 : array of float
        One per word. An unknown word has the probability of `<unk>`.
    end_log10 : array of float
        One per end of a sentence.
    is_unknown : array of bool
        Whether a word is not in the vocabulary of the model.
    offsets : array of int
        Where sentences begin, and where the last one ends.

    Examples
    --------
    >>> scored = ScoredText(
    ...     np.array([-1.0, -3.0]), np.array([-0.5]), np.array([False, True]), np.array([0, 2])
    ... )
    >>> [round(scored.perplexity(convention), 3) for convention in ("kenlm", "srilm", "srilm-ppl1")]
    [31.623, 5.623, 31.623]
    >>> scored.log10_perplexity()
    1.5
    >>> scored.unknown_rate
    0.5
    """

    log10: NDArray[np.float64]
    end_log10: NDArray[np.float64]
    is_unknown: NDArray[np.bool_]
    offsets: NDArray[np.int64]

    @property
    def unknown_rate(self) -> float:
        """The share of words that are unknown; 0 if there are no words."""
        return float(self.is_unknown.mean()) if len(self.is_unknown) else 0.0

    def perplexity(self, convention: Convention = "kenlm") -> float:
        """Return the perplexity of the text.

        Parameters
        ----------
        convention : "kenlm", "kenlm-known", "srilm", "srilm-ppl1" or "sentence"
            How words and ends of sentences are counted.

        Returns
        -------
        float
            The perplexity; infinite if it is too large for a float.

        Raises
        ------
        PropertyError
            If there is nothing to count, or no such convention.
        """
        with np.errstate(over="ignore"):
            return float(np.power(10.0, self.log10_perplexity(convention)))

    def log10_perplexity(self, convention: Convention = "kenlm") -> float:
        """Return the log10 of the perplexity, which is never too large for a float.

        Parameters
        ----------
        convention : "kenlm", "kenlm-known", "srilm", "srilm-ppl1" or "sentence"
            How words and ends of sentences are counted.

        Returns
        -------
        float
            The logarithm.

        Raises
        ------
        PropertyError
            If there is nothing to count, or no such convention.
        """
        log10 = float(log10_perplexities(self.statistics.sum(axis=0), convention))
        if np.isnan(log10):
            raise PropertyError(f"perplexity ({convention}) of a text without events to count")
        return log10

    @cached_property
    def statistics(self) -> NDArray[np.float64]:
        """What perplexity depends on: one row per sentence, with the columns of `STATISTICS`.

        Sums of rows, with or without repetition, are the input of `log10_perplexities`.
        """
        n_sentences = len(self.end_log10)
        lengths = np.diff(self.offsets)
        sentence = np.repeat(np.arange(n_sentences), lengths)

        def summed(values: NDArray[np.bool_ | np.float64]) -> NDArray[np.float64]:
            return np.bincount(sentence, values, minlength=n_sentences).astype(np.float64)

        possible, known = np.isfinite(self.log10), ~self.is_unknown
        end_is_possible = np.isfinite(self.end_log10)
        table = np.empty((n_sentences, len(STATISTICS)))
        table[:, 0] = 1
        table[:, 1] = lengths
        table[:, 2] = summed(self.is_unknown)
        table[:, 3] = summed(known & ~possible)
        table[:, 4] = summed(self.is_unknown & ~possible)
        table[:, 5] = summed(np.where(known & possible, self.log10, 0))
        table[:, 6] = summed(np.where(self.is_unknown & possible, self.log10, 0))
        table[:, 3] += ~end_is_possible
        table[:, 5] += np.where(end_is_possible, self.end_log10, 0)
        table.setflags(write=False)
        return table


def log10_perplexities(
    sums: NDArray[np.float64], convention: Convention = "kenlm"
) -> NDArray[np.float64]:
    """Return log10 perplexity from sums of statistics; not a number where nothing is counted.

    Parameters
    ----------
    sums
        The last axis are the columns of `STATISTICS`; others, such as resamples, are kept.
    convention
        What is counted, see above.

    Raises
    ------
    PropertyError
        If there is no such convention.
    """
    sentences, words, unknown, impossible, impossible_unknown, log10, log10_unknown = np.moveaxis(
        np.asarray(sums, np.float64), -1, 0
    )
    known = words - unknown
    match convention:
        case "kenlm":
            log10, events = log10 + log10_unknown, words + sentences
            impossible = impossible + impossible_unknown
        case "kenlm-known":
            events = known + sentences
        case "srilm":
            impossible, events = np.zeros_like(impossible), known - impossible + sentences
        case "srilm-ppl1":
            impossible, events = np.zeros_like(impossible), known - impossible
        case "sentence":
            events = sentences
        case _:
            raise PropertyError(unknown_name("convention of perplexity", convention, CONVENTIONS))
    with np.errstate(divide="ignore", invalid="ignore"):
        per_event: NDArray[np.float64] = np.where(impossible > 0, np.inf, -log10 / events)
    return np.where(events > 0, per_event, np.nan)
