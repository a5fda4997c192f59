"""The runs on derivation perplexity, and frames of what they say of treebanks and of parsers.

1. Treebanks: string and derivation perplexity, size, morphology, and the accuracy of parsers, the
   best one's and the mean. The paper took accuracies from shared tasks; here they are those of
   our own parsers on the same data.
2. Parsers: four transition systems on every treebank; unlabelled accuracy, exact match, and the
   derivation perplexity of what they give, in canonical order and in their own.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import polars as pl

from treegauge.catalogue import Catalogue
from treegauge.evaluation.evaluation import SystemPair, evaluate
from treegauge.evaluation.perplexity_of_parsers import ParserPerplexity, perplexity_of_parsers
from treegauge.metrics.conventions import preset
from treegauge.papers.mapped_tags import with_coarse_tags
from treegauge.papers.paper import Workbench, epochs_of
from treegauge.properties import statistics
from treegauge.properties.attachment_order import with_recorded_order
from treegauge.properties.derivation_perplexity import PerplexitySettings, treebank_perplexity
from treegauge.properties.errors import SmallCorpusWarning
from treegauge.results import Score
from treegauge.rewrite.projectivise import projectivise
from treegauge.runs import Experiment, Run
from treegauge.runs.errors import ExperimentError
from treegauge.runs.experiment import Scoring, SystemChoice
from treegauge.runs.run_folder import RunFolder
from treegauge.systems.parsers.transition import root_is_last
from treegauge.transitions import Root, TransitionSystem, derive
from treegauge.treebank import Treebank

if TYPE_CHECKING:
    from treegauge.papers.perplexity.paper import DerivationPerplexitySettings

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

_TREEBANKS = {
    "treebank": str,
    "train_tokens": int,
    "is_genuine": bool,
    "type_token_ratio": float,
    "features_a_lemma": float,
    "unknown_rate": float,
    # As the settings say; then with unknown words counted, which treebanks can be compared by.
    "string": float,
    "derivation": float,
    "string_all": float,
    "derivation_all": float,
    "has_fixed_discounts": bool,
    "coarse_tags": bool,
}
_PARSERS = {"treebank": str, "parser": str, "metric": str, "value": float, "low": float}
_PARSERS |= {"high": float}
_TESTS = {"treebank": str, "metric": str, "first": str, "second": str, "difference": float}
_TESTS |= {"p": float, "adjusted_p": float}
_ACCURACIES = ("uas", "las", "exact_match")


def measure(
    settings: DerivationPerplexitySettings, workbench: Workbench
) -> tuple[dict[str, pl.DataFrame], Run]:
    """Train and run the parsers; return frames of treebanks, of parsers, and of paired tests.

    Parsers are those of the paper and others; `perplexity` is in canonical order, the same for
    all, `own_perplexity` in the order in which a parser attached words.
    """
    catalogue, coarse = _prepared(settings, workbench.catalogue)
    workbench = replace(workbench, catalogue=catalogue)
    experiment = Experiment(
        name="derivation-perplexity",
        treebanks=settings.treebanks,
        systems=tuple(_choices(settings, workbench.system_settings)),
        scorings=(Scoring(preset("conll2006"), _ACCURACIES),),
        resamples=settings.resamples,
    )
    run = workbench.run(experiment)
    outputs: dict[str, dict[str, Treebank]] = {}
    for cell, parsed in RunFolder(run.folder).annotations("test"):
        outputs.setdefault(cell.treebank, {})[cell.system] = parsed.replace(name=cell.system)
    entries = {e.name: e for text in settings.treebanks for e in workbench.catalogue.resolve(text)}
    treebanks: list[dict[str, Any]] = []
    parsers: list[tuple[Any, ...]] = []
    tests: list[tuple[Any, ...]] = []
    for name, parsed_by in outputs.items():
        if set(TRANSITION_SYSTEMS) <= parsed_by.keys():
            train, test = (entries[name].read(part, findings=[]) for part in ("train", "test"))
            with warnings.catch_warnings():
                # The tables say where discounts were fixed.
                warnings.simplefilter("ignore", SmallCorpusWarning)
                row = _treebank_row(train, test, settings)
                treebanks.append({**row, "coarse_tags": name in coarse})
                of_parsers, of_pairs = _parser_rows(train, test, parsed_by, settings)
            parsers += of_parsers
            tests += of_pairs
    if not treebanks:
        raise ExperimentError("no treebank was parsed by all four transition systems")
    parser_frame = pl.DataFrame(parsers, schema=_PARSERS, orient="row")
    frames = {
        "treebanks": with_accuracies(pl.DataFrame(treebanks, schema=_TREEBANKS), parser_frame),
        "parsers": parser_frame,
        "tests": pl.DataFrame(tests, schema=_TESTS, orient="row"),
    }
    return frames, run


def _prepared(
    settings: DerivationPerplexitySettings, catalogue: Catalogue
) -> tuple[Catalogue, frozenset[str]]:
    """Return a catalogue of what is parsed, and the treebanks that lack universal tags.

    These have coarse tags instead; trees are projective if the settings say so.
    """
    entries = {e.name: e for text in settings.treebanks for e in catalogue.resolve(text)}
    made, coarse = {}, set[str]()
    for name, entry in entries.items():
        read = {part: entry.read(part, findings=[]) for part in entry.parts}
        parts, is_coarse = with_coarse_tags(read)
        if settings.projectivise:
            parts = {part: projectivise(treebank) for part, treebank in parts.items()}
        if is_coarse:
            coarse.add(name)
        if is_coarse or settings.projectivise:
            made[name] = parts
    return catalogue.with_treebanks(made, like=entries), frozenset(coarse)


def with_accuracies(treebanks: pl.DataFrame, parsers: pl.DataFrame) -> pl.DataFrame:
    """Add the best and the mean accuracy of all parsers to treebanks."""
    for metric in ("uas", "las"):
        of_metric = parsers.filter(pl.col("metric") == metric).group_by("treebank")
        both = of_metric.agg(
            pl.col("value").max().alias(f"best_{metric}"),
            pl.col("value").mean().alias(f"mean_{metric}"),
        )
        treebanks = treebanks.join(both, on="treebank", how="left", maintain_order="left")
    return treebanks


def _choices(
    settings: DerivationPerplexitySettings, by_system: Mapping[str, Mapping[str, Any]]
) -> Iterator[SystemChoice]:
    def choice(system: str, label: str, values: Mapping[str, Any]) -> SystemChoice:
        usual = epochs_of(system, settings.epochs)
        chosen = tuple(sorted({**usual, **by_system.get(system, {}), **values}.items()))
        return SystemChoice(system, label, chosen, (settings.seed,), "train")

    for system in TRANSITION_SYSTEMS:
        yield choice("transition", system, {"system": system, "record_order": True})
    for name in settings.all_others:
        yield choice(name, name, {})


def _treebank_row(
    train: Treebank, test: Treebank, settings: DerivationPerplexitySettings
) -> dict[str, Any]:
    chosen = PerplexitySettings.parse(settings.perplexity)
    as_chosen = treebank_perplexity(train, test, chosen)
    comparable = treebank_perplexity(train, test, replace(chosen, preset="kenlm"))
    numbers = statistics(train)
    return {
        "treebank": test.name,
        "train_tokens": train.n_words,
        "is_genuine": test.name in GENUINE,
        "type_token_ratio": numbers.type_token_ratio,
        "features_a_lemma": numbers.features_a_lemma,
        "unknown_rate": as_chosen.unknown_rate,
        "string": as_chosen.perplexity(),
        "derivation": as_chosen.derivation_perplexity(),
        "string_all": comparable.perplexity(),
        "derivation_all": comparable.derivation_perplexity(),
        "has_fixed_discounts": bool(as_chosen.fallback_orders),
    }


def _parser_rows(
    train: Treebank,
    test: Treebank,
    outputs: Mapping[str, Treebank],
    settings: DerivationPerplexitySettings,
) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Return the scores of all parsers on a treebank, and paired tests between the four."""
    accuracies = evaluate(
        test,
        *outputs.values(),
        metrics=_ACCURACIES,
        conventions=preset("conll2006"),
        resamples=settings.resamples,
        trials=settings.trials,
    )
    chosen = PerplexitySettings.parse(settings.perplexity)
    four = [outputs[system] for system in TRANSITION_SYSTEMS]
    canonical = perplexity_of_parsers(
        train,
        four,
        gold=test,
        settings=chosen,
        resamples=settings.resamples,
        trials=settings.trials,
    )

    def row(parser: str, metric: str, score: Score) -> tuple[Any, ...]:
        return test.name, parser, metric, score.value, score.low, score.high

    rows = [
        row(one.name, metric, one.scores[metric])
        for one in accuracies.systems
        for metric in _ACCURACIES
    ]
    rows += [row(system, "perplexity", score) for system, score in canonical.systems.items()]
    if canonical.gold is not None:
        rows.append(row("gold", "perplexity", canonical.gold))
    rows += [
        row(system, "own_perplexity", _in_own_order(train, outputs[system], chosen).systems[system])
        for system in TRANSITION_SYSTEMS
        if outputs[system].columns["misc"].is_annotated
    ]

    def tested(metric: str, pairs: list[SystemPair]) -> list[tuple[Any, ...]]:
        return [
            (test.name, metric, one.first, one.second, one.difference, one.p, one.adjusted_p)
            for one in pairs
            if {one.first, one.second} <= set(TRANSITION_SYSTEMS)
        ]

    pairs = tested("perplexity", list(canonical.pairs))
    for metric in ("uas", "exact_match"):
        pairs += tested(metric, [one for one in accuracies.pairs if one.metric == metric])
    return rows, pairs


def _in_own_order(
    train: Treebank, parsed: Treebank, settings: PerplexitySettings
) -> ParserPerplexity:
    """Score a parser by derivations in its own order.

    It learnt from trees that are projective where they have to be, and with the root where the
    parser has it: a root that is the last word instead of the first is another order.
    """
    system = TransitionSystem.named(parsed.name)
    trees = train if system.covers_all_trees else projectivise(train)
    root = Root.LAST if root_is_last(system) else Root.FIRST
    learnt = with_recorded_order(trees, derive(trees, system, root=root).order)
    own = replace(settings, system=parsed.name, mode="own")
    return perplexity_of_parsers(learnt, [parsed], settings=own, resamples=0, trials=0)
