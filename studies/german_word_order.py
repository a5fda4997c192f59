"""Asks why German's word order differs from the published one (Gulordava and Merlo 2016, Table 1).

    python -m studies.german_word_order [--measure]

measures every part of German at hand: UD 1.2 and de_gsd, and other releases if UD_GERMAN is a clone
of the repository UD_German-GSD. The paper's text, the training part of UD 1.1, may be missing. How
often it has each relation and tag is known, though: `stats.xml` of release 1.2 counts all parts
together (`german_ud12.tsv`). So the sentences of dev and test get weights with which they have the
relations and tags of the training part, and are measured with these weights. English has all parts,
so the procedure is tried there. With --measure, the numbers go to docs/data/german-word-order.tsv;
the table in docs/word_order.md is made from these.

References
----------
Hainmueller (2012), Entropy balancing for causal effects. Political Analysis 20.
"""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.optimize import minimize

import treegauge as tg
from studies._markers import Markers, filled
from studies.measured import FOLDER, keep_table, measured_at, signature_of, timed
from studies.word_order_texts import (
    DATA,
    PAGE,
    PRESET,
    UD1,
    measures,
    published_numbers,
)
from treegauge.properties import WordOrder
from treegauge.properties.two_way_entropy import entropies_of_sums
from treegauge.treebank import Column, Treebank, concatenate, without_punctuation

TABLE = FOLDER / "german-word-order.tsv"
SHARES = FOLDER / "german-text.tsv"
MARKERS: Markers = {PAGE: {"german-word-order": (TABLE.stem, SHARES.stem)}}
COUNTS = Path(__file__).with_name("german_ud12.tsv")
"""Words of UD German 1.2 by relation and by tag, all parts together."""
SENTENCES_OF_TRAIN = 14_118
RELEASES = {"1.0": "r1.0", "1.1": "c8cf0b9", "1.4": "r1.4", "2.1": "r2.1", "2.5": "r2.5"}
"""Releases in the repository; 1.1 has no tag, this is the state of May 2015, when it appeared."""
RIDGE = 0.1
"""Keeps weights even where few sentences have a rare relation."""
DRAWS = 200
LEAST_SHARE = 0.01
SHOWN = 10
_LARGE = 1e9

Floats = NDArray[np.float64]


def main() -> None:
    """Measure, if that is asked for, and write."""
    if "--measure" in sys.argv:
        warnings.simplefilter("ignore")  # findings of files that are not ours
        keep_table(pl.DataFrame(list(timed(_measured())), infer_schema_length=None), TABLE)
        keep_table(pl.DataFrame(list(timed(_shares()))), SHARES)
    page = filled(PAGE.read_text(encoding="utf-8"), "german-word-order", table())
    PAGE.write_text(page, encoding="utf-8")


def table() -> str:
    """Return all parts, then what the training part would measure, and the same for English."""
    lines = [
        "| text | sentences | mean length | DLM ratio | entropy |",
        "| :-- | --: | --: | --: | --: |",
    ]
    measured = pl.read_csv(TABLE, separator="\t")
    for row in measured.iter_rows(named=True):
        cells = [_with_interval(row, name) for name in ("dlm_ratio", "arc_direction_entropy")]
        lines.append(
            f"| {row['text']} | {row['sentences']:,} | {row['length']:.1f} | {' | '.join(cells)} |"
        )
    paper = published_numbers()["de", "original"]
    lines.append(
        f"| German, published | – | {paper['mean_length']:.1f} | {paper['dlm_ratio']:.2f} "
        f"| {paper['arc_direction_entropy']:.2f} |"
    )
    return (
        "\n".join(lines)
        + f"\n\n95% intervals over sentences. {measured_at(measured)}\n\n"
        + _differences()
    )


def _differences() -> str:
    """Return which relations and tags the training part has more or less often."""
    shares = pl.read_csv(SHARES, separator="\t").filter(
        pl.max_horizontal("train", "dev_and_test") > LEAST_SHARE,
        pl.min_horizontal("train", "dev_and_test") > 0,
    )
    ratio = (pl.col("train") / pl.col("dev_and_test")).log().abs()
    lines = ["| | train | dev and test |", "| :-- | --: | --: |"]
    lines += [
        f"| {row['kind']} `{row['name']}` | {100 * row['train']:.1f} "
        f"| {100 * row['dev_and_test']:.1f} |"
        for row in shares.sort(ratio, descending=True).head(SHOWN).iter_rows(named=True)
    ]
    return "\n".join(lines) + (
        f"\n\nPer cent of the words of UD 1.2, German: the {SHOWN} relations and tags that differ "
        f"most, of those with over {100 * LEAST_SHARE:.0f}% of a part.\n\n"
    )


