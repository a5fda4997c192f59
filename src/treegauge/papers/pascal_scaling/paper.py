"""More and more raw text, which the challenge's paper asks for and does not have."""

from __future__ import annotations

from dataclasses import replace

from treegauge.papers.paper import Measurements, Paper, Workbench
from treegauge.papers.pascal_scaling.settings import INDUCERS, ScalingSettings
from treegauge.tables import PERCENT, Column, NumberFormat, Table

_COLUMNS = (
    *("system", "tokens", "types", Column("M-1", "many_to_one", PERCENT)),
    Column("VM", "v_measure", PERCENT),
    Column("seconds", format=NumberFormat(1)),
    Column("peak MiB", "peak_memory", NumberFormat(0)),
)


class Scaling(Paper[ScalingSettings]):
    """Gelling, Cohn, Blunsom and Graça (2012), section 6.1."""

    name = "pascal-scaling"
    citation = "Gelling et al. (2012), The PASCAL Challenge on Grammar Induction, section 6.1"
    summary = (
        "Inducers of classes on more raw text: accuracy, time and memory.\n\n"
        "The paper of the challenge (Gelling et al. 2012) asks how methods scale to large "
        "corpora, and leaves the question open. The text comes from a toy language, or from "
        "treebanks as far as they go. The scored text is the same for all sizes."
    )
    lead = (
        "This page shows how accuracy, time and memory of inducers of classes grow with the amount "
        "of raw text."
    )
    example = "treegauge reproduce pascal-scaling --tokens 100000"
    settings_type = ScalingSettings

    def small(self, settings: ScalingSettings) -> ScalingSettings:
        """Return settings that take seconds."""
        return replace(settings, systems="fast", sizes=(2000, 10_000), classes=12, test_tokens=1000)

    def check(self, settings: ScalingSettings, workbench: Workbench) -> None:
        """Refuse settings of systems that take no part."""
        del settings
        workbench.require_settings_of(INDUCERS, "inducer")

    def measure(
        self, settings: ScalingSettings, workbench: Workbench
    ) -> Measurements[ScalingSettings]:
        """Induce classes from texts of several sizes."""
        from treegauge.papers.pascal_scaling.measure import measure

        return measure(settings, workbench)

    def tables(self, measured: Measurements[ScalingSettings]) -> list[Table]:
        """Return accuracy, time and memory by the size of the text, a table for every text."""
        settings = measured.settings
        notes = [
            "scored on test, which is also training text; seconds and memory of one cell on one "
            "thread: reading, learning, annotating, and compiling where it is the first"
        ]
        if settings.systems == "all":
            notes.append(f"samplers up to {settings.sampler_tokens:,} tokens")
        keys = [column if isinstance(column, str) else column.key for column in _COLUMNS]
        return [
            Table(
                _COLUMNS,
                own.select(keys).iter_rows(),
                title=f"More raw text of {text}: {settings.classes} classes",
                notes=[*notes, *measured.failures],
            )
            for (text,), own in measured.frames["inducers"].group_by("text", maintain_order=True)
        ]
