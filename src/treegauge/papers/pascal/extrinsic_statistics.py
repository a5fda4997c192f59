"""What classes are worth in tasks: gains and their significance, and whether metrics foretell them.

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
  1 where both rank them alike. p is the share of all orders of one ranking whose tau-b is at least
  as far from 0: exact for up to eight inducers. With three of them p is never below 1/3, with four
  never below 1/12: what few inducers say is not significant, whatever it is.

References
----------
Kendall (1945), The treatment of ties in ranking problems. doi:10.1093/biomet/33.3.239
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from statistics import fmean
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag

from treegauge.metrics import MetricSpec
from treegauge.metrics.metric import ratio
from treegauge.significance import holm, kendall_tau_b, paired_permutation
from treegauge.treebank import Treebank

Floats: TypeAlias = NDArray[np.float64]

INDUCED = ("many_to_one", "one_to_one", "v_measure", "vi")
"""The metrics of classes."""
WORDS = ("all", "unknown", "ambiguous")
"""Kinds of words that a tagger is scored on."""
AVERAGE = "average"
"""In place of a treebank: the mean over them."""
CURVE, PARSING = "tagging, learning curve", "parsing"
SIGNIFICANT = 0.05

_EXACT = 8
"""Inducers whose orders are all looked at: 40,320."""
_ORDERS = 10_000
"""Orders that are drawn where they are more."""


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
        made = {tagging_task(size): Task(counts[size], np.ones(1)) for size in sizes}
        if sizes:
            made[CURVE] = Task(np.hstack(list(counts.values())), curve_weights(sizes))
        if self.parsing is not None and words == "all":
            made[PARSING] = Task(self.parsing, np.ones(1))
        return made


@dataclass(frozen=True)
class Gain:
    """What classes give over no classes."""

    difference: float
    p: float
    adjusted_p: float
    """After Holm's correction over the classes of this treebank and task."""

    @property
    def is_significant(self) -> bool:
        """Whether it is no chance, be it a gain or a loss."""
        return self.adjusted_p < SIGNIFICANT


@dataclass(frozen=True)
class Agreement:
    """Whether a metric of classes ranks inducers as a task does."""

    treebank: str
    """Or `average`: rankings by means over treebanks."""
    task: str
    metric: str
    inducers: int
    tau: float | None
    p: float | None
    """Two-sided."""


