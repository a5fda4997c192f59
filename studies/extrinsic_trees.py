"""Asks whether inducers with higher scores also make trees that are more useful.

    python -m studies.extrinsic_trees [--measure]

With --measure, inducers learn blind from train and annotate test and 500 sentences of train; what
docs/data/extrinsic-trees.tsv has is measured again only if the code has changed since. The table in
docs/trees.md is made from this file.

Conventions
-----------
Two tasks. `verb_argument_pairs` asks on which words subjects and objects hang. `relation_accuracy`
asks how well a linear classifier labels words with their relations (without subtypes), if it sees
words, tags and an induced tree: logistic regression with scikit-learn's defaults, learnt from gold
relations of 500 sentences of train. Tags are gold, and punctuation is removed, as in preset
`pascal`. All settings were fixed before anything was measured.

`relation_gain` is what a tree adds to the accuracy without trees; its interval resamples sentences.

Agreement of a task and a metric is Kendall's tau-b between their rankings of inducers, averaged
over treebanks. Derivation perplexity is turned around: 1 means that the best trees by the metric
are the best for the task. Intervals resample treebanks and inducers at once. p shuffles the
inducers in the same way on all treebanks, since their rankings are similar everywhere.

References
----------
Søgaard and Haulrich (2010), On the derivation perplexity of treebanks. Schwartz, Abend, Reichart
and Rappoport (2011), Neutralizing linguistically problematic annotations in unsupervised dependency
parsing evaluation.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

import treegauge as tg
from studies._sources import outdated
from studies.measured import FOLDER, current_commit, keep_table, measured_at
from treegauge.catalogue.sets import BUILT_IN_SETS
from treegauge.evaluation.perplexity_of_parsers import perplexity_of_parsers
from treegauge.metrics import MetricSpec
from treegauge.metrics.conventions import preset
from treegauge.metrics.derivation_perplexity import NAME as PERPLEXITY
from treegauge.metrics.metric import Counts, total
from treegauge.results import Score, Signature
from treegauge.significance import Resampler, holm, interval, kendall_tau_b
from treegauge.significance.tau_test import tau_of_rows
from treegauge.systems import make_system
from treegauge.treebank import Treebank

TABLE = FOLDER / "extrinsic-trees.tsv"
PAGE = Path("docs/trees.md")
MARKER = "extrinsic-trees"
TREEBANKS = BUILT_IN_SETS["pascal10"]
INDUCERS = (
    "left-branching",
    "right-branching",
    "random",
    "harmonic",
    "dmv",
    "viterbi-dmv",
    "evg",
    "posterior-sparse",
    "soegaard-pagerank",
    "soegaard-rules",
    "udp",
    "openclass-dmv",
    "universal-dmv",
    "frequent-leaves",
)
NO_TREES, GOLD_TREES = "no trees", "gold trees"
"""Controls; agreement does not count them."""
ATTACHMENT = ("uas", "undirected", "ned")
METRICS = (*ATTACHMENT, PERPLEXITY)
ARGUMENTS, RELATIONS, GAIN = "verb_argument_pairs", "relation_accuracy", "relation_gain"
TASKS = (ARGUMENTS, RELATIONS)
TITLES = {
    "uas": "UAS",
    "undirected": "undirected",
    "ned": "NED",
    PERPLEXITY: "derivation perplexity",
    ARGUMENTS: "argument pairs",
    RELATIONS: "relations",
    GAIN: "gain",
}
SENTENCES = 500
"""Of train that the classifier learns from."""
FREQUENT = 5
"""How often a form occurs in these sentences, at least, to be a feature."""
POOR = 0.4
"""The mean UAS that poor inducers do not reach: their agreement is shown as well."""
RESAMPLES = 10_000

Floats = NDArray[np.float64]
Features = list[list[str]]


def main() -> None:
    """Measure what is missing, if that is asked for, and write."""
    from studies.pages import filled  # pages shows this study, too

    if "--measure" in sys.argv:
        _measure()
    page = filled(PAGE.read_text(encoding="utf-8"), MARKER, table())
    PAGE.write_text(page, encoding="utf-8")


# ------------------------------------------------------------------ features


def word_features(text: Treebank, frequent: frozenset[str]) -> Features:
    """Return what a word and its two neighbours on each side are like, without any tree.

    Trees that are chains add no tag to this.
    """
    found = []
    for words, tags, _ in _sentences(text):
        padded = ["<<", "<", *tags, ">", ">>"]
        for place, (word, tag) in enumerate(zip(words, tags, strict=True)):
            far_left, left, _, right, far_right = padded[place : place + 5]
            own = [f"tag={tag}", f"-2={far_left}", f"-1={left}", f"+1={right}", f"+2={far_right}"]
            own += [f"-1,tag={left},{tag}", f"tag,+1={tag},{right}"]
            own += [f"form={word}"] if word in frequent else []
            found.append(own)
    return found


def tree_features(text: Treebank) -> Features:
    """Return where a word is in its tree: head, distance, children, grandparent."""
    found = []
    for _, tags, heads in _sentences(text):
        tag_of = ["root", *tags]
        children = {side: Counter[int]() for side in ("left", "right")}
        for place, head in enumerate(heads, start=1):
            children["left" if place < head else "right"][head] += 1
        for place, head in enumerate(heads, start=1):
            grandparent = tag_of[heads[head - 1]] if head else "none"
            side = "right" if head > place else "left" if head else "root"
            own = [f"head={tag_of[head]}", f"side={side}", f"grandparent={grandparent}"]
            own.append(f"distance={_bucket(abs(head - place)) if head else 0}")
            own += [f"{name}={min(counts[place], 3)}" for name, counts in children.items()]
            own.append(f"tag,side,head={tags[place - 1]},{side},{tag_of[head]}")
            found.append(own)
    return found


def frequent_forms(text: Treebank) -> frozenset[str]:
    """Return the forms, in small letters, that are features."""
    counts = Counter(form.lower() for form in text.form)
    return frozenset(form for form, count in counts.items() if count >= FREQUENT)


def _sentences(text: Treebank) -> Iterator[tuple[list[str], list[str], list[int]]]:
    """Give forms in small letters, tags, and heads, 0 for words without one."""
    forms, tags = [form.lower() for form in text.form], list(text.upos)
    heads = np.maximum(text.head, 0).tolist()
    for first, last in pairwise(text.offsets.tolist()):
        yield forms[first:last], tags[first:last], heads[first:last]


def _bucket(distance: int) -> int:
    """Return the largest power of two that is not above a distance, at most 8."""
    return min(1 << distance.bit_length() - 1, 8)


# ------------------------------------------------------------------ measuring


@dataclass(frozen=True)
class Material:
    """A treebank, and a classifier's results on it without trees."""

    train: Treebank
    test: Treebank

    @cached_property
    def drawn(self) -> Treebank:
        """The sentences that the classifier learns from."""
        order = np.random.default_rng(0).permutation(self.train.n_sentences)
        return self.train.take(np.sort(order[:SENTENCES]))

    @cached_property
    def word_features(self) -> list[Features]:
        """Of the sentences to learn from, and of test."""
        texts = [one.without_punctuation() for one in (self.drawn, self.test)]
        return [word_features(one, frequent_forms(texts[0])) for one in texts]

    @cached_property
    def without_trees(self) -> Floats:
        """Right words and words of every sentence of test, without trees."""
        return self._judged(*self.word_features)

    def with_trees(self, drawn: Treebank, test: Treebank) -> Floats:
        """Return right words and words of every sentence of test, with trees."""
        trees = [tree_features(one.without_punctuation()) for one in (drawn, test)]
        pairs = zip(self.word_features, trees, strict=True)
        return self._judged(*(list(map(_joined, *pair)) for pair in pairs))

    def _judged(self, learnt: Features, asked: Features) -> Floats:
        drawn, test = (one.without_punctuation() for one in (self.drawn, self.test))
        gold = _relations(test)
        right = np.array(predicted(learnt, _relations(drawn), asked)) == np.array(gold)
        sentences = test.sentence_of_word
        return np.column_stack(
            [
                np.bincount(sentences, values, minlength=test.n_sentences)
                for values in (right, np.ones(len(right)))
            ]
        )


