"""Measures word order as Table 1 of Gulordava and Merlo (2016) does, on the texts at hand.

    python -m studies.word_order_texts [--measure]

The paper used the training parts of Universal Dependencies 1.1. Where these are missing, dev and
test of release 1.2 are measured together (`TREEGAUGE_UD1`, or `../shared/treebanks_ud1`). With
--measure, the numbers go to docs/data/word-order-texts.tsv; the table in docs/word_order.md is
made from these.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

import treegauge as tg
from studies._markers import Markers, filled
from studies.measured import FOLDER, keep_table, measured_at, signature_of, timed
from treegauge.evaluation.word_order_intervals import word_order_intervals
from treegauge.papers import find_paper
from treegauge.properties import WordOrder
from treegauge.rewrite import permute
from treegauge.treebank import Treebank, concatenate

DATA = Path(os.environ.get("TREEGAUGE_DATA", "../shared/treebanks"))
UD1 = Path(os.environ.get("TREEGAUGE_UD1", "../shared/treebanks_ud1"))
PAGE = Path("docs/word_order.md")
TABLE = FOLDER / "word-order-texts.tsv"
MARKERS: Markers = {PAGE: {"word-order-texts": (TABLE.stem,)}}
PRESET = "gm16"
RESAMPLES = 1000
LETTERS = 3318
"""Sentences of Cicero's training part before De officiis begins."""


@dataclass(frozen=True)
class Text:
    """A text of the paper, and what is measured instead of it."""

    code: str
    data: str
    files: tuple[Path, ...]
    most_sentences: int | None = None

    def read(self) -> Treebank:
        """Return all parts as one treebank."""
        return concatenate([tg.read(path) for path in self.files])[: self.most_sentences]


def _ud1(code: str) -> Text:
    files = tuple(UD1 / code / f"{part}.conllu.xz" for part in ("dev", "test"))
    return Text(code, "UD 1.2, dev and test", files)


_CICERO = (DATA / "la_cicero" / "train.conllx.xz",)
TEXTS = (
    Text("en", "UD 1.4, train", (UD1 / "en_r14" / "train.conllu.xz",)),
    Text("la.C", "PROIEL 2018, train", _CICERO),
    Text("la.C", "the same, letters only", _CICERO, LETTERS),
    Text("la.V", "PROIEL 2016, train", (DATA / "la_vulgate" / "train.conllx.xz",)),
    *(_ud1(code) for code in ("fi", "fr", "de", "it", "es", "bg")),
)


def main() -> None:
    """Measure, if that is asked for, and write."""
    if "--measure" in sys.argv:
        rows = ({"code": one.code, "data": one.data, **measures(one.read())} for one in TEXTS)
        keep_table(pl.DataFrame(list(timed(rows))), TABLE)
    page = filled(PAGE.read_text(encoding="utf-8"), "word-order-texts", table())
    PAGE.write_text(page, encoding="utf-8")


def measures(treebank: Treebank, settings: str = PRESET) -> dict[str, Any]:
    """Return the numbers of Table 1, with intervals over sentences."""
    order = WordOrder(treebank, settings)
    shortest = WordOrder(permute(treebank, "optdl:plain"), settings)
    report = order.selection.report
    found: dict[str, Any] = {
        "sentences": report.kept,
        "words": report.words_kept,
        "length": report.words_kept / report.kept,
        "branching_dlm_ratio": order.branching_dlm_ratio,
        "optdl_entropy": shortest.arc_direction_entropy,
    }
    for name, ends in word_order_intervals(order, resamples=RESAMPLES).items():
        low, high = (ends.low, ends.high) if ends else (None, None)
        found |= {name: getattr(order, name), f"{name}_low": low, f"{name}_high": high}
    return found | {"signature": signature_of("word_order", treebank, preset=settings)}


def published_numbers() -> dict[tuple[str, str], dict[str, float]]:
    """Return the paper's Table 1 by text and order."""
    table = find_paper("word-order").read_published("published_properties.tsv")
    return {(row["treebank"], row["order"]): row for row in table.iter_rows(named=True)}


def table() -> str:
    """Return our numbers beside the published ones."""
    lines = [
        "| code | data | words | mean length | DLM ratio | entropy | left or right, DLM ratio "
        "| `optdl`, entropy |",
        "| :-- | :-- | --: | --: | --: | --: | --: | --: |",
    ]
    measured = pl.read_csv(TABLE, separator="\t")
    for row in measured.iter_rows(named=True):
        cells = " | ".join(_beside_published(row))
        lines.append(f"| {row['code']} | {row['data']} | {row['words']:,} | {cells} |")
    return "\n".join(lines) + f"\n\n{measured_at(measured)}\n\n"


def _beside_published(row: Mapping[str, Any]) -> Iterator[str]:
    """Give cells `ours / published`."""
    paper = published_numbers()
    own, left, shortest = (paper[row["code"], order] for order in ("original", "left", "optdl"))
    yield f"{row['length']:.1f} / {own['mean_length']:.1f}"
    yield f"{row['dlm_ratio']:.3f} / {own['dlm_ratio']:.2f}"
    yield f"{row['arc_direction_entropy']:.3f} / {own['arc_direction_entropy']:.2f}"
    yield f"{row['branching_dlm_ratio']:.3f} / {left['dlm_ratio']:.2f}"
    yield f"{row['optdl_entropy']:.3f} / {shortest['arc_direction_entropy']:.2f}"


if __name__ == "__main__":
    main()
