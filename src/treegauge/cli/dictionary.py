"""`treegauge dictionary`: taggers evaluated without gold, by dictionaries."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import (
    FormatOption,
    JsonOption,
    OutputFormat,
    OutputOption,
    QuietOption,
    SummaryOption,
)
from treegauge.cli.dictionary_answers import (
    Question,
    of_corruption,
    of_held_out,
    of_size,
    open_dictionary,
    ranked,
    ranked_records,
    read_records,
)
from treegauge.cli.scoring_options import (
    ConfidenceOption,
    ResamplesOption,
    SeedOption,
    TrialsOption,
)
from treegauge.cli.treebanks import DataOption, open_treebank

if TYPE_CHECKING:
    from treegauge.dictionaries import Matching, TagDictionary

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="Evaluate taggers without gold, by dictionaries of words and tags.",
    epilog="Example: `treegauge dictionary score da.tsv tnt.conllu crf.conllu`",
)


@app.callback()
def dictionary() -> None:
    """Evaluate taggers without gold, by dictionaries of words and tags."""


class Casing(StrEnum):
    """How forms are looked up."""

    EXACT = "exact"
    LOWER = "lower"
    BACKOFF = "backoff"


class Punctuation(StrEnum):
    """Whether punctuation marks are scored."""

    COUNTED = "counted"
    IGNORED = "ignored"


class Symbols(StrEnum):
    """What SYM is among the 12 tags."""

    X = "X"
    PUNCTUATION = "."


class CurveKind(StrEnum):
    """What a curve is over."""

    SIZE = "size"
    CORRUPTION = "corruption"
    HELD_OUT = "held-out"


DictionaryArgument = Annotated[
    str,
    typer.Argument(
        metavar="DICTIONARY", help="A file of forms and tags; several, divided by commas; toy:svo."
    ),
]
TaggedArgument = Annotated[
    list[str],
    typer.Argument(metavar="TAGGED", help="Taggers' outputs of one text: FILE or NAME=FILE."),
]
GoldOption = Annotated[
    str, typer.Option("--gold", metavar="GOLD", help="The same text with gold tags.")
]
TrainOption = Annotated[
    str,
    typer.Option(
        "--train", metavar="TREEBANK", help="Training data: known words, and the trusted tags."
    ),
]
CaseOption = Annotated[
    Casing, typer.Option("--case", help="Forms as they stand, in lower case, or first the one.")
]
PunctuationOption = Annotated[
    Punctuation, typer.Option("--punctuation", help="Whether punctuation marks are scored.")
]
NumbersOption = Annotated[
    bool, typer.Option("--numbers", help="Take digits that the dictionary lacks for NUM.")
]
SymbolsOption = Annotated[Symbols, typer.Option("--symbols", help="What SYM is among the 12 tags.")]
OutArgument = Annotated[
    str, typer.Argument(metavar="OUT", help="The dictionary to write; - for standard output.")
]


@app.command("score")
def score_cli(
    dictionary: DictionaryArgument,
    tagged: TaggedArgument,
    gold: GoldOption = "",
    train: TrainOption = "",
    case: CaseOption = Casing.EXACT,
    punctuation: PunctuationOption = Punctuation.COUNTED,
    numbers: NumbersOption = False,
    symbols: SymbolsOption = Symbols.X,
    worst: Annotated[
        int, typer.Option("--worst", min=0, help="List so many entries that reject most words.")
    ] = 0,
    language: Annotated[
        str, typer.Option("--language", help="For calibration; from the treebank if missing.")
    ] = "",
    resamples: ResamplesOption = 1000,
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 0,
    data: DataOption = [],  # noqa: B006
    format: FormatOption = OutputFormat.TABLE,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Score taggers by a dictionary: the share of tags that it warrants.

    Example: `treegauge dictionary score da.tsv TnT=tnt.conllu CRF=crf.conllu --case backoff`
    """
    from treegauge.dictionaries import evaluate_taggers, from_treebank
    from treegauge.reports.dictionary_tables import costly_table, soft_accuracy_table

    console.manners.quiet = quiet
    asked = Question(dictionary, tagged, gold, data, _matching(case, punctuation, numbers, symbols))
    trusted = None
    if train:
        trusted = from_treebank(open_treebank(train, data=data, format=None))
    records = evaluate_taggers(
        asked.text,
        asked.tagged,
        gold=asked.gold,
        trusted=trusted,
        language=language,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
        listed=worst or 10,
    )
    console.emit(
        OutputFormat.JSON if json else format,
        output,
        table=lambda: [
            soft_accuracy_table(records),
            *(costly_table(record) for record in records if worst),
        ],
        document=lambda: {"schema": 1, "records": [record.to_dict() for record in records]},
    )