def _with_interval(row: Mapping[str, Any], name: str) -> str:
    value, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
    return f"{value:.3f}" if low is None else f"{value:.3f} [{low:.3f}, {high:.3f}]"


def _measured() -> Iterator[dict[str, Any]]:
    for release, parts in _releases().items():
        yield _row(f"German, UD {release}, {' and '.join(parts)}", concatenate([*parts.values()]))
    parts = {part: tg.read(UD1 / "de" / f"{part}.conllu.xz") for part in ("dev", "test")}
    german = concatenate([*parts.values()])
    yield _row("German, UD 1.2, dev and test", german)
    for name, part in parts.items():
        yield _row(f"German, UD 1.2, {name}", part)
    yield _row("– final punctuation counted", german, f"{PRESET},punctuation=include")
    yield _row("– all sentences, punctuation removed", without_punctuation(german))
    yield from _weighted(german, _counts_of_train(german), SENTENCES_OF_TRAIN)
    english = {
        part: tg.read(UD1 / "en_r14" / f"{part}.conllu.xz") for part in ("train", "dev", "test")
    }
    train, both = english["train"], concatenate([english["dev"], english["test"]])
    yield _row("English, UD 1.4, dev and test", both)
    counts = {kind: _counted(train, kind) for kind in ("relation", "tag")}
    yield from _weighted(both, counts, train.n_sentences)
    yield _row("English, UD 1.4, train", train)


def _row(text: str, treebank: Treebank, preset: str = PRESET) -> dict[str, Any]:
    found = measures(treebank, preset)
    return {"text": text, **{name: found[name] for name in _NAMES if name in found}}


_NAMES = (
    *("sentences", "words", "length", "dlm_ratio", "dlm_ratio_low", "dlm_ratio_high"),
    *("arc_direction_entropy", "arc_direction_entropy_low", "arc_direction_entropy_high"),
    "signature",
)


def _releases() -> dict[str, dict[str, Treebank]]:
    """Return the parts of other releases: those that the repository has, and de_gsd."""
    folder = os.environ.get("UD_GERMAN")
    found = {name: _released(folder, tag) for name, tag in RELEASES.items()} if folder else {}
    # `de_gsd` is dev and test of the release, divided once more.
    newest = [tg.read(path) for path in sorted((DATA / "de_gsd").glob("*.conllu.xz"))]
    return {**found, "2.16": {"dev and test": concatenate(newest)}}


def _released(folder: str, commit: str) -> dict[str, Treebank]:
    """Return the parts of a release that the repository has."""
    parts = {}
    for part in ("train", "dev", "test"):
        for name in (f"de-ud-{part}.conllu", f"de_gsd-ud-{part}.conllu"):
            shown = subprocess.run(
                ["git", "-C", folder, "show", f"{commit}:{name}"], capture_output=True, check=False
            )
            if shown.returncode == 0 and shown.stdout:
                parts[part] = tg.parse(shown.stdout.decode("utf-8"))
    return parts


# ------------------------------------------------------------------ weights

Counts = Mapping[str, Mapping[str, int]]
"""Words by relation and by tag."""


def _column(treebank: Treebank, kind: str) -> Column:
    return treebank.deprel if kind == "relation" else treebank.upos


def _counted(treebank: Treebank, kind: str) -> dict[str, int]:
    column = _column(treebank, kind)
    numbers = np.bincount(column.codes, minlength=len(column.vocabulary))
    return {column.vocabulary[code]: int(n) for code, n in enumerate(numbers)}


def _counts_of_train(known: Treebank) -> Counts:
    """Return the counts of all parts less those of dev and test."""
    table = pl.read_csv(COUNTS, separator="\t", comment_prefix="#")
    counts = {}
    for (kind,), rows in table.group_by("kind"):
        own = _counted(known, str(kind))
        counts[str(kind)] = {
            name: n - own.get(name, 0) for name, n in rows.select("name", "words").iter_rows()
        }
    return counts


