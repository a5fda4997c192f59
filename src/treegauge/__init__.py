"""treegauge measures syntax across languages.

How good is a tagger, a parser or a grammar inducer; with gold trees, with several gold
standards, or with none; and how hard is a treebank? What `__all__` lists is the public
interface; names are imported when they are first used, so that `import treegauge` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treegauge.catalogue import Catalogue, CatalogueError, load, toy_treebank
    from treegauge.errors import TreegaugeError
    from treegauge.experiments import Evaluation, Experiment, ExperimentError, evaluate, run
    from treegauge.formats import (
        Finding,
        Findings,
        FormatError,
        FormatWarning,
        from_spacy,
        parse,
        read,
        to_text,
        validate,
        write,
    )
    from treegauge.metrics import Conventions, MetricError, preset
    from treegauge.properties import (
        LanguageModel,
        PerplexitySettings,
        ScoredText,
        Statistics,
        TreebankPerplexity,
        WordOrder,
        read_arpa,
        statistics,
        train_language_model,
        treebank_perplexity,
    )
    from treegauge.results import Score, Signature
    from treegauge.rewrite import Style, permute, restore_order, to_style
    from treegauge.systems import System, load_system, make_system
    from treegauge.treebank import (
        Column,
        Sentence,
        Treebank,
        TreebankError,
        Vocabulary,
        Word,
        blind,
        concatenate,
        restore_words,
    )

__version__ = "0.1.0"

_HOME = {
    "TreegaugeError": "errors",
    "Catalogue": "catalogue",
    "CatalogueError": "catalogue",
    "load": "catalogue",
    "toy_treebank": "catalogue",
    "Evaluation": "experiments",
    "Experiment": "experiments",
    "ExperimentError": "experiments",
    "evaluate": "experiments",
    "run": "experiments",
    "Conventions": "metrics",
    "MetricError": "metrics",
    "preset": "metrics",
    "Style": "rewrite",
    "permute": "rewrite",
    "restore_order": "rewrite",
    "to_style": "rewrite",
    "System": "systems",
    "load_system": "systems",
    "make_system": "systems",
    "Score": "results",
    "Signature": "results",
    "Finding": "formats",
    "Findings": "formats",
    "FormatError": "formats",
    "FormatWarning": "formats",
    "from_spacy": "formats",
    "parse": "formats",
    "read": "formats",
    "to_text": "formats",
    "validate": "formats",
    "write": "formats",
    "Statistics": "properties",
    "WordOrder": "properties",
    "statistics": "properties",
    "PerplexitySettings": "properties",
    "TreebankPerplexity": "properties",
    "treebank_perplexity": "properties",
    "LanguageModel": "properties",
    "ScoredText": "properties",
    "read_arpa": "properties",
    "train_language_model": "properties",
    "Column": "treebank",
    "Sentence": "treebank",
    "Treebank": "treebank",
    "TreebankError": "treebank",
    "Vocabulary": "treebank",
    "Word": "treebank",
    "blind": "treebank",
    "concatenate": "treebank",
    "restore_words": "treebank",
}
"""The room of every public name."""

__all__ = [
    "Catalogue",
    "CatalogueError",
    "Column",
    "Conventions",
    "Evaluation",
    "Experiment",
    "ExperimentError",
    "Finding",
    "Findings",
    "FormatError",
    "FormatWarning",
    "LanguageModel",
    "MetricError",
    "PerplexitySettings",
    "Score",
    "ScoredText",
    "Sentence",
    "Signature",
    "Statistics",
    "Style",
    "System",
    "Treebank",
    "TreebankError",
    "TreebankPerplexity",
    "TreegaugeError",
    "Vocabulary",
    "Word",
    "WordOrder",
    "__version__",
    "blind",
    "concatenate",
    "evaluate",
    "from_spacy",
    "load",
    "load_system",
    "make_system",
    "parse",
    "permute",
    "preset",
    "read",
    "read_arpa",
    "restore_order",
    "restore_words",
    "run",
    "statistics",
    "to_style",
    "to_text",
    "toy_treebank",
    "train_language_model",
    "treebank_perplexity",
    "validate",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'treegauge' has no attribute {name!r}")
    value = getattr(import_module(f"treegauge.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
