"""The Pitman-Yor hidden Markov model with one tag per type (Blunsom and Cohn 2011).

Tags are drawn from the two before them, words from tags:

    t | i, j  ~  T_ij     T_ij ~ PY(a, b, B_j)     B_j ~ PY(a, b, U)     U ~ PY(a, b, uniform)
    w | t     ~  E_t      E_t  ~ PY(a, b, C_t)

`C_t` spells a word with the character n-grams of its tag, so that tags are of one morphology;
it sees every type of a tag once. All words of a type have one tag, which a Gibbs sampler draws
anew for the whole type. The paper tracks expected numbers of tables; here every dish of a
restaurant has one table (`pitman_yor.py`), with which the conditional distribution of a type's
tag is exact and quickly found.

The sampler begins with the classes of a mixture of types (`bmmm.py`), of an exchange clustering,
or at random; it goes on at a temperature that falls to 1, and at last only climbs. It does not
get far from where it begins in the sweeps that anybody has time for. Discounts (uniform) and
concentrations (Gamma(1, 1)) of all levels are drawn by slice sampling.

References
----------
Blunsom and Cohn (2011); Teh (2006); Van Gael et al. (2009).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treegauge.settings import setting
from treegauge.systems.errors import SystemsError
from treegauge.systems.saved_state import SavedState
from treegauge.systems.system import Arrays, OnProgress
from treegauge.systems.tag_induction._pyp_hmm_numba import (
    keep_logs,
    put,
    seat_all,
    sweep,
    take_out_and_score,
)
from treegauge.systems.tag_induction.bigrams import count_bigrams, with_boundaries
from treegauge.systems.tag_induction.bmmm import Bmmm
from treegauge.systems.tag_induction.encoded_text import EncodedText
from treegauge.systems.tag_induction.exchange import Exchange
from treegauge.systems.tag_induction.pitman_yor import (
    SeatingHistogram,
    SeatingLogs,
    Strength,
    seating_logs,
)
from treegauge.systems.tag_induction.pyp_hmm_seats import (
    EmissionRoom,
    Emissions,
    Transitions,
    TrigramRoom,
    Work,
)
from treegauge.systems.tag_induction.spelling import spell
from treegauge.systems.tag_induction.type_windows import type_windows
from treegauge.systems.tag_induction.word_class_inducer import (
    WordClassInducer,
    WordClassSettings,
)

_MOST_CLASSES = 1000
"""Counts of all pairs of classes are kept: 0.3 GB then."""
_MIXTURE_SWEEPS = 100
_MIXTURE_SHARE = 0.1
"""Of the time, about."""
_EXCHANGE_SWEEPS = 10


class HmmLogs(NamedTuple):
    """Logarithms for the restaurants of all kinds; for characters, [order, customers]."""

    trigram: SeatingLogs
    bigram: SeatingLogs
    unigram: SeatingLogs
    emission: SeatingLogs
    gram_stay: NDArray[np.float64]
    gram_open: NDArray[np.float64]
    gram_enter: NDArray[np.float64]


_TRANSITIONS = ("trigram", "bigram", "unigram")


class PypHmmState:
    """Classes of types, the restaurants that they fill, and the strengths of these.

    Parameters
    ----------
    text : EncodedText
        What is to be explained.
    classes : array of int
        A class for every type.
    n_classes : int
        The number of classes, empty ones included.
    characters : int
        The n of n-grams of characters; with 0, all words are alike.
    """

    def __init__(
        self,
        text: EncodedText,
        classes: NDArray[np.int32],
        n_classes: int,
        *,
        characters: int = 2,
    ) -> None:
        self.windows = type_windows(text.words, text.offsets, text.n_types)
        self.spelling = spell(text.forms, text.counts, characters)
        self.n_classes = n_classes
        self.characters = characters
        self.strengths = {name: Strength(0.5, 1.0) for name in (*_TRANSITIONS, "emission")}
        self.strengths |= {_characters(order): Strength(0.5, 1.0) for order in range(characters)}
        size = n_classes + 1
        most_events = int(np.diff(self.windows.starts).max(initial=0))
        # The boundary is the last type, in a class of its own.
        self._all_classes = np.append(classes, n_classes).astype(np.int32)
        self.transitions = Transitions.empty(size, len(self.windows.types))
        self.emissions = Emissions.empty(n_classes, self.spelling)
        self._work = Work(
            events=np.zeros((most_events, 4), np.int32),
            event_of_key=np.full(8 * size**2, -1, np.int32),
            score=np.zeros(n_classes),
            of_trigrams=TrigramRoom.empty(size),
            of_emissions=EmissionRoom.empty(n_classes, self.spelling, characters),
        )
        self.logs = self._logs()
        seat_all(
            self._all_classes,
            self.transitions,
            self.emissions,
            self.logs,
            self.spelling,
            self.windows,
        )
        keep_logs(self.emissions, self.logs, self.spelling)

    @property
    def classes(self) -> NDArray[np.int32]:
        """The class of every type."""
        return self._all_classes[:-1]

    def _logs(self) -> HmmLogs:
        size = self.n_classes + 1
        n_words = int(self.windows.counts.sum())
        n_characters = len(self.spelling.cells) + 1
        strengths = self.strengths
        of_characters = [
            seating_logs(strengths[_characters(order)], n_characters, self.spelling.n_symbols + 1)
            for order in range(self.characters)
        ] or [seating_logs(Strength(0.0, 1.0), 0, 0)]
        # A gain is known for a class that has no customers; where one has some, that is looked up
        # as well, and taken back. So a full restaurant seems to get as many tables again.
        most_tables, most_customers = 2 * size, min(n_words, 2 * size**2)
        return HmmLogs(
            seating_logs(strengths["trigram"], n_words, most_tables),
            seating_logs(strengths["bigram"], most_customers, most_tables),
            seating_logs(strengths["unigram"], most_customers, most_tables),
            seating_logs(strengths["emission"], n_words, len(self.spelling.counts)),
            np.stack([logs.stay for logs in of_characters]),
            np.stack([logs.open for logs in of_characters]),
            np.stack([logs.enter for logs in of_characters]),
        )

    def histograms(self) -> dict[str, SeatingHistogram]:
        """Count the seats of the restaurants of every kind."""
        transitions, emissions, spelling = self.transitions, self.emissions, self.spelling
        kinds = {
            name: SeatingHistogram.of(
                dishes,
                getattr(transitions, f"{name}_tables"),
                getattr(transitions, f"{name}_total"),
            )
            for name, dishes in zip(
                _TRANSITIONS,
                (transitions.trigrams[:, 3], transitions.bigram, transitions.unigram),
                strict=True,
            )
        }
        kinds["emission"] = SeatingHistogram.of(spelling.counts, emissions.types, emissions.words)
        for order in range(self.characters):
            cells = spelling.order == order
            contexts = np.unique(spelling.context[cells])
            kinds[_characters(order)] = SeatingHistogram.of(
                emissions.gram[cells],
                emissions.gram_tables[contexts],
                emissions.gram_total[contexts],
            )
        return kinds

    def log_joint(self) -> float:
        """Return the log probability of words and classes, from the counts alone."""
        total = sum(
            histogram.log_probability(self.strengths[name])
            for name, histogram in self.histograms().items()
        )
        total -= int(self.transitions.unigram_tables[0]) * float(np.log(self.n_classes + 1))
        n_tables = np.count_nonzero(self.emissions.gram[self.spelling.order == 0])
        return total - n_tables * float(np.log(self.spelling.n_symbols))

    def scores(self, kind: int) -> NDArray[np.float64]:
        """Return the log joint for a type in every class, up to a constant."""
        now = int(self.classes[kind])
        n_events = take_out_and_score(
            self._all_classes,
            self.transitions,
            self.emissions,
            self.logs,
            self.spelling,
            self.windows,
            self._work,
            kind,
        )
        scores = self._work.score.copy()
        put(
            self._all_classes,
            self.transitions,
            self.emissions,
            self.logs,
            self.spelling,
            self._work,
            kind,
            now,
            n_events,
        )
        return scores

    def sweep(self, temperature: float, generator: np.random.Generator) -> int:
        """Draw all classes anew, in random order; return how many types moved."""
        n_types = len(self.classes)
        order = generator.permutation(n_types)
        uniforms = generator.random(n_types)
        moves = sweep(
            self._all_classes,
            self.transitions,
            self.emissions,
            self.logs,
            self.spelling,
            self.windows,
            self._work,
            order,
            uniforms,
            temperature,
        )
        return int(moves)

    def resample_strengths(self, generator: np.random.Generator) -> None:
        """Draw discounts and concentrations anew."""
        self.use_strengths(
            {
                name: histogram.resampled(self.strengths[name], generator)
                for name, histogram in self.histograms().items()
            }
        )

    def use_strengths(self, strengths: dict[str, Strength]) -> None:
        """Use other discounts and concentrations, of all kinds of restaurants."""
        self.strengths = strengths
        self.logs = self._logs()
        keep_logs(self.emissions, self.logs, self.spelling)


def _characters(order: int) -> str:
    """Name the restaurants of characters after so many others."""
    return f"characters after {order}"


@dataclass(frozen=True)
class PypHmmSettings(WordClassSettings):
    """What can be chosen about the Pitman-Yor HMM."""

    characters: int = setting(2, "order of the n-gram model of spelling; 0: no spelling", minimum=0)
    sweeps: int = setting(200, "sweeps of the sampler over all types", minimum=1)
    init: Literal["mixture", "exchange", "random"] = setting(
        "mixture", "initial classes: from bmmm, from an exchange clustering, or random"
    )
    temperature: float = setting(
        1.0, "initial temperature; falls to 1 in the first half", minimum=1
    )
    climbing: float = setting(
        0.1,
        "final share of sweeps that take the best class and do not draw",
        minimum=0,
        maximum=1,
    )
    strengths_every: int = setting(
        5, "sweeps between draws of discounts and concentrations", minimum=1
    )


class PypHmm(WordClassInducer):
    """The Pitman-Yor HMM with one tag per type.

    Attributes
    ----------
    history : list of float
        The log joint probability before the first and after every sweep.
    strengths : dict
        Discount and concentration of each kind of restaurant at the end.
    """

    name = "pyp-hmm"
    settings_type = PypHmmSettings
    is_deterministic = False
    seconds_per_word = 6e-4

    history: list[float]
    strengths: dict[str, Strength]

    def _induce(self, text: EncodedText, on_progress: OnProgress) -> NDArray[np.int32]:
        settings = self.settings
        n_classes = min(settings.classes, text.n_types)
        if n_classes > _MOST_CLASSES:
            raise SystemsError(
                f"{self.name}: at most {_MOST_CLASSES} classes; there are counts of all pairs"
            )
        generator = np.random.default_rng(self.seed)
        first = _MIXTURE_SHARE if settings.init == "mixture" else 0.0
        state = PypHmmState(
            text,
            self._begin(
                text, n_classes, generator, lambda share, line: on_progress(first * share, line)
            ),
            n_classes,
            characters=settings.characters,
        )
        self.history = [state.log_joint()]
        draws = settings.sweeps - round(settings.climbing * settings.sweeps)
        for i in range(settings.sweeps):
            cooling = max(1 - 2 * i / settings.sweeps, 0)
            temperature = 1 + (settings.temperature - 1) * cooling if i < draws else 0.0
            moves = state.sweep(temperature, generator)
            if i < draws and (i + 1) % settings.strengths_every == 0:
                state.resample_strengths(generator)
            self.history.append(state.log_joint())
            on_progress(
                first + (1 - first) * (i + 1) / settings.sweeps,
                f"sweep {i + 1}: {self.history[-1]:.1f}, {moves:,} types moved",
            )
            if temperature == 0 and not moves:
                break
        self.strengths = state.strengths
        return state.classes

    def _begin(
        self,
        text: EncodedText,
        n_classes: int,
        generator: np.random.Generator,
        on_progress: OnProgress,
    ) -> NDArray[np.int32]:
        if self.settings.init == "random":
            return generator.integers(0, n_classes, text.n_types).astype(np.int32)
        if self.settings.init == "mixture":
            mixture = Bmmm({"classes": n_classes, "sweeps": _MIXTURE_SWEEPS}, seed=self.seed)
            return mixture.induce(text, on_progress=on_progress)
        words = with_boundaries(text.words, text.offsets, text.n_types)
        first = np.minimum(np.arange(text.n_types), n_classes - 1).astype(np.int32)
        exchange = Exchange(count_bigrams(words, text.n_types + 1), first, n_classes)
        exchange.climb(max_sweeps=_EXCHANGE_SWEEPS)
        return exchange.classes

    def _state(self) -> tuple[Arrays, dict[str, Any]]:
        arrays, facts = super()._state()
        return arrays, facts | {
            "history": self.history,
            "strengths": {name: list(strength) for name, strength in self.strengths.items()},
        }

    def _restore(self, arrays: Arrays, facts: dict[str, Any]) -> None:
        super()._restore(arrays, facts)
        saved = SavedState(arrays, facts)
        self.history = saved.series("history")
        strengths = saved.table("strengths")
        self.strengths = {
            name: Strength(*strengths.series(name, size=2)) for name in strengths.fact_names
        }