@dataclass(frozen=True)
class Uses:
    """All measurements."""

    rows: tuple[Use, ...]
    inducers: tuple[str, ...]
    """Those whose rankings are compared; other rows are controls."""
    base: str = "no classes"
    """The control that gains are over."""
    classes: int = 45
    parser: str = "transition"
    trials: int = 5000
    seed: int = 0
    notes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()

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
    def sizes(self) -> tuple[int, ...]:
        """Numbers of labelled sentences that occur."""
        return tuple(sorted({size for row in self.rows for size in row.tagging}))

    def tasks(self, place: str, words: str = "all") -> dict[str, dict[str, Task]]:
        """Return the tasks of a treebank, or their averages, by name, each by classes."""
        if place != AVERAGE:
            return self._tasks_of(place, words)
        made = {}
        for name in self.task_names:
            own = [
                by_name[name]
                for treebank in self.averaged(name)
                if name in (by_name := self._tasks_of(treebank, words))
            ]
            if own:
                made[name] = {kind: Task.mean([one[kind] for one in own]) for kind in own[0]}
        return made

    def _tasks_of(self, treebank: str, words: str = "all") -> dict[str, dict[str, Task]]:
        found: dict[str, dict[str, Task]] = {}
        for row in self.rows:
            if row.treebank == treebank:
                for name, task in row.tasks(words).items():
                    found.setdefault(name, {})[row.classes] = task
        return {name: found[name] for name in self.task_names if name in found}

    def averaged(self, task: str) -> tuple[str, ...]:
        """Return the treebanks in the average of a task: those where no classes lack it.

        Classes that have the task nowhere are not asked for it.
        """
        having = {
            treebank: own[task].keys()
            for treebank in self.treebanks
            if task in (own := self._tasks_of(treebank))
        }
        asked = {kind for kinds in having.values() for kind in kinds}
        return tuple(treebank for treebank, kinds in having.items() if kinds == asked)

    @property
    def task_names(self) -> tuple[str, ...]:
        """All tasks, in the order of tables."""
        return (*map(tagging_task, self.sizes), CURVE, PARSING)

    @cached_property
    def gains(self) -> dict[tuple[str, str, str], Gain]:
        """What classes give over none, by treebank (or average), task and classes."""
        made = {}
        for place in self.places:
            for name, by_classes in self.tasks(place).items():
                base = by_classes.get(self.base)
                others = {kind: task for kind, task in by_classes.items() if kind != self.base}
                if base is None or not others:
                    continue
                tests = {
                    kind: paired_permutation(
                        base.per_sentence,
                        task.per_sentence,
                        base.score,
                        trials=self.trials,
                        seed=self.seed,
                    )
                    for kind, task in others.items()
                }
                known = {
                    kind: (test.difference, test.p)
                    for kind, test in tests.items()
                    if test.difference is not None and test.p is not None
                }
                adjusted = holm([p for _, p in known.values()]).tolist()
                for (kind, (difference, p)), own in zip(known.items(), adjusted, strict=True):
                    made[place, name, kind] = Gain(difference, p, own)
        return made

    def metrics(self, treebanks: Sequence[str]) -> dict[str, dict[str, float]]:
        """Return the means of the metrics of classes over treebanks, by classes."""
        made = {}
        for kind in self.kinds:
            rows = [r for r in self.rows if r.classes == kind and r.treebank in treebanks]
            if len(rows) == len(treebanks) and all(set(INDUCED) <= r.metrics.keys() for r in rows):
                made[kind] = {m: fmean(row.metrics[m] for row in rows) for m in INDUCED}
        return made

    @cached_property
    def agreement(self) -> tuple[Agreement, ...]:
        """Tau-b between tasks and metrics over inducers, 1 where they rank them alike."""
        return tuple(self._agreement())

    def _agreement(self) -> Iterator[Agreement]:
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
                    tau, p = tau_test(
                        list(values.values()), [sign * metrics[kind][metric] for kind in values]
                    )
                    yield Agreement(place, name, metric, len(values), tau, p)

    def to_dict(self) -> dict[str, Any]:
        """Return the measurements as JSON has them."""
        return {
            "schema": 2,
            "classes": self.classes,
            "inducers": list(self.inducers),
            "rows": [row for place in self.places for row in self._documents(place)],
            "agreement": [
                {
                    "treebank": one.treebank,
                    "task": one.task,
                    "metric": one.metric,
                    "inducers": one.inducers,
                    "tau_b": one.tau,
                    "p": one.p,
                }
                for one in self.agreement
            ],
            "notes": list(self.notes),
            "failures": list(self.failures),
        }

    def _documents(self, place: str) -> Iterator[dict[str, Any]]:
        metrics = self.metrics(self.treebanks if place == AVERAGE else [place])
        tasks = {words: self.tasks(place, words) for words in WORDS}
        for kind in self.kinds:
            scores = {}
            for name in self.task_names:
                own = {
                    words: by_name[name][kind].value
                    for words, by_name in tasks.items()
                    if kind in by_name.get(name, {})
                }
                if not own:
                    continue
                gain = self.gains.get((place, name, kind))
                tested = (
                    {
                        "gain": gain.difference,
                        "p": gain.p,
                        "adjusted_p": gain.adjusted_p,
                    }
                    if gain
                    else {}
                )
                scores[name] = {**own, **tested}
            yield {
                "treebank": place,
                "classes": kind,
                "is_control": kind not in self.inducers,
                "metrics": metrics.get(kind, {}),
                "tasks": scores,
            }


# ---------------------------------------------------------------------- agreement


def tau_test(
    x: Sequence[float], y: Sequence[float], *, seed: int = 0
) -> tuple[float | None, float | None]:
    """Return Kendall's tau-b and its two-sided p by permutation; None where it is undefined.

    Ties stay ties in every order, so that orders are compared by C - D alone, a whole number.

    Examples
    --------
    Of the six orders of three, two are as far from 0 as the same order.

    >>> tau_test([1, 2, 3], [10, 20, 30])
    (1.0, 0.3333333333333333)
    """
    tau = kendall_tau_b(x, y)
    if tau is None:
        return None, None
    n = len(x)
    if n <= _EXACT:
        orders = np.array(list(permutations(range(n))))
    else:
        generator = np.random.default_rng(seed)
        # The order that was seen is one of them.
        orders = np.vstack([np.arange(n), np.argsort(generator.random((_ORDERS, n)), axis=1)])
    first, second = np.triu_indices(n, 1)
    one, other = np.asarray(x, np.float64), np.asarray(y, np.float64)
    signs = np.sign(one[second] - one[first])
    moved = np.sign(other[orders[:, second]] - other[orders[:, first]])
    sums = np.abs(moved @ signs)
    observed = abs(float(signs @ np.sign(other[second] - other[first])))
    return tau, float(np.mean(sums >= observed))
