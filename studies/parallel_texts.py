"""Projects tags through real parallel text: four parallel test sets, every ordered pair.

    python -m studies.parallel_texts

The 1,000 sentences of Czech, French, Indonesian and Turkish PUD (`TREEGAUGE_PARALLEL`, or
`../shared/parallel`) translate each other. Four of five documents are the parallel text; in the
others, the target's words are tagged and scored. The target's tags are used for nothing else. The
source side has gold tags, or those of `tnt`, which has learnt from another treebank of its
language. All tags are the 12 universal ones, which dictionaries have too.

Cells are kept in `runs/projection`, and all scores in `docs/data/projection.tsv`; `studies.pages`
makes the tables of docs/taggers.md from these.
"""

from __future__ import annotations

import math
import os
import sys
import time
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

import numpy as np

import treegauge as tg
from studies.measured import RUNS, add, provenance, results_of
from treegauge.dictionaries import read_dictionary, write_dictionary
from treegauge.papers.derived_treebanks import Parts, write_treebanks
from treegauge.results.long_table import long_table, read_long_table
from treegauge.treebank import Column, Treebank, is_punctuation_form, tag_column

NAME = "projection"
DATA = Path(os.environ.get("TREEGAUGE_DATA", "../shared/treebanks"))
PARALLEL = Path(os.environ.get("TREEGAUGE_PARALLEL", "../shared/parallel"))
DICTIONARIES = Path(os.environ.get("TREEGAUGE_DICTIONARIES", "../shared/dictionaries"))
PLACE = RUNS / NAME / "treebanks"
MARKERS = (f"{NAME}/pairs", f"{NAME}/baselines", f"{NAME}/alignments")
TREEBANKS = {"cs": "cs_cac", "fr": "fr_gsd", "id": "id_gsd", "tr": "tr_imst"}
"""For each language, the treebank that its tagger learns from: other texts than PUD."""
SCORED = 5
"""Every fifth document is scored."""
DOCUMENT = len("n01001")
"""The ids of a document's sentences begin alike."""
SHOWN = "grow-diag-final"
ALIGNMENTS: dict[str, dict[str, Any]] = {
    SHOWN: {"symmetrisation": "grow-diag-final"},
    "intersection": {},
    "intersection, all sentences": {"labelled": 0.0},
}
"""Settings of `projection`, by the words for them; the first are those of the table of pairs."""
TAGS = ("gold", "predicted")
"""The tags of the source side."""
ALL = "all"
"""What labels say for all three sources together."""
NOUNS, DICTIONARY, TRANSFER, OWN = "nouns and marks", "dictionary-hmm", "transfer", "tnt"
METRIC = "upos"


def main() -> None:
    """Run every pair and every baseline, or what is missing of them, and keep the scores."""
    texts = {language: divided(PARALLEL / f"{language}_pud.conllu.xz") for language in TREEBANKS}
    write_treebanks(PLACE, {f"{language}_pud": parts for language, parts in texts.items()})
    for language, parts in texts.items():
        others = [one for one in TREEBANKS if one != language]
        _run(language, PLACE, [*_projections(language, others), *_without_text(language, others)])
        # What learns from the language itself learns from another treebank of it.
        learnt_from = _with_12_tags(tg.load(f"{TREEBANKS[language]}:train", data=[DATA]))
        own = {"train": learnt_from, "test": parts["test"]}
        write_treebanks(PLACE / "own", {f"{language}_pud": own})
        _run(language, PLACE / "own", [{"system": OWN}])
    add(NAME, long_table(_nouns_and_marks(language, texts[language]) for language in texts))


def divided(path: Path) -> Parts:
    """Return the sentences to project, and those to score: no document is in both."""
    whole = _with_12_tags(tg.read(path, findings=tg.Findings()))
    documents = [one[:DOCUMENT] for one in whole.sentence_ids]
    number = {document: place for place, document in enumerate(dict.fromkeys(documents))}
    is_scored = np.array([number[one] % SCORED == SCORED - 1 for one in documents])
    return {
        "train": whole.take(np.flatnonzero(~is_scored)),
        "test": whole.take(np.flatnonzero(is_scored)),
    }


def _with_12_tags(treebank: Treebank) -> Treebank:
    return treebank.replace(columns={"upos": tag_column(treebank, "u12").column})


def _projections(target: str, others: list[str]) -> list[dict[str, Any]]:
    """Return `projection` from every source, and from all together."""
    return [
        {
            "system": "projection",
            "label": f"{name}, {tags}, {alignment}",
            "settings": {
                "parallel": [f"{_train(source)}::{_train(target)}" for source in sources],
                "sources": [
                    "given" if tags == "gold" else str(DATA / TREEBANKS[source])
                    for source in sources
                ],
                "tags": "u12",
                **settings,
            },
        }
        for alignment, settings in ALIGNMENTS.items()
        for name, sources in [*((one, [one]) for one in others), (ALL, others)]
        for tags in TAGS
    ]


def _train(language: str) -> Path:
    return PLACE / f"{language}_pud" / "train.conllu"


def _without_text(target: str, others: list[str]) -> list[dict[str, Any]]:
    """Return systems that know no parallel text."""
    sources = [str(DATA / TREEBANKS[one]) for one in others]
    systems: list[dict[str, Any]] = [
        {"system": "transfer", "label": TRANSFER, "settings": {"sources": sources, "tags": "u12"}}
    ]
    if dictionaries := sorted(DICTIONARIES.glob(f"*/{target}.tsv.xz")):
        path = PLACE / f"{target}.tsv"
        write_dictionary(reduce(or_, map(read_dictionary, dictionaries)), path)
        systems.append(
            {"system": DICTIONARY, "label": DICTIONARY, "settings": {"dictionary": str(path)}}
        )
    return systems


