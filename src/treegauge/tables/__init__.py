"""Tables: cells with values, intervals and marks, and their plain renderers."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

# Functions that are called like their module: of the two, the room gives the function.
from treegauge.tables.records import records  # noqa: E402, F401
