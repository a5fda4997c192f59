"""Evaluates systems part by part: the scores and intervals of `evaluate`, in bounded memory.

Gold and systems are read in step, sentence by sentence. Only statistics per sentence are kept, in
a temporary file if there are many. Scores, intervals and tests are computed from them as usual.
Decisions about whole columns (which metrics there are, what was given) are made at the end, from
what all parts had together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from treegauge.evaluation.breakdown import Breakdown
from treegauge.evaluation.evaluation_result import Evaluation
from treegauge.evaluation.given_columns import (
    COPIED,
    LEAST_WORDS,
    is_identical,
    marked_as_given,
)
from treegauge.evaluation.resampling import Resampling
from treegauge.evaluation.score_intervals import NO_INTERVAL, intervals_of
from treegauge.evaluation.scoring import (
    DEFAULT_METRICS,
    Evaluated,
    FlawCounts,
    SystemPair,
    chosen_specs,
    different_names,
    has_induced_tags,
    in_groups,
    missing_columns,
    score_of,
    signature_of,
    tests_of_pairs,
)
from treegauge.evaluation.streamed_clusters import StreamedCells
from treegauge.evaluation.streamed_strata import StreamedStrata
from treegauge.formats import TreebankStream
from treegauge.formats.column_writer import column_lines
from treegauge.formats.layouts import CONLLU, layout_of_file
from treegauge.metrics import (
    Comparison,
    Conventions,
    Counts,
    MetricError,
    MetricSpec,
    Statistics,
    parse_specs,
)
from treegauge.significance import SpilledTable
from treegauge.spilling import Spill
from treegauge.treebank import (
    AlignmentError,
    Column,
    PunctuationOfParts,
    Treebank,
    generator_of,
    given_of,
)

TAG_COLUMNS = ("upos", "xpos", "cpos")
"""Columns of which all values are remembered."""

_Group = tuple[str, Conventions]
"""What metrics share that share a comparison: a cut-off and conventions."""


def evaluate_streams(
    gold: TreebankStream,
    *systems: TreebankStream,
    metrics: Sequence[str] = (),
    conventions: Conventions | None = None,
    resampling: Resampling | None = None,
    by: Sequence[str] = (),
    training: Treebank | None = None,
    agreement: bool = False,
) -> Evaluation:
    """Score systems against gold, all of which are read part by part.

    Parameters are those of `evaluate`, and so are scores, intervals and tests. Signatures have
    another fingerprint of gold, with a `~`, since that of a treebank needs all of it. Statistics
    of sentences go to a file when they take more than 64 MiB, of all metrics and systems together.

    Raises
    ------
    AlignmentError
        If gold and a system are not about the same words.
    MetricError
        If a metric lacks a column, or needs whole treebanks.
    """
    conventions, resampling = conventions or Conventions(), resampling or Resampling()
    if conventions.average != "micro":
        raise MetricError(
            "the mean over sentences needs all of them: --average sentence is not for streams"
        )
    names = different_names([system.name or "system" for system in systems])
    specs = parse_specs(list(metrics or DEFAULT_METRICS[conventions.preset]))
    gold_facts = _Facts(gold.name)
    spill = Spill()
    scored: list[_ScoredStream] = []
    punctuation, digest = PunctuationOfParts(), hashlib.blake2b(digest_size=8)
    done = 0
    for gold_part, *parts in in_step(gold, *systems):
        if not scored:
            if not metrics and any(has_induced_tags(gold_part, part) for part in parts):
                specs += parse_specs(["induced-tags"])
            judged = _metric_of_words(specs, (gold_part, *parts)) if by else specs[0]
            scored = [_ScoredStream(name, specs, conventions, spill) for name in names]
            for one, stratum in product(scored, by):
                one.break_down(StreamedStrata(stratum, judged, training, spill))
        gold_facts.add(gold_part)
        for line in _written(gold_part):
            digest.update(line)
        marked = punctuation.marked(gold_part)
        try:
            for one, part in zip(scored, parts, strict=True):
                one.add(marked, part)
        except AlignmentError as error:
            raise AlignmentError(f"{error}\n  counted from sentence {done + 1:,}") from None
        done += gold_part.n_sentences
    specimens = [one.facts.specimen() for one in scored]
    chosen, notes = chosen_specs(gold_facts.specimen(), specimens, metrics, conventions)
    if extra := [spec for spec in chosen if spec not in specs]:
        raise MetricError(
            f"other tags than gold's begin later in the stream, and need {extra[0]}\n"
            "  name metrics with -m, or read with --no-stream"
        )
    data = f"{gold.name or 'gold'}#~{digest.hexdigest()[:8]}"
    evaluated = [one.evaluated(chosen, resampling, gold_facts, data) for one in scored]
    pairs: list[SystemPair] = []
    if resampling.trials and len(evaluated) > 1:
        pairs = [pair for spec in chosen for pair in tests_of_pairs(evaluated, spec, resampling)]
    evaluation = Evaluation(
        gold.name or "gold",
        tuple(evaluated),
        tuple(chosen),
        conventions,
        tuple(pairs),
        tuple(notes),
    )
    if by and (evaluation.metric_of_words or chosen[0]) != judged:
        raise MetricError(
            "--by: columns that the first metric needs begin later in the stream\n"
            "  name a metric with -m, or read with --no-stream"
        )
    strata = [
        Breakdown(
            name, str(judged), {one.facts.name: one.strata[i].scores(resampling) for one in scored}
        )
        for i, name in enumerate(by)
    ]
    return replace(evaluation, strata=tuple(strata), has_agreement=agreement)


def _metric_of_words(specs: Sequence[MetricSpec], treebanks: Sequence[Treebank]) -> MetricSpec:
    """Return the first metric that judges words, and for which the columns are there."""
    of_words = [spec for spec in specs if spec.metric.outcome]
    if not of_words:
        raise MetricError(f"{specs[0]} does not score single words, so it cannot be broken down")
    for spec in of_words:
        if not any(missing_columns(spec.metric, treebank) for treebank in treebanks):
            return spec
    raise MetricError(
        f"--by: the first sentences lack the columns of {', '.join(map(str, of_words))}\n"
        "  --no-stream looks at the whole treebank"
    )


def in_step(*streams: Iterable[Treebank]) -> Iterator[tuple[Treebank, ...]]:
    """Give parts of several treebanks with the same number of sentences.

    Raises
    ------
    AlignmentError
        If one of them ends before the others.
    """
    iterators = [iter(stream) for stream in streams]
    pending: list[Treebank | None] = [next(iterator, None) for iterator in iterators]
    done = 0
    while any(part is not None for part in pending):
        parts = [part for part in pending if part is not None]
        if len(parts) < len(pending):
            missing = next(s for s, part in zip(streams, pending, strict=True) if part is None)
            raise AlignmentError(
                f"[token-mismatch] {getattr(missing, 'name', '')} ends after sentence {done:,}, "
                "and the others have more\n  check that this is the output for this file"
            )
        size = min(part.n_sentences for part in parts)
        done += size
        yield tuple(part[:size] if part.n_sentences > size else part for part in parts)
        pending = [
            part[size:] if part.n_sentences > size else next(iterator, None)
            for part, iterator in zip(parts, iterators, strict=True)
        ]


class _Facts:
    """What all parts of a treebank have together."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.n_words = 0
        self.annotated: set[str] = set()
        self.values: dict[str, set[str]] = {column: set() for column in TAG_COLUMNS}
        self.generator = ""
        self.given: frozenset[str] = frozenset()
        self._is_begun = False

    def add(self, part: Treebank) -> None:
        """Add a part."""
        if not self._is_begun:
            # The first sentence speaks for all.
            self.generator, self.given, self._is_begun = generator_of(part), given_of(part), True
        self.n_words += part.n_words
        self.annotated |= {name for name, column in part.columns.items() if column.is_annotated}
        if part.has_heads:
            self.annotated.add("head")
        for column, values in self.values.items():
            values.update(part.columns[column].counts())

    def specimen(self) -> Treebank:
        """Return a small treebank with the same columns and the same tags."""
        size = max(map(len, self.values.values()), default=0) or 1
        columns = {name: Column.constant("x", size) for name in sorted(self.annotated - {"head"})}
        for name, values in self.values.items():
            listed = sorted(values) or ["_"]
            columns[name] = Column.from_strings((listed * size)[:size])
        columns.setdefault("form", Column.constant("x", size))
        head = np.zeros(size, np.int32) if "head" in self.annotated else None
        return Treebank(columns, head, offsets=[0, size], name=self.name)


