"""Tables of what a run has: its data, and where they are not the paper's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from treegauge.papers.tagger_evaluation.settings import TaggerEvaluationSettings
from treegauge.tables import Table, from_records
from treegauge.wording import counted

if TYPE_CHECKING:
    import polars as pl

PAPER = "Agić et al. (2017)"
"""How notes name the paper."""


def data_table(treebanks: pl.DataFrame, notes: Sequence[str]) -> Table:
    """Return what was learnt from, tested on, and scored with."""
    columns = ["treebank", "release", "train sentences", "train tokens"]
    columns += ["test sentences", "test tokens", "dictionary", "word pairs"]
    rows = [{**row, "release": row["release"] or None} for row in treebanks.to_dicts()]
    return from_records(columns, rows, title="Data", notes=notes)


def difference_table(treebanks: pl.DataFrame, settings: TaggerEvaluationSettings) -> Table:
    """Say where our data and taggers are not the paper's."""
    english = ", ".join(sorted(set(treebanks["english"].drop_nulls())))
    sizes = sorted(set(treebanks["train_sentences"]))
    count = f"{len(treebanks)}, {counted(treebanks['language'].n_unique(), 'language')}, see above"
    cross = ", ".join(settings.cross_lingual)
    sources = f"{cross}: trained on other languages" if cross else "none"
    rows = [
        ("treebanks", "25 of UD 1.2, 25 languages", count),
        (
            "training sentences",
            "whole train parts",
            " to ".join(f"{one:,}" for one in sizes[:1] + sizes[1:][-1:]),
        ),
        ("taggers", "bi-LSTM, CRF++, MarMoT, TnT, TreeTagger", ", ".join(settings.taggers)),
        ("cross-lingual taggers", "projected through parallel text", sources),
        ("dictionaries", "Wiktionaries of 2012 and 2016", "see the table above"),
        ("English dictionary", "Wiktionary of 2012", english or "none"),
        ("translations", "Wiktionary", "word lists, see the table above"),
        ("frequencies of words", "Bible and Watchtower", _frequencies(settings)),
        ("tags", "12, mapped before training", "the same"),
    ]
    return Table(["what", PAPER, "here"], rows, title="What differs from the paper")


def _frequencies(settings: TaggerEvaluationSettings) -> str:
    train = "the train part, tags not looked at"
    return (
        f"raw text: {'; '.join(settings.frequencies)}; else {train}"
        if settings.frequencies
        else train
    )
