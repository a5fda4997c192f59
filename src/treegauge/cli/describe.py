"""`treegauge describe`: what treebanks are like."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import FormatOption, JsonOption, OutputFormat, OutputOption, QuietOption
from treegauge.cli.language_models import LanguageModelOption, heard
from treegauge.cli.treebanks import DataOption, report

if TYPE_CHECKING:
    from treegauge.catalogue import CatalogueEntry
    from treegauge.cli.word_order_tables import WordOrderDetails
    from treegauge.formats import Findings
    from treegauge.properties import Statistics, WordOrderSettings
    from treegauge.properties.derivation_perplexity import PerplexitySettings, TreebankPerplexity
    from treegauge.reports import Cell, Table
    from treegauge.significance import Interval
    from treegauge.treebank import Treebank


def _known_preset(text: str) -> str:
    from treegauge.properties import PropertyError, WordOrderSettings

    try:
        WordOrderSettings.parse(text)
    except PropertyError as error:
        raise typer.BadParameter(str(error)) from None
    return text


def describe_cli(
    treebanks: Annotated[
        list[str],
        typer.Argument(
            metavar="TREEBANK", help="Names, sets, files or toy languages; en_ewt:dev is one part."
        ),
    ],
    data: DataOption = [],  # noqa: B006
    where: Annotated[
        list[str],
        typer.Option(
            "--where",
            metavar="KEY=VALUE",
            help="Only sentences with this comment, or without it (KEY!=VALUE); may be repeated.",
        ),
    ] = [],  # noqa: B006
    preset: Annotated[
        str,
        typer.Option(
            "--preset",
            metavar="NAME[,KEY=VALUE]",
            callback=_known_preset,
            help="How word order is measured: default, or gm16 as Gulordava and Merlo (2016); "
            "changes of unit, base, optimum, relations and punctuation behind commas.",
        ),
    ] = "default",
    word_order: Annotated[
        bool,
        typer.Option("--word-order", help="Everything about word order instead, with intervals."),
    ] = False,
    perplexity: Annotated[
        bool,
        typer.Option(
            "--perplexity",
            help="String and derivation perplexity too, learnt from the train part; of a file on "
            "its own, by cross-validation.",
        ),
    ] = False,
    language_model: LanguageModelOption = "",
    resamples: Annotated[
        int, typer.Option("--resamples", min=0, help="For intervals; 0 for none.")
    ] = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of resamples.")] = 0,
    format: FormatOption = OutputFormat.TABLE,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Describe treebanks: sizes, tags, relations, new words, projectivity, order, perplexity.

    All parts of a treebank are described, and new words are those that training lacks.

    Example: `treegauge describe toy:svo toy:sov`

    Example: `treegauge describe --word-order --preset gm16 toy:svo:train`

    Example: `treegauge describe --perplexity --language-model kenlm,order=4 toy:svo:test`
    """
    from treegauge.properties.derivation_perplexity import PerplexitySettings

    console.manners.quiet = quiet
    output_format = console.format_for(OutputFormat.JSON if json else format, output)
    if word_order and perplexity and output_format is not OutputFormat.JSON:
        raise typer.BadParameter("--word-order and --perplexity are two tables; --json has both")
    if language_model and not perplexity:
        raise typer.BadParameter("--language-model is of use with --perplexity only; give both")
    described = describe(
        treebanks,
        data=data,
        where=where,
        preset=preset,
        resamples=resamples if word_order else None,
        seed=seed,
        perplexity=PerplexitySettings.parse(language_model or "kenlm") if perplexity else None,
        perplexity_resamples=resamples,
    )
    is_long = output_format is OutputFormat.TSV
    document = {
        "schema": 1,
        "treebanks": [one.to_dict() for one in described],
        **_increase_document(described),
    }
    if word_order:
        from treegauge.cli import word_order_tables

        details = [one.details for one in described if one.details is not None]
        console.emit(
            output_format,
            output,
            table=lambda: (
                word_order_tables.long_table(details)
                if is_long
                else word_order_tables.tables(details)
            ),
            document=lambda: document,
        )
        return
    console.emit(
        output_format,
        output,
        table=lambda: long_table(described) if is_long else wide_table(described),
        document=lambda: document,
        text=lambda: terminal_tables(described),
    )