def _shares() -> Iterator[dict[str, Any]]:
    """Give the shares of words of the training part, and of dev and test."""
    known = concatenate([tg.read(UD1 / "de" / f"{part}.conllu.xz") for part in ("dev", "test")])
    counts = _counts_of_train(known)
    for kind in sorted(counts):
        own, total = _counted(known, kind), sum(counts[kind].values())
        for name, n in counts[kind].items():
            yield {
                "kind": kind,
                "name": name,
                "train": n / total,
                "dev_and_test": own.get(name, 0) / known.n_words,
                "signature": signature_of("share", known, of=kind),
            }


def _weighted(treebank: Treebank, counts: Counts, sentences: int) -> Iterator[dict[str, Any]]:
    """Give the measures of a treebank with the relations, and the relations and tags, of train."""
    for kinds in (("relation",), ("relation", "tag")):
        names = " and ".join(f"{kind}s" for kind in kinds)
        found = _as_train(treebank, {kind: counts[kind] for kind in kinds}, sentences)
        signature = signature_of("word_order", treebank, preset=PRESET, weights=" and ".join(kinds))
        yield {"text": f"– weighted: {names} as in train", **found, "signature": signature}


def _as_train(treebank: Treebank, counts: Counts, sentences: int) -> dict[str, Any]:
    """Return the measures of sentences weighted so that they have the counts per sentence."""
    features, target = _features(treebank, counts, sentences)
    order = WordOrder(treebank, PRESET)
    kept = order.selection.sentences
    lengths = order.selection.treebank.lengths
    lengths_of_trees, directions = order.dlm_statistics, order.directions.by_sentence()

    def measured(times: Floats) -> tuple[float, float, float]:
        # The entropy takes kinds with a count below 1 for missing, so weights must be large.
        weights = _LARGE * balancing_weights(features, target, times)[kept]
        observed, optimal = weights @ lengths_of_trees
        entropy = entropies_of_sums((weights @ directions)[None], base=order.settings.base)[0]
        return float(weights @ lengths / weights.sum()), observed / optimal, float(entropy)

    n = treebank.n_sentences
    random = np.random.default_rng(0)
    draws = np.array(
        [measured(random.multinomial(n, np.full(n, 1 / n)).astype(float)) for _ in range(DRAWS)]
    )
    length, ratio, entropy = measured(np.ones(n))
    (_, *lows), (_, *highs) = np.quantile(draws, [0.025, 0.975], axis=0)
    found = {"sentences": len(kept), "words": int(lengths.sum()), "length": length}
    for name, value, low, high in zip(
        ("dlm_ratio", "arc_direction_entropy"), (ratio, entropy), lows, highs, strict=True
    ):
        found |= {name: float(value), f"{name}_low": float(low), f"{name}_high": float(high)}
    return found


def _features(treebank: Treebank, counts: Counts, sentences: int) -> tuple[Floats, Floats]:
    """Return how often every sentence has each relation or tag, and how often train has them.

    What only one of the two has is left out: no weights can change that.
    """
    columns, target = [], []
    for kind, wanted in counts.items():
        column, own = _column(treebank, kind), _counted(treebank, kind)
        for name, n in wanted.items():
            if n > 0 and own.get(name, 0) > 0:
                is_one = column.codes == column.vocabulary.code(name)
                of_sentence = treebank.sentence_of_word[is_one]
                columns.append(np.bincount(of_sentence, minlength=treebank.n_sentences))
                target.append(n / sentences)
    return np.stack(columns, axis=1).astype(float), np.array(target)


def balancing_weights(
    features: Floats, target: Floats, times: Floats, ridge: float = RIDGE
) -> Floats:
    """Return weights, as even as possible, that give features the target means (Hainmueller 2012).

    Weights are proportional to `times * exp(features @ theta)`; a ridge on theta, whose features
    are standardised, keeps them even, so that targets are met approximately.
    """
    spread = np.maximum(features.std(axis=0), 1e-9)
    centred = (features - target) / spread

    def loss(theta: Floats) -> tuple[float, Floats]:
        exponents = centred @ theta
        largest = exponents.max()
        weights = times * np.exp(exponents - largest)
        total = weights.sum()
        value = largest + np.log(total) + ridge * (theta @ theta) / 2
        return float(value), centred.T @ (weights / total) + ridge * theta

    theta = minimize(loss, np.zeros(len(target)), jac=True, method="L-BFGS-B").x
    exponents = centred @ theta
    weights = times * np.exp(exponents - exponents.max())
    return np.asarray(weights / weights.sum())


if __name__ == "__main__":
    main()
