"""`treegauge dictionary`: taggers evaluated without gold, by dictionaries."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import Results, prints_results
from treegauge.cli.dictionary_files import (
    CaseOption,
    Casing,
    DictionaryArgument,
    Symbols,
    SymbolsOption,
    from_treebank_cli,
    import_cli,
    open_dictionary,
    quality_cli,
    translate_cli,
)
from treegauge.cli.help_pages import INPUT, OUTPUT, VerbGroup
from treegauge.cli.scoring_options import (
    ConfidenceOption,
    ResamplesOption,
    SeedOption,
    TrialsOption,
    open_system,
)
from treegauge.cli.treebanks import DataOption, is_file, open_treebank
from treegauge.cli.verb import Verb

if TYPE_CHECKING:
    from treegauge.dictionaries import Assessment
    from treegauge.treebank import Treebank

app = typer.Typer(
    cls=VerbGroup,
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="Evaluate taggers without gold, with dictionaries of words and tags.",
    epilog="Example: `treegauge dictionary score da.tsv tnt.conllu crf.conllu`",
)

_FEW = 0.05
"""A dictionary that has a smaller share of the words is perhaps of another language."""


@app.callback()
def dictionary() -> None:
    """Evaluate taggers without gold, with dictionaries of words and tags."""


class Punctuation(StrEnum):
    """Whether punctuation marks are scored."""

    COUNTED = "counted"
    IGNORED = "ignored"


class CurveKind(StrEnum):
    """What a curve is over."""

    SIZE = "size"
    CORRUPTION = "corruption"
    HELD_OUT = "held-out"


TaggedArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="TAGGED...", help="Outputs of taggers for the same text: FILE or NAME=FILE."
    ),
]
GoldOption = Annotated[
    str,
    typer.Option(
        "--gold", metavar="GOLD", rich_help_panel=INPUT, help="The same text with gold tags."
    ),
]
PunctuationOption = Annotated[
    Punctuation, typer.Option("--punctuation", help="Whether punctuation marks are scored.")
]
NumbersOption = Annotated[
    bool, typer.Option("--numbers", help="Treat digits that are not in the dictionary as NUM.")
]


# ---------------------------------------------------------------------- what all are asked about


@dataclass(frozen=True)
class Question:
    """What a user names: a dictionary, taggers' outputs, gold, and how words are looked up."""

    dictionary: str
    tagged: Sequence[str]
    gold: str
    case: Casing
    punctuation: Punctuation
    numbers: bool
    symbols: Symbols
    data: list[str]

    def read(self) -> Assessment:
        """Read all of it, and say if the dictionary is perhaps of another language."""
        from treegauge.dictionaries import Assessment, Matching

        union, parts = open_dictionary(self.dictionary)
        outputs = [_open_tagged(text) for text in self.tagged]
        assessment = Assessment(
            union,
            outputs,
            gold=open_treebank(self.gold, data=self.data, format=None) if self.gold else None,
            matching=Matching(
                self.case.value, self.punctuation.value, self.numbers, self.symbols.value
            ),
            parts=parts,
            called=self.dictionary,
        )
        if assessment.coverage < _FEW:
            console.say(
                f"only {100 * assessment.coverage:.1f}% of the words that are no punctuation marks "
                f"are in {self.dictionary}: is it of this language?",
                style="yellow",
            )
        return assessment


_ARGUMENTS = {"dictionary": DictionaryArgument, "tagged": TaggedArgument}
_OPTIONS = {
    "gold": (GoldOption, ""),
    "case": (CaseOption, Casing.EXACT),
    "punctuation": (PunctuationOption, Punctuation.COUNTED),
    "numbers": (NumbersOption, False),
    "symbols": (SymbolsOption, Symbols.X),
    "data": (DataOption, []),
}


