"""Compares `crf` with CRFsuite as others run it, on all treebanks of less than 40,000 words.

    python -m studies.small_taggers [--measure [TREEBANK...]]

With --measure, taggers learn from train and tag dev and test, and the numbers go to
docs/data/small-taggers.tsv; treebanks that are there already are measured again if the code has
changed since. The tables in docs/taggers.md are made from these. Settings were chosen on dev.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import treegauge as tg
from benchmarks.taggers import crf_features
from studies._markers import Markers, filled
from studies._sources import outdated
from studies.measured import FOLDER, current_commit
from treegauge import Treebank, make_system
from treegauge.catalogue import Catalogue
from treegauge.metrics import Statistics
from treegauge.significance import Resampler, interval
from treegauge.temporaries import replacing
from treegauge.treebank import Column

MOST_WORDS = 40_000
FEW_WORDS = 15_000
"""Treebanks of fewer words are those on whose dev parts settings were chosen."""
RESAMPLES = 2000
_PROCESSES = 6
NEW = "crf"
BEFORE = {"l1": 0.0, "l2": 1.0, "prefixes": 4, "suffixes": 4, "context": "wide"}
OURS: dict[str, dict[str, Any]] = {
    NEW: {},
    "crf before": BEFORE,
    "context=wide": {"context": "wide"},
    "l1=0, l2=1": {"l1": 0.0, "l2": 1.0},
}
CHOICES = ("crf before", "context=wide", "l1=0, l2=1")
"""What is measured on small treebanks only: the former defaults, all and one at a time."""
PAGE = Path("docs/taggers.md")
DATA = FOLDER / "small-taggers.tsv"
MARKERS: Markers = {PAGE: dict.fromkeys(("small-taggers", "small-taggers-dev"), (DATA.stem,))}

Words = list[str]
Features = Callable[[Words], list[list[str]]]


def tutorial_features(words: Words) -> list[list[str]]:
    """Return the features of the tutorial of sklearn-crfsuite, but for tags, which it is given.

    >>> tutorial_features(["Go"])[0][1:]
    ['lower=go', 's3=Go', 's2=Go', 'upper=False', 'title=True', 'digit=False', 'BOS', 'EOS']
    """
    found = []
    for place, word in enumerate(words):
        own = ["bias", f"lower={word.lower()}", f"s3={word[-3:]}", f"s2={word[-2:]}"]
        own += [f"upper={word.isupper()}", f"title={word.istitle()}", f"digit={word.isdigit()}"]
        for offset, outside in ((-1, "BOS"), (1, "EOS")):
            if 0 <= place + offset < len(words):
                other = words[place + offset]
                own += [f"{offset}:lower={other.lower()}", f"{offset}:title={other.istitle()}"]
                own.append(f"{offset}:upper={other.isupper()}")
            else:
                own.append(outside)
        found.append(own)
    return found


PEERS: dict[str, Features] = {"tutorial": tutorial_features, "affixes": crf_features}
"""Features for CRFsuite: those of the tutorial, and those of our benchmark, made for tags."""
PENALTIES = {"c1": 0.1, "c2": 0.1, "max_iterations": 100, "feature.possible_transitions": True}
"""The tutorial's."""


def main() -> None:
    """Measure, if that is asked for, and write."""
    if "--measure" in sys.argv:
        _measure(sys.argv[sys.argv.index("--measure") + 1 :])
    page = PAGE.read_text(encoding="utf-8")
    for marker, text in (("small-taggers", table()), ("small-taggers-dev", dev_table())):
        page = filled(page, marker, text)
    PAGE.write_text(page, encoding="utf-8")


# ------------------------------------------------------------------ measuring


def _measure(names: list[str]) -> None:
    """Measure the treebanks that were not measured with the code of today, small ones first."""
    rows = pl.read_csv(DATA, separator="\t").to_dicts() if DATA.exists() else []
    wanted = to_measure(rows, _small_treebanks(names))
    commit = current_commit()
    with ProcessPoolExecutor(_PROCESSES) as pool:
        tasks = {pool.submit(_rows_of, name): name for name in wanted}
        for task in as_completed(tasks):
            rows = [row for row in rows if row["treebank"] != tasks[task]]
            rows += [row | {"commit": commit, "device": "cpu"} for row in task.result()]
            table = pl.DataFrame(rows).sort("training_words", "part", maintain_order=True)
            with replacing(DATA) as temporary:
                table.write_csv(temporary, separator="\t", float_precision=6)


