"""The report of an evaluation: one gold standard, one system or several."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from treegauge.evaluation import Evaluation, StratumScore
from treegauge.metrics import MetricSpec
from treegauge.reports.charts import (
    Bar,
    Figure,
    Palette,
    Point,
    Spot,
    bar_chart,
    file_name,
    scatter_chart,
)
from treegauge.reports.pages.annotations import LENGTHS, Annotations
from treegauge.reports.pages.commands import (
    evaluate_command,
    number_command,
    options_of,
    program_of,
)
from treegauge.reports.pages.page import (
    Block,
    Choice,
    Command,
    Facts,
    Fold,
    Listing,
    Page,
    Part,
    Prose,
)
from treegauge.reports.pages.shared_parts import (
    ABOUT_LETTERS,
    TREES,
    confusion_blocks,
    confusions_part,
    length_blocks,
    letters_shown,
    titled,
    with_first_column,
)
from treegauge.reports.pages.tree_data import tree_bank
from treegauge.results import Score
from treegauge.tables import PERCENT, Cell, Column, Scores, Table
from treegauge.tables.scores import Place


@dataclass(frozen=True)
class Provenance:
    """How the numbers of an evaluation were made: for those who want to make it again."""

    gold: str
    """The file, or the name of the treebank."""
    systems: Sequence[str]
    """The files."""
    command: str
    """What was typed."""
    resamples: int = 1000
    confidence: float = 0.95
    trials: int = 10_000
    test: str = "permutation"
    seed: int = 0
    seconds: float | None = None
    warnings: Sequence[str] = ()
    data: Sequence[str] = ()
    """Folders where the treebank's name was looked for."""
    runs: Sequence[Sequence[str]] = ()
    """The options of every system that annotated gold itself; they follow the files."""
    interval_kind: str = "auto"

    @property
    def sources(self) -> list[str]:
        """Where the annotation of every system is from: a file, or options."""
        return [*self.systems, *(" ".join(options) for options in self.runs)]

    def evaluate_commands(self) -> list[str]:
        """Return for every system the command that scores it alone."""
        program = program_of(self.command)
        of_files = [evaluate_command(self.gold, [file], program) for file in self.systems]
        of_runs = [evaluate_command(self.gold, [], program, options) for options in self.runs]
        return of_files + of_runs

    def options(self) -> str:
        """Return what has to be typed for the same gold and intervals, if it is not the usual."""
        usual = Provenance("", (), "")
        options = []
        if self.resamples != usual.resamples:
            options.append(f"--resamples {self.resamples}")
        if self.confidence != usual.confidence:
            options.append(f"--confidence {self.confidence:g}")
        if self.interval_kind != usual.interval_kind:
            options.append(f"--interval-kind {self.interval_kind}")
        if self.seed != usual.seed:
            options.append(f"--seed {self.seed}")
        options += [f"--data {shlex.quote(folder)}" for folder in self.data]
        return " ".join(options)

    def settings(self) -> dict[str, str]:
        """Return the settings of resampling and testing."""
        entries = {
            "gold": self.gold,
            "systems": ", ".join(self.sources),
            "intervals": f"{100 * self.confidence:g}%, {self.resamples:,} bootstrap resamples "
            "of sentences",
            "tests": f"{self.test}, {self.trials:,} trials, Holm's correction over pairs",
            "seed": str(self.seed),
        }
        if self.seconds is not None:
            entries["time"] = f"{self.seconds:.1f} seconds for reading and scoring"
        return entries


def make_evaluation_page(
    evaluation: Evaluation,
    annotations: Annotations,
    provenance: Provenance,
    *,
    tables: Sequence[Table] = (),
) -> Page:
    """Return the report of an evaluation.

    Parameters
    ----------
    annotations : Annotations
        The treebanks that were evaluated, systems under the names that the evaluation has.
    tables : sequence of Table
        What else was asked for: references, strata, agreement.
    """
    return EvaluationReport(evaluation, annotations, provenance).page(tables)


