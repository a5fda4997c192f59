"""What a treebank is like."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

# Functions that are called like their module: of the two, the room gives the function.
from treegauge.properties.tree_geometry import tree_geometry  # noqa: E402, F401
