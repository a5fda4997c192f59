"""What classes are worth in tasks, what is gained by them, and whether metrics predict it.

A task of a treebank is a table of counts, one row for every test sentence, and a score of their
sums: right words of all words, for the parser those with the right head, for the tagger those with
the right tag. What the tagger got right after each draw of labelled sentences is added up, so that
its score is the mean over draws, and a sentence stays one sentence in the tests. These ask about
other test sentences; about other draws, and other seeds of inducers, they say nothing.

- The learning curve: accuracy over the logarithm of the number of labelled sentences; the area
  under it, by trapezoids, as a share of the widest that there could be: a mean accuracy.
- Gains over no classes: paired permutation tests over sentences, Holm's correction over the
  classes of a treebank and task. The average over treebanks is tested as well: the mean of their
  scores, with the sentences of all.
- Agreement: Kendall's tau-b between a task and a metric of classes over inducers, controls aside,
  1 if both rank them in the same order. p is the share of all orders of one ranking whose tau-b is
  at least as far from 0: exact for up to eight inducers. With three of them p is never below 1/3,
  with four never below 1/12: agreement of few inducers is never significant.

References
----------
Kendall (1945), The treatment of ties in ranking problems. doi:10.1093/biomet/33.3.239
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.linalg import block_diag

from treegauge.metrics import MetricSpec
from treegauge.metrics.metric import ratio
from treegauge.significance import holm, kendall_tau_b, paired_permutation
from treegauge.significance.tau_test import tau_p_value
from treegauge.treebank import Treebank

Floats: TypeAlias = NDArray[np.float64]

INDUCED = ("many_to_one", "one_to_one", "v_measure", "vi")
"""The metrics of classes."""
WORDS = ("all", "unknown", "ambiguous")
"""Kinds of words that a tagger is scored on."""
AVERAGE = "average"
"""In place of a treebank: the mean over them."""
CURVE, PARSING = "tagging, learning curve", "parsing"
NO_CLASSES = "no classes"
"""The control that gains are over."""

_METRICS = dict.fromkeys(("treebank", "classes", "metric"), pl.String) | {"value": pl.Float64}
_TASKS = (
    dict.fromkeys(("treebank", "classes"), pl.String)
    | {"is_control": pl.Boolean, "task": pl.String, "words": pl.String}
    | dict.fromkeys(("value", "gain", "p", "adjusted_p"), pl.Float64)
)
_AGREEMENT = (
    dict.fromkeys(("treebank", "task", "metric"), pl.String)
    | {"inducers": pl.Int64}
    | dict.fromkeys(("tau_b", "p"), pl.Float64)
)
"""What frames are made of."""
_Rows = Iterator[tuple[Any, ...]]


def tagging_task(sentences: int) -> str:
    """Return the name of the task of tagging after a number of labelled sentences."""
    return f"tagging, {sentences} sentences"


# ---------------------------------------------------------------------- counts and scores


def tagging_counts(
    gold: Treebank,
    tagged: Treebank,
    is_unknown: NDArray[np.bool_],
    is_ambiguous: NDArray[np.bool_],
) -> Floats:
    """Return right words and words of every sentence: all, unknown and ambiguous ones.

    Returns
    -------
    float64 array, [sentences, 6]
        Right and all of every kind of `WORDS`, side by side.
    """
    pairs = zip(gold.upos, tagged.upos, strict=True)
    right = np.fromiter((a == b for a, b in pairs), np.bool_, gold.n_words)
    everything = np.ones(gold.n_words, np.bool_)
    columns = [
        np.bincount(gold.sentence_of_word[chosen], minlength=gold.n_sentences)
        for kind in (everything, is_unknown, is_ambiguous)
        for chosen in (kind & right, kind)
    ]
    return np.stack(columns, axis=1).astype(np.float64)


def curve_weights(sizes: Sequence[int]) -> Floats:
    """Return the weights of accuracies in the area under a learning curve; they sum to 1.

    Trapezoids over the logarithm of the sizes, the whole width being 1; one size has no width,
    and counts alone.

    >>> curve_weights([100, 1000, 10_000]).round(3).tolist()
    [0.25, 0.5, 0.25]
    >>> curve_weights([100]).tolist()
    [1.0]
    """
    if len(sizes) == 1:
        return np.ones(1)
    widths = np.diff(np.log(sizes))
    weights: Floats = (np.append(widths, 0.0) + np.append(0.0, widths)) / (2 * widths.sum())
    return weights


@dataclass(frozen=True)
class Task:
    """Right words and words, in pairs of columns, and how much each pair counts."""

    per_sentence: Floats
    weights: Floats
    """Of the pairs; they sum to 1."""

    def score(self, sums: Floats) -> Floats:
        """Return the weighted mean of the shares of right words."""
        shares: Floats = ratio(sums[..., 0::2], sums[..., 1::2])
        return shares @ self.weights

    @property
    def value(self) -> float | None:
        """The score; None where a kind of words does not occur."""
        value = float(self.score(self.per_sentence.sum(axis=0)))
        return None if math.isnan(value) else value

    @classmethod
    def mean(cls, tasks: Sequence[Task]) -> Task:
        """Return the task whose score is the mean of scores: sentences below each other."""
        return cls(
            block_diag(*(task.per_sentence for task in tasks)),
            np.concatenate([task.weights for task in tasks]) / len(tasks),
        )


@dataclass(frozen=True)
class Use:
    """What classes of one system are worth on a treebank."""

    treebank: str
    classes: str
    """An inducer, or a control."""
    metrics: Mapping[str, float]
    """Of the classes themselves, against universal tags; none where there are no classes."""
    tagging: Mapping[int, Floats]
    """What the tagger got right, by labelled sentences; see `tagging_counts`."""
    parsing: Floats | None
    """Right heads and words of every sentence, punctuation aside."""

    def tasks(self, words: str = "all") -> dict[str, Task]:
        """Return the tasks by name; the tagger's on one kind of words."""
        first = 2 * WORDS.index(words)
        sizes = sorted(self.tagging)
        counts = {size: self.tagging[size][:, first : first + 2] for size in sizes}
        tasks = {tagging_task(size): Task(counts[size], np.ones(1)) for size in sizes}
        if sizes:
            tasks[CURVE] = Task(np.hstack(list(counts.values())), curve_weights(sizes))
        if self.parsing is not None and words == "all":
            tasks[PARSING] = Task(self.parsing, np.ones(1))
        return tasks


