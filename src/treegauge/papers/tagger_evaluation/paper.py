"""The paper on evaluating taggers without test data, as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from treegauge.papers.paper import (
    Frames,
    Measurements,
    MisuseError,
    Paper,
    Remark,
    Workbench,
    require_systems,
)
from treegauge.papers.tagger_evaluation.settings import (
    NONE,
    PAPER,
    PAPER_TAGGERS,
    TAGGERS,
    TOYS,
    TRANSFER,
    TaggerEvaluationSettings,
)

if TYPE_CHECKING:
    from treegauge.catalogue import Catalogue
    from treegauge.papers.tagger_evaluation.dictionary_sources import DictionarySources
    from treegauge.reports.charts import Figure
    from treegauge.tables import Table

_ENGLISH = "en_ewt"
_SMALL_TAGGERS = ("tnt", "most-frequent-tag")
_SMALL_SENTENCES = 200


class TaggerEvaluation(Paper[TaggerEvaluationSettings]):
    """Taggers scored by dictionaries instead of gold."""

    name = "tagger-evaluation"
    citation = "Agić, Plank and Søgaard (2017), Cross-lingual tagger evaluation without test data"
    summary = (
        "Taggers without test data (Agić et al. 2017): evaluation by dictionaries.\n\n"
        "Trains taggers on treebanks that have a dictionary, and scores them by gold, by the "
        "dictionary and by a translated dictionary: Table 1 and Figure 1, the ranking of "
        "taggers, how many annotated sentences would work as well, and accuracies calibrated on "
        "the other languages. Published figures are shown next to ours. An interrupted run "
        "continues when it is started again."
    )
    lead = (
        "This page shows how well a dictionary ranks taggers, and predicts their accuracy, where "
        "there is no annotated test set."
    )
    example = "treegauge reproduce tagger-evaluation --dictionaries dictionaries --data treebanks"
    settings_type = TaggerEvaluationSettings
    # What takes minutes: development languages of the paper with small treebanks.
    default_treebanks = ("da_ddt", "el_gdt", "de_gsd")
    small_treebanks = ("toy:sov", "toy:vso", "toy:free")

    @property
    def remarks(self) -> Sequence[Remark]:
        """What the paper says that can be checked."""
        from treegauge.papers.tagger_evaluation.remarks import REMARKS

        return REMARKS

    def small(self, settings: TaggerEvaluationSettings) -> TaggerEvaluationSettings:
        """Return settings for toy languages, which have dictionaries of their own."""
        from treegauge.papers.tagger_evaluation.dictionary_sources import TOY_ENGLISH

        chosen = (settings.dictionaries, settings.own, settings.bilingual, settings.english)
        if settings.everything or any(chosen):
            raise MisuseError("--small has its own treebanks and dictionaries")
        return replace(
            settings,
            taggers=settings.taggers or _SMALL_TAGGERS,
            dictionaries=TOYS,
            english_treebank=settings.english_treebank or TOY_ENGLISH,
            sentences=settings.sentences or _SMALL_SENTENCES,
        )

    def check(self, settings: TaggerEvaluationSettings, workbench: Workbench) -> None:
        """Refuse other systems than taggers, and dictionaries or treebanks that are not there."""
        from treegauge.papers.tagger_evaluation.dictionary_sources import (
            find_dictionaries,
            frequency_files,
        )

        frequency_files(settings)
        if settings.everything and settings.treebanks != self.default_treebanks:
            raise MisuseError("--all takes all treebanks: leave --treebank out")
        dictionaries = find_dictionaries(settings)
        complete = _complete(settings, workbench.catalogue, dictionaries)
        names = (*complete.taggers, *complete.cross_lingual)
        require_systems(names, "tags")
        workbench.require_settings_of(names, "tagger")
        if not complete.treebanks:
            raise MisuseError("--all: no available treebank has a dictionary; see --data")

    def measure(
        self, settings: TaggerEvaluationSettings, workbench: Workbench
    ) -> Measurements[TaggerEvaluationSettings]:
        """Train and run the taggers, and score them in every way.

        Raises
        ------
        ExperimentError
            If no treebank can be used, or none was tagged.
        """
        from treegauge.dictionaries import from_treebank
        from treegauge.papers.tagger_evaluation.calibration import calibration_frame
        from treegauge.papers.tagger_evaluation.dictionary_sources import (
            find_dictionaries,
            frequency_files,
        )
        from treegauge.papers.tagger_evaluation.measure import (
            Measured,
            frequencies_of,
            measure_bank,
            read_banks,
            run_taggers,
        )
        from treegauge.papers.tagger_evaluation.statistics import derive_frames
        from treegauge.runs.errors import ExperimentError

        dictionaries = find_dictionaries(settings)
        settings = _complete(settings, workbench.catalogue, dictionaries)
        banks, left_out = read_banks(settings.treebanks, workbench, dictionaries, settings)
        outputs, failures = run_taggers(banks, workbench, settings)
        english = None
        if settings.english_treebank:
            (entry,) = workbench.catalogue.resolve(settings.english_treebank)
            english = from_treebank(entry.read("train", findings=[]))
        texts = frequency_files(settings)
        measured = Measured()
        for bank in banks:
            counts = frequencies_of(bank, texts, workbench)
            failures += measure_bank(
                measured, bank, outputs[bank.name], dictionaries, english, settings, counts
            )
        if not measured.rows:
            raise ExperimentError("no treebank was tagged\n  " + "\n  ".join(failures))
        frames = measured.frames()
        published = self.published()["table"]
        development = set(published.filter(published["is_development"])["language"])
        frames |= derive_frames(frames, settings, development)
        frames["calibration"] = calibration_frame(measured.records)
        notes = [f"left out: {name}, {reason}" for name, reason in left_out.items()]
        return Measurements(settings, frames, tuple(notes), tuple(failures))

    def tables(self, measured: Measurements[TaggerEvaluationSettings]) -> list[Table]:
        """Return Table 1 and what the text of the paper reports, ours beside theirs."""
        from treegauge.papers.tagger_evaluation.tables import paper_tables

        return paper_tables(measured, self.published())

    def figures(self, measured: Measurements[TaggerEvaluationSettings]) -> list[Figure]:
        """Return Figure 1, by D and by G, and the error over accuracy."""
        from treegauge.papers.tagger_evaluation.figures import paper_figures

        return paper_figures(measured.frames)

    def published(self) -> Frames:
        """Return Table 1 and the figures of the text."""
        from treegauge.papers.tagger_evaluation.published import published_frames

        return published_frames(self.read_published(), self.read_published("published_text.tsv"))


def _complete(
    settings: TaggerEvaluationSettings, catalogue: Catalogue, dictionaries: DictionarySources
) -> TaggerEvaluationSettings:
    """Return settings with everything that depends on what is at hand."""
    from treegauge.systems import systems

    treebanks = settings.treebanks
    if settings.everything:
        treebanks = tuple(
            entry.name
            for entry in catalogue.entries
            if dictionaries.has_dictionary(entry.name, entry.iso)
        )
    cross_lingual = settings.cross_lingual
    if not cross_lingual and TRANSFER in systems():
        cross_lingual = (TRANSFER,)
    english = settings.english_treebank
    if not english and any(entry.name == _ENGLISH for entry in catalogue.entries):
        english = _ENGLISH
    return replace(
        settings,
        treebanks=treebanks,
        taggers=_taggers(settings.taggers or TAGGERS),
        cross_lingual=() if cross_lingual == (NONE,) else cross_lingual,
        english_treebank=english,
    )


def _taggers(names: Sequence[str]) -> tuple[str, ...]:
    """Return taggers, each once, with the paper's five for their common name."""
    listed = (PAPER_TAGGERS if name == PAPER else (name,) for name in names)
    return tuple(dict.fromkeys(tagger for own in listed for tagger in own))
