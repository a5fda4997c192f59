"""What a treebank is like."""

from treegauge.properties.dependency_length import (
    arc_lengths,
    dependency_lengths,
    mean_dependency_length,
)
from treegauge.properties.direction_entropy import DirectionCounts, direction_counts, head_finality
from treegauge.properties.errors import PropertyError
from treegauge.properties.expected_length import expected_lengths, omega_scores
from treegauge.properties.optimal_orders import branching_lengths, optimal_lengths
from treegauge.properties.projectivity import nonprojective_arcs, nonprojective_words
from treegauge.properties.sentence_selection import Selection, SelectionReport, select_sentences
from treegauge.properties.sibling_entropy import sibling_order_entropy
from treegauge.properties.table_one import Statistics, statistics
from treegauge.properties.tree_geometry import TreeGeometry, tree_geometry
from treegauge.properties.word_order import PRESETS, WordOrder, WordOrderSettings

__all__ = [
    "PRESETS",
    "DirectionCounts",
    "PropertyError",
    "Selection",
    "SelectionReport",
    "Statistics",
    "TreeGeometry",
    "WordOrder",
    "WordOrderSettings",
    "arc_lengths",
    "branching_lengths",
    "dependency_lengths",
    "direction_counts",
    "expected_lengths",
    "head_finality",
    "mean_dependency_length",
    "nonprojective_arcs",
    "nonprojective_words",
    "omega_scores",
    "optimal_lengths",
    "select_sentences",
    "sibling_order_entropy",
    "statistics",
    "tree_geometry",
]
