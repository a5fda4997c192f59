"""What `evaluate` and `compare` can be asked alike: metrics, conventions, strata, tests."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.completion import offer_metrics, offer_presets, offer_strata, offer_treebanks
from treegauge.cli.help_pages import INPUT, OUTPUT, SCORED, TESTS
from treegauge.cli.in_force import typed_command
from treegauge.cli.treebanks import DataOption, open_treebank, report
from treegauge.wording import listed

if TYPE_CHECKING:
    from treegauge.evaluation import Resampling
    from treegauge.metrics import Conventions
    from treegauge.reports.pages import Provenance
    from treegauge.treebank import Treebank

GoldArgument = Annotated[
    str,
    typer.Argument(
        metavar="GOLD", autocompletion=offer_treebanks, help="The gold standard: a file or a name."
    ),
]
MetricsOption = Annotated[
    str,
    typer.Option(
        "--metrics",
        "-m",
        metavar="LIST",
        autocompletion=offer_metrics,
        rich_help_panel=SCORED,
        help="Metrics or families, such as las,uas@10. See treegauge list metrics.",
    ),
]
PresetOption = Annotated[
    str,
    typer.Option(
        "--preset",
        autocompletion=offer_presets,
        rich_help_panel=SCORED,
        help="The scoring conventions: conll2018, conll2006 or pascal.",
    ),
]
PunctuationOption = Annotated[
    str,
    typer.Option(
        "--punctuation",
        rich_help_panel=SCORED,
        help="Whether punctuation is counted, ignored or removed. Default: as in the preset.",
    ),
]
SubtypesOption = Annotated[
    bool | None,
    typer.Option(
        "--subtypes/--no-subtypes",
        rich_help_panel=SCORED,
        help="Compare relations with their subtypes.",
    ),
]
AverageOption = Annotated[
    str,
    typer.Option(
        "--average",
        rich_help_panel=SCORED,
        help="micro: average over all words. sentence: average over sentences.",
    ),
]
TagsOption = Annotated[
    str,
    typer.Option(
        "--tags", rich_help_panel=SCORED, help="The gold tags that induced tags are compared with."
    ),
]
SkipLengthOneOption = Annotated[
    bool,
    typer.Option(
        "--skip-length-one",
        rich_help_panel=SCORED,
        help="Leave out sentences with only one scored word.",
    ),
]
CountRootOption = Annotated[
    bool,
    typer.Option(
        "--count-root/--no-count-root",
        rich_help_panel=SCORED,
        help="Count the edges of root words.",
    ),
]
AlignOption = Annotated[
    bool,
    typer.Option(
        "--align", rich_help_panel=SCORED, help="Align different tokenisations by characters."
    ),
]
ByOption = Annotated[
    list[str],
    typer.Option(
        "--by",
        metavar="STRATUM",
        autocompletion=offer_strata,
        rich_help_panel=SCORED,
        help="Break down by a stratum, or by two crossed: relation*direction.",
    ),
]
TrainOption = Annotated[
    str,
    typer.Option(
        "--train",
        metavar="FILE",
        autocompletion=offer_treebanks,
        rich_help_panel=INPUT,
        help="Training data, for the strata known and frequency.",
    ),
]
TestOption = Annotated[
    str,
    typer.Option(
        "--test",
        rich_help_panel=TESTS,
        help="The paired test between every two systems: permutation or bootstrap.",
    ),
]
TrialsOption = Annotated[
    int,
    typer.Option(
        "--trials",
        min=0,
        rich_help_panel=TESTS,
        help="Number of permutations or resamples of each test.",
    ),
]
ResamplesOption = Annotated[
    int,
    typer.Option(
        "--resamples",
        min=0,
        rich_help_panel=TESTS,
        help="Number of bootstrap resamples for intervals.",
    ),
]
ConfidenceOption = Annotated[
    float,
    typer.Option(
        "--confidence",
        min=0.5,
        max=0.9999,
        rich_help_panel=TESTS,
        help="Confidence level of the intervals.",
    ),
]
IntervalKindOption = Annotated[
    str,
    typer.Option(
        "--interval-kind",
        rich_help_panel=TESTS,
        help="The kind of the intervals: percentile, bca, studentised, or auto (studentised for "
        "fewer than 100 sentences).",
    ),
]
SeedOption = Annotated[
    int, typer.Option("--seed", min=0, rich_help_panel=TESTS, help="Seed of resamples and trials.")
]
StrictOption = Annotated[
    bool,
    typer.Option(
        "--strict", rich_help_panel=INPUT, help="Treat gold sentences that are not trees as errors."
    ),
]
FiguresOption = Annotated[
    str,
    typer.Option(
        "--figures",
        metavar="DIR",
        rich_help_panel=OUTPUT,
        help="With HTML output: also write all figures as SVG and PDF.",
    ),
]


@dataclass(frozen=True)
class ScoringOptions:
    """What `evaluate` and `compare` can be asked alike; a field is an option."""

    metrics: MetricsOption = ""
    preset: PresetOption = "conll2018"
    punctuation: PunctuationOption = ""
    subtypes: SubtypesOption = None
    average: AverageOption = "micro"
    tags: TagsOption = "u"
    skip_length_one: SkipLengthOneOption = False
    count_root: CountRootOption = True
    align: AlignOption = False
    by: ByOption = field(default_factory=list)
    train: TrainOption = ""
    test: TestOption = "permutation"
    trials: TrialsOption = 10_000
    resamples: ResamplesOption = 1000
    confidence: ConfidenceOption = 0.95
    interval_kind: IntervalKindOption = "auto"
    seed: SeedOption = 0
    strict: StrictOption = False
    data: DataOption = field(default_factory=list)
    figures: FiguresOption = ""

    def conventions(self) -> Conventions:
        """Return what the options say, or complain about one of them."""
        from treegauge.errors import TreegaugeError
        from treegauge.metrics import preset as preset_of

        for value, known in (
            (self.punctuation, ("", "counted", "ignored", "removed")),
            (self.average, ("micro", "sentence")),
        ):
            if value not in known:
                raise typer.BadParameter(
                    f"{value!r} is not one of {', '.join(filter(None, known))}"
                )
        try:
            conventions = preset_of(
                self.preset,
                average=self.average,
                tags=self.tags,
                skip_length_one=self.skip_length_one,
                count_root=self.count_root,
            )
        except TreegaugeError as error:
            raise typer.BadParameter(str(error)) from None
        if self.punctuation:
            conventions = conventions.with_punctuation(self.punctuation)  # type: ignore[arg-type]
        if self.subtypes is None:
            return conventions
        return replace(conventions, subtypes=self.subtypes)

    def open_gold(self, gold: str) -> Treebank:
        """Read the gold standard."""
        return open_treebank(gold, data=self.data, format=None, strict=self.strict)

    def open_training(self) -> Treebank | None:
        """Read the training data, if there is any."""
        return open_treebank(self.train, data=self.data, format=None) if self.train else None

    def arguments(self) -> dict[str, Any]:
        """Return what `evaluate` and `compare` are called with."""
        return {
            "metrics": listed(self.metrics),
            "conventions": self.conventions(),
            "align": self.align,
            "by": self.by,
            "training": self.open_training(),
            "test": self.test,
            "trials": self.trials,
            "resamples": self.resamples,
            "confidence": self.confidence,
            "interval_kind": self.interval_kind,
            "seed": self.seed,
        }

    def resampling(self) -> Resampling:
        """Return how intervals and tests are drawn."""
        from treegauge.evaluation import Resampling

        return Resampling(
            self.resamples, self.confidence, self.test, self.trials, self.seed, self.interval_kind
        )

    def provenance(self, gold: str, systems: list[str], seconds: float) -> Provenance:
        """Return how numbers were made, with the command that makes them again."""
        from treegauge.reports.pages import Provenance

        return Provenance(
            gold,
            systems,
            # Standard input is gone, and with it the way to the same page.
            "" if "-" in (gold, *systems) else typed_command(),
            self.resamples,
            self.confidence,
            self.trials,
            self.test,
            self.seed,
            seconds,
            data=self.data,
            interval_kind=self.interval_kind,
        )


def open_system(path: str) -> tuple[Treebank, list[str]]:
    """Read a system's output, which may be no tree; return it and what is wrong with it."""
    from treegauge.formats import Findings, read

    findings = Findings()
    with console.progress(f"reading {path}") as advance:
        treebank = read(path, role="prediction", findings=findings, on_progress=advance)
    report(findings)
    return treebank, [findings.summary()] if len(findings) else []
