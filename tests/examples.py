"""How many examples a law is tried on: a share of them in every run, all of them in slow ones.

`tests/properties/test_all_examples.py`, which is slow, runs every law again with all examples.
"""

from __future__ import annotations

import os

from hypothesis import settings

VARIABLE = "TREEGAUGE_EXAMPLES"
"""Set to `all`, laws are tried on all examples."""

_SHARE = 0.15


def examples(number: int = 100) -> settings:
    """Return settings for a law that deserves a number of examples.

    There is no deadline: the first call of a kernel may have to compile it.
    """
    tried = number if os.environ.get(VARIABLE) == "all" else max(5, round(number * _SHARE))
    return settings(deadline=None, max_examples=tried)
