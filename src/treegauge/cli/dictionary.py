"""`treegauge dictionary`: taggers evaluated without gold, by dictionaries."""

from __future__ import annotations

import json as json_module
from dataclasses import asdict
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
from treegauge.cli.scoring_options import (
    ConfidenceOption,
    ResamplesOption,
    SeedOption,
    TrialsOption,
    open_system,
)
from treegauge.cli.treebanks import DataOption, is_file, open_treebank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treegauge.dictionaries import (
        CurvePoint,
        Matching,
        Record,
        TagDictionary,
        Tagged,
        Text,
    )
    from treegauge.reports import Table
    from treegauge.treebank import Treebank

_FEW = 0.05
"""A dictionary that has a smaller share of the words is perhaps of another language."""

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
        _rank_records(records, trials, seed, chosen, output)
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
        from treegauge.reports import figure_format, require_drawing

        if kind is not CurveKind.SIZE:
            raise typer.BadParameter("--figure draws the curve over sizes")
        figure_format(figure)
        require_drawing()
    if kind is not CurveKind.SIZE and not gold:
        raise typer.BadParameter(f"--kind {kind.value} needs --gold")
    asked = Question(dictionary, tagged, gold, data, _matching(case, punctuation, numbers, symbols))
    corpus = open_treebank(frequencies, data=data, format=None) if frequencies else None
    with console.progress("scoring"):
        if kind is CurveKind.SIZE:
            table, document = _size_curve(
                asked, corpus, _sizes(sizes), draws, confidence, seed, figure
            )
        elif kind is CurveKind.CORRUPTION:
            table, document = _corruption_curve(asked, seed)
        else:
            table, document = _held_out_curve(asked, seed)
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
    ours = _open_dictionary(dictionary)[0]
    is_dictionary = trusted.endswith((".tsv", ".tsv.xz", ".tsv.gz"))
    theirs = (
        _open_dictionary(trusted)[0]
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
        _open_dictionary(dictionary)[0],
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


# ---------------------------------------------------------------------- what verbs share


class Question:
    """Taggers, their text and the dictionary, read and checked."""

    def __init__(
        self, dictionary: str, tagged: Sequence[str], gold: str, data: list[str], matching: Matching
    ) -> None:
        from treegauge.dictionaries import (
            DictionaryError,
            Text,
            refuse_training_dictionary,
            tagged_texts,
        )

        self.dictionary, parts = _open_dictionary(dictionary)
        outputs = [_open_tagged(text) for text in tagged]
        for one in outputs:
            for part in parts:
                refuse_training_dictionary(part, treebank=one)
        self.gold = open_treebank(gold, data=data, format=None) if gold else None
        # A text is not called after the first of its taggers.
        words = outputs[0].replace(name="") if self.gold is None else self.gold
        self.text: Text = Text(words, self.dictionary, matching)
        self.tagged: list[Tagged] = tagged_texts(self.text, outputs)
        if not self.text.is_covered.any():
            raise DictionaryError(
                f"{dictionary} and the text have no word in common\n"
                "  is the dictionary of this language, and of this spelling? --case backoff also "
                "looks in lower case"
            )
        no_marks = ~self.text.is_punctuation
        found = float(self.text.is_covered[no_marks].mean()) if no_marks.any() else 1.0
        if found < _FEW:
            console.say(
                f"only {100 * found:.1f}% of the words that are no punctuation marks are in "
                f"{dictionary}: is it of this language?",
                style="yellow",
            )

    @property
    def signature(self) -> str:
        """How scores are made."""
        from treegauge.dictionaries import evaluate_taggers

        (record,) = evaluate_taggers(self.text, self.tagged[:1], resamples=0)
        return str(record.conditions.signature)


def ranked(
    asked: Question,
    *,
    pool: Sequence[Record],
    estimator: str,
    trials: int,
    resamples: int,
    seed: int,
) -> tuple[list[Table], dict[str, Any]]:
    """Return the ranking of taggers as tables and as JSON has it."""
    from treegauge.dictionaries import (
        Calibrator,
        evaluate_taggers,
        few_taggers_note,
        indistinguishable,
        rank,
        tag_codes,
        verdict,
    )
    from treegauge.reports import Table
    from treegauge.reports.dictionary_tables import percent, ranking_table

    text, tagged = asked.text, asked.tagged
    records = evaluate_taggers(text, tagged, gold=asked.gold, resamples=resamples, seed=seed)
    groups = indistinguishable(
        text,
        tagged,
        [text.accepted(one.codes) for one in tagged],
        text.is_covered,
        trials=trials,
        seed=seed,
    )
    calibrator = Calibrator(pool, estimator=estimator) if pool else None
    found = verdict(text, tagged, records, calibrator, resamples=resamples, seed=seed)
    tables = [ranking_table(records, groups, found)]
    document: dict[str, Any] = {
        "schema": 1,
        "signature": asked.signature,
        "verdict": str(found),
        "best": found.best,
        "probability": found.probability,
        "estimates": None
        if found.estimates is None
        else {name: asdict(one) for name, one in found.estimates.items()},
        "groups": [list(group) for group in groups.groups],
        "pairs": [asdict(pair) for pair in groups.pairs],
        "records": [record.to_dict() for record in records],
    }
    if asked.gold is not None and len(records) > 1:
        gold = tag_codes(asked.gold, text.matching)
        true = [record.gold.accuracy for record in records if record.gold is not None]
        soft = [record.soft.value for record in records]
        agreement = rank(true, soft, seed=seed)  # type: ignore[arg-type]
        truly = indistinguishable(
            text,
            tagged,
            [one.codes == gold for one in tagged],
            text.is_scored,
            trials=trials,
            seed=seed,
        )
        in_group = float(groups.order[0] in truly.best)
        note = few_taggers_note(len(records))
        document["against_gold"] = {
            **asdict(agreement),
            "precision_at_1_of_group": in_group,
            "best_group": list(truly.best),
            "note": note,
        }
        tables.append(
            Table(
                ("P@1", "P@1 of group", "regret", "tau", "p"),
                [
                    (
                        agreement.precision_at_1,
                        in_group,
                        percent(agreement.regret),
                        agreement.tau,
                        None if agreement.p is None else f"{agreement.p:.4f}",
                    )
                ],
                title="against gold",
                notes=[note],
                right=frozenset([4]),
            )
        )
    return tables, document


def read_records(path: str) -> list[Record]:
    """Read what `score --json` wrote."""
    from treegauge.dictionaries import DictionaryError, Record
    from treegauge.dictionaries.files import text_of

    try:
        document = json_module.loads(text_of(path))
        found = document["records"]
    except (ValueError, KeyError, TypeError):
        raise DictionaryError(
            f"{path}: no records; they are written by `treegauge dictionary score --json`"
        ) from None
    try:
        return [Record.from_dict(one) for one in found]
    except DictionaryError as error:
        raise DictionaryError(f"{path}: {error}") from None


def _rank_records(
    paths: Sequence[str], trials: int, seed: int, format: OutputFormat, output: str
) -> None:
    """Rank the taggers of several languages, and test the rankings together."""
    from treegauge.dictionaries import DictionaryError, pooled_test, rank, require_comparable
    from treegauge.reports import Table
    from treegauge.reports.dictionary_tables import percent

    scores: dict[str, tuple[list[float], list[float]]] = {}
    rows = []
    document: dict[str, Any] = {"schema": 1, "languages": {}}
    for path in paths:
        records = read_records(path)
        require_comparable(records)
        true = [r.gold.accuracy for r in records if r.gold is not None]
        soft = [r.soft.value for r in records if r.soft.value is not None]
        known = [value for value in true if value is not None]
        if not records or len(known) != len(records) or len(soft) != len(records):
            raise DictionaryError(f"{path}: a ranking needs records with gold; use score --gold")
        name = records[0].conditions.treebank or path
        if name in scores:
            raise DictionaryError(f"{path}: {name} was there before")
        scores[name] = (known, soft)
        found = rank(known, soft, seed=seed)
        document["languages"][name] = {"taggers": len(records), **asdict(found)}
        rows.append(
            (name, len(records), found.precision_at_1, percent(found.regret), found.tau, found.p)
        )
    pooled = pooled_test(scores, trials=max(trials, 1), seed=seed)
    document["pooled"] = asdict(pooled)
    hits = sum(row[2] for row in rows)
    notes = [
        f"best tagger found for {hits:g} of {len(rows)}; mean tau {pooled.mean_tau:.3f}, "
        f"p {pooled.p:.4f} ({pooled.trials:,} permutations within languages)"
    ]
    console.emit(
        format,
        output,
        table=lambda: Table(
            ("treebank", "taggers", "P@1", "regret", "tau", "p"), rows, notes=notes
        ),
        document=lambda: document,
    )


def _size_curve(
    asked: Question,
    corpus: Treebank | None,
    sizes: list[int] | None,
    draws: int,
    confidence: float,
    seed: int,
    figure: str,
) -> tuple[Table, dict[str, Any]]:
    from treegauge.dictionaries import form_frequencies, sub_dictionary_curve
    from treegauge.reports.dictionary_tables import curve_table

    points = sub_dictionary_curve(
        asked.text,
        asked.tagged,
        None if corpus is None else form_frequencies(corpus),
        sizes=sizes,
        draws=draws,
        confidence=confidence,
        seed=seed,
    )
    if figure:
        _draw(points, asked, confidence, figure)
    return curve_table(points, confidence), {
        "confidence": confidence,
        "draws": draws,
        "seed": seed,
        "points": [asdict(point) for point in points],
    }


def _draw(points: list[CurvePoint], asked: Question, confidence: float, path: str) -> None:
    from treegauge.dictionaries import evaluate_taggers
    from treegauge.formats import write_chunks
    from treegauge.reports import draw, figure_format
    from treegauge.reports.dictionary_figures import sub_dictionary_figure

    accuracies = {}
    if asked.gold is not None:
        for record in evaluate_taggers(asked.text, asked.tagged, gold=asked.gold, resamples=0):
            if record.gold is not None and record.gold.accuracy is not None:
                accuracies[record.tagger] = record.gold.accuracy
    drawing: Any = sub_dictionary_figure(points, accuracies=accuracies, confidence=confidence)
    write_chunks(path, [draw(drawing, figure_format(path))])
    console.say(f"wrote {path}")


def _corruption_curve(asked: Question, seed: int) -> tuple[Table, dict[str, Any]]:
    from treegauge.dictionaries import corruption_curve, tag_codes
    from treegauge.reports.dictionary_tables import corruption_table

    assert asked.gold is not None  # checked when options were read
    found = corruption_curve(asked.text, tag_codes(asked.gold, asked.text.matching), seed=seed)
    return corruption_table(found), {"seed": seed, **asdict(found)}


def _held_out_curve(asked: Question, seed: int) -> tuple[Table, dict[str, Any]]:
    from treegauge.dictionaries import held_out_curve, rank, required_sentences, tag_codes
    from treegauge.dictionaries.soft_accuracy import share
    from treegauge.reports.dictionary_tables import held_out_table

    assert asked.gold is not None  # checked when options were read
    text = asked.text
    gold = tag_codes(asked.gold, text.matching)
    rights = [(one.codes == gold) & text.is_scored for one in asked.tagged]
    table = text.by_sentence(*rights, text.is_scored)
    points = held_out_curve(table[:, :-1], table[:, -1], seed=seed)
    true = [float(right.sum() / text.is_scored.sum()) for right in rights]
    covered = text.is_covered.sum()
    soft = [share(text.accepted(one.codes).sum(), covered) or 0.0 for one in asked.tagged]
    tau = rank(true, soft, seed=seed).tau
    required = required_sentences(points, tau=tau) if tau is not None else None
    return held_out_table(points, required, tau), {
        "seed": seed,
        "tau": tau,
        "required_sentences": required,
        "points": [asdict(point) for point in points],
    }


def _open_dictionary(text: str) -> tuple[TagDictionary, list[TagDictionary]]:
    """Read the dictionaries that a user names; return their union, and all of them."""
    from treegauge.catalogue import toy_dictionary
    from treegauge.dictionaries import TagDictionary, joined, read_dictionary

    parts = []
    for name in [text] if is_file(text) else text.split(","):
        if name.startswith("toy:"):
            parts.append(TagDictionary.from_mapping(toy_dictionary(name), name=name))
        else:
            parts.append(read_dictionary(name))
    union = joined(parts)
    return union, parts if len(parts) == 1 else [*parts, union]


def _open_tagged(text: str) -> Treebank:
    """Read a tagger's output, FILE or NAME=FILE."""
    name, equals, path = text.partition("=")
    if not equals or is_file(text):
        return open_system(text)[0]
    return open_system(path)[0].replace(name=name)


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
