"""How hard a treebank is to predict: perplexity of its strings and of its derivations.

Conventions
-----------
A language model learns from the sentences of a training treebank, once as they are (string) and
once with their words in the order in which a transition system attaches them (derivation); both
are asked for the sentences of the test treebank. Settings are the model's (order, preset, minimum
count of words), the column that represents a word, and the transition system; the usual ones are
trigrams of forms, KenLM's ways, an open vocabulary and swap-lazy. A preset of SRILM's ways gives
unknown words no probability, so that its convention leaves them out; see
`treegauge.properties.language_model.scored_text` for all conventions.

The "increase" from string to derivation perplexity over several treebanks has two readings, the
ratio of the means and the mean of the ratios. The paper's figure for one of its groups is the
ratio of means, those for the two others are not; so both are given.

Low perplexity of a parser's derivations does not make it good: many trees have one order. In the
order of arc-standard and swap systems, a left dependent that hangs on its left sibling instead of
its head changes nothing. It is to be read beside the perplexity of gold's trees.

References
----------
Søgaard and Haulrich (2010), On the derivation perplexity of treebanks. TLT.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treegauge.properties.attachment_order import (
    WordField,
    attachment_order,
    has_recorded_order,
    in_order,
    recorded_order,
    words_as,
)
from treegauge.properties.errors import PropertyError
from treegauge.properties.language_model import (
    CONVENTIONS,
    PRESETS,
    Convention,
    LanguageModel,
    ScoredText,
    train_language_model,
)
from treegauge.properties.language_model.training import MAXIMUM_ORDER
from treegauge.settings import Settings, parse_preset, setting
from treegauge.transitions import TransitionSystem
from treegauge.treebank import Column, Treebank

Mode = Literal["canonical", "own"]

CLOSED = 2
"""The minimum count of words of the mode `closed`."""

FOLDS = 10
"""Of cross-validation."""


@dataclass(frozen=True)
class PerplexitySettings(Settings):
    """How the perplexity of a treebank is measured.

    Attributes
    ----------
    order : int
        The number of words in the longest n-grams.
    preset : str
        The toolkit whose smoothing is used.
    minimum_count : int
        Words that are rarer in training become `<unk>`. With 1, the vocabulary is open.
    field : str
        The column that stands for a word, such as `form` or `upos`.
    system : str
        The transition system of derivations.
    mode : "canonical" or "own"
        Whether derivations of the test text come from the oracle of the transition system, or from
        what a parser has recorded in MISC.

    Raises
    ------
    PropertyError
        If a value does not fit.

    Examples
    --------
    >>> PerplexitySettings.parse("srilm,order=4,field=upos").name
    'order=4,preset=srilm,field=upos'
    """

    order: int = setting(3, "order of the n-grams", minimum=1, maximum=MAXIMUM_ORDER)
    preset: str = setting("kenlm", "a toolkit's ways", choices=tuple(PRESETS))
    minimum_count: int = setting(
        1, "rarer words of the training text become <unk>; 1: open vocabulary", minimum=1
    )
    field: WordField = setting("form", "the column that represents a word")
    system: str = setting("swap-lazy", "the transition system of derivations")
    mode: Mode = setting(
        "canonical",
        "derivations of the test text: canonical (from the system's oracle), or own (recorded "
        "by a parser in MISC)",
    )

    def __post_init__(self) -> None:
        self.check(place="perplexity", error=PropertyError)
        TransitionSystem.named(self.system)

    @classmethod
    def parse(cls, text: str) -> PerplexitySettings:
        """Return the settings that a text describes.

        Parameters
        ----------
        text : str
            A preset, then changes after commas: `srilm,order=4`. `closed` is short for
            `minimum_count=2`.

        Returns
        -------
        PerplexitySettings
            The settings.

        Raises
        ------
        PropertyError
            If a preset or a setting does not exist, or a value does not fit.
        """
        return parse_preset(
            text,
            {preset: cls(preset=preset) for preset in PRESETS},
            noun="preset",
            place="perplexity",
            error=PropertyError,
            shorthands={"closed": {"minimum_count": CLOSED}},
        )

    @property
    def name(self) -> str:
        """The settings that are not the defaults, or `default`."""
        return self.changes() or "default"

    @property
    def wording(self) -> str:
        """The settings in a few words, for the notes of tables."""
        words = "" if self.minimum_count == 1 else f", words from {self.minimum_count} times on"
        own = ", orders of the system's own" if self.mode == "own" else ""
        return (
            f"{self.order}-grams of {self.field}, {self.preset} smoothing{words}, "
            f"{self.system}{own}, convention {self.convention}"
        )

    @property
    def convention(self) -> Convention:
        """The default convention of counting: that of the toolkit in `preset`."""
        return "srilm" if self.preset.startswith("srilm") else "kenlm"


class _Text(NamedTuple):
    words: Column
    offsets: NDArray[np.int64]

    def sentences(self, chosen: NDArray[np.bool_]) -> _Text:
        lengths = np.diff(self.offsets)
        words = self.words.take(np.repeat(chosen, lengths))
        return _Text(words, np.concatenate([[0], np.cumsum(lengths[chosen])]))


def _string(treebank: Treebank, settings: PerplexitySettings) -> _Text:
    return _Text(words_as(treebank, settings.field), treebank.offsets)


def _derivation(treebank: Treebank, settings: PerplexitySettings, mode: str) -> _Text:
    words = words_as(treebank, settings.field)
    if mode == "own":
        order = recorded_order(treebank)
    else:
        order = attachment_order(treebank, settings.system)
    return _Text(in_order(words, treebank, order), treebank.offsets)


def _model(text: _Text, settings: PerplexitySettings) -> LanguageModel:
    return train_language_model(
        *text,
        order=settings.order,
        preset=settings.preset,
        minimum_word_count=settings.minimum_count,
    )


class DerivationModel:
    """A language model of the derivations of a treebank: what a parser's trees are held against.

    Parameters
    ----------
    training : Treebank
        Its trees are derived by the system's oracle, unless the mode is `own` and their orders
        are recorded, as an oracle with the parser's place of the root gives them, for example.
    settings : PerplexitySettings
        The usual ones when missing.

    Examples
    --------
    >>> from treegauge import toy_treebank
    >>> model = DerivationModel(toy_treebank("toy:svo", tokens=20_000))
    >>> test = toy_treebank("toy:svo", part="test", tokens=1000)
    >>> first = np.repeat(test.offsets[:-1], test.lengths)
    >>> chains = test.replace(head=np.arange(test.n_words) - first)
    >>> bool(model.score(chains).perplexity() > model.score(test).perplexity())
    True
    """

    def __init__(self, training: Treebank, settings: PerplexitySettings | None = None) -> None:
        self.settings = settings or PerplexitySettings()
        own = self.settings.mode == "own" and has_recorded_order(training)
        self.language_model = _model(
            _derivation(training, self.settings, "own" if own else "canonical"), self.settings
        )

    def score(self, treebank: Treebank, *, mode: str | None = None) -> ScoredText:
        """Give the words of a treebank's derivations their probabilities.

        Parameters
        ----------
        mode : str, optional
            `canonical` or `own`, instead of that of the settings.
        """
        return self.language_model.score(
            *_derivation(treebank, self.settings, mode or self.settings.mode)
        )


@dataclass(frozen=True, eq=False)
class TreebankPerplexity:
    """The perplexities of a treebank; made by `treebank_perplexity`.

    Attributes
    ----------
    settings : PerplexitySettings
        How they were measured.
    string : ScoredText
        The sentences in their own order.
    derivation : ScoredText or None
        The words in the order of their attachment; None for a treebank without trees.
    fallback_orders : tuple of int
        The orders of n-grams for which fixed discounts replaced estimated ones.
    folds : int
        The folds of cross-validation; 0 if there was a training part.

    Examples
    --------
    >>> import treegauge as tg
    >>> train, test = (tg.toy_treebank(part=part, tokens=20_000) for part in ("train", "test"))
    >>> result = tg.treebank_perplexity(train, test, tg.PerplexitySettings(order=2))
    >>> result.derivation_perplexity() > result.perplexity(), result.increase() > 0
    (True, True)
    >>> result.to_dict()["settings"]
    'order=2'
    """

    settings: PerplexitySettings
    string: ScoredText
    derivation: ScoredText | None
    fallback_orders: tuple[int, ...] = ()
    folds: int = 0

    @property
    def unknown_rate(self) -> float:
        """The share of unknown words; the same for strings and derivations."""
        return self.string.unknown_rate

    def perplexity(self, convention: Convention | None = None) -> float:
        """Return the perplexity of the strings.

        Parameters
        ----------
        convention : str, optional
            How words and ends of sentences are counted. Default: that of the settings.

        Returns
        -------
        float
            The perplexity; infinite if it is too large for a float.
        """
        return self.string.perplexity(convention or self.settings.convention)

    def derivation_perplexity(self, convention: Convention | None = None) -> float | None:
        """Return the perplexity of the derivations.

        Parameters
        ----------
        convention : str, optional
            How words and ends of sentences are counted. Default: that of the settings.

        Returns
        -------
        float or None
            The perplexity; None for a treebank without trees.
        """
        if self.derivation is None:
            return None
        return self.derivation.perplexity(convention or self.settings.convention)

    def increase(self, convention: Convention | None = None) -> float | None:
        """Return how much derivation perplexity is higher than string perplexity.

        Parameters
        ----------
        convention : str, optional
            How words and ends of sentences are counted. Default: that of the settings.

        Returns
        -------
        float or None
            The increase as a share: 0.1 is ten per cent. None for a treebank without trees.
        """
        derivation = self.derivation_perplexity(convention)
        return None if derivation is None else derivation / self.perplexity(convention) - 1

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers as in JSON output.

        Returns
        -------
        dict
            Infinite numbers are None.
        """
        return {
            "settings": self.settings.name,
            "convention": self.settings.convention,
            "folds": self.folds or None,
            "sentences": len(self.string.end_log10),
            "words": len(self.string.log10),
            "unknown_rate": self.unknown_rate,
            "fallback_orders": list(self.fallback_orders),
            "string": perplexities(self.string),
            "derivation": None if self.derivation is None else perplexities(self.derivation),
            "increase": finite(self.increase()),
        }