def predicted(learnt: Features, labels: Sequence[str], asked: Features) -> list[str]:
    """Return the label that a linear classifier gives every word."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    vectorizer = CountVectorizer(analyzer=list, binary=True)
    classifier = LogisticRegression(max_iter=1000)
    classifier.fit(vectorizer.fit_transform(learnt), labels)
    return [str(one) for one in classifier.predict(vectorizer.transform(asked))]


def _joined(one: list[str], other: list[str]) -> list[str]:
    return one + other


def _relations(text: Treebank) -> list[str]:
    return [relation.partition(":")[0] for relation in text.deprel]


def _measure() -> None:
    """Measure the inducers that were not measured with the code of today, by treebank."""
    rows = _kept().to_dicts() if TABLE.exists() else []
    old = outdated(TABLE.stem, (row["commit"] for row in rows))
    done = {(row["treebank"], row["system"]) for row in rows if row["commit"] not in old}
    commit = current_commit()
    data = [os.environ.get("TREEGAUGE_DATA", "../shared/treebanks")]
    for treebank in TREEBANKS:
        missing = [one for one in (NO_TREES, GOLD_TREES, *INDUCERS) if (treebank, one) not in done]
        if not missing:
            continue
        parts = (tg.load(f"{treebank}:{part}", data=data) for part in ("train", "test"))
        material = Material(*parts)
        _ = material.without_trees  # its seconds are those of no inducer
        for system in missing:
            started = time.process_time()
            scores = measured_scores(material, system)
            seconds = round(time.process_time() - started, 2)
            rows = [row for row in rows if (row["treebank"], row["system"]) != (treebank, system)]
            rows += [
                {
                    "treebank": treebank,
                    "system": system,
                    "metric": score.name,
                    "value": score.value,
                    "low": score.low,
                    "high": score.high,
                    "n": score.n,
                    "signature": str(score.signature),
                    "seconds": seconds,
                    "commit": commit,
                    "device": "cpu",
                }
                for score in scores
            ]
            table = pl.DataFrame(rows, infer_schema_length=None)
            keep_table(table.sort("treebank", "system", maintain_order=True), TABLE)
            sys.stderr.write(f"{treebank} {system}: {seconds} s\n")


def measured_scores(material: Material, system: str) -> list[Score]:
    """Return all scores of a system, or of a control."""
    if system == NO_TREES:
        return [_relation_score(material, material.without_trees)]
    if system == GOLD_TREES:
        drawn, test = material.drawn, material.test
    else:
        inducer = make_system(system).fit(material.train)
        drawn, test = (
            # Some inducers also give words classes; here all have gold tags.
            one.replace(head=inducer.annotate(one).head)
            for one in (material.drawn, material.test)
        )
    test = test.replace(name=system)
    scores = tg.evaluate(
        material.test, test, metrics=(*ATTACHMENT, ARGUMENTS), conventions=preset("pascal")
    )
    perplexity = perplexity_of_parsers(material.train, [test], trials=0).systems[system]
    counts = material.with_trees(drawn, test)
    return [
        *(scores[metric] for metric in (*ATTACHMENT, ARGUMENTS)),
        perplexity,
        _relation_score(material, counts),
        _gain(material, counts),
    ]


def _relation_score(material: Material, counts: Floats) -> Score:
    """Return the share of words with the right relation."""
    right, words = counts.T
    statistics = Counts(np.column_stack([right, words, words]))
    sums = total(statistics.per_sentence)
    ends = interval(Resampler(len(counts)).scores(statistics.per_sentence, statistics.score))
    assert ends is not None
    value = float(statistics.score(sums))
    return Score(RELATIONS, value, *ends, statistics.size(sums), _signature(material, RELATIONS))


def _gain(material: Material, counts: Floats) -> Score:
    """Return by how much the share is larger than without trees, of the same sentences."""
    (right, words), (before, _) = counts.T, material.without_trees.T
    sums = Resampler(len(counts)).sums(np.column_stack([right - before, words]))
    ends = interval(sums[:, 0] / sums[:, 1])
    assert ends is not None
    value = float((right - before).sum() / words.sum())
    return Score(GAIN, value, *ends, int(words.sum()), _signature(material, GAIN))


def _signature(material: Material, metric: str) -> Signature:
    gold = material.test
    return Signature(
        metric,
        (
            ("learner", "logistic"),
            ("sentences", str(material.drawn.n_sentences)),
            ("punct", "removed"),
            ("subtypes", "no"),
            ("data", f"{gold.name}#{gold.fingerprint[:8]}"),
            ("v", tg.__version__),
        ),
    )


# ------------------------------------------------------------------ agreement


@dataclass(frozen=True)
class Agreement:
    """Kendall's tau-b between a task and a metric: its mean over treebanks."""

    task: str
    metric: str
    tau: float
    low: float
    high: float
    p: float
    """Two-sided, of shuffled inducers."""
    lead: float
    """By how much the mean of UAS is larger."""
    lead_low: float
    lead_high: float
    lowest: float
    highest: float
    """Of single treebanks."""


