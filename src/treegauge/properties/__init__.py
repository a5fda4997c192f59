"""What a treebank is like."""

from treegauge.properties.projectivity import nonprojective_arcs, nonprojective_words
from treegauge.properties.statistics import Statistics, statistics

__all__ = ["Statistics", "nonprojective_arcs", "nonprojective_words", "statistics"]