def asks_taggers(verb: Callable[..., Results]) -> Callable[..., Results]:
    """Give a verb the arguments and options of a `Question`, which it takes as its first argument.

    A verb with arguments `dictionary` and `tagged` of its own is asked these instead.
    """
    first, *own = inspect.signature(verb, eval_str=True).parameters.values()

    def asking(**chosen: Any) -> Results:
        answers = {name: chosen.pop(name) for name in (*_ARGUMENTS, *_OPTIONS)}
        return verb(**{first.name: Question(**answers)}, **chosen)

    by_name = {one.name: one for one in own}
    kind = inspect.Parameter.KEYWORD_ONLY
    arguments = [
        by_name.pop(name, inspect.Parameter(name, kind, annotation=annotation))
        for name, annotation in _ARGUMENTS.items()
    ]
    options = [
        inspect.Parameter(name, kind, default=default, annotation=annotation)
        for name, (annotation, default) in _OPTIONS.items()
    ]
    parameters = [one.replace(kind=kind) for one in (*arguments, *by_name.values(), *options)]
    asking.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    asking.__name__, asking.__doc__ = verb.__name__, verb.__doc__
    return asking


def _open_tagged(text: str) -> Treebank:
    """Read a tagger's output, FILE or NAME=FILE."""
    name, equals, path = text.partition("=")
    if not equals or is_file(text):
        return open_system(text)[0]
    return open_system(path)[0].replace(name=name)


# ---------------------------------------------------------------------- verbs that ask taggers


@app.command("score", cls=Verb)
@prints_results
@asks_taggers
def score_cli(
    question: Question,
    train: Annotated[
        str,
        typer.Option(
            "--train",
            metavar="TREEBANK",
            rich_help_panel=INPUT,
            help="Training data, for known words and trusted tags.",
        ),
    ] = "",
    worst: Annotated[
        int,
        typer.Option(
            "--worst", min=0, help="List this many dictionary entries that reject the most words."
        ),
    ] = 0,
    language: Annotated[
        str,
        typer.Option(
            "--language",
            help="The language, for calibration. Default: the language of the treebank.",
        ),
    ] = "",
    resamples: ResamplesOption = 1000,
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 0,
) -> Results:
    """Score taggers by a dictionary: the share of tags that it allows for the word.

    Example: `treegauge dictionary score da.tsv TnT=tnt.conllu CRF=crf.conllu --case backoff`
    """
    from treegauge.dictionaries import from_treebank

    assessment = question.read()
    trusted = None
    if train:
        trusted = from_treebank(open_treebank(train, data=question.data, format=None))
    scores = assessment.scores(
        worst=worst,
        trusted=trusted,
        language=language,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )
    return Results(scores.tables(), scores.to_dict())


@app.command("rank", cls=Verb)
@prints_results
@asks_taggers
def rank_cli(
    question: Question,
    dictionary: Annotated[
        str, typer.Argument(metavar="DICTIONARY", help="As for `score`. Omit it with --records.")
    ] = "",
    tagged: Annotated[
        list[str],
        typer.Argument(metavar="TAGGED...", help="Outputs of taggers: FILE or NAME=FILE."),
    ] = [],  # noqa: B006
    records: Annotated[
        list[str],
        typer.Option(
            "--records",
            metavar="FILE",
            help="Rank by records from `score --json --gold`, one file per language. May be "
            "repeated.",
        ),
    ] = [],  # noqa: B006
    pool: Annotated[
        list[str],
        typer.Option(
            "--calibrate",
            metavar="FILE",
            help="Records of other languages with gold, to estimate accuracy. May be repeated.",
        ),
    ] = [],  # noqa: B006
    estimator: Annotated[
        str,
        typer.Option(
            "--estimator", help="How accuracy is estimated: raw, constant, error or ridge."
        ),
    ] = "ridge",
    trials: TrialsOption = 10_000,
    resamples: ResamplesOption = 1000,
    seed: SeedOption = 0,
) -> Results:
    """Rank taggers, test the differences, and estimate their accuracy from other languages.

    Example: `treegauge dictionary rank da.tsv tnt.conllu crf.conllu --calibrate others.json`
    """
    from treegauge.dictionaries import rank_languages, read_records

    del dictionary, tagged  # they are in the question
    if records:
        if question.dictionary or question.tagged or question.gold or pool:
            raise typer.BadParameter("--records brings its own taggers and gold")
        languages = rank_languages(records, trials=trials, seed=seed)
        return Results(languages.tables(), languages.to_dict())
    if not question.dictionary or not question.tagged:
        raise typer.BadParameter("give a dictionary and taggers' outputs, or --records")
    if trials < 1 or resamples < 1:
        raise typer.BadParameter("a ranking needs trials and resamples")
    assessment = question.read()
    if len(question.tagged) < 2 and not pool:
        raise typer.BadParameter("one tagger cannot be ranked; give two, or score it with `score`")
    ranking = assessment.ranking(
        pool=[one for path in pool for one in read_records(path)],
        estimator=estimator,
        trials=trials,
        resamples=resamples,
        seed=seed,
    )
    return Results(ranking.tables(), ranking.to_dict())


