"""Graph-based dependency parsing: every arc has a score, and the best tree is found exactly."""

from treegauge.systems.parsers.graph.graph_parser import GraphParser

__all__ = ["GraphParser"]
