"""What a treebank is like."""

from treegauge.properties.dependency_length import (
    arc_lengths,
    dependency_lengths,
    mean_dependency_length,
)
from treegauge.properties.derivation_perplexity import (
    DerivationModel,
    PerplexitySettings,
    TreebankPerplexity,
    cross_validated_perplexity,
    mean_increase,
    treebank_perplexity,
)
from treegauge.properties.direction_entropy import DirectionCounts, direction_counts, head_finality
from treegauge.properties.errors import PropertyError
from treegauge.properties.expected_length import expected_lengths, omega_scores
from treegauge.properties.language_model import (
    LanguageModel,
    ScoredText,
    read_arpa,
    train_language_model,
)
from treegauge.properties.optimal_orders import branching_lengths, optimal_lengths
from treegauge.properties.projectivity import nonprojective_arcs, nonprojective_words
from treegauge.properties.sentence_selection import select_sentences
from treegauge.properties.sibling_entropy import sibling_order_entropy
from treegauge.properties.tree_geometry import tree_geometry
from treegauge.properties.treebank_statistics import TreebankStatistics, statistics
from treegauge.properties.word_order import PRESETS, WordOrder, WordOrderSettings

__all__ = [
    "PRESETS",
    "DerivationModel",
    "DirectionCounts",
    "LanguageModel",
    "PerplexitySettings",
    "PropertyError",
    "ScoredText",
    "TreebankPerplexity",
    "TreebankStatistics",
    "WordOrder",
    "WordOrderSettings",
    "arc_lengths",
    "branching_lengths",
    "cross_validated_perplexity",
    "dependency_lengths",
    "direction_counts",
    "expected_lengths",
    "head_finality",
    "mean_dependency_length",
    "mean_increase",
    "nonprojective_arcs",
    "nonprojective_words",
    "omega_scores",
    "optimal_lengths",
    "read_arpa",
    "select_sentences",
    "sibling_order_entropy",
    "statistics",
    "train_language_model",
    "tree_geometry",
    "treebank_perplexity",
]