def agreements(scores: pl.DataFrame, resamples: int = RESAMPLES) -> list[Agreement]:
    """Return how every task agrees with every metric.

    Controls do not count. Every treebank needs all scores of the same inducers.
    """
    inducers = scores.filter(~pl.col("system").is_in([NO_TREES, GOLD_TREES]))
    draw = np.random.default_rng(0)
    n_treebanks, n_systems = (inducers[name].n_unique() for name in ("treebank", "system"))
    treebanks, systems = (
        draw.multinomial(n, np.full(n, 1 / n), resamples).astype(np.float64)
        for n in (n_treebanks, n_systems)
    )
    orders = draw.permuted(np.tile(np.arange(n_systems), (resamples, 1)), axis=1)
    found = []
    for task in TASKS:
        y = oriented(inducers, task)
        means: dict[str, tuple[float, Floats]] = {}
        for metric in METRICS:
            x = oriented(inducers, metric)
            taus = np.array([_tau(*pair) for pair in zip(x, y, strict=True)])
            redrawn = taus_of_draws(x, y, systems)
            tau, drawn = taus.mean(), (redrawn * treebanks).sum(axis=1) / n_treebanks
            means[metric] = tau, drawn
            shuffled = np.mean(
                [tau_of_rows(a.tolist(), b[orders]) for a, b in zip(x, y, strict=True)], axis=0
            )
            # A little less than tau: sums of the same numbers differ in their last digit.
            extreme = np.count_nonzero(np.abs(shuffled) >= abs(tau) - 1e-9)
            leads = means["uas"][1] - drawn
            found.append(
                Agreement(
                    task,
                    metric,
                    tau,
                    *_ends(drawn),
                    (int(extreme) + 1) / (resamples + 1),
                    means["uas"][0] - tau,
                    *_ends(leads),
                    float(taus.min()),
                    float(taus.max()),
                )
            )
    return found


