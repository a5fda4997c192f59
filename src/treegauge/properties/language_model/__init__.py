"""N-gram language models: interpolated modified Kneser-Ney, perplexity, ARPA files.

    Column, offsets -> train_language_model -> LanguageModel -> score -> ScoredText -> perplexity
                       read_arpa           ->               -> write_arpa

Words are what a column says of them, so that forms, lemmas and tags are all texts; a column whose
words are put in another order (`Column.take`) is one as well.
"""

from treegauge.properties.language_model.arpa_reading import read_arpa
from treegauge.properties.language_model.model import LanguageModel
from treegauge.properties.language_model.scored_text import (
    CONVENTIONS,
    STATISTICS,
    Convention,
    ScoredText,
    log10_perplexities,
)
from treegauge.properties.language_model.training import (
    FALLBACK_DISCOUNTS,
    PRESETS,
    SmallCorpusWarning,
    train_language_model,
)

__all__ = [
    "CONVENTIONS",
    "FALLBACK_DISCOUNTS",
    "PRESETS",
    "STATISTICS",
    "Convention",
    "LanguageModel",
    "ScoredText",
    "SmallCorpusWarning",
    "log10_perplexities",
    "read_arpa",
    "train_language_model",
]