@dataclass
class EvaluationReport:
    """Makes the parts of the report of an evaluation; a comparison adds its own."""

    evaluation: Evaluation
    annotations: Annotations
    provenance: Provenance

    def page(self, tables: Sequence[Table] = ()) -> Page:
        """Return all parts."""
        names = [system.name for system in self.evaluation.systems]
        trees = tree_bank(self.annotations)
        spec = self.spec
        parts = [self.summary(), self.results(tables)]
        if spec is not None:
            parts.append(self.lengths(spec))
        parts += [self.confusions(), self.of_systems()]
        if trees is not None:
            parts.append(TREES)
        parts.append(self.reproduction())
        title = f"{names[0]} against gold" if len(names) == 1 else f"{len(names)} systems"
        return Page(
            f"{title}: {self.evaluation.gold}",
            self.subtitle(),
            [part for part in parts if part.blocks],
            [trees] if trees is not None else [],
        )

    @property
    def spec(self) -> MetricSpec | None:
        """The metric that words are judged by: the first that is about words."""
        return next((spec for spec in self.evaluation.specs if spec.metric.outcome), None)

    @property
    def palette(self) -> Palette:
        """The colours of the systems, in all figures of the page."""
        return Palette(sorted(system.name for system in self.evaluation.systems))

    @property
    def options(self) -> str:
        """What has to be typed beside files and metrics."""
        align = "--align" if self.annotations.align else ""
        parts = (options_of(self.evaluation.conventions), align, self.provenance.options())
        return " ".join(filter(None, parts))

    def subtitle(self) -> str:
        """Return what was scored, in a line."""
        gold = self.annotations.gold
        names = ", ".join(system.name for system in self.evaluation.systems)
        return (
            f"{names}, scored on {len(gold):,} sentences and {gold.n_words:,} words by the "
            f"conventions of {self.evaluation.conventions.preset}."
        )

    # ------------------------------------------------------------------ parts

    def summary(self) -> Part:
        """Return what a reader should see first."""
        evaluation = self.evaluation
        spec = evaluation.specs[0]
        scores = [system.scores[str(spec)] for system in evaluation.systems]
        facts = [
            (f"{len(self.annotations.gold):,}", "sentences"),
            (f"{scores[0].n:,}", "words scored"),
        ]
        blocks: list[Block] = []
        if len(scores) > 1:
            top = evaluation.best(str(spec))
            facts.append((str(len(scores)), "systems"))
            if top:
                winner = evaluation.systems[top[0]]
                facts.append((winner.name, f"best {titled(spec)}: {scores[top[0]].shown()}"))
                letters = evaluation.letters(str(spec))[top[0]]
                beaten = [
                    one.name for one in evaluation.letters(str(spec)) if one.letter in letters.beats
                ]
                if evaluation.pairs:
                    blocks.append(
                        Prose(_said_of_winner(winner.name, titled(spec), beaten, len(scores)))
                    )
        else:
            for one in evaluation.specs[:4]:
                score = evaluation.systems[0].scores[str(one)]
                facts.append((score.shown(), titled(one)))
        return Part("summary", "Summary", [Facts(facts), *blocks, *self.overview()])

    def overview(self) -> list[Block]:
        """Return the figures of the summary."""
        evaluation = self.evaluation
        if len(evaluation.systems) == 1:
            shares = [spec for spec in evaluation.specs if spec.metric.is_share]
            system = evaluation.systems[0]
            bars = [_bar(titled(spec), system.scores[str(spec)]) for spec in shares]
            if not bars:
                return []
            return [_bars(f"Scores of {system.name}", {"": bars}, self.provenance.confidence)]
        panes: dict[str, list[Block]] = {}
        for spec in evaluation.specs:
            if spec.metric.is_share:
                bars = [_bar(s.name, s.scores[str(spec)]) for s in evaluation.systems]
                figure = _bars(titled(spec), {"": bars}, self.provenance.confidence, self.palette)
                panes[titled(spec)] = [figure]
        return [Choice("Metric", panes)] if panes else []

    def results(self, tables: Sequence[Table]) -> Part:
        """Return all scores, and further tables."""
        blocks: list[Block] = [self.score_table()]
        figure = self.scatter()
        blocks += [figure] if figure is not None else []
        blocks += [table for table in tables if table.rows]
        return Part(
            "results",
            "Results",
            blocks,
            "Every number has its interval below it. Select a number to see its signature and the "
            "command that reproduces it.",
        )

    @cached_property
    def scores(self) -> Scores:
        """All scores, with letters, signatures and commands."""
        names = [system.name for system in self.evaluation.systems]
        files = dict(zip(names, self.provenance.evaluate_commands(), strict=False))
        beats = {
            (one.name, str(spec)): one.beats
            for spec in self.evaluation.specs
            for one in self.evaluation.letters(str(spec))
        }

        def with_command(place: Place, cell: Cell) -> Cell:
            name, _, metric = place
            command = (
                "" if cell.value is None else number_command(files[name], metric, self.options)
            )
            return replace(cell, letters=letters_shown(beats[name, metric]), command=command)

        return self.evaluation.scores().map_cells(with_command)

    def score_table(self) -> Table:
        """Return systems in rows and metrics in columns; for one system, metrics in rows."""
        evaluation = self.evaluation
        notes = [f"[low, high]: {100 * self.provenance.confidence:g}% bootstrap intervals"]
        notes += [ABOUT_LETTERS] if evaluation.pairs else []
        layout = ("systems", "metrics") if len(evaluation.systems) > 1 else ("metrics", "systems")
        title = f"Scores against {evaluation.gold}"
        notes += evaluation.notes
        (table,) = self.scores.tables(*layout, title=title, notes=notes, sizes=True)
        return with_first_column(table, layout[0].removesuffix("s"))

    def scatter(self) -> Figure | None:
        """Return two metrics against each other, or relations by size for a single system."""
        evaluation = self.evaluation
        shares = [spec for spec in evaluation.specs if spec.metric.is_share]
        if len(evaluation.systems) > 1 and len(shares) > 1:
            x, y = shares[0], next((s for s in shares if s.name == "ned"), shares[1])
            spots = []
            for system in evaluation.systems:
                a, b = system.scores[str(x)], system.scores[str(y)]
                if a.value is not None and b.value is not None:
                    tooltip = f"{system.name}\n{titled(x)} {a.shown()}\n{titled(y)} {b.shown()}"
                    spots.append(Spot(system.name, 100 * a.value, 100 * b.value, tooltip))
            return scatter_chart(
                file_name(titled(y), "against", titled(x)),
                f"{titled(y)} against {titled(x)}",
                x_title=f"{titled(x)} (%)",
                y_title=f"{titled(y)} (%)",
                spots=spots,
                palette=self.palette,
            )
        spec = self.spec
        if spec is None or not self.annotations.gold.deprel.is_annotated:
            return None
        name = evaluation.systems[0].name
        cells = self._strata("relation", spec)[name]
        return relation_scatter(name, titled(spec), cells)

    def lengths(self, spec: MetricSpec) -> Part:
        """Return accuracy by edge length and by sentence length."""
        strata = {by: self._strata(by, spec) for by in self._possible_lengths()}
        blocks = length_blocks(titled(spec), strata, palette=self.palette) if strata else []
        return Part("lengths", "By length", blocks)

    def _possible_lengths(self) -> list[str]:
        has_heads = self.annotations.gold.has_heads
        return [by for by in LENGTHS if has_heads or by != "edge_length"]

    def _strata(self, by: str, spec: MetricSpec) -> dict[str, list[StratumScore]]:
        return self.annotations.strata(
            by,
            spec,
            resamples=self.provenance.resamples,
            confidence=self.provenance.confidence,
            seed=self.provenance.seed,
        )

    def confusions(self) -> Part:
        """Return the confusions."""
        panes: dict[str, list[Block]] = {}
        for system in self.evaluation.systems:
            confusion = self.annotations.confusion(system.name)
            if confusion is not None:
                panes[system.name] = confusion_blocks(system.name, confusion)
        return confusions_part(panes)

    def of_systems(self) -> Part:
        """Return a section for every system: its scores with their signatures."""
        evaluation = self.evaluation
        if len(evaluation.systems) == 1:
            return Part("systems", "Systems", [])
        folds: list[Block] = []
        for i, head in enumerate(self.scores.systems):
            system = evaluation.systems[i]
            (table,) = self.scores.only(systems=[head.name]).tables(
                "metrics", "systems", title=f"All scores of {head.name}", sizes=True
            )
            signatures = [row.cells[1].signature for row in table.rows]
            rows = (
                replace(row, cells=(*row.cells, Cell(signature)))
                for row, signature in zip(table.rows, signatures, strict=True)
            )
            columns = (Column("metric"), Column("score"), Column("n"), Column("signature"))
            table = replace(table, columns=columns, rows=tuple(rows))
            first = system.scores[str(evaluation.specs[0])]
            summary = f"{titled(evaluation.specs[0])} {first.shown()}"
            files = Listing({"file": self.provenance.sources[i]})
            folds.append(Fold(system.name, summary, [files, table, *map(Prose, system.warnings)]))
        return Part("systems", "Systems", folds)

    def reproduction(self) -> Part:
        """Return settings, signatures and commands."""
        evaluation = self.evaluation
        entries = dict(self.provenance.settings())
        deviations = evaluation.conventions.deviations()
        preset = evaluation.conventions.preset
        entries["conventions"] = preset + (f", but {' '.join(deviations)}" if deviations else "")
        signatures = {
            titled(spec): str(evaluation.systems[0].scores[str(spec)].signature)
            for spec in evaluation.specs
        }
        command = self.provenance.command
        blocks: list[Block] = [Command("This report", command)] if command else []
        blocks += [Listing(entries, "Settings"), Listing(signatures, "Signatures")]
        if self.provenance.warnings:
            warnings = {str(i): text for i, text in enumerate(self.provenance.warnings, start=1)}
            blocks.append(Listing(warnings, "Warnings"))
        return Part("reproduce", "How to reproduce this page", blocks)


