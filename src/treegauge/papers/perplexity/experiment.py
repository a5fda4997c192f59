"""The paper on derivation perplexity, done again: the runs and what is measured.

1. Treebanks: string and derivation perplexity, size, size over perplexity; how they go with the
   accuracy of parsers, the best one's and the mean. The paper's remark that morphology does not
   matter is tested with the type/token ratio and with features a lemma.
2. Parsers: four transition systems on every treebank; unlabelled accuracy, exact match, and the
   derivation perplexity of what they give, in canonical order and in their own.

The paper took accuracies from shared tasks. Here they are those of our own parsers on the same
data.

References
----------
Søgaard and Haulrich (2010), On the derivation perplexity of treebanks. TLT.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from treegauge.catalogue import Catalogue
from treegauge.evaluation.evaluation import Evaluation, SystemPair, evaluate
from treegauge.evaluation.perplexity_of_parsers import ParserPerplexity, perplexity_of_parsers
from treegauge.metrics.conventions import preset
from treegauge.papers.word_order.permuted_parsing import RunIt
from treegauge.properties import statistics
from treegauge.properties.attachment_order import with_recorded_order
from treegauge.properties.derivation_perplexity import (
    PerplexitySettings,
    TreebankPerplexity,
    treebank_perplexity,
)
from treegauge.properties.language_model import SmallCorpusWarning
from treegauge.rewrite.projectivise import projectivise
from treegauge.runs.errors import ExperimentError
from treegauge.runs.experiment import Experiment, Scoring, SystemChoice
from treegauge.runs.run_folder import RunFolder
from treegauge.systems.parsers.transition import root_is_last
from treegauge.transitions import Root, TransitionSystem, derive
from treegauge.treebank import Treebank

TRANSITION_SYSTEMS = ("arc-eager", "arc-standard", "swap-eager", "swap-lazy")
"""The paper's four algorithms."""

GENUINE = frozenset(
    {
        *("ar_padt", "cs_cac", "cs_cltt", "cs_fictree", "da_ddt", "el_gdt", "et_ewt", "eu_bdt"),
        *("eu_conll2007", "fa_seraji", "fi_tdt", "got_proiel", "grc_proiel", "hi_hdtb", "hr_set"),
        *("it_twittiro", "la_cicero", "la_proiel", "la_udante", "la_vulgate", "nn_nynorsklia"),
        *("no_bokmaal", "ro_rrt", "ro_rrt_r12", "sl_ssj", "ta_ttb", "tr_imst"),
    }
)
"""Treebanks annotated as dependencies from the beginning, not converted from phrases.

Our judgement, from what is known of their origin; the paper names its own seven only."""

SMALL = 200_000
"""Tokens below which the paper puts treebanks into its last group."""


@dataclass(frozen=True)
class DerivationPerplexitySettings:
    """What can be chosen about the experiments."""

    perplexity: PerplexitySettings = field(
        default_factory=lambda: PerplexitySettings(preset="srilm")
    )
    """The paper's toolkit, whose convention leaves unknown words out."""
    parser_settings: Mapping[str, Any] = field(default_factory=dict)
    """Of the four transition parsers."""
    others: tuple[str, ...] = ("graph",)
    """Parsers whose accuracies count in the first experiment besides the four."""
    other_settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    resamples: int = 1000
    trials: int = 10_000

    @property
    def parsers(self) -> tuple[str, ...]:
        """The labels of all parsers."""
        return (*TRANSITION_SYSTEMS, *self.others)


@dataclass(frozen=True)
class MeasuredTreebank:
    """A treebank, its perplexities, and what parsers made of it."""

    name: str
    iso: str
    train_tokens: int
    type_token_ratio: float | None
    features_a_lemma: float | None
    perplexity: TreebankPerplexity
    """As the settings say, of the paper's toolkit by default."""
    comparable: TreebankPerplexity
    """With unknown words counted, which treebanks can be compared by."""
    evaluation: Evaluation
    """Of all parsers: uas, las, exact_match; punctuation not counted."""
    canonical: ParserPerplexity
    """Of the four transition parsers, all in the same order."""
    own: Mapping[str, ParserPerplexity]
    """Of each of them in the order in which it attached words."""

    @property
    def is_genuine(self) -> bool:
        """Whether it was annotated as dependencies from the beginning."""
        return self.name in GENUINE

    def accuracies(self, metric: str) -> dict[str, float]:
        """Return a metric of every parser that gave something."""
        return {
            one.name: value
            for one in self.evaluation.systems
            if (value := one.scores[metric].value) is not None
        }

    @cached_property
    def pairs(self) -> dict[str, list[SystemPair]]:
        """Paired tests between the four transition parsers, by metric; P is perplexity."""
        found = {
            metric: [
                pair
                for pair in self.evaluation.pairs
                if pair.metric == metric and {pair.first, pair.second} <= set(TRANSITION_SYSTEMS)
            ]
            for metric in ("uas", "exact_match")
        }
        return {**found, "perplexity": list(self.canonical.pairs)}