def finite(value: float | None) -> float | None:
    """Return a number, or nothing where it is infinite or none."""
    return value if value is not None and math.isfinite(value) else None


def perplexities(text: ScoredText) -> dict[str, float | None]:
    """Return perplexity under every convention, but for that of whole sentences."""
    return {
        convention: finite(text.perplexity(convention))
        for convention in CONVENTIONS
        if convention != "sentence"
    }


def treebank_perplexity(
    train: Treebank, test: Treebank, settings: PerplexitySettings | None = None
) -> TreebankPerplexity:
    """Return string and derivation perplexity of a test part, learnt from a training part.

    Parameters
    ----------
    train : Treebank
        The training part.
    test : Treebank
        The test part. If neither part has heads, only string perplexity is measured.
    settings : PerplexitySettings, optional
        How perplexity is measured. Default: `PerplexitySettings()`.

    Returns
    -------
    TreebankPerplexity
        Both perplexities.

    Warns
    -----
    SmallCorpusWarning
        If fixed discounts replace estimated ones.

    Raises
    ------
    PropertyError
        If there is nothing to learn from or to measure, or the field is empty.
    TreebankError, TransitionError
        If a sentence has no derivation.

    Examples
    --------
    >>> from treegauge import toy_treebank
    >>> train, test = (toy_treebank(part=part, tokens=20_000) for part in ("train", "test"))
    >>> result = treebank_perplexity(train, test, PerplexitySettings(order=2))
    >>> result.perplexity() < result.derivation_perplexity()
    True
    """
    settings = settings or PerplexitySettings()
    string = _model(_string(train, settings), settings)
    scored_string = string.score(*_string(test, settings))
    models = [string]
    scored_derivation = None
    if train.has_heads or test.has_heads:
        derivation = DerivationModel(train, settings)
        scored_derivation = derivation.score(test)
        models.append(derivation.language_model)
    return _require_sentences(
        TreebankPerplexity(settings, scored_string, scored_derivation, _fallback_orders(models))
    )


