"""Derivation perplexity of parsers' trees, with intervals and paired tests; gold's beside it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from treegauge.errors import TreegaugeError
from treegauge.evaluation.resampling import Resampling, adjusted
from treegauge.evaluation.scoring import SystemPair
from treegauge.metrics import MetricError, total
from treegauge.metrics.derivation_perplexity import NAME, PerplexityStatistics
from treegauge.properties.derivation_perplexity import (
    DerivationModel,
    PerplexitySettings,
    finite,
    perplexities,
)
from treegauge.properties.language_model import ScoredText
from treegauge.results import Score, Signature
from treegauge.significance.all_pairs import all_pairs
from treegauge.tables import P_VALUE, PERCENT, Cell, Column, Table
from treegauge.treebank import NOT_ANNOTATED, Treebank, words_on_cycles

_WARNING = (
    "low perplexity does not mean good trees: wrong trees may have gold's order, or "
    "one that is easier to predict"
)


@dataclass(frozen=True)
class ParserPerplexity:
    """The derivation perplexities of the trees of systems for one text.

    Attributes
    ----------
    settings : PerplexitySettings
        The settings of the language model.
    training : str
        The name of the treebank from whose derivations the model was trained.
    systems : dict
        Scores by system.
    gold : Score or None
        The score of the gold trees in canonical order; None if there are none.
    pairs : tuple of SystemPair
        Paired tests of every two systems with the same sentences.

    Examples
    --------
    >>> from treegauge import toy_treebank
    >>> train, gold = (toy_treebank(part=part, tokens=5000) for part in ("train", "test"))
    >>> perplexities = perplexity_of_parsers(train, [gold.replace(name="ours")], resamples=0)
    >>> [row.cells[0].value for row in perplexities.tables()[0].rows]
    ['ours']
    >>> perplexities.to_dict()["training"]
    'toy:svo'
    """

    settings: PerplexitySettings
    training: str
    systems: dict[str, Score]
    gold: Score | None
    pairs: tuple[SystemPair, ...] = ()

    def tables(self) -> list[Table]:
        """Return the scores and the tests as tables.

        Returns
        -------
        list of Table
            A row per system, gold last; then the paired tests, if there are any.
        """
        scores = dict(self.systems)
        if self.gold is not None:
            scores["gold trees"] = self.gold
        unknown = Column("unknown words %", key="unknown_words", format=PERCENT)
        columns: list[Column | str] = ["", "derivation perplexity", "of known words", unknown, "n"]
        signature = next(iter(self.systems.values())).signature
        tables = [
            Table(
                columns,
                [
                    [
                        name,
                        Cell.of_score(score),
                        score.details["kenlm-known"],
                        score.details["unknown_rate"],
                        score.n,
                    ]
                    for name, score in scores.items()
                ],
                title=f"Derivation perplexity, learnt from {self.training or 'training'}",
                notes=[f"{self.settings.wording}.", f"{_WARNING}.".capitalize(), str(signature)],
            )
        ]
        if self.pairs:
            heads = [Column(title, format=P_VALUE) for title in ("p", "p (Holm)")]
            tests = [[*pair.names, pair.difference, pair.p, pair.adjusted_p] for pair in self.pairs]
            title = "Derivation perplexity: paired permutation tests"
            tables.append(Table(["system", "and system", "difference", *heads], tests, title=title))
        return tables

    def to_dict(self) -> dict[str, Any]:
        """Return the scores and the tests as in JSON output.

        Returns
        -------
        dict
            `training`, `settings`, `convention`, `systems`, `gold` and `tests`.
        """
        return {
            "training": self.training,
            "settings": self.settings.name,
            "convention": self.settings.convention,
            "systems": {name: score.to_dict() for name, score in self.systems.items()},
            "gold": None if self.gold is None else self.gold.to_dict(),
            "tests": [
                {key: value for key, value in pair.to_dict().items() if key != "metric"}
                for pair in self.pairs
            ],
        }


def perplexity_of_parsers(
    training: Treebank,
    systems: Sequence[Treebank],
    *,
    gold: Treebank | None = None,
    settings: PerplexitySettings | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    trials: int = 10_000,
    seed: int = 0,
) -> ParserPerplexity:
    """Score the trees of systems by a language model of the derivations of a training treebank.

    Parameters
    ----------
    training : Treebank
        Gold trees to learn derivations from; other sentences than the test text.
    systems : sequence of Treebank
        Predicted trees, with any number of roots. They need different names. Words on a cycle, or
        with a head outside the sentence, are words without a head: attached last.
    gold : Treebank, optional
        Scored as well if it has trees; what the numbers of systems are read beside.
    settings : PerplexitySettings, optional
        The usual ones when missing; with mode `own`, systems need recorded orders.
    resamples, confidence, seed
        Of intervals.
    trials : int
        Of the paired permutation tests between every two systems; 0 for none.

    Raises
    ------
    MetricError
        If a treebank has a tree that cannot be derived; it names sentences.

    Examples
    --------
    >>> import numpy as np
    >>> from treegauge import toy_treebank
    >>> train, gold = (toy_treebank(part=part, tokens=20_000) for part in ("train", "test"))
    >>> is_first = np.isin(np.arange(gold.n_words), gold.offsets)
    >>> flat = gold.replace(head=np.where(is_first, 0, 1), name="flat")
    >>> perplexities = perplexity_of_parsers(train, [flat], gold=gold, resamples=0)
    >>> perplexities.systems["flat"].value > perplexities.gold.value
    True
    """
    settings = settings or PerplexitySettings()
    names = [system.name for system in systems]
    if len(set(names)) < len(names):
        raise MetricError("systems need different names")
    with _named(training, "the training treebank"):
        model = DerivationModel(training, settings)
    texts = {}
    for system in systems:
        with _named(system, "the system"):
            texts[system.name] = model.score(_derivable(system))
    measured = {
        name: PerplexityStatistics.of(text, settings.convention) for name, text in texts.items()
    }
    pairs = _tests(measured, trials, seed) if trials else ()
    source = f"{training.name or 'training'}#{training.fingerprint[:8]}"

    resampling = Resampling(resamples=resamples, confidence=confidence, seed=seed)

    def score(text: ScoredText, treebank: Treebank, mode: str) -> Score:
        signature = _signature(settings, mode, source, gold or treebank)
        return _score(text, settings, signature, resampling)

    of_gold = None
    if gold is not None and gold.has_heads:
        with _named(gold, "gold"):
            text = model.score(gold, mode="canonical")
        of_gold = score(text, gold, "canonical")
    return ParserPerplexity(
        settings,
        training.name,
        {system.name: score(texts[system.name], system, settings.mode) for system in systems},
        of_gold,
        pairs,
    )


def _derivable(system: Treebank) -> Treebank:
    """Return a system's output in which heads that cannot be right are missing.

    A sentence that has no other heads is all roots, so that its words are counted as well.
    """
    length = np.repeat(system.lengths, system.lengths)
    is_wrong = words_on_cycles(system) | (system.head > length)
    if not is_wrong.any():
        return system
    head = np.where(is_wrong, NOT_ANNOTATED, system.head)
    has_head = np.bincount(system.sentence_of_word, head >= 0, minlength=system.n_sentences) > 0
    return system.replace(head=np.where(is_wrong & ~has_head[system.sentence_of_word], 0, head))


@contextlib.contextmanager
def _named(treebank: Treebank, role: str) -> Iterator[None]:
    """Say of what goes wrong with a treebank which one it is."""
    try:
        yield
    except TreegaugeError as error:
        raise MetricError(f"derivation perplexity of {treebank.name or role}: {error}") from error


def _score(
    text: ScoredText, settings: PerplexitySettings, signature: Signature, resampling: Resampling
) -> Score:
    statistics = PerplexityStatistics.of(text, settings.convention)
    sums = total(statistics.per_sentence)
    value = finite(float(statistics.score(sums)))
    bounds = None if value is None else resampling.interval_of(statistics)
    low, high = (None, None) if bounds is None else bounds
    return Score(
        NAME,
        value,
        low,
        high,
        statistics.size(sums),
        signature,
        is_share=False,
        higher_is_better=False,
        details={"unknown_rate": text.unknown_rate, **perplexities(text)},
    )


def _signature(
    settings: PerplexitySettings, mode: str, source: str, treebank: Treebank
) -> Signature:
    from treegauge import __version__

    return Signature(
        NAME,
        (
            ("lm", settings.preset),
            ("order", str(settings.order)),
            ("min", str(settings.minimum_count)),
            ("field", settings.field),
            ("system", settings.system),
            ("mode", mode),
            ("convention", settings.convention),
            ("train", source),
            ("data", f"{treebank.name or 'text'}#{treebank.fingerprint[:8]}"),
            ("v", __version__),
        ),
    )


def _tests(
    systems: dict[str, PerplexityStatistics], trials: int, seed: int
) -> tuple[SystemPair, ...]:
    names, statistics = list(systems), list(systems.values())
    if len({len(one.per_sentence) for one in statistics}) != 1:
        return ()  # other sentences, after alignment by characters: there are no pairs
    results = all_pairs(
        [one.per_sentence for one in statistics], statistics[0].score, trials=trials, seed=seed
    )
    corrected = adjusted([p for _, p in results.values()])
    return tuple(
        SystemPair(NAME, names[first], names[second], difference, p, adjusted_p)
        for ((first, second), (difference, p)), adjusted_p in zip(
            results.items(), corrected, strict=True
        )
    )