class _ScoredStream:
    """One system: statistics of all its sentences, under all metrics that may be asked for."""

    def __init__(
        self, name: str, specs: Sequence[MetricSpec], conventions: Conventions, spill: Spill
    ) -> None:
        self.facts = _Facts(name)
        self.conventions = conventions
        self.strata: list[StreamedStrata] = []
        self._specs = specs
        self._flaws = FlawCounts()
        self._spill = spill
        self._tables: dict[str, SpilledTable] = {}
        self._cells: dict[_Group, StreamedCells] = {}
        self._comparisons: dict[_Group, Comparison] = {}
        """The last ones."""
        self._identical: set[str] | None = None

    def break_down(self, strata: StreamedStrata) -> None:
        """Also count words by stratum."""
        self.strata.append(strata)

    def add(self, gold: Treebank, part: Treebank) -> None:
        """Score a part against the same sentences of gold."""
        part = part.replace(name=self.facts.name)
        self.facts.add(part)
        self._flaws.add(part)
        known = {*gold.columns, "head"} if self._identical is None else self._identical
        self._identical = {name for name in known if is_identical(name, gold, part)}
        for group, specs in in_groups(self._specs, self.conventions).items():
            comparison = self._compared(group, gold, part)
            self._comparisons[group] = comparison
            if any(spec.metric.family == "induced-tags" for spec in specs):
                self._cells.setdefault(group, StreamedCells(self._spill)).add(comparison)
            for spec in specs:
                if spec.metric.family != "induced-tags":
                    self._add_rows(spec, comparison)
        for strata in self.strata:
            strata.add(self._compared((strata.spec.cut_off, self.conventions), gold, part))

    def _compared(self, group: _Group, gold: Treebank, part: Treebank) -> Comparison:
        cut_off, conventions = group
        return Comparison(gold, part, conventions, cut_off=cut_off)

    def _add_rows(self, spec: MetricSpec, comparison: Comparison) -> None:
        # Arguments of verbs are looked for by relations only if the whole treebank has some.
        is_local = spec.metric.family != "task"
        statistics = spec.metric.statistics(comparison) if is_local else None
        if not isinstance(statistics, Counts):
            raise MetricError(f"{spec} needs whole treebanks\n  read with --no-stream")
        table = self._tables.setdefault(str(spec), SpilledTable(3, self._spill))
        table.append(statistics.per_sentence)

    def evaluated(
        self, specs: Sequence[MetricSpec], resampling: Resampling, gold: _Facts, data: str
    ) -> Evaluated:
        """Return scores with intervals, once all parts were added."""
        system = self.facts.specimen()
        statistics: dict[str, Statistics] = {}
        scores = {}
        for group, chosen in in_groups(specs, self.conventions).items():
            comparison = self._comparisons[group]
            own = {
                str(spec): self._statistics(spec, group)
                for spec in chosen
                if not missing_columns(spec.metric, system)
            }
            sentences = next((one.per_sentence.shape[0] for one in own.values()), 0)
            intervals = intervals_of(own, sentences, resampling)
            for spec in chosen:
                name = str(spec)
                found = intervals.get(name, NO_INTERVAL)
                signature = signature_of(
                    spec, comparison, False, self.facts.generator, data, interval=found.kind
                )
                scores[name] = score_of(spec, own.get(name), found.ends, signature)
            statistics.update(own)
        ordered = {str(spec): scores[str(spec)] for spec in specs}
        flaws = (f"{system.name}: {self._flaws}: counted as wrong",) if str(self._flaws) else ()
        evaluated = Evaluated(system.name, ordered, statistics, flaws)
        return marked_as_given(evaluated, self._given(gold), system, specs)

    def _statistics(self, spec: MetricSpec, group: _Group) -> Statistics:
        if spec.metric.family == "induced-tags":
            return self._cells[group].cells(spec, self._comparisons[group])
        return Counts(self._tables[str(spec)])  # type: ignore[arg-type]

    def _given(self, gold: _Facts) -> frozenset[str]:
        candidates = self.facts.given | {*(COPIED if gold.n_words >= LEAST_WORDS else ())}
        return frozenset(candidates & gold.annotated & (self._identical or set()))


def _written(part: Treebank) -> Iterator[bytes]:
    """Give the lines of a part, which are the same however a treebank is cut into parts."""
    layout = layout_of_file(part.file_columns, part.file_header, CONLLU.format) or CONLLU
    return column_lines(part, layout)