def cross_validated_perplexity(
    treebank: Treebank, settings: PerplexitySettings | None = None, *, folds: int = FOLDS
) -> TreebankPerplexity:
    """Return the perplexities of a treebank that has no training part.

    Every sentence is scored once, by models of the other folds. Folds are blocks of neighbouring
    sentences, because neighbours are alike and would give each other away. Models of less than
    the whole treebank are a bit worse than models of a training part of its size.

    Parameters
    ----------
    folds : int
        At most one per sentence.

    Raises
    ------
    PropertyError
        If there are fewer than two sentences, and as in `treebank_perplexity`.
    """
    settings = settings or PerplexitySettings()
    if folds < 2 or treebank.n_sentences < 2:
        raise PropertyError(
            f"cross-validation needs two sentences and two folds; found {treebank.n_sentences} "
            f"and {folds}"
        )
    folds = min(folds, treebank.n_sentences)
    texts = [_string(treebank, settings)]
    if treebank.has_heads:
        texts.append(_derivation(treebank, settings, settings.mode))
    fold = np.arange(treebank.n_sentences) * folds // treebank.n_sentences
    scored: list[ScoredText] = []
    models: list[LanguageModel] = []
    for text in texts:
        parts = []
        for number in range(folds):
            model = _model(text.sentences(fold != number), settings)
            parts.append(model.score(*text.sentences(fold == number)))
            models.append(model)
        scored.append(
            ScoredText(
                np.concatenate([part.log10 for part in parts]),
                np.concatenate([part.end_log10 for part in parts]),
                np.concatenate([part.is_unknown for part in parts]),
                text.offsets,
            )
        )
    return _require_sentences(
        TreebankPerplexity(
            settings,
            scored[0],
            scored[1] if len(scored) > 1 else None,
            _fallback_orders(models),
            folds,
        )
    )


