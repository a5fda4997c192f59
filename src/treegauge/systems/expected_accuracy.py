"""What share of heads an inducer can be expected to get right, where there is no gold to ask.

Treebanks were measured (`studies/expected_accuracy.py`): the inducer for each kind of tags learnt
from their train part and annotated their dev part. Of a new text the nearest treebanks are found,
by trigrams of universal tags (Jensen-Shannon divergence) or, without these, by function words; the
mean of what was reached there is expected. The interval is that of languages left out: every
treebank was predicted from those of other languages, and 90% of the errors are within it (95% for
texts of few sentences).
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treegauge.systems.best_inducer import SYSTEMS, KindOfTags
from treegauge.systems.text_profile import TextProfile, divergence, shares_among
from treegauge.temporaries import replacing

Floats = NDArray[np.float64]

DRAWS: Mapping[int, int] = {50: 3, 200: 1, 1000: 1}
"""How many sentences were learnt from, and how often they were drawn; at most all of train."""
_LEAST_SENTENCES = {50: 0, 200: 100, 1000: 400}
"""From how many sentences on a text is compared with treebanks that lent so many."""
FEW_SENTENCES = 100
"""With fewer, a text is compared with fifty sentences of other treebanks."""
NEIGHBOURS = 7
"""How many treebanks say what to expect."""
LEVELS: Mapping[int, float] = {50: 0.95, 200: 0.9, 1000: 0.9}
"""The share of languages left out that are within their interval: few sentences ask for caution."""
ROWS_FILE = "induced_accuracies.tsv"
TRIGRAMS_FILE = "tag_trigram_shares.tsv"
_PER = 100_000
"""Shares of trigrams are written as so many in this number."""


@dataclass(frozen=True)
class MeasuredRow:
    """What an inducer reached on the dev part of a treebank, and what it learnt from."""

    treebank: str
    language: str
    group: str
    """Treebanks of one language never tell what to expect of each other."""
    kind: str
    tags: str
    """What was given: `u`, universal tags as `symbols`, fine tags (`p`), or `none`."""
    sentences: int
    draw: int
    function_words: float
    side: float
    n_tags: int
    uas: float
    uas_10: float


@dataclass(frozen=True)
class ExpectedAccuracy:
    """The share of heads that can be expected to be those of Universal Dependencies.

    Attributes
    ----------
    system : str
        The inducer.
    value : float
        The expected share, in 0..1.
    low, high : float
        The ends of its interval.
    languages, treebanks : tuple of str
        The nearest treebanks and their languages, the nearest first.
    sentences : int
        The largest number of sentences that was learnt from in those treebanks.
    judged_by : str
        What they are nearest by: `tag trigrams` or `function words`.
    text_sentences : int
        The number of sentences of the text.

    Examples
    --------
    >>> import treegauge as tg
    >>> expected = tg.induce("best", tg.toy_treebank(tokens=2000)).expected
    >>> expected.low < expected.value < expected.high
    True
    >>> expected.in_words()[:12], sorted(expected.to_dict())[:3]
    ('expect about', ['high', 'languages', 'level'])
    """

    system: str
    value: float
    low: float
    high: float
    languages: tuple[str, ...]
    treebanks: tuple[str, ...]
    sentences: int
    judged_by: str
    text_sentences: int

    @property
    def level(self) -> float:
        """The share of left-out languages that are within their interval."""
        return LEVELS[self.sentences]

    def in_words(self) -> str:
        """Return the expectation as one line of text.

        Returns
        -------
        str
            The share, its interval, and the nearest languages.
        """
        share = Fraction(str(self.level))
        of_languages, beyond = f"{share.numerator} of {share.denominator}", ""
        if self.text_sentences < min(DRAWS):
            beyond = f"; fewer than {min(DRAWS)} sentences were never measured: expect less"
        return (
            f"expect about {100 * self.value:.0f}% of heads as in Universal Dependencies "
            f"({100 * self.low:.0f}% to {100 * self.high:.0f}% for {of_languages} languages); "
            f"nearest by {self.judged_by}: {', '.join(self.languages[:3])}{beyond}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the expectation as in JSON output.

        Returns
        -------
        dict
            The share as `uas`, its interval, and the nearest treebanks.
        """
        return {
            "uas": round(self.value, 4),
            "low": round(self.low, 4),
            "high": round(self.high, 4),
            "level": self.level,
            "languages": list(self.languages),
            "treebanks": list(self.treebanks),
            "measured_with_sentences": self.sentences,
            "nearest_by": self.judged_by,
        }