def relation_scatter(name: str, metric: str, cells: Sequence[StratumScore]) -> Figure:
    """Draw relations by how frequent they are and how often they are right."""
    spots = [
        Spot(
            cell.stratum,
            float(cell.n),
            100 * cell.value,
            f"{cell.stratum}: {100 * cell.value:.2f}\n{cell.n:,} words",
        )
        for cell in cells
        if cell.value is not None
    ]
    return scatter_chart(
        file_name(name, "relations"),
        f"{name}: relations by frequency",
        x_title="gold words (logarithmic)",
        y_title=f"{metric} (%)",
        spots=spots,
        logarithmic=True,
    )


def _bar(label: str, score: Score) -> Bar:
    def share(value: float | None) -> float | None:
        return None if value is None else 100 * value

    cell = Cell.of_score(score)
    tooltip = cell.tooltip(label, cell.format or PERCENT)
    point = Point(share(score.value), share(score.low), share(score.high), tooltip)
    return Bar(label, point, score.shown())


def _bars(
    title: str,
    groups: Mapping[str, Sequence[Bar]],
    confidence: float,
    palette: Palette | None = None,
) -> Figure:
    return bar_chart(
        file_name("scores", title),
        title,
        x_title="per cent",
        groups=groups,
        remark=f"lines are {100 * confidence:g}% intervals",
        palette=palette,
    )


def _said_of_winner(name: str, metric: str, beaten: Sequence[str], systems: int) -> str:
    if len(beaten) == systems - 1:
        others = "the other" if systems == 2 else "all others"
        return f"{name} has the best {metric}, significantly better than {others}."
    if beaten:
        return f"{name} has the best {metric}, significantly better than {', '.join(beaten)} only."
    return f"{name} has the best {metric}, but is not significantly better than any other system."
