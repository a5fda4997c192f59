"""How sure a number is: resampling, paired tests, corrections, agreement of rankings.

Everything works on arrays: statistics per sentence (one row per sentence, one column per
count), and a function that turns summed statistics into a score. No sentence is ever scored
again.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

# Functions that are called like their module: of the two, the room gives the function.
from treegauge.significance.agreement import agreement  # noqa: E402, F401
from treegauge.significance.correlation import correlation  # noqa: E402, F401