@dataclass(frozen=True, eq=False)
class _Case:
    """One treebank with one kind of tags: the mean of its draws, and each of them."""

    rows: tuple[MeasuredRow, ...]
    place: Floats
    """Its trigrams, or what its function words are like."""

    @property
    def group(self) -> str:
        return self.rows[0].group

    @property
    def uas(self) -> float:
        return float(np.mean([row.uas for row in self.rows]))


class MeasuredAccuracies:
    """What an inducer reached on treebanks when it had learnt from so many sentences."""

    def __init__(
        self,
        rows: Sequence[MeasuredRow],
        trigrams: Mapping[str, Floats],
        names: Sequence[str],
        kind: KindOfTags,
        sentences: int,
    ) -> None:
        self.kind, self.sentences, self._names = kind, sentences, names
        mine = [row for row in rows if (row.kind, row.sentences) == (kind, sentences)]
        mine.sort(key=lambda row: (row.treebank, row.tags, row.draw))
        features = np.array([_features(row, kind) for row in mine])
        self._centre, self._scale = features.mean(axis=0), np.maximum(features.std(axis=0), 1e-9)
        self._cases = []
        for _, same in groupby(mine, key=lambda row: (row.treebank, row.tags)):
            own = tuple(same)
            place = np.mean([self._standard(_features(row, kind)) for row in own], axis=0)
            self._cases.append(
                _Case(own, trigrams[own[0].treebank] if kind == "universal" else place)
            )
        self._places = np.array([case.place for case in self._cases])
        self._groups = np.array([case.group for case in self._cases])
        self._uas = np.array([case.uas for case in self._cases])

    def expected(self, profile: TextProfile) -> ExpectedAccuracy:
        """Return what can be expected of a text."""
        if self.kind == "universal":
            place = shares_among(profile, self._names)
        else:
            place = self._standard(_features(profile, self.kind))
        near = self._nearest(place, "")
        value = float(self._uas[near].mean())
        radius = self.radius()
        rows = [self._cases[i].rows[0] for i in near.tolist()]
        return ExpectedAccuracy(
            SYSTEMS[self.kind],
            value,
            max(value - radius, 0.0),
            min(value + radius, 1.0),
            tuple(dict.fromkeys(row.language for row in rows)),
            tuple(dict.fromkeys(row.treebank for row in rows)),
            self.sentences,
            "tag trigrams" if self.kind == "universal" else "function words",
            profile.sentences,
        )

    def radius(self, without: str = "") -> float:
        """Return the error that a share of languages left out stay within.

        Split conformal: the quantile has the correction for the number of errors. A language may
        be left out of it altogether, so that its own interval can be judged.
        """
        errors = np.sort([abs(got - said) for _, got, said, _ in self.left_out(without)])
        place = min(int(np.ceil(LEVELS[self.sentences] * (errors.size + 1))), errors.size) - 1
        return float(errors[place])

    def left_out(self, without: str = "") -> list[tuple[str, float, float, float]]:
        """Return the language of every measurement, UAS, and what other languages say of it.

        That is the mean of the nearest, and the mean of all, for comparison.
        """
        found = []
        for case in self._cases:
            if case.group == without:
                continue
            others = (self._groups != case.group) & (self._groups != without)
            mean = float(self._uas[others].mean())
            for row in case.rows:
                place = case.place
                if self.kind != "universal":  # few sentences say less of their function words
                    place = self._standard(_features(row, self.kind))
                near = self._nearest(place, case.group, without)
                found.append((case.group, row.uas, float(self._uas[near].mean()), mean))
        return found

    @property
    def short_uas(self) -> list[float]:
        """UAS of all measurements in sentences of at most ten words; nan where there are none."""
        return [row.uas_10 for case in self._cases for row in case.rows]

    def coverage(self) -> float:
        """Return the share of measurements inside the interval that other languages give."""
        radius = {group: self.radius(group) for group in sorted(set(self._groups.tolist()))}
        inside = [abs(got - said) <= radius[group] for group, got, said, _ in self.left_out()]
        return float(np.mean(inside))

    def _standard(self, features: Floats) -> Floats:
        return np.asarray((features - self._centre) / self._scale)

    def _nearest(self, place: Floats, *without: str) -> NDArray[np.intp]:
        """Return the nearest cases of other languages."""
        if self.kind == "universal":
            distance = divergence(place, self._places)
        else:
            distance = ((self._places - place) ** 2).sum(axis=1)
        distance[np.isin(self._groups, without)] = np.inf
        return np.argsort(distance, kind="stable")[:NEIGHBOURS]


