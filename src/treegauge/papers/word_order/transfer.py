"""Which treebank to learn from for a language without one: the nearest, natural or permuted.

What Gulordava and Merlo (2016) suggest at the end: permuted versions of a treebank are languages
too, and one of them may be nearer to the target than any natural one. Sources are ranked by the
divergence of their tag trigrams (KLcpos3), for which the target needs tags and nothing else; a
delexicalised parser is trained on every source and tested on every target, so that the choice can
be compared with the best one.

A target's own language is never a source for it: it is what the others are compared with.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from treegauge.metrics.conventions import preset
from treegauge.papers.derived_treebanks import write_treebanks
from treegauge.papers.paper import Workbench
from treegauge.papers.word_order.measure import PermutedParsing, version_names
from treegauge.papers.word_order.settings import ORIGINAL
from treegauge.properties.tag_trigrams import TagTrigrams
from treegauge.runs import Experiment
from treegauge.runs.experiment import Scoring, SystemChoice
from treegauge.runs.run_folder import RunFolder
from treegauge.significance import kendall_tau_b
from treegauge.treebank import Treebank, concatenate, punctuation_mask

if TYPE_CHECKING:
    from treegauge.papers.word_order.settings import WordOrderPaperSettings

_PARSER = "transition"
_MOST_SENTENCES = 2000
"""Of a source, so that none is better because it is larger."""
_TRANSFER = {"target": str, "source": str, "order": str, "divergence": float, "uas": float}


def transfer(
    parsing: PermutedParsing, settings: WordOrderPaperSettings, workbench: Workbench
) -> pl.DataFrame:
    """Train a delexicalised parser on every version of every treebank, test it on all originals.

    Sources of a target come by divergence; its own train part, whose divergence is missing, last.
    """
    versions = {(one.treebank, one.order): one for one in parsing.parsed}
    targets = {name: one for (name, order), one in versions.items() if order == ORIGINAL}
    # All targets are tested at once: a parser is trained once for all of them.
    together = concatenate([_universal(one.test) for one in targets.values()])
    names = version_names(list(versions))
    folder = workbench.folder / "transfer"
    catalogue = write_treebanks(
        folder / "treebanks",
        {
            key: {"train": _universal(versions[place].train)[:_MOST_SENTENCES], "test": together}
            for key, place in names.items()
        },
    )
    epochs = {"epochs": settings.epochs} if settings.epochs else {}
    values = tuple(sorted({**epochs, "columns": ("upos",)}.items()))
    experiment = Experiment(
        name="word-order-transfer",
        treebanks=tuple(names),
        systems=(SystemChoice(_PARSER, _PARSER, values, (settings.seed,), "train"),),
        scorings=(Scoring(preset("conll2006"), ("uas",)),),
        resamples=0,
    )
    workbench.run_experiment(experiment, folder, catalogue)
    tests = {name: one.test for name, one in targets.items()}
    trigrams = {key: TagTrigrams(one.train) for key, one in versions.items()}
    rows = []
    for cell, parsed in RunFolder(folder).annotations("test"):
        source, order = names[cell.treebank]
        for target, uas in _scores(parsed, tests).items():
            divergence = None
            if targets[target].language != targets[source].language:
                divergence = trigrams[target, ORIGINAL].divergence_from(trigrams[source, order])
            elif (target, ORIGINAL) != (source, order):
                continue
            rows.append((target, source, order, divergence, uas))
    places = {target: place for place, target in enumerate(targets)}
    # Sorting is stable, as the first of several that are as near counts.
    rows.sort(key=lambda row: (places[row[0]], row[3] is None, row[3]))
    return pl.DataFrame(rows, schema=_TRANSFER, orient="row")


def _universal(treebank: Treebank) -> Treebank:
    """Return a treebank with what languages share: tags, trees, relations without subtypes."""
    plain = treebank.deprel.map(lambda relation: relation.partition(":")[0])
    return treebank.replace(columns={"deprel": plain})


def _scores(parsed: Treebank, tests: Mapping[str, Treebank]) -> dict[str, float]:
    """Return the unlabelled attachment of every test part of those that were parsed together."""
    begin = 0
    scores = {}
    for name, test in tests.items():
        heads = parsed.head[begin : begin + test.n_words]
        counted = ~punctuation_mask(test)
        scores[name] = float(np.mean(heads[counted] == test.head[counted]))
        begin += test.n_words
    return scores


WAYS = {
    "nearest": "nearest, natural or permuted",
    "nearest natural": "nearest natural",
    "best natural": "best natural (oracle)",
    "best of all": "best of all (oracle)",
    "own": "own train part, delexicalised",
}
"""Ways to choose a source, in short and in full."""


def choose_sources(transferred: pl.DataFrame, target: str) -> dict[str, dict[str, Any] | None]:
    """Return the source that each of the ways chooses for a target; the best is known too late."""
    rows = list(transferred.filter(target=target).iter_rows(named=True))
    sources = [row for row in rows if row["divergence"] is not None]
    natural = [row for row in sources if row["order"] == ORIGINAL]
    return {
        "nearest": next(iter(sources), None),
        "nearest natural": next(iter(natural), None),
        "best natural": max(natural, key=lambda row: row["uas"], default=None),
        "best of all": max(sources, key=lambda row: row["uas"], default=None),
        "own": next((row for row in rows if row["divergence"] is None), None),
    }


def nearness_and_accuracy(transferred: pl.DataFrame, target: str) -> float | None:
    """Return Kendall's tau-b of nearness and accuracy over all sources of other languages."""
    sources = transferred.filter(pl.col("divergence").is_not_null(), target=target)
    if sources.height < 2:
        return None
    return kendall_tau_b((-sources["divergence"]).to_list(), sources["uas"].to_list())