def to_measure(rows: list[dict[str, Any]], names: list[str]) -> list[str]:
    """Return the treebanks of which rows say nothing, or something measured with other code."""
    old = outdated(DATA.stem, (row["commit"] for row in rows))
    done = {row["treebank"] for row in rows if row["commit"] not in old}
    return [name for name in names if name not in done]


def _small_treebanks(names: list[str]) -> list[str]:
    """Return treebanks that are small enough and have all parts; all that there are by default."""
    catalogue = Catalogue.from_environment()
    sizes = {}
    for name in names or [entry.name for entry in catalogue.entries]:
        (entry,) = catalogue.resolve(name)
        if {"train", "dev", "test"} <= set(entry.parts):
            sizes[name] = entry.read("train").n_words
    return sorted((name for name in sizes if sizes[name] < MOST_WORDS), key=sizes.__getitem__)


def _rows_of(name: str) -> list[dict[str, Any]]:
    """Return accuracy on dev and test of every tagger, and by how much `crf` is better."""
    (entry,) = Catalogue.from_environment().resolve(name)
    train, dev, test = (entry.read(part) for part in ("train", "dev", "test"))
    left_out = () if train.n_words < FEW_WORDS else CHOICES
    systems = [one for one in (*OURS, *PEERS) if one not in left_out]
    tagged: dict[str, list[Treebank]] = {}
    seconds = {}
    for system in systems:
        begin = time.process_time()
        tag = _ours(train, OURS[system]) if system in OURS else _peer(train, PEERS[system])
        seconds[system] = time.process_time() - begin
        tagged[system] = [tag(dev), tag(test)]
    rows = []
    for place, (part, gold) in enumerate((("dev", dev), ("test", test))):
        answers = [tagged[system][place] for system in systems]
        evaluation = tg.evaluate(gold, *answers, metrics=["upos"], trials=0)
        for system, found in zip(systems, evaluation.systems, strict=True):
            score = found.scores["upos"]
            lead = _lead(evaluation.systems[0].statistics["upos"], found.statistics["upos"])
            rows.append(
                {
                    "treebank": name,
                    "part": part,
                    "system": system,
                    "training_words": train.n_words,
                    "value": score.value,
                    "low": score.low,
                    "high": score.high,
                    "n": score.n,
                    "lead_low": lead[0],
                    "lead_high": lead[1],
                    "seconds": seconds[system],
                    "signature": str(score.signature),
                }
            )
    return rows


def _lead(new: Statistics, other: Statistics) -> tuple[float, float]:
    """Return the interval of a difference of accuracies on one text, sentences resampled."""
    right, _, gold = new.per_sentence.T
    sums = Resampler(len(right), resamples=RESAMPLES).sums(
        np.column_stack([right - other.per_sentence[:, 0], gold])
    )
    ends = interval(sums[:, 0] / sums[:, 1], confidence=0.95)
    assert ends is not None
    return ends.low, ends.high


def _ours(train: Treebank, settings: dict[str, Any]) -> Callable[[Treebank], Treebank]:
    return make_system("crf", settings).fit(train).annotate