def _require_sentences(perplexity: TreebankPerplexity) -> TreebankPerplexity:
    """Raise now and not later if there is nothing to count."""
    if not len(perplexity.string.end_log10):
        raise PropertyError("perplexity of a treebank without sentences")
    return perplexity


def _fallback_orders(models: Sequence[LanguageModel]) -> tuple[int, ...]:
    estimations = [model.estimation for model in models if model.estimation is not None]
    return tuple(sorted({order for one in estimations for order in one.fallback_orders}))


class Increase(NamedTuple):
    """By which share the perplexities of several treebanks increase, in two readings."""

    ratio_of_means: float
    mean_of_ratios: float


def mean_increase(string: Sequence[float], derivation: Sequence[float]) -> Increase:
    """Return both readings of the increase from string to derivation perplexities.

    Raises
    ------
    PropertyError
        If there are no treebanks, or not as many of both.

    Examples
    --------
    Means of 200 and 330 are an increase of 65 %; one of 50 % and one of 70 %, of 60 %.

    >>> readings = mean_increase([100, 300], [150, 510])
    >>> [round(reading, 3) for reading in readings]
    [0.65, 0.6]
    """
    before, after = np.asarray(string, np.float64), np.asarray(derivation, np.float64)
    if not len(before) or before.shape != after.shape:
        raise PropertyError(
            f"an increase needs both perplexities of some treebanks; found {len(before)} and "
            f"{len(after)}"
        )
    return Increase(float(after.mean() / before.mean() - 1), float((after / before - 1).mean()))
