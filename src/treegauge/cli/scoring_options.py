"""What `evaluate` and `compare` can be asked alike: metrics, conventions, strata, tests."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from treegauge.cli import console
from treegauge.cli.treebanks import report

if TYPE_CHECKING:
    from treegauge.metrics import Conventions
    from treegauge.treebank import Treebank

GoldArgument = Annotated[
    str, typer.Argument(metavar="GOLD", help="The gold standard: file or name.")
]
MetricsOption = Annotated[
    str,
    typer.Option(
        "--metrics", "-m", metavar="LIST", help="las,uas@10,… or families; see list metrics."
    ),
]
PresetOption = Annotated[str, typer.Option("--preset", help="conll2018, conll2006 or pascal.")]
PunctuationOption = Annotated[
    str,
    typer.Option("--punctuation", help="counted, ignored or removed; the preset's if missing."),
]
SubtypesOption = Annotated[
    bool | None,
    typer.Option("--subtypes/--no-subtypes", help="Compare relations with their subtypes."),
]
AverageOption = Annotated[
    str, typer.Option("--average", help="micro, or sentence for the mean over sentences.")
]
TagsOption = Annotated[
    str, typer.Option("--tags", help="Gold tags that induced tags are compared with.")
]
SkipLengthOneOption = Annotated[
    bool, typer.Option("--skip-length-one", help="Leave out sentences with one word to score.")
]
CountRootOption = Annotated[
    bool, typer.Option("--count-root/--no-count-root", help="Count the edges of root words.")
]
AlignOption = Annotated[
    bool, typer.Option("--align", help="Align different tokenisations by characters.")
]
ByOption = Annotated[
    list[str],
    typer.Option("--by", metavar="STRATUM", help="Break down; two crossed as relation*direction."),
]
TrainOption = Annotated[
    str, typer.Option("--train", metavar="FILE", help="Training data, for known and frequency.")
]
TestOption = Annotated[
    str, typer.Option("--test", help="permutation or bootstrap, between every two systems.")
]
TrialsOption = Annotated[int, typer.Option("--trials", min=0, help="Of the tests.")]
ResamplesOption = Annotated[int, typer.Option("--resamples", min=0, help="For intervals.")]
ConfidenceOption = Annotated[
    float, typer.Option("--confidence", min=0.5, max=0.9999, help="Of the intervals.")
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Of resamples and trials.")]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="Gold sentences that are no trees are errors.")
]


def chosen_metrics(metrics: str) -> list[str]:
    """Return the metrics of a list with commas."""
    return [text for text in metrics.split(",") if text.strip()]


def chosen_conventions(
    preset: str,
    punctuation: str,
    subtypes: bool | None,
    average: str,
    tags: str,
    *,
    skip_length_one: bool,
    count_root: bool,
) -> Conventions:
    """Return what the options say, or complain about one of them."""
    from treegauge.metrics import MetricError, preset as preset_of

    for value, known in (
        (punctuation, ("", "counted", "ignored", "removed")),
        (average, ("micro", "sentence")),
    ):
        if value not in known:
            raise typer.BadParameter(f"{value!r} is none of {', '.join(filter(None, known))}")
    try:
        conventions = preset_of(
            preset,
            average=average,
            tags=tags,
            skip_length_one=skip_length_one,
            count_root=count_root,
        )
    except MetricError as error:
        raise typer.BadParameter(str(error)) from None
    if punctuation:
        conventions = conventions.with_punctuation(punctuation)  # type: ignore[arg-type]
    return conventions if subtypes is None else replace(conventions, subtypes=subtypes)


def open_system(path: str) -> tuple[Treebank, list[str]]:
    """Read a system's output, which may be no tree; return it and what is wrong with it."""
    from treegauge.formats import Findings, read

    findings = Findings()
    with console.progress(f"reading {path}") as advance:
        treebank = read(path, role="prediction", findings=findings, on_progress=advance)
    report(findings)
    return treebank, [findings.summary()] if len(findings) else []