@dataclass(frozen=True)
class DerivationPerplexities:
    """Everything that was measured."""

    settings: DerivationPerplexitySettings
    treebanks: tuple[MeasuredTreebank, ...]
    failures: tuple[str, ...] = ()


def measure_perplexities(
    treebanks: Sequence[str],
    folder: str | os.PathLike[str],
    run_it: RunIt,
    *,
    catalogue: Catalogue,
    settings: DerivationPerplexitySettings | None = None,
) -> DerivationPerplexities:
    """Train and run the parsers, and measure everything.

    Parameters
    ----------
    treebanks : sequence of str
        As the catalogue reads them; each needs a train and a test part.
    folder : path
        Where the run is kept; one that was stopped goes on there.
    run_it : callable
        Runs an experiment in a folder.
    """
    settings = settings or DerivationPerplexitySettings()
    experiment = Experiment(
        name="derivation-perplexity",
        treebanks=tuple(treebanks),
        systems=tuple(_choices(settings)),
        scorings=(Scoring(preset("conll2006"), ("uas", "las", "exact_match")),),
        resamples=settings.resamples,
    )
    run = run_it(experiment, Path(folder), catalogue)
    place = RunFolder(folder)
    parsed: dict[str, dict[str, Treebank]] = {}
    for cell in place.planned:
        record = place.record(cell.key)
        if record is not None and record.is_done:
            found = place.annotation(cell.key, "test").replace(name=cell.system)
            parsed.setdefault(cell.treebank, {})[cell.system] = found
    entries = {e.name: e for text in treebanks for e in catalogue.resolve(text)}
    measured = []
    for name, outputs in parsed.items():
        if set(TRANSITION_SYSTEMS) <= outputs.keys():
            entry = entries[name]
            measured.append(
                _measured(
                    entry.read("train", findings=[]),
                    entry.read("test", findings=[]),
                    entry.iso,
                    outputs,
                    settings,
                )
            )
    if not measured:
        raise ExperimentError("no treebank was parsed by all four transition systems")
    failures = tuple(f"{failure.cell}: {failure.reason}" for failure in run.failures)
    return DerivationPerplexities(settings, tuple(measured), failures)


def _choices(settings: DerivationPerplexitySettings) -> list[SystemChoice]:
    seeds = (settings.seed,)
    chosen = []
    for system in TRANSITION_SYSTEMS:
        values = {**settings.parser_settings, "system": system, "record_order": True}
        chosen.append(
            SystemChoice("transition", system, tuple(sorted(values.items())), seeds, "train")
        )
    others = tuple(sorted(settings.other_settings.items()))
    chosen += [SystemChoice(name, name, others, seeds, "train") for name in settings.others]
    return chosen


def _measured(
    train: Treebank,
    test: Treebank,
    iso: str,
    outputs: Mapping[str, Treebank],
    settings: DerivationPerplexitySettings,
) -> MeasuredTreebank:
    chosen = settings.perplexity
    numbers = statistics(train)
    four = [outputs[system] for system in TRANSITION_SYSTEMS]
    with warnings.catch_warnings():
        # The tables say where discounts were fixed.
        warnings.simplefilter("ignore", SmallCorpusWarning)
        canonical = perplexity_of_parsers(
            train,
            four,
            gold=test,
            settings=chosen,
            resamples=settings.resamples,
            trials=settings.trials,
        )
        own = {
            system: perplexity_of_parsers(
                _in_order_of(train, system),
                [outputs[system]],
                settings=replace(chosen, system=system, mode="own"),
                resamples=0,
                trials=0,
            )
            for system in TRANSITION_SYSTEMS
            if outputs[system].columns["misc"].is_annotated
        }
        return MeasuredTreebank(
            test.name,
            iso or test.name,
            train.n_words,
            numbers.type_token_ratio,
            numbers.features_a_lemma,
            treebank_perplexity(train, test, chosen),
            treebank_perplexity(train, test, replace(chosen, preset="kenlm")),
            evaluate(
                test,
                *outputs.values(),
                metrics=("uas", "las", "exact_match"),
                conventions=preset("conll2006"),
                resamples=settings.resamples,
                trials=settings.trials,
            ),
            canonical,
            own,
        )


def _in_order_of(train: Treebank, system: str) -> Treebank:
    """Return the trees as the parser learnt from them, with the order in which it attaches words.

    Projective where they have to be, and with the root where the parser has it: a root that is
    the last word instead of the first is another order.
    """
    named = TransitionSystem.named(system)
    trees = train if named.covers_all_trees else projectivise(train)
    root = Root.LAST if root_is_last(named) else Root.FIRST
    return with_recorded_order(trees, derive(trees, named, root=root).order)
