"""Derivation perplexity of treebanks and of parsers, as a paper that can be reproduced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from treegauge.papers.paper import (
    Frames,
    Measurements,
    Paper,
    PaperSettings,
    Remark,
    Workbench,
    require_neural_parser,
    require_systems,
    with_neural_parser,
)
from treegauge.settings import setting

if TYPE_CHECKING:
    import polars as pl

    from treegauge.reports.charts import Figure
    from treegauge.tables import Table


@dataclass(frozen=True)
class DerivationPerplexitySettings(PaperSettings):
    """What can be chosen about the experiments; the language model is that of the paper."""

    perplexity: str = setting(
        "srilm",
        "How perplexity is measured: srilm, kenlm, closed, order=4, field=upos and so on. "
        "Default: srilm, as in the paper.",
        metavar="SETTINGS",
    )
    others: tuple[str, ...] = setting(
        ("graph",),
        "Parsers in addition to the four transition systems.",
        metavar="NAMES",
    )
    neural: bool = setting(False, "Also train `biaffine`, which needs PyTorch.", flags="--neural")
    epochs: int | None = setting(
        None, "Epochs of all parsers. Default: those of the parsers.", minimum=1
    )
    projectivise: bool = setting(
        False, "Make all train and test trees projective first.", flags="--projectivise"
    )
    resamples: int = setting(1000, "Bootstrap resamples of the intervals.", minimum=0)
    trials: int = setting(10_000, "Permutations of the tests between parsers.", minimum=0)

    @property
    def all_others(self) -> tuple[str, ...]:
        """The parsers that are named, and the neural one if it is wanted."""
        return with_neural_parser(self.others, wanted=self.neural)


class DerivationPerplexity(Paper[DerivationPerplexitySettings]):
    """Søgaard and Haulrich (2010), On the derivation perplexity of treebanks."""

    name = "perplexity"
    citation = "Søgaard and Haulrich (2010), On the derivation perplexity of treebanks. TLT"
    summary = (
        "Derivation perplexity (Søgaard and Haulrich 2010): of treebanks, and of parsers.\n\n"
        "Does the perplexity of the order in which words are attached correlate with the "
        "accuracy of parsers over treebanks? Is it a metric of parsers that needs no gold? "
        "Published figures are shown next to ours. An interrupted run continues when it is "
        "started again."
    )
    lead = (
        "Derivation perplexity measures how predictable words are in the order in which a parser "
        "attaches them. This page shows whether it goes with the accuracy of parsers, and whether "
        "it can rank parsers without gold."
    )
    example = "treegauge reproduce perplexity -t da_ddt -t tr_imst -t fa_seraji --data treebanks"
    settings_type = DerivationPerplexitySettings
    # What takes minutes: under 40,000 tokens to learn from, of different sizes and languages.
    default_treebanks = (
        *("ta_ttb", "da_ddt", "cs_cac", "de_gsd", "cs_cltt", "fa_seraji", "bg_btb", "tr_imst"),
    )
    small_treebanks = ("toy:svo", "toy:sov", "toy:vso", "toy:free")

    @property
    def remarks(self) -> Sequence[Remark]:
        """What the paper says that can be checked."""
        from treegauge.papers.perplexity.remarks import REMARKS

        return REMARKS

    def small(self, settings: DerivationPerplexitySettings) -> DerivationPerplexitySettings:
        """Return settings with parsers that learn in seconds."""
        return replace(settings, epochs=settings.epochs or 2)

    def check(self, settings: DerivationPerplexitySettings, workbench: Workbench) -> None:
        """Refuse parsers and settings of perplexity that there are not."""
        from treegauge.properties.derivation_perplexity import PerplexitySettings

        require_systems(settings.all_others, "dependencies")
        require_neural_parser(wanted=settings.neural)
        workbench.require_settings_of(("transition", *settings.all_others), "parser")
        PerplexitySettings.parse(settings.perplexity)

    def measure(
        self, settings: DerivationPerplexitySettings, workbench: Workbench
    ) -> Measurements[DerivationPerplexitySettings]:
        """Train and run the parsers, measure perplexities, and relate them to accuracy."""
        from treegauge.papers.perplexity import statistics
        from treegauge.papers.perplexity.measure import measure

        frames, run = measure(settings, workbench)
        treebanks = frames["treebanks"]
        resamples = settings.resamples
        frames |= {
            "increases": statistics.increases(treebanks),
            "correlations": statistics.accuracy_correlations(treebanks, resamples=resamples),
            "metrics": statistics.metric_correlations(frames["parsers"]),
            "separations": statistics.separations(frames["tests"]),
        }
        return Measurements(settings, frames, failures=tuple(map(str, run.failures)))

    def tables(self, measured: Measurements[DerivationPerplexitySettings]) -> list[Table]:
        """Return tables of treebanks, of correlations and of parsers."""
        from treegauge.papers.perplexity.tables import all_tables

        return all_tables(measured, self.published(), self.shared_task_accuracies)

    def figures(self, measured: Measurements[DerivationPerplexitySettings]) -> list[Figure]:
        """Return accuracy over size, and over size by string and derivation perplexity."""
        from treegauge.papers.perplexity.tables import accuracy_figures

        return accuracy_figures(measured.frames["treebanks"])

    def published(self) -> Frames:
        """Return the paper's tables of sections 5, 5.1 and 5.2."""
        import polars as pl

        figures = self.read_published()

        def of(frame: str) -> pl.DataFrame:
            return figures.filter(pl.col("frame") == frame)

        increases = of("increases").pivot("column", index="group", values="value")
        ratio = pl.col("derivation") / pl.col("string") - 1
        metrics = of("metrics").pivot("column", index="variable", values="value")
        return {
            "increases": increases.with_columns(ratio.alias("ratio_of_means")),
            "correlations": of("correlations")
            .rename({"column": "accuracy", "value": "pearson"})
            .drop("frame"),
            "metrics": metrics.with_columns(pl.lit("canonical").alias("order")),
        }

    @cached_property
    def shared_task_accuracies(self) -> pl.DataFrame:
        """The best and the mean accuracies of shared tasks, which the paper correlates with.

        They are unverified: they were written down from memory of the shared tasks' papers
        (Buchholz and Marsi 2006, Nivre et al. 2007), and are only ever shown for a treebank of
        that shared task, which a user must have a copy of.
        """
        return self.read_published("shared_task_accuracies.tsv")
