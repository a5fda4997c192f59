"""Word order and parsing, as a paper that can be reproduced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from treegauge.papers.paper import (
    Frames,
    Measurements,
    Paper,
    Remark,
    Workbench,
    require_neural_parser,
    require_systems,
)
from treegauge.papers.word_order.settings import ORIGINAL, WordOrderPaperSettings

if TYPE_CHECKING:
    import polars as pl

    from treegauge.papers.word_order.measure import PermutedParsing
    from treegauge.reports.charts import Figure
    from treegauge.tables import Table


class WordOrderPaper(Paper[WordOrderPaperSettings]):
    """Gulordava and Merlo (2016), Multi-lingual dependency parsing evaluation."""

    name = "word-order"
    citation = (
        "Gulordava and Merlo (2016), Multi-lingual dependency parsing evaluation: a large-scale "
        "analysis of word order properties using artificial data. TACL"
    )
    summary = (
        "Word order (Gulordava and Merlo 2016): why a language is hard to parse.\n\n"
        "Trains and tests parsers on treebanks in their own order, with the shortest "
        "dependencies, left-branching and right-branching. Shows Tables 1 to 3 with the "
        "published figures, Figures 1 and 2, and what correlates with the differences. An "
        "interrupted run continues when it is started again."
    )
    lead = (
        "This page shows how much better parsers do when the words of a treebank are put into an "
        "easier order, and which properties of word order go with the difference."
    )
    example = "treegauge reproduce word-order -t la_cicero -t fa_seraji --data treebanks"
    settings_type = WordOrderPaperSettings
    # Under 60,000 tokens to learn from, and as different as the paper's: two with free order, one
    # with long dependencies, one with neither.
    default_treebanks = ("la_cicero", "nl_lassysmall", "fa_seraji", "fr_sequoia")
    small_treebanks = ("toy:svo", "toy:free")

    @property
    def remarks(self) -> Sequence[Remark]:
        """What the paper says that can be checked."""
        from treegauge.papers.word_order.remarks import REMARKS

        return REMARKS

    def small(self, settings: WordOrderPaperSettings) -> WordOrderPaperSettings:
        """Return settings with parsers that learn in seconds."""
        return replace(settings, epochs=settings.epochs or 2, optimise=False, resamples=200)

    def check(self, settings: WordOrderPaperSettings, workbench: Workbench) -> None:
        """Refuse parsers and orders that there are not."""
        from treegauge.rewrite.word_orders import parse_order

        require_systems(settings.all_parsers, "dependencies")
        require_neural_parser(wanted=settings.neural)
        for order in settings.orders:
            if order != ORIGINAL:
                parse_order(order)
        workbench.require_settings_of(settings.all_parsers, "parser")

    def measure(
        self, settings: WordOrderPaperSettings, workbench: Workbench
    ) -> Measurements[WordOrderPaperSettings]:
        """Permute treebanks, train and test parsers on every version, and relate the two."""
        from treegauge.evaluation.accuracy_prediction import write_rows
        from treegauge.papers.word_order.measure import parse_permuted
        from treegauge.papers.word_order.transfer import transfer

        # Everything is compared with the original.
        settings = replace(settings, orders=tuple(dict.fromkeys((ORIGINAL, *settings.orders))))
        parsing = parse_permuted(settings, workbench)
        frames = {**self._frames(parsing, settings), "parsers": _parsers(settings, workbench)}
        if settings.transfer:
            frames["transfer"] = transfer(parsing, settings, workbench)
        rows = workbench.folder / "accuracies.tsv"
        write_rows(parsing.accuracy_rows(), rows)
        workbench.say(f"wrote {rows}: what `treegauge predict-accuracy --learn-from` learns from")
        return Measurements(settings, frames, parsing.notes, parsing.failures)

    def _frames(
        self, parsing: PermutedParsing, settings: WordOrderPaperSettings
    ) -> dict[str, pl.DataFrame]:
        from treegauge.papers.word_order import effects

        accuracies, resamples = parsing.accuracies(), settings.resamples
        changes = effects.deltas(parsing.properties, accuracies)
        return {
            "properties": parsing.properties,
            "accuracies": accuracies,
            "deltas": changes,
            "effects": effects.regression(changes),
            "parser_effects": effects.parser_effects(changes),
            "agreement": effects.parser_agreement(accuracies, resamples=resamples),
            "sentences": effects.sentence_correlations(parsing, resamples=resamples),
            "branching": effects.branching_differences(parsing, resamples=resamples),
            "confusions": effects.label_confusions(parsing),
            "independence": effects.dlm_and_entropy(parsing.properties),
            "nonprojectivity": effects.dlm_and_nonprojectivity(
                parsing.properties, resamples=resamples
            ),
        }

    def tables(self, measured: Measurements[WordOrderPaperSettings]) -> list[Table]:
        """Return Tables 1 to 3, what Figures 1 and 2 show, and what goes with it."""
        from treegauge.papers.word_order.tables import all_tables

        nearest = dict(self.read_published("nearest_treebanks.tsv").iter_rows())
        return all_tables(measured, self.published(), nearest)

    def figures(self, measured: Measurements[WordOrderPaperSettings]) -> list[Figure]:
        """Return Figures 1 and 2 for every parser."""
        from treegauge.papers.word_order.tables import delta_figures

        return delta_figures(measured.frames["deltas"])

    def published(self) -> Frames:
        """Return Tables 1 to 3, what follows from them, and the correlations of the text."""
        from treegauge.papers.word_order import effects

        properties = self.read_published("published_properties.tsv")
        accuracies = self.read_published("published_accuracies.tsv")
        changes = effects.deltas(properties, accuracies)
        correlations = self.read_published("published_correlations.tsv")
        return {
            "properties": properties,
            "accuracies": accuracies,
            "deltas": changes,
            "effects": effects.regression(changes),
            "independence": effects.dlm_and_entropy(properties),
            **{
                name: correlations.filter(frame=name).drop("frame")
                for name in ("sentences", "branching", "nonprojectivity", "independence_in_text")
            },
        }


def _parsers(settings: WordOrderPaperSettings, workbench: Workbench) -> pl.DataFrame:
    """Return the settings of parsers for natural and for branching orders, in words."""
    import polars as pl

    from treegauge.papers.word_order.measure import settings_of_parser

    rows = []
    for parser in settings.all_parsers:
        ways = settings_of_parser(settings, workbench.system_settings, parser)
        wordings = {
            kind: ", ".join(f"{key} {value}" for key, value in way.items())
            for kind, way in ways.items()
        }
        rows.append({"parser": parser, **wordings, "is_same": ways["natural"] == ways["branching"]})
    return pl.DataFrame(rows)
