"""What induced classes are good for, which the challenge's paper asks for and does not have."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from treegauge.papers.paper import Measurements, Paper, Workbench
from treegauge.papers.pascal_extrinsic.settings import ExtrinsicSettings

if TYPE_CHECKING:
    from treegauge.tables import Table


class Extrinsic(Paper[ExtrinsicSettings]):
    """Gelling, Cohn, Blunsom and Graça (2012), section 6.1."""

    name = "pascal-extrinsic"
    citation = "Gelling et al. (2012), The PASCAL Challenge on Grammar Induction, section 6.1"
    summary = (
        "The use of induced classes in other systems: tagging from few sentences, and parsing.\n\n"
        "The paper of the challenge (Gelling et al. 2012) calls for an evaluation of induced "
        "classes in other systems. Here they are features of a tagger and the only tags of a "
        "parser, and are compared with no classes, random classes, word endings and gold tags. "
        "Does any metric of classes predict which inducer helps most? An interrupted run "
        "continues when it is started again."
    )
    lead = (
        "This page shows how much induced classes help a tagger that has few sentences to learn "
        "from, and a parser that has no other tags, and whether the metrics of classes predict it."
    )
    example = "treegauge reproduce pascal-extrinsic --systems all --data treebanks"
    settings_type = ExtrinsicSettings
    # Small treebanks of five languages, each with a thousand sentences to learn from.
    default_treebanks = ("cs_fictree", "tr_imst", "sl_ssj", "el_gdt", "fr_sequoia")
    small_treebanks = ("toy:svo",)
    small_tokens = 6000
    small_on_disk = True

    def small(self, settings: ExtrinsicSettings) -> ExtrinsicSettings:
        """Return what takes a minute on a toy language."""
        return replace(
            settings,
            inducers=("brown", "predictive-exchange"),
            classes=12,
            sentences=(20, 50),
            draws=1,
            tagger_iterations=20,
            parser_epochs=1,
            trials=500,
        )

    def check(self, settings: ExtrinsicSettings, workbench: Workbench) -> None:
        """Refuse inducers that there are not, and settings of systems that take no part."""
        from treegauge.papers.pascal_extrinsic.measure import check

        check(settings)
        takes_part = (*settings.all_inducers, "crf", settings.parser)
        workbench.require_settings_of(takes_part, "system")

    def measure(
        self, settings: ExtrinsicSettings, workbench: Workbench
    ) -> Measurements[ExtrinsicSettings]:
        """Induce classes, and use them as features and as tags."""
        from treegauge.papers.pascal_extrinsic.measure import measure

        return measure(settings, workbench)

    def tables(self, measured: Measurements[ExtrinsicSettings]) -> list[Table]:
        """Return what classes are worth in tasks, for which words, and what predicts it."""
        from treegauge.papers.pascal_extrinsic import tables

        return [
            tables.value_table(measured),
            tables.word_table(measured),
            tables.agreement_table(measured),
        ]
