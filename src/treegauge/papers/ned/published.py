"""What the paper on neutral edge direction reports, as far as its prose has it.

    Roy Schwartz, Omri Abend, Roi Reichart, Ari Rappoport (2011). Neutralizing Linguistically
    Problematic Annotations in Unsupervised Dependency Parsing Evaluation. ACL.

Figures are in per cent, as printed, for the Wall Street Journal: sections 2 to 21 were learnt
from, section 23 is scored. The bodies of the paper's tables are not known here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

PAPER = (
    "Schwartz, Abend, Reichart and Rappoport (2011), Neutralizing Linguistically Problematic "
    "Annotations in Unsupervised Dependency Parsing Evaluation"
)

ATTACHMENT_GAIN = (9.3, 15.1)
"""Least and largest gain of attachment by flips, at most ten words and all lengths."""

TOKEN_SHARE = 42.9
"""Of training tokens that take part in any of the flipped structures."""


@dataclass(frozen=True)
class PublishedChange:
    """How flips change the scores of an algorithm, all lengths."""

    undirected: float
    ned: float


CHANGES: Mapping[str, PublishedChange] = MappingProxyType(
    {
        "km04": PublishedChange(1.3, -3.6),
        "cs09": PublishedChange(7.7, 4.2),
        "saj10a": PublishedChange(3.5, -1.0),
    }
)

TWO_SCHEMES: Mapping[str, float] = MappingProxyType({"uas": 85.6, "undirected": 90.3, "ned": 95.3})
"""Collins's head rules scored against Yamada and Matsumoto's, section 23."""


def published() -> dict[str, Any]:
    """Return all figures as JSON has them."""
    return {
        "paper": PAPER,
        "attachment_gain": list(ATTACHMENT_GAIN),
        "token_share": TOKEN_SHARE,
        "changes": {
            name: {"undirected": change.undirected, "ned": change.ned}
            for name, change in CHANGES.items()
        },
        "two_schemes": dict(TWO_SCHEMES),
    }
