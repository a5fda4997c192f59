"""How sure a number is: resampling, paired tests, corrections, agreement of rankings.

Everything works on arrays: statistics per sentence (one row a sentence, one column a
count), and a function that turns summed statistics into a score. No sentence is ever scored
again.
"""

from treegauge.significance.agreement import agreement, kendall_tau_b
from treegauge.significance.corrections import holm
from treegauge.significance.correlation import correlation, partial_correlation
from treegauge.significance.errors import SignificanceError
from treegauge.significance.intervals import Interval, interval
from treegauge.significance.letters import Letters, significance_letters
from treegauge.significance.paired_tests import PairedTest, paired_bootstrap, paired_permutation
from treegauge.significance.resampling import Resampler

__all__ = [
    "Interval",
    "Letters",
    "PairedTest",
    "Resampler",
    "SignificanceError",
    "agreement",
    "correlation",
    "holm",
    "interval",
    "kendall_tau_b",
    "paired_bootstrap",
    "paired_permutation",
    "partial_correlation",
    "significance_letters",
]