def oriented(scores: pl.DataFrame, metric: str) -> Floats:
    """Return the scores of a metric, higher ones better: [treebanks, systems]."""
    own = scores.filter(metric=metric).sort("treebank", "system")
    wide = own.pivot(on="system", index="treebank", values="value")
    values: Floats = wide.drop("treebank").to_numpy().astype(np.float64)
    assert not np.isnan(values).any()
    return values if _higher_is_better(metric) else -values


def _higher_is_better(metric: str) -> bool:
    if metric == PERPLEXITY:
        return False
    return metric == RELATIONS or bool(MetricSpec.parse(metric).metric.higher_is_better)


def taus_of_draws(x: Floats, y: Floats, draws: Floats) -> Floats:
    """Return tau-b of every treebank if systems are drawn so many times: [draws, treebanks].

    A system that was drawn twice is tied with itself.
    """
    i, j = np.array(list(combinations(range(x.shape[1]), 2))).T
    both = draws[:, i] * draws[:, j]
    of_x, of_y = (np.sign(one[:, i] - one[:, j]) for one in (x, y))
    untied = (both @ np.abs(of_x).T) * (both @ np.abs(of_y).T)
    concordance = both @ (of_x * of_y).T
    found: Floats = np.divide(
        concordance, np.sqrt(untied), out=np.full(untied.shape, np.nan), where=untied > 0
    )
    return found