def _peer(train: Treebank, features: Features) -> Callable[[Treebank], Treebank]:
    """Let CRFsuite learn as its tutorial does, and return what tags."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.set_params(PENALTIES)
    tags = list(train.upos)
    for words, (first, last) in zip(_sentences(train), pairwise(train.offsets), strict=True):
        trainer.append(features(words), tags[first:last])
    tagger = pycrfsuite.Tagger()
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "model")
        trainer.train(path)
        tagger.open(path)  # reads it; bytes in memory would have to outlive the tagger

    def tag(text: Treebank) -> Treebank:
        found = [one for words in _sentences(text) for one in tagger.tag(features(words))]
        return text.replace(columns={"upos": Column.from_strings(found)})

    return tag


def _sentences(treebank: Treebank) -> list[Words]:
    words = list(treebank.form)
    return [words[first:last] for first, last in pairwise(treebank.offsets.tolist())]


# ------------------------------------------------------------------ writing


def table() -> str:
    """Return accuracy on every test part, and by how much `crf` is ahead of its peers."""
    rows = _results().filter(part="test")
    compared = [NEW, *PEERS]
    leads = [f"`{NEW}` − {peer}" for peer in PEERS]
    lines = [
        f"Right universal tags on test, in per cent. {_provenance(rows)}\n",
        f"| treebank | training words | {' | '.join([*compared, *leads])} |",
        "| :-- | --: |" + " --: |" * (len(compared) + len(leads)),
    ]
    for name in rows["treebank"].unique(maintain_order=True):
        own = {row["system"]: row for row in rows.filter(treebank=name).to_dicts()}
        cells = [f"{100 * own[system]['value']:.1f}" for system in compared]
        cells += [
            f"{100 * (own[NEW]['value'] - own[peer]['value']):+.1f} "
            f"[{100 * own[peer]['lead_low']:+.1f}, {100 * own[peer]['lead_high']:+.1f}]"
            for peer in PEERS
        ]
        lines.append(f"| `{name}` | {own[NEW]['training_words']:,} | {' | '.join(cells)} |")
    means = _means(rows)
    cells = [f"{means[system][0]:.2f}" for system in compared]
    cells += [f"{means[peer][1]:+.2f} ± {means[peer][2]:.2f}" for peer in PEERS]
    lines.append(f"| mean | | {' | '.join(cells)} |")
    seconds = dict(rows.group_by("system").agg(pl.col("seconds").sum()).iter_rows())
    cells = [f"{seconds[system]:.0f}" for system in compared] + ["–"] * len(PEERS)
    lines.append(f"| seconds of training | | {' | '.join(cells)} |")
    worst = ", ".join(_worst(rows, peer) for peer in PEERS)
    return "\n".join(lines) + f"\n\nThe smallest differences are {worst}.\n\n"


def dev_table() -> str:
    """Return averages on dev parts of small treebanks, with one default at a time as before."""
    rows = _results().filter(pl.col("part") == "dev", pl.col("training_words") < FEW_WORDS)
    lines = [
        f"Right universal tags on the dev parts of {rows['treebank'].n_unique()} treebanks of less "
        f"than {FEW_WORDS:,} training words, averages in per cent. {_provenance(rows)}\n",
        f"| tagger | right | `{NEW}` is ahead by |",
        "| :-- | --: | --: |",
    ]
    for system, (value, lead, half) in _means(rows).items():
        ahead = "–" if system == NEW else f"{lead:+.2f} ± {half:.2f}"
        lines.append(f"| {system} | {value:.2f} | {ahead} |")
    return "\n".join(lines) + "\n\n"


def _results() -> pl.DataFrame:
    return pl.read_csv(DATA, separator="\t")


def _means(rows: pl.DataFrame) -> dict[str, tuple[float, float, float]]:
    """Return, for every system, mean accuracy, mean lead of `crf`, and half its interval.

    Treebanks are independent samples, so the half-widths of their intervals add in squares.
    """
    found = {}
    new = rows.filter(system=NEW).select("treebank", pl.col("value").alias("new"))
    for system in rows["system"].unique(maintain_order=True):
        own = rows.filter(system=system).join(new, on="treebank")
        half = (own["lead_high"] - own["lead_low"]) / 2
        found[system] = (
            100 * float(own["value"].to_numpy().mean()),
            100 * float((own["new"] - own["value"]).to_numpy().mean()),
            100 * float(np.linalg.norm(half.to_numpy())) / own.height,
        )
    return found


def _worst(rows: pl.DataFrame, peer: str) -> str:
    """Return where `crf` leads a peer by the least."""
    both = rows.filter(system=NEW).join(rows.filter(system=peer), on="treebank")
    lead = both["value"] - both["value_right"]
    place = int(lead.to_numpy().argmin())
    return f"{100 * lead[place]:+.2f} ({peer}, `{both['treebank'][place]}`)"


def _provenance(rows: pl.DataFrame) -> str:
    commits = ", ".join(f"`{one}`" for one in rows["commit"].unique().sort())
    return f"Measured at {commits}, {', '.join(rows['device'].unique().sort())}."


if __name__ == "__main__":
    main()
