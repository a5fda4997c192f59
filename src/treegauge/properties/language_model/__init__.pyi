"""What `properties.language_model` gives to others."""

from .arpa_reading import (
    read_arpa as read_arpa,
)
from .model import (
    LanguageModel as LanguageModel,
)
from .scored_text import (
    CONVENTIONS as CONVENTIONS,
    STATISTICS as STATISTICS,
    Convention as Convention,
    ScoredText as ScoredText,
    log10_perplexities as log10_perplexities,
)
from .sharded_training import (
    train_on_shards as train_on_shards,
)
from .training import (
    FALLBACK_DISCOUNTS as FALLBACK_DISCOUNTS,
    PRESETS as PRESETS,
    train_language_model as train_language_model,
)