def _tau(x: Floats, y: Floats) -> float:
    tau = kendall_tau_b(x.tolist(), y.tolist())
    assert tau is not None
    return tau


def _ends(values: Floats) -> tuple[float, float]:
    ends = interval(values)
    assert ends is not None
    return ends.low, ends.high


# ------------------------------------------------------------------ writing


def table() -> str:
    """Return mean scores of inducers, and how tasks and metrics agree."""
    scores = _kept()
    n = scores["treebank"].n_unique()
    once, of_poor = scores.unique(["treebank", "system"]), poor_only(scores)
    return (
        f"{_score_table(scores)}\n\n"
        f"`pascal10`, gold tags, learnt from train, scored on test, preset `pascal`; averages over "
        f"{n} treebanks in per cent (perplexity aside), ± half a 95% interval. "
        f"{measured_at(once)}\n\n"
        f"{_agreement_table(agreements(scores), agreements(of_poor))}\n\n"
        f"Kendall's tau-b between a task and a metric over {len(INDUCERS)} inducers, means over "
        f"{n} treebanks; poor inducers are the {of_poor['system'].n_unique()} with a mean UAS "
        f"below {100 * POOR:.0f}. Intervals: treebanks and inducers resampled. p: inducers "
        "shuffled, Holm's correction over the rows.\n\n"
    )


def poor_only(scores: pl.DataFrame) -> pl.DataFrame:
    """Return the scores of poor inducers."""
    mean = pl.col("value").filter(metric="uas").mean().over("system")
    return scores.filter(mean < POOR)


def _score_table(scores: pl.DataFrame) -> str:
    shown = (*METRICS, *TASKS, GAIN)
    lines = [
        f"| trees | {' | '.join(TITLES[one] for one in shown)} |",
        "| :-- |" + " --: |" * len(shown),
    ]
    means = {
        (row["system"], row["metric"]): row
        for row in scores.group_by("system", "metric")
        .agg(
            pl.col("value").mean(),
            # Treebanks are independent samples, so the halves add in squares.
            half=((pl.col("high") - pl.col("low")) / 2).pow(2).sum().sqrt() / pl.len(),
        )
        .to_dicts()
    }
    by_uas = sorted(INDUCERS, key=lambda one: -means[one, "uas"]["value"])
    for system in (NO_TREES, *by_uas[::-1], GOLD_TREES):
        cells = [_cell(means.get((system, metric)), metric) for metric in shown]
        name = f"`{system}`" if system in INDUCERS else system
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(row: dict[str, Any] | None, metric: str) -> str:
    if row is None:
        return "–"
    factor, sign = (1 if metric == PERPLEXITY else 100), ("+" if metric == GAIN else "")
    return f"{factor * row['value']:{sign}.1f} ± {factor * row['half']:.1f}"


def _agreement_table(of_all: Sequence[Agreement], of_poor: Sequence[Agreement]) -> str:
    lines = [
        "| task | metric | tau-b | lowest, highest treebank | p | UAS − metric | poor inducers |",
        "| :-- | :-- | --: | --: | --: | --: | --: |",
    ]
    adjusted = holm([one.p for one in of_all])
    for one, poor, p in zip(of_all, of_poor, adjusted, strict=True):
        lead = f"{one.lead:+.2f} [{one.lead_low:+.2f}, {one.lead_high:+.2f}]"
        cells = [
            TITLES[one.task],
            TITLES[one.metric],
            _tau_cell(one),
            f"{one.lowest:.2f}, {one.highest:.2f}",
            "<0.001" if p < 0.001 else f"{p:.3f}",
            "–" if one.metric == "uas" else lead,
            _tau_cell(poor),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _tau_cell(found: Agreement) -> str:
    return f"{found.tau:.2f} [{found.low:.2f}, {found.high:.2f}]"


def _kept() -> pl.DataFrame:
    return pl.read_csv(TABLE, separator="\t", infer_schema_length=None)


if __name__ == "__main__":
    main()
