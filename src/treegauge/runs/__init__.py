"""Runs: grids of systems and treebanks, blind, resumable, on one machine or a cluster.

Names are imported when they are first used: the process of a cell needs none of the scoring.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