def _run(target: str, place: Path, systems: list[dict[str, Any]]) -> None:
    """Run systems on a language, and keep their scores."""
    experiment = tg.Experiment.from_dict(
        {
            "name": NAME,
            "treebanks": [str(place / f"{target}_pud")],
            "systems": systems,
            "tracks": ["tags"],
            "fit_on": "train",
            "preset": "conll2018",
            "metrics": [METRIC],
        }
    )
    folder = RUNS / NAME / f"{place.name}-{target}"
    done = tg.run(experiment, folder)
    for failure in done.failures:
        sys.stderr.write(f"{failure}\n")
    add(NAME, read_long_table(folder / "results.parquet"))


def page_tables() -> dict[str, str]:
    """Return the tables of the page by their markers; none where nothing was measured."""
    results = results_of(NAME)
    if results is None:
        return {}
    rows = {(row["treebank"][:2], row["system"]): row for row in results.iter_rows(named=True)}
    n = sum(rows[target, NOUNS]["n"] for target in TREEBANKS)
    spread = "± half a 95% interval over sentences"
    pairs = (
        f"Accuracy in per cent, {spread}: source tags gold / predicted, links {SHOWN}. {n:,} words "
        f"in all. {provenance(results)}"
    )
    baselines = f"Accuracy in per cent on the same words, {spread}."
    alignments = f"Accuracy in per cent, means over all pairs and over all targets, {spread}."
    texts = (
        f"{_pairs(rows)}\n{pairs}\n\n",
        f"{_baselines(rows)}\n{baselines}\n\n",
        f"{_alignments(rows)}\n{alignments}\n\n",
    )
    return dict(zip(MARKERS, texts, strict=True))


Rows = dict[tuple[str, str], dict[str, Any]]
"""Scores by target and label."""


def _pairs(rows: Rows) -> str:
    lines = [
        f"| onto | {' | '.join(f'from {source}' for source in TREEBANKS)} | from all three |",
        "| :-- |" + " --: |" * (len(TREEBANKS) + 1),
    ]
    for target in TREEBANKS:
        cells = [
            "–"
            if source == target
            else " / ".join(
                mean_cell([rows[target, f"{source}, {tags}, {SHOWN}"]]) for tags in TAGS
            )
            for source in (*TREEBANKS, ALL)
        ]
        lines.append(f"| {target} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _baselines(rows: Rows) -> str:
    lines = [
        "| language | words | nouns and marks | `transfer` | `dictionary-hmm` | `tnt` |",
        "| :-- |" + " --: |" * 5,
    ]
    for target in TREEBANKS:
        cells = [
            mean_cell([rows[target, name]]) if (target, name) in rows else "–"
            for name in (NOUNS, TRANSFER, DICTIONARY, OWN)
        ]
        lines.append(f"| {target} | {rows[target, NOUNS]['n']:,} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _alignments(rows: Rows) -> str:
    lines = [
        "| links, sentences | one source, gold | predicted | all three, gold | predicted |",
        "| :-- |" + " --: |" * 4,
    ]
    for alignment in ALIGNMENTS:
        pairs, together = [], []
        for tags in TAGS:
            ending = f", {tags}, {alignment}"
            of_all = [rows[target, ALL + ending] for target in TREEBANKS]
            together.append(mean_cell(of_all))
            pairs.append(
                mean_cell(
                    [
                        rows[target, source + ending]
                        for target in TREEBANKS
                        for source in TREEBANKS
                        if source != target
                    ]
                )
            )
        lines.append(f"| {alignment} | {' | '.join([*pairs, *together])} |")
    return "\n".join(lines) + "\n"


def mean_cell(scores: list[dict[str, Any]]) -> str:
    """Return the mean, and half its interval, or a dash if one of the scores is missing.

    Three pairs share the words of a target, so that their errors go together: the half-widths of a
    target are averaged, and those of different targets add in squares.
    """
    if any(math.isnan(row["value"]) for row in scores):
        return "–"
    halves: dict[str, list[float]] = {}
    for row in scores:
        halves.setdefault(row["treebank"], []).append((row["high"] - row["low"]) / 2)
    means = [sum(own) / len(own) for own in halves.values()]
    half = math.hypot(*means) / len(means)
    mean = sum(row["value"] for row in scores) / len(scores)
    return f"{100 * mean:.1f} ± {100 * half:.1f}"


def _nouns_and_marks(language: str, parts: Parts) -> dict[str, Any]:
    """Return the score of a tagger for which all words are nouns, but for marks."""
    started = time.process_time()
    gold = parts["test"].replace(name=f"{language}_pud")
    tags = ["." if is_punctuation_form(form) else "NOUN" for form in gold.form]
    tagged = gold.replace(columns={"upos": Column.from_strings(tags)})
    score = tg.evaluate(gold, tagged, metrics=[METRIC]).systems[0].scores[METRIC]
    return {
        "experiment": NAME,
        "track": "tags",
        "treebank": gold.name,
        "split": "test",
        "system": NOUNS,
        "method": NOUNS,
        "settings": "{}",
        "seed": 0,
        "fit_on": "nothing",
        "supervision": "universal rules",
        "preset": "conll2018",
        "tags": "u",
        "metric": METRIC,
        "by": "",
        "stratum": "",
        "value": score.value,
        "low": score.low,
        "high": score.high,
        "n": score.n,
        "seconds": time.process_time() - started,
        "signature": str(score.signature),
        "reason": "",
        "cell": f"{NOUNS}, {language}",
    }


if __name__ == "__main__":
    main()
