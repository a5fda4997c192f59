"""Word order of a treebank in numbers: how long dependencies are, how free directions are.

Conventions
-----------
Measured on the sentences that `select_sentences` keeps. Numbers depend on four settings, and a
report names them: the unit of length, the base of the logarithm, the alternation of the optimum,
and what is told apart in an arc's kind. Preset `default`: distances, bits, the exact optimum, full
relations. Preset `gm16`: what comes nearest to Table 1 of Gulordava and Merlo (2016), which the
paper itself does not say in full: spans, nats, and plain alternation.

References
----------
Gulordava and Merlo (2016), Multi-lingual dependency parsing evaluation: a large-scale analysis of
word order properties using artificial data. TACL 4. doi:10.1162/tacl_a_00103
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.properties.dependency_length import (
    LengthUnit,
    dependency_lengths,
    mean_dependency_length,
)
from treegauge.properties.direction_entropy import (
    DirectionCounts,
    HeadFinality,
    direction_counts,
    head_finality,
)
from treegauge.properties.errors import PropertyError
from treegauge.properties.expected_length import expected_lengths, omega_scores
from treegauge.properties.optimal_orders import (
    Alternation,
    branching_lengths,
    in_unit,
    optimal_lengths,
)
from treegauge.properties.projectivity import nonprojective_words
from treegauge.properties.relations import Relations
from treegauge.properties.sentence_selection import (
    FinalPunctuation,
    Selection,
    select_sentences,
)
from treegauge.properties.sibling_entropy import sibling_order_entropy
from treegauge.properties.tree_geometry import TreeGeometry, tree_geometry
from treegauge.properties.two_way_entropy import LogBase
from treegauge.settings import Settings, parse_preset, setting
from treegauge.treebank import Treebank


@dataclass(frozen=True)
class WordOrderSettings(Settings):
    """What numbers about word order depend on."""

    unit: LengthUnit = "distance"
    """|i - j|, or the words in the span, |i - j| + 1."""
    base: LogBase = "2"
    """Of logarithms: bits, or nats."""
    optimum: Alternation = "exact"
    """The shortest projective order, or alternation that begins on the left everywhere."""
    relations: Relations = "full"
    """With subtypes or without."""
    punctuation: FinalPunctuation = "strip"
    """What becomes of punctuation at the end of a sentence."""
    minimum: int = setting(0, "a treebank with fewer sentences is marked as small", minimum=0)

    @classmethod
    def parse(cls, text: str) -> WordOrderSettings:
        """Return the settings that a text names: a preset, and changes after commas.

        >>> WordOrderSettings.parse("gm16,base=2").name
        'unit=span,optimum=plain,minimum=3000'
        """
        return parse_preset(text, PRESETS, noun="preset", place="word order", error=PropertyError)

    @property
    def name(self) -> str:
        """The settings in words: everything that is not as in the preset `default`, or that."""
        return self.changes() or "default"

    @property
    def entropy_unit(self) -> str:
        """Bits or nats."""
        return "bits" if self.base == "2" else "nats"

    @property
    def wording(self) -> str:
        """The settings in a sentence, for notes below tables."""
        optimum = "exact optimum"
        if self.optimum == "plain":
            optimum = "plain alternation (inferred, the paper does not say) as optimum"
        return (
            f"lengths as {self.unit}, {optimum}, entropy in {self.entropy_unit}, "
            f"{self.relations} relations"
        )


PRESETS = MappingProxyType(
    {
        "default": WordOrderSettings(),
        "gm16": WordOrderSettings(unit="span", base="e", optimum="plain", minimum=3000),
    }
)
"""Settings by name."""


class WordOrder:
    """Measures of the word order of a treebank. Every number is computed when it is used.

    Numbers are None if there is nothing to count: no trees, or no arcs.

    Parameters
    ----------
    treebank : Treebank
        Any treebank. Sentences that cannot be measured are left out; `selection.report` counts
        them.
    settings : WordOrderSettings or str
        The settings, or a text such as `gm16` or `default,relations=universal`.

    Raises
    ------
    PropertyError
        If a setting does not exist or does not fit.

    Examples
    --------
    >>> import treegauge as tg
    >>> columns = {"form": tg.Column.from_strings(["John", "threw", "out", "the", "trash"])}
    >>> john = WordOrder(tg.Treebank(columns, [2, 0, 2, 5, 2], offsets=[0, 5]))
    >>> john.dlm_ratio  # the best order, as in `the trash out threw John`, has length 5, not 6
    1.2
    >>> john.to_dict()["sentences"]
    1
    """

    def __init__(self, treebank: Treebank, settings: WordOrderSettings | str = "default") -> None:
        self.settings = WordOrderSettings.parse(settings) if isinstance(settings, str) else settings
        self.selection: Selection = select_sentences(
            treebank, final_punctuation=self.settings.punctuation
        )
        if self.selection.pinned.any():
            raise PropertyError("measures need punctuation=strip or include; pin is for parsers")
        self._treebank = self.selection.treebank

    @property
    def is_small(self) -> bool:
        """Whether there are fewer sentences than the settings require."""
        return self.selection.report.kept < self.settings.minimum

    # ------------------------------------------------------------------ lengths

    @property
    def mean_dependency_length(self) -> float | None:
        """The mean length of an arc."""
        return mean_dependency_length(self._treebank, unit=self.settings.unit)

    @cached_property
    def _optimal(self) -> NDArray[np.int64]:
        lengths = optimal_lengths(self._treebank, alternation=self.settings.optimum)
        return in_unit(lengths, self._treebank, self.settings.unit)

    @cached_property
    def dlm_statistics(self) -> NDArray[np.float64]:
        """The length and the optimal length of every sentence, divided by |s|²; [sentences, 2].

        The ratio of their sums is the DLM ratio. Intervals are computed from these rows.
        """
        observed = dependency_lengths(self._treebank, unit=self.settings.unit)
        return self._normalised(observed, self._optimal)

    def _normalised(self, *lengths: NDArray[Any]) -> NDArray[np.float64]:
        squares = np.maximum(self._treebank.lengths, 1) ** 2
        return np.stack([length / squares for length in lengths], axis=1)

    @property
    def dlm_ratio(self) -> float | None:
        """Observed by optimal length: sum of DL / |s|² by sum of OptDL / |s|² (equation 2)."""
        return _ratio_of_sums(self.dlm_statistics)

    @property
    def branching_dlm_ratio(self) -> float | None:
        """The DLM ratio of the left-branching and the right-branching order of the same trees."""
        lengths = in_unit(branching_lengths(self._treebank), self._treebank, self.settings.unit)
        return _ratio_of_sums(self._normalised(lengths, self._optimal))

    @property
    def random_dlm_ratio(self) -> float | None:
        """The expected DLM ratio of random projective orders of the same trees."""
        more = np.maximum(self._treebank.lengths - 1, 0) if self.settings.unit == "span" else 0
        expected = expected_lengths(self._treebank) + more
        return _ratio_of_sums(self._normalised(expected, self._optimal))

    @property
    def omega(self) -> float | None:
        """The mean score Omega of sentences that have one; projective orders, distances."""
        scores = omega_scores(self._treebank)
        scores = scores[~np.isnan(scores)]
        return math.fsum(scores.tolist()) / len(scores) if len(scores) else None

    # ------------------------------------------------------------------ directions

    @cached_property
    def directions(self) -> DirectionCounts:
        """The numbers of arcs to the left and to the right, per kind."""
        return direction_counts(self._treebank, relations=self.settings.relations)

    @property
    def arc_direction_entropy(self) -> float | None:
        """H(direction | relation, tag of the head, tag of the dependent) (equation 1)."""
        return self.directions.entropy(base=self.settings.base)

    @property
    def entropy_miller_madow(self) -> float | None:
        """The arc direction entropy, with the correction of Miller and Madow."""
        return self.directions.entropy(base=self.settings.base, estimator="miller-madow")

    @property
    def entropy_bootstrap(self) -> float | None:
        """The arc direction entropy, with the bootstrap correction of DeDeo et al. (2013)."""
        return self.directions.entropy(base=self.settings.base, estimator="bootstrap")

    @property
    def head_final_share(self) -> float | None:
        """The share of arcs with the dependent before the head."""
        arcs = self.directions.arcs
        return int(self.directions.left.sum()) / arcs if arcs else None

    @property
    def head_finality(self) -> list[HeadFinality]:
        """The share of arcs with the dependent before the head, per relation."""
        return head_finality(self.directions)

    @property
    def sibling_order_entropy(self) -> float | None:
        """The entropy of the order of two siblings."""
        return self._sibling_entropy("any")

    @property
    def same_side_sibling_entropy(self) -> float | None:
        """The entropy of the order of two siblings on the same side of their head."""
        return self._sibling_entropy("same")

    def _sibling_entropy(self, sides: Any) -> float | None:
        settings = self.settings
        return sibling_order_entropy(
            self._treebank, relations=settings.relations, sides=sides, base=settings.base
        )

    # ------------------------------------------------------------------ shapes

    @cached_property
    def _crossing(self) -> NDArray[np.bool_]:
        return np.asarray(nonprojective_words(self._treebank) == 1)

    @property
    def nonprojective_arcs(self) -> float | None:
        """The share of arcs that are not projective."""
        return _share(self._crossing[self._treebank.head > 0])

    @property
    def nonprojective_sentences(self) -> float | None:
        """The share of sentences with an arc that is not projective."""
        return _share(self._shapes.gap_degree > 0)

    @cached_property
    def _shapes(self) -> TreeGeometry:
        return tree_geometry(self._treebank)

    @property
    def gap_degree(self) -> float | None:
        """The mean gap degree of a sentence."""
        return _mean(self._shapes.gap_degree)

    @property
    def largest_gap_degree(self) -> int | None:
        """The largest gap degree of a sentence."""
        return _largest(self._shapes.gap_degree)

    @property
    def edge_degree(self) -> float | None:
        """The mean edge degree of a sentence."""
        return _mean(self._shapes.edge_degree)

    @property
    def largest_edge_degree(self) -> int | None:
        """The largest edge degree of a sentence."""
        return _largest(self._shapes.edge_degree)

    @property
    def branching_factor(self) -> float | None:
        """The mean number of children of a head, averaged over sentences that have arcs."""
        factors = self._shapes.branching_factor
        return _mean(factors[~np.isnan(factors)])

    @property
    def most_children(self) -> int | None:
        """The largest number of children of a word."""
        return _largest(self._shapes.most_children)

    @property
    def height(self) -> float | None:
        """The mean number of words from the root to the lowest word."""
        return _mean(self._shapes.height)

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers, the settings and the selection of sentences.

        Returns
        -------
        dict
            Numbers by name.
        """
        report = self.selection.report
        return {
            "settings": self.settings.name,
            "sentences_read": report.read,
            "sentences": report.kept,
            "words": report.words_kept,
            "dropped": dict(report.dropped),
            "is_small": self.is_small,
            **{name: getattr(self, name) for name in NUMBERS},
        }


NUMBERS: tuple[str, ...] = (
    "mean_dependency_length",
    "dlm_ratio",
    "branching_dlm_ratio",
    "random_dlm_ratio",
    "omega",
    "arc_direction_entropy",
    "entropy_miller_madow",
    "entropy_bootstrap",
    "head_final_share",
    "sibling_order_entropy",
    "same_side_sibling_entropy",
    "nonprojective_arcs",
    "nonprojective_sentences",
    "gap_degree",
    "largest_gap_degree",
    "edge_degree",
    "largest_edge_degree",
    "branching_factor",
    "most_children",
    "height",
)
"""The attributes of `WordOrder` that are numbers."""


def _ratio_of_sums(columns: NDArray[np.float64]) -> float | None:
    # Summed exactly: the order of sentences does not show, and equal lengths give exactly 1.
    above, below = (math.fsum(column.tolist()) for column in columns.T)
    return above / below if below else None


def _mean(values: NDArray[Any]) -> float | None:
    return math.fsum(values.tolist()) / len(values) if len(values) else None


def _largest(values: NDArray[Any]) -> int | None:
    return int(values.max()) if len(values) else None


def _share(mask: NDArray[np.bool_]) -> float | None:
    return int(mask.sum()) / len(mask) if len(mask) else None