@dataclass(frozen=True)
class Perplexity:
    """The perplexities of one part of a treebank, and how sure they are."""

    found: TreebankPerplexity
    intervals: dict[str, Interval | None]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            **self.found.to_dict(),
            "intervals": {
                name: None if ends is None else {"low": ends.low, "high": ends.high}
                for name, ends in self.intervals.items()
            },
        }


@dataclass(frozen=True)
class Description:
    """The numbers of one part of a treebank."""

    part: str
    annotation: str
    statistics: Statistics
    settings: WordOrderSettings
    """Of the two numbers about word order."""
    dlm_ratio: float | None
    arc_direction_entropy: float | None
    details: WordOrderDetails | None = None
    """Everything else about word order, if it was asked for."""
    perplexities: Perplexity | None = None
    """If they were asked for, and there is something to learn from."""

    @property
    def perplexity(self) -> float | None:
        """Of the strings."""
        from treegauge.properties.derivation_perplexity import finite

        return finite(self.perplexities.found.perplexity()) if self.perplexities else None

    @property
    def derivation_perplexity(self) -> float | None:
        """Of the derivations."""
        from treegauge.properties.derivation_perplexity import finite

        return (
            finite(self.perplexities.found.derivation_perplexity()) if self.perplexities else None
        )

    @property
    def perplexity_increase(self) -> float | None:
        """From the strings to the derivations, a share."""
        if self.perplexity is None or self.derivation_perplexity is None:
            return None
        return self.derivation_perplexity / self.perplexity - 1

    @property
    def unknown_words(self) -> float | None:
        """The share of words that the language model does not know."""
        return self.perplexities.found.unknown_rate if self.perplexities else None

    def to_dict(self) -> dict[str, Any]:
        """Return the description as JSON has it."""
        numbers = asdict(self.statistics)
        return {
            "name": numbers.pop("name"),
            "part": self.part,
            "annotation": self.annotation or None,
            **numbers,
            "dlm_ratio": self.dlm_ratio,
            "arc_direction_entropy": self.arc_direction_entropy,
            "word_order_settings": self.settings.name,
            "perplexity": self.perplexity,
            "derivation_perplexity": self.derivation_perplexity,
            **(
                {}
                if self.perplexities is None
                else {"perplexity_details": self.perplexities.to_dict()}
            ),
            **({} if self.details is None else {"word_order": self.details.to_dict()}),
        }


def describe(
    texts: list[str],
    *,
    data: list[str],
    where: list[str],
    preset: str = "default",
    resamples: int | None = None,
    seed: int = 0,
    perplexity: PerplexitySettings | None = None,
    perplexity_resamples: int = 0,
) -> list[Description]:
    """Describe every part of every treebank named.

    With a number of resamples, everything about word order is computed as well; with settings of
    perplexity, that.
    """
    from treegauge.catalogue import Catalogue
    from treegauge.cli.word_order_tables import details, match_sizes
    from treegauge.properties import WordOrder, WordOrderSettings, statistics

    settings = WordOrderSettings.parse(preset)
    chosen = [one for text in texts for one in Catalogue.from_environment(data).parts(text)]
    described: list[Description] = []
    training: dict[CatalogueEntry, Treebank] = {}
    with console.progress("describing") as advance:
        for selection in chosen:

            def on_progress(share: float) -> None:
                advance((len(described) + share) / len(chosen))

            entry, part = selection.entry, selection.part
            if part != "train" and "train" in entry.parts and entry not in training:
                training = {entry: _read(entry, "train", where)}
            treebank = _read(entry, part, where, on_progress)
            if part == "train":
                training = {entry: treebank}
            known = training.get(entry) if part != "train" else None
            order = WordOrder(treebank, settings)
            one = Description(
                part,
                entry.annotation,
                statistics(treebank, training=known),
                settings,
                order.dlm_ratio,
                order.arc_direction_entropy,
            )
            if resamples is not None:
                keys = (one.statistics.name, part)
                found = details(order, label=_head(one), keys=keys, resamples=resamples, seed=seed)
                one = replace(one, details=found)
            # The train part is learnt from, unless there is nothing else.
            if perplexity is not None and (part != "train" or len(entry.parts) == 1):
                measured = _perplexity(treebank, known, perplexity, perplexity_resamples, seed)
                one = replace(one, perplexities=measured)
            described.append(one)
            on_progress(0.0)
    match_sizes(
        [one.details for one in described if one.details is not None],
        base=settings.base,
        seed=seed,
    )
    return described