@dataclass(frozen=True)
class Uses:
    """What the classes of all systems are worth on all treebanks."""

    rows: tuple[Use, ...]
    inducers: tuple[str, ...]
    """Those whose rankings are compared; other rows are controls."""
    trials: int = 5000
    seed: int = 0

    @property
    def treebanks(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(dict.fromkeys(row.treebank for row in self.rows))

    @property
    def kinds(self) -> tuple[str, ...]:
        """Inducers and controls, in the order of the rows."""
        return tuple(dict.fromkeys(row.classes for row in self.rows))

    @property
    def places(self) -> tuple[str, ...]:
        """Treebanks, and the average where there are several."""
        return (*self.treebanks, *([AVERAGE] if len(self.treebanks) > 1 else []))

    @property
    def task_names(self) -> tuple[str, ...]:
        """All tasks, in the order of tables."""
        sizes = sorted({size for row in self.rows for size in row.tagging})
        return (*map(tagging_task, sizes), CURVE, PARSING)

    def tasks(self, place: str, words: str = "all") -> dict[str, dict[str, Task]]:
        """Return the tasks of a treebank, or their averages, by name, each by classes."""
        if place != AVERAGE:
            return self._tasks_of(place, words)
        means = {}
        for name in self.task_names:
            own = [
                by_name[name]
                for treebank in self.averaged(name)
                if name in (by_name := self._tasks_of(treebank, words))
            ]
            if own:
                means[name] = {kind: Task.mean([one[kind] for one in own]) for kind in own[0]}
        return means

    def _tasks_of(self, treebank: str, words: str = "all") -> dict[str, dict[str, Task]]:
        tasks: dict[str, dict[str, Task]] = {}
        for row in self.rows:
            if row.treebank == treebank:
                for name, task in row.tasks(words).items():
                    tasks.setdefault(name, {})[row.classes] = task
        return {name: tasks[name] for name in self.task_names if name in tasks}

    def averaged(self, task: str) -> tuple[str, ...]:
        """Return the treebanks in the average of a task: those where no classes lack it.

        Classes that have the task nowhere are not asked for it.
        """
        having = {
            treebank: own[task].keys()
            for treebank in self.treebanks
            if task in (own := self._tasks_of(treebank))
        }
        kinds_with_task = {kind for kinds in having.values() for kind in kinds}
        return tuple(treebank for treebank, kinds in having.items() if kinds == kinds_with_task)

    def metrics(self, treebanks: Sequence[str]) -> dict[str, dict[str, float]]:
        """Return the means of the metrics of classes over treebanks, by classes."""
        means = {}
        for kind in self.kinds:
            rows = [r for r in self.rows if r.classes == kind and r.treebank in treebanks]
            if len(rows) == len(treebanks) and all(set(INDUCED) <= r.metrics.keys() for r in rows):
                means[kind] = {m: fmean(row.metrics[m] for row in rows) for m in INDUCED}
        return means

    # ------------------------------------------------------------------ frames

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return metrics of classes, scores of tasks with gains, and how they agree."""
        return {
            "metrics": pl.DataFrame(list(self._metric_rows()), _METRICS, orient="row"),
            "tasks": pl.DataFrame(list(self._task_rows()), _TASKS, orient="row"),
            "agreement": pl.DataFrame(list(self._agreement_rows()), _AGREEMENT, orient="row"),
        }

    def _metric_rows(self) -> _Rows:
        for place in self.places:
            metrics = self.metrics(self.treebanks if place == AVERAGE else [place])
            for kind, own in metrics.items():
                yield from ((place, kind, metric, value) for metric, value in own.items())

    def _task_rows(self) -> _Rows:
        for place in self.places:
            for words in WORDS:
                for name, by_classes in self.tasks(place, words).items():
                    gains = self._gains(by_classes) if words == "all" else {}
                    for kind, task in by_classes.items():
                        gain = gains.get(kind, (None, None, None))
                        yield (
                            place,
                            kind,
                            kind not in self.inducers,
                            name,
                            words,
                            task.value,
                            *gain,
                        )

    def _gains(self, by_classes: Mapping[str, Task]) -> dict[str, tuple[float, float, float]]:
        """Return what classes give over none: the difference, p, and p after Holm's correction."""
        base = by_classes.get(NO_CLASSES)
        if base is None:
            return {}
        tests = {
            kind: paired_permutation(
                base.per_sentence,
                task.per_sentence,
                base.score,
                trials=self.trials,
                seed=self.seed,
            )
            for kind, task in by_classes.items()
            if kind != NO_CLASSES
        }
        known = {
            kind: (test.difference, test.p)
            for kind, test in tests.items()
            if test.difference is not None and test.p is not None
        }
        adjusted = holm([p for _, p in known.values()]).tolist() if known else []
        return {kind: (*own, p) for (kind, own), p in zip(known.items(), adjusted, strict=True)}

    def _agreement_rows(self) -> _Rows:
        """Give tau-b between tasks and metrics over inducers, 1 where they rank them alike."""
        for place in self.places:
            for name, by_classes in self.tasks(place).items():
                metrics = self.metrics(self.averaged(name) if place == AVERAGE else [place])
                values = {
                    kind: value
                    for kind in self.inducers
                    if kind in metrics
                    and kind in by_classes
                    and (value := by_classes[kind].value) is not None
                }
                for metric in INDUCED:
                    sign = 1 if MetricSpec.parse(metric).metric.higher_is_better else -1
                    both = list(values.values()), [sign * metrics[kind][metric] for kind in values]
                    yield (
                        place,
                        name,
                        metric,
                        len(values),
                        kendall_tau_b(*both),
                        tau_p_value(*both),
                    )