@app.command("rank")
def rank_cli(
    dictionary: Annotated[
        str, typer.Argument(metavar="DICTIONARY", help="As for `score`; none with --records.")
    ] = "",
    tagged: Annotated[
        list[str] | None,
        typer.Argument(metavar="TAGGED", help="Taggers' outputs: FILE or NAME=FILE."),
    ] = None,
    gold: GoldOption = "",
    records: Annotated[
        list[str],
        typer.Option(
            "--records",
            metavar="FILE",
            help="Rank by records of `score --json --gold`, one file a language; may be repeated.",
        ),
    ] = [],  # noqa: B006
    pool: Annotated[
        list[str],
        typer.Option(
            "--calibrate",
            metavar="FILE",
            help="Records of other languages, with gold, to estimate accuracy; may be repeated.",
        ),
    ] = [],  # noqa: B006
    estimator: Annotated[
        str, typer.Option("--estimator", help="raw, constant, error or ridge.")
    ] = "ridge",
    case: CaseOption = Casing.EXACT,
    punctuation: PunctuationOption = Punctuation.COUNTED,
    numbers: NumbersOption = False,
    symbols: SymbolsOption = Symbols.X,
    trials: TrialsOption = 10_000,
    resamples: ResamplesOption = 1000,
    seed: SeedOption = 0,
    data: DataOption = [],  # noqa: B006
    format: FormatOption = OutputFormat.TABLE,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Say which tagger is best, how sure that is, and, with records of others, how good it is.

    Example: `treegauge dictionary rank da.tsv tnt.conllu crf.conllu --calibrate others.json`
    """
    console.manners.quiet = quiet
    chosen = OutputFormat.JSON if json else format
    if records:
        if dictionary or tagged or gold or pool:
            raise typer.BadParameter("--records brings its own taggers and gold")
        table, document = ranked_records(records, trials, seed)
        console.emit(chosen, output, table=lambda: table, document=lambda: document)
        return
    if not dictionary or not tagged:
        raise typer.BadParameter("give a dictionary and taggers' outputs, or --records")
    if trials < 1 or resamples < 1:
        raise typer.BadParameter("a ranking needs trials and resamples")
    asked = Question(dictionary, tagged, gold, data, _matching(case, punctuation, numbers, symbols))
    if len(tagged) < 2 and not pool:
        raise typer.BadParameter("one tagger cannot be ranked; give two, or score it with `score`")
    answer = ranked(
        asked,
        pool=[one for path in pool for one in read_records(path)],
        estimator=estimator,
        trials=trials,
        resamples=resamples,
        seed=seed,
    )
    console.emit(chosen, output, table=lambda: answer[0], document=lambda: answer[1])


@app.command("curve")
def curve_cli(
    dictionary: DictionaryArgument,
    tagged: TaggedArgument,
    kind: Annotated[
        CurveKind,
        typer.Option("--kind", help="Over the size of the dictionary, corrupted gold, sentences."),
    ] = CurveKind.SIZE,
    gold: GoldOption = "",
    frequencies: Annotated[
        str,
        typer.Option(
            "--frequencies", metavar="TREEBANK", help="Raw text of the language, for +freq."
        ),
    ] = "",
    sizes: Annotated[
        str, typer.Option("--sizes", metavar="LIST", help="100,500,1000; the paper's if missing.")
    ] = "",
    draws: Annotated[int, typer.Option("--draws", min=1, help="Random dictionaries a size.")] = 100,
    figure: Annotated[
        str, typer.Option("--figure", metavar="FILE", help="Draw sizes: .svg, .pdf or .png.")
    ] = "",
    case: CaseOption = Casing.EXACT,
    punctuation: PunctuationOption = Punctuation.COUNTED,
    numbers: NumbersOption = False,
    symbols: SymbolsOption = Symbols.X,
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 0,
    data: DataOption = [],  # noqa: B006
    format: FormatOption = OutputFormat.TABLE,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Show how scores depend on the size of the dictionary, or on accuracy, as in Figure 1.

    Example: `treegauge dictionary curve da.tsv tnt.conllu --frequencies da_ddt:train`
    """
    console.manners.quiet = quiet
    if figure:
        from treegauge.reports import figure_format

        if kind is not CurveKind.SIZE:
            raise typer.BadParameter("--figure draws the curve over sizes")
        figure_format(figure)
    if kind is not CurveKind.SIZE and not gold:
        raise typer.BadParameter(f"--kind {kind.value} needs --gold")
    asked = Question(dictionary, tagged, gold, data, _matching(case, punctuation, numbers, symbols))
    corpus = open_treebank(frequencies, data=data, format=None) if frequencies else None
    with console.progress("scoring"):
        if kind is CurveKind.SIZE:
            table, document = of_size(asked, corpus, _sizes(sizes), draws, confidence, seed, figure)
        elif kind is CurveKind.CORRUPTION:
            table, document = of_corruption(asked, seed)
        else:
            table, document = of_held_out(asked, seed)
    signature = str(asked.signature)
    console.emit(
        OutputFormat.JSON if json else format,
        output,
        table=lambda: table,
        document=lambda: {"schema": 1, "signature": signature, **document},
    )


@app.command("quality")
def quality_cli(
    dictionary: DictionaryArgument,
    trusted: Annotated[
        str,
        typer.Argument(
            metavar="TRUSTED", help="A treebank (file or name), or a dictionary in a .tsv file."
        ),
    ],
    case: CaseOption = Casing.EXACT,
    data: DataOption = [],  # noqa: B006
    format: FormatOption = OutputFormat.TABLE,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Hold a dictionary against a trusted one, usually that of a training set.

    Example: `treegauge dictionary quality da.tsv da_ddt:train`
    """
    from treegauge.dictionaries import DictionaryError, from_treebank, quality
    from treegauge.reports.dictionary_tables import quality_table

    console.manners.quiet = quiet
    ours = open_dictionary(dictionary)[0]
    is_dictionary = trusted.endswith((".tsv", ".tsv.xz", ".tsv.gz"))
    theirs = (
        open_dictionary(trusted)[0]
        if is_dictionary
        else from_treebank(open_treebank(trusted, data=data, format=None))
    )
    found = quality(ours, theirs, casing=case.value)
    if not found.common:
        raise DictionaryError(
            f"{dictionary} and {trusted} have no word in common\n"
            "  are both of this language, and of this spelling? --case lower looks in lower case"
        )
    console.emit(
        OutputFormat.JSON if json else format,
        output,
        table=lambda: quality_table(found, ours, theirs),
        document=lambda: {
            "schema": 1,
            "dictionary": ours.name,
            "dictionary_hash": ours.fingerprint,
            "trusted": theirs.name,
            "trusted_hash": theirs.fingerprint,
            "casing": case.value,
            **found.to_dict(),
        },
    )


@app.command("translate")
def translate_cli(
    dictionary: DictionaryArgument,
    word_list: Annotated[
        str,
        typer.Argument(
            metavar="WORDS", help="Pairs of words, divided by a tab: one of the dictionary first."
        ),
    ],
    out: OutArgument,
    match_tags: Annotated[
        bool, typer.Option("--match-tags", help="Use the tags of a third column, if there is one.")
    ] = False,
    min_share: Annotated[
        float,
        typer.Option("--min-share", min=0, max=1, help="Drop tags that fewer translations have."),
    ] = 0.0,
    max_tags: Annotated[
        int, typer.Option("--max-tags", min=1, max=12, help="Keep the best supported tags.")
    ] = 12,
    format: SummaryOption = None,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Translate a dictionary through a list of word pairs.

    Example: `treegauge dictionary translate en.tsv eng-dan.tsv da.tsv`
    """
    from treegauge.dictionaries import read_word_list, translate, write_dictionary

    console.manners.quiet = quiet
    found = translate(
        open_dictionary(dictionary)[0],
        read_word_list(word_list),
        match_tags=match_tags,
        min_share=min_share,
        max_tags=max_tags,
    )
    write_dictionary(found.dictionary, out)
    _say_written(out, found.dictionary)
    console.say(
        f"{found.pairs:,} pairs: {found.dropped_multiword:,} of several words dropped, "
        f"{found.without_tags:,} without tags"
    )
    console.emit_summary(
        OutputFormat.JSON if json else format,
        output,
        document={
            **_about(found.dictionary),
            "pairs": found.pairs,
            "dropped_multiword": found.dropped_multiword,
            "without_tags": found.without_tags,
        },
    )


@app.command("from-treebank")
def from_treebank_cli(
    treebank: Annotated[str, typer.Argument(metavar="TREEBANK", help="A file or a name.")],
    out: OutArgument,
    symbols: SymbolsOption = Symbols.X,
    data: DataOption = [],  # noqa: B006
    format: SummaryOption = None,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Read the dictionary off an annotated treebank.

    Example: `treegauge dictionary from-treebank da_ddt:train gold.tsv`
    """
    from treegauge.dictionaries import from_treebank, write_dictionary

    console.manners.quiet = quiet
    found = from_treebank(open_treebank(treebank, data=data, format=None), symbols=symbols.value)
    write_dictionary(found, out)
    _say_written(out, found)
    console.emit_summary(OutputFormat.JSON if json else format, output, document=_about(found))


@app.command("import")
def import_cli(
    source: Annotated[str, typer.Argument(metavar="IN", help="The dictionary of another project.")],
    out: OutArgument,
    kind: Annotated[
        str,
        typer.Option(
            "--kind",
            help="unimorph, wiktionary, wiktextract, apertium, freedict, tsv; by name if missing.",
        ),
    ] = "",
    language: Annotated[
        str, typer.Option("--language", help="Only entries of this language, by name or code.")
    ] = "",
    format: SummaryOption = None,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Bring a dictionary of another project to forms and the 12 universal tags.

    Example: `treegauge dictionary import kaikki-danish.jsonl da.tsv --language da`
    """
    from treegauge.dictionaries import import_dictionary, write_dictionary

    console.manners.quiet = quiet
    found = import_dictionary(source, kind, language=language)
    write_dictionary(found.dictionary, out)
    _say_written(out, found.dictionary)
    console.say(
        f"{found.entries:,} entries read: {found.dropped_multiword:,} of several words dropped, "
        f"{sum(found.dropped_parts.values()):,} of other parts of speech"
    )
    console.emit_summary(
        OutputFormat.JSON if json else format,
        output,
        document={
            **_about(found.dictionary),
            "entries_read": found.entries,
            "dropped_multiword": found.dropped_multiword,
            "dropped_parts": dict(found.dropped_parts),
        },
    )


def _matching(case: Casing, punctuation: Punctuation, numbers: bool, symbols: Symbols) -> Matching:
    from treegauge.dictionaries import Matching

    return Matching(case.value, punctuation.value, numbers, symbols.value)


def _sizes(text: str) -> list[int] | None:
    if not text:
        return None
    try:
        return sorted({int(size) for size in text.split(",")})
    except ValueError:
        raise typer.BadParameter(f"--sizes are whole numbers with commas, not {text!r}") from None


def _about(dictionary: TagDictionary) -> dict[str, Any]:
    return {
        "dictionary": dictionary.name,
        "dictionary_hash": dictionary.fingerprint,
        "forms": len(dictionary),
        "entries": dictionary.n_entries,
        "tags": dictionary.tag_counts(),
    }


def _say_written(out: str, dictionary: TagDictionary) -> None:
    if out != "-":
        console.say(
            f"wrote {out}: {len(dictionary):,} forms, {dictionary.n_entries:,} entries "
            f"({dictionary.fingerprint})"
        )