def _perplexity(
    treebank: Treebank,
    training: Treebank | None,
    settings: PerplexitySettings,
    resamples: int,
    seed: int,
) -> Perplexity | None:
    """Measure perplexity, or say why it cannot be; without derivations where there are none."""
    from treegauge.errors import TreegaugeError
    from treegauge.evaluation.perplexity_intervals import perplexity_intervals
    from treegauge.properties.derivation_perplexity import (
        cross_validated_perplexity,
        treebank_perplexity,
    )
    from treegauge.treebank import NOT_ANNOTATED

    def measured(*, heads: bool) -> TreebankPerplexity:
        parts = [part for part in (training, treebank) if part is not None]
        if not heads:
            parts = [part.replace(head=part.head * 0 + NOT_ANNOTATED) for part in parts]
        with heard():
            if training is None:
                return cross_validated_perplexity(parts[0], settings)
            return treebank_perplexity(parts[0], parts[1], settings)

    try:
        try:
            found = measured(heads=True)
        except TreegaugeError as error:
            if not treebank.has_heads:
                raise
            console.say(f"{treebank.name}: no derivation perplexity: {error}", style="yellow")
            found = measured(heads=False)
    except TreegaugeError as error:
        console.say(f"{treebank.name}: no perplexity: {error}", style="yellow")
        return None
    intervals = perplexity_intervals(found, resamples=resamples, seed=seed) if resamples else {}
    return Perplexity(found, intervals)


def _read(
    entry: CatalogueEntry,
    part: str,
    where: list[str],
    on_progress: Callable[[float], None] | None = None,
) -> Treebank:
    from treegauge.treebank import comment_mask

    findings: list[Findings] = []
    treebank = entry.read(part, findings=findings, on_progress=on_progress)
    report(*findings)
    for condition in where:
        mask = comment_mask(treebank, condition)
        if not mask.any():
            console.say(f"{treebank.name} {part}: no sentence with {condition}", style="yellow")
        treebank = treebank[mask]
    return treebank


# Label, attribute, and whether it is a share shown in per cent.
_ROWS = [
    ("tokens", "tokens", False),
    ("sentences", "sentences", False),
    ("tokens/sentence", "tokens_a_sentence", False),
    ("longest sentence", "longest_sentence", False),
    ("coarse tags", "coarse_tags", False),
    ("fine tags", "fine_tags", False),
    ("universal tags", "universal_tags", False),
    ("feature values", "feature_values", False),
    ("relations", "relations", False),
    ("word types", "word_types", False),
    ("types/token", "type_token_ratio", False),
    ("features/lemma", "features_a_lemma", False),
    ("new types %", "new_types", True),
    ("projective trees %", "projective_trees", True),
    ("projective arcs %", "projective_arcs", True),
    ("roots/sentence", "roots_a_sentence", False),
    ("DLM ratio", "dlm_ratio", False),
    ("direction entropy", "arc_direction_entropy", False),
]

_PERPLEXITY_ROWS = [
    ("perplexity", "perplexity", False),
    ("derivation perplexity", "derivation_perplexity", False),
    ("increase %", "perplexity_increase", True),
    ("unknown words %", "unknown_words", True),
]

_OF_DESCRIPTION = {
    *("dlm_ratio", "arc_direction_entropy"),
    *(attribute for _, attribute, _ in _PERPLEXITY_ROWS),
}
"""What is not among the statistics."""