def _features(one: MeasuredRow | TextProfile, kind: KindOfTags) -> Floats:
    tags = [float(np.log(max(one.n_tags, 1)))] if kind == "other" else []
    return np.array([one.function_words, one.side, *tags])


def expected_accuracy(profile: TextProfile, kind: KindOfTags) -> ExpectedAccuracy:
    """Return what can be expected of a text with a kind of tags."""
    return measured_accuracies(kind, comparable_sentences(profile.sentences)).expected(profile)


def comparable_sentences(sentences: int) -> int:
    """Return how many sentences treebanks were learnt from that a text is compared with.

    >>> comparable_sentences(30), comparable_sentences(100), comparable_sentences(10_000)
    (50, 200, 1000)
    """
    return max(size for size, least in _LEAST_SENTENCES.items() if sentences >= least)


# ---------------------------------------------------------------------- files


@cache
def measured_accuracies(kind: KindOfTags, sentences: int) -> MeasuredAccuracies:
    """Return what was measured with a kind of tags, and so many sentences."""
    folder = files("treegauge.systems") / "data"
    rows = _read_rows((folder / ROWS_FILE).read_text(encoding="utf-8"))
    names, shares = _read_trigrams((folder / TRIGRAMS_FILE).read_text(encoding="utf-8"))
    return MeasuredAccuracies(rows, shares, names, kind, sentences)


def write_rows(rows: Sequence[MeasuredRow], path: str | os.PathLike[str]) -> None:
    """Write what was measured, tabs between columns."""
    _write(
        [
            [field.name for field in fields(MeasuredRow)],
            *([_cell(value) for value in vars(row).values()] for row in rows),
        ],
        path,
    )


def write_trigrams(
    shares: Mapping[str, Mapping[str, float]], n: int, path: str | os.PathLike[str]
) -> None:
    """Write shares of the n trigrams that are the most frequent over treebanks."""
    total: dict[str, float] = {}
    for own in shares.values():
        for trigram, share in own.items():
            total[trigram] = total.get(trigram, 0.0) + share
    kept = sorted(total, key=lambda trigram: (-total[trigram], trigram))[:n]
    rows = [
        [one, *(str(round(_PER * own.get(one, 0.0))) for own in shares.values())] for one in kept
    ]
    _write([["trigram", *shares], *rows], path)


def _write(rows: Sequence[Sequence[str]], path: str | os.PathLike[str]) -> None:
    text = io.StringIO()
    csv.writer(text, delimiter="\t", lineterminator="\n").writerows(rows)
    with replacing(Path(path)) as temporary:
        temporary.write_text(text.getvalue(), encoding="utf-8")


def _cell(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _read_rows(text: str) -> list[MeasuredRow]:
    types = {"int": int, "float": float, "str": str}
    kinds = [types[str(field.type)] for field in fields(MeasuredRow)]
    lines = csv.reader(text.splitlines()[1:], delimiter="\t")
    return [
        MeasuredRow(*(kind(cell) for kind, cell in zip(kinds, line, strict=True))) for line in lines
    ]


def _read_trigrams(text: str) -> tuple[list[str], dict[str, Floats]]:
    """Return the trigrams, and their shares by treebank with that of all others."""
    header, *lines = csv.reader(text.splitlines(), delimiter="\t")
    counts = np.array([line[1:] for line in lines], np.float64).T / _PER
    rest = np.maximum(1 - counts.sum(axis=1, keepdims=True), 0.0)
    shares = np.hstack([counts, rest])
    return [line[0] for line in lines], dict(zip(header[1:], shares, strict=True))