@app.command("curve", cls=Verb)
@prints_results
@asks_taggers
def curve_cli(
    question: Question,
    kind: Annotated[
        CurveKind,
        typer.Option(
            "--kind",
            help="Scores by size of the dictionary, by share of corrupted gold "
            "tags, or on held-out sentences.",
        ),
    ] = CurveKind.SIZE,
    frequencies: Annotated[
        str,
        typer.Option(
            "--frequencies",
            metavar="TREEBANK",
            rich_help_panel=INPUT,
            help="Raw text of the language, for the most frequent words (+freq).",
        ),
    ] = "",
    sizes: Annotated[
        str,
        typer.Option(
            "--sizes",
            metavar="LIST",
            help="Sizes, such as 100,500,1000. Default: those of the paper.",
        ),
    ] = "",
    draws: Annotated[
        int, typer.Option("--draws", min=1, help="Random dictionaries per size.")
    ] = 100,
    figure: Annotated[
        str,
        typer.Option(
            "--figure",
            metavar="FILE",
            rich_help_panel=OUTPUT,
            help="Draw the curve by size: .svg, .pdf or .png.",
        ),
    ] = "",
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 0,
) -> Results:
    """Show how scores depend on the size of the dictionary or on accuracy, as in Figure 1.

    Example: `treegauge dictionary curve da.tsv tnt.conllu --frequencies da_ddt:train`
    """
    from treegauge.reports.dictionary_figures import sub_dictionary_figure
    from treegauge.reports.figures import figure_format, save_figure

    if figure:
        if kind is not CurveKind.SIZE:
            raise typer.BadParameter("--figure draws the curve over sizes")
        figure_format(figure)
    if kind is not CurveKind.SIZE and not question.gold:
        raise typer.BadParameter(f"--kind {kind.value} needs --gold")
    assessment = question.read()
    corpus = open_treebank(frequencies, data=question.data, format=None) if frequencies else None
    with console.progress("scoring"):
        if kind is CurveKind.SIZE:
            curve = assessment.size_curve(
                corpus, sizes=_sizes(sizes), draws=draws, confidence=confidence, seed=seed
            )
        elif kind is CurveKind.CORRUPTION:
            curve = assessment.corruption_curve(seed=seed)
        else:
            curve = assessment.held_out_curve(seed=seed)
    if figure:
        drawn = sub_dictionary_figure(
            curve.size_points, accuracies=curve.accuracies, confidence=confidence
        )
        save_figure(drawn, figure)
        console.say(f"wrote {figure}")
    return Results(curve.tables(), curve.to_dict())


def _sizes(text: str) -> list[int] | None:
    if not text:
        return None
    try:
        return sorted({int(size) for size in text.split(",")})
    except ValueError:
        raise typer.BadParameter(f"--sizes are whole numbers with commas, not {text!r}") from None


app.command("quality", cls=Verb)(quality_cli)
app.command("translate", cls=Verb)(translate_cli)
app.command("from-treebank", cls=Verb)(from_treebank_cli)
app.command("import", cls=Verb)(import_cli)
