"""`treegauge evaluate`: every number the field reports, for any system's output."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treegauge.cli import console
from treegauge.cli.console import JsonOption, OutputOption, QuietOption
from treegauge.cli.html_reports import (
    FiguresOption,
    ReportFormat,
    ReportFormatOption,
    chosen_format,
    emit_document,
    how_made,
)
from treegauge.cli.language_models import LanguageModelOption, heard
from treegauge.cli.learning import open_training
from treegauge.cli.scoring_options import (
    AlignOption,
    AverageOption,
    ByOption,
    ConfidenceOption,
    CountRootOption,
    GoldArgument,
    MetricsOption,
    PresetOption,
    PunctuationOption,
    ResamplesOption,
    SeedOption,
    SkipLengthOneOption,
    StrictOption,
    SubtypesOption,
    TagsOption,
    TestOption,
    TrainOption,
    TrialsOption,
    chosen_conventions,
    chosen_metrics,
    open_system,
)
from treegauge.cli.treebanks import DataOption, open_treebank

if TYPE_CHECKING:
    from treegauge.evaluation import Confusion, Evaluation, StratumScore
    from treegauge.evaluation.perplexity_of_parsers import ParserPerplexity
    from treegauge.metrics import Comparison, Conventions
    from treegauge.metrics.tagging import TagRow
    from treegauge.reports import Table
    from treegauge.results import Score
    from treegauge.treebank import Treebank


def evaluate_cli(
    gold: GoldArgument,
    systems: Annotated[
        list[str], typer.Argument(metavar="SYSTEM", help="Outputs of systems for the same text.")
    ],
    metrics: MetricsOption = "",
    preset: PresetOption = "conll2018",
    punctuation: PunctuationOption = "",
    subtypes: SubtypesOption = None,
    average: AverageOption = "micro",
    tags: TagsOption = "u",
    skip_length_one: SkipLengthOneOption = False,
    count_root: CountRootOption = True,
    align: AlignOption = False,
    by: ByOption = [],  # noqa: B006
    train: TrainOption = "",
    errors: Annotated[
        str,
        typer.Option(
            "--errors", metavar="CELL", help="List errors: nsubj:obj, or edge_length=10+."
        ),
    ] = "",
    confusion: Annotated[
        str, typer.Option("--confusion", help="relations or tags: what is taken for what.")
    ] = "",
    per_tag: Annotated[
        bool, typer.Option("--per-tag", help="Precision, recall and F1 of every tag.")
    ] = False,
    references: Annotated[
        list[str],
        typer.Option(
            "--reference", metavar="FILE", help="A further gold standard; may be repeated."
        ),
    ] = [],  # noqa: B006
    styles: Annotated[
        str,
        typer.Option(
            "--styles",
            metavar="LIST",
            help="Also against gold (UD) in other annotation styles: all, or functional,prague,…",
        ),
    ] = "",
    agreement: Annotated[
        bool, typer.Option("--agreement", help="How alike metrics rank the systems.")
    ] = False,
    perplexity_train: Annotated[
        str,
        typer.Option(
            "--perplexity-train",
            metavar="TREEBANK",
            help="Also derivation perplexity, learnt from these trees; gold needs none for it.",
        ),
    ] = "",
    language_model: LanguageModelOption = "kenlm",
    figure: Annotated[
        str,
        typer.Option(
            "--figure", metavar="FILE", help="Draw accuracy by edge length: .svg, .pdf or .png."
        ),
    ] = "",
    test: TestOption = "permutation",
    trials: TrialsOption = 10_000,
    resamples: ResamplesOption = 1000,
    confidence: ConfidenceOption = 0.95,
    seed: SeedOption = 0,
    strict: StrictOption = False,
    data: DataOption = [],  # noqa: B006
    bare: Annotated[
        bool, typer.Option("--bare", "-b", help="Print the first score and nothing else.")
    ] = False,
    figures: FiguresOption = "",
    format: ReportFormatOption = ReportFormat.TABLE,
    json: JsonOption = False,
    output: OutputOption = "",
    quiet: QuietOption = False,
) -> None:
    """Score systems against gold: attachment, tags, induced tags, with intervals and tests.

    Every number has an interval and a signature that says how it was made. With -o report.html,
    a page with figures and trees.

    Example: `treegauge evaluate gold.conllu ours.conllu baseline.conllu -m las,uas,ned@10`

    Example: `treegauge evaluate text.conllu parsed.conllu --perplexity-train train.conllu`
    """
    console.manners.quiet = quiet
    begin = time.monotonic()
    chosen = chosen_format(format, output, json=json, figures=figures)
    request = Request(
        metrics=chosen_metrics(metrics),
        conventions=chosen_conventions(
            preset,
            punctuation,
            subtypes,
            average,
            tags,
            skip_length_one=skip_length_one,
            count_root=count_root,
        ),
        align=align,
        by=by,
        errors=errors,
        confusion=_column(confusion),
        per_tag=per_tag,
        agreement=agreement,
        edge_lengths=bool(figure),
        test=test,
        trials=trials,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
        language_model=language_model,
    )
    if figure:
        from treegauge.reports import figure_format

        figure_format(figure)  # complains of an extension before anything is computed
    derivations = open_training(perplexity_train, data=data) if perplexity_train else None
    gold_treebank = open_treebank(gold, data=data, format=None, strict=strict)
    others = [open_treebank(reference, data=data, format=None) for reference in references]
    others += _in_styles(gold_treebank, styles)
    read, warnings = zip(*map(open_system, systems), strict=True)
    training = open_treebank(train, data=data, format=None) if train else None
    with console.progress("evaluating"):
        answer = evaluate(
            gold_treebank,
            list(read),
            request,
            others=others,
            training=training,
            derivations=derivations,
        )
    found = list(chain(*warnings))
    if bare:
        sys.stdout.write(f"{answer.first_score.shown()}\n")
    elif chosen is ReportFormat.HTML:
        if not answer.evaluation.specs:
            from treegauge.metrics import MetricError

            raise MetricError(f"{gold} is a bare text: a page needs something to compare with")
        from treegauge.reports.pages import Annotations, evaluation_document

        names = [system.name for system in answer.evaluation.systems]
        annotations = Annotations(
            answer.evaluation.gold,
            gold_treebank,
            dict(zip(names, read, strict=True)),
            request.conventions,
            align,
        )
        made = how_made(
            "evaluate", gold, systems, request, output, begin=begin, warnings=found, metrics=metrics
        )
        page = evaluation_document(answer.evaluation, annotations, made, tables=answer.tables()[1:])
        emit_document(page, output, figures)
    else:
        console.emit(
            chosen.plain,
            output,
            table=answer.tables,
            document=lambda: answer.to_dict(warnings=found),
        )
    # After the scores, which are there even if a package for PNG or PDF is missing.
    if figure:
        sys.stdout.flush()
        _draw(answer, confidence, figure)


@dataclass(frozen=True)
class Request:
    """What was asked for, besides the treebanks."""

    metrics: list[str]
    conventions: Conventions
    align: bool = False
    by: list[str] = field(default_factory=list)
    errors: str = ""
    confusion: str = ""
    per_tag: bool = False
    agreement: bool = False
    edge_lengths: bool = False
    test: str = "permutation"
    trials: int = 10_000
    resamples: int = 1000
    confidence: float = 0.95
    seed: int = 0
    language_model: str = "kenlm"

    @property
    def needs_gold(self) -> bool:
        """Whether something was asked for that needs more of gold than its text."""
        breakdowns = self.by or self.errors or self.confusion or self.per_tag or self.edge_lengths
        return bool(self.metrics or self.agreement or breakdowns)


@dataclass(frozen=True)
class Answer:
    """What came out."""

    evaluation: Evaluation
    references: dict[str, Evaluation]
    strata: list[tuple[str, str, dict[str, list[StratumScore]]]]
    """Stratum, metric, and the cells of every system."""
    confusions: dict[str, Confusion]
    tags: dict[str, list[TagRow]]
    """For every system: tag, gold words, precision, recall, F1."""
    errors: dict[str, list[str]]
    with_agreement: bool
    edge_lengths: tuple[str, dict[str, list[StratumScore]]] | None = None
    """The title of a metric, and the cells of every system by edge length: what is drawn."""
    perplexity: ParserPerplexity | None = None

    @property
    def first_score(self) -> Score:
        """The score of the first system under the first metric."""
        scores = [*self.evaluation.systems[0].scores.values()]
        if self.perplexity is not None:
            scores += self.perplexity.systems.values()
        return scores[0]

    def tables(self) -> list[Table]:
        """Return everything as tables."""
        from treegauge.reports import (
            Table,
            agreement_table,
            confusion_table,
            reference_table,
            score_table,
            stratum_table,
            tag_table,
        )
        from treegauge.reports.perplexity_tables import parser_perplexity_tables

        tables = [score_table(self.evaluation)] if self.evaluation.specs else []
        if self.perplexity is not None:
            tables += parser_perplexity_tables(self.perplexity)
        if self.references:
            metrics = [str(spec) for spec in self.evaluation.specs]
            tables += [reference_table(metric, self.references) for metric in metrics]
        tables += [stratum_table(by, metric, cells) for by, metric, cells in self.strata]
        tables += [confusion_table(name, found) for name, found in self.confusions.items()]
        tables += [tag_table(name, rows) for name, rows in self.tags.items()]
        tables += [
            Table((name,), [(line,) for line in lines]) for name, lines in self.errors.items()
        ]
        if self.with_agreement:
            tables.append(agreement_table(self.evaluation))
        return tables

    def to_dict(self, *, warnings: list[str]) -> dict[str, Any]:
        """Return everything as JSON has it; extras in members of their own."""
        document = self.evaluation.to_dict()
        document["warnings"] += warnings
        if self.perplexity is not None:
            document["derivation_perplexity"] = self.perplexity.to_dict()
            for system in document["systems"]:
                score = self.perplexity.systems[system["name"]]
                system["scores"][score.name] = score.to_dict()
        if self.references:
            document["references"] = {
                name: evaluation.to_dict()["systems"]
                for name, evaluation in self.references.items()
            }
        if self.strata:
            document["strata"] = [
                {
                    "by": by,
                    "metric": metric,
                    "systems": {
                        name: [
                            {
                                "stratum": c.stratum,
                                "value": c.value,
                                "low": c.low,
                                "high": c.high,
                                "n": c.n,
                            }
                            for c in cells
                        ]
                        for name, cells in systems.items()
                    },
                }
                for by, metric, systems in self.strata
            ]
        if self.confusions:
            document["confusions"] = {
                name: [{"gold": a, "system": b, "words": n} for a, b, n in found.mistakes()]
                for name, found in self.confusions.items()
            }
        if self.tags:
            columns = ("tag", "n", "precision", "recall", "f1")
            document["tags"] = {
                name: [dict(zip(columns, row, strict=True)) for row in rows]
                for name, rows in self.tags.items()
            }
        if self.errors:
            document["errors"] = self.errors
        if self.with_agreement:
            document["agreement"] = [
                {"metrics": [a, b], "tau_b": tau} for a, b, tau in self.evaluation.agreement()
            ]
        return document


_MOST_ERRORS = 50
"""How many errors are listed for a system."""


def evaluate(
    gold: Treebank,
    systems: list[Treebank],
    request: Request,
    *,
    others: list[Treebank] | None = None,
    training: Treebank | None = None,
    derivations: Treebank | None = None,
) -> Answer:
    """Compute everything that was asked for.

    With a treebank whose derivations are learnt from, gold may be a bare text.
    """
    from treegauge.evaluation import break_down, confusion, evaluate as scores_of, mistakes
    from treegauge.metrics import Comparison, tag_counts, total

    def scored(reference: Treebank, metrics: list[str], trials: int) -> Evaluation:
        return scores_of(
            reference,
            *systems,
            metrics=metrics,
            conventions=request.conventions,
            align=request.align,
            resamples=request.resamples,
            confidence=request.confidence,
            test=request.test,
            trials=trials,
            seed=request.seed,
        )

    if derivations is not None and not request.needs_gold and not _is_annotated(gold):
        evaluation = _nothing_but_text(gold, systems, request.conventions)
    else:
        evaluation = scored(gold, request.metrics, request.trials)
    references = {}
    if others:
        # The same metrics against every gold standard, whatever columns it has.
        metrics = [str(spec) for spec in evaluation.specs]
        references[gold.name or "gold"] = evaluation
        for number, other in enumerate(others, start=2):
            name = f"{other.name} ({number})" if other.name in references else other.name
            references[name] = scored(other, metrics, 0)
    strata, confusions, tags, errors = [], {}, {}, {}
    edge_lengths = None
    if request.by or request.confusion or request.per_tag or request.errors or request.edge_lengths:
        spec = next((s for s in evaluation.specs if s.metric.outcome), evaluation.specs[0])
        compared = {
            evaluated.name: Comparison(
                gold,
                system,
                request.conventions,
                cut_off=spec.cut_off,
                by_characters=request.align,
            )
            for evaluated, system in zip(evaluation.systems, systems, strict=True)
        }

        def broken_down(by: str) -> dict[str, list[StratumScore]]:
            return {
                name: break_down(
                    comparison,
                    spec.metric,
                    by,
                    training=training,
                    resamples=request.resamples,
                    confidence=request.confidence,
                    seed=request.seed,
                )
                for name, comparison in compared.items()
            }

        strata = [(by, str(spec), broken_down(by)) for by in request.by]
        if request.edge_lengths:
            edge_lengths = (spec.metric.title + spec.cut_off, broken_down("edge_length"))
        for name, comparison in compared.items():
            if request.confusion:
                confusions[name] = confusion(comparison, request.confusion)
            if request.per_tag:
                counts = tag_counts(comparison, _tags_of(comparison))
                tags[name] = counts.table(total(counts.per_sentence))
            if request.errors:
                found = mistakes(comparison, spec.metric, request.errors, training=training)
                errors[name] = [str(mistake) for mistake in islice(found, _MOST_ERRORS)]
    perplexity = None
    if derivations is not None:
        named = [
            system.replace(name=evaluated.name)
            for evaluated, system in zip(evaluation.systems, systems, strict=True)
        ]
        perplexity = _perplexity(derivations, named, gold, request)
    return Answer(
        evaluation,
        references,
        strata,
        confusions,
        tags,
        errors,
        request.agreement,
        edge_lengths,
        perplexity,
    )


def _perplexity(
    derivations: Treebank, systems: list[Treebank], gold: Treebank, request: Request
) -> ParserPerplexity:
    from treegauge.evaluation.perplexity_of_parsers import perplexity_of_parsers
    from treegauge.properties import PerplexitySettings

    with heard():
        return perplexity_of_parsers(
            derivations,
            systems,
            gold=gold,
            settings=PerplexitySettings.parse(request.language_model),
            resamples=request.resamples,
            confidence=request.confidence,
            trials=request.trials,
            seed=request.seed,
        )


def _is_annotated(gold: Treebank) -> bool:
    """Return whether gold has anything that a system can be compared with."""
    columns = ("lemma", "upos", "xpos", "cpos", "feats")
    return gold.has_heads or any(gold.columns[name].is_annotated for name in columns)


def _nothing_but_text(
    gold: Treebank, systems: list[Treebank], conventions: Conventions
) -> Evaluation:
    """Return an evaluation without metrics: gold is a text, and nothing is compared with it."""
    from treegauge.evaluation import Evaluated, Evaluation
    from treegauge.treebank import align_by_position

    names = [system.name or "system" for system in systems]
    if len(set(names)) < len(names):
        names = [f"{name} ({i})" for i, name in enumerate(names, start=1)]
    for system in systems:
        align_by_position(gold, system)  # complains about another text
    return Evaluation(
        gold.name or "gold", tuple(Evaluated(name, {}, {}) for name in names), (), conventions
    )


def _draw(answer: Answer, confidence: float, path: str) -> None:
    from treegauge.reports import edge_length_figure, save_figure

    if answer.edge_lengths is not None:
        metric, systems = answer.edge_lengths
        save_figure(edge_length_figure(systems, metric=metric, confidence=confidence), path)
        console.say(f"wrote {path}")


def _tags_of(comparison: Comparison) -> str:
    return "upos" if comparison.gold.upos.is_annotated else "xpos"


def _column(confusion: str) -> str:
    columns = {"": "", "relations": "deprel", "tags": "upos"}
    if confusion not in columns:
        raise typer.BadParameter(f"--confusion is relations or tags, not {confusion!r}")
    return columns[confusion]


def _in_styles(gold: Treebank, styles: str) -> list[Treebank]:
    """Return gold in other annotation styles: the challenge's Table 5 for any UD treebank."""
    from treegauge.rewrite import BUNDLES, Style, to_style

    if not styles:
        return []
    names = list(BUNDLES) if styles == "all" else [name.strip() for name in styles.split(",")]
    converted: dict[str, Treebank] = {}
    for name in names:
        style = Style.parse(name)
        # Bundles that say the same are one reference, and gold is there already.
        if style.name not in ("ud", *converted):
            converted[style.name] = to_style(gold, style).replace(name=name)
    return list(converted.values())
