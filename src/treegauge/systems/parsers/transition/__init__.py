"""A transition-based parser: any transition system, rich features, an averaged perceptron.

transition_parser.py   the system itself: settings, learning, parsing, saving
learning.py            goes through the training data once
lexicon.py             strings as numbers: what the features of a word are made of
templates.py           the sets of features
weights.py             what was learnt: two tables of weights, one for moves, one for labels
choice.py              which transition system and features suit a treebank
"""

from treegauge.systems.parsers.transition.templates import root_is_last
from treegauge.systems.parsers.transition.transition_parser import TransitionParser

__all__ = ["TransitionParser", "root_is_last"]