def _rows(described: list[Description]) -> list[tuple[str, str, bool]]:
    measured = any(one.perplexities is not None for one in described)
    return [*_ROWS, *(_PERPLEXITY_ROWS if measured else [])]


_FEW = 8
"""How many columns of numbers a table for people has at the most."""


def terminal_tables(described: list[Description]) -> str:
    """Return the table for people, in as many pieces as the terminal is too narrow for."""
    widest = max((len(_head(one)) for one in described), default=0)
    labels = max(len(label) for label, _, _ in _rows(described))
    fitting = max(1, (console.width() - labels) // (max(widest, 9) + 3))
    pieces = [described[i : i + fitting] for i in range(0, len(described), fitting)]
    rows = _rows(described)
    texts = [_part_table(piece, rows).to_text(width=console.width()) for piece in pieces]
    return "\n".join(texts) + "".join(f"{note}\n" for note in _notes(described))


def wide_table(described: list[Description]) -> Table:
    """Return the challenge's Table 1: a column for every part of every treebank.

    Where there are too many, every part has a row instead.
    """
    if len(described) > _FEW:
        return long_table(described)
    return replace(_part_table(described, _rows(described)), notes=_notes(described))


def _part_table(described: list[Description], rows_of: list[tuple[str, str, bool]]) -> Table:
    from treegauge.reports import Table

    rows = [
        [label, *[_cell(one, attribute, share) for one in described]]
        for label, attribute, share in rows_of
    ]
    return Table(["", *[_head(one) for one in described]], rows)


_NOTE = "d: annotated as dependencies, p: converted from phrases, c: converted. New: not in train."


def _notes(described: list[Description]) -> list[str]:
    wordings = {one.settings.wording for one in described}
    notes = [_NOTE, *[f"DLM ratio and direction entropy: {wording}." for wording in wordings]]
    measured = [one.perplexities.found for one in described if one.perplexities is not None]
    if measured:
        folds = max(found.folds for found in measured)
        source = "cross-validated" if folds else "learnt from train"
        if folds and not all(found.folds for found in measured):
            source = "learnt from train where there is one, or cross-validated"
        notes.append(f"Perplexity: {measured[0].settings.wording}, {source}.")
    increase = _increase_document(described).get("perplexity_increase")
    if increase:
        of_means, of_ratios = (100 * value for value in increase.values())
        notes.append(
            f"Mean increase of perplexity: {of_means:.1f} % (ratio of means), "
            f"{of_ratios:.1f} % (mean of ratios)."
        )
    return notes


def _increase_document(described: list[Description]) -> dict[str, Any]:
    """Return both readings of the increase over several treebanks, where there are several."""
    from treegauge.properties.derivation_perplexity import mean_increase

    # A treebank counts once, with its test part if that is described.
    pairs = {
        one.statistics.name: (one.perplexity, one.derivation_perplexity)
        for one in sorted(described, key=lambda one: one.part == "test")
        if one.perplexity is not None and one.derivation_perplexity is not None
    }
    if len(pairs) < 2:
        return {}
    string, derivation = zip(*pairs.values(), strict=True)
    return {"perplexity_increase": mean_increase(string, derivation)._asdict()}


def _head(one: Description) -> str:
    part = "" if one.part == "whole" else f" {one.part}"
    annotation = f" ({one.annotation})" if one.annotation else ""
    return f"{one.statistics.name}{part}{annotation}"


def long_table(described: list[Description]) -> Table:
    """Return a row for every part of every treebank."""
    from treegauge.reports import Table

    shown = _rows(described)
    rows = [
        [
            one.statistics.name,
            one.part,
            one.annotation or None,
            *[_cell(one, attribute, share) for _, attribute, share in shown],
        ]
        for one in described
    ]
    return Table(["treebank", "part", "annotation", *[label for label, _, _ in shown]], rows)


def _cell(one: Description, attribute: str, share: bool) -> Cell:
    holder = one if attribute in _OF_DESCRIPTION else one.statistics
    value: Cell = getattr(holder, attribute)
    return 100 * value if share and isinstance(value, float) else value
