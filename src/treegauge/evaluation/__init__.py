"""Evaluation: systems against gold, compared, broken down, with intervals.

Names are imported when they are first used: the process of a cell needs none of the scoring.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
