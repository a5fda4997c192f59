"""What can be chosen about the paper."""

from __future__ import annotations

from dataclasses import dataclass

from treegauge.papers.paper import PaperSettings
from treegauge.settings import setting

TAGGERS = ("tnt", "tree", "perceptron", "most-frequent-tag")
PAPER = "paper"
"""The name of the paper's five taggers together."""
PAPER_TAGGERS = ("bilstm", "crf", "higher-order-crf", "tnt", "tree")
"""Ours for its bi-LSTM, CRF++, MarMoT, TnT and TreeTagger; two need further packages."""
TRANSFER = "transfer"
"""The system that is made for other languages' training data."""
NONE = "none"
TOYS = "toy"
"""Instead of a folder: the dictionaries that toy languages have."""


@dataclass(frozen=True)
class TaggerEvaluationSettings(PaperSettings):
    """Taggers, dictionaries, and how often things are drawn."""

    everything: bool = setting(
        False, "Use all available treebanks that have a dictionary.", flags="--all"
    )
    taggers: tuple[str, ...] = setting(
        (),
        f"The taggers, such as crf or udpipe-tagger; {PAPER} for the paper's five: "
        f"{','.join(PAPER_TAGGERS)}. Default: {','.join(TAGGERS)}.",
        metavar="NAMES",
    )
    cross_lingual: tuple[str, ...] = setting(
        (),
        f"Taggers that learn from the other languages, or {NONE}. Default: {TRANSFER}.",
        metavar="NAMES",
    )
    dictionaries: str = setting(
        "",
        "A folder with a manifest.json that says which dictionary is of which language; "
        f"{TOYS} for those of toy languages.",
        metavar="FOLDER",
    )
    sources: tuple[str, ...] = setting(
        (),
        "Subfolders to take dictionaries from. Default: only wiktionary if it has the language, "
        "otherwise all.",
        metavar="NAMES",
    )
    own: tuple[str, ...] = setting(
        (),
        "The dictionary of a treebank or language. May be repeated.",
        flags="--dictionary",
        metavar="TREEBANK=FILE[,FILE]",
        commas=False,
    )
    bilingual: tuple[str, ...] = setting(
        (),
        "English words and their translations. May be repeated.",
        metavar="TREEBANK=FILE[,FILE]",
        commas=False,
    )
    english: tuple[str, ...] = setting(
        (), "The English dictionary that is translated.", metavar="FILE[,FILE]"
    )
    english_treebank: str = setting(
        "",
        "A treebank whose training dictionary is also translated. Default: en_ewt, if it is "
        "available.",
        metavar="TREEBANK",
    )
    frequencies: tuple[str, ...] = setting(
        (),
        "Raw text of a treebank or language to count words in, instead of the train part. May be "
        "repeated.",
        metavar="LANG=FILE[,FILE]",
        commas=False,
    )
    sentences: int | None = setting(
        None, "The largest number of sentences of each train part.", minimum=1
    )
    resamples: int = setting(1000, "Bootstrap resamples of the intervals.", minimum=0)
    trials: int = setting(10_000, "Trials of the tests.", minimum=1)
    draws: int = setting(100, "Random dictionaries of each size.", minimum=1)
    repetitions: int = setting(10, "Repetitions of each level of corruption.", minimum=1)
